/* SPDX-License-Identifier: GPL-3.0-or-later */
/* correct.h - corrects the spelling of a query that finds nothing or little
 *
 * Words that nothing has are replaced by words of the index; words that little has, only if much
 * more is found then, and if no text has them twice; other words, only if nothing has the words of
 * the query together, and a slip of the finger makes one that often stands beside its neighbour.
 * Candidates are other words by the likelihood
 * of the mistake (index/text/typo.h), a word split into two, and two words joined. Their rank is
 * that likelihood, the number of documents that have them, and the number of those that have the
 * other words of the query too. The words come from texts and names that the user may read now. */
#pragma once
#include "index/search/search.h"

typedef struct {
	/* Parses a corrected text as the typed one was parsed. NULL: it cannot be parsed. */
	Query *(*parse)(const char *text, void *data); /* asks for no file */
	void *data;
	const SearchOptions *options; /* of the search */
	uint64_t total; /* hits of the typed query */
	GPtrArray *others; /* of char *: receives the next best corrections; NULL: not wanted */
} CorrectionRequest;

/* A query with more hits than this is corrected only if a long word of it is in few documents, and
 * one edit makes another one that is in many. A correction is found in CORRECT_MAX_MS, all
 * of its searches included, or not at all. */
enum { CORRECT_FEW = 4, CORRECT_MAX_MS = 500 * QUERY_SLOWER, CORRECT_OTHERS = 2 };

/* *text_r: the corrected query, which the caller owns; it has been run, and finds more than the
 * typed one. NULL: there is none. query: has been run. False with error, also
 * if the time is over or a search was stopped; *text_r may be a correction that was found before
 * that. */
bool reader_correct(Reader *r, const Query *query, const CorrectionRequest *request, char **text_r,
        GError **error);
