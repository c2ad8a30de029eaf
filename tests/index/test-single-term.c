/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test-single-term.c - a single-term query finds the same as FTS5, with the scores of
 * tarsier_rank() */
#include <config.h>
#include "index/search/expand.h"
#include "index/search/search-private.h"
#include "tests/index/search-test.h"
#include <math.h>
#include <string.h>

enum { DOCUMENTS = 400 };

static GArray *scores_new(void)
{
	return g_array_new(FALSE, FALSE, sizeof(SearchScore));
}

static int compare_documents(const void *a, const void *b)
{
	int64_t x = ((const SearchScore *)a)->document, y = ((const SearchScore *)b)->document;
	return x < y ? -1 : x > y;
}

/* Asks FTS5, as a query of several words does. */
static GArray *asked(const Search *s)
{
	g_autofree char *sql = g_strdup(
	        "SELECT d.id, tarsier_rank(text, d.words, d.date) FROM text CROSS JOIN document d "
	        "ON d.id = text.rowid WHERE text MATCH ?1");
	GArray *out = scores_new();
	sqlite3_stmt *statement;
	g_assert_cmpint(sqlite3_prepare_v2(s->r->db, sql, -1, &statement, NULL), ==, SQLITE_OK);
	sqlite3_bind_text(statement, 1, s->plan->expression, -1, SQLITE_STATIC);
	rank_reset(&s->state->rank, 1);
	for (unsigned i = 0; i < s->plan->n_phrases; i++)
		s->state->rank.forms[i] = s->plan->forms[i];
	while (sqlite3_step(statement) == SQLITE_ROW) {
		SearchScore score = {
		        sqlite3_column_int64(statement, 0), sqlite3_column_double(statement, 1)};
		g_array_append_val(out, score);
	}
	sqlite3_finalize(statement);
	g_array_sort(out, compare_documents);
	return out;
}

static GArray *counted(const Search *s, const QueryNode *node, const GArray *wanted)
{
	GArray *out = scores_new();
	rank_reset(&s->state->rank, 1);
	OK(single_term_search(s, node, QUERY_ALL_LANGUAGES, wanted, out, error));
	return out;
}

static void assert_same(const GArray *theirs, const GArray *ours)
{
	g_assert_cmpuint(ours->len, ==, theirs->len);
	for (guint i = 0; i < ours->len; i++) {
		const SearchScore *a = &g_array_index(theirs, SearchScore, i),
		                  *b = &g_array_index(ours, SearchScore, i);
		g_assert_cmpint(b->document, ==, a->document);
		g_assert_cmpfloat(fabs(b->score - a->score), <, 1e-9);
	}
}

/* Every third document is wanted, and some that do not exist. */
static void compare_wanted(const Search *s, const QueryNode *node, const GArray *theirs)
{
	g_autoptr(GArray) wanted = g_array_new(FALSE, FALSE, sizeof(int64_t)), some = scores_new();
	for (int64_t id = 0; id < DOCUMENTS * 2; id += 3)
		g_array_append_val(wanted, id);
	for (guint i = 0; i < theirs->len; i++)
		if (g_array_index(theirs, SearchScore, i).document % 3 == 0)
			g_array_append_val(some, g_array_index(theirs, SearchScore, i));
	g_autoptr(GArray) ours = counted(s, node, wanted);
	assert_same(some, ours);
}

/* Returns the number of documents. */
static guint compare(Tree *t, const char *text)
{
	g_autoptr(Query) query = parse(text, NULL);
	SearchState *state = search_attach(t->r, NULL);
	g_assert_nonnull(state);
	const SearchOptions options = {.limit = 10};
	QueryPlan plan;
	Search s = {.r = t->r, .state = state, .options = &options, .plan = &plan};
	OK(reader_begin(t->r, 0, error));
	OK(query_expand(query, t->r, error));
	g_assert_true(single_term_fits(query->root));
	search_plan(&plan, t->r, query, &options, PLAN_FAST);
	g_autoptr(GArray) theirs = asked(&s), ours = counted(&s, query->root, NULL);
	assert_same(theirs, ours);
	compare_wanted(&s, query->root, theirs);
	search_forget_counts(state);
	search_plan_clear(&plan);
	reader_end(t->r);
	return ours->len;
}

