/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/crawl/coverage.h"

static void count_below(const Dir *dir, Coverage *coverage)
{
	coverage->directories++;
	coverage->watched += dir->watch >= 0;
	coverage->polled += (dir->flags & DIR_POLLED) != 0;
	coverage->denied += (dir->flags & DIR_DENIED) != 0;
	for (const Dir *child = dir->child; child; child = child->next)
		count_below(child, coverage);
}

uint64_t coverage_version(const Crawl *crawl)
{
	return tree_version(crawl->tree) + watcher_version(crawl->watcher) + crawl->denials;
}

GArray *coverage_count(const Crawl *crawl)
{
	GArray *all = g_array_sized_new(FALSE, TRUE, sizeof(Coverage), crawl->roots->len);
	g_array_set_size(all, crawl->roots->len);
	for (guint i = 0; i < crawl->roots->len; i++) {
		const Root *root = crawl->roots->pdata[i];
		if (root->dir)
			count_below(root->dir, &g_array_index(all, Coverage, i));
	}
	return all;
}
