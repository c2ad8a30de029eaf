/* SPDX-License-Identifier: GPL-3.0-or-later */
/* other-language.c - finds documents with a form of a word that is not a form in their language
 *
 * "the" is a form of "thés" in French texts, not in English ones. FTS5 cannot search a term in
 * documents of one language only, so it is asked for the forms of all languages. The documents
 * with a form that does not count in them are found here, and are judged by the forms that do.
 * They are few: most words of a language occur in no text of another. */
#include <config.h>
#include "index/search/search-private.h"
#include "index/text/stem.h"
#include "index/fts/term-scan.h"

static const char language_sql[] = "SELECT lang FROM fact WHERE document = ?1";

bool search_is_partial(const QueryNode *words)
{
	for (guint i = 0; words->form_languages && words->tokens[i]; i++)
		if (words->form_languages[i])
			return true;
	return false;
}

void other_language_free(void *other_language)
{
	g_array_unref(((OtherLanguage *)other_language)->documents);
	g_free(other_language);
}

static bool add_holder(void *data, const TermPosting *posting)
{
	g_array_append_val((GArray *)data, posting->document);
	return true;
}

static bool read_language(const Search *s, int64_t document, uint32_t *language_r, GError **error)
{
	sqlite3_stmt *statement = reader_statement(s->r, language_sql, error);
	if (!statement)
		return false;
	sqlite3_bind_int64(statement, 1, document);
	int row = reader_step(s->r, statement, error);
	*language_r = row > 0 ? stem_language((const char *)sqlite3_column_text(statement, 0)) : 0;
	sqlite3_reset(statement);
	return row >= 0;
}

static void add_other_language(QueryTerms *terms, uint32_t language, int64_t document)
{
	for (guint i = 0; i < terms->other_language->len; i++) {
		OtherLanguage *known = terms->other_language->pdata[i];
		if (known->language == language) {
			g_array_append_val(known->documents, document);
			return;
		}
	}
	OtherLanguage *other_language = g_new(OtherLanguage, 1);
	other_language->language = language;
	other_language->documents = g_array_new(FALSE, FALSE, sizeof(int64_t));
	g_array_append_val(other_language->documents, document);
	g_ptr_array_add(terms->other_language, other_language);
}

/* Returns the documents that hold a term, ascending. NULL with error. */
static GArray *holders_of(const Search *s, const char *term, GError **error)
{
	GArray *holders = g_array_new(FALSE, FALSE, sizeof(int64_t));
	if (term_scan_postings(s->r, TERMS_OF_TEXT, term, false, add_holder, holders, error)) {
		search_sort_ids(holders);
		return holders;
	}
	g_array_unref(holders);
	return NULL;
}

/* Adds the documents with a form that counts only in these languages, except those that match
 * anyway. */
static bool add_holders(const Search *s, QueryTerms *terms, const char *form, uint32_t languages,
        const GArray *matched, GError **error)
{
	g_autoptr(GArray) holders = holders_of(s, form, error);
	for (guint i = 0; holders && i < holders->len; i++) {
		int64_t document = g_array_index(holders, int64_t, i);
		uint32_t language;
		if (matched && search_contains(matched, document))
			continue;
		if (!read_language(s, document, &language, error))
			return false;
		if ((language & s->plan->languages & ~languages) != 0)
			add_other_language(terms, language, document);
	}
	return holders != NULL;
}

static bool other_language_add_forms(const Search *s, QueryTerms *terms, const QueryNode *node,
        guint i, const GArray *matched, GError **error)
{
	for (guint k = 0; node->form_languages[i] && node->forms[i][k]; k++)
		if (node->form_languages[i][k] != s->plan->languages &&
		        !add_holders(s, terms, node->forms[i][k], node->form_languages[i][k],
		                matched, error))
			return false;
	return true;
}

/* A single-term query matches wherever the word occurs as it was typed. */
static bool other_language_add_word(
        const Search *s, QueryTerms *terms, const QueryNode *node, GError **error)
{
	bool single_term = !node->tokens[1] && node->scope == SCOPE_ANY;
	g_autoptr(GArray) matched = single_term ? holders_of(s, node->tokens[0], error) : NULL;
	if (single_term && !matched)
		return false;
	for (guint i = 0; node->tokens[i]; i++)
		if (!other_language_add_forms(s, terms, node, i, matched, error))
			return false;
	return true;
}

bool search_other_language(const Search *s, QueryTerms *terms, GError **error)
{
	for (guint l = 0; l < s->plan->terms->len; l++) {
		const QueryNode *node = g_array_index(s->plan->terms, SearchTerm, l).node;
		if (search_is_partial(node) && node->scope != SCOPE_ANCHOR &&
		        !other_language_add_word(s, terms, node, error))
			return false;
	}
	g_array_append_vals(
	        terms->rescored, terms->named_documents->data, terms->named_documents->len);
	for (guint i = 0; i < terms->other_language->len; i++) {
		GArray *documents = ((OtherLanguage *)terms->other_language->pdata[i])->documents;
		search_sort_ids(documents);
		g_array_append_vals(terms->rescored, documents->data, documents->len);
	}
	search_sort_ids(terms->rescored);
	return true;
}
