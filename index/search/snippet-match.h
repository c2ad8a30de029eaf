/* SPDX-License-Identifier: GPL-3.0-or-later */
/* snippet-match.h - where the words of a query stand in a document */
#pragma once
#include "common/base/document.h"
#include "index/query/query.h"

enum { MATCHES_MAX = 4096 };

typedef struct {
	uint32_t start, end; /* bytes of the text */
	uint16_t term; /* term node of the query, in its order */
	uint16_t words; /* of that term node */
	uint8_t tag; /* DocTag of the run */
} WordMatch;

/* A query made ready: its words and phrases that are not excluded, with the forms that count in
 * documents of a language, which may be NULL. */
typedef struct WordFinder WordFinder;
WordFinder *word_finder_new(const Query *query, const char *language);
void word_finder_free(WordFinder *finder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WordFinder, word_finder_free)
unsigned word_finder_leaves(const WordFinder *finder);

/* Matches in the running text, in the order of their ends; at most MATCHES_MAX, after which the
 * text is read no further. Phrases run on over blocks as they do in the index. GArray of WordMatch,
 * yours. */
GArray *word_finder_text(const WordFinder *finder, const Document *doc);
/* Matches in one value of a field. */
GArray *word_finder_field(const WordFinder *finder, DocField field, const char *value);
