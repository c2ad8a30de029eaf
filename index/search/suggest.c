/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/search/suggest.h"
#include "index/search/expand.h"
#include "index/search/term-visible.h"
#include "index/fts/term-scan.h"
#include <string.h>
#include <unistd.h>

enum { SHORT = 5, COUNTED = 64, MAX_MS = 500 };

static void missing_free(gpointer data)
{
	Missing *missing = data;
	g_free(missing->word);
	g_free(missing->better);
	g_free(missing);
}

/* The order: the nearest word first; of equally near words the most frequent one. */
typedef struct {
	char *term;
	unsigned edits;
	int64_t documents;
} SpellingCandidate;

static void clear_candidate(gpointer data)
{
	g_free(((SpellingCandidate *)data)->term);
}

static int suggest_compare_candidates(const void *a, const void *b)
{
	const SpellingCandidate *x = a, *y = b;
	if (x->edits != y->edits)
		return x->edits < y->edits ? -1 : 1;
	return (x->documents < y->documents) - (x->documents > y->documents);
}

typedef struct {
	const char *word;
	unsigned max;
	GArray *candidates;
} SpellingLookup;

static bool add_candidate(void *data, const char *term)
{
	SpellingLookup *lookup = data;
	unsigned edits = g_utf8_validate(term, -1, NULL)
	                         ? expand_distance(lookup->word, term, lookup->max)
	                         : lookup->max + 1;
	if (edits > lookup->max)
		return true;
	SpellingCandidate candidate = {g_strdup(term), edits, 0};
	g_array_append_val(lookup->candidates, candidate);
	return true;
}

/* Counts the documents or names that contain the candidate. */
static bool suggest_count_documents(
        Reader *r, const char *sql, SpellingCandidate *candidate, GError **error)
{
	sqlite3_stmt *statement = reader_statement(r, sql, error);
	if (!statement)
		return false;
	sqlite3_bind_text(statement, 1, candidate->term, -1, SQLITE_STATIC);
	int row = reader_step(r, statement, error);
	if (row > 0)
		candidate->documents += sqlite3_column_int64(statement, 0);
	sqlite3_reset(statement);
	return row >= 0;
}

static int compare_terms(const void *a, const void *b)
{
	const SpellingCandidate *x = a, *y = b;
	int order = suggest_compare_candidates(x, y);
	return order ? order : strcmp(x->term, y->term);
}

/* Finds words with a similar spelling, each once and the nearest first. Only for the first ones the
 * documents are counted. */
static bool suggest_find_candidates(Reader *r, const char *word, GArray *candidates, GError **error)
{
	static const char *const sql[] = {"SELECT doc FROM temp.text_terms WHERE term = ?1",
	        "SELECT doc FROM temp.name_terms WHERE term = ?1"};
	g_autofree char *low = g_strndup(word, g_utf8_next_char(word) - word);
	unsigned max = g_utf8_strlen(word, -1) <= SHORT ? 1 : QUERY_MAX_EDITS;
	SpellingLookup lookup = {word, max, candidates};
	if (!term_scan(r, TERMS_OF_TEXT, low, add_candidate, &lookup, error) ||
	        !term_scan(r, TERMS_OF_NAMES, low, add_candidate, &lookup, error))
		return false;
	g_array_sort(candidates, compare_terms);
	for (guint i = candidates->len; i-- > 1;)
		if (strcmp(g_array_index(candidates, SpellingCandidate, i).term,
		            g_array_index(candidates, SpellingCandidate, i - 1).term) == 0)
			g_array_remove_index(candidates, i);
	for (guint i = 0; i < MIN(candidates->len, COUNTED); i++)
		for (size_t k = 0; k < G_N_ELEMENTS(sql); k++)
			if (!suggest_count_documents(r, sql[k],
			            &g_array_index(candidates, SpellingCandidate, i), error))
				return false;
	return true;
}

static bool find_better(
        Reader *r, Visible *visible, const char *word, char **better_r, GError **error)
{
	g_autoptr(GArray) candidates = g_array_new(FALSE, FALSE, sizeof(SpellingCandidate));
	g_array_set_clear_func(candidates, clear_candidate);
	if (!suggest_find_candidates(r, word, candidates, error))
		return false;
	g_array_sort(candidates, suggest_compare_candidates);
	for (guint i = 0; i < MIN(candidates->len, COUNTED) && !*better_r; i++) {
		const SpellingCandidate *candidate =
		        &g_array_index(candidates, SpellingCandidate, i);
		bool told;
		if (!term_visible(r, visible, candidate->term, &told, error))
			return false;
		if (told)
			*better_r = g_strdup(candidate->term);
	}
	return true;
}

