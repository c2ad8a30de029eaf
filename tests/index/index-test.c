/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/base/paths.h"
#include "common/url/url-name.h"
#include "tests/index/index-test.h"
#include "index/store/states.h"
#include "index/text/tokenizer.h"
#include "index/write/writer-private.h"
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

static void open_writer(Fixture *f)
{
	g_autoptr(GError) error = NULL;
	f->w = writer_open(f->dir, f->cache, &error);
	g_assert_no_error(error);
	g_assert_true(writer_filesystem(f->w, "test-uuid", "ext4", &f->filesystem, &error));
	g_assert_no_error(error);
}

void fixture_up(Fixture *f, gconstpointer data)
{
	g_autoptr(GError) error = NULL;
	f->dir = g_dir_make_tmp("tarsier-index-XXXXXX", &error);
	g_assert_no_error(error);
	f->cache = g_build_filename(f->dir, "cache", NULL);
	open_writer(f);
}

static void remove_tree(const char *path)
{
	g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
	const char *name;
	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *below = g_build_filename(path, name, NULL);
		if (g_file_test(below, G_FILE_TEST_IS_DIR) &&
		        !g_file_test(below, G_FILE_TEST_IS_SYMLINK))
			remove_tree(below);
		else
			g_unlink(below);
	}
	g_rmdir(path);
}

void fixture_down(Fixture *f, gconstpointer data)
{
	writer_close(f->w);
	remove_tree(f->dir);
	g_free(f->dir);
	g_free(f->cache);
}

void fixture_reopen(Fixture *f)
{
	writer_close(f->w);
	open_writer(f);
}

EntryStat stat_of(const Fixture *f, uint64_t ino, EntryKind kind, int64_t size, int64_t mtime_ns)
{
	return (EntryStat){.filesystem = f->filesystem,
	        .ino = ino,
	        .birth_ns = 1000 + ino,
	        .kind = kind,
	        .size = size,
	        .mtime_ns = mtime_ns,
	        .ctime_ns = mtime_ns,
	        .uid = 1000,
	        .gid = 1000,
	        .mode = 0644};
}

Entry put(Fixture *f, int64_t parent, const char *name, EntryStat stat)
{
	g_autoptr(GError) error = NULL;
	Entry entry;
	g_assert_true(
	        writer_put(f->w, parent, name, &stat, stat.kind == ENTRY_FILE, &entry, &error));
	g_assert_no_error(error);
	return entry;
}

Document *document_of(const char *text)
{
	Document *doc = document_new(NULL);
	doc->mime = g_strdup("text/plain");
	document_add_text(doc, TAG_BODY, DOC_RUN_BLOCK, text, strlen(text));
	return doc;
}

int64_t convert(Fixture *f, int64_t inode, const char *text)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(Document) doc = document_of(text);
	const ContentEnd end = {.mime = "text/plain", .extractor = "text", .version = 1};
	uint8_t checksum[CHECKSUM_BYTES];
	int64_t content;

	checksum_of(ZERO_KEY, text, strlen(text), checksum);
	g_assert_true(writer_begin_content(f->w, checksum, strlen(text), &content, &error));
	g_assert_true(writer_add_document(f->w, content, doc, false, &error));
	g_assert_true(writer_end_content(f->w, content, &end, &error));
	g_assert_true(writer_link(f->w, inode, content, &error));
	g_assert_no_error(error);
	return content;
}

void commit(Fixture *f)
{
	g_autoptr(GError) error = NULL;
	g_assert_true(writer_commit(f->w, &error));
	g_assert_no_error(error);
}

Entry add_file(Fixture *f)
{
	Entry root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5));
	Entry file = put(f, root.node, "a", stat_of(f, 2, ENTRY_FILE, 10, 20));
	convert(f, file.inode, "alpha");
	commit(f);
	return file;
}

char *in_dir(const Fixture *f, const char *name)
{
	return g_build_filename(f->dir, name, NULL);
}

int fixture_mode(const Fixture *f, const char *name)
{
	g_autofree char *path = in_dir(f, name);
	struct stat st;
	return lstat(path, &st) == 0 ? (int)(st.st_mode & 07777) : -1;
}

void exec_raw(const Fixture *f, const char *sql)
{
	g_autofree char *path = in_dir(f, "index.db");
	sqlite3 *db;
	g_assert_cmpint(sqlite3_open(path, &db), ==, SQLITE_OK);
	g_assert_cmpint(sqlite3_exec(db, sql, NULL, NULL, NULL), ==, SQLITE_OK);
	sqlite3_close(db);
}

int64_t ask(const Fixture *f, const char *sql)
{
	g_autoptr(GError) error = NULL;
	sqlite3 *db = db_open_reader(f->dir, &error);
	sqlite3_stmt *row = NULL;
	g_assert_no_error(error);
	g_assert_cmpint(sqlite3_prepare_v2(db, sql, -1, &row, NULL), ==, SQLITE_OK);
	g_assert_cmpint(sqlite3_step(row), ==, SQLITE_ROW);
	int64_t value = sqlite3_column_int64(row, 0);
	sqlite3_finalize(row);
	db_close(db);
	return value;
}

int64_t matches(const Fixture *f, const char *query)
{
	char *sql = sqlite3_mprintf(
	        "SELECT count(*) FROM text CROSS JOIN document d ON d.id = text.rowid "
	        "CROSS JOIN inode i ON i.content = d.content WHERE text MATCH %Q",
	        query);
	int64_t n = ask(f, sql);
	sqlite3_free(sql);
	return n;
}

