/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/charset/charset-asian.h"
#include "extractors/charset/charset-shape.h"
#include "extractors/charset/charset.h"
#include "extractors/shared/extractor.h"
#include <string.h>
#include <uchardet.h>

enum { DETECT_BYTES = 32 << 10, DETECT_BEFORE = 256, MANY_HIGH = 24 };

typedef struct {
	const char *label;
	uint8_t length;
	uint8_t bytes[4];
} Mark;

/* UTF-32 comes before UTF-16, because their little-endian marks begin with the same bytes. */
static const Mark marks[] = {
        {"utf-8", 3, {0xef, 0xbb, 0xbf}},
        {"utf-32le", 4, {0xff, 0xfe, 0, 0}},
        {"utf-32be", 4, {0, 0, 0xfe, 0xff}},
        {"utf-16le", 2, {0xff, 0xfe}},
        {"utf-16be", 2, {0xfe, 0xff}},
};

static const Charset *charset_by_mark(const uint8_t *data, size_t size, size_t *length_r)
{
	for (size_t i = 0; i < G_N_ELEMENTS(marks); i++) {
		if (size < marks[i].length || memcmp(data, marks[i].bytes, marks[i].length) != 0)
			continue;
		*length_r = marks[i].length;
		return charset_find(marks[i].label);
	}
	return NULL;
}

/* UTF-32 without a byte-order mark: two of every four bytes are NUL, and the text is valid. */
static const Charset *utf32_by_zeros(const uint8_t *data, size_t size)
{
	static const char *const names[] = {"utf-32le", "utf-32be"};
	size_t n = MIN(size, 512) & ~(size_t)3;
	for (size_t k = 0; k < G_N_ELEMENTS(names) && n >= 8; k++) {
		size_t zeros = 0, letters = 0;
		for (size_t i = 0; i < n; i += 4) {
			zeros += k == 0 ? data[i + 3] == 0 && data[i + 2] <= 0x10
			                : data[i] == 0 && data[i + 1] <= 0x10;
			letters += data[i] != 0 || data[i + 3] != 0;
		}
		if (zeros * 4 == n && letters > 0 &&
		        charset_decode(charset_find(names[k]), data, n, NULL) == 0)
			return charset_find(names[k]);
	}
	return NULL;
}

/* UTF-16 without a byte-order mark, as some programs write it: nearly every second byte is NUL. */
static const Charset *utf16_by_zeros(const uint8_t *data, size_t size)
{
	size_t n = MIN(size, 512) / 2, even = 0, odd = 0;
	for (size_t i = 0; i < n; i++) {
		even += data[2 * i] == 0;
		odd += data[2 * i + 1] == 0;
	}
	if (n < 2 || even + odd < n / 2)
		return NULL;
	if (even * 8 <= odd)
		return charset_find("utf-16le");
	return odd * 8 <= even ? charset_find("utf-16be") : NULL;
}

static bool valid_in(const Charset *charset, const uint8_t *data, size_t size)
{
	return charset && charset_decode(charset, data, size, NULL) == 0;
}

/* Returns the offset where detection begins. Only the text around the first byte that is not ASCII
 * distinguishes charsets. */
static size_t help_detection_start(const uint8_t *data, size_t size)
{
	size_t first = 0;
	while (first < size && data[first] < 0x80)
		first++;
	return first > DETECT_BEFORE ? first - DETECT_BEFORE : 0;
}

static const Charset *help_detect(const uint8_t *data, size_t size)
{
	size_t from = help_detection_start(data, size);
	uchardet_t detector = uchardet_new();
	const Charset *found = NULL;
	if (uchardet_handle_data(
	            detector, (const char *)data + from, MIN(size - from, DETECT_BYTES)) == 0) {
		uchardet_data_end(detector);
		found = charset_find(uchardet_get_charset(detector));
	}
	uchardet_delete(detector);
	return found;
}

/* Latin charsets for which the detector is reliable even on little text. */
static bool is_common_latin(const Charset *charset)
{
	static const char *const names[] = {"windows-1252", "iso-8859-15", "iso-8859-2",
	        "windows-1250", "windows-1254", "windows-1257", "iso-8859-13"};
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
		if (strcmp(charset_name(charset), names[i]) == 0)
			return true;
	return false;
}

/* Latin charsets that the detector confuses with others when there is little text. */
static bool is_rarer_latin(const Charset *charset)
{
	static const char *const names[] = {
	        "iso-8859-3", "iso-8859-4", "iso-8859-10", "x-mac-ce", "windows-1258", "viscii"};
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
		if (strcmp(charset_name(charset), names[i]) == 0)
			return true;
	return false;
}

static size_t high_bytes(const uint8_t *data, size_t size)
{
	size_t high = 0;
	for (size_t i = 0; i < MIN(size, DETECT_BYTES); i++)
		high += data[i] >= 0x80;
	return high;
}

/* A western language has single letters beyond ASCII between ASCII letters. Russian and Greek have
 * hardly any ASCII letters, Chinese has bytes beyond ASCII in pairs. */
