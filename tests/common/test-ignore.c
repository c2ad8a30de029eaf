/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/base/glob.h"
#include "common/rules/ignore.h"
#include <glib/gstdio.h>
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
        {"[[:alpha:]-z]", "-", 'x'},
        {"[[:blank:]]", "\t", 'x'},
        {"[c-a]", "b", '-'},
        {"[c-a]", "a", '-'},
        {"[c-a]", "c", 'x'},
        {"[a-c-e]", "d", '-'},
        {"[a-c-e]", "-", 'x'},
        {"[a-[:digit:]]", "a]", 'x'},
        /* "[:" begins no named class unless ":]" is the end of the next bracket */
        {"[[:a]", ":", 'x'},
        {"[[:a]", "[", 'x'},
        {"[[:a]", "b", '-'},
        {"[[:a]b:]", "ab:]", 'x'},
        {"[[:]", ":", 'x'},
        {"[[:-a]", "^", 'x'},
        /* malformed: never match */
        {"[abc", "a", '-'},
        {"[abc", "[abc", '-'},
        {"a\\", "a", '-'},
        {"a\\", "a\\", '-'},
        {"[[:alpha:", "a", '-'},
        {"[[:nosuch:]]", "a", '-'},
        {"[[:nosuch:]a]", "a", '-'},
        {"[[::]a]", "a", '-'},
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
        {"x\\  ", "x ", 'x'},
        {"x\\\\ ", "x\\", 'x'},
        {"x\\ y ", "x y", 'x'},
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
	g_assert_cmpuint(ignore_list_add_file(list, lines, strlen(lines), "f"), ==, 0);
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

/* ---- git's answer is the right one */

/* Is the entry, or a directory above it, excluded? The entry itself is a file. */
static bool is_ignored(const char *lines, const char *entry)
{
	for (const char *slash = strchr(entry, '/'); slash; slash = strchr(slash + 1, '/')) {
		g_autofree char *above = g_strndup(entry, slash - entry + 1);
		if (verdict_letter(lines, above) == 'x')
			return true;
	}
	return verdict_letter(lines, entry) == 'x';
}

/* Directories, each with a pattern in .gitignore and an entry in question. */
typedef struct {
	char *top;
	GPtrArray *lines, *entries;
	GString *names; /* of all entries, as git reads them */
} GitCases;

static void git_cases_add(GitCases *cases_of_git, const char *lines, const char *entry)
{
	guint n = cases_of_git->lines->len;
	g_autofree char *dir = g_strdup_printf("%s/%u", cases_of_git->top, n);
	g_autofree char *file = g_build_filename(dir, ".gitignore", NULL);
	g_assert_cmpint(g_mkdir(dir, 0700), ==, 0);
	g_assert_true(g_file_set_contents(file, lines, -1, NULL));
	g_ptr_array_add(cases_of_git->lines, g_strdup(lines));
	g_ptr_array_add(cases_of_git->entries, g_strdup(entry));
	g_string_append_printf(cases_of_git->names, "%u/%s", n, entry);
	g_string_append_c(cases_of_git->names, '\0');
}

/* Returns what "git check-ignore" prints: the file, the line, the pattern and the name of each
 * entry, each with a NUL after it; the first three are empty if no pattern matches. */
static char *git_answers(const GitCases *cases_of_git, const char **end_r)
{
	static const char script[] = "git init -q \"$1\" && cd \"$1\" && "
	                             "git check-ignore --no-index -v -n -z --stdin <names >answers";
	const char *const argv[] = {"sh", "-c", script, "sh", cases_of_git->top, NULL};
	g_autofree char *names = g_build_filename(cases_of_git->top, "names", NULL);
	g_autofree char *file = g_build_filename(cases_of_git->top, "answers", NULL);
	g_autoptr(GError) error = NULL;
	char *answers;
	gsize size;
	g_assert_true(g_file_set_contents(
	        names, cases_of_git->names->str, cases_of_git->names->len, NULL));
	g_spawn_sync(NULL, (char **)argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL,
	        &error);
	g_assert_no_error(error);
	g_assert_true(g_file_get_contents(file, &answers, &size, NULL));
	*end_r = answers + size;
	return answers;
}

static void fill_from(GString *out, const char *const *pieces, guint n)
{
	g_string_truncate(out, 0);
	for (gint32 left = g_test_rand_int_range(1, 9); left > 0; left--)
		g_string_append(out, pieces[g_test_rand_int_range(0, n)]);
}

