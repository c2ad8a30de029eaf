/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/postscript/ps-dvips.h"
#include <math.h>
#include <string.h>

enum {
	DVIPS_NAME_BYTES = 40,
	FONT_NAME_BYTES = 4, /* of the short names that dvips gives: Fa, Fb, ... */
	MOST_FONTS = 1000,
	RESOLUTION = 600, /* pixels in an inch, if the program does not tell */
	SPACES_IN_INCH = 50, /* a wider step than an inch by this is a space */
	LINES_IN_INCH = 12, /* a higher one than an inch by this is a new line */
};

typedef enum {
	ENCODING_OT1,
	ENCODING_OT1_TYPEWRITER,
	ENCODING_T1,
	ENCODING_BASE1,
	ENCODING_MATH,
	ENCODING_NONE
} Encoding;

struct Dvips {
	PsPage *page;
	GHashTable *fonts; /* short name -> Encoding */
	char literal[DVIPS_NAME_BYTES]; /* the last one: the long name of a font */
	char short_name[DVIPS_NAME_BYTES]; /* the last literal that may be one */
	char inner[DVIPS_NAME_BYTES]; /* the first name in a procedure behind that */
	Encoding encoding; /* of the current font */
	GString *shown; /* the string that the next operator shows */
	bool has_shown;
	double numbers[2], resolution, delta, y;
	gunichar accent; /* for the next letter; 0: none */
};

/* ---- encodings */

/* Signs 1 to 5 stand for ligatures, and those of Unicode that combine for accents. */

static const gunichar ot1_low[32] = {0x393, 0x394, 0x398, 0x39b, 0x39e, 0x3a0, 0x3a3, 0x3a5, 0x3a6,
        0x3a8, 0x3a9, 1, 2, 3, 4, 5, 0x131, 0x237, 0x300, 0x301, 0x30c, 0x306, 0x304, 0x30a, 0x327,
        0xdf, 0xe6, 0x153, 0xf8, 0xc6, 0x152, 0xd8};

static const gunichar t1_low[32] = {0x300, 0x301, 0x302, 0x303, 0x308, 0x30b, 0x30a, 0x30c, 0x306,
        0x304, 0x307, 0x327, 0x328, 0x201a, 0x2039, 0x203a, 0x201c, 0x201d, 0x201e, 0xab, 0xbb,
        0x2013, 0x2014, 0, 0, 0x131, 0x237, 1, 2, 3, 4, 5};

static const gunichar t1_high[64] = {0x102, 0x104, 0x106, 0x10c, 0x10e, 0x11a, 0x118, 0x11e, 0x139,
        0x13d, 0x141, 0x143, 0x147, 0x14a, 0x150, 0x154, 0x158, 0x15a, 0x160, 0x15e, 0x164, 0x162,
        0x170, 0x16e, 0x178, 0x179, 0x17d, 0x17b, 0x132, 0x130, 0x111, 0xa7, 0x103, 0x105, 0x107,
        0x10d, 0x10f, 0x11b, 0x119, 0x11f, 0x13a, 0x13e, 0x142, 0x144, 0x148, 0x14b, 0x151, 0x155,
        0x159, 0x15b, 0x161, 0x15f, 0x165, 0x163, 0x171, 0x16f, 0xff, 0x17a, 0x17e, 0x17c, 0x133,
        0xa1, 0xbf, 0xa3};

static gunichar ot1_sign(uint8_t byte)
{
	static const char signs[] = "\"\\<>^_{|}~\x7f";
	static const gunichar meanings[] = {
	        0x201d, 0x201c, 0xa1, 0xbf, 0x302, 0x307, 0x2013, 0x2014, 0x30b, 0x303, 0x308};
	const char *at = byte ? strchr(signs, byte) : NULL;
	return byte < 32 ? ot1_low[byte] : at ? meanings[at - signs] : byte < 128 ? byte : 0;
}

static gunichar t1_sign(uint8_t byte)
{
	if (byte < 32)
		return t1_low[byte];
	if (byte >= 0x80 && byte < 0xc0)
		return t1_high[byte - 0x80];
	return byte == 0x7f   ? '-'
	       : byte == 0xd7 ? 0x152
	       : byte == 0xf7 ? 0x153
	       : byte == 0xff ? 0xdf
	                      : byte;
}

