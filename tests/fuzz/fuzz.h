/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz.h - the interface of a fuzz target, which libFuzzer (--with-fuzzer) or replay.c runs */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* Must accept any bytes. Returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Runs before all other functions of the target. With the single argument --seeds, lists the seeds,
 * a path a line, and ends the program. */
int LLVMFuzzerInitialize(int *argc, char ***argv);

/* Patterns of the seed files, relative to the top of the sources; ends with NULL. */
extern const char *const fuzz_seeds[];

/* How many mutations of each seed replay.c tries: 40, unless the target has another number. It is 0
 * if a library cannot stand mutations and is only contained by the sandbox. */
extern const unsigned fuzz_mutations;

/* The seed files below the directory abs_top_srcdir of the environment, or here. Ends with NULL;
 * the caller frees it. */
char **fuzz_find_seeds(void);