/* Is it an entry that git takes as it is written? */
static bool is_plain_entry(const char *entry)
{
	return *entry != '/' && !strstr(entry, "//") && !g_str_has_suffix(entry, "/");
}

/* Against its manual, git takes two stars for a component of their own if all in front of them is
 * literal ("a**" "/b" matches "ab"), or if an escaped slash follows. */
static bool is_told_by_the_manual(const char *pattern)
{
	for (const char *p = strstr(pattern, "**"); p; p = strstr(p + 1, "**")) {
		const char *rest = p + strspn(p, "*");
		if ((p > pattern && p[-1] != '/' && *rest == '/') || g_str_has_prefix(rest, "\\/"))
			return false;
	}
	return true;
}

static void git_cases_add_random(GitCases *cases_of_git, guint n)
{
	static const char *const pattern_pieces[] = {"a", "a", "b", "*", "**", "/", "/", "?", "[",
	        "[", "]", "]", "!", "^", "-", "\\", " ", ":", "[:", ":]", "[[:digit:]",
	        "[:alpha:]"};
	static const char *const entry_pieces[] = {
	        "a", "a", "b", "/", "]", "[", "-", ":", "!", "^", " ", "1", "\\"};
	g_autoptr(GString) pattern = g_string_new(NULL), entry = g_string_new(NULL);
	while (n > 0) {
		fill_from(pattern, pattern_pieces, G_N_ELEMENTS(pattern_pieces));
		fill_from(entry, entry_pieces, G_N_ELEMENTS(entry_pieces));
		if (!is_plain_entry(entry->str) || !is_told_by_the_manual(pattern->str))
			continue;
		git_cases_add(cases_of_git, pattern->str, entry->str);
		n--;
	}
}

