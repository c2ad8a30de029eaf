/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test-choices.c - the number of openings that are kept, and what several of them count */
#include <config.h>
#include "ui-cli/app/choices.h"
#include <glib/gstdio.h>
#include <stdlib.h>

static const Option table[] = {
        {0, "config", OPTION_TEXT, "FILE", ""},
        {0, "index", OPTION_TEXT, "DIR", ""},
        OPTION_END,
};
static const Option *const tables[] = {table, NULL};

static Cli *new_cli(const char *dir)
{
	static char *words[5]; /* must outlive the client */
	for (unsigned i = 0; i < G_N_ELEMENTS(words); i++)
		g_clear_pointer(&words[i], g_free);
	words[0] = g_strdup("--index");
	words[1] = g_strdup(dir);
	words[2] = g_strdup("--config");
	words[3] = g_build_filename(dir, "tarsier.conf", NULL);
	return cli_new(options_parse(words, tables, false, NULL));
}

static void note(Cli *cli, const char *text, const char *path, const char *member)
{
	g_autofree char *key = choices_key(text);
	choices_note(cli, key, path, member);
}

static double raise_of(Cli *cli, const char *text, const char *path, const char *member)
{
	g_autoptr(GArray) choices = choices_for(cli, text);
	for (guint i = 0; choices && i < choices->len; i++) {
		const SearchChoice *choice = &g_array_index(choices, SearchChoice, i);
		if (strcmp(choice->path, path) == 0 && g_strcmp0(choice->member, member) == 0)
			return choice->raise;
	}
	return 0;
}

static void test_counts(void)
{
	g_autofree char *dir = g_dir_make_tmp("choices-XXXXXX", NULL);
	g_autoptr(Cli) cli = new_cli(dir);
	g_assert_cmpfloat(raise_of(cli, "heron", "/a", NULL), ==, 0);
	note(cli, "heron", "/a", NULL);
	g_assert_cmpfloat_with_epsilon(raise_of(cli, "heron", "/a", NULL), 1, .01);
	note(cli, "heron", "/a", NULL);
	g_assert_cmpfloat_with_epsilon(raise_of(cli, "heron", "/a", NULL), 2, .01);
	for (unsigned i = 0; i < 5; i++)
		note(cli, "heron", "/a", NULL);
	g_assert_cmpfloat(raise_of(cli, "heron", "/a", NULL), ==, 3);
	g_assert_cmpfloat(raise_of(cli, "heron", "/a", "member"), ==, 0);
	g_assert_cmpfloat(raise_of(cli, "heron lake", "/a", NULL), ==, 0);
}

static void test_bound(void)
{
	g_autofree char *dir = g_dir_make_tmp("choices-XXXXXX", NULL);
	g_autoptr(Cli) cli = new_cli(dir);
	for (unsigned i = 0; i < CHOICES_MOST + 3; i++) {
		g_autofree char *text = g_strdup_printf("word%u", i);
		note(cli, text, "/a", "m");
	}
	g_assert_cmpfloat(raise_of(cli, "word2", "/a", "m"), ==, 0);
	g_assert_cmpfloat(raise_of(cli, "word3", "/a", "m"), >, .9);
	g_assert_cmpfloat(raise_of(cli, "word514", "/a", "m"), >, .9);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/choices/several openings count more, up to a limit", test_counts);
	g_test_add_func("/choices/the oldest are dropped", test_bound);
	return g_test_run();
}
