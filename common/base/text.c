/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/base/text.h"
#include <string.h>

/* Characters that move the cursor, change the writing direction, or are invisible and so let one
 * text pass for another. Unicode 15: C0, C1, General_Category Cf of the bidi algorithm (UAX 9),
 * zero-width and invisible characters, Zl, Zp, interlinear annotation and tag characters.
 * Sorted. */
/* clang-format off */
static const struct {
	gunichar first, last;
} unsafe[] = {
	{0x0000, 0x001f},
	{0x007f, 0x009f},
	{0x034f, 0x034f}, /* combining grapheme joiner */
	{0x061c, 0x061c}, /* Arabic letter mark */
	{0x115f, 0x1160}, /* Hangul fillers */
	{0x17b4, 0x17b5}, /* Khmer inherent vowels */
	{0x180e, 0x180e}, /* Mongolian vowel separator */
	{0x200b, 0x200f}, /* zero-width space, joiners, direction marks */
	{0x2028, 0x202e}, /* separators, embeddings, overrides */
	{0x2060, 0x206f}, /* word joiner, invisible operators, isolates */
	{0x3164, 0x3164}, /* Hangul filler */
	{0xfeff, 0xfeff}, /* byte order mark */
	{0xffa0, 0xffa0}, /* half-width Hangul filler */
	{0xfff9, 0xfffb}, /* interlinear annotation */
	{0x1bca0, 0x1bca3}, /* shorthand format controls */
	{0x1d173, 0x1d17a}, /* musical format controls */
	{0xe0000, 0xe007f}, /* tags */
};
/* clang-format on */

static bool is_unsafe(gunichar c)
{
	for (size_t i = 0; i < G_N_ELEMENTS(unsafe) && unsafe[i].first <= c; i++) {
		if (c <= unsafe[i].last)
			return true;
	}
	return false;
}

/* Decodes one character at p, of left > 0 bytes. Returns its length in bytes, 0 if the byte there
 * is not valid UTF-8. */
static size_t text_take_char(const char *p, size_t left, gunichar *c_r)
{
	*c_r = (unsigned char)*p;
	if (*c_r < 0x80)
		return 1;
	*c_r = g_utf8_get_char_validated(p, MIN(left, 6));
	if (*c_r == (gunichar)-1 || *c_r == (gunichar)-2)
		return 0;
	return g_utf8_next_char(p) - p;
}

static size_t text_length_of(const char *bytes, gssize length)
{
	return length < 0 ? strlen(bytes) : (size_t)length;
}

char *text_to_utf8(const char *bytes, gssize length)
{
	return g_utf8_make_valid(bytes, text_length_of(bytes, length));
}

static void escape_char(GString *out, gunichar c)
{
	if (c == '\n')
		g_string_append(out, "\\n");
	else if (c == '\t')
		g_string_append(out, "\\t");
	else if (c < 0x80)
		g_string_append_printf(out, "\\x%02x", c);
	else
		g_string_append_printf(out, "\\u{%x}", c);
}

void text_append_escaped(GString *out, const char *bytes, gssize length)
{
	const char *end = bytes + text_length_of(bytes, length);
	const char *plain = bytes; /* what needs no escape is copied in one piece */
	while (bytes < end) {
		gunichar c;
		size_t n = text_take_char(bytes, end - bytes, &c);
		if (n > 0 && !is_unsafe(c)) {
			bytes += n;
			continue;
		}
		g_string_append_len(out, plain, bytes - plain);
		if (n == 0)
			g_string_append_printf(out, "\\x%02x", (unsigned char)*bytes);
		else
			escape_char(out, c);
		bytes += MAX(n, 1);
		plain = bytes;
	}
	g_string_append_len(out, plain, bytes - plain);
}

/* They choose between forms of the character before them. A run of them can hide a text. */
static bool is_variation_selector(gunichar c)
{
	return (c >= 0xfe00 && c <= 0xfe0f) || (c >= 0xe0100 && c <= 0xe01ef);
}

void text_append_visible(GString *out, const char *bytes, gssize length)
{
	const char *end = bytes + text_length_of(bytes, length);
	while (bytes < end) {
		gunichar c;
		size_t n = text_take_char(bytes, end - bytes, &c);
		if (n == 0)
			g_string_append_unichar(out, 0xfffd);
		else if (c == '\n' || c == '\t' || !(is_unsafe(c) || is_variation_selector(c)))
			g_string_append_len(out, bytes, n);
		bytes += MAX(n, 1);
	}
}

size_t text_cells(const char *utf8, size_t length)
{
	size_t cells = 0;
	const char *end = utf8 + length;
	while (utf8 < end) {
		gunichar c;
		size_t n = text_take_char(utf8, end - utf8, &c);
		if (n == 0)
			cells++;
		else if (!g_unichar_iszerowidth(c))
			cells += g_unichar_iswide(c) ? 2 : 1;
		utf8 += MAX(n, 1);
	}
	return cells;
}

size_t text_clip(const char *utf8, size_t length, size_t max)
{
	if (length <= max)
		return length;
	while (max > 0 && ((unsigned char)utf8[max] & 0xc0) == 0x80)
		max--;
	return max;
}

static void json_escape(GString *out, gunichar c)
{
	static const char letters[][2] = {{'"', '"'}, {'\\', '\\'}, {'\b', 'b'}, {'\f', 'f'},
	        {'\n', 'n'}, {'\r', 'r'}, {'\t', 't'}};
	for (size_t i = 0; i < G_N_ELEMENTS(letters); i++) {
		if (c == (gunichar)letters[i][0]) {
			g_string_append_c(out, '\\');
			g_string_append_c(out, letters[i][1]);
			return;
		}
	}
	if (c < 0x10000)
		g_string_append_printf(out, "\\u%04x", c);
	else
		g_string_append_printf(
		        out, "\\u%04x\\u%04x", 0xd7c0 + (c >> 10), 0xdc00 + (c & 0x3ff));
}

void text_append_json(GString *out, const char *bytes, gssize length)
{
	const char *end = bytes + text_length_of(bytes, length);
	const char *plain = bytes;
	g_string_append_c(out, '"');
	while (bytes < end) {
		gunichar c;
		size_t n = text_take_char(bytes, end - bytes, &c);
		if (n > 0 && c != '"' && c != '\\' && !is_unsafe(c)) {
			bytes += n;
			continue;
		}
		g_string_append_len(out, plain, bytes - plain);
		if (n == 0)
			g_string_append(out, "\357\277\275");
		else
			json_escape(out, c);
		bytes += MAX(n, 1);
		plain = bytes;
	}
	g_string_append_len(out, plain, bytes - plain);
	g_string_append_c(out, '"');
}

void text_append_hex(GString *out, const void *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++)
		g_string_append_printf(out, "%02x", ((const unsigned char *)bytes)[i]);
}

bool text_is_blank(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (!g_ascii_isspace(text[i]))
			return false;
	return true;
}

int text_compare_elements(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}
