/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fts-private.h - what the files of index/fts share: the two ways to read posting lists
 *
 * postings-page.c reads pages, postings-match.c asks MATCH and fts5vocab. The functions do the same
 * as those of term-scan.h. */
#pragma once
#include "index/fts/fts-page.h"
#include "index/fts/term-scan.h"
#include "index/text/columns.h"

/* Is the gate open for this table? -1: error. */
int fts_gate_is_open(Reader *r, TermTable table, GError **error);

bool pages_scan(
        Reader *r, TermTable table, const char *start, TermScanFunc f, void *data, GError **error);
/* *pages_left counts down; reading stops when it is 0. NULL: no limit. */
bool pages_postings(Reader *r, TermTable table, const char *term, bool prefix, unsigned *pages_left,
        TermPostingFunc f, void *data, GError **error);
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
bool match_exist(Reader *r, TermTable table, const char *const *terms, size_t n, bool *exists,
        GError **error);
bool match_totals(
        Reader *r, TermTable table, uint64_t *documents_r, uint64_t *tokens_r, GError **error);
/* Registers the auxiliary functions that the statements of postings-match.c call; once for a
 * connection. */
bool match_register(Reader *r, GError **error);
