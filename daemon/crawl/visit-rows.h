/* SPDX-License-Identifier: GPL-3.0-or-later */
/* visit-rows.h - the rows of a directory, read at once for its visit (part of crawl.h)
 *
 * One query for each entry costs more than all else that a visit of an unchanged directory does.
 * The rows are true as long as nothing is written (writer_version()): the first change in a visit,
 * or between two slices of it, makes them useless, and the visit asks the index for each further
 * entry. */
#pragma once
#include "index/write/writer.h"

/* Memory stays below a megabyte; of a larger directory nothing is read. */
enum { VISIT_ROWS_MOST = 4096 };

typedef struct VisitRows VisitRows;

/* Returns NULL with error if the index fails. The caller owns the result. */
VisitRows *visit_rows_load(Writer *writer, int64_t node, GError **error);
void visit_rows_free(VisitRows *rows);
/* False if the directory has too many rows, or something was written since. */
bool visit_rows_are_true(const VisitRows *rows, const Writer *writer);
/* The row of this name, which counts as seen from now on; NULL: there is none. Borrowed. To be
 * asked only while visit_rows_are_true(). */
const Entry *visit_rows_see(VisitRows *rows, const char *name);
/* The digest of all rows (digest.h). False if there is none, one was not seen, or there are too
 * many. */
bool visit_rows_digest(const VisitRows *rows, uint64_t key, uint64_t *digest_r);
/* Appends copies of the names that were not seen; names frees them. */
void visit_rows_add_unseen(const VisitRows *rows, GPtrArray *names);
