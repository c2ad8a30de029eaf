/* SPDX-License-Identifier: GPL-3.0-or-later */
/* preview.h - the preview of one hit: metadata and passages, or its whole text, folded into
 * lines */
#pragma once
#include "index/query/query.h"
#include "ui-cli/print/text-fold.h"
#include "ui-cli/print/printer.h"

typedef struct {
	GArray *paragraphs; /* FoldText */
	GArray *lines; /* PreviewLine */
	GArray *matches; /* PreviewMatch, ascending: the words of the query in the whole text */
	guint match; /* index of the current one */
	unsigned width; /* width in cells that the lines are folded for */
} Preview;

typedef struct {
	guint paragraph;
	size_t start, end; /* in bytes of the paragraph */
} PreviewLine;

typedef struct {
	guint paragraph;
	size_t start; /* in bytes of the paragraph */
} PreviewMatch;

void preview_init(Preview *preview);
void preview_clear(Preview *preview);
void preview_empty(Preview *preview);
/* Shows path, metadata and snippets (Snippet; may be NULL). */
void preview_set_hit(Preview *preview, const Hit *hit, const GPtrArray *snippets);
/* Shows the text of a document, with the words of the query marked. query may be NULL. */
void preview_set_text(Preview *preview, const Document *doc, const Query *query);
/* The line of the current match; 0 if there is none. The text must be folded. */
guint preview_match_line(const Preview *preview);
/* Folds the text into lines, unless it is already folded for this width. */
void preview_fold(Preview *preview, unsigned width);
