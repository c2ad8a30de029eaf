/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test-damage.c - an index that is damaged, truncated, or has no room */
#include <config.h>
#include "index/read/reader.h"
#include "index/store/db-marks.h"
#include "index/store/dbfile.h"
#include "tests/index/index-test.h"
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- damage */

static unsigned count_damaged(const Fixture *f)
{
	g_autoptr(GDir) dir = g_dir_open(f->dir, 0, NULL);
	const char *name;
	unsigned n = 0;
	while ((name = g_dir_read_name(dir)))
		n += g_str_has_prefix(name, "index.db.damaged-");
	return n;
}

static void assert_usable(Fixture *f)
{
	add_file(f);
	g_assert_cmpint(matches(f, "alpha"), ==, 1);
}

static void test_not_a_database(Fixture *f, gconstpointer data)
{
	g_autofree char *path = in_dir(f, "index.db");
	g_autofree char *junk = g_strnfill(20000, 'x');
	g_clear_pointer(&f->w, writer_close);
	g_assert_true(g_file_set_contents(path, junk, 20000, NULL));
	fixture_reopen(f);
	g_assert_cmpuint(count_damaged(f), ==, 1);
	g_assert_cmpint(
	        ask(f, "SELECT count(*) FROM meta WHERE key = 'rebuilt' AND length(value) > 20"),
	        ==, 1);
	assert_usable(f);
}

static void test_other_database(Fixture *f, gconstpointer data)
{
	g_clear_pointer(&f->w, writer_close);
	exec_raw(f, "PRAGMA application_id = 7");
	fixture_reopen(f);
	g_assert_cmpuint(count_damaged(f), ==, 1);
}

static void test_marked(Fixture *f, gconstpointer data)
{
	add_file(f);
	g_clear_pointer(&f->w, writer_close);
	g_assert_true(db_mark_damaged(f->dir, "a check found this", NULL));
	fixture_reopen(f);
	g_assert_cmpint(
	        ask(f, "SELECT value LIKE '%a check found this' FROM meta WHERE key = 'rebuilt'"),
	        ==, 1);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM node"), ==, 0);
	fixture_reopen(f); /* once only */
	g_assert_cmpuint(count_damaged(f), ==, 1);
}

/* ---- pages that lead back to each other */

enum { TABLE_INNER = 5, TABLE_LEAF = 13 };
enum { PAGE_BYTES = 8192, LOOP_LEVELS = 4, LOOP_CHILDREN = 1000, LOOP_CELL = 7000 };

static void put_number(uint8_t *at, uint32_t number, unsigned bytes)
{
	while (bytes-- > 0) {
		at[bytes] = number;
		number >>= 8;
	}
}

static uint32_t number_at(const uint8_t *at, unsigned bytes)
{
	uint32_t number = 0;
	while (bytes-- > 0)
		number = number << 8 | *at++;
	return number;
}

/* Makes page (sqlite.org/fileformat2.html) an inner page whose children are all the same one. cell:
 * of a leaf, the only key. */
static void make_inner_page(uint8_t *page, uint32_t child, const uint8_t *cell)
{
	enum { INNER_INDEX = 2, HEAD_BYTES = 12 };
	memset(page, 0, PAGE_BYTES);
	page[0] = INNER_INDEX;
	put_number(page + 3, LOOP_CHILDREN, 2);
	put_number(page + 5, LOOP_CELL, 2);
	put_number(page + 8, child, 4);
	for (int i = 0; i < LOOP_CHILDREN; i++)
		put_number(page + HEAD_BYTES + 2 * i, LOOP_CELL, 2);
	put_number(page + LOOP_CELL, child, 4);
	memcpy(page + LOOP_CELL + 4, cell, cell[0] + 1);
}

/* A page of the file, a leaf whose first cell is used, gets a thousand children on each of its
 * levels, which are one page. */
