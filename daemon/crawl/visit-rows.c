/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/crawl/visit-rows.h"

typedef struct {
	const char *name; /* in the chunk */
	bool seen;
	Entry entry;
} VisitRow;

struct VisitRows {
	uint64_t version; /* of the writer when they were read */
	bool too_many;
	GArray *rows; /* of VisitRow */
	GStringChunk *names;
	GHashTable *of_name; /* name -> its index in rows */
};

static void visit_rows_add(const char *name, const Entry *entry, void *data)
{
	VisitRows *rows = data;
	VisitRow row = {g_string_chunk_insert(rows->names, name), false, *entry};
	g_hash_table_insert(rows->of_name, (gpointer)row.name, GUINT_TO_POINTER(rows->rows->len));
	g_array_append_val(rows->rows, row);
}

VisitRows *visit_rows_load(Writer *writer, int64_t node, GError **error)
{
	enum { NAME_BYTES = 2048 };
	VisitRows *rows = g_new(VisitRows, 1);
	*rows = (VisitRows){writer_version(writer), false,
	        g_array_new(FALSE, FALSE, sizeof(VisitRow)), g_string_chunk_new(NAME_BYTES),
	        g_hash_table_new(g_str_hash, g_str_equal)};
	if (!writer_some_children(writer, node, VISIT_ROWS_MOST + 1, visit_rows_add, rows, error)) {
		visit_rows_free(rows);
		return NULL;
	}
	rows->too_many = rows->rows->len > VISIT_ROWS_MOST;
	return rows;
}

void visit_rows_free(VisitRows *rows)
{
	if (!rows)
		return;
	g_hash_table_unref(rows->of_name);
	g_string_chunk_free(rows->names);
	g_array_unref(rows->rows);
	g_free(rows);
}

bool visit_rows_are_true(const VisitRows *rows, const Writer *writer)
{
	return !rows->too_many && rows->version == writer_version(writer);
}

const Entry *visit_rows_see(VisitRows *rows, const char *name)
{
	gpointer at;
	if (!g_hash_table_lookup_extended(rows->of_name, name, NULL, &at))
		return NULL;
	VisitRow *row = &g_array_index(rows->rows, VisitRow, GPOINTER_TO_UINT(at));
	row->seen = true;
	return &row->entry;
}

void visit_rows_add_unseen(const VisitRows *rows, GPtrArray *names)
{
	for (guint i = 0; i < rows->rows->len; i++) {
		const VisitRow *row = &g_array_index(rows->rows, VisitRow, i);
		if (!row->seen)
			g_ptr_array_add(names, g_strdup(row->name));
	}
}
