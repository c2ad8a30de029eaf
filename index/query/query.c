/* SPDX-License-Identifier: GPL-3.0-or-later */
/* query.c - the grammar: sequences, OR, negation, parentheses */
#include <config.h>
#include "index/query/query-private.h"
#include "common/base/i18n.h"
#include <string.h>

/* A list of one child becomes that child. Takes ownership of node. */
static QueryNode *query_simplify(QueryNode *node)
{
	if (node->children->len != 1)
		return node;
	QueryNode *only = g_ptr_array_steal_index(node->children, 0);
	query_node_free(node);
	return only;
}

/* The grammar looks one lexeme ahead. field: the field whose parentheses are open, or NULL. */
typedef struct {
	QueryParse p;
	Lexeme next;
	const QueryField *field;
} Grammar;

static QueryNode *parse_sequence(Grammar *g);

static bool query_advance(Grammar *g)
{
	lexeme_clear(&g->next);
	return query_lex(&g->p, NULL, &g->next);
}

static bool query_enter(Grammar *g)
{
	if (++g->p.depth <= QUERY_MAX_DEPTH)
		return true;
	return query_fail(&g->p, g->next.position, 1, NULL,
	        _("Too deeply nested: at most %d levels"), QUERY_MAX_DEPTH);
}

/* The current lexeme is the opening parenthesis. */
static QueryNode *parse_group(Grammar *g)
{
	size_t open = g->next.position;
	if (!query_enter(g) || !query_advance(g))
		return NULL;
	g_autoptr(QueryNode) node = NULL;
	if (g->next.kind == LEX_CLOSE) {
		query_fail(&g->p, open, g->next.position + 1 - open, NULL,
		        _("The parentheses are empty"));
		return NULL;
	}
	node = parse_sequence(g);
	if (!node)
		return NULL;
	if (g->next.kind != LEX_CLOSE) {
		query_fail(&g->p, open, 1, g_strdup(_("Close it with ).")),
		        _("The parenthesis is not closed"));
		return NULL;
	}
	g->p.depth--;
	return query_advance(g) ? g_steal_pointer(&node) : NULL;
}

static QueryNode *parse_field_group(Grammar *g, const Lexeme *field)
{
	if (field->op != OPERATOR_IS) {
		query_fail(&g->p, field->position, field->length, NULL,
		        _("Parentheses are allowed only after \":\""));
		return NULL;
	}
	g->field = field->field;
	QueryNode *node = parse_group(g);
	g->field = NULL;
	return node;
}

/* Reads "name=value" that is not a condition as the words it has: "<a title=x>". The error that
 * said so is dropped. Fails where a colon or a comparison of numbers shows that a condition was
 * meant. */
static QueryNode *parse_field_as_text(Grammar *g, const Lexeme *field)
{
	QueryParse *p = &g->p;
	size_t end = field->position + field->length;
	char sign = p->text[end - 1];
	bool ordered = query_is_date(field->field->filter) || query_is_number(field->field->filter);
	if ((!p->program && (sign == ':' || (sign != '=' && ordered))) ||
	        g->next.kind != LEX_VALUE || g->next.value.quoted)
		return NULL;
	g_clear_error(p->error);
	end += g->next.value.length;
	g_autofree char *text = g_strndup(p->text + field->position, end - field->position);
	const QueryValue value = {
	        .text = text, .position = field->position, .length = strlen(text)};
	QueryNode *node = query_words_node(p, SCOPE_ANY, &value);
	if (node)
		query_note(p, _("\"%s\" is not a condition, so its words were searched"), text);
	return node;
}

static QueryNode *fail_field_in_field(Grammar *g)
{
	query_fail(&g->p, g->next.position, g->next.length,
	        g_strdup(_("Close the parentheses of the other field first.")),
	        _("A field inside the parentheses of another field"));
	return NULL;
}

/* The current lexeme is a condition of another program. */
static QueryNode *parse_condition(Grammar *g)
{
	const QueryValue value = {.position = g->next.position, .length = g->next.length};
	if (g->field)
		return fail_field_in_field(g);
	g_autoptr(QueryNode) node = query_parse_other(&g->p, &value, g->next.text, NULL);
	return node && query_advance(g) ? g_steal_pointer(&node) : NULL;
}

/* "6m" becomes "6mo". */
static void name_months(QueryValue *value)
{
	size_t digits = strspn(value->text, "0123456789");
	if (digits == 0 || strcmp(value->text + digits, "m") != 0)
		return;
	char *months = g_strconcat(value->text, "o", NULL);
	g_free(value->text);
	value->text = months;
}

