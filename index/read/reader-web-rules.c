/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/read/reader-web-rules.h"
#include "common/url/url-origin.h"
#include "index/read/reader-private.h"
#include "index/store/web-hash.h"
#include <string.h>

enum { STATUS_ALIAS = 3, ALIAS_BYTES = 8, CHAIN_MOST = 4 };

/* ---- rules */

static const char rules_source_sql[] =
        "SELECT s.id FROM web_host h CROSS JOIN web_source s ON s.host = h.id WHERE h.name = ?1 "
        "AND web_site_has(s.prefix, ?2) ORDER BY length(s.prefix) DESC LIMIT 1";

static const char rules_sql[] =
        "SELECT kind, ends, former, latter, support, tried, equal, state, saved, tested "
        "FROM web_rule WHERE source = ?1 ORDER BY id";

static void web_rule_stats_clear(gpointer item)
{
	WebRuleStats *rule = item;
	g_free(rule->from);
	g_free(rule->to);
}

static void rules_append(sqlite3_stmt *row, GArray *rules)
{
	WebRuleStats rule = {.kind = sqlite3_column_int(row, 0) == 0 ? 0 : 1,
	        .at_start = sqlite3_column_int(row, 1) & 1,
	        .at_end = sqlite3_column_int(row, 1) & 2,
	        .from = reader_column_text(row, 2),
	        .to = reader_column_text(row, 3),
	        .support = MAX(0, sqlite3_column_int64(row, 4)),
	        .tried = MAX(0, sqlite3_column_int64(row, 5)),
	        .equal = MAX(0, sqlite3_column_int64(row, 6)),
	        .state = CLAMP(sqlite3_column_int(row, 7), 0, 2),
	        .saved = MAX(0, sqlite3_column_int64(row, 8)),
	        .tested_s = sqlite3_column_int64(row, 9)};
	if (!rule.from)
		rule.from = g_strdup("");
	if (rule.kind == 0 && !rule.to)
		rule.to = g_strdup("");
	g_array_append_val(rules, rule);
}

static int rules_find_source(
        Reader *r, const char *origin, const char *path, int64_t *source_r, GError **error)
{
	sqlite3_stmt *row = reader_statement(r, rules_source_sql, error);
	if (!row)
		return -1;
	sqlite3_bind_text(row, 1, origin, -1, SQLITE_STATIC);
	sqlite3_bind_text(row, 2, path, -1, SQLITE_STATIC);
	int found = reader_step(r, row, error);
	if (found > 0)
		*source_r = sqlite3_column_int64(row, 0);
	sqlite3_reset(row);
	return found;
}

static bool rules_read_all(Reader *r, int64_t source, GArray *rules, GError **error)
{
	sqlite3_stmt *row = reader_statement(r, rules_sql, error);
	int found = row ? 1 : -1;
	if (row)
		sqlite3_bind_int64(row, 1, source);
	while (found > 0 && (found = reader_step(r, row, error)) > 0)
		rules_append(row, rules);
	return found == 0;
}

GArray *reader_web_rules(
        Reader *r, const char *origin, const char *path, bool *known_r, GError **error)
{
	g_autoptr(GArray) rules = g_array_new(FALSE, FALSE, sizeof(WebRuleStats));
	int64_t source;
	g_array_set_clear_func(rules, web_rule_stats_clear);
	*known_r = false;
	if (!reader_begin(r, 0, error))
		return NULL;
	int found = rules_find_source(r, origin, path, &source, error);
	*known_r = found > 0;
	bool ok = found == 0 || (found > 0 && rules_read_all(r, source, rules, error));
	reader_end(r);
	return ok ? g_steal_pointer(&rules) : NULL;
}

/* ---- aliases */

static const char alias_sql[] = "SELECT web_path(u.path), u.status, u.visit FROM web_host h CROSS "
                                "JOIN web_url u ON u.host = h.id "
                                "WHERE h.name = ?1 AND u.hash = ?2";

/* The hash that the row of an alias has; false: it is none. path_r: of the row, the caller's. */
static bool alias_step(Reader *r, const char *origin, int64_t hash, int64_t *other_r, char **path_r)
{
	sqlite3_stmt *row = reader_statement(r, alias_sql, NULL);
	bool alias = false;
	if (!row)
		return false;
	sqlite3_bind_text(row, 1, origin, -1, SQLITE_STATIC);
	sqlite3_bind_int64(row, 2, hash);
	if (reader_step(r, row, NULL) > 0) {
		const void *blob = sqlite3_column_blob(row, 2);
		uint64_t big = 0;
		alias = sqlite3_column_int(row, 1) == STATUS_ALIAS && blob &&
		        sqlite3_column_bytes(row, 2) == ALIAS_BYTES;
		if (alias)
			memcpy(&big, blob, sizeof big);
		*other_r = (int64_t)GUINT64_FROM_BE(big);
		*path_r = reader_column_text(row, 0);
	}
	sqlite3_reset(row);
	return alias;
}

/* Rules that were learned later may make an alias of a URL that others stand for. */
char *reader_web_other(Reader *r, const char *url)
{
	const char *path;
	g_autofree char *origin = url_origin(url, &path);
	g_autofree char *last = NULL;
	if (!origin)
		return NULL;
	int64_t hash = web_hash(path, strlen(path));
	unsigned steps = 0;
	while (steps < CHAIN_MOST && alias_step(r, origin, hash, &hash, &last)) {
		g_clear_pointer(&last, g_free);
		steps++;
	}
	return steps > 0 && steps < CHAIN_MOST && last ? g_strconcat(origin, last, NULL) : NULL;
}

bool reader_web_alias(Reader *r, const char *url, char **other_r, GError **error)
{
	*other_r = NULL;
	if (!reader_begin(r, 0, error))
		return false;
	*other_r = reader_web_other(r, url);
	reader_end(r);
	return true;
}
