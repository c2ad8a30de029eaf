/* SPDX-License-Identifier: GPL-3.0-or-later */
/* patterns.c - what a file of patterns costs
 *
 * patterns PATHS FILE...: prints for each .tarsierignore the first line that is left out (0: none),
 * the CPU milliseconds of loading it, and the CPU microseconds for each entry of PATHS, which holds
 * one relative path a line. Each figure is the best of five runs. */
#include <config.h>
#include "common/rules/ignore.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RUNS = 5 };

static double cpu_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

static char *read_file(const char *name, gsize *length_r)
{
	char *text = NULL;
	if (!g_file_get_contents(name, &text, length_r, NULL)) {
		fprintf(stderr, "patterns: %s cannot be read\n", name);
		exit(1);
	}
	return text;
}

/* As the crawler asks: the states of a directory are known when its entries are. */
static void match_all(IgnoreList *list, char **paths)
{
	g_autofree uint64_t *states = NULL;
	const char *dir = NULL;
	size_t dir_length = 0;
	for (; *paths; paths++) {
		char *slash = strrchr(*paths, '/'), *name = slash ? slash + 1 : *paths;
		size_t length = name - *paths;
		if (!dir || length != dir_length || memcmp(dir, *paths, length) != 0) {
			g_free(states);
			g_autofree char *above = g_strndup(*paths, length > 0 ? length - 1 : 0);
			g_autofree uint64_t *top = ignore_list_enter(list, NULL, NULL);
			states = length > 0 ? ignore_list_enter(list, top, above)
			                    : g_steal_pointer(&top);
		}
		dir = *paths;
		dir_length = length;
		ignore_list_match_in(list, states, name, *paths, false, NULL);
	}
}

static void measure(const char *file, char **paths)
{
	gsize length;
	g_autofree char *text = read_file(file, &length);
	double load = G_MAXDOUBLE, match = G_MAXDOUBLE;
	guint cut = 0;
	for (int run = 0; run < RUNS; run++) {
		double start = cpu_ms();
		g_autoptr(IgnoreList) list = ignore_list_new_below(NULL);
		cut = ignore_list_add_file(list, text, length, "file");
		double loaded = cpu_ms();
		match_all(list, paths);
		load = MIN(load, loaded - start);
		match = MIN(match, cpu_ms() - loaded);
	}
	guint n = g_strv_length(paths);
	printf("%-30s %8u %8.2f %8.2f\n", file, cut, load, match * 1e3 / MAX(n, 1));
}

int main(int argc, char **argv)
{
	if (argc < 3) {
		fprintf(stderr, "usage: patterns PATHS FILE...\n");
		return 2;
	}
	gsize length;
	g_autofree char *text = read_file(argv[1], &length);
	g_auto(GStrv) paths = g_strsplit(g_strchomp(text), "\n", -1);
	printf("%-30s %8s %8s %8s\n", "file", "cut", "load/ms", "entry/us");
	for (int i = 2; i < argc; i++)
		measure(argv[i], paths);
	return 0;
}
