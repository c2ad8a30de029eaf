/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/query/query-private.h"
#include "common/base/i18n.h"
#include <string.h>

static bool query_is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

void lexeme_clear(Lexeme *lexeme)
{
	g_free(lexeme->value.text);
	memset(lexeme, 0, sizeof *lexeme);
}

static bool ends_word(const QueryParse *p, size_t at)
{
	char c = p->text[at];
	return at >= p->length || query_is_space(c) || c == '(' || c == ')' || c == '"';
}

/* Reads digits at the next byte; without digits *gap is preset. Returns false: too many words. */
static bool lex_gap(QueryParse *p, unsigned preset, unsigned *gap)
{
	size_t begin = p->at;
	uint64_t n = 0;
	for (; g_ascii_isdigit(p->text[p->at]); p->at++)
		n = MIN(n * 10 + (p->text[p->at] - '0'), (uint64_t)G_MAXINT32);
	*gap = p->at > begin ? n : preset;
	if (*gap <= QUERY_MAX_GAP)
		return true;
	return query_fail(p, begin, p->at - begin, NULL,
	        _("At most %d words are allowed between them"), QUERY_MAX_GAP);
}

static bool fail_modifier(QueryParse *p, size_t begin, const char *hint, const char *message)
{
	return query_fail(p, begin, p->at - begin, g_strdup(hint), "%s", message);
}

/* Reads the modifiers after a closing quote. "x" and "l" ask for the words as they are, which a
 * phrase always does; "p" asks for the words near each other, "o" in their order: one of these two.
 */
static bool lex_modifiers(QueryParse *p, QueryValue *value)
{
	size_t begin = p->at;
	while (!ends_word(p, p->at)) {
		char c = p->text[p->at++];
		if (c == 'x' || c == 'l')
			continue;
		if (c != 'p' && c != 'o')
			return fail_modifier(p, begin, _("Put a space after the closing quote."),
			        _("Unknown modifier after a phrase"));
		if (value->with_gaps)
			return fail_modifier(p, begin, _("Write \"one two\"p5 or \"one two\"o5."),
			        _("A phrase can have only one distance"));
		value->with_gaps = true;
		value->ordered |= c == 'o';
		if (!lex_gap(p, QUERY_GAP, &value->gap))
			return false;
	}
	return true;
}

static bool lex_phrase(QueryParse *p, Lexeme *out)
{
	g_autoptr(GString) text = g_string_new(NULL);
	size_t begin = p->at++;

	while (p->at < p->length && p->text[p->at] != '"') {
		if (p->text[p->at] == '\\' &&
		        (p->text[p->at + 1] == '"' || p->text[p->at + 1] == '\\'))
			p->at++;
		g_string_append_c(text, p->text[p->at++]);
	}
	if (p->at == p->length)
		return query_fail(p, begin, p->length - begin, g_strdup(_("Close it with \".")),
		        _("The quote is not closed"));
	p->at++;
	out->kind = LEX_VALUE;
	out->value = (QueryValue){.text = g_strdup(text->str),
	        .quoted = true,
	        .position = begin,
	        .length = p->at - begin};
	return lex_modifiers(p, &out->value);
}

static void lex_word(QueryParse *p, bool after_field, Lexeme *out)
{
	size_t begin = p->at;
	while (!ends_word(p, p->at) &&
	        (after_field || p->at == begin || strncmp(p->text + p->at, "||", 2) != 0))
		p->at++;
	size_t length = p->at - begin;
	out->kind = LEX_VALUE;
	out->value = (QueryValue){
	        .text = g_strndup(p->text + begin, length), .position = begin, .length = length};
}

static size_t operator_at(const char *text, QueryOperator *op)
{
	*op = OPERATOR_IS;
	if (text[0] == ':' || text[0] == '=')
		return 1;
	if (text[0] != '<' && text[0] != '>')
		return 0;
	bool equal = text[1] == '=';
	if (text[0] == '<')
		*op = equal ? OPERATOR_AT_MOST : OPERATOR_LESS;
	else
		*op = equal ? OPERATOR_AT_LEAST : OPERATOR_MORE;
	return equal ? 2 : 1;
}

size_t query_address_scheme(const char *text)
{
	static const char *const schemes[] = {"mid:", "mailto:"};
	for (size_t i = 0; i < G_N_ELEMENTS(schemes); i++)
		if (g_ascii_strncasecmp(text, schemes[i], strlen(schemes[i])) == 0)
			return strlen(schemes[i]);
	return 0;
}

/* Text with a colon that is not a field: "http://x", "mid:x", "12:30", "std::vector". */
static bool is_plain_colon(const char *name, size_t length, const char *rest)
{
	if (g_str_has_prefix(rest, "::") || query_address_scheme(name) == length + 1)
		return true;
	if (g_str_has_prefix(rest, "://"))
		return query_field_find(name, length) == NULL;
	for (size_t i = 0; i < length; i++)
		if (!g_ascii_isdigit(name[i]))
			return false;
	return length > 0 && rest[0] == ':' && g_ascii_isdigit(rest[1]);
}

