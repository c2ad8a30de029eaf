/* SPDX-License-Identifier: GPL-3.0-or-later */
/* snippet.h - the passages of a document that show why it was found */
#pragma once
#include "common/base/document.h"
#include "index/query/query.h"

typedef struct {
	DocTag tag;
	const char *field; /* "body", "title", "author", ... static */
	uint32_t page; /* page, slide or sheet; 0: none */
	DocBreakKind break_kind;
	uint32_t line; /* of plain text, from 1; 0: none */
	char *text; /* UTF-8, white space folded, no controls */
	GArray *marks; /* pairs of uint32_t: start and end byte in text, ascending, not overlapping
	                */
} Snippet;
void snippet_free(Snippet *snippet);

/* The best passages, best first, at most n, each about max_chars long: most different query words,
 * closest together. Empty if no word of the query is in the text. GPtrArray of Snippet, yours. */
GPtrArray *snippet_make(const Document *doc, const Query *query, unsigned n, unsigned max_chars);
