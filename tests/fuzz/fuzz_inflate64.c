/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_inflate64.c - fuzzes a stream of Deflate64 without its container */
#include <config.h>
#include "extractors/archive/inflate64.h"
#include "tests/fuzz/fuzz.h"

const char *const fuzz_seeds[] = {"tests/fuzz/seeds/inflate64/*", NULL};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum { MOST = 1 << 20 };
	g_autoptr(GByteArray) out = g_byte_array_new();
	inflate64((Bytes){data, size}, MOST, out);
	g_assert_cmpuint(out->len, <=, MOST);
	return 0;
}
