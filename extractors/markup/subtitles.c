/* SPDX-License-Identifier: GPL-3.0-or-later */
/* subtitles.c - SubRip, WebVTT (https://www.w3.org/TR/webvtt1/) and SubStation Alpha: the spoken
 * text, without times and styles
 *
 * A sentence often continues in the next cue, so all cues form one block. Entities of HTML are
 * resolved, as WebVTT demands. */
#include <config.h>
#include "extractors/markup/markup.h"
#include <string.h>

enum { BLOCK_BYTES = 2000, TAG_BYTES = 1000 };

static bool subtitles_is_number(const char *line, size_t length)
{
	size_t i = 0;
	while (i < length && (g_ascii_isdigit(line[i]) || line[i] == ' '))
		i++;
	return length > 0 && i == length;
}

/* Length of a tag up to its closing sign, "<i>" or "{\an8}"; 1 if it is not a tag. */
static size_t subtitles_tag_length(const char *text, size_t length)
{
	char closing = *text == '<' ? '>' : *text == '{' ? '}' : 0;
	const char *end = closing ? memchr(text, closing, MIN(length, TAG_BYTES)) : NULL;
	bool tag = end && length > 1 &&
	           (*text == '{' ? text[1] == '\\' : g_ascii_isalpha(text[1]) || text[1] == '/');
	return tag ? (size_t)(end - text) + 1 : 1;
}

static bool subtitles_is_break(const char *tag, size_t length)
{
	return length >= 4 && g_ascii_strncasecmp(tag, "<br", 3) == 0 && !g_ascii_isalpha(tag[3]);
}

static void add_spoken_text(Markup *m, const char *line, size_t length)
{
	for (size_t i = 0; i < length;) {
		const char *at = line + i;
		size_t entity = *at == '&' ? markup_add_entity(m->block, at, line + length) : 0;
		size_t n = entity > 0 ? entity : subtitles_tag_length(at, length - i);
		if (subtitles_is_break(at, n))
			markup_add_gap(m->block);
		else if (n == 1)
			markup_add(m, at, 1);
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
		if (!time && !head && !subtitles_is_number(line, length) &&
		        !markup_is_blank(line, length))
			add_spoken_text(m, line, length);
	}
}

/* ---- SubStation Alpha (http://www.tcax.org/docs/ass-specs.htm) */

/* A line of dialogue: "{...}" is a style, "\\N" a line break, "\\h" a space. */
static void add_styled(Markup *m, const char *text, const char *end)
{
	for (; text < end; text++) {
		const char *close =
		        *text == '{' ? memchr(text, '}', MIN(end - text, TAG_BYTES)) : NULL;
		bool escape = *text == '\\' && text + 1 < end && strchr("Nnh", text[1]);
		if (close)
			text = close;
		else if (escape)
			markup_add(m, *++text == 'h' ? " " : "\n", 1);
		else
			markup_add(m, text, 1);
	}
	markup_add(m, "\n", 1);
	if (m->block->len > BLOCK_BYTES)
		markup_flush(m, TAG_BODY);
}

/* Returns the text after that many commas; NULL: there are fewer. */
static const char *after_commas(const char *at, const char *end, unsigned commas)
{
	for (; at && commas > 0; commas--) {
		at = memchr(at, ',', end - at);
		at = at ? at + 1 : NULL;
	}
	return at;
}

void dialogue_read(Markup *m)
{
	const char *line;
	size_t length;
	/* number of commas before the text, according to the last line "Format:" */
	unsigned commas = 9;
	while (markup_line(m, &line, &length)) {
		const char *end = line + length;
		while (line < end && g_ascii_isspace(*line))
			line++;
		length = end - line;
		if (length > 6 && strncmp(line, "Title:", 6) == 0)
			markup_fact(m, FIELD_TITLE, line + 6, length - 6);
		if (length > 7 && strncmp(line, "Format:", 7) == 0) {
			commas = 0;
			for (const char *at = line; at < end; at++)
				commas += *at == ',';
		}
		bool spoken = length > 9 && strncmp(line, "Dialogue:", 9) == 0;
		const char *text = spoken ? after_commas(line, end, commas) : NULL;
		if (text)
			add_styled(m, text, end);
	}
}
