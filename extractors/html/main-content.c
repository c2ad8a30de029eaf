/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/html/main-content.h"
#include "extractors/html/html-element.h"
#include "extractors/html/html-names.h"
#include "extractors/html/html-token.h"
#include <glib.h>
#include <string.h>

enum {
	MAX_NODES = 200000,
	MAX_DEPTH = 256,
	LOOK_BACK = 24, /* how many open elements an end tag is compared with */
	PARAGRAPH_BYTES = 25, /* shorter paragraphs do not count */
	CONTENT_BYTES = 250, /* a shorter result is not content */
	RICH_COMMAS = 10, /* a container with this many commas is kept */
};

typedef struct {
	char name[TOKEN_MAX_NAME];
	const char *from, *to;
	int parent; /* -1: none */
	ElementKind kind;
	unsigned text,
	        /* bytes of all text and of link text; first the node's own, then those of its
	         * subtree */
	        link;
	unsigned own; /* bytes of text directly in it */
	unsigned commas, paragraphs, items, inputs, pictures;
	int weight;
	bool unlikely, removed, chosen;
	double score;
} Node;

typedef struct {
	const char *at;
	bool content;
} Edge;

struct Content {
	GArray *edges; /* Edge, in ascending order */
	guint next;
	bool now;
};

typedef struct {
	GArray *nodes;
	int stack[MAX_DEPTH];
	unsigned depth;
	unsigned links;
	bool strict; /* containers with unlikely names are removed */
	const char *end;
} ContentTree;

static Node *node_at(const ContentTree *tree, int i)
{
	return &g_array_index(tree->nodes, Node, i);
}

static bool is_named(const Node *node, const char *const *names)
{
	return g_strv_contains(names, node->name);
}

/* ---- the tree */

static bool is_container(const char *name, ElementKind kind)
{
	switch (kind) {
	case ELEMENT_BLOCK:
	case ELEMENT_PARAGRAPH:
	case ELEMENT_HEADING:
	case ELEMENT_PRE:
	case ELEMENT_CELL:
	case ELEMENT_CAPTION:
	case ELEMENT_ARTICLE:
	case ELEMENT_HEADER:
	case ELEMENT_FOOTER:
	case ELEMENT_NOISE:
		return strcmp(name, "hr") != 0;
	default:
		return false;
	}
}

static bool is_hidden(const Token *token)
{
	HtmlSpan style = token_attribute(token, "style");
	return token_attribute(token, "hidden").text ||
	       span_is(token_attribute(token, "aria-hidden"), "true") ||
	       (style.length > 0 && (memmem(style.text, style.length, "display:none", 12) ||
	                                    memmem(style.text, style.length, "display: none", 13)));
}

static bool has_role(const Token *token)
{
	static const char *const roles[] = {"menu", "menubar", "complementary", "navigation",
	        "alert", "alertdialog", "dialog", "banner", "contentinfo", "search"};
	HtmlSpan role = token_attribute(token, "role");
	for (size_t i = 0; role.text && i < G_N_ELEMENTS(roles); i++)
		if (span_is(role, roles[i]))
			return true;
	return false;
}

static int base_score(const char *name)
{
	static const char *const plus[] = {"pre", "td", "blockquote", NULL};
	static const char *const minus[] = {
	        "address", "ol", "ul", "dl", "dd", "dt", "li", "form", NULL};
	if (strcmp(name, "div") == 0 || strcmp(name, "article") == 0 || strcmp(name, "main") == 0)
		return 5;
	if (g_strv_contains(plus, name))
		return 3;
	if (g_strv_contains(minus, name))
		return -3;
	return name[0] == 'h' && g_ascii_isdigit(name[1]) ? -5 : 0;
}

static void content_pop(ContentTree *tree, unsigned depth, const char *to)
{
	while (tree->depth > depth)
		node_at(tree, tree->stack[--tree->depth])->to = to;
}

/* Closes elements that a new element ends implicitly: any block ends a paragraph, an item ends the
 * previous one. */
