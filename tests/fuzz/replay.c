/* SPDX-License-Identifier: GPL-3.0-or-later */
/* replay.c - runs a fuzz target without a fuzzer, over its seeds and simple mutations of them
 *
 *
 * fuzz_TARGET [--tap]: tries the seeds of the target, with output as TAP.
 * fuzz_TARGET FILE...: tries only these files, without mutations.
 * FUZZ_MUTATIONS: number of mutations of each seed (default 40); they are the same in each run. */
#include <config.h>
#include "tests/fuzz/fuzz.h"
#include <glib.h>
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A target sets this to 0 if its library cannot stand mutations and is only contained by the
 * sandbox. */
#ifndef DEFAULT_MUTATIONS
#define DEFAULT_MUTATIONS 40
#endif
enum { MAX_CHANGES = 8 };

static void change_byte(GRand *random, uint8_t *byte)
{
	static const uint8_t edges[] = {0, 1, 0x7f, 0x80, 0xff, '<', '>', '&', '"'};
	switch (g_rand_int_range(random, 0, 3)) {
	case 0:
		*byte ^= 1u << g_rand_int_range(random, 0, 8);
		break;
	case 1:
		*byte = edges[g_rand_int_range(random, 0, sizeof edges)];
		break;
	default:
		*byte = g_rand_int(random);
	}
}

/* Changes some bytes and sometimes truncates the data. The copy has exactly the needed size, so
 * that reading past its end is noticed. */
static void run_mutation(GRand *random, const uint8_t *data, size_t size)
{
	size_t kept = g_rand_int_range(random, 0, 4) == 0
	                      ? (size_t)g_rand_int_range(random, 0, size)
	                      : size;
	g_autofree uint8_t *copy = g_memdup2(data, kept);
	int changes = g_rand_int_range(random, 0, MAX_CHANGES + 1);
	for (int i = 0; i < changes && kept > 0; i++)
		change_byte(random, &copy[g_rand_int_range(random, 0, kept)]);
	LLVMFuzzerTestOneInput(copy, kept);
}

static bool run_file(const char *path, unsigned mutations)
{
	g_autofree char *data = NULL;
	gsize size;
	if (!g_file_get_contents(path, &data, &size, NULL))
		return false;
	g_autofree uint8_t *exact = g_memdup2(data, size);
	LLVMFuzzerTestOneInput(exact, size);
	GRand *random = g_rand_new_with_seed(size);
	for (unsigned i = 0; i < mutations && size > 0; i++)
		run_mutation(random, exact, size);
	g_rand_free(random);
	return true;
}

static int run_seeds(void)
{
	const char *top = g_getenv("abs_top_srcdir");
	const char *wish = g_getenv("FUZZ_MUTATIONS");
	unsigned mutations = wish ? strtoul(wish, NULL, 10) : DEFAULT_MUTATIONS;
	unsigned ran = 0;

	for (const char *const *seed = fuzz_seeds; *seed; seed++) {
		g_autofree char *pattern = g_build_filename(top ? top : ".", *seed, NULL);
		glob_t found;
		if (glob(pattern, 0, NULL, &found) != 0)
			continue;
		for (size_t i = 0; i < found.gl_pathc; i++) {
			bool ok = run_file(found.gl_pathv[i], mutations);
			printf("%s %u - %s\n", ok ? "ok" : "not ok", ++ran,
			        strrchr(found.gl_pathv[i], '/') + 1);
			fflush(stdout);
		}
		globfree(&found);
	}
	if (ran == 0)
		printf("not ok %u - there are no seeds\n", ++ran);
	printf("1..%u\n", ran);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc < 2 || strcmp(argv[1], "--tap") == 0)
		return run_seeds();
	for (int i = 1; i < argc; i++) {
		if (!run_file(argv[i], 0)) {
			fprintf(stderr, "%s: cannot read %s\n", argv[0], argv[i]);
			return 1;
		}
	}
	return 0;
}
