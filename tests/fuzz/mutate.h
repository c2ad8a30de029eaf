/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mutate.h - mutations that keep the structure of a format, so that they get past its first checks
 *
 * A target that links mutate.c and one mutate-FORMAT.c is mutated by them, under libFuzzer and in
 * replay.c. The same seed gives the same mutation. */
#pragma once
#include "extractors/shared/bytes.h"
#include <stdbool.h>

/* Changes bytes without regard to structure; implemented by libFuzzer or replay.c. Returns the new
 * size, which is 1 to max. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);

/* libFuzzer's hook for mutations: changes data in place and returns the new size, up to max. Three
 * of four mutations keep the structure. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed);

/* Implemented by each mutate-FORMAT.c. Returns a mutation of the file, which the caller frees.
 * NULL: the file does not have the format. */
GByteArray *mutate_format(GRand *random, Bytes file);

/* Changes bytes without regard to structure. The size changes by up to MUTATE_GROWTH. */
enum { MUTATE_GROWTH = 64 };
void mutate_bytes(GByteArray *bytes);

/* A number that parsers may take for a wrong size, place or count; limit is that of the file. */
uint32_t mutate_edge(GRand *random, uint32_t limit);

/* Returns true once in n times. */
bool mutate_chance(GRand *random, int n);

/* Unpacks deflated bytes (is_raw: without the header of zlib). Returns what can be unpacked, up to
 * 1 MiB; the caller frees it. */
GByteArray *mutate_inflate(Bytes packed, bool is_raw);

/* Copies, replaces or removes an element, or replaces the value of an attribute. Returns false and
 * leaves the bytes as they are if they are not XML, or have no such element. */
bool mutate_xml(GRand *random, GByteArray *bytes);
