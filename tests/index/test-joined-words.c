/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test-joined-words.c - words that signs join, in a query and in a text */
#include <config.h>
#include "index/text/joined-words.h"
#include "index/text/tokenizer.h"
#include <glib.h>
#include <string.h>

static int collect(void *data, const char *token, int length, int start, int end)
{
	(void)start, (void)end;
	g_ptr_array_add(data, g_strndup(token, length));
	return 0;
}

static char *joined_of(const char *query)
{
	g_autoptr(GPtrArray) tokens = g_ptr_array_new_with_free_func(g_free);
	tokenize_phrase(query, strlen(query), collect, tokens);
	g_ptr_array_add(tokens, NULL);
	return joined_words_of(query, strlen(query), (char **)tokens->pdata);
}

typedef struct {
	const char *query, *joined;
} Row;
static const Row rows[] = {{"1.2.3", "1.2.3"}, {"foo_bar", "foo_bar"}, {"Foo_Bar", "foo_bar"},
        {"\"1.2.3\"", "1.2.3"}, {"(x->y)", "x->y"}, {"key=value", "key=value"}, {"a/b", "a/b"},
        {"Köln-Süd", "koln-sud"}, {"東京・大阪", "東京・大阪"}, {"foo", NULL}, {"foo bar", NULL},
        {"foo, bar", NULL}, {"a- b", NULL}, {"fooBar", NULL}, {"don't", NULL}, {"don’t", NULL},
        {"o´brien", NULL}, {"rock'n'roll-band", "rock'n'roll-band"}, {"東京大阪", NULL},
        {"...", NULL}, {"", NULL}};

static void test_queries(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *joined = joined_of(rows[i].query);
		g_test_message("%s", rows[i].query);
		g_assert_cmpstr(joined, ==, rows[i].joined);
	}
}

/* A node of a saved search has the place of another text. */
static void test_other_tokens(void)
{
	char *const more[] = {(char *)"1", (char *)"2", (char *)"3", NULL};
	char *const others[] = {(char *)"1", (char *)"3", NULL};
	g_assert_null(joined_words_of("1.2", 3, more));
	g_assert_null(joined_words_of("1.2", 3, others));
	g_assert_null(joined_words_of("1.2.3", 5, others));
}

typedef struct {
	const char *query, *text;
	bool occurs;
} Case;
static const Case cases[] = {{"1.2.3", "version 1.2.3", true}, {"1.2.3", "1.2.3", true},
        {"1.2.3", "(1.2.3)", true}, {"1.2.3", "1-2-3 or 1 2 3", false}, {"1.2.3", "11.2.3", false},
        {"1.2.3", "1.2.34", false}, {"1.2.3", "11.2.3, 1.2.3", true}, {"1.2.3", "1.2.", false},
        {"1.2.3", "", false}, {"foo_bar", "the FOO_bar()", true}, {"foo_bar", "foo-bar", false},
        {"foo_bar", "\u201cfoo_bar\u201d", true}, {"foo_bar", "éfoo_bar", false},
        {"foo_bar", "foo_baré", false}, {"foo_bar", "foo_bar\u0301", true},
        {"foo_bar",
                "\xff"
                "foo_bar\xff",
                true},
        {"köln-süd", "in KÖLN-SÜD", true}, {"köln-süd", "in koln-sud", true},
        {"köln-süd", "in köln süd", false}, {"köln-süd", "\x81köln-süd\x8d", true},
        {"köln-süd", "\xffköln-süd\xe4", false}};

static void test_texts(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *joined = joined_of(cases[i].query);
		size_t length = strlen(cases[i].text);
		g_autofree char *bytes = g_memdup2(cases[i].text, MAX(length, 1)); /* without NUL */
		g_test_message("%s in %s", cases[i].query, cases[i].text);
		g_autofree char *folded = NULL;
		g_assert_cmpint(
		        joined_words_occur(joined, bytes, length, &folded), ==, cases[i].occurs);
	}
}

/* A query may have many joined words, and folding a text takes longer than searching it. */
static void test_folded_once(void)
{
	static const char text[] = "in KÖLN-SÜD und MÜNCHEN-OST";
	g_autofree char *folded = NULL;
	g_assert_true(joined_words_occur("koln-sud", text, strlen(text), &folded));
	const char *first = folded;
	g_assert_nonnull(first);
	g_assert_true(joined_words_occur("munchen-ost", text, strlen(text), &folded));
	g_assert_true(folded == first);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/index/joined-words/queries", test_queries);
	g_test_add_func("/index/joined-words/other-tokens", test_other_tokens);
	g_test_add_func("/index/joined-words/texts", test_texts);
	g_test_add_func("/index/joined-words/folded-once", test_folded_once);
	return g_test_run();
}