/* 1: a field was read; 0: there is none here; -1: fault. */
static int lex_field(QueryParse *p, Lexeme *out)
{
	size_t begin = p->at, end = begin;
	while (!ends_word(p, end) && !strchr(":=<>", p->text[end]))
		end++;
	size_t length = end - begin;
	size_t width = ends_word(p, end) ? 0 : operator_at(p->text + end, &out->op);
	if (length == 0 || width == 0 || is_plain_colon(p->text + begin, length, p->text + end))
		return 0;
	out->field = query_field_find(p->text + begin, length);
	if (!out->field) {
		const char *near = query_field_suggest(p->text + begin, length);
		char *hint = near ? g_strdup_printf(_("Did you mean %s: ? To search for the text "
		                                      "itself, put it in quotes."),
		                            near)
		                  : g_strdup(_("To search for the text itself, put it in quotes."));
		query_fail(p, begin, length, hint, _("Unknown field \"%.*s\""), (int)length,
		        p->text + begin);
		return -1;
	}
	p->at = end + width;
	out->kind = LEX_FIELD;
	return 1;
}

static bool lex_keyword(QueryParse *p, const char *keyword, LexKind kind, Lexeme *out)
{
	size_t length = strlen(keyword);
	if (strncmp(p->text + p->at, keyword, length) != 0 || !ends_word(p, p->at + length))
		return false;
	p->at += length;
	out->kind = kind;
	return true;
}

static bool lex_negation(QueryParse *p, Lexeme *out)
{
	size_t at = p->at++;
	out->kind = LEX_NOT;
	if (p->at >= p->length || query_is_space(p->text[p->at]) || p->text[p->at] == ')')
		return query_fail(p, at, 1,
		        g_strdup_printf(_("Write %cword, without a space."), p->text[at]),
		        _("A word must follow the minus sign"));
	return true;
}

/* Length of the operator without its number; 0: it is not one. */
static size_t near_length(const QueryParse *p)
{
	const char *text = p->text + p->at;
	size_t length = g_str_has_prefix(text, "NEAR") ? 4 : g_str_has_prefix(text, "ADJ") ? 3 : 0;
	return length > 0 && (text[length] == '/' || ends_word(p, p->at + length)) ? length : 0;
}

static bool fail_near(QueryParse *p, size_t begin)
{
	while (!ends_word(p, p->at))
		p->at++;
	return query_fail(p, begin, p->at - begin,
	        g_strdup(_(
	                "Write one NEAR/5 two; to search for the text itself, put it in quotes.")),
	        _("A number of words must follow the slash"));
}

static bool lex_near(QueryParse *p, Lexeme *out)
{
	size_t begin = p->at;
	out->kind = LEX_NEAR;
	out->ordered = p->text[p->at] == 'A';
	p->at += near_length(p);
	bool stroke = p->text[p->at] == '/';
	p->at += stroke;
	if (stroke && !g_ascii_isdigit(p->text[p->at]))
		return fail_near(p, begin);
	if (!lex_gap(p, QUERY_GAP, &out->gap))
		return false;
	return ends_word(p, p->at) || fail_near(p, begin);
}

static bool lex_term(QueryParse *p, bool after_field, Lexeme *out)
{
	if (p->text[p->at] == '"')
		return lex_phrase(p, out);
	if (!after_field) {
		int field = lex_field(p, out);
		if (field != 0)
			return field > 0;
	}
	lex_word(p, after_field, out);
	return true;
}

/* An operator counts only outside a value. */
static bool lex_operator(QueryParse *p, Lexeme *out)
{
	if (lex_keyword(p, "AND", LEX_AND, out) || lex_keyword(p, "OR", LEX_OR, out) ||
	        lex_keyword(p, "NOT", LEX_NOT, out))
		return true;
	if (strncmp(p->text + p->at, "||", 2) != 0)
		return false;
	p->at += 2;
	out->kind = LEX_OR;
	return true;
}

bool query_lex(QueryParse *p, bool after_field, Lexeme *out)
{
	bool ok = true;

	memset(out, 0, sizeof *out);
	while (!after_field && p->at < p->length && query_is_space(p->text[p->at]))
		p->at++;
	out->position = p->at;
	char c = p->at < p->length ? p->text[p->at] : '\0';
	if (p->at >= p->length || (after_field && query_is_space(c))) {
		out->kind = LEX_END;
	} else if (c == '(' || c == ')') {
		out->kind = c == '(' ? LEX_OPEN : LEX_CLOSE;
		p->at++;
	} else if (!after_field && (c == '-' || c == '!')) {
		ok = lex_negation(p, out);
	} else if (!after_field && near_length(p) > 0) {
		ok = lex_near(p, out);
	} else if (after_field || !lex_operator(p, out)) {
		ok = lex_term(p, after_field, out);
	}
	out->length = p->at - out->position;
	return ok;
}
