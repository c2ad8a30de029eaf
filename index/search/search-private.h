/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search-private.h - the stages of a search
 *
 *   search_plan()     QueryPlan     which iterators find the candidates, and what is left to judge
 *   search_related()                the documents of each subject
 *   search_terms()    QueryTerms    the names and documents of each term
 *   search_stream()   Matches       documents that the text alone decides about, with their score
 *   search_prefixes() QueryTerms    documents of the prefixes that were left out of it
 *   search_narrow()   Matches       those that have the prefixes and match the deferred filters
 *   search_judge()    Matches       candidates that need the whole tree
 *   search_rank()     Matches       their order, where it is not the score
 *   search_mix_meaning()            the same, by latent semantics
 *   search_raise_choices()          the same, for what the user opened before
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
#include "common/base/glob.h"
#include "index/read/reader-private.h"
#include "index/search/rank.h"
#include "index/search/search.h"

typedef struct Search Search;

/* The running search, as the SQL functions know it. There is one for each connection, and it lives
 * as long. */
typedef struct {
	Reader *r;
	Rank rank;
	const Search *search; /* NULL: no search runs */
	const GArray *asked; /* int64_t: rows of tarsier_asked; NULL: none */
	const GArray *wanted; /* int64_t, ascending: the documents that tarsier_wanted() lets
	                         through; NULL: all */
	struct TermCounts *counts; /* of the word that was counted last; NULL: none */
	void *rows; /* what tarsier_document() fills (index/search/single-term.c) */
	bool registered; /* the connection knows the functions */
} SearchState;

typedef struct {
	int64_t document;
	double score; /* before it is multiplied by the weight of the term */
} SearchScore;

/* ---- the plan */

/* A term node of the query: a word, phrase or pattern. Terms are in the order of the tree. */
typedef struct {
	const QueryNode *node;
	char *match; /* FTS5 expression for table text, with the forms of all languages; it has only
	                quoted tokens */
	char *name_match; /* expression for table name, or for the texts of links; NULL: names do
	                     not count */
	bool negated; /* it is below a NOT */
	bool scored; /* a match raises the score */
	bool whole; /* all its documents are needed, not only the rescored ones */
	bool prefix; /* it is one of the prefixes: its documents are looked up after those of the
	                other terms */
} SearchTerm;

/* Which iterators a plan may use. */
typedef enum {
	PLAN_FAST, /* every fast iterator that fits */
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
	const char *text; /* of the query; NULL: it was not written */
	SortOrder sort;
	uint32_t languages; /* in which forms were looked for */
	PlanSource source;
	bool plain; /* PLAN_PLAIN */
	bool entries; /* matches are entries; else a document stands for all its entries */
	bool deferred; /* entries and filters are looked up for the best matches first */
	bool any; /* the first matches will do */
	bool newest; /* filters alone: the newest are wanted, or the oldest */
	bool best; /* of documents by their score, only the best are kept */
	bool shows_offline; /* the query has is:offline */
	bool monotone; /* no exclusion and no filter: a document cannot stop matching because a name
	                  matches too */
	GArray *terms; /* SearchTerm */
	GPtrArray *words; /* const QueryNode: all of these must hold, and the expression says
	                     whether they do; empty: there is no expression */
	GPtrArray *prefixes; /* const QueryNode: prefixes and patterns, or NOT of them, that would
	                        take FTS5 long; all must hold */
	GPtrArray *filters; /* const QueryNode: trees without words; all must hold */
	GPtrArray *mixed; /* const QueryNode: all other conditions, which search_holds() evaluates;
	                     all must hold */
	GPtrArray *columns; /* const QueryNode: the filters in mixed trees */
	char *expression; /* of the words; NULL: none */
	double step; /* added to a score for each phrase that matches */
	unsigned phrases[RANK_MAX_PHRASES]; /* index of the term of each phrase of the expression */
	bool forms[RANK_MAX_PHRASES]; /* the phrase holds other forms of the word before it */
	unsigned n_phrases;
	unsigned n_scored; /* number of words and phrases that count for the score */
	const QueryNode *near; /* a near: filter that must hold; NULL: none */
	const QueryNode *related; /* likewise a related: filter */
	GPtrArray *nears; /* const QueryNode: every near: filter of the tree; tarsier_near() takes
	                     the index */
	GPtrArray *relateds; /* likewise every related: filter, for tarsier_related() */
} QueryPlan;

/* ---- the terms */

/* An entry whose name matches a term of the query, with a document of its content. */
typedef struct {
	int64_t document, node; /* document 0: it has none */
	int64_t group; /* see SearchMatch */
	bool own; /* the document is the file itself, not a member of it */
	bool directory; /* the entry is a directory, but no root */
} SearchPair;

