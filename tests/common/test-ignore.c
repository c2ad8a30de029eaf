/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/base/glob.h"
#include "common/rules/ignore.h"
#include <string.h>

/* The lines of a list, an entry ("/" at the end: a directory), and the verdict: x excluded, b taken
 * back, - no match. */
static const struct {
	const char *lines, *entry;
	char verdict;
} cases[] = {
        /* names at any depth */
        {"foo", "foo", 'x'},
        {"foo", "a/b/foo", 'x'},
        {"foo", "a/b/foo/", 'x'},
        {"foo", "foobar", '-'},
        {"foo", "Foo", '-'},
        {"*.o", "a/x.o", 'x'},
        {"*.o", "x.oo", '-'},
        {"*.o", ".o", 'x'},
        {"a*c", "abc", 'x'},
        {"a*c", "ac", 'x'},
        {"a*c", "acb", '-'},
        {"*a*b*", "xxaxxbxx", 'x'},
        {"*a*b*", "xxbxxaxx", '-'},
        {"?", "a", 'x'},
        {"?", "ab", '-'},
        {"*", "a/b/c", 'x'},
        /* anchored to the directory of the list */
        {"/foo", "foo", 'x'},
        {"/foo", "a/foo", '-'},
        {"a/foo", "a/foo", 'x'},
        {"a/foo", "b/a/foo", '-'},
        {"/*.c", "x.c", 'x'},
        {"/*.c", "a/x.c", '-'},
        {"a/*", "a/x", 'x'},
        {"a/*", "a/x/y", '-'},
        {"a/*/c", "a/b/c", 'x'},
        {"a/*/c", "a/b/b/c", '-'},
        {"a/?/c", "a/b/c", 'x'},
        {"a?c", "a/c", '-'},
        {"a[/]c", "a/c", '-'},
        {"x/a[!b]c", "x/a/c", '-'},
        /* directories only */
        {"foo/", "foo/", 'x'},
        {"foo/", "foo", '-'},
        {"foo/", "a/foo/", 'x'},
        {"/foo/", "a/foo/", '-'},
        {"a/foo/", "a/foo/", 'x'},
        {"*/", "a/", 'x'},
        {"*/", "a", '-'},
        /* two stars */
        {"**/foo", "foo", 'x'},
        {"**/foo", "a/b/foo", 'x'},
        {"**/foo", "a/b/xfoo", '-'},
        {"**/a/b", "x/y/a/b", 'x'},
        {"**/a/b", "a/b", 'x'},
        {"a/**", "a/b/c", 'x'},
        {"a/**", "a", '-'},
        {"a/**", "a/", '-'},
        {"a/**/b", "a/b", 'x'},
        {"a/**/b", "a/x/y/b", 'x'},
        {"a/**/b", "ab", '-'},
        {"a/**/b", "a/xb", '-'},
        {"a/**/b/**/c", "a/b/1/b/2/c", 'x'},
        {"a/**/*.c/d", "a/x.c/y.c/d", 'x'},
        {"**", "a/b", 'x'},
        {"/**", "a/b", 'x'},
        {"**/", "a/", 'x'},
        {"**/", "a", '-'},
        {"a**b", "axxb", 'x'},
        {"x/a**b", "x/axx/b", '-'},
        {"x/**b", "x/ab", 'x'},
        {"x/**b", "x/a/b", '-'},
        {"**/**/x", "x", 'x'},
        {"/***/x", "a/x", 'x'},
        /* classes */
        {"[abc]", "b", 'x'},
        {"[abc]", "d", '-'},
        {"[!abc]", "d", 'x'},
        {"[^abc]", "b", '-'},
        {"[a-c]x", "bx", 'x'},
        {"[a-c]x", "dx", '-'},
        {"[]]", "]", 'x'},
        {"[!]]", "]", '-'},
        {"[]-]", "-", 'x'},
        {"[a-]", "-", 'x'},
        {"[\\]]", "]", 'x'},
        {"[\\a-c]", "b", 'x'},
        {"[[:digit:]]x", "7x", 'x'},
        {"[[:digit:]]x", "ax", '-'},
        {"[![:space:]]", "a", 'x'},
        {"[[:upper:][:digit:]]", "7", 'x'},
        {"[[:nosuch:]]", "a", '-'},
        {"[c-a]", "b", '-'},
        /* malformed: never match */
        {"[abc", "a", '-'},
        {"[abc", "[abc", '-'},
        {"a\\", "a", '-'},
        {"a\\", "a\\", '-'},
        {"[[:alpha:", "a", '-'},
        /* escapes, comments, spaces */
        {"# x", "# x", '-'},
        {"\\#x", "#x", 'x'},
        {"\\!x", "!x", 'x'},
        {"\\*", "*", 'x'},
        {"\\*", "a", '-'},
        {"a\\?c", "a?c", 'x'},
        {"a\\?c", "abc", '-'},
        {"x   ", "x", 'x'},
        {"x\\ ", "x ", 'x'},
        {"x y", "x y", 'x'},
        {"  x", "  x", 'x'},
        {"x\r", "x", 'x'},
        {"\357\273\277x", "x", 'x'},
        {"\377*", "\377\376", 'x'},
        {"", "a", '-'},
        {"/", "a", '-'},
        {"!", "a", '-'},
        /* the last line that matches decides */
        {"*.o\n!keep.o", "keep.o", 'b'},
        {"*.o\n!keep.o", "other.o", 'x'},
        {"!keep.o\n*.o", "keep.o", 'x'},
        {"*.o\n\n# c\n!keep.o\nkeep.o", "keep.o", 'x'},
        {"/*\n!/a/", "a/", 'b'},
        {"/*\n!/a/", "a", 'x'},
};

