/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/export/at-query.h"
#include "common/base/i18n.h"
#include "index/text/columns.h"
#include "index/text/stem.h"
#include "index/text/word-signs.h"
#include "ui-cli/print/json-writer.h"
#include <string.h>

enum { AT_MOST_GAP = 255 }; /* a regular expression of PostgreSQL counts no further */

typedef struct {
	const Query *query;
	GString *leaves, *filters, *rank;
	unsigned n_leaves, n_filters;
	char **languages; /* all whose forms are known */
	uint32_t home; /* the languages of the user, as bits of stem_language() */
	QueryFault *fault;
	GError **error;
} AtQuery;

static bool at_refuse(AtQuery *q, const QueryNode *node, const char *hint, const char *why)
{
	*q->fault = (QueryFault){node->position, node->length, g_strdup(hint)};
	g_set_error_literal(q->error, QUERY_ERROR, 0, why);
	return false;
}

static void at_append_texts(GString *out, const char *key, char *const *texts)
{
	json_open(out, key, '[');
	for (; texts && *texts; texts++)
		json_text(out, NULL, *texts);
	json_close(out, ']');
}

/* ---- words */

/* NULL: refused. */
static const char *at_scope_name(QueryScope scope)
{
	int column = query_scope_column(scope);
	if (scope == SCOPE_ANY)
		return "any";
	if (scope == SCOPE_FILENAME)
		return query_scope_name(scope);
	return column >= 0 ? column_name(column) : NULL;
}

static bool at_check_words(AtQuery *q, const QueryNode *node)
{
	if (!at_scope_name(node->scope))
		return at_refuse(q, node, NULL,
		        _("A target does not know the texts of links to a document"));
	if (node->pattern)
		return at_refuse(q, node, _("Write the beginning of a word and a star: begin*."),
		        _("A target cannot search for a pattern"));
	if (node->edits > 0)
		return at_refuse(
		        q, node, NULL, _("A target cannot search for words with wrong letters"));
	if (node->parts && !node->exact)
		return at_refuse(q, node, _("Quote each of them: \"one\" NEAR/5 \"two\"."),
		        _("A target finds words near each other only as they are written"));
	if (node->parts && (query_parts(node) > 2 || node->gap > AT_MOST_GAP))
		return at_refuse(q, node, NULL,
		        _("A target finds only two words or phrases near each other, with at most "
		          "255 words between them"));
	return true;
}

static void at_append_parts(GString *out, const QueryNode *node)
{
	json_open(out, "parts", '[');
	for (guint i = 0; node->tokens[i];) {
		guint end = node->parts ? query_part_end(node, i) : g_strv_length(node->tokens);
		json_open(out, NULL, '[');
		for (; i < end; i++)
			json_text(out, NULL, node->tokens[i]);
		json_close(out, ']');
	}
	json_close(out, ']');
}

/* languages: codes that end with NULL. */
static void at_append_forms(
        GString *out, const GPtrArray *terms, char *const *languages, bool others)
{
	if (terms->len == 0)
		return;
	json_open(out, NULL, '{');
	json_open(out, "terms", '[');
	for (guint i = 0; i < terms->len; i++)
		json_text(out, NULL, terms->pdata[i]);
	json_close(out, ']');
	at_append_texts(out, "languages", languages);
	json_bool(out, "others", others);
	json_close(out, '}');
}

/* As in a search here (index/search/expand.c): a word with digits or signs has no other forms. */
static bool at_is_inflected(const QueryNode *node)
{
	const char *word = node->tokens[0];
	return !node->exact && !node->prefix && !node->tokens[1] &&
	       !word[strcspn(word, "0123456789")] && !word_is_signed(word, (int)strlen(word));
}

static void at_append_forms_in(AtQuery *q, GString *out, const QueryNode *node, char *language)
{
	g_autoptr(GPtrArray) forms = g_ptr_array_new_with_free_func(g_free);
	char *const languages[] = {language, NULL};
	stem_append_forms(forms, node->tokens[0], language);
	at_append_forms(out, forms, languages, q->home & stem_language(language));
}

/* Other spellings of a short word count only in languages that have umlauts, and so do their
 * inflected forms, whatever the word is. */
