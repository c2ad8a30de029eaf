/* SPDX-License-Identifier: GPL-3.0-or-later */
/* subtitles.c - SubRip and WebVTT (https://www.w3.org/TR/webvtt1/): what is spoken, without times
 * and styles
 *
 * A sentence often goes on in the next cue, so cues follow each other in one block. */
#include <config.h>
#include "extractors/markup/markup.h"
#include <string.h>

enum { BLOCK_BYTES = 2000 };

static bool is_number(const char *line, size_t length)
{
	size_t i = 0;
	while (i < length && (g_ascii_isdigit(line[i]) || line[i] == ' '))
		i++;
	return length > 0 && i == length;
}

/* Up to the closing sign, "<i>" or "{\an8}"; 1 if it is no tag. */
static size_t tag_length(const char *text, size_t length)
{
	char closing = *text == '<' ? '>' : *text == '{' ? '}' : 0;
	const char *end = closing ? memchr(text, closing, length) : NULL;
	bool tag = end && length > 1 &&
	           (*text == '{' ? text[1] == '\\' : g_ascii_isalpha(text[1]) || text[1] == '/');
	return tag ? (size_t)(end - text) + 1 : 1;
}

static void add_spoken(Markup *m, const char *line, size_t length)
{
	for (size_t i = 0; i < length;) {
		size_t n = tag_length(line + i, length - i);
		if (n == 1)
			markup_add(m, line + i, 1);
		i += n;
	}
	markup_add(m, "\n", 1);
	if (m->block->len > BLOCK_BYTES)
		markup_flush(m, TAG_BODY);
}

void subtitles_read(Markup *m)
{
	const char *line;
	size_t length;
	while (markup_line(m, &line, &length)) {
		bool time = memmem(line, length, "-->", 3) != NULL;
		bool head = length >= 6 && strncmp(line, "WEBVTT", 6) == 0;
		if (!time && !head && !is_number(line, length) && !markup_is_blank(line, length))
			add_spoken(m, line, length);
	}
}
