/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/export/opensearch-query.h"
#include "ui-cli/cmd/export/opensearch-forms.h"
#include "common/base/i18n.h"
#include <string.h>

enum { PLACES_PAGE = 5000, SNIPPET_CHARACTERS = 200, MOST_DEPTH = 64 };

typedef struct {
	const json_t *leaves, *filters, *languages;
	json_t *ranking; /* what gives a score */
	json_t *marked, *marked_words; /* clauses, and words, that are marked in snippets */
	unsigned depth;
	bool failed; /* a clause was none, and must not be left out */
} OsTranslation;

/* ---- clauses */

static json_t *os_clause(const char *kind, const char *field, json_t *value)
{
	return json_pack("{s:{s:o}}", kind, field, value);
}

static json_t *os_any(json_t *clauses)
{
	return json_pack("{s:{s:o, s:i}}", "bool", "should", clauses, "minimum_should_match", 1);
}

static json_t *os_all(json_t *clauses)
{
	return json_pack("{s:{s:o}}", "bool", "filter", clauses);
}

static json_t *os_not(json_t *clause)
{
	return json_pack("{s:{s:[o]}}", "bool", "must_not", clause);
}

static json_t *os_folded(const char *kind, const char *field, const char *value)
{
	return json_pack("{s:{s:{s:s, s:b}}}", kind, field, "value", value, "case_insensitive", 1);
}

static const char *os_string(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));
	return text ? text : "";
}

/* ---- words */

/* "any" is the body and, in one column, everything else. */
static size_t os_scope_columns(const char *scope, const char *columns[2])
{
	bool any = strcmp(scope, "any") == 0;
	columns[0] = any ? "body" : scope;
	columns[1] = any ? "rest" : NULL;
	return any ? 2 : 1;
}

static json_t *os_span_term(const char *field, const json_t *term, bool prefix)
{
	json_t *copy = json_copy((json_t *)term);
	if (!prefix)
		return os_clause("span_term", field, copy);
	return json_pack("{s:{s:o}}", "span_multi", "match", os_clause("prefix", field, copy));
}

static json_t *os_near(json_t *clauses, unsigned slop)
{
	return json_pack("{s:{s:o, s:i, s:b}}", "span_near", "clauses", clauses, "slop", (int)slop,
	        "in_order", 1);
}

/* Words that follow each other. prefix: the last one is the beginning of a word. */
static json_t *os_span_part(const char *field, const json_t *terms, bool prefix)
{
	json_t *spans = json_array(), *term;
	size_t n = json_array_size(terms), i;
	json_array_foreach((json_t *)terms, i, term)
	        json_array_append_new(spans, os_span_term(field, term, prefix && i == n - 1));
	if (n != 1)
		return os_near(spans, 0);
	json_t *only = json_incref(json_array_get(spans, 0));
	json_decref(spans);
	return only;
}

static json_t *os_span_pair(
        const char *field, const json_t *leaf, const json_t *first, const json_t *second)
{
	bool prefix = json_is_true(json_object_get(leaf, "prefix"));
	const json_t *last = json_array_get(json_object_get(leaf, "parts"), 1);
	json_t *spans = json_pack("[o, o]", os_span_part(field, first, prefix && first == last),
	        os_span_part(field, second, prefix && second == last));
	return os_near(spans, json_integer_value(json_object_get(leaf, "gap")));
}

/* Spans that are near in any order may be the same words, so both orders are asked for. */
static json_t *os_phrase(const char *field, const json_t *leaf)
{
	const json_t *parts = json_object_get(leaf, "parts"), *first = json_array_get(parts, 0),
	             *second = json_array_get(parts, 1);
	if (!second)
		return os_span_part(field, first, json_is_true(json_object_get(leaf, "prefix")));
	json_t *clause = os_span_pair(field, leaf, first, second);
	if (json_is_true(json_object_get(leaf, "ordered")))
		return clause;
	return os_any(json_pack("[o, o]", clause, os_span_pair(field, leaf, second, first)));
}

/* The word or phrase as it is written. */
static json_t *os_written(const char *field, const json_t *leaf)
{
	const json_t *tokens = json_object_get(leaf, "tokens");
	bool prefix = json_is_true(json_object_get(leaf, "prefix"));
	if (json_array_size(tokens) > 1)
		return os_phrase(field, leaf);
	return os_clause(prefix ? "prefix" : "term", field, json_copy(json_array_get(tokens, 0)));
}

/* The word of a leaf in all its forms. */
static json_t *os_inflected(const OsTranslation *t, const char *column, const json_t *leaf)
{
	g_autofree char *field = g_strconcat("forms.", column, NULL);
	return os_clause("terms", field, os_forms_wanted(leaf, t->languages));
}