int64_t names(const Fixture *f, const char *query)
{
	char *sql =
	        sqlite3_mprintf("SELECT count(*) FROM name CROSS JOIN node ON node.id = name.rowid "
	                        "WHERE name.name MATCH %Q",
	                query);
	int64_t n = ask(f, sql);
	sqlite3_free(sql);
	return n;
}

typedef struct {
	GHashTable *grams; /* "ROW GRAM" */
	int64_t row;
} Grams;

static int add_gram(void *data, const char *gram, int length, int start, int end)
{
	Grams *all = data;
	g_hash_table_add(
	        all->grams, g_strdup_printf("%" G_GINT64_FORMAT " %.*s", all->row, length, gram));
	return 0;
}

static void add_names(sqlite3 *db, const char *sql, Grams *all)
{
	sqlite3_stmt *row;
	g_assert_cmpint(sqlite3_prepare_v2(db, sql, -1, &row, NULL), ==, SQLITE_OK);
	while (sqlite3_step(row) == SQLITE_ROW) {
		g_autofree char *whole =
		        g_strndup(sqlite3_column_blob(row, 1), sqlite3_column_bytes(row, 1));
		all->row = sqlite3_column_int64(row, 0);
		bool page = all->row > 0 && path_is_web(whole);
		g_autofree char *name = page ? url_name(whole) : g_strdup(whole);
		g_autofree char *folded = tokenize_fold(name, strlen(name));
		tokenize_grams(folded, add_gram, all);
	}
	sqlite3_finalize(row);
}

void assert_grams(const Fixture *f)
{
	g_autoptr(GHashTable) wanted = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_autoptr(GError) error = NULL;
	Grams all = {wanted, 0};
	sqlite3 *db = db_open_reader(f->dir, &error);
	sqlite3_stmt *row;
	guint n = 0;
	g_assert_no_error(error);
	add_names(db,
	        "SELECT id, name FROM node "
	        "WHERE id <= (SELECT value FROM meta WHERE key = '" META_GRAM_NODES "')",
	        &all);
	add_names(db,
	        "SELECT -document, member FROM fact WHERE member IS NOT NULL AND "
	        "document <= (SELECT value FROM meta WHERE key = '" META_GRAM_DOCUMENTS "')",
	        &all);
	g_assert_cmpint(sqlite3_exec(db,
	                        "PRAGMA query_only = 0; CREATE VIRTUAL TABLE temp.v "
	                        "USING fts5vocab(main, gram, instance)",
	                        NULL, NULL, NULL),
	        ==, SQLITE_OK);
	g_assert_cmpint(sqlite3_prepare_v2(db, "SELECT doc || ' ' || term FROM v", -1, &row, NULL),
	        ==, SQLITE_OK);
	for (; sqlite3_step(row) == SQLITE_ROW; n++)
		if (!g_hash_table_contains(wanted, sqlite3_column_text(row, 0)))
			g_error("\"%s\" is of no name", (const char *)sqlite3_column_text(row, 0));
	g_assert_cmpuint(n, ==, g_hash_table_size(wanted));
	sqlite3_finalize(row);
	db_close(db);
}

void write_grams(Fixture *f)
{
	commit(f);
	OK(writer_change(f->w, error));
	OK(names_catch_up(f->w, 0, error));
	commit(f);
}

int64_t total(const Fixture *f, const char *key)
{
	char *sql =
	        sqlite3_mprintf("SELECT coalesce((SELECT value FROM meta WHERE key = %Q), 0)", key);
	int64_t value = ask(f, sql);
	sqlite3_free(sql);
	return value;
}

static void assert_pending(const Fixture *f)
{
	g_assert_cmpint(total(f, "pending"), ==,
	        ask(f, "SELECT count(*) FROM node n JOIN inode i ON i.id = n.inode WHERE i.state = "
	               "1"));
}

void assert_totals(const Fixture *f)
{
	assert_pending(f);
	g_assert_cmpint(total(f, "files"), ==,
	        ask(f, "SELECT count(*) FROM node n JOIN inode i ON i.id = n.inode WHERE i.kind <> "
	               "1"));
	g_assert_cmpint(total(f, "directories"), ==,
	        ask(f, "SELECT count(*) FROM node n JOIN inode i ON i.id = n.inode WHERE i.kind = "
	               "1"));
	g_assert_cmpint(total(f, "documents"), ==, ask(f, "SELECT count(*) FROM document"));
	g_assert_cmpint(total(f, "documents"), ==, ask(f, "SELECT count(*) FROM fact"));
	g_assert_cmpint(total(f, "text_rows"), ==, ask(f, "SELECT count(*) FROM text_docsize"));
	g_assert_cmpint(total(f, "live_rows"), ==,
	        ask(f, "SELECT count(*) FROM text_docsize t JOIN document d ON d.id = t.id"));
	g_assert_cmpint(total(f, "text_bytes"), ==,
	        ask(f, "SELECT coalesce(sum(text_bytes), 0) FROM fact"));
	g_assert_cmpint(ask(f, "SELECT count(*) FROM name_docsize"), ==,
	        ask(f, "SELECT count(*) FROM node"));
	g_assert_cmpint(
	        ask(f, "SELECT count(*) FROM inode WHERE id NOT IN (SELECT inode FROM node)"), ==,
	        0);
}

void fixture_check_and_down(Fixture *f, gconstpointer data)
{
	if (f->w)
		commit(f);
	assert_pending(f);
	assert_grams(f);
	fixture_down(f, data);
}

void let_time_pass(unsigned ms, const char *why)
{
	g_test_message("%u ms pass: %s", ms, why);
	g_usleep(ms * 1000);
}
