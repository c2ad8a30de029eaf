/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/query/query.h"

static const QueryOptions options = {.cwd = "/home/u"};

static bool restrict_to(
        Query *query, const char *field, const char *one, const char *two, GError **error)
{
	g_autoptr(GPtrArray) values = g_ptr_array_new();
	if (one)
		g_ptr_array_add(values, (char *)one);
	if (two)
		g_ptr_array_add(values, (char *)two);
	return query_restrict(query, field, values, &options, error);
}

static void test_several_values_are_alternatives(void)
{
	g_autoptr(Query) query = query_all();
	g_assert_true(restrict_to(query, "dir", "/a b", "/c\"d", NULL));
	g_assert_cmpint(query->root->op, ==, QUERY_AND);
	const QueryNode *any = query->root->children->pdata[1];
	g_assert_cmpint(any->op, ==, QUERY_OR);
	const QueryNode *second = any->children->pdata[1];
	g_assert_cmpint(second->filter, ==, FILTER_DIR);
	g_assert_cmpstr(second->values[0], ==, "/c\"d");
}

static void test_words_stay(void)
{
	QueryFault fault = {0};
	g_autoptr(Query) query = query_parse("a OR b", &options, &fault, NULL);
	g_assert_true(restrict_to(query, "ext", "pdf", NULL, NULL));
	const QueryNode *words = query->root->children->pdata[0];
	const QueryNode *filter = query->root->children->pdata[1];
	g_assert_cmpint(words->op, ==, QUERY_OR);
	g_assert_cmpint(filter->filter, ==, FILTER_EXT);
	g_assert_cmpstr(query->text, ==, "a OR b");
}

static void test_no_value_is_no_restriction(void)
{
	g_autoptr(Query) query = query_all();
	g_assert_true(restrict_to(query, "ext", NULL, NULL, NULL));
	g_assert_cmpint(query->root->op, ==, QUERY_FILTER);
	g_assert_cmpint(query->root->filter, ==, FILTER_ALL);
}

static void test_by_a_query(void)
{
	QueryFault fault = {0};
	g_autoptr(GError) error = NULL;
	g_autoptr(Query) query = query_parse("a OR b", &options, &fault, NULL);
	Query *other = query_parse("c OR ext:pdf", &options, &fault, NULL);
	g_assert_true(query_restrict_by(query, other, NULL));
	g_assert_cmpint(query->root->op, ==, QUERY_AND);
	g_assert_cmpuint(query->root->children->len, ==, 2);
	for (guint i = 0; i < 2; i++)
		g_assert_cmpint(((QueryNode *)query->root->children->pdata[i])->op, ==, QUERY_OR);
	g_assert_cmpuint(query_count_words(query), ==, 3);
	g_autoptr(GString) many = g_string_new(NULL);
	for (int i = 0; i < QUERY_MAX_TERMS - 2; i++)
		g_string_append_printf(many, "word%d ", i);
	other = query_parse(many->str, &options, &fault, NULL);
	g_assert_nonnull(other);
	g_assert_false(query_restrict_by(query, other, &error));
	g_assert_error(error, QUERY_ERROR, 0);
}

/* Returns the query that also has partial matches, restricted to a directory and by a filter. */
static Query *softened(const char *text, const char *filter)
{
	QueryFault fault = {0};
	g_autoptr(Query) query = query_parse(text, &options, &fault, NULL);
	g_assert_true(restrict_to(query, "dir", "/a", NULL, NULL));
	g_assert_true(query_restrict_by(query, query_parse(filter, &options, &fault, NULL), NULL));
	return query_soften(query);
}

static void test_partial_matches_keep_to_it(void)
{
	g_autoptr(Query) soft = softened("a b", "c (d OR e) -f");
	g_assert_nonnull(soft);
	guint restricting = 0;
	for (guint i = 0; i < soft->root->children->len; i++)
		restricting += ((QueryNode *)soft->root->children->pdata[i])->restricts;
	g_assert_cmpuint(restricting, ==, 4); /* /a, c, d OR e, not f */
	g_assert_cmpuint(soft->root->children->len, ==, restricting + 2); /* some, not all */
	g_autoptr(Query) none = softened("a", "c");
	g_assert_null(none);
}

static void test_wrong_value_is_an_error(void)
{
	g_autoptr(Query) query = query_all();
	g_autoptr(GError) error = NULL;
	g_assert_false(restrict_to(query, "type", "text", "nonsense", &error));
	g_assert_error(error, QUERY_ERROR, 0);
	g_clear_error(&error);
	g_assert_false(restrict_to(query, "ext", "\xff", NULL, &error));
	g_assert_error(error, QUERY_ERROR, 0);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/index/query-restrict/several-values-are-alternatives",
	        test_several_values_are_alternatives);
	g_test_add_func("/index/query-restrict/words-are-kept", test_words_stay);
	g_test_add_func("/index/query-restrict/by-a-query", test_by_a_query);
	g_test_add_func("/index/query-restrict/partial-matches-keep-to-it",
	        test_partial_matches_keep_to_it);
	g_test_add_func("/index/query-restrict/no-value-is-no-restriction",
	        test_no_value_is_no_restriction);
	g_test_add_func(
	        "/index/query-restrict/wrong-value-is-an-error", test_wrong_value_is_an_error);
	return g_test_run();
}
