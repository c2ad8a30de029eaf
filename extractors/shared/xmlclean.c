/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/shared/xmlclean.h"
#include <glib.h>
#include <stdbool.h>
#include <string.h>

enum { MAX_REFERENCE = 40 };

typedef struct {
	const char *at, *end;
	GString *out;
} XmlCleaner;

/* True for "&name;", "&#10;" and "&#xa;". */
static bool begins_reference(const char *at, const char *end)
{
	const char *p = at + 1;
	if (p < end && *p == '#')
		p++;
	const char *name = p;
	while (p < end && p - at < MAX_REFERENCE && g_ascii_isalnum(*p))
		p++;
	return p < end && *p == ';' && p > name;
}

static void cleaner_copy_byte(XmlCleaner *clean)
{
	char c = *clean->at++;
	if ((guchar)c >= 0x20 || c == '\t' || c == '\n' || c == '\r')
		g_string_append_c(clean->out, c);
}

/* Copies up to the end of the mark, which may be missing, as it is. */
static void cleaner_copy_through(XmlCleaner *clean, const char *mark)
{
	const char *found = g_strstr_len(clean->at, clean->end - clean->at, mark);
	const char *stop = found ? found + strlen(mark) : clean->end;
	while (clean->at < stop)
		cleaner_copy_byte(clean);
}

static bool cleaner_is_at(const XmlCleaner *clean, const char *mark)
{
	size_t length = strlen(mark);
	return (size_t)(clean->end - clean->at) >= length && memcmp(clean->at, mark, length) == 0;
}

char *xml_clean(const char *data, size_t size, size_t *length_r)
{
	XmlCleaner clean = {data, data + size, g_string_sized_new(size + 64)};
	while (clean.at < clean.end) {
		if (cleaner_is_at(&clean, "<![CDATA[")) {
			cleaner_copy_through(&clean, "]]>");
		} else if (cleaner_is_at(&clean, "<!--")) {
			cleaner_copy_through(&clean, "-->");
		} else if (*clean.at == '&' && !begins_reference(clean.at, clean.end)) {
			g_string_append(clean.out, "&amp;");
			clean.at++;
		} else {
			cleaner_copy_byte(&clean);
		}
	}
	*length_r = clean.out->len;
	return g_string_free(clean.out, FALSE);
}

void xml_skip_blank(const char **data, size_t *size)
{
	if (*size >= 3 && memcmp(*data, "\xef\xbb\xbf", 3) == 0) {
		*data += 3;
		*size -= 3;
	}
	while (*size > 0 && g_ascii_isspace(**data)) {
		++*data;
		--*size;
	}
}
