/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/url/robots-index.h"
#include "common/url/robots-pattern.h"
#include "common/url/robots-rules.h"
#include <string.h>

static bool matches(const char *pattern, const char *path)
{
	return robots_match(pattern, path, strlen(path));
}

static void test_patterns(void)
{
	static const struct {
		const char *pattern, *path;
		bool wanted;
	} cases[] = {
	        {"", "/a", true},
	        {"/", "/a", true},
	        {"/a", "/a/b", true},
	        {"/a", "/b", false},
	        {"/a/", "/a", false},
	        {"/a$", "/a", true},
	        {"/a$", "/a/", false},
	        {"/$a", "/$a", true},
	        {"/a*", "/a", true},
	        {"/*c", "/a/b/c/d", true},
	        {"/*c$", "/a/c/c", true},
	        {"/*c$", "/a/c/d", false},
	        {"*", "", true},
	        {"*$", "/a", true},
	        {"$", "", true},
	        {"$", "/", false},
	        {"/a*b*c", "/a-c-b-c", true},
	        {"/a*b*c", "/a-c-b", false},
	        {"/a**b$", "/ab", true},
	        {"/ab*b$", "/ab", false},
	        {"/a*aba$", "/aababa", true},
	        {"/a*.php$", "/a.php.php", true},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		if (matches(cases[i].pattern, cases[i].path) != cases[i].wanted)
			g_error("\"%s\" and \"%s\": not %d", cases[i].pattern, cases[i].path,
			        cases[i].wanted);
	}
}

/* Tries everything. */
static bool plain_match(const char *pattern, const char *path)
{
	if (!*pattern || (pattern[0] == '$' && !pattern[1]))
		return !*pattern || !*path;
	if (*pattern == '*')
		return plain_match(pattern + 1, path) || (*path && plain_match(pattern, path + 1));
	return *pattern == *path && plain_match(pattern + 1, path + 1);
}

static void fill(char *out, const char *from, int max)
{
	int n = g_test_rand_int_range(0, max);

	for (int i = 0; i < n; i++)
		out[i] = from[g_test_rand_int_range(0, strlen(from))];
	out[n] = 0;
}

static void test_random_patterns(void)
{
	for (int i = 0; i < 200000; i++) {
		char pattern[10], path[14];
		fill(pattern, "aab**$", sizeof pattern);
		fill(path, "aab$", sizeof path);
		if (matches(pattern, path) != plain_match(pattern, path))
			g_error("\"%s\" and \"%s\": not %d", pattern, path,
			        plain_match(pattern, path));
	}
}

/* 30 stars over 50,000 letters take no time, unless places are tried again and again. */
static void test_many_stars(void)
{
	g_autofree char *path = g_strnfill(50000, 'a');
	g_autoptr(GString) pattern = g_string_new(NULL);

	for (int i = 0; i < 30; i++)
		g_string_append(pattern, "*aaaaa");
	g_assert_true(matches(pattern->str, path));
	g_string_append(pattern, "b");
	g_assert_false(matches(pattern->str, path));
}

static void test_paths(void)
{
	static const char *const cases[][2] = {
	        {"", "/"},
	        {"http://a.test", "/"},
	        {"http://a.test/", "/"},
	        {"http://a.test/a?b#c", "/a?b"},
	        {"http://a.test?b", "+?b"},
	        {"http://a.test;b#c", "+;b"},
	        {"http://a.test#/b", "/"},
	        {"a.test/a", "/a"},
	        {"//a.test/a", "/a"},
	        {"/a/http://b.test/c", "/a/http://b.test/c"},
	        {"a.test?http://b.test/c", "+?http://b.test/c"},
	        {"http://a.test/?x=http://b", "/?x=http://b"},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		size_t n;
		bool needs_slash;
		const char *path =
		        robots_url_path(cases[i][0], strlen(cases[i][0]), &n, &needs_slash);
		g_autofree char *got =
		        g_strdup_printf("%s%.*s", needs_slash ? "+" : "", (int)n, path);
		g_assert_cmpstr(got, ==, cases[i][1]);
	}
}

/* The index finds the pattern that trying all of them in turn finds. */
static void test_index(void)
{
	for (int round = 0; round < 3000; round++) {
		char patterns[12][10], path[14];
		const char *pointers[12];
		guint n = g_test_rand_int_range(0, G_N_ELEMENTS(patterns));
		for (guint i = 0; i < n; i++) {
			fill(patterns[i], "aab*$", sizeof patterns[i]);
			pointers[i] = patterns[i];
		}
		RobotsIndex *index = robots_index_new(pointers, n);
		for (int i = 0; i < 50; i++) {
			guint first = 0;
			fill(path, "aab$", sizeof path);
			while (first < n && !matches(patterns[first], path))
				first++;
			g_assert_cmpuint(robots_index_first(index, path, strlen(path)), ==, first);
		}
		robots_index_free(index);
	}
}

/* As many rules as a robots.txt may have, and as many paths as a sitemap may name: trying each rule
 * for each path would take minutes. */
