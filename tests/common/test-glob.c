/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/base/glob.h"
#include <sqlite3.h>
#include <string.h>

static bool matches(GlobSyntax syntax, const char *pattern, const char *text)
{
	g_autoptr(GlobSet) set = glob_set_new(syntax);
	glob_set_add(set, pattern);
	glob_set_compile(set);
	return glob_set_match(set, text, strlen(text)) & 1;
}

/* ---- SQLite's syntax: SQLite's answer is the right one */

static void check(const char *pattern, const char *text)
{
	bool wanted = sqlite3_strglob(pattern, text) == 0;
	if (matches(GLOB_SQLITE, pattern, text) != wanted)
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

/* ---- gitignore's syntax: a plain matcher that tries everything is right */

/* Reads a class at p ("["), without named classes. Returns what follows it; NULL: it is open. */
static const char *plain_class(const char *p, char c, bool *hit_r)
{
	bool inverted = p[1] == '!' || p[1] == '^', hit = false;
	p += inverted ? 2 : 1;
	for (bool first = true; first || *p != ']'; first = false) {
		p += *p == '\\';
		char low = *p, high = low;
		if (low == '\0')
			return NULL;
		p++;
		if (p[0] == '-' && p[1] != ']') {
			p += p[1] == '\\' ? 2 : 1;
			high = *p;
			if (high == '\0')
				return NULL;
			p++;
		}
		hit |= c == low || (low <= c && c <= high);
	}
	*hit_r = hit != inverted && c != '/';
	return p + 1;
}

static bool plain_is_well_formed(const char *p)
{
	bool hit;
	while (p && *p) {
		if (*p == '[')
			p = plain_class(p, 'x', &hit);
		else if (*p == '\\')
			p = p[1] ? p + 2 : NULL;
		else
			p++;
	}
	return p != NULL;
}

static bool plain_matches(const char *whole, const char *p, const char *text);

/* Tries all that the stars at p can match. */
static bool plain_stars(const char *whole, const char *p, const char *text)
{
	size_t stars = strspn(p, "*");
	bool deep = stars > 1 && (p == whole || p[-1] == '/');
	const char *rest = p + stars;
	if (deep && *rest == '\0')
		return true;
	if (deep && *rest == '/') {
		const char *slash;
		for (; !plain_matches(whole, rest + 1, text); text = slash + 1)
			if (!(slash = strchr(text, '/')))
				return false;
		return true;
	}
	for (; !plain_matches(whole, rest, text); text++)
		if (*text == '\0' || *text == '/')
			return false;
	return true;
}

static bool plain_matches(const char *whole, const char *p, const char *text)
{
	bool hit = true;
	if (*p == '*')
		return plain_stars(whole, p, text);
	if (*p == '\0' || *text == '\0')
		return *p == *text;
	if (*p == '[') {
		p = plain_class(p, *text, &hit);
	} else if (*p == '?') {
		hit = *text != '/';
		p++;
	} else {
		p += *p == '\\';
		hit = *p++ == *text;
	}
	return hit && plain_matches(whole, p, text + 1);
}

static void test_random_gitignore(void)
{
	for (int i = 0; i < 500000; i++) {
		char pattern[14], text[12];
		fill(pattern, "aab***//?[]!-\\", sizeof pattern);
		fill(text, "aaab//-]", sizeof text);
		bool wanted =
		        plain_is_well_formed(pattern) && plain_matches(pattern, pattern, text);
		if (matches(GLOB_GITIGNORE, pattern, text) != wanted)
			g_error("\"%s\" and \"%s\": not %d", pattern, text, wanted);
	}
}

/* ---- sets and cost */

/* The states of the patterns lie across the borders of words. */
static void test_set(void)
{
	static const char *const patterns[] = {"**/b/**/[!x]*z", "[", "", "*b*", "**/a/**/?*z"};
	for (int filler = 0; filler < 130; filler++) {
		g_autofree char *pad = g_strnfill(filler, '?');
		g_autoptr(GlobSet) set = glob_set_new(GLOB_GITIGNORE);
		g_assert_true(glob_set_add(set, pad));
		for (guint i = 0; i < G_N_ELEMENTS(patterns); i++)
			g_assert_cmpint(glob_set_add(set, patterns[i]), ==, i != 1);
		glob_set_compile(set);
		g_autofree uint64_t *states = glob_set_start(set);
		g_assert_cmpint(glob_set_matches(set, states, 3), ==, true);
		glob_set_advance(set, states, "x/b/y", 5);
		glob_set_advance(set, states, "/yz", 3);
		g_assert_cmpint(glob_set_length(set), ==, 6);
		for (guint i = 0; i < 6; i++)
			g_assert_cmpint(glob_set_matches(set, states, i), ==, i == 1);
	}
}

/* A matcher that backtracks to every star would never end. */
static void test_long(void)
{
	g_autofree char *text = g_strnfill(100000, 'a');
	g_assert_false(matches(GLOB_SQLITE, "*a*a*a*a*b", text));
	g_assert_true(matches(GLOB_SQLITE, "*a*a*a*a*a", text));
	g_assert_false(matches(GLOB_GITIGNORE, "**/*a*a*a*a*b", text));
}

static uint64_t steps(const char *piece, unsigned pieces, size_t length)
{
	g_autoptr(GString) pattern = g_string_new(NULL);
	g_autofree char *text = g_strnfill(length, 'a');
	g_autoptr(GlobSet) set = glob_set_new(GLOB_GITIGNORE);
	for (unsigned i = 0; i < pieces; i++)
		g_string_append(pattern, piece);
	g_string_append_c(pattern, 'b');
	glob_set_add(set, pattern->str);
	glob_set_compile(set);
	g_autofree uint64_t *states = glob_set_start(set);
	return glob_set_advance(set, states, text, length);
}

static void test_linear(void)
{
	static const char *const pieces[] = {"*a", "**/*a", "*[!b]*?"};
	for (size_t i = 0; i < G_N_ELEMENTS(pieces); i++) {
		uint64_t once = steps(pieces[i], 64, 1000);
		g_assert_cmpuint(steps(pieces[i], 64, 4000), <=, 4 * once);
		g_assert_cmpuint(steps(pieces[i], 256, 1000), <=, 4 * once);
		g_assert_cmpuint(once, <=, 1000 * (64 * strlen(pieces[i]) / 64 + 1));
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/common/glob/patterns-match-as-tabulated", test_cases);
	g_test_add_func("/common/glob/random-patterns-agree-with-the-plain-matcher", test_random);
	g_test_add_func(
	        "/common/glob/random-gitignore-patterns-agree-with-a-matcher-that-tries-everything",
	        test_random_gitignore);
	g_test_add_func("/common/glob/patterns-of-a-set-are-told-apart", test_set);
	g_test_add_func("/common/glob/long-patterns-end-in-time", test_long);
	g_test_add_func("/common/glob/steps-grow-with-pattern-and-text-only", test_linear);
	return g_test_run();
}
