/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wiki.c - wiki texts (MediaWiki, Creole, DokuWiki, TWiki) and Textile: headings, texts of links
 * (their addresses are noise), entities
 *
 * Markup that the dialects share is read in all of them; other signs are left in the text, because
 * they are not words. */
#include <config.h>
#include "extractors/markup/markup.h"
#include "common/base/text.h"
#include <string.h>

enum { LINK_BYTES = 2000 };

/* "== Heading ==", "---++ Heading". Returns the level; 0: no heading. */
static unsigned heading_of(const char **line, size_t *length)
{
	const char *at = *line, *end = at + *length;
	bool dashes = *length > 4 && strncmp(at, "---+", 4) == 0;
	size_t level = 0;
	at += dashes ? 3 : 0;
	while (at + level < end && at[level] == (dashes ? '+' : '='))
		level++;
	at += level;
	while (end > at && (end[-1] == '=' || g_ascii_isspace(end[-1])))
		end--;
	while (at < end && (g_ascii_isspace(*at) || *at == '!'))
		at++;
	if (level == 0 || level > 6 || at >= end)
		return 0;
	*line = at;
	*length = end - at;
	return level;
}

/* Textile: "h2. Heading", "h2(class). Heading". */
static unsigned textile_heading(const char **line, size_t *length)
{
	const char *at = *line;
	const char *dot = *length > 4 && at[0] == 'h' && at[1] >= '1' && at[1] <= '6'
	                          ? memmem(at, MIN(*length, 80), ". ", 2)
	                          : NULL;
	if (!dot || (dot > at + 2 && !strchr("({[<>=", at[2])))
		return 0;
	*length -= dot + 2 - at;
	*line = dot + 2;
	return at[1] - '0';
}

/* "[[target|text]]" and "[http://target text]": returns where the text begins; NULL: no link. */
static const char *wiki_text_of_link(const char *at, const char *end)
{
	const char *close = memchr(at, ']', MIN(end - at, LINK_BYTES));
	if (!close || *at != '[')
		return NULL;
	if (at + 1 < end && at[1] == '[') {
		const char *bar = memrchr(at, '|', close - at);
		return bar && bar + 1 < close ? bar + 1 : NULL;
	}
	const char *scheme = memmem(at, close - at, "://", 3);
	const char *space = scheme ? memchr(scheme, ' ', close - scheme) : NULL;
	return space && !memchr(at, ' ', scheme - at) ? space + 1 : NULL;
}

/* Textile: "text":target; at: the second quote. Returns the end of the target; NULL: none. */
static const char *wiki_target_end(const char *at, const char *end)
{
	bool is_target = end - at > 8 && at[1] == ':' &&
	                 (strncmp(at + 2, "http", 4) == 0 || at[2] == '/' ||
	                         strncmp(at + 2, "mailto:", 7) == 0);
	if (!is_target)
		return NULL;
	while (at < end && !g_ascii_isspace(*at) && !strchr(",)]", *at))
		at++;
	return at;
}

/* The address in a link of one of these forms, which begins at at. */
static void wiki_keep_address(Markup *m, const char *at, const char *end)
{
	at += strspn(at, "[\":");
	markup_address(m, at, MIN(strcspn(at, " |]"), (size_t)(end - at)));
}

/* "[[bus]]es" and "un[[happy]]" are words; a capital begins the text beside a picture. */
static bool is_bracket_in_word(const char *begin, const char *at, const char *end, const char *text)
{
	return markup_word_before(begin, at) && markup_word_after(text, end) &&
	       !g_ascii_isupper(*text);
}

/* Adds a line whose signs within words are taken out. */
static void wiki_add_joined(Markup *m, const char *line, size_t length)
{
	bool in_link = false; /* of one bracket */
	for (const char *at = line, *end = line + length; at < end;) {
		const char *text = *at == '[' ? wiki_text_of_link(at, end) : NULL;
		size_t pair = end - at > 1 && strchr("[]", *at) && at[1] == *at ? 2 : 0;
		const char *target = *at == '"' ? wiki_target_end(at, end) : NULL;
		size_t tag = *at == '<' ? markup_tag_length(at, end) : 0;
		size_t entity = *at == '&' ? markup_add_entity(m->block, at, end) : 0;
		size_t quotes = strspn(at, "'");
		if (text || target) {
			wiki_keep_address(m, at, text ? text : target);
			if (!text || !is_bracket_in_word(line, at, end, text))
				markup_add(m, at, 1);
			in_link = text && pair == 0;
			at = text ? text : target;
		} else if (pair + in_link > 0 && strchr("[]", *at) &&
		           is_bracket_in_word(line, at, end, at + MAX(pair, 1))) {
			in_link = in_link && pair > 0;
			at += MAX(pair, 1);
		} else if (tag + entity > 0) {
			if (tag > 0 && !markup_is_inner_tag(at))
				markup_add(m, " ", 1);
			at += tag + entity;
		} else if (quotes > 1 && at + quotes <= end) {
			at += quotes;
		} else {
			markup_add(m, at++, 1);
		}
	}
	markup_add(m, "\n", 1);
}

/* Signs within words of DokuWiki and Creole, and Textile's in brackets. Lines with code have none.
 * "__" and "//" stay: paths and names in programs have them more often than words. */
static void wiki_add_text(Markup *m, const char *line, size_t length)
{
	static const char *const code[] = {
	        "  ", "\t", "<code", "<nowiki", "<pre", "{{{", "%%", "`"};
	static const char brackets[] = "*_~^-+%@";
	g_autoptr(GString) text = g_string_new_len(line, length);
	for (size_t i = 0; i < G_N_ELEMENTS(code); i++) {
		const char *found = strstr(text->str, code[i]);
		if (found && (i > 1 || found == text->str)) {
			wiki_add_joined(m, line, length);
			return;
		}
	}
	markup_join_word(text, "**", "**", false);
	for (size_t i = 0; brackets[i]; i++)
		markup_join_word(text, (const char[]){'[', brackets[i], 0},
		        (const char[]){brackets[i], ']', 0}, true);
	wiki_add_joined(m, text->str, text->len);
}

/* Headings have links and signs like other lines. */
static void wiki_put_heading(Markup *m, unsigned level, const char *line, size_t length)
{
	markup_flush(m, TAG_BODY);
	wiki_add_text(m, line, length);
	g_autofree char *text = g_strdup(g_strstrip(m->block->str));
	g_string_truncate(m->block, 0);
	markup_heading(m, level, text, strlen(text));
}

/* Table borders and rows of MediaWiki, which only describe the layout. */
static bool is_table_frame(const char *line, size_t length)
{
	return length >= 2 && (strncmp(line, "{|", 2) == 0 || strncmp(line, "|}", 2) == 0 ||
	                              strncmp(line, "|-", 2) == 0);
}

static void wiki_take_line(Markup *m, const char *line, size_t length)
{
	unsigned level = heading_of(&line, &length);
	if (level == 0)
		level = textile_heading(&line, &length);
	if (level > 0)
		wiki_put_heading(m, level, line, length);
	else if (text_is_blank(line, length))
		markup_flush(m, TAG_BODY);
	else if (!is_table_frame(line, length))
		wiki_add_text(m, line, length);
}

void wiki_read(Markup *m)
{
	const char *line;
	size_t length;
	while (markup_line(m, &line, &length))
		wiki_take_line(m, line, length);
}
