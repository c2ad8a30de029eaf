/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/html/main-trim.h"
#include "extractors/html/html-phrases.h"
#include "extractors/html/main-teasers.h"
#include <string.h>

enum {
	SERVICE_BYTES = 400, /* a container of this name with more text is the text */
	SOLID_BYTES = 80, /* a line of at least this size is a paragraph */
	SHORT_BYTES = 160,
	FEW_WORDS = 5, /* a line of fewer words and no sentence is loose */
	NOTICE_BYTES = 2000, /* a longer line is no notice */
	TAIL_SHARE = 8, /* at most this part of the content, 1/n, is cut off its end */
};

static bool is_text_line(const Node *node)
{
	return node->chosen && node->line_used > 0;
}

static bool trim_is_heading(const Node *node)
{
	return node->kind == ELEMENT_HEADING;
}

/* Text of the node alone, not of its descendants. */
static bool is_leaf(const Node *node)
{
	return node->text <= node->line_size + 2;
}

static bool is_solid(const Node *node)
{
	return is_text_line(node) && !trim_is_heading(node) && node->line_size >= SOLID_BYTES &&
	       node->line_link * 2 < node->line_size;
}

static void drop_subtree(ContentTree *tree, guint i)
{
	const char *to = node_at(tree, i)->to;
	for (; i < tree->nodes->len && node_at(tree, i)->from < to; i++)
		node_at(tree, i)->chosen = false;
}

/* ---- by names */

static bool is_named_service(const Node *node, unsigned total)
{
	if (!node->service || node->declared)
		return false;
	if (node->text < SERVICE_BYTES)
		return true;
	return node->text * 4 < total && link_density(node) > 0.4;
}

static void trim_named(ContentTree *tree, unsigned total)
{
	for (guint i = 0; i < tree->nodes->len; i++)
		if (node_at(tree, i)->chosen && is_named_service(node_at(tree, i), total))
			drop_subtree(tree, i);
}

/* ---- by phrases */

static bool trim_is_prose(const Node *node)
{
	static const char *const kept[] = {"blockquote", "pre", "td", "th", NULL};
	return node_is_named(node, kept);
}

static bool may_be_service(const Node *node)
{
	return is_text_line(node) && node->line_size < LINE_BYTES && !trim_is_prose(node) &&
	       (!trim_is_heading(node) || node->name[1] >= '3');
}

static bool may_be_notice(const Node *node)
{
	return is_text_line(node) && node->line_size < NOTICE_BYTES && !trim_is_prose(node);
}

static void trim_phrases(ContentTree *tree)
{
	for (guint i = 0; i < tree->nodes->len; i++) {
		Node *node = node_at(tree, i);
		if ((may_be_service(node) && phrase_is_service(node->line)) ||
		        (may_be_notice(node) && phrase_is_notice(node->line)))
			node->chosen = false;
	}
}

/* A heading such as "Related articles" takes along what follows it beside it, up to the next
 * heading or a paragraph. A line that only looks like a heading takes along lists of links alone.
 */
static void drop_part(ContentTree *tree, guint at)
{
	const Node *heading = node_at(tree, at);
	int parent = heading->parent;
	const char *end = parent >= 0 ? node_at(tree, parent)->to : tree->end;
	for (guint i = at + 1; i < tree->nodes->len && node_at(tree, i)->from < end; i++) {
		const Node *node = node_at(tree, i);
		if (node->parent != parent || node->from < heading->to)
			continue;
		if (trim_is_heading(node) || (is_solid(node) && strcmp(node->name, "p") == 0) ||
		        (!trim_is_heading(heading) && link_density(node) < 0.3))
			break;
		drop_subtree(tree, i);
	}
	drop_subtree(tree, at);
}

static bool is_heading_like(const Node *node)
{
	return trim_is_heading(node) ||
	       (is_leaf(node) && node->line_size < SOLID_BYTES && node->kind != ELEMENT_CELL);
}

static void trim_parts(ContentTree *tree)
{
	for (guint i = 0; i < tree->nodes->len; i++) {
		const Node *node = node_at(tree, i);
		if (is_text_line(node) && is_heading_like(node) && phrase_ends_text(node->line))
			drop_part(tree, i);
	}
}

/* Lists of teasers lead to other articles, unless they are most of the content. */
static void trim_teasers(ContentTree *tree, unsigned total)
{
	g_autoptr(GArray) found = teasers_find(tree);
	unsigned bytes = 0;
	for (guint i = 0; i < found->len; i++) {
		const Node *node = node_at(tree, g_array_index(found, guint, i));
		bytes += node->chosen ? node->text : 0;
	}
	for (guint i = 0; i < found->len && bytes * 3 < total * 2; i++)
		drop_subtree(tree, g_array_index(found, guint, i));
}