/* The current lexeme is "field:". */
static QueryNode *parse_field(Grammar *g)
{
	Lexeme field = g->next;
	if (g->field)
		return fail_field_in_field(g);
	if (!query_lex(&g->p, field.field, &g->next))
		return NULL;
	if (g->next.kind == LEX_OPEN)
		return parse_field_group(g, &field);
	if (g->next.kind != LEX_VALUE) {
		g_autofree char *name =
		        g_strndup(g->p.text + field.position, MAX(field.length, 1) - 1);
		query_fail(&g->p, field.position, field.length,
		        g_strdup_printf(_("Write %s:value, without a space."), name),
		        _("The field \"%s\" has no value"), name);
		return NULL;
	}
	if (field.months)
		name_months(&g->next.value);
	g_autoptr(QueryNode) node = query_field_node(&g->p, field.field, field.op, &g->next.value);
	if (!node)
		node = parse_field_as_text(g, &field);
	return node && query_advance(g) ? g_steal_pointer(&node) : NULL;
}

static QueryNode *parse_value(Grammar *g)
{
	query_note_otherwise(&g->p, &g->next.value);
	g_autoptr(QueryNode) node = query_field_node(&g->p, g->field, OPERATOR_IS, &g->next.value);
	return node && query_advance(g) ? g_steal_pointer(&node) : NULL;
}

static QueryNode *parse_primary(Grammar *g)
{
	switch (g->next.kind) {
	case LEX_OPEN:
		return parse_group(g);
	case LEX_FIELD:
		return parse_field(g);
	case LEX_CONDITION:
		return parse_condition(g);
	case LEX_VALUE:
		return parse_value(g);
	case LEX_CLOSE:
		query_fail(&g->p, g->next.position, 1, NULL,
		        _("This closing parenthesis has no opening one"));
		return NULL;
	case LEX_END:
		query_fail(&g->p, g->p.length, 0,
		        g_strdup(_("Put a word there, or quote the operator to search for it.")),
		        _("The query ends where a word is expected"));
		return NULL;
	default:
		query_fail(&g->p, g->next.position, g->next.length,
		        g_strdup(_("An operator joins two words; quote it to search for it.")),
		        _("An operator stands where a word is expected"));
		return NULL;
	}
}

static bool can_be_near(const QueryNode *node)
{
	return node->op == QUERY_WORDS && !node->pattern && node->edits == 0;
}

/* The parts of node, as bits of their first tokens. */
static uint64_t parts_of(const QueryNode *node)
{
	return node->parts ? node->parts : 1;
}

/* Is it a word, a phrase, or a group of such alternatives in one field? */
static bool has_near_words(const QueryNode *node, QueryScope scope)
{
	if (node->op != QUERY_OR)
		return can_be_near(node) && node->scope == scope;
	for (guint i = 0; i < node->children->len; i++)
		if (!has_near_words(node->children->pdata[i], scope))
			return false;
	return true;
}

/* The scope of the first words of node, which has some. */
static QueryScope near_scope(const QueryNode *node)
{
	return node->op == QUERY_OR ? near_scope(node->children->pdata[0]) : node->scope;
}

/* Appends the words of other to node. */
static void query_append_words(QueryNode *node, const QueryNode *other)
{
	guint n = node->tokens ? g_strv_length(node->tokens) : 0;
	guint m = g_strv_length(other->tokens);
	node->parts |= parts_of(other) << n;
	node->tokens = g_renew(char *, node->tokens, n + m + 1);
	for (guint i = 0; i <= m; i++)
		node->tokens[n + i] = g_strdup(other->tokens[i]);
	node->prefix = other->prefix;
	node->exact |= other->exact;
	node->length = other->position + other->length - node->position;
}

/* "a NEAR b" of two words or phrases. NULL: error. */
static QueryNode *near_pair(
        Grammar *g, const Lexeme *near, const QueryNode *first, const QueryNode *second)
{
	if (first->prefix || (first->parts && first->ordered != near->ordered)) {
		query_fail(&g->p, near->position, near->length, NULL,
		        _("NEAR and ADJ cannot be mixed, and only the last word may end with a "
		          "star"));
		return NULL;
	}
	if (first->parts && first->gap != near->gap) {
		query_fail(&g->p, near->position, near->length,
		        g_strdup(_("Write the same number each time: it applies to all words of "
		                   "the group.")),
		        _("Words joined by NEAR or ADJ must have the same distance"));
		return NULL;
	}
	QueryNode *node = query_node_new(QUERY_WORDS, first->position, 0);
	node->scope = first->scope;
	query_append_words(node, first);
	query_append_words(node, second);
	node->gap = near->gap;
	node->ordered = near->ordered;
	return node;
}