static void end_implied(ContentTree *tree, const char *name, const char *at)
{
	static const char *const items[] = {"li", "dt", "dd", "td", "th", "tr", NULL};
	if (tree->depth == 0)
		return;
	const Node *top = node_at(tree, tree->stack[tree->depth - 1]);
	bool is_paragraph = strcmp(top->name, "p") == 0;
	bool same_item = g_strv_contains(items, name) && strcmp(top->name, name) == 0;
	if (is_paragraph || same_item)
		content_pop(tree, tree->depth - 1, at);
}

static void open_node(ContentTree *tree, const Token *token, ElementKind kind, const char *at)
{
	static const char *const never[] = {"body", "a", "article", "main", "table", "html", NULL};
	end_implied(tree, token->name, at);
	if (token->closed || tree->depth >= MAX_DEPTH || tree->nodes->len >= MAX_NODES)
		return;
	NameHint hint = name_hint(token_attribute(token, "class"), token_attribute(token, "id"));
	Node node = {.from = at,
	        .to = tree->end,
	        .parent = tree->depth > 0 ? tree->stack[tree->depth - 1] : -1,
	        .kind = kind,
	        .weight = hint.weight,
	        .score = base_score(token->name) + hint.weight};
	g_strlcpy(node.name, token->name, sizeof node.name);
	node.unlikely = hint.unlikely && !hint.likely && !g_strv_contains(never, token->name);
	node.removed = is_hidden(token) || has_role(token) || kind == ELEMENT_NOISE ||
	               kind == ELEMENT_FOOTER;
	tree->stack[tree->depth++] = tree->nodes->len;
	g_array_append_val(tree->nodes, node);
}

static void close_node(ContentTree *tree, const Token *token, const char *at)
{
	unsigned lowest = tree->depth > LOOK_BACK ? tree->depth - LOOK_BACK : 0;
	for (unsigned i = tree->depth; i-- > lowest;) {
		if (strcmp(node_at(tree, tree->stack[i])->name, token->name) == 0) {
			content_pop(tree, i, at);
			return;
		}
	}
}

/* Counts bytes without repeated white space. Ideographs carry more meaning, so bytes are counted
 * rather than characters. */
static void content_add_text(ContentTree *tree, HtmlSpan text)
{
	if (tree->depth == 0)
		return;
	Node *node = node_at(tree, tree->stack[tree->depth - 1]);
	unsigned count = 0, commas = 0;
	for (size_t i = 0; i < text.length; i++) {
		bool white = g_ascii_isspace(text.text[i]);
		count += !white || (i > 0 && !g_ascii_isspace(text.text[i - 1]));
		commas += text.text[i] == ',';
		commas += i + 2 < text.length && (memcmp(text.text + i, "、", 3) == 0 ||
		                                         memcmp(text.text + i, "，", 3) == 0);
	}
	node->text += count;
	node->commas += commas;
	if (tree->links > 0)
		node->link += count;
	else
		node->own += count;
}

static void content_open_element(
        ContentTree *tree, Tokenizer *tokenizer, const Token *token, const char *at)
{
	ElementKind kind = element_find(token->name)->kind;
	Node *top = tree->depth > 0 ? node_at(tree, tree->stack[tree->depth - 1]) : NULL;
	if (kind == ELEMENT_LINK && token_attribute(token, "href").text)
		tree->links = 1;
	else if (kind == ELEMENT_IMAGE && top)
		strcmp(token->name, "input") == 0 ? top->inputs++ : top->pictures++;
	else if (kind == ELEMENT_SKIPPED || kind == ELEMENT_AREA || kind == ELEMENT_TITLE ||
	         strcmp(token->name, "iframe") == 0)
		token_raw(tokenizer, token->name);
	if (is_container(token->name, kind))
		open_node(tree, token, kind, at);
}

static void content_build(ContentTree *tree, const char *text, size_t length)
{
	Tokenizer tokenizer;
	Token token;
	token_init(&tokenizer, text, length);
	for (const char *at = text; token_next(&tokenizer, &token); at = tokenizer.at) {
		if (token.kind == TOKEN_TEXT)
			content_add_text(tree, token.text);
		else if (token.kind == TOKEN_OPEN)
			content_open_element(tree, &tokenizer, &token, at);
		else if (token.kind == TOKEN_CLOSE && strcmp(token.name, "a") == 0)
			tree->links = 0;
		else if (token.kind == TOKEN_CLOSE)
			close_node(tree, &token, at);
	}
	content_pop(tree, 0, tree->end);
}