/* ---- by place */

static bool is_sentence(const Node *node)
{
	static const char *const ends[] = {
	        ".", "!", "?", "\"", "”", "»", "“", "…", ")", "。", NULL};
	for (const char *const *end = ends; *end; end++)
		if (node->line_used > 0 && g_str_has_suffix(node->line, *end))
			return true;
	return node->line_size >= LINE_BYTES;
}

static bool is_few_words(const Node *node)
{
	unsigned spaces = 0;
	for (const char *p = node->line; *p; p++)
		spaces += *p == ' ';
	return spaces + 1 < FEW_WORDS;
}

static bool is_loose(const Node *node)
{
	static const char *const kept[] = {"td", "th", "pre", "blockquote", NULL};
	if (node_is_named(node, kept))
		return false;
	if (trim_is_heading(node))
		return true;
	if (node->line_link * 3 > node->line_size * 2)
		return node->line_size < SHORT_BYTES;
	return is_few_words(node) && !is_sentence(node) && strcmp(node->name, "li") != 0;
}

/* Where the last text ends that stands in a container itself, between its other elements: there
 * line breaks part the paragraphs. */
static const char *last_own_text(const ContentTree *tree)
{
	const char *last = NULL;
	for (guint i = 0; i < tree->nodes->len; i++) {
		const Node *node = node_at(tree, i);
		if (is_text_line(node) && !is_loose(node) && node->own_end > last)
			last = node->own_end;
	}
	return last;
}

/* Lines without a sentence after the last paragraph: links, names, buttons, a heading. */
static void trim_tail(ContentTree *tree, unsigned total)
{
	unsigned cut = 0;
	const char *own_end = last_own_text(tree);
	guint last = tree->nodes->len;
	for (guint i = tree->nodes->len; i-- > 0;) {
		const Node *node = node_at(tree, i);
		if (!is_text_line(node))
			continue;
		if (!is_loose(node) || node->from < own_end)
			break;
		cut += node->line_size;
		if (cut * TAIL_SHARE > total)
			break;
		last = i;
	}
	for (guint i = last; i < tree->nodes->len; i++)
		if (is_text_line(node_at(tree, i)))
			node_at(tree, i)->chosen = false;
}

/* Links alone before the first paragraph: sections, topics, tools. */
static void trim_head(ContentTree *tree)
{
	for (guint i = 0; i < tree->nodes->len && !is_solid(node_at(tree, i)); i++) {
		Node *node = node_at(tree, i);
		if (is_text_line(node) && !trim_is_heading(node) &&
		        node->line_link * 3 > node->line_size * 2 && node->line_size < SOLID_BYTES)
			node->chosen = false;
	}
}

static int next_text_line(const ContentTree *tree, guint i)
{
	while (++i < tree->nodes->len &&
	        (!is_text_line(node_at(tree, i)) || node_at(tree, i)->kind == ELEMENT_CAPTION))
		;
	return i < tree->nodes->len ? (int)i : -1;
}

/* A line alone between two paragraphs that is a link for the most part: another article. */
static void trim_links(ContentTree *tree)
{
	int before = -1;
	for (int at = next_text_line(tree, -1), after; at >= 0; before = at, at = after) {
		Node *node = node_at(tree, at);
		after = next_text_line(tree, at);
		if (before >= 0 && after >= 0 && is_solid(node_at(tree, before)) &&
		        is_solid(node_at(tree, after)) && strcmp(node->name, "p") == 0 &&
		        node->line_size < SHORT_BYTES && node->line_link * 4 > node->line_size * 3)
			node->chosen = false;
	}
}

static unsigned chosen_bytes(const ContentTree *tree)
{
	unsigned total = 0;
	for (guint i = 0; i < tree->nodes->len; i++)
		if (is_text_line(node_at(tree, i)))
			total += node_at(tree, i)->line_size;
	return total;
}

static bool any_solid(const ContentTree *tree)
{
	for (guint i = 0; i < tree->nodes->len; i++)
		if (is_solid(node_at(tree, i)))
			return true;
	return false;
}

void content_trim(ContentTree *tree)
{
	trim_named(tree, chosen_bytes(tree));
	trim_teasers(tree, chosen_bytes(tree));
	trim_parts(tree);
	trim_phrases(tree);
	if (!any_solid(tree))
		return;
	trim_tail(tree, chosen_bytes(tree));
	trim_head(tree);
	trim_links(tree);
}
