/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pdf-outline.h - the outline (bookmarks) of a PDF, which distinguishes headings from text
 *
 * If a title is found as a line of its page, that line is tagged as a heading, so the title counts
 * once. If it is not found, it is added at the beginning of its page. */
#pragma once
#include <glib.h>
#include <poppler.h>
#include <stdbool.h>

/* Limits of an outline; titles beyond them are not read. Titles are UTF-8. */
enum { OUTLINE_MAX_ENTRIES = 10000, OUTLINE_MAX_DEPTH = 16 };

typedef struct {
	char *title;
	char *key; /* normalised for comparison; see outline_key() */
	int page; /* from 1; an entry without a page gets that of the entry before */
	unsigned level; /* from 1 */
	bool seen; /* was sent */
	bool guessed; /* by its size: it is not a title unless it is a line of its page */
} OutlineEntry;

typedef struct {
	GArray *entries; /* OutlineEntry, ordered by page */
	guint next; /* first entry at or after the current page */
} Outline;

Outline *outline_read(PopplerDocument *document);
/* Adds the only entry of a document that has none. */
void outline_guess(Outline *outline, const char *title, int page);
void outline_free(Outline *outline);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Outline, outline_free)

/* Keeps only letters and digits, folds case and drops a leading number: "2.1  Results" and
 * "RESULTS" are equal. The caller frees it. */
char *outline_key(const char *text, size_t length);

/* Returns the first entry of a page; *end_r is the one after its last. Pages must be requested in
 * ascending order. */
guint outline_page(Outline *outline, int page, guint *end_r);
OutlineEntry *outline_entry(Outline *outline, guint index);
