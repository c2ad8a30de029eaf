/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search-match.c - which pairs of entry and document meet the query */
#include <config.h>
#include "index/search/search-private.h"

/* Documents that no entry leads to: of contents being written (out of sight by a negative number),
 * and of files that were seen gone and may turn up elsewhere. */
static const char hidden_sql[] =
        "SELECT id FROM document INDEXED BY document_content WHERE content < 0 "
        "UNION SELECT d.id FROM (SELECT DISTINCT content FROM inode "
        "WHERE state <> 0 AND state = 3 AND content IS NOT NULL) o "
        "CROSS JOIN document d ON d.content = o.content WHERE NOT EXISTS(SELECT 1 FROM inode i "
        "WHERE i.content = o.content AND i.state <> 3) ORDER BY 1";
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

static void search_add_match(Search *s, int64_t document, int64_t node, int64_t group, double order)
{
	SearchMatch match = {document, node, group, order};
	g_array_append_val(s->matches, match);
}

/* Columns d.id, n.id, i.size, i.id, order. */
static void add_pair_row(Search *s, sqlite3_stmt *statement, double score)
{
	int64_t document = sqlite3_column_int64(statement, 0),
	        node = sqlite3_column_int64(statement, 1);
	int64_t group = search_group(
	        document, sqlite3_column_int64(statement, 2), sqlite3_column_int64(statement, 3));
	search_add_match(s, document, node, group,
	        s->sort == SORT_RELEVANCE ? score : sqlite3_column_double(statement, 4));
}

/* ---- the stream of FTS5 */

bool search_needs_entries(const Search *s)
{
	return s->conditions->len > 0 || s->options->dups != DUPS_COLLAPSE ||
	       s->sort != SORT_RELEVANCE;
}

void search_append_conditions(Search *s, SearchSql *sql)
{
	for (guint i = 0; i < s->conditions->len; i++) {
		g_string_append(sql->text, " AND ");
		search_condition(s, s->conditions->pdata[i], sql);
	}
}

SearchSql *search_stream_sql(Search *s, bool entries)
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
		        "WHERE text MATCH ? AND i.state <> 3",
		        order_term(s->sort));
	g_ptr_array_add(sql->values, g_variant_ref_sink(g_variant_new_bytestring(s->expression)));
	if (entries)
		search_append_conditions(s, sql);
	return sql;
}

static void weigh_phrases(Search *s)
{
	rank_reset(&s->state->rank, 0);
	s->state->rank.step = s->step;
	s->state->rank.words = s->n_scored;
	for (unsigned i = 0; i < s->n_phrases; i++) {
		const SearchLeaf *leaf = &g_array_index(s->leaves, SearchLeaf, s->phrases[i]);
		s->state->rank.weights[i] = leaf->scored ? leaf->weight : 0;
		s->state->rank.forms[i] = s->forms[i];
	}
}

static void add_stream_row(Search *s, sqlite3_stmt *statement, bool entries)
{
	int64_t document = sqlite3_column_int64(statement, 0);
	if (search_contains(s->hidden, document))
		return;
	if (search_contains(s->rescored, document)) {
		SearchScore proximity = {document, s->state->rank.proximity};
		g_array_append_val(s->proximities, proximity);
		return;
	}
	if (entries)
		add_pair_row(s, statement, sqlite3_column_double(statement, 5));
	else
		search_add_match(s, document, 0, document, sqlite3_column_double(statement, 1));
}

bool search_is_single_term(const Search *s, bool entries)
{
	return !entries && s->words->len == 1 && single_term_fits(s->words->pdata[0]);
}

static bool stream_single_term(Search *s, GError **error)
{
	g_autoptr(GArray) scores = g_array_new(FALSE, FALSE, sizeof(SearchScore));
	unsigned leaf = search_leaf_of(s, s->words->pdata[0]);
	double weight = g_array_index(s->leaves, SearchLeaf, leaf).weight;
	weigh_phrases(s);
	s->state->rank.step = 0;
	if (!single_term_search(s, s->words->pdata[0], QUERY_ALL_LANGUAGES, NULL, scores, error))
		return false;
	for (guint i = 0; i < scores->len; i++) {
		const SearchScore *score = &g_array_index(scores, SearchScore, i);
		if (!search_contains(s->hidden, score->document) &&
		        !search_contains(s->rescored, score->document))
			search_add_match(s, score->document, 0, score->document,
			        weight * score->score + s->step);
	}
	return true;
}

