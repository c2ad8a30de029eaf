/* SPDX-License-Identifier: GPL-3.0-or-later */
/* query.h - the query language (docs/man/tarsier.1): parses text into a tree
 *
 * The language is strict: a construct that is not understood is an error with its position and is
 * never dropped. Signs that join no word are not a construct; they are left out, and a note says
 * so. No SQL and no FTS5 syntax comes from outside: a term node becomes quoted tokens and bound
 * values. */
#pragma once
#include "index/text/fingerprint.h"
#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A build with AddressSanitizer is slower; its time limit stops the same queries. */
#ifdef __SANITIZE_ADDRESS__
enum { QUERY_SLOWER = 5 };
#else
enum { QUERY_SLOWER = 1 };
#endif
enum { QUERY_MAX_BYTES = 4096, QUERY_MAX_TERMS = 64, QUERY_MAX_DEPTH = 16 };
enum { QUERY_MAX_MS = 2000 * QUERY_SLOWER };
enum { QUERY_MAX_FORMS = 512, QUERY_MAX_EDITS = 2, QUERY_GAP = 10, QUERY_MAX_GAP = 1000 };

typedef enum { QUERY_AND, QUERY_OR, QUERY_NOT, QUERY_WORDS, QUERY_FILTER } QueryOp;

/* Where the words of a term node may occur. SCOPE_ANY: in the name and in every text column; noise
 * counts less. */
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

/* docs/HACKING.md ("A new field of the query") lists the places where a filter is told. */
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
	FILTER_RELATED,
	FILTER_THREAD, /* in a tree until query_resolve_files() */
	FILTER_SITE,
	FILTER_SOURCE,
	FILTER_URL,
	FILTER_INURL,
	FILTER_ALL,
	FILTER_SAVED, /* never in a tree */
	N_FILTERS
} QueryFilter;

typedef struct QueryNode {
	QueryOp op;
	GPtrArray *children; /* of QueryNode; AND and OR have two or more, NOT has one */
	bool softened; /* an AND of query_soften(): the query as it was, whose matches have been
	                  shown */
	bool unranked; /* words that stand for "thread:FILE": they do not count for the order */
	bool restricts; /* of query_restrict() or query_restrict_by(): all hits must match it */
	/* for QUERY_WORDS: consecutive words (one: a word, several: a phrase) as folded tokens */
	QueryScope scope;
	char **tokens; /* NULL-terminated, at least one */
	char ***forms; /* for each token, the terms that count as it, NULL-terminated, or NULL;
	                  query_expand() fills it */
	char **spellings; /* other spellings of the only token (Mueller, हिंदी), or NULL */
	/* Both tokens as one word if a hyphen joins them (Wi-Fi: wifi), or an apostrophe that may
	 * be one of two letters; NULL-terminated, or NULL. */
	char **joined;
	char **joined_forms; /* the terms of the index that count as that word, NULL-terminated, or
	                        NULL; query_expand() fills it */
	/* For each form of each token, the languages (stem_language()) of the documents in which it
	 * counts. NULL, also for a single token: every form counts in all documents. */
	uint32_t **form_languages;
	char *path; /* the path that the words are: absolute, the last components of one
	               ("a/b.c"), or a URL in canonical form, which counts as the name of its
	               entry; NULL: they are none */
	bool prefix; /* the last token is a prefix */
	bool exact; /* quoted, or written as "=word": no other forms */
	/* A pattern (GLOB_SQLITE) of folded names (tokenize_fold()), which matches a whole
	 * name. Words are matched by the tokens, which are patterns too, in sequence, unless
	 * names_only. */
	char *pattern;
	bool names_only; /* the pattern has no words: "*.c" */
	unsigned edits; /* the only token may differ by this many edits; 0: not fuzzy */
	/* For a phrase with gaps: bit i is set where token i begins a part, a word or phrase of its
	 * own. 0: all tokens are one phrase. */
	uint64_t parts;
	unsigned gap; /* at most this many words between the first part and the last */
	bool ordered; /* the parts occur in their order */
	/* for QUERY_FILTER */
	QueryFilter filter;
	NearPrint print; /* NEAR: the print of the file in values, once query_resolve_files() has
	                    set it */
	int64_t document; /* RELATED, once it is resolved: the document of the index whose subject
	                     is meant; 0: that of terms */
	GBytes *terms; /* RELATED: a stream of terms (index/text/terms.h), or NULL */
	bool resolved; /* NEAR: print is known; RELATED: document or terms are; DUP: values has a
	                  checksum; otherwise nothing matches */
	char **values; /* NEAR, RELATED: the file as written, NULL for the words of the query; DUP:
	                 its absolute path, then, once query_resolve_files() has set it, its
	                 checksum in hexadecimal digits; EXT, MIME, TYPE, LANG and others:
	                 alternatives; DIR: one path; SITE: "host/path" or "scheme://host/path",
	                 without a slash at the end; SOURCE: "web", "feed" or "file"; URL: in
	                 canonical form; INURL: folded text, in which "*" is any text. These four
	                 have one value. */
	int64_t low, high; /* Inclusive bounds; INT64_MIN and INT64_MAX: none. DATE, MODIFIED,
	                    * CREATED, SENT: seconds since 1970; SIZE: bytes; DURATION: seconds;
	                    * PAGES: a count; OWNER, GROUP: the id in low; PERM: the mask in low,
	                    * the bits in high; NEAR: the number of bits that may differ, of the
	                    * simhash in low, of the sketch in high. */
	size_t position, length; /* bytes in the query */
} QueryNode;

