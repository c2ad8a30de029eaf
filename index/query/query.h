/* SPDX-License-Identifier: GPL-3.0-or-later */
/* query.h - the query language (cli.md section 4 of the contract; docs/man/tarsier.1): text to tree
 *
 * Strict: what is not understood is an error with its place, never dropped. No SQL and no FTS5 text
 * comes from outside: a leaf becomes quoted tokens and bound values in reader.c. */
#pragma once
#include "index/copies/near.h"
#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { QUERY_MAX_BYTES = 4096, QUERY_MAX_TERMS = 64, QUERY_MAX_DEPTH = 16, QUERY_MAX_MS = 2000 };
enum { QUERY_MAX_FORMS = 512, QUERY_MAX_EDITS = 2, QUERY_GAP = 10, QUERY_MAX_GAP = 1000 };

typedef enum { QUERY_AND, QUERY_OR, QUERY_NOT, QUERY_WORDS, QUERY_FILTER } QueryOp;

/* Where words of a leaf may stand. SCOPE_ANY: every text column but noise counts fully, and the
 * name. */
typedef enum {
	SCOPE_ANY,
	SCOPE_TITLE,
	SCOPE_AUTHOR,
	SCOPE_TO,
	SCOPE_CC,
	SCOPE_KEYWORD,
	SCOPE_HEADING,
	SCOPE_BODY,
	SCOPE_ANCHOR,
	SCOPE_FILENAME,
	SCOPE_COMMENT,
	N_SCOPES
} QueryScope;

typedef enum {
	FILTER_EXT,
	FILTER_MIME,
	FILTER_TYPE,
	FILTER_DIR,
	FILTER_IN,
	FILTER_DATE,
	FILTER_MODIFIED,
	FILTER_SIZE,
	FILTER_DURATION,
	FILTER_PAGES,
	FILTER_OWNER,
	FILTER_IS,
	FILTER_LANG,
	FILTER_SUM,
	FILTER_GROUP,
	FILTER_PERM,
	FILTER_CREATED,
	FILTER_SENT,
	FILTER_HAS,
	FILTER_DUP,
	FILTER_NEAR,
	FILTER_ALL,
	FILTER_SAVED /* never in a tree */,
	N_FILTERS
} QueryFilter;

typedef struct QueryNode {
	QueryOp op;
	GPtrArray *children; /* QueryNode; AND, OR: two or more; NOT: one */
	/* QUERY_WORDS: consecutive words (one: a word, several: a phrase); folded tokens */
	QueryScope scope;
	char **tokens; /* NULL-terminated, at least one */
	char ***forms; /* of each token: terms that count as it, NULL-terminated, or NULL; filled by
	                  query_expand() */
	/* Of each token: for each form the languages (stem_language()) of the documents it counts
	 * in. NULL, and of a token NULL: all count in all. */
	uint32_t **form_languages;
	bool prefix; /* the last token is a prefix */
	bool exact; /* quoted or capitalised: no stems */
	/* A pattern (index/text/glob.h) of folded names (tokenize_fold()); it meets a whole name.
	 * Words it meets by tokens, which are patterns too: one after the other, unless names_only.
	 */
	char *pattern;
	bool names_only; /* the pattern has no words: "*.c" */
	unsigned edits; /* the only token may differ by so many edits; 0: fuzzy is not asked for */
	/* Words apart: bit i of parts is set where token i begins a word or phrase of its own. 0:
	 * all are one phrase. */
	uint64_t parts;
	unsigned gap; /* at most so many words between the first part and the last */
	bool ordered; /* the parts in their order */
	/* QUERY_FILTER */
	QueryFilter filter;
	NearPrint print; /* NEAR: of the file in values, once query_resolve_near() was told it */
	bool resolved; /* NEAR: print is known; else nothing is near */
	char **values; /* NEAR: the file as written; EXT, MIME, TYPE, LANG, ...: alternatives; DIR:
	                  one path */
	int64_t low, high; /* DATE, MODIFIED, CREATED, SENT: seconds since 1970; SIZE: bytes;
	                      DURATION: seconds; PAGES: a count; OWNER, GROUP: id in low; NEAR: bits
	                      of the simhash that may differ in low, of the sketch in high.
	                      Inclusive; INT64_MIN, INT64_MAX open */
	size_t position, length; /* bytes in the query */
} QueryNode;

