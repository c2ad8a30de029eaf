/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "tests/fuzz/mutate.h"
#include <gio/gio.h>
#include <string.h>

enum { MAX_UNPACKED = 1 << 20, UNPACK_STEP = 4096 };

bool mutate_chance(GRand *random, int n)
{
	return g_rand_int_range(random, 0, n) == 0;
}

void mutate_bytes(GByteArray *bytes)
{
	guint size = bytes->len;
	g_byte_array_set_size(bytes, size + MUTATE_GROWTH);
	memset(bytes->data + size, 0, MUTATE_GROWTH);
	g_byte_array_set_size(bytes, LLVMFuzzerMutate(bytes->data, size, bytes->len));
}

uint32_t mutate_edge(GRand *random, uint32_t limit)
{
	static const uint32_t edges[] = {
	        0, 1, 0x7f, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff};
	switch (g_rand_int_range(random, 0, 3)) {
	case 0:
		return edges[g_rand_int_range(random, 0, G_N_ELEMENTS(edges))];
	case 1:
		return limit + g_rand_int_range(random, -2, 3);
	default:
		return g_rand_int(random) % MAX(limit, 1);
	}
}

GByteArray *mutate_inflate(Bytes packed, bool is_raw)
{
	g_autoptr(GZlibDecompressor) inflater = g_zlib_decompressor_new(
	        is_raw ? G_ZLIB_COMPRESSOR_FORMAT_RAW : G_ZLIB_COMPRESSOR_FORMAT_ZLIB);
	GByteArray *out = g_byte_array_new();
	GConverterResult result = G_CONVERTER_CONVERTED;
	while (result == G_CONVERTER_CONVERTED && packed.size > 0 && out->len < MAX_UNPACKED) {
		uint8_t step[UNPACK_STEP];
		gsize used = 0, made = 0;
		result = g_converter_convert(G_CONVERTER(inflater), packed.data, packed.size, step,
		        sizeof step, G_CONVERTER_NO_FLAGS, &used, &made, NULL);
		if (result == G_CONVERTER_ERROR)
			break;
		g_byte_array_append(out, step, made);
		packed = bytes_part(packed, used, packed.size);
	}
	return out;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	GRand *random = g_rand_new_with_seed(seed);
	GByteArray *mutation =
	        mutate_chance(random, 4) ? NULL : mutate_format(random, (Bytes){data, size});
	g_rand_free(random);
	if (mutation && mutation->len > 0 && mutation->len <= max) {
		memcpy(data, mutation->data, mutation->len);
		size = mutation->len;
	} else
		size = LLVMFuzzerMutate(data, size, max);
	if (mutation)
		g_byte_array_unref(mutation);
	return size;
}
