/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/options.h"
#include <string.h>

static bool is_type(const char *word)
{
	return strcmp(word, "text") == 0;
}

static const Option table[] = {
        {'n', "limit", OPTION_NUMBER, "N", ""},
        {'s', "sort", OPTION_CHOICE, "date|size", ""},
        {'d', "dir", OPTION_TEXT, "DIR", ""},
        {'l', "paths", OPTION_FLAG, NULL, ""},
        {'c', "count", OPTION_FLAG, NULL, ""},
        {0, "open", OPTION_MAYBE, "N", ""},
        {'x', "exec", OPTION_COMMAND, "CMD {}", ""},
        {'t', "type", OPTION_TEXT, "TYPE", "", is_type},
        OPTION_END,
};

static const Option *const tables[] = {table, NULL};

static Arguments *parse(const char *line, bool words_end)
{
	static char **words; /* must outlive the result */
	g_autoptr(GError) error = NULL;
	g_clear_pointer(&words, g_strfreev);
	g_assert_true(g_shell_parse_argv(line, NULL, &words, &error));
	Arguments *args = options_parse(words, tables, words_end, &error);
	g_assert_no_error(error);
	return args;
}

static void assert_words(const Arguments *args, const char *joined)
{
	g_autoptr(GPtrArray) words = g_ptr_array_copy(args->words, NULL, NULL);
	g_ptr_array_add(words, NULL);
	g_autofree char *line = g_strjoinv(" ", (char **)words->pdata);
	g_assert_cmpstr(line, ==, joined);
}

static void assert_command(const Arguments *args, const char *joined)
{
	g_autofree char *line = g_strjoinv("\t", (char **)args->command->pdata);
	g_assert_cmpstr(line, ==, joined);
}

static void test_values(void)
{
	g_autoptr(Arguments) args = parse("-lcn5 --sort=size -d a --dir b w", true);
	g_assert_true(options_has(args, "paths") && options_has(args, "count"));
	g_assert_cmpuint(options_number(args, "limit", 1), ==, 5);
	g_assert_cmpuint(options_choice(args, "sort", 0), ==, 1);
	g_autoptr(GPtrArray) dirs = options_values(args, "dir");
	g_assert_cmpuint(dirs->len, ==, 2);
	g_assert_cmpstr(dirs->pdata[1], ==, "b");
	assert_words(args, "w");
}

static void test_options_may_stand_between_words(void)
{
	g_autoptr(Arguments) args = parse("one -n 5 two -lc --sort=size three --open 2", true);
	g_assert_true(options_has(args, "paths") && options_has(args, "count"));
	g_assert_cmpuint(options_number(args, "limit", 1), ==, 5);
	g_assert_cmpuint(options_number(args, "open", 1), ==, 2);
	g_assert_cmpuint(options_choice(args, "sort", 0), ==, 1);
	assert_words(args, "one two three");
}

static void test_what_is_no_option_is_a_negation(void)
{
	g_autoptr(Arguments) args = parse("-wombat -ext:txt one -cat -z --none -far", true);
	g_assert_false(options_has(args, "count") || options_has(args, "limit"));
	assert_words(args, "-wombat -ext:txt one -cat -z --none -far");
	g_autoptr(Arguments) ended = parse("one -- -c --count", true);
	g_assert_false(options_has(ended, "count"));
	assert_words(ended, "one -c --count");
	g_autoptr(Arguments) letter = parse("-z one", true);
	assert_words(letter, "-z one");
	static const char *const misfits[] = {"-xylophone", "-tabla", "-ltabla"};
	for (size_t i = 0; i < G_N_ELEMENTS(misfits); i++) {
		g_autoptr(Arguments) misfit = parse(misfits[i], true);
		assert_words(misfit, misfits[i]);
	}
	g_autoptr(Arguments) fits = parse("-download -ttext -lttext -tno,type -xtrue", true);
	assert_words(fits, "");
	g_assert_cmpstr(options_value(fits, "dir"), ==, "ownload");
	g_assert_cmpstr(options_value(fits, "type"), ==, "no,type");
	assert_command(fits, "true\t{}");
}

static void expect_error(const char *line, const char *message)
{
	g_auto(GStrv) words = NULL;
	g_autoptr(GError) error = NULL;
	g_assert_true(g_shell_parse_argv(line, NULL, &words, NULL));
	g_assert_null(options_parse(words, tables, true, &error));
	g_assert_error(error, OPTIONS_ERROR, OPTIONS_ERROR_USAGE);
	g_assert_cmpstr(error->message, ==, message);
}

static void test_a_letter_is_its_option(void)
{
	expect_error("one -n five", "--limit needs a number, not \"five\"");
	expect_error("one -n -3 two", "--limit needs a number, not \"-3\"");
	expect_error("one -n", "--limit needs a value: N");
	expect_error("one --limit=x", "--limit needs a number, not \"x\"");
	g_autoptr(Arguments) args = parse("one -- -n five", true);
	assert_words(args, "one -n five");
}

