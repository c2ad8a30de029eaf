/* SPDX-License-Identifier: GPL-3.0-or-later */
/* path-words.c - words of the query that only the directories above an entry have
 *
 * Somebody who types "notes shopping" means notes/shopping.md, whose text and name lack the word
 * "notes". If several words must occur together, a directory's name counts for the entries below it
 * too, as long as one of the words is in the entry's own name or text: a directory alone matches
 * nothing below it. Roots do not count, because they say the same of every entry.
 *
 * The way goes up: from the entries that have a word themselves to the directories above them. Of
 * a word that is in the texts of more than MOST_DOCUMENTS documents, only names are looked at. If
 * more than path_words_most_entries entries have a word themselves, no path counts. So the cost is
 * bounded. */
#include <config.h>
#include "index/search/search-private.h"

enum { MOST_DOCUMENTS = 2000, MOST_PARENTS = 256 };
unsigned path_words_most_entries = 20000;
G_STATIC_ASSERT(QUERY_MAX_TERMS <= 64);

static const char word_documents_sql[] =
        "SELECT rowid FROM text WHERE text MATCH ?1 LIMIT " G_STRINGIFY(2001);
G_STATIC_ASSERT(MOST_DOCUMENTS == 2000);
static const char document_entries_sql[] =
        "SELECT n.id FROM tarsier_asked a CROSS JOIN document d ON d.id = a.id "
        "CROSS JOIN inode i ON i.content = d.content CROSS JOIN node n ON n.inode = i.id";
static const char parents_sql[] =
        "SELECT n.id, n.parent FROM tarsier_asked a CROSS JOIN node n ON n.id = a.id";
static const char parent_sql[] = "SELECT parent FROM node WHERE id = ?1";

typedef struct {
	const Search *s;
	QueryTerms *terms;
	uint64_t able; /* bit i: a path may have term i */
	uint64_t with_directories; /* bit i: a directory's name has term i */
	GHashTable *masks; /* directory -> bit i: it, or one above it, has term i in its name */
} PathWords;

static TermMatches *path_words_term(const PathWords *words, guint i)
{
	return &g_array_index(words->terms->list, TermMatches, i);
}

/* Returns the node whose words must occur together; NULL: there is none. In a query for documents
 * with some of the words, it is the one that excludes those with all of them. */
static const QueryNode *path_words_together(const QueryNode *root)
{
	for (guint i = 0; root->op == QUERY_AND && i < root->children->len; i++) {
		const QueryNode *child = root->children->pdata[i];
		if (child->op == QUERY_NOT &&
		        ((const QueryNode *)child->children->pdata[0])->softened)
			return child->children->pdata[0];
	}
	return root->op == QUERY_AND ? root : NULL;
}

/* Fills the terms that a path may have. False: they are less than two, or not all plain words. */
static bool path_words_begin(PathWords *words, const QueryPlan *plan)
{
	const QueryNode *together = path_words_together(plan->root);
	unsigned plain = 0;
	for (guint i = 0; together && i < plan->terms->len; i++) {
		const SearchTerm *term = &g_array_index(plan->terms, SearchTerm, i);
		const QueryNode *node = term->node;
		if (!g_ptr_array_find(together->children, node, NULL)) {
			if (!term->negated && !together->softened)
				return false;
			continue;
		}
		if (node->scope != SCOPE_ANY || node->pattern || node->edits > 0)
			return false;
		words->able |= UINT64_C(1) << i;
		plain++;
	}
	return plain >= 2;
}

static bool path_words_able(const PathWords *words, guint i)
{
	return words->able >> i & 1;
}

static void path_words_mark(PathWords *words, int64_t directory, uint64_t mask)
{
	uint64_t *known = g_hash_table_lookup(words->masks, &directory);
	if (known)
		*known |= mask;
	else
		g_hash_table_insert(words->masks, g_memdup2(&directory, sizeof directory),
		        g_memdup2(&mask, sizeof mask));
}

/* Notes the directories whose own names have a term. */
static void find_directories(PathWords *words, GHashTable *own)
{
	for (guint k = 0; k < words->terms->pairs->len; k++) {
		const SearchPair *pair = &g_array_index(words->terms->pairs, SearchPair, k);
		uint64_t mask = 0;
		for (guint i = 0; pair->directory && i < words->terms->list->len; i++) {
			const TermMatches *found = path_words_term(words, i);
			if (path_words_able(words, i) && search_contains(found->names, pair->node))
				mask |= UINT64_C(1) << i;
		}
		words->with_directories |= mask;
		if (mask != 0)
			g_hash_table_insert(own, g_memdup2(&pair->node, sizeof pair->node),
			        g_memdup2(&mask, sizeof mask));
	}
}

/* Sets *mask_r for a directory, and remembers it for all on the way up. */
static bool mask_of_directory(PathWords *words, GHashTable *own, int64_t directory, unsigned level,
        uint64_t *mask_r, GError **error)
{
	const uint64_t *known = g_hash_table_lookup(words->masks, &directory);
	*mask_r = known ? *known : 0;
	if (known || directory == 0 || level == MOST_PARENTS)
		return true;
	sqlite3_stmt *statement = reader_statement(words->s->r, parent_sql, error);
	if (!statement)
		return false;
	sqlite3_bind_int64(statement, 1, directory);
	int row = reader_step(words->s->r, statement, error);
	int64_t parent = row > 0 ? sqlite3_column_int64(statement, 0) : 0;
	sqlite3_reset(statement);
	if (row < 0 || !mask_of_directory(words, own, parent, level + 1, mask_r, error))
		return false;
	const uint64_t *itself = g_hash_table_lookup(own, &directory);
	*mask_r |= itself ? *itself : 0;
	path_words_mark(words, directory, *mask_r);
	return true;
}

