/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/ooxml/shared-strings.h"
#include <string.h>

enum { MAX_BYTES = 64 << 20, MAX_STRINGS = 8 << 20 };

typedef struct {
	SharedStrings *strings;
	bool text, phonetic;
} StringsReader;

/* Reads "_xHHHH_", a UTF-16 unit; -1: it is none. */
static int xstring_unit(const char *p)
{
	int unit = 0;
	if (p[0] != '_' || p[1] != 'x')
		return -1;
	for (size_t i = 2; i < 6; i++) {
		int digit = g_ascii_xdigit_value(p[i]);
		if (digit < 0)
			return -1;
		unit = unit << 4 | digit;
	}
	return p[6] == '_' ? unit : -1;
}

/* Returns the character that is escaped at p, and the length of its escape; 0: there is none. */
static gunichar xstring_char(const char *p, size_t *length_r)
{
	enum { ESCAPE_BYTES = 7 };
	int unit = xstring_unit(p);
	*length_r = ESCAPE_BYTES;
	if (unit >= 0xd800 && unit < 0xdc00) {
		int low = xstring_unit(p + ESCAPE_BYTES);
		*length_r = 2 * ESCAPE_BYTES;
		return low >= 0xdc00 && low < 0xe000
		               ? 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00)
		               : 0;
	}
	if (unit <= 0 || (unit >= 0xdc00 && unit < 0xe000))
		return 0;
	return unit < ' ' ? ' ' : unit;
}

void xstring_decode(GString *text, size_t from)
{
	char *out = strstr(text->str + from, "_x");
	if (!out)
		return;
	for (const char *p = out; *p;) {
		size_t length;
		gunichar c = xstring_char(p, &length);
		if (c == 0) {
			*out++ = *p++;
			continue;
		}
		out += g_unichar_to_utf8(c, out);
		p += length;
	}
	g_string_truncate(text, out - text->str);
}

static void end_string(SharedStrings *strings)
{
	uint32_t end = strings->bytes->len;
	g_array_append_val(strings->ends, end);
	strings->cut = strings->bytes->len >= MAX_BYTES || strings->ends->len >= MAX_STRINGS;
}

static bool shared_strings_on_start(void *user, unsigned element, const XmlAttributes *attributes)
{
	StringsReader *reader = user;
	if (element == X_PHONETIC)
		reader->phonetic = true;
	reader->text = element == X_T && !reader->phonetic;
	return true;
}

static bool shared_strings_on_end(void *user, unsigned element)
{
	StringsReader *reader = user;
	SharedStrings *strings = reader->strings;
	reader->text = false;
	if (element == X_PHONETIC)
		reader->phonetic = false;
	if (element != X_STRING)
		return true;
	guint n = strings->ends->len;
	xstring_decode(strings->bytes, n > 0 ? g_array_index(strings->ends, uint32_t, n - 1) : 0);
	end_string(strings);
	return !strings->cut;
}

static bool shared_strings_on_text(void *user, const char *text, size_t length)
{
	StringsReader *reader = user;
	GString *bytes = reader->strings->bytes;
	if (reader->text && length < MAX_BYTES - MIN(bytes->len, (size_t)MAX_BYTES))
		g_string_append_len(bytes, text, length);
	return true;
}

void shared_strings_add(SharedStrings *strings, const char *text)
{
	g_string_append(strings->bytes, text);
	end_string(strings);
}

void shared_strings_init(SharedStrings *strings)
{
	*strings = (SharedStrings){
	        .bytes = g_string_new(NULL), .ends = g_array_new(FALSE, FALSE, sizeof(uint32_t))};
}

void shared_strings_clear(SharedStrings *strings)
{
	g_string_free(strings->bytes, TRUE);
	g_array_unref(strings->ends);
}

void shared_strings_read(Ooxml *ooxml, SharedStrings *strings, const char *part)
{
	static const XmlEvents events = {
	        shared_strings_on_start, shared_strings_on_end, shared_strings_on_text};
	StringsReader reader = {.strings = strings};
	ooxml_read(ooxml, part, &events, &reader);
}

const char *shared_string(const SharedStrings *strings, unsigned index, size_t *length_r)
{
	if (index >= strings->ends->len)
		return NULL;
	uint32_t begin = index > 0 ? g_array_index(strings->ends, uint32_t, index - 1) : 0;
	*length_r = g_array_index(strings->ends, uint32_t, index) - begin;
	return strings->bytes->str + begin;
}
