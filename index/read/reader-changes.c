/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/read/reader-changes.h"
#include "index/read/reader-private.h"

/* Reads the first column of the first row; 0 if there is none. */
static bool changes_int(Reader *r, const char *sql, int64_t *value_r, GError **error)
{
	sqlite3_stmt *statement = reader_statement(r, sql, error);
	int row = statement ? reader_step(r, statement, error) : -1;
	*value_r = row > 0 ? sqlite3_column_int64(statement, 0) : 0;
	if (statement)
		sqlite3_reset(statement);
	return row >= 0;
}

static bool changes_read(Reader *r, int64_t after, unsigned most, GArray *changes, GError **error)
{
	static const char sql[] = "SELECT seq, kind, id, time_ns FROM change WHERE seq > ?1 "
	                          "ORDER BY seq LIMIT ?2";
	sqlite3_stmt *statement = reader_statement(r, sql, error);
	int row = -1;
	if (!statement)
		return false;
	sqlite3_bind_int64(statement, 1, after);
	sqlite3_bind_int64(statement, 2, most);
	while ((row = reader_step(r, statement, error)) > 0) {
		const Change change = {sqlite3_column_int64(statement, 0),
		        sqlite3_column_int(statement, 1), sqlite3_column_int64(statement, 2),
		        sqlite3_column_int64(statement, 3)};
		g_array_append_val(changes, change);
	}
	return row == 0;
}

bool reader_changes(
        Reader *r, int64_t after, unsigned most, GArray **changes_r, bool *kept_r, GError **error)
{
	static const char last_sql[] = "SELECT max(seq) FROM change";
	static const char floor_sql[] = "SELECT value FROM meta WHERE key = 'changes_floor'";
	g_autoptr(GArray) changes = g_array_new(FALSE, FALSE, sizeof(Change));
	int64_t last, floor;
	if (!reader_begin(r, 0, error))
		return false;
	bool ok =
	        changes_int(r, last_sql, &last, error) && changes_int(r, floor_sql, &floor, error);
	*kept_r = ok && last > 0 && after >= floor && after <= last;
	if (*kept_r)
		ok = changes_read(r, after, most, changes, error);
	reader_end(r);
	*changes_r = ok ? g_steal_pointer(&changes) : NULL;
	return ok;
}

bool reader_contents_below(Reader *r, int64_t inode, GArray **contents_r, GError **error)
{
	static const char sql[] =
	        "WITH RECURSIVE below(node) AS (SELECT id FROM node WHERE inode = ?1 UNION "
	        "SELECT n.id FROM below b CROSS JOIN node n ON n.parent = b.node) "
	        "SELECT DISTINCT i.content FROM below b CROSS JOIN node n ON n.id = b.node "
	        "CROSS JOIN inode i ON i.id = n.inode WHERE i.content IS NOT NULL ORDER BY 1";
	g_autoptr(GArray) contents = g_array_new(FALSE, FALSE, sizeof(int64_t));
	if (!reader_begin(r, 0, error))
		return false;
	sqlite3_stmt *statement = reader_statement(r, sql, error);
	int row = -1;
	if (statement)
		sqlite3_bind_int64(statement, 1, inode);
	while (statement && (row = reader_step(r, statement, error)) > 0) {
		int64_t content = sqlite3_column_int64(statement, 0);
		g_array_append_val(contents, content);
	}
	reader_end(r);
	*contents_r = row == 0 ? g_steal_pointer(&contents) : NULL;
	return row == 0;
}

/* ---- consumers */

static void consumer_stats_free(gpointer item)
{
	ConsumerStats *stats = item;
	g_free(stats->name);
	g_free(stats->failure);
	g_free(stats);
}

static ConsumerStats *consumer_of_row(sqlite3_stmt *row)
{
	ConsumerStats *stats = g_new0(ConsumerStats, 1);
	stats->name = reader_column_text(row, 0);
	stats->behind = MAX(sqlite3_column_int64(row, 1), 0);
	stats->lapsed = sqlite3_column_int(row, 2) != 0;
	stats->heard_s = sqlite3_column_int64(row, 3);
	stats->exposure_ms =
	        sqlite3_column_type(row, 4) == SQLITE_NULL ? -1 : sqlite3_column_int64(row, 4);
	stats->failed_s = sqlite3_column_int64(row, 5);
	stats->failure = reader_column_text(row, 6);
	return stats;
}

bool reader_consumers(Reader *r, GPtrArray **consumers_r, GError **error)
{
	static const char sql[] = "SELECT name, (SELECT max(seq) FROM change) - seq, lapsed, "
	                          "heard_s, exposure_ms, failed_s, failure FROM consumer "
	                          "ORDER BY name LIMIT 100";
	g_autoptr(GPtrArray) consumers = g_ptr_array_new_with_free_func(consumer_stats_free);
	if (!reader_begin(r, 0, error))
		return false;
	sqlite3_stmt *statement = reader_statement(r, sql, error);
	int row = -1;
	while (statement && (row = reader_step(r, statement, error)) > 0)
		g_ptr_array_add(consumers, consumer_of_row(statement));
	reader_end(r);
	*consumers_r = row == 0 ? g_steal_pointer(&consumers) : NULL;
	return row == 0;
}