/* ---- the score */

/* A removed node is removed with its subtree and counts for no ancestor. */
static void content_sum_subtrees(ContentTree *tree)
{
	for (guint i = 0; i < tree->nodes->len; i++) {
		Node *node = node_at(tree, i);
		node->removed = node->removed || (tree->strict && node->unlikely) ||
		                (node->parent >= 0 && node_at(tree, node->parent)->removed);
	}
	for (guint i = tree->nodes->len; i-- > 0;) {
		Node *node = node_at(tree, i);
		if (node->parent < 0 || node->removed)
			continue;
		Node *parent = node_at(tree, node->parent);
		parent->text += node->text;
		parent->link += node->link;
		parent->commas += node->commas;
		parent->inputs += node->inputs;
		parent->pictures += node->pictures;
		parent->paragraphs += node->paragraphs + (strcmp(node->name, "p") == 0);
		parent->items += node->items + (strcmp(node->name, "li") == 0);
	}
}

static double link_density(const Node *node)
{
	return node->text > 0 ? (double)node->link / node->text : 0;
}

static bool is_paragraph(const Node *node)
{
	static const char *const names[] = {
	        "p", "td", "pre", "section", "h2", "h3", "h4", "h5", "h6", NULL};
	static const char *const others[] = {"div", "article", "blockquote", "center", "dd", NULL};
	return is_named(node, names) || (is_named(node, others) && node->own >= PARAGRAPH_BYTES);
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

static bool is_related_sibling(const Node *node, double least)
{
	if (node->removed || node->text == 0)
		return false;
	if (final_score(node) >= least && node->text >= PARAGRAPH_BYTES)
		return true;
	double density = link_density(node);
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
	for (guint i = top->parent + 1;
	        i < tree->nodes->len && node_at(tree, i)->from < node_at(tree, top->parent)->to;
	        i++) {
		Node *node = node_at(tree, i);
		if (node->parent == top->parent && is_related_sibling(node, least))
			node->chosen = true;
	}
}

/* ---- parts of the content that are left out */

static bool is_removable(const Node *node)
{
	static const char *const judged[] = {"div", "ul", "ol", "table", "form", "fieldset",
	        "section", "header", "dl", "aside", NULL};
	double density = link_density(node);
	bool is_list = node->name[0] != 't' && node->items > 0 &&
	               (node->name[0] == 'u' || node->name[0] == 'o');
	if (node->kind == ELEMENT_HEADING && node->weight < 0)
		return true;
	if (!is_named(node, judged))
		return false;
	if (node->weight < 0)
		return true;
	if (node->commas >= RICH_COMMAS)
		return false;
	if (!is_list && node->items > node->paragraphs + 1 && density > 0.2)
		return true;
	if (node->inputs > node->paragraphs / 3 && node->inputs > 0)
		return true;
	return node->weight < 25 ? density > 0.33 : density > 0.5;
}

static void content_clean(ContentTree *tree)
{
	for (guint i = 0; i < tree->nodes->len; i++) {
		Node *node = node_at(tree, i);
		const Node *parent = node->parent >= 0 ? node_at(tree, node->parent) : NULL;
		bool inside = parent && parent->chosen;
		if (inside && !node->chosen)
			node->chosen = !node->removed && !is_removable(node);
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

static Content *try_find(const char *text, size_t length, bool strict)
{
	ContentTree tree = {.nodes = g_array_new(FALSE, FALSE, sizeof(Node)),
	        .strict = strict,
	        .end = text + length};
	Content *content = NULL;
	content_build(&tree, text, length);
	content_sum_subtrees(&tree);
	content_score(&tree);
	int best = find_best(&tree);
	if (best >= 0) {
		best = content_climb(&tree, best);
		const Node *top = node_at(&tree, best);
		if (top->text - MIN(top->text, top->link) >= CONTENT_BYTES) {
			content_choose(&tree, best);
			content_clean(&tree);
			content = content_outline(&tree, text);
		}
	}
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