/* Adds "a NEAR b" to node for each alternative a of first and b of second. */
static bool near_alternatives(Grammar *g, const Lexeme *near, const QueryNode *first,
        const QueryNode *second, QueryNode *node)
{
	const QueryNode *group = first->op == QUERY_OR ? first : second;
	if (group->op != QUERY_OR) {
		QueryNode *pair = near_pair(g, near, first, second);
		if (pair)
			query_node_add(node, pair);
		return pair != NULL;
	}
	for (guint i = 0; i < group->children->len; i++) {
		const QueryNode *child = group->children->pdata[i];
		if (!near_alternatives(g, near, group == first ? child : first,
		            group == first ? second : child, node))
			return false;
		if (node->children->len > QUERY_MAX_TERMS)
			return query_fail(&g->p, near->position, near->length, NULL,
			        _("The alternatives make more than %d pairs of words"),
			        QUERY_MAX_TERMS);
	}
	return true;
}

/* Parses "a NEAR/5 b": node is a, and the operator is the current lexeme. Returns what takes the
 * place of node; NULL: error. */
static QueryNode *parse_near(Grammar *g, const QueryNode *node)
{
	Lexeme near = g->next;
	if (!query_advance(g))
		return NULL;
	g_autoptr(QueryNode) other = parse_primary(g);
	if (!other)
		return NULL;
	QueryScope scope = near_scope(node);
	if (!has_near_words(node, scope) || !has_near_words(other, scope)) {
		query_fail(&g->p, near.position, near.length,
		        g_strdup(_("Write one NEAR/5 two, or title:(one NEAR two).")),
		        _("NEAR and ADJ join two words or phrases of the same field"));
		return NULL;
	}
	g_autoptr(QueryNode) joined = query_node_new(QUERY_OR, node->position, 0);
	joined->length = other->position + other->length - node->position;
	if (!near_alternatives(g, &near, node, other, joined))
		return NULL;
	return query_simplify(g_steal_pointer(&joined));
}

static QueryNode *parse_nearby(Grammar *g)
{
	g_autoptr(QueryNode) node = parse_primary(g);
	while (node && g->next.kind == LEX_NEAR) {
		QueryNode *joined = parse_near(g, node);
		query_node_free(node);
		node = joined;
	}
	return g_steal_pointer(&node);
}

static QueryNode *parse_unary(Grammar *g)
{
	if (g->next.kind != LEX_NOT)
		return parse_nearby(g);
	size_t begin = g->next.position;
	if (!query_enter(g) || !query_advance(g))
		return NULL;
	QueryNode *inner = parse_unary(g);
	g->p.depth--;
	if (!inner)
		return NULL;
	if (inner->op == QUERY_NOT) {
		QueryNode *twice = g_ptr_array_steal_index(inner->children, 0);
		query_node_free(inner);
		return twice;
	}
	QueryNode *node = query_node_new(QUERY_NOT, begin, inner->position + inner->length - begin);
	query_node_add(node, inner);
	return node;
}

static QueryNode *parse_or(Grammar *g)
{
	g_autoptr(QueryNode) node = query_node_new(QUERY_OR, g->next.position, 0);
	for (;;) {
		QueryNode *child = parse_unary(g);
		if (!child)
			return NULL;
		node->length = child->position + child->length - node->position;
		query_node_add(node, child);
		if (g->next.kind != LEX_OR)
			return query_simplify(g_steal_pointer(&node));
		if (!query_advance(g))
			return NULL;
	}
}

/* Terms that an explicit AND joins. */
static QueryNode *parse_and(Grammar *g)
{
	g_autoptr(QueryNode) node = query_node_new(QUERY_AND, g->next.position, 0);
	for (;;) {
		QueryNode *child = parse_or(g);
		if (!child)
			return NULL;
		node->length = child->position + child->length - node->position;
		query_node_add(node, child);
		if (g->next.kind != LEX_AND)
			return query_simplify(g_steal_pointer(&node));
		if (!query_advance(g))
			return NULL;
	}
}

/* With "any", what asks for words is an alternative; filters and exclusions always apply. */
static bool asks_for_words(const QueryNode *node)
{
	if (node->op == QUERY_WORDS)
		return true;
	if (node->op == QUERY_FILTER || node->op == QUERY_NOT)
		return false;
	for (guint i = 0; i < node->children->len; i++)
		if (asks_for_words(node->children->pdata[i]))
			return true;
	return false;
}

