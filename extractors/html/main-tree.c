/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/html/main-tree.h"
#include "extractors/html/html-names.h"
#include "extractors/html/html-phrases.h"
#include <string.h>

enum {
	MAX_NODES = 200000,
	PROSE_BYTES = 100, /* shorter lines are not prose */
	OWN_BYTES = 40, /* a shorter text may be a separator or a name */
	TEXT_BYTES = 250, /* comments are written below more prose than that */
	LOOK_BACK = 24, /* how many open elements an end tag is compared with */
};

bool node_is_named(const Node *node, const char *const *names)
{
	return g_strv_contains(names, node->name);
}

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

static bool has_style(const Token *token, const char *property, const char *value)
{
	HtmlSpan style = token_attribute(token, "style");
	const char *at = style.length > 0
	                         ? memmem(style.text, style.length, property, strlen(property))
	                         : NULL;
	if (!at)
		return false;
	const char *end = style.text + style.length;
	for (at += strlen(property); at < end && (*at == ' ' || *at == ':');)
		at++;
	return (size_t)(end - at) >= strlen(value) && memcmp(at, value, strlen(value)) == 0;
}

static bool is_hidden(const Token *token)
{
	return token_attribute(token, "hidden").text ||
	       span_is(token_attribute(token, "aria-hidden"), "true") ||
	       has_style(token, "display", "none") || has_style(token, "visibility", "hidden");
}

