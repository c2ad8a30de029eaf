/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test-web-path.c - paths of URLs as the index holds them */
#include <config.h>
#include "index/store/web-path.h"
#include <glib.h>
#include <string.h>

static sqlite3 *open_db(void)
{
	sqlite3 *db;
	g_assert_cmpint(sqlite3_open(":memory:", &db), ==, SQLITE_OK);
	g_assert_true(web_path_register(db));
	return db;
}

/* The path that a column with these bytes holds. packed: they are a BLOB. */
static char *path_of(sqlite3 *db, const void *bytes, size_t length, bool packed)
{
	sqlite3_stmt *row;
	g_assert_cmpint(
	        sqlite3_prepare_v2(db, "SELECT ?1, web_path(?1)", -1, &row, NULL), ==, SQLITE_OK);
	if (packed)
		sqlite3_bind_blob(row, 1, bytes, (int)length, SQLITE_STATIC);
	else
		sqlite3_bind_text(row, 1, bytes, (int)length, SQLITE_STATIC);
	g_assert_cmpint(sqlite3_step(row), ==, SQLITE_ROW);
	char *path = web_path_of_column(row, 0);
	g_assert_cmpstr(path, ==, (const char *)sqlite3_column_text(row, 1));
	sqlite3_finalize(row);
	return path;
}

/* Returns the bytes that the path takes. */
static size_t round_trip(sqlite3 *db, const char *path)
{
	size_t length = strlen(path);
	g_autofree uint8_t *out = g_malloc(length + 1);
	size_t packed = web_path_pack(path, out);
	g_autofree char *again =
	        packed > 0 ? path_of(db, out, packed, true) : path_of(db, path, length, false);
	g_assert_cmpstr(again, ==, path);
	g_assert_true(packed == 0 || packed < length);
	return packed > 0 ? packed : length;
}

static void test_size(void)
{
	sqlite3 *db = open_db();
	g_assert_cmpuint(
	        round_trip(db, "/documentation/2.x/reference/section-12/page-345"), <=, 30);
	g_assert_cmpuint(round_trip(db, "/docs/library/asyncio-task.html"), <=, 20);
	g_assert_cmpuint(round_trip(db, "/index.php?id=3&PHPSESSID=ABCDEF0123456789"), <=, 40);
	g_assert_cmpuint(round_trip(db, "/"), ==, 1);
	sqlite3_close(db);
}

/* Each pair of characters, and each length of padding. */
static void test_characters(void)
{
	sqlite3 *db = open_db();
	for (char a = '!'; a <= '~'; a++)
		for (char b = '!'; b <= '~'; b++) {
			g_autofree char *path = g_strdup_printf("/%c%caaaa%c/%c", a, b, b, a);
			round_trip(db, path);
		}
	for (unsigned n = 1; n <= 4096; n += 1 + n / 8) {
		g_autofree char *path = g_strnfill(n, 'a');
		path[0] = '/';
		round_trip(db, path);
	}
	sqlite3_close(db);
}

static void test_text(void)
{
	sqlite3 *db = open_db();
	g_autofree char *longer = g_strnfill(WEB_PATH_UNPACKED_MOST + 1, 'e');
	uint8_t out[WEB_PATH_UNPACKED_MOST + 1];
	g_assert_cmpuint(web_path_pack("/\xc3\xa4/aaaaaaaaaaaaaaa", out), ==, 0);
	g_assert_cmpuint(web_path_pack("/a b/aaaaaaaaaaaaaaaa", out), ==, 0);
	g_assert_cmpuint(web_path_pack("", out), ==, 0);
	g_assert_cmpuint(web_path_pack(longer, out), ==, 0);
	round_trip(db, "/\xc3\xa4/aaaaaaaaaaaaaaa");
	round_trip(db, longer);
	sqlite3_close(db);
}

/* Any bytes are a path, of bounded length. */
static void test_damage(void)
{
	sqlite3 *db = open_db();
	uint8_t bytes[2 * WEB_PATH_UNPACKED_MOST];
	for (unsigned n = 0; n < 2000; n++) {
		size_t length = g_test_rand_int_range(0, n % 100 == 0 ? sizeof bytes : 40);
		for (size_t i = 0; i < length; i++)
			bytes[i] = (uint8_t)g_test_rand_int_range(0, 256);
		g_autofree char *path = path_of(db, bytes, length, true);
		g_assert_cmpuint(strlen(path), <=, WEB_PATH_UNPACKED_MOST);
	}
	memset(bytes, 0xff, sizeof bytes);
	g_autofree char *ones = path_of(db, bytes, sizeof bytes, true);
	g_assert_cmpuint(strlen(ones), >, 0);
	memset(bytes, 0, sizeof bytes);
	g_autofree char *zeros = path_of(db, bytes, sizeof bytes, true);
	g_assert_cmpuint(strlen(zeros), ==, WEB_PATH_UNPACKED_MOST);
	sqlite3_close(db);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/index/web-path/size", test_size);
	g_test_add_func("/index/web-path/characters", test_characters);
	g_test_add_func("/index/web-path/text", test_text);
	g_test_add_func("/index/web-path/damage", test_damage);
	return g_test_run();
}
