/* SPDX-License-Identifier: GPL-3.0-or-later */
/* query-private.h - shared by the parts of the query parser: lexer, grammar, fields, dates, sizes
 */
#pragma once
#include "index/query/query.h"

/* The chain of saved searches that are being read, innermost first. */
typedef struct QuerySaved {
	const char *name;
	const struct QuerySaved *outer;
} QuerySaved;

/* The state of a parse. */
typedef struct {
	const char *text;
	size_t length;
	size_t at; /* offset of the next byte to read */
	const QueryOptions *options;
	unsigned terms;
	unsigned depth; /* nesting of parentheses, negations and saved searches */
	const struct QuerySaved *saved; /* the saved search that is being read; NULL: none */
	QueryFault *fault;
	GError **error;
} QueryParse;

/* Fills fault and error. Always returns false, for "return query_fail(...)". Takes ownership of
 * hint, which may be NULL. */
bool query_fail(QueryParse *p, size_t position, size_t length, char *hint, const char *format, ...)
        G_GNUC_PRINTF(5, 6);

QueryNode *query_node_new(QueryOp op, size_t position, size_t length);
void query_node_free(QueryNode *node);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(QueryNode, query_node_free)
/* Adds child to an AND or OR; the children of a child of the same kind are added instead. Takes
 * ownership of child. */
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

/* NULL: there is no field of that name. */
const QueryField *query_field_find(const char *name, size_t length);
/* The known field closest to a misspelt name, or NULL. */
const char *query_field_suggest(const char *name, size_t length);

/* A value as it is written in the query. */
typedef struct {
	char *text;
	bool quoted;
	bool with_gaps, ordered; /* with_gaps: a phrase that allows other words between its words */
	unsigned gap;
	size_t position, length;
} QueryValue;

/* Returns the tree for "field operator value"; field NULL: plain words. NULL with fault. */
QueryNode *query_field_node(
        QueryParse *p, const QueryField *field, QueryOperator op, const QueryValue *value);

/* ---- words */
/* Counts n terms against the limit of a query. */
bool query_count_terms(QueryParse *p, const QueryValue *value, unsigned n);
/* Returns the node of a word, phrase, pattern or fuzzy word. NULL with fault. */
QueryNode *query_words_node(QueryParse *p, QueryScope scope, const QueryValue *value);

/* ---- saved searches */
/* Returns the tree of the saved search of that name, as if it were written in parentheses. NULL
 * with fault. */
QueryNode *query_saved_node(QueryParse *p, const QueryValue *value);
/* Returns the tree of a whole text; p is at its beginning. */
QueryNode *query_parse_tree(QueryParse *p);

/* ---- values that name a file, which query_resolve_files() reads */
QueryNode *query_near_node(QueryParse *p, const QueryField *field, const QueryValue *value);
QueryNode *query_dup_node(QueryParse *p, const QueryField *field, const QueryValue *value);

/* ---- ordered values; bounds are inclusive */
typedef struct {
	int64_t low, high;
} QuerySpan;
bool query_date_parse(QueryParse *p, QueryOperator op, const QueryValue *value, QuerySpan *out);
bool query_size_parse(QueryParse *p, QueryOperator op, const QueryValue *value, QuerySpan *out);
/* In seconds. */
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
	const QueryField *field; /* for LEX_FIELD */
	QueryOperator op; /* for LEX_FIELD */
	QueryValue value; /* for LEX_VALUE */
	unsigned gap; /* for LEX_NEAR */
	bool ordered; /* for LEX_NEAR */
} Lexeme;

void lexeme_clear(Lexeme *lexeme);
/* Length of "mid:" or "mailto:" at the beginning of text; 0: neither. */
size_t query_address_scheme(const char *text);
/* Reads the next lexeme. after_field: it directly follows "field:". */
bool query_lex(QueryParse *p, bool after_field, Lexeme *out);