static bool looks_western(const uint8_t *data, size_t size)
{
	size_t high = 0, letters = 0, runs = 0, single = 0;
	for (size_t i = 0; i < MIN(size, DETECT_BYTES);) {
		size_t run = 0;
		while (i + run < size && data[i + run] >= 0x80)
			run++;
		letters += run == 0 && g_ascii_isalpha(data[i]);
		high += run;
		runs += run > 0;
		single += run == 1;
		i += MAX(run, 1);
	}
	return runs > 0 && high * 3 < letters && single * 10 >= runs * 7;
}

/* Accepts one invalid byte for every `good` bytes beyond ASCII, as damage. */
static bool mostly_valid_in(const Charset *charset, const uint8_t *data, size_t size, size_t good)
{
	size_t from = help_detection_start(data, size), n = MIN(size - from, DETECT_BYTES);
	g_autoptr(GString) text = g_string_sized_new(n + n / 2);
	size_t bad = charset_decode(charset, data + from, n, text);
	return bad * good <= high_bytes(data + from, n);
}

static bool mostly_utf8(const uint8_t *data, size_t size)
{
	return mostly_valid_in(charset_find("utf-8"), data, size, 10);
}

/* The detector's answer, unless it is a single-byte charset that is unlikely for so few letters. */
static const Charset *help_guess_charset(const uint8_t *data, size_t size)
{
	if (looks_johab(data, size))
		return charset_find("johab");
	const Charset *guess = help_detect(data, size);
	if (guess && guess == charset_find("utf-8") && !mostly_utf8(data, size))
		guess = NULL;
	if (!guess || charset_is_single(guess))
		guess = looks_kana(data, size) ? charset_find("euc-jp") : guess;
	if (guess && is_rarer_latin(guess) && high_bytes(data, size) >= MANY_HIGH)
		return charset_likelier(guess, data, size);
	if (guess && charset_is_single(guess) && !is_common_latin(guess) &&
	        looks_western(data, size))
		guess = charset_find("windows-1252");
	return charset_likelier(guess, data, size);
}

/* The charset that an EBCDIC page or XML document declares. Letters and quotes have the same codes
 * in all variants of EBCDIC, so the declaration can be read before the variant is known. */
static const Charset *declared_in_ebcdic(const uint8_t *data, size_t size)
{
	static const char *const keys[] = {"encoding=", "charset="};
	const Charset *usual = charset_find("ibm500"), *found = NULL;
	g_autoptr(GString) head = g_string_new(NULL);
	if (!usual)
		return NULL;
	charset_decode(usual, data, MIN(size, 1024), head);
	for (size_t i = 0; i < G_N_ELEMENTS(keys) && !found; i++) {
		const char *name = strstr(head->str, keys[i]);
		name = name ? name + strlen(keys[i]) : "";
		name += *name == '"' || *name == '\'';
		g_autofree char *label = g_strndup(name, strcspn(name, "\"'?>; "));
		found = charset_find(label);
	}
	bool fits = found && g_strcmp0(charset_name(found), "utf-8") != 0;
	return fits && !charset_is_single(found) ? found : usual;
}

static const Charset *help_choose_charset(const uint8_t *data, size_t size, const char *declared)
{
	const Charset *utf8 = charset_find("utf-8");
	const Charset *named = charset_find(declared);
	bool looks = !named && size > 0 &&
	             (starts_ebcdic_xml(data, size) || starts_ebcdic_html(data, size) ||
	                     looks_ebcdic(data, size));
	const Charset *ebcdic = looks ? declared_in_ebcdic(data, size) : NULL;
	if (ebcdic)
		return ebcdic;
	const Charset *zeros = utf32_by_zeros(data, size);
	if (!zeros)
		zeros = utf16_by_zeros(data, size);
	if (!zeros && size > 0 && memchr(data, 0, MIN(size, DETECT_BYTES)))
		zeros = charset_find(looks_utf16(data, size));
	if (zeros && !(named && !charset_is_single(named) && named != utf8 &&
	                     valid_in(named, data, size)))
		return zeros;
	bool is_utf8 = valid_in(utf8, data, size);
	/* every byte sequence is valid in a single-byte charset, but hardly any is valid UTF-8 by
	 * chance */
	bool nearly_utf8 = is_utf8 || mostly_utf8(data, size);
	if (named && !(nearly_utf8 && charset_is_single(named)) && valid_in(named, data, size))
		return named;
	const Charset *escaped = is_utf8 ? charset_find(looks_escaped(data, size)) : NULL;
	if (is_utf8)
		return escaped ? escaped : utf8;
	/* the detector gives up at the first invalid byte */
	if (nearly_utf8)
		return utf8;
	if (named && mostly_valid_in(named, data, size, 20))
		return named;
	const Charset *guess = help_guess_charset(data, size);
	if (valid_in(guess, data, size))
		return guess;
	if (named)
		return named;
	return guess;
}

char *decode_text(const uint8_t *data, size_t size, const char *declared, size_t *length_r,
        const char **charset_r)
{
	size_t mark = 0;
	if (size == 0)
		data = (const uint8_t *)""; /* data may be NULL */
	const Charset *charset = charset_by_mark(data, size, &mark);
	if (!charset)
		charset = help_choose_charset(data, size, declared);
	GString *out = g_string_sized_new(size - mark + size / 8 + 1);
	charset_decode(charset, data + mark, size - mark, out);
	if (length_r)
		*length_r = out->len;
	if (charset_r)
		*charset_r = charset_name(charset);
	return g_string_free(out, FALSE);
}