static void make_endless(const Fixture *f, uint32_t root)
{
	g_autofree char *path = in_dir(f, "index.db");
	g_autofree char *text = NULL;
	gsize length;
	g_assert_true(g_file_get_contents(path, &text, &length, NULL));
	g_autofree uint8_t *file = g_malloc0(length + LOOP_LEVELS * PAGE_BYTES);
	memcpy(file, text, length);
	uint8_t *top = file + (root - 1) * PAGE_BYTES, *leaf = file + length;
	uint32_t pages = length / PAGE_BYTES;
	memcpy(leaf, top, PAGE_BYTES);
	const uint8_t *cell = leaf + number_at(leaf + 8, 2);
	put_number(leaf + 3, 1, 2); /* the first cell, which is that of the root directory */
	for (int i = 1; i < LOOP_LEVELS; i++)
		make_inner_page(leaf + i * PAGE_BYTES, pages + i, cell);
	make_inner_page(top, pages + LOOP_LEVELS, cell);
	put_number(file + 28, pages + LOOP_LEVELS, 4);
	g_assert_true(
	        g_file_set_contents(path, (char *)file, length + LOOP_LEVELS * PAGE_BYTES, NULL));
}

static bool damage_take_row(const Info *info, void *data)
{
	return true;
}

/* Gives the closed index the larger pages of earlier versions: the rows of its schema fit in one.
 */
static void enlarge_pages(const char *path)
{
	sqlite3 *db;
	g_assert_cmpint(sqlite3_open(path, &db), ==, SQLITE_OK);
	g_autofree char *sql = g_strdup_printf("PRAGMA journal_mode = DELETE; PRAGMA page_size = "
	                                       "%d; VACUUM; PRAGMA journal_mode = WAL",
	        PAGE_BYTES);
	g_assert_cmpint(sqlite3_exec(db, sql, NULL, NULL, NULL), ==, SQLITE_OK);
	sqlite3_close(db);
}

/* A list of it would have a billion rows and more. */
static void test_endless_pages(Fixture *f, gconstpointer data)
{
	g_autoptr(GError) error = NULL;
	put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5));
	commit(f);
	g_autofree char *path = in_dir(f, "index.db");
	g_clear_pointer(&f->w, writer_close);
	enlarge_pages(path);
	fixture_reopen(f);
	uint32_t root = ask(f, "SELECT rootpage FROM sqlite_schema WHERE name = "
	                       "'sqlite_autoindex_node_1'");
	g_clear_pointer(&f->w, writer_close);
	make_endless(f, root);
	g_autoptr(Reader) reader = reader_open(f->dir, f->cache, &error);
	g_assert_no_error(error);
	g_assert_false(reader_list(reader, NULL, damage_take_row, NULL, &error));
	g_assert_error(error, INDEX_ERROR, INDEX_ERROR_DAMAGED);
}

/* A cell of a leaf page of a table: the length of the payload, the key, the payload. */
static const uint8_t *leaf_cell(const uint8_t *page, unsigned head, unsigned i)
{
	return page + number_at(page + head + 8 + 2 * i, 2);
}

/* Finds the row of an automatic index in the pages of the schema: it may come any number of times.
 * Returns its cell. */
static const uint8_t *find_automatic_index(const uint8_t *file, gsize length)
{
	static const char name[] = "sqlite_autoindex_node_1";
	for (gsize at = 0; at < length; at += PAGE_BYTES) {
		const uint8_t *page = file + at;
		unsigned head = at == 0 ? 100 : 0;
		if (page[head] != TABLE_LEAF)
			continue;
		for (unsigned i = 0; i < number_at(page + head + 3, 2); i++) {
			const uint8_t *cell = leaf_cell(page, head, i);
			if (cell[0] < 128 && memmem(cell, cell[0] + 2, name, sizeof name - 1))
				return cell;
		}
	}
	g_assert_not_reached();
}

/* Copies the first page, which is a leaf with its head after that of the file, to an ordinary
 * page. */
