/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/query/query-private.h"
#include "common/base/i18n.h"
#include <string.h>

void lexeme_clear(Lexeme *lexeme)
{
	g_free(lexeme->value.text);
	memset(lexeme, 0, sizeof *lexeme);
}

/* Reads digits at the next byte; without digits *gap is QUERY_GAP. Returns false: too many words.
 */
static bool lex_gap(QueryParse *p, unsigned *gap)
{
	size_t begin = p->at;
	uint64_t n = 0;
	for (; g_ascii_isdigit(p->text[p->at]); p->at++)
		n = MIN(n * 10 + (p->text[p->at] - '0'), (uint64_t)G_MAXINT32);
	*gap = p->at > begin ? n : QUERY_GAP;
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
	while (!query_ends_word(p, p->at)) {
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
		if (!lex_gap(p, &value->gap))
			return false;
	}
	return true;
}

/* Modifiers are letters and digits; other signs ("name":"value") are text. */
static bool has_modifiers(const QueryParse *p)
{
	size_t at = p->at;
	while (g_ascii_isalnum(p->text[at]))
		at++;
	return query_ends_word(p, at);
}

/* Reads "~5", by which other programs write "p5". */
static void lex_slop(QueryParse *p, QueryValue *value)
{
	if (p->text[p->at] != '~')
		return;
	size_t digits = strspn(p->text + p->at + 1, "0123456789");
	if (digits == 0 || digits > 4 || !query_ends_word(p, p->at + 1 + digits))
		return;
	value->with_gaps = true;
	value->gap = MIN(g_ascii_strtoull(p->text + p->at + 1, NULL, 10), QUERY_MAX_GAP);
	p->at += 1 + digits;
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
	lex_slop(p, &out->value);
	return !has_modifiers(p) || lex_modifiers(p, &out->value);
}

/* Length of "last week" and "10 MB" after a field of dates or sizes: a value of two words. 0: it
 * has one. */
static size_t two_words_length(const QueryParse *p, const QueryField *field)
{
	static const char *const first[] = {"last", "past", "this", "letzte", "letzten", "letzter",
	        "letztes", "diese", "diesen", "dieser", "dieses", "vorige", "vorigen", "voriges"};
	static const char *const second[] = {"week", "month", "year", "woche", "monat", "jahr"};
	static const char *const units[] = {"kb", "mb", "gb", "tb", "kib", "mib", "gib"};
	const char *text = p->text + p->at;
	size_t length = query_word_length(p, p->at), space = query_space(p, p->at + length);
	size_t begin = p->at + length + space, unit = query_word_length(p, begin);
	g_autofree char *word = g_ascii_strdown(text, length);
	g_autofree char *next = g_ascii_strdown(p->text + begin, unit);
	bool date = false, size = false;
	for (size_t i = 0; i < G_N_ELEMENTS(first); i++)
		for (size_t k = 0; k < G_N_ELEMENTS(second); k++)
			date |= strcmp(word, first[i]) == 0 && strcmp(next, second[k]) == 0;
	for (size_t i = 0; i < G_N_ELEMENTS(units); i++)
		size |= length > 0 && g_ascii_isdigit(text[length - 1]) &&
		        strcmp(next, units[i]) == 0;
	bool fits =
	        (date && query_is_date(field->filter)) || (size && field->filter == FILTER_SIZE);
	return space > 0 && fits ? begin + unit - p->at : 0;
}

/* Length of "June 2026" and "14. März 2026" after a field of dates; 0: it is none. In "2026 March
 * report" the year alone is the value. */
static size_t named_date_length(const QueryParse *p, const QueryField *field)
{
	enum { MOST_WORDS = 5, YEAR_DIGITS = 4 };
	const char *text = p->text + p->at;
	size_t end = p->at, found = 0;
	if (!query_is_date(field->filter) || strspn(text, "0123456789") >= YEAR_DIGITS)
		return 0;
	for (int i = 0; i < MOST_WORDS; i++) {
		size_t begin = end + (i > 0 ? query_space(p, end) : 0);
		size_t length = query_word_length(p, begin);
		if (length == 0 || (i > 0 && begin == end))
			break;
		end = begin + length;
		if (i > 0 && query_is_named_date(text, end - p->at))
			found = end - p->at;
	}
	return found;
}

/* Reads "[2020 TO 2021]", a range of other programs, where a field has ranges. Braces leave the
 * bounds out. */
