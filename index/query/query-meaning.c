/* SPDX-License-Identifier: GPL-3.0-or-later */
/* query-meaning.c - turns "these words" into "about the subject of these words, without them" */
#include <config.h>
#include "index/query/query-private.h"
#include "index/text/tokenizer.h"
#include <string.h>

/* Words for names and patterns of words are about no subject. */
static bool query_meaning_has_subject(const QueryNode *node)
{
	return node->scope != SCOPE_FILENAME && !node->path && !node->pattern && !node->prefix &&
	       node->edits == 0;
}

/* Appends the words of a tree to a stream of terms. */
static void query_meaning_add(GByteArray *terms, const QueryNode *node)
{
	if (node->op == QUERY_WORDS && query_meaning_has_subject(node))
		for (char **token = node->tokens; *token; token++) {
			const uint8_t length = MIN(strlen(*token), TOKEN_MAX_BYTES);
			g_byte_array_append(terms, &length, 1);
			g_byte_array_append(terms, (const uint8_t *)*token, length);
		}
	for (guint i = 0; node->op != QUERY_NOT && node->children && i < node->children->len; i++)
		query_meaning_add(terms, node->children->pdata[i]);
}

static QueryNode *query_meaning_node(GByteArray *terms)
{
	QueryNode *node = query_node_new(QUERY_FILTER, 0, 0);
	node->filter = FILTER_RELATED;
	node->terms = g_byte_array_free_to_bytes(terms);
	node->resolved = true;
	return node;
}

Query *query_by_meaning(const Query *query)
{
	const QueryNode *root = query->root;
	QueryNode *const whole[] = {(QueryNode *)root};
	bool list = root->op == QUERY_AND;
	QueryNode *const *nodes = list ? (QueryNode *const *)(void *)root->children->pdata : whole;
	guint n = list ? root->children->len : 1;
	GByteArray *terms = g_byte_array_new();
	g_autoptr(QueryNode) words = query_node_new(QUERY_AND, 0, root->length);
	g_autoptr(QueryNode) all = query_node_new(QUERY_AND, 0, root->length);

	for (guint i = 0; i < n; i++) {
		bool wanted = query_is_wanted(nodes[i]);
		query_node_add(wanted ? words : all, query_node_copy(nodes[i]));
		if (wanted)
			query_meaning_add(terms, nodes[i]);
	}
	if (terms->len == 0) {
		g_byte_array_unref(terms);
		return NULL;
	}
	QueryNode *without = query_node_new(QUERY_NOT, 0, root->length);
	query_node_add(without, words->children->len > 1
	                                ? g_steal_pointer(&words)
	                                : g_ptr_array_steal_index(words->children, 0));
	query_node_add(all, query_meaning_node(terms));
	query_node_add(all, without);
	Query *other = g_new0(Query, 1);
	other->text = g_strdup(query->text);
	other->root = g_steal_pointer(&all);
	other->expanded = query->expanded;
	other->languages = query->languages;
	return other;
}
