/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/read/reader-usage.h"
#include "index/read/reader-private.h"
#include "index/store/states.h"
#include <string.h>

enum { USAGE_LEVELS = 2048, USAGE_OUTSIDE = 0, USAGE_UNKNOWN = G_MAXUINT32 };

/* A directory of the index. top: the number of the entry that it lies in, from 1. */
typedef struct {
	int64_t node, parent;
	uint32_t top; /* USAGE_OUTSIDE, or USAGE_UNKNOWN until somebody asks */
} UsageDir;

/* A file below the directory that is asked for, or one that may be its copy. */
typedef struct {
	int64_t content;
	uint64_t bytes;
	uint32_t top;
} UsageFile;

typedef struct {
	Usage *usage;
	GHashTable *dirs; /* node -> UsageDir */
	GHashTable *types; /* MIME type -> UsageType, which are borrowed until the end */
	GArray *files; /* UsageFile */
} UsageScan;

static void usage_type_free(void *data)
{
	UsageType *type = data;
	g_free(type->mime);
	g_free(type);
}

static void usage_type_clear(void *data)
{
	g_free(((UsageType *)data)->mime);
}

void usage_free(Usage *usage)
{
	g_array_unref(usage->entries);
	g_array_unref(usage->types);
	g_free(usage);
}

/* ---- directories */

static void usage_add_dir(UsageScan *scan, int64_t node, int64_t parent, uint32_t top)
{
	UsageDir *dir = g_new(UsageDir, 1);
	*dir = (UsageDir){node, parent, top};
	g_hash_table_replace(scan->dirs, &dir->node, dir);
}

static bool usage_read_dirs(Reader *r, UsageScan *scan, GError **error)
{
	static const char sql[] = "SELECT n.id, n.parent FROM inode i CROSS JOIN node n "
	                          "ON n.inode = i.id WHERE i.kind = " SQL_ENTRY_DIR;
	sqlite3_stmt *statement = reader_statement(r, sql, error);
	int row = statement ? 1 : -1;
	while (row > 0 && (row = reader_step(r, statement, error)) > 0)
		usage_add_dir(scan, sqlite3_column_int64(statement, 0),
		        sqlite3_column_int64(statement, 1), USAGE_UNKNOWN);
	return row == 0;
}

/* The entries of the directory have numbers in the order of this statement. */
static bool usage_read_entries(Reader *r, UsageScan *scan, int64_t node, GError **error)
{
	static const char sql[] =
	        "SELECT n.id, i.kind FROM node n CROSS JOIN inode i "
	        "ON i.id = n.inode WHERE n.parent = ?1 AND i.state <> " SQL_INODE_ORPHAN;
	sqlite3_stmt *statement = reader_statement(r, sql, error);
	int row = statement ? 1 : -1;
	if (statement)
		sqlite3_bind_int64(statement, 1, node);
	while (row > 0 && (row = reader_step(r, statement, error)) > 0) {
		UsageEntry entry = {.node = sqlite3_column_int64(statement, 0),
		        .directory = sqlite3_column_int64(statement, 1) == ENTRY_DIR};
		g_array_append_val(scan->usage->entries, entry);
		usage_add_dir(scan, entry.node, node, scan->usage->entries->len);
	}
	return row == 0;
}

/* In which entry a directory lies. A circle of parents, which only a damaged index has, lies in
 * none. */
static uint32_t usage_top(const UsageScan *scan, int64_t node)
{
	UsageDir *way[USAGE_LEVELS];
	unsigned levels = 0;
	uint32_t top = USAGE_OUTSIDE;
	for (UsageDir *dir; levels < USAGE_LEVELS; node = dir->parent) {
		dir = g_hash_table_lookup(scan->dirs, &node);
		if (!dir)
			break;
		if (dir->top != USAGE_UNKNOWN) {
			top = dir->top;
			break;
		}
		way[levels++] = dir;
	}
	while (levels > 0)
		way[--levels]->top = top;
	return top;
}

/* ---- files */

/* told: NULL if it is not known. */
static void usage_count(UsageScan *scan, uint32_t top, uint64_t bytes, const char *told)
{
	const char *mime = told ? told : "";
	Usage *usage = scan->usage;
	UsageEntry *entry = &g_array_index(usage->entries, UsageEntry, top - 1);
	UsageType *type = g_hash_table_lookup(scan->types, mime);
	if (!type) {
		type = g_new0(UsageType, 1);
		type->mime = g_strdup(mime);
		g_hash_table_insert(scan->types, type->mime, type);
	}
	usage->bytes += bytes;
	usage->files++;
	entry->bytes += bytes;
	entry->files++;
	type->bytes += bytes;
	type->files++;
}

