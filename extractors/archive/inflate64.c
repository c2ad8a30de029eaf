/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/archive/inflate64.h"

enum {
	LONGEST_CODE = 15,
	LITERALS = 288,
	DISTANCES = 32,
	LENGTH_CODES = 19,
	END_OF_BLOCK = 256,
	FIRST_LENGTH = 257,
	STORED = 0,
	FIXED = 1,
	DYNAMIC = 2,
};

typedef struct {
	Bytes bytes;
	size_t at; /* in bits */
} Bits;

/* Codes in the order of their lengths, then in the order of the symbols. */
typedef struct {
	uint16_t count[LONGEST_CODE + 1];
	uint16_t symbols[LITERALS];
} Code;

typedef struct {
	Bits bits;
	Code literals, distances;
	GByteArray *out;
	size_t end; /* size of out at which unpacking stops */
} Inflater;

/* Bits after the end are zero. */
static unsigned inflate64_take_bits(Bits *bits, unsigned n)
{
	unsigned value = 0;
	for (unsigned i = 0; i < n; i++, bits->at++) {
		size_t byte = bits->at / 8;
		if (byte < bits->bytes.size)
			value |= (bits->bytes.data[byte] >> bits->at % 8 & 1u) << i;
	}
	return value;
}

static bool is_past_end(const Bits *bits)
{
	return bits->at > bits->bytes.size * 8;
}

/* False: no code has these lengths. */
static bool make_code(Code *code, const uint8_t *lengths, unsigned n)
{
	unsigned next[LONGEST_CODE + 2] = {0}, room = 1;
	*code = (Code){0};
	for (unsigned i = 0; i < n; i++)
		code->count[lengths[i]]++;
	code->count[0] = 0;
	for (unsigned length = 1; length <= LONGEST_CODE; length++) {
		room *= 2;
		if (code->count[length] > room)
			return false;
		room -= code->count[length];
		next[length + 1] = next[length] + code->count[length];
	}
	for (unsigned i = 0; i < n; i++)
		if (lengths[i] > 0)
			code->symbols[next[lengths[i]]++] = i;
	return true;
}

/* Returns -1 if there is no such code. */
static int take_symbol(Bits *bits, const Code *code)
{
	unsigned value = 0, before = 0; /* before: number of symbols with shorter codes */
	for (unsigned length = 1; length <= LONGEST_CODE; length++) {
		value = value * 2 + inflate64_take_bits(bits, 1);
		if (value < code->count[length])
			return code->symbols[before + value];
		value -= code->count[length];
		before += code->count[length];
	}
	return -1;
}

/* Each group of codes has one more extra bit than the group before; base is the value of the first
 * code. */
static unsigned take_grouped(Bits *bits, unsigned code, unsigned in_group, unsigned base)
{
	if (code < 2 * in_group)
		return base + code;
	unsigned more = code / in_group - 1;
	return base + ((in_group + code % in_group) << more) + inflate64_take_bits(bits, more);
}

static unsigned inflate64_take_length(Bits *bits, unsigned code)
{
	enum { LAST = 28, LAST_BITS = 16, SHORTEST = 3 };
	if (code == LAST)
		return SHORTEST + inflate64_take_bits(bits, LAST_BITS);
	return take_grouped(bits, code, 4, SHORTEST);
}

static bool inflate64_copy(Inflater *inflater, unsigned symbol)
{
	GByteArray *out = inflater->out;
	size_t length = inflate64_take_length(&inflater->bits, symbol - FIRST_LENGTH);
	int code = take_symbol(&inflater->bits, &inflater->distances);
	if (code < 0)
		return false;
	size_t back = take_grouped(&inflater->bits, code, 2, 1);
	if (back > out->len || is_past_end(&inflater->bits))
		return false;
	bool fits = length <= inflater->end - out->len;
	size_t n = fits ? length : inflater->end - out->len, from = out->len - back;
	g_byte_array_set_size(out, out->len + n);
	for (size_t to = from + back; n > 0; n--)
		out->data[to++] = out->data[from++];
	return fits;
}

