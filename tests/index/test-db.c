/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/store/dbfile.h"
#include "index/store/db-exec.h"
#include "index/store/migrate.h"
#include "index/store/db.h"
#include "tests/index/index-test.h"
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- privacy and hostile directories */

static void test_private(void)
{
	mode_t old = umask(0);
	Fixture f = {0};
	fixture_up(&f, NULL);
	g_autofree char *below = g_build_filename(f.dir, "x", "y", NULL);
	g_autoptr(GError) error = NULL;
	g_autofree char *cache = g_build_filename(below, "cache", NULL);
	g_autoptr(Writer) w = writer_open(below, cache, &error);

	g_assert_no_error(error);
	add_file(&f);
	umask(old);
	g_assert_cmpint(fixture_mode(&f, "index.db"), ==, 0600);
	g_assert_cmpint(fixture_mode(&f, "index.db-wal"), ==, 0600);
	g_assert_cmpint(fixture_mode(&f, "index.db-shm"), ==, 0600);
	g_assert_cmpint(fixture_mode(&f, "lock"), ==, 0600);
	g_assert_cmpint(fixture_mode(&f, "cache"), ==, 0700);
	g_assert_cmpint(fixture_mode(&f, "x"), ==, 0700);
	g_assert_cmpint(fixture_mode(&f, "x/y"), ==, 0700);
	fixture_down(&f, NULL);
}

static void test_closes_files(Fixture *f, gconstpointer data)
{
	g_autofree char *path = in_dir(f, "index.db");
	g_assert_cmpint(chmod(path, 0644), ==, 0);
	g_assert_cmpint(chmod(f->dir, 0755), ==, 0);
	fixture_reopen(f);
	g_assert_cmpint(fixture_mode(f, "index.db"), ==, 0600);
	g_assert_cmpint(fixture_mode(f, "."), ==, 0700);
}

static void assert_refused(const Fixture *f, IndexError code)
{
	g_autoptr(GError) error = NULL;
	g_assert_null(writer_open(f->dir, f->cache, &error));
	g_assert_error(error, INDEX_ERROR, (int)code);
}

static void test_hostile(Fixture *f, gconstpointer data)
{
	static const char *const names[] = {"index.db", "index.db-wal", "index.db-shm", "lock"};
	g_autofree char *target = in_dir(f, "target");
	g_assert_true(g_file_set_contents(target, "precious", -1, NULL));
	g_clear_pointer(&f->w, writer_close);
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *path = in_dir(f, names[i]);
		g_test_message("%s", names[i]);
		g_unlink(path);
		g_assert_cmpint(symlink("target", path), ==, 0);
		assert_refused(f, INDEX_ERROR_OTHER);
		g_unlink(path);
		g_assert_cmpint(mkfifo(path, 0600), ==, 0);
		if (strcmp(names[i], "lock") != 0)
			assert_refused(f, INDEX_ERROR_OTHER);
		g_unlink(path);
	}
	g_autofree char *path = in_dir(f, "index.db");
	g_assert_cmpint(link(target, path), ==, 0);
	assert_refused(f, INDEX_ERROR_OTHER);
	g_unlink(path);
	if (geteuid() == 0) {
		g_assert_true(g_file_set_contents(path, "", 0, NULL));
		g_assert_cmpint(chown(path, 65534, 65534), ==, 0);
		assert_refused(f, INDEX_ERROR_DENIED);
		g_unlink(path);
		g_assert_cmpint(chown(f->dir, 65534, 65534), ==, 0);
		assert_refused(f, INDEX_ERROR_OTHER);
		g_assert_cmpint(chown(f->dir, 0, 0), ==, 0);
	}
	g_autofree char *kept = NULL;
	g_assert_true(g_file_get_contents(target, &kept, NULL, NULL));
	g_assert_cmpstr(kept, ==, "precious");
}

static void test_directory_link(Fixture *f, gconstpointer data)
{
	g_autofree char *link_path = g_strconcat(f->dir, ".link", NULL);
	g_autoptr(GError) error = NULL;
	g_clear_pointer(&f->w, writer_close);
	g_assert_cmpint(symlink(f->dir, link_path), ==, 0);
	g_assert_null(writer_open(link_path, f->cache, &error));
	g_assert_error(error, INDEX_ERROR, INDEX_ERROR_OTHER);
	g_unlink(link_path);
}