/* Documents of one language that hold words which are forms in other languages only. */
typedef struct {
	uint32_t language; /* bit of stem_language() */
	GArray *documents; /* int64_t, ascending */
} OtherLanguage;

typedef struct {
	const SearchTerm *term;
	GArray *names; /* int64_t, ascending: entries whose name, or a link to which, matches */
	GArray *paths; /* int64_t, ascending: entries below a directory whose name matches, while
	                  their own does not (index/search/path-words.c) */
	GArray *members; /* int64_t: documents that are members whose name matches the pattern, or
	                    which the path of the term names */
	GArray *documents; /* SearchScore, ascending: documents whose text matches, and the members
	                    */
	double weight;
} TermMatches;

/* Const after search_prefixes(). */
typedef struct {
	GArray *list; /* TermMatches, in the order of the plan's terms */
	GArray *named; /* int64_t, ascending: entries whose name or path matches any term */
	GArray *whole_named; /* SearchScore of entries, ascending, as search_whole_name() tells it:
	                        their name consists of the terms or begins with them, or their path
	                        has those that the name lacks */
	GlobSet *name_pattern; /* of search_name_pattern() */
	GArray *pairs; /* SearchPair: the named entries */
	GArray *named_documents; /* int64_t, ascending: documents of the named entries */
	GPtrArray *other_language; /* OtherLanguage: documents in which some forms do not count */
	GArray *rescored; /* int64_t, ascending: documents of named entries and in other languages;
	                     they are judged and not taken from the text source */
	GArray *hidden; /* int64_t, ascending: documents that have no visible entry */
	GArray *by_path; /* int64_t, ascending: entries that are in paths of a term */
	GArray *bonuses; /* SearchScore, ascending: what search_whole_query() found */
} QueryTerms;

/* ---- matches */

/* A pair that matches the query. */
typedef struct {
	int64_t document; /* 0: none */
	int64_t node; /* 0: it stands for every entry of the document */
	int64_t group; /* equal for all matches that are shown as one hit */
	double order; /* higher comes first */
} SearchMatch;

typedef struct {
	GArray *list; /* SearchMatch */
	GArray *documents; /* int64_t, ascending: they match the words, and nothing else is known of
	                      them yet; a quarter of the memory of matches */
	guint single; /* each of the first so many is a group of its own */
	guint unasked; /* how many matches of the words were left out, because their filters were
	                  not evaluated, or as not the best; at least 1 if any will do and the
	                  rest was not looked at */
	guint least; /* how many were left out as not the best */
	GArray *meanings; /* SearchScore: the share of latent semantics in the order of documents,
	                     at most MEANING_MOST_MATCHES, the best first; others have none */
	MeaningPart meaning;
	bool meaning_brought; /* see SearchResult */
	GArray *proximities; /* SearchScore, ascending: proximity of the rescored documents that the
	                        text source gave */
} Matches;

/* SQL text with its bound values. */
typedef struct {
	GString *text;
	GPtrArray *values; /* GVariant: int64 or bytestring */
} SearchSql;

/* The data that a stage may read. */
struct Search {
	Reader *r;
	SearchState *state;
	const SearchOptions *options;
	const QueryPlan *plan;
	const GArray *offline; /* int64_t: roots that are not mounted */
	const QueryTerms *terms; /* NULL: not looked up yet */
	const GPtrArray *subjects; /* GArray of MeaningNeighbour for each of the plan's relateds */
};

/* Returns the state of the connection, which its first search creates. The reader owns it. NULL
 * with error. */
SearchState *search_attach(Reader *r, GError **error);
/* Makes the SQL functions known to the connection. */
bool search_register(SearchState *state, GError **error);

/* ---- search-plan.c */
/* Fills the plan. Reads the index only for the size of posting lists. query and options must
 * outlive the plan. */
void search_plan(QueryPlan *plan, Reader *r, const Query *query, const SearchOptions *options,
        PlanChoice choice);
void search_plan_clear(QueryPlan *plan);
/* If the posting lists of a prefix are spread over this many pages, they are looked up apart from
 * the other terms. Tests set it. */
extern unsigned search_long_pages;
/* Returns the FTS5 expression of a term node for documents of these languages. The caller owns it.
 */
char *search_expression(const QueryNode *node, uint32_t languages);
/* Returns how many phrases with other forms follow that of the word in its expression. Ranking
 * tells them apart. */
