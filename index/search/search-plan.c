/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search-plan.c - from the tree of a query to a plan: the FTS5 expression and the iterators */
#include <config.h>
#include "index/search/search-private.h"
#include "index/fts/term-scan.h"
#include "index/text/columns.h"
#include "index/text/tokenizer.h"
#include "index/text/terms.h"
#include <string.h>

/* Returns the terms that count as token i in documents of these languages. The node owns the
 * strings. */
static GPtrArray *forms_of(const QueryNode *node, guint i, uint32_t languages)
{
	GPtrArray *forms = g_ptr_array_new();
	for (guint k = 0; node->forms && node->forms[i] && node->forms[i][k]; k++)
		if (query_form_counts(node, i, k, languages))
			g_ptr_array_add(forms, node->forms[i][k]);
	g_ptr_array_add(forms, NULL);
	return forms;
}

/* A token is written as all terms that count as it. */
static void append_token(GString *out, const QueryNode *node, guint i, uint32_t languages)
{
	g_autoptr(GPtrArray) forms = forms_of(node, i, languages);
	g_autofree char *joined = g_strjoinv(TOKEN_SYNONYM, (char **)forms->pdata);
	bool listed = query_token_is_listed(node, i);
	g_string_append_printf(out, "%s%s%s", listed ? "" : node->tokens[i],
	        listed || !*joined ? "" : TOKEN_SYNONYM, joined);
}

/* Quotes the tokens from first to end. They consist of letters and digits and need no escape. */
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

/* Returns an expression with as many phrases as the node has, none of which matches any text. */
static char *quote_nothing(const QueryNode *node)
{
	GString *out = g_string_new(NULL);
	for (guint i = 0; node->tokens[i]; i = query_part_end(node, i))
		g_string_append_printf(out, "%s\"" TOKEN_NOTHING "\"", i > 0 ? " AND " : "(");
	g_string_append_c(out, ')');
	return g_string_free(out, FALSE);
}

unsigned search_many_forms = QUERY_MAX_FORMS;

bool search_is_many(const QueryNode *node)
{
	return query_may_have_many_forms(node) && query_token_is_listed(node, 0) && node->forms &&
	       node->forms[0] && g_strv_length(node->forms[0]) > search_many_forms;
}

/* True if the index has no term for one of the words, or too many for an expression. */
static bool is_unmet(const QueryNode *node)
{
	if (search_is_many(node))
		return true;
	for (guint i = 0; node->tokens[i]; i++)
		if (query_token_is_listed(node, i) && !(node->forms && node->forms[i]))
			return true;
	return false;
}

static char *quote_tokens(const QueryNode *node, uint32_t languages)
{
	if (is_unmet(node))
		return quote_nothing(node);
	GString *out = g_string_new(node->parts ? "NEAR(" : node->joined_forms ? "(" : NULL);
	guint n = g_strv_length(node->tokens);
	for (guint first = 0, end; first < n; first = end) {
		end = query_part_end(node, first);
		g_string_append(out, first > 0 ? " " : "");
		append_phrase(out, node, first, end, languages);
	}
	if (node->parts)
		g_string_append_printf(out, ", %u)", node->gap);
	if (node->joined_forms) {
		g_autofree char *joined = g_strjoinv(TOKEN_SYNONYM, node->joined_forms);
		g_string_append_printf(out, " OR \"%s\")", joined);
	}
	return g_string_free(out, FALSE);
}

unsigned search_form_phrases(const QueryNode *node, uint32_t languages)
{
	if (node->joined_forms)
		return 1;
	if (node->tokens[1] || node->pattern || node->edits > 0 || node->scope == SCOPE_ANCHOR)
		return 0;
	g_autoptr(GPtrArray) forms = forms_of(node, 0, languages);
	unsigned n = forms->len - 1;
	return n <= SEARCH_FORM_PHRASES ? n : 1;
}

/* Writes the word OR its other forms. A few forms are phrases of their own, which FTS5 finds with
 * less work than terms at one position. Within a phrase, all forms stand at one position. */
static char *quote_forms(const QueryNode *node, uint32_t languages)
{
	bool separate = search_form_phrases(node, languages) > 1;
	g_autoptr(GPtrArray) forms = forms_of(node, 0, languages);
	g_autofree char *joined =
	        g_strjoinv(separate ? "\" OR \"" : TOKEN_SYNONYM, (char **)forms->pdata);
	return g_strdup_printf("(\"%s\" OR \"%s\")", node->tokens[0], joined);
}

