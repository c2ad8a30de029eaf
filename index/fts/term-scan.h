/* SPDX-License-Identifier: GPL-3.0-or-later */
/* term-scan.h - the vocabulary of a full-text table and the posting lists of its terms
 *
 * If the gate (index/fts/fts-gate.h) allows it, the b-tree pages of FTS5 are read directly, and
 * only the parts that are asked for are decoded. Otherwise the same answers come from MATCH and
 * fts5vocab, which decode every position: ten times as long for a list of terms. Callers cannot
 * tell. All calls are made between reader_begin() and reader_end(), whose time limit holds. A
 * damaged page is INDEX_ERROR_DAMAGED. */
#pragma once
#include "index/read/reader-private.h"

typedef enum { TERMS_OF_TEXT, TERMS_OF_NAMES, N_TERM_TABLES } TermTable;

/* Makes temp.text_terms and temp.name_terms (fts5vocab, 'row') and temp.text_instances and
 * temp.name_instances ('instance') known to the connection, until the end of the transaction. */
bool term_scan_vocabularies(Reader *r, GError **error);

/* Return false to stop the scan. */
typedef bool (*TermScanFunc)(void *data, const char *term);

/* Terms that begin with start. A term may be given several times: once for each segment. */
bool term_scan(
        Reader *r, TermTable table, const char *start, TermScanFunc f, void *data, GError **error);

typedef struct {
	int64_t document;
	bool deleted; /* the posting takes back what older segments say of the document */
	/* Occurrences by column, and how many of the N_COLUMNS elements can differ from 0. */
	const unsigned *counts;
	unsigned columns;
} TermPosting;
/* Return false to stop the scan. */
typedef bool (*TermPostingFunc)(void *data, const TermPosting *posting);

/* The posting list of the term, or of each term with that prefix, one after the other. Deleted
 * documents are included until they are purged; then they may be given without occurrences until
 * their segments are merged. */
bool term_scan_postings(Reader *r, TermTable table, const char *term, bool prefix,
        TermPostingFunc f, void *data, GError **error);

/* Number of pages over which the terms that begin with start, and their posting lists, are spread;
 * 0 if it cannot be told. */
uint64_t terms_pages(Reader *r, TermTable table, const char *start);

/* How many documents and tokens the table holds. */
bool terms_totals(
        Reader *r, TermTable table, uint64_t *documents_r, uint64_t *tokens_r, GError **error);

/* Sets exists[i] if the table holds terms[i]; does not look up those already set. The n terms
 * ascend (strcmp). */
bool terms_exist(Reader *r, TermTable table, const char *const *terms, size_t n, bool *exists,
        GError **error);

/* How many documents hold at least one of the n terms, which ascend (strcmp). Deleted documents
 * count until they are purged and their segments merged. Counting stops at most. */
bool terms_count_documents(Reader *r, TermTable table, const char *const *terms, size_t n,
        uint64_t most, uint64_t *count_r, GError **error);