unsigned search_form_phrases(const QueryNode *node, uint32_t languages);
enum { SEARCH_FORM_PHRASES = 3 };
G_STATIC_ASSERT(RANK_MAX_PHRASES >= QUERY_MAX_TERMS * (1 + SEARCH_FORM_PHRASES));
/* Returns the index of the term of a node. */
unsigned search_term_of(const QueryPlan *plan, const QueryNode *node);
/* Returns the index of the term of one of the plan's prefixes. */
unsigned search_prefix_term(const QueryPlan *plan, const QueryNode *node);

/* True for a pattern with more terms than an expression of FTS5 takes: it would look up each of
 * them for each document. Its posting lists are read from the pages. */
bool search_is_many(const QueryNode *node);
extern unsigned search_many_forms; /* tests set it */

/* ---- search-filter.c */
SearchSql *search_sql_new(void);
void search_bind_text(SearchSql *sql, const char *value); /* to the next ? */
void search_sql_free(SearchSql *sql);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SearchSql, search_sql_free)
/* Appends a tree without words as a condition that is 0 or 1. Its tables are n (node), i (inode), c
 * (content), d (document) and f (fact). */
void search_condition(const Search *s, const QueryNode *node, SearchSql *sql);
/* Appends the term for each value of a filter, joined by OR (the term has one ?), or once for its
 * bounds (it has two). Not for FILTER_IS, FILTER_NEAR and FILTER_ALL. */
void search_append_term(const Search *s, const QueryNode *node, const char *term, SearchSql *sql);
/* Appends the distance between fingerprint p and that of a near: filter. The distance is NULL if
 * the two are not near. */
void search_near_distance(const Search *s, const QueryNode *node, SearchSql *sql);
/* The directory that a path means: one that no root holds may go through links. The caller frees
 * it.
 */
char *search_real_directory(const Search *s, const char *path);
/* True if the components of part follow each other in path. */
bool search_path_has(const char *path, const char *part);
/* Prepares a statement and binds its values. The caller owns it. NULL with error. */
sqlite3_stmt *search_prepare(const Search *s, const SearchSql *sql, GError **error);

/* Appends tarsier_related() of document d: NULL unless it is about the subject. */
void search_append_likeness(const Search *s, const QueryNode *node, SearchSql *sql);

/* ---- search-related.c */
/* Appends a list to lists for each of the plan's relateds. */
bool search_related(const Search *s, GPtrArray *lists, GError **error);
/* Returns the likeness of a document and the subject; 0: it is not about it. */
double search_likeness(const Search *s, const QueryNode *node, int64_t document);
/* Returns the documents of the subject as int64_t, ascending. The caller owns them. */
GArray *search_related_documents(const Search *s, const QueryNode *node);

/* ---- search-scan.c */

/* Returns 1 and the inodes without which no entry can match one of the plan's filters, in any
 * order, some more than once; 0 if they are many, or if single tables do not tell; -1 with error.
 * The caller owns *inodes_r, which is NULL unless 1 is returned. */
int search_scan(const Search *s, GArray **inodes_r, GError **error);
/* The same for as many as are found sooner than all entries, of which the index has so many, are
 * read. */
int search_scan_many(const Search *s, uint64_t entries, GArray **inodes_r, GError **error);
/* The same, but only by the directories of dir: filters with absolute paths, which takes no longer
 * than their entries are many. */
int search_scan_below(const Search *s, GArray **inodes_r, GError **error);
/* Returns the SQL that looks for a condition in single tables; it is empty if they do not tell. */
SearchSql *search_scan_sql(const Search *s, const QueryNode *condition);

/* ---- search-ext.c */
/* The same of an ext: filter, by the trigrams of names; it is empty if a value has none. */
SearchSql *search_ext_sql(const QueryNode *filter);

/* ---- search-web.c */
/* True if the condition can hold only for pages of sites and items of feeds. */
bool search_is_of_pages(const QueryNode *condition);
/* Returns the SQL that gives the inodes of all pages and items for which such a condition holds. */
SearchSql *search_pages_sql(const Search *s, const QueryNode *condition);
/* Makes the SQL functions known to the connection. False: it has an error. */
bool search_web_register(SearchState *state);
/* Returns the URL that the document names as its own (rel=canonical), if a page of it is kept; else
 * NULL. The caller frees it. */
char *search_canonical_of(const Search *s, int64_t document);
/* Appends the pages and items with this URL in canonical form. */
bool search_append_pages(const Search *s, const char *url, GArray *nodes, GError **error);

/* Of so many matches the entries are looked up at once. If there are more, those that come first
 * are looked up, until a page is full. Tests set it. */
extern guint search_at_once;
/* So many are looked up beyond the page, because hits may be unreadable or near copies of others;
 * but at most search_at_once. */