/* The names of one inode follow each other; the first one below the directory counts. */
static bool usage_read_files(Reader *r, UsageScan *scan, GError **error)
{
	static const char sql[] =
	        "SELECT i.id, n.id, n.parent, i.size, i.content, c.mime "
	        "FROM inode i CROSS JOIN node n ON n.inode = i.id "
	        "LEFT JOIN content c ON c.id = i.content WHERE i.kind = " SQL_ENTRY_FILE
	        " AND i.state <> " SQL_INODE_ORPHAN " ORDER BY i.id";
	sqlite3_stmt *statement = reader_statement(r, sql, error);
	int row = statement ? 1 : -1;
	int64_t before = 0;
	bool counted = false;
	while (row > 0 && (row = reader_step(r, statement, error)) > 0) {
		int64_t inode = sqlite3_column_int64(statement, 0);
		int64_t node = sqlite3_column_int64(statement, 1);
		const UsageDir *own = g_hash_table_lookup(scan->dirs, &node);
		uint32_t top = own ? own->top : usage_top(scan, sqlite3_column_int64(statement, 2));
		if (inode == before && (counted || top == USAGE_OUTSIDE))
			continue;
		int64_t content = sqlite3_column_int64(statement, 4);
		uint64_t bytes = MAX(sqlite3_column_int64(statement, 3), 0);
		bool copies = content != 0 && bytes > 0;
		if (inode == before && copies) /* its name outside was taken for a copy */
			g_array_set_size(scan->files, scan->files->len - 1);
		before = inode;
		counted = top != USAGE_OUTSIDE;
		const UsageFile file = {content, bytes, top};
		if (counted)
			usage_count(
			        scan, top, bytes, (const char *)sqlite3_column_text(statement, 5));
		if (copies)
			g_array_append_val(scan->files, file);
	}
	return row == 0;
}

/* ---- copies */

static int usage_compare_files(const void *a, const void *b)
{
	const UsageFile *x = a, *y = b;
	if (x->content != y->content)
		return x->content < y->content ? -1 : 1;
	return x->top < y->top ? -1 : x->top > y->top;
}

/* Of the files [from, to) with one content: those of an entry are copied if there are others. */
static void usage_mark_copies(UsageScan *scan, guint from, guint to)
{
	const UsageFile *files = (const UsageFile *)scan->files->data;
	bool outside = files[from].top == USAGE_OUTSIDE; /* those come first */
	for (guint i = from, end; i < to; i = end) {
		uint64_t bytes = 0;
		for (end = i; end < to && files[end].top == files[i].top; end++)
			bytes += files[end].bytes;
		if (files[i].top == USAGE_OUTSIDE)
			continue;
		if (end - i < to - from)
			g_array_index(scan->usage->entries, UsageEntry, files[i].top - 1).copied +=
			        bytes;
		if (outside)
			scan->usage->copied += bytes;
	}
}

static void usage_find_copies(UsageScan *scan)
{
	g_array_sort(scan->files, usage_compare_files);
	for (guint i = 0, end; i < scan->files->len; i = end) {
		int64_t content = g_array_index(scan->files, UsageFile, i).content;
		for (end = i; end < scan->files->len; end++)
			if (g_array_index(scan->files, UsageFile, end).content != content)
				break;
		usage_mark_copies(scan, i, end);
	}
}

/* ---- all of it */

static int usage_compare_entries(const void *a, const void *b)
{
	const UsageEntry *x = a, *y = b;
	if (x->bytes != y->bytes)
		return x->bytes < y->bytes ? 1 : -1;
	return x->node < y->node ? -1 : x->node > y->node;
}

static int usage_compare_types(const void *a, const void *b)
{
	const UsageType *x = a, *y = b;
	if (x->bytes != y->bytes)
		return x->bytes < y->bytes ? 1 : -1;
	return strcmp(x->mime, y->mime);
}

static void usage_take_types(UsageScan *scan)
{
	GHashTableIter each;
	gpointer type;
	g_hash_table_iter_init(&each, scan->types);
	while (g_hash_table_iter_next(&each, NULL, &type)) {
		UsageType copy = *(UsageType *)type;
		copy.mime = g_strdup(copy.mime);
		g_array_append_val(scan->usage->types, copy);
	}
	g_array_sort(scan->usage->types, usage_compare_types);
}

static Usage *usage_new(void)
{
	Usage *usage = g_new0(Usage, 1);
	usage->entries = g_array_new(FALSE, FALSE, sizeof(UsageEntry));
	usage->types = g_array_new(FALSE, FALSE, sizeof(UsageType));
	g_array_set_clear_func(usage->types, usage_type_clear);
	return usage;
}

Usage *reader_usage(Reader *r, int64_t node, GError **error)
{
	g_autoptr(Usage) usage = usage_new();
	g_autoptr(GHashTable) dirs =
	        g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, g_free);
	g_autoptr(GHashTable) types =
	        g_hash_table_new_full(g_str_hash, g_str_equal, NULL, usage_type_free);
	g_autoptr(GArray) files = g_array_new(FALSE, FALSE, sizeof(UsageFile));
	UsageScan scan = {usage, dirs, types, files};
	if (!reader_begin(r, 0, error))
		return NULL;
	bool ok = usage_read_dirs(r, &scan, error) && usage_read_entries(r, &scan, node, error) &&
	          usage_read_files(r, &scan, error);
	reader_end(r);
	if (!ok)
		return NULL;
	usage_find_copies(&scan);
	g_array_sort(usage->entries, usage_compare_entries);
	usage_take_types(&scan);
	return g_steal_pointer(&usage);
}
