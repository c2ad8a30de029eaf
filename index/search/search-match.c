/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search-match.c - which pairs of entry and document meet the query */
#include <config.h>
#include "index/search/search-private.h"
#include "index/store/states.h"

static const char siblings_sql[] =
        "SELECT n.id FROM tarsier_asked a CROSS JOIN inode i ON i.content = a.id "
        "CROSS JOIN node n ON n.inode = i.id";
static const char content_of_sql[] =
        "SELECT d.content FROM tarsier_asked a CROSS JOIN document d ON d.id = a.id";
static const char nodes_sql[] =
        "SELECT n.id FROM tarsier_asked a CROSS JOIN node n ON n.inode = a.id";
static const char content_sql[] =
        "SELECT i.content FROM tarsier_asked a CROSS JOIN node n ON n.id = a.id "
        "CROSS JOIN inode i ON i.id = n.inode WHERE i.content IS NOT NULL";

static const char *order_term(SortOrder sort)
{
	if (sort == SORT_DATE)
		return "CASE WHEN d.date <> 0 THEN d.date ELSE "
		       "coalesce(f.mtime_ns, i.mtime_ns) / 1000000000 END";
	if (sort == SORT_NEAREST)
		return "-q.distance";
	return sort == SORT_SIZE ? "CASE WHEN f.member IS NULL THEN i.size ELSE f.size END" : "0";
}

GArray *search_documents(const GArray *matches)
{
	GArray *documents = g_array_sized_new(FALSE, FALSE, sizeof(int64_t), matches->len);
	for (guint i = 0; i < matches->len; i++)
		g_array_append_val(documents, g_array_index(matches, SearchMatch, i).document);
	return documents;
}

static void search_add_match(
        Matches *m, int64_t document, int64_t node, int64_t group, double order)
{
	SearchMatch match = {document, node, group, order};
	g_array_append_val(m->list, match);
}

/* Columns d.id, n.id, i.size, i.id, order. */
static void add_pair_row(const Search *s, Matches *m, sqlite3_stmt *statement, double score)
{
	int64_t document = sqlite3_column_int64(statement, 0),
	        node = sqlite3_column_int64(statement, 1);
	int64_t group = search_group(
	        document, sqlite3_column_int64(statement, 2), sqlite3_column_int64(statement, 3));
	search_add_match(m, document, node, group,
	        s->plan->sort == SORT_RELEVANCE ? score : sqlite3_column_double(statement, 4));
}

/* ---- the stream of FTS5 */

void search_append_conditions(const Search *s, SearchSql *sql)
{
	for (guint i = 0; i < s->plan->conditions->len; i++) {
		g_string_append(sql->text, " AND ");
		search_condition(s, s->plan->conditions->pdata[i], sql);
	}
}

SearchSql *search_stream_sql(const Search *s, bool entries)
{
	SearchSql *sql = search_sql_new();
	if (!entries)
		g_string_append(sql->text,
		        "SELECT d.id, tarsier_rank(text, d.words, d.date) FROM text "
		        "CROSS JOIN document d ON d.id = text.rowid WHERE text MATCH ?");
	else
		g_string_append_printf(sql->text,
		        "SELECT d.id, n.id, i.size, i.id, %s, tarsier_rank(text, d.words, d.date) "
		        "FROM "
		        "text "
		        "CROSS JOIN document d ON d.id = text.rowid CROSS JOIN inode i ON "
		        "i.content = d.content "
		        "CROSS JOIN node n ON n.inode = i.id LEFT JOIN content c ON c.id = "
		        "i.content "
		        "LEFT JOIN fact f ON f.document = d.id "
		        "WHERE text MATCH ? AND i.state <> " SQL_INODE_ORPHAN,
		        order_term(s->plan->sort));
	g_ptr_array_add(
	        sql->values, g_variant_ref_sink(g_variant_new_bytestring(s->plan->expression)));
	if (entries)
		search_append_conditions(s, sql);
	return sql;
}

static void weigh_phrases(const Search *s)
{
	const QueryPlan *plan = s->plan;
	Rank *rank = &s->state->rank;
	rank_reset(rank, 0);
	rank->step = plan->step;
	rank->words = plan->n_scored;
	for (unsigned i = 0; i < plan->n_phrases; i++) {
		const TermMatches *found =
		        &g_array_index(s->candidates->terms, TermMatches, plan->phrases[i]);
		rank->weights[i] = found->term->scored ? found->weight : 0;
		rank->forms[i] = plan->forms[i];
	}
}

static void add_stream_row(const Search *s, Matches *m, sqlite3_stmt *statement, bool entries)
{
	int64_t document = sqlite3_column_int64(statement, 0);
	if (search_contains(s->candidates->hidden, document))
		return;
	if (search_contains(s->candidates->rescored, document)) {
		SearchScore proximity = {document, s->state->rank.proximity};
		g_array_append_val(m->proximities, proximity);
		return;
	}
	if (entries)
		add_pair_row(s, m, statement, sqlite3_column_double(statement, 5));
	else
		search_add_match(m, document, 0, document, sqlite3_column_double(statement, 1));
}