typedef struct {
	char *text; /* as given */
	char **notes; /* what was left out or read otherwise, translated; NULL-terminated */
	QueryNode *root;
	bool expanded;
	uint32_t languages; /* in which forms were looked for */
} Query;

#define QUERY_ERROR query_error_quark()
GQuark query_error_quark(void);

/* The fault of a query, for the caret under it. */
typedef struct {
	size_t position, length; /* bytes in the query */
	char *hint; /* the correct spelling; NULL or owned by the caller */
} QueryFault;

typedef struct {
	bool any; /* words are joined by OR */
	bool exact; /* no other forms at all */
	bool filenames; /* words match names only */
	bool no_program; /* a minus excludes, even in what looks like a command */
	int64_t now; /* seconds since 1970, for relative dates */
	const char *cwd; /* for relative dir: values */
	/* Returns the text of the saved search of that name for "saved:NAME", owned by the caller;
	 * NULL: there is none. The function may be NULL. */
	char *(*saved)(const char *name, void *data);
	void *saved_data;
} QueryOptions;

/* Returns NULL with QUERY_ERROR and *fault filled on error. The message is translated, one line,
 * without the query. */
Query *query_parse(
        const char *text, const QueryOptions *options, QueryFault *fault, GError **error);
void query_free(Query *query);
/* Makes a query as it was before its forms were filled in. */
void query_drop_forms(Query *query);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Query, query_free)
/* Returns a query without words that matches everything, to be restricted. */
Query *query_all(void);
/* Returns a query for texts near a fingerprint. bits: how many bits of the simhash may differ,
 * whatever the sketches say; -1: near copies. */
Query *query_near(const NearPrint *print, int bits);
/* The files that a query names, as it needs them. The functions return false with error. */
typedef struct {
	/* The fingerprint of the FILE of "near:FILE", as it was written. */
	bool (*print)(const char *file, NearPrint *print_r, void *data, GError **error);
	/* The subject of the FILE of "related:FILE", as it was written: its document in the index,
	 * or else its terms, which the caller owns, and *document_r is 0. */
	bool (*subject)(const char *file, int64_t *document_r, GBytes **terms_r, void *data,
	        GError **error);
	/* The checksum that the index has for the bytes of the FILE of "dup:FILE", an absolute
	 * path. */
	bool (*checksum)(
	        const char *file, uint8_t checksum[CHECKSUM_BYTES], void *data, GError **error);
	/* The words that stand for the Message-IDs of a mail, at least one; NULL-terminated. file:
	 * as it was written. The caller owns them. */
	char **(*thread)(const char *file, void *data, GError **error);
	void *data;
} QueryFiles;
/* True if query_resolve_files() has something to ask for. */
bool query_names_files(const Query *query);
/* Asks for the fingerprint of each "near:FILE", the subject of each "related:FILE", the checksum of
 * each "dup:FILE" and the thread of each "thread:FILE", which becomes a term node or several.
 * Returns false with the error of the function that failed, or with QUERY_ERROR if there are more
 * than QUERY_MAX_TERMS words then; the query must not be run after that. */
bool query_resolve_files(Query *query, const QueryFiles *files, GError **error);
/* After query_resolve_files() failed: tells where in the query the file stands that it failed at.
 * False if all are resolved. */
bool query_unresolved_file(const Query *query, QueryFault *fault);
/* Restricts the query to entries that match "field:value" for one of the values (char *); without
 * values it does nothing. field: the name of a filter of the language. A wrong value is an error as
 * in a query. */
bool query_restrict(Query *query, const char *field, const GPtrArray *values,
        const QueryOptions *options, GError **error);
