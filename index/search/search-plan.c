/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search-plan.c - from the tree of a query to what FTS5 is asked */
#include <config.h>
#include "index/search/search-private.h"
#include "index/fts/term-scan.h"
#include "index/text/tokenizer.h"
#include "index/text/terms.h"
#include <string.h>

static const char *const scope_columns[N_SCOPES] = {
        [SCOPE_TITLE] = "title",
        [SCOPE_AUTHOR] = "author",
        [SCOPE_TO] = "recipient",
        [SCOPE_CC] = "cc",
        [SCOPE_KEYWORD] = "keyword",
        [SCOPE_HEADING] = "heading",
        [SCOPE_BODY] = "body",
        [SCOPE_FILENAME] = "member",
        [SCOPE_COMMENT] = "comment",
};

/* The terms that count as token i in documents of these languages. Strings are node's. */
static GPtrArray *forms_of(const QueryNode *node, guint i, uint32_t languages)
{
	GPtrArray *forms = g_ptr_array_new();
	for (guint k = 0; node->forms && node->forms[i] && node->forms[i][k]; k++)
		if (query_form_counts(node, i, k, languages))
			g_ptr_array_add(forms, node->forms[i][k]);
	g_ptr_array_add(forms, NULL);
	return forms;
}

/* What stands in the expression for a token: the terms that count as it. */
static void append_token(GString *out, const QueryNode *node, guint i, uint32_t languages)
{
	g_autoptr(GPtrArray) forms = forms_of(node, i, languages);
	g_autofree char *joined = g_strjoinv(TOKEN_SYNONYM, (char **)forms->pdata);
	bool listed = query_token_is_listed(node, i);
	g_string_append_printf(out, "%s%s%s", listed ? "" : node->tokens[i],
	        listed || !*joined ? "" : TOKEN_SYNONYM, joined);
}

/* Tokens first to end in double quotes. They are letters and digits, which need no escape. */
static void append_phrase(
        GString *out, const QueryNode *node, guint first, guint end, uint32_t languages)
{
	g_string_append_c(out, '"');
	for (guint i = first; i < end; i++) {
		g_string_append(out, i > first ? " " : "");
		append_token(out, node, i, languages);
	}
	g_string_append_c(out, '"');
	if (node->prefix && !node->tokens[end])
		g_string_append(out, " *");
}

/* As many phrases, which no text holds. */
static char *quote_nothing(const QueryNode *node)
{
	GString *out = g_string_new(NULL);
	for (guint i = 0; node->tokens[i]; i = query_part_end(node, i))
		g_string_append_printf(out, "%s\"" TOKEN_NOTHING "\"", i > 0 ? " AND " : "(");
	g_string_append_c(out, ')');
	return g_string_free(out, FALSE);
}

/* The index has nothing like one of the words. */
static bool is_unmet(const QueryNode *node)
{
	for (guint i = 0; node->tokens[i]; i++)
		if (query_token_is_listed(node, i) && !(node->forms && node->forms[i]))
			return true;
	return false;
}

static char *quote_tokens(const QueryNode *node, uint32_t languages)
{
	if (is_unmet(node))
		return quote_nothing(node);
	GString *out = g_string_new(node->parts ? "NEAR(" : NULL);
	guint n = g_strv_length(node->tokens);
	for (guint first = 0, end; first < n; first = end) {
		end = query_part_end(node, first);
		g_string_append(out, first > 0 ? " " : "");
		append_phrase(out, node, first, end, languages);
	}
	if (node->parts)
		g_string_append_printf(out, ", %u)", node->gap);
	return g_string_free(out, FALSE);
}

unsigned search_form_phrases(const QueryNode *node, uint32_t languages)
{
	if (node->tokens[1] || node->pattern || node->edits > 0 || node->scope == SCOPE_ANCHOR)
		return 0;
	g_autoptr(GPtrArray) forms = forms_of(node, 0, languages);
	unsigned n = forms->len - 1;
	return n <= SEARCH_FORM_PHRASES ? n : 1;
}

/* The word, or else other forms: a few as phrases of their own, which FTS5 finds with less work
 * than terms that stand at one place. Within a phrase all forms stand at one place. */
static char *quote_forms(const QueryNode *node, uint32_t languages)
{
	bool rescored = search_form_phrases(node, languages) > 1;
	g_autoptr(GPtrArray) forms = forms_of(node, 0, languages);
	g_autofree char *joined =
	        g_strjoinv(rescored ? "\" OR \"" : TOKEN_SYNONYM, (char **)forms->pdata);
	return g_strdup_printf("(\"%s\" OR \"%s\")", node->tokens[0], joined);
}

