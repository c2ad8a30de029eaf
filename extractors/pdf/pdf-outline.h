/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pdf-outline.h - the outline (bookmarks) of a PDF, to tell headings from text
 *
 * A title that is found as a line of its page is tagged there as a heading, so that it counts once;
 * a title that is not found is added at the beginning of its page. */
#pragma once
#include <glib.h>
#include <poppler.h>
#include <stdbool.h>

/* UTF-8 titles: beyond this many, or this deep, an outline is not read. */
enum { OUTLINE_MAX_ENTRIES = 10000, OUTLINE_MAX_DEPTH = 16 };

typedef struct {
	char *title;
	char *key; /* what is compared: see outline_key() */
	int page; /* from 1; entries without a page of their own have that of the one before */
	unsigned level; /* from 1 */
	bool seen; /* sent */
} OutlineEntry;

typedef struct {
	GArray *entries; /* OutlineEntry, by page */
	guint next; /* first entry that is not behind the current page */
} Outline;

Outline *outline_read(PopplerDocument *document);
void outline_free(Outline *outline);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Outline, outline_free)

/* Letters and digits alone, case folded, a number in front left out: "2.1  Results" and "RESULTS"
 * are equal. Yours. */
char *outline_key(const char *text, size_t length);

/* The entries of one page are the ones from the result to *end_r. Pages must be asked for in
 * ascending order. */
guint outline_page(Outline *outline, int page, guint *end_r);
OutlineEntry *outline_entry(Outline *outline, guint index);