/* A path, or the end of one: the name of the file, and the steps before it up to the last. */
static json_t *os_path_end(const char *path)
{
	g_autofree char *base = g_path_get_basename(path);
	g_auto(GStrv) steps = g_strsplit(path, "/", -1);
	guint n = g_strv_length(steps);
	json_t *spans = json_array(),
	       *ends = json_pack("[o]", os_clause("term", "find.base", json_string(base)));
	for (guint i = 0; i + 1 < n; i++)
		if (*steps[i])
			json_array_append_new(
			        spans, os_clause("span_term", "find.steps", json_string(steps[i])));
	if (json_array_size(spans) > 0) {
		json_array_append_new(
		        spans, os_clause("span_term", "find.steps", json_string(".")));
		json_array_append_new(ends, os_near(spans, 0));
	} else {
		json_decref(spans);
	}
	return os_any(json_pack(
	        "[o, o]", os_all(ends), os_clause("term", "find.path", json_string(path))));
}

static void os_mark_words(OsTranslation *t, const json_t *words)
{
	json_array_extend(t->marked_words, (json_t *)words);
}

/* The words that a snippet marks: as they were read, and their forms. */
static void os_mark(OsTranslation *t, const json_t *leaf)
{
	const json_t *tokens = json_object_get(leaf, "tokens");
	json_t *form;
	size_t i;
	if (json_array_size(tokens) > 1)
		return; /* the phrase as it was typed is marked */
	if (json_is_true(json_object_get(leaf, "prefix")))
		json_array_append_new(t->marked, os_written("text", leaf));
	else
		os_mark_words(t, tokens);
	json_array_foreach(json_object_get(leaf, "forms"), i, form)
	        os_mark_words(t, json_object_get(form, "terms"));
}

static json_t *os_leaf(OsTranslation *t, size_t n, bool excluded)
{
	const json_t *leaf = json_array_get(t->leaves, n), *path = json_object_get(leaf, "path");
	bool inflected = json_array_size(json_object_get(leaf, "forms")) > 0;
	const char *columns[2];
	json_t *ways = json_array();
	size_t n_columns = os_scope_columns(os_string(leaf, "scope"), columns);
	for (size_t i = 0; i < n_columns; i++) {
		g_autofree char *field = g_strconcat("words.", columns[i], NULL);
		json_t *way = os_written(field, leaf);
		if (!excluded)
			json_array_append(t->ranking, way);
		json_array_append_new(
		        ways, inflected ? os_inflected(t, columns[i], leaf) : json_incref(way));
		json_decref(way);
	}
	if (json_is_string(path))
		json_array_append_new(ways, os_path_end(json_string_value(path)));
	if (!excluded)
		os_mark(t, leaf);
	return os_any(ways);
}

/* ---- filters */

static json_t *os_range(const char *field, const json_t *filter)
{
	return json_pack("{s:{s:{s:O, s:O}}}", "range", field, "gte",
	        json_object_get(filter, "low"), "lte", json_object_get(filter, "high"));
}

static json_t *os_value_ext(const char *value)
{
	g_autofree char *folded = g_utf8_strdown(value, -1);
	return os_clause("term", "find.ext", json_string(folded));
}

static json_t *os_value_mime(const char *value)
{
	size_t length = strlen(value);
	if (length == 0 || value[length - 1] != '*')
		return os_folded("term", "mime", value);
	g_autofree char *begin = g_strndup(value, length - 1);
	return os_folded("prefix", "mime", begin);
}

static json_t *os_value_lang(const char *value)
{
	g_autofree char *begin = g_strconcat(value, "-", NULL);
	return os_any(json_pack(
	        "[o, o]", os_folded("term", "lang", value), os_folded("prefix", "lang", begin)));
}

/* The directory with a slash after it. */
static char *os_dir(const char *value)
{
	size_t length = strlen(value);
	while (length > 0 && value[length - 1] == '/')
		length--;
	return g_strdup_printf("%.*s/", (int)length, value);
}

static json_t *os_value_dir(const char *value)
{
	if (*value == '/') {
		g_autofree char *dir = os_dir(value);
		return os_clause("prefix", "find.dir", json_string(dir));
	}
	g_auto(GStrv) steps = g_strsplit(value, "/", -1);
	json_t *spans = json_array();
	for (char **step = steps; *step; step++)
		if (**step)
			json_array_append_new(
			        spans, os_clause("span_term", "find.steps", json_string(*step)));
	return os_near(spans, 0);
}

static json_t *os_value_in(const char *value)
{
	g_autofree char *dir = os_dir(value);
	return os_clause("term", "find.dir", json_string(dir));
}

