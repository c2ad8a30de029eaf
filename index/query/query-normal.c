/* SPDX-License-Identifier: GPL-3.0-or-later */
/* query-normal.c - the normal form of a query: folded words, every operator, each field by its
 * first name, bounds as numbers. The normal form is a query in the same language with the same
 * meaning, except for bounds of dates that are not whole days. */
#include <config.h>
#include "index/query/query.h"
#include "index/text/tokenizer.h"
#include "index/text/word-signs.h"
#include <string.h>

static void query_normal_append_node(GString *out, const QueryNode *node, bool inside);

/* ---- words */

typedef struct {
	char *const *terms; /* expected terms */
	guint n; /* number matched so far; G_MAXUINT: another term came */
} Expected;

static int query_expect(void *data, const char *term, int length, int start, int end)
{
	Expected *expected = data;
	const char *wanted = expected->n < 2 ? expected->terms[expected->n] : "";
	bool same = strlen(wanted) == (size_t)length && memcmp(wanted, term, length) == 0;
	expected->n = same ? expected->n + 1 : G_MAXUINT;
	return !same;
}

/* Returns the part that the second of two terms adds to the first in a script without spaces: for
 * 東京 京都 it is 都. NULL: they are two words. */
static const char *query_addition(char *const *terms)
{
	const char *second = terms[1], *rest = g_utf8_next_char(second);
	for (; *rest; rest = g_utf8_next_char(rest)) {
		g_autofree char *shared = g_strndup(second, rest - second);
		g_autofree char *joined = g_strconcat(terms[0], rest, NULL);
		Expected expected = {terms, 0};
		if (!g_str_has_suffix(terms[0], shared))
			continue;
		tokenize_query(joined, strlen(joined), query_expect, &expected);
		if (expected.n == 2)
			return rest;
	}
	return NULL;
}

static int query_normal_count(void *data, const char *term, int length, int start, int end)
{
	++*(unsigned *)data;
	return 0;
}

/* True for the last character of a run that is a term only because words follow: 都 in 東京 都
 * tower. */
static bool is_last_of_run(char *const *terms, guint i, guint first, guint end)
{
	unsigned n = 0;
	if (i == first || i + 1 == end || !g_str_has_suffix(terms[i - 1], terms[i]) ||
	        strcmp(terms[i - 1], terms[i]) == 0)
		return false;
	g_autofree char *thrice = g_strconcat(terms[i], terms[i], terms[i], NULL);
	tokenize_query(thrice, strlen(thrice), query_normal_count, &n);
	return n > 1;
}

/* The sign between two words of a phrase: an apostrophe if the phrase has two joined forms, because
 * two letters may be one. */
static const char *query_separator(const QueryNode *node)
{
	return !node->joined ? " " : node->joined[1] ? "'" : "-";
}

static void append_part(GString *out, const QueryNode *node, guint first, guint end)
{
	bool quoted = (node->exact || end - first > 1) && !node->joined;
	bool last = false; /* the previous term is the last of a run */
	g_string_append(out, quoted ? "\"" : "");
	for (guint i = first; i < end; i++) {
		const char *added =
		        i > first && !last ? query_addition(node->tokens + i - 1) : NULL;
		last = !last && is_last_of_run(node->tokens, i, first, end);
		if (!last && (i == first || !word_joins_next(node->tokens[i - 1])))
			g_string_append_printf(out, "%s%s",
			        i > first && !added ? query_separator(node) : "",
			        added ? added : node->tokens[i]);
	}
	if (node->prefix && !node->tokens[end])
		g_string_append_c(out, '*');
	g_string_append(out, quoted ? "\"" : "");
}

static void query_normal_append_words(GString *out, const QueryNode *node)
{
	guint n = g_strv_length(node->tokens);
	if (node->scope != SCOPE_ANY)
		g_string_append_printf(out, "%s:", query_scope_name(node->scope));
	if (node->pattern) {
		g_string_append(out, node->pattern);
		return;
	}
	g_string_append(out, node->parts ? "(" : "");
	for (guint first = 0, end; first < n; first = end) {
		end = query_part_end(node, first);
		if (first > 0)
			g_string_append_printf(
			        out, " %s/%u ", node->ordered ? "ADJ" : "NEAR", node->gap);
		append_part(out, node, first, end);
	}
	g_string_append(out, node->parts ? ")" : "");
	if (node->edits > 0)
		g_string_append_printf(out, "~%u", node->edits);
}

