/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/print/terminal-charset.h"
#include <stdbool.h>
#include <string.h>

static GIConv converter = (GIConv)-1; /* while it is that, there is none, or none is needed */

void charset_prepare(void)
{
	const char *charset;
	if (!g_get_charset(&charset) && converter == (GIConv)-1)
		converter = g_iconv_open(charset, "UTF-8");
}

static const struct {
	const char *sign, *ascii;
} signs[] = {{"…", "..."}, {"·", "-"}, {"—", "-"}, {"–", "-"}, {"„", "\""}, {"“", "\""},
        {"”", "\""}, {"‚", "'"}, {"‘", "'"}, {"’", "'"}, {"→", "->"}, {"×", "x"}, {"\u00a0", " "},
        {"\u202f", " "}, {"\u2011", "-"}};

static const char *ascii_of(const char *character, size_t length)
{
	for (size_t i = 0; i < G_N_ELEMENTS(signs); i++)
		if (strlen(signs[i].sign) == length &&
		        memcmp(signs[i].sign, character, length) == 0)
			return signs[i].ascii;
	return NULL;
}

/* A character in the charset; NULL if it has none. The caller frees it. */
static char *charset_converted(const char *character, size_t length, gsize *length_r)
{
	if (converter == (GIConv)-1)
		return NULL;
	return g_convert_with_iconv(character, (gssize)length, converter, NULL, length_r, NULL);
}

static void charset_append_unknown(GString *out, size_t length)
{
	g_string_append_printf(out, "%.*s", (int)length, "????");
}

static void charset_append(GString *out, const char *character, size_t length)
{
	gsize written;
	g_autofree char *converted = charset_converted(character, length, &written);
	const char *ascii = converted ? NULL : ascii_of(character, length);
	if (converted)
		g_string_append_len(out, converted, (gssize)written);
	else if (ascii)
		g_string_append(out, ascii);
	else
		charset_append_unknown(out, length);
}

static const char *charset_next(const char *p, const char *end)
{
	gunichar c = g_utf8_get_char_validated(p, end - p);
	bool valid = c != (gunichar)-1 && c != (gunichar)-2;
	return valid && *p ? g_utf8_next_char(p) : p + 1;
}

char *charset_text(const char *text, size_t length)
{
	if (g_get_charset(NULL))
		return NULL;
	GString *out = g_string_sized_new(length);
	for (const char *p = text, *end = text + length, *next; p < end; p = next) {
		next = charset_next(p, end);
		if ((guchar)*p < 0x80)
			g_string_append_c(out, *p);
		else
			charset_append(out, p, next - p);
	}
	return g_string_free(out, FALSE);
}

char *charset_spell_signs(const char *text, size_t length)
{
	GString *out = g_string_sized_new(length);
	for (const char *p = text, *end = text + length, *next; p < end; p = next) {
		next = charset_next(p, end);
		const char *ascii = ascii_of(p, next - p);
		g_string_append_len(out, ascii ? ascii : p, ascii ? -1 : next - p);
	}
	return g_string_free(out, FALSE);
}

char *charset_name(const char *name)
{
	if (g_get_charset(NULL))
		return g_strdup(name);
	GString *out = g_string_new(NULL);
	for (const char *p = name, *end = name + strlen(name), *next; p < end; p = next) {
		gsize written;
		next = charset_next(p, end);
		g_autofree char *converted = charset_converted(p, next - p, &written);
		if (converted || (guchar)*p < 0x80)
			g_string_append_len(out, p, next - p);
		else
			charset_append_unknown(out, next - p);
	}
	return g_string_free(out, FALSE);
}