static bool stream_single_term(const Search *s, Matches *m, GError **error)
{
	g_autoptr(GArray) scores = g_array_new(FALSE, FALSE, sizeof(SearchScore));
	const Candidates *c = s->candidates;
	unsigned term = search_term_of(s->plan, s->plan->words->pdata[0]);
	double weight = g_array_index(c->terms, TermMatches, term).weight;
	weigh_phrases(s);
	s->state->rank.step = 0;
	if (!single_term_search(
	            s, s->plan->words->pdata[0], QUERY_ALL_LANGUAGES, NULL, scores, error))
		return false;
	for (guint i = 0; i < scores->len; i++) {
		const SearchScore *score = &g_array_index(scores, SearchScore, i);
		if (!search_contains(c->hidden, score->document) &&
		        !search_contains(c->rescored, score->document))
			search_add_match(m, score->document, 0, score->document,
			        weight * score->score + s->plan->step);
	}
	return true;
}

static bool stream_expression(const Search *s, Matches *m, GError **error)
{
	bool entries = s->plan->entries && !s->plan->deferred;
	g_autoptr(SearchSql) sql = search_stream_sql(s, entries);
	sqlite3_stmt *statement = search_prepare(s, sql, error);
	if (!statement)
		return false;
	weigh_phrases(s);
	int row;
	while ((row = reader_step(s->r, statement, error)) > 0)
		add_stream_row(s, m, statement, entries);
	sqlite3_finalize(statement);
	return row == 0;
}

bool search_stream(const Search *s, Matches *out, GError **error)
{
	switch (s->plan->source) {
	case SOURCE_SINGLE_TERM:
		return stream_single_term(s, out, error);
	case SOURCE_EXPRESSION:
		return stream_expression(s, out, error);
	default:
		return true; /* search_judge() asks for all entries */
	}
}

/* Keeps the matches that have a prefix, adding its score, or those that do not have it. */
static void keep_prefix(const Search *s, Matches *m, const QueryNode *node)
{
	const TermMatches *found = &g_array_index(
	        s->candidates->terms, TermMatches, search_prefix_term(s->plan, node));
	bool excluded = node->op == QUERY_NOT;
	guint kept = 0;
	for (guint i = 0; i < m->list->len; i++) {
		SearchMatch match = g_array_index(m->list, SearchMatch, i);
		const SearchScore *score = search_score_of(found, match.document);
		if ((score != NULL) == excluded)
			continue;
		if (score && s->plan->sort == SORT_RELEVANCE)
			match.order += found->weight * score->score + s->plan->step;
		g_array_index(m->list, SearchMatch, kept++) = match;
	}
	g_array_set_size(m->list, kept);
}

bool search_narrow(const Search *s, Matches *m, GError **error)
{
	for (guint i = 0; i < s->plan->prefixes->len; i++)
		keep_prefix(s, m, s->plan->prefixes->pdata[i]);
	if (s->plan->deferred && !search_deferred_filter(s, m, error))
		return false;
	m->single = s->plan->entries ? 0 : m->list->len;
	return true;
}

/* ---- named entries of a query of words alone: judged without SQL */

static bool holds_words(const Search *s, const QueryNode *node, const SearchPair *pair)
{
	const TermMatches *found =
	        &g_array_index(s->candidates->terms, TermMatches, search_term_of(s->plan, node));
	bool name = node->scope == SCOPE_ANY || (search_wants_own(node) && pair->own);
	return (pair->document && search_has_document(found, pair->document)) ||
	       (name && pair->node && search_contains(found->names, pair->node));
}

static bool search_holds(const Search *s, const QueryNode *node, const SearchPair *pair)
{
	if (node->op == QUERY_WORDS)
		return holds_words(s, node, pair);
	for (guint i = 0; i < node->children->len; i++)
		if (search_holds(s, node->children->pdata[i], pair) == (node->op == QUERY_OR))
			return node->op == QUERY_OR;
	return node->op == QUERY_AND;
}

/* A document that its text alone brings up counts for all its entries. */
static void judge_names(const Search *s, Matches *m)
{
	const Candidates *c = s->candidates;
	for (guint i = 0; i < c->pairs->len; i++) {
		const SearchPair *pair = &g_array_index(c->pairs, SearchPair, i);
		if (search_holds(s, s->plan->root, pair))
			search_add_match(m, pair->document, pair->node, pair->group,
			        search_score(s, m, pair->document, pair->node));
	}
	for (guint i = 0; i < c->rescored->len; i++) {
		SearchPair pair = {g_array_index(c->rescored, int64_t, i), 0, 0, true};
		if (!search_contains(c->hidden, pair.document) &&
		        search_holds(s, s->plan->root, &pair))
			search_add_match(m, pair.document, 0, pair.document,
			        search_score(s, m, pair.document, 0));
	}
}

/* ---- any pairs against the whole tree */

