/* SPDX-License-Identifier: GPL-3.0-or-later */
/* query-signs.c - tells signs of typed and pasted text from constructs of the language
 *
 * A line of a log, a title or a shell command is not a query in the language, but a person pastes
 * it to find its words. A sign that joins no word and is not a construct is left out. */
#include <config.h>
#include "index/query/query-private.h"
#include <string.h>

/* Longest list of signs in a note. */
enum { MOST_LISTED = 40 };

size_t query_space(const QueryParse *p, size_t at)
{
	/* Unicode's spaces and the byte order mark; a line of text is not cut at others */
	static const char *const spaces[] = {"\u00a0", "\u1680", "\u2000", "\u2001", "\u2002",
	        "\u2003", "\u2004", "\u2005", "\u2006", "\u2007", "\u2008", "\u2009", "\u200a",
	        "\u2028", "\u2029", "\u202f", "\u205f", "\u3000", "\ufeff"};
	char c = at < p->length ? p->text[at] : '\0';
	if (c == ' ' || (c >= '\t' && c <= '\r'))
		return 1;
	for (size_t i = 0; (c & 0x80) && i < G_N_ELEMENTS(spaces); i++)
		if (g_str_has_prefix(p->text + at, spaces[i]))
			return strlen(spaces[i]);
	return 0;
}

/* Offset of the quote that closes the one at the given offset; p->length: there is none. */
static size_t closing_quote(const QueryParse *p, size_t at)
{
	for (at++; at < p->length && p->text[at] != '"'; at++)
		if (p->text[at] == '\\' && at + 1 < p->length)
			at++;
	return MIN(at, p->length);
}

/* Does a word, or a phrase with the sign or field before it, begin here? */
static bool begins_word(const QueryParse *p, size_t at)
{
	const char *before = at > 0 ? g_utf8_prev_char(p->text + at) : p->text;
	return at == 0 || query_space(p, before - p->text) > 0 || strchr("(:=-!", *before);
}

/* A quote right after a letter or digit is a sign: 12" vinyl. So is one that is not closed, in a
 * line of a program and inside a word. */
static bool opens_phrase(const QueryParse *p, size_t at)
{
	if (p->text[at] != '"')
		return false;
	const char *before = at > 0 ? g_utf8_prev_char(p->text + at) : " ";
	if (query_is_of_words(g_utf8_get_char(before)))
		return false;
	return (begins_word(p, at) && !p->program) || closing_quote(p, at) < p->length;
}

/* Does the phrase end here, or after the letters, digits and "~" of its modifiers? */
static bool is_end_of_phrase(const QueryParse *p, size_t at)
{
	while (at < p->length && (g_ascii_isalnum(p->text[at]) || p->text[at] == '~'))
		at++;
	return at >= p->length || query_space(p, at) > 0 || p->text[at] == ')';
}

char *query_outside_phrases(const QueryParse *p)
{
	char *text = g_strndup(p->text, p->length);
	for (size_t at = 0; at < p->length; at++) {
		if (!opens_phrase(p, at))
			continue;
		size_t open = at;
		at = closing_quote(p, open);
		if (begins_word(p, open) && at < p->length && is_end_of_phrase(p, at + 1))
			memset(text + open + 1, '_', at - open - 1);
	}
	return text;
}

bool query_ends_word(const QueryParse *p, size_t at)
{
	return at >= p->length || query_space(p, at) > 0 || p->text[at] == '(' ||
	       p->text[at] == ')' || opens_phrase(p, at);
}

size_t query_word_length(const QueryParse *p, size_t at)
{
	size_t end = at;
	while (!query_ends_word(p, end) && (end == at || strncmp(p->text + end, "||", 2) != 0))
		end++;
	return end - at;
}

size_t query_name_length(const QueryParse *p, size_t at)
{
	size_t end = at;
	while (!query_ends_word(p, end) && !strchr(":=<>", p->text[end]))
		end++;
	return query_ends_word(p, end) ? 0 : end - at;
}

/* ---- constructs that make parentheses groups */

static bool is_field(const QueryParse *p, size_t at)
{
	QueryOperator op;
	const char *name = p->text + at;
	size_t length = query_name_length(p, at);
	if (length == 0 || !query_field_written(name, length, &op))
		return false;
	return query_space(p, at + length + query_operator_at(name + length, &op)) == 0;
}

static bool is_operator(const QueryParse *p, size_t at)
{
	return strncmp(p->text + at, "||", 2) == 0 || query_is_keyword(p, at, "AND") ||
	       query_is_keyword(p, at, "OR") || query_is_keyword(p, at, "NOT") ||
	       query_near_length(p, at) > 0;
}

static bool is_construct(const QueryParse *p, size_t at)
{
	size_t dashes = strspn(p->text + at, "-!");
	if (dashes > 0)
		return p->text[at + dashes] == '(';
	return is_operator(p, at) || is_field(p, at);
}

