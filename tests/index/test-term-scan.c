/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test-term-scan.c - the vocabulary and documents read from the pages are those that FTS5 finds */
#include <config.h>
#include "index/fts/fts-gate.h"
#include "index/fts/term-scan.h"
#include "index/text/columns.h"
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

/* Lists the terms with fts5vocab. */
static GHashTable *listed(Tree *t, const char *table, const char *start)
{
	g_autofree char *sql = g_strdup_printf("SELECT term FROM temp.%s", table);
	GHashTable *terms = set_new();
	sqlite3_stmt *statement;
	OK(term_scan_vocabularies(t->r, error));
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

/* Adds several segments of many pages: terms that fill pages, and one term whose documents fill
 * pages. */
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

/* One term has documents that fill pages, and thousands of terms have the same documents. */
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

static bool add_up(void *data, const TermPosting *posting)
{
	*(uint64_t *)data += posting->counts[0] + posting->document;
	return true;
}

static bool walk_any_term(void *data, const char *term)
{
	return true;
}

static void look_up_all(Tree *t)
{
	uint64_t sum = 0;
	static const char *const terms[] = {"common", "word1", "word12", "word7", "zz"};
	enum { N = G_N_ELEMENTS(terms) };
	bool held[N] = {false};
	uint64_t n;
	g_autoptr(GError) why = NULL;
	static const TermWalkFuncs walk = {walk_any_term, add_up};
	g_autofree char *last = NULL;
	OK(reader_begin(t->r, 0, error));
	if (!terms_walk(t->r, TERMS_OF_TEXT, "", 1000000, &walk, &sum, &last, &why))
		g_assert_error(why, INDEX_ERROR, INDEX_ERROR_DAMAGED);
	g_clear_error(&why);
	if (!terms_exist(t->r, TERMS_OF_TEXT, terms, N, held, &why))
		g_assert_error(why, INDEX_ERROR, INDEX_ERROR_DAMAGED);
	g_clear_error(&why);
	if (!terms_count_documents(t->r, TERMS_OF_TEXT, terms, N, 1000, &n, &why))
		g_assert_error(why, INDEX_ERROR, INDEX_ERROR_DAMAGED);
	g_clear_error(&why);
	if (!term_scan_postings(t->r, TERMS_OF_TEXT, "", true, add_up, &sum, &why))
		g_assert_error(why, INDEX_ERROR, INDEX_ERROR_DAMAGED);
	reader_end(t->r);
}

/* ---- the two ways of reading, and the gate between them */

static bool collect_posting(void *data, const TermPosting *posting)
{
	GHashTable *sums = data;
	unsigned *sum = g_hash_table_lookup(sums, &posting->document);
	if (!sum) {
		sum = g_new0(unsigned, N_COLUMNS);
		g_hash_table_insert(
		        sums, g_memdup2(&posting->document, sizeof posting->document), sum);
	}
	for (unsigned i = 0; i < posting->columns; i++)
		sum[i] += posting->counts[i];
	return true;
}

static GHashTable *postings_of(Tree *t, TermTable table, const char *term, bool prefix)
{
	GHashTable *sums = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
	OK(reader_begin(t->r, 0, error));
	OK(term_scan_postings(t->r, table, term, prefix, collect_posting, sums, error));
	reader_end(t->r);
	return sums;
}

static void assert_same_postings(GHashTable *a, GHashTable *b)
{
	GHashTableIter iter;
	gpointer document, sums;
	g_assert_cmpuint(g_hash_table_size(a), ==, g_hash_table_size(b));
	g_hash_table_iter_init(&iter, a);
	while (g_hash_table_iter_next(&iter, &document, &sums))
		g_assert_cmpmem(sums, N_COLUMNS * sizeof(unsigned),
		        g_hash_table_lookup(b, document), N_COLUMNS * sizeof(unsigned));
}

static const char *gate_reason(Tree *t)
{
	const char *reason = NULL;
	OK(fts_gate_reason(t->r, &reason, error));
	return reason;
}

static const char *switch_before; /* depends on how the suite is run */

static void set_gate(Tree *t, bool open)
{
	if (open)
		g_unsetenv("TARSIER_FTS_PAGES");
	else
		g_setenv("TARSIER_FTS_PAGES", "no", true);
	tree_open(t);
	g_assert_cmpint(gate_reason(t) == NULL, ==, open);
}

static void restore_gate(void)
{
	if (switch_before)
		g_setenv("TARSIER_FTS_PAGES", switch_before, true);
	else
		g_unsetenv("TARSIER_FTS_PAGES");
}

static void test_both_ways(Tree *t, gconstpointer data)
{
	static const struct {
		const char *term;
		bool prefix;
	} asked[] = {{"common", false}, {"common", true}, {"word1", true}, {"word", true},
	        {"zz", false}, {"name", false}, {"", true}, {"of", true}};
	enum { N = G_N_ELEMENTS(asked) };
	GHashTable *pages[N_TERM_TABLES][N];
	uint64_t documents[2], tokens[2];
	add_texts(t);
	set_gate(t, true);
	for (int table = 0; table < N_TERM_TABLES; table++)
		for (size_t i = 0; i < N; i++)
			pages[table][i] = postings_of(t, table, asked[i].term, asked[i].prefix);
	for (int open = 1; open >= 0; open--) {
		set_gate(t, open);
		OK(reader_begin(t->r, 0, error));
		OK(terms_totals(t->r, TERMS_OF_TEXT, &documents[open], &tokens[open], error));
		reader_end(t->r);
	}
	g_assert_cmpuint(documents[1], ==, 120);
	g_assert_cmpuint(documents[0], ==, documents[1]);
	g_assert_cmpuint(tokens[0], ==, tokens[1]);
	for (int table = 0; table < N_TERM_TABLES; table++)
		for (size_t i = 0; i < N; i++) {
			g_autoptr(GHashTable) match =
			        postings_of(t, table, asked[i].term, asked[i].prefix);
			assert_same_postings(pages[table][i], match);
			g_hash_table_unref(pages[table][i]);
		}
	restore_gate();
}

/* ---- a walk over all terms */

typedef struct {
	GString *out; /* a line for each term: its documents and occurrences */
	char *term; /* the last; NULL: none */
	uint64_t documents, occurrences;
	bool leave_out; /* every other term */
	unsigned n;
} Walk;

static void walk_end_term(Walk *walk)
{
	if (walk->term && (!walk->leave_out || walk->n % 2 == 0))
		g_string_append_printf(walk->out,
		        "%s %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT "\n", walk->term,
		        walk->documents, walk->occurrences);
	g_clear_pointer(&walk->term, g_free);
	walk->documents = walk->occurrences = 0;
}

static bool walk_take_term(void *data, const char *term)
{
	Walk *walk = data;
	walk_end_term(walk);
	walk->term = g_strdup(term);
	return ++walk->n % 2 == 0 || !walk->leave_out;
}

static bool walk_take_posting(void *data, const TermPosting *posting)
{
	Walk *walk = data;
	walk->documents++;
	for (unsigned i = 0; i < posting->columns; i++)
		walk->occurrences += posting->counts[i];
	return true;
}

static char *walked(Tree *t, TermTable table, unsigned pages, bool leave_out)
{
	static const TermWalkFuncs f = {walk_take_term, walk_take_posting};
	Walk walk = {.out = g_string_new(NULL), .leave_out = leave_out};
	g_autofree char *after = g_strdup("");
	while (after) {
		g_autofree char *before = g_steal_pointer(&after);
		OK(reader_begin(t->r, 0, error));
		OK(terms_walk(t->r, table, before, pages, &f, &walk, &after, error));
		reader_end(t->r);
	}
	walk_end_term(&walk);
	return g_string_free(walk.out, FALSE);
}

/* The counts of FTS5 itself; every other term with step 2. */
static char *counted(Tree *t, const char *table, unsigned step)
{
	g_autofree char *sql =
	        g_strdup_printf("SELECT term, doc, cnt FROM temp.%s ORDER BY term", table);
	GString *out = g_string_new(NULL);
	sqlite3_stmt *statement;
	OK(term_scan_vocabularies(t->r, error));
	g_assert_cmpint(sqlite3_prepare_v2(t->r->db, sql, -1, &statement, NULL), ==, SQLITE_OK);
	for (unsigned n = 1; sqlite3_step(statement) == SQLITE_ROW; n++)
		if (n % step == 0)
			g_string_append_printf(out, "%s %lld %lld\n",
			        (const char *)sqlite3_column_text(statement, 0),
			        sqlite3_column_int64(statement, 1),
			        sqlite3_column_int64(statement, 2));
	sqlite3_finalize(statement);
	return g_string_free(out, FALSE);
}

static void test_walk(Tree *t, gconstpointer data)
{
	static const unsigned slices[] = {1, 7, 1000000};
	add_texts(t);
	for (int open = 1; open >= 0; open--) {
		set_gate(t, open);
		g_autofree char *texts = counted(t, "text_terms", 1),
		                *others = counted(t, "text_terms", 2),
		                *names = counted(t, "name_terms", 1);
		for (size_t i = open ? 0 : 2; i < G_N_ELEMENTS(slices); i++) {
			g_autofree char *all = walked(t, TERMS_OF_TEXT, slices[i], false),
			                *some = walked(t, TERMS_OF_TEXT, slices[i], true),
			                *of_names = walked(t, TERMS_OF_NAMES, slices[i], false);
			g_assert_cmpstr(all, ==, texts);
			g_assert_cmpstr(of_names, ==, names);
			if (slices[i] == 1000000)
				g_assert_cmpstr(some, ==, others);
		}
	}
	restore_gate();
}

static void change_index(Tree *t, const char *sql)
{
	g_autofree char *file = g_build_filename(t->index.dir, "index.db", NULL);
	sqlite3 *db;
	g_assert_cmpint(sqlite3_open(file, &db), ==, SQLITE_OK);
	g_assert_cmpint(sqlite3_exec(db, sql, NULL, NULL, NULL), ==, SQLITE_OK);
	sqlite3_close(db);
}

static void test_unknown_version(Tree *t, gconstpointer data)
{
	add_texts(t);
	set_gate(t, true);
	change_index(t, "UPDATE name_config SET v = 9 WHERE k = 'version'");
	const char *reason = gate_reason(t);
	g_assert_nonnull(reason);
	g_assert_nonnull(strchr(reason, '9'));
	change_index(t, "UPDATE name_config SET v = 4 WHERE k = 'version'");
	g_assert_null(gate_reason(t));
	restore_gate();
}

/* The pages have a segment that FTS5 does not read, as a new format might have it. */
static void test_sample_differs(Tree *t, gconstpointer data)
{
	static const char *const terms[] = {"common", NULL};
	add_texts(t);
	set_gate(t, true);
	change_index(t, "INSERT INTO text_data SELECT id + (1000 << 37), block FROM text_data "
	                "WHERE id >= 1 << 37;"
	                "INSERT INTO text_idx SELECT segid + 1000, term, pgno FROM text_idx");
	tree_open(t);
	g_assert_nonnull(gate_reason(t));
	g_autoptr(GHashTable) all = postings_of(t, TERMS_OF_TEXT, "common", false);
	g_assert_cmpuint(g_hash_table_size(all), ==, 120);
	g_assert_cmpuint(count(t, terms, 1000), ==, 120);
	compare(t, TERMS_OF_TEXT, "text_terms", "word1");
	restore_gate();
}

/* Random bytes in the pages lead to an error or to other terms, never to more. */
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

/* A segment must have a number. */
static void test_damaged_segments(Tree *t, gconstpointer data)
{
	g_autoptr(GHashTable) terms = set_new();
	g_autoptr(GError) why = NULL;
	add_texts(t);
	change_index(t, "INSERT INTO text_idx VALUES('none', x'30', 2)");
	OK(reader_begin(t->r, 0, error));
	g_assert_false(term_scan(t->r, TERMS_OF_TEXT, "", collect, terms, &why));
	g_assert_error(why, INDEX_ERROR, INDEX_ERROR_DAMAGED);
	g_assert_cmpuint(terms_pages(t->r, TERMS_OF_TEXT, "word"), >, 0);
	reader_end(t->r);
}

#define ADD(name, function)                                                                        \
	g_test_add("/index/term-scan/" name, Tree, NULL, tree_up, function, tree_down)

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	ADD("terms-are-those-of-fts5vocab", test_same_as_listed);
	ADD("an-empty-index-has-no-terms", test_empty);
	ADD("a-scan-can-be-stopped", test_stops);
	ADD("posting-lists-are-those-of-match", test_same_documents);
	ADD("terms-exist-as-scanned", test_held);
	ADD("pages-and-match-give-the-same-postings", test_both_ways);
	ADD("a-walk-counts-as-fts5vocab", test_walk);
	ADD("an-unknown-version-closes-the-gate", test_unknown_version);
	ADD("a-sample-that-differs-closes-the-gate", test_sample_differs);
	ADD("damaged-pages-are-reported", test_damaged_pages);
	ADD("damaged-segments-are-reported", test_damaged_segments);
	return g_test_run();
}