/* ---- filters */

/* after: the bound is the last second of a day. */
static void query_normal_append_bound(
        GString *out, const QueryNode *node, int64_t bound, bool after)
{
	if (!query_is_date(node->filter)) {
		g_string_append_printf(out, "%" G_GINT64_FORMAT, bound);
		return;
	}
	g_autoptr(GDateTime) time = g_date_time_new_from_unix_local(bound);
	g_autoptr(GDateTime) next = g_date_time_new_from_unix_local(bound + after);
	bool day = next && g_date_time_get_hour(next) == 0 && g_date_time_get_minute(next) == 0 &&
	           g_date_time_get_second(next) == 0;
	g_autofree char *text =
	        time ? g_date_time_format(time, day ? "%Y-%m-%d" : "%Y-%m-%dT%H:%M:%S") : NULL;
	g_string_append(out, text ? text : "?");
}

static void append_span(GString *out, const QueryNode *node)
{
	if (node->low == node->high) {
		query_normal_append_bound(out, node, node->low, false);
		return;
	}
	if (node->low != INT64_MIN)
		query_normal_append_bound(out, node, node->low, false);
	g_string_append(out, "..");
	if (node->high != INT64_MAX)
		query_normal_append_bound(out, node, node->high, true);
}

/* special: characters that would have another meaning without quotes. */
static void query_append_value(GString *out, const char *value, const char *special)
{
	if (!value[strcspn(value, special)]) {
		g_string_append(out, value);
		return;
	}
	g_string_append_c(out, '"');
	for (; *value; value++)
		g_string_append_printf(out, "%s%c", strchr("\"\\", *value) ? "\\" : "", *value);
	g_string_append_c(out, '"');
}

/* Of "dup:FILE", the file was read, and its checksum stays. */
static void query_normal_append_filter(GString *out, const QueryNode *node)
{
	if (node->filter == FILTER_ALL) {
		g_string_append(out, "()");
		return;
	}
	const char *special = query_is_web_field(node->filter) ? " \t\"()," : " \t\"()~";
	bool bits = node->filter == FILTER_NEAR && node->high == SKETCH_BITS;
	g_string_append_printf(out,
	        "%s:", query_filter_name(node->filter == FILTER_DUP ? FILTER_SUM : node->filter));
	for (char **value = node->values; value && *value; value++) {
		g_string_append(out, value == node->values ? "" : ",");
		query_append_value(out, *value, bits ? " \t\"()" : special);
	}
	if (bits)
		g_string_append_printf(out, "~%" G_GINT64_FORMAT, node->low);
	if (!node->values)
		append_span(out, node);
}

/* ---- the tree */

/* inside: within another list, whose operator differs. */
static void append_list(GString *out, const QueryNode *node, bool inside)
{
	g_string_append(out, inside ? "(" : "");
	for (guint i = 0; i < node->children->len; i++) {
		if (i > 0)
			g_string_append(out, node->op == QUERY_AND ? " AND " : " OR ");
		query_normal_append_node(out, node->children->pdata[i], true);
	}
	g_string_append(out, inside ? ")" : "");
}

static void query_normal_append_node(GString *out, const QueryNode *node, bool inside)
{
	switch (node->op) {
	case QUERY_WORDS:
		query_normal_append_words(out, node);
		return;
	case QUERY_FILTER:
		query_normal_append_filter(out, node);
		return;
	case QUERY_NOT:
		g_string_append(out, "NOT ");
		query_normal_append_node(out, node->children->pdata[0], true);
		return;
	default:
		append_list(out, node, inside);
	}
}

char *query_normal(const Query *query)
{
	GString *out = g_string_new(NULL);
	query_normal_append_node(out, query->root, false);
	return g_string_free(out, FALSE);
}
