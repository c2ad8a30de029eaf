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

/* Parts that were read otherwise than they may have been meant, and parts that were left out. */
typedef struct {
	GPtrArray *lines; /* of char *, translated */
	GString *left_out; /* signs, separated by spaces */
	GString *as_text; /* constructs that were read as text, separated by spaces */
} QueryNotes;

/* The state of a parse. */
typedef struct {
	const char *text;
	size_t length;
	size_t at; /* offset of the next byte to read */
	const QueryOptions *options;
	unsigned terms;
	unsigned depth; /* nesting of parentheses, negations and saved searches */
	bool program; /* a line of a program, which has no constructs but fields and phrases */
	bool groups; /* parentheses group; else they are signs of the text */
	bool no_operators; /* AND, OR, NOT, NEAR and ADJ are words */
	bool after_operand; /* a word or group was read, and no operator since */
	QueryNotes *notes; /* of the whole query; NULL: they are not wanted */
	const struct QuerySaved *saved; /* the saved search that is being read; NULL: none */
	QueryFault *fault;
	GError **error;
} QueryParse;

/* Fills fault and error. Always returns false, for "return query_fail(...)". Takes ownership of
 * hint, which may be NULL. */
bool query_fail(QueryParse *p, size_t position, size_t length, char *hint, const char *format, ...)
        G_GNUC_PRINTF(5, 6);

/* Adds a note for the user. */
void query_note(QueryParse *p, const char *format, ...) G_GNUC_PRINTF(2, 3);

QueryNode *query_node_new(QueryOp op, size_t position, size_t length);
void query_node_free(QueryNode *node);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(QueryNode, query_node_free)
/* Adds child to an AND or OR; the children of a child of the same kind are added instead. Takes
 * ownership of child. */
void query_node_add(QueryNode *node, QueryNode *child);

/* Returns the number of words of the tree, excluded ones included, which QUERY_MAX_TERMS limits. */
unsigned query_node_terms(const QueryNode *node);

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
/* The same for a name that stands before an operator. Before a colon it may also be a name that
 * another program has for a field, if that can mean one thing; *op is then the comparison that the
 * name implies ("before" is date, less), else it stays. NULL: there is none. */
const QueryField *query_field_written(const char *name, size_t length, QueryOperator *op);
/* Does the age after this name count "m" as months, as the program that has the name does? */
bool query_name_has_months(const char *name, size_t length);
/* Is it what other programs call the order of the hits? */
bool query_name_is_of_order(const char *name, size_t length);
/* The query that a condition of another program stands for ("is:read"), in this language; NULL:
 * there is none. length: that of the condition. */
const char *query_condition_written(const char *text, size_t length);
/* Does a condition of another program for which there is none here begin so? name: up to the colon.
 */
bool query_is_unknown_here(const char *name, size_t length);
/* The value of a filter for what another program calls it; else the same value. value: in small
 * letters. */
const char *query_value_written(QueryFilter filter, const char *value);
/* The field and its values, as a list, for a type of another program ("excel"). False: it is none.
 * *values_r may be name. */
bool query_type_written(const char *name, const char **field_r, const char **values_r);
/* The known field closest to a misspelt name, or NULL. */
const char *query_field_suggest(const char *name, size_t length);

