/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json.c - JSON (RFC 8259) and Jupyter notebooks: strings with their escapes resolved
 *
 * Nothing is parsed, so invalid or truncated JSON is read too. Long ASCII strings without a space
 * are pictures or keys and are left out. */
#include <config.h>
#include "extractors/markup/markup.h"
#include <string.h>

enum { BLOCK_BYTES = 4000, WORD_BYTES = 256 };

/* Reads four hexadecimal digits; -1: there are none. */
static int json_hex4(const char *p, const char *end)
{
	int value = 0;
	if (end - p < 4)
		return -1;
	for (int i = 0; i < 4; i++) {
		int digit = g_ascii_xdigit_value(p[i]);
		if (digit < 0)
			return -1;
		value = value << 4 | digit;
	}
	return value;
}

/* "\u00fc", perhaps half of a surrogate pair; p: after the "u". Returns the number of bytes
 * read. */
static size_t add_unicode(GString *out, const char *p, const char *end)
{
	int high = json_hex4(p, end), low = -1;
	size_t taken = 4;
	if (high < 0)
		return 0;
	if (high >= 0xd800 && high < 0xdc00 && end - p >= 10 && p[4] == '\\' && p[5] == 'u')
		low = json_hex4(p + 6, end);
	if (low >= 0xdc00 && low < 0xe000) {
		high = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
		taken = 10;
	}
	if (high < 0x20 || (high >= 0xd800 && high < 0xe000))
		g_string_append_c(out, ' ');
	else
		g_string_append_unichar(out, high);
	return taken;
}

static const char *json_add_escape(GString *out, const char *p, const char *end)
{
	if (p >= end)
		return p;
	switch (*p) {
	case 'u':
		return p + 1 + add_unicode(out, p + 1, end);
	case 'n': /* a space keeps the lines of the text those of the file */
	case 'r':
	case 't':
	case 'b':
	case 'f':
		g_string_append_c(out, ' ');
		return p + 1;
	default:
		g_string_append_c(out, *p);
		return p + 1;
	}
}

/* p: after the opening quote. Returns where the file continues. */
static const char *json_read_string(GString *out, const char *p, const char *end)
{
	while (p < end && *p != '"') {
		if (*p == '\\')
			p = json_add_escape(out, p + 1, end);
		else
			g_string_append_c(out, *p++);
	}
	return MIN(p + 1, end);
}

static void json_put_string(Markup *m, const GString *string)
{
	if (string->len > WORD_BYTES && !strchr(string->str, ' ') && g_str_is_ascii(string->str))
		return;
	markup_add(m, string->str, string->len);
	markup_add(m, " ", 1);
	if (m->block->len > BLOCK_BYTES)
		markup_flush(m, TAG_BODY);
}

void json_read(Markup *m)
{
	g_autoptr(GString) string = g_string_new(NULL);
	while (m->at < m->end && !m->full) {
		if (*m->at == '"') {
			g_string_set_size(string, 0);
			m->at = json_read_string(string, m->at + 1, m->end);
			json_put_string(m, string);
			continue;
		}
		size_t n = strcspn(m->at, "\"");
		n = MIN(n, (size_t)(m->end - m->at));
		g_string_set_size(string, 0);
		g_string_append_len(string, m->at, n);
		g_strdelimit(string->str, "{}[],:", ' ');
		markup_add(m, string->str, string->len);
		m->at += n;
	}
}
