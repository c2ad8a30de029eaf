/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search-terms.c - looks up which names and which documents match each term of the query */
#include <config.h>
#include "common/base/paths.h"
#include "index/search/search-private.h"
#include "index/search/sole-member.h"
#include "index/fts/term-scan.h"
#include "common/base/text.h"
#include "index/store/states.h"
#include <string.h>

/* Up to this many documents are looked up one by one; for more, the whole posting list is read. */
enum { FEW_DOCUMENTS = 24 };

static const char name_sql[] = "SELECT rowid FROM name WHERE name MATCH ?1";
static const char ordered_name_sql[] =
        "SELECT rowid FROM name WHERE name MATCH ?1 AND tarsier_rank(name, 1) >= 0";
static const char pairs_sql[] =
        "SELECT n.id, d.id, i.size, i.id, n.name, 1, i.kind = " SQL_ENTRY_DIR
        " AND n.parent <> 0, " SOLE_MEMBER_OR_SELF
        " FROM tarsier_asked a CROSS JOIN node n ON n.id = a.id "
        "CROSS JOIN inode i ON i.id = n.inode LEFT JOIN document d ON d.content = i.content "
        "WHERE i.state <> " SQL_INODE_ORPHAN;
static const char member_pairs_sql[] =
        "SELECT n.id, d.id, i.size, i.id, n.name, f.member IS NULL, i.kind = " SQL_ENTRY_DIR
        " AND n.parent <> 0, " SOLE_MEMBER_OR_SELF " FROM tarsier_asked a CROSS JOIN node n "
        "ON n.id = a.id CROSS JOIN inode i ON i.id = n.inode LEFT JOIN document d ON d.content = "
        "i.content LEFT JOIN fact f ON f.document = d.id WHERE i.state <> " SQL_INODE_ORPHAN;
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

/* Counting the documents of a prefix takes as long as the search. Therefore a prefix weighs as much
 * as a word that occurs in one document of twelve. */
static const double prefix_weight = 2.5;

G_STATIC_ASSERT(RANK_MAX_COUNT == 20000);

/* True if the name and the directories above it have all the words. */
static bool is_named_by_all(const QueryTerms *terms, int64_t node)
{
	bool any = false;
	for (guint i = 0; i < terms->list->len; i++) {
		const TermMatches *found = &g_array_index(terms->list, TermMatches, i);
		if (found->term->scored && !search_contains(found->names, node) &&
		        !search_contains(found->paths, node))
			return false;
		any |= found->term->scored;
	}
	return any;
}

static void add_pair(const Search *s, QueryTerms *terms, sqlite3_stmt *statement)
{
	SearchPair pair = {.node = sqlite3_column_int64(statement, 0),
	        .document = sqlite3_column_int64(statement, 1),
	        .own = sqlite3_column_int(statement, 5),
	        .directory = sqlite3_column_int(statement, 6)};
	pair.group = search_group(sqlite3_column_int64(statement, 7),
	        sqlite3_column_int64(statement, 2), sqlite3_column_int64(statement, 3));
	g_array_append_val(terms->pairs, pair);
	if (is_named_by_all(terms, pair.node)) {
		SearchScore share = {pair.node, search_whole_name(s->plan, terms->name_pattern,
		                                        sqlite3_column_blob(statement, 4),
		                                        sqlite3_column_bytes(statement, 4))};
		if (share.score > 0)
			g_array_append_val(terms->whole_named, share);
	}
	if (pair.document != 0)
		g_array_append_val(terms->named_documents, pair.document);
}

/* Appends the pairs of these entries. */
static bool find_pairs(const Search *s, QueryTerms *terms, const GArray *entries, GError **error)
{
	bool members = search_tells_members(s->plan);
	sqlite3_stmt *statement =
	        reader_statement(s->r, members ? member_pairs_sql : pairs_sql, error);
	int row = statement ? 1 : -1;
	s->state->asked = entries;
	while (row > 0 && (row = reader_step(s->r, statement, error)) > 0)
		add_pair(s, terms, statement);
	s->state->asked = NULL;
	search_sort_ids(terms->named_documents);
	return row == 0;
}

