/* SPDX-License-Identifier: GPL-3.0-or-later */
/* query-soft.c - turns "all of these words" into "some, but not all of them" */
#include <config.h>
#include "index/query/query-private.h"
#include <string.h>

static char ***copy_forms(const QueryNode *node)
{
	guint n = g_strv_length(node->tokens);
	char ***forms = g_new0(char **, n);
	for (guint i = 0; i < n; i++)
		forms[i] = g_strdupv(node->forms[i]);
	return forms;
}

static uint32_t **copy_languages(const QueryNode *node)
{
	guint n = g_strv_length(node->tokens);
	uint32_t **languages = g_new0(uint32_t *, n);
	for (guint i = 0; i < n; i++)
		if (node->form_languages[i])
			languages[i] = g_memdup2(node->form_languages[i],
			        g_strv_length(node->forms[i]) * sizeof **languages);
	return languages;
}

QueryNode *query_node_copy(const QueryNode *node)
{
	QueryNode *copy = query_node_new(node->op, node->position, node->length);
	GPtrArray *children = copy->children;
	*copy = *node;
	copy->children = children;
	copy->tokens = g_strdupv(node->tokens);
	copy->spellings = g_strdupv(node->spellings);
	copy->joined = g_strdupv(node->joined);
	copy->joined_forms = g_strdupv(node->joined_forms);
	copy->forms = node->forms ? copy_forms(node) : NULL;
	copy->form_languages = node->form_languages ? copy_languages(node) : NULL;
	copy->pattern = g_strdup(node->pattern);
	copy->path = g_strdup(node->path);
	copy->values = g_strdupv(node->values);
	copy->terms = node->terms ? g_bytes_ref(node->terms) : NULL;
	for (guint i = 0; children && i < node->children->len; i++)
		g_ptr_array_add(children, query_node_copy(node->children->pdata[i]));
	return copy;
}

static unsigned count_words(const QueryNode *node)
{
	unsigned n = node->op == QUERY_WORDS ? query_parts(node) : 0;
	for (guint i = 0; node->op != QUERY_NOT && node->children && i < node->children->len; i++)
		n += count_words(node->children->pdata[i]);
	return n;
}

unsigned query_count_words(const Query *query)
{
	return count_words(query->root);
}

/* A softened query has its terms twice. */
unsigned query_node_terms(const QueryNode *node)
{
	unsigned n = node->op == QUERY_WORDS ? g_strv_length(node->tokens) : 0;
	for (guint i = 0; node->children && i < node->children->len; i++)
		n += query_node_terms(node->children->pdata[i]);
	return n;
}

bool query_is_wanted(const QueryNode *node)
{
	return node->op != QUERY_NOT && node->op != QUERY_FILTER && !node->restricts &&
	       count_words(node) > 0;
}

Query *query_soften(const Query *query)
{
	const QueryNode *root = query->root;
	unsigned wanted = 0;
	for (guint i = 0; root->op == QUERY_AND && i < root->children->len; i++)
		wanted += query_is_wanted(root->children->pdata[i]);
	if (wanted < 2 || 2 * query_node_terms(root) > QUERY_MAX_TERMS)
		return NULL;

	QueryNode *all = query_node_new(QUERY_AND, 0, root->length);
	QueryNode *some = query_node_new(QUERY_OR, 0, root->length);
	QueryNode *every = query_node_new(QUERY_AND, 0, root->length);
	every->softened = true;
	QueryNode *not_every = query_node_new(QUERY_NOT, 0, root->length);
	for (guint i = 0; i < root->children->len; i++) {
		const QueryNode *child = root->children->pdata[i];
		query_node_add(query_is_wanted(child) ? some : all, query_node_copy(child));
		if (query_is_wanted(child))
			query_node_add(every, query_node_copy(child));
	}
	query_node_add(not_every, every);
	query_node_add(all, some);
	query_node_add(all, not_every);

	Query *soft = g_new0(Query, 1);
	soft->text = g_strdup(query->text);
	soft->root = all;
	soft->expanded = query->expanded;
	soft->languages = query->languages;
	return soft;
}
