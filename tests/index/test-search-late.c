/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A page of a search whose words stand in thousands of documents and whose filters let most, few or none of them pass. */
#include <config.h>
#include "tests/index/search-test.h"
#include <glib/gstdio.h>

enum { ALL = 4600, RARE = 100 }; /* more than are asked at once; one in so many is rare */

static const char *ending_of(int i)
{
	return i % RARE == 0 ? "rare" : "txt";
}

static void make_files(Tree *t)
{
	for (int i = 0; i < ALL; i++) {
		g_autofree char *path = g_strdup_printf("f%d.%s", i, ending_of(i));
		g_autoptr(GString) text = g_string_new(path);
		for (int n = 0; n <= i % 97; n++)
			g_string_append(text, " common");
		tree_text(t, path, text->str);
	}
	tree_open(t);
}

static SearchResult *page(Tree *t, const char *text, unsigned offset, unsigned limit, bool count)
{
	g_autoptr(Query) query = parse(text, NULL);
	const SearchOptions options = {
	        .limit = limit, .offset = offset, .count = count, .near_apart = true, .uid = geteuid()};
	SearchResult *result;
	OK((result = reader_search(t->r, query, &options, error)) != NULL);
	return result;
}

/* The same hits as of a search that asks for all. */
static void test_page_of_many(Tree *t, gconstpointer data)
{
	enum { OFFSET = 7, LIMIT = 20 };
	make_files(t);
	g_autoptr(SearchResult) all = page(t, "common ext:txt", 0, ALL, false);
	g_autoptr(SearchResult) some = page(t, "common ext:txt", OFFSET, LIMIT, false);
	g_assert_cmpuint(all->hits->len, ==, ALL - ALL / RARE);
	g_assert_true(all->total_exact);
	g_assert_cmpuint(some->hits->len, ==, LIMIT);
	g_assert_false(some->total_exact);
	g_assert_cmpuint(some->total, >=, all->total);
	for (guint i = 0; i < LIMIT; i++) {
		const Hit *a = all->hits->pdata[OFFSET + i], *b = some->hits->pdata[i];
		g_assert_cmpint(a->info.node, ==, b->info.node);
		g_assert_cmpfloat(a->score, ==, b->score);
	}
	g_autoptr(SearchResult) counted = page(t, "common ext:txt", 0, LIMIT, true);
	g_assert_true(counted->total_exact);
	g_assert_cmpuint(counted->total, ==, all->total);
}

static void test_few_pass(Tree *t, gconstpointer data)
{
	make_files(t);
	g_autoptr(SearchResult) rare = page(t, "common ext:rare", 0, 40, false);
	g_autoptr(SearchResult) none = page(t, "common ext:none", 0, 40, false);
	g_assert_cmpuint(rare->hits->len, ==, 40);
	g_assert_cmpuint(rare->total, ==, ALL / RARE);
	g_assert_true(rare->total_exact);
	g_assert_cmpuint(none->hits->len, ==, 0);
	g_assert_cmpuint(none->total, ==, 0);
}

/* The best are gone from the disk: the page is filled with others. */
static void test_best_are_gone(Tree *t, gconstpointer data)
{
	make_files(t);
	g_autoptr(SearchResult) best = page(t, "common ext:txt", 0, 1000, false);
	for (guint i = 0; i < best->hits->len; i++)
		g_assert_cmpint(g_unlink(((Hit *)best->hits->pdata[i])->info.path), ==, 0);
	g_autoptr(SearchResult) rest = page(t, "common ext:txt", 0, 20, false);
	g_assert_cmpuint(rest->hits->len, ==, 20);
}

#define ADD(name, function)                                                                        \
	g_test_add("/index/search-late/" name, Tree, NULL, tree_up, function, tree_down)

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	ADD("page-of-many", test_page_of_many);
	ADD("few-pass", test_few_pass);
	ADD("best-are-gone", test_best_are_gone);
	return g_test_run();
}
