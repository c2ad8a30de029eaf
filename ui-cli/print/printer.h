/* SPDX-License-Identifier: GPL-3.0-or-later */
/* printer.h - the output formats for hits, one constant for each */
#pragma once
#include "index/search/search.h"
#include "index/search/snippet.h"
#include "ui-cli/print/screen.h"

typedef struct {
	const Hit *hit;
	unsigned rank; /* from 1, counted over all pages */
	const GPtrArray *snippets; /* Snippet; may be NULL */
	unsigned words; /* number of words in the query */
} ShownHit;

typedef struct {
	bool wants_snippets;
	/* Each function appends to out; begin, head and end may be NULL. query: as the user wrote
	 * it. notes: what of it was read otherwise; NULL-terminated, or NULL. */
	void (*begin)(const Screen *screen, GString *out, const SearchResult *result,
	        const char *query, char *const *notes);
	/* The part of a hit before its snippets, so that it can be shown while they are made. hit
	 * appends the rest. */
	void (*head)(const Screen *screen, GString *out, const ShownHit *shown);
	void (*hit)(const Screen *screen, GString *out, const ShownHit *shown);
	/* ms: what the answer took, from the start of the program. */
	void (*end)(const Screen *screen, GString *out, const SearchResult *result, double ms);
} Printer;

extern const Printer print_terminal; /* coloured blocks */
extern const Printer print_pipe; /* one path per line; escaped on a terminal */
extern const Printer print_passages; /* path, page, line and heading of a passage per line */
extern const Printer print_null; /* paths that end with NUL, byte-exact */
extern const Printer print_json; /* JSON Lines of docs/OUTPUT.md */

/* "OUTER|inner/path", or only the path; raw bytes. The caller frees it. */
char *info_full_path(const Info *info);
/* The entry's own size in bytes, and its own time in seconds since 1970. */
int64_t info_size(const Info *info);
int64_t info_mtime(const Info *info);
/* The title for display, or else the name. Borrowed; raw bytes. */
const char *hit_title(const Hit *hit);
/* For display: date, size, type and anything unusual. The caller frees it. */
char *hit_facts(const Hit *hit);
/* The snippet's place and text, with the marks shifted to match. The caller frees both. */
char *snippet_line(const Snippet *snippet, GArray **marks_r);
/* Where the snippet is: "p. 12", "slide 3", "l. 40", "title", "p. 12 · Installing › From source"
 * (the innermost headings, at most some 90 characters); NULL if unknown. Not escaped. The caller
 * frees it. */
char *snippet_place(const Snippet *snippet);
