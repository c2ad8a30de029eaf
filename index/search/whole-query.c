/* SPDX-License-Identifier: GPL-3.0-or-later */
/* whole-query.c - documents that have the query as a whole: as their title, or in its order
 *
 * A person who types a title wants that document, however often others have its words. Two searches
 * of the text index find such documents: one for titles that begin with the words, one for texts
 * with all words in their order and at most a few others between them. Both read the posting lists
 * that the search reads anyway, and rank nothing.
 *
 * Words that were joined by OR need not stand together: then their order is not a sign of what is
 * looked for. A list of contents has the words of a question in order, and not its answer. */
#include <config.h>
#include "index/search/search-private.h"
#include "index/search/sequence.h"
#include "index/text/columns.h"
#include <string.h>

/* Bonuses as shares of the weight of all words. A text alone seldom has more than 3. */
static const double title_bonus = 4, title_begins_bonus = 2, order_bonus = 5, between_cost = 0.8;

/* A query of more words than that is not a title. */
enum { MOST_TOKENS = 32 };
/* Two words in order are close by chance, and rank.c counts their distance. So many words may stand
 * between those of the query. */
enum { FEWEST_IN_ORDER = 3, MOST_BETWEEN = 3 };

/* FTS5 has no sizes of a text to which words with signs were added later
 * (index/write/write-signs.c); then the words of the title itself count. The wide rows of facts are
 * read for no other title. */
static const char title_sql[] =
        "SELECT rowid, coalesce(tarsier_title_words(text), tarsier_words((SELECT title FROM fact "
        "WHERE document = text.rowid))) FROM text WHERE text MATCH ?1";
static const char order_sql[] = "SELECT rowid, tarsier_span(text) FROM text WHERE text MATCH ?1";

typedef struct {
	int start; /* of the last word */
	int words;
} TitleCount;

/* A part of a word begins where that word does. */
static int title_count_token(void *data, const char *token, int length, int start, int end)
{
	TitleCount *count = data;
	(void)token, (void)length, (void)end;
	count->words += start != count->start;
	count->start = start;
	return 0;
}

static void words_function(sqlite3_context *context, int n, sqlite3_value **values)
{
	TitleCount count = {.start = -1};
	const char *text = (const char *)sqlite3_value_text(values[0]);
	(void)n;
	if (text)
		tokenize(text, sqlite3_value_bytes(values[0]), title_count_token, &count);
	sqlite3_result_int(context, count.words);
}

/* The number of words in the title; NULL: it is unknown. */
static void title_words_function(const Fts5ExtensionApi *api, Fts5Context *fts,
        sqlite3_context *context, int n, sqlite3_value **values)
{
	int words = 0, result = api->xColumnSize(fts, COLUMN_TITLE, &words);
	(void)n, (void)values;
	if (result != SQLITE_OK)
		sqlite3_result_error_code(context, result);
	else if (words > 0)
		sqlite3_result_int(context, words);
}

static void span_function(const Fts5ExtensionApi *api, Fts5Context *fts, sqlite3_context *context,
        int n, sqlite3_value **values)
{
	int span, result = sequence_span(api, fts, &span);
	(void)n, (void)values;
	if (result == SQLITE_OK)
		sqlite3_result_int(context, span);
	else
		sqlite3_result_error_code(context, result);
}

bool whole_query_register(SearchState *state, GError **error)
{
	fts5_api *api = tokenizer_fts5(state->r->db);
	if (!api ||
	        api->xCreateFunction(api, "tarsier_title_words", NULL, title_words_function,
	                NULL) != SQLITE_OK ||
	        api->xCreateFunction(api, "tarsier_span", NULL, span_function, NULL) != SQLITE_OK ||
	        sqlite3_create_function_v2(state->r->db, "tarsier_words", 1,
	                SQLITE_UTF8 | SQLITE_DIRECTONLY, NULL, words_function, NULL, NULL,
	                NULL) != SQLITE_OK)
		return db_fail(state->r->db, "FTS5", error);
	return true;
}