/* A hash of the classes, so that parts of one kind are known by it. */
static guint class_hash(const Token *token)
{
	HtmlSpan class_name = token_attribute(token, "class");
	guint hash = 5381;
	for (size_t i = 0; i < class_name.length; i++)
		hash = hash * 33 + (guchar)class_name.text[i];
	return class_name.length > 0 ? hash : 0;
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

static bool is_service_property(HtmlSpan property)
{
	static const char *const names[] = {"author", "datePublished", "dateModified", "publisher",
	        "keywords", "articleSection", "commentCount", "caption", "copyrightHolder"};
	for (size_t i = 0; property.text && i < G_N_ELEMENTS(names); i++)
		if (span_is(property, names[i]))
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

/* Closes the innermost open element of these names, unless an element of stops lies inside. */
static void end_innermost(
        ContentTree *tree, const char *const *names, const char *const *stops, const char *at)
{
	unsigned lowest = tree->depth > LOOK_BACK ? tree->depth - LOOK_BACK : 0;
	for (unsigned i = tree->depth; i-- > lowest;) {
		const Node *node = node_at(tree, tree->stack[i]);
		if (node_is_named(node, names))
			content_pop(tree, i, at);
		if (i >= tree->depth || node_is_named(node, stops))
			return;
	}
}

/* Closes elements that a new element ends implicitly: any block ends a paragraph, a row, cell or
 * item ends the previous one with all that is open in it. */
static void end_implied(ContentTree *tree, const char *name, const char *at)
{
	static const char *const implied[][3] = {
	        {"td", "th", NULL}, {"tr", NULL}, {"li", NULL}, {"dt", "dd", NULL}};
	static const char *const tables[] = {"table", NULL};
	static const char *const lists[] = {"ul", "ol", "dl", "menu", "td", "table", NULL};
	if (tree->depth == 0)
		return;
	if (strcmp(node_at(tree, tree->stack[tree->depth - 1])->name, "p") == 0)
		content_pop(tree, tree->depth - 1, at);
	for (size_t i = 0; i < G_N_ELEMENTS(implied); i++)
		if (g_strv_contains(implied[i], name))
			end_innermost(tree, implied[i], name[0] == 't' ? tables : lists, at);
}

static void open_node(ContentTree *tree, const Token *token, ElementKind kind, const char *at)
{
	static const char *const never[] = {
	        "body", "a", "article", "main", "table", "html", "blockquote", "pre", NULL};
	static const char *const targets[] = {"li", "dt", "dd", NULL};
	end_implied(tree, token->name, at);
	if (token->closed || tree->depth >= MAX_DEPTH || tree->nodes->len >= MAX_NODES)
		return;
	/* the id of a heading or an item is a place to link to, made of its words */
	HtmlSpan id = {0};
	if (kind != ELEMENT_HEADING && !g_strv_contains(targets, token->name))
		id = token_attribute(token, "id");
	NameHint hint = name_hint(token_attribute(token, "class"), id);
	Node node = {.from = at,
	        .to = tree->end,
	        .parent = tree->depth > 0 ? tree->stack[tree->depth - 1] : -1,
	        .kind = kind,
	        .names = class_hash(token),
	        .weight = hint.weight,
	        .score = base_score(token->name) + hint.weight};
	g_strlcpy(node.name, token->name, sizeof node.name);
	HtmlSpan property = token_attribute(token, "itemprop");
	bool special = g_strv_contains(never, token->name);
	node.unlikely = (!special && ((hint.unlikely && !hint.likely) || hint.consent ||
	                                     span_is(property, "comment"))) ||
	                hint.hidden;
	node.service = !special && (hint.service || is_service_property(property) ||
	                                   strcmp(token->name, "address") == 0);
	node.comments = hint.comments || span_is(property, "comment");
	node.consent = hint.consent;
	node.declared = span_is(property, "articleBody");
	node.hidden = is_hidden(token);
	node.removed = has_role(token) || kind == ELEMENT_NOISE || kind == ELEMENT_FOOTER ||
	               strcmp(token->name, "button") == 0;
	tree->stack[tree->depth++] = tree->nodes->len;
	g_array_append_val(tree->nodes, node);
}

/* As in a browser's tree, an end tag in a cell closes nothing outside of it, unless it is one of
 * the table's own. */
static void close_node(ContentTree *tree, const Token *token, const char *at)
{
	static const char *const parts[] = {
	        "td", "th", "tr", "tbody", "thead", "tfoot", "table", NULL};
	static const char *const cells[] = {"td", "th", "table", NULL};
	static const char *const tables[] = {"table", NULL};
	const char *const names[] = {token->name, NULL};
	end_innermost(tree, names, g_strv_contains(parts, token->name) ? tables : cells, at);
}

/* Keeps the beginning of the own text of a node, with single spaces. Entities stay as they are,
 * except for the no-break space. */
static void node_add_line(Node *node, HtmlSpan text)
{
	for (size_t i = 0; i < text.length && node->line_used + 1 < LINE_BYTES; i++) {
		const char *p = text.text + i;
		size_t left = text.length - i;
		bool entity = left >= 6 && memcmp(p, "&nbsp;", 6) == 0;
		bool wide = left >= 2 && memcmp(p, "\xc2\xa0", 2) == 0;
		if (!entity && !wide && !g_ascii_isspace(*p)) {
			node->line[node->line_used++] = *p;
			continue;
		}
		i += entity ? 5 : wide ? 1 : 0;
		if (node->line_used > 0 && node->line[node->line_used - 1] != ' ')
			node->line[node->line_used++] = ' ';
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
	node_add_line(node, text);
	node->line_size += count;
	node->line_link += tree->links > 0 ? count : 0;
	node->text += count;
	node->commas += commas;
	if (tree->links > 0)
		node->link += count;
	else
		node->own += count;
	if (tree->links == 0 && count >= OWN_BYTES)
		node->own_end = text.text + text.length;
}

static void count_image(Node *node, const Token *token)
{
	HtmlSpan type = token_attribute(token, "type");
	if (strcmp(token->name, "input") != 0) {
		node->pictures++;
		return;
	}
	node->inputs++;
	node->fields += type.length == 0 || span_is(type, "text") || span_is(type, "email");
}

/* Facebook's Open Graph names the kind of each page. */
static bool says_article(const Token *token)
{
	return strcmp(token->name, "meta") == 0 &&
	       span_is(token_attribute(token, "property"), "og:type") &&
	       span_is(token_attribute(token, "content"), "article");
}

static void content_open_element(
        ContentTree *tree, Tokenizer *tokenizer, const Token *token, const char *at)
{
	ElementKind kind = element_find(token->name)->kind;
	Node *top = tree->depth > 0 ? node_at(tree, tree->stack[tree->depth - 1]) : NULL;
	if (kind == ELEMENT_LINK && token_attribute(token, "href").text)
		tree->links = 1;
	else if (kind == ELEMENT_IMAGE && top)
		count_image(top, token);
	else if (kind == ELEMENT_SKIPPED || kind == ELEMENT_AREA || kind == ELEMENT_TITLE ||
	         strcmp(token->name, "iframe") == 0)
		token_raw(tokenizer, token->name);
	tree->article |= says_article(token);
	tree->script = strcmp(token->name, "script") == 0 &&
	               span_is(token_attribute(token, "type"), "application/ld+json");
	if (is_container(token->name, kind))
		open_node(tree, token, kind, at);
}

/* Cuts an incomplete character and a space off the end of each line. */
static void content_end_lines(ContentTree *tree)
{
	for (guint i = 0; i < tree->nodes->len; i++) {
		Node *node = node_at(tree, i);
		const char *end;
		g_utf8_validate(node->line, node->line_used, &end);
		node->line_used = end - node->line;
		while (node->line_used > 0 && node->line[node->line_used - 1] == ' ')
			node->line_used--;
		node->line[node->line_used] = '\0';
	}
}

/* The first script that declares the text of an article counts. */
static void content_note_script(ContentTree *tree, HtmlSpan script)
{
	static const char key[] = "\"articleBody\"";
	if (tree->script && !tree->declared.text &&
	        memmem(script.text, script.length, key, sizeof key - 1))
		tree->declared = script;
	tree->script = false;
}

void content_build(ContentTree *tree, const char *text, size_t length)
{
	Tokenizer tokenizer;
	Token token;
	token_init(&tokenizer, text, length);
	tokenizer.plain = true;
	for (const char *at = text; token_next(&tokenizer, &token); at = tokenizer.at) {
		if (token.kind == TOKEN_TEXT)
			content_add_text(tree, token.text);
		else if (token.kind == TOKEN_OPEN)
			content_open_element(tree, &tokenizer, &token, at);
		else if (token.kind == TOKEN_RAW)
			content_note_script(tree, token.text);
		else if (token.kind == TOKEN_CLOSE && strcmp(token.name, "a") == 0)
			tree->links = 0;
		else if (token.kind == TOKEN_CLOSE)
			close_node(tree, &token, at);
	}
	content_pop(tree, 0, tree->end);
	content_end_lines(tree);
}

bool node_is_prose(const Node *node)
{
	return !node->removed && node->kind != ELEMENT_HEADING && node->line_size >= PROSE_BYTES &&
	       node->line_link * 3 < node->line_size;
}

bool node_is_form(const Node *node)
{
	return node->inputs > node->paragraphs / 3 && node->inputs > 0;
}

/* "© 2024 Name. A sentence." ends a page that has no element for its footer. */
static bool is_copyright(const Node *node)
{
	static const char *const marks[] = {"©", "&copy;", "Copyright ©", "Copyright &copy;"};
	for (size_t i = 0; node->line_used > 0 && i < G_N_ELEMENTS(marks); i++)
		if (g_str_has_prefix(node->line, marks[i]))
			return strcmp(node->name, "body") != 0;
	return false;
}

static void inherit_removed(ContentTree *tree)
{
	for (guint i = 0; i < tree->nodes->len; i++) {
		Node *node = node_at(tree, i);
		node->removed |= node->parent >= 0 && node_at(tree, node->parent)->removed;
	}
}

/* Sums the prose beneath each node; returns that of the page. */
static unsigned sum_beneath(ContentTree *tree)
{
	unsigned all = 0;
	for (guint i = 0; i < tree->nodes->len; i++)
		node_at(tree, i)->beneath = 0;
	for (guint i = tree->nodes->len; i-- > 0;) {
		Node *node = node_at(tree, i);
		node->beneath += node_is_prose(node) ? node->line_size : 0;
		*(node->parent >= 0 ? &node_at(tree, node->parent)->beneath : &all) +=
		        node->beneath;
	}
	return all;
}

/* Hidden prose is not text, unless it is nearly all of the page: a transcript to unfold, or a page
 * that a script shows when it is complete. */
static void remove_hidden(ContentTree *tree)
{
	unsigned all = sum_beneath(tree);
	for (guint i = 0; i < tree->nodes->len; i++) {
		Node *node = node_at(tree, i);
		node->removed |= node->hidden && node->beneath * 4 <= all * 3;
	}
}

/* The copyright may stand as loose text in the container of the whole page. */
static void remove_copyright(ContentTree *tree)
{
	unsigned all = sum_beneath(tree);
	for (guint i = 0; i < tree->nodes->len; i++) {
		Node *node = node_at(tree, i);
		unsigned inside = node->beneath - (node_is_prose(node) ? node->line_size : 0);
		node->removed |= is_copyright(node) && inside * 2 <= all;
	}
}

static void forget_names(Node *node)
{
	node->unlikely = node->service = false;
	node->score -= MIN(node->weight, 0);
	node->weight = MAX(node->weight, 0);
}

/* A name such as "tab-menu" says nothing of a container of most prose of the page, except that it
 * holds comments. What asks for consent may be longer than the text. */
static bool misnames(const Node *node, unsigned all)
{
	if (node->comments)
		return false;
	return node->consent ? node->beneath * 10 > all * 9 : node->beneath * 2 > all;
}

static void remove_unlikely(ContentTree *tree)
{
	unsigned all = sum_beneath(tree);
	for (guint i = 0; i < tree->nodes->len; i++) {
		Node *node = node_at(tree, i);
		if (misnames(node, all))
			forget_names(node);
		node->removed |= node->unlikely;
	}
}

/* The outermost container that holds no other text than a heading does. */
static int around_heading(const ContentTree *tree, guint heading)
{
	int at = heading;
	for (int above = node_at(tree, at)->parent; above >= 0;
	        at = above, above = node_at(tree, above)->parent) {
		const char *end = node_at(tree, above)->to;
		for (guint i = above; i < tree->nodes->len && node_at(tree, i)->from < end; i++)
			if (node_at(tree, i)->line_used > 0 && i != heading)
				return at;
	}
	return at;
}

/* What follows beside a heading such as "14 comments" is what readers wrote, if a text precedes. */
static void mark_comments(ContentTree *tree)
{
	unsigned prose = 0;
	for (guint at = 0; at < tree->nodes->len; at++) {
		const Node *node = node_at(tree, at);
		prose += node_is_prose(node) ? node->line_size : 0;
		if (node->kind != ELEMENT_HEADING || node->removed || node->comments ||
		        prose < TEXT_BYTES || !phrase_begins_comments(node->line))
			continue;
		const Node *heading = node_at(tree, around_heading(tree, at));
		const char *end =
		        heading->parent < 0 ? tree->end : node_at(tree, heading->parent)->to;
		for (guint i = at; i < tree->nodes->len && node_at(tree, i)->from < end; i++) {
			Node *after = node_at(tree, i);
			if (after->from >= heading->to)
				after->comments = after->unlikely = true;
		}
	}
}

static bool is_page_title(const Node *node)
{
	return strcmp(node->name, "h1") == 0 && node->line_used > 0;
}

void content_sum_subtrees(ContentTree *tree)
{
	inherit_removed(tree);
	remove_hidden(tree);
	inherit_removed(tree);
	remove_copyright(tree);
	inherit_removed(tree);
	if (tree->strict) {
		mark_comments(tree);
		remove_unlikely(tree);
		inherit_removed(tree);
	}
	for (guint i = tree->nodes->len; i-- > 0;) {
		Node *node = node_at(tree, i);
		node->prose += node_is_prose(node) ? node->line_size : 0;
		node->titles += is_page_title(node);
		node->linked_titles += is_page_title(node) && node->line_link * 2 > node->line_size;
		if (node->parent < 0 || node->removed)
			continue;
		Node *parent = node_at(tree, node->parent);
		bool is_form = strcmp(node->name, "form") == 0;
		parent->text += node->text;
		parent->link += node->link;
		parent->prose += node->prose;
		parent->commas += node->commas;
		parent->inputs += is_form && node_is_form(node) ? 0 : node->inputs;
		parent->fields += node->fields;
		parent->pictures += node->pictures;
		parent->paragraphs += node->paragraphs + (strcmp(node->name, "p") == 0);
		parent->titles += node->titles;
		parent->linked_titles += node->linked_titles;
		parent->items += node->items + (strcmp(node->name, "li") == 0);
	}
}

void tree_remove(ContentTree *tree, guint at)
{
	const Node *node = node_at(tree, at);
	if (node->removed)
		return;
	for (guint i = at; i < tree->nodes->len && node_at(tree, i)->from < node->to; i++)
		node_at(tree, i)->removed = true;
	for (int above = node->parent; above >= 0; above = node_at(tree, above)->parent) {
		node_at(tree, above)->prose -= node->prose;
		node_at(tree, above)->text -= node->text;
		node_at(tree, above)->link -= node->link;
	}
}
