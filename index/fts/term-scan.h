/* SPDX-License-Identifier: GPL-3.0-or-later */
/* term-scan.h - the vocabulary of a full-text table and the posting lists of its terms
 *
 * If the version gate (fts-gate.h) allows it, the b-tree pages of FTS5 are read directly, and
 * only the needed parts are decoded. Otherwise the same answers come from MATCH and fts5vocab,
 * which decode every position and take ten times as long for a list of terms. Callers see no
 * difference. All functions must be called between reader_begin() and reader_end(); the time limit
 * applies to them. A damaged page is INDEX_ERROR_DAMAGED. */
#pragma once
#include "index/read/reader-private.h"

typedef enum { TERMS_OF_TEXT, TERMS_OF_NAMES, N_TERM_TABLES } TermTable;

/* Creates temp.text_terms and temp.name_terms (fts5vocab, 'row') and temp.text_instances and
 * temp.name_instances ('instance') for the connection, until the end of the transaction. */
bool term_scan_vocabularies(Reader *r, GError **error);

/* Return false to stop the scan. */
typedef bool (*TermScanFunc)(void *data, const char *term);

/* Calls f for the terms that begin with start. A term may come several times: once for each
 * segment. */
bool term_scan(
        Reader *r, TermTable table, const char *start, TermScanFunc f, void *data, GError **error);

typedef struct {
	int64_t document;
	bool deleted; /* the posting deletes the document from older segments */
	/* Occurrences by column. columns: how many of the N_COLUMNS elements can differ from 0. */
	const unsigned *counts;
	unsigned columns;
} TermPosting;
/* Return false to stop the scan. */
typedef bool (*TermPostingFunc)(void *data, const TermPosting *posting);

/* Calls f for the posting list of the term, or of each term with that prefix, one after the other.
 * Deleted documents are included until they are purged; then they may come without occurrences
 * until their segments are merged. */
bool term_scan_postings(Reader *r, TermTable table, const char *term, bool prefix,
        TermPostingFunc f, void *data, GError **error);

typedef struct {
	/* A term comes; its postings follow. Return false to leave them out. */
	bool (*term)(void *data, const char *term);
	/* As above; false leaves out the rest of the term. Postings come in ascending order from
	 * each segment, and from one segment after the other. */
	TermPostingFunc posting;
} TermWalkFuncs;

/* Walks over the terms of the table after `after` ("": all) in ascending order (strcmp), each
 * once. Stops at the end of a term when `pages` pages were read, or so many terms where pages are
 * not read directly; one term may have more. *last_r: the last term, owned by the caller; NULL:
 * there are no more terms. Deleted documents are included as above. */
bool terms_walk(Reader *r, TermTable table, const char *after, unsigned pages,
        const TermWalkFuncs *f, void *data, char **last_r, GError **error);

/* Calls f for the posting list of each of n terms, which must be in ascending order (strcmp); each
 * segment is passed through once. f goes on to the end. Deleted documents are included as above. */
bool terms_postings(Reader *r, TermTable table, const char *const *terms, size_t n,
        TermPostingFunc f, void *data, GError **error);

/* Calls f for the posting list of one term. counts may all be 0: positions need not be read.
 * Deleted documents are included as above. */
bool term_scan_documents(Reader *r, TermTable table, const char *term, TermPostingFunc f,
        void *data, GError **error);

/* Returns the number of pages with the terms that begin with start, and with their posting lists; 0
 * if it is unknown. */
uint64_t terms_pages(Reader *r, TermTable table, const char *start);

/* Counts the documents and tokens of the table. */
bool terms_totals(
        Reader *r, TermTable table, uint64_t *documents_r, uint64_t *tokens_r, GError **error);

/* Sets exists[i] if the table has terms[i]; elements that are already set are not looked up. The n
 * terms must be in ascending order (strcmp). */
bool terms_exist(Reader *r, TermTable table, const char *const *terms, size_t n, bool *exists,
        GError **error);

/* Counts the documents that have at least one of the n terms, which must be in ascending order
 * (strcmp). Deleted documents count until they are purged and their segments merged. Counting stops
 * at most. */
bool terms_count_documents(Reader *r, TermTable table, const char *const *terms, size_t n,
        uint64_t most, uint64_t *count_r, GError **error);
