/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/html/main-content.h"
#include "extractors/html/main-evidence.h"
#include "extractors/html/main-teasers.h"
#include "extractors/html/main-tree.h"
#include "extractors/html/main-trim.h"
#include <glib.h>
#include <string.h>

enum {
	PARAGRAPH_BYTES = 25, /* shorter paragraphs do not count */
	CONTENT_BYTES = 250, /* a shorter result is not content */
	ALIKE_LEVELS = 4, /* how far above the best container parts like it are looked for */
	TITLE_LEVELS = 8, /* the same for other articles */
	MARKED_BYTES = 100, /* the same where names or elements mark the content */
	SENTENCE_BYTES = 50, /* a page of shorter lines alone is content as a whole */
	BOX_BYTES = 400, /* a container with more text is no box */
	RICH_COMMAS = 10, /* a container with this many commas is kept */
};

typedef struct {
	const char *at;
	bool content;
} Edge;

struct Content {
	GArray *edges; /* Edge, in ascending order */
	guint next;
	bool now;
};

/* ---- the score */

static bool is_paragraph(const Node *node)
{
	static const char *const names[] = {
	        "p", "td", "pre", "section", "h2", "h3", "h4", "h5", "h6", NULL};
	static const char *const others[] = {"div", "article", "blockquote", "center", "dd", NULL};
	return node_is_named(node, names) ||
	       (node_is_named(node, others) && node->own >= PARAGRAPH_BYTES);
}

static void content_score(ContentTree *tree)
{
	for (guint i = 0; i < tree->nodes->len; i++) {
		const Node *node = node_at(tree, i);
		if (node->removed || !is_paragraph(node) || node->text < PARAGRAPH_BYTES)
			continue;
		double points = 2 + node->commas + MIN(node->text / 100, 3u);
		int above = strcmp(node->name, "p") == 0 || strcmp(node->name, "pre") == 0 ||
		                            node->own * 2 < node->text
		                    ? node->parent
		                    : (int)i;
		for (unsigned level = 0; above >= 0 && level < 5; level++) {
			Node *container = node_at(tree, above);
			container->score += points / (level == 0 ? 1 : level == 1 ? 2 : level * 3);
			above = container->parent;
		}
	}
}

static double final_score(const Node *node)
{
	return node->score * (1 - link_density(node));
}

static int find_best(const ContentTree *tree)
{
	int best = -1;
	for (guint i = 0; i < tree->nodes->len; i++) {
		const Node *node = node_at(tree, i);
		if (!node->removed && node->text > 0 &&
		        (best < 0 || final_score(node) > final_score(node_at(tree, best))))
			best = i;
	}
	return best;
}

/* The first element that the page marks as the body of an article and that holds half as much prose
 * as the best container at least; else best. */
static int prefer_declared(const ContentTree *tree, int best)
{
	unsigned least = node_at(tree, best)->prose / 2;
	for (guint i = 0; i < tree->nodes->len; i++) {
		const Node *node = node_at(tree, i);
		if (node->declared && !node->removed && node->prose > 0 && node->prose >= least)
			return i;
	}
	return best;
}

/* Moves up while the parent scores better or contains nothing else. */
static int content_climb(const ContentTree *tree, int best)
{
	double last = node_at(tree, best)->score, least = last / 3;
	for (int above = node_at(tree, best)->parent; above >= 0;
	        above = node_at(tree, above)->parent) {
		const Node *node = node_at(tree, above);
		if (node->score < least || strcmp(node->name, "body") == 0)
			break;
		if (node->score > last) {
			best = above;
			break;
		}
		last = node->score;
	}
	return best;
}

/* Moves up to the <article> or <main> around if it holds much more prose: a text that boxes,
 * pictures or advertisements part stands in several containers. */
static int content_widen(const ContentTree *tree, int best)
{
	unsigned prose = node_at(tree, best)->prose;
	for (int above = best; above >= 0; above = node_at(tree, above)->parent) {
		const Node *node = node_at(tree, above);
		if (node->kind == ELEMENT_ARTICLE || node->declared)
			return node->prose * 4 > prose * 5 && link_density(node) < 0.3 ? above
			                                                               : best;
	}
	return best;
}

