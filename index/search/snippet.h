/* SPDX-License-Identifier: GPL-3.0-or-later */
/* snippet.h - the passages that show why a document was found */
#pragma once
#include "common/base/document.h"
#include "index/query/query.h"

typedef struct {
	DocTag tag;
	const char *field; /* "body", "title", "author", ...; static */
	uint32_t page; /* page, slide or sheet; 0: none */
	DocBreakKind break_kind;
	uint32_t line; /* of plain text, from 1; 0: none */
	char *text; /* UTF-8, white space folded, no controls */
	GArray *marks; /* pairs of uint32_t: start and end byte in text, ascending, not overlapping
	                */
} Snippet;
void snippet_free(Snippet *snippet);

/* Returns at most n passages of about max_chars characters, the best first: those with the most
 * distinct query words, closest together. The array is empty if the text contains no word of the
 * query. GPtrArray of Snippet that the caller owns. */
GPtrArray *snippet_make(const Document *doc, const Query *query, unsigned n, unsigned max_chars);
