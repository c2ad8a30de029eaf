/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/watch/dir-tree.h"

typedef struct {
	Dir *first, **end; /* end: where the next one is appended */
} DirtyList;

struct Tree {
	GHashTable *dirs; /* node -> Dir */
	DirtyList dirty, hot; /* one list in two parts */
	size_t n_dirty;
	Dir *found; /* the last of tree_mark_dirty_behind(); NULL: it does not wait any more */
	uint64_t version;
};

Tree *tree_new(void)
{
	Tree *tree = g_new0(Tree, 1);
	tree->dirs = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, g_free);
	tree->dirty.end = &tree->dirty.first;
	tree->hot.end = &tree->hot.first;
	return tree;
}

void tree_free(Tree *tree)
{
	g_hash_table_unref(tree->dirs);
	g_free(tree);
}

Dir *tree_find(const Tree *tree, int64_t node)
{
	return g_hash_table_lookup(tree->dirs, &node);
}

static void dir_tree_attach(Dir *dir, Dir *parent)
{
	dir->parent = parent;
	if (!parent)
		return;
	dir->next = parent->child;
	dir->back = &parent->child;
	if (dir->next)
		dir->next->back = &dir->next;
	parent->child = dir;
}

static void dir_tree_detach(Dir *dir)
{
	if (dir->back) {
		*dir->back = dir->next;
		if (dir->next)
			dir->next->back = dir->back;
	}
	dir->next = NULL;
	dir->back = NULL;
	dir->parent = NULL;
}

Dir *tree_add(Tree *tree, Dir *parent, int64_t node, uint64_t ino)
{
	Dir *dir = tree_find(tree, node);
	if (dir)
		return dir;
	dir = g_new0(Dir, 1);
	dir->node = node;
	dir->ino = ino;
	dir->watch = -1;
	dir_tree_attach(dir, parent);
	tree->version++;
	g_hash_table_add(tree->dirs, dir);
	return dir;
}

void tree_move(Tree *tree, Dir *dir, Dir *parent)
{
	if (parent && dir_is_below(parent, dir))
		return; /* A file system has no such loop, but rows may briefly describe one. */
	dir_tree_detach(dir);
	dir_tree_attach(dir, parent);
	tree->version++;
}

static void unlink_dirty(Tree *tree, Dir *dir)
{
	if (!(dir->flags & DIR_DIRTY))
		return;
	*dir->dirty_back = dir->dirty_next;
	if (dir->dirty_next)
		dir->dirty_next->dirty_back = dir->dirty_back;
	else if (tree->hot.end == &dir->dirty_next)
		tree->hot.end = dir->dirty_back;
	else
		tree->dirty.end = dir->dirty_back;
	dir->dirty_next = NULL;
	dir->dirty_back = NULL;
	dir->flags &= ~DIR_DIRTY;
	tree->n_dirty--;
	if (tree->found == dir)
		tree->found = NULL;
}

static Dir *dir_tree_deepest(Dir *dir)
{
	while (dir->child)
		dir = dir->child;
	return dir;
}

void tree_remove(Tree *tree, Dir *dir, TreeFunc gone, void *data)
{
	for (bool last = false; !last;) {
		Dir *leaf = dir_tree_deepest(dir);
		last = leaf == dir;
		gone(leaf, data);
		unlink_dirty(tree, leaf);
		dir_tree_detach(leaf);
		tree->version++;
		g_hash_table_remove(tree->dirs, leaf);
	}
}

void tree_foreach(Tree *tree, TreeFunc f, void *data)
{
	GHashTableIter iter;
	gpointer dir;
	g_hash_table_iter_init(&iter, tree->dirs);
	while (g_hash_table_iter_next(&iter, &dir, NULL))
		f(dir, data);
}

uint64_t tree_version(const Tree *tree)
{
	return tree->version;
}

const Dir *dir_top(const Dir *dir)
{
	while (dir->parent)
		dir = dir->parent;
	return dir;
}

unsigned dir_depth(const Dir *dir)
{
	unsigned depth = 0;
	for (; dir->parent; dir = dir->parent)
		depth++;
	return depth;
}

bool dir_is_below(const Dir *dir, const Dir *above)
{
	while (dir && dir != above)
		dir = dir->parent;
	return dir == above;
}

static void link_dirty(Tree *tree, Dir *dir, DirtyList *list, Dir **place)
{
	dir->flags |= DIR_DIRTY;
	dir->dirty_next = *place;
	dir->dirty_back = place;
	if (dir->dirty_next)
		dir->dirty_next->dirty_back = &dir->dirty_next;
	else
		list->end = &dir->dirty_next;
	*place = dir;
	tree->n_dirty++;
}

static DirtyList *dirty_list_of(Tree *tree, const Dir *dir)
{
	return dir->flags & DIR_HOT ? &tree->hot : &tree->dirty;
}

void tree_mark_dirty(Tree *tree, Dir *dir, unsigned flags)
{
	DirtyList *list = dirty_list_of(tree, dir);
	unlink_dirty(tree, dir);
	dir->flags |= flags;
	link_dirty(tree, dir, list, &list->first);
}

void tree_mark_dirty_behind(Tree *tree, Dir *dir, unsigned flags)
{
	DirtyList *list = dirty_list_of(tree, dir);
	unlink_dirty(tree, dir);
	bool follows = tree->found && tree->found->parent == dir->parent &&
	               dirty_list_of(tree, tree->found) == list;
	dir->flags |= flags;
	link_dirty(tree, dir, list, follows ? &tree->found->dirty_next : &list->first);
	tree->found = dir;
}

void tree_mark_dirty_last(Tree *tree, Dir *dir)
{
	DirtyList *list = dirty_list_of(tree, dir);
	if (!(dir->flags & DIR_DIRTY))
		link_dirty(tree, dir, list, list->end);
}

void tree_mark_denied(Tree *tree, Dir *dir)
{
	if (dir->flags & DIR_DENIED)
		tree_mark_dirty(tree, dir, 0);
	for (Dir *child = dir->child; child; child = child->next)
		tree_mark_denied(tree, child);
}

Dir *tree_take_dirty(Tree *tree)
{
	Dir *dir = tree->hot.first ? tree->hot.first : tree->dirty.first;
	if (dir)
		unlink_dirty(tree, dir);
	return dir;
}

size_t tree_dirty(const Tree *tree)
{
	return tree->n_dirty;
}