char *search_expression(const QueryNode *node, uint32_t languages)
{
	if (node->scope == SCOPE_ANCHOR || query_matches_only_names(node))
		return quote_nothing(node);
	bool forms = search_form_phrases(node, languages) > 0;
	const char *column = scope_columns[node->scope];
	char *match = forms ? quote_forms(node, languages) : quote_tokens(node, languages);
	char *whole = column ? g_strdup_printf("{%s} : %s", column, match) : g_strdup(match);
	g_free(match);
	return whole;
}

static void add_leaf(Search *s, const QueryNode *node, bool negated)
{
	bool named = query_matches_names(node) || node->scope == SCOPE_ANCHOR;
	SearchLeaf leaf = {.node = node, .scored = !negated, .whole = true, .weight = 1};
	leaf.match = search_expression(node, QUERY_ALL_LANGUAGES);
	leaf.name_match = named ? quote_tokens(node, QUERY_ALL_LANGUAGES) : NULL;
	leaf.names = g_array_new(FALSE, FALSE, sizeof(int64_t));
	leaf.members = g_array_new(FALSE, FALSE, sizeof(int64_t));
	leaf.documents = g_array_new(FALSE, FALSE, sizeof(SearchScore));
	g_array_append_val(s->leaves, leaf);
}

static void collect_leaves(Search *s, const QueryNode *node, bool negated)
{
	if (node->op == QUERY_WORDS)
		add_leaf(s, node, negated);
	if (node->op == QUERY_FILTER || node->op == QUERY_NOT)
		s->monotone = false;
	for (guint i = 0; node->children && i < node->children->len; i++)
		collect_leaves(s, node->children->pdata[i], negated ^ (node->op == QUERY_NOT));
}

static void clear_leaf(void *data)
{
	SearchLeaf *leaf = data;
	g_free(leaf->match);
	g_free(leaf->name_match);
	g_array_unref(leaf->names);
	g_array_unref(leaf->members);
	g_array_unref(leaf->documents);
}

/* ---- what FTS5 can say: NOT only beside something positive */

unsigned search_long_pages = 64; /* some ten milliseconds */

/* Would FTS5 take long for it? Of single fields it reads less. */
static bool is_long_prefix(const Search *s, const QueryNode *node)
{
	const QueryNode *words = node->op == QUERY_NOT ? node->children->pdata[0] : node;
	return words->op == QUERY_WORDS && words->prefix && single_term_fits(words) &&
	       (words->scope == SCOPE_ANY || words->scope == SCOPE_BODY) &&
	       terms_pages(s->r, TERMS_OF_TEXT, words->tokens[0]) >= search_long_pages;
}

static bool is_expressible(const QueryNode *node);

static bool search_is_excluded(const QueryNode *node)
{
	return node->op == QUERY_NOT && is_expressible(node->children->pdata[0]);
}

static bool is_expressible(const QueryNode *node)
{
	if (node->op == QUERY_WORDS)
		return !node->ordered; /* FTS5 knows no order */
	if (node->op == QUERY_FILTER || node->op == QUERY_NOT)
		return false;
	bool positive = false;
	for (guint i = 0; i < node->children->len; i++) {
		const QueryNode *child = node->children->pdata[i];
		bool expressible = is_expressible(child);
		if (!expressible && (node->op == QUERY_OR || !search_is_excluded(child)))
			return false;
		positive |= expressible;
	}
	return positive;
}

static void append_expression(Search *s, const QueryNode *node, GString *out);

/* Those of nodes that are exclusions, or those that are not, joined. */
static unsigned append_joined(Search *s, QueryNode *const *nodes, unsigned n, bool excluded,
        const char *join, GString *out)
{
	unsigned written = 0;
	for (unsigned i = 0; i < n; i++) {
		const QueryNode *node = nodes[i];
		if ((node->op == QUERY_NOT) != excluded)
			continue;
		g_string_append(out, written++ ? join : "(");
		append_expression(s, excluded ? node->children->pdata[0] : node, out);
	}
	g_string_append(out, written ? ")" : "");
	return written;
}

static void search_plan_append_all(Search *s, QueryNode *const *nodes, unsigned n, GString *out)
{
	g_autoptr(GString) excluded = g_string_new(NULL);
	g_string_append_c(out, '(');
	append_joined(s, nodes, n, false, " AND ", out);
	if (append_joined(s, nodes, n, true, " OR ", excluded) > 0)
		g_string_append_printf(out, " NOT %s", excluded->str);
	g_string_append_c(out, ')');
}

static void append_expression(Search *s, const QueryNode *node, GString *out)
{
	QueryNode *const *children =
	        node->children ? (QueryNode *const *)node->children->pdata : NULL;
	if (node->op == QUERY_WORDS) {
		unsigned leaf = search_leaf_of(s, node);
		for (guint i = 0; node->tokens[i]; i = query_part_end(node, i))
			s->phrases[s->n_phrases++] = leaf;
		for (unsigned n = search_form_phrases(node, QUERY_ALL_LANGUAGES); n > 0; n--) {
			s->forms[s->n_phrases] = true;
			s->phrases[s->n_phrases++] = leaf;
		}
		g_string_append(out, g_array_index(s->leaves, SearchLeaf, leaf).match);
	} else if (node->op == QUERY_OR) {
		append_joined(s, children, node->children->len, false, " OR ", out);
	} else {
		search_plan_append_all(s, children, node->children->len, out);
	}
}

