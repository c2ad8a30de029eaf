/* SPDX-License-Identifier: GPL-3.0-or-later */
/* preview.h - what is shown of one hit: facts and passages, or its whole text, folded into lines */
#pragma once
#include "ui-cli/print/text-fold.h"
#include "ui-cli/print/printer.h"

typedef struct {
	GArray *paragraphs; /* FoldText */
	GArray *lines; /* PreviewLine */
	unsigned width; /* cells for which the lines were made */
} Preview;

typedef struct {
	guint paragraph;
	size_t start, end; /* bytes of it */
} PreviewLine;

void preview_init(Preview *preview);
void preview_clear(Preview *preview);
void preview_empty(Preview *preview);
/* path, facts, and snippets (Snippet; may be NULL). */
void preview_set_hit(Preview *preview, const Hit *hit, const GPtrArray *snippets);
/* The plain text of a document. */
void preview_set_text(Preview *preview, const Document *doc);
/* Makes the lines, unless they are there for this width. */
void preview_fold(Preview *preview, unsigned width);
