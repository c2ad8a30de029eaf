/* SPDX-License-Identifier: GPL-3.0-or-later */
/* write-web-scope.c - rows of what may be asked of a host and a source, and the end of both */
#include <config.h>
#include "index/write/writer-private.h"
#include "index/write/writer-web.h"

#define NO_VALUE ((Value){.kind = VALUE_NULL})

static Value bytes_value(GBytes *bytes)
{
	return bytes ? BLOB(g_bytes_get_data(bytes, NULL), (int)g_bytes_get_size(bytes)) : NO_VALUE;
}

static GBytes *column_bytes(sqlite3_stmt *row, int column, size_t most)
{
	const void *bytes = sqlite3_column_blob(row, column);
	size_t length = sqlite3_column_bytes(row, column);
	return bytes && length <= most ? g_bytes_new(bytes, length) : NULL;
}

/* ---- robots.txt */

bool writer_web_robots(Writer *w, int64_t host, GBytes **rules_r, GError **error)
{
	sqlite3_stmt *row;
	*rules_r = NULL;
	int found = statement_row(w, WEB_ROBOTS_GET, VALUES(INT(host)), &row, error);
	if (found <= 0)
		return found == 0;
	*rules_r = column_bytes(row, 0, WEB_ROBOTS_MOST);
	sqlite3_reset(row);
	return true;
}

bool writer_web_set_robots(Writer *w, int64_t host, GBytes *rules, GError **error)
{
	if (!rules)
		return writer_change(w, error) &&
		       statement_run(w, WEB_ROBOTS_DROP, VALUES(INT(host)), error);
	return writer_change(w, error) &&
	       statement_run(w, WEB_ROBOTS_SET, VALUES(INT(host), bytes_value(rules)), error);
}

bool writer_web_has_held(Writer *w, int64_t host, bool *any_r, GError **error)
{
	int64_t any;
	bool ok = statement_int(w, WEB_URL_HELD,
	        VALUES(INT(host), INT(WEB_HELD_NEW), INT(WEB_HELD_SEEN)), 0, &any, error);
	*any_r = ok && any != 0;
	return ok;
}

bool writer_web_release(Writer *w, int64_t host, GError **error)
{
	return writer_change(w, error) &&
	       statement_run(w, WEB_URL_RELEASE,
	               VALUES(INT(host), INT(WEB_HELD_NEW), INT(WEB_HELD_SEEN)), error);
}

/* ---- the scope of a source */

void web_scope_clear(WebScopeRow *row)
{
	g_clear_pointer(&row->probe, g_bytes_unref);
}

bool writer_web_scope(Writer *w, int64_t source, WebScopeRow *row_r, GError **error)
{
	sqlite3_stmt *row;
	*row_r = (WebScopeRow){0};
	int found = statement_row(w, WEB_SCOPE_GET, VALUES(INT(source)), &row, error);
	if (found <= 0)
		return found == 0;
	*row_r = (WebScopeRow){.patterns = sqlite3_column_int64(row, 0),
	        .probed_s = row_web_amount(row, 1),
	        .probe = column_bytes(row, 2, WEB_PROBE_MOST)};
	sqlite3_reset(row);
	return true;
}

bool writer_web_set_scope(Writer *w, int64_t source, const WebScopeRow *scope, GError **error)
{
	return writer_change(w, error) &&
	       statement_run(w, WEB_SCOPE_SET,
	               VALUES(INT(source), INT(scope->patterns), INT(scope->probed_s),
	                       bytes_value(scope->probe)),
	               error);
}

/* ---- the end */

bool writer_web_drop_source(Writer *w, int64_t host, int64_t source, GError **error)
{
	return writer_change(w, error) &&
	       statement_run(w, WEB_SOURCE_DROP, VALUES(INT(source)), error) &&
	       statement_run(w, WEB_SCOPE_DROP, VALUES(INT(source)), error) &&
	       statement_run(w, WEB_RULE_DROP, VALUES(INT(source)), error) &&
	       statement_run(w, WEB_LESSON_DROP, VALUES(INT(source)), error) &&
	       statement_run(w, WEB_URL_DROP, VALUES(INT(host), INT(WEB_SITEMAP)), error);
}

bool writer_web_forget_url(Writer *w, int64_t host, int64_t hash, WebKind kind, GError **error)
{
	return writer_change(w, error) &&
	       statement_run(w, WEB_URL_FORGET, VALUES(INT(host), INT(hash), INT(kind)), error);
}

bool writer_web_forget_items(Writer *w, int64_t host, const char *prefix, GError **error)
{
	return writer_change(w, error) &&
	       statement_run(
	               w, WEB_ITEM_FORGET, VALUES(INT(host), INT(WEB_ITEM), TEXT(prefix)), error);
}

bool writer_web_drop_branches(Writer *w, int64_t host, GError **error)
{
	return writer_change(w, error) &&
	       statement_run(w, WEB_BRANCH_DROP, VALUES(INT(host)), error);
}

bool writer_web_drop_host(Writer *w, int64_t host, GError **error)
{
	return writer_change(w, error) &&
	       statement_run(w, WEB_ROBOTS_DROP, VALUES(INT(host)), error) &&
	       statement_run(w, WEB_HOST_DROP, VALUES(INT(host)), error);
}