/* Is the rest of the query nothing but words, which a pasted text may have any number of? */
static bool query_goes_on_with_words(const Grammar *g)
{
	QueryNotes *notes = NULL;
	QueryFault fault = {0};
	GError *error = NULL;
	Grammar rest = *g;
	bool words = g->next.kind == LEX_VALUE && g->p.depth == 0 && !g->field;
	rest.next = (Lexeme){.kind = LEX_VALUE};
	rest.p.notes = notes;
	rest.p.fault = &fault;
	rest.p.error = &error;
	while (words && rest.next.kind != LEX_END)
		words = query_advance(&rest) &&
		        (rest.next.kind == LEX_VALUE || rest.next.kind == LEX_END);
	lexeme_clear(&rest.next);
	g_clear_error(&error);
	g_free(fault.hint);
	return words;
}

/* Cuts a pasted text of words at the limit, and notes it. Leaves other queries to fail there: a
 * query of plain words is typed. */
static void cut_at_most_words(Grammar *g)
{
	QueryParse *p = &g->p;
	if (g->next.kind != LEX_VALUE || p->terms == 0 || query_has_only_words(p))
		return;
	if (p->terms + query_number_of_words(g->next.value.text) <= QUERY_MAX_TERMS ||
	        !query_goes_on_with_words(g))
		return;
	query_note(p, _("Only the first %u words were searched"), p->terms);
	p->at = p->length;
	query_advance(g);
}

static QueryNode *parse_sequence(Grammar *g)
{
	size_t begin = g->next.position;
	g_autoptr(QueryNode) all = query_node_new(QUERY_AND, begin, 0);
	g_autoptr(QueryNode) words = query_node_new(QUERY_OR, begin, 0);

	do {
		QueryNode *child = parse_and(g);
		if (!child)
			return NULL;
		bool alternative = g->p.options->any && asks_for_words(child);
		query_node_add(alternative ? words : all, child);
		cut_at_most_words(g);
	} while (g->next.kind != LEX_END && g->next.kind != LEX_CLOSE);
	all->length = words->length = g->next.position - begin;
	if (words->children->len > 0)
		query_node_add(all, query_simplify(g_steal_pointer(&words)));
	return query_simplify(g_steal_pointer(&all));
}

static bool check_text(QueryParse *p)
{
	const char *end;
	if (p->length > QUERY_MAX_BYTES)
		return query_fail(p, QUERY_MAX_BYTES, 0, NULL,
		        _("The query is too long: at most %d bytes"), QUERY_MAX_BYTES);
	if (!g_utf8_validate(p->text, p->length, &end))
		return query_fail(p, end - p->text, 1, NULL, _("The query is not valid UTF-8"));
	for (size_t i = 0; i < p->length; i++)
		if (!g_ascii_isspace(p->text[i]))
			return true;
	return query_fail(p, 0, 0, NULL, _("The query is empty"));
}

/* The whole text has no word: perhaps it has signs that names have. */
static QueryNode *parse_signs(QueryParse *p)
{
	g_autofree char *text = g_strndup(p->text, p->length);
	const QueryValue value = {.text = g_strstrip(text), .length = p->length};
	return query_signs_node(p, &value);
}

QueryNode *query_parse_tree(QueryParse *p)
{
	Grammar g = {.p = *p};

	if (!check_text(&g.p))
		return NULL;
	g.p.program = !g.p.options->no_program && query_is_program(&g.p);
	g.p.groups = query_uses_groups(&g.p);
	query_note_braces(&g.p);
	bool ok = query_advance(&g);
	if (ok && g.next.kind == LEX_END)
		return parse_signs(&g.p);
	g_autoptr(QueryNode) root = ok ? parse_sequence(&g) : NULL;
	if (root && g.next.kind != LEX_END) {
		query_fail(&g.p, g.next.position, 1, NULL,
		        _("This closing parenthesis has no opening one"));
		g_clear_pointer(&root, query_node_free);
	}
	lexeme_clear(&g.next);
	p->terms = g.p.terms;
	return g_steal_pointer(&root);
}

/* ---- operators in a text of capitals */

/* A title in capitals has operators that are words: "TO HAVE OR". */
static bool is_in_capitals(const char *text)
{
	bool words = false;
	for (const char *s = text; *s; s = g_utf8_next_char(s)) {
		if (g_unichar_islower(g_utf8_get_char(s)))
			return false;
		words |= g_unichar_isupper(g_utf8_get_char(s));
	}
	return words;
}

static void clear_notes(QueryNotes *notes)
{
	g_ptr_array_set_size(notes->lines, 0);
	g_string_truncate(notes->left_out, 0);
	g_string_truncate(notes->as_text, 0);
}

