/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/copies/mirror-tree.h"
#include "index/store/states.h"
#include <stdlib.h>
#include <string.h>

/* Sources and their documents, whose names are URLs, are not directories. */
static const char entries_sql[] =
        "SELECT n.id, n.parent, n.name, i.kind, i.size, i.id FROM node n "
        "CROSS JOIN inode i ON i.id = n.inode WHERE i.kind < " SQL_ENTRY_LINK
        " AND i.state <> " SQL_INODE_ORPHAN " AND instr(n.name, x'3a2f2f') = 0 ORDER BY n.id";

void mirror_tree_free(MirrorTree *tree)
{
	if (!tree)
		return;
	g_array_unref(tree->entries);
	g_byte_array_unref(tree->names);
	g_free(tree->order);
	g_free(tree);
}

static MirrorEntry *mirror_entry_at(MirrorTree *tree, uint32_t i)
{
	return &g_array_index(tree->entries, MirrorEntry, i);
}

static void mirror_add_row(MirrorTree *tree, sqlite3_stmt *row, GArray *parents)
{
	const char *name = sqlite3_column_blob(row, 2);
	int length = sqlite3_column_bytes(row, 2);
	int64_t parent = sqlite3_column_int64(row, 1);
	if (!name || length == 0 || memchr(name, '\0', length) ||
	        tree->names->len > UINT32_MAX - length - 1)
		return;
	MirrorEntry entry = {.node = sqlite3_column_int64(row, 0),
	        .size = sqlite3_column_int64(row, 4),
	        .inode = sqlite3_column_int64(row, 5),
	        .parent = MIRROR_NONE,
	        .name = tree->names->len,
	        .dir = sqlite3_column_int64(row, 3) == ENTRY_DIR};
	g_byte_array_append(tree->names, (const guint8 *)name, length);
	g_byte_array_append(tree->names, (const guint8 *)"", 1);
	g_array_append_val(tree->entries, entry);
	g_array_append_val(parents, parent);
}

static uint32_t find_node(const MirrorTree *tree, int64_t node)
{
	uint32_t low = 0, high = tree->entries->len;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (mirror_entry(tree, middle)->node < node)
			low = middle + 1;
		else
			high = middle;
	}
	return low < tree->entries->len && mirror_entry(tree, low)->node == node ? low
	                                                                         : MIRROR_NONE;
}

static int mirror_tree_compare_entries(const void *a, const void *b, void *data)
{
	const MirrorTree *tree = data;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	uint32_t left = mirror_entry(tree, x)->parent, right = mirror_entry(tree, y)->parent;
	return left != right ? (left < right ? -1 : 1)
	                     : strcmp(mirror_name(tree, x), mirror_name(tree, y));
}

static void order_children(MirrorTree *tree)
{
	uint32_t n = tree->entries->len;
	tree->order = g_new(uint32_t, MAX(n, 1));
	for (uint32_t i = 0; i < n; i++)
		tree->order[i] = i;
	g_qsort_with_data(tree->order, n, sizeof *tree->order, mirror_tree_compare_entries, tree);
	for (uint32_t i = n; i-- > 0;) {
		uint32_t parent = mirror_entry(tree, tree->order[i])->parent;
		if (parent == MIRROR_NONE)
			continue;
		mirror_entry_at(tree, parent)->first = i;
		mirror_entry_at(tree, parent)->children++;
	}
}

/* In a damaged index a chain of parents may be broken or circular: the loop ends there. */
static void count_files(MirrorTree *tree)
{
	for (uint32_t i = 0; i < tree->entries->len; i++) {
		if (!mirror_counts(mirror_entry(tree, i)))
			continue;
		uint32_t dir = mirror_entry(tree, i)->parent;
		for (unsigned level = 0; dir != MIRROR_NONE && level < MIRROR_LEVELS; level++) {
			mirror_entry_at(tree, dir)->files++;
			dir = mirror_entry(tree, dir)->parent;
		}
	}
}

MirrorTree *mirror_tree_read(Reader *r, GError **error)
{
	g_autoptr(MirrorTree) tree = g_new0(MirrorTree, 1);
	g_autoptr(GArray) parents = g_array_new(FALSE, FALSE, sizeof(int64_t));
	tree->entries = g_array_new(FALSE, FALSE, sizeof(MirrorEntry));
	tree->names = g_byte_array_new();
	sqlite3_stmt *statement = reader_statement(r, entries_sql, error);
	int row = statement ? 1 : -1;
	while (row > 0 && (row = reader_step(r, statement, error)) > 0)
		mirror_add_row(tree, statement, parents);
	if (row < 0)
		return NULL;
	for (uint32_t i = 0; i < tree->entries->len; i++) {
		uint32_t parent = find_node(tree, g_array_index(parents, int64_t, i));
		mirror_entry_at(tree, i)->parent =
		        parent != MIRROR_NONE && mirror_entry(tree, parent)->dir ? parent
		                                                                 : MIRROR_NONE;
	}
	order_children(tree);
	count_files(tree);
	return g_steal_pointer(&tree);
}

uint32_t mirror_child(const MirrorTree *tree, uint32_t dir, const char *name)
{
	const MirrorEntry *entry = mirror_entry(tree, dir);
	uint32_t low = 0, high = entry->children;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2,
		         child = tree->order[entry->first + middle];
		int order = strcmp(mirror_name(tree, child), name);
		if (order == 0)
			return child;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return MIRROR_NONE;
}

char *mirror_path(const MirrorTree *tree, uint32_t i)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	for (unsigned level = 0; i != MIRROR_NONE && level < MIRROR_LEVELS; level++) {
		g_ptr_array_insert(names, 0, (gpointer)mirror_name(tree, i));
		i = mirror_entry(tree, i)->parent;
	}
	g_ptr_array_add(names, NULL);
	const char *root = names->pdata[0];
	bool slash = strcmp(root, "/") == 0;
	g_autofree char *below = g_strjoinv("/", (char **)names->pdata + 1);
	return *below ? g_strdup_printf("%s%s%s", root, slash ? "" : "/", below) : g_strdup(root);
}

void mirror_rule_free(MirrorRule *rule)
{
	if (!rule)
		return;
	g_free(rule->from);
	g_free(rule->to);
	g_free(rule);
}

void mirror_rule_count(MirrorRule *rule, const MirrorTree *tree, const GArray *pairs)
{
	g_autoptr(GHashTable) inodes = g_hash_table_new(g_int64_hash, g_int64_equal);
	for (guint i = 0; i < pairs->len; i++) {
		const MirrorPair *pair = &g_array_index(pairs, MirrorPair, i);
		g_hash_table_add(inodes, (gpointer)&mirror_entry(tree, pair->from)->inode);
	}
	rule->support += pairs->len;
	for (guint i = 0; i < pairs->len; i++) {
		const MirrorEntry *to = mirror_entry(tree, g_array_index(pairs, MirrorPair, i).to);
		if (g_hash_table_add(inodes, (gpointer)&to->inode))
			rule->bytes += to->size;
	}
}
