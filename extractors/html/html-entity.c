/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/html/html-entity.h"
#include <libxml/HTMLparser.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NAME = 12 };

/* Names of HTML 5 that HTML 4 (htmlEntityLookup()) lacks, sorted by strcmp(). */
static const struct {
	char name[MAX_NAME];
	uint16_t character;
} more_names[] = {
        {"Abreve", 0x102},
        {"Amacr", 0x100},
        {"Aogon", 0x104},
        {"Cacute", 0x106},
        {"Ccaron", 0x10c},
        {"Dcaron", 0x10e},
        {"Dstrok", 0x110},
        {"Ecaron", 0x11a},
        {"Emacr", 0x112},
        {"Eogon", 0x118},
        {"Gbreve", 0x11e},
        {"Idot", 0x130},
        {"Imacr", 0x12a},
        {"Lcaron", 0x13d},
        {"Lstrok", 0x141},
        {"Nacute", 0x143},
        {"Ncaron", 0x147},
        {"NewLine", 0x0a},
        {"Odblac", 0x150},
        {"Omacr", 0x14c},
        {"Racute", 0x154},
        {"Rcaron", 0x158},
        {"Sacute", 0x15a},
        {"Scedil", 0x15e},
        {"Tab", 0x09},
        {"Tcaron", 0x164},
        {"Tcedil", 0x162},
        {"Udblac", 0x170},
        {"Umacr", 0x16a},
        {"Uogon", 0x172},
        {"Uring", 0x16e},
        {"Zacute", 0x179},
        {"Zcaron", 0x17d},
        {"Zdot", 0x17b},
        {"abreve", 0x103},
        {"amacr", 0x101},
        {"aogon", 0x105},
        {"apos", 0x27},
        {"ast", 0x2a},
        {"bsol", 0x5c},
        {"cacute", 0x107},
        {"ccaron", 0x10d},
        {"check", 0x2713},
        {"colon", 0x3a},
        {"comma", 0x2c},
        {"commat", 0x40},
        {"dash", 0x2010},
        {"dcaron", 0x10f},
        {"dollar", 0x24},
        {"dstrok", 0x111},
        {"ecaron", 0x11b},
        {"emacr", 0x113},
        {"eogon", 0x119},
        {"equals", 0x3d},
        {"excl", 0x21},
        {"fflig", 0xfb00},
        {"filig", 0xfb01},
        {"fllig", 0xfb02},
        {"gbreve", 0x11f},
        {"grave", 0x60},
        {"half", 0xbd},
        {"hyphen", 0x2010},
        {"imacr", 0x12b},
        {"inodot", 0x131},
        {"lbrace", 0x7b},
        {"lbrack", 0x5b},
        {"lcaron", 0x13e},
        {"lcub", 0x7b},
        {"lowbar", 0x5f},
        {"lpar", 0x28},
        {"lsqb", 0x5b},
        {"lstrok", 0x142},
        {"nacute", 0x144},
        {"ncaron", 0x148},
        {"num", 0x23},
        {"odblac", 0x151},
        {"omacr", 0x14d},
        {"percnt", 0x25},
        {"period", 0x2e},
        {"plus", 0x2b},
        {"quest", 0x3f},
        {"racute", 0x155},
        {"rbrace", 0x7d},
        {"rbrack", 0x5d},
        {"rcaron", 0x159},
        {"rcub", 0x7d},
        {"rpar", 0x29},
        {"rsqb", 0x5d},
        {"sacute", 0x15b},
        {"scedil", 0x15f},
        {"semi", 0x3b},
        {"sol", 0x2f},
        {"star", 0x2606},
        {"tcaron", 0x165},
        {"tcedil", 0x163},
        {"udblac", 0x171},
        {"umacr", 0x16b},
        {"uogon", 0x173},
        {"uring", 0x16f},
        {"verbar", 0x7c},
        {"vert", 0x7c},
        {"zacute", 0x17a},
        {"zcaron", 0x17e},
        {"zdot", 0x17c},
};

/* Numeric references 128 to 159 mean windows-1252 (HTML standard, 13.2.5.80). */
static const uint16_t windows_1252[32] = {0x20ac, 0x81, 0x201a, 0x192, 0x201e, 0x2026, 0x2020,
        0x2021, 0x2c6, 0x2030, 0x160, 0x2039, 0x152, 0x8d, 0x17d, 0x8f, 0x90, 0x2018, 0x2019,
        0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x2dc, 0x2122, 0x161, 0x203a, 0x153, 0x9d, 0x17e,
        0x178};

static int compare_name(const void *key, const void *item)
{
	return strcmp(key, item);
}

static gunichar html_named_character(const char *name)
{
	const htmlEntityDesc *known = htmlEntityLookup((const xmlChar *)name);

	if (known)
		return known->value;
	const uint16_t *character;
	const char *found = bsearch(
	        name, more_names, G_N_ELEMENTS(more_names), sizeof(more_names[0]), compare_name);
	if (!found)
		return 0;
	character = &more_names[(found - more_names[0].name) / sizeof(more_names[0])].character;
	return *character;
}

static gunichar html_valid_character(gunichar c)
{
	if (c >= 0x80 && c < 0xa0)
		return windows_1252[c - 0x80];
	return g_unichar_validate(c) && c != 0 ? c : 0xfffd;
}

/* at: after "&#". Returns the end of the reference, NULL if it is none. */
static const char *html_read_number(const char *at, const char *end, gunichar *c)
{
	bool hex = at < end && (*at == 'x' || *at == 'X');
	const char *begin = at += hex;

	for (*c = 0; at < end; at++) {
		int digit = hex ? g_ascii_xdigit_value(*at) : g_ascii_digit_value(*at);
		if (digit < 0)
			break;
		*c = MIN(*c * (hex ? 16 : 10) + digit, 0x110000);
	}
	if (at == begin)
		return NULL;
	*c = html_valid_character(*c);
	return at < end && *at == ';' ? at + 1 : at;
}

/* at: after "&". */
static const char *html_entity_read_name(
        const char *at, const char *end, bool in_attribute, gunichar *c)
{
	char name[MAX_NAME];
	size_t used = 0;

	while (at < end && g_ascii_isalnum(*at) && used + 1 < sizeof(name))
		name[used++] = *at++;
	name[used] = '\0';
	if (used == 0 || (in_attribute && (at == end || *at != ';')))
		return NULL;
	*c = html_named_character(name);
	if (*c == 0)
		return NULL;
	return at < end && *at == ';' ? at + 1 : at;
}

void entity_append(GString *out, HtmlSpan text, bool in_attribute)
{
	const char *at = text.text, *end = at + text.length;

	while (at < end) {
		const char *mark = memchr(at, '&', end - at), *after = NULL;
		g_string_append_len(out, at, (mark ? mark : end) - at);
		if (!mark)
			return;
		gunichar c = 0;
		if (mark + 1 < end && mark[1] == '#')
			after = html_read_number(mark + 2, end, &c);
		else
			after = html_entity_read_name(mark + 1, end, in_attribute, &c);
		if (after)
			g_string_append_unichar(out, c);
		else
			g_string_append_c(out, '&');
		at = after ? after : mark + 1;
	}
}
