/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test-term-scan.c - the vocabulary and documents read from the pages are those that FTS5 finds */
#include <config.h>
#include "index/search/expand.h"
#include "index/fts/fts-page.h"
#include "index/fts/term-scan.h"
#include "tests/index/search-test.h"
#include <string.h>

static bool collect(void *data, const char *term)
{
	g_hash_table_add(data, g_strdup(term));
	return true;
}

static GHashTable *set_new(void)
{
	return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
}

static GHashTable *scanned(Tree *t, TermTable table, const char *start)
{
	GHashTable *terms = set_new();
	OK(reader_begin(t->r, 0, error));
	OK(term_scan(t->r, table, start, collect, terms, error));
	reader_end(t->r);
	return terms;
}

/* As fts5vocab lists them. */
static GHashTable *listed(Tree *t, const char *table, const char *start)
{
	g_autofree char *sql = g_strdup_printf("SELECT term FROM temp.%s", table);
	GHashTable *terms = set_new();
	sqlite3_stmt *statement;
	OK(expand_vocabularies(t->r, error));
	g_assert_cmpint(sqlite3_prepare_v2(t->r->db, sql, -1, &statement, NULL), ==, SQLITE_OK);
	while (sqlite3_step(statement) == SQLITE_ROW)
		if (g_str_has_prefix((const char *)sqlite3_column_text(statement, 0), start))
			collect(terms, (const char *)sqlite3_column_text(statement, 0));
	sqlite3_finalize(statement);
	return terms;
}

static void compare(Tree *t, TermTable table, const char *vocabulary, const char *start)
{
	g_autoptr(GHashTable) ours = scanned(t, table, start),
	                      theirs = listed(t, vocabulary, start);
	GHashTableIter iter;
	gpointer term;
	g_hash_table_iter_init(&iter, theirs);
	while (g_hash_table_iter_next(&iter, &term, NULL))
		if (!g_hash_table_contains(ours, term))
			g_error("%s is missing", (const char *)term);
	g_assert_cmpuint(g_hash_table_size(ours), ==, g_hash_table_size(theirs));
}

/* Several segments of many pages: terms that fill pages, and one whose documents do. */
static void add_texts(Tree *t)
{
	g_autoptr(GRand) random = g_rand_new_with_seed(7);
	for (int i = 0; i < 120; i++) {
		g_autoptr(GString) text = g_string_new("common ");
		g_autofree char *name = g_strdup_printf("Name-%d of %x.txt", i, i * 7919);
		for (int k = 0; k < 400; k++)
			g_string_append_printf(text, "%s%x ", k % 3 ? "word" : "ünïcode",
			        g_rand_int(random) >> (k % 24));
		for (int k = 0; k < 2000 && i < 20; k++)
			g_string_append(text, "common ");
		tree_text(t, name, text->str);
		if (i % 40 == 7)
			commit(&t->index);
	}
	tree_open(t);
}

static void test_same_as_listed(Tree *t, gconstpointer data)
{
	static const char *const starts[] = {
	        "", "w", "word1", "word12", "u", "common", "x", "zz", "\xc3"};
	add_texts(t);
	for (size_t i = 0; i < G_N_ELEMENTS(starts); i++) {
		compare(t, TERMS_OF_TEXT, "text_terms", starts[i]);
		compare(t, TERMS_OF_NAMES, "name_terms", starts[i]);
	}
	g_autoptr(GHashTable) all = scanned(t, TERMS_OF_TEXT, "");
	g_assert_cmpuint(g_hash_table_size(all), >, 10000);
}

static void test_empty(Tree *t, gconstpointer data)
{
	tree_open(t);
	g_autoptr(GHashTable) all = scanned(t, TERMS_OF_TEXT, "");
	g_assert_cmpuint(g_hash_table_size(all), ==, 0);
}

static bool stop(void *data, const char *term)
{
	++*(int *)data;
	return false;
}

static void test_stops(Tree *t, gconstpointer data)
{
	int n = 0;
	add_texts(t);
	OK(reader_begin(t->r, 0, error));
	OK(term_scan(t->r, TERMS_OF_TEXT, "", stop, &n, error));
	reader_end(t->r);
	g_assert_cmpint(n, ==, 1);
}

static int64_t count_by_search(Tree *t, const char *expression)
{
	g_autofree char *sql =
	        g_strdup_printf("SELECT count(*) FROM text WHERE text MATCH '%s'", expression);
	sqlite3_stmt *statement;
	g_assert_cmpint(sqlite3_prepare_v2(t->r->db, sql, -1, &statement, NULL), ==, SQLITE_OK);
	g_assert_cmpint(sqlite3_step(statement), ==, SQLITE_ROW);
	int64_t n = sqlite3_column_int64(statement, 0);
	sqlite3_finalize(statement);
	return n;
}

static uint64_t count(Tree *t, const char *const *terms, uint64_t most)
{
	uint64_t n;
	OK(reader_begin(t->r, 0, error));
	OK(terms_count_documents(
	        t->r, TERMS_OF_TEXT, terms, g_strv_length((char **)terms), most, &n, error));
	reader_end(t->r);
	return n;
}