static char verdict_letter(const char *lines, const char *entry)
{
	g_autoptr(IgnoreList) list = ignore_list_new();
	g_autofree char *path = g_strdup(entry);
	bool is_dir = g_str_has_suffix(path, "/");
	if (is_dir)
		path[strlen(path) - 1] = '\0';
	const char *slash = strrchr(path, '/');
	g_assert_true(ignore_list_add_file(list, lines, strlen(lines), "f"));
	switch (ignore_list_match(list, slash ? slash + 1 : path, path, is_dir, NULL)) {
	case IGNORE_EXCLUDED:
		return 'x';
	case IGNORE_TAKEN_BACK:
		return 'b';
	default:
		return '-';
	}
}

static void test_table(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		char got = verdict_letter(cases[i].lines, cases[i].entry);
		if (got != cases[i].verdict)
			g_error("\"%s\" on \"%s\": %c, expected %c", cases[i].lines, cases[i].entry,
			        got, cases[i].verdict);
	}
}

static void test_reason_names_the_line(void)
{
	const char *why = NULL, *text = "# one\n\n*.o  \n!a.o\n";
	g_autoptr(IgnoreList) list = ignore_list_new();
	g_assert_true(ignore_list_add_file(list, text, strlen(text), "~/x/.tarsierignore"));
	g_assert_cmpint(ignore_list_match(list, "b.o", NULL, false, &why), ==, IGNORE_EXCLUDED);
	g_assert_cmpstr(why, ==, "~/x/.tarsierignore:3: *.o");
	g_assert_false(ignore_list_needs_path(list));
}

static void test_nul_in_a_file_ends_only_its_line(void)
{
	g_autoptr(IgnoreList) list = ignore_list_new();
	g_assert_true(ignore_list_add_file(list, "a\0b\nc\n", 6, "f"));
	g_assert_cmpint(ignore_list_match(list, "c", NULL, false, NULL), ==, IGNORE_EXCLUDED);
}

static void test_long_lists_are_refused(void)
{
	g_autofree char *line = g_strnfill(IGNORE_MAX_PATTERN_BYTES + 1, 'x');
	g_autoptr(IgnoreList) list = ignore_list_new();
	g_assert_false(ignore_list_add(list, line, strlen(line), "f"));
	for (int i = 0; i < IGNORE_MAX_PATTERNS; i++)
		g_assert_true(ignore_list_add(list, "x", 1, "f"));
	g_assert_false(ignore_list_add(list, "x", 1, "f"));
}

