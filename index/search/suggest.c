/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/search/suggest.h"
#include "index/search/compounds.h"
#include "index/search/correct-words.h"
#include "index/search/term-visible.h"
#include "index/search/typo-candidates.h"
#include "index/fts/term-scan.h"
#include "index/text/tokenizer.h"
#include "index/text/typo.h"
#include <string.h>
#include <unistd.h>

enum { COUNTED = 1000, MAX_MS = 500 * QUERY_SLOWER };

static void missing_free(gpointer data)
{
	Missing *missing = data;
	g_free(missing->word);
	g_free(missing->typed);
	g_free(missing->better);
	g_free(missing);
}

/* The word that most texts and names have of those that begin with this one: a compound. It is
 * spelt as the typed word, which may be NULL, is. */
static bool find_compound(Reader *r, Visible *visible, const QueryNode *node, guint i,
        const char *typed, char **better_r, GError **error)
{
	const char *word = node->tokens[i];
	g_autoptr(GPtrArray) terms = compounds_of(r, word, node->scope == SCOPE_FILENAME, error);
	bool told = false;
	for (guint k = 0; terms && k < terms->len && !told; k++) {
		const char *term = terms->pdata[k];
		if (!term_visible(r, visible, term, &told, error))
			return false;
		if (told)
			*better_r = typed ? correct_spell(typed, strlen(typed), word, term)
			                  : g_strdup(term);
	}
	return terms != NULL;
}

/* One that ends with the word. */
static bool find_ending(Reader *r, Visible *visible, const QueryNode *node, guint i,
        char **better_r, GError **error)
{
	g_autoptr(GPtrArray) terms =
	        compounds_ending(r, node->tokens[i], node->scope == SCOPE_FILENAME, error);
	bool told = false;
	for (guint k = 0; terms && k < terms->len && !told; k++) {
		if (!term_visible(r, visible, terms->pdata[k], &told, error))
			return false;
		if (told)
			*better_r = g_strdup(terms->pdata[k]);
	}
	return terms != NULL;
}

/* The nearest word that may be told; of equally near ones, the one that most texts and names have.
 */
static bool find_nearest(Reader *r, Visible *visible, const QueryNode *node, guint i,
        char **better_r, GError **error)
{
	g_autoptr(GArray) candidates =
	        typo_candidates(r, node->tokens[i], node->scope == SCOPE_FILENAME, TYPO_FAR, error);
	uint64_t most = 0;
	unsigned least = TYPO_FAR;
	for (guint k = 0; candidates && k < candidates->len; k++) {
		const TypoCandidate *candidate = &g_array_index(candidates, TypoCandidate, k);
		const char *term = candidate->term;
		uint64_t texts, names;
		bool told;
		if (*better_r && candidate->cost > least)
			break;
		if (!term_visible(r, visible, term, &told, error) ||
		        !terms_count_documents(
		                r, TERMS_OF_TEXT, &term, 1, COUNTED, &texts, error) ||
		        !terms_count_documents(r, TERMS_OF_NAMES, &term, 1, COUNTED, &names, error))
			return false;
		if (!told || texts + names <= most)
			continue;
		most = texts + names;
		least = candidate->cost;
		g_free(*better_r);
		*better_r = g_strdup(term);
	}
	return candidates != NULL;
}

/* Only the last word of a phrase can be a prefix; if a node is a pattern or fuzzy, all of it is. */
static bool suggest_is_plain(const QueryNode *node, guint i)
{
	return !node->pattern && node->edits == 0 && !(node->prefix && !node->tokens[i + 1]);
}

typedef struct {
	const char *token;
	int start, end;
	bool found;
} TypedPlace;

/* Terms that overlap are one word: those of a script without spaces share characters. */
static int suggest_find_token(void *data, const char *token, int length, int start, int end)
{
	TypedPlace *place = data;
	if (start >= place->end) {
		if (place->found)
			return 1;
		place->start = start;
	}
	place->end = MAX(place->end, end);
	place->found |=
	        strlen(place->token) == (size_t)length && memcmp(place->token, token, length) == 0;
	return 0;
}

/* The word as it stands in the query, with its marks and capitals; NULL: it does not stand there.
 * text: of the query. */
static char *suggest_typed(const char *text, const QueryNode *node, guint i)
{
	TypedPlace place = {.token = node->tokens[i]};
	size_t length = strlen(text);
	if (node->position > length || node->length > length - node->position ||
	        node->length > G_MAXINT)
		return NULL;
	tokenize_phrase(text + node->position, node->length, suggest_find_token, &place);
	return place.found ? g_strndup(text + node->position + place.start, place.end - place.start)
	                   : NULL;
}

static bool suggest_has_word(const GPtrArray *out, const char *word, const char *typed)
{
	for (guint i = 0; i < out->len; i++) {
		const Missing *one = out->pdata[i];
		if (strcmp(one->word, word) == 0 || (typed && g_strcmp0(one->typed, typed) == 0))
			return true;
	}
	return false;
}

