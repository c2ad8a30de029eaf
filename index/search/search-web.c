/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search-web.c - conditions on the pages of sites and the items of feeds
 *
 * Their names are URLs, and they are children of the roots whose names are URLs. So the few rows
 * that such a condition can match are found without looking at the entries of the disk. */
#include <config.h>
#include "index/search/search-private.h"
#include "common/base/paths.h"
#include "common/url/url-name.h"
#include "common/url/url-percent.h"
#include "index/read/reader-web-rules.h"
#include "index/store/links.h"
#include "index/text/tokenizer.h"
#include <string.h>

/* The documents of all sources. */
static const char web_nodes_sql[] =
        "SELECT n.inode FROM node r CROSS JOIN node n ON n.parent = r.id "
        "WHERE r.parent = 0 AND substr(r.name, 1, 1) <> x'2f' AND ";

/* ---- which conditions */

/* "source:file" holds for entries of the disk. */
static bool web_filter_is_of_pages(const QueryNode *node)
{
	return query_is_web_field(node->filter) &&
	       (node->filter != FILTER_SOURCE || strcmp(node->values[0], "file") != 0);
}

bool search_is_of_pages(const QueryNode *node)
{
	if (node->op == QUERY_FILTER)
		return web_filter_is_of_pages(node);
	bool all = node->op == QUERY_OR;
	for (guint i = 0; all && i < node->children->len; i++)
		all = search_is_of_pages(node->children->pdata[i]);
	return all;
}

SearchSql *search_pages_sql(const Search *s, const QueryNode *condition)
{
	SearchSql *sql = search_sql_new();
	g_string_append(sql->text, web_nodes_sql);
	search_condition(s, condition, sql);
	return sql;
}

/* ---- functions */

/* The name of a node as a URL, or NULL: it is none. The caller frees it. */
static char *url_of_value(sqlite3_value *value)
{
	const char *bytes = sqlite3_value_blob(value);
	if (!bytes || *bytes == '/')
		return NULL;
	char *name = g_strndup(bytes, sqlite3_value_bytes(value));
	if (path_is_web(name))
		return name;
	g_free(name);
	return NULL;
}

static void site_function(sqlite3_context *context, int n, sqlite3_value **values)
{
	g_autofree char *url = url_of_value(values[0]);
	const char *site = (const char *)sqlite3_value_text(values[1]);
	sqlite3_result_int(context, url && site && url_is_of_site(url, site));
}

static void source_function(sqlite3_context *context, int n, sqlite3_value **values)
{
	const SearchState *state = sqlite3_user_data(context);
	g_autofree char *url = url_of_value(values[1]);
	int64_t parent = sqlite3_value_int64(values[0]);
	const char *wanted = (const char *)sqlite3_value_text(values[2]);
	const char *kind = !url          ? "file"
	                   : parent == 0 ? ""
	                                 : entry_source_name(reader_dir(state->r, parent)->source);
	sqlite3_result_int(context, wanted && strcmp(kind, wanted) == 0);
}

/* Do the pieces of a pattern, between its stars, follow each other in the text? */
static bool has_pieces(const char *text, const char *pattern)
{
	g_auto(GStrv) pieces = g_strsplit(pattern, "*", -1);
	for (char **piece = pieces; text && *piece; piece++) {
		text = strstr(text, *piece);
		text = text ? text + strlen(*piece) : NULL;
	}
	return text != NULL;
}

/* A word may be written with escapes in the URL, or the text that is searched may have them. */
static void inurl_function(sqlite3_context *context, int n, sqlite3_value **values)
{
	g_autofree char *url = url_of_value(values[0]);
	const char *pattern = (const char *)sqlite3_value_text(values[1]);
	if (!url || !pattern) {
		sqlite3_result_int(context, 0);
		return;
	}
	g_autoptr(GString) decoded = g_string_new(NULL);
	url_percent_decode(decoded, url, strlen(url));
	g_autofree char *plain = tokenize_fold(decoded->str, decoded->len);
	g_autofree char *written = tokenize_fold(url, strlen(url));
	sqlite3_result_int(context, has_pieces(plain, pattern) || has_pieces(written, pattern));
}

/* The URL, or that of the page that it is an alias of. */
static void page_function(sqlite3_context *context, int n, sqlite3_value **values)
{
	const SearchState *state = sqlite3_user_data(context);
	const char *url = (const char *)sqlite3_value_text(values[0]);
	char *other = url ? reader_web_other(state->r, url) : NULL;
	if (other)
		sqlite3_result_text(context, other, -1, g_free);
	else
		sqlite3_result_value(context, values[0]);
}

bool search_web_register(SearchState *state)
{
	static const struct {
		const char *name;
		int n, flags;
		void (*function)(sqlite3_context *, int, sqlite3_value **);
	} functions[] = {
	        {"tarsier_site", 2, 0, site_function},
	        {"tarsier_source", 3, 0, source_function},
	        {"tarsier_inurl", 2, 0, inurl_function},
	        /* asked once for each statement */
	        {"tarsier_page", 1, SQLITE_DETERMINISTIC, page_function},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(functions); i++)
		if (sqlite3_create_function_v2(state->r->db, functions[i].name, functions[i].n,
		            SQLITE_UTF8 | SQLITE_DIRECTONLY | functions[i].flags, state,
		            functions[i].function, NULL, NULL, NULL) != SQLITE_OK)
			return false;
	return true;
}

/* ---- pages by their URL */

static const char pages_of_url_sql[] =
        "SELECT n.id FROM node r CROSS JOIN node n ON n.parent = r.id AND n.name = ?1 "
        "WHERE r.parent = 0 AND substr(r.name, 1, 1) <> x'2f'";

bool search_append_pages(const Search *s, const char *url, GArray *nodes, GError **error)
{
	sqlite3_stmt *statement = reader_statement(s->r, pages_of_url_sql, error);
	if (!statement)
		return false;
	g_autofree char *other = reader_web_other(s->r, url);
	const char *name = other ? other : url;
	sqlite3_bind_blob(statement, 1, name, strlen(name), SQLITE_STATIC);
	return search_append_rows(s, statement, nodes, error);
}

/* ---- rel=canonical */

static const char links_of_document_sql[] = "SELECT l.packed FROM document d CROSS JOIN link l ON "
                                            "l.content = d.content WHERE d.id = ?1";

static void take_canonical(void *data, const char *target, const char *text)
{
	char **canonical = data;
	if (!*text && !*canonical && path_is_web(target))
		*canonical = g_strdup(target);
}

char *search_canonical_of(const Search *s, int64_t document)
{
	g_autoptr(GArray) nodes = g_array_new(FALSE, FALSE, sizeof(int64_t));
	g_autofree char *canonical = NULL;
	sqlite3_stmt *row = reader_statement(s->r, links_of_document_sql, NULL);
	if (!row)
		return NULL;
	sqlite3_bind_int64(row, 1, document);
	if (reader_step(s->r, row, NULL) > 0)
		links_unpack(sqlite3_column_blob(row, 0), sqlite3_column_bytes(row, 0),
		        take_canonical, &canonical);
	sqlite3_reset(row);
	if (!canonical || !search_append_pages(s, canonical, nodes, NULL) || nodes->len == 0)
		return NULL;
	return g_steal_pointer(&canonical);
}