/* ---- the words in their order */

typedef struct {
	GPtrArray *nodes; /* const QueryNode */
	unsigned tokens;
	bool open_end; /* the last word is of a script without spaces */
} WholeQuery;

static bool whole_query_fits_term(const SearchTerm *term)
{
	const QueryNode *node = term->node;
	return node->scope == SCOPE_ANY && !node->pattern && !node->prefix && node->edits == 0 &&
	       !node->parts;
}

bool search_is_open_end(const QueryNode *word, const QueryNode *node)
{
	return node->op == QUERY_WORDS && node->prefix && !node->pattern &&
	       node->scope == SCOPE_ANY && word->op == QUERY_WORDS && !word->prefix &&
	       word->scope == SCOPE_ANY &&
	       g_strv_equal((const char *const *)word->tokens, (const char *const *)node->tokens);
}

/* "word OR word*" is a word that is still being typed. */
static bool whole_query_is_open_word(const QueryNode *node)
{
	return node->op == QUERY_OR && node->children->len == 2 &&
	       search_is_open_end(node->children->pdata[0], node->children->pdata[1]);
}

/* Are the words of the query one sequence: joined by AND, or all of them by OR? */
static bool whole_query_is_sequence(const QueryNode *root)
{
	for (guint i = 0; root->op == QUERY_AND && i < root->children->len; i++) {
		const QueryNode *child = root->children->pdata[i];
		if (child->op == QUERY_AND ||
		        (child->op == QUERY_OR && !whole_query_is_open_word(child)))
			return false;
	}
	return root->op != QUERY_FILTER && root->op != QUERY_NOT;
}

/* Returns false if the query is not a sequence of plain words. */
static bool whole_query_collect(const QueryPlan *plan, WholeQuery *out)
{
	if (!whole_query_is_sequence(plan->root))
		return false;
	for (guint i = 0; i < plan->terms->len; i++) {
		const SearchTerm *term = &g_array_index(plan->terms, SearchTerm, i);
		const QueryNode *before =
		        out->nodes->len > 0 ? out->nodes->pdata[out->nodes->len - 1] : NULL;
		if (!term->scored || (before && search_is_open_end(before, term->node)))
			continue;
		if (!whole_query_fits_term(term))
			return false;
		g_ptr_array_add(out->nodes, (gpointer)term->node);
		out->tokens += g_strv_length(term->node->tokens);
	}
	if (out->tokens == 0 || out->tokens > MOST_TOKENS)
		return false;
	const QueryNode *last = out->nodes->pdata[out->nodes->len - 1];
	const char *token = last->tokens[g_strv_length(last->tokens) - 1];
	out->open_end = tokenize_unspaced(token, strlen(token)) > 0;
	return true;
}

/* Appends the words of a node, as a part of a quoted phrase. */
static void whole_query_append(GString *out, const QueryNode *node)
{
	for (char **token = node->tokens; *token; token++)
		g_string_append_printf(out, "%s%s", token > node->tokens ? " " : "", *token);
}

static char *title_expression(const WholeQuery *whole)
{
	GString *out = g_string_new("{title} : ^\"");
	for (guint i = 0; i < whole->nodes->len; i++) {
		g_string_append(out, i > 0 ? " " : "");
		whole_query_append(out, whole->nodes->pdata[i]);
	}
	g_string_append_c(out, '"');
	return g_string_free(out, FALSE);
}

/* Number of the words between the first phrase and the last, if nothing else stands there. */
static unsigned whole_query_inner_words(const WholeQuery *whole)
{
	const QueryNode *first = whole->nodes->pdata[0];
	const QueryNode *last = whole->nodes->pdata[whole->nodes->len - 1];
	return whole->tokens - g_strv_length(first->tokens) - g_strv_length(last->tokens);
}

