/* SPDX-License-Identifier: GPL-3.0-or-later */
/* seeds.c - finds the seeds of a fuzz target; "fuzz_TARGET --seeds" lists them */
#include <config.h>
#include "tests/fuzz/fuzz.h"
#include <glib.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char **fuzz_find_seeds(void)
{
	const char *top = g_getenv("abs_top_srcdir");
	g_autoptr(GStrvBuilder) paths = g_strv_builder_new();
	for (const char *const *seed = fuzz_seeds; *seed; seed++) {
		g_autofree char *pattern = g_build_filename(top ? top : ".", *seed, NULL);
		glob_t found;
		if (glob(pattern, 0, NULL, &found) != 0)
			continue;
		for (size_t i = 0; i < found.gl_pathc; i++)
			g_strv_builder_add(paths, found.gl_pathv[i]);
		globfree(&found);
	}
	return g_strv_builder_end(paths);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	if (*argc != 2 || strcmp((*argv)[1], "--seeds") != 0)
		return 0;
	g_auto(GStrv) paths = fuzz_find_seeds();
	for (char **path = paths; *path; path++)
		puts(*path);
	exit(0);
}