static void test_options_may_follow_words_elsewhere(void)
{
	g_autoptr(Arguments) args = parse("file -l -- -c", false);
	g_assert_true(options_has(args, "paths"));
	g_assert_false(options_has(args, "count"));
	assert_words(args, "file -c");
}

static void test_double_dash_ends_options(void)
{
	g_autoptr(Arguments) args = parse("-l -- -c word", true);
	g_assert_false(options_has(args, "count"));
	assert_words(args, "-c word");
	g_assert_cmpuint(args->before_dashes, ==, 0);
	g_autoptr(Arguments) two = parse("one two -l -- three -- four", true);
	assert_words(two, "one two three -- four");
	g_assert_cmpuint(two->before_dashes, ==, 2);
	g_autoptr(Arguments) none = parse("one -l two", true);
	g_assert_cmpuint(none->before_dashes, ==, 2);
}

static void test_optional_number(void)
{
	g_autoptr(Arguments) attached = parse("--open=3 word", true);
	g_assert_cmpuint(options_number(attached, "open", 1), ==, 3);
	g_autoptr(Arguments) apart = parse("--open 2 word", true);
	g_assert_cmpuint(options_number(apart, "open", 1), ==, 2);
	assert_words(apart, "word");
	g_autoptr(Arguments) last = parse("--open 2", true);
	g_assert_cmpuint(options_number(last, "open", 1), ==, 1);
	assert_words(last, "2");
	g_autoptr(Arguments) year = parse("--open 2023 report", true);
	assert_words(year, "2023 report");
	g_autoptr(Arguments) no_words = parse("--open 2023", false);
	g_assert_cmpuint(options_number(no_words, "open", 1), ==, 2023);
}

static void test_commands(void)
{
	g_autoptr(Arguments) braces = parse("-x grep -n 'a b' {} -l word", true);
	assert_command(braces, "grep\t-n\ta b\t{}");
	g_assert_true(options_has(braces, "paths"));
	g_autoptr(Arguments) semicolon = parse("-x cp {} /tmp ';' word", true);
	assert_command(semicolon, "cp\t{}\t/tmp");
	assert_words(semicolon, "word");
	g_autoptr(Arguments) line = parse("--exec 'ls -l \"{}\"' word", true);
	assert_command(line, "ls\t-l\t{}");
	assert_words(line, "word");
	g_autoptr(Arguments) bare = parse("--exec=cat word", true);
	assert_command(bare, "cat\t{}");
	assert_words(bare, "word");
}

static void test_no_name_becomes_a_command(void)
{
	static const char *const refused[] = {"-x sh -c 'cat {}' ; word",
	        "--exec 'sh -c \"cat {}\"' word", "-x sh -c ; word",
	        "-x /bin/bash -ec 'cat {}' word", "-x bash -c -o pipefail 'cat {}' word",
	        "-x env A=1 dash -c 'cat {}' word", "-x su nobody -c 'cat {}' word",
	        "-x fish --command='cat {}' word", "-x python3.11 -c 'print(\"{}\")' word",
	        "-x perl -ne 'print \"{}\"' ; word", "-x perl -I lib -e 'print \"{}\"' ; word",
	        "-x perl -Mstrict -i.bak -ne'print \"{}\"' ; word",
	        "-x python3 -W ignore -c 'print(\"{}\")' ; word",
	        "-x python3 -Wignore -Xdev -c'print(\"{}\")' ; word",
	        "-x nodejs -e 'f(\"{}\")' ; word", "-x node -pe '\"{}\"' ; word",
	        "-x node --require x --eval 'f(\"{}\")' ; word", "-x node --print='\"{}\"' ; word",
	        "-x Rscript -e 'f(\"{}\")' ; word", "-x flock /tmp/x -c 'cat {}' ; word",
	        "-x flock -w 5 /tmp/x -c 'cat {}' ; word",
	        "-x ruby -I lib -rset -e 'f(\"{}\")' ; word",
	        "-x php -d a=1 -r 'f(\"{}\");' ; word", "-x luajit -l x -e 'f(\"{}\")' ; word",
	        "-x env -u A -S 'cat {}' ; word", "-x su -s /bin/sh nobody -c 'cat {}' ; word",
	        "-x runuser -u nobody -- sh -c 'cat {}' ; word",
	        "-x bash --rcfile x -c 'cat {}' ; word", "-x bash -c -- 'cat {}' ; word",
	        "-x awk 'BEGIN { system(\"cat {}\") }' ; word", "-x awk {} word",
	        "-x gawk -F : -v a=1 -- '/{}/' x ; word", "-x mawk -F: '/{}/' x ; word",
	        "-x gawk -f x -e '/{}/' ; word", "-x gawk --source '/{}/' ; word",
	        "-x sudo -u nobody awk '/{}/' ; word", "-x busybox awk '/{}/' ; word",
	        "-x sed 's/a/{}/' x ; word", "-x sed -n -e 's/a/{}/e' ; word",
	        "-x sed x -ne's/a/{}/' ; word", "-x sed --expression='s/a/{}/' x ; word",
	        "-x sed -l 9 -i.e 's/a/{}/' x ; word", "-x env LC_ALL=C timeout 5s sed {} word",
	        "-x ssh host cat {} word", "-x ssh -p 22 -v me@host 'cat {}' ; word",
	        "-x ssh host -- cat {} word", "-x nice ssh -oBatchMode=yes host ls -l {} word",
	        "-x watch -n 5 cat {} word", "-x watch --interval 5 'cat {}' ; word"};
	static const char *const taken[] = {"-x sh -c 'cat \"$1\"' sh {} word",
	        "-x bash -o pipefail -c 'cat \"$0\"' {} word", "-x sh script.sh -c {} word",
	        "-x env sh -c 'cat $1' sh --file={} word", "-x perl -ne print {} word",
	        "-x perl -ne'print if /e/' {} word", "-x perl -i.e {} word", "-x perl -I e {} word",
	        "-x python3 -mpy_compile {} word", "-x python3 -m py_compile -c {} word",
	        "-x python3 -c 'f()' -c {} word", "-x python3 x.py -c {} word",
	        "-x flock /tmp/x grep -c {} word", "-x node -r x {} word", "-x ruby -Ce {} word",
	        "-x env grep -S {} word", "-x script -c 'cat x' {} word",
	        "-x bash -o errexit x.sh -c {} word", "-x grep -c sh {} word", "-x cat -- {} word",
	        "-x awk '{ print $1 }' {} word", "-x awk -F : -f x {} word",
	        "-x gawk --file=x {} word", "-x awk -v a=1 1 name={} {} word",
	        "-x sed -n p {} word", "-x sed -i.bak -e p {} word", "-x sed --file x {} word",
	        "-x sed 's/a/b/' -- {} word", "-x grep awk {} word", "-x grep -l sed {} word",
	        "-x watch -x -n 5 cat {} word", "-x watch --exec cat {} word",
	        "-x ssh -i {} host true ; word", "-x scp {} host: ; word", "-x grep ssh x {} word"};
	for (size_t i = 0; i < G_N_ELEMENTS(refused); i++) {
		g_auto(GStrv) words = NULL;
		g_autoptr(GError) error = NULL;
		g_assert_true(g_shell_parse_argv(refused[i], NULL, &words, NULL));
		g_assert_null(options_parse(words, tables, true, &error));
		g_assert_error(error, OPTIONS_ERROR, OPTIONS_ERROR_USAGE);
		g_assert_nonnull(strstr(error->message, "argument of its own"));
	}
	for (size_t i = 0; i < G_N_ELEMENTS(taken); i++) {
		g_autoptr(Arguments) args = parse(taken[i], true);
		g_assert_nonnull(args->command);
	}
}

