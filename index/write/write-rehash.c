/* SPDX-License-Identifier: GPL-3.0-or-later */
/* write-rehash.c - the writer's contents whose checksum is unknown (index/store/db-key.h) */
#include <config.h>
#include "index/store/db-key.h"
#include "index/write/writer-private.h"
#include <string.h>

static char *rehash_mark(const char *prefix, int64_t content)
{
	return g_strdup_printf("%s%" G_GINT64_FORMAT, prefix, content);
}

int writer_next_rehash(Writer *w, int64_t after, int64_t *content_r, GError **error)
{
	static const char end[] = "rehash;"; /* the first value behind all marks */
	g_autofree char *mark = after ? rehash_mark(DB_KEY_REHASH, after) : g_strdup(DB_KEY_REHASH);
	if (!statement_int(w, CONTENT_REHASH_NEXT,
	            VALUES(BLOB(mark, strlen(mark)), BLOB(end, strlen(end))), 0, content_r, error))
		return -1;
	return *content_r != 0;
}

int writer_next_of_content(Writer *w, int64_t content, int64_t after, Entry *out, GError **error)
{
	sqlite3_stmt *row;
	int found = statement_row(
	        w, INODE_OF_CONTENT_NEXT, VALUES(INT(content), INT(after)), &row, error);
	if (found > 0) {
		entry_from_row(row, out);
		sqlite3_reset(row);
	}
	return found;
}

/* Moves the files to the content that has their checksum. tries < 0: that one is to be converted
 * again, so they are read again and linked to its successor. */
static bool rehash_merge(Writer *w, int64_t content, int64_t other, int64_t tries, GError **error)
{
	if (tries < 0 && !statement_run(w, INODE_OF_CONTENT_PENDING, VALUES(INT(content)), error))
		return false;
	return statement_run(w, INODE_MOVE_CONTENT, VALUES(INT(content), INT(other)), error) &&
	       content_release(w, content, error);
}

bool writer_set_checksum(
        Writer *w, int64_t content, const uint8_t checksum[CHECKSUM_BYTES], GError **error)
{
	const Value blob = BLOB(checksum, CHECKSUM_BYTES);
	sqlite3_stmt *row;
	int found = statement_row(w, CONTENT_BY_CHECKSUM, VALUES(blob), &row, error);
	if (found < 0)
		return false;
	if (found == 0)
		return writer_change(w, error) &&
		       statement_run(w, CONTENT_SET_CHECKSUM, VALUES(INT(content), blob), error);
	int64_t other = sqlite3_column_int64(row, 0), tries = sqlite3_column_int64(row, 2);
	bool unfinished = sqlite3_column_int(row, 1) == 3;
	sqlite3_reset(row);
	return unfinished ||
	       (writer_change(w, error) && rehash_merge(w, content, other, tries, error));
}

bool writer_separate(Writer *w, int64_t content, GError **error)
{
	g_autofree char *mark = rehash_mark(DB_KEY_SEPARATE, content);
	return writer_change(w, error) &&
	       statement_run(w, CONTENT_SET_CHECKSUM,
	               VALUES(INT(content), BLOB(mark, strlen(mark))), error) &&
	       statement_run(w, INODE_OF_CONTENT_PENDING, VALUES(INT(content)), error);
}

bool writer_rehash_shared(Writer *w, unsigned *n_r, GError **error)
{
	if (!writer_change(w, error) || !statement_run(w, CONTENT_REHASH_SHARED, NULL, 0, error))
		return false;
	*n_r = sqlite3_changes(w->db);
	return true;
}
