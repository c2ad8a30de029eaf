/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test-reader-memory.c - SQLite's memory in a reader: the cache grows, and nothing is mixed up */
#include <config.h>
#include "index/read/reader-memory.h"
#include "index/store/db-exec.h"
#include "index/store/db.h"
#include "tests/index/index-test.h"
#include <glib/gstdio.h>
#include <string.h>

enum { PAGES = 2000 };

static int page_bytes;

static sqlite3 *file_with_pages(const char *path)
{
	sqlite3 *db = NULL;
	g_assert_cmpint(sqlite3_open(path, &db), ==, SQLITE_OK);
	g_autofree char *fill = g_strdup_printf(
	        "PRAGMA page_size = %d; CREATE TABLE t(id INTEGER PRIMARY KEY, b BLOB); "
	        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) "
	        "INSERT INTO t SELECT i, zeroblob(%d) FROM n",
	        page_bytes, PAGES, page_bytes - 1000);
	OK(db_exec(db, fill, error));
	sqlite3_close(db);
	g_assert_cmpint(sqlite3_open(path, &db), ==, SQLITE_OK);
	g_autofree char *size = g_strdup_printf("PRAGMA cache_size = -%d", DB_READER_CACHE_KIB);
	OK(db_exec(db, size, error));
	return db;
}

static int count_misses(sqlite3 *db)
{
	int64_t sum;
	int misses, highest;
	OK(db_get_int(db, "SELECT sum(length(b)) FROM t", &sum, error));
	g_assert_cmpint(sum, ==, (page_bytes - 1000) * PAGES);
	sqlite3_db_status(db, SQLITE_DBSTATUS_CACHE_MISS, &misses, &highest, 1);
	return misses;
}

/* At least 8 MB of pages: more than are filled at once, and than lie in the first huge page. */
static void cache_keeps_what_was_read(void)
{
	g_autofree char *dir = g_dir_make_tmp("tarsier-memory.XXXXXX", NULL);
	g_autofree char *path = g_build_filename(dir, "db", NULL);
	sqlite3 *db = file_with_pages(path);
	OK(db_exec(db, "BEGIN", error));
	g_assert_cmpint(count_misses(db), >=, PAGES);
	g_assert_cmpint(count_misses(db), ==, 0);
	sqlite3_close(db);
	g_remove(path);
	g_rmdir(dir);
}

static unsigned char mark_of(unsigned thread, unsigned i)
{
	return (unsigned char)(17 * thread + i);
}

static void check_marks(const unsigned char *bytes, size_t n, unsigned char mark)
{
	for (size_t i = 0; i < n; i++)
		g_assert_cmpuint(bytes[i], ==, mark);
}

/* Allocates, resizes and frees what lies in the arena and beside it. */
static void *use_memory(void *data)
{
	enum { BLOCKS = 64, TURNS = 400 };
	unsigned thread = GPOINTER_TO_UINT(data);
	unsigned char *blocks[BLOCKS] = {NULL};
	for (unsigned i = 0; i < TURNS; i++) {
		unsigned char **block = &blocks[i * 7 % BLOCKS];
		int n = page_bytes + (int)(i * 37 % 1024) - 100;
		if (*block)
			check_marks(*block, page_bytes - 100, **block);
		*block = i % 5 == 0 ? (sqlite3_free(*block), sqlite3_malloc(n))
		                    : sqlite3_realloc(*block, i % 11 == 0 ? 3 * n : n);
		g_assert_nonnull(*block);
		g_assert_cmpuint(sqlite3_msize(*block), >=, (unsigned)n);
		memset(*block, mark_of(thread, i), n);
	}
	for (unsigned i = 0; i < BLOCKS; i++)
		sqlite3_free(blocks[i]);
	return NULL;
}

static void threads_do_not_mix(void)
{
	GThread *threads[4];
	for (unsigned i = 0; i < G_N_ELEMENTS(threads); i++)
		threads[i] = g_thread_new("memory", use_memory, GUINT_TO_POINTER(i + 1));
	for (unsigned i = 0; i < G_N_ELEMENTS(threads); i++)
		g_thread_join(threads[i]);
}

/* A resized page keeps its bytes. */
static void resizing_keeps_bytes(void)
{
	unsigned char *page = sqlite3_malloc(page_bytes + 256);
	g_assert_cmpuint(sqlite3_msize(page), ==, page_bytes + 512); /* it lies in the arena */
	memset(page, 'p', page_bytes + 256);
	page = sqlite3_realloc(page, 5 * page_bytes);
	check_marks(page, page_bytes + 256, 'p');
	page = sqlite3_realloc(page, page_bytes);
	check_marks(page, page_bytes, 'p');
	sqlite3_free(page);
}

/* A process has an index with pages of one size. */
static void pages_of(const void *bytes)
{
	if (!g_test_subprocess()) {
		g_test_trap_subprocess(NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
		g_test_trap_assert_passed();
		return;
	}
	page_bytes = GPOINTER_TO_INT(bytes);
	reader_use_arena();
	cache_keeps_what_was_read();
	threads_do_not_mix();
	resizing_keeps_bytes();
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_data_func("/index/reader-memory/4096", GINT_TO_POINTER(4096), pages_of);
	g_test_add_data_func("/index/reader-memory/8192", GINT_TO_POINTER(8192), pages_of);
	return g_test_run();
}
