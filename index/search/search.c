/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/search/search-private.h"
#include "index/search/candidates.h"
#include "index/search/expand.h"
#include "index/search/meaning-share.h"
#include "index/search/search-near.h"
#include "index/search/term-visible.h"
#include "index/fts/term-scan.h"
#include "common/base/i18n.h"
#include "index/store/states.h"

SearchState *search_attach(Reader *r, GError **error)
{
	SearchState *state = r->search_state;
	if (!state) {
		state = r->search_state = g_new0(SearchState, 1);
		state->r = r;
		r->free_search_state = g_free;
	}
	if (!state->registered)
		state->registered = rank_register(r->db, &state->rank, error) &&
		                    search_register(state, error) &&
		                    whole_query_register(state, error);
	return state->registered ? state : NULL;
}

void hit_free(Hit *hit)
{
	if (!hit)
		return;
	info_clear(&hit->info);
	g_free(hit->host);
	if (hit->copies)
		g_ptr_array_unref(hit->copies);
	g_free(hit);
}

void search_result_free(SearchResult *result)
{
	if (!result)
		return;
	g_ptr_array_unref(result->hits);
	g_free(result->suggestion);
	if (result->other_suggestions)
		g_ptr_array_unref(result->other_suggestions);
	g_free(result);
}

SearchOptions search_rest_of_page(const SearchOptions *options, const SearchResult *result)
{
	SearchOptions rest = *options;
	rest.limit -= MIN(rest.limit, result->hits->len);
	rest.offset = options->offset > result->total ? options->offset - result->total : 0;
	return rest;
}

void search_result_append(SearchResult *result, SearchResult *more)
{
	g_ptr_array_extend_and_steal(result->hits, g_steal_pointer(&more->hits));
	more->hits = g_ptr_array_new();
	result->total += more->total;
	result->total_exact &= more->total_exact;
}

/* ---- the stages */

static bool match_query(const Search *s, QueryTerms *terms, Matches *m, GError **error)
{
	return search_stream(s, m, error) && search_prefixes(s, m, terms, error) &&
	       search_narrow(s, m, error) && search_judge(s, m, error);
}

static bool run_stages(Search *s, GPtrArray *subjects, QueryTerms *terms, Matches *m,
        SearchResult *result, GError **error)
{
	if (!search_related(s, subjects, error))
		return false;
	s->subjects = subjects;
	if (!search_terms(s, terms, error))
		return false;
	s->terms = terms;
	return match_query(s, terms, m, error) &&
	       (s->options->dups != DUPS_ONLY || search_keep_dups(s, m, error)) &&
	       search_rank(s, m, error) && search_mix_meaning(s, m, error) &&
	       search_raise_choices(s, m, error) && search_hits(s, m, result, error) &&
	       search_coverage(s, result, error);
}

/* *short_r: the page is not full although some matches were not evaluated. */
static SearchResult *run_plan(SearchState *state, const QueryPlan *plan,
        const SearchOptions *options, bool *short_r, GError **error)
{
	g_autoptr(SearchResult) result = g_new0(SearchResult, 1);
	g_autoptr(GArray) offline = g_array_new(FALSE, FALSE, sizeof(int64_t));
	g_autoptr(GPtrArray) subjects =
	        g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
	QueryTerms terms = {0};
	Matches m = {.list = g_array_new(FALSE, FALSE, sizeof(SearchMatch)),
	        .documents = g_array_new(FALSE, FALSE, sizeof(int64_t)),
	        .meanings = g_array_new(FALSE, FALSE, sizeof(SearchScore)),
	        .proximities = g_array_new(FALSE, FALSE, sizeof(SearchScore))};
	Search s = {.r = state->r,
	        .state = state,
	        .options = options,
	        .plan = plan,
	        .offline = offline};

	result->hits = g_ptr_array_new_with_free_func((GDestroyNotify)hit_free);
	state->search = &s;
	bool found = search_find_offline(state->r, offline, error),
	     ok = found && run_stages(&s, subjects, &terms, &m, result, error);
	state->search = NULL;
	search_forget_counts(state);
	result->meaning = m.meaning;
	result->meaning_brought = m.meaning_brought;
	*short_r = m.unasked > 0 && result->hits->len < options->limit;
	if (found)
		search_terms_clear(&terms);
	g_array_unref(m.list);
	g_array_unref(m.documents);
	g_array_unref(m.meanings);
	g_array_unref(m.proximities);
	return ok ? g_steal_pointer(&result) : NULL;
}