static void copy_first_page(uint8_t *leaf, const uint8_t *file)
{
	enum { HEAD = 100, LEAF_HEAD = 8 };
	unsigned n = number_at(file + HEAD + 3, 2);
	memcpy(leaf, file, PAGE_BYTES);
	memmove(leaf, file + HEAD, LEAF_HEAD + 2 * n);
}

/* Leaves so few tables that the rows of the schema have one page. */
static void make_schema_short(const char *path)
{
	static const char *const dispensable[] = {
	        "change", "consumer", "meaning_word", "meaning_vector", "web_lesson", "web_rule"};
	sqlite3 *db;
	g_assert_cmpint(sqlite3_open(path, &db), ==, SQLITE_OK);
	for (unsigned i = 0; i < G_N_ELEMENTS(dispensable); i++) {
		g_autofree char *drop = g_strdup_printf("DROP TABLE %s", dispensable[i]);
		g_assert_cmpint(sqlite3_exec(db, drop, NULL, NULL, NULL), ==, SQLITE_OK);
	}
	sqlite3_close(db);
}

/* The rows of the schema stay, and those of an automatic index follow without an end. */
static void make_endless_schema(const Fixture *f)
{
	enum { HEAD = 100, INNER_HEAD = 12, RIGHT = 8, CELLS = PAGE_BYTES - 16, KEY = 1 };
	g_autofree char *path = in_dir(f, "index.db");
	g_autofree char *text = NULL;
	gsize length, added = (LOOP_LEVELS + 2) * PAGE_BYTES;
	make_schema_short(path);
	enlarge_pages(path);
	g_assert_true(g_file_get_contents(path, &text, &length, NULL));
	g_autofree uint8_t *file = g_malloc0(length + added);
	memcpy(file, text, length);
	g_assert_cmpint(file[HEAD], ==, TABLE_LEAF);
	uint32_t pages = length / PAGE_BYTES;
	const uint8_t *cell = find_automatic_index((uint8_t *)text, length), key[] = {0, KEY};
	uint8_t *rows = file + length, *leaf = rows + PAGE_BYTES;
	copy_first_page(rows, file);
	leaf[0] = TABLE_LEAF;
	put_number(leaf + 3, 1, 2);
	put_number(leaf + 5, LOOP_CELL, 2);
	put_number(leaf + 8, LOOP_CELL, 2);
	memcpy(leaf + LOOP_CELL, cell, cell[0] + 2);
	for (int i = 1; i <= LOOP_LEVELS; i++) {
		uint8_t *page = leaf + i * PAGE_BYTES;
		make_inner_page(page, pages + 1 + i, key);
		page[0] = TABLE_INNER;
		page[LOOP_CELL + 4] = KEY;
	}
	memset(file + HEAD, 0, PAGE_BYTES - HEAD);
	file[HEAD] = TABLE_INNER;
	put_number(file + HEAD + 3, 1, 2);
	put_number(file + HEAD + 5, CELLS, 2);
	put_number(file + HEAD + RIGHT, pages + 2 + LOOP_LEVELS, 4);
	put_number(file + HEAD + INNER_HEAD, CELLS, 2);
	put_number(file + CELLS, pages + 1, 4);
	file[CELLS + 4] = KEY;
	put_number(file + 28, pages + LOOP_LEVELS + 2, 4);
	g_assert_true(g_file_set_contents(path, (char *)file, length + added, NULL));
}

static void test_endless_schema(Fixture *f, gconstpointer data)
{
	g_autoptr(GError) error = NULL;
	g_clear_pointer(&f->w, writer_close);
	make_endless_schema(f);
	g_assert_null(reader_open(f->dir, f->cache, &error));
	g_assert_error(error, INDEX_ERROR, INDEX_ERROR_DAMAGED);
	fixture_reopen(f);
	g_assert_cmpuint(count_damaged(f), ==, 1);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM node"), ==, 0);
}

