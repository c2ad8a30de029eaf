/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz.h - what a fuzz target defines: run by libFuzzer (--with-fuzzer), else by replay.c */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* Must be able to take any bytes. Returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Patterns of the files it begins with, relative to the top of the sources; ends with NULL. */
extern const char *const fuzz_seeds[];
