/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/charset/charset-shape.h"
#include "extractors/charset/charset-letters.h"
#include <string.h>

enum { LOOK_BYTES = 16 << 10 };

/* Points for a character, which depend on the characters around it. */
enum {
	LETTER = 3, /* a letter of the language that fits best */
	OTHER_LANGUAGE_LETTER = -3,
	MARK_IN_PLACE = 3, /* a quotation mark or a dash between spaces */
	CAPITAL_INSIDE = -4, /* a capital after a small letter */
	SIGN_INSIDE = -4, /* a sign between letters */
	BAD_PLACE = -3, /* a letter after a full stop or beside a digit */
	CONTROL = -6,
	MARGIN = 2, /* lead that another charset needs, plus 1 % of the points */
	DETECTED = 2, /* the lead of the charset that a detector names */
};

/* Charsets that detectors confuse; they most often name the first. */
static const char *const western[] = {"windows-1252", "ibm850", "macintosh", "windows-1250",
        "iso-8859-2", "ibm852", "windows-1257", "windows-1254", "iso-8859-15", "iso-8859-13",
        "iso-8859-4", "iso-8859-3", "iso-8859-16", "iso-8859-14", "x-mac-ce", "ibm857", "ibm775",
        "windows-1253", "iso-8859-7", "ibm737", "ibm869", "ibm862", "windows-1258", NULL};
/* Charsets that detectors name too confidently instead of one of the above. */
static const char *const overrated[] = {"iso-8859-10", NULL};
static const char *const cyrillic[] = {"windows-1251", "koi8-r", "koi8-u", "ibm866", "cp1125",
        "iso-8859-5", "ibm855", "x-mac-cyrillic", "koi8-t", "pt154", "rk1048", NULL};

/* Greek and Hebrew words contain no letters of other scripts. */
static bool is_eastern(gunichar c)
{
	return (c >= 0x370 && c < 0x400) || (c >= 0x5d0 && c <= 0x5ea);
}

static bool charset_is_space(gunichar c)
{
	return c == 0 || c == 0xa0 || c == 0x202f || g_unichar_isspace(c);
}

static int mark_points(gunichar before, gunichar c, gunichar after)
{
	static const char quotes[] = "“”‘’«»‹›", opening[] = "„‚¿¡";
	bool left = g_unichar_isalpha(before), right = g_unichar_isalpha(after);
	if (c == 0xa0 || c == 0x202f || c == 0xad)
		return 0;
	if (left && right && (c == 0x2019 || c == 0xb7))
		return c == 0x2019 ? MARK_IN_PLACE : 0;
	if (left && right)
		return SIGN_INSIDE;
	if (c == 0x2013 || c == 0x2014)
		return charset_is_space(before) && charset_is_space(after) ? MARK_IN_PLACE : 0;
	if (g_utf8_strchr(opening, -1, c))
		return left ? SIGN_INSIDE : MARK_IN_PLACE;
	bool outside = left ? !g_unichar_isalnum(after) : !g_unichar_isalnum(before);
	return outside && g_utf8_strchr(quotes, -1, c) ? MARK_IN_PLACE : 0;
}

static int letter_points(gunichar before, gunichar c, gunichar after)
{
	if (g_unichar_isupper(c) && g_unichar_islower(before))
		return CAPITAL_INSIDE;
	if (before == '.' || before == ',' || g_unichar_isdigit(before) || g_unichar_isdigit(after))
		return BAD_PLACE;
	bool mixed = (g_unichar_isalpha(before) && is_eastern(before) != is_eastern(c)) ||
	             (g_unichar_isalpha(after) && is_eastern(after) != is_eastern(c));
	return mixed ? SIGN_INSIDE : 0;
}

static int charset_points(gunichar before, gunichar c, gunichar after)
{
	if (c < 0x80)
		return before >= 0x80 && g_ascii_isupper(c) && g_unichar_islower(before)
		               ? CAPITAL_INSIDE
		               : 0;
	if (g_unichar_iscntrl(c) || c == 0xfffd)
		return CONTROL;
	if (c >= 0x300 && c <= 0x323) /* a tone mark of Vietnamese */
		return g_unichar_isalpha(before) ? 0 : SIGN_INSIDE;
	return g_unichar_isalpha(c) ? letter_points(before, c, after)
	                            : mark_points(before, c, after);
}

static bool is_hebrew(gunichar c)
{
	return c >= 0x5d0 && c <= 0x5ea;
}

