/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests which directories are visited first, and that they are. */
#include <config.h>
#include "daemon/crawl/hot-dirs.h"
#include "daemon/watch/dir-tree.h"
#include "tests/index/index-test.h"

static Entry add_saved(Fixture *f, int64_t parent, const char *name, uint64_t ino, int64_t mtime_ns)
{
	Entry entry = put(f, parent, name, stat_of(f, ino, ENTRY_FILE, 1, mtime_ns));
	convert(f, entry.inode, name);
	return entry;
}

static GHashTable *find_hot(Fixture *f)
{
	g_autoptr(GError) error = NULL;
	GHashTable *hot = hot_dirs_find(f->w, &error);
	g_assert_no_error(error);
	return hot;
}

static bool is_hot(GHashTable *hot, const Entry *dir)
{
	return g_hash_table_contains(hot, &dir->node);
}

/* A hundred directories, each with a file: those with the newest files are hot. */
static void test_newest(Fixture *f, gconstpointer data)
{
	enum { DIRS = 100 };
	Entry root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5));
	Entry above = put(f, root.node, "above", stat_of(f, 2, ENTRY_DIR, 0, 5));
	Entry empty = put(f, root.node, "empty", stat_of(f, 3, ENTRY_DIR, 0, INT64_MAX));
	Entry dirs[DIRS];
	for (unsigned i = 0; i < DIRS; i++) {
		g_autofree char *name = g_strdup_printf("d%u", i);
		dirs[i] = put(f, above.node, name, stat_of(f, 1000 + i, ENTRY_DIR, 0, 5));
		add_saved(f, dirs[i].node, name, 2000 + i, 1000 + i);
	}
	commit(f);
	g_autoptr(GHashTable) hot = find_hot(f);
	g_assert_true(is_hot(hot, &root));
	g_assert_true(is_hot(hot, &above));
	g_assert_false(is_hot(hot, &empty));
	for (unsigned i = 0; i < DIRS; i++)
		g_assert_cmpint(is_hot(hot, &dirs[i]), ==, i >= DIRS - HOT_DIRS);
}

/* A date in the future says nothing about when a file was saved. */
static void test_future(Fixture *f, gconstpointer data)
{
	Entry root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5));
	Entry now = put(f, root.node, "now", stat_of(f, 2, ENTRY_DIR, 0, 5));
	Entry then = put(f, root.node, "then", stat_of(f, 3, ENTRY_DIR, 0, 5));
	add_saved(f, now.node, "a", 10, 5);
	add_saved(f, then.node, "b", 11, INT64_MAX);
	commit(f);
	g_autoptr(GHashTable) hot = find_hot(f);
	g_assert_true(is_hot(hot, &now));
	g_assert_false(is_hot(hot, &then));
}

static void test_no_rows(Fixture *f, gconstpointer data)
{
	g_autoptr(GHashTable) hot = find_hot(f);
	g_assert_cmpuint(g_hash_table_size(hot), ==, 0);
}

/* Hot directories are taken first, whenever they are marked; within both parts the last one is
 * first. */
static void test_order(void)
{
	enum { N = 6 };
	static const unsigned taken[N] = {5, 3, 1, 4, 2, 0};
	Tree *tree = tree_new();
	for (unsigned i = 0; i < N; i++) {
		Dir *dir = tree_add(tree, NULL, 1 + i, 1 + i);
		dir->flags |= i % 2 ? DIR_HOT : 0;
		tree_mark_dirty(tree, dir, 0);
		tree_mark_dirty(tree, dir, DIR_DEEP);
	}
	g_assert_cmpuint(tree_dirty(tree), ==, N);
	for (unsigned i = 0; i < N; i++)
		g_assert_cmpint(tree_take_dirty(tree)->node, ==, 1 + taken[i]);
	g_assert_null(tree_take_dirty(tree));
	g_assert_cmpuint(tree_dirty(tree), ==, 0);
	tree_free(tree);
}

/* Children that visits of their parents find are taken in this order, before their parents'
 * siblings; what is marked otherwise meanwhile comes before them. */
static void test_found(void)
{
	enum { N = 9 };
	static const int parents[N] = {-1, 0, 0, 0, 1, 1, 0, 0, 0};
	static const unsigned taken[] = {1, 4, 5, 8, 7, 2, 6, 3};
	Tree *tree = tree_new();
	Dir *dirs[N];
	for (unsigned i = 0; i < N; i++)
		dirs[i] = tree_add(tree, parents[i] < 0 ? NULL : dirs[parents[i]], 1 + i, 1 + i);
	for (unsigned i = 1; i < 4; i++)
		tree_mark_dirty_behind(tree, dirs[i], 0);
	for (unsigned i = 0; i < 3; i++) {
		g_assert_cmpint(tree_take_dirty(tree)->node, ==, 1 + taken[i]);
		for (unsigned k = 4; i == 0 && k < 6; k++)
			tree_mark_dirty_behind(tree, dirs[k], 0);
	}
	tree_mark_dirty_behind(tree, dirs[6], 0);
	tree_mark_dirty_behind(tree, dirs[2], 0);
	tree_mark_dirty_behind(tree, dirs[6], 0);
	tree_mark_dirty(tree, dirs[7], 0);
	tree_mark_dirty(tree, dirs[8], 0);
	for (unsigned i = 3; i < G_N_ELEMENTS(taken); i++)
		g_assert_cmpint(tree_take_dirty(tree)->node, ==, 1 + taken[i]);
	g_assert_null(tree_take_dirty(tree));
	tree_free(tree);
}

/* What is marked last is taken last, and keeps its place when it is marked so again. */
static void test_marked_last(void)
{
	enum { N = 6 };
	static const unsigned taken[N] = {3, 1, 5, 4, 0, 2};
	Tree *tree = tree_new();
	Dir *dirs[N];
	for (unsigned i = 0; i < N; i++) {
		dirs[i] = tree_add(tree, NULL, 1 + i, 1 + i);
		dirs[i]->flags |= i % 2 ? DIR_HOT : 0;
		tree_mark_dirty_last(tree, dirs[i]);
	}
	tree_mark_dirty(tree, dirs[3], 0);
	tree_mark_dirty(tree, dirs[4], 0);
	for (unsigned i = 0; i < N; i++)
		tree_mark_dirty_last(tree, dirs[i]);
	g_assert_cmpuint(tree_dirty(tree), ==, N);
	for (unsigned i = 0; i < N; i++)
		g_assert_cmpint(tree_take_dirty(tree)->node, ==, 1 + taken[i]);
	tree_mark_dirty_last(tree, dirs[0]);
	tree_mark_dirty_last(tree, dirs[1]);
	g_assert_cmpint(tree_take_dirty(tree)->node, ==, 2);
	g_assert_cmpint(tree_take_dirty(tree)->node, ==, 1);
	g_assert_null(tree_take_dirty(tree));
	tree_free(tree);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	FIXTURE_TEST("/hot-dirs/newest", test_newest);
	FIXTURE_TEST("/hot-dirs/future", test_future);
	FIXTURE_TEST("/hot-dirs/no-rows", test_no_rows);
	g_test_add_func("/hot-dirs/order", test_order);
	g_test_add_func("/hot-dirs/found", test_found);
	g_test_add_func("/hot-dirs/marked-last", test_marked_last);
	return g_test_run();
}