static void test_lock(Fixture *f, gconstpointer data)
{
	g_autoptr(GError) error = NULL;
	g_assert_null(writer_open(f->dir, f->cache, &error));
	g_assert_error(error, INDEX_ERROR, INDEX_ERROR_LOCKED);
	fixture_reopen(f);
}

/* Returns when the parent sleeps between two tries. */
static void wait_until_parent_sleeps(void)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/stat", (int)getppid());
	bool sleeps = false;
	while (!sleeps) {
		g_autofree char *stat = NULL;
		const char *state = NULL;
		if (g_file_get_contents(path, &stat, NULL, NULL))
			state = strrchr(stat, ')');
		sleeps = !state || g_str_has_prefix(state, ") S");
		sched_yield();
	}
}

/* A child that inherits the lock outlives the writer for a moment, as one that is to execute a
 * program does. */
static void test_lock_of_killed(Fixture *f, gconstpointer data)
{
	g_clear_pointer(&f->w, writer_close);
	g_autofree char *path = in_dir(f, "lock");
	int fd = open(path, O_RDWR | O_CLOEXEC);
	g_assert_cmpint(flock(fd, LOCK_EX | LOCK_NB), ==, 0);
	pid_t child = fork();
	if (child == 0) {
		wait_until_parent_sleeps();
		_exit(0);
	}
	close(fd);
	fixture_reopen(f);
	waitpid(child, NULL, 0);
}

/* ---- readers */

static void test_reader(Fixture *f, gconstpointer data)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *nowhere = in_dir(f, "nowhere");
	g_assert_null(db_open_reader(nowhere, &error));
	g_assert_error(error, INDEX_ERROR, INDEX_ERROR_NONE_YET);
	g_clear_error(&error);
	g_assert_false(g_file_test(nowhere, G_FILE_TEST_EXISTS));

	add_file(f);
	sqlite3 *db = db_open_reader(f->dir, &error);
	g_assert_no_error(error);
	g_assert_false(db_exec(db, "DELETE FROM document", &error));
	g_assert_error(error, INDEX_ERROR, INDEX_ERROR_READ_ONLY);
	db_close(db);

	/* a reader that is the last one to close makes no checkpoint */
	g_autofree char *wal = in_dir(f, "index.db-wal");
	struct stat before, after;
	g_assert_cmpint(stat(wal, &before), ==, 0);
	db = db_open_reader(f->dir, NULL);
	db_close(db);
	g_assert_cmpint(stat(wal, &after), ==, 0);
	g_assert_cmpint(before.st_size, ==, after.st_size);
}

static void give_to_nobody(const Fixture *f)
{
	static const char *const names[] = {".", "index.db"};
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *path = in_dir(f, names[i]);
		g_assert_cmpint(chown(path, 65534, 65534), ==, 0);
	}
}

/* In a read-only directory there is no -shm, and queries still work. Root may write everywhere, so
 * the test becomes nobody. */
static void test_reader_of_read_only_dir(Fixture *f, gconstpointer data)
{
	int status;
	add_file(f);
	g_clear_pointer(&f->w, writer_close);
	g_assert_cmpint(chmod(f->dir, 0500), ==, 0);
	if (geteuid() == 0)
		give_to_nobody(f);
	pid_t child = fork();
	if (child == 0) {
		if (geteuid() == 0 && setresuid(65534, 65534, 65534) != 0)
			_exit(1);
		_exit(matches(f, "alpha") == 1 ? 0 : 2);
	}
	g_assert_cmpint(waitpid(child, &status, 0), ==, child);
	g_assert_cmpint(status, ==, 0);
	g_assert_cmpint(chmod(f->dir, 0700), ==, 0);
}

/* ---- versions */

static void test_newer(Fixture *f, gconstpointer data)
{
	g_autoptr(GError) error = NULL;
	add_file(f);
	g_clear_pointer(&f->w, writer_close);
	exec_raw(f, "PRAGMA user_version = 999");
	g_assert_null(writer_open(f->dir, f->cache, &error));
	g_assert_error(error, INDEX_ERROR, INDEX_ERROR_TOO_NEW);
	g_clear_error(&error);
	g_assert_null(db_open_reader(f->dir, &error));
	g_assert_error(error, INDEX_ERROR, INDEX_ERROR_TOO_NEW);
	g_autofree char *version = g_strdup_printf("PRAGMA user_version = %d", DB_VERSION);
	exec_raw(f, version);
	g_assert_cmpint(matches(f, "alpha"), ==, 1); /* nothing was changed */
}