/* Missing is what no visible text and no visible name has, neither as it is nor as a form. */
static bool is_missing(Reader *r, Visible *visible, const QueryNode *node, guint i, bool *missing_r,
        GError **error)
{
	char **forms = node->forms ? node->forms[i] : NULL;
	bool found = false;
	bool ok = term_visible(r, visible, node->tokens[i], &found, error);
	for (; ok && !found && forms && *forms; forms++)
		ok = term_visible(r, visible, *forms, &found, error);
	*missing_r = !found;
	return ok;
}

/* Only the last word of a phrase can be a prefix; if a node is a pattern or fuzzy, all of it is. */
static bool suggest_is_plain(const QueryNode *node, guint i)
{
	return !node->pattern && node->edits == 0 && !(node->prefix && !node->tokens[i + 1]);
}

static bool look_at_words(
        Reader *r, Visible *visible, const QueryNode *node, GPtrArray *out, GError **error)
{
	for (guint i = 0; node->tokens[i] && suggest_is_plain(node, i); i++) {
		bool missing;
		if (!is_missing(r, visible, node, i, &missing, error))
			return false;
		if (!missing)
			continue;
		Missing *one = g_new0(Missing, 1);
		one->word = g_strdup(node->tokens[i]);
		g_ptr_array_add(out, one);
		if (!find_better(r, visible, one->word, &one->better, error))
			return false;
	}
	return true;
}

static bool suggest_look_at(
        Reader *r, Visible *visible, const QueryNode *node, GPtrArray *out, GError **error)
{
	if (node->op == QUERY_WORDS)
		return look_at_words(r, visible, node, out, error);
	for (guint i = 0; node->op != QUERY_NOT && node->children && i < node->children->len; i++)
		if (!suggest_look_at(r, visible, node->children->pdata[i], out, error))
			return false;
	return true;
}

/* ---- patterns, prefixes, fuzzy words, phrases, filters */

/* Can the node match nothing although each of its words is in the index? */
static bool suggest_is_open(const QueryNode *node)
{
	return node->pattern || node->prefix || node->edits > 0 || node->tokens[1];
}

static bool is_told(const GPtrArray *out, const QueryNode *node)
{
	for (guint i = 0; i < out->len; i++)
		if (g_strv_contains((const char *const *)node->tokens,
		            ((const Missing *)out->pdata[i])->word))
			return true;
	return false;
}

static char *suggest_written(const QueryNode *node)
{
	const Query by_itself = {.root = (QueryNode *)node};
	if (node->op == QUERY_FILTER || node->parts)
		return query_normal(&by_itself);
	if (node->pattern)
		return g_strdup(node->pattern);
	g_autofree char *words = g_strjoinv(" ", node->tokens);
	return g_strconcat(words, node->prefix ? "*" : node->edits > 0 ? "~" : "", NULL);
}

static bool look_at_single_term(Reader *r, QueryNode *node, GPtrArray *out, GError **error)
{
	const SearchOptions options = {.limit = 1, .uid = geteuid()};
	Query by_itself = {.text = (char *)"", .root = node, .expanded = true};
	g_autoptr(SearchResult) result = search_run(r, &by_itself, &options, error);
	if (!result)
		return false;
	if (result->total > 0)
		return true;
	Missing *one = g_new0(Missing, 1);
	one->word = suggest_written(node);
	one->by_itself = true;
	g_ptr_array_add(out, one);
	return true;
}

static bool look_at_open(Reader *r, QueryNode *node, GPtrArray *out, GError **error)
{
	if (node->op == QUERY_WORDS)
		return !suggest_is_open(node) || is_told(out, node) ||
		       look_at_single_term(r, node, out, error);
	if (node->op == QUERY_FILTER)
		return look_at_single_term(r, node, out, error);
	for (guint i = 0; node->op != QUERY_NOT && node->children && i < node->children->len; i++)
		if (!look_at_open(r, node->children->pdata[i], out, error))
			return false;
	return true;
}

bool reader_missing(Reader *r, const Query *query, GPtrArray **missing_r, GError **error)
{
	g_autoptr(GPtrArray) out = g_ptr_array_new_with_free_func(missing_free);
	g_autoptr(Visible) visible = visible_new(r, geteuid(), error);
	if (!visible || !reader_begin(r, MAX_MS, error))
		return false;
	bool ok = term_scan_vocabularies(r, error) &&
	          suggest_look_at(r, visible, query->root, out, error);
	reader_end(r);
	bool one = query->root->op == QUERY_FILTER; /* the filter is already reported */
	ok = ok && (one || look_at_open(r, query->root, out, error));
	*missing_r = ok ? g_steal_pointer(&out) : NULL;
	return ok;
}
