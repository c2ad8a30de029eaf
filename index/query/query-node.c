/* SPDX-License-Identifier: GPL-3.0-or-later */
/* query-node.c - the nodes of a query, and what its reader is told: faults and notes */
#include <config.h>
#include "index/query/query-private.h"
#include <stdarg.h>

/* clang-format off */
G_DEFINE_QUARK(query-error-quark, query_error)
/* clang-format on */

bool query_fail(QueryParse *p, size_t position, size_t length, char *hint, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	g_autofree char *message = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	g_free(p->fault->hint);
	*p->fault = (QueryFault){position, MIN(length, p->length - MIN(position, p->length)), hint};
	if (p->error && !*p->error)
		g_set_error_literal(p->error, QUERY_ERROR, 0, message);
	return false;
}

void query_note(QueryParse *p, const char *format, ...)
{
	va_list arguments;
	if (!p->notes)
		return;
	va_start(arguments, format);
	g_ptr_array_add(p->notes->lines, g_strdup_vprintf(format, arguments));
	va_end(arguments);
}

QueryNode *query_node_new(QueryOp op, size_t position, size_t length)
{
	QueryNode *node = g_new0(QueryNode, 1);
	node->op = op;
	node->position = position;
	node->length = length;
	if (op == QUERY_AND || op == QUERY_OR || op == QUERY_NOT)
		node->children = g_ptr_array_new_with_free_func((GDestroyNotify)query_node_free);
	return node;
}

static void query_node_drop_forms(QueryNode *node)
{
	for (size_t i = 0; node->forms && node->tokens[i]; i++)
		g_strfreev(node->forms[i]);
	for (size_t i = 0; node->form_languages && node->tokens[i]; i++)
		g_free(node->form_languages[i]);
	g_clear_pointer(&node->forms, g_free);
	g_clear_pointer(&node->form_languages, g_free);
	g_clear_pointer(&node->joined_forms, g_strfreev);
	for (guint i = 0; node->children && i < node->children->len; i++)
		query_node_drop_forms(node->children->pdata[i]);
}

void query_drop_forms(Query *query)
{
	query_node_drop_forms(query->root);
	query->expanded = false;
}

void query_node_free(QueryNode *node)
{
	if (!node)
		return;
	query_node_drop_forms(node);
	if (node->children)
		g_ptr_array_unref(node->children);
	g_strfreev(node->tokens);
	g_strfreev(node->spellings);
	g_strfreev(node->joined);
	g_free(node->pattern);
	g_free(node->path);
	g_clear_pointer(&node->terms, g_bytes_unref);
	g_strfreev(node->values);
	g_free(node);
}

void query_node_add(QueryNode *node, QueryNode *child)
{
	if (child->op != node->op || node->op == QUERY_NOT) {
		g_ptr_array_add(node->children, child);
		return;
	}
	for (guint i = 0; i < child->children->len; i++)
		g_ptr_array_add(node->children, child->children->pdata[i]);
	g_ptr_array_set_free_func(child->children, NULL);
	query_node_free(child);
}

void query_free(Query *query)
{
	if (!query)
		return;
	query_node_free(query->root);
	g_strfreev(query->notes);
	g_free(query->text);
	g_free(query);
}
