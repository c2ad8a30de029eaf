/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/text/glob.h"
#include <glib.h>
#include <sqlite3.h>
#include <string.h>

/* SQLite's answer is the right one. */
static void check(const char *pattern, const char *text)
{
	bool wanted = sqlite3_strglob(pattern, text) == 0;
	if (glob_matches(pattern, text) != wanted)
		g_error("\"%s\" and \"%s\": not %d", pattern, text, wanted);
}

static void test_cases(void)
{
	static const char *const patterns[] = {"", "*", "a", "?", "*a", "a*", "*a*b", "[ab]",
	        "[^ab]c", "[a-c]*", "[a-", "[", "[]a]", "[^]a]", "[a-]", "[-a]", "é?", "[à-ü]",
	        "*東?", "a]", "**a**"};
	static const char *const texts[] = {"", "a", "b", "ab", "ba", "c", "]", "-", "]a", "cc",
	        "aab", "é", "éx", "東京", "x東京", "a]", "[", "[a-"};
	for (size_t i = 0; i < G_N_ELEMENTS(patterns); i++)
		for (size_t k = 0; k < G_N_ELEMENTS(texts); k++)
			check(patterns[i], texts[k]);
}

static void fill(char *out, const char *from, int max)
{
	int n = g_test_rand_int_range(0, max);
	for (int i = 0; i < n; i++)
		out[i] = from[g_test_rand_int_range(0, strlen(from))];
	out[n] = '\0';
}

static void test_random(void)
{
	for (int i = 0; i < 200000; i++) {
		char pattern[12], text[12];
		fill(pattern, "aab**?[]^-", sizeof pattern);
		fill(text, "aaab-]^", sizeof text);
		check(pattern, text);
	}
}

/* A matcher that backtracks to every star would never end. */
static void test_long(void)
{
	g_autofree char *text = g_strnfill(100000, 'a');
	g_assert_false(glob_matches("*a*a*a*a*b", text));
	g_assert_true(glob_matches("*a*a*a*a*a", text));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/index/glob/patterns-match-as-tabulated", test_cases);
	g_test_add_func("/index/glob/random-patterns-agree-with-the-plain-matcher", test_random);
	g_test_add_func("/index/glob/long-patterns-end-in-time", test_long);
	return g_test_run();
}