enum { SEARCH_SPARE = 500 };

/* ---- newest.c */

/* m has all documents that match the words, ascending, in its list or in its documents. Replaces
 * them by the entries that match the filters, in any order: if the documents are many, as far down
 * the order of their date as a page needs. Sets unasked. */
bool search_newest(const Search *s, Matches *m, GError **error);
/* The same for a plan without words, in the order of all documents. 1: the entries that a page may
 * need were appended; 0: nothing was, because few match, or the index is small; -1: error. Sets
 * unasked. */
int search_newest_entries(const Search *s, Matches *m, GError **error);
/* In an index of fewer documents all entries are read, so that the total is exact. Tests set it. */
extern guint newest_least_documents;

/* ---- deferred-filters.c */

/* m has all documents that match the words. Replaces them by the entries that match the filters, as
 * far down the ranking as a page needs. Sets unasked. */
bool search_deferred_filter(const Search *s, Matches *m, GError **error);

/* ---- search-list.c */

/* Registers the table tarsier_asked with the connection. */
bool search_list_register(SearchState *state);

/* ---- search-ids.c */
bool search_contains(const GArray *ascending, int64_t id);
/* Returns where the id stands; the length of the list if it does not. */
guint search_position(const GArray *ascending, int64_t id);
/* Sorts ids in ascending order and drops repetitions. */
void search_sort_ids(GArray *ids);
/* Appends the first column of every row. */
bool search_append_rows(const Search *s, sqlite3_stmt *statement, GArray *ids, GError **error);
/* Runs sql with the ids of from in tarsier_asked, appends the ids that it gives, then sorts them
 * and drops repetitions. */
bool search_append_ids(
        const Search *s, const char *sql, const GArray *from, GArray *ids, GError **error);
/* Returns the group of a match: the document that SOLE_MEMBER_OR_SELF gives, or the negative inode
 * if there is no document or the file is empty. */
int64_t search_group(int64_t document, int64_t size, int64_t inode);

/* ---- search-terms.c */
/* Fills out, except for the documents of the plan's prefixes. Call search_terms_clear() after an
 * error, too. */
bool search_terms(const Search *s, QueryTerms *out, GError **error);
void search_terms_clear(QueryTerms *terms);
/* Adds the documents of the plan's prefixes, as far as they are in m or rescored. */
bool search_prefixes(const Search *s, const Matches *m, QueryTerms *out, GError **error);
bool search_has_document(const TermMatches *found, int64_t document);
/* Returns NULL if the term does not match the document. */
const SearchScore *search_score_of(const TermMatches *found, int64_t document);
/* Returns the score of a pair, by its text and its name. */
double search_score(const Search *s, const Matches *m, int64_t document, int64_t node);

/* Returns the sum of the weights of the terms that count for the score. */
double search_weight_of_all(const QueryTerms *terms);
/* Sorts scores by document, ascending. */
void search_sort_scores(GArray *scores);
/* Returns what is added to the score of a document because the query as a whole is in it. */
double search_bonus(const QueryTerms *terms, int64_t document);

/* ---- whole-query.c */
/* Makes the SQL functions known to the connection. */
bool whole_query_register(SearchState *state, GError **error);
/* Is the node the prefix of the word, as in "word OR word*", a word that is still being typed? */
bool search_is_open_end(const QueryNode *word, const QueryNode *node);
/* Fills bonuses: the documents whose title begins with the words of the query, and those with all
 * of its words in their order. The weights of the terms are known. */
bool search_whole_query(const Search *s, QueryTerms *out, GError **error);

/* ---- evaluator.c */
/* True if a term of the plan must be in the name of the file itself, or in a link to it. Otherwise
 * nobody asks whether a document is a member, which needs its facts. */
bool search_tells_members(const QueryPlan *plan);

/* ---- other-language.c */
/* Fills other_language and rescored. The named documents are known. */
bool search_other_language(const Search *s, QueryTerms *out, GError **error);
/* True if some forms of the words count only in documents of some languages. */
bool search_is_partial(const QueryNode *words);
void other_language_free(void *other_language);

/* ---- single-term.c */
/* Makes the SQL function known to the connection. False: it has an error. */
bool single_term_register(SearchState *state);
/* True for a single word or prefix, and for a pattern with many terms. */
bool single_term_fits(const QueryNode *node);
/* Appends every document that holds the word, or a form of it in these languages, ascending, with
 * the score that tarsier_rank() gives for a weight of 1. wanted: int64_t, ascending: only these;
 * NULL: all. Changes the rank of the connection. */
