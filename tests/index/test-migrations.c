/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests that an index of every earlier version becomes what a new one is. */
#include <config.h>
#include "index/store/db.h"
#include "index/store/db-exec.h"
#include "index/store/web-path.h"
#include "tests/index/index-test.h"
#include <glib/gstdio.h>

/* An index has its schema without comments (build-aux/sql2h.sh). */
static char *without_comments(const char *text)
{
	g_autoptr(GRegex) comments =
	        g_regex_new("^\\s*--.*\n|^\\s*\n|\\s--\\s.*$", G_REGEX_MULTILINE, 0, NULL);
	return g_regex_replace_literal(comments, text, -1, 0, "", 0, NULL);
}

static char *schema_of(unsigned version)
{
	/* 2 to 5 differ in rows only, and 12 to 15, and the last ones */
	enum { CURRENT_SCHEMA = 17 };
	unsigned file = version > 2 && version < 6     ? 2
	                : version > 12 && version < 16 ? 12
	                                               : version;
	g_autofree char *name = version < CURRENT_SCHEMA
	                                ? g_strdup_printf("tests/index/data/schema-%u.sql", file)
	                                : g_strdup("index/store/schema.sql");
	g_autofree char *path = g_build_filename(g_getenv("abs_top_srcdir"), name, NULL);
	g_autoptr(GError) error = NULL;
	g_autofree char *text = NULL;
	g_file_get_contents(path, &text, NULL, &error);
	g_assert_no_error(error);
	return without_comments(text);
}

/* From this version on there are sites: one with a request that was being made. */
enum { WEB_VERSION = 6 };
static const char web_rows[] =
        "INSERT INTO web_host(id, name, next_ms, wait_ms, server_ms, server_wait_ms, asked, "
        "asked_ms) VALUES(1, 'https://example.org', 9000, 4000, 7000, 2000, 77, 5000);"
        "INSERT INTO web_url VALUES(1, 77, '/docs/library/asyncio-task.html', 0, 150, 1, 60, 200, "
        "NULL), (1, 78, '/', 0, 150, 1, 0, 0, NULL), (1, 79, '/a b/asyncio-task', 0, 1, 1, 0, 0, "
        "NULL);";

#define REPEAT4(text) text text text text
#define REPEAT16(text) REPEAT4(text) REPEAT4(text) REPEAT4(text) REPEAT4(text)

/* From this version on paths are packed. */
enum { PATHS_VERSION = 13 };

/* The plan of visits of a host, before and since this version: each of its parts has bytes of its
 * own. */
enum { PLANS_VERSION = 14 };
static const char old_plan[] = "x'" REPEAT16("11") REPEAT16("22") "33333333" REPEAT16("44")
        REPEAT16("44") REPEAT16("44") REPEAT16("44") REPEAT16("44") "4444444444444444"
                                                                    "5555555555555555"
                                                                    "6666666666666666'";
static const char new_plan[] = "x'" REPEAT16("11") "33333333" REPEAT16("44") REPEAT16("44")
        REPEAT16("44") REPEAT16("44") REPEAT16("44") "4444444444444444"
                                                     "6666666666666666'";

static void add_web_rows(sqlite3 *db, unsigned version)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *plan = g_strdup_printf(
	        "UPDATE web_host SET revisit = %s", version < PLANS_VERSION ? old_plan : new_plan);
	OK(db_exec(db, web_rows, error));
	OK(db_exec(db, plan, error));
	if (version < PATHS_VERSION)
		return;
	g_assert_true(web_path_register(db));
	OK(db_exec(db, "UPDATE web_url SET path = web_path_pack(path)", error));
}

