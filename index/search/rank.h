/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rank.h - how well a document answers a query: an auxiliary function of FTS5
 *
 * The score is BM25 (Robertson, Zaragoza: "The probabilistic relevance framework: BM25 and beyond",
 * 2009) over a term frequency that is a weighted sum over columns (BM25F with one length). The
 * length comes from the joined document row, so none of FTS5's own sizes is read. Four things are
 * added. A document that contains only some of the words of a short query is worth less. A document
 * where neighbours in the query are close is worth more. A document that begins with words of a
 * long query is worth more. A recent document is worth more. A word as it was typed counts more
 * than its other forms, because users who look for a known text remember its words. The function is
 * registered as tarsier_rank(text, words, date): the length of the document, and its own date in
 * seconds since 1970, 0 if it has none. */
#pragma once
#include <glib.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

enum { RANK_MAX_PHRASES = 256, RANK_MAX_COUNT = 20000 };

/* The facts about the running query that the function needs. */
typedef struct {
	/* one for each phrase of the FTS5 expression; 0: the phrase does not count */
	double weights[RANK_MAX_PHRASES];
	bool forms[RANK_MAX_PHRASES]; /* the phrase has other forms of the last word before it */
	bool open_ends[RANK_MAX_PHRASES]; /* the phrase is the beginning of the word before it,
	                                     which is still being typed: they are one word, so
	                                     they are not near each other */
	double mean_words; /* of a document; 0: the first call computes it, and now too */
	int64_t now; /* today, in seconds since 1970 */
	unsigned words; /* number of words of the query that count */
	bool apart; /* one word is scored, whose places count together with those of the others */
	/* depend on the number of words; the first call computes them */
	double form_share, neighbour_bonus, lead_bonus;
	/* If not 0, the phrases must follow each other in their order, with at most ordered - 1
	 * words between the first and the last; else the score is -1. 0: any order. */
	unsigned ordered;
	double step; /* is added to the score for each phrase that matches */
	double proximity; /* set for each row: the part of the score that comes from the places of
	                     the words: close to each other, and at the beginning */
} Rank;
/* A step that is larger than any score. */
#define RANK_STEP 1e6

/* Registers the function; rank must live as long as the connection. */
bool rank_register(sqlite3 *db, Rank *rank, GError **error);
/* Gives all phrases the same weight, for an unknown mean length. */
void rank_reset(Rank *rank, double weight);

/* Returns the score of a document for a query of one word whose weight is 1. columns[i] is the
 * frequency in each of the N_COLUMNS columns; typed: the document contains the word as it was
 * typed, not only other forms. Call rank_measure() before. */
double rank_single_term(
        const Rank *rank, const unsigned *columns, bool typed, double words, int64_t date);
/* Computes what the function otherwise computes at its first call, for an index with so many
 * documents and tokens. */
void rank_measure(Rank *rank, uint64_t documents, uint64_t tokens);

/* Returns the weight of a phrase that is in this number of documents. Counts above RANK_MAX_COUNT
 * need not be exact. */
double rank_weight(uint64_t documents, uint64_t all);
/* Returns the factor for a document whose phrases have the weight held, of the weight all of the
 * query. phrases: number of phrases in the query. */
double rank_coverage(double held, double all, unsigned phrases);
/* Returns the factor, at most 1, for a document without a date of its own, whose score is that of a
 * file of today. date: of its file, in seconds since 1970. */
double rank_file_recency(int64_t date);
/* The bonus for a name that contains the phrase, before it is multiplied by the weight. */
extern const double rank_name_bonus;
/* The same for a page whose URL is the term. */
extern const double rank_page_bonus;
/* The further bonus for a name that has no other word: users who type the whole name of a file want
 * that file before all documents that mention it. A name that only begins with the words has a
 * share of it (search_whole_name()). */
extern const double rank_whole_name_bonus;
/* The same for a word that the name of a directory above has, and for a name with no other word
 * whose directories have the rest of the query. */
extern const double rank_path_bonus, rank_whole_path_bonus;
