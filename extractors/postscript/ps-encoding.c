/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/postscript/ps-encoding.h"

static void append_groff(GString *text, uint8_t byte)
{
	static const char *const low[] = {"^", "~", "Š", "Ž", "š", "ž", "Ÿ", "™", "'", "€"};
	static const char *const high[] = {"‚", "«", "»", "•", "ƒ", "⁄", "‰", "†", "‡", "–", "—",
	        "ff", "fi", "fl", "ffi", "ffl", "ı", "ȷ", "`", "˝", "˙", "˘", "ˇ", "˚", "˛", "“",
	        "”", "œ", "ł", "„", "Œ", "Ł"};
	if (byte < G_N_ELEMENTS(low))
		g_string_append(text, low[byte]);
	else if (byte >= 0x80 && byte < 0x80 + G_N_ELEMENTS(high))
		g_string_append(text, high[byte - 0x80]);
	else if (byte == 0xad)
		g_string_append_c(text, '-');
	else if (byte == '\'' || byte == '`')
		g_string_append(text, byte == '`' ? "‘" : "’");
	else if (byte >= ' ' && byte != 0x7f && byte != 0xa0)
		g_string_append_unichar(text, byte);
}

/* What OT1 sets above the next letter, as the mark that follows it in Unicode; 0: nothing. */
static gunichar accent_of(uint8_t byte)
{
	switch (byte) {
	case 0x12:
		return 0x300;
	case 0x13:
		return 0x301;
	case 0x14:
		return 0x30c;
	case 0x15:
		return 0x306;
	case 0x16:
		return 0x304;
	case 0x17:
		return 0x30a;
	case 0x18:
		return 0x327;
	case 0x7f:
		return 0x308;
	default:
		return 0;
	}
}

static const char *tex_letter(uint8_t byte)
{
	static const char *const ligatures[] = {"ff", "fi", "fl", "ffi", "ffl", "i", "j"};
	static const char *const letters[] = {"ß", "æ", "œ", "ø", "Æ", "Œ", "Ø"};
	if (byte >= 0x0b && byte < 0x0b + G_N_ELEMENTS(ligatures))
		return ligatures[byte - 0x0b];
	return byte >= 0x19 && byte < 0x19 + G_N_ELEMENTS(letters) ? letters[byte - 0x19] : NULL;
}

static const char *ps_cork_letter(uint8_t byte)
{
	static const char *const low[] = {"“", "”", "„", "«", "»", "–", "—", "", "", "i", "j", "ff",
	        "fi", "fl", "ffi", "ffl"};
	static const char *const high[] = {"Ă", "Ą", "Ć", "Č", "Ď", "Ě", "Ę", "Ğ", "Ĺ", "Ľ", "Ł",
	        "Ń", "Ň", "Ŋ", "Ő", "Ŕ", "Ř", "Ś", "Š", "Ş", "Ť", "Ţ", "Ű", "Ů", "Ÿ", "Ź", "Ž", "Ż",
	        "Ĳ", "İ", "đ", "§", "ă", "ą", "ć", "č", "ď", "ě", "ę", "ğ", "ĺ", "ľ", "ł", "ń", "ň",
	        "ŋ", "ő", "ŕ", "ř", "ś", "š", "ş", "ť", "ţ", "ű", "ů", "ÿ", "ź", "ž", "ż", "ĳ", "¡",
	        "¿", "£"};
	if (byte >= 0x10 && byte < 0x10 + G_N_ELEMENTS(low))
		return low[byte - 0x10];
	if (byte >= 0x80 && byte < 0x80 + G_N_ELEMENTS(high))
		return high[byte - 0x80];
	return byte == 0xd7   ? "Œ"
	       : byte == 0xdf ? "SS"
	       : byte == 0xf7 ? "œ"
	       : byte == 0xff ? "ß"
	                      : NULL;
}

static void append_tex(GString *text, PsEncoding encoding, uint8_t byte, gunichar *accent)
{
	gunichar mark = encoding == PS_TEX ? accent_of(byte) : 0;
	if (mark) {
		*accent = mark;
		return;
	}
	const char *letter = encoding == PS_TEX ? tex_letter(byte) : ps_cork_letter(byte);
	if (letter)
		g_string_append(text, letter);
	else if (byte >= ' ' && byte != 0x7f)
		g_string_append_unichar(text, byte);
	if (*accent && g_ascii_isalpha(byte | (letter ? 'a' : 0)))
		g_string_append_unichar(text, *accent);
	*accent = 0;
}

void ps_append_byte(GString *text, PsEncoding encoding, uint8_t byte, gunichar *accent)
{
	if (encoding == PS_GROFF)
		append_groff(text, byte);
	else if (encoding != PS_LATIN)
		append_tex(text, encoding, byte, accent);
	else if (byte >= ' ')
		g_string_append_c(text, byte);
}