static void test_errors(void)
{
	static const char *const wrong[] = {
	        "--nonsense", "-n x", "--limit", "--sort=age", "--paths=1", "-n -1", "--exec"};
	for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
		g_auto(GStrv) words = g_strsplit(wrong[i], " ", -1);
		g_autoptr(GError) error = NULL;
		g_assert_null(options_parse(words, tables, true, &error));
		g_assert_error(error, OPTIONS_ERROR, OPTIONS_ERROR_USAGE);
	}
	char *letter[] = {(char *)"-z", NULL};
	g_autoptr(GError) error = NULL;
	g_assert_null(options_parse(letter, tables, false, &error));
	g_assert_error(error, OPTIONS_ERROR, OPTIONS_ERROR_USAGE);
}

static void assert_span(const char *line, unsigned span)
{
	g_auto(GStrv) words = g_strsplit(line, " ", -1);
	g_assert_cmpuint(options_span(words, table), ==, span);
}

static void test_span(void)
{
	assert_span("word", 0);
	assert_span("--", 0);
	assert_span("-", 0);
	assert_span("--other x", 0);
	assert_span("-l x", 1);
	assert_span("-lz x", 0);
	assert_span("-n 5", 2);
	assert_span("-n5 x", 1);
	assert_span("--limit 5", 2);
	assert_span("--limit=5 x", 1);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/cli/options/values-are-read", test_values);
	g_test_add_func("/cli/options/options-may-stand-between-words",
	        test_options_may_stand_between_words);
	g_test_add_func("/cli/options/what-is-no-option-is-a-negation",
	        test_what_is_no_option_is_a_negation);
	g_test_add_func("/cli/options/a-letter-is-its-option", test_a_letter_is_its_option);
	g_test_add_func("/cli/options/options-may-follow-words-elsewhere",
	        test_options_may_follow_words_elsewhere);
	g_test_add_func("/cli/options/double-dash-ends-options", test_double_dash_ends_options);
	g_test_add_func("/cli/options/a-number-can-be-optional", test_optional_number);
	g_test_add_func("/cli/options/commands-end-at-semicolon-or-braces", test_commands);
	g_test_add_func("/cli/options/no-name-becomes-a-command", test_no_name_becomes_a_command);
	g_test_add_func("/cli/options/wrong-usage-is-refused", test_errors);
	g_test_add_func("/cli/options/spans-of-time-are-read", test_span);
	return g_test_run();
}