static SearchResult *run_choice(SearchState *state, const Query *query,
        const SearchOptions *options, PlanChoice choice, bool *short_r, GError **error)
{
	QueryPlan plan;
	search_plan(&plan, state->r, query, options, choice);
	SearchResult *result = run_plan(state, &plan, options, short_r, error);
	search_plan_clear(&plan);
	return result;
}

static SearchResult *run_in_snapshot(Reader *r, const Query *query, const SearchOptions *options,
        PlanChoice choice, GError **error)
{
	bool cut;
	SearchState *state = search_attach(r, error);
	SearchResult *result =
	        state ? run_choice(state, query, options, choice, &cut, error) : NULL;
	if (!result || !cut)
		return result;
	search_result_free(result);
	return run_choice(state, query, options, PLAN_ALL_FILTERS, &cut, error);
}

SearchResult *search_run_planned(
        Reader *r, Query *query, const SearchOptions *options, PlanChoice choice, GError **error)
{
	if (!reader_begin(r, options->max_ms ? options->max_ms : QUERY_MAX_MS, error))
		return NULL;
	SearchResult *result = query_expand(query, r, error)
	                               ? run_in_snapshot(r, query, options, choice, error)
	                               : NULL;
	reader_end(r);
	return result;
}

/* ---- numbers in another spelling */

static bool search_terms_exist(
        const char *const *terms, size_t n, bool *exists, void *data, GError **error)
{
	Reader *r = data;
	return terms_exist(r, TERMS_OF_TEXT, terms, n, exists, error) &&
	       terms_exist(r, TERMS_OF_NAMES, terms, n, exists, error);
}

static bool search_vary_numbers(Reader *r, const Query *query, Query **varied_r, GError **error)
{
	if (!reader_begin(r, QUERY_MAX_MS, error))
		return false;
	bool ok = query_vary_numbers(query, search_terms_exist, r, varied_r, error);
	reader_end(r);
	return ok;
}

static bool search_vary_certain_number(
        Reader *r, const Query *query, Query **varied_r, Query **others_r, GError **error)
{
	if (!reader_begin(r, QUERY_MAX_MS, error))
		return false;
	bool ok =
	        query_vary_certain_number(query, search_terms_exist, r, varied_r, others_r, error);
	reader_end(r);
	return ok;
}

/* The query becomes the other one, but for its text. */
static void search_replace_query(Query *query, Query *other, const char *why)
{
	QueryNode *root = query->root;
	g_autoptr(GStrvBuilder) notes = g_strv_builder_new();
	for (char **note = query->notes; note && *note; note++)
		g_strv_builder_add(notes, *note);
	g_strv_builder_add(notes, why);
	query->root = other->root;
	query->expanded = other->expanded;
	query->languages = other->languages;
	other->root = root;
	g_strfreev(query->notes);
	query->notes = g_strv_builder_end(notes);
}

/* Adds what has the number or day of the query in another spelling: by relevance after what has
 * it as it was typed, in another order among it. */
static bool search_add_spellings(Reader *r, Query *query, const SearchOptions *options,
        SearchResult **result, GError **error)
{
	g_autoptr(Query) varied = NULL, others = NULL;
	if (!search_vary_certain_number(r, query, &varied, &others, error))
		return false;
	if (!varied)
		return true;
	bool behind = options->sort == SORT_RELEVANCE && !options->reverse;
	SearchOptions rest = search_rest_of_page(options, *result);
	SearchResult *more = search_run_planned(
	        r, behind ? others : varied, behind ? &rest : options, PLAN_FAST, error);
	if (!more)
		return false;
	bool any = more->total > (behind ? 0 : (*result)->total);
	if (any && behind) {
		search_result_append(*result, more);
	} else if (any) {
		SearchResult *typed = *result;
		*result = more;
		more = typed;
	}
	search_result_free(more);
	if (any)
		search_replace_query(
		        query, varied, _("The number was also searched in other spellings"));
	return true;
}

/* Searches the other query, if there is one, in place of a query that found nothing. */
static bool search_try_other(Reader *r, Query *query, Query *other, const char *why,
        const SearchOptions *options, SearchResult **result, GError **error)
{
	SearchResult *found =
	        other ? search_run_planned(r, other, options, PLAN_FAST, error) : NULL;
	if (!found)
		return !other;
	if (found->total > 0) {
		search_replace_query(query, other, why);
		search_result_free(*result);
		*result = found;
	} else {
		search_result_free(found);
	}
	return true;
}