/* Is the parenthesis at s a group's? "f(x)" is code, "1) one" a list, and a parenthesis that stands
 * alone is a sign. */
static bool is_of_group(const QueryParse *p, const char *s)
{
	size_t at = s - p->text;
	const char *before = at > 0 ? g_utf8_prev_char(s) : NULL;
	bool starts = !before || query_space(p, before - p->text) > 0;
	if (*s == '(')
		return (starts || *before == '(') && at + 1 < p->length &&
		       query_space(p, at + 1) == 0;
	return !starts &&
	       (*before == ')' || (before > p->text && query_is_of_words(g_utf8_get_char(
	                                                       g_utf8_prev_char(before)))));
}

bool query_has_only_words(const QueryParse *p)
{
	for (const char *s = p->text; *s; s = g_utf8_next_char(s)) {
		bool known =
		        query_space(p, s - p->text) > 0 || query_is_of_words(g_utf8_get_char(s));
		if (!known && !((*s == '(' || *s == ')') && is_of_group(p, s)))
			return false;
	}
	return true;
}

bool query_uses_groups(const QueryParse *p)
{
	if (p->program)
		return false;
	if (query_has_only_words(p))
		return true;
	bool begins = true; /* a word may begin here */
	for (size_t at = 0; at < p->length; at++) {
		if (opens_phrase(p, at)) {
			at = closing_quote(p, at);
			begins = true;
			continue;
		}
		if ((begins && is_construct(p, at)) || strncmp(p->text + at, "||", 2) == 0)
			return true;
		begins = query_space(p, at) > 0 || p->text[at] == '(' || p->text[at] == ')';
	}
	return false;
}

/* ---- what can be left out */

/* "()" and "(…)" without a word. */
static size_t empty_group(const QueryParse *p)
{
	const char *begin = p->text + p->at;
	if (*begin != '(')
		return 0;
	for (const char *s = begin + 1; *s; s = g_utf8_next_char(s)) {
		if (*s == ')')
			return s + 1 - begin;
		if (*s == '"' || *s == '(' || query_is_of_words(g_utf8_get_char(s)))
			return 0;
	}
	return 0;
}

static size_t empty_phrase(const QueryParse *p)
{
	size_t close = closing_quote(p, p->at);
	if (close == p->length || query_has_word(p->text + p->at, close - p->at))
		return 0;
	return close + 1 - p->at;
}

/* "||" without a word on both of its sides. */
static size_t lone_or(const QueryParse *p)
{
	size_t at = p->at + 2;
	if (p->program)
		return 2;
	for (size_t space; (space = query_space(p, at)) > 0;)
		at += space;
	bool last = at >= p->length || p->text[at] == ')';
	return p->after_operand && !last ? 0 : 2;
}

/* Does the text begin with a sign of a unit that follows numbers? */
static bool begins_with_unit(const char *s)
{
	static const char *const units[] = {"°", "%", "‰", "€", "$", "£", "℃", "℉"};
	for (size_t i = 0; i < G_N_ELEMENTS(units); i++)
		if (g_str_has_prefix(s, units[i]))
			return true;
	return false;
}

/* "GMT -5": the offset of a time zone. digits: their number. */
static bool is_offset_of_zone(const QueryParse *p, size_t digits)
{
	size_t before = p->at;
	while (before > 0 && p->text[before - 1] == ' ')
		before--;
	const char *zone = before >= 3 && before < p->at ? p->text + before - 3 : "";
	bool named = g_str_has_prefix(zone, "GMT") || g_str_has_prefix(zone, "UTC");
	return named && (before == 3 || zone[-1] == ' ' || zone[-1] == '(') &&
	       (digits <= 2 || digits == 4);
}

/* "-5°C", "-5 °C" and "-10,6" are numbers, "-2023" excludes one. */
static bool is_negative_number(const QueryParse *p)
{
	const char *s = p->text + p->at;
	size_t digits = *s == '-' ? strspn(s + 1, "0123456789") : 0;
	const char *after = s + 1 + digits;
	if (digits == 0)
		return false;
	if (is_offset_of_zone(p, digits))
		return true;
	if (*after == ' ')
		return begins_with_unit(after + strspn(after, " "));
	return *after && !strchr("\t\n)*", *after) && !g_ascii_isalpha(*after);
}

/* Minus signs and exclamation marks. One or two before a word negate it; a rule of them
 * ("-----BEGIN") does not. More of them than the language can nest are left to its limit. */