/* Forgets the pairs of these entries, which are looked up again once more is known of them. */
static void forget_pairs(QueryTerms *terms, const GArray *entries)
{
	guint kept = 0;
	for (guint i = 0; i < terms->pairs->len; i++) {
		SearchPair pair = g_array_index(terms->pairs, SearchPair, i);
		if (!search_contains(entries, pair.node))
			g_array_index(terms->pairs, SearchPair, kept++) = pair;
	}
	g_array_set_size(terms->pairs, kept);
}

/* Adds the entries that have some of the words in their path only. */
static bool find_paths(const Search *s, QueryTerms *terms, GError **error)
{
	GArray *found = terms->by_path;
	if (!search_path_words(s, terms, found, error))
		return false;
	if (found->len == 0)
		return true;
	g_array_append_vals(terms->named, found->data, found->len);
	search_sort_ids(terms->named);
	forget_pairs(terms, found);
	bool ok = find_pairs(s, terms, found, error);
	search_sort_scores(terms->whole_named);
	return ok;
}

static void reset_rank(const Search *s, const QueryNode *node, uint32_t languages)
{
	rank_reset(&s->state->rank, 1);
	s->state->rank.words = s->plan->n_scored;
	s->state->rank.apart = true;
	for (unsigned i = search_form_phrases(node, languages); i > 0; i--)
		s->state->rank.forms[i] = true;
	s->state->rank.ordered = node->ordered ? node->gap + 1 : 0;
}

static bool find_words(const Search *s, TermMatches *found, GError **error)
{
	sqlite3_stmt *statement = reader_statement(
	        s->r, found->term->node->ordered ? ordered_name_sql : name_sql, error);
	if (!statement)
		return false;
	reset_rank(s, found->term->node, QUERY_ALL_LANGUAGES);
	sqlite3_bind_text(statement, 1, found->term->name_match, -1, SQLITE_STATIC);
	return search_append_rows(s, statement, found->names, error);
}

static bool find_names(const Search *s, TermMatches *found, GArray *named, GError **error)
{
	if (found->term->node->scope == SCOPE_ANCHOR)
		return search_links(s, found->term, found->names, error);
	bool like = found->term->node->pattern && query_matches_names(found->term->node);
	return like ? search_like(s, found, named, error) : find_words(s, found, error);
}

static bool find_all_names(const Search *s, QueryTerms *terms, GError **error)
{
	for (guint i = 0; i < terms->list->len; i++) {
		TermMatches *found = &g_array_index(terms->list, TermMatches, i);
		if (!found->term->name_match)
			continue;
		if (!find_names(s, found, terms->named, error))
			return false;
		const char *path = found->term->node->path;
		if (path && (!search_path(s, path, found->names, error) ||
		                    !search_member(s, path, found->members, terms->named, error)))
			return false;
		search_sort_ids(found->names);
		g_array_append_vals(terms->named, found->names->data, found->names->len);
	}
	search_sort_ids(terms->named);
	return find_pairs(s, terms, terms->named, error) && find_paths(s, terms, error);
}

static bool append_scores(const Search *s, sqlite3_stmt *statement, GArray *out, GError **error)
{
	int row;
	while ((row = reader_step(s->r, statement, error)) > 0) {
		SearchScore score = {
		        sqlite3_column_int64(statement, 0), sqlite3_column_double(statement, 1)};
		if (score.score >= 0)
			g_array_append_val(out, score);
	}
	return row == 0;
}

static int compare_scores(const void *a, const void *b)
{
	int64_t x = ((const SearchScore *)a)->document, y = ((const SearchScore *)b)->document;
	return x < y ? -1 : x > y;
}

void search_sort_scores(GArray *scores)
{
	g_array_sort(scores, compare_scores);
}

/* A look-up of one term. */
typedef struct {
	const QueryNode *node;
	const char *match;
	uint32_t languages; /* whose forms count */
	const GArray *documents; /* int64_t, ascending: only these; NULL: all */
} Question;

static bool stream_term(const Search *s, const Question *question, GArray *out, GError **error)
{
	if (search_is_many(question->node) || (!s->plan->plain && single_term_fits(question->node)))
		return single_term_search(
		        s, question->node, question->languages, question->documents, out, error);
	sqlite3_stmt *statement = reader_statement(s->r, stream_sql, error);
	if (!statement)
		return false;
	s->state->wanted = question->documents;
	sqlite3_bind_text(statement, 1, question->match, -1, SQLITE_TRANSIENT);
	bool ok = append_scores(s, statement, out, error);
	s->state->wanted = NULL;
	return ok;
}

