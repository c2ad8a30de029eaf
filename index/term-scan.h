/* SPDX-License-Identifier: GPL-3.0-or-later */
/* term-scan.h - the vocabulary of a full-text table, and which documents hold a term
 *
 * fts5vocab counts the places of every term it lists and so reads the whole index byte by byte: a
 * second for 100 MB; to ask it for one term costs a megacycle for its statements alone. Here the pages are read
 * (index/fts-leaf.h), and only what is asked for is taken from them. A damaged page ends with INDEX_ERROR_DAMAGED.
 * All within reader_begin() and reader_end(), whose time limit holds. */
#pragma once
#include "index/reader-private.h"

typedef enum { TERMS_OF_TEXT, TERMS_OF_NAMES } TermTable;

/* Return false to stop the scan. */
typedef bool (*TermScanFunc)(void *data, const char *term);

/* Terms that begin with start. A term that several segments hold is given several times. */
bool term_scan(
        Reader *r, TermTable table, const char *start, TermScanFunc f, void *data, GError **error);

/* Sets held[i] if any document holds terms[i]; of those that are set nothing is asked. The n terms ascend (strcmp). */
bool terms_held(Reader *r, TermTable table, const char *const *terms, size_t n, bool *held,
        GError **error);

/* How many documents hold at least one of the n terms, which ascend (strcmp). Deleted ones count until they are purged. Counting
 * stops at most. */
bool terms_count_documents(Reader *r, TermTable table, const char *const *terms, size_t n,
        uint64_t most, uint64_t *count_r, GError **error);
