/* SPDX-License-Identifier: GPL-3.0-or-later */
/* snippet-match.h - finds the words of a query in a document */
#pragma once
#include "common/base/document.h"
#include "index/query/query.h"

/* The most matches in a text, of a query with several term nodes and with one: among many matches
 * of one word, none is better than another, but a frequent word must not hide the rare ones after
 * it. */
enum { MATCHES_MAX = 1 << 16, MATCHES_MAX_SINGLE = 4096 };

typedef struct {
	uint32_t start, end; /* bytes of the text */
	uint16_t term; /* index of the term node in the query */
	uint16_t words; /* number of words of that term node */
	uint8_t tag; /* DocTag of the run */
} WordMatch;

/* A prepared query: its words and phrases that are not excluded, with the forms that count in
 * documents of the language. The language may be NULL. */
typedef struct WordFinder WordFinder;
WordFinder *word_finder_new(const Query *query, const char *language);
void word_finder_free(WordFinder *finder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WordFinder, word_finder_free)
unsigned word_finder_term_nodes(const WordFinder *finder);

/* Returns the matches in the running text in the order of their ends, as a GArray of WordMatch that
 * the caller owns. It stops after MATCHES_MAX or MATCHES_MAX_SINGLE matches. A phrase can continue
 * over blocks, as in the index. */
GArray *word_finder_text(const WordFinder *finder, const Document *doc);
/* Returns the matches in one value of a field. */
GArray *word_finder_field(const WordFinder *finder, DocField field, const char *value);
/* Sorts matches by their starts, equal ones by their ends. */
void word_matches_sort(GArray *matches);
