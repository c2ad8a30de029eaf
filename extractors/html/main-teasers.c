/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/html/main-teasers.h"
#include <string.h>

enum { TEASER_BYTES = 400, LINK_SHARE = 8 };

/* A short part below a heading that is a link. */
static bool is_teaser(const ContentTree *tree, guint at)
{
	const Node *part = node_at(tree, at);
	unsigned headings = 0;
	if (part->text >= TEASER_BYTES || part->link == 0)
		return false;
	for (guint i = at + 1; i < tree->nodes->len && node_at(tree, i)->from < part->to; i++) {
		const Node *node = node_at(tree, i);
		if (node->kind != ELEMENT_HEADING || node->line_size == 0)
			continue;
		if (node->line_link * 10 < node->line_size * 9 || headings++ > 0)
			return false;
	}
	return headings == 1;
}

/* True if all parts of the class of a teaser beside it are teasers too, and it is not alone. */
static bool is_teaser_list(const ContentTree *tree, guint at)
{
	const Node *of = node_at(tree, at), *parent = node_at(tree, of->parent);
	unsigned alike = 0, text = 0, link = 0;
	for (guint i = of->parent + 1; i < tree->nodes->len && node_at(tree, i)->from < parent->to;
	        i++) {
		const Node *node = node_at(tree, i);
		if (node->parent != of->parent || node->names != of->names ||
		        strcmp(node->name, of->name) != 0)
			continue;
		if (!is_teaser(tree, i))
			return false;
		alike++;
		text += node->text;
		link += node->link;
	}
	return alike > 1 && link * LINK_SHARE >= text;
}

GArray *teasers_find(const ContentTree *tree)
{
	GArray *found = g_array_new(FALSE, FALSE, sizeof(guint));
	int parent = -1;
	bool listed = false;
	for (guint i = 0; i < tree->nodes->len; i++) {
		const Node *node = node_at(tree, i);
		if (node->parent < 0 || node->removed || !is_teaser(tree, i))
			continue;
		if (node->parent != parent)
			listed = is_teaser_list(tree, i);
		parent = node->parent;
		if (listed)
			g_array_append_val(found, i);
	}
	return found;
}

void teasers_remove(ContentTree *tree)
{
	g_autoptr(GArray) found = teasers_find(tree);
	for (guint first = 0, last; first < found->len; first = last) {
		int parent = node_at(tree, g_array_index(found, guint, first))->parent;
		unsigned text = 0;
		for (last = first; last < found->len; last++) {
			const Node *node = node_at(tree, g_array_index(found, guint, last));
			if (node->parent != parent)
				break;
			text += node->text;
		}
		for (guint i = first; text * 5 >= node_at(tree, parent)->text * 4 && i < last; i++)
			tree_remove(tree, g_array_index(found, guint, i));
	}
}