static bool stream_expression(Search *s, bool entries, GError **error)
{
	g_autoptr(SearchSql) sql = search_stream_sql(s, entries);
	sqlite3_stmt *statement = search_prepare(s, sql, error);
	if (!statement)
		return false;
	weigh_phrases(s);
	int row;
	while ((row = reader_step(s->r, statement, error)) > 0)
		add_stream_row(s, statement, entries);
	sqlite3_finalize(statement);
	return row == 0;
}

/* Leaves the matches that have the beginning of a word, with what it is worth, or that do not have
 * it. */
static bool keep_begun(Search *s, const QueryNode *node, GError **error)
{
	SearchLeaf *leaf = search_leaf_begun(s, node);
	bool excluded = node->op == QUERY_NOT;
	if (!search_is_prefix(s, leaf, error))
		return false;
	guint kept = 0;
	for (guint i = 0; i < s->matches->len; i++) {
		SearchMatch match = g_array_index(s->matches, SearchMatch, i);
		const SearchScore *score = search_score_of(leaf, match.document);
		if ((score != NULL) == excluded)
			continue;
		if (score && s->sort == SORT_RELEVANCE)
			match.order += leaf->weight * score->score + s->step;
		g_array_index(s->matches, SearchMatch, kept++) = match;
	}
	g_array_set_size(s->matches, kept);
	return true;
}

static bool search_stream(Search *s, bool entries, GError **error)
{
	bool ok = search_is_single_term(s, entries) ? stream_single_term(s, error)
	                                            : stream_expression(s, entries, error);
	for (guint i = 0; ok && i < s->beginnings->len; i++)
		ok = keep_begun(s, s->beginnings->pdata[i], error);
	return ok;
}

/* What the words alone bring up, filters and all. */
static bool stream_filtered(Search *s, GError **error)
{
	if (!s->deferred)
		return search_stream(s, search_needs_entries(s), error);
	return search_stream(s, false, error) && search_deferred_filter(s, error);
}

/* ---- named entries of a query of words alone: judged without SQL */