unsigned search_leaf_of(const Search *s, const QueryNode *node)
{
	for (guint i = 0; i < s->leaves->len; i++)
		if (g_array_index(s->leaves, SearchLeaf, i).node == node)
			return i;
	g_assert_not_reached();
}

SearchLeaf *search_leaf_begun(const Search *s, const QueryNode *node)
{
	const QueryNode *words = node->op == QUERY_NOT ? node->children->pdata[0] : node;
	return &g_array_index(s->leaves, SearchLeaf, search_leaf_of(s, words));
}

bool search_has_words(const QueryNode *node)
{
	if (node->op == QUERY_WORDS)
		return true;
	for (guint i = 0; node->children && i < node->children->len; i++)
		if (search_has_words(node->children->pdata[i]))
			return true;
	return false;
}

/* Which of the conditions that must all hold go to FTS5. */
static void search_divide(Search *s)
{
	const QueryNode *root = s->root;
	bool positive = false;
	void *alone[] = {(void *)root};
	void **nodes = root->op == QUERY_AND ? root->children->pdata : alone;
	unsigned n = root->op == QUERY_AND ? root->children->len : 1;

	for (unsigned i = 0; i < n; i++)
		positive |= is_expressible(nodes[i]);
	for (unsigned i = 0; i < n; i++) {
		bool words = positive && (is_expressible(nodes[i]) || search_is_excluded(nodes[i]));
		g_ptr_array_add(words ? s->words : s->conditions, nodes[i]);
	}
}

/* FTS5 merges the documents of all words that begin so before it looks at the first; to count them
 * by their pages takes a tenth of that, but does not tell which stand beside another word of the
 * query. Something must bring up documents: other words, or else the first beginning. */
static void set_prefixes_apart(Search *s)
{
	g_autoptr(GPtrArray) words = g_steal_pointer(&s->words);
	g_autofree bool *is_long = g_new0(bool, words->len);
	bool others = false;
	s->words = g_ptr_array_new();
	for (guint i = 0; i < words->len; i++) {
		is_long[i] = is_long_prefix(s, words->pdata[i]);
		others |= is_expressible(words->pdata[i]) && !is_long[i];
	}
	for (guint i = 0; i < words->len; i++) {
		bool rescored = others && is_long[i];
		others |= is_expressible(words->pdata[i]);
		g_ptr_array_add(rescored ? s->beginnings : s->words, words->pdata[i]);
	}
	for (guint i = 0; i < s->beginnings->len; i++) {
		SearchLeaf *leaf = search_leaf_begun(s, s->beginnings->pdata[i]);
		leaf->begins = true;
		leaf->whole = false;
	}
}

/* Leaves that FTS5 judges need their documents only for the named entries. */
static void spare_leaves(Search *s)
{
	for (unsigned i = 0; i < s->n_phrases; i++)
		g_array_index(s->leaves, SearchLeaf, s->phrases[i]).whole = false;
	/* The expression's score does not know the others; keep scores comparable. */
	for (guint i = 0; s->n_phrases > 0 && i < s->leaves->len; i++) {
		SearchLeaf *leaf = &g_array_index(s->leaves, SearchLeaf, i);
		leaf->scored &= !leaf->whole;
	}
	for (guint i = 0; i < s->leaves->len; i++) {
		const SearchLeaf *leaf = &g_array_index(s->leaves, SearchLeaf, i);
		s->n_scored += leaf->scored ? query_parts(leaf->node) : 0;
	}
}

void search_plan(Search *s)
{
	s->leaves = g_array_new(FALSE, FALSE, sizeof(SearchLeaf));
	g_array_set_clear_func(s->leaves, clear_leaf);
	s->words = g_ptr_array_new();
	s->beginnings = g_ptr_array_new();
	s->conditions = g_ptr_array_new();
	s->monotone = true;
	collect_leaves(s, s->root, false);
	search_divide(s);
	set_prefixes_apart(s);
	if (s->words->len > 0) {
		GString *out = g_string_new(NULL);
		search_plan_append_all(s, (QueryNode *const *)s->words->pdata, s->words->len, out);
		s->expression = g_string_free(out, FALSE);
	}
	spare_leaves(s);
}

void search_plan_clear(Search *s)
{
	g_array_unref(s->leaves);
	g_ptr_array_unref(s->words);
	g_ptr_array_unref(s->beginnings);
	g_ptr_array_unref(s->conditions);
	g_free(s->expression);
}
