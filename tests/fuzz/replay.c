/* SPDX-License-Identifier: GPL-3.0-or-later */
/* replay.c - runs a fuzz target without a fuzzer, over its seeds and simple mutations of them
 *
 * fuzz_TARGET [--tap]: tries the seeds of the target, with output as TAP.
 * fuzz_TARGET --seeds: lists them.
 * fuzz_TARGET --mutate SEED FILE: prints a mutation of the file that keeps the structure.
 * fuzz_TARGET FILE...: tries only these files, without mutations.
 * FUZZ_MUTATIONS: number of mutations of each seed; they are the same in each run. */
#include <config.h>
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/mutate.h"
#include <glib.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((weak)) const unsigned fuzz_mutations = 40;
enum { MAX_CHANGES = 8, MAX_GROWTH = 1 << 20 };

#pragma weak LLVMFuzzerCustomMutator

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

/* Of the mutations of one seed. */
static GRand *random_numbers;

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max)
{
	int changes = g_rand_int_range(random_numbers, 0, MAX_CHANGES + 1);
	if (size == 0)
		size = MIN(max, 1);
	for (int i = 0; i < changes && size > 0; i++)
		change_byte(random_numbers, &data[g_rand_int_range(random_numbers, 0, size)]);
	return size;
}

/* Changes some bytes and sometimes truncates the data. */
static size_t mutate_plainly(uint8_t *data, size_t size)
{
	if (g_rand_int_range(random_numbers, 0, 4) == 0)
		size = g_rand_int_range(random_numbers, 0, size);
	return size > 0 ? LLVMFuzzerMutate(data, size, size) : 0;
}

/* A target that knows the structure of its format has every other mutation keep it. The copy has
 * exactly the needed size, so that reading past its end is noticed. */
static void run_mutation(unsigned number, const uint8_t *data, size_t size)
{
	g_autofree uint8_t *copy = g_malloc(size + MAX_GROWTH);
	memcpy(copy, data, size);
	if (LLVMFuzzerCustomMutator && number % 2 == 1)
		size = LLVMFuzzerCustomMutator(copy, size, size + MAX_GROWTH, number);
	else
		size = mutate_plainly(copy, size);
	g_autofree uint8_t *exact = g_memdup2(copy, size);
	LLVMFuzzerTestOneInput(exact, size);
}

static bool run_file(const char *path, unsigned mutations)
{
	g_autofree char *data = NULL;
	gsize size;
	if (!g_file_get_contents(path, &data, &size, NULL))
		return false;
	g_autofree uint8_t *exact = g_memdup2(data, size);
	LLVMFuzzerTestOneInput(exact, size);
	random_numbers = g_rand_new_with_seed(size);
	for (unsigned i = 0; i < mutations && size > 0; i++)
		run_mutation(i, exact, size);
	g_rand_free(random_numbers);
	return true;
}

static int run_seeds(void)
{
	const char *wish = g_getenv("FUZZ_MUTATIONS");
	unsigned mutations = wish ? strtoul(wish, NULL, 10) : fuzz_mutations;
	g_auto(GStrv) seeds = fuzz_find_seeds();
	unsigned ran = 0;

	for (char **seed = seeds; *seed; seed++) {
		bool ok = run_file(*seed, mutations);
		printf("%s %u - %s\n", ok ? "ok" : "not ok", ++ran, strrchr(*seed, '/') + 1);
		fflush(stdout);
	}
	if (ran == 0)
		printf("not ok %u - there are no seeds\n", ++ran);
	printf("1..%u\n", ran);
	return 0;
}

/* Only of a target that knows the structure of its format. */
static int print_mutation(unsigned seed, const char *path)
{
	g_autofree char *data = NULL;
	gsize size;
	if (!LLVMFuzzerCustomMutator || !g_file_get_contents(path, &data, &size, NULL))
		return 1;
	data = g_realloc(data, size + MAX_GROWTH);
	random_numbers = g_rand_new_with_seed(seed);
	size = LLVMFuzzerCustomMutator((uint8_t *)data, size, size + MAX_GROWTH, seed);
	fwrite(data, 1, size, stdout);
	g_rand_free(random_numbers);
	return 0;
}

int main(int argc, char **argv)
{
	LLVMFuzzerInitialize(&argc, &argv);
	if (argc == 4 && strcmp(argv[1], "--mutate") == 0)
		return print_mutation(strtoul(argv[2], NULL, 10), argv[3]);
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