/* A killed process leaves an index that is not marked clean, and everything committed is in it. */
static void test_unclean_stop(Fixture *f, gconstpointer data)
{
	add_file(f);
	g_assert_cmpint(ask(f, "SELECT value FROM meta WHERE key = 'clean'"), ==, 0);
	g_clear_pointer(&f->w, writer_close);
	g_assert_cmpint(ask(f, "SELECT value FROM meta WHERE key = 'clean'"), ==, 1);

	pid_t child = fork();
	if (child == 0) {
		Fixture killed = *f;
		killed.w = writer_open(f->dir, f->cache, NULL);
		Entry root = put(&killed, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5));
		Entry file = put(&killed, root.node, "b", stat_of(f, 3, ENTRY_FILE, 10, 20));
		convert(&killed, file.inode, "beta");
		commit(&killed);
		put(&killed, root.node, "c", stat_of(f, 4, ENTRY_FILE, 10, 20));
		kill(getpid(), SIGKILL);
	}
	int status;
	g_assert_cmpint(waitpid(child, &status, 0), ==, child);
	g_assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	fixture_reopen(f);
	g_assert_cmpuint(count_damaged(f), ==, 0);
	g_assert_cmpint(matches(f, "alpha OR beta"), ==, 2);
	g_assert_cmpint(names(f, "c"), ==, 0);
}

/* After the first steps of creating an index, before it has a log, there is no index yet. */
static void test_killed_while_made(Fixture *f, gconstpointer data)
{
	g_autofree char *path = in_dir(f, "index.db"), *journal = in_dir(f, "index.db-journal");
	g_autoptr(GError) error = NULL;
	int status;
	g_clear_pointer(&f->w, writer_close);
	g_unlink(path);
	pid_t child = fork();
	if (child == 0) {
		sqlite3 *db;
		sqlite3_open(path, &db);
		sqlite3_exec(db,
		        "PRAGMA cache_size = 1; BEGIN; CREATE TABLE t(a);"
		        "INSERT INTO t VALUES(zeroblob(1000000))",
		        NULL, NULL, NULL);
		kill(getpid(), SIGKILL);
	}
	g_assert_cmpint(waitpid(child, &status, 0), ==, child);
	g_assert_true(g_file_test(journal, G_FILE_TEST_EXISTS));
	g_assert_null(db_open_reader(f->dir, &error));
	g_assert_error(error, INDEX_ERROR, INDEX_ERROR_NONE_YET);
	fixture_reopen(f);
	g_assert_cmpuint(count_damaged(f), ==, 0);
	assert_usable(f);
}

static void fill(Fixture *f, unsigned n)
{
	Entry root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5));
	for (unsigned i = 0; i < n; i++) {
		g_autofree char *name = g_strdup_printf("file%u.txt", i);
		g_autoptr(GString) text = g_string_new(name);
		for (unsigned k = 0; k < 200; k++)
			g_string_append_printf(text, " w%x", (i * 7919 + k * 104729) % 50000);
		Entry file = put(f, root.node, name, stat_of(f, 10 + i, ENTRY_FILE, i, i));
		convert(f, file.inode, text->str);
	}
	commit(f);
}

static void spoil(const char *path, unsigned blocks)
{
	struct stat st;
	int fd = open(path, O_RDWR | O_CLOEXEC);
	g_assert_cmpint(fd, >=, 0);
	g_assert_cmpint(fstat(fd, &st), ==, 0);
	for (unsigned i = 0; i < blocks; i++) {
		uint32_t junk[128];
		for (unsigned k = 0; k < G_N_ELEMENTS(junk); k++)
			junk[k] = g_test_rand_int();
		off_t at = g_test_rand_int_range(0, st.st_size / 512) * 512;
		g_assert_cmpint(pwrite(fd, junk, sizeof(junk), at), ==, sizeof(junk));
	}
	close(fd);
}

/* Works on a randomly damaged index: every answer is allowed, but no crash. True: the damage was
 * noticed. */