static bool is_in_comments(const ContentTree *tree, int at)
{
	for (; at >= 0; at = node_at(tree, at)->parent)
		if (node_at(tree, at)->comments)
			return true;
	return false;
}

/* Removes comments whose names also say "article" or "content", unless the best container is one
 * of them. */
static void content_drop_comments(ContentTree *tree, int best)
{
	const Node *top = node_at(tree, best);
	if (is_in_comments(tree, best))
		return;
	for (guint i = 0; i < tree->nodes->len; i++) {
		const Node *node = node_at(tree, i);
		bool around = node->from <= top->from && node->to >= top->to;
		if (node->comments && !node->removed && !around &&
		        !is_in_comments(tree, node->parent))
			tree_remove(tree, i);
	}
}

static bool is_alike(const Node *of, const Node *node)
{
	return node != of && node->parent == of->parent && node->names == of->names &&
	       strcmp(node->name, of->name) == 0;
}

/* Another article below the one that the page is about, with a title of its own. In a list of
 * articles, the title of the first is a link too. */
static bool is_next_article(const ContentTree *tree, const Node *of, const Node *node)
{
	return (tree->article || of->kind == ELEMENT_ARTICLE) && is_alike(of, node) &&
	       of->titles > of->linked_titles && node->titles > 0 && node->prose > 0;
}

/* The first of the articles that part is one of; -1: it stands alone. */
static int first_article(const ContentTree *tree, int part)
{
	const Node *of = node_at(tree, part);
	const char *end = of->parent < 0 ? of->from : node_at(tree, of->parent)->to;
	for (guint i = MAX(of->parent, 0); of->titles > of->linked_titles && i < tree->nodes->len &&
	                                   node_at(tree, i)->from < end;
	        i++)
		if (is_next_article(tree, of, node_at(tree, i)))
			return MIN((int)i, part);
	return -1;
}

/* Moves up to the innermost container of most prose of the page if the best one holds less than
 * half of it: the posts of a thread, the parts of a product, the sections of a company's page. */
static int content_gather(const ContentTree *tree, int best)
{
	unsigned prose = node_at(tree, best)->prose, all = 0;
	unsigned plain = node_at(tree, best)->text - node_at(tree, best)->link, levels = 0;
	for (guint i = 0; i < tree->nodes->len; i++)
		if (node_at(tree, i)->parent < 0)
			all += node_at(tree, i)->prose;
	for (int part = best, above = node_at(tree, part)->parent; above >= 0;
	        part = above, above = node_at(tree, above)->parent) {
		const Node *node = node_at(tree, above);
		int first = levels++ < TITLE_LEVELS ? first_article(tree, part) : -1;
		if (first >= 0)
			return first == part ? best : first;
		if (prose * 2 < all && node->prose * 5 >= all * 4)
			return link_density(node) < 0.25 && plain * 2 < node->text - node->link
			               ? above
			               : best;
	}
	return best;
}

/* Where the last part ends that has the class of the best container. */
static const char *last_alike(const ContentTree *tree, const Node *top)
{
	const char *last = top->to;
	for (guint i = top->parent;
	        i < tree->nodes->len && node_at(tree, i)->from < node_at(tree, top->parent)->to;
	        i++)
		if (is_alike(top, node_at(tree, i)))
			last = MAX(last, node_at(tree, i)->to);
	return last;
}

/* What follows the text may be beside it or below it: it needs a name that speaks for it. */
static bool is_related_sibling(const Node *node, double least, const char *last)
{
	if (node->removed || node->text == 0)
		return false;
	if (final_score(node) >= least && node->text >= PARAGRAPH_BYTES)
		return true;
	double density = link_density(node);
	if ((node->from < last || node->weight > 0) && node->prose > 0 && density < 0.15 &&
	        !node->service && !node->unlikely && node->weight >= 0)
		return true;
	return strcmp(node->name, "p") == 0 &&
	       ((node->text > 80 && density < 0.25) || (node->text > 20 && density == 0));
}

