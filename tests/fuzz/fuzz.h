/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz.h - the interface of a fuzz target, which libFuzzer (--with-fuzzer) or replay.c runs */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* Must accept any bytes. Returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Patterns of the seed files, relative to the top of the sources; ends with NULL. */
extern const char *const fuzz_seeds[];
