/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fts-private.h - what the files of index/fts share: the two ways to read posting lists
 *
 * postings-page.c reads pages, postings-match.c asks MATCH and fts5vocab. The functions do the same
 * as those of term-scan.h. */
#pragma once
#include "index/fts/fts-page.h"
#include "index/fts/term-scan.h"
#include "index/text/columns.h"

/* Is the version gate open for this table? -1: error. */
int fts_gate_is_open(Reader *r, TermTable table, GError **error);

bool pages_scan(
        Reader *r, TermTable table, const char *start, TermScanFunc f, void *data, GError **error);
/* *pages_left counts down; reading stops when it is 0. NULL: no limit. */
bool pages_postings(Reader *r, TermTable table, const char *term, bool prefix, unsigned *pages_left,
        TermPostingFunc f, void *data, GError **error);
bool pages_walk(Reader *r, TermTable table, const char *after, unsigned pages,
        const TermWalkFuncs *f, void *data, char **last_r, GError **error);
uint64_t pages_count(Reader *r, TermTable table, const char *start);
bool pages_exist(Reader *r, TermTable table, const char *const *terms, size_t n, bool *exists,
        GError **error);
/* counted: occurrences are counted too. */
bool pages_add_documents(Reader *r, TermTable table, const char *const *terms, size_t n,
        bool counted, TermPostingFunc f, void *data, GError **error);
/* Opens the page of one segment on which the term can begin: 1, 0 if there is none, -1 error. */
int pages_sample(Reader *r, TermTable table, const char *term, FtsPage *page, GBytes **bytes_r,
        GError **error);

bool match_scan(
        Reader *r, TermTable table, const char *start, TermScanFunc f, void *data, GError **error);
bool match_postings(Reader *r, TermTable table, const char *term, bool prefix, TermPostingFunc f,
        void *data, GError **error);
bool match_walk(Reader *r, TermTable table, const char *after, unsigned terms,
        const TermWalkFuncs *f, void *data, char **last_r, GError **error);
bool match_exist(Reader *r, TermTable table, const char *const *terms, size_t n, bool *exists,
        GError **error);
bool match_totals(
        Reader *r, TermTable table, uint64_t *documents_r, uint64_t *tokens_r, GError **error);
/* Registers the auxiliary functions that the statements of postings-match.c call; once for a
 * connection. */
bool match_register(Reader *r, GError **error);

/* ---- postings-page.c */

/* An open page of a table. */
typedef struct {
	Reader *r;
	TermTable table;
	int64_t id; /* of the page that is open; 0: none */
	FtsPage page;
	GByteArray *copy; /* holds the bytes of the page, which otherwise are SQLite's and live
	                     until the next page of the table is opened; NULL: they are */
} PageLookup;
/* Freed by g_free(). */
PageLookup *pages_lookup_new(Reader *r, TermTable table);
/* Returns the numbers of the segments (int64_t). The caller owns the list. NULL with error. */
GArray *pages_segments(const PageLookup *lookup, GError **error);
/* Returns the only page of a segment on which the term can begin; 0: there is none; -1: error. */
int64_t pages_lookup_id(
        const PageLookup *lookup, int64_t segment, const char *term, GError **error);
/* Opens a page: 1, 0 if there is no such page, -1 error. */
int pages_lookup_page(PageLookup *lookup, int64_t id, GError **error);

typedef struct {
	PageLookup *lookup; /* for the pages after the one with the term */
	const char *term;
	bool prefix, stopped;
	bool counted; /* position lists are decoded */
	unsigned *pages_left; /* NULL: no limit */
	TermPostingFunc f;
	void *data;
	TermPosting posting; /* the last posting */
	unsigned counts[N_COLUMNS];
	FtsPositions positions;
	uint64_t left; /* bytes of its position list that are still to come */
} PagePostings;
/* Reads the posting list of the term that was read last from the open page. Then the page is open
 * on which the next term begins. */
bool pages_read_list(PagePostings *postings, GError **error);

/* Reports damage. Returns false. */
bool pages_fail_damaged(GError **error);
