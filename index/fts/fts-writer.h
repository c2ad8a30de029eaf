/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fts-writer.h - writes leaf pages of a segment of an FTS5 table, as FTS5 does
 *
 * Terms come in ascending order (memcmp, with their index byte), the documents of a term too. A
 * term without postings is not written. The rows of the table's _data and _idx are written at
 * once; those that tell of long posting lists (the doclist index) are left out, which FTS5 allows:
 * it then reads such lists from their start. The caller has the transaction, has the table's shadow
 * tables unlocked (SQLITE_DBCONFIG_DEFENSIVE), and changes the structure record. */
#pragma once
#include <glib.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

/* A statement in which "%s" stands for the table. The caller finalizes it; NULL: SQLite failed. */
sqlite3_stmt *fts_prepare(sqlite3 *db, const char *format, const char *table);

typedef struct FtsWriter FtsWriter;

/* table: "text"; must live as long as the writer. page: the first page to write; a segment begins
 * with page 1. page_bytes: the table's setting "pgsz". */
FtsWriter *fts_writer_new(
        sqlite3 *db, const char *table, uint32_t segment, uint32_t page, size_t page_bytes);
void fts_writer_free(FtsWriter *writer); /* NULL is allowed; what was not flushed is lost */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FtsWriter, fts_writer_free)

/* The term of the postings that follow. */
void fts_writer_term(FtsWriter *writer, const char *term, size_t length);
/* A posting with the size of its whole position list in bytes. False: SQLite failed. */
bool fts_writer_posting(FtsWriter *writer, int64_t document, bool deleted, uint64_t size);
/* The next piece of the position list; pieces may end anywhere. */
bool fts_writer_positions(FtsWriter *writer, const uint8_t *bytes, size_t length);
/* Writes the page that has begun; the next term begins a new one. */
bool fts_writer_flush(FtsWriter *writer);
/* The last page that was written; 0: none. */
uint32_t fts_writer_last_page(const FtsWriter *writer);
/* Pages that were written since the writer was made. */
uint32_t fts_writer_pages(const FtsWriter *writer);
