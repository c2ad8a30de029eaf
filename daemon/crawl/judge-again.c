/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/crawl/judge-again.h"
#include "common/rules/witness.h"

/* One visit of the directory itself is enough. If a rule now excludes it, its rows go; if no rule
 * does any more, there are no rows, and all that the visit finds is new. */
static void judge_dir_again(Crawl *crawl, Dir *dir)
{
	g_hash_table_remove(crawl->rules_cache, &dir->node);
	tree_mark_dirty(crawl->tree, dir, 0);
}

typedef struct {
	Crawl *crawl;
	const char *entry;
} JudgeLook;

static void judge_child_again(const char *name, const Entry *row, void *data)
{
	const JudgeLook *look = data;
	if (row->stat.kind != ENTRY_DIR || !witness_concerns(name, WITNESS_BESIDE, look->entry))
		return;
	Dir *dir = tree_find(look->crawl->tree, row->node);
	if (dir)
		judge_dir_again(look->crawl, dir);
}

/* path: of dir. entry: from dir. */
static bool judge_again_from(
        Crawl *crawl, Dir *dir, const char *path, const char *entry, GError **error)
{
	JudgeLook look = {crawl, entry};
	g_autofree char *name = g_path_get_basename(path);
	if (witness_concerns(name, WITNESS_INSIDE, entry))
		judge_dir_again(crawl, dir);
	return !witness_concerns(NULL, WITNESS_BESIDE, entry) ||
	       writer_children(crawl->writer, dir->node, judge_child_again, &look, error);
}

bool judge_again(Crawl *crawl, Dir *dir, const char *name, GError **error)
{
	if (!witness_has_name(name))
		return true;
	g_autofree char *path = writer_path(crawl->writer, dir->node, error);
	if (!path || !judge_again_from(crawl, dir, path, name, error))
		return false;
	if (!dir->parent)
		return true;
	g_autofree char *above = g_path_get_dirname(path);
	g_autofree char *own_name = g_path_get_basename(path);
	g_autofree char *entry = g_strconcat(own_name, "/", name, NULL);
	return judge_again_from(crawl, dir->parent, above, entry, error);
}
