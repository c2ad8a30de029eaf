/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fts-sweep.h - drops deleted documents from an FTS5 table in one pass over its segments
 *
 * FTS5 removes a document by a delete marker for each of its terms, which must be known, and by
 * merging segments. Here, each segment is read page by page, and written again without the postings
 * of deleted documents. A slice moves the next terms of a segment from it to a new one beside it;
 * both are valid in between, as in the incremental merges of FTS5, so every slice may be committed,
 * and a crash loses nothing. The cost is that of reading and writing the index once, however many
 * documents are deleted.
 *
 * The caller has an open transaction and nothing pending in the table; after the commit, and before
 * it uses the table again, it makes the connection forget what FTS5 knows of it (PRAGMA
 * writable_schema = RESET). Works for the format that fts-page.h describes. */
#pragma once
#include <glib.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

/* A set of deleted documents whose postings are still in the table. */
typedef struct FtsTombstones FtsTombstones;
enum { FTS_TOMBSTONES_MAX = INT32_MAX }; /* the greatest document that it can hold */
FtsTombstones *fts_tombstones_new(void);
void fts_tombstones_free(FtsTombstones *tombstones);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FtsTombstones, fts_tombstones_free)
/* document: from 1 to FTS_TOMBSTONES_MAX; others are ignored. */
void fts_tombstones_add(FtsTombstones *tombstones, int64_t document);
bool fts_tombstones_has(const FtsTombstones *tombstones, int64_t document);
/* Returns the first one above after; 0: there is none. */
int64_t fts_tombstones_next(const FtsTombstones *tombstones, int64_t after);

typedef enum {
	FTS_SWEEP_MORE,
	FTS_SWEEP_DONE, /* no segment has a posting of a deleted document */
	FTS_SWEEP_OTHER_FORMAT, /* the table is not of the known format; nothing was changed */
	FTS_SWEEP_DAMAGED, /* a page is damaged: roll back */
	FTS_SWEEP_FAILED, /* SQLite failed, sqlite3_errmsg() tells why: roll back */
} FtsSweepResult;

typedef struct FtsSweep FtsSweep;
/* table and tombstones must live as long as the sweep. */
FtsSweep *fts_sweep_new(sqlite3 *db, const char *table, const FtsTombstones *tombstones);
void fts_sweep_free(FtsSweep *sweep); /* NULL is allowed */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FtsSweep, fts_sweep_free)
/* Reads and writes some .5 MB, and the rest of the posting list that it has begun, which is not
 * split: more for a very common term. Segments that FTS5 has merged since the last slice are swept
 * anew. After an error or a rollback the sweep can only be freed. */
FtsSweepResult fts_sweep_step(FtsSweep *sweep);

/* Reads how many tokens each of the columns of a row has, as FTS5 counts them for its ranks. False:
 * it is unknown, and tokens is unchanged. */
bool fts_size_of_row(
        sqlite3 *db, const char *table, int64_t row, unsigned columns, uint32_t *tokens);

/* Removes the rows of deleted documents above after from the table's record of sizes, with their
 * part of the averages: at most max rows. *after receives the last one; *n_r: how many were
 * removed, 0: none is left. columns: of the table. */
FtsSweepResult fts_sweep_sizes(sqlite3 *db, const char *table, const FtsTombstones *tombstones,
        unsigned columns, unsigned max, int64_t *after, unsigned *n_r);