bool single_term_search(const Search *s, const QueryNode *node, uint32_t languages,
        const GArray *wanted, GArray *out, GError **error);
/* Frees what is kept of the posting lists of the last word. It is known by the address of its node,
 * so this is called before the plan is freed. */
void search_forget_counts(SearchState *state);
/* The statement that reads the row of document ?1. */
const char *single_term_sql(void);

/* ---- search-names.c */
/* The last row whose name has its trigrams in table gram: new ones are written for many at once. */
#define SEARCH_LAST_WITH_GRAMS(key) "ifnull((SELECT value FROM meta WHERE key = '" key "'), 0)"
/* Appends the trigrams of a folded text to an FTS5 expression that all must match. */
void search_append_grams(GString *out, const char *folded);
/* Fills names and members of a term with a pattern, in any order, and appends the entries of the
 * members to named. */
bool search_like(const Search *s, TermMatches *found, GArray *named, GError **error);
/* Returns the pattern of a query of one pattern that texts may match too, or NULL. Free it with
 * glob_set_free(). */
GlobSet *search_name_pattern(const QueryPlan *plan);
/* Returns the share of the bonus for a whole name that a name gets: 1 if it has no words but those
 * of the query or matches its pattern, less if it goes on after them or has other forms of them,
 * else 0. Its extension does not count. pattern: as search_name_pattern() returns it. */
double search_whole_name(
        const QueryPlan *plan, const GlobSet *pattern, const void *name, int length);

/* ---- path-words.c */
/* Fills paths of the terms. Appends to out, ascending, the entries that have one and may match. The
 * names and pairs are known. If the entries are too many, nothing is filled. */
bool search_path_words(const Search *s, QueryTerms *terms, GArray *out, GError **error);
/* If more entries have a word themselves, the directories above them do not count. Tests set it. */
extern unsigned path_words_most_entries;
/* True if the name of the entry or the text of the document has one of the words. */
bool path_words_own(const Search *s, int64_t document, int64_t node);

/* ---- search-path.c */
/* Appends the entry of an absolute path, the pages of a URL, or the entries whose path ends with a
 * relative one, compared without case and accents. */
bool search_path(const Search *s, const char *path, GArray *nodes, GError **error);
/* Appends the member of an absolute path ("OUTER|inner/path"), and the entry of its file to named.
 */
bool search_member(
        const Search *s, const char *path, GArray *members, GArray *named, GError **error);

/* ---- search-links.c */
/* Appends the entries to which links with the words of the term lead, in any order. */
bool search_links(const Search *s, const SearchTerm *term, GArray *nodes, GError **error);

/* ---- search-best.c */
/* If the list has far more matches than can be needed for the page, keeps the best and counts the
 * others. Only for plans with best. */
void search_keep_best(const Search *s, Matches *m);
/* So many are kept beyond the page. Tests set it. */
extern guint search_best_spare;

/* ---- search-match.c */
/* Returns the documents of the matches in their order, as int64_t. The caller owns them. */
GArray *search_documents(const GArray *matches);
/* Appends what the plan's text source gives. */
bool search_stream(const Search *s, Matches *out, GError **error);
/* Keeps the matches that have the plan's prefixes, then those that match the deferred filters. */
bool search_narrow(const Search *s, Matches *m, GError **error);
/* Appends the pairs that the text alone does not decide about. */
bool search_judge(const Search *s, Matches *out, GError **error);

/* ---- search-choice.c */
/* Raises the order of the matches that options->choices name. */
bool search_raise_choices(const Search *s, Matches *m, GError **error);

/* ---- search-hit.c */
bool search_find_offline(Reader *r, GArray *offline, GError **error);
bool search_is_offline(const GArray *offline, int64_t root);
/* May the user be told of the entry of a row with n.id, n.parent, n.name, i.kind and f.member? One
 * check of the file system; offline entries are not asked and count as readable. */
bool search_row_allowed(const Search *s, sqlite3_stmt *row, bool *offline_r);
/* If results are sorted by name or path, sets the order of each match to its rank. */
bool search_rank(const Search *s, Matches *m, GError **error);
/* Groups the matches, which sorts them; checks the best groups against the file system; fills the
 * result. */
bool search_hits(const Search *s, Matches *m, SearchResult *result, GError **error);

/* ---- search-coverage.c */
/* Fills pending, failed, truncated and offline of the result. */
bool search_coverage(const Search *s, SearchResult *result, GError **error);

/* ---- search.c */
/* Same as search_run(), with a choice of iterators. */
SearchResult *search_run_planned(
        Reader *r, Query *query, const SearchOptions *options, PlanChoice choice, GError **error);