/* Above ASCII it is Latin-1, with the signs of Windows between. */
static gunichar base1_sign(uint8_t byte)
{
	static const gunichar windows[] = {0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014};
	if (byte < 32)
		return byte == 2 || byte == 3 ? byte : byte == 17 ? 0x131 : 0;
	return byte >= 0x91 && byte <= 0x97  ? windows[byte - 0x91]
	       : byte == 0x9c                ? 0x153
	       : byte >= 0x80 && byte < 0xa0 ? 0
	                                     : byte;
}

/* Greek letters and those of variables. */
static gunichar math_sign(uint8_t byte)
{
	static const gunichar greek[] = {0x3b1, 0x3b2, 0x3b3, 0x3b4, 0x3b5, 0x3b6, 0x3b7, 0x3b8,
	        0x3b9, 0x3ba, 0x3bb, 0x3bc, 0x3bd, 0x3be, 0x3c0, 0x3c1, 0x3c3, 0x3c4, 0x3c5, 0x3c6,
	        0x3c7, 0x3c8, 0x3c9};
	enum { ALPHA = 11 };
	if (byte < ALPHA)
		return ot1_low[byte];
	return byte < ALPHA + G_N_ELEMENTS(greek) ? greek[byte - ALPHA]
	       : g_ascii_isalpha(byte)            ? byte
	                                          : 0;
}

/* Returns what the byte stands for; 0: nothing that is text. */
static gunichar sign_of(Encoding encoding, uint8_t byte)
{
	switch (encoding) {
	case ENCODING_OT1:
		return ot1_sign(byte);
	case ENCODING_OT1_TYPEWRITER:
		return byte >= ' ' && byte < 0x7f ? byte : 0;
	case ENCODING_T1:
		return t1_sign(byte);
	case ENCODING_BASE1:
		return base1_sign(byte);
	case ENCODING_MATH:
		return math_sign(byte);
	default:
		return 0;
	}
}

/* ---- fonts */

static bool begins(const char *name, const char *const *prefixes)
{
	for (; *prefixes; prefixes++)
		if (g_ascii_strncasecmp(name, *prefixes, strlen(*prefixes)) == 0)
			return true;
	return false;
}

/* name: as TeX or PostScript call the font, e.g. "ecrm1000", "CMR10". */
static Encoding encoding_of(const char *name, const char *vector)
{
	static const char *const math[] = {"cmmi", "lmmi", "cmmib", NULL};
	static const char *const symbols[] = {"cmsy", "cmex", "cmbsy", "msam", "msbm", "lasy",
	        "wasy", "stmary", "tc", "lmsy", "lmex", "lcircle", "line", "xy", "esint", NULL};
	static const char *const t1[] = {"ec", "dc", "sf", NULL};
	static const char *const ot1[] = {"cm", "lcmss", "eufm", "eufb", NULL};
	if (begins(name, symbols))
		return ENCODING_NONE;
	if (begins(name, math))
		return ENCODING_MATH;
	if (begins(name, t1) || strstr(vector, "T1") || strstr(vector, "EC") ||
	        strstr(vector, "ec"))
		return ENCODING_T1;
	if (begins(name, ot1))
		return strstr(name, "tt") || strstr(name, "TT") ? ENCODING_OT1_TYPEWRITER
		                                                : ENCODING_OT1;
	return ENCODING_BASE1;
}

static void define_font(Dvips *d, const char *name, Encoding encoding)
{
	if (*name && g_hash_table_size(d->fonts) < MOST_FONTS)
		g_hash_table_insert(d->fonts, g_strdup(name), GINT_TO_POINTER(encoding));
}

static void dvips_note(char *to, const char *text, size_t length)
{
	length = MIN(length, DVIPS_NAME_BYTES - 1);
	memcpy(to, text, length);
	to[length] = '\0';
}

/* "%DVIPSBitmapFont: Fa ecrm1000 10 9" */
void dvips_comment(Dvips *d, const char *text, size_t length)
{
	static const char key[] = "VIPSBitmapFont: ";
	if (length <= strlen(key) || memcmp(text, key, strlen(key)) != 0)
		return;
	g_autofree char *rest = g_strndup(text + strlen(key), length - strlen(key));
	g_auto(GStrv) words = g_strsplit(rest, " ", 3);
	if (words[0] && words[1] && strlen(words[0]) < FONT_NAME_BYTES)
		define_font(d, words[0], encoding_of(words[1], ""));
}

void dvips_literal(Dvips *d, const char *text, size_t length)
{
	dvips_note(d->literal, text, length);
	if (length < FONT_NAME_BYTES && length > 1) {
		dvips_note(d->short_name, text, length);
		d->inner[0] = '\0';
	}
}