static bool ignore_pattern_matches(const char *pattern, const char *text)
{
	g_autoptr(GlobSet) set = glob_set_new(GLOB_GITIGNORE);
	glob_set_add(set, pattern);
	glob_set_compile(set);
	return glob_set_match(set, text, strlen(text)) & 1;
}

/* Found by the fuzzer: the matcher never ended. */
static void test_empty_text_ends(void)
{
	g_assert_true(ignore_pattern_matches("**", ""));
	g_assert_true(ignore_pattern_matches("a/***", "a/"));
	g_assert_false(ignore_pattern_matches("**/a", ""));
	g_assert_false(ignore_pattern_matches("?", ""));
}

/* A matcher with full backtracking takes exponential time; this one must end. */
static void test_hostile_patterns_end(void)
{
	g_autoptr(GString) stars = g_string_new("x/"), deep = g_string_new(NULL);
	g_autofree char *name = g_strnfill(4000, 'a');
	g_autoptr(GString) path = g_string_new("x/");
	for (int i = 0; i < 500; i++) {
		g_string_append(stars, "*a");
		g_string_append(deep, "**/a*");
		g_string_append(path, "a/");
	}
	g_string_append(deep, "b");
	g_string_append(stars, "b");
	g_string_append(path, name);
	g_assert_false(ignore_pattern_matches(stars->str, path->str));
	g_assert_false(ignore_pattern_matches(deep->str, path->str));
	g_assert_false(ignore_pattern_matches("**/*a*a*a*b", path->str));
}

/* "*.x", then many patterns with as many stars as fit, then "last". */
static IgnoreList *hostile_list(unsigned lines, const IgnoreList *above)
{
	g_autoptr(GString) text = g_string_new("*.x\n");
	IgnoreList *list = ignore_list_new_below(above);
	for (unsigned i = 0; i < lines; i++) {
		for (int k = 0; k < 60; k++)
			g_string_append(text, "*a");
		g_string_append(text, "b\n");
	}
	g_string_append(text, "last\n");
	ignore_list_add_file(list, text->str, text->len, "f");
	return list;
}

static IgnoreVerdict ask(IgnoreList *list, const char *name)
{
	return ignore_list_match(list, name, NULL, false, NULL);
}

/* A step of the automaton computes ignore_list_words() words for each byte of a name. */
static void test_cost_does_not_grow_with_the_file(void)
{
	g_autoptr(IgnoreList) few = hostile_list(10, NULL), many = hostile_list(100, NULL),
	                      more = hostile_list(2000, NULL);
	g_assert_cmpuint(ignore_list_cut_line(few), ==, 0);
	g_assert_cmpint(ask(few, "last"), ==, IGNORE_EXCLUDED);
	g_assert_cmpuint(ignore_list_words(many), >, 9 * ignore_list_words(few) / 2);
	g_assert_cmpuint(ignore_list_words(many), <=, IGNORE_MAX_WORDS);
	g_assert_cmpuint(ignore_list_words(more), ==, ignore_list_words(many));
	g_assert_cmpuint(ignore_list_cut_line(more), ==, ignore_list_cut_line(many));
	g_assert_cmpuint(ignore_list_cut_line(more), >, 1);
}

static void test_what_is_before_a_cut_applies(void)
{
	g_autoptr(IgnoreList) list = hostile_list(2000, NULL);
	g_autoptr(IgnoreList) last = hostile_list(0, NULL);
	g_assert_cmpint(ask(list, "aaa.x"), ==, IGNORE_EXCLUDED);
	g_assert_cmpint(ask(list, "last"), ==, IGNORE_NO_MATCH);
	g_assert_cmpint(ask(last, "last"), ==, IGNORE_EXCLUDED);
}

static void test_lists_share_their_limits(void)
{
	g_autoptr(IgnoreList) above = hostile_list(50, NULL), below = hostile_list(50, above);
	g_assert_cmpuint(ignore_list_cut_line(above), ==, 0);
	g_assert_cmpuint(ignore_list_cut_line(below), >, 0);
	g_assert_cmpuint(ignore_list_words(below), <=, IGNORE_MAX_WORDS);
}

