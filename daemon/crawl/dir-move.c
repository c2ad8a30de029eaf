/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/crawl/dir-move.h"
#include "daemon/crawl/visit.h"

/* The rules of the old place may have changed by now, so each Dir remembers (DIR_BOUND) whether
 * those of its last visit were bound to it. */
bool dir_move_keeps_rules(const Crawl *crawl, const Dir *dir, const Place *to, const char *name)
{
	return place_root_of(crawl, dir) == to->root && !rules_entry_is_bound(to->rules, name);
}

/* True if its last visit and its watch leave no change unseen, and its rules have not changed. */
static bool dir_is_certain(const Crawl *crawl, const Dir *dir, unsigned depth)
{
	enum {
		UNCERTAIN = DIR_DENIED | DIR_POLLED | DIR_MISSED | DIR_MOUNT | DIR_BARE | DIR_BOUND
	};
	bool in_visit = crawl->visit && visit_node(crawl->visit) == dir->node;
	return (dir->flags & DIR_VISITED) && !(dir->flags & UNCERTAIN) && dir->watch >= 0 &&
	       !in_visit && depth <= CRAWL_MAX_DEPTH;
}

static void mark_uncertain(Crawl *crawl, Dir *dir, unsigned depth)
{
	if (!dir_is_certain(crawl, dir, depth)) {
		tree_mark_dirty(crawl->tree, dir, DIR_DEEP);
		return;
	}
	for (Dir *child = dir->child; child; child = child->next)
		mark_uncertain(crawl, child, depth + 1);
}

void dir_move_mark(Crawl *crawl, Dir *dir)
{
	mark_uncertain(crawl, dir, dir_depth(dir));
	tree_mark_dirty(crawl->tree, dir, 0);
}
