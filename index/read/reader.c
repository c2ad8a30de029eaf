/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reader.c - the connection: its statements, snapshots and time limit */
#include <config.h>
#include "index/read/removed.h"
#include "common/base/i18n.h"
#include "index/store/db-key.h"
#include <sys/stat.h>

/* A transaction without a time limit may make so many steps of SQLite's machine for each byte of
 * the index, and so many more: sixty times what "tarsier check" takes. In a file made by hand,
 * pages can lead back to each other, so that a query would never end. */
enum { CALL_STEPS = 10000, STEPS_A_BYTE = 4, FREE_CALLS = 1000 };

/* Called after every CALL_STEPS; not 0: stop. */
static int check_limits(void *data)
{
	Reader *r = data;
	if (r->stop && r->stop(r->stop_data))
		return r->stopped = true;
	if (r->deadline_us != 0)
		return g_get_monotonic_time() > r->deadline_us;
	r->calls_left -= r->calls_left > 0;
	return r->calls_left == 0;
}

/* Blocks count, not the length: a hostile file may have holes. */
static uint64_t blocks_of(const char *dir, const char *name)
{
	g_autofree char *path = g_build_filename(dir, name, NULL);
	struct stat st;
	return stat(path, &st) == 0 ? (uint64_t)st.st_blocks * 512 : 0;
}

static uint64_t calls_allowed(const Reader *r)
{
	uint64_t bytes =
	        blocks_of(r->index_dir, "index.db") + blocks_of(r->index_dir, "index.db-wal");
	return FREE_CALLS + bytes * STEPS_A_BYTE / CALL_STEPS;
}

static void free_dir(void *data)
{
	ReaderDir *dir = data;
	g_free(dir->path);
	g_free(dir);
}

static void reader_free_statement(void *data)
{
	sqlite3_finalize(data);
}

static GHashTable *paths_new(void)
{
	return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
}

Reader *reader_open(const char *index_dir, const char *cache_dir, GError **error)
{
	sqlite3 *db = db_open_reader(index_dir, error);
	if (!db)
		return NULL;
	g_autoptr(Reader) r = g_new0(Reader, 1);
	r->db = db;
	r->index_dir = g_strdup(index_dir);
	r->cache_dir = g_strdup(cache_dir);
	r->dirs = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, free_dir);
	r->removed = paths_new();
	r->roots = paths_new();
	r->types = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	r->statements = g_hash_table_new_full(NULL, NULL, NULL, reader_free_statement);
	sqlite3_progress_handler(db, CALL_STEPS, check_limits, r);
	r->calls_left = FREE_CALLS;
	return g_steal_pointer(&r);
}

void reader_close(Reader *r)
{
	if (!r)
		return;
	g_hash_table_unref(r->statements);
	g_hash_table_unref(r->dirs);
	g_hash_table_unref(r->removed);
	g_hash_table_unref(r->roots);
	g_hash_table_unref(r->types);
	textcache_close(r->cache);
	db_close(r->db);
	if (r->free_search_state)
		r->free_search_state(r->search_state);
	g_free(r->index_dir);
	g_free(r->cache_dir);
	g_free(r->fts_gate);
	g_free(r);
}

void reader_set_stop(Reader *r, ReaderStopFunc stop, void *data)
{
	r->stop = stop;
	r->stop_data = data;
}

void reader_set_tells(
        Reader *r, ReaderTellsFunc tells, ReaderTellsMemberFunc tells_member, void *data)
{
	r->tells = tells;
	r->tells_member = tells_member;
	r->tells_data = data;
}

bool reader_tells(Reader *r, const char *path)
{
	return (!r->tells || r->tells(path, r->tells_data)) && !removed_has(r, path);
}

bool reader_asks_of_members(const Reader *r)
{
	return r->tells_member != NULL;
}

bool reader_tells_member(const Reader *r, const char *member)
{
	return !member || !r->tells_member || r->tells_member(member);
}

bool reader_fail(Reader *r, GError **error)
{
	if ((sqlite3_errcode(r->db) & 0xff) != SQLITE_INTERRUPT)
		return db_fail(r->db, _("cannot read the index"), error);
	if (r->stopped) {
		g_set_error_literal(
		        error, INDEX_ERROR, INDEX_ERROR_STOPPED, _("the search was stopped"));
		return false;
	}
	if (r->calls_left == 0) {
		g_set_error(error, INDEX_ERROR, INDEX_ERROR_DAMAGED,
		        _("reading the index takes more steps than its size explains"));
		return false;
	}
	g_set_error(error, INDEX_ERROR, INDEX_ERROR_BUSY,
	        _("the search was stopped after %d seconds; make the query more specific"),
	        (int)(r->max_ms / 1000));
	return false;
}

sqlite3_stmt *reader_statement(Reader *r, const char *sql, GError **error)
{
	sqlite3_stmt *statement = g_hash_table_lookup(r->statements, sql);
	if (statement) {
		sqlite3_reset(statement);
		sqlite3_clear_bindings(statement);
		return statement;
	}
	if (sqlite3_prepare_v3(r->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL) !=
	        SQLITE_OK) {
		reader_fail(r, error);
		return NULL;
	}
	g_hash_table_insert(r->statements, (char *)sql, statement);
	return statement;
}

int reader_step(Reader *r, sqlite3_stmt *statement, GError **error)
{
	int result = sqlite3_step(statement);
	if (result == SQLITE_ROW)
		return 1;
	if (result != SQLITE_DONE)
		reader_fail(r, error);
	sqlite3_reset(statement);
	return result == SQLITE_DONE ? 0 : -1;
}

char *reader_column_text(sqlite3_stmt *row, int column)
{
	const char *text = (const char *)sqlite3_column_text(row, column);
	return text ? g_utf8_make_valid(text, -1) : NULL;
}

bool reader_begin(Reader *r, unsigned max_ms, GError **error)
{
	g_hash_table_remove_all(r->dirs);
	g_hash_table_remove_all(r->types);
	g_hash_table_remove_all(r->removed);
	g_hash_table_remove_all(r->roots);
	r->removed_known = false;
	r->max_ms = max_ms;
	r->stopped = false;
	r->deadline_us = max_ms ? g_get_monotonic_time() + (int64_t)max_ms * 1000 : 0;
	r->calls_left = calls_allowed(r);
	if (sqlite3_exec(r->db, "BEGIN", NULL, NULL, NULL) != SQLITE_OK)
		return reader_fail(r, error);
	return true;
}

void reader_allow_more(Reader *r, unsigned ms)
{
	if (r->deadline_us == 0)
		return;
	r->max_ms += ms;
	r->deadline_us += (int64_t)ms * 1000;
}

static void reset_statement(void *sql, void *statement, void *data)
{
	sqlite3_reset(statement);
}

void reader_end(Reader *r)
{
	r->deadline_us = 0;
	g_hash_table_foreach(r->statements, reset_statement, NULL);
	sqlite3_exec(r->db, "ROLLBACK", NULL, NULL, NULL);
}

bool reader_count(Reader *r, const char *sql, uint64_t *out, GError **error)
{
	sqlite3_stmt *statement = reader_statement(r, sql, error);
	int row = statement ? reader_step(r, statement, error) : -1;
	*out = row > 0 ? (uint64_t)sqlite3_column_int64(statement, 0) : 0;
	if (statement)
		sqlite3_reset(statement);
	return row >= 0;
}

bool reader_checksum_key(Reader *r, ChecksumKey *key_r, GError **error)
{
	return db_key_read(r->db, CHECKSUM_OF_FILE, key_r, error);
}
