/* SPDX-License-Identifier: GPL-3.0-or-later */
/* subtitles.c - SubRip, WebVTT (https://www.w3.org/TR/webvtt1/) and SubStation Alpha: the spoken
 * text, without times and styles
 *
 * A sentence often continues in the next cue, so all cues form one block. Entities of HTML are
 * resolved, as WebVTT demands, and the names of its voices are text. Automatic captions roll: a
 * line is shown again in the next cue, and is text once. */
#include <config.h>
#include "extractors/markup/markup.h"
#include "common/base/text.h"
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
	/* "<00:01.500>": when the next word is spoken */
	bool time = end && *text == '<' && end > text + 1 &&
	            strspn(text + 1, "0123456789:.") == (size_t)(end - text - 1);
	return tag || time ? (size_t)(end - text) + 1 : 1;
}

/* "<v Ada>", "<v.loud Ada>" */
static void subtitles_add_voice(Markup *m, const char *tag, size_t length)
{
	const char *space = length > 4 && tag[1] == 'v' && (tag[2] == ' ' || tag[2] == '.')
	                            ? memchr(tag, ' ', length)
	                            : NULL;
	if (!space)
		return;
	markup_add(m, space + 1, tag + length - 1 - (space + 1));
	markup_add(m, ": ", 2);
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
		else if (n > 1 && *at == '<')
			subtitles_add_voice(m, at, n);
		else if (n == 1)
			markup_add(m, at, 1);
		i += n;
	}
	markup_add(m, "\n", 1);
}

/* Adds a line of a cue, unless the cue before ended with it. */
static void subtitles_add_line(Markup *m, GString *last, const char *line, size_t length)
{
	size_t from = m->block->len;
	add_spoken_text(m, line, length);
	const char *text = m->block->str + from;
	bool again = strcmp(text, last->str) == 0;
	g_string_assign(last, text);
	if (again)
		g_string_truncate(m->block, from);
	else if (m->block->len > BLOCK_BYTES)
		markup_flush(m, TAG_BODY);
}

static bool subtitles_is_time(const char *line, size_t length)
{
	return memmem(line, length, "-->", 3) != NULL;
}

static bool subtitles_has_time_next(const Markup *m)
{
	const char *next;
	size_t length = markup_peek(m, &next);
	return length > 0 && subtitles_is_time(next, length);
}

/* Does a block of WebVTT begin here that is no cue? Its first block tells about the file. */
static bool subtitles_is_remark(const char *line, size_t length)
{
	static const char *const names[] = {"WEBVTT", "NOTE", "STYLE", "REGION"};
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		size_t n = strlen(names[i]);
		if (length >= n && memcmp(line, names[i], n) == 0 &&
		        (length == n || g_ascii_isspace(line[n])))
			return true;
	}
	return false;
}

/* Takes the other lines of the block: its remarks are noise. */
static void subtitles_take_remark(Markup *m, const char *line, size_t length)
{
	static const char mark[] = "WEBVTT";
	size_t n = strlen(mark);
	bool head = length >= n && memcmp(line, mark, n) == 0;
	line += head ? n : 0;
	length -= head ? n : 0;
	markup_flush(m, TAG_NOISE);
	do {
		markup_add(m, line, length);
		markup_add(m, "\n", 1);
	} while (!subtitles_has_time_next(m) && markup_line(m, &line, &length) &&
	         !text_is_blank(line, length));
	markup_flush(m, TAG_BODY);
}

void subtitles_read(Markup *m)
{
	g_autoptr(GString) last = g_string_new(NULL);
	const char *line;
	size_t length;
	bool begins = true; /* a block */
	while (markup_line(m, &line, &length)) {
		bool blank = text_is_blank(line, length);
		/* of the cue, or its number */
		bool name =
		        subtitles_has_time_next(m) && (begins || subtitles_is_number(line, length));
		bool remark = begins && !blank && !name && subtitles_is_remark(line, length);
		if (remark)
			subtitles_take_remark(m, line, length);
		else if (!blank && !name && !subtitles_is_time(line, length))
			subtitles_add_line(m, last, line, length);
		begins = blank || remark;
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