static void check_web_rows(const Fixture *f)
{
	g_autofree char *plan =
	        g_strdup_printf("SELECT count(*) FROM web_host WHERE revisit = %s", new_plan);
	g_assert_cmpint(ask(f, plan), ==, 1);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM web_host WHERE next_ms = 9000 AND wait_ms = "
	                       "4000 AND server_ms = 7000 AND server_wait_ms = 2000 AND asked = 77 "
	                       "AND asked_ms = 5000"),
	        ==, 1);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM web_url WHERE hash = 77 AND due = 60 AND "
	                       "typeof(path) = 'blob' AND length(path) < 20 AND web_path(path) = "
	                       "'/docs/library/asyncio-task.html'"),
	        ==, 1);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM web_url WHERE typeof(path) = 'text' AND path "
	                       "IN ('/', '/a b/asyncio-task')"),
	        ==, 2);
}

/* A name that is not UTF-8, with the words and grams that it has in this version. */
enum { GRAMS_VERSION = 2, NAMES_VERSION = 15 };

static void add_name(sqlite3 *db, unsigned version)
{
	const char *known = version < NAMES_VERSION ? "gr\uFFFD\uFFFDe" : "grüße";
	g_autoptr(GError) error = NULL;
	g_autofree char *words =
	        g_strdup_printf("INSERT INTO name(rowid, entry) VALUES(2, '%s')", known);
	g_autofree char *grams = g_strdup_printf(
	        "INSERT INTO gram(rowid, entry) VALUES(2, '%s');"
	        "INSERT INTO meta VALUES('gram_nodes', 2) ON CONFLICT DO UPDATE SET value = 2",
	        known);
	OK(db_exec(db,
	        "INSERT INTO node(parent, name, inode) VALUES(1, x'6772fcdf65', 2);"
	        "INSERT INTO inode(filesystem, ino, birth_ns, kind, size, mtime_ns, ctime_ns, uid, "
	        "gid, mode, state) VALUES(1, 2, 0, 1, 0, 5, 5, 0, 0, 493, 0);",
	        error));
	OK(db_exec(db, words, error));
	if (version >= GRAMS_VERSION)
		OK(db_exec(db, grams, error));
}

static void check_name(Fixture *f, unsigned version)
{
	static const char grams[] = "SELECT count(*) FROM gram WHERE gram MATCH '\"uss\"'";
	g_assert_cmpint(names(f, "grusse"), ==, 1);
	g_assert_cmpint(names(f, "gr"), ==, 0);
	if (version >= GRAMS_VERSION)
		g_assert_cmpint(ask(f, grams), ==, 1);
}

/* A name with a hyphen, with the words that it has until this version: those of a name with a
 * blank.
 */
enum { HYPHENS_VERSION = 18 };

static void add_hyphened(sqlite3 *db, unsigned version)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *words =
	        g_strdup_printf("INSERT INTO name(rowid, entry) VALUES(3, 'Wi%cFi.txt')",
	                version < HYPHENS_VERSION ? ' ' : '-');
	OK(db_exec(db,
	        "INSERT INTO node(parent, name, inode) VALUES(1, CAST('Wi-Fi.txt' AS BLOB), 2)",
	        error));
	OK(db_exec(db, words, error));
}

static void run(const Fixture *f, const char *sql)
{
	g_autofree char *path = in_dir(f, "index.db");
	g_autoptr(GError) error = NULL;
	sqlite3 *db;
	g_assert_cmpint(sqlite3_open(path, &db), ==, SQLITE_OK);
	OK(db_register_tokenizer(db, error));
	OK(db_exec(db, sql, error));
	sqlite3_close(db);
}

/* The row goes without a trace, and the index of names is sound. */
static void check_hyphened(Fixture *f)
{
	static const char check[] = "INSERT INTO name(name, rank) VALUES('integrity-check', 0)";
	static const char drop[] =
	        "INSERT INTO name(name, rowid, entry) VALUES('delete', 3, 'Wi-Fi.txt')";
	g_assert_cmpint(names(f, "wifi"), ==, 1);
	g_assert_cmpint(names(f, "fi"), ==, 1);
	g_clear_pointer(&f->w, writer_close);
	run(f, check);
	run(f, drop);
	run(f, check);
	fixture_reopen(f);
	g_assert_cmpint(names(f, "wifi"), ==, 0);
	g_assert_cmpint(names(f, "fi"), ==, 0);
}

/* Puts an index with this schema into the place of the new one. It has an entry, so that the
 * migrations have rows to work on. */