static size_t lone_dashes(const QueryParse *p)
{
	const char *s = p->text + p->at;
	size_t dashes = strspn(s, "-!"), length = query_word_length(p, p->at + dashes);
	char next = s[dashes];
	bool first = p->at == 0 || !strchr("-!", s[-1]);
	if (first && dashes > 2 && dashes <= QUERY_MAX_DEPTH)
		return dashes;
	if (p->program || is_negative_number(p))
		return dashes;
	if (length > 0 && !query_has_word(s + dashes, length))
		return dashes + length;
	if (next && strchr("<=>~|+&%;,", next)) /* an arrow or a comparison: "->x", "!=x" */
		return dashes + strspn(s + dashes, "<=>~|+&%;,");
	return query_space(p, p->at + dashes) > 0 || next == '\0' || next == ')' ? dashes : 0;
}

size_t query_signs(const QueryParse *p)
{
	const char *s = p->text + p->at;
	if (p->at >= p->length)
		return 0;
	if (*s == '(' || *s == ')')
		return p->groups ? empty_group(p) : 1;
	if (opens_phrase(p, p->at))
		return empty_phrase(p);
	if (strncmp(s, "||", 2) == 0)
		return lone_or(p);
	if (*s == '-' || *s == '!')
		return lone_dashes(p);
	size_t length = query_word_length(p, p->at);
	return query_has_word(s, length) ? 0 : length;
}

static void list_signs(GString *list, const char *text, size_t length)
{
	if (list->len + length > MOST_LISTED) {
		if (!g_str_has_suffix(list->str, "…"))
			g_string_append(list, list->len > 0 ? " …" : "…");
		return;
	}
	g_string_append_printf(list, "%s%.*s", list->len > 0 ? " " : "", (int)length, text);
}

void query_note_text(QueryParse *p, size_t begin, size_t length)
{
	if (p->notes)
		list_signs(p->notes->as_text, p->text + begin, length);
}

void query_leave_out(QueryParse *p, size_t length)
{
	size_t begin = p->at, end = p->at + length;
	const char *before = begin > 0 ? g_utf8_prev_char(p->text + begin) : NULL;
	bool starts = !before || query_space(p, before - p->text) > 0;
	bool ends = end >= p->length || query_space(p, end) > 0;
	p->at = end;
	if (starts && ends && p->notes)
		list_signs(p->notes->left_out, p->text + begin, length);
	else if (starts && strchr("-!", p->text[begin]) &&
	         query_is_of_words(g_utf8_get_char(p->text + end)))
		query_note_text(p, begin, length + query_word_length(p, end));
}

/* ---- "name:value" */

/* Latin letters and "_". */
static bool is_latin_name(const char *text, size_t length)
{
	enum { LATIN_END = 0x250 };
	for (const char *s = text; s < text + length; s = g_utf8_next_char(s)) {
		gunichar c = g_utf8_get_char(s);
		if (c != '_' && (!g_unichar_isalpha(c) || c >= LATIN_END))
			return false;
	}
	return length > 0;
}

/* Is the word glued to another by a parenthesis, as in "f(x:y)"? */
static bool is_inside_word(const QueryParse *p, size_t at)
{
	return at > 1 && p->text[at - 1] == '(' &&
	       query_is_of_words(g_utf8_get_char(g_utf8_prev_char(p->text + at - 1)));
}

bool query_looks_pasted(const QueryParse *p)
{
	g_autofree char *text = query_outside_phrases(p);
	return text[strcspn(text, "$;{}|&\\`#@%")] != '\0';
}

/* Could this be the value of a field whose name was misspelt? Not the number of a port, the path
 * on a host, or a part of a longer chain. */
static bool is_value(const QueryParse *p, size_t at)
{
	size_t length = query_word_length(p, at);
	const char *text = p->text + at;
	if (length == 0)
		return *text == '(' || *text == '"';
	if (!query_is_of_words(g_utf8_get_char(text)) && *text != '*')
		return false;
	return !(g_ascii_isdigit(*text) && length > 1) && !memchr(text, ':', length) &&
	       !memchr(text, '/', length) && !strchr(";,{}[", text[length - 1]);
}

bool query_is_text_with_operator(const QueryParse *p, size_t begin, size_t length)
{
	const char *name = p->text + begin, *rest = name + length;
	QueryOperator op;
	size_t after = begin + length + query_operator_at(rest, &op);
	if (p->program && !query_field_find(name, length))
		return true;
	if (g_str_has_prefix(rest, "::") || query_address_scheme(name) == length + 1 ||
	        query_space(p, after) > 0)
		return true;
	if (query_is_unknown_here(name, length))
		return true;
	if (query_field_written(name, length, &op))
		return *rest != ':' &&
		       (after >= p->length || p->text[after] == ')' || query_space(p, after) > 0);
	if (*rest != ':' || !is_latin_name(name, length) || after >= p->length ||
	        !is_value(p, after))
		return true;
	return is_inside_word(p, begin) || query_looks_pasted(p);
}