/* The migration from the first version, which has no grams of names. */
static void test_from_version_1(Fixture *f, gconstpointer data)
{
	Entry root = put(f, 0, "/home/u", stat_of(f, 1, ENTRY_DIR, 0, 1));
	put(f, root.node, "Report-2023.odt", stat_of(f, 2, ENTRY_FILE, 10, 1));
	put(f, root.node, "b\xff\"c\".odt", stat_of(f, 3, ENTRY_FILE, 10, 1));
	add_file(f);
	g_clear_pointer(&f->w, writer_close);
	sqlite3 *db;
	g_autofree char *path = in_dir(f, "index.db");
	g_assert_cmpint(sqlite3_open(path, &db), ==, SQLITE_OK);
	OK(db_register_tokenizer(db, error));
	OK(db_exec(db, "DROP TABLE gram; PRAGMA user_version = 1", error));
	sqlite3_close(db);
	fixture_reopen(f);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM gram WHERE gram MATCH '\"t-2\"'"), ==, 1);
	assert_grams(f);
	OK(writer_remove(f->w, root.node, error));
	commit(f);
	assert_grams(f);
}

static void test_older_reader(Fixture *f, gconstpointer data)
{
	g_autoptr(GError) error = NULL;
	g_clear_pointer(&f->w, writer_close);
	exec_raw(f, "PRAGMA user_version = -1");
	g_assert_null(db_open_reader(f->dir, &error));
	g_assert_error(error, INDEX_ERROR, INDEX_ERROR_TOO_OLD);
}

/* A text of the schema as no SQLite writes it, put in by hand. */
#define WRITE_SCHEMA(type, name, root, sql)                                                        \
	"PRAGMA writable_schema = ON; INSERT INTO sqlite_schema VALUES('" type "', '" name         \
	"', '" name "', " root ", '" sql "')"
#define REWRITE_SCHEMA(name, sql)                                                                  \
	"PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = '" sql                        \
	"' WHERE name = '" name "'"

/* Entries that are not ours, or differ from ours. */
static void test_unexpected_schema(Fixture *f, gconstpointer data)
{
	static const char *const schemas[] = {
	        "CREATE VIEW trap AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM "
	        "n) SELECT i FROM n",
	        "ALTER TABLE node RENAME TO trap; CREATE VIEW node AS WITH RECURSIVE n(id) AS "
	        "(SELECT 1 UNION ALL SELECT id + 1 FROM n) SELECT id, 0 AS parent, x'2f' AS name, "
	        "1 AS inode FROM n",
	        "CREATE TRIGGER trap AFTER INSERT ON node BEGIN DELETE FROM node; END",
	        WRITE_SCHEMA("trigger", "trap", "0",
	                "CREATE TEMP TRIGGER trap AFTER INSERT ON node BEGIN DELETE FROM node; "
	                "END"),
	        "CREATE VIRTUAL TABLE trap USING fts5(a)",
	        "create  virtual /* table */ TABLE trap USING fts5(a)",
	        WRITE_SCHEMA("table", "trap", "0", "CREATE  VIRTUAL TABLE trap USING fts5(a)"),
	        WRITE_SCHEMA("table", "trap", "0", "CREATE/**/VIRTUAL TABLE trap USING fts5(a)"),
	        WRITE_SCHEMA(
	                "table", "trap", "0", "create -- table\nvirtual table trap USING fts5(a)"),
	        WRITE_SCHEMA("table", "trap", "0", "CREATE/**/VIEW trap AS SELECT 1"),
	        REWRITE_SCHEMA("gram", "CREATE VIRTUAL TABLE gram USING fts5vocab(text, instance)"),
	        REWRITE_SCHEMA("gram", "CREATE VIRTUAL TABLE gram USING fts5(entry, content=node)"),
	        "CREATE TABLE trap(a, b GENERATED ALWAYS AS (hex(zeroblob(a))))",
	        "CREATE TABLE trap(a, b AS (hex(zeroblob(a))))",
	        "CREATE TABLE 'text_trap'(a, b AS (hex(zeroblob(a))))", "CREATE TABLE trap(a)",
	        "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = sql || char(0) || "
	        "'trap' WHERE name = 'node'",
	        "CREATE TABLE trap(a CHECK (length(hex(zeroblob(a)))))",
	        "CREATE INDEX trap ON node(hex(zeroblob(id)))",
	        "ALTER TABLE node ADD COLUMN trap DEFAULT (hex(zeroblob(1)))"};
	for (size_t i = 0; i < G_N_ELEMENTS(schemas); i++) {
		g_autoptr(GError) error = NULL;
		g_test_message("%s", schemas[i]);
		g_clear_pointer(&f->w, writer_close);
		exec_raw(f, schemas[i]);
		g_assert_null(db_open_reader(f->dir, &error));
		g_assert_error(error, INDEX_ERROR, INDEX_ERROR_DAMAGED);
		fixture_reopen(f); /* makes the index anew */
		g_assert_cmpint(ask(f, "SELECT count(*) FROM sqlite_schema WHERE sql LIKE "
		                       "'%trap%' OR type = 'view'"),
		        ==, 0);
	}
}

