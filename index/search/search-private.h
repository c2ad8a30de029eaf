/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search-private.h - between the parts of the search engine
 *
 * What is looked for are pairs of an entry (node) and a document that its content holds; entries
 * without documents (directories, files not converted yet or in vain) pair with none. A pair meets
 * words by the document's text or by the entry's name.
 *
 * Few entries have a name that meets a word of the query. For all others the words of the tree are
 * one expression of FTS5, joined with the filters and ranked as it streams. The named ones are
 * judged one by one against the whole tree, with the set of documents that each word has; so are
 * documents that hold a form of a word that is none in their language. A tree
 * that FTS5 cannot express (words and filters under one OR, nothing but exclusions) is judged that
 * way for all pairs. */
#pragma once
#include "index/read/reader-private.h"
#include "index/search/rank.h"
#include "index/search/search.h"

typedef struct {
	int64_t document;
	double score; /* before the weight */
} SearchScore;

typedef struct Search Search;

/* What SQL functions know of the search that runs; of one connection, as long as it lives. */
typedef struct {
	Reader *r;
	Rank rank;
	const Search *search; /* NULL: none runs */
	bool registered; /* the functions are known to the connection */
} SearchState;

/* One word or phrase of the query, in the order of the tree. */
typedef struct {
	const QueryNode *node;
	char *match; /* FTS5 expression for table text, of all languages; only quoted tokens */
	char *name_match; /* for table name, or for the texts of links; NULL: neither counts */
	bool scored; /* found in it raises the score */
	bool whole; /* documents is needed for all, not only for those apart */
	bool begins; /* the beginning of a word beside other words, which documents is asked for
	                after them */
	GArray *names; /* int64_t, ascending: nodes whose name, or a link to which, has it */
	GArray *members; /* int64_t: documents that are members whose name is like it */
	GArray *documents; /* SearchScore, ascending: whose text has it, and the members */
	double weight;
} SearchLeaf;

/* A pair that meets the query. */
typedef struct {
	int64_t document; /* 0: none */
	int64_t node; /* 0: every entry of the document */
	int64_t group; /* equal for what is shown as one hit */
	double order; /* higher comes first */
} SearchMatch;

/* An entry whose name has a word of the query, with a document that it leads to. */
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

/* SQL text with what is bound to it. */
typedef struct {
	GString *text;
	GPtrArray *values; /* GVariant: int64 or bytestring */
} SearchSql;

struct Search {
	Reader *r;
	SearchState *state;
	const QueryNode *root;
	const SearchOptions *options;
	SortOrder sort;
	GArray *leaves; /* SearchLeaf */
	GPtrArray
	        *words; /* const QueryNode: FTS5 expresses these, all must hold; empty: it cannot */
	GPtrArray *beginnings; /* const QueryNode: beginnings of words, or NOT of them, for which
	                          FTS5 would take long; all must hold */
	GPtrArray *conditions; /* const QueryNode: the rest, all must hold */
	bool monotone; /* no exclusion, no filter: more names never lose a match */
	char *expression; /* of words; NULL: none */
	double step; /* added to a score for each phrase that is met */
	unsigned phrases[RANK_MAX_PHRASES]; /* leaf of each phrase of the expression */
	bool forms[RANK_MAX_PHRASES]; /* the phrase is other forms of the last word before it */
	unsigned n_phrases;
	unsigned n_scored; /* words and phrases that count for the score */
	GArray *named; /* int64_t, ascending: nodes whose name has any word */
	GArray *whole_named; /* int64_t, ascending: those whose name is nothing but the words */
	GArray *pairs; /* SearchPair: of the named */
	GArray *named_documents; /* int64_t, ascending: what they lead to */
	uint32_t languages; /* that forms were looked for in */
	GPtrArray *other_language; /* OtherLanguage: where some forms do not count */
	GArray *rescored; /* int64_t, ascending: the named documents and the foreign ones */
	GArray *proximities; /* SearchScore, ascending: of those apart */
	GArray *hidden; /* int64_t, ascending: documents that no entry leads to */
	const GArray
	        *wanted; /* int64_t, ascending: documents that the running leaf asks for; NULL: all
	                  */
	GArray *matches; /* SearchMatch */
	guint single; /* so many of the first matches are groups of their own */
	GArray *offline; /* int64_t: roots that are not there */
	const QueryNode *near; /* a near: that all must meet; NULL: none */
	GPtrArray *nears; /* const QueryNode: as the SQL function knows them */
	bool shows_offline; /* is:offline was asked for */
	guint copies; /* paths of copies, of all hits together */
	bool deferred; /* filters may be asked of the best matches first */
	const GArray *asked; /* int64_t: rows of tarsier_asked */
	guint unasked; /* matches of the words whose filters were not asked for */
};

/* The connection's own, made at its first search. Borrowed; NULL with error. */
SearchState *search_attach(Reader *r, GError **error);
/* Makes the SQL functions known to the connection. */
bool search_register(SearchState *state, GError **error);

/* ---- search-plan.c */
void search_plan(Search *s);
/* A beginning of words over so many pages of the index is found apart from the other words; tests
 * set it. */
extern unsigned search_long_pages;
void search_plan_clear(Search *s);
bool search_has_words(const QueryNode *node);
/* FTS5 expression of words for documents of these languages. Yours. */
char *search_expression(const QueryNode *words, uint32_t languages);
/* How many phrases behind that of the word are other forms of it; ranking tells them apart. */
unsigned search_form_phrases(const QueryNode *words, uint32_t languages);
enum { SEARCH_FORM_PHRASES = 3 };
G_STATIC_ASSERT(RANK_MAX_PHRASES >= QUERY_MAX_TERMS * (1 + SEARCH_FORM_PHRASES));

