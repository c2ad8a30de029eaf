/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search-private.h - the stages of a search
 *
 *   search_plan()     QueryPlan     which iterators find the candidates, and what is left to judge
 *   search_terms()    QueryTerms    the names and documents of each term
 *   search_stream()   Matches       documents that the text alone decides about, with their score
 *   search_prefixes() QueryTerms    documents of the prefixes that were left out of it
 *   search_narrow()   Matches       those that have the prefixes and match the deferred filters
 *   search_judge()    Matches       candidates that need the whole tree
 *   search_rank()     Matches       their order, where it is not the score
 *   search_hits()     SearchResult  grouping, check against the file system, copies
 *
 * Each stage reads those before it as const, through struct Search, and fills one structure.
 *
 * A search looks for pairs of an entry (node) and a document of its content; entries without
 * documents (directories, files that are pending or failed) pair with none. A pair matches a term
 * by the document's text or by the entry's name.
 *
 * Candidates come from iterators (index/search/candidates.h), and search_holds() evaluates the tree
 * for each. Few entries have a name that matches a term of the query. For all others the terms are
 * one FTS5 expression, which also ranks: only what the expression cannot say is left to evaluate.
 * Entries with such a name are evaluated against the whole tree, and so are documents that hold an
 * inflected form which is none in their language. If there is no expression (words and filters
 * under one OR, nothing but exclusions), every entry is. */
#pragma once
#include "index/read/reader-private.h"
#include "index/search/rank.h"
#include "index/search/search.h"

typedef struct Search Search;

/* What SQL functions know of the search that runs; one of a connection, as long as it lives. */
typedef struct {
	Reader *r;
	Rank rank;
	const Search *search; /* NULL: none runs */
	const GArray *asked; /* int64_t: rows of tarsier_asked; NULL: none */
	const GArray *wanted; /* int64_t, ascending: documents that tarsier_wanted() lets through;
	                         NULL: all */
	bool registered; /* the functions are known to the connection */
} SearchState;

typedef struct {
	int64_t document;
	double score; /* before the weight */
} SearchScore;

/* ---- the plan */

/* A term node of the query, in the order of the tree: a word, phrase or pattern. */
typedef struct {
	const QueryNode *node;
	char *match; /* FTS5 expression for table text, of all languages; only quoted tokens */
	char *name_match; /* for table name, or for the texts of links; NULL: neither counts */
	bool scored; /* a match raises the score */
	bool whole; /* all its documents are needed, not only those that are rescored */
	bool prefix; /* in prefixes: its documents are found after those of the other terms */
} SearchTerm;

/* Which iterators a plan may use. */
typedef enum {
	PLAN_FAST, /* each fast path that fits */
	PLAN_ALL_FILTERS, /* filters are not deferred */
	PLAN_PLAIN, /* the plain iterators alone: for tests, which compare the others with them */
} PlanChoice;

typedef enum {
	SOURCE_ENTRIES, /* no text source: every entry is judged */
	SOURCE_EXPRESSION, /* the documents that FTS5 finds by the expression */
	SOURCE_EXPRESSION_ROWS, /* the same, each with its entries, which match the filters */
	SOURCE_SINGLE_TERM, /* the posting list of the only term */
} PlanSource;

/* Const after search_plan(). */
typedef struct {
	const QueryNode *root;
	SortOrder sort;
	uint32_t languages; /* that forms were looked for in */
	PlanSource source;
	bool plain; /* PLAN_PLAIN */
	bool entries; /* matches are entries; else a document stands for all its entries */
	bool deferred; /* filters are asked of the best matches first */
	bool shows_offline; /* is:offline was asked for */
	bool monotone; /* no exclusion, no filter: more names never lose a match */
	GArray *terms; /* SearchTerm */
	GPtrArray
	        *words; /* const QueryNode: FTS5 expresses these, all must hold; empty: it cannot */
	GPtrArray *prefixes; /* const QueryNode: prefixes, or NOT of them, for which FTS5 would take
	                        long; all must hold */
	GPtrArray *filters; /* const QueryNode: trees without words; all must hold */
	GPtrArray *mixed; /* const QueryNode: the rest, which search_holds() evaluates */
	GPtrArray *columns; /* const QueryNode: the filters in mixed trees */
	char *expression; /* of words; NULL: none */
	double step; /* added to a score for each phrase that matches */
	unsigned phrases[RANK_MAX_PHRASES]; /* term of each phrase of the expression */
	bool forms[RANK_MAX_PHRASES]; /* the phrase is other forms of the last word before it */
	unsigned n_phrases;
	unsigned n_scored; /* words and phrases that count for the score */
	const QueryNode *near; /* a near: that all must match; NULL: none */
	GPtrArray *nears; /* const QueryNode: every near: of the tree, as tarsier_near() numbers
	                     them */
} QueryPlan;

/* ---- the terms */

