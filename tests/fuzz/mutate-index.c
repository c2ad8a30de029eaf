/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mutate-index.c - mutations of lists of changes to an index (index-changes.h) */
#include <config.h>
#include "tests/fuzz/index-changes.h"
#include "tests/fuzz/mutate.h"

enum { MOST_BYTES = 24, SOME_PAGES = 64, SOME_COLUMNS = 1 << 10, SOME_ROWS = 32 };

static void put_number(GByteArray *out, uint32_t value, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++) {
		uint8_t byte = value >> 8 * i;
		g_byte_array_append(out, &byte, 1);
	}
}

/* u8 length, bytes */
static void put_bytes(GRand *random, GByteArray *out)
{
	guint length = g_rand_int_range(random, 1, MOST_BYTES + 1);
	put_number(out, length, 1);
	for (guint i = 0; i < length; i++)
		put_number(out, mutate_edge(random, 0x100), 1);
}

static void put_change(GRand *random, GByteArray *out)
{
	IndexChange kind = g_rand_int_range(random, 0, INDEX_CHANGES);
	put_number(out, kind, 1);
	switch (kind) {
	case CHANGE_BYTES:
		put_number(out, g_rand_int(random), 4);
		put_bytes(random, out);
		break;
	case CHANGE_VALUE:
		put_number(out, g_rand_int_range(random, 0, SOME_COLUMNS), 2);
		put_number(out, g_rand_int_range(random, 0, SOME_ROWS), 1);
		put_number(out, g_rand_int(random), 1);
		put_bytes(random, out);
		break;
	case CHANGE_INSIDE:
		put_number(out, g_rand_int_range(random, 0, SOME_COLUMNS), 2);
		put_number(out, g_rand_int_range(random, 0, SOME_ROWS), 1);
		put_number(out, g_rand_int(random), 2);
		put_bytes(random, out);
		break;
	case CHANGE_ROOT:
		put_number(out, g_rand_int(random), 1);
		put_number(out, mutate_edge(random, SOME_PAGES), 2);
		break;
	default: /* CHANGE_PAGE */
		put_number(out, g_rand_int(random), 2);
		put_number(out, g_rand_int_range(random, 0, INDEX_PAGE_FIELDS), 1);
		put_number(out, g_rand_int_range(random, 0, SOME_ROWS), 1);
		put_number(out,
		        mutate_edge(
		                random, mutate_chance(random, 2) ? INDEX_PAGE_BYTES : SOME_PAGES),
		        4);
	}
}

/* The first byte chooses what is asked. A change before the others, which are read as they are, or
 * instead of them. */
GByteArray *mutate_format(GRand *random, Bytes file)
{
	GByteArray *out = g_byte_array_new();
	put_number(out, mutate_chance(random, 3) ? g_rand_int(random) : file.data[0], 1);
	for (gint32 n = g_rand_int_range(random, 1, 4); n > 0; n--)
		put_change(random, out);
	if (!mutate_chance(random, 3))
		g_byte_array_append(out, file.data + 1, file.size - 1);
	return out;
}
