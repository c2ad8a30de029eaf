/* SPDX-License-Identifier: GPL-3.0-or-later */
/* markup.c - lines and blocks of text markup */
#include <config.h>
#include "extractors/markup/accent.h"
#include "common/base/text.h"
#include "extractors/markup/markup.h"
#include <string.h>

void groups_open(MarkupGroups *groups, bool apart)
{
	groups->depth++;
	if (groups->depth < 64)
		groups->apart |= (uint64_t)apart << groups->depth;
}

void markup_add_gap(GString *out)
{
	if (out->len > 0 && !g_ascii_isspace(out->str[out->len - 1]))
		g_string_append_c(out, ' ');
}

void groups_close(MarkupGroups *groups, char next, GString *out)
{
	uint64_t bit = groups->depth < 64 ? UINT64_C(1) << groups->depth : 0;
	bool sign = g_ascii_isspace(next) || (g_ascii_ispunct(next) && !strchr("\\@", next));
	if ((groups->apart & bit) && !sign)
		markup_add_gap(out);
	groups->apart &= ~bit;
	groups->depth -= groups->depth > 0;
}

size_t markup_peek(const Markup *m, const char **line)
{
	const char *newline = m->at < m->end ? memchr(m->at, '\n', m->end - m->at) : NULL;
	*line = m->at;
	return (newline ? newline : m->end) - m->at;
}

bool markup_line(Markup *m, const char **line, size_t *length)
{
	if (m->full || m->at >= m->end)
		return false;
	*length = markup_peek(m, line);
	m->at = MIN(*line + *length + 1, m->end);
	if (*length > 0 && (*line)[*length - 1] == '\r')
		--*length;
	return true;
}

void markup_address(Markup *m, const char *address, size_t length)
{
	g_autofree char *copy = g_strndup(address, length);
	sink_address(m->sink, copy, NULL);
}

void markup_add(Markup *m, const char *text, size_t length)
{
	g_string_append_len(m->block, text, length);
}

void markup_flush(Markup *m, DocTag next)
{
	if (!text_is_blank(m->block->str, m->block->len))
		m->full = !sink_block(m->sink, m->tag) ||
		          !sink_text(m->sink, m->tag, m->block->str, m->block->len);
	g_string_set_size(m->block, 0);
	m->tag = next;
}

void markup_heading(Markup *m, unsigned level, const char *text, size_t length)
{
	DocTag tag = m->tag;
	markup_flush(m, TAG_HEADING1 + MIN(MAX(level, 1), 6) - 1);
	if (!m->titled)
		markup_fact(m, FIELD_TITLE, text, length);
	markup_add(m, text, length);
	markup_flush(m, tag);
}

void markup_fact(Markup *m, DocField field, const char *text, size_t length)
{
	m->titled = m->titled || (field == FIELD_TITLE && !text_is_blank(text, length));
	sink_field(m->sink, field, text, length);
}

/* ---- entities */

static bool named_entity(GString *out, const char *name)
{
	static const struct {
		const char *name, *text;
	} entities[] = {{"amp", "&"}, {"lt", "<"}, {"gt", ">"}, {"quot", "\""}, {"apos", "'"},
	        {"nbsp", " "}, {"ensp", " "}, {"emsp", " "}, {"thinsp", " "}, {"shy", "\u00ad"},
	        {"zwnj", "\u200c"}, {"zwj", "\u200d"}, {"ndash", "\u2013"}, {"mdash", "\u2014"},
	        {"minus", "\u2212"}, {"hellip", "\u2026"}, {"bull", "\u2022"}, {"middot", "\u00b7"},
	        {"lsquo", "\u2018"}, {"rsquo", "\u2019"}, {"sbquo", "\u201a"}, {"ldquo", "\u201c"},
	        {"rdquo", "\u201d"}, {"bdquo", "\u201e"}, {"laquo", "\u00ab"}, {"raquo", "\u00bb"},
	        {"euro", "\u20ac"}, {"pound", "\u00a3"}, {"sect", "\u00a7"}, {"deg", "\u00b0"},
	        {"copy", "\u00a9"}, {"reg", "\u00ae"}, {"times", "\u00d7"}, {"micro", "\u00b5"},
	        {"sup2", "\u00b2"}, {"sup3", "\u00b3"}, {"szlig", "\u00df"}, {"aelig", "\u00e6"},
	        {"AElig", "\u00c6"}, {"oelig", "\u0153"}, {"OElig", "\u0152"}, {"oslash", "\u00f8"},
	        {"Oslash", "\u00d8"}, {"aring", "\u00e5"}, {"Aring", "\u00c5"}, {"eth", "\u00f0"},
	        {"ETH", "\u00d0"}, {"thorn", "\u00fe"}, {"THORN", "\u00de"}};
	static const struct {
		const char *name;
		char sign;
	} accents[] = {{"uml", '"'}, {"acute", '\''}, {"grave", '`'}, {"circ", '^'}, {"tilde", '~'},
	        {"cedil", 'c'}, {"caron", 'v'}, {"ring", 'r'}};
	for (size_t i = 0; i < G_N_ELEMENTS(entities); i++)
		if (strcmp(name, entities[i].name) == 0) {
			g_string_append(out, entities[i].text);
			return true;
		}
	for (size_t i = 0; i < G_N_ELEMENTS(accents); i++)
		if (*name && strcmp(name + 1, accents[i].name) == 0)
			return accent_append(out, accents[i].sign, *name);
	return false;
}

size_t markup_add_entity(GString *out, const char *at, const char *end)
{
	const char *close = memchr(at, ';', MIN(end - at, 12));
	if (!close || close < at + 2)
		return 0;
	g_autofree char *name = g_strndup(at + 1, close - at - 1);
	bool hex = name[0] == '#' && g_ascii_tolower(name[1]) == 'x';
	guint64 c = name[0] == '#' ? g_ascii_strtoull(name + 1 + hex, NULL, hex ? 16 : 10) : 0;
	if (c >= ' ' && c <= 0x10ffff && g_unichar_validate(c))
		g_string_append_unichar(out, c);
	else if (!named_entity(out, name))
		return 0;
	return close + 1 - at;
}

/* ---- tags of HTML */

enum { HTML_TAG_BYTES = 2000 };

size_t markup_tag_length(const char *at, const char *end)
{
	const char *close = end - at > 2 && (g_ascii_isalpha(at[1]) || at[1] == '/')
	                            ? memchr(at, '>', MIN(end - at, HTML_TAG_BYTES))
	                            : NULL;
	return close ? close + 1 - at : 0;
}

bool markup_is_inner_tag(const char *tag)
{
	static const char *const names[] = {"abbr", "b", "big", "bdi", "cite", "code", "del", "em",
	        "font", "i", "ins", "kbd", "mark", "nowiki", "s", "samp", "small", "span", "strike",
	        "strong", "sub", "sup", "tt", "u", "var", "wbr", NULL};
	size_t length = 0;
	tag += tag[1] == '/' ? 2 : 1;
	while (g_ascii_isalnum(tag[length]))
		length++;
	g_autofree char *name = g_ascii_strdown(tag, length);
	return g_strv_contains(names, name);
}
