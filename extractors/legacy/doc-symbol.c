/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/legacy/doc-symbol.h"
#include "extractors/shared/symbolfont.h"

enum { FONT_NAME = 40 /* place of the name in the entry of a font */ };

/* Returns the name of a font: UTF-16, with a NUL. */
static Bytes doc_font_name(Bytes fonts, unsigned number)
{
	size_t at = 4;
	while (number > 0 && at < fonts.size) {
		at += 1 + (size_t)fonts.data[at];
		number--;
	}
	if (at >= fonts.size || fonts.data[at] < FONT_NAME)
		return (Bytes){NULL, 0};
	return bytes_part(fonts, at + FONT_NAME, fonts.data[at] + 1u - FONT_NAME);
}

static bool is_symbol_font(Bytes name)
{
	static const char wanted[] = SYMBOL_FONT; /* with its NUL */
	if (name.size < 2 * sizeof wanted)
		return false;
	for (size_t i = 0; i < sizeof wanted; i++)
		if (le16(name, 2 * i) != (unsigned char)wanted[i])
			return false;
	return true;
}

bool doc_is_symbol_font(Bytes fonts, uint32_t font)
{
	return font > 0 && is_symbol_font(doc_font_name(fonts, font - 1));
}

gunichar doc_symbol_char(Bytes fonts, uint32_t symbol)
{
	bool known = is_symbol_font(doc_font_name(fonts, symbol & 0xffff));
	return known ? symbol_font_char(symbol >> 16) : ' ';
}