static void content_choose(ContentTree *tree, int best)
{
	Node *top = node_at(tree, best);
	double least = MAX(10, final_score(top) * 0.2);
	top->chosen = true;
	if (top->parent < 0)
		return;
	const char *last = last_alike(tree, top);
	for (guint i = top->parent + 1;
	        i < tree->nodes->len && node_at(tree, i)->from < node_at(tree, top->parent)->to;
	        i++) {
		Node *node = node_at(tree, i);
		if (node->parent == top->parent && is_related_sibling(node, least, last) &&
		        !is_next_article(tree, top, node))
			node->chosen = true;
	}
}

/* Parts of one kind, such as the steps of a guide, of which the best container lies in one. */
static void content_choose_alike(ContentTree *tree, int best)
{
	int part = best;
	for (unsigned level = 0; level < ALIKE_LEVELS && node_at(tree, part)->parent >= 0;
	        level++) {
		const Node *of = node_at(tree, part), *parent = node_at(tree, of->parent);
		bool alike = of->names != 0 && of->kind != ELEMENT_ARTICLE;
		for (guint i = of->parent + 1;
		        alike && i < tree->nodes->len && node_at(tree, i)->from < parent->to; i++) {
			Node *node = node_at(tree, i);
			node->chosen |= node != of && node->parent == of->parent &&
			                node->names == of->names && node->prose * 2 > node->text &&
			                !is_next_article(tree, of, node) && !node->removed &&
			                !node->service && link_density(node) < 0.1;
		}
		part = of->parent;
	}
}

/* ---- parts of the content that are left out */

/* A box around a field, with a line that says why to fill it. */
static bool is_sign_up(const Node *node)
{
	return node->fields > 0 && node->text < BOX_BYTES && node->prose * 2 < node->text;
}

/* In a page of few sentences the containers of the text hold lists and forms too. */
static bool is_removable(const Node *node, bool few)
{
	static const char *const judged[] = {"div", "ul", "ol", "table", "form", "fieldset",
	        "section", "header", "dl", "aside", NULL};
	double density = link_density(node);
	bool is_list = node->name[0] != 't' && node->items > 0 &&
	               (node->name[0] == 'u' || node->name[0] == 'o');
	if (node->kind == ELEMENT_HEADING && node->weight < 0)
		return true;
	if (!node_is_named(node, judged))
		return false;
	if (node->weight < 0)
		return true;
	if (node->commas >= RICH_COMMAS)
		return false;
	if (few)
		return density > 0.5 || (node->inputs > 0 && node->paragraphs == 0);
	if (!is_list && node->items > node->paragraphs + 1 && density > 0.2)
		return true;
	if (node_is_form(node) || is_sign_up(node))
		return true;
	return node->weight < 25 && !is_list ? density > 0.33 : density > 0.5;
}

static void content_clean(ContentTree *tree, bool few)
{
	for (guint i = 0; i < tree->nodes->len; i++) {
		Node *node = node_at(tree, i);
		const Node *parent = node->parent >= 0 ? node_at(tree, node->parent) : NULL;
		bool inside = parent && parent->chosen;
		if (inside && !node->chosen)
			node->chosen = !node->removed && !is_removable(node, few);
		else if (node->removed)
			node->chosen = false;
	}
}

/* ---- the result */

static void add_edge(Content *content, const char *at, bool is_content)
{
	Edge edge = {at, is_content};
	g_array_append_val(content->edges, edge);
}

/* Each node starts its own state; at its end the state of its parent returns. Several nodes may end
 * at the same place, innermost first, hence the stack. */
