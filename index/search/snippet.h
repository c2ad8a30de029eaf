/* SPDX-License-Identifier: GPL-3.0-or-later */
/* snippet.h - the passages that show why a document was found */
#pragma once
#include "common/base/document.h"
#include "index/query/query.h"
#include "index/search/passages.h"

typedef struct {
	DocTag tag;
	const char *field; /* "body", "title", "author", ...; static */
	uint32_t page; /* page, slide or sheet; 0: none */
	DocBreakKind break_kind;
	uint32_t line; /* of plain text, from 1; 0: none */
	char *heading; /* the headings that it stands under (section_path()); NULL: none */
	char *text; /* UTF-8, white space folded, no controls */
	GArray *marks; /* pairs of uint32_t: start and end byte in text, ascending, not overlapping
	                */
} Snippet;
void snippet_free(Snippet *snippet);

/* Returns at most n passages of about max_chars characters, the best first
 * (index/search/passages.h). The array is empty if the text contains no word of the query.
 * GPtrArray of Snippet that the caller owns. */
GPtrArray *snippet_make(const Document *doc, const Query *query, unsigned n, unsigned max_chars);
/* Returns a passage of the document as a text of about max_chars characters. The caller owns it. */
Snippet *snippet_of_passage(
        const Document *doc, const Passages *passages, const Passage *passage, unsigned max_chars);
