/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/search/search-private.h"
#include "index/search/expand.h"
#include "index/search/search-near.h"

static GArray *ids_new(void)
{
	return g_array_new(FALSE, FALSE, sizeof(int64_t));
}

static bool is_near(const QueryNode *node)
{
	return node->op == QUERY_FILTER && node->filter == FILTER_NEAR && node->resolved;
}

static const QueryNode *near_of_all(const QueryNode *root)
{
	for (guint i = 0; root->op == QUERY_AND && i < root->children->len; i++)
		if (is_near(root->children->pdata[i]))
			return root->children->pdata[i];
	return is_near(root) ? root : NULL;
}

static bool asks_for_offline(const QueryNode *node)
{
	if (node->op == QUERY_FILTER && node->filter == FILTER_IS &&
	        g_strv_contains((const char *const *)node->values, "offline"))
		return true;
	for (guint i = 0; node->op != QUERY_NOT && node->children && i < node->children->len; i++)
		if (asks_for_offline(node->children->pdata[i]))
			return true;
	return false;
}

SearchState *search_attach(Reader *r, GError **error)
{
	SearchState *state = r->search_state;
	if (!state) {
		state = r->search_state = g_new0(SearchState, 1);
		state->r = r;
		r->free_search_state = g_free;
	}
	if (!state->registered)
		state->registered =
		        rank_register(r->db, &state->rank, error) && search_register(state, error);
	return state->registered ? state : NULL;
}

static void search_begin(
        Search *s, SearchState *state, const Query *query, const SearchOptions *options)
{
	*s = (Search){.r = state->r,
	        .state = state,
	        .root = query->root,
	        .options = options,
	        .sort = options->sort};
	s->named = ids_new();
	s->languages = query->languages;
	s->other_language = g_ptr_array_new_with_free_func(other_language_free);
	s->whole_named = ids_new();
	s->named_documents = ids_new();
	s->rescored = ids_new();
	s->pairs = g_array_new(FALSE, FALSE, sizeof(SearchPair));
	s->proximities = g_array_new(FALSE, FALSE, sizeof(SearchScore));
	s->hidden = ids_new();
	s->offline = ids_new();
	s->matches = g_array_new(FALSE, FALSE, sizeof(SearchMatch));
	s->shows_offline = asks_for_offline(query->root);
	s->near = near_of_all(s->root);
	s->nears = g_ptr_array_new();
	/* Filters have no relevance: newest first, but what is near by its distance. */
	if (s->sort == SORT_RELEVANCE && !search_has_words(s->root))
		s->sort = s->near ? SORT_NEAREST : SORT_DATE;
	s->step = options->by_words && s->sort == SORT_RELEVANCE ? RANK_STEP : 0;
	search_plan(s);
	state->search = s;
}

static void search_end(Search *s)
{
	s->state->search = NULL;
	search_plan_clear(s);
	g_array_unref(s->named);
	g_array_unref(s->whole_named);
	g_array_unref(s->named_documents);
	g_array_unref(s->rescored);
	g_ptr_array_unref(s->other_language);
	g_array_unref(s->pairs);
	g_array_unref(s->proximities);
	g_array_unref(s->hidden);
	g_array_unref(s->offline);
	g_array_unref(s->matches);
	g_ptr_array_unref(s->nears);
}

void hit_free(Hit *hit)
{
	if (!hit)
		return;
	info_clear(&hit->info);
	if (hit->copies)
		g_ptr_array_unref(hit->copies);
	g_free(hit);
}

void search_result_free(SearchResult *result)
{
	if (!result)
		return;
	g_ptr_array_unref(result->hits);
	g_free(result);
}

/* *short_r: the page is not full, though there are matches that were not asked for. */
static SearchResult *run_once(SearchState *state, const Query *query, const SearchOptions *options,
        bool deferred, bool *short_r, GError **error)
{
	Search s;
	g_autoptr(SearchResult) result = g_new0(SearchResult, 1);

	result->hits = g_ptr_array_new_with_free_func((GDestroyNotify)hit_free);
	search_begin(&s, state, query, options);
	s.deferred = deferred && search_deferred_fits(&s);
	bool ok = search_find_offline(&s, error) && search_match(&s, error) &&
	          (options->dups != DUPS_ONLY || search_keep_dups(&s, error)) &&
	          search_hits(&s, result, error) && search_coverage(&s, result, error);
	*short_r = s.unasked > 0 && result->hits->len < options->limit;
	search_end(&s);
	return ok ? g_steal_pointer(&result) : NULL;
}

static SearchResult *run_in_snapshot(
        Reader *r, const Query *query, const SearchOptions *options, GError **error)
{
	bool cut;
	SearchState *state = search_attach(r, error);
	SearchResult *result = state ? run_once(state, query, options, true, &cut, error) : NULL;
	if (!result || !cut)
		return result;
	search_result_free(result);
	return run_once(state, query, options, false, &cut, error);
}

SearchResult *search_run(Reader *r, Query *query, const SearchOptions *options, GError **error)
{
	int64_t begin_us = g_get_monotonic_time();
	if (!reader_begin(r, QUERY_MAX_MS, error))
		return NULL;
	SearchResult *result =
	        query_expand(query, r, error) ? run_in_snapshot(r, query, options, error) : NULL;
	reader_end(r);
	if (result)
		result->ms = (g_get_monotonic_time() - begin_us) / 1000.0;
	return result;
}

/* ---- what the answer may lack */

