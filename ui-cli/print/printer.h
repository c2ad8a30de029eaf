/* SPDX-License-Identifier: GPL-3.0-or-later */
/* printer.h - the forms in which hits are shown: one constant for each */
#pragma once
#include "index/read/reader.h"
#include "index/search/snippet.h"
#include "ui-cli/print/screen.h"

typedef struct {
	const Hit *hit;
	unsigned rank; /* from 1, counted over all pages of the answer */
	const GPtrArray *snippets; /* Snippet; or NULL */
	unsigned words; /* of the query */
} ShownHit;

typedef struct {
	bool wants_snippets;
	/* Each appends to out; begin and end may be NULL. query: as the person wrote it. */
	void (*begin)(
	        const Screen *screen, GString *out, const SearchResult *result, const char *query);
	void (*hit)(const Screen *screen, GString *out, const ShownHit *shown);
	void (*end)(const Screen *screen, GString *out, const SearchResult *result);
} Printer;

extern const Printer print_terminal; /* coloured blocks */
extern const Printer print_pipe; /* a path a line; escaped on a terminal */
extern const Printer print_null; /* a path and a NUL, byte exact */
extern const Printer print_json; /* JSON Lines, docs/OUTPUT.md */

/* "OUTER|inner/path" or the path alone, raw bytes. Yours. */
char *info_full_path(const Info *info);
/* What a member or file says of itself: bytes, and seconds since 1970. */
int64_t info_size(const Info *info);
int64_t info_mtime(const Info *info);
/* For people: its title, else its name. Borrowed. Raw bytes. */
const char *hit_title(const Hit *hit);
/* For people: date, size, type and whatever is unusual about it. Yours. */
char *hit_facts(const Hit *hit);
/* Its place and text with the marks moved to fit. Both yours. */
char *snippet_line(const Snippet *snippet, GArray **marks_r);
/* "p. 12", "slide 3", "l. 40", "title": where a snippet stands; NULL if that is not known. Yours.
 */
char *snippet_place(const Snippet *snippet);
