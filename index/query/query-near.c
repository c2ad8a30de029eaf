/* SPDX-License-Identifier: GPL-3.0-or-later */
/* query-near.c - "near:FILE", "near:FILE~5": fingerprints that differ in few bits */
#include <config.h>
#include "index/query/query-private.h"
#include "common/base/i18n.h"
#include <string.h>

enum { MAX_BITS = 32 };

/* Length of the path before "~digits"; *digits is NULL if there are none. */
static size_t path_length(const QueryValue *value, const char **digits)
{
	size_t length = strlen(value->text), end = length;
	*digits = NULL;
	while (end > 0 && g_ascii_isdigit(value->text[end - 1]))
		end--;
	if (value->quoted || end == length || end < 2 || value->text[end - 1] != '~')
		return length;
	*digits = value->text + end;
	return end - 1;
}

static void set_bits(QueryNode *node, int bits)
{
	node->low = bits >= 0 ? bits : NEAR_BITS;
	node->high = bits >= 0 ? SKETCH_BITS : NEAR_SKETCH_BITS;
}

QueryNode *query_near_node(QueryParse *p, const QueryField *field, const QueryValue *value)
{
	const char *digits;
	size_t length = path_length(value, &digits);
	uint64_t bits = digits ? g_ascii_strtoull(digits, NULL, 10) : 0;
	if (bits > MAX_BITS) {
		query_fail(p, value->position + length, value->length - length, NULL,
		        _("At most %d of the 64 bits may differ"), MAX_BITS);
		return NULL;
	}
	QueryNode *node = query_node_new(QUERY_FILTER, value->position, value->length);
	node->filter = field->filter;
	node->values = g_new0(char *, 2);
	node->values[0] = g_strndup(value->text, length);
	set_bits(node, digits ? (int)bits : -1);
	return node;
}

Query *query_near(const NearPrint *print, int bits)
{
	Query *query = query_all();
	query->root->filter = FILTER_NEAR;
	set_bits(query->root, bits);
	query->root->print = *print;
	query->root->resolved = true;
	return query;
}

static bool query_resolve(QueryNode *node, QueryPrintFunc f, void *data, GError **error)
{
	if (node->op == QUERY_FILTER && node->filter == FILTER_NEAR && !node->resolved) {
		node->resolved = f(node->values[0], &node->print, data, error);
		return node->resolved;
	}
	for (guint i = 0; node->children && i < node->children->len; i++)
		if (!query_resolve(node->children->pdata[i], f, data, error))
			return false;
	return true;
}

bool query_resolve_near(Query *query, QueryPrintFunc f, void *data, GError **error)
{
	return query_resolve(query->root, f, data, error);
}
