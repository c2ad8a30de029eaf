/* SPDX-License-Identifier: GPL-3.0-or-later */
/* write-digest.c - the writer's digests of the entries of directories */
#include <config.h>
#include "index/write/writer-private.h"

bool digests_open(Writer *w, GError **error)
{
	int64_t any;
	if (!statement_int(w, DIGEST_ANY, NULL, 0, 0, &any, error))
		return false;
	w->has_digests = any != 0;
	return true;
}

int writer_digest(Writer *w, int64_t directory, uint64_t *digest_r, GError **error)
{
	sqlite3_stmt *row;
	int64_t pending;
	if (!w->has_digests)
		return 0;
	if (!writer_total(w, TOTAL_PENDING, &pending, error))
		return -1;
	if (pending != 0)
		return 0;
	int found = statement_row(w, DIGEST_GET, VALUES(INT(directory)), &row, error);
	if (found > 0) {
		*digest_r = (uint64_t)sqlite3_column_int64(row, 0);
		sqlite3_reset(row);
	}
	return found;
}

bool writer_set_digest(Writer *w, int64_t directory, uint64_t digest, GError **error)
{
	w->has_digests = true;
	return writer_change(w, error) &&
	       statement_run(w, DIGEST_SET, VALUES(INT(directory), INT((int64_t)digest)), error);
}

bool digest_forget(Writer *w, int64_t directory, GError **error)
{
	return !w->has_digests || statement_run(w, DIGEST_DELETE, VALUES(INT(directory)), error);
}

bool digest_forget_node(Writer *w, int64_t node, GError **error)
{
	return !w->has_digests || statement_run(w, DIGEST_DELETE_OF_NODE, VALUES(INT(node)), error);
}

bool digest_forget_inode(Writer *w, int64_t inode, GError **error)
{
	return !w->has_digests ||
	       statement_run(w, DIGEST_DELETE_OF_INODE, VALUES(INT(inode)), error);
}