/* One term whose documents fill pages, and thousands that share one. */
static void test_same_documents(Tree *t, gconstpointer data)
{
	add_texts(t);
	g_autoptr(GHashTable) all = scanned(t, TERMS_OF_TEXT, "");
	GHashTableIter iter;
	gpointer term;
	g_hash_table_iter_init(&iter, all);
	for (int i = 0; g_hash_table_iter_next(&iter, &term, NULL); i++) {
		const char *const terms[] = {term, NULL};
		g_autofree char *quoted = g_strdup_printf("\"%s\"", (char *)term);
		if (i % 16 == 0 || strlen(term) < 6)
			g_assert_cmpuint(count(t, terms, 1000), ==, count_by_search(t, quoted));
	}
	static const char *const several[] = {
	        "common", "uncommon", "word1", "word2", "word3", NULL};
	static const char *const few[] = {"word1", "word2", "word3", "x", NULL};
	static const char *const none[] = {"commo", "commonn", "zz", "\xff", NULL};
	g_assert_cmpuint(count(t, several, 1000), ==, 120);
	g_assert_cmpuint(count(t, several, 50), ==, 50);
	g_assert_cmpuint(count(t, few, 1000), ==,
	        count_by_search(t, "\"word1\" OR \"word2\" OR \"word3\" OR \"x\""));
	g_assert_cmpuint(count(t, none, 1000), ==, 0);
}

static void test_held(Tree *t, gconstpointer data)
{
	static const char *const terms[] = {
	        "", "common", "commonn", "name", "of", "word", "word12", "zz"};
	enum { N = G_N_ELEMENTS(terms) };
	add_texts(t);
	for (int table = 0; table < 2; table++) {
		g_autoptr(GHashTable) all = scanned(t, table, "");
		bool held[N] = {[N - 1] = true}; /* known before */
		OK(reader_begin(t->r, 0, error));
		OK(terms_exist(t->r, table, terms, N, held, error));
		reader_end(t->r);
		for (size_t i = 0; i < N - 1; i++)
			g_assert_cmpint(held[i], ==, g_hash_table_contains(all, terms[i]));
		g_assert_true(held[N - 1]);
	}
}

static void forget(void *data, int64_t document, bool more, const uint8_t *positions, size_t length)
{
	unsigned n[2] = {0};
	FtsPositions found = {.begun = more};
	fts_positions_count(&found, positions, length, n, G_N_ELEMENTS(n));
	*(uint64_t *)data += n[0] + document;
}

static void look_up_all(Tree *t)
{
	uint64_t sum = 0;
	static const char *const terms[] = {"common", "word1", "word12", "word7", "zz"};
	enum { N = G_N_ELEMENTS(terms) };
	bool held[N] = {false};
	uint64_t n;
	g_autoptr(GError) why = NULL;
	OK(reader_begin(t->r, 0, error));
	if (!terms_exist(t->r, TERMS_OF_TEXT, terms, N, held, &why))
		g_assert_error(why, INDEX_ERROR, INDEX_ERROR_DAMAGED);
	g_clear_error(&why);
	if (!terms_count_documents(t->r, TERMS_OF_TEXT, terms, N, 1000, &n, &why))
		g_assert_error(why, INDEX_ERROR, INDEX_ERROR_DAMAGED);
	g_clear_error(&why);
	if (!term_scan_positions(t->r, TERMS_OF_TEXT, "", true, forget, &sum, &why))
		g_assert_error(why, INDEX_ERROR, INDEX_ERROR_DAMAGED);
	reader_end(t->r);
}

/* Random bytes in the pages: an error or other terms, never more. */
static void test_damaged_pages(Tree *t, gconstpointer data)
{
	g_autofree char *file = g_build_filename(t->index.dir, "index.db", NULL);
	g_autoptr(GRand) random = g_rand_new_with_seed(3);
	add_texts(t);
	for (int i = 0; i < 300; i++) {
		sqlite3 *db;
		uint8_t bytes[8000];
		int length = i % 3 ? (int)sizeof bytes : g_rand_int_range(random, 0, 40);
		sqlite3_stmt *statement;
		for (size_t k = 0; k < sizeof bytes; k++)
			bytes[k] = g_rand_int_range(random, 0, i % 2 ? 256 : 128);
		g_assert_cmpint(sqlite3_open(file, &db), ==, SQLITE_OK);
		sqlite3_prepare_v2(db,
		        "UPDATE text_data SET block = ?1 WHERE id = (SELECT (segid << 37) + (pgno "
		        ">> 1) "
		        "FROM text_idx ORDER BY random() LIMIT 1)",
		        -1, &statement, NULL);
		sqlite3_bind_blob(statement, 1, bytes, length, SQLITE_STATIC);
		g_assert_cmpint(sqlite3_step(statement), ==, SQLITE_DONE);
		sqlite3_finalize(statement);
		sqlite3_close(db);
		g_autoptr(GHashTable) terms = set_new();
		g_autoptr(GError) why = NULL;
		OK(reader_begin(t->r, 0, error));
		if (!term_scan(t->r, TERMS_OF_TEXT, "", collect, terms, &why))
			g_assert_error(why, INDEX_ERROR, INDEX_ERROR_DAMAGED);
		reader_end(t->r);
		look_up_all(t);
	}
}

#define ADD(name, function)                                                                        \
	g_test_add("/index/term-scan/" name, Tree, NULL, tree_up, function, tree_down)

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	ADD("same-as-listed", test_same_as_listed);
	ADD("empty", test_empty);
	ADD("stops", test_stops);
	ADD("same-documents", test_same_documents);
	ADD("held", test_held);
	ADD("damaged-pages", test_damaged_pages);
	return g_test_run();
}
