/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/read/reader-web.h"
#include "index/read/reader-private.h"
#include "index/store/web-hash.h"
#include <string.h>

/* The longest gap is that after the slowest answer, doubled up to a limit
 * (daemon/web/politeness.h). A longer wait was asked for by Retry-After, once. */
enum { LEAST_PACE_MS = 1000, SLOW_PACE_MS = 600 * 1000, MOST_PACE_MS = 6 * 3600 * 1000 };

/* ---- sources */

static const char sources_sql[] =
        "SELECT r.url, r.is_feed, s.pages, s.urls, s.bytes, r.visited_s, r.failed_s, r.failure, "
        "h.delay_ms, h.robots, s.host, s.prefix, "
        "h.next_ms, h.wait_ms, h.robots_s, h.backoff "
        "FROM web_root r CROSS JOIN web_source s ON s.id = r.source "
        "CROSS JOIN web_host h ON h.id = s.host ORDER BY r.url";

static const char source_urls_sql[] =
        "SELECT count(*) FILTER (WHERE status = 0 AND due IS NOT NULL), "
        "count(*) FILTER (WHERE status >= 400), min(due) FROM web_url "
        "WHERE host = ?1 AND web_site_has(?2, web_path(path))";

static const char harvest_sql[] =
        "SELECT pages, poor FROM web_branch WHERE host = ?1 AND shape = ?2";

static void web_source_stats_clear(gpointer item)
{
	WebSourceStats *stats = item;
	g_free(stats->url);
	g_free(stats->failure);
}

static bool web_count_urls(
        Reader *r, int64_t host, const char *prefix, WebSourceStats *stats, GError **error)
{
	sqlite3_stmt *statement = reader_statement(r, source_urls_sql, error);
	if (!statement)
		return false;
	sqlite3_bind_int64(statement, 1, host);
	sqlite3_bind_text(statement, 2, prefix, -1, SQLITE_STATIC);
	int row = reader_step(r, statement, error);
	if (row > 0) {
		stats->waiting = sqlite3_column_int64(statement, 0);
		stats->errors = sqlite3_column_int64(statement, 1);
		bool planned = sqlite3_column_type(statement, 2) != SQLITE_NULL;
		stats->next_s = planned ? MAX(1, sqlite3_column_int64(statement, 2)) : 0;
	}
	sqlite3_reset(statement);
	return row >= 0;
}

int64_t reader_web_pace_ms(int64_t wait_ms, int64_t delay_ms, unsigned backoff)
{
	int64_t most_ms = MIN((int64_t)SLOW_PACE_MS << MIN(backoff, 16), MOST_PACE_MS);
	int64_t pace_ms = MAX(LEAST_PACE_MS, delay_ms);
	return wait_ms <= MAX(most_ms, delay_ms) ? MAX(pace_ms, wait_ms) : pace_ms;
}

/* A clock that was set back makes no wait longer. */
static int64_t web_host_next_s(int64_t next_ms, int64_t wait_ms, int64_t robots_s)
{
	int64_t now_ms = g_get_real_time() / 1000;
	return MAX(MIN(next_ms, now_ms + MAX(wait_ms, 0)) / 1000, robots_s);
}

static bool web_read_harvest(
        Reader *r, int64_t host, const char *prefix, WebSourceStats *stats, GError **error)
{
	sqlite3_stmt *statement = reader_statement(r, harvest_sql, error);
	if (!statement)
		return false;
	sqlite3_bind_int64(statement, 1, host);
	sqlite3_bind_int64(statement, 2, web_harvest_key(prefix));
	int row = reader_step(r, statement, error);
	if (row > 0) {
		stats->judged = MAX(0, sqlite3_column_int64(statement, 0));
		stats->relevant =
		        stats->judged - CLAMP(sqlite3_column_int64(statement, 1), 0, stats->judged);
	}
	sqlite3_reset(statement);
	return row >= 0;
}

static bool web_take_source(Reader *r, sqlite3_stmt *row, GArray *sources, GError **error)
{
	int64_t visited_s = sqlite3_column_int64(row, 5), failed_s = sqlite3_column_int64(row, 6);
	WebSourceStats stats = {.url = reader_column_text(row, 0),
	        .is_feed = sqlite3_column_int(row, 1) != 0,
	        .pages = sqlite3_column_int64(row, 2),
	        .urls = sqlite3_column_int64(row, 3),
	        .bytes = sqlite3_column_int64(row, 4),
	        .visited_s = visited_s,
	        .failed_s = failed_s,
	        .failure = failed_s > visited_s ? reader_column_text(row, 7) : NULL,
	        .pace_ms = reader_web_pace_ms(sqlite3_column_int64(row, 13),
	                sqlite3_column_int64(row, 8), (unsigned)sqlite3_column_int(row, 15)),
	        .robots_unreachable = sqlite3_column_int(row, 9) == 2};
	g_autofree char *prefix = reader_column_text(row, 11);
	int64_t host = sqlite3_column_int64(row, 10);
	stats.host_next_s =
	        web_host_next_s(sqlite3_column_int64(row, 12), sqlite3_column_int64(row, 13),
	                stats.robots_unreachable ? sqlite3_column_int64(row, 14) : 0);
	bool ok = !prefix || (web_count_urls(r, host, prefix, &stats, error) &&
	                             web_read_harvest(r, host, prefix, &stats, error));
	if (!stats.url)
		stats.url = g_strdup("");
	g_array_append_val(sources, stats);
	return ok;
}