static bool ask_each_document(
        const Search *s, const Question *question, GArray *out, GError **error)
{
	sqlite3_stmt *statement = reader_statement(s->r, single_sql, error);
	for (guint i = 0; statement && i < question->documents->len; i++) {
		sqlite3_bind_text(statement, 1, question->match, -1, SQLITE_TRANSIENT);
		sqlite3_bind_int64(statement, 2, g_array_index(question->documents, int64_t, i));
		if (!append_scores(s, statement, out, error))
			return false;
	}
	return statement != NULL;
}

/* Appends the documents with their scores. */
static bool search_answer(const Search *s, const Question *question, GArray *out, GError **error)
{
	bool few = !s->plan->plain && question->documents &&
	           question->documents->len <= FEW_DOCUMENTS && !question->node->prefix &&
	           !search_is_many(question->node);
	reset_rank(s, question->node, question->languages);
	return few ? ask_each_document(s, question, out, error)
	           : stream_term(s, question, out, error);
}

static bool is_other_language(const QueryTerms *terms, int64_t document)
{
	for (guint i = 0; i < terms->other_language->len; i++)
		if (search_contains(((OtherLanguage *)terms->other_language->pdata[i])->documents,
		            document))
			return true;
	return false;
}

/* In other-language documents, only the forms of their language count. Replaces the scores that all
 * forms gave them. */
static bool answer_other_language(
        const Search *s, const QueryTerms *terms, TermMatches *found, GError **error)
{
	guint kept = 0;
	for (guint i = 0; i < found->documents->len; i++) {
		SearchScore score = g_array_index(found->documents, SearchScore, i);
		if (!is_other_language(terms, score.document))
			g_array_index(found->documents, SearchScore, kept++) = score;
	}
	g_array_set_size(found->documents, kept);
	for (guint i = 0; i < terms->other_language->len; i++) {
		const OtherLanguage *other_language = terms->other_language->pdata[i];
		g_autofree char *match =
		        search_expression(found->term->node, other_language->language);
		Question question = {found->term->node, match, other_language->language,
		        other_language->documents};
		if (!search_answer(s, &question, found->documents, error))
			return false;
	}
	search_sort_scores(found->documents);
	return true;
}

static bool find_documents(
        const Search *s, const QueryTerms *terms, TermMatches *found, GError **error)
{
	bool partial = terms->other_language->len > 0 && search_is_partial(found->term->node);
	const GArray *some = partial ? terms->named_documents : terms->rescored;
	Question question = {found->term->node, found->term->match, QUERY_ALL_LANGUAGES,
	        found->term->whole ? NULL : some};
	if ((found->term->whole || some->len > 0) &&
	        !search_answer(s, &question, found->documents, error))
		return false;
	return !partial || answer_other_language(s, terms, found, error);
}

/* Returns the index terms that match a single-term node in any field, ascending; the node owns the
 * strings. NULL: the node is a phrase, or of one field. */
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

static bool search_count_terms(
        const Search *s, const GPtrArray *terms, uint64_t *count_r, GError **error)
{
	return terms_count_documents(s->r, TERMS_OF_TEXT, (const char *const *)terms->pdata,
	        terms->len, RANK_MAX_COUNT, count_r, error);
}

static bool count_by_search(
        const Search *s, const TermMatches *found, uint64_t *count_r, GError **error)
{
	sqlite3_stmt *statement = reader_statement(s->r, count_sql, error);
	if (!statement)
		return false;
	sqlite3_bind_text(statement, 1, found->term->match, -1, SQLITE_STATIC);
	int row = reader_step(s->r, statement, error);
	*count_r = row > 0 ? sqlite3_column_int64(statement, 0) : 0;
	sqlite3_reset(statement);
	return row >= 0;
}

static bool search_count_documents(
        const Search *s, const TermMatches *found, uint64_t *count_r, GError **error)
{
	if (query_matches_only_names(found->term->node)) {
		*count_r = found->names->len + found->members->len;
		return true;
	}
	g_autoptr(GPtrArray) terms = terms_of(found->term->node);
	return terms ? search_count_terms(s, terms, count_r, error)
	             : count_by_search(s, found, count_r, error);
}