/* Somebody's ANALYZE is not damage. */
static void test_analyzed(Fixture *f, gconstpointer data)
{
	add_file(f);
	g_clear_pointer(&f->w, writer_close);
	exec_raw(f, "ANALYZE");
	g_assert_cmpint(
	        ask(f, "SELECT count(*) FROM sqlite_schema WHERE name = 'sqlite_stat1'"), ==, 1);
	g_autoptr(GError) error = NULL;
	sqlite3 *db = db_open_reader(f->dir, &error);
	g_assert_no_error(error);
	db_close(db);
	fixture_reopen(f);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM meta WHERE key = 'rebuilt'"), ==, 0);
	g_assert_cmpint(matches(f, "alpha"), ==, 1);
}

/* A newer schema is not damage. */
static void test_newer_schema(Fixture *f, gconstpointer data)
{
	g_autoptr(GError) error = NULL;
	g_clear_pointer(&f->w, writer_close);
	exec_raw(f, "CREATE TABLE more(a); PRAGMA user_version = 999");
	g_assert_null(db_open_reader(f->dir, &error));
	g_assert_error(error, INDEX_ERROR, INDEX_ERROR_TOO_NEW);
	g_clear_error(&error);
	g_assert_null(writer_open(f->dir, f->cache, &error));
	g_assert_error(error, INDEX_ERROR, INDEX_ERROR_TOO_NEW);
}

static int version_of(sqlite3 *db)
{
	int version;
	g_assert_true(migrate_version(db, &version, NULL));
	return version;
}

static int64_t raw_int(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *row;
	g_assert_cmpint(sqlite3_prepare_v2(db, sql, -1, &row, NULL), ==, SQLITE_OK);
	g_assert_cmpint(sqlite3_step(row), ==, SQLITE_ROW);
	int64_t value = sqlite3_column_int64(row, 0);
	sqlite3_finalize(row);
	return value;
}

static void test_migrate(void)
{
	static const Migration steps[] = {
	        {2, "ALTER TABLE t ADD COLUMN b; UPDATE t SET b = a * 2;"},
	        {3, "CREATE TABLE u(x); INSERT INTO u SELECT b FROM t;"},
	        {4, "CREATE TABLE half(x); INSERT INTO missing VALUES(1);"}, {0, NULL}};
	g_autoptr(GError) error = NULL;
	sqlite3 *db;
	g_assert_cmpint(sqlite3_open(":memory:", &db), ==, SQLITE_OK);
	g_assert_true(db_exec(
	        db, "CREATE TABLE t(a); INSERT INTO t VALUES(21); PRAGMA user_version = 1", NULL));

	g_assert_true(migrate_run(db, steps, 3, &error));
	g_assert_no_error(error);
	g_assert_cmpint(version_of(db), ==, 3);
	g_assert_cmpint(raw_int(db, "SELECT x FROM u"), ==, 42);
	g_assert_true(migrate_run(db, steps, 3, &error)); /* nothing to do */
	g_assert_cmpint(raw_int(db, "SELECT count(*) FROM u"), ==, 1);

	/* a step that fails leaves the version before it complete */
	g_assert_false(migrate_run(db, steps, 4, &error));
	g_assert_nonnull(strstr(error->message, "version 4"));
	g_clear_error(&error);
	g_assert_cmpint(version_of(db), ==, 3);
	g_assert_cmpint(
	        raw_int(db, "SELECT count(*) FROM sqlite_schema WHERE name = 'half'"), ==, 0);

	/* there is no migration from this version */
	g_assert_false(migrate_run(db, steps, 5, &error));
	g_clear_error(&error);
	g_assert_true(db_exec(db, "PRAGMA user_version = 0", NULL));
	g_assert_false(migrate_run(db, steps, 3, &error));
	g_assert_error(error, INDEX_ERROR, INDEX_ERROR_TOO_OLD);
	sqlite3_close(db);
}

