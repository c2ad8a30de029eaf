/* SPDX-License-Identifier: GPL-3.0-or-later */
/* query-restrict.c - filters that are not part of the query's text, such as options of the client
 */
#include <config.h>
#include "index/query/query-private.h"
#include "common/base/i18n.h"
#include <string.h>

Query *query_all(void)
{
	Query *query = g_new0(Query, 1);
	query->text = g_strdup("");
	query->root = query_node_new(QUERY_FILTER, 0, 0);
	query->root->filter = FILTER_ALL;
	return query;
}

/* Appends a hint to the message. */
static void append_hint(GError *error, const char *hint)
{
	char *both = g_strdup_printf("%s. %s", error->message, hint);
	g_free(error->message);
	error->message = both;
}

/* Returns the node of one "field:value", parsed by the same code as in a query. */
static QueryNode *query_restrict_filter_node(
        const char *name, const char *text, const QueryOptions *options, GError **error)
{
	QueryFault fault = {0};
	QueryParse p = {.text = text,
	        .length = strlen(text),
	        .options = options,
	        .fault = &fault,
	        .error = error};
	QueryValue value = {.text = (char *)text, .quoted = true, .length = p.length};
	const QueryField *field = query_field_find(name, strlen(name));

	g_assert(field);
	if (field->filter != FILTER_DIR && !g_utf8_validate(text, -1, NULL)) {
		g_set_error_literal(error, QUERY_ERROR, 0, _("The value is not valid UTF-8"));
		return NULL;
	}
	QueryNode *node = query_field_node(&p, field, OPERATOR_IS, &value);
	if (!node && error && *error && fault.hint)
		append_hint(*error, fault.hint);
	g_free(fault.hint);
	if (node)
		node->position = node->length = 0;
	return node;
}

/* Takes ownership of the condition, whose parts join those of the query if it is an AND. */
static void query_restrict_by_node(Query *query, QueryNode *condition)
{
	QueryNode *all = query_node_new(QUERY_AND, 0, 0);
	condition->restricts = true;
	for (guint i = 0; condition->op == QUERY_AND && i < condition->children->len; i++)
		((QueryNode *)condition->children->pdata[i])->restricts = true;
	query_node_add(all, query->root);
	query_node_add(all, condition);
	query->root = all;
}

bool query_restrict(Query *query, const char *field, const GPtrArray *values,
        const QueryOptions *options, GError **error)
{
	g_autoptr(QueryNode) any = query_node_new(QUERY_OR, 0, 0);

	for (guint i = 0; i < values->len; i++) {
		QueryNode *node =
		        query_restrict_filter_node(field, values->pdata[i], options, error);
		if (!node)
			return false;
		query_node_add(any, node);
	}
	if (values->len == 0)
		return true;
	query_restrict_by_node(query, values->len > 1 ? g_steal_pointer(&any)
	                                              : g_ptr_array_steal_index(any->children, 0));
	return true;
}

bool query_restrict_fits(const char *field, const char *value)
{
	const QueryOptions options = {0};
	g_autoptr(GError) error = NULL;
	g_autoptr(QueryNode) node = query_restrict_filter_node(field, value, &options, &error);
	return node != NULL;
}

bool query_restrict_by(Query *query, Query *other, GError **error)
{
	g_autoptr(Query) owned = other;
	if (query_node_terms(query->root) + query_node_terms(other->root) > QUERY_MAX_TERMS) {
		g_set_error(
		        error, QUERY_ERROR, 0, _("Too many words: at most %d"), QUERY_MAX_TERMS);
		return false;
	}
	query_restrict_by_node(query, g_steal_pointer(&owned->root));
	return true;
}
