/* SPDX-License-Identifier: GPL-3.0-or-later */
/* org.c - Org (https://orgmode.org/worg/org-syntax.html): headings, keywords, code blocks,
 * drawers */
#include <config.h>
#include "extractors/markup/markup.h"
#include "common/base/text.h"
#include <string.h>

/* Sends the words between the colons. */
static void org_put_tags(Markup *m, const char *tags, size_t length)
{
	g_autofree char *text = g_strndup(tags, length);
	g_auto(GStrv) words = g_strsplit_set(text, ": \t", -1);
	for (char **word = words; *word; word++)
		if (**word)
			markup_fact(m, FIELD_KEYWORD, *word, strlen(*word));
}

static bool take_keyword(Markup *m, const char *line, size_t length)
{
	static const struct {
		const char *name;
		DocField field;
	} keywords[] = {{"title:", FIELD_TITLE}, {"author:", FIELD_AUTHOR},
	        {"keywords:", FIELD_KEYWORD}, {"filetags:", FIELD_KEYWORD},
	        {"description:", FIELD_COMMENT}, {"language:", FIELD_LANGUAGE}};
	for (size_t i = 0; i < G_N_ELEMENTS(keywords); i++) {
		size_t n = strlen(keywords[i].name);
		if (length > n && g_ascii_strncasecmp(line, keywords[i].name, n) == 0) {
			if (strcmp(keywords[i].name, "filetags:") == 0)
				org_put_tags(m, line + n, length - n);
			else
				markup_fact(m, keywords[i].field, line + n, length - n);
			return true;
		}
	}
	return false;
}

/* "#+WORD". True: the line was handled. */
static bool take_directive(Markup *m, const char *line, size_t length)
{
	if (length < 3 || line[0] != '#' || line[1] != '+')
		return false;
	if (take_keyword(m, line + 2, length - 2))
		return true;
	if (length >= 11 && g_ascii_strncasecmp(line + 2, "begin_src", 9) == 0)
		markup_flush(m, TAG_CODE);
	else if (length >= 9 && g_ascii_strncasecmp(line + 2, "end_src", 7) == 0)
		markup_flush(m, TAG_BODY);
	else
		return false;
	return true;
}

/* Returns where ":tag:tag:" begins at the end of a heading; length: there are none. */
static size_t org_tags_begin(const char *text, size_t length)
{
	size_t at = length;
	if (length < 3 || text[length - 1] != ':')
		return length;
	while (at > 0 && !g_ascii_isspace(text[at - 1])) {
		char c = text[--at];
		if (!g_ascii_isalnum(c) && !strchr("_@#%:", c) && !(c & 0x80))
			return length;
	}
	return at > 0 && at + 2 < length && text[at] == ':' ? at : length;
}

static void org_skip_word(const char **text, size_t *length, const char *word, size_t n)
{
	if (*length <= n || (word && memcmp(*text, word, n) != 0))
		return;
	*text += n;
	*length -= n;
	while (*length > 0 && g_ascii_isspace(**text)) {
		++*text;
		--*length;
	}
}

/* Sends a heading without its TODO keyword, priority and tags. */
static void org_put_heading(Markup *m, unsigned level, const char *text, size_t length)
{
	while (length > 0 && g_ascii_isspace(text[length - 1]))
		length--;
	size_t tags = org_tags_begin(text, length);
	org_put_tags(m, text + tags, length - tags);
	length = tags;
	org_skip_word(&text, &length, " ", 1);
	org_skip_word(&text, &length, "TODO ", 5);
	org_skip_word(&text, &length, "DONE ", 5);
	if (length > 4 && memcmp(text, "[#", 2) == 0 && text[3] == ']')
		org_skip_word(&text, &length, NULL, 4);
	markup_heading(m, level, text, length);
}

/* "un*believ*able" with a zero width space at each sign is one word: Org does without these spaces
 * where there is white space. */
static const char zero_width[] = "\u200b";

/* The length of a sign and of the zero width space before or behind it, within a word; 0: none. */
static size_t org_sign_in_word(const char *begin, const char *at, const char *end)
{
	static const char signs[] = "*/_=~+";
	size_t space = sizeof zero_width - 1, left = end - at;
	bool opens = left > space && memcmp(at, zero_width, space) == 0 && strchr(signs, at[space]);
	bool closes = left > space && strchr(signs, *at) && memcmp(at + 1, zero_width, space) == 0;
	bool joins = (opens || closes) && markup_word_before(begin, at) &&
	             markup_word_after(at + space + 1, end);
	return joins ? space + 1 : 0;
}

/* The length of the brackets that end a link within a word, "[[target][bus]]es", or that stand
 * around an index, "H_{2}O"; 0: none. */
static size_t org_bracket_in_word(const char *begin, const char *at, const char *end)
{
	static const char *const brackets[] = {"]]", "_{", "^{"};
	for (size_t i = 0; i < G_N_ELEMENTS(brackets); i++)
		if (end - at > 2 && memcmp(at, brackets[i], 2) == 0)
			return markup_word_before(begin, at) && markup_word_after(at + 2, end) ? 2
			                                                                       : 0;
	return 0;
}

static void org_add_text(Markup *m, const char *line, size_t length)
{
	bool index = false; /* the next brace closes it */
	for (const char *at = line, *end = line + length; at < end;) {
		size_t bracket = org_bracket_in_word(line, at, end);
		size_t sign = bracket > 0 ? bracket : org_sign_in_word(line, at, end);
		if (index && *at == '}')
			sign = 1;
		index = (index && *at != '}') || (bracket > 0 && *at != ']');
		if (sign == 0)
			markup_add(m, at, 1);
		at += MAX(sign, 1);
	}
	markup_add(m, "\n", 1);
}

void org_read(Markup *m)
{
	const char *line;
	size_t length;
	while (markup_line(m, &line, &length)) {
		size_t stars = 0;
		while (stars < length && line[stars] == '*')
			stars++;
		bool code = m->tag == TAG_CODE;
		if (!code && stars > 0 && stars < length && line[stars] == ' ')
			org_put_heading(m, stars, line + stars, length - stars);
		else if (take_directive(m, line, length))
			continue;
		else if (!code && text_is_blank(line, length))
			markup_flush(m, TAG_BODY);
		else if (!code && (length < 2 || line[0] != ':' || line[1] != ' ')) {
			org_add_text(m, line, length);
		} else {
			markup_add(m, line, length);
			markup_add(m, "\n", 1);
		}
	}
}