/* A value as it is written in the query. */
typedef struct {
	char *text;
	bool quoted;
	bool exact; /* "=word": no other forms */
	bool low_open, high_open; /* of a range: the bound itself is outside */
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

unsigned query_number_of_words(const char *text);
/* Does a word of the index occur in the text? */
bool query_has_word(const char *text, size_t length);
/* Returns a node that matches the names with these signs ("😀"), which no text has in the index.
 * NULL with fault. */
QueryNode *query_signs_node(QueryParse *p, const QueryValue *value);

/* "5*3", "60*60*24=86400": a product, whose stars stand for nothing. */
bool query_is_product(const char *text);

/* The word with an apostrophe for a letter that is one (query-apostrophe.c); NULL: the text is
 * another, or a pattern. The caller owns it. */
char *query_plain_apostrophe(const char *text);
bool query_is_apostrophe(const char *text, size_t length);
/* Two words as one, with each of these letters between them; NULL-terminated. The caller owns it.
 */
char **query_with_apostrophes(const char *first, const char *second);

/* Adds the spellings of a folded word with letters that its script interchanges
 * (query-letters.c); the array owns them. */
void query_add_letters(GPtrArray *spellings, const char *token);

/* Returns other spellings of a word, folded: with umlauts, or with letters that may stand for them,
 * and those of query_add_letters(). NULL: there are none. text: the word as it was written; token:
 * folded. The caller owns them. */
char **query_other_spellings(const char *text, const char *token);

/* Notes operators of other languages ("ODER"), which are words here. */
void query_note_other_operators(QueryParse *p, const QueryNode *root);

/* ---- subjects of mails (query-mail.c) */
/* Bytes of the prefixes of mail programs at the beginning of the text ("AW: ", "Fwd: Re: "), or of
 * the name of a header ("From: "), if words follow; else 0. text: valid UTF-8. */
size_t query_mail_prefix(const char *text);
/* Notes that they were left out. */
void query_note_mail_prefix(QueryParse *p, size_t length);

/* Returns the tree for the pasted line of the date of a mail (query-header-date.c). NULL: it is
 * none, and there may be a fault, which does not count. */
QueryNode *query_header_date_node(QueryParse *p);

/* ---- signs of typed and pasted text (query-signs.c) */
/* Is it a letter, a digit or a mark? */
static inline bool query_is_of_words(gunichar c)
{
	return g_unichar_isalnum(c) || g_unichar_ismark(c);
}

/* The text with the inside of closed phrases that stand by themselves replaced by "_": what stands
 * there is searched for, and says nothing about the rest. It is as long as the text. The caller
 * frees it. */
char *query_outside_phrases(const QueryParse *p);
/* Is it a line of a program: a command, code, a log (query-program.c)? */
bool query_is_program(const QueryParse *p);
/* Does it begin with a command, and has options that this command has ("find . -name x -delete",
 * query-commands.c)? text: outside of phrases. */
bool query_is_known_command(const char *text);
/* Notes a construct that was read as text, because the line is of a program. */
void query_note_text(QueryParse *p, size_t begin, size_t length);
/* Does the query have signs of code, shells and logs outside of phrases, which the language does
 * not use? */
bool query_looks_pasted(const QueryParse *p);
/* Number of bytes of the white space at this offset; 0: there is none. */
size_t query_space(const QueryParse *p, size_t at);
/* Number of bytes of the name before ":", "=", "<" or ">" at this offset; 0: there is no operator.
 */
size_t query_name_length(const QueryParse *p, size_t at);
/* Number of bytes up to the end of the word. */
size_t query_word_length(const QueryParse *p, size_t at);
/* Does a word end before this offset? */
bool query_ends_word(const QueryParse *p, size_t at);
/* Does nothing in the text suggest that it is more than words and parentheses? */
bool query_has_only_words(const QueryParse *p);
/* True if parentheses group: an operator, a field or a negation gives them a meaning, or there is
 * nothing else than words. */
bool query_uses_groups(const QueryParse *p);
/* Number of bytes at p->at that are neither a word nor a construct: a lone sign, empty quotes.
 * 0: there are none. */
size_t query_signs(const QueryParse *p);
/* Skips a mark at the next byte that says of what kind the text after it is ("[x]", "tel:",
 * query-marks.c), and returns its number of bytes; 0: there is none. */
size_t query_skip_mark(QueryParse *p);
/* Skips so many bytes, and notes them if they stand alone. */
void query_leave_out(QueryParse *p, size_t length);
/* True if "name:value", "name=value" or the like at begin is text: a time, a place in a source, a
 * URL, a word at the end of a clause. length: that of the name. */
bool query_is_text_with_operator(const QueryParse *p, size_t begin, size_t length);

/* ---- text that other programs read otherwise (query-otherwise.c) */
/* Notes that the value, which is text, is a construct elsewhere. */
void query_note_otherwise(QueryParse *p, const QueryValue *value);
/* Notes words in braces, for the whole text. */
void query_note_braces(QueryParse *p);

/* ---- saved searches */
/* Returns the tree of another text, as if it were written in parentheses where the value stands.
 * saved: the name under which it is saved; NULL: none. NULL with fault. */
QueryNode *query_parse_other(
        QueryParse *p, const QueryValue *value, const char *text, const QuerySaved *saved);
/* Returns the tree of the saved search of that name, as if it were written in parentheses. NULL
 * with fault. */
QueryNode *query_saved_node(QueryParse *p, const QueryValue *value);
/* Returns the tree of a whole text; p is at its beginning. */
QueryNode *query_parse_tree(QueryParse *p);

/* ---- pasted paths (query-path.c) */
/* Returns the tree for a text that is nothing but a path, existing or not. NULL: it is not a path,
 * and there may be a fault, which does not count. */
QueryNode *query_path_node(QueryParse *p);
/* Cuts the place in a source off a path: "main.c:12:5". */
void query_cut_place(char *path);

/* Returns root, or an OR of root and the file, if the text begins with a place in a source
 * ("src/main.c:12: error", query-place.c). Takes ownership of root. */
QueryNode *query_or_place(QueryParse *p, QueryNode *root);

/* ---- sites and feeds (query-web.c) */
/* Returns the tree for one of the fields of query_is_web_field(), whose values are joined by OR.
 * NULL with fault. */
QueryNode *query_web_node(QueryParse *p, QueryFilter filter, const QueryValue *value);
/* Returns the node of "site:" for one value, which may have a scheme. NULL with fault. */
QueryNode *query_site_node(QueryParse *p, const QueryValue *value);

/* ---- query-spaced.c */
/* Returns the field where "size > 1M" begins at the next byte, with at least one space around the
 * operator, and moves there to the value. NULL: it does not. */
const QueryField *query_spaced_field(QueryParse *p, QueryOperator *op);

/* ---- query-soft.c */
/* Copies a tree with its forms. The caller owns it. */
QueryNode *query_node_copy(const QueryNode *node);
/* Is it a condition on words, and not one that the user put beside the query? */
bool query_is_wanted(const QueryNode *node);

/* ---- values that name a file, which query_resolve_files() reads */
QueryNode *query_file_node(QueryFilter filter, const QueryValue *value);
QueryNode *query_near_node(QueryParse *p, const QueryField *field, const QueryValue *value);
QueryNode *query_dup_node(QueryParse *p, const QueryField *field, const QueryValue *value);

/* ---- ordered values; bounds are inclusive */
typedef struct {
	int64_t low, high;
} QuerySpan;
bool query_date_parse(QueryParse *p, QueryOperator op, const QueryValue *value, QuerySpan *out);
/* Is it a month or a day with the name of the month: "June 2026", "14. März 2026", or a range of
 * them? */
bool query_is_named_date(const char *text, size_t length);
bool query_size_parse(QueryParse *p, QueryOperator op, const QueryValue *value, QuerySpan *out);
/* In seconds. */
bool query_duration_parse(QueryParse *p, QueryOperator op, const QueryValue *value, QuerySpan *out);
bool query_count_parse(QueryParse *p, QueryOperator op, const QueryValue *value, QuerySpan *out);

/* ---- days (query-days.c) */
typedef struct {
	unsigned day, month, year;
} QueryDay;
/* The month of this name, as the index has it, from 1 on; 0: it is none. */
unsigned query_month_named(const char *word);
/* Is it a day: 14 03 2025, 2025 03 14, 14 march 2025, march 14th 2025, 14 de marzo de 2025? n
 * folded words. sign: what stands between them; 0: blanks, so that only the name of a month tells.
 * False: they are none, or day and month cannot be told from each other. */
bool query_day_read(const char *const *tokens, guint n, char sign, QueryDay *out);
/* Returns the ways to write a day, in phrases of folded words, the likeliest first. The caller
 * unrefs it. */
GPtrArray *query_day_spellings(const QueryDay *day);
/* The same for a month of a year: 2025 03, 03 2025, march 2025, marzo de 2025. The day is 0. */
bool query_month_read(const char *const *tokens, guint n, char sign, QueryDay *out);
GPtrArray *query_month_spellings(const QueryDay *month);
/* Order of the parts of a date whose year stands last: by the value that can be no month, else by
 * the point, which is written after a day. False: the day could be the month. */
bool query_order_day_and_month(char sign, unsigned *day, unsigned *month);

/* ---- numbers with check digits (query-codes.c); code: letters and digits, folded */
/* Is it an IBAN or the number of a credit card? */
bool query_is_account(const char *code);
/* Is it an ISBN? One in ten other numbers of ten digits is called one too. */
bool query_is_book(const char *code);
/* Returns the ways to write an ISBN, in phrases of folded words. The caller unrefs it. */
GPtrArray *query_book_spellings(const char *code);

/* ---- telephone numbers (query-telephone.c); digits: of the whole number */
bool query_is_telephone(const char *digits);
/* Are the parts those of 212-555-0187, perhaps after 1? parts: NULL-terminated. */
bool query_is_american_telephone(const char *const *parts);
/* Adds the other ways to begin a telephone number. In one with the 0 of a trunk any country may be
 * meant, and its code stands before the same parts; query_telephone_countries() adds what is in one
 * part. plus: a plus sign stands before it. */
void query_telephone_targets(GPtrArray *targets, const char *digits, bool plus);
/* Adds a number that begins with the 0 of a trunk, in one part, for all countries. */
void query_telephone_countries(GPtrArray *terms, const char *digits);
/* Returns the ways to write a telephone number in groups, as phrases, the likeliest first. parts:
 * as it was typed, NULL-terminated. The caller unrefs it. */
GPtrArray *query_telephone_spellings(const char *const *parts, bool plus);

/* ---- times, versions, amounts, measures (query-figures.c) */
/* Returns other ways to write the words of one figure, as phrases; there may be none. sign: what
 * stands between them. The caller unrefs it. */
GPtrArray *query_figure_spellings(const char *const *words, char sign);
/* Are the words those of an amount with two decimals? */
bool query_is_amount(const char *const *words);
bool query_is_currency(const char *word);

/* ---- lexer */
typedef enum {
	LEX_END,
	LEX_OPEN,
	LEX_CLOSE,
	LEX_AND,
	LEX_OR,
	LEX_NOT,
	LEX_NEAR,
	LEX_CONDITION,
	LEX_FIELD,
	LEX_VALUE
} LexKind;

typedef struct {
	LexKind kind;
	size_t position, length;
	const QueryField *field; /* for LEX_FIELD */
	QueryOperator op; /* for LEX_FIELD */
	bool months; /* for LEX_FIELD: "6m" is six months */
	const char *text; /* for LEX_CONDITION: the query that it stands for */
	QueryValue value; /* for LEX_VALUE */
	unsigned gap; /* for LEX_NEAR */
	bool ordered; /* for LEX_NEAR */
} Lexeme;

void lexeme_clear(Lexeme *lexeme);
/* Number of bytes of the operator at the beginning of text; 0: there is none. */
size_t query_operator_at(const char *text, QueryOperator *op);
/* Is this operator ("AND") the whole word at the offset? */
bool query_is_keyword(const QueryParse *p, size_t at, const char *keyword);
/* Number of bytes of NEAR, ADJ or another program's AROUND, without their number, at the offset; 0:
 * none of them. */
size_t query_near_length(const QueryParse *p, size_t at);
/* Length of "mid:", "mailto:" or "rfc822msgid:" at the beginning of text; 0: none of them. */
size_t query_address_scheme(const char *text);
/* Reads the next lexeme. after: the field that it directly follows ("field:"); NULL: none. */
bool query_lex(QueryParse *p, const QueryField *after, Lexeme *out);
