/* SPDX-License-Identifier: GPL-3.0-or-later */
/* term-scan.h - the vocabulary of a full-text table, without what stands behind each term
 *
 * fts5vocab counts the places of every term it lists and so reads the whole index byte by byte: a
 * second for 100 MB. Here the pages are read and only the terms are taken from them, by the format
 * that SQLite has kept since FTS5 was published ("FTS5 Data Structures" in sqlite.org/fts5.html,
 * version 4). A term that several segments hold is given several times. Nothing that a page says is
 * trusted: what leads out of it ends with an error. */
#pragma once
#include "index/reader-private.h"

typedef enum { TERMS_OF_TEXT, TERMS_OF_NAMES } TermTable;

/* Return false to stop the scan. */
typedef bool (*TermScanFunc)(void *data, const char *term);

/* Terms that begin with start. Within reader_begin() and reader_end(), whose time limit holds. */
bool term_scan(
        Reader *r, TermTable table, const char *start, TermScanFunc f, void *data, GError **error);