static json_t *os_value_type(const char *value)
{
	return os_clause("term", "kind", json_string(value));
}

static json_t *os_value_is(const char *value)
{
	return os_clause("term", "find.is", json_string(value));
}

static json_t *os_value_source(const char *value)
{
	return os_clause("term", "places.source", json_string(value));
}

static json_t *os_value_url(const char *value)
{
	json_t *page = os_not(os_clause("term", "places.source", json_string("file")));
	return os_all(
	        json_pack("[o, o]", page, os_clause("term", "find.path", json_string(value))));
}

static json_t *os_filter_sent(const json_t *filter)
{
	return os_all(json_pack("[o, o]", os_clause("prefix", "mime", json_string("message/")),
	        os_range("find.dated", filter)));
}

static json_t *os_filter(OsTranslation *t, size_t n)
{
	static const struct {
		const char *field, *range;
		json_t *(*value)(const char *value);
	} known[] = {{"ext", NULL, os_value_ext}, {"mime", NULL, os_value_mime},
	        {"type", NULL, os_value_type}, {"lang", NULL, os_value_lang},
	        {"dir", NULL, os_value_dir}, {"in", NULL, os_value_in}, {"is", NULL, os_value_is},
	        {"source", NULL, os_value_source}, {"url", NULL, os_value_url},
	        {"date", "find.best", NULL}, {"modified", "find.modified", NULL},
	        {"size", "size", NULL}, {"pages", "pages", NULL}, {"duration", "seconds", NULL}};
	const json_t *filter = json_array_get(t->filters, n);
	const char *field = os_string(filter, "field");
	json_t *values = json_array(), *value;
	size_t k;
	if (strcmp(field, "all") == 0)
		json_array_append_new(values, json_pack("{s:{}}", "match_all"));
	if (strcmp(field, "sent") == 0)
		json_array_append_new(values, os_filter_sent(filter));
	for (size_t i = 0; i < G_N_ELEMENTS(known); i++) {
		if (strcmp(field, known[i].field) != 0)
			continue;
		if (known[i].range)
			json_array_append_new(values, os_range(known[i].range, filter));
		else
			json_array_foreach(json_object_get(filter, "values"), k, value)
			        json_array_append_new(
			                values, known[i].value(json_string_value(value)));
	}
	t->failed |= json_array_size(values) == 0; /* which would match everything */
	return os_any(values);
}

/* ---- the tree */

static json_t *os_node(OsTranslation *t, const json_t *node, bool excluded);

static json_t *os_children(OsTranslation *t, const json_t *nodes, bool excluded)
{
	json_t *clauses = json_array(), *node;
	size_t i;
	json_array_foreach((json_t *)nodes, i, node)
	        json_array_append_new(clauses, os_node(t, node, excluded));
	return clauses;
}

static json_t *os_node(OsTranslation *t, const json_t *node, bool excluded)
{
	const char *key = json_object_iter_key(json_object_iter((json_t *)node));
	const json_t *value = key ? json_object_get(node, key) : NULL;
	json_t *clause = NULL;
	t->depth++;
	if (!key || t->depth > MOST_DEPTH)
		t->failed = true;
	else if (strcmp(key, "leaf") == 0)
		clause = os_leaf(t, json_integer_value(value), excluded);
	else if (strcmp(key, "filter") == 0)
		clause = os_filter(t, json_integer_value(value));
	else if (strcmp(key, "not") == 0)
		clause = os_not(os_node(t, value, !excluded));
	else if (strcmp(key, "and") == 0)
		clause = os_all(os_children(t, value, excluded));
	else if (strcmp(key, "or") == 0)
		clause = os_any(os_children(t, value, excluded));
	t->depth--;
	t->failed |= !clause;
	return clause;
}

/* ---- the request */

static json_t *os_sort(const json_t *query)
{
	static const struct {
		const char *name, *field;
		bool descending;
	} orders[] = {{"date", "find.best", true}, {"size", "size", true},
	        {"name", "find.name", false}, {"path", "find.path", false}};
	const char *sort = os_string(query, "sort"), *field = "_score";
	bool descending = true;
	for (size_t i = 0; i < G_N_ELEMENTS(orders); i++)
		if (strcmp(sort, orders[i].name) == 0) {
			field = orders[i].field;
			descending = orders[i].descending;
		}
	descending ^= json_is_true(json_object_get(query, "reverse"));
	json_t *keys = json_pack("[{s:s}]", field, descending ? "desc" : "asc");
	if (strcmp(field, "find.path") != 0)
		json_array_append_new(keys, json_pack("{s:s}", "find.path", "asc"));
	json_array_append_new(keys, json_pack("{s:s}", "find.document", "asc"));
	return keys;
}