char *search_expression(const QueryNode *node, uint32_t languages)
{
	if (node->scope == SCOPE_ANCHOR || query_matches_only_names(node))
		return quote_nothing(node);
	bool forms = !node->joined_forms && search_form_phrases(node, languages) > 0;
	int column = query_scope_column(node->scope);
	char *match = forms ? quote_forms(node, languages) : quote_tokens(node, languages);
	char *whole = column >= 0 ? g_strdup_printf("{%s} : %s", column_name(column), match)
	                          : g_strdup(match);
	g_free(match);
	return whole;
}

static void plan_add_term(QueryPlan *plan, const QueryNode *node, bool negated)
{
	bool named = query_matches_names(node) || node->scope == SCOPE_ANCHOR;
	SearchTerm term = {.node = node, .negated = negated, .whole = true};
	term.scored = !negated && !node->unranked;
	term.match = search_expression(node, QUERY_ALL_LANGUAGES);
	term.name_match = named ? quote_tokens(node, QUERY_ALL_LANGUAGES) : NULL;
	g_array_append_val(plan->terms, term);
}

static void collect_terms(QueryPlan *plan, const QueryNode *node, bool negated)
{
	if (node->op == QUERY_WORDS)
		plan_add_term(plan, node, negated);
	if (node->op == QUERY_FILTER || node->op == QUERY_NOT)
		plan->monotone = false;
	for (guint i = 0; node->children && i < node->children->len; i++)
		collect_terms(plan, node->children->pdata[i], negated ^ (node->op == QUERY_NOT));
}

static void clear_term(void *data)
{
	SearchTerm *term = data;
	g_free(term->match);
	g_free(term->name_match);
}

/* ---- what FTS5 can say: NOT only beside something positive */

unsigned search_long_pages = 64; /* takes some ten milliseconds */

/* True if the posting lists of a prefix are long. For a single field, FTS5 reads less. */
static bool is_long_prefix(Reader *r, const QueryNode *node)
{
	const QueryNode *words = node->op == QUERY_NOT ? node->children->pdata[0] : node;
	return words->op == QUERY_WORDS && words->prefix && single_term_fits(words) &&
	       (words->scope == SCOPE_ANY || words->scope == SCOPE_BODY) &&
	       terms_pages(r, TERMS_OF_TEXT, words->tokens[0]) >= search_long_pages;
}

static bool is_expressible(const QueryNode *node);

static bool search_is_excluded(const QueryNode *node)
{
	return node->op == QUERY_NOT && is_expressible(node->children->pdata[0]);
}