/* The weight tells rare words from common ones. A query of one word needs none. */
static bool weigh_term(const Search *s, TermMatches *found, uint64_t rows, GError **error)
{
	uint64_t count;
	if (s->plan->terms->len == 1)
		return true;
	if (found->term->node->prefix) {
		found->weight = prefix_weight;
		return true;
	}
	if (!search_count_documents(s, found, &count, error))
		return false;
	found->weight = rank_weight(count, rows);
	return true;
}

/* Adds up the scores of each document, which stand side by side. */
static void add_up_scores(GArray *scores)
{
	guint kept = 0;
	for (guint i = 0; i < scores->len; i++) {
		SearchScore score = g_array_index(scores, SearchScore, i);
		SearchScore *last = kept > 0 ? &g_array_index(scores, SearchScore, kept - 1) : NULL;
		if (last && last->document == score.document)
			last->score += score.score;
		else
			g_array_index(scores, SearchScore, kept++) = score;
	}
	g_array_set_size(scores, kept);
}

/* Adds the members whose name matches, with the score of a name. That of a path comes first. */
static void add_members(TermMatches *found)
{
	guint n = found->documents->len;
	double score_of_name = found->term->node->path ? rank_page_bonus : rank_name_bonus;
	for (guint i = 0; i < found->members->len; i++) {
		SearchScore score = {g_array_index(found->members, int64_t, i), score_of_name};
		g_array_append_val(found->documents, score);
	}
	if (found->documents->len == n)
		return;
	search_sort_scores(found->documents);
	add_up_scores(found->documents);
}

static bool find_all_documents(const Search *s, QueryTerms *terms, GError **error)
{
	uint64_t rows;
	bool needed =
	        terms->named->len > 0 || terms->other_language->len > 0 || !s->plan->expression;
	if (!reader_count(s->r, rows_sql, &rows, error))
		return false;
	for (guint i = 0; i < terms->list->len; i++) {
		TermMatches *found = &g_array_index(terms->list, TermMatches, i);
		if (found->term->scored && !weigh_term(s, found, rows, error))
			return false;
		if ((!needed && !found->term->whole) || found->term->prefix)
			continue;
		if (!find_documents(s, terms, found, error))
			return false;
		add_members(found);
	}
	return true;
}

/* Documents without a visible entry: their content is being written (it has a negative number), or
 * their files are orphans. */
static const char hidden_sql[] =
        "SELECT id FROM document INDEXED BY document_content WHERE content < 0 "
        "UNION SELECT d.id FROM (SELECT DISTINCT content FROM inode "
        "WHERE state <> " SQL_INODE_DONE " AND state = " SQL_INODE_ORPHAN
        " AND content IS NOT NULL) o "
        "CROSS JOIN document d ON d.content = o.content WHERE NOT EXISTS(SELECT 1 FROM inode i "
        "WHERE i.content = o.content AND i.state <> " SQL_INODE_ORPHAN ") ORDER BY 1";

static bool find_hidden(const Search *s, GArray *hidden, GError **error)
{
	sqlite3_stmt *statement = reader_statement(s->r, hidden_sql, error);
	return statement && search_append_rows(s, statement, hidden, error);
}

static GArray *ids_new(void)
{
	return g_array_new(FALSE, FALSE, sizeof(int64_t));
}

static void clear_term_matches(void *data)
{
	TermMatches *found = data;
	g_array_unref(found->names);
	g_array_unref(found->paths);
	g_array_unref(found->members);
	g_array_unref(found->documents);
}

static void query_terms_begin(QueryTerms *terms, const QueryPlan *plan)
{
	terms->list = g_array_new(FALSE, FALSE, sizeof(TermMatches));
	g_array_set_clear_func(terms->list, clear_term_matches);
	for (guint i = 0; i < plan->terms->len; i++) {
		TermMatches found = {
		        .term = &g_array_index(plan->terms, SearchTerm, i), .weight = 1};
		found.names = ids_new();
		found.paths = ids_new();
		found.members = ids_new();
		found.documents = g_array_new(FALSE, FALSE, sizeof(SearchScore));
		g_array_append_val(terms->list, found);
	}
	terms->named = ids_new();
	terms->whole_named = g_array_new(FALSE, FALSE, sizeof(SearchScore));
	terms->name_pattern = search_name_pattern(plan);
	terms->pairs = g_array_new(FALSE, FALSE, sizeof(SearchPair));
	terms->named_documents = ids_new();
	terms->other_language = g_ptr_array_new_with_free_func(other_language_free);
	terms->rescored = ids_new();
	terms->hidden = ids_new();
	terms->by_path = ids_new();
	terms->bonuses = g_array_new(FALSE, FALSE, sizeof(SearchScore));
}

