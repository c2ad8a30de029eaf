/* SPDX-License-Identifier: GPL-3.0-or-later */
/* symbolfont.h - characters of the font Symbol, in which Word writes Greek letters and signs
 *
 * Text in a font of symbols has its codes moved up to 0xf000. */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define SYMBOL_FONT "Symbol"

/* Returns the character for a code of the font, which may be moved up to 0xf000. A space: a sign
 * that has no meaning in a text, such as a part of a large bracket. */
static inline gunichar symbol_font_char(unsigned code)
{
	static const char capitals[] = "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ";
	static const char letters[] = "αβχδεφγηιϕκλμνοπθρστυϖωξψζ";
	static const struct {
		uint8_t code;
		gunichar sign;
	} signs[] = {{0x2d, 0x2212}, {0xa3, 0x2264}, {0xa5, 0x221e}, {0xae, 0x2192}, {0xb0, 0xb0},
	        {0xb1, 0xb1}, {0xb3, 0x2265}, {0xb4, 0xd7}, {0xb9, 0x2260}, {0xbb, 0x2248},
	        {0xd0, 0x2220}, {0xd6, 0x221a}, {0xe5, 0x2211}, {0xf2, 0x222b}};
	unsigned low = code & 0xff;
	if (g_ascii_isupper(low))
		return g_utf8_get_char(capitals + 2 * (size_t)(low - 'A'));
	if (g_ascii_islower(low))
		return g_utf8_get_char(letters + 2 * (size_t)(low - 'a'));
	for (size_t i = 0; i < G_N_ELEMENTS(signs); i++)
		if (signs[i].code == low)
			return signs[i].sign;
	return low > 0 && strchr("0123456789!#%&()+,./:;<=>?[]_{|}", (int)low) ? low : ' ';
}

static inline bool symbol_font_is_moved(gunichar c)
{
	return c >= 0xf020 && c <= 0xf0ff;
}

/* Returns what a moved code means in Symbol, or in another font, where it is an ornament. */
static inline gunichar symbol_font_shown(gunichar c, bool is_symbol)
{
	return is_symbol ? symbol_font_char(c) : ' ';
}

/* Replaces moved codes in UTF-8. NULL: there are none. The caller frees the result. */
static inline char *symbol_font_text(const char *text, size_t *length, bool is_symbol)
{
	const char *end = text + *length, *first = text;
	/* the first two bytes of U+F020 to U+F0FF */
	while (first && (first = memchr(first, 0xef, end - first)) &&
	        (end - first < 3 || ((guint8)first[1] & 0xfc) != 0x80))
		first++;
	if (!first)
		return NULL;
	GString *shown = g_string_new_len(text, first - text);
	for (const char *at = first; at < end;) {
		gunichar c = g_utf8_get_char_validated(at, end - at);
		if (c >= (gunichar)-2)
			break;
		g_string_append_unichar(
		        shown, symbol_font_is_moved(c) ? symbol_font_shown(c, is_symbol) : c);
		at = g_utf8_next_char(at);
	}
	*length = shown->len;
	return g_string_free(shown, FALSE);
}
