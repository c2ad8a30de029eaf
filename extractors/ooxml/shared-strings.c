/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/ooxml/shared-strings.h"

enum { MAX_BYTES = 64 << 20, MAX_STRINGS = 8 << 20 };

typedef struct {
	SharedStrings *strings;
	bool text, phonetic;
} StringsReader;

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