typedef struct {
	char *text; /* as given */
	QueryNode *root;
	bool expanded;
	uint32_t languages; /* that forms were looked for in */
} Query;

#define QUERY_ERROR query_error_quark()
GQuark query_error_quark(void);

/* What is wrong, for the caret. */
typedef struct {
	size_t position, length; /* bytes in the query */
	char *hint; /* how to write it right; NULL or yours */
} QueryFault;

typedef struct {
	bool any; /* words are joined by OR */
	bool exact; /* no stems at all */
	bool filenames; /* words are met by names only */
	int64_t now; /* seconds since 1970, for relative dates */
	const char *cwd; /* for relative dir: values */
	/* Text of the saved search of that name, yours, for "saved:NAME"; NULL: there is none. The
	 * function may be NULL. */
	char *(*saved)(const char *name, void *data);
	void *saved_data;
} QueryOptions;

/* NULL with QUERY_ERROR and *fault filled. The message is translated, one line, without the query.
 */
Query *query_parse(
        const char *text, const QueryOptions *options, QueryFault *fault, GError **error);
void query_free(Query *query);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Query, query_free)
/* A query of no words that everything meets, to be restricted. */
Query *query_all(void);
/* A query for what is near a fingerprint. bits: of the simhash may differ, whatever the sketches
 * say; -1: near copies. */
Query *query_near(const NearPrint *print, int bits);
/* Asks f for the fingerprint of each "near:FILE". False: f said so, with error. */
typedef bool (*QueryPrintFunc)(const char *file, NearPrint *print_r, void *data, GError **error);
bool query_resolve_near(Query *query, QueryPrintFunc f, void *data, GError **error);
/* Restricts to entries that meet "field:value" for one of the values (char *); none: no
 * restriction. field: the name of a filter of the language. A wrong value is an error as in a
 * query. */
bool query_restrict(Query *query, const char *field, const GPtrArray *values,
        const QueryOptions *options, GError **error);
/* A query for what meets some, but not all, of the words that must be met together, under the same
 * filters. NULL: there are not two such words, or too many. The result is yours. */
Query *query_soften(const Query *query);
/* Words and phrases that are asked for and not excluded. */
unsigned query_count_words(const Query *query);
/* Whether several words are asked for, all of them. */
bool query_has_words_together(const Query *query);
/* Behind the last token of the word or phrase that begins with token i. */
guint query_part_end(const QueryNode *node, guint i);
/* Words and phrases of a leaf that may stand apart. */
unsigned query_parts(const QueryNode *node);
/* A condition on a time; on a number. */
bool query_is_date(QueryFilter filter);
bool query_is_number(QueryFilter filter);
/* Whether token i stands for what the index has like it: a pattern, or a fuzzy word. */
bool query_token_is_listed(const QueryNode *node, guint i);
/* The languages (bits of stem_language()) that a document of a language is taken to be in: its own,
 * or, if its language is not told or none that forms were looked for in, all. */
uint32_t query_languages(const Query *query, const char *language);
/* Whether form k of token i counts in a document of one of these languages. */
bool query_form_counts(const QueryNode *node, guint i, guint k, uint32_t languages);
#define QUERY_ALL_LANGUAGES UINT32_MAX
/* Whether words of the leaf may stand in names; whether nothing but whole names is like its
 * pattern. */
bool query_matches_names(const QueryNode *node);
bool query_matches_only_names(const QueryNode *node);
/* The reading in words, for --explain. Yours. */
char *query_explain(const Query *query);
/* The query written in full, in the language itself (index/query/query-normal.c). Yours. */
char *query_normal(const Query *query);