static void test_many_rules(void)
{
	enum { RULES = 40000, PATHS = 50000 };
	g_autoptr(GPtrArray) patterns = g_ptr_array_new_with_free_func(g_free);
	for (unsigned i = 0; i < RULES; i++)
		g_ptr_array_add(patterns, g_strdup_printf("/section-%u/", i));
	RobotsIndex *index = robots_index_new((const char *const *)patterns->pdata, RULES);
	for (unsigned i = 0; i < PATHS; i++) {
		g_autofree char *path = g_strdup_printf("/section-%u/page.html", i);
		g_assert_cmpuint(robots_index_first(index, path, strlen(path)), ==, MIN(i, RULES));
	}
	robots_index_free(index);
}

/* ---- groups */

static const struct {
	DocLinkKind kind;
	const char *href, *text;
} links[] = {
        {LINK_AGENT, "*", "0"},
        {LINK_AGENT, "both", "0"},
        {LINK_DISALLOW, "/", "0"},
        {LINK_DELAY, "3.000", "0"},
        {LINK_SITEMAP, "https://a.test/map", ""},
        {LINK_AGENT, "one", "1"},
        {LINK_AGENT, "both", "1"},
        {LINK_ALLOW, "/a%7Eb/%2f", "1"},
        {LINK_DISALLOW, "/a", "1"},
        {LINK_DISALLOW, "/a%7Eb/%2f", "1"},
        {LINK_DELAY, "1.500", "1"},
        {LINK_AGENT, "none", "2"},
        {LINK_AGENT, "signs", "3"},
        {LINK_DISALLOW, "/%2a$", "3"},
        {LINK_DISALLOW, "/$a", "3"},
};

static bool allowed(const char *agent, const char *path, RobotsSpelling spelling, double delay)
{
	g_autoptr(Document) doc = document_new(NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(links); i++)
		document_add_link(doc, links[i].kind, 0, links[i].href, links[i].text);
	g_autoptr(RobotsRules) rules = robots_rules_new(doc, agent, spelling);
	g_assert_cmpfloat(robots_rules_delay(rules), ==, delay);
	bool allow = robots_rules_allow(rules, path, strlen(path));
	if (spelling == ROBOTS_CANONICAL) {
		g_autoptr(GBytes) packed = robots_rules_pack(rules);
		g_autoptr(RobotsRules) again = robots_rules_unpack(packed);
		g_assert_cmpfloat(robots_rules_delay(again), ==, delay);
		g_assert_cmpint(robots_rules_allow(again, path, strlen(path)), ==, allow);
	}
	return allow;
}

static void test_groups(void)
{
	g_assert_false(allowed("other", "/x", ROBOTS_AS_WRITTEN, 3));
	g_assert_true(allowed("one", "/x", ROBOTS_AS_WRITTEN, 1.5));
	g_assert_false(allowed("ONE", "/a", ROBOTS_AS_WRITTEN, 1.5));
	g_assert_true(allowed("one", "/a%7Eb/%2f", ROBOTS_AS_WRITTEN, 1.5));
	g_assert_false(allowed("both", "/x", ROBOTS_AS_WRITTEN, 3));
	g_assert_true(allowed("none", "/x", ROBOTS_AS_WRITTEN, -1));
	g_assert_false(allowed("one", "/a~b/%2F", ROBOTS_AS_WRITTEN, 1.5));
	g_assert_true(allowed("one", "/a~b/%2F", ROBOTS_CANONICAL, 1.5));
	g_assert_true(allowed("signs", "/*", ROBOTS_AS_WRITTEN, -1));
	g_assert_false(allowed("signs", "/*", ROBOTS_CANONICAL, -1));
	g_assert_false(allowed("signs", "/%2A", ROBOTS_CANONICAL, -1));
	g_assert_true(allowed("signs", "/*a", ROBOTS_CANONICAL, -1));
	g_assert_false(allowed("signs", "/$ab", ROBOTS_CANONICAL, -1));
}

/* Any bytes give rules. */
static void test_damaged_pack(void)
{
	static const char *const texts[] = {"", "x", "-1", "1e99", "1\0", "1\0-", "1\0\0\0-/a"};
	static const size_t lengths[] = {0, 1, 2, 4, 2, 3, 7};
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		g_autoptr(GBytes) packed = g_bytes_new_static(texts[i], lengths[i]);
		g_autoptr(RobotsRules) rules = robots_rules_unpack(packed);
		g_assert_true(robots_rules_allow(rules, "/a", 2));
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/robots-rules/patterns", test_patterns);
	g_test_add_func("/robots-rules/random-patterns", test_random_patterns);
	g_test_add_func("/robots-rules/many-stars", test_many_stars);
	g_test_add_func("/robots-rules/paths", test_paths);
	g_test_add_func("/robots-rules/index", test_index);
	g_test_add_func("/robots-rules/many-rules", test_many_rules);
	g_test_add_func("/robots-rules/groups", test_groups);
	g_test_add_func("/robots-rules/damaged-pack", test_damaged_pack);
	return g_test_run();
}