GArray *reader_web_sources(Reader *r, GError **error)
{
	g_autoptr(GArray) sources = g_array_new(FALSE, FALSE, sizeof(WebSourceStats));
	g_array_set_clear_func(sources, web_source_stats_clear);
	if (!reader_begin(r, 0, error))
		return NULL;
	sqlite3_stmt *statement = reader_statement(r, sources_sql, error);
	int row = statement ? 1 : -1;
	while (row > 0 && (row = reader_step(r, statement, error)) > 0)
		if (!web_take_source(r, statement, sources, error))
			row = -1;
	if (statement)
		sqlite3_reset(statement);
	reader_end(r);
	return row == 0 ? g_steal_pointer(&sources) : NULL;
}

/* ---- a visit */

static const char host_sql[] =
        "SELECT id, next_ms, wait_ms, delay_ms, backoff, robots, robots_s, "
        "(SELECT rules FROM web_robots WHERE host = id) FROM web_host WHERE name = ?1";

static const char scope_sql[] =
        "SELECT prefix, pages, pages_most, depth_most, bytes, bytes_most, (SELECT failure FROM "
        "web_root r WHERE r.source = web_source.id AND failed_s > visited_s) FROM web_source "
        "WHERE host = ?1 AND web_site_has(prefix, ?2) "
        "ORDER BY length(prefix) DESC LIMIT 1";

static const char url_sql[] = "SELECT kind, priority, depth, due, status, visit FROM web_url "
                              "WHERE host = ?1 AND hash = ?2";

void web_visit_stats_clear(WebVisitStats *stats)
{
	g_clear_pointer(&stats->rules, g_bytes_unref);
	g_clear_pointer(&stats->source_prefix, g_free);
	g_clear_pointer(&stats->failure, g_free);
}

/* 1: found; 0: not; -1: error. */
static int web_read_host(
        Reader *r, const char *origin, int64_t *host_r, WebVisitStats *out, GError **error)
{
	sqlite3_stmt *row = reader_statement(r, host_sql, error);
	if (!row)
		return -1;
	sqlite3_bind_text(row, 1, origin, -1, SQLITE_STATIC);
	int found = reader_step(r, row, error);
	if (found > 0) {
		out->host_known = true;
		*host_r = sqlite3_column_int64(row, 0);
		out->next_ms = sqlite3_column_int64(row, 1);
		out->wait_ms = sqlite3_column_int64(row, 2);
		out->delay_ms = sqlite3_column_int64(row, 3);
		out->backoff = sqlite3_column_int(row, 4);
		out->robots = sqlite3_column_int(row, 5);
		out->robots_s = sqlite3_column_int64(row, 6);
		const void *rules = sqlite3_column_blob(row, 7);
		if (rules)
			out->rules = g_bytes_new(rules, sqlite3_column_bytes(row, 7));
	}
	sqlite3_reset(row);
	return found;
}

static int web_read_scope(
        Reader *r, int64_t host, const char *path, WebVisitStats *out, GError **error)
{
	sqlite3_stmt *row = reader_statement(r, scope_sql, error);
	if (!row)
		return -1;
	sqlite3_bind_int64(row, 1, host);
	sqlite3_bind_text(row, 2, path, -1, SQLITE_STATIC);
	int found = reader_step(r, row, error);
	if (found > 0) {
		out->has_source = true;
		out->source_prefix = reader_column_text(row, 0);
		out->pages = sqlite3_column_int64(row, 1);
		out->pages_most = sqlite3_column_int64(row, 2);
		out->depth_most = sqlite3_column_int64(row, 3);
		out->bytes = sqlite3_column_int64(row, 4);
		out->bytes_most = sqlite3_column_int64(row, 5);
		out->failure = reader_column_text(row, 6);
	}
	sqlite3_reset(row);
	return found;
}

/* The form of the blob is described in index/write/write-web.c. */
static void web_take_visit(sqlite3_stmt *row, int column, WebVisitStats *out)
{
	enum { VISITED_BYTES = 4, FAILURES_AT = 12 };
	const uint8_t *at = sqlite3_column_blob(row, column);
	if (!at || sqlite3_column_bytes(row, column) <= FAILURES_AT)
		return;
	uint32_t big;
	memcpy(&big, at, VISITED_BYTES);
	out->visited_s = GUINT32_FROM_BE(big);
	out->failures = at[FAILURES_AT];
}

static int web_read_url(
        Reader *r, int64_t host, const char *path, WebVisitStats *out, GError **error)
{
	sqlite3_stmt *row = reader_statement(r, url_sql, error);
	if (!row)
		return -1;
	sqlite3_bind_int64(row, 1, host);
	sqlite3_bind_int64(row, 2, web_hash(path, strlen(path)));
	int found = reader_step(r, row, error);
	if (found > 0) {
		out->url_known = true;
		out->kind = sqlite3_column_int(row, 0);
		out->priority = sqlite3_column_int(row, 1);
		out->depth = sqlite3_column_int(row, 2);
		out->is_over = sqlite3_column_type(row, 3) == SQLITE_NULL;
		out->due_s = sqlite3_column_int64(row, 3);
		out->status = sqlite3_column_int(row, 4);
		web_take_visit(row, 5, out);
	}
	sqlite3_reset(row);
	return found;
}

bool reader_web_visit(
        Reader *r, const char *origin, const char *path, WebVisitStats *out, GError **error)
{
	int64_t host = 0;
	*out = (WebVisitStats){0};
	if (!reader_begin(r, 0, error))
		return false;
	int found = web_read_host(r, origin, &host, out, error);
	if (found > 0 && web_read_scope(r, host, path, out, error) < 0)
		found = -1;
	if (found > 0 && web_read_url(r, host, path, out, error) < 0)
		found = -1;
	reader_end(r);
	if (found < 0)
		web_visit_stats_clear(out);
	return found >= 0;
}
