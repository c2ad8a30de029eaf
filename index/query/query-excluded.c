/* SPDX-License-Identifier: GPL-3.0-or-later */
/* query-excluded.c - the words that a query excludes, as they were typed
 *
 * A minus in a pasted text may not be meant to exclude. If nothing is found, these words tell why.
 */
#include <config.h>
#include "index/query/query-private.h"
#include <string.h>

/* The excluded part without its sign, or NULL: it does not stand in the text. The caller frees it.
 */
static char *excluded_part(const Query *query, const QueryNode *node)
{
	size_t length = strlen(query->text);
	if (node->op != QUERY_NOT || node->restricts || node->position >= length ||
	        node->length > length - node->position)
		return NULL;
	const char *begin = query->text + node->position, *end = begin + node->length;
	if (g_str_has_prefix(begin, "NOT"))
		begin += strlen("NOT");
	else if (*begin != '-' && *begin != '!')
		return NULL;
	begin += strspn(begin, "-! ");
	return begin < end ? g_strstrip(g_strndup(begin, end - begin)) : NULL;
}

char *query_excluded(const Query *query)
{
	const QueryNode *root = query->root;
	g_autoptr(GString) list = g_string_new(NULL);
	for (guint i = 0; root->op == QUERY_AND && i < root->children->len; i++) {
		g_autofree char *part = excluded_part(query, root->children->pdata[i]);
		if (part)
			g_string_append_printf(list, "%s%s", list->len > 0 ? " " : "", part);
	}
	return list->len > 0 ? g_strdup(list->str) : NULL;
}