/* ---- entries that have a word themselves */

/* The posting lists of a long prefix are read page by page, which is faster than MATCH. */
static bool append_documents_of_prefix(
        const Search *s, const QueryNode *node, GArray *documents, GError **error)
{
	g_autoptr(GArray) scores = g_array_new(FALSE, FALSE, sizeof(SearchScore));
	bool ok = single_term_search(s, node, QUERY_ALL_LANGUAGES, NULL, scores, error);
	for (guint i = 0; i < MIN(scores->len, MOST_DOCUMENTS + 1); i++)
		g_array_append_val(documents, g_array_index(scores, SearchScore, i).document);
	return ok;
}

static bool append_documents(
        const Search *s, const SearchTerm *term, GArray *documents, GError **error)
{
	if (term->prefix)
		return append_documents_of_prefix(s, term->node, documents, error);
	sqlite3_stmt *statement = reader_statement(s->r, word_documents_sql, error);
	if (!statement)
		return false;
	sqlite3_bind_text(statement, 1, term->match, -1, SQLITE_STATIC);
	return search_append_rows(s, statement, documents, error);
}

/* Appends the entries whose name or text has the term. *complete_r: all of them; else only those by
 * name, because the texts are too many. */
static bool append_own(PathWords *words, guint i, GArray *entries, bool *complete_r, GError **error)
{
	const TermMatches *found = path_words_term(words, i);
	g_autoptr(GArray) documents = g_array_new(FALSE, FALSE, sizeof(int64_t));
	g_array_append_vals(entries, found->names->data, found->names->len);
	*complete_r = false;
	if (!append_documents(words->s, found->term, documents, error))
		return false;
	*complete_r = documents->len <= MOST_DOCUMENTS;
	return !*complete_r ||
	       search_append_ids(words->s, document_entries_sql, documents, entries, error);
}

/* Each term may be the one that an entry has itself. */
static bool append_own_of_all(PathWords *words, GArray *entries, GError **error)
{
	bool complete;
	for (guint i = 0; i < words->terms->list->len; i++)
		if (path_words_able(words, i) && !append_own(words, i, entries, &complete, error))
			return false;
	search_sort_ids(entries);
	return true;
}

/* An entry must itself have each term that no directory has, so those of one such term are enough:
 * of the one with the fewest. *known_r: there is such a term. */
static bool append_own_of_rarest(PathWords *words, GArray *entries, bool *known_r, GError **error)
{
	bool best_complete = false;
	*known_r = false;
	for (guint i = 0; i < words->terms->list->len; i++) {
		g_autoptr(GArray) own = g_array_new(FALSE, FALSE, sizeof(int64_t));
		bool complete;
		if (!path_words_able(words, i) || words->with_directories >> i & 1)
			continue;
		if (!append_own(words, i, own, &complete, error))
			return false;
		search_sort_ids(own);
		if (!*known_r || complete > best_complete ||
		        (complete == best_complete && own->len < entries->len)) {
			g_array_set_size(entries, 0);
			g_array_append_vals(entries, own->data, own->len);
			best_complete = complete;
		}
		*known_r = true;
	}
	return true;
}

static bool append_candidates(PathWords *words, GArray *entries, GError **error)
{
	bool known;
	return append_own_of_rarest(words, entries, &known, error) &&
	       (known || append_own_of_all(words, entries, error));
}

/* ---- entries with a directory above them */

/* Notes the terms that only directories say of the entry. Returns whether there is one. */
static bool add_path_terms(PathWords *words, int64_t node, uint64_t mask)
{
	bool any = false;
	for (guint i = 0; i < words->terms->list->len; i++) {
		TermMatches *found = path_words_term(words, i);
		if (!(mask >> i & 1) || search_contains(found->names, node))
			continue;
		g_array_append_val(found->paths, node);
		any = true;
	}
	return any;
}

static bool add_paths(
        PathWords *words, GHashTable *own, const GArray *entries, GArray *out, GError **error)
{
	sqlite3_stmt *statement = reader_statement(words->s->r, parents_sql, error);
	int row = statement ? 1 : -1;
	words->s->state->asked = entries;
	while (row > 0 && (row = reader_step(words->s->r, statement, error)) > 0) {
		int64_t node = sqlite3_column_int64(statement, 0);
		uint64_t mask = 0;
		if (!mask_of_directory(
		            words, own, sqlite3_column_int64(statement, 1), 0, &mask, error)) {
			sqlite3_reset(statement);
			row = -1;
			break;
		}
		if (mask != 0 && add_path_terms(words, node, mask))
			g_array_append_val(out, node);
	}
	words->s->state->asked = NULL;
	return row == 0;
}

bool path_words_own(const Search *s, int64_t document, int64_t node)
{
	for (guint i = 0; i < s->terms->list->len; i++) {
		const TermMatches *found = &g_array_index(s->terms->list, TermMatches, i);
		if (!found->term->negated && (search_contains(found->names, node) ||
		                                     search_has_document(found, document)))
			return true;
	}
	return false;
}

bool search_path_words(const Search *s, QueryTerms *terms, GArray *out, GError **error)
{
	g_autoptr(GHashTable) masks =
	        g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
	g_autoptr(GHashTable) own =
	        g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
	g_autoptr(GArray) entries = g_array_new(FALSE, FALSE, sizeof(int64_t));
	PathWords words = {.s = s, .terms = terms, .masks = masks};
	if (!path_words_begin(&words, s->plan))
		return true;
	find_directories(&words, own);
	if (words.with_directories == 0)
		return true;
	return append_candidates(&words, entries, error) &&
	       (entries->len > path_words_most_entries ||
	               add_paths(&words, own, entries, out, error));
}