static void at_append_spellings(AtQuery *q, GString *out, const QueryNode *node)
{
	enum { SHORT = 4 };
	static const char *const umlauts[] = {"de", "da", "no", "sv", NULL},
	                         *german[] = {"de", NULL};
	bool everywhere = strlen(node->tokens[0]) > SHORT || !g_str_is_ascii(node->tokens[0]);
	g_autoptr(GPtrArray) spellings = g_ptr_array_new();
	g_autoptr(GPtrArray) forms = g_ptr_array_new_with_free_func(g_free);
	for (char **spelling = node->spellings; spelling && *spelling; spelling++) {
		g_ptr_array_add(spellings, *spelling);
		stem_append_forms(forms, *spelling, "de");
	}
	at_append_forms(out, spellings, everywhere ? q->languages : (char *const *)umlauts,
	        everywhere || q->home & stem_language("de"));
	at_append_forms(out, forms, (char *const *)german, q->home & stem_language("de"));
}

static void at_append_leaf(AtQuery *q, const QueryNode *node)
{
	GString *out = q->leaves;
	json_open(out, NULL, '{');
	json_text(out, "scope", at_scope_name(node->scope));
	at_append_texts(out, "tokens", node->tokens);
	json_bool(out, "prefix", node->prefix);
	at_append_parts(out, node);
	json_unsigned(out, "gap", node->parts ? node->gap : 0);
	json_bool(out, "ordered", !node->parts || node->ordered);
	json_open(out, "forms", '[');
	for (char **language = q->languages; at_is_inflected(node) && *language; language++)
		at_append_forms_in(q, out, node, *language);
	if (at_is_inflected(node))
		at_append_spellings(q, out, node);
	json_close(out, ']');
	json_text(out, "path", node->path);
	json_close(out, '}');
}

/* The words as they were written, which is what a target ranks by. */
static void at_append_rank(AtQuery *q, const QueryNode *node)
{
	const char *text = q->query->text;
	size_t length = strlen(text), from = MIN(node->position, length);
	g_autofree char *written = g_utf8_make_valid(text + from, MIN(node->length, length - from));
	g_autofree char *folded = g_strjoinv(" ", node->tokens);
	json_text(q->rank, NULL, *written ? written : folded);
}

static void at_write_leaf(AtQuery *q, GString *out, const QueryNode *node)
{
	at_append_leaf(q, node);
	json_unsigned(out, "leaf", q->n_leaves++);
}

/* "Wi-Fi" as two words, or as one; an apostrophe between them may be one of two letters. */
static void at_write_joined(AtQuery *q, GString *out, const QueryNode *node)
{
	json_open(out, "or", '[');
	json_open(out, NULL, '{');
	at_write_leaf(q, out, node);
	json_close(out, '}');
	for (char **one = node->joined; *one; one++) {
		char *word[] = {*one, NULL};
		QueryNode joined = {.op = QUERY_WORDS, .scope = node->scope, .tokens = word};
		json_open(out, NULL, '{');
		at_write_leaf(q, out, &joined);
		json_close(out, '}');
	}
	json_close(out, ']');
}

static bool at_write_words(AtQuery *q, GString *out, const QueryNode *node, bool excluded)
{
	if (!at_check_words(q, node))
		return false;
	if (node->joined)
		at_write_joined(q, out, node);
	else
		at_write_leaf(q, out, node);
	if (!excluded)
		at_append_rank(q, node);
	return true;
}

/* ---- filters */

/* NULL: refused. */
static const char *at_filter_name(QueryFilter filter)
{
	static const QueryFilter known[] = {FILTER_EXT, FILTER_MIME, FILTER_TYPE, FILTER_DIR,
	        FILTER_IN, FILTER_DATE, FILTER_MODIFIED, FILTER_SIZE, FILTER_DURATION, FILTER_PAGES,
	        FILTER_IS, FILTER_LANG, FILTER_SENT, FILTER_SOURCE, FILTER_URL};
	if (filter == FILTER_ALL)
		return "all";
	for (size_t i = 0; i < G_N_ELEMENTS(known); i++)
		if (known[i] == filter)
			return query_filter_name(filter);
	return NULL;
}

static const char *at_filter_refusal(QueryFilter filter)
{
	switch (filter) {
	case FILTER_OWNER:
	case FILTER_GROUP:
		return _("A target has the files of several machines, and the numbers of users and "
		         "groups differ between them");
	case FILTER_NEAR:
	case FILTER_RELATED:
	case FILTER_DUP:
	case FILTER_THREAD:
	case FILTER_SUM:
		return _("A target has no fingerprints: it cannot compare documents with a file "
		         "here");
	case FILTER_SITE:
	case FILTER_INURL:
		return _("A target does not know the parts of URLs; url:URL finds a page there");
	default:
		return _("A target does not know this of documents");
	}
}

