/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search-path.c - finds the entry that a path in the query names */
#include <config.h>
#include "common/base/paths.h"
#include "index/search/search-private.h"
#include "index/text/tokenizer.h"
#include <string.h>

/* A relative path is compared with the paths of so many entries of its name at most. */
static const char named_sql[] =
        "SELECT n.id, n.parent, n.name FROM (SELECT rowid AS id FROM name WHERE name MATCH ?1 "
        "LIMIT 2000) m CROSS JOIN node n ON n.id = m.id";

static int append_name_token(void *data, const char *token, int length, int start, int end)
{
	GString *out = data;
	(void)start, (void)end;
	g_string_append_printf(out, "%s%.*s", out->len > 1 ? " " : "", length, token);
	return 0;
}

/* Returns the words of the last component as an FTS5 phrase; it is empty if there are none. */
static char *phrase_of_name(const char *path)
{
	const char *name = strrchr(path, '/') + 1;
	GString *out = g_string_new("\"");
	tokenize_phrase(name, strlen(name), append_name_token, out);
	g_string_append_c(out, '"');
	if (out->len == 2)
		g_string_truncate(out, 0);
	return g_string_free(out, FALSE);
}

/* Does the path of the entry end with these components? Both are folded. */
static bool row_has_path(const Search *s, sqlite3_stmt *row, const char *folded)
{
	g_autofree char *path =
	        reader_path(s->r, sqlite3_column_int64(row, 1), sqlite3_column_int64(row, 0),
	                sqlite3_column_blob(row, 2), sqlite3_column_bytes(row, 2), NULL);
	g_autofree char *whole = path ? tokenize_fold(path, strlen(path)) : NULL;
	g_autofree char *end = g_strconcat("/", folded, NULL);
	return whole && g_str_has_suffix(whole, end);
}

static bool append_relative(const Search *s, const char *path, GArray *nodes, GError **error)
{
	g_autofree char *phrase = phrase_of_name(path);
	g_autofree char *folded = tokenize_fold(path, strlen(path));
	if (!*phrase)
		return true;
	sqlite3_stmt *statement = reader_statement(s->r, named_sql, error);
	int row = statement ? 1 : -1;
	if (statement)
		sqlite3_bind_text(statement, 1, phrase, -1, SQLITE_STATIC);
	while (row > 0 && (row = reader_step(s->r, statement, error)) > 0) {
		int64_t node = sqlite3_column_int64(statement, 0);
		if (row_has_path(s, statement, folded))
			g_array_append_val(nodes, node);
	}
	if (statement)
		sqlite3_reset(statement);
	return row == 0;
}

/* Old links have http: where the site has https: now. */
static bool append_page(const Search *s, const char *url, GArray *nodes, GError **error)
{
	guint before = nodes->len;
	if (!search_append_pages(s, url, nodes, error))
		return false;
	if (nodes->len > before || !g_str_has_prefix(url, "http:"))
		return true;
	g_autofree char *secure = g_strconcat("https", url + strlen("http"), NULL);
	return search_append_pages(s, secure, nodes, error);
}

bool search_path(const Search *s, const char *path, GArray *nodes, GError **error)
{
	if (path_is_web(path))
		return append_page(s, path, nodes, error);
	if (*path != '/')
		return append_relative(s, path, nodes, error);
	int64_t node = reader_resolve(s->r, path, error);
	if (node > 0)
		g_array_append_val(nodes, node);
	return node >= 0;
}

/* Appends the member of the entry with this path in it. */
static bool append_member(
        const Search *s, int64_t node, const char *member, GArray *members, GError **error)
{
	static const char sql[] =
	        "SELECT d.id FROM node n CROSS JOIN inode i ON i.id = n.inode CROSS JOIN "
	        "document d ON d.content = i.content CROSS JOIN fact f ON f.document = d.id "
	        "WHERE n.id = ?1 AND f.member = ?2";
	sqlite3_stmt *statement = reader_statement(s->r, sql, error);
	if (!statement)
		return false;
	sqlite3_bind_int64(statement, 1, node);
	sqlite3_bind_blob(statement, 2, member, (int)strlen(member), SQLITE_STATIC);
	return search_append_rows(s, statement, members, error);
}

bool search_member(
        const Search *s, const char *path, GArray *members, GArray *named, GError **error)
{
	const char *from = *path == '/' ? path : "";
	for (const char *at = strchr(from, '|'); at; at = strchr(at + 1, '|')) {
		g_autofree char *outer = g_strndup(path, at - path);
		guint before = members->len;
		int64_t node = reader_resolve(s->r, outer, error);
		if (node < 0 || (node > 0 && !append_member(s, node, at + 1, members, error)))
			return false;
		if (members->len > before)
			g_array_append_val(named, node);
	}
	return true;
}