static int charset_score(const Charset *charset, const uint8_t *data, size_t size)
{
	g_autoptr(GString) text = g_string_sized_new(size * 2);
	charset_decode(charset, data, size, text);
	LetterCounts counts = {.n = 0};
	int sum = 0, hebrew = 0;
	gunichar before = ' ';
	for (const char *p = text->str; *p; p = g_utf8_next_char(p)) {
		gunichar c = g_utf8_get_char(p);
		if (c >= 0x80 || before >= 0x80)
			sum += charset_points(before, c, g_utf8_get_char(g_utf8_next_char(p)));
		if (is_hebrew(c))
			hebrew++;
		else if (c >= 0x80 && (g_unichar_isalpha(c) || (c >= 0x300 && c <= 0x323)))
			letters_count(&counts, c);
		before = c;
	}
	unsigned all, known = letters_of_one_language(&counts, &all);
	return sum + LETTER * ((int)known + hebrew) + OTHER_LANGUAGE_LETTER * (int)(all - known);
}

static const char *const *group_of(const Charset *guess)
{
	const char *name = charset_name(guess);
	if (g_strv_contains(western, name) || g_strv_contains(overrated, name))
		return western;
	return g_strv_contains(cyrillic, name) ? cyrillic : NULL;
}

/* True if the text has letters of ISO 8859-15 at codes that are signs in windows-1252: one of them
 * within a word, or the euro sign instead of the rarely used currency sign. The text must have no
 * byte that only windows-1252 defines. */
static bool is_latin9(const uint8_t *data, size_t size)
{
	static const uint8_t letters[] = {0xa6, 0xa8, 0xb4, 0xb8, 0xbc, 0xbd, 0xbe};
	bool any = false;
	for (size_t i = 0; i < size; i++) {
		if (data[i] >= 0x80 && data[i] < 0xa0)
			return false;
		bool inside = i > 0 && i + 1 < size && g_ascii_isalpha(data[i - 1]) &&
		              g_ascii_isalpha(data[i + 1]);
		any |= data[i] == 0xa4 || (inside && memchr(letters, data[i], sizeof letters));
	}
	return any;
}

typedef struct {
	const uint8_t *bytes;
	size_t size;
	const Charset *detected, *best;
	int points; /* of the best charset, and the lead that another needs */
} Contest;

static void charset_compare(Contest *contest, const char *const *names)
{
	for (; *names; names++) {
		const Charset *other = charset_find(*names);
		if (!other || other == contest->best)
			continue;
		int points = charset_score(other, contest->bytes, contest->size);
		if (contest->best && other == contest->detected)
			points += DETECTED;
		if (contest->best && points <= contest->points)
			continue;
		contest->points = points + (contest->best ? 0 : MARGIN + ABS(points) / 100);
		contest->best = other;
	}
}

const Charset *charset_likelier(const Charset *guess, const uint8_t *data, size_t size)
{
	const char *const *group = guess ? group_of(guess) : western;
	size_t first = 0;
	while (first < size && data[first] < 0x80)
		first++;
	if (!group || first == size)
		return guess ? guess : charset_find("utf-8");
	size_t from = first > 0 ? first - 1 : 0;
	Contest contest = {data + from, MIN(size - from, LOOK_BYTES), guess, NULL, 0};
	const char *const only[] = {guess ? charset_name(guess) : NULL, NULL};
	if (group == cyrillic)
		charset_compare(&contest, only);
	charset_compare(&contest, group);
	if (!guess)
		charset_compare(&contest, cyrillic);
	const Charset *latin9 = charset_find("iso-8859-15");
	bool better = latin9 && strcmp(charset_name(contest.best), "windows-1252") == 0 &&
	              is_latin9(data + from, contest.size);
	return better ? latin9 : contest.best;
}

const Charset *charset_likeliest(
        const char *const *names, const Charset *guess, const uint8_t *data, size_t size)
{
	const char *const also[] = {guess ? charset_name(guess) : NULL, NULL};
	Contest contest = {data, MIN(size, LOOK_BYTES), guess, NULL, 0};
	charset_compare(&contest, names);
	charset_compare(&contest, also);
	return contest.best;
}

/* True for a character of a script in daily use, or a sign used with one. */
static bool is_usual_unit(unsigned c)
{
	static const struct {
		uint16_t first, last;
	} blocks[] = {{0x09, 0x0a}, {0x0d, 0x0d}, {0x20, 0x7e}, {0xa0, 0x24f}, {0x259, 0x259},
	        {0x2bb, 0x2bc}, {0x300, 0x328}, {0x370, 0x6ff}, {0x900, 0xfbc}, {0x1000, 0x10ff},
	        {0x1200, 0x137c}, {0x1780, 0x17e9}, {0x1e00, 0x1fff}, {0x200b, 0x2026},
	        {0x20a0, 0x20bf}, {0x3000, 0x30ff}, {0x3131, 0x318e}, {0x4e00, 0x9fff},
	        {0xac00, 0xd7a3}, {0xff01, 0xff9f}};
	for (size_t i = 0; i < G_N_ELEMENTS(blocks); i++)
		if (c >= blocks[i].first && c <= blocks[i].last)
			return true;
	return false;
}