/* An entry whose name has a term of the query, with a document that it leads to. */
typedef struct {
	int64_t document, node; /* document 0: none */
	int64_t group; /* as of a match */
	bool own; /* the document is the file itself, not a member of it */
} SearchPair;

/* Documents of one language that hold forms of words of others. */
typedef struct {
	uint32_t language; /* bit of stem_language() */
	GArray *documents; /* int64_t, ascending */
} OtherLanguage;

typedef struct {
	const SearchTerm *term;
	GArray *names; /* int64_t, ascending: nodes whose name, or a link to which, has it */
	GArray *members; /* int64_t: documents that are members whose name is like it */
	GArray *documents; /* SearchScore, ascending: whose text has it, and the members */
	double weight;
} TermMatches;

/* Const after search_prefixes(). */
typedef struct {
	GArray *list; /* TermMatches, in the order of the plan's terms */
	GArray *named; /* int64_t, ascending: nodes whose name has any term */
	GArray *whole_named; /* int64_t, ascending: those whose name is nothing but the terms */
	GArray *pairs; /* SearchPair: of the named */
	GArray *named_documents; /* int64_t, ascending: documents of the named */
	GPtrArray *other_language; /* OtherLanguage: where some forms do not count */
	GArray *rescored; /* int64_t, ascending: the named documents and the other-language ones,
	                     which are judged and not taken from the stream */
	GArray *hidden; /* int64_t, ascending: documents that no entry leads to */
} QueryTerms;

/* ---- matches */

/* A pair that matches the query. */
typedef struct {
	int64_t document; /* 0: none */
	int64_t node; /* 0: every entry of the document */
	int64_t group; /* equal for what is shown as one hit */
	double order; /* higher comes first */
} SearchMatch;

typedef struct {
	GArray *list; /* SearchMatch */
	guint single; /* so many of the first are groups of their own */
	guint unasked; /* matches of the words whose filters were not asked for */
	GArray *proximities; /* SearchScore, ascending: of the rescored documents that the stream
	                        gave */
} Matches;

/* SQL text with what is bound to it. */
typedef struct {
	GString *text;
	GPtrArray *values; /* GVariant: int64 or bytestring */
} SearchSql;

/* What a stage reads. */
struct Search {
	Reader *r;
	SearchState *state;
	const SearchOptions *options;
	const QueryPlan *plan;
	const GArray *offline; /* int64_t: roots that are not there */
	const QueryTerms *terms; /* NULL: not found yet */
};

/* The connection's own, made at its first search. Borrowed; NULL with error. */
SearchState *search_attach(Reader *r, GError **error);
/* Makes the SQL functions known to the connection. */
bool search_register(SearchState *state, GError **error);

/* ---- search-plan.c */
/* Reads the index only for the length of posting lists. query and options must outlive the plan. */
void search_plan(QueryPlan *plan, Reader *r, const Query *query, const SearchOptions *options,
        PlanChoice choice);
void search_plan_clear(QueryPlan *plan);
/* A prefix whose posting lists are spread over so many pages is found apart from the other terms;
 * tests set it. */
extern unsigned search_long_pages;
/* FTS5 expression of a term node for documents of these languages. Yours. */
char *search_expression(const QueryNode *words, uint32_t languages);
/* How many phrases behind that of the word are other forms of it; ranking tells them apart. */
unsigned search_form_phrases(const QueryNode *node, uint32_t languages);
enum { SEARCH_FORM_PHRASES = 3 };
G_STATIC_ASSERT(RANK_MAX_PHRASES >= QUERY_MAX_TERMS * (1 + SEARCH_FORM_PHRASES));
/* Index of a term by its node. */
unsigned search_term_of(const QueryPlan *plan, const QueryNode *node);
/* Index of the term of one of the plan's prefixes. */
unsigned search_prefix_term(const QueryPlan *plan, const QueryNode *node);

/* ---- search-filter.c */
SearchSql *search_sql_new(void);
void search_sql_free(SearchSql *sql);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SearchSql, search_sql_free)
/* Appends a tree without words as a condition that is 0 or 1. Its tables are n (node), i (inode),
 * c (content), d (document) and f (fact). */
void search_condition(const Search *s, const QueryNode *node, SearchSql *sql);
/* Appends a term for each value of a filter that has some ("?" is the value, any is enough), or one
 * for its bounds ("? AND ?"). Not of FILTER_IS, FILTER_NEAR, FILTER_ALL. */
void search_append_term(const Search *s, const QueryNode *filter, const char *term, SearchSql *sql);
/* Appends the distance of fingerprint p from that of a near: node; NULL if it is not near. */
void search_near_distance(const Search *s, const QueryNode *node, SearchSql *sql);
/* Prepares it with everything bound. NULL with error. Yours. */
sqlite3_stmt *search_prepare(const Search *s, const SearchSql *sql, GError **error);

/* ---- search-scan.c */