/* The words as they were typed, without the signs around them, and as they were read. */
static void os_mark_all(OsTranslation *t, const json_t *rank)
{
	json_t *typed;
	size_t i;
	if (json_array_size(t->marked_words) > 0)
		json_array_append_new(
		        t->marked, os_clause("terms", "text", json_incref(t->marked_words)));
	json_array_foreach((json_t *)rank, i, typed)
	{
		g_autofree char *text = g_strdup(json_string_value(typed));
		g_strdelimit(text, "\"=*", ' ');
		json_array_append_new(
		        t->marked, os_clause("match_phrase", "text", json_string(text)));
	}
}

static json_t *os_highlight(const OsTranslation *t)
{
	return json_pack("{s:[s], s:[s], s:i, s:i, s:o, s:{s:{}}}", "pre_tags", "\2", "post_tags",
	        "\3", "number_of_fragments", 1, "fragment_size", SNIPPET_CHARACTERS,
	        "highlight_query",
	        json_pack("{s:{s:O, s:i}}", "bool", "should", t->marked, "minimum_should_match", 1),
	        "fields", "text");
}

static const char *const shown[] = {"places", "member", "kind", "mime", "title", "author", "lang",
        "size", "pages", "seconds", "state", "host", "find.document", "find.dated",
        "find.modified"};

static json_t *os_sources(void)
{
	json_t *sources = json_array();
	for (size_t i = 0; i < G_N_ELEMENTS(shown); i++)
		json_array_append_new(sources, json_string(shown[i]));
	return sources;
}

static json_t *os_request(const OsQuery *query, const OsTranslation *t, const json_t *json,
        const ExportSearch *search)
{
	bool counts = search->most == 0;
	json_t *request = json_pack("{s:i, s:i, s:b, s:s, s:{s:{s:[O], s:O}}, s:o}", "from",
	        (int)search->skip, "size", (int)(counts ? OS_WINDOW - search->skip : search->most),
	        "track_total_hits", 1, "timeout", G_STRINGIFY(25) "s", "query", "bool", "filter",
	        query->matches, "should", t->ranking, "sort", os_sort(json));
	G_STATIC_ASSERT(OS_SEARCH_SECONDS == 25);
	json_object_set_new(request, "_source", counts ? json_false() : os_sources());
	if (!query->places) {
		json_object_set_new(
		        request, "collapse", json_pack("{s:s}", "field", "find.document"));
		json_object_set_new(request, "aggs",
		        json_pack("{s:{s:{s:s, s:i}}}", "documents", "cardinality", "field",
		                "find.document", "precision_threshold", 40000));
	}
	if (json_is_true(json_object_get(json, "snippets")) && json_array_size(t->marked) > 0)
		json_object_set_new(request, "highlight", os_highlight(t));
	return request;
}

bool os_query_read(OsQuery *query, const ExportSearch *search, GError **error)
{
	json_t *json = json_loads(search->query, 0, NULL);
	OsTranslation t = {.leaves = json_object_get(json, "leaves"),
	        .filters = json_object_get(json, "filters"),
	        .languages = json_object_get(json, "languages"),
	        .ranking = json_array(),
	        .marked = json_array(),
	        .marked_words = json_array()};
	*query = (OsQuery){.places = json_is_true(json_object_get(json, "places"))};
	query->matches = os_node(&t, json_object_get(json, "tree"), false);
	if (query->matches && !t.failed) {
		os_mark_all(&t, json_object_get(json, "rank"));
		query->request = os_request(query, &t, json, search);
	}
	json_decref(t.ranking);
	json_decref(t.marked);
	json_decref(t.marked_words);
	json_decref(json);
	if (query->request)
		return true;
	g_set_error(error, EXPORT_ERROR, EXPORT_ERROR_REFUSED, "%s", _("this is not a query"));
	return false;
}

void os_query_clear(OsQuery *query)
{
	json_decref(query->matches);
	json_decref(query->request);
	*query = (OsQuery){0};
}

json_t *os_query_places(const OsQuery *query, json_t *documents)
{
	return json_pack("{s:i, s:b, s:s, s:{s:{s:[O, {s:{s:O}}]}}, s:[{s:s}, {s:s}, {s:s}], "
	                 "s:[s, s, s]}",
	        "size", PLACES_PAGE, "track_total_hits", 0, "timeout", G_STRINGIFY(25) "s", "query",
	        "bool", "filter", query->matches, "terms", "find.document", documents, "sort",
	        "find.document", "asc", "find.path", "asc", "class", "asc", "_source", "places",
	        "find.document", "find.modified");
}