static bool charset_is_white(unsigned c)
{
	return c == ' ' || c == '\n' || c == 0x3000 || c == 0x3001 || c == 0x3002;
}

const char *looks_utf32(const uint8_t *data, size_t size)
{
	enum { LOOK_UNITS = 256, MIN_UNITS = 4 };
	size_t n = MIN(size / 4, (size_t)LOOK_UNITS), usual[2] = {0}, spaces[2] = {0};
	if (size % 4 != 0 || n < MIN_UNITS)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		const uint8_t *unit = data + 4 * i;
		bool narrow[] = {unit[2] == 0 && unit[3] == 0, unit[0] == 0 && unit[1] == 0};
		unsigned units[] = {unit[0] | unit[1] << 8, unit[2] << 8 | unit[3]};
		for (size_t k = 0; k < 2; k++) {
			usual[k] += narrow[k] && is_usual_unit(units[k]);
			spaces[k] += narrow[k] && charset_is_white(units[k]);
		}
	}
	for (size_t k = 0; k < 2; k++)
		if (usual[k] * 50 >= n * 49 && spaces[k] > 0)
			return k == 0 ? "utf-32le" : "utf-32be";
	return NULL;
}

const char *looks_utf16(const uint8_t *data, size_t size)
{
	enum { LOOK_UNITS = 512, MIN_UNITS = 8, LONG_WORD = 60 };
	size_t n = MIN(size / 2, (size_t)LOOK_UNITS), usual[2] = {0}, spaces[2] = {0};
	size_t ascii[2] = {0}; /* with their bytes swapped they look like Chinese */
	if (size % 2 != 0 || n < MIN_UNITS)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		unsigned units[] = {
		        data[2 * i] | data[2 * i + 1] << 8, data[2 * i] << 8 | data[2 * i + 1]};
		for (size_t k = 0; k < 2; k++) {
			usual[k] += is_usual_unit(units[k]);
			spaces[k] += charset_is_white(units[k]);
			ascii[k] += units[k] < 0x7f && is_usual_unit(units[k]);
		}
	}
	for (size_t k = 0; k < 2; k++) {
		bool spaced = spaces[1 - k] == 0 && spaces[k] * LONG_WORD >= n;
		bool one_way = usual[1 - k] * 4 <= n * 3 || ascii[k] * 2 > n || spaced;
		if (usual[k] * 50 >= n * 49 && one_way && spaces[k] > 0)
			return k == 0 ? "utf-16le" : "utf-16be";
	}
	return NULL;
}

/* The letters are in groups of up to nine by the low half of the byte. */
static bool is_ebcdic_letter(uint8_t byte)
{
	unsigned row = byte & 0xf0, column = byte & 0x0f;
	if (row == 0xa0 || row == 0xe0)
		return column >= 2 && column <= 9;
	return (row == 0x80 || row == 0x90 || row == 0xc0 || row == 0xd0) && column >= 1 &&
	       column <= 9;
}

bool looks_ebcdic(const uint8_t *data, size_t size)
{
	enum { HEAD_BYTES = 4096, LEAST_BYTES = 16 };
	static const uint8_t marks[] = {0x4b, 0x6b, 0x60, 0x61, 0x7d, 0x7f, 0x5d, 0x4d, 0x7a, 0x5e,
	        0x6f, 0x6e, 0x4c, 0x7e, 0x5a, 0x6d, 0x05, 0x0d, 0x15, 0x25, 0x50, 0x5c, 0x7b, 0x7c};
	size_t n = MIN(size, HEAD_BYTES), letters = 0, spaces = 0, others = 0;
	for (size_t i = 0; i < n; i++) {
		uint8_t byte = data[i];
		if (is_ebcdic_letter(byte))
			letters++;
		else if (byte == 0x40)
			spaces++;
		else if (byte < 0xf0 && !memchr(marks, byte, sizeof marks))
			others++;
	}
	return n >= LEAST_BYTES && letters * 2 > n && spaces * 12 > n && others * 20 < n;
}

bool starts_ebcdic_xml(const uint8_t *data, size_t size)
{
	return size >= 5 && memcmp(data, "\x4c\x6f\xa7\x94\x93", 5) == 0;
}

bool starts_ebcdic_html(const uint8_t *data, size_t size)
{
	static const uint8_t page[] = {0xc8, 0xe3, 0xd4, 0xd3}, type[] = {0xc4, 0xd6, 0xc3};
	if (size < 5 || data[0] != 0x4c)
		return false;
	/* a capital differs from the small letter in one bit; the exclamation mark has two codes */
	const uint8_t *like = data[1] == 0x5a || data[1] == 0x4f ? type : page;
	size_t from = like == type ? 2 : 1;
	for (size_t i = from; i < 5; i++)
		if ((data[i] | 0x40) != like[i - from])
			return false;
	return true;
}
