/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/crawl/coverage.h"

typedef struct {
	GHashTable *by_top; /* Dir of a root -> its Coverage */
} Count;

static void count_dir(Dir *dir, void *data)
{
	const Count *count = data;
	Coverage *coverage = g_hash_table_lookup(count->by_top, dir_top(dir));
	if (!coverage)
		return;
	coverage->directories++;
	coverage->watched += dir->watch >= 0;
	coverage->polled += (dir->flags & DIR_POLLED) != 0;
	coverage->denied += (dir->flags & DIR_DENIED) != 0;
}

uint64_t coverage_version(const Crawl *crawl)
{
	return tree_version(crawl->tree) + watcher_version(crawl->watcher) + crawl->denials;
}

GArray *coverage_count(const Crawl *crawl)
{
	GArray *all = g_array_sized_new(FALSE, TRUE, sizeof(Coverage), crawl->roots->len);
	g_autoptr(GHashTable) by_top = g_hash_table_new(NULL, NULL);
	Count count = {by_top};
	g_array_set_size(all, crawl->roots->len);
	for (guint i = 0; i < crawl->roots->len; i++) {
		const Root *root = crawl->roots->pdata[i];
		if (root->dir)
			g_hash_table_insert(by_top, root->dir, &g_array_index(all, Coverage, i));
	}
	tree_foreach(crawl->tree, count_dir, &count);
	return all;
}