static bool is_directory(const QueryNode *node)
{
	if (node->op == QUERY_FILTER)
		return node->filter == FILTER_DIR || node->filter == FILTER_IN;
	for (guint i = 0; node->op == QUERY_OR && i < node->children->len; i++)
		if (!is_directory(node->children->pdata[i]))
			return false;
	return node->op == QUERY_OR;
}

/* Only directories narrow it: what is not converted yet may have any type, date or word. */
static void append_scope(Search *s, SearchSql *sql)
{
	const QueryNode *root = s->root;
	const QueryNode *alone[] = {root};
	QueryNode *const *nodes = root->op == QUERY_AND ? (QueryNode *const *)root->children->pdata
	                                                : (QueryNode *const *)alone;
	guint n = root->op == QUERY_AND ? root->children->len : 1;
	for (guint i = 0; i < n; i++) {
		if (!is_directory(nodes[i]))
			continue;
		g_string_append(sql->text, " AND ");
		search_condition(s, nodes[i], sql);
	}
}

static bool count_scope(Search *s, const char *text, uint64_t *out, GError **error)
{
	g_autoptr(SearchSql) sql = search_sql_new();
	g_string_append(sql->text, text);
	append_scope(s, sql);
	sqlite3_stmt *statement = search_prepare(s, sql, error);
	int row = statement ? reader_step(s->r, statement, error) : -1;
	if (row > 0)
		*out += sqlite3_column_int64(statement, 0);
	sqlite3_finalize(statement);
	return row >= 0;
}

/* Files below a root that is not there. */
static bool search_count_offline(Search *s, uint64_t *out, GError **error)
{
	static const char sql[] =
	        "WITH RECURSIVE below(id, inode) AS (SELECT id, inode FROM node WHERE id = ?1 "
	        "UNION SELECT n.id, n.inode FROM below b CROSS JOIN node n ON n.parent = b.id) "
	        "SELECT count(*) FROM below b CROSS JOIN inode i ON i.id = b.inode WHERE i.kind = "
	        "0";
	for (guint i = 0; i < s->offline->len; i++) {
		sqlite3_stmt *statement = reader_statement(s->r, sql, error);
		if (!statement)
			return false;
		sqlite3_bind_int64(statement, 1, g_array_index(s->offline, int64_t, i));
		if (reader_step(s->r, statement, error) < 0)
			return false;
		*out += sqlite3_column_int64(statement, 0);
		sqlite3_reset(statement);
	}
	return true;
}

bool search_coverage(Search *s, SearchResult *result, GError **error)
{
	return count_scope(s,
	               "SELECT count(*) FROM inode i CROSS JOIN node n ON n.inode = i.id "
	               "WHERE i.state <> 0 AND i.state = 1",
	               &result->pending, error) &&
	       count_scope(s,
	               "SELECT count(*) FROM inode i CROSS JOIN node n ON n.inode = i.id "
	               "WHERE i.state <> 0 AND i.state = 2",
	               &result->failed, error) &&
	       count_scope(s,
	               "SELECT count(*) FROM content c CROSS JOIN inode i ON i.content = c.id "
	               "CROSS JOIN node n ON n.inode = i.id "
	               "WHERE c.state <> 0 AND c.state = 2 AND i.state = 0",
	               &result->failed, error) &&
	       count_scope(s,
	               "SELECT count(*) FROM fact f CROSS JOIN document d ON d.id = f.document "
	               "CROSS JOIN inode i ON i.content = d.content CROSS JOIN node n ON n.inode = "
	               "i.id "
	               "WHERE (f.state = 2 OR f.truncated <> 0) AND f.state = 2 AND f.member IS "
	               "NOT NULL AND i.state = 0",
	               &result->failed, error) &&
	       count_scope(s,
	               "SELECT count(*) FROM fact f CROSS JOIN document d ON d.id = f.document "
	               "CROSS JOIN inode i ON i.content = d.content CROSS JOIN node n ON n.inode = "
	               "i.id "
	               "WHERE (f.state = 2 OR f.truncated <> 0) AND f.truncated <> 0",
	               &result->truncated, error) &&
	       search_count_offline(s, &result->offline, error);
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

char *search_explain(Reader *r, Query *query, const SearchOptions *options, GError **error)
{
	Search s;
	if (!reader_begin(r, QUERY_MAX_MS, error))
		return NULL;
	SearchState *state = query_expand(query, r, error) ? search_attach(r, error) : NULL;
	if (!state) {
		reader_end(r);
		return NULL;
	}
	search_begin(&s, state, query, options);
	GString *out = g_string_new(NULL);
	if (s.expression) {
		bool deferred = search_deferred_fits(&s),
		     entries = search_needs_entries(&s) && !deferred;
		g_autoptr(SearchSql) sql = search_stream_sql(&s, entries);
		g_autoptr(SearchSql) filters =
		        deferred ? search_deferred_sql(&s) : search_sql_new();
		if (search_is_single_term(&s, entries))
			append_single_term(out, s.words->pdata[0]);
		else
			append_sql(out, sql);
		for (guint i = 0; i < s.beginnings->len; i++)
			append_single_term(
			        out, search_leaf_begun(&s, s.beginnings->pdata[i])->node);
		if (deferred)
			append_sql(out, filters);
	}
	for (guint i = 0; i < s.conditions->len; i++) {
		g_autoptr(SearchSql) scan = search_scan_sql(&s, s.conditions->pdata[i]);
		append_sql(out, scan);
	}
	g_autoptr(SearchSql) judge = search_judge_sql(&s, s.expression != NULL);
	append_sql(out, judge);
	search_end(&s);
	reader_end(r);
	return g_string_free(out, FALSE);
}