/* ---- search-filter.c */
SearchSql *search_sql_new(void);
void search_sql_free(SearchSql *sql);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SearchSql, search_sql_free)
/* Appends a condition that is 0 or 1 for tables n i c d f. */
void search_condition(Search *s, const QueryNode *node, SearchSql *sql);
/* Appends a term for each value of a filter that has some ("?" is the value, any is enough), or one
 * for its bounds ("? AND ?"). Not of FILTER_IS, FILTER_NEAR, FILTER_ALL. */
void search_append_term(Search *s, const QueryNode *filter, const char *term, SearchSql *sql);
/* Appends what is the distance of fingerprint p from that of a near: node; NULL if it is not near.
 */
void search_near_distance(Search *s, const QueryNode *node, SearchSql *sql);
/* Prepares it with everything bound. NULL with error. Yours. */
sqlite3_stmt *search_prepare(Search *s, const SearchSql *sql, GError **error);
/* Index of a leaf by its node. */
unsigned search_leaf_of(const Search *s, const QueryNode *node);
/* Leaf of one of the beginnings. */
SearchLeaf *search_leaf_begun(const Search *s, const QueryNode *node);

/* ---- search-scan.c */

/* Inodes, in any order and some more than once, without which no entry meets one of the conditions:
 * 1, 0 if they are many or no single tables tell, -1 error. *inodes_r is yours, NULL unless 1. */
int search_scan(Search *s, GArray **inodes_r, GError **error);
/* What is asked of single tables for a condition; empty: they do not tell. */
SearchSql *search_scan_sql(Search *s, const QueryNode *condition);

/* ---- deferred-filters.c */

/* Can the filters wait until the matches of the words are ranked? */
bool search_deferred_fits(const Search *s);
SearchSql *search_deferred_sql(Search *s);
/* matches holds all documents that have the words: leaves the entries that meet the filters, of as
 * many of the best as fill a page. Sets unasked. */
bool search_deferred_filter(Search *s, GError **error);

/* ---- search-list.c */

/* Makes the table tarsier_asked known to the connection. */
bool search_list_register(SearchState *state);

/* ---- search-words.c */
/* Finds names with what they lead to and, as far as they are needed, documents of each leaf. */
bool search_names(Search *s, GError **error);
bool search_leaves(Search *s, GError **error);
bool search_contains(const GArray *ascending, int64_t id);
bool search_has_document(const SearchLeaf *leaf, int64_t document);
/* NULL: it is not among them. */
const SearchScore *search_score_of(const SearchLeaf *leaf, int64_t document);
/* Finds documents of a leaf that begins, of the matches and those apart. */
bool search_is_prefix(Search *s, SearchLeaf *leaf, GError **error);
/* Ascending, each once. */
void search_sort_ids(GArray *ids);
/* Appends the ids that sql gives for those of tarsier_asked, which are from, then sorts and drops
 * repetitions. */
bool search_append_ids(Search *s, const char *sql, const GArray *from, GArray *ids, GError **error);
/* Hits are told apart by document; what has none, and the many empty files that are equal only in
 * holding nothing, by inode. */
int64_t search_group(int64_t document, int64_t size, int64_t inode);
/* Score of a pair: what its text and its name are worth. */
double search_score(const Search *s, int64_t document, int64_t node);

/* A name, or a link, counts for the file itself and not for its members. */
bool search_wants_own(const QueryNode *node);

/* ---- other-language.c */
/* Fills foreign and apart. */
bool search_other_language(Search *s, GError **error);
/* Do some forms of the word count in documents of some languages alone? */
bool search_is_partial(const QueryNode *words);
void other_language_free(void *other_language);

/* ---- single-term.c */
/* Is it one word, which may be only the beginning of one? */
bool single_term_fits(const QueryNode *node);
/* Appends every document (of the wanted, int64_t ascending; NULL: of all) that holds it, or a form
 * of it in these languages, ascending, with its score, as tarsier_rank() with a weight of 1. The
 * connection's rank is reset. */
bool single_term_search(Search *s, const QueryNode *node, uint32_t languages, const GArray *wanted,
        GArray *out, GError **error);
/* What is asked for them; ?1 is a document. */
const char *single_term_sql(void);

/* ---- search-names.c */
/* Fills names and members of the leaf of a pattern that names may be like, in any order, and
 * appends the entries of the members to named. */
bool search_like(Search *s, SearchLeaf *leaf, GError **error);
/* Has the name of an entry no words but those of the query? The ending does not count. */
bool search_is_whole_name(const Search *s, const void *name, int length);

/* ---- search-links.c */
/* Appends the nodes that links with the words of the leaf lead to, in any order. */
bool search_links(Search *s, const SearchLeaf *leaf, GArray *nodes, GError **error);

/* ---- search-match.c */
/* Those of the matches, in their order. int64_t, yours. */
GArray *search_documents(const GArray *matches);
/* Fills matches. */
bool search_match(Search *s, GError **error);
/* What FTS5 and SQLite are asked. */
/* Can the answer not be told from the documents alone? */
bool search_needs_entries(const Search *s);
/* entries: with the rows of their entries and the conditions on them. */
SearchSql *search_stream_sql(Search *s, bool entries);
/* Is the query, but for filters, one word, whose documents single_term_search() tells? */
bool search_is_single_term(const Search *s, bool entries);
void search_append_conditions(Search *s, SearchSql *sql);
SearchSql *search_judge_sql(Search *s, bool one_node);

/* ---- search-hit.c */
bool search_find_offline(Search *s, GError **error);
bool search_is_offline(const Search *s, int64_t root);
/* Orders matches, checks them against the file system and fills the result. */
bool search_hits(Search *s, SearchResult *result, GError **error);
/* What the answer may lack. */
bool search_coverage(Search *s, SearchResult *result, GError **error);
