/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search.h - answers a query with hits in order */
#pragma once
#include "index/meaning/model.h"
#include "index/query/query.h"
#include "index/read/reader.h"

typedef enum { SORT_RELEVANCE, SORT_DATE, SORT_SIZE, SORT_NAME, SORT_PATH, SORT_NEAREST } SortOrder;
typedef enum { DUPS_COLLAPSE, DUPS_SHOW, DUPS_ONLY } DupsMode;

/* If there are at most so many matches after the page, they are checked like hits, so that total
 * does not count what the user may not read: SEARCH_COUNT_CHECKS with count, which wants the
 * number. Of more, none is checked. */
enum { SEARCH_CHECKS = 500, SEARCH_COUNT_CHECKS = 10000 };

/* The part of latent semantics (index/search/meaning-share.h) in the order of the hits. */
typedef enum {
	MEANING_OFF, /* nothing: it is left out, or another order is wanted */
	MEANING_FEW_WORDS, /* nothing: the query is not made of several plain words */
	MEANING_FEW_MATCHES, /* nothing: there are too few matches */
	MEANING_UNLEARNED, /* nothing: the index has no model */
	MEANING_DISAGREES, /* nothing: the words are not in the model, or do not agree with it about
	                      the first matches */
	MEANING_COUNTS, /* a part of the scores */
} MeaningPart;

/* A hit that the user opened for the same words before. */
typedef struct {
	char *path, *member; /* member may be NULL */
	double raise; /* its score is multiplied by 1 + raise */
} SearchChoice;

typedef struct {
	unsigned limit, offset;
	SortOrder sort;
	bool reverse;
	DupsMode dups;
	unsigned copies; /* the most paths of copies of one hit; 0: no limit but that of all hits
	                    together, 10,000 */
	bool near_separate; /* only exact copies are collapsed; near copies are hits of their own */
	bool by_words; /* by relevance: hits that match more of the words come first */
	bool count; /* total must be exact; otherwise it may include matches whose filters were not
	               evaluated */
	bool any; /* any hit will do, and total may be too small */
	bool no_meaning; /* latent semantics (index/search/meaning-share.h) has no part in the order
	                  */
	uint32_t uid; /* the asking user; hits that this user cannot read are left out */
	const GArray *choices; /* SearchChoice: by relevance they come earlier, unless by_words;
	                          NULL: none */
	unsigned max_ms; /* less than QUERY_MAX_MS; 0: that, and longer if all entries of a large
	                    index have to be read */
} SearchOptions;

typedef struct {
	Info info;
	char *host; /* the machine of the path, for a hit that another engine told; its document,
	               owner, group and mode are not known. NULL: a hit of this index */
	bool by_meaning; /* it does not match the query; its subject is that of the words */
	double likeness; /* with related: the cosine of its direction and that of the subject; else
	                    0 */
	double score;
	double meaning_share; /* the part of the score that comes from latent semantics, 0 to 1 */
	unsigned words_matched; /* with by_words: how many words and phrases of the query it has */
	int distance; /* with SORT_NEAREST: number of bits in which the simhashes differ; else -1 */
	double similarity; /* with SORT_NEAREST: Jaccard coefficient, as estimated from the sketches
	                    */
	GPtrArray *copies; /* char *: other paths (with "|member") with equal content, and of near
	                      copies that match the query and would come later; sorted; empty with
	                      DUPS_SHOW */
	bool copies_cut; /* there are more */
} Hit;
void hit_free(Hit *hit);

typedef struct {
	GPtrArray *hits; /* Hit */
	uint64_t total;
	bool total_exact; /* false: total is an upper bound, because not all matches were checked */
	uint64_t by_meaning; /* the part of total that is by_meaning; these hits come last */
	uint64_t partial; /* the part of total that matches only some of the words; these hits come
	                     last */
	MeaningPart meaning;
	bool meaning_brought; /* by word vectors that somebody brings (index/meaning/brought.h) */
	uint64_t pending, failed, offline,
	        truncated; /* in the searched scope: documents that the result may lack */
	char *suggestion; /* the corrected query, if it is misspelt; NULL: none. The caller of
	                     search_run() sets it (index/search/correct.h) */
	GPtrArray *other_suggestions; /* of char *, the next best first; NULL: not wanted */
	/* If the hits are passages, which their maker sets: how many documents match, and of how
	 * many the texts were read; else 0. */
	uint64_t documents, documents_read;
} SearchResult;
void search_result_free(SearchResult *result);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SearchResult, search_result_free)

/* Existence, identity and permission (of the file and its parents) of each hit are checked against
 * the file system before it is returned. A search that takes longer than its max_ms fails with
 * INDEX_ERROR_BUSY and never returns a part. Fills the forms of the query's words. If nothing has a
 * number as it was typed, but otherwise ("0170 1234567", "+49 170 1234567"), that is searched, it
 * takes the place of the tree of the query, and a note is added to it. NULL with error. */
SearchResult *search_run(Reader *r, Query *query, const SearchOptions *options, GError **error);
/* The options for what follows the hits of result on the page. */
SearchOptions search_rest_of_page(const SearchOptions *options, const SearchResult *result);
/* Moves the hits of more to the end of result, and adds its totals. */
void search_result_append(SearchResult *result, SearchResult *more);

typedef enum {
	SUBJECT_UNLEARNED, /* the index has no model: it has less than MEANING_LEAST_DOCUMENTS
	                      documents, or had no time to learn yet */
	SUBJECT_UNKNOWN, /* the model has no word of it */
	SUBJECT_KNOWN
} SubjectState;
/* Can related: and query_by_meaning() find anything? The subject is that of a document, or, unless
 * terms is NULL, of a stream of terms (index/text/terms.h). False with error. */
bool search_knows_subject(
        Reader *r, int64_t document, GBytes *terms, SubjectState *state_r, GError **error);
/* Explains what SQLite and FTS5 are asked, for --explain. Drops the forms of the query's words that
 * are only in texts and names which the user may not read: call query_drop_forms() before it is
 * run. The caller owns the text. NULL with error. */
char *search_explain(Reader *r, Query *query, const SearchOptions *options, GError **error);