static bool has_other_words(const char *text)
{
	static const char *const operators[] = {"AND", "OR", "NOT", "NEAR", "ADJ", NULL};
	g_auto(GStrv) words = g_strsplit_set(text, " \t\n\r", -1);
	for (char **word = words; *word; word++)
		if (!g_strv_contains(operators, *word) && query_has_word(*word, strlen(*word)))
			return true;
	return false;
}

/* Parses again with the operators as words, if it then has other words too. */
static QueryNode *parse_capitals(QueryParse *p)
{
	QueryFault fault = {0};
	QueryParse again = *p;
	again.terms = again.depth = 0;
	again.no_operators = true;
	again.fault = &fault;
	again.error = NULL;
	if (!g_utf8_validate(p->text, p->length, NULL) || !is_in_capitals(p->text) ||
	        !has_other_words(p->text))
		return NULL;
	clear_notes(p->notes);
	g_autoptr(QueryNode) node = query_parse_tree(&again);
	g_free(fault.hint);
	if (!node)
		return NULL;
	g_clear_error(p->error);
	g_clear_pointer(&p->fault->hint, g_free);
	query_note(p, "%s", _("The operators were searched as words, because they join nothing"));
	return g_steal_pointer(&node);
}

static bool query_only_excludes(const QueryNode *node)
{
	if (node->op == QUERY_WORDS || node->op == QUERY_FILTER)
		return false;
	for (guint i = 0; node->op != QUERY_NOT && i < node->children->len; i++)
		if (!query_only_excludes(node->children->pdata[i]))
			return false;
	return true;
}

static bool has_capital(const char *word)
{
	for (; *word; word = g_utf8_next_char(word))
		if (g_unichar_isupper(g_utf8_get_char(word)))
			return true;
	return false;
}

/* "NOT FOUND" is a title. Quotes, parentheses, conditions, signs that exclude, and words without
 * capitals ("NOT 2023") show that something is excluded. */
static bool is_title_with_not(const char *text)
{
	g_auto(GStrv) words = g_strsplit_set(text, " \t\n\r", -1);
	for (char **word = words; *word; word++) {
		if (!query_has_word(*word, strlen(*word)))
			continue;
		if (strchr("-!", **word) || strpbrk(*word, "\"():=<>") || !has_capital(*word))
			return false;
	}
	return true;
}

/* "NOT FOUND" is a text, "-draft" may be meant. */
static QueryNode *judge_exclusions(QueryParse *p, QueryNode *root)
{
	if (!query_only_excludes(root))
		return root;
	QueryNode *words = is_title_with_not(p->text) ? parse_capitals(p) : NULL;
	if (!words) {
		query_note(p, "%s", _("The query only excludes, so everything else is found"));
		return root;
	}
	query_node_free(root);
	return words;
}

static char **end_notes(QueryParse *p)
{
	const GString *signs = p->notes->left_out, *text = p->notes->as_text;
	if (text->len > 0)
		query_note(p, _("Read as text, not as operators or exclusions: %s"), text->str);
	if (signs->len > 0)
		query_note(p, _("Left out, because it has no letter or digit: %s"), signs->str);
	g_ptr_array_add(p->notes->lines, NULL);
	return g_strdupv((char **)p->notes->lines->pdata);
}

Query *query_parse(const char *text, const QueryOptions *options, QueryFault *fault, GError **error)
{
	g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GString) left_out = g_string_new(NULL);
	g_autoptr(GString) as_text = g_string_new(NULL);
	g_autoptr(GError) first = NULL;
	QueryNotes notes = {lines, left_out, as_text};
	QueryParse p = {.text = text,
	        .length = strlen(text),
	        .options = options,
	        .notes = &notes,
	        .fault = fault,
	        .error = &first};

	*fault = (QueryFault){0};
	QueryNode *root = query_path_node(&p);
	if (!root)
		root = query_header_date_node(&p);
	if (!root) {
		g_clear_error(&first);
		p.terms = 0;
		if (p.length <= QUERY_MAX_BYTES && g_utf8_validate(text, p.length, NULL))
			p.at = query_mail_prefix(text);
		root = query_parse_tree(&p);
	}
	root = root ? judge_exclusions(&p, root) : parse_capitals(&p);
	if (!root) {
		g_propagate_error(error, g_steal_pointer(&first));
		return NULL;
	}
	root = query_or_place(&p, root);
	if (p.at > 0)
		query_note_mail_prefix(&p, p.at);
	query_note_other_operators(&p, root);
	g_clear_pointer(&fault->hint, g_free); /* of a fault that was read as text */
	Query *query = g_new0(Query, 1);
	query->text = g_strdup(text);
	query->root = root;
	query->notes = end_notes(&p);
	return query;
}