static bool holds_words(const Search *s, const QueryNode *node, const SearchPair *pair)
{
	const SearchLeaf *leaf = &g_array_index(s->leaves, SearchLeaf, search_leaf_of(s, node));
	bool name = node->scope == SCOPE_ANY || (search_wants_own(node) && pair->own);
	return (pair->document && search_has_document(leaf, pair->document)) ||
	       (name && pair->node && search_contains(leaf->names, pair->node));
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
static void judge_names(Search *s)
{
	for (guint i = 0; i < s->pairs->len; i++) {
		const SearchPair *pair = &g_array_index(s->pairs, SearchPair, i);
		if (search_holds(s, s->root, pair))
			search_add_match(s, pair->document, pair->node, pair->group,
			        search_score(s, pair->document, pair->node));
	}
	for (guint i = 0; i < s->rescored->len; i++) {
		SearchPair pair = {g_array_index(s->rescored, int64_t, i), 0, 0, true};
		if (!search_contains(s->hidden, pair.document) && search_holds(s, s->root, &pair))
			search_add_match(s, pair.document, 0, pair.document,
			        search_score(s, pair.document, 0));
	}
}

/* ---- any pairs against the whole tree */

/* What is near a fingerprint is found by comparing it with all (index/text/near.h says why). */
static void append_near_source(Search *s, SearchSql *sql)
{
	g_string_append_printf(sql->text,
	        "SELECT d.id, n.id, i.size, i.id, %s FROM (SELECT p.document, ",
	        order_term(s->sort));
	search_near_distance(s, s->near, sql);
	g_string_append(sql->text,
	        " AS distance FROM fingerprint p) q CROSS JOIN document d ON d.id = q.document "
	        "CROSS JOIN inode i ON i.content = d.content CROSS JOIN node n ON n.inode = i.id "
	        "LEFT JOIN content c ON c.id = i.content LEFT JOIN fact f ON f.document = d.id "
	        "WHERE q.distance IS NOT NULL AND i.state <> 3 AND ");
}

static void append_source(Search *s, SearchSql *sql)
{
	g_string_append_printf(sql->text,
	        "SELECT d.id, n.id, i.size, i.id, %s FROM node n CROSS JOIN inode i ON i.id = "
	        "n.inode "
	        "LEFT JOIN content c ON c.id = i.content LEFT JOIN document d ON d.content = "
	        "i.content "
	        "LEFT JOIN fact f ON f.document = d.id "
	        "WHERE i.state <> 3 AND ",
	        order_term(s->sort));
}

SearchSql *search_judge_sql(Search *s, bool one_node)
{
	SearchSql *sql = search_sql_new();
	if (s->near && !one_node)
		append_near_source(s, sql);
	else
		append_source(s, sql);
	search_condition(s, s->root, sql);
	if (one_node)
		g_string_append_printf(sql->text, " AND n.id = ?%u", sql->values->len + 1);
	return sql;
}

static bool judge_rows(Search *s, sqlite3_stmt *statement, GError **error)
{
	int row;
	while ((row = reader_step(s->r, statement, error)) > 0) {
		double score = s->sort != SORT_RELEVANCE
		                       ? 0
		                       : search_score(s, sqlite3_column_int64(statement, 0),
		                                 sqlite3_column_int64(statement, 1));
		add_pair_row(s, statement, score);
	}
	return row == 0;
}

/* The named entries and all that share a document with one; the entries of foreign documents. */
static GArray *nodes_to_judge(Search *s, GError **error)
{
	g_autoptr(GArray) contents = g_array_new(FALSE, FALSE, sizeof(int64_t));
	g_autoptr(GArray) nodes = g_array_new(FALSE, FALSE, sizeof(int64_t));
	g_array_append_vals(nodes, s->named->data, s->named->len);
	for (guint i = 0; i < s->other_language->len; i++) {
		const OtherLanguage *other_language = s->other_language->pdata[i];
		if (!search_append_ids(
		            s, content_of_sql, other_language->documents, contents, error))
			return NULL;
	}
	if (!search_append_ids(s, content_sql, s->named, contents, error) ||
	        !search_append_ids(s, siblings_sql, contents, nodes, error))
		return NULL;
	return g_steal_pointer(&nodes);
}

static bool judge_nodes(Search *s, const GArray *nodes, GError **error)
{
	g_autoptr(SearchSql) sql = search_judge_sql(s, true);
	sqlite3_stmt *statement = search_prepare(s, sql, error);
	bool ok = statement != NULL;
	for (guint i = 0; ok && i < nodes->len; i++) {
		sqlite3_bind_int64(
		        statement, sql->values->len + 1, g_array_index(nodes, int64_t, i));
		ok = judge_rows(s, statement, error);
	}
	sqlite3_finalize(statement);
	return ok;
}

static bool judge_named(Search *s, GError **error)
{
	g_autoptr(GArray) nodes = nodes_to_judge(s, error);
	return nodes && judge_nodes(s, nodes, error);
}

/* What the inodes are called. */
static bool judge_inodes(Search *s, const GArray *inodes, GError **error)
{
	g_autoptr(GArray) nodes = g_array_new(FALSE, FALSE, sizeof(int64_t));
	return search_append_ids(s, nodes_sql, inodes, nodes, error) &&
	       judge_nodes(s, nodes, error);
}

static bool judge_everything(Search *s, GError **error)
{
	g_autoptr(GArray) inodes = NULL;
	int few = s->near ? 0 : search_scan(s, &inodes, error);
	if (few != 0)
		return few > 0 && judge_inodes(s, inodes, error);
	g_autoptr(SearchSql) sql = search_judge_sql(s, false);
	sqlite3_stmt *statement = search_prepare(s, sql, error);
	bool ok = statement && judge_rows(s, statement, error);
	sqlite3_finalize(statement);
	return ok;
}

static bool find_hidden(Search *s, GError **error)
{
	sqlite3_stmt *statement = reader_statement(s->r, hidden_sql, error);
	int row = statement ? 1 : -1;
	while (row > 0 && (row = reader_step(s->r, statement, error)) > 0) {
		int64_t id = sqlite3_column_int64(statement, 0);
		g_array_append_val(s->hidden, id);
	}
	return row == 0;
}

bool search_match(Search *s, GError **error)
{
	if (!find_hidden(s, error) || !search_names(s, error) || !search_other_language(s, error) ||
	        !search_leaves(s, error))
		return false;
	if (!s->expression)
		return judge_everything(s, error);
	if (!stream_filtered(s, error))
		return false;
	s->single = search_needs_entries(s) ? 0 : s->matches->len;
	if (s->named->len == 0 && s->other_language->len == 0)
		return true;
	if (!s->monotone || search_needs_entries(s))
		return judge_named(s, error);
	judge_names(s);
	return true;
}
