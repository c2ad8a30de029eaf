/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rank.h - how well a document answers: an auxiliary function of FTS5
 *
 * BM25 (Robertson, Zaragoza: "The probabilistic relevance framework: BM25 and beyond", 2009) over a
 * term frequency that is a weighted sum over columns (BM25F with one length). The length comes from
 * the joined document row, so none of FTS5's own sizes is read. Three things are added: a document
 * that holds only some of the words of a short query is worth less, one where words that follow
 * each other in the query stand close is worth more, and so is a young one. A word as it was typed
 * counts more than its other forms: who looks for a text they know remembers its words. Registered
 * as tarsier_rank(text, words, date): the length of the document and its own date in seconds since
 * 1970, 0 if it has none. */
#pragma once
#include <glib.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

enum { RANK_MAX_PHRASES = 256, RANK_MAX_COUNT = 20000 };

/* What the function needs to know of the query that runs. */
typedef struct {
	/* Of each phrase of the FTS5 expression; 0: does not count. */
	double weights[RANK_MAX_PHRASES];
	bool forms[RANK_MAX_PHRASES]; /* the phrase is other forms of the last word before it */
	double mean_words; /* of a document; 0: found at the first call, as is now */
	int64_t now; /* the day, in seconds since 1970 */
	unsigned words; /* of the whole query, that count */
	double k1, form_share; /* as fits so many words; found at the first call */
	/* The phrases must follow each other in their order with at most ordered - 1 words between
	 * the first and the last; else the score is -1. 0: any order. */
	unsigned ordered;
	double step; /* added to the score for each phrase that matches */
	double proximity; /* set for each row: what of its score comes from words that stand close
	                   */
} Rank;
/* A step that no score reaches. */
#define RANK_STEP 1e6

/* rank must live as long as the connection. */
bool rank_register(sqlite3 *db, Rank *rank, GError **error);
/* All weights alike, mean length unknown. */
void rank_reset(Rank *rank, double weight);

/* The score of a document that holds the only word of a query, whose weight is 1: in columns[i],
 * N_COLUMNS of them, it stands so often, typed: not only in other forms. rank_measure() was called.
 */
double rank_single_term(
        const Rank *rank, const unsigned *columns, bool typed, double words, int64_t date);
/* What the function finds at its first call: of an index of so many documents and tokens. */
void rank_measure(Rank *rank, uint64_t documents, uint64_t tokens);

/* Weight of a phrase that so many documents of all hold. Counts beyond RANK_MAX_COUNT need not be
 * exact. */
double rank_weight(uint64_t documents, uint64_t all);
/* Factor for a document that holds phrases of weight held out of all. phrases: how many there are.
 */
double rank_coverage(double held, double all, unsigned phrases);
/* What a name that holds the phrase adds, before the weight. */
extern const double rank_name_bonus;
/* And one that has no other word: whoever types the whole name of a file wants it before all that
 * speak of it. */
extern const double rank_whole_name_bonus;