static bool lex_bracket_range(QueryParse *p, Lexeme *out)
{
	const char *text = p->text + p->at, *to = strstr(text, " TO "),
	           *close = strpbrk(text, "]}");
	if ((*text != '[' && *text != '{') || !to || !close || to > close)
		return false;
	g_autofree char *low = g_strndup(text + 1, to - text - 1);
	g_autofree char *high = g_strndup(to + 4, close - to - 4);
	g_strstrip(low);
	g_strstrip(high);
	out->kind = LEX_VALUE;
	out->value = (QueryValue){.text = g_strconcat(strcmp(low, "*") == 0 ? "" : low, "..",
	                                  strcmp(high, "*") == 0 ? "" : high, NULL),
	        .position = p->at,
	        .length = close + 1 - text,
	        .low_open = *text == '{' && strcmp(low, "*") != 0,
	        .high_open = *close == '}' && strcmp(high, "*") != 0};
	p->at += out->value.length;
	return true;
}

static void lex_word(QueryParse *p, const QueryField *after, Lexeme *out)
{
	size_t begin = p->at;
	bool ordered = after && (query_is_date(after->filter) || query_is_number(after->filter));
	if (ordered && lex_bracket_range(p, out))
		return;
	if (ordered)
		p->at += MAX(two_words_length(p, after), named_date_length(p, after));
	if (after)
		while (!query_ends_word(p, p->at))
			p->at++;
	else
		p->at += query_word_length(p, p->at);
	size_t length = p->at - begin;
	out->kind = LEX_VALUE;
	out->value = (QueryValue){
	        .text = g_strndup(p->text + begin, length), .position = begin, .length = length};
}

size_t query_operator_at(const char *text, QueryOperator *op)
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
	static const char *const schemes[] = {"mid:", "mailto:", "rfc822msgid:"};
	for (size_t i = 0; i < G_N_ELEMENTS(schemes); i++)
		if (g_ascii_strncasecmp(text, schemes[i], strlen(schemes[i])) == 0)
			return strlen(schemes[i]);
	return 0;
}

/* A field that was read as text because a space follows: "date: 2025". */
static void note_field_as_text(QueryParse *p, size_t begin, size_t length, size_t width)
{
	QueryOperator op = OPERATOR_IS;
	const char *name = p->text + begin;
	size_t shown = length + width;
	if (!query_field_written(name, length, &op)) {
		for (size_t i = 0; i < length; i++) /* "x->y", "a!=b" */
			if (g_ascii_ispunct(name[i]) && name[i] != '_')
				return;
		if (query_field_suggest(name, length) || query_is_unknown_here(name, length))
			query_note(p, _("There is no field \"%.*s\", so it was searched as a word"),
			        (int)shown, name);
	} else if (query_is_unknown_here(name, length)) {
		query_note(p, _("There is no condition \"%.*s\", so its words were searched"),
		        (int)(query_word_length(p, begin)), name);
	} else if (query_space(p, begin + shown) > 0) {
		query_note(p, _("A space follows \"%.*s\", so it was searched as a word"),
		        (int)shown, name);
	}
}

static void fail_field(QueryParse *p, size_t begin, size_t length)
{
	const char *name = p->text + begin, *near = query_field_suggest(name, length);
	char *hint =
	        query_name_is_of_order(name, length)
	                ? g_strdup(_("The order is an option, not a part of the query: -s date."))
	        : near ? g_strdup_printf(_("Did you mean %s: ? To search for the text itself, "
	                                   "put it in quotes."),
	                         near)
	               : g_strdup(_("To search for the text itself, put it in quotes."));
	query_fail(p, begin, length, hint, _("Unknown field \"%.*s\""), (int)length, name);
}

/* 1: a field was read; 0: there is none here; -1: fault. */
static int lex_field(QueryParse *p, Lexeme *out)
{
	size_t begin = p->at, length = query_name_length(p, begin);
	const char *name = p->text + begin;
	out->field = query_spaced_field(p, &out->op);
	if (out->field) {
		out->kind = LEX_FIELD;
		return 1;
	}
	out->op = OPERATOR_IS;
	if (length == 0)
		return 0;
	size_t width = query_operator_at(name + length, &out->op);
	if (query_is_text_with_operator(p, begin, length)) {
		note_field_as_text(p, begin, length, width);
		return 0;
	}
	out->field = query_field_written(name, length, &out->op);
	out->months = query_name_has_months(name, length);
	if (!out->field) {
		fail_field(p, begin, length);
		return -1;
	}
	p->at = begin + length + width;
	out->kind = LEX_FIELD;
	return 1;
}

bool query_is_keyword(const QueryParse *p, size_t at, const char *keyword)
{
	return g_str_has_prefix(p->text + at, keyword) && query_ends_word(p, at + strlen(keyword));
}