static bool unpack_codes(Inflater *inflater)
{
	for (;;) {
		int symbol = take_symbol(&inflater->bits, &inflater->literals);
		if (is_past_end(&inflater->bits) || symbol < 0 || symbol >= LITERALS - 2)
			return false;
		if (symbol == END_OF_BLOCK)
			return true;
		if (symbol > END_OF_BLOCK) {
			if (!inflate64_copy(inflater, symbol))
				return false;
			continue;
		}
		uint8_t byte = symbol;
		if (inflater->out->len == inflater->end)
			return false;
		g_byte_array_append(inflater->out, &byte, 1);
	}
}

static bool unpack_stored(Inflater *inflater)
{
	Bits *bits = &inflater->bits;
	bits->at = (bits->at + 7) / 8 * 8;
	size_t length = inflate64_take_bits(bits, 16);
	size_t other = inflate64_take_bits(bits, 16);
	Bytes part = bytes_part(bits->bytes, bits->at / 8, length);
	size_t n = MIN(part.size, inflater->end - inflater->out->len);
	if ((length ^ other) != 0xffff)
		return false;
	if (n > 0)
		g_byte_array_append(inflater->out, part.data, n);
	bits->at += length * 8;
	return n == length;
}

static bool make_fixed(Inflater *inflater)
{
	uint8_t lengths[LITERALS];
	for (unsigned i = 0; i < LITERALS; i++)
		lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
	bool made = make_code(&inflater->literals, lengths, LITERALS);
	for (unsigned i = 0; i < DISTANCES; i++)
		lengths[i] = 5;
	return made && make_code(&inflater->distances, lengths, DISTANCES);
}

/* Reads the code that encodes the lengths of the other codes. */
static bool take_length_code(Bits *bits, unsigned n, Code *code)
{
	static const uint8_t order[LENGTH_CODES] = {
	        16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
	uint8_t lengths[LENGTH_CODES] = {0};
	for (unsigned i = 0; i < n; i++)
		lengths[order[i]] = inflate64_take_bits(bits, 3);
	return make_code(code, lengths, LENGTH_CODES);
}

/* Returns how often a length is repeated: the last one, or zero. */
static unsigned take_repeat(Bits *bits, unsigned symbol, uint8_t *length)
{
	switch (symbol) {
	case 16:
		return 3 + inflate64_take_bits(bits, 2);
	case 17:
		*length = 0;
		return 3 + inflate64_take_bits(bits, 3);
	case 18:
		*length = 0;
		return 11 + inflate64_take_bits(bits, 7);
	default:
		*length = symbol;
		return 1;
	}
}

static bool make_dynamic(Inflater *inflater)
{
	Bits *bits = &inflater->bits;
	Code code;
	uint8_t lengths[LITERALS + DISTANCES] = {0}, length = 0;
	unsigned literals = 257 + inflate64_take_bits(bits, 5),
	         distances = 1 + inflate64_take_bits(bits, 5);
	unsigned all = literals + distances;
	if (!take_length_code(bits, 4 + inflate64_take_bits(bits, 4), &code) || literals > LITERALS)
		return false;
	for (unsigned i = 0; i < all;) {
		int symbol = take_symbol(bits, &code);
		if (symbol < 0 || (symbol == 16 && i == 0))
			return false;
		unsigned times = take_repeat(bits, symbol, &length);
		if (times > all - i)
			return false;
		while (times-- > 0)
			lengths[i++] = length;
	}
	return make_code(&inflater->literals, lengths, literals) &&
	       make_code(&inflater->distances, lengths + literals, distances);
}

static bool inflate64_unpack_block(Inflater *inflater)
{
	switch (inflate64_take_bits(&inflater->bits, 2)) {
	case STORED:
		return unpack_stored(inflater);
	case FIXED:
		return make_fixed(inflater) && unpack_codes(inflater);
	case DYNAMIC:
		return make_dynamic(inflater) && unpack_codes(inflater);
	default:
		return false;
	}
}

bool inflate64(Bytes packed, size_t max, GByteArray *out)
{
	Inflater inflater = {.bits = {packed, 0}, .out = out, .end = out->len + max};
	bool is_last = false;
	while (!is_last) {
		is_last = inflate64_take_bits(&inflater.bits, 1);
		if (!inflate64_unpack_block(&inflater) || is_past_end(&inflater.bits))
			return false;
	}
	return true;
}
