/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/crawl/visit-rows.h"
#include "daemon/crawl/digest.h"
#include <string.h>

typedef struct {
	const char *name; /* in the chunk */
	bool seen;
	Entry entry;
} VisitRow;

struct VisitRows {
	uint64_t version; /* of the writer when they were read */
	bool too_many;
	GArray *rows; /* of VisitRow, in the order of names (strcmp), which is that of the index */
	guint next; /* the row after the one that was seen last */
	GStringChunk *names;
};

static void visit_rows_add(const char *name, const Entry *entry, void *data)
{
	VisitRows *rows = data;
	VisitRow row = {g_string_chunk_insert(rows->names, name), false, *entry};
	g_array_append_val(rows->rows, row);
}

VisitRows *visit_rows_load(Writer *writer, int64_t node, GError **error)
{
	enum { NAME_BYTES = 2048, ROWS = 32 }; /* at first */
	VisitRows *rows = g_new(VisitRows, 1);
	*rows = (VisitRows){writer_version(writer), false,
	        g_array_sized_new(FALSE, FALSE, sizeof(VisitRow), ROWS), 0,
	        g_string_chunk_new(NAME_BYTES)};
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
	g_string_chunk_free(rows->names);
	g_array_unref(rows->rows);
	g_free(rows);
}

bool visit_rows_are_true(const VisitRows *rows, const Writer *writer)
{
	return !rows->too_many && rows->version == writer_version(writer);
}

static gint visit_rows_compare(gconstpointer one, gconstpointer other)
{
	return strcmp(((const VisitRow *)one)->name, ((const VisitRow *)other)->name);
}

/* Names mostly come in the order of the rows. */
static bool visit_rows_find(const VisitRows *rows, const char *name, guint *at_r)
{
	const VisitRow wanted = {.name = name};
	*at_r = rows->next;
	return (rows->next < rows->rows->len &&
	               strcmp(g_array_index(rows->rows, VisitRow, rows->next).name, name) == 0) ||
	       g_array_binary_search(rows->rows, &wanted, visit_rows_compare, at_r);
}

const Entry *visit_rows_see(VisitRows *rows, const char *name)
{
	guint at;
	if (!visit_rows_find(rows, name, &at))
		return NULL;
	VisitRow *row = &g_array_index(rows->rows, VisitRow, at);
	row->seen = true;
	rows->next = at + 1;
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

bool visit_rows_digest(const VisitRows *rows, uint64_t key, uint64_t *digest_r)
{
	*digest_r = 0;
	for (guint i = 0; i < rows->rows->len; i++) {
		const VisitRow *row = &g_array_index(rows->rows, VisitRow, i);
		if (!row->seen)
			return false;
		*digest_r += digest_of_entry(key, row->name, &row->entry.stat);
	}
	return rows->rows->len > 0 && rows->rows->len <= DIGEST_MOST_ENTRIES;
}
