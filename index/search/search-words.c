/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search-words.c - which names and which documents hold each word of the query */
#include <config.h>
#include "index/search/search-private.h"
#include "index/fts/term-scan.h"
#include "common/base/text.h"
#include <string.h>

/* Up to this many documents are asked for one by one instead of reading all that hold a word. */
enum { FEW_DOCUMENTS = 24 };

static const char name_sql[] = "SELECT rowid FROM name WHERE name MATCH ?1";
static const char ordered_name_sql[] =
        "SELECT rowid FROM name WHERE name MATCH ?1 AND tarsier_rank(name, 1) >= 0";
static const char pairs_sql[] =
        "SELECT n.id, d.id, i.size, i.id, n.name, 1 FROM tarsier_asked a CROSS JOIN node n ON n.id "
        "= a.id "
        "CROSS JOIN inode i ON i.id = n.inode LEFT JOIN document d ON d.content = i.content "
        "WHERE i.state <> 3";
static const char member_pairs_sql[] =
        "SELECT n.id, d.id, i.size, i.id, n.name, f.member IS NULL FROM tarsier_asked a CROSS JOIN "
        "node n "
        "ON n.id = a.id CROSS JOIN inode i ON i.id = n.inode LEFT JOIN document d ON d.content = "
        "i.content LEFT JOIN fact f ON f.document = d.id WHERE i.state <> 3";
static const char stream_sql[] =
        "SELECT d.id, tarsier_rank(text, d.words, d.date) FROM text CROSS JOIN "
        "document d ON d.id = text.rowid "
        "WHERE text MATCH ?1 AND tarsier_wanted(text.rowid)";
static const char single_sql[] =
        "SELECT d.id, tarsier_rank(text, d.words, d.date) FROM text CROSS JOIN "
        "document d ON d.id = text.rowid "
        "WHERE text MATCH ?1 AND text.rowid = ?2";
static const char count_sql[] =
        "SELECT count(*) FROM (SELECT rowid FROM text WHERE text MATCH ?1 LIMIT " G_STRINGIFY(
                20000) ")";
static const char rows_sql[] = "SELECT value FROM meta WHERE key = 'documents'";

/* To count the documents of a prefix costs as much as the search: it weighs as a word in one
 * document of twelve. */
static const double prefix_weight = 2.5;

G_STATIC_ASSERT(RANK_MAX_COUNT == 20000);

static int search_words_compare_ids(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return x < y ? -1 : x > y;
}

