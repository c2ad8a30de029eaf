/* SPDX-License-Identifier: GPL-3.0-or-later */
/* query-web.c - the fields of sites and feeds: "site:", "source:", "url:", "inurl:" */
#include <config.h>
#include "index/query/query-private.h"
#include "common/base/i18n.h"
#include "common/base/paths.h"
#include "common/url/url-canonical.h"
#include "index/text/tokenizer.h"
#include <string.h>

/* Takes ownership of text. */
static QueryNode *web_filter_node(QueryFilter filter, const QueryValue *value, char *text)
{
	QueryNode *node = query_node_new(QUERY_FILTER, value->position, value->length);
	node->filter = filter;
	node->values = g_new0(char *, 2);
	node->values[0] = text;
	return node;
}

static QueryNode *web_fail(
        QueryParse *p, const QueryValue *value, const char *hint, const char *message)
{
	query_fail(p, value->position, value->length, g_strdup(hint), "%s", message);
	return NULL;
}

static bool is_http(const char *url)
{
	return g_str_has_prefix(url, "http://") || g_str_has_prefix(url, "https://");
}

/* Cuts the slashes at the end off: "example.org/docs/" is "example.org/docs". */
static char *without_last_slashes(const char *text)
{
	size_t length = strlen(text);
	while (length > 0 && text[length - 1] == '/')
		length--;
	return g_strndup(text, length);
}

QueryNode *query_site_node(QueryParse *p, const QueryValue *value)
{
	const char *text = value->text;
	bool whole = path_is_web(text);
	if (!whole && g_str_has_prefix(text, "*."))
		text++;
	text += !whole && *text == '.';
	g_autofree char *url = whole ? g_strdup(text) : g_strconcat("http://", text, NULL);
	g_autofree char *canonical = url_canonical(url, -1, NULL, NULL);
	if (!canonical || !is_http(canonical))
		return web_fail(p, value, _("Write site:example.org or site:example.org/docs."),
		        _("This is not the name of a site"));
	const char *shown = whole ? canonical : canonical + strlen("http://");
	return web_filter_node(FILTER_SITE, value, without_last_slashes(shown));
}

static QueryNode *source_node(QueryParse *p, const QueryValue *value)
{
	static const char *const kinds[] = {"web", "feed", "file", NULL};
	g_autofree char *kind = g_utf8_strdown(value->text, -1);
	if (strcmp(kind, "site") == 0)
		return web_filter_node(FILTER_SOURCE, value, g_strdup("web"));
	if (g_strv_contains(kinds, kind))
		return web_filter_node(FILTER_SOURCE, value, g_steal_pointer(&kind));
	query_fail(p, value->position, value->length,
	        g_strdup(_("Sources are web, feed, file; a site is written site:example.org.")),
	        _("Unknown source \"%s\""), value->text);
	return NULL;
}

/* A URL without a scheme may be that of a page with either. */
static QueryNode *url_node(QueryParse *p, const QueryValue *value)
{
	g_autofree char *first = url_canonical(value->text, -1, NULL, NULL);
	if (!first || !is_http(first))
		return web_fail(p, value,
		        _("Write url:https://example.org/page; inurl:page searches in URLs."),
		        _("This is not the URL of a page"));
	if (path_is_web(value->text))
		return web_filter_node(FILTER_URL, value, g_steal_pointer(&first));
	QueryNode *either = query_node_new(QUERY_OR, value->position, value->length);
	g_autofree char *other = g_strconcat("https://", first + strlen("http://"), NULL);
	g_autofree char *secure = url_canonical(other, -1, NULL, NULL);
	query_node_add(either, web_filter_node(FILTER_URL, value, g_steal_pointer(&first)));
	if (secure)
		query_node_add(
		        either, web_filter_node(FILTER_URL, value, g_steal_pointer(&secure)));
	return either;
}

/* Stars at the ends say nothing. */
static QueryNode *inurl_node(QueryParse *p, const QueryValue *value)
{
	g_autofree char *folded = tokenize_fold(value->text, strlen(value->text));
	size_t stars = strspn(folded, "*"), end = strlen(folded);
	while (end > stars && folded[end - 1] == '*')
		end--;
	if (end == stars)
		return web_fail(p, value, _("Write inurl:howto or inurl:docs*howto."),
		        _("The field has nothing to search for"));
	return web_filter_node(FILTER_INURL, value, g_strndup(folded + stars, end - stars));
}

/* The end of the first element of a list. A URL may have commas: the next one begins with its
 * scheme. */
static const char *web_list_comma(const char *list, QueryFilter filter)
{
	const char *comma = strchr(list, ',');
	while (comma && filter == FILTER_URL &&
	        g_ascii_strncasecmp(comma + 1, "http", strlen("http")) != 0)
		comma = strchr(comma + 1, ',');
	return comma;
}

static QueryNode *web_value_node(QueryParse *p, QueryFilter filter, const QueryValue *value)
{
	if (!*value->text) {
		query_fail(p, value->position, 1, NULL, _("The list lacks a value"));
		return NULL;
	}
	if (!query_count_terms(p, value, 1))
		return NULL;
	switch (filter) {
	case FILTER_SITE:
		return query_site_node(p, value);
	case FILTER_SOURCE:
		return source_node(p, value);
	case FILTER_URL:
		return url_node(p, value);
	default:
		return inurl_node(p, value);
	}
}

bool query_is_web_field(QueryFilter filter)
{
	return filter == FILTER_SITE || filter == FILTER_SOURCE || filter == FILTER_URL ||
	       filter == FILTER_INURL;
}

QueryNode *query_web_node(QueryParse *p, QueryFilter filter, const QueryValue *value)
{
	g_autoptr(QueryNode) any = query_node_new(QUERY_OR, value->position, value->length);
	const char *begin = value->text;
	for (bool more = true; more;) {
		const char *comma = value->quoted ? NULL : web_list_comma(begin, filter);
		size_t length = comma ? (size_t)(comma - begin) : strlen(begin);
		g_autofree char *text = g_strndup(begin, length);
		const QueryValue part = {.text = text,
		        .position = value->position + value->quoted + (begin - value->text),
		        .length = MAX(length, 1)};
		QueryNode *node = web_value_node(p, filter, &part);
		if (!node)
			return NULL;
		query_node_add(any, node);
		more = comma != NULL;
		begin += length + more;
	}
	return any->children->len > 1 ? g_steal_pointer(&any)
	                              : g_ptr_array_steal_index(any->children, 0);
}
