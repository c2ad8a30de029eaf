/* SPDX-License-Identifier: GPL-3.0-or-later */
/* term-scan.h - the vocabulary of a full-text table, and which documents hold a term
 *
 * fts5vocab counts the places of every term it lists and so reads the whole index byte by byte: a
 * second for 100 MB; to ask it for one term costs a megacycle for its statements alone. Here the
 * pages are read (index/fts/fts-page.h), and only what is asked for is taken from them. A damaged
 * page ends with INDEX_ERROR_DAMAGED. All within reader_begin() and reader_end(), whose time limit
 * holds. */
#pragma once
#include "index/read/reader-private.h"

typedef enum { TERMS_OF_TEXT, TERMS_OF_NAMES } TermTable;

/* Return false to stop the scan. */
typedef bool (*TermScanFunc)(void *data, const char *term);

/* Terms that begin with start. A term that several segments hold is given several times. */
bool term_scan(
        Reader *r, TermTable table, const char *start, TermScanFunc f, void *data, GError **error);

/* A document that holds a term, with the places as they are written (index/fts/fts-page.h), or more
 * of them. */
typedef void (*TermPositionsFunc)(
        void *data, int64_t document, bool more, const uint8_t *positions, size_t length);

/* Each document of the term, or of each term that begins so, one term after the other; deleted
 * ones, too, until they are purged, and then for a time with no places. */
bool term_scan_positions(Reader *r, TermTable table, const char *term, bool prefix,
        TermPositionsFunc f, void *data, GError **error);

/* Over how many pages terms that begin with start, and their documents, are spread; 0 if that
 * cannot be told. */
uint64_t terms_pages(Reader *r, TermTable table, const char *start);

/* How many documents and tokens the table holds. */
bool terms_totals(
        Reader *r, TermTable table, uint64_t *documents_r, uint64_t *tokens_r, GError **error);

/* Sets held[i] if any document holds terms[i]; of those that are set nothing is asked. The n terms
 * ascend (strcmp). */
bool terms_exist(
        Reader *r, TermTable table, const char *const *terms, size_t n, bool *held, GError **error);

/* How many documents hold at least one of the n terms, which ascend (strcmp). Deleted ones count
 * until they are purged. Counting stops at most. */
bool terms_count_documents(Reader *r, TermTable table, const char *const *terms, size_t n,
        uint64_t most, uint64_t *count_r, GError **error);