static bool work_on_damaged(Fixture *f)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(Writer) w = writer_open(f->dir, f->cache, &error);
	bool more = true;
	Entry entry;
	if (!w)
		return false;
	EntryStat stat = stat_of(f, 1, ENTRY_DIR, 0, 5);
	for (unsigned i = 0; i < 100 && !error; i++) {
		int64_t parent = 1;
		g_autofree char *name = g_strdup_printf("file%u.txt", i);
		stat = stat_of(f, 10 + i, ENTRY_FILE, i, i + 1);
		if (writer_put(w, parent, name, &stat, true, &entry, &error) && i % 3 == 0)
			writer_remove(w, entry.node, &error);
	}
	while (more && !error)
		if (!writer_purge_step(w, true, &more, &error))
			break;
	if (!error)
		writer_merge_step(w, &more, &error);
	if (!error)
		writer_remove(w, 1, &error);
	if (!error)
		writer_commit(w, &error);
	return g_error_matches(error, INDEX_ERROR, INDEX_ERROR_DAMAGED);
}

static void expect_any(const char *domain, GLogLevelFlags level, const char *message, gpointer data)
{
}

static void test_random_damage(void)
{
	Fixture f = {0};
	g_autofree char *good = NULL;
	gsize length;
	fixture_up(&f, NULL);
	fill(&f, 150);
	g_clear_pointer(&f.w, writer_close);
	g_autofree char *path = in_dir(&f, "index.db");
	g_assert_true(g_file_get_contents(path, &good, &length, NULL));
	guint handler = g_log_set_handler("tarsier-index", G_LOG_LEVEL_MASK, expect_any, NULL);
	for (unsigned round = 0; round < 40; round++) {
		g_assert_true(g_file_set_contents_full(
		        path, good, length, G_FILE_SET_CONTENTS_NONE, 0600, NULL));
		if (round % 10 == 9)
			g_assert_cmpint(truncate(path, g_test_rand_int_range(0, length)), ==, 0);
		else
			spoil(path, 1 + round % 16);
		bool noticed = work_on_damaged(&f);
		g_autoptr(GError) error = NULL;
		g_autoptr(Writer) w = writer_open(f.dir, f.cache, &error);
		if (noticed)
			g_assert_no_error(error); /* the index is created anew */
		if (!w)
			dbfile_remove(f.dir, "index.db");
		g_autofree char *mark = in_dir(&f, "damaged");
		g_unlink(mark);
	}
	g_log_remove_handler("tarsier-index", handler);
	fixture_down(&f, NULL);
}

/* A statement that finds damage marks the index, and the next start creates it anew. */
static void test_damage_in_use(Fixture *f, gconstpointer data)
{
	g_autoptr(GError) error = NULL;
	add_file(f);
	g_clear_pointer(&f->w, writer_close);
	exec_raw(f, "UPDATE text_data SET block = x'ffffffffffff' WHERE id > 10;"
	            "UPDATE meta SET value = 1 WHERE key = 'clean'");
	f->w = writer_open(f->dir, f->cache, &error);
	g_assert_no_error(error);
	bool more = true;
	for (unsigned i = 0; i < 20 && !error; i++) {
		g_autofree char *text = g_strdup_printf("alpha %u", i);
		g_autoptr(Document) doc = document_of(text);
		uint8_t checksum[CHECKSUM_BYTES] = {i + 1};
		int64_t content;
		if (writer_begin_content(f->w, checksum, 1, &content, &error) &&
		        writer_add_document(f->w, content, doc, false, &error))
			writer_merge_step(f->w, &more, &error);
	}
	g_assert_error(error, INDEX_ERROR, INDEX_ERROR_DAMAGED);
	fixture_reopen(f);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM meta WHERE key = 'rebuilt'"), ==, 1);
	assert_usable(f);
}