void search_terms_clear(QueryTerms *terms)
{
	g_array_unref(terms->list);
	g_array_unref(terms->named);
	g_array_unref(terms->whole_named);
	glob_set_free(terms->name_pattern);
	g_array_unref(terms->pairs);
	g_array_unref(terms->named_documents);
	g_ptr_array_unref(terms->other_language);
	g_array_unref(terms->rescored);
	g_array_unref(terms->hidden);
	g_array_unref(terms->by_path);
	g_array_unref(terms->bonuses);
}

bool search_terms(const Search *s, QueryTerms *out, GError **error)
{
	query_terms_begin(out, s->plan);
	return find_hidden(s, out->hidden, error) && find_all_names(s, out, error) &&
	       search_other_language(s, out, error) && find_all_documents(s, out, error) &&
	       search_whole_query(s, out, error);
}

bool search_prefixes(const Search *s, const Matches *m, QueryTerms *out, GError **error)
{
	if (s->plan->prefixes->len == 0)
		return true;
	g_autoptr(GArray) wanted = search_documents(m->list);
	g_array_append_vals(wanted, out->rescored->data, out->rescored->len);
	search_sort_ids(wanted);
	for (guint i = 0; i < s->plan->prefixes->len; i++) {
		TermMatches *found = &g_array_index(out->list, TermMatches,
		        search_prefix_term(s->plan, s->plan->prefixes->pdata[i]));
		Question question = {
		        found->term->node, found->term->match, QUERY_ALL_LANGUAGES, wanted};
		if (!search_answer(s, &question, found->documents, error))
			return false;
		add_members(found);
	}
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

const SearchScore *search_score_of(const TermMatches *found, int64_t document)
{
	return document != 0 ? find_document(found->documents, document) : NULL;
}

bool search_has_document(const TermMatches *found, int64_t document)
{
	return search_score_of(found, document) != NULL;
}

double search_weight_of_all(const QueryTerms *terms)
{
	double all = 0;
	for (guint i = 0; i < terms->list->len; i++) {
		const TermMatches *found = &g_array_index(terms->list, TermMatches, i);
		all += found->term->scored ? query_parts(found->term->node) * found->weight : 0;
	}
	return all;
}

double search_bonus(const QueryTerms *terms, int64_t document)
{
	const SearchScore *bonus =
	        terms->bonuses->len > 0 ? find_document(terms->bonuses, document) : NULL;
	return bonus ? bonus->score : 0;
}

/* True if the term is a URL, which names one page: no text about it comes before it. */
static bool is_named_page(const QueryNode *term)
{
	return term->path && path_is_web(term->path);
}

double search_score(const Search *s, const Matches *m, int64_t document, int64_t node)
{
	const QueryTerms *terms = s->terms;
	const SearchScore *proximity = document ? find_document(m->proximities, document) : NULL;
	double score = proximity ? proximity->score : 0, held = 0, all = 0;
	unsigned phrases = 0, matched = 0;
	bool by_path = false;
	for (guint i = 0; i < terms->list->len; i++) {
		const TermMatches *found = &g_array_index(terms->list, TermMatches, i);
		if (!found->term->scored)
			continue;
		const SearchScore *text = search_score_of(found, document);
		bool above = node && search_contains(found->paths, node);
		bool named = above || (node && search_contains(found->names, node));
		double by_name =
		        is_named_page(found->term->node) ? rank_page_bonus : rank_name_bonus;
		double name = above ? rank_path_bonus : named ? by_name : 0;
		unsigned n = query_parts(found->term->node);
		score += found->weight * ((text ? text->score : 0) + name);
		by_path |= above;
		held += text || named ? n * found->weight : 0;
		matched += text || named ? n : 0;
		all += n * found->weight;
		phrases += n;
	}
	const SearchScore *whole = node ? find_document(terms->whole_named, node) : NULL;
	if (whole)
		score += whole->score * (by_path ? rank_whole_path_bonus : rank_whole_name_bonus) *
		         all;
	return score * rank_coverage(held, all, phrases) + search_bonus(terms, document) +
	       s->plan->step * matched;
}