static void make_old(const Fixture *f, unsigned version)
{
	g_autofree char *path = in_dir(f, "index.db"), *schema = schema_of(version);
	g_autofree char *tail = g_strdup_printf(
	        "PRAGMA application_id = %d; PRAGMA user_version = %u;"
	        "INSERT INTO meta VALUES('created', 1);"
	        "INSERT INTO meta VALUES('identity', lower(hex(randomblob(16))));"
	        "INSERT INTO filesystem VALUES(1, 'uuid', 'ext4');"
	        "INSERT INTO node(parent, name, inode) VALUES(0, CAST('/r' AS BLOB), 1);"
	        "INSERT INTO inode(filesystem, ino, birth_ns, kind, size, mtime_ns, ctime_ns, uid, "
	        "gid, mode, state) VALUES(1, 1, 0, 1, 0, 5, 5, 0, 0, 493, 0);"
	        "INSERT INTO name(rowid, entry) VALUES(1, 'r');",
	        DB_APPLICATION_ID, version);
	sqlite3 *db;
	g_unlink(path);
	g_assert_cmpint(sqlite3_open(path, &db), ==, SQLITE_OK);
	OK(db_register_tokenizer(db, error));
	OK(db_exec(db,
	        "PRAGMA page_size = 8192; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = "
	        "WAL;",
	        error));
	OK(db_exec(db, schema, error));
	OK(db_exec(db, tail, error));
	add_name(db, version);
	add_hyphened(db, version);
	if (version >= WEB_VERSION)
		add_web_rows(db, version);
	sqlite3_close(db);
}

/* Returns the rows of sqlite_schema and of FTS5's settings in an order of their own. */
static char *schema_rows(const Fixture *f)
{
	g_autoptr(GString) rows = g_string_new(NULL);
	g_autoptr(GError) error = NULL;
	sqlite3 *db = db_open_reader(f->dir, &error);
	sqlite3_stmt *row = NULL;
	g_assert_no_error(error);
	g_assert_cmpint(sqlite3_prepare_v2(db,
	                        "SELECT type || '|' || name || '|' || tbl_name || '|' || "
	                        "ifnull(sql, '') FROM sqlite_schema WHERE name NOT LIKE "
	                        "'sqlite_stat%' UNION ALL SELECT 'text ' || k || ' ' || v FROM "
	                        "text_config UNION ALL SELECT 'name ' || k || ' ' || v FROM "
	                        "name_config UNION ALL SELECT 'gram ' || k || ' ' || v FROM "
	                        "gram_config ORDER BY 1",
	                        -1, &row, NULL),
	        ==, SQLITE_OK);
	while (sqlite3_step(row) == SQLITE_ROW)
		g_string_append_printf(rows, "%s\n", (const char *)sqlite3_column_text(row, 0));
	sqlite3_finalize(row);
	db_close(db);
	return g_string_free(g_steal_pointer(&rows), FALSE);
}

/* data: the version */
static void test_version(Fixture *f, gconstpointer data)
{
	unsigned version = GPOINTER_TO_UINT(data);
	g_autofree char *wanted = schema_rows(f);
	g_clear_pointer(&f->w, writer_close);
	make_old(f, version);
	fixture_reopen(f);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM meta WHERE key = 'rebuilt'"), ==, 0);
	g_assert_cmpint(ask(f, "PRAGMA user_version"), ==, DB_VERSION);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM node"), ==, 3);
	g_assert_cmpint(names(f, "r"), ==, 1);
	check_name(f, version);
	if (version >= WEB_VERSION)
		check_web_rows(f);
	g_autofree char *got = schema_rows(f);
	g_assert_cmpstr(got, ==, wanted);
	check_hyphened(f);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	for (guint version = 1; version < DB_VERSION; version++) {
		g_autofree char *path = g_strdup_printf("/index/migrations/from-%u", version);
		g_test_add(path, Fixture, GUINT_TO_POINTER(version), fixture_up, test_version,
		        fixture_down);
	}
	return g_test_run();
}