static bool lex_keyword(QueryParse *p, const char *keyword, LexKind kind, Lexeme *out)
{
	if (!query_is_keyword(p, p->at, keyword))
		return false;
	if (p->program) {
		query_note_text(p, p->at, strlen(keyword));
		return false;
	}
	p->at += strlen(keyword);
	out->kind = kind;
	return true;
}

size_t query_near_length(const QueryParse *p, size_t at)
{
	const char *text = p->text + at;
	size_t around = strncmp(text, "AROUND(", strlen("AROUND(")) == 0 ? strlen("AROUND(") : 0;
	size_t digits = around > 0 ? strspn(text + around, "0123456789") : 0;
	if (digits > 0 && text[around + digits] == ')' &&
	        query_ends_word(p, at + around + digits + 1))
		return strlen("AROUND");
	size_t length = g_str_has_prefix(text, "NEAR") ? 4 : g_str_has_prefix(text, "ADJ") ? 3 : 0;
	return length > 0 && (text[length] == '/' || query_ends_word(p, at + length)) ? length : 0;
}

static bool fail_near(QueryParse *p, size_t begin)
{
	while (!query_ends_word(p, p->at))
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
	out->ordered = p->text[p->at] == 'A' && p->text[p->at + 1] == 'D';
	p->at += query_near_length(p, begin);
	bool around = p->text[p->at] == '(', stroke = around || p->text[p->at] == '/';
	p->at += stroke;
	if (stroke && !g_ascii_isdigit(p->text[p->at]))
		return fail_near(p, begin);
	if (!lex_gap(p, &out->gap))
		return false;
	p->at += around;
	return query_ends_word(p, p->at) || fail_near(p, begin);
}

/* "is:read" is a condition of another program. */
static bool lex_condition(QueryParse *p, Lexeme *out)
{
	size_t length = query_word_length(p, p->at);
	out->text = p->program ? NULL : query_condition_written(p->text + p->at, length);
	if (!out->text)
		return false;
	p->at += length;
	out->kind = LEX_CONDITION;
	return true;
}

static bool lex_term(QueryParse *p, const QueryField *after, Lexeme *out)
{
	if (p->text[p->at] == '"')
		return lex_phrase(p, out);
	if (!after) {
		if (lex_condition(p, out))
			return true;
		int field = lex_field(p, out);
		if (field != 0)
			return field > 0;
	}
	lex_word(p, after, out);
	return true;
}

/* An operator counts only outside a value. */
static bool lex_operator(QueryParse *p, Lexeme *out)
{
	if (p->no_operators)
		return false;
	if (lex_keyword(p, "AND", LEX_AND, out) || lex_keyword(p, "OR", LEX_OR, out) ||
	        lex_keyword(p, "NOT", LEX_NOT, out))
		return true;
	if (p->program || strncmp(p->text + p->at, "||", 2) != 0)
		return false;
	p->at += 2;
	out->kind = LEX_OR;
	return true;
}

static void skip_signs(QueryParse *p)
{
	for (;;) {
		if (query_skip_mark(p) > 0)
			continue;
		size_t space = query_space(p, p->at), signs = space > 0 ? 0 : query_signs(p);
		if (space + signs == 0)
			return;
		if (signs > 0)
			query_leave_out(p, signs);
		p->at += space;
	}
}

static bool lex_construct(QueryParse *p, Lexeme *out)
{
	char c = p->text[p->at];
	if (c == '-' || c == '!') {
		p->at++;
		out->kind = LEX_NOT;
		return true;
	}
	if (!p->no_operators && !p->program && query_near_length(p, p->at) > 0)
		return lex_near(p, out);
	return lex_operator(p, out) || lex_term(p, NULL, out);
}

bool query_lex(QueryParse *p, const QueryField *after, Lexeme *out)
{
	bool ok = true;

	memset(out, 0, sizeof *out);
	if (!after)
		skip_signs(p);
	out->position = p->at;
	char c = p->at < p->length ? p->text[p->at] : '\0';
	if (p->at >= p->length || (after && query_space(p, p->at) > 0)) {
		out->kind = LEX_END;
	} else if (c == '(' || c == ')') {
		out->kind = c == '(' ? LEX_OPEN : LEX_CLOSE;
		p->at++;
	} else {
		ok = after ? lex_term(p, after, out) : lex_construct(p, out);
	}
	out->length = p->at - out->position;
	p->after_operand =
	        out->kind == LEX_VALUE || out->kind == LEX_CONDITION || out->kind == LEX_CLOSE;
	return ok;
}
