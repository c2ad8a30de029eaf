/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests the rows of a directory that a visit finds by name. */
#include <config.h>
#include "daemon/crawl/visit-rows.h"
#include "tests/index/index-test.h"

/* Some are the beginning of another, and their bytes have all values of a sign. */
static const char *const row_names[] = {
        "b", "a", "a b", "a\x01", "a\xff", "a\x7f", "\xc3\xa9", "z", "A", "~", " ", "\x80"};

static Entry add_names(Fixture *f, Entry *entries)
{
	Entry root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5));
	for (size_t i = 0; i < G_N_ELEMENTS(row_names); i++)
		entries[i] = put(f, root.node, row_names[i], stat_of(f, 2 + i, ENTRY_FILE, 1, 1));
	commit(f);
	return root;
}

static VisitRows *load(Fixture *f, const Entry *root)
{
	g_autoptr(GError) error = NULL;
	VisitRows *rows = visit_rows_load(f->w, root->node, &error);
	g_assert_no_error(error);
	g_assert_true(visit_rows_are_true(rows, f->w));
	return rows;
}

static void test_see(Fixture *f, gconstpointer data)
{
	Entry entries[G_N_ELEMENTS(row_names)], root = add_names(f, entries);
	g_autoptr(GPtrArray) unseen = g_ptr_array_new_with_free_func(g_free);
	VisitRows *rows = load(f, &root);
	for (size_t i = 0; i < G_N_ELEMENTS(row_names); i++) {
		const Entry *row = visit_rows_see(rows, row_names[i]);
		g_assert_nonnull(row);
		g_assert_cmpint(row->node, ==, entries[i].node);
	}
	visit_rows_add_unseen(rows, unseen);
	g_assert_cmpuint(unseen->len, ==, 0);
	visit_rows_free(rows);
}

static void test_unseen(Fixture *f, gconstpointer data)
{
	Entry entries[G_N_ELEMENTS(row_names)], root = add_names(f, entries);
	g_autoptr(GPtrArray) unseen = g_ptr_array_new_with_free_func(g_free);
	VisitRows *rows = load(f, &root);
	g_assert_null(visit_rows_see(rows, ""));
	g_assert_null(visit_rows_see(rows, "a\xfe"));
	g_assert_null(visit_rows_see(rows, "zz"));
	for (size_t i = 2; i < G_N_ELEMENTS(row_names); i++)
		visit_rows_see(rows, row_names[i]);
	visit_rows_add_unseen(rows, unseen);
	g_assert_cmpuint(unseen->len, ==, 2);
	g_assert_cmpstr(unseen->pdata[0], ==, "a");
	g_assert_cmpstr(unseen->pdata[1], ==, "b");
	visit_rows_free(rows);
}

static void test_empty(Fixture *f, gconstpointer data)
{
	Entry root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5));
	commit(f);
	VisitRows *rows = load(f, &root);
	g_assert_null(visit_rows_see(rows, "a"));
	put(f, root.node, "a", stat_of(f, 2, ENTRY_FILE, 1, 1));
	g_assert_false(visit_rows_are_true(rows, f->w));
	visit_rows_free(rows);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	FIXTURE_TEST("/visit-rows/see", test_see);
	FIXTURE_TEST("/visit-rows/unseen", test_unseen);
	FIXTURE_TEST("/visit-rows/empty", test_empty);
	return g_test_run();
}