static bool is_expressible(const QueryNode *node)
{
	if (node->op == QUERY_WORDS)
		return !node->ordered && !search_is_many(node); /* FTS5 knows no order */
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

static void append_expression(QueryPlan *plan, const QueryNode *node, GString *out);

/* Appends the nodes that are exclusions, or those that are not. */
static unsigned append_joined(QueryPlan *plan, QueryNode *const *nodes, unsigned n, bool excluded,
        const char *join, GString *out)
{
	unsigned written = 0;
	for (unsigned i = 0; i < n; i++) {
		const QueryNode *node = nodes[i];
		if ((node->op == QUERY_NOT) != excluded)
			continue;
		g_string_append(out, written++ ? join : "(");
		append_expression(plan, excluded ? node->children->pdata[0] : node, out);
	}
	g_string_append(out, written ? ")" : "");
	return written;
}

static void search_plan_append_all(
        QueryPlan *plan, QueryNode *const *nodes, unsigned n, GString *out)
{
	g_autoptr(GString) excluded = g_string_new(NULL);
	g_string_append_c(out, '(');
	append_joined(plan, nodes, n, false, " AND ", out);
	if (append_joined(plan, nodes, n, true, " OR ", excluded) > 0)
		g_string_append_printf(out, " NOT %s", excluded->str);
	g_string_append_c(out, ')');
}

/* Ranking leaves out what is after RANK_MAX_PHRASES, too. */
static void plan_add_phrase(QueryPlan *plan, unsigned term, bool forms)
{
	if (plan->n_phrases == RANK_MAX_PHRASES)
		return;
	plan->forms[plan->n_phrases] = forms;
	plan->phrases[plan->n_phrases++] = term;
}

static void append_expression(QueryPlan *plan, const QueryNode *node, GString *out)
{
	QueryNode *const *children =
	        node->children ? (QueryNode *const *)node->children->pdata : NULL;
	if (node->op == QUERY_WORDS) {
		unsigned term = search_term_of(plan, node);
		for (guint i = 0; node->tokens[i]; i = query_part_end(node, i))
			plan_add_phrase(plan, term, false);
		for (unsigned n = search_form_phrases(node, QUERY_ALL_LANGUAGES); n > 0; n--)
			plan_add_phrase(plan, term, true);
		g_string_append(out, g_array_index(plan->terms, SearchTerm, term).match);
	} else if (node->op == QUERY_OR) {
		append_joined(plan, children, node->children->len, false, " OR ", out);
	} else {
		search_plan_append_all(plan, children, node->children->len, out);
	}
}

unsigned search_term_of(const QueryPlan *plan, const QueryNode *node)
{
	for (guint i = 0; i < plan->terms->len; i++)
		if (g_array_index(plan->terms, SearchTerm, i).node == node)
			return i;
	g_assert_not_reached();
}

unsigned search_prefix_term(const QueryPlan *plan, const QueryNode *node)
{
	const QueryNode *words = node->op == QUERY_NOT ? node->children->pdata[0] : node;
	return search_term_of(plan, words);
}

static void plan_add_columns(QueryPlan *plan, const QueryNode *node)
{
	if (node->op == QUERY_FILTER)
		g_ptr_array_add(plan->columns, (gpointer)node);
	for (guint i = 0; node->children && i < node->children->len; i++)
		plan_add_columns(plan, node->children->pdata[i]);
}

static bool search_has_words(const QueryNode *node)
{
	if (node->op == QUERY_WORDS)
		return true;
	for (guint i = 0; node->children && i < node->children->len; i++)
		if (search_has_words(node->children->pdata[i]))
			return true;
	return false;
}

/* Are there words that a score can count? */
static bool search_ranks_words(const QueryNode *node)
{
	if (node->op == QUERY_WORDS)
		return !node->unranked;
	for (guint i = 0; node->children && i < node->children->len; i++)
		if (search_ranks_words(node->children->pdata[i]))
			return true;
	return false;
}

/* Are there words that are not excluded? */
static bool search_wants_words(const QueryNode *node)
{
	if (node->op == QUERY_WORDS)
		return true;
	for (guint i = 0; node->op != QUERY_NOT && node->children && i < node->children->len; i++)
		if (search_wants_words(node->children->pdata[i]))
			return true;
	return false;
}

static void plan_add_condition(QueryPlan *plan, QueryNode *node, bool has_expression)
{
	if (has_expression && (is_expressible(node) || search_is_excluded(node))) {
		g_ptr_array_add(plan->words, node);
	} else if (search_has_words(node)) {
		g_ptr_array_add(plan->mixed, node);
		plan_add_columns(plan, node);
	} else {
		g_ptr_array_add(plan->filters, node);
	}
}

/* Sorts the conditions that must all hold by who evaluates them. */
static void search_divide(QueryPlan *plan)
{
	const QueryNode *root = plan->root;
	bool positive = false;
	void *single[] = {(void *)root};
	void **nodes = root->op == QUERY_AND ? root->children->pdata : single;
	unsigned n = root->op == QUERY_AND ? root->children->len : 1;

	for (unsigned i = 0; i < n; i++)
		positive |= is_expressible(nodes[i]);
	for (unsigned i = 0; i < n; i++)
		plan_add_condition(plan, nodes[i], positive);
}

/* Looks a condition up after the others. */
static void take_prefix_out(QueryPlan *plan, QueryNode *node)
{
	g_ptr_array_add(plan->prefixes, node);
	SearchTerm *term = &g_array_index(plan->terms, SearchTerm, search_prefix_term(plan, node));
	term->prefix = true;
	term->whole = false;
}

/* FTS5 merges the posting lists of all terms of a prefix before it gives the first document.
 * Counting their postings page by page takes a tenth of that time, but does not tell which terms
 * stand beside another word of the query. Some expression has to remain: other words, or else the
 * first prefix. */
static void take_long_prefixes_out(QueryPlan *plan, Reader *r)
{
	g_autoptr(GPtrArray) words = g_steal_pointer(&plan->words);
	g_autofree bool *is_long = g_new0(bool, words->len);
	bool others = false;
	plan->words = g_ptr_array_new();
	for (guint i = 0; i < words->len; i++) {
		is_long[i] = is_long_prefix(r, words->pdata[i]);
		others |= is_expressible(words->pdata[i]) && !is_long[i];
	}
	for (guint i = 0; i < words->len; i++) {
		bool taken = others && is_long[i];
		others |= is_expressible(words->pdata[i]);
		if (taken)
			take_prefix_out(plan, words->pdata[i]);
		else
			g_ptr_array_add(plan->words, words->pdata[i]);
	}
}

static bool is_many_or_not(const QueryNode *node)
{
	return search_is_many(node->op == QUERY_NOT ? node->children->pdata[0] : node);
}

/* If the query consists of patterns with many terms, the first that is not excluded; else len. */
static guint first_of_many(const GPtrArray *mixed)
{
	guint first = mixed->len;
	for (guint i = 0; i < mixed->len; i++) {
		if (!is_many_or_not(mixed->pdata[i]))
			return mixed->len;
		if (first == mixed->len && search_is_many(mixed->pdata[i]))
			first = i;
	}
	return first;
}

/* Patterns with many terms are mixed conditions so far, which are evaluated for every entry. Beside
 * words they are looked up as prefixes are. If there are no words, and documents are looked for,
 * one gives the candidates by its posting lists. */
static void take_many_out(QueryPlan *plan, bool of_documents)
{
	g_autoptr(GPtrArray) mixed = g_steal_pointer(&plan->mixed);
	bool beside = plan->words->len > 0;
	guint first = !beside && of_documents ? first_of_many(mixed) : mixed->len;
	beside |= first < mixed->len;
	plan->mixed = g_ptr_array_new();
	for (guint i = 0; i < mixed->len; i++) {
		QueryNode *node = mixed->pdata[i];
		if (i == first)
			g_ptr_array_add(plan->words, node);
		else if (beside && is_many_or_not(node))
			take_prefix_out(plan, node);
		else
			g_ptr_array_add(plan->mixed, node);
	}
}

/* Of a term that FTS5 evaluates, only the rescored documents are needed. */
static void spare_terms(QueryPlan *plan)
{
	for (unsigned i = 0; i < plan->n_phrases; i++)
		g_array_index(plan->terms, SearchTerm, plan->phrases[i]).whole = false;
	/* The score of the expression does not include the other terms: leave them out everywhere,
	 * so that scores are comparable. */
	for (guint i = 0; plan->n_phrases > 0 && i < plan->terms->len; i++) {
		SearchTerm *term = &g_array_index(plan->terms, SearchTerm, i);
		term->scored &= !term->whole;
	}
	for (guint i = 0; i < plan->terms->len; i++) {
		const SearchTerm *term = &g_array_index(plan->terms, SearchTerm, i);
		plan->n_scored += term->scored ? query_parts(term->node) : 0;
	}
}

/* ---- the parts of the tree that other stages ask for */

static bool is_resolved(const QueryNode *node, QueryFilter filter)
{
	return node->op == QUERY_FILTER && node->filter == filter && node->resolved;
}

/* The first resolved filter of this kind that all hits must match; NULL: there is none. */
static const QueryNode *resolved_of_all(const QueryNode *root, QueryFilter filter)
{
	for (guint i = 0; root->op == QUERY_AND && i < root->children->len; i++)
		if (is_resolved(root->children->pdata[i], filter))
			return root->children->pdata[i];
	return is_resolved(root, filter) ? root : NULL;
}

static void collect_nears(QueryPlan *plan, const QueryNode *node)
{
	if (node->op == QUERY_FILTER && node->filter == FILTER_RELATED)
		g_ptr_array_add(plan->relateds, (gpointer)node);
	if (node->op == QUERY_FILTER && node->filter == FILTER_NEAR)
		g_ptr_array_add(plan->nears, (gpointer)node);
	for (guint i = 0; node->children && i < node->children->len; i++)
		collect_nears(plan, node->children->pdata[i]);
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

/* ---- the choice of paths */

static bool has_conditions(const QueryPlan *plan)
{
	return plan->filters->len > 0 || plan->mixed->len > 0;
}

/* Filters can wait only if the score gives the order and one hit stands for all copies. */
static bool orders_documents(const QueryPlan *plan, const SearchOptions *options)
{
	return plan->sort == SORT_RELEVANCE && options->dups == DUPS_COLLAPSE && !options->reverse;
}

/* By date, the entries themselves can wait. */
static bool can_defer(const QueryPlan *plan, const SearchOptions *options)
{
	if (!plan->expression || options->dups != DUPS_COLLAPSE)
		return false;
	return plan->sort == SORT_DATE || (has_conditions(plan) && orders_documents(plan, options));
}

static PlanSource source_of(const QueryPlan *plan)
{
	if (!plan->expression)
		return SOURCE_ENTRIES;
	if (plan->entries && !plan->deferred)
		return SOURCE_EXPRESSION_ROWS;
	bool single =
	        !plan->plain && plan->words->len == 1 && single_term_fits(plan->words->pdata[0]);
	return single ? SOURCE_SINGLE_TERM : SOURCE_EXPRESSION;
}

static void choose_paths(QueryPlan *plan, const SearchOptions *options, PlanChoice choice)
{
	plan->entries = has_conditions(plan) || options->dups != DUPS_COLLAPSE ||
	                plan->sort != SORT_RELEVANCE;
	plan->deferred = choice == PLAN_FAST && can_defer(plan, options);
	plan->source = source_of(plan);
	plan->any = choice == PLAN_FAST && options->any && !plan->deferred;
	plan->newest = choice == PLAN_FAST && !options->any && !options->count &&
	               plan->source == SOURCE_ENTRIES && plan->sort == SORT_DATE &&
	               options->dups == DUPS_COLLAPSE;
	plan->best = choice == PLAN_FAST && !plan->any && plan->expression && !plan->entries &&
	             plan->prefixes->len == 0 && !options->reverse &&
	             (!options->choices || options->choices->len == 0);
}

void search_plan(QueryPlan *plan, Reader *r, const Query *query, const SearchOptions *options,
        PlanChoice choice)
{
	*plan = (QueryPlan){.root = query->root,
	        .text = query->text,
	        .sort = options->sort,
	        .languages = query->languages,
	        .plain = choice == PLAN_PLAIN,
	        .monotone = true};
	plan->terms = g_array_new(FALSE, FALSE, sizeof(SearchTerm));
	g_array_set_clear_func(plan->terms, clear_term);
	plan->words = g_ptr_array_new();
	plan->prefixes = g_ptr_array_new();
	plan->filters = g_ptr_array_new();
	plan->mixed = g_ptr_array_new();
	plan->columns = g_ptr_array_new();
	plan->nears = g_ptr_array_new();
	plan->relateds = g_ptr_array_new();
	plan->shows_offline = asks_for_offline(plan->root);
	plan->near = resolved_of_all(plan->root, FILTER_NEAR);
	plan->related = resolved_of_all(plan->root, FILTER_RELATED);
	collect_nears(plan, plan->root);
	/* Filters do not rank: the newest come first, what is near a fingerprint comes by its
	 * distance, and what is about a subject by its likeness. */
	if (plan->sort == SORT_RELEVANCE && !search_ranks_words(plan->root))
		plan->sort = plan->near || plan->related ? SORT_NEAREST : SORT_DATE;
	if (plan->sort == SORT_RELEVANCE && plan->related && !search_wants_words(plan->root))
		plan->sort = SORT_NEAREST;
	plan->step = options->by_words && plan->sort == SORT_RELEVANCE ? RANK_STEP : 0;
	collect_terms(plan, plan->root, false);
	search_divide(plan);
	if (!plan->plain) {
		take_long_prefixes_out(plan, r);
		take_many_out(plan, choice == PLAN_FAST && orders_documents(plan, options));
	}
	if (plan->words->len > 0) {
		GString *out = g_string_new(NULL);
		search_plan_append_all(
		        plan, (QueryNode *const *)plan->words->pdata, plan->words->len, out);
		plan->expression = g_string_free(out, FALSE);
	}
	spare_terms(plan);
	choose_paths(plan, options, choice);
}

void search_plan_clear(QueryPlan *plan)
{
	g_array_unref(plan->terms);
	g_ptr_array_unref(plan->words);
	g_ptr_array_unref(plan->prefixes);
	g_ptr_array_unref(plan->filters);
	g_ptr_array_unref(plan->mixed);
	g_ptr_array_unref(plan->columns);
	g_ptr_array_unref(plan->nears);
	g_ptr_array_unref(plan->relateds);
	g_free(plan->expression);
}
