/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/crawl/hot-dirs.h"

static bool hot_dirs_climb(Writer *writer, GHashTable *nodes, int64_t node, GError **error)
{
	Entry row;
	while (node != 0 && !g_hash_table_contains(nodes, &node)) {
		g_hash_table_add(nodes, g_memdup2(&node, sizeof(node)));
		if (!writer_must_get(writer, node, &row, error))
			return false;
		node = row.parent;
	}
	return true;
}

GHashTable *hot_dirs_find(Writer *writer, GError **error)
{
	g_autoptr(GHashTable) nodes =
	        g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	g_autoptr(GArray) parents = NULL;
	unsigned n = 0;
	if (!writer_newest_parents(writer, HOT_FILES, &parents, error))
		return NULL;
	for (guint i = 0; i < parents->len && n < HOT_DIRS; i++) {
		int64_t node = g_array_index(parents, int64_t, i);
		n += !g_hash_table_contains(nodes, &node);
		if (!hot_dirs_climb(writer, nodes, node, error))
			return NULL;
	}
	return g_steal_pointer(&nodes);
}
