/* SPDX-License-Identifier: GPL-3.0-or-later */
/* query-saved.c - "saved:NAME" and conditions of other programs: the tree of another query in the
 * place of a name */
#include <config.h>
#include "index/query/query-private.h"
#include "common/base/i18n.h"
#include <string.h>

/* Every position becomes that of the name in the query that is being read. */
static void move_node(QueryNode *node, const QueryValue *value)
{
	node->position = value->position;
	node->length = value->length;
	for (guint i = 0; node->children && i < node->children->len; i++)
		move_node(node->children->pdata[i], value);
}

static bool leads_to_itself(const QueryParse *p, const char *name)
{
	for (const QuerySaved *saved = p->saved; saved; saved = saved->outer)
		if (strcmp(saved->name, name) == 0)
			return true;
	return false;
}

/* The options of this search do not affect the other one. */
QueryNode *query_parse_other(
        QueryParse *p, const QueryValue *value, const char *text, const QuerySaved *saved)
{
	const QueryOptions options = {.now = p->options->now,
	        .cwd = p->options->cwd,
	        .saved = p->options->saved,
	        .saved_data = p->options->saved_data};
	QueryFault fault = {0};
	g_autoptr(GError) error = NULL;
	QueryParse inner = {.text = text,
	        .length = strlen(text),
	        .options = &options,
	        .terms = p->terms,
	        .depth = p->depth + 1,
	        .notes = p->notes,
	        .saved = saved ? saved : p->saved,
	        .fault = &fault,
	        .error = &error};
	QueryNode *node = inner.depth <= QUERY_MAX_DEPTH ? query_parse_tree(&inner) : NULL;
	if (node)
		move_node(node, value);
	else if (error && !saved)
		query_fail(p, value->position, value->length, g_steal_pointer(&fault.hint), "%s",
		        error->message);
	else if (error)
		query_fail(p, value->position, value->length, g_steal_pointer(&fault.hint),
		        _("In the saved search \"%s\": %s"), saved->name, error->message);
	else
		query_fail(p, value->position, value->length, NULL,
		        _("Too deeply nested: at most %d levels"), QUERY_MAX_DEPTH);
	g_free(fault.hint);
	p->terms = inner.terms;
	return node;
}

QueryNode *query_saved_node(QueryParse *p, const QueryValue *value)
{
	if (leads_to_itself(p, value->text)) {
		query_fail(p, value->position, value->length, NULL,
		        _("The saved search \"%s\" refers to itself"), value->text);
		return NULL;
	}
	g_autofree char *text =
	        p->options->saved ? p->options->saved(value->text, p->options->saved_data) : NULL;
	const QuerySaved saved = {value->text, p->saved};
	if (text)
		return query_parse_other(p, value, text, &saved);
	query_fail(p, value->position, value->length, g_strdup(_("\"tarsier saved\" lists them.")),
	        _("There is no saved search \"%s\""), value->text);
	return NULL;
}
