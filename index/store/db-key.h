/* SPDX-License-Identifier: GPL-3.0-or-later */
/* db-key.h - the secret of the index, from which its keyed checksums come
 *
 * It is the meta row 'checksum_key': CHECKSUM_SECRET_BYTES random bytes. A checksum that was made
 * without it, or with another one, would never be found again. So a content whose checksum is
 * unknown has a mark in its place, which has the content's id in 20 digits and is therefore always
 * longer than a checksum:
 *
 *	rehash:ID	the daemon reads the files of the content again to compute it
 *	separate:ID	its files differ; each is converted by itself
 *	old:ID		a successor is being written (index/write/write-content.c) */
#pragma once
#include "index/text/checksum.h"
#include <sqlite3.h>
#include <stdbool.h>

#define DB_KEY_REHASH "rehash:"
#define DB_KEY_SEPARATE "separate:"
#define DB_KEY_OLD "old:"
/* SQL: the mark of a row of content, and whether its checksum is a mark with this prefix that comes
 * after the blob `after`. The marks are in the order of the ids. */
#define DB_KEY_SQL_MARK(prefix) "CAST(printf('" prefix "%020d', id) AS BLOB)"
#define DB_KEY_SQL_MARKED(prefix, after)                                                           \
	"checksum > " after " AND checksum < CAST('" prefix "9' AS BLOB) AND "                     \
	"length(checksum) = 20 + length('" prefix "')"

/* Returns the mark of the content; the caller owns it. */
char *db_key_mark(const char *prefix, int64_t content);

/* Makes a secret if there is none, and marks all contents in the same transaction. db: a writer's
 * connection without an open transaction. */
bool db_key_ensure(sqlite3 *db, GError **error);
/* Derives the key for a use from the secret. INDEX_ERROR_OTHER: there is none, since no
 * writer has opened the index after its upgrade. */
bool db_key_read(sqlite3 *db, ChecksumUse use, ChecksumKey *key_r, GError **error);