/* Inodes, in any order and some more than once, without which no entry matches one of the
 * plan's filters: 1, 0 if they are many or no single tables tell, -1 error. *inodes_r is yours,
 * NULL unless 1. */
int search_scan(const Search *s, GArray **inodes_r, GError **error);
/* The SQL that asks single tables for a condition; empty: they do not tell. */
SearchSql *search_scan_sql(const Search *s, const QueryNode *condition);

/* ---- deferred-filters.c */

/* m holds all documents that have the words. Leaves the entries that match the filters, of as many
 * of the best as fill a page. Sets unasked. */
bool search_deferred_filter(const Search *s, Matches *m, GError **error);

/* ---- search-list.c */

/* Makes the table tarsier_asked known to the connection. */
bool search_list_register(SearchState *state);

/* ---- search-ids.c */
bool search_contains(const GArray *ascending, int64_t id);
/* Ascending, each once. */
void search_sort_ids(GArray *ids);
/* Appends the first column of every row. */
bool search_append_rows(const Search *s, sqlite3_stmt *statement, GArray *ids, GError **error);
/* Appends the ids that sql gives for those of tarsier_asked, which are from, then sorts and drops
 * repetitions. */
bool search_append_ids(
        const Search *s, const char *sql, const GArray *from, GArray *ids, GError **error);
/* Hits are told apart by document. What has none, and empty files, by inode. */
int64_t search_group(int64_t document, int64_t size, int64_t inode);

/* ---- search-terms.c */
/* Fills out, but for the documents of the plan's prefixes. Call search_terms_clear() also after an
 * error. */
bool search_terms(const Search *s, QueryTerms *out, GError **error);
void search_terms_clear(QueryTerms *terms);
/* The last step of it: documents of the plan's prefixes, of those in m and of the rescored ones. */
bool search_prefixes(const Search *s, const Matches *m, QueryTerms *out, GError **error);
bool search_has_document(const TermMatches *found, int64_t document);
/* NULL: it is not among them. */
const SearchScore *search_score_of(const TermMatches *found, int64_t document);
/* Score of a pair: its text and its name. */
double search_score(const Search *s, const Matches *m, int64_t document, int64_t node);

/* ---- evaluator.c */
/* A name, or a link, counts for the file itself and not for its members. */
bool search_wants_own(const QueryNode *node);

/* ---- other-language.c */
/* Fills other_language and rescored of out, whose named documents are known. */
bool search_other_language(const Search *s, QueryTerms *out, GError **error);
/* Do some forms of the word count in documents of some languages alone? */
bool search_is_partial(const QueryNode *words);
void other_language_free(void *other_language);

/* ---- single-term.c */
/* Is it one word or prefix? */
bool single_term_fits(const QueryNode *node);
/* Appends every document (of the wanted, int64_t ascending; NULL: of all) that holds it, or a form
 * of it in these languages, ascending, with its score, as tarsier_rank() with a weight of 1. The
 * connection's rank is reset. */
bool single_term_search(const Search *s, const QueryNode *node, uint32_t languages,
        const GArray *wanted, GArray *out, GError **error);
/* The statement that gives the rows of the documents; ?1 is a document. */
const char *single_term_sql(void);

/* ---- search-names.c */
/* Fills names and members of the term of a pattern that names may be like, in any order, and
 * appends the entries of the members to named. */
bool search_like(const Search *s, TermMatches *found, GArray *named, GError **error);
/* Has the name of an entry no words but those of the query? The ending does not count. */
bool search_is_whole_name(const QueryPlan *plan, const void *name, int length);

/* ---- search-links.c */
/* Appends the nodes that links with the words of the term lead to, in any order. */
bool search_links(const Search *s, const SearchTerm *term, GArray *nodes, GError **error);

/* ---- search-match.c */
/* Documents of the matches, in their order. int64_t, yours. */
GArray *search_documents(const GArray *matches);
/* Appends what the plan's source of text gives. */
bool search_stream(const Search *s, Matches *out, GError **error);
/* Keeps the matches that have the plan's prefixes, then those that match its deferred filters. */
bool search_narrow(const Search *s, Matches *m, GError **error);
/* Appends the pairs that text alone does not decide. */
bool search_judge(const Search *s, Matches *out, GError **error);

/* ---- search-hit.c */
bool search_find_offline(Reader *r, GArray *offline, GError **error);
bool search_is_offline(const GArray *offline, int64_t root);
/* By name or path: the order of a match becomes its rank in it. */
bool search_rank(const Search *s, Matches *m, GError **error);
/* Groups the matches (which sorts them), checks the best against the file system and fills the
 * result. */
bool search_hits(const Search *s, Matches *m, SearchResult *result, GError **error);

/* ---- search.c */
/* search_run() with a plan of choice. */
SearchResult *search_run_planned(
        Reader *r, Query *query, const SearchOptions *options, PlanChoice choice, GError **error);