static void assert_made_anew(Fixture *f, const GError *why)
{
	g_assert_error(why, INDEX_ERROR, INDEX_ERROR_DAMAGED);
	fixture_reopen(f);
	g_assert_cmpuint(count_damaged(f), ==, 1);
	assert_usable(f);
}

static void add_in_vain(Fixture *f)
{
	g_autoptr(GError) why = NULL;
	g_autoptr(Document) doc = document_of("beta");
	uint8_t checksum[CHECKSUM_BYTES] = {1};
	int64_t content;
	OK(writer_begin_content(f->w, checksum, 1, &content, error));
	g_assert_false(writer_add_document(f->w, content, doc, false, &why));
	assert_made_anew(f, why);
}

/* No statement of ours writes such a row, so the error is damage and not one that passes. */
static void test_row_in_the_way(Fixture *f, gconstpointer data)
{
	add_file(f);
	exec_raw(f, "UPDATE fact SET document = document + 1");
	add_in_vain(f);
}

static void test_last_number(Fixture *f, gconstpointer data)
{
	static const char *const sql[] = {
	        "UPDATE node SET id = 9223372036854775807 WHERE parent <> 0",
	        "UPDATE sqlite_sequence SET seq = 9223372036854775807 WHERE name = 'node'"};
	g_autoptr(GError) why = NULL;
	EntryStat stat = stat_of(f, 7, ENTRY_FILE, 1, 1);
	Entry entry;
	add_file(f);
	exec_raw(f, sql[GPOINTER_TO_INT(data)]);
	g_assert_false(writer_put(f->w, 1, "another", &stat, true, &entry, &why));
	assert_made_anew(f, why);
}

/* A table that FTS5 cannot read is damage too. */
static void test_unknown_format(Fixture *f, gconstpointer data)
{
	add_file(f);
	g_clear_pointer(&f->w, writer_close);
	exec_raw(f, "UPDATE text_config SET v = 0 WHERE k = 'version'");
	OK((f->w = writer_open(f->dir, f->cache, error)) != NULL);
	add_in_vain(f);
}

static void test_missing_parent(Fixture *f, gconstpointer data)
{
	g_autoptr(GError) why = NULL;
	add_file(f);
	exec_raw(f, "DELETE FROM node WHERE parent = 0");
	g_assert_null(writer_path(f->w, ask(f, "SELECT max(id) FROM node"), &why));
	assert_made_anew(f, why);
}

/* ---- full disk */

static void test_full(Fixture *f, gconstpointer data)
{
	g_autoptr(GError) error = NULL;
	struct rlimit old, small;
	add_file(f);
	g_assert_cmpint(getrlimit(RLIMIT_FSIZE, &old), ==, 0);
	small = (struct rlimit){600 << 10, old.rlim_max};
	signal(SIGXFSZ, SIG_IGN);
	g_assert_cmpint(setrlimit(RLIMIT_FSIZE, &small), ==, 0);
	for (unsigned i = 0; i < 100000 && !error; i++) {
		g_autofree char *name = g_strdup_printf("file%u", i);
		EntryStat stat = stat_of(f, 100 + i, ENTRY_FILE, 1, 1);
		Entry entry;
		if (writer_put(f->w, 1, name, &stat, true, &entry, &error) && i % 500 == 499)
			writer_commit(f->w, &error);
	}
	g_assert_cmpint(setrlimit(RLIMIT_FSIZE, &old), ==, 0);
	g_assert_error(error, INDEX_ERROR, INDEX_ERROR_FULL);
	g_assert_cmpuint(writer_changes(f->w), ==, 0);
	g_assert_cmpint(matches(f, "alpha"), ==, 1);
	writer_rollback(f->w);
	put(f, 1, "later", stat_of(f, 9, ENTRY_FILE, 1, 1));
	commit(f);
	g_assert_cmpint(names(f, "later"), ==, 1);
	fixture_reopen(f);
	g_assert_cmpint(names(f, "later"), ==, 1);
	g_assert_cmpuint(count_damaged(f), ==, 0);
}