/* Would query_restrict() take the value? */
bool query_restrict_fits(const char *field, const char *value);
/* Restricts the query to what matches the other one too, and frees that. Its words count for the
 * order of the hits. False with QUERY_ERROR if both have more than QUERY_MAX_TERMS words. */
bool query_restrict_by(Query *query, Query *other, GError **error);
/* Returns a query that matches some, but not all, of the words that must occur together, under the
 * same filters. NULL: there are not two such words, or too many. The caller owns it. */
Query *query_soften(const Query *query);
/* Returns a query for what is about the subject of the words and does not match the query, under
 * the same filters. NULL: it has no words that a subject may have. The caller owns it. */
Query *query_by_meaning(const Query *query);
/* Sets exists[i] if the index has terms[i]; the n terms ascend (strcmp). */
typedef bool (*QueryTermsExist)(
        const char *const *terms, size_t n, bool *exists, void *data, GError **error);
/* *varied_r: a query for a number of the query (part, telephone, account, day: words with digits)
 * as it may also be written, under the same filters, which the caller owns. NULL: it has
 * none, or the index has no parts of one. False with the error of the function. */
bool query_vary_numbers(
        const Query *query, QueryTermsExist exist, void *data, Query **varied_r, GError **error);
/* Has the query a number whose kind is certain: a day, an ISBN, an IBAN, a credit card, or first a
 * telephone number that begins with 0 or a country code? */
bool query_has_certain_number(const Query *query);
/* The same for such a number; all other words of the query stay required. *others_r: what matches
 * *varied_r and not the query; the caller owns both. */
bool query_vary_certain_number(const Query *query, QueryTermsExist exist, void *data,
        Query **varied_r, Query **others_r, GError **error);
/* Returns a query for the addresses of pages in the query without scheme and "www."; page: also
 * without parameters and the place in the page, where the path tells the page. NULL: it has no such
 * address. The caller owns it. */
Query *query_shorten_addresses(const Query *query, bool page);
/* Returns the number of words and phrases of the query that are not excluded. */
unsigned query_count_words(const Query *query);
/* True if the query has several words that all must match. */
bool query_has_words_together(const Query *query);
/* Index after the last token of the part that begins with token i. */
guint query_part_end(const QueryNode *node, guint i);
/* Number of parts of a term node. */
unsigned query_parts(const QueryNode *node);
/* The first name of a field of the language, static. NULL: it has none (SCOPE_ANY, FILTER_ALL). */
const char *query_scope_name(QueryScope scope);
const char *query_filter_name(QueryFilter filter);
/* The TextColumn that a scope is confined to. -1: SCOPE_ANY, which is not, and SCOPE_ANCHOR, whose
 * texts are in none. For SCOPE_FILENAME it is that of members; names of files are in none. */
int query_scope_column(QueryScope scope);
/* True for a condition on a time, and for one on a number. */
bool query_is_date(QueryFilter filter);
bool query_is_number(QueryFilter filter);
/* True if the condition is about the URL of a page or the kind of its source. */
bool query_is_web_field(QueryFilter filter);
/* True if token i matches several terms of the index: a pattern or a fuzzy word. */
bool query_token_is_listed(const QueryNode *node, guint i);
/* True for a pattern that stands alone: the number of its terms has no limit. Each of the others
 * must be written into an expression of FTS5, and has at most QUERY_MAX_FORMS. */
bool query_may_have_many_forms(const QueryNode *node);
/* The languages (bits of stem_language()) that a document of a language counts as: its own; all, if
 * its language is unknown or not one in which forms were looked for. */
uint32_t query_languages(const Query *query, const char *language);
/* True if form k of token i counts in a document of one of these languages. */
bool query_form_counts(const QueryNode *node, guint i, guint k, uint32_t languages);
#define QUERY_ALL_LANGUAGES UINT32_MAX
/* May words of the term node match names? Does its pattern match only whole names? */
bool query_matches_names(const QueryNode *node);
bool query_matches_only_names(const QueryNode *node);
/* Returns the words and conditions that the query excludes, as they were typed; NULL: there are
 * none. The caller owns them. */
char *query_excluded(const Query *query);
/* Returns the text with "and" and "or" between its words, or those of another language, as
 * operators; NULL: it has none. The caller owns it. */
char *query_with_operators(const Query *query);
/* Explains the query in words, for --explain. The caller owns the text. */
char *query_explain(const Query *query);
/* Returns the normal form of the query (index/query/query-normal.c). The caller owns it. */
char *query_normal(const Query *query);