/* Sets *found_r if both words of the node are one word somewhere. */
static bool suggest_is_joined(
        Reader *r, Visible *visible, const QueryNode *node, bool *found_r, GError **error)
{
	*found_r = false;
	for (char **form = node->joined_forms; form && *form && !*found_r; form++)
		if (!term_visible(r, visible, *form, found_r, error))
			return false;
	return true;
}

/* nearest counts down the words for which a better one is looked for. */
static bool look_at_words(Reader *r, Visible *visible, const char *text, const QueryNode *node,
        unsigned *nearest, GPtrArray *out, GError **error)
{
	bool joined;
	if (!suggest_is_joined(r, visible, node, &joined, error))
		return false;
	for (guint i = 0; !joined && node->tokens[i] && suggest_is_plain(node, i); i++) {
		g_autofree char *typed = suggest_typed(text, node, i);
		bool found = suggest_has_word(out, node->tokens[i], typed);
		if (!found && !term_visible_word(r, visible, node, i, &found, error))
			return false;
		if (found)
			continue;
		Missing *one = g_new0(Missing, 1);
		one->word = g_strdup(node->tokens[i]);
		one->typed = g_steal_pointer(&typed);
		g_ptr_array_add(out, one);
		if (*nearest == 0)
			continue;
		--*nearest;
		if (!find_compound(r, visible, node, i, one->typed, &one->better, error) ||
		        (!one->better && !find_nearest(r, visible, node, i, &one->better, error)) ||
		        (!one->better && !find_ending(r, visible, node, i, &one->better, error)))
			return false;
	}
	return true;
}

static bool suggest_look_at(Reader *r, Visible *visible, const char *text, const QueryNode *node,
        unsigned *nearest, GPtrArray *out, GError **error)
{
	if (node->op == QUERY_WORDS)
		return look_at_words(r, visible, text, node, nearest, out, error);
	for (guint i = 0; node->op != QUERY_NOT && node->children && i < node->children->len; i++)
		if (!suggest_look_at(
		            r, visible, text, node->children->pdata[i], nearest, out, error))
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

static int suggest_widen(void *data, const char *token, int length, int start, int end)
{
	TypedPlace *place = data;
	if (place->start < 0)
		place->start = start;
	place->end = MAX(place->end, end);
	return 0;
}

/* The phrase as it stands in the query, from its first word to its last: INV-2021-0003. NULL: it
 * is none, or does not stand there. */
static char *suggest_typed_phrase(const char *text, const QueryNode *node)
{
	TypedPlace place = {.start = -1};
	size_t length = strlen(text);
	if (node->op != QUERY_WORDS || !node->tokens[1] || node->pattern || node->prefix ||
	        node->edits > 0 || node->parts || node->position > length ||
	        node->length > length - node->position || node->length > G_MAXINT)
		return NULL;
	tokenize_phrase(text + node->position, node->length, suggest_widen, &place);
	return place.start < 0
	               ? NULL
	               : g_strndup(text + node->position + place.start, place.end - place.start);
}

static bool look_at_single_term(
        Reader *r, const char *text, QueryNode *node, GPtrArray *out, GError **error)
{
	const SearchOptions options = {.limit = 1, .any = true, .uid = geteuid()};
	Query by_itself = {.text = (char *)"", .root = node, .expanded = true};
	g_autoptr(SearchResult) result = search_run(r, &by_itself, &options, error);
	if (!result)
		return false;
	if (result->total > 0)
		return true;
	Missing *one = g_new0(Missing, 1);
	one->word = suggest_written(node);
	one->typed = suggest_typed_phrase(text, node);
	one->by_itself = true;
	g_ptr_array_add(out, one);
	return true;
}

static bool look_at_open(
        Reader *r, const char *text, QueryNode *node, GPtrArray *out, GError **error)
{
	if (node->op == QUERY_WORDS)
		return !suggest_is_open(node) || is_told(out, node) ||
		       look_at_single_term(r, text, node, out, error);
	if (node->op == QUERY_FILTER)
		return look_at_single_term(r, text, node, out, error);
	for (guint i = 0; node->op != QUERY_NOT && node->children && i < node->children->len; i++)
		if (!look_at_open(r, text, node->children->pdata[i], out, error))
			return false;
	return true;
}

bool reader_missing(
        Reader *r, const Query *query, unsigned nearest, GPtrArray **missing_r, GError **error)
{
	g_autoptr(GPtrArray) out = g_ptr_array_new_with_free_func(missing_free);
	g_autoptr(Visible) visible = visible_new(r, geteuid(), error);
	if (!visible || !reader_begin(r, MAX_MS, error))
		return false;
	bool ok = suggest_look_at(r, visible, query->text, query->root, &nearest, out, error);
	reader_end(r);
	bool one = query->root->op == QUERY_FILTER; /* the filter is already reported */
	ok = ok && (one || look_at_open(r, query->text, query->root, out, error));
	*missing_r = ok ? g_steal_pointer(&out) : NULL;
	return ok;
}
