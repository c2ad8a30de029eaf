/* SPDX-License-Identifier: GPL-3.0-or-later */
/* preview.h - the preview of one hit: metadata and passages, or its whole text, folded into
 * lines */
#pragma once
#include "ui-cli/print/text-fold.h"
#include "ui-cli/print/printer.h"

typedef struct {
	GArray *paragraphs; /* FoldText */
	GArray *lines; /* PreviewLine */
	unsigned width; /* width in cells that the lines are folded for */
} Preview;

typedef struct {
	guint paragraph;
	size_t start, end; /* in bytes of the paragraph */
} PreviewLine;

void preview_init(Preview *preview);
void preview_clear(Preview *preview);
void preview_empty(Preview *preview);
/* Shows path, metadata and snippets (Snippet; may be NULL). */
void preview_set_hit(Preview *preview, const Hit *hit, const GPtrArray *snippets);
/* Shows the plain text of a document. */
void preview_set_text(Preview *preview, const Document *doc);
/* Folds the text into lines, unless it is already folded for this width. */
void preview_fold(Preview *preview, unsigned width);
