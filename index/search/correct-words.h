/* SPDX-License-Identifier: GPL-3.0-or-later */
/* correct-words.h - the words of a query that may be misspelt, and what may stand in their place
 *
 * Private to the correction of queries (index/search/correct.h). All functions must be called
 * between reader_begin() and reader_end(). */
#pragma once
#include "index/query/query.h"
#include "index/read/reader-private.h"
#include "index/read/visible.h"

/* The documents that have a word, in their text or the name of their file, and the entries whose
 * name has it. */
typedef struct {
	GArray *documents, *entries; /* int64_t, ascending */
	bool cut; /* there are more */
} Occurrences;

void occurrences_clear(Occurrences *o);
/* The number of documents and entries; entries of these documents may count twice. */
unsigned occurrences_count(const Occurrences *o);
/* Keeps what is in other too. */
void occurrences_intersect(Occurrences *o, const Occurrences *other);
void occurrences_copy(Occurrences *o, const Occurrences *other);

/* A word of the query, in its order. */
typedef struct {
	const QueryNode *node;
	guint token;
	size_t begin, end; /* bytes in the text of the query; equal: it does not stand there */
	bool together; /* all such words must match */
	bool missing; /* no text and no name that the user may read has it or a form of it */
	Occurrences held; /* of a word that is together and not missing */
	unsigned typed; /* documents and names with the word itself, not another form of it, up to
	                   some; the corrector counts them */
} CorrectWord;

/* Returns the words that are not excluded; none if they are more than most. GArray of CorrectWord
 * that the caller owns; NULL with error. */
GArray *correct_words(Reader *r, Visible *visible, const Query *query, guint most, GError **error);
/* Is it a plain word, which may be replaced? Patterns, prefixes and fuzzy words are not. */
bool correct_is_plain(const CorrectWord *word);

/* Does the next word follow this one after blanks alone, in a query of plain words? */
bool correct_is_followed(const Query *query, const GArray *words, guint word);

/* Words that may replace words of the query. */
typedef struct {
	char *text; /* folded words, separated by blanks */
	guint first, n; /* the words that it replaces */
	unsigned cost; /* see index/text/typo.h */
	Occurrences held; /* of all its words, beside each other */
} Repair;

/* Appends the repairs of one word, of at most this cost, to a GArray of Repair that has
 * repair_clear() as its clear function: other words, and the word split into two; for one that is
 * missing also compounds that begin with it. */
bool repairs_of_word(Reader *r, const GArray *words, guint word, unsigned most_cost,
        GArray *repairs, GError **error);
/* Appends the repair that joins a word with the next, if there is one. */
bool repairs_join(Reader *r, const Query *query, const GArray *words, guint word, GArray *repairs,
        GError **error);
void repair_clear(void *repair);
/* Counts the texts and names that have the words beside each other, up to some hundred. */
bool occurrences_count_phrase(Reader *r, const char *words, unsigned *count_r, GError **error);
/* Spells the correct word like the typed one, of which folded is what the index has, unless it
 * would be read as an operator then. length: bytes of typed. The caller frees it. */
char *correct_spell(const char *typed, size_t length, const char *folded, const char *to);