/* What is near a fingerprint is found by comparing it with all (index/text/near.h says why). */
static void append_near_source(const Search *s, SearchSql *sql)
{
	g_string_append_printf(sql->text,
	        "SELECT d.id, n.id, i.size, i.id, %s FROM (SELECT p.document, ",
	        order_term(s->plan->sort));
	search_near_distance(s, s->plan->near, sql);
	g_string_append(sql->text,
	        " AS distance FROM fingerprint p) q CROSS JOIN document d ON d.id = q.document "
	        "CROSS JOIN inode i ON i.content = d.content CROSS JOIN node n ON n.inode = i.id "
	        "LEFT JOIN content c ON c.id = i.content LEFT JOIN fact f ON f.document = d.id "
	        "WHERE q.distance IS NOT NULL AND i.state <> " SQL_INODE_ORPHAN " AND ");
}

static void append_source(const Search *s, SearchSql *sql)
{
	g_string_append_printf(sql->text,
	        "SELECT d.id, n.id, i.size, i.id, %s FROM node n CROSS JOIN inode i ON i.id = "
	        "n.inode "
	        "LEFT JOIN content c ON c.id = i.content LEFT JOIN document d ON d.content = "
	        "i.content "
	        "LEFT JOIN fact f ON f.document = d.id "
	        "WHERE i.state <> " SQL_INODE_ORPHAN " AND ",
	        order_term(s->plan->sort));
}

SearchSql *search_judge_sql(const Search *s, bool one_node)
{
	SearchSql *sql = search_sql_new();
	if (s->plan->near && !one_node)
		append_near_source(s, sql);
	else
		append_source(s, sql);
	search_condition(s, s->plan->root, sql);
	if (one_node)
		g_string_append_printf(sql->text, " AND n.id = ?%u", sql->values->len + 1);
	return sql;
}

static bool judge_rows(const Search *s, Matches *m, sqlite3_stmt *statement, GError **error)
{
	int row;
	while ((row = reader_step(s->r, statement, error)) > 0) {
		double score = s->plan->sort != SORT_RELEVANCE
		                       ? 0
		                       : search_score(s, m, sqlite3_column_int64(statement, 0),
		                                 sqlite3_column_int64(statement, 1));
		add_pair_row(s, m, statement, score);
	}
	return row == 0;
}

/* The named entries and all that share a document with one; the entries of other-language
 * documents. */
static GArray *nodes_to_judge(const Search *s, GError **error)
{
	const Candidates *c = s->candidates;
	g_autoptr(GArray) contents = g_array_new(FALSE, FALSE, sizeof(int64_t));
	g_autoptr(GArray) nodes = g_array_new(FALSE, FALSE, sizeof(int64_t));
	g_array_append_vals(nodes, c->named->data, c->named->len);
	for (guint i = 0; i < c->other_language->len; i++) {
		const OtherLanguage *other_language = c->other_language->pdata[i];
		if (!search_append_ids(
		            s, content_of_sql, other_language->documents, contents, error))
			return NULL;
	}
	if (!search_append_ids(s, content_sql, c->named, contents, error) ||
	        !search_append_ids(s, siblings_sql, contents, nodes, error))
		return NULL;
	return g_steal_pointer(&nodes);
}

static bool judge_nodes(const Search *s, Matches *m, const GArray *nodes, GError **error)
{
	g_autoptr(SearchSql) sql = search_judge_sql(s, true);
	sqlite3_stmt *statement = search_prepare(s, sql, error);
	bool ok = statement != NULL;
	for (guint i = 0; ok && i < nodes->len; i++) {
		sqlite3_bind_int64(
		        statement, sql->values->len + 1, g_array_index(nodes, int64_t, i));
		ok = judge_rows(s, m, statement, error);
	}
	sqlite3_finalize(statement);
	return ok;
}

static bool judge_named(const Search *s, Matches *m, GError **error)
{
	g_autoptr(GArray) nodes = nodes_to_judge(s, error);
	return nodes && judge_nodes(s, m, nodes, error);
}

/* What the inodes are called. */
static bool judge_inodes(const Search *s, Matches *m, const GArray *inodes, GError **error)
{
	g_autoptr(GArray) nodes = g_array_new(FALSE, FALSE, sizeof(int64_t));
	return search_append_ids(s, nodes_sql, inodes, nodes, error) &&
	       judge_nodes(s, m, nodes, error);
}

static bool judge_everything(const Search *s, Matches *m, GError **error)
{
	g_autoptr(GArray) inodes = NULL;
	int few = s->plan->near || s->plan->plain ? 0 : search_scan(s, &inodes, error);
	if (few != 0)
		return few > 0 && judge_inodes(s, m, inodes, error);
	g_autoptr(SearchSql) sql = search_judge_sql(s, false);
	sqlite3_stmt *statement = search_prepare(s, sql, error);
	bool ok = statement && judge_rows(s, m, statement, error);
	sqlite3_finalize(statement);
	return ok;
}

bool search_judge(const Search *s, Matches *out, GError **error)
{
	const Candidates *c = s->candidates;
	if (s->plan->source == SOURCE_ENTRIES)
		return judge_everything(s, out, error);
	if (c->named->len == 0 && c->other_language->len == 0)
		return true;
	if (!s->plan->monotone || s->plan->entries || s->plan->plain)
		return judge_named(s, out, error);
	judge_names(s, out);
	return true;
}
