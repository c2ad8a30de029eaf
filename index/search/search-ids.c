/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search-ids.c - sorted lists of nodes and documents */
#include <config.h>
#include "index/search/search-private.h"
#include "common/base/compare.h"

guint search_position(const GArray *ascending, int64_t id)
{
	guint low = 0, high = ascending->len;
	const int64_t *ids = (const int64_t *)(void *)ascending->data;
	if (high == 0 || id > ids[high - 1])
		return ascending->len;
	while (low < high) {
		guint middle = low + (high - low) / 2;
		if (ids[middle] == id)
			return middle;
		if (ids[middle] < id)
			low = middle + 1;
		else
			high = middle;
	}
	return ascending->len;
}

bool search_contains(const GArray *ascending, int64_t id)
{
	return search_position(ascending, id) < ascending->len;
}

void search_sort_ids(GArray *ids)
{
	g_array_sort(ids, compare_int64);
	int64_t *data = (int64_t *)(void *)ids->data;
	guint kept = 0;
	for (guint i = 0; i < ids->len; i++)
		if (kept == 0 || data[kept - 1] != data[i])
			data[kept++] = data[i];
	g_array_set_size(ids, kept);
}

bool search_append_rows(const Search *s, sqlite3_stmt *statement, GArray *ids, GError **error)
{
	int row;
	while ((row = reader_step(s->r, statement, error)) > 0) {
		int64_t id = sqlite3_column_int64(statement, 0);
		g_array_append_val(ids, id);
	}
	return row == 0;
}

bool search_append_ids(
        const Search *s, const char *sql, const GArray *from, GArray *ids, GError **error)
{
	sqlite3_stmt *statement = reader_statement(s->r, sql, error);
	s->state->asked = from;
	bool ok = statement && search_append_rows(s, statement, ids, error);
	s->state->asked = NULL;
	search_sort_ids(ids);
	return ok;
}

int64_t search_group(int64_t document, int64_t size, int64_t inode)
{
	return document != 0 && size > 0 ? document : -inode;
}