bool search_contains(const GArray *ascending, int64_t id)
{
	size_t low = 0, high = ascending->len;
	const int64_t *ids = (const int64_t *)(void *)ascending->data;
	if (high == 0 || id > ids[high - 1])
		return false;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (ids[middle] == id)
			return true;
		if (ids[middle] < id)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

void search_sort_ids(GArray *ids)
{
	g_array_sort(ids, search_words_compare_ids);
	int64_t *data = (int64_t *)(void *)ids->data;
	guint kept = 0;
	for (guint i = 0; i < ids->len; i++)
		if (kept == 0 || data[kept - 1] != data[i])
			data[kept++] = data[i];
	g_array_set_size(ids, kept);
}

/* Appends the first column of every row. */
static bool append_ids(Search *s, sqlite3_stmt *statement, GArray *ids, GError **error)
{
	int row;
	while ((row = reader_step(s->r, statement, error)) > 0) {
		int64_t id = sqlite3_column_int64(statement, 0);
		g_array_append_val(ids, id);
	}
	return row == 0;
}

bool search_append_ids(Search *s, const char *sql, const GArray *from, GArray *ids, GError **error)
{
	sqlite3_stmt *statement = reader_statement(s->r, sql, error);
	s->asked = from;
	bool ok = statement && append_ids(s, statement, ids, error);
	s->asked = NULL;
	search_sort_ids(ids);
	return ok;
}

int64_t search_group(int64_t document, int64_t size, int64_t inode)
{
	return document != 0 && size > 0 ? document : -inode;
}

/* Has the name all the words? */
static bool is_named_by_all(const Search *s, int64_t node)
{
	bool any = false;
	for (guint i = 0; i < s->leaves->len; i++) {
		const SearchLeaf *leaf = &g_array_index(s->leaves, SearchLeaf, i);
		if (leaf->scored && !search_contains(leaf->names, node))
			return false;
		any |= leaf->scored;
	}
	return any;
}

static void add_pair(Search *s, sqlite3_stmt *statement)
{
	SearchPair pair = {.node = sqlite3_column_int64(statement, 0),
	        .document = sqlite3_column_int64(statement, 1),
	        .own = sqlite3_column_int(statement, 5)};
	pair.group = search_group(pair.document, sqlite3_column_int64(statement, 2),
	        sqlite3_column_int64(statement, 3));
	g_array_append_val(s->pairs, pair);
	if (is_named_by_all(s, pair.node) &&
	        search_is_whole_name(
	                s, sqlite3_column_blob(statement, 4), sqlite3_column_bytes(statement, 4)))
		g_array_append_val(s->whole_named, pair.node);
	if (pair.document != 0)
		g_array_append_val(s->named_documents, pair.document);
}

bool search_wants_own(const QueryNode *node)
{
	return node->scope == SCOPE_FILENAME || node->scope == SCOPE_ANCHOR;
}

/* Whether a document is a member matters to "filename:" and "anchor:" alone. */
static bool find_pairs(Search *s, GError **error)
{
	bool members = false;
	for (guint i = 0; i < s->leaves->len; i++)
		members |= search_wants_own(g_array_index(s->leaves, SearchLeaf, i).node);
	sqlite3_stmt *statement =
	        reader_statement(s->r, members ? member_pairs_sql : pairs_sql, error);
	int row = statement ? 1 : -1;
	s->asked = s->named;
	while (row > 0 && (row = reader_step(s->r, statement, error)) > 0)
		add_pair(s, statement);
	s->asked = NULL;
	search_sort_ids(s->named_documents);
	return row == 0;
}

static void reset_rank(Search *s, const SearchLeaf *leaf, uint32_t languages)
{
	rank_reset(&s->state->rank, 1);
	s->state->rank.words = s->n_scored;
	for (unsigned i = search_form_phrases(leaf->node, languages); i > 0; i--)
		s->state->rank.forms[i] = true;
	s->state->rank.ordered = leaf->node->ordered ? leaf->node->gap + 1 : 0;
}

static bool find_words(Search *s, SearchLeaf *leaf, GError **error)
{
	sqlite3_stmt *statement =
	        reader_statement(s->r, leaf->node->ordered ? ordered_name_sql : name_sql, error);
	if (!statement)
		return false;
	reset_rank(s, leaf, QUERY_ALL_LANGUAGES);
	sqlite3_bind_text(statement, 1, leaf->name_match, -1, SQLITE_STATIC);
	return append_ids(s, statement, leaf->names, error);
}

static bool find_names(Search *s, SearchLeaf *leaf, GError **error)
{
	if (leaf->node->scope == SCOPE_ANCHOR)
		return search_links(s, leaf, leaf->names, error);
	bool like = leaf->node->pattern && query_matches_names(leaf->node);
	return like ? search_like(s, leaf, error) : find_words(s, leaf, error);
}

bool search_names(Search *s, GError **error)
{
	for (guint i = 0; i < s->leaves->len; i++) {
		SearchLeaf *leaf = &g_array_index(s->leaves, SearchLeaf, i);
		if (!leaf->name_match)
			continue;
		if (!find_names(s, leaf, error))
			return false;
		search_sort_ids(leaf->names);
		g_array_append_vals(s->named, leaf->names->data, leaf->names->len);
	}
	search_sort_ids(s->named);
	return find_pairs(s, error);
}

static bool append_scores(Search *s, sqlite3_stmt *statement, SearchLeaf *leaf, GError **error)
{
	int row;
	while ((row = reader_step(s->r, statement, error)) > 0) {
		SearchScore score = {
		        sqlite3_column_int64(statement, 0), sqlite3_column_double(statement, 1)};
		if (score.score >= 0)
			g_array_append_val(leaf->documents, score);
	}
	return row == 0;
}

static int compare_scores(const void *a, const void *b)
{
	int64_t x = ((const SearchScore *)a)->document, y = ((const SearchScore *)b)->document;
	return x < y ? -1 : x > y;
}

/* What is asked for a leaf. */
typedef struct {
	const char *match;
	uint32_t languages; /* whose forms it has */
	const GArray *documents; /* int64_t, ascending: of these; NULL: of all */
} Question;

static bool stream_leaf(Search *s, SearchLeaf *leaf, const Question *question, GError **error)
{
	if (single_term_fits(leaf->node))
		return single_term_search(s, leaf->node, question->languages, question->documents,
		        leaf->documents, error);
	sqlite3_stmt *statement = reader_statement(s->r, stream_sql, error);
	if (!statement)
		return false;
	s->wanted = question->documents;
	sqlite3_bind_text(statement, 1, question->match, -1, SQLITE_TRANSIENT);
	return append_scores(s, statement, leaf, error);
}

static bool ask_leaf(Search *s, SearchLeaf *leaf, const Question *question, GError **error)
{
	sqlite3_stmt *statement = reader_statement(s->r, single_sql, error);
	for (guint i = 0; statement && i < question->documents->len; i++) {
		sqlite3_bind_text(statement, 1, question->match, -1, SQLITE_TRANSIENT);
		sqlite3_bind_int64(statement, 2, g_array_index(question->documents, int64_t, i));
		if (!append_scores(s, statement, leaf, error))
			return false;
	}
	return statement != NULL;
}

static bool search_answer(Search *s, SearchLeaf *leaf, const Question *question, GError **error)
{
	bool few = question->documents && question->documents->len <= FEW_DOCUMENTS &&
	           !leaf->node->prefix;
	reset_rank(s, leaf, question->languages);
	return few ? ask_leaf(s, leaf, question, error) : stream_leaf(s, leaf, question, error);
}

static bool is_other_language(const Search *s, int64_t document)
{
	for (guint i = 0; i < s->other_language->len; i++)
		if (search_contains(
		            ((OtherLanguage *)s->other_language->pdata[i])->documents, document))
			return true;
	return false;
}

/* Instead of what all forms found in the foreign documents, what those of their languages find. */
static bool answer_other_language(Search *s, SearchLeaf *leaf, GError **error)
{
	guint kept = 0;
	for (guint i = 0; i < leaf->documents->len; i++) {
		SearchScore score = g_array_index(leaf->documents, SearchScore, i);
		if (!is_other_language(s, score.document))
			g_array_index(leaf->documents, SearchScore, kept++) = score;
	}
	g_array_set_size(leaf->documents, kept);
	for (guint i = 0; i < s->other_language->len; i++) {
		const OtherLanguage *other_language = s->other_language->pdata[i];
		g_autofree char *match = search_expression(leaf->node, other_language->language);
		Question question = {match, other_language->language, other_language->documents};
		if (!search_answer(s, leaf, &question, error))
			return false;
	}
	g_array_sort(leaf->documents, compare_scores);
	return true;
}

static bool find_documents(Search *s, SearchLeaf *leaf, GError **error)
{
	bool partial = s->other_language->len > 0 && search_is_partial(leaf->node);
	const GArray *some = partial ? s->named_documents : s->rescored;
	Question question = {leaf->match, QUERY_ALL_LANGUAGES, leaf->whole ? NULL : some};
	if ((leaf->whole || some->len > 0) && !search_answer(s, leaf, &question, error))
		return false;
	return !partial || answer_other_language(s, leaf, error);
}

/* Terms any of which is the leaf's only word, ascending; they are node's. NULL: it is a phrase, or
 * of one field. */
static GPtrArray *terms_of(const QueryNode *node)
{
	if (node->tokens[1] || node->scope != SCOPE_ANY)
		return NULL;
	GPtrArray *terms = g_ptr_array_new();
	if (!node->pattern && node->edits == 0)
		g_ptr_array_add(terms, node->tokens[0]);
	for (char **form = node->forms ? node->forms[0] : NULL; form && *form; form++)
		g_ptr_array_add(terms, *form);
	g_ptr_array_sort(terms, text_compare_elements);
	return terms;
}

static bool search_count_terms(Search *s, const GPtrArray *terms, uint64_t *count_r, GError **error)
{
	return terms_count_documents(s->r, TERMS_OF_TEXT, (const char *const *)terms->pdata,
	        terms->len, RANK_MAX_COUNT, count_r, error);
}

static bool count_by_search(Search *s, const SearchLeaf *leaf, uint64_t *count_r, GError **error)
{
	sqlite3_stmt *statement = reader_statement(s->r, count_sql, error);
	if (!statement)
		return false;
	sqlite3_bind_text(statement, 1, leaf->match, -1, SQLITE_STATIC);
	int row = reader_step(s->r, statement, error);
	*count_r = row > 0 ? sqlite3_column_int64(statement, 0) : 0;
	sqlite3_reset(statement);
	return row >= 0;
}

static bool search_count_documents(
        Search *s, const SearchLeaf *leaf, uint64_t *count_r, GError **error)
{
	if (query_matches_only_names(leaf->node)) {
		*count_r = leaf->names->len + leaf->members->len;
		return true;
	}
	g_autoptr(GPtrArray) terms = terms_of(leaf->node);
	return terms ? search_count_terms(s, terms, count_r, error)
	             : count_by_search(s, leaf, count_r, error);
}

/* The weight tells rare words from common ones; alone in a query a word has nobody to be compared
 * with. */
static bool weigh_leaf(Search *s, SearchLeaf *leaf, uint64_t rows, GError **error)
{
	uint64_t count;
	if (s->leaves->len == 1)
		return true;
	if (leaf->node->prefix) {
		leaf->weight = prefix_weight;
		return true;
	}
	if (!search_count_documents(s, leaf, &count, error))
		return false;
	leaf->weight = rank_weight(count, rows);
	return true;
}

/* What the name of a member is worth beside its text. */
static void add_members(SearchLeaf *leaf)
{
	guint found = leaf->documents->len;
	for (guint i = 0; i < leaf->members->len; i++) {
		SearchScore score = {g_array_index(leaf->members, int64_t, i), rank_name_bonus};
		g_array_append_val(leaf->documents, score);
	}
	if (leaf->documents->len > found)
		g_array_sort(leaf->documents, compare_scores);
}

bool search_leaves(Search *s, GError **error)
{
	uint64_t rows;
	bool needed = s->named->len > 0 || s->other_language->len > 0 || !s->expression;
	if (!reader_count(s->r, rows_sql, &rows, error))
		return false;
	for (guint i = 0; i < s->leaves->len; i++) {
		SearchLeaf *leaf = &g_array_index(s->leaves, SearchLeaf, i);
		if (leaf->scored && !weigh_leaf(s, leaf, rows, error))
			return false;
		if ((!needed && !leaf->whole) || leaf->begins)
			continue;
		if (!find_documents(s, leaf, error))
			return false;
		add_members(leaf);
	}
	return true;
}

bool search_is_prefix(Search *s, SearchLeaf *leaf, GError **error)
{
	g_autoptr(GArray) wanted = search_documents(s->matches);
	g_array_append_vals(wanted, s->rescored->data, s->rescored->len);
	search_sort_ids(wanted);
	Question question = {leaf->match, QUERY_ALL_LANGUAGES, wanted};
	if (!search_answer(s, leaf, &question, error))
		return false;
	add_members(leaf);
	return true;
}

static const SearchScore *find_document(const GArray *ascending, int64_t document)
{
	size_t low = 0, high = ascending->len;
	while (low < high) {
		size_t middle = (low + high) / 2;
		const SearchScore *at = &g_array_index(ascending, SearchScore, middle);
		if (at->document == document)
			return at;
		if (at->document < document)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

const SearchScore *search_score_of(const SearchLeaf *leaf, int64_t document)
{
	return document != 0 ? find_document(leaf->documents, document) : NULL;
}

bool search_has_document(const SearchLeaf *leaf, int64_t document)
{
	return search_score_of(leaf, document) != NULL;
}

double search_score(const Search *s, int64_t document, int64_t node)
{
	const SearchScore *proximity = document ? find_document(s->proximities, document) : NULL;
	double score = proximity ? proximity->score : 0, held = 0, all = 0;
	unsigned phrases = 0, matched = 0;
	for (guint i = 0; i < s->leaves->len; i++) {
		const SearchLeaf *leaf = &g_array_index(s->leaves, SearchLeaf, i);
		if (!leaf->scored)
			continue;
		const SearchScore *text = search_score_of(leaf, document);
		bool named = node && search_contains(leaf->names, node);
		unsigned n = query_parts(leaf->node);
		score += leaf->weight * ((text ? text->score : 0) + (named ? rank_name_bonus : 0));
		held += text || named ? n * leaf->weight : 0;
		matched += text || named ? n : 0;
		all += n * leaf->weight;
		phrases += n;
	}
	if (search_contains(s->whole_named, node))
		score += rank_whole_name_bonus * all;
	return score * rank_coverage(held, all, phrases) + s->step * matched;
}
