/* SPDX-License-Identifier: GPL-3.0-or-later */
/* query-spaced.c - "size > 1M": a condition with spaces around its operator
 *
 * It is one if the name is that of dates or numbers, and a value of it follows the operator. Else
 * the words are text: "size > expected". */
#include <config.h>
#include "index/query/query-private.h"
#include "common/base/i18n.h"
#include <string.h>

static size_t spaced_skip(const QueryParse *p, size_t at)
{
	for (size_t space; (space = query_space(p, at)) > 0;)
		at += space;
	return at;
}

static size_t spaced_name_length(const QueryParse *p, size_t begin)
{
	size_t end = begin;
	while (!query_ends_word(p, end) && !strchr(":=<>", p->text[end]))
		end++;
	return end - begin;
}

/* *end_r: after the value. */
static bool spaced_is_value(
        const QueryParse *p, size_t at, const QueryField *field, QueryOperator op, size_t *end_r)
{
	QueryFault fault = {0};
	QueryParse trial = *p;
	Lexeme value;
	trial.at = at;
	trial.notes = NULL;
	trial.fault = &fault;
	trial.error = NULL;
	bool read = query_lex(&trial, field, &value) && value.kind == LEX_VALUE;
	g_autoptr(QueryNode) node = read ? query_field_node(&trial, field, op, &value.value) : NULL;
	*end_r = trial.at;
	lexeme_clear(&value);
	g_free(fault.hint);
	return node != NULL;
}

static void note_spaced(QueryParse *p, size_t begin, size_t end)
{
	g_autoptr(GString) condition = g_string_new(NULL);
	for (size_t at = begin; at < end; at += MAX(query_space(p, at), 1))
		if (query_space(p, at) == 0)
			g_string_append_c(condition, p->text[at]);
	query_note(p, _("Read as a condition: %s"), condition->str);
}

/* Does the field have an order, and does its name imply no comparison ("before")? */
static const QueryField *spaced_find_field(const QueryParse *p, size_t begin, size_t length)
{
	QueryOperator implied = OPERATOR_IS;
	const QueryField *field = query_field_written(p->text + begin, length, &implied);
	bool ordered = field && !field->text && implied == OPERATOR_IS &&
	               (query_is_date(field->filter) || query_is_number(field->filter));
	return ordered ? field : NULL;
}

const QueryField *query_spaced_field(QueryParse *p, QueryOperator *op)
{
	size_t begin = p->at, length = spaced_name_length(p, begin), end;
	size_t name_end = begin + length + (p->text[begin + length] == ':');
	size_t at = spaced_skip(p, name_end);
	if (length == 0 || at >= p->length || p->text[at] == ':' || query_looks_pasted(p))
		return NULL;
	size_t width = query_operator_at(p->text + at, op), value = spaced_skip(p, at + width);
	if (width == 0 || (at == name_end && value == at + width))
		return NULL;
	const QueryField *field = spaced_find_field(p, begin, length);
	if (!field || value >= p->length || !spaced_is_value(p, value, field, *op, &end))
		return NULL;
	note_spaced(p, begin, end);
	p->at = value;
	return field;
}
