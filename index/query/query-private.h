/* SPDX-License-Identifier: GPL-3.0-or-later */
/* query-private.h - between the parts of the query parser: lexer, grammar, fields, dates and sizes
 */
#pragma once
#include "index/query/query.h"

/* The saved searches that lead to one, innermost first. */
typedef struct QuerySaved {
	const char *name;
	const struct QuerySaved *outer;
} QuerySaved;

/* What a parse in progress knows. */
typedef struct {
	const char *text;
	size_t length;
	size_t at; /* next byte to read */
	const QueryOptions *options;
	unsigned terms;
	unsigned depth; /* of parentheses, negations and saved searches */
	const struct QuerySaved *saved; /* the saved search that is being read; NULL: none */
	QueryFault *fault;
	GError **error;
} QueryParse;

/* Fills fault and error; returns false for "return query_fail(...)". Takes hint, which may be NULL.
 */
bool query_fail(QueryParse *p, size_t position, size_t length, char *hint, const char *format, ...)
        G_GNUC_PRINTF(5, 6);

QueryNode *query_node_new(QueryOp op, size_t position, size_t length);
void query_node_free(QueryNode *node);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(QueryNode, query_node_free)
/* Adds child to an AND or OR; a child of the same kind gives its children. Takes child. */
void query_node_add(QueryNode *node, QueryNode *child);

/* ---- fields */
typedef enum {
	OPERATOR_IS,
	OPERATOR_LESS,
	OPERATOR_AT_MOST,
	OPERATOR_MORE,
	OPERATOR_AT_LEAST
} QueryOperator;

typedef struct {
	const char *name;
	bool text; /* a column of words */
	QueryScope scope;
	QueryFilter filter;
} QueryField;

/* NULL if there is none of that name. */
const QueryField *query_field_find(const char *name, size_t length);
/* The known field nearest to a misspelt one, or NULL. */
const char *query_field_suggest(const char *name, size_t length);

/* A value as it stands in the query. */
typedef struct {
	char *text;
	bool quoted;
	bool apart, ordered; /* a phrase whose words may have others between them */
	unsigned gap;
	size_t position, length;
} QueryValue;

/* The tree for "field operator value"; field NULL: plain words. NULL with fault. */
QueryNode *query_field_node(
        QueryParse *p, const QueryField *field, QueryOperator op, const QueryValue *value);

/* ---- words */
/* Counts n terms against the limit of a query. */
bool query_count_terms(QueryParse *p, const QueryValue *value, unsigned n);
/* A word, phrase, pattern or fuzzy word. NULL with fault. */
QueryNode *query_words_node(QueryParse *p, QueryScope scope, const QueryValue *value);

/* ---- saved searches */
/* The tree of the saved search of that name, as if it stood there in parentheses. NULL with fault.
 */
QueryNode *query_saved_node(QueryParse *p, const QueryValue *value);
/* The tree of a whole text; p stands at its begin. NULL with fault. */
QueryNode *query_parse_tree(QueryParse *p);

/* ---- near copies */
QueryNode *query_near_node(QueryParse *p, const QueryField *field, const QueryValue *value);

/* ---- values with an order; the bounds are inclusive */
typedef struct {
	int64_t low, high;
} QuerySpan;
bool query_date_parse(QueryParse *p, QueryOperator op, const QueryValue *value, QuerySpan *out);
bool query_size_parse(QueryParse *p, QueryOperator op, const QueryValue *value, QuerySpan *out);
/* Seconds. */
bool query_duration_parse(QueryParse *p, QueryOperator op, const QueryValue *value, QuerySpan *out);
bool query_count_parse(QueryParse *p, QueryOperator op, const QueryValue *value, QuerySpan *out);

/* ---- lexer */
typedef enum {
	LEX_END,
	LEX_OPEN,
	LEX_CLOSE,
	LEX_AND,
	LEX_OR,
	LEX_NOT,
	LEX_NEAR,
	LEX_FIELD,
	LEX_VALUE
} LexKind;

typedef struct {
	LexKind kind;
	size_t position, length;
	const QueryField *field; /* LEX_FIELD */
	QueryOperator op; /* LEX_FIELD */
	QueryValue value; /* LEX_VALUE */
	unsigned gap; /* LEX_NEAR */
	bool ordered; /* LEX_NEAR */
} Lexeme;

void lexeme_clear(Lexeme *lexeme);
/* Bytes of "mid:" or "mailto:" at the beginning of text; 0: neither. */
size_t query_address_scheme(const char *text);
/* Reads the next lexeme. after_field: what stands directly behind "field:". */
bool query_lex(QueryParse *p, bool after_field, Lexeme *out);