/* Makes an index as it is after the process was killed during a bulk load. */
static void stop_in_bulk(Fixture *f, const char *boot_id)
{
	g_autofree char *from = in_dir(f, "index.db"), *to = in_dir(f, "killed.db");
	g_autofree char *mark = in_dir(f, "bulk");
	g_autofree char *bytes = NULL;
	gsize length;
	OK(writer_set_bulk(f->w, true, error));
	add_file(f);
	commit(f);
	OK(writer_checkpoint(f->w, error));
	g_assert_true(g_file_get_contents(from, &bytes, &length, NULL));
	g_autofree char *mark_text = NULL;
	g_assert_true(g_file_get_contents(mark, &mark_text, NULL, NULL));
	g_assert_cmpint(fixture_mode(f, "bulk"), ==, 0600);
	writer_close(f->w);
	f->w = NULL;
	g_assert_cmpint(fixture_mode(f, "bulk"), ==, -1);
	g_assert_true(g_file_set_contents(to, bytes, length, NULL));
	g_assert_cmpint(g_rename(to, from), ==, 0);
	g_assert_true(g_file_set_contents(mark, boot_id ? boot_id : mark_text, -1, NULL));
}

static void test_killed_in_bulk(Fixture *f, gconstpointer data)
{
	stop_in_bulk(f, NULL);
	OK((f->w = writer_open(f->dir, f->cache, error)) != NULL);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM node"), ==, 2);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM meta WHERE key = 'rebuilt'"), ==, 0);
	g_assert_cmpint(ask(f, "SELECT v FROM text_config WHERE k = 'hashsize'"), ==, 8 << 20);
	g_assert_cmpint(fixture_mode(f, "bulk"), ==, -1);
}

static void test_power_cut_in_bulk(Fixture *f, gconstpointer data)
{
	stop_in_bulk(f, "00000000-0000-4000-8000-000000000000");
	OK((f->w = writer_open(f->dir, f->cache, error)) != NULL);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM node"), ==, 0);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM meta WHERE key = 'rebuilt'"), ==, 1);
	g_assert_cmpint(fixture_mode(f, "bulk"), ==, -1);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	FIXTURE_TEST("/index/damage/a-list-of-endless-pages-ends", test_endless_pages);
	FIXTURE_TEST("/index/damage/an-endless-schema-is-made-anew", test_endless_schema);
	FIXTURE_TEST("/index/damage/not-a-database", test_not_a_database);
	FIXTURE_TEST("/index/damage/other-database", test_other_database);
	FIXTURE_TEST("/index/damage/marked", test_marked);
	FIXTURE_TEST("/index/damage/unclean-stop", test_unclean_stop);
	FIXTURE_TEST("/index/damage/killed-while-made", test_killed_while_made);
	g_test_add_func("/index/damage/random-damage-is-reported", test_random_damage);
	FIXTURE_TEST("/index/damage/in-use", test_damage_in_use);
	FIXTURE_TEST("/index/damage/row-in-the-way", test_row_in_the_way);
	g_test_add("/index/damage/highest-rowid-in-one-table-is-refused", Fixture,
	        GINT_TO_POINTER(0), fixture_up, test_last_number, fixture_down);
	g_test_add("/index/damage/highest-rowid-in-all-tables-is-refused", Fixture,
	        GINT_TO_POINTER(1), fixture_up, test_last_number, fixture_down);
	FIXTURE_TEST("/index/damage/missing-parent", test_missing_parent);
	FIXTURE_TEST("/index/damage/unknown-format", test_unknown_format);
	FIXTURE_TEST("/index/damage/killed-in-bulk", test_killed_in_bulk);
	FIXTURE_TEST("/index/damage/power-cut-in-bulk", test_power_cut_in_bulk);
	FIXTURE_TEST("/index/damage/full", test_full);
	return g_test_run();
}