/* Without wildcards inside, a pattern costs a comparison, so that many fit. */
static void test_long_lists_of_names_are_kept(void)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autoptr(IgnoreList) list = ignore_list_new_below(NULL);
	for (int i = 0; i < 1300; i++)
		g_string_append_printf(text, "*.ending%d\nname%d\nbegin%d*\n", i, i, i);
	g_assert_true(ignore_list_add_file(list, text->str, text->len, "f"));
	g_assert_cmpint(ask(list, "x.ending1299"), ==, IGNORE_EXCLUDED);
	g_assert_cmpint(ask(list, "begin1299x"), ==, IGNORE_EXCLUDED);
	g_assert_cmpuint(ignore_list_words(list), ==, 0);
}

static void test_a_list_that_was_cut_takes_nothing_back(void)
{
	g_autoptr(GString) text = g_string_new("keep.c\n!keep.c\n");
	g_autoptr(IgnoreList) whole = ignore_list_new_below(NULL);
	g_autoptr(IgnoreList) cut = ignore_list_new_below(NULL);
	g_assert_true(ignore_list_add_file(whole, text->str, text->len, "f"));
	for (int i = 0; i < IGNORE_MAX_PATTERNS; i++)
		g_string_append(text, "x\n");
	g_assert_false(ignore_list_add_file(cut, text->str, text->len, "f"));
	g_assert_cmpint(ask(whole, "keep.c"), ==, IGNORE_TAKEN_BACK);
	g_assert_cmpint(ask(cut, "keep.c"), ==, IGNORE_NO_MATCH);
}

/* The crawler moves the states of a directory over the names of the next ones. */
static void test_directories_can_be_entered_one_by_one(void)
{
	const char *text = "a/**/c/*.x\n!a/b/c/k.x\n/a/*/d\n";
	g_autoptr(IgnoreList) list = ignore_list_new();
	g_assert_true(ignore_list_add_file(list, text, strlen(text), "f"));
	g_autofree uint64_t *top = ignore_list_enter(list, NULL, NULL);
	g_autofree uint64_t *a = ignore_list_enter(list, top, "a");
	g_autofree uint64_t *b = ignore_list_enter(list, a, "b");
	g_autofree uint64_t *c = ignore_list_enter(list, b, "c");
	g_assert_cmpint(ignore_list_match_in(list, c, "1.x", "a/b/c/1.x", false, NULL), ==,
	        IGNORE_EXCLUDED);
	g_assert_cmpint(ignore_list_match_in(list, c, "k.x", "a/b/c/k.x", false, NULL), ==,
	        IGNORE_TAKEN_BACK);
	g_assert_cmpint(
	        ignore_list_match_in(list, b, "d", "a/b/d", false, NULL), ==, IGNORE_EXCLUDED);
	g_assert_cmpint(
	        ignore_list_match_in(list, b, "1.x", "a/b/1.x", false, NULL), ==, IGNORE_NO_MATCH);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/common/ignore/patterns-match-as-in-git", test_table);
	g_test_add_func("/common/ignore/reason-names-the-line", test_reason_names_the_line);
	g_test_add_func("/common/ignore/nul-in-a-file-ends-only-its-line",
	        test_nul_in_a_file_ends_only_its_line);
	g_test_add_func("/common/ignore/long-lists-are-refused", test_long_lists_are_refused);
	g_test_add_func("/common/ignore/empty-text-ends", test_empty_text_ends);
	g_test_add_func("/common/ignore/hostile-patterns-end", test_hostile_patterns_end);
	g_test_add_func("/common/ignore/cost-does-not-grow-with-the-file",
	        test_cost_does_not_grow_with_the_file);
	g_test_add_func(
	        "/common/ignore/what-is-before-a-cut-applies", test_what_is_before_a_cut_applies);
	g_test_add_func("/common/ignore/lists-share-their-limits", test_lists_share_their_limits);
	g_test_add_func(
	        "/common/ignore/long-lists-of-names-are-kept", test_long_lists_of_names_are_kept);
	g_test_add_func("/common/ignore/a-list-that-was-cut-takes-nothing-back",
	        test_a_list_that_was_cut_takes_nothing_back);
	g_test_add_func("/common/ignore/directories-can-be-entered-one-by-one",
	        test_directories_can_be_entered_one_by_one);
	return g_test_run();
}