static void test_git_agrees(void)
{
	g_autofree char *git = g_find_program_in_path("git");
	GitCases all = {g_dir_make_tmp("git-XXXXXX", NULL), g_ptr_array_new_with_free_func(g_free),
	        g_ptr_array_new_with_free_func(g_free), g_string_new(NULL)};
	if (!git) {
		g_test_skip("needs git");
		return;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
		if (is_plain_entry(cases[i].entry) && is_told_by_the_manual(cases[i].lines))
			git_cases_add(&all, cases[i].lines, cases[i].entry);
	git_cases_add_random(&all, 4000);
	const char *end;
	g_autofree char *answers = git_answers(&all, &end);
	const char *answer = answers;
	for (guint i = 0; i < all.lines->len; i++) {
		const char *line = answer + strlen(answer) + 1, *pattern = line + strlen(line) + 1;
		const char *name = pattern + strlen(pattern) + 1;
		bool wanted = *pattern && *pattern != '!';
		const char *lines = all.lines->pdata[i], *entry = all.entries->pdata[i];
		answer = name + strlen(name) + 1;
		g_assert_true(answer <= end);
		g_assert_true(g_str_has_suffix(name, entry));
		if (is_ignored(lines, entry) != wanted)
			g_error("\"%s\" on \"%s\": git says %d", lines, entry, wanted);
	}
	g_assert_true(answer == end);
	g_ptr_array_unref(all.lines);
	g_ptr_array_unref(all.entries);
	g_string_free(all.names, TRUE);
	g_free(all.top);
}

/* ---- lists */

static void test_reason_names_the_line(void)
{
	const char *why = NULL, *text = "# one\n\n*.o  \n!a.o\n";
	g_autoptr(IgnoreList) list = ignore_list_new();
	ignore_list_add_file(list, text, strlen(text), "~/x/.tarsierignore");
	g_assert_cmpint(ignore_list_match(list, "b.o", NULL, false, &why), ==, IGNORE_EXCLUDED);
	g_assert_cmpstr(why, ==, "~/x/.tarsierignore:3: *.o");
	g_assert_false(ignore_list_needs_path(list));
}

static void test_nul_in_a_file_ends_only_its_line(void)
{
	g_autoptr(IgnoreList) list = ignore_list_new();
	g_assert_cmpuint(ignore_list_add_file(list, "a\0b\nc\n", 6, "f"), ==, 0);
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

enum { HOSTILE_BYTES = 122 }; /* of a pattern, with its NUL */

/* Many patterns with as many stars as fit, then "last". *line_r: the first line that does not fit;
 * 0: none; may be NULL. */
static IgnoreList *hostile_list(unsigned lines, const IgnoreList *above, guint *line_r)
{
	g_autoptr(GString) text = g_string_new(NULL);
	IgnoreList *list = ignore_list_new_below(above);
	for (unsigned i = 0; i < lines; i++) {
		for (int k = 0; k < (HOSTILE_BYTES - 2) / 2; k++)
			g_string_append(text, "*a");
		g_string_append(text, "b\n");
	}
	g_string_append(text, "last\n");
	guint line = ignore_list_add_file(list, text->str, text->len, "f");
	if (line_r)
		*line_r = line;
	return list;
}

static IgnoreVerdict ask(IgnoreList *list, const char *name)
{
	return ignore_list_match(list, name, NULL, false, NULL);
}

/* The first line of a hostile list that does not fit where this many words are left. */
static guint hostile_line_after(unsigned words)
{
	return words * 64 / HOSTILE_BYTES + 1;
}

static void test_cost_does_not_grow_with_the_file(void)
{
	guint few_line, many_line, more_line;
	g_autoptr(IgnoreList) few = hostile_list(10, NULL, &few_line),
	                      many = hostile_list(100, NULL, &many_line),
	                      more = hostile_list(2000, NULL, &more_line);
	g_assert_cmpuint(few_line, ==, 0);
	g_assert_cmpint(ask(few, "last"), ==, IGNORE_EXCLUDED);
	g_assert_cmpuint(many_line, ==, hostile_line_after(IGNORE_MAX_WORDS));
	g_assert_cmpuint(more_line, ==, many_line);
}

static void test_lists_share_their_limits(void)
{
	guint above_line, below_line;
	g_autoptr(IgnoreList) above = hostile_list(50, NULL, &above_line),
	                      below = hostile_list(50, above, &below_line);
	g_assert_cmpuint(above_line, ==, 0);
	unsigned words_above = (50 * HOSTILE_BYTES + 63) / 64;
	g_assert_cmpuint(below_line, ==, hostile_line_after(IGNORE_MAX_WORDS - words_above));
}

/* Without wildcards inside, a pattern costs a comparison, so that many fit. */
static void test_long_lists_of_names_are_kept(void)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autoptr(IgnoreList) list = ignore_list_new_below(NULL);
	for (int i = 0; i < 1300; i++)
		g_string_append_printf(text, "*.ending%d\nname%d\nbegin%d*\n", i, i, i);
	g_assert_cmpuint(ignore_list_add_file(list, text->str, text->len, "f"), ==, 0);
	g_assert_cmpint(ask(list, "x.ending1299"), ==, IGNORE_EXCLUDED);
	g_assert_cmpint(ask(list, "begin1299x"), ==, IGNORE_EXCLUDED);
}

/* The crawler moves the states of a directory over the names of the next ones. */
static void test_directories_can_be_entered_one_by_one(void)
{
	const char *text = "a/**/c/*.x\n!a/b/c/k.x\n/a/*/d\n";
	g_autoptr(IgnoreList) list = ignore_list_new();
	g_assert_cmpuint(ignore_list_add_file(list, text, strlen(text), "f"), ==, 0);
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
	g_test_add_func("/common/ignore/git-gives-the-same-answers", test_git_agrees);
	g_test_add_func("/common/ignore/reason-names-the-line", test_reason_names_the_line);
	g_test_add_func("/common/ignore/nul-in-a-file-ends-only-its-line",
	        test_nul_in_a_file_ends_only_its_line);
	g_test_add_func("/common/ignore/long-lists-are-refused", test_long_lists_are_refused);
	g_test_add_func("/common/ignore/empty-text-ends", test_empty_text_ends);
	g_test_add_func("/common/ignore/hostile-patterns-end", test_hostile_patterns_end);
	g_test_add_func("/common/ignore/cost-does-not-grow-with-the-file",
	        test_cost_does_not_grow_with_the_file);
	g_test_add_func("/common/ignore/lists-share-their-limits", test_lists_share_their_limits);
	g_test_add_func(
	        "/common/ignore/long-lists-of-names-are-kept", test_long_lists_of_names_are_kept);
	g_test_add_func("/common/ignore/directories-can-be-entered-one-by-one",
	        test_directories_can_be_entered_one_by_one);
	return g_test_run();
}
