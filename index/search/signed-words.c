/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/search/signed-words.h"
#include "index/search/term-visible.h"
#include "index/text/word-signs.h"
#include "common/base/i18n.h"
#include <string.h>
#include <unistd.h>

typedef struct {
	Reader *r;
	Query *query;
	Visible *visible; /* NULL: nothing was asked yet */
	bool counted, outdated; /* outdated: texts lack the terms with signs; known once counted */
} SignedWords;

static bool signed_index_is_outdated(SignedWords *words, GError **error)
{
	uint64_t last = 0;
	if (!words->counted &&
	        !reader_count(
	                words->r, "SELECT value FROM meta WHERE key = 'signs_last'", &last, error))
		return false;
	words->outdated |= last > 0;
	words->counted = true;
	return true;
}

/* Sets *known_r if a text, or a name, that the user may read has the term: a note about the others
 * would tell of them. */
static bool signed_look_up(
        SignedWords *words, TermTable table, const char *term, bool *known_r, GError **error)
{
	bool exists = false;
	if (!terms_exist(words->r, table, &term, 1, &exists, error))
		return false;
	if (!exists || *known_r)
		return true;
	if (!words->visible)
		words->visible = visible_new_within(words->r, geteuid(), error);
	return words->visible &&
	       term_visible_among(words->r, words->visible, table, term, known_r, error);
}

/* 1: the user may read something that has the term; 0: not so, or not all texts have their terms;
 * -1: error. */
static int signed_is_known(
        SignedWords *words, const QueryNode *node, const char *term, GError **error)
{
	bool known = false;
	if (node->edits > 0 || !signed_index_is_outdated(words, error))
		return node->edits > 0 ? 0 : -1;
	if (query_matches_names(node) && (node->scope == SCOPE_FILENAME || !words->outdated) &&
	        !signed_look_up(words, TERMS_OF_NAMES, term, &known, error))
		return -1;
	if (node->scope != SCOPE_FILENAME && !words->outdated &&
	        !signed_look_up(words, TERMS_OF_TEXT, term, &known, error))
		return -1;
	return known;
}

static void signed_add_note(SignedWords *words, const QueryNode *node, const char *term)
{
	const char *format =
	        node->edits > 0 ? _("\"%s\" is a fuzzy word, so it was searched without its signs")
	        : words->outdated && node->scope != SCOPE_FILENAME
	                ? _("Older texts are still being read for words with signs, so \"%s\" was "
	                    "searched without them")
	                : _("Nothing contains \"%s\", so it was searched without its signs");
	g_autofree char *note = g_strdup_printf(format, term);
	char **notes = words->query->notes;
	if (notes && g_strv_contains((const char *const *)notes, note))
		return;
	guint n = notes ? g_strv_length(notes) : 0;
	notes = words->query->notes = g_renew(char *, notes, n + 2);
	notes[n] = g_steal_pointer(&note);
	notes[n + 1] = NULL;
}

static bool signed_resolve_token(SignedWords *words, QueryNode *node, guint i, GError **error)
{
	char *term = node->tokens[i];
	if (!word_is_signed(term, strlen(term)))
		return true;
	int known = signed_is_known(words, node, term, error);
	if (known != 0)
		return known > 0;
	signed_add_note(words, node, term);
	const char *start;
	unsigned length = word_without_signs(term, &start);
	node->tokens[i] = g_strndup(start, length);
	g_free(term);
	return true;
}

static bool signed_resolve_node(SignedWords *words, QueryNode *node, GError **error)
{
	for (guint i = 0; node->children && i < node->children->len; i++)
		if (!signed_resolve_node(words, node->children->pdata[i], error))
			return false;
	if (node->op != QUERY_WORDS || node->pattern)
		return true;
	for (guint i = 0; node->tokens[i]; i++)
		if (!signed_resolve_token(words, node, i, error))
			return false;
	return true;
}

bool signed_words_resolve(Query *query, Reader *r, GError **error)
{
	SignedWords words = {.r = r, .query = query};
	bool ok = signed_resolve_node(&words, query->root, error);
	visible_free(words.visible);
	return ok;
}