static char *order_expression(const WholeQuery *whole)
{
	GString *out = g_string_new("NEAR(");
	for (guint i = 0; i < whole->nodes->len; i++) {
		g_string_append(out, i > 0 ? "\" \"" : "\"");
		whole_query_append(out, whole->nodes->pdata[i]);
	}
	g_string_append_printf(out, "\", %u)", whole_query_inner_words(whole) + MOST_BETWEEN);
	return g_string_free(out, FALSE);
}

/* ---- what they are worth */

/* words: number of words in the title. A run of a script without spaces ends in one more term. */
static double bonus_of_title(const WholeQuery *whole, int words)
{
	bool equal = words == (int)(whole->tokens + whole->open_end) || words == (int)whole->tokens;
	return equal ? title_bonus : title_begins_bonus;
}

/* The more words are in order, the less it is chance; the more others stand between them, the more
 * it is. */
static double bonus_of_order(const WholeQuery *whole, int span)
{
	int between = span - (int)whole_query_inner_words(whole);
	if (span < 0 || between > MOST_BETWEEN)
		return 0;
	return order_bonus * (1 - 2.0 / whole->nodes->len) / (1 + between_cost * MAX(between, 0));
}

typedef double (*BonusFunc)(const WholeQuery *whole, int number);

static bool whole_query_find(const Search *s, const char *sql, const char *expression,
        const WholeQuery *whole, BonusFunc bonus_of, GArray *bonuses, GError **error)
{
	double all = search_weight_of_all(s->terms);
	sqlite3_stmt *statement = reader_statement(s->r, sql, error);
	int row = statement ? 1 : -1;
	if (statement)
		sqlite3_bind_text(statement, 1, expression, -1, SQLITE_TRANSIENT);
	while (row > 0 && (row = reader_step(s->r, statement, error)) > 0) {
		SearchScore bonus = {sqlite3_column_int64(statement, 0),
		        all * bonus_of(whole, sqlite3_column_int(statement, 1))};
		if (bonus.score > 0)
			g_array_append_val(bonuses, bonus);
	}
	return row == 0;
}

/* A title that begins with the words has them in order too. */
static void add_up(GArray *bonuses)
{
	guint kept = 0;
	search_sort_scores(bonuses);
	for (guint i = 0; i < bonuses->len; i++) {
		SearchScore bonus = g_array_index(bonuses, SearchScore, i);
		SearchScore *last =
		        kept > 0 ? &g_array_index(bonuses, SearchScore, kept - 1) : NULL;
		if (last && last->document == bonus.document)
			last->score += bonus.score;
		else
			g_array_index(bonuses, SearchScore, kept++) = bonus;
	}
	g_array_set_size(bonuses, kept);
}

/* Is the order of the words in the text a sign? Documents with most words, which --soft puts first,
 * are looked for like those with all. */
static bool whole_query_has_order(const QueryPlan *plan, const WholeQuery *whole)
{
	return whole->nodes->len >= FEWEST_IN_ORDER &&
	       (plan->root->op != QUERY_OR || plan->step > 0);
}

static bool whole_query_fill(
        const Search *s, const WholeQuery *whole, GArray *bonuses, GError **error)
{
	g_autofree char *title = title_expression(whole), *order = order_expression(whole);
	if (!whole_query_find(s, title_sql, title, whole, bonus_of_title, bonuses, error))
		return false;
	return !whole_query_has_order(s->plan, whole) ||
	       whole_query_find(s, order_sql, order, whole, bonus_of_order, bonuses, error);
}

bool search_whole_query(const Search *s, QueryTerms *out, GError **error)
{
	g_autoptr(GPtrArray) nodes = g_ptr_array_new();
	WholeQuery whole = {.nodes = nodes};
	if (s->plan->sort != SORT_RELEVANCE || !whole_query_collect(s->plan, &whole))
		return true;
	Search with_terms = *s;
	with_terms.terms = out;
	bool ok = whole_query_fill(&with_terms, &whole, out->bonuses, error);
	add_up(out->bonuses);
	return ok;
}