static bool at_state_is_known(const char *state)
{
	static const char *const states[] = {"file", "member", "hidden", NULL};
	return g_strv_contains(states, state);
}

static bool at_check_filter(AtQuery *q, const QueryNode *node)
{
	if (!at_filter_name(node->filter))
		return at_refuse(q, node, NULL, at_filter_refusal(node->filter));
	for (char **state = node->values; node->filter == FILTER_IS && *state; state++)
		if (!at_state_is_known(*state))
			return at_refuse(q, node, _("Known are is:file, is:member and is:hidden."),
			        _("A target does not know this of documents"));
	return true;
}

static bool at_write_filter(AtQuery *q, GString *out, const QueryNode *node)
{
	if (!at_check_filter(q, node))
		return false;
	json_open(q->filters, NULL, '{');
	json_text(q->filters, "field", at_filter_name(node->filter));
	at_append_texts(q->filters, "values", node->values);
	json_int(q->filters, "low", node->low);
	json_int(q->filters, "high", node->high);
	json_close(q->filters, '}');
	json_unsigned(out, "filter", q->n_filters++);
	return true;
}

/* ---- the tree */

static bool at_write_inside(
        AtQuery *q, GString *out, const char *key, const QueryNode *node, bool excluded);

static bool at_write_children(AtQuery *q, GString *out, const QueryNode *node, bool excluded)
{
	json_open(out, node->op == QUERY_AND ? "and" : "or", '[');
	for (guint i = 0; i < node->children->len; i++)
		if (!at_write_inside(q, out, NULL, node->children->pdata[i], excluded))
			return false;
	json_close(out, ']');
	return true;
}

static bool at_write_node(AtQuery *q, GString *out, const QueryNode *node, bool excluded)
{
	switch (node->op) {
	case QUERY_WORDS:
		return at_write_words(q, out, node, excluded);
	case QUERY_FILTER:
		return at_write_filter(q, out, node);
	case QUERY_NOT:
		return at_write_inside(q, out, "not", node->children->pdata[0], !excluded);
	default:
		return at_write_children(q, out, node, excluded);
	}
}

static bool at_write_inside(
        AtQuery *q, GString *out, const char *key, const QueryNode *node, bool excluded)
{
	json_open(out, key, '{');
	bool ok = at_write_node(q, out, node, excluded);
	json_close(out, '}');
	return ok;
}

static uint32_t at_home_languages(void)
{
	uint32_t home = stem_language("en");
	for (const char *const *name = g_get_language_names(); *name; name++)
		home |= stem_language(*name);
	return home;
}

/* A search without words has nothing to rank by. */
static const char *at_sort_name(const AtQuery *q, SortOrder sort)
{
	static const char *const names[] = {"relevance", "date", "size", "name", "path"};
	bool unranked = sort == SORT_RELEVANCE && q->rank->len == strlen("[");
	return unranked ? "date" : names[sort];
}

char *at_query_json(
        const Query *query, const AtQueryOptions *options, QueryFault *fault, GError **error)
{
	g_autofree char *names = stem_language_names(UINT32_MAX);
	g_auto(GStrv) languages = g_strsplit(names, " ", -1);
	g_autoptr(GString) leaves = g_string_new(NULL), filters = g_string_new(NULL),
	                   rank = g_string_new(NULL), out = g_string_new(NULL);
	AtQuery q = {.query = query,
	        .leaves = leaves,
	        .filters = filters,
	        .rank = rank,
	        .languages = languages,
	        .home = at_home_languages(),
	        .fault = fault,
	        .error = error};
	json_open(leaves, NULL, '[');
	json_open(filters, NULL, '[');
	json_open(rank, NULL, '[');
	json_open(out, NULL, '{');
	if (!at_write_inside(&q, out, "tree", query->root, false))
		return NULL;
	json_text(out, "sort", at_sort_name(&q, options->sort));
	json_close(leaves, ']');
	json_close(filters, ']');
	json_close(rank, ']');
	g_string_append_printf(out, ",\"leaves\":%s,\"filters\":%s,\"rank\":%s", leaves->str,
	        filters->str, rank->str);
	at_append_texts(out, "languages", languages);
	json_bool(out, "reverse", options->reverse);
	json_bool(out, "places", options->places);
	json_bool(out, "snippets", options->snippets);
	json_close(out, '}');
	return g_string_free(g_steal_pointer(&out), FALSE);
}