/* Tries the other spellings of a query that found nothing: first those that differ least. */
static bool search_other_spellings(Reader *r, Query *query, const SearchOptions *options,
        SearchResult **result, GError **error)
{
	for (int page = 0; page <= 1 && (*result)->total == 0; page++) {
		g_autoptr(Query) shorter = query_shorten_addresses(query, page);
		const char *why =
		        page ? _("The address was searched without its parameters, because "
		                 "nothing has all of it")
		             : _("The address was searched without its scheme and \"www.\", "
		                 "because nothing has them");
		if (!search_try_other(r, query, shorter, why, options, result, error))
			return false;
	}
	g_autoptr(Query) varied = NULL;
	if ((*result)->total > 0)
		return true;
	return search_vary_numbers(r, query, &varied, error) &&
	       search_try_other(r, query, varied,
	               _("The number was searched in other spellings, because nothing was found as "
	                 "it was typed"),
	               options, result, error);
}

SearchResult *search_run(Reader *r, Query *query, const SearchOptions *options, GError **error)
{
	g_autoptr(SearchResult) result = search_run_planned(r, query, options, PLAN_FAST, error);
	if (!result)
		return NULL;
	bool ok = result->total == 0
	                  ? search_other_spellings(r, query, options, &result, error)
	                  : !query_has_certain_number(query) ||
	                            search_add_spellings(r, query, options, &result, error);
	return ok ? g_steal_pointer(&result) : NULL;
}

/* ---- for --explain */

static void append_sql(GString *out, const SearchSql *sql)
{
	if (sql->text->len == 0)
		return;
	g_string_append_printf(out, "%s\n", sql->text->str);
	for (guint i = 0; i < sql->values->len; i++) {
		GVariant *value = sql->values->pdata[i];
		if (g_variant_is_of_type(value, G_VARIANT_TYPE_INT64))
			g_string_append_printf(out, "  ?%u = %" G_GINT64_FORMAT "\n", i + 1,
			        g_variant_get_int64(value));
		else
			g_string_append_printf(
			        out, "  ?%u = '%s'\n", i + 1, g_variant_get_bytestring(value));
	}
}

static void append_single_term(GString *out, const QueryNode *node)
{
	g_string_append_printf(out,
	        "%s\n  ?1 = each document that has \"%s%s\", by the pages of table text\n",
	        single_term_sql(), node->tokens[0], node->prefix ? "*" : "");
}

static void explain_source(GString *out, const Search *s)
{
	const QueryPlan *plan = s->plan;
	g_autoptr(SearchSql) sql = plan->source == SOURCE_EXPRESSION_ROWS
	                                   ? candidates_rows_sql(s, ROWS_OF_TEXT)
	                                   : candidates_expression_sql(s);
	g_autoptr(SearchSql) filters =
	        plan->deferred ? candidates_rows_sql(s, ROWS_OF_DOCUMENTS) : search_sql_new();
	if (plan->source == SOURCE_SINGLE_TERM)
		append_single_term(out, plan->words->pdata[0]);
	else
		append_sql(out, sql);
	for (guint i = 0; i < plan->prefixes->len; i++) {
		unsigned term = search_prefix_term(plan, plan->prefixes->pdata[i]);
		append_single_term(out, g_array_index(plan->terms, SearchTerm, term).node);
	}
	append_sql(out, filters);
}

char *search_explain(Reader *r, Query *query, const SearchOptions *options, GError **error)
{
	QueryPlan plan;
	g_autoptr(Visible) visible = visible_new(r, options->uid, error);
	if (!visible || !reader_begin(r, QUERY_MAX_MS, error))
		return NULL;
	bool told = query_expand(query, r, error) && term_visible_forms(r, visible, query, error);
	SearchState *state = told ? search_attach(r, error) : NULL;
	if (!state) {
		reader_end(r);
		return NULL;
	}
	search_plan(&plan, r, query, options, PLAN_FAST);
	Search s = {.r = r, .state = state, .options = options, .plan = &plan};
	GString *out = g_string_new(NULL);
	if (plan.source != SOURCE_ENTRIES)
		explain_source(out, &s);
	for (guint i = 0; i < plan.filters->len; i++) {
		g_autoptr(SearchSql) scan = search_scan_sql(&s, plan.filters->pdata[i]);
		append_sql(out, scan);
	}
	RowSource judged = plan.source != SOURCE_ENTRIES ? ROWS_OF_NODES
	                   : plan.near                   ? ROWS_OF_NEAR
	                   : plan.related                ? ROWS_OF_DOCUMENTS
	                                                 : ROWS_OF_ENTRIES;
	g_autoptr(SearchSql) rows = candidates_rows_sql(&s, judged);
	append_sql(out, rows);
	search_plan_clear(&plan);
	reader_end(r);
	return g_string_free(out, FALSE);
}