void dvips_inner_name(Dvips *d, const char *text, size_t length)
{
	if (d->inner[0] == '\0')
		dvips_note(d->inner, text, length);
}

/* ---- text */

Dvips *dvips_new(PsPage *page)
{
	Dvips *d = g_new0(Dvips, 1);
	d->page = page;
	d->fonts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	d->shown = g_string_new(NULL);
	d->resolution = RESOLUTION;
	d->y = NAN;
	page->composed = true;
	return d;
}

void dvips_free(Dvips *d)
{
	if (!d)
		return;
	g_hash_table_unref(d->fonts);
	g_string_free(d->shown, TRUE);
	g_free(d);
}

void dvips_string(Dvips *d, const GString *string)
{
	g_string_assign(d->shown, "");
	g_string_append_len(d->shown, string->str, string->len);
	d->has_shown = true;
}

void dvips_number(Dvips *d, double number)
{
	d->numbers[0] = d->numbers[1];
	d->numbers[1] = number;
}

static bool is_accent(gunichar sign)
{
	return sign >= 0x300 && sign < 0x330;
}

/* An accent comes before its letter, which may be a dotless one. */
static void put_sign(Dvips *d, gunichar sign)
{
	GString *text = d->page->text;
	if (is_accent(sign)) {
		d->accent = sign;
		return;
	}
	if (d->accent && (sign == 0x131 || sign == 0x237))
		sign = sign == 0x131 ? 'i' : 'j';
	if (sign < G_N_ELEMENTS(ps_ligatures))
		g_string_append(text, ps_ligatures[sign]);
	else
		g_string_append_unichar(text, sign);
	if (d->accent)
		g_string_append_unichar(text, d->accent);
	d->accent = 0;
}

static void dvips_show(Dvips *d)
{
	for (size_t i = 0; d->has_shown && i < d->shown->len; i++) {
		gunichar sign = sign_of(d->encoding, (uint8_t)d->shown->str[i]);
		if (sign)
			put_sign(d, sign);
	}
	d->has_shown = false;
}

/* An accent is set beside or above its letter by steps that part no words. */
static void step(Dvips *d, double right)
{
	if (right > d->resolution / SPACES_IN_INCH && !d->accent)
		ps_page_space(d->page);
}

static void move(Dvips *d)
{
	double down = fabs(d->numbers[1] - d->y);
	d->y = d->numbers[1];
	if (d->accent && down < d->resolution / LINES_IN_INCH)
		return;
	d->accent = 0;
	if (down < d->resolution / LINES_IN_INCH)
		ps_page_space(d->page);
	else
		ps_page_line(d->page);
}

/* The operators of one letter: c to k step by the last wide step and -4 to 4, l to t by -4 to 4. */
static bool dvips_operator(Dvips *d, char letter)
{
	if (letter >= 'c' && letter <= 'k') {
		d->delta += letter - 'g';
		dvips_show(d);
		step(d, d->delta);
	} else if (letter >= 'l' && letter <= 't') {
		dvips_show(d);
		step(d, letter - 'p');
	} else if (letter == 'b') {
		d->delta = d->numbers[1];
		dvips_show(d);
		step(d, d->delta);
	} else if (letter == 'w') {
		step(d, d->numbers[1]);
	} else if (letter == 'y' || letter == 'a') {
		dvips_show(d);
		move(d);
	} else {
		return false;
	}
	return true;
}

static bool select_font(Dvips *d, const char *name)
{
	gpointer encoding;
	if (!g_hash_table_lookup_extended(d->fonts, name, NULL, &encoding))
		return false;
	d->encoding = GPOINTER_TO_INT(encoding);
	return true;
}

void dvips_name(Dvips *d, const char *text, size_t length)
{
	char name[DVIPS_NAME_BYTES];
	dvips_note(name, text, length);
	if (length == 1 && dvips_operator(d, *name))
		return;
	if (select_font(d, name))
		return;
	d->has_shown = false;
	if (strcmp(name, "rf") == 0)
		define_font(d, d->short_name, encoding_of(d->literal, d->inner));
	else if ((strcmp(name, "df") == 0 || strcmp(name, "dfs") == 0) &&
	         !g_hash_table_contains(d->fonts, d->short_name))
		define_font(d, d->short_name, ENCODING_OT1);
	else if (strcmp(name, "@start") == 0 && d->numbers[1] > 0)
		d->resolution = d->numbers[1];
}