static int die_after(void *data)
{
	unsigned *left = data;
	return (*left)-- == 0 ? kill(getpid(), SIGKILL) : 0;
}

/* The process is killed within a step. */
static void migrate_and_die(const char *path, const Migration *steps, unsigned after)
{
	pid_t child = fork();
	int status;
	if (child == 0) {
		sqlite3 *db;
		sqlite3_open(path, &db);
		sqlite3_progress_handler(db, 20, die_after, &after);
		_exit(migrate_run(db, steps, 3, NULL) ? 0 : 1);
	}
	g_assert_cmpint(waitpid(child, &status, 0), ==, child);
	g_assert_true(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
}

static void test_killed_migration(Fixture *f, gconstpointer data)
{
	static const Migration steps[] = {
	        {2, "UPDATE t SET a = a + 1; CREATE TABLE u AS SELECT a FROM t;"},
	        {3, "UPDATE u SET a = a * 2; DROP TABLE t;"}, {0, NULL}};
	static const char *const sums[] = {
	        "SELECT sum(a) FROM t", "SELECT sum(a) FROM u", "SELECT sum(a) FROM u"};
	static const int64_t wanted[] = {5050, 5150, 10300};
	g_autofree char *path = in_dir(f, "old.db");
	unsigned seen[4] = {0};
	for (unsigned after = 1; after < 200; after += 4) {
		sqlite3 *db;
		g_unlink(path);
		g_assert_cmpint(sqlite3_open(path, &db), ==, SQLITE_OK);
		g_assert_true(db_exec(db,
		        "PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; CREATE TABLE t(a);"
		        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < "
		        "100)"
		        "INSERT INTO t SELECT i FROM n; PRAGMA user_version = 1",
		        NULL));
		sqlite3_close(db);
		migrate_and_die(path, steps, after);
		g_assert_cmpint(sqlite3_open(path, &db), ==, SQLITE_OK);
		int version = version_of(db);
		g_assert_cmpint(version, >=, 1);
		g_assert_cmpint(version, <=, 3);
		g_assert_cmpint(raw_int(db, sums[version - 1]), ==, wanted[version - 1]);
		seen[version]++;
		g_assert_true(migrate_run(db, steps, 3, NULL));
		g_assert_cmpint(raw_int(db, sums[2]), ==, wanted[2]);
		sqlite3_close(db);
	}
	g_assert_cmpuint(seen[1], >, 0);
	g_assert_cmpuint(seen[2], >, 0);
	g_assert_cmpuint(seen[3], >, 0);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/index/db/files-are-private", test_private);
	FIXTURE_TEST("/index/db/files-are-closed", test_closes_files);
	FIXTURE_TEST("/index/db/links-and-fifos-in-place-of-files-are-refused", test_hostile);
	FIXTURE_TEST("/index/db/a-link-to-the-directory-is-refused", test_directory_link);
	FIXTURE_TEST("/index/db/one-writer-holds-the-lock", test_lock);
	FIXTURE_TEST("/index/db/the-lock-of-a-killed-writer-ends-with-its-children",
	        test_lock_of_killed);
	FIXTURE_TEST("/index/db/readers-read-beside-the-writer", test_reader);
	FIXTURE_TEST("/index/db/readers-read-a-read-only-directory", test_reader_of_read_only_dir);
	FIXTURE_TEST("/index/db/a-newer-version-is-refused", test_newer);
	FIXTURE_TEST("/index/db/a-reader-refuses-an-older-version", test_older_reader);
	FIXTURE_TEST("/index/db/a-schema-that-is-not-ours-is-damage", test_unexpected_schema);
	FIXTURE_TEST("/index/db/analyzed", test_analyzed);
	FIXTURE_TEST("/index/db/a-newer-schema-is-refused", test_newer_schema);
	FIXTURE_TEST("/index/db/version-1-is-upgraded", test_from_version_1);
	g_test_add_func("/index/db/migrations-run-in-order", test_migrate);
	FIXTURE_TEST("/index/db/a-killed-migration-goes-on", test_killed_migration);
	return g_test_run();
}