static void compare_all(Tree *t)
{
	static const char *const texts[] = {"common", "c*", "co*", "wordh", "word*", "wordh*", "w*",
	        "title:word*", "title:c*", "body:wordhi*", "heading:w*", "author:common",
	        "author:word*", "table", "\"table\"", "title:table", "tables", "zz*", "\xc3\xbcni*",
	        "rare*", "rare"};
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
		compare(t, texts[i]);
}

/* Writes numbers in letters. The parts of a compound word begin like the word, so it counts twice
 * where FTS5 counts its position. */
static char *words_of(GRand *random, int n)
{
	static const char *const forms[] = {"table", "tables", "tabled"};
	GString *text = g_string_new(NULL);
	for (int i = 0; i < n; i++)
		g_string_append_printf(text, "%s%x ", i % 3 ? "word" : "\xc3\xbcnic",
		        g_rand_int(random) >> (8 + i % 24));
	for (char *c = text->str; *c; c++)
		*c = g_ascii_isdigit(*c) ? *c - '0' + 'g' : *c;
	if (g_rand_int_range(random, 0, 3) == 0)
		g_string_append(text, forms[g_rand_int_range(random, 0, G_N_ELEMENTS(forms))]);
	return g_string_free(text, FALSE);
}

/* Makes several segments, documents whose positions fill pages, and words in several columns. */
static void add_document(Tree *t, GRand *random, int i)
{
	g_autofree char *name = g_strdup_printf("%d.txt", i), *title = words_of(random, i % 5);
	g_autofree char *body = words_of(random, g_rand_int_range(random, 0, 300));
	g_autoptr(GString) text = g_string_new(body);
	for (int n = i % 50 == 0 ? 40000 : i % 3; n > 0; n--)
		g_string_append(text, " common");
	if (i == DOCUMENTS / 2)
		g_string_append(text, " rarest");
	Entry entry = tree_make(t, name, text->str);
	Document *doc = document_of(text->str);
	g_assert_true(document_add_fact(doc, FIELD_TITLE, title, strlen(title)));
	if (i % 7 == 0)
		g_assert_true(document_add_fact(doc, FIELD_AUTHOR, "Common Wordsworth", 17));
	tree_convert(t, &entry, name, doc, NULL);
}

static void add_documents(Tree *t)
{
	g_autoptr(GRand) random = g_rand_new_with_seed(11);
	for (int i = 0; i < DOCUMENTS; i++) {
		add_document(t, random, i);
		if (i % 90 == 50)
			commit(&t->index);
	}
	tree_open(t);
}

static void test_same_as_asked(Tree *t, gconstpointer data)
{
	add_documents(t);
	compare_all(t);
	g_assert_cmpuint(compare(t, "common"), >, DOCUMENTS / 2);
	g_assert_cmpuint(compare(t, "word*"), >, DOCUMENTS * 9 / 10);
	g_assert_cmpuint(compare(t, "table"), >, compare(t, "\"table\""));
	g_assert_cmpuint(compare(t, "rare*"), ==, 1);
	g_assert_cmpuint(compare(t, "zz*"), ==, 0);
}

/* No page returns a deleted document, before, during and after the purge. */
static void test_removed(Tree *t, gconstpointer data)
{
	bool more = true;
	add_documents(t);
	for (int i = 0; i < DOCUMENTS; i += 2) {
		g_autofree char *name = g_strdup_printf("%d.txt", i);
		Entry entry;
		g_assert_cmpint(writer_lookup(t->index.w, t->node, name, &entry, NULL), ==, 1);
		OK(writer_remove(t->index.w, entry.node, error));
	}
	tree_open(t);
	compare_all(t);
	while (more) {
		OK(writer_purge_step(t->index.w, true, &more, error));
		tree_open(t);
		compare_all(t);
	}
	g_assert_cmpuint(compare(t, "word*"), <=, DOCUMENTS / 2);
}

static void test_empty(Tree *t, gconstpointer data)
{
	tree_open(t);
	g_assert_cmpuint(compare(t, "word*"), ==, 0);
	g_assert_cmpuint(compare(t, "word"), ==, 0);
}

#define ADD(name, function)                                                                        \
	g_test_add("/index/single-term/" name, Tree, NULL, tree_up, function, tree_down)

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	ADD("hits-and-scores-are-those-of-fts5", test_same_as_asked);
	ADD("removed-documents-are-not-found", test_removed);
	ADD("an-empty-index-has-no-hits", test_empty);
	return g_test_run();
}