static Content *content_outline(const ContentTree *tree, const char *text)
{
	Content *content = g_new0(Content, 1);
	content->edges = g_array_new(FALSE, FALSE, sizeof(Edge));
	add_edge(content, text, false);
	int open[MAX_DEPTH + 1];
	unsigned depth = 0;
	for (guint i = 0; i <= tree->nodes->len; i++) {
		const char *from = i < tree->nodes->len ? node_at(tree, i)->from : tree->end;
		while (depth > 0 &&
		        (node_at(tree, open[depth - 1])->to <= from || i == tree->nodes->len)) {
			const Node *done = node_at(tree, open[--depth]);
			add_edge(content, done->to,
			        done->parent >= 0 && node_at(tree, done->parent)->chosen);
		}
		if (i == tree->nodes->len || depth > MAX_DEPTH)
			break;
		add_edge(content, from, node_at(tree, i)->chosen);
		open[depth++] = i;
	}
	return content;
}

static void content_correct(ContentTree *tree)
{
	g_autoptr(Evidence) evidence =
	        tree->declared.text ? evidence_read(tree->declared.text, tree->declared.length)
	                            : NULL;
	if (evidence)
		evidence_apply(evidence, tree);
}

/* A short text is the content if the page marks its place. */
static bool content_is_enough(const Node *top)
{
	bool marked = top->declared || top->kind == ELEMENT_ARTICLE || top->weight > 0;
	return top->text - MIN(top->text, top->link) >= (marked ? MARKED_BYTES : CONTENT_BYTES);
}

/* True if a sentence is left after all that was taken out. */
static bool content_is_left(const ContentTree *tree)
{
	unsigned bytes = 0;
	for (guint i = 0; i < tree->nodes->len; i++)
		bytes += node_at(tree, i)->chosen ? node_at(tree, i)->line_size : 0;
	return bytes >= SENTENCE_BYTES;
}

/* A page of few sentences: all that is not a list of links, no form and no service line. */
static Content *content_of_short(ContentTree *tree, const char *text)
{
	for (guint i = 0; i < tree->nodes->len; i++)
		node_at(tree, i)->chosen = node_at(tree, i)->parent < 0;
	content_clean(tree, true);
	content_trim(tree);
	for (guint i = 0; i < tree->nodes->len; i++) {
		const Node *node = node_at(tree, i);
		if (node->chosen && node->kind != ELEMENT_HEADING &&
		        node->line_size >= SENTENCE_BYTES && node->line_link * 3 < node->line_size)
			return content_outline(tree, text);
	}
	return NULL;
}

static Content *try_find(const char *text, size_t length, bool strict)
{
	ContentTree tree = {.nodes = g_array_new(FALSE, FALSE, sizeof(Node)),
	        .strict = strict,
	        .end = text + length};
	Content *content = NULL;
	content_build(&tree, text, length);
	content_sum_subtrees(&tree);
	if (tree.article && strict)
		teasers_remove(&tree);
	content_score(&tree);
	int best = find_best(&tree);
	if (best >= 0) {
		best = content_widen(&tree, content_climb(&tree, best));
		content_drop_comments(&tree, best);
		best = content_gather(&tree, best);
		best = prefer_declared(&tree, best);
		const Node *top = node_at(&tree, best);
		if (content_is_enough(top)) {
			content_choose(&tree, best);
			content_choose_alike(&tree, best);
			content_clean(&tree, false);
			content_trim(&tree);
			content_correct(&tree);
			content = content_is_left(&tree) ? content_outline(&tree, text) : NULL;
		}
	}
	if (!content && !strict)
		content = content_of_short(&tree, text);
	g_array_unref(tree.nodes);
	return content;
}

Content *content_find(const char *text, size_t length)
{
	Content *content = try_find(text, length, true);
	return content ? content : try_find(text, length, false);
}

void content_free(Content *content)
{
	if (!content)
		return;
	g_array_unref(content->edges);
	g_free(content);
}

bool content_has(Content *content, const char *at)
{
	while (content->next < content->edges->len &&
	        g_array_index(content->edges, Edge, content->next).at <= at)
		content->now = g_array_index(content->edges, Edge, content->next++).content;
	return content->now;
}
