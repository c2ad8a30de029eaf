/* SPDX-License-Identifier: GPL-3.0-or-later */
/* write-rehash.c - the writer's contents whose checksum is unknown (index/store/db-key.h) */
#include <config.h>
#include "index/store/db-key.h"
#include "index/write/writer-private.h"
#include <string.h>

int writer_next_rehash(Writer *w, int64_t after, int64_t *content_r, GError **error)
{
	g_autofree char *mark = db_key_mark(DB_KEY_REHASH, after);
	if (!statement_int(
	            w, CONTENT_REHASH_NEXT, VALUES(BLOB(mark, strlen(mark))), 0, content_r, error))
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

/* Moves the files to the content that has their checksum. If that one is to be converted again,
 * they are read again and linked to its successor. */
static bool rehash_merge(Writer *w, int64_t content, const KnownContent *other, GError **error)
{
	w->recount |= other->outdated;
	changes_note_content(w, content);
	changes_note_content(w, other->content);
	if (other->outdated &&
	        !statement_run(w, INODE_OF_CONTENT_PENDING, VALUES(INT(content)), error))
		return false;
	return statement_run(
	               w, INODE_MOVE_CONTENT, VALUES(INT(content), INT(other->content)), error) &&
	       content_release(w, content, error);
}

bool writer_set_checksum(Writer *w, int64_t content, const uint8_t checksum[CHECKSUM_BYTES],
        bool *pending_r, GError **error)
{
	KnownContent other;
	int found = content_find_known(w, checksum, &other, error);
	*pending_r = false;
	if (found < 0 || (found > 0 && other.unfinished))
		return found > 0;
	if (!writer_change(w, error))
		return false;
	*pending_r = found && other.outdated;
	return found ? rehash_merge(w, content, &other, error)
	             : statement_run(w, CONTENT_SET_CHECKSUM,
	                       VALUES(INT(content), BLOB(checksum, CHECKSUM_BYTES)), error);
}

bool writer_separate(Writer *w, int64_t content, GError **error)
{
	w->recount = true;
	changes_note_content(w, content);
	return writer_change(w, error) && content_set_mark(w, content, DB_KEY_SEPARATE, error) &&
	       statement_run(w, INODE_OF_CONTENT_PENDING, VALUES(INT(content)), error);
}

bool writer_rehash_shared(Writer *w, unsigned *n_r, GError **error)
{
	if (!writer_change(w, error) || !statement_run(w, CONTENT_REHASH_SHARED, NULL, 0, error))
		return false;
	*n_r = sqlite3_changes(w->db);
	return true;
}
