/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test-sweep.c - a swept table holds what a new table of the documents left would hold
 *
 * The tables have small pages, so that lists of documents and of positions run over many of them,
 * and a sweep takes many slices. */
#include <config.h>
#include "index/fts/fts-page.h"
#include "index/fts/fts-structure.h"
#include "index/fts/fts-sweep.h"
#include "index/fts/fts-varint.h"
#include <sqlite3.h>
#include <string.h>

enum { COLUMNS = 3 };

typedef struct {
	sqlite3 *db;
	GRand *random;
	GPtrArray *texts; /* char *: of document i + 1; NULL: it is deleted */
} Table;

static void sql(sqlite3 *db, const char *text)
{
	char *message = NULL;
	sqlite3_exec(db, text, NULL, NULL, &message);
	g_assert_cmpstr(message, ==, NULL);
}

static int64_t number(sqlite3 *db, const char *text)
{
	sqlite3_stmt *row;
	g_assert_cmpint(sqlite3_prepare_v2(db, text, -1, &row, NULL), ==, SQLITE_OK);
	g_assert_cmpint(sqlite3_step(row), ==, SQLITE_ROW);
	int64_t value = sqlite3_column_int64(row, 0);
	sqlite3_finalize(row);
	return value;
}

static void make_table(sqlite3 *db, const char *name, unsigned page_bytes)
{
	g_autofree char *text =
	        g_strdup_printf("CREATE VIRTUAL TABLE %s USING fts5(a, b, c, content='');"
	                        "INSERT INTO %s(%s, rank) VALUES('pgsz', %u);"
	                        "INSERT INTO %s(%s, rank) VALUES('automerge', 4);"
	                        "CREATE VIRTUAL TABLE %s_terms USING fts5vocab(%s, instance);",
	                name, name, name, page_bytes, name, name, name, name);
	sql(db, text);
}

static void table_open(Table *t, guint32 seed, unsigned page_bytes)
{
	g_assert_cmpint(sqlite3_open(":memory:", &t->db), ==, SQLITE_OK);
	t->random = g_rand_new_with_seed(seed);
	t->texts = g_ptr_array_new_with_free_func(g_free);
	make_table(t->db, "t", page_bytes);
}

static void table_close(Table *t)
{
	sqlite3_close(t->db);
	g_rand_free(t->random);
	g_ptr_array_unref(t->texts);
}

/* Words of very different frequency and length; some documents repeat one word very often. */
static char *random_text(GRand *random)
{
	GString *text = g_string_new(NULL);
	int words = g_rand_int_range(random, 0, 40);
	int repeats = g_rand_int_range(random, 0, 20) == 0 ? 400 : 0;
	for (int i = 0; i < words + repeats; i++) {
		int n = i < words ? (int)(5000 * g_rand_double(random) * g_rand_double(random) *
		                            g_rand_double(random))
		                  : 1;
		g_string_append_printf(
		        text, "%sw%d%.*s ", n % 3 ? "" : "common", n, n % 17, "zzzzzzzzzzzzzzzzz");
	}
	return g_string_free(text, FALSE);
}

static void table_write(sqlite3 *db, const char *statement, int64_t id, const char *text)
{
	sqlite3_stmt *add;
	g_assert_cmpint(sqlite3_prepare_v2(db, statement, -1, &add, NULL), ==, SQLITE_OK);
	sqlite3_bind_int64(add, 1, id);
	for (int i = 0; i < COLUMNS; i++)
		sqlite3_bind_text(
		        add, 2 + i, text + MIN((size_t)i * 7, strlen(text)), -1, SQLITE_TRANSIENT);
	g_assert_cmpint(sqlite3_step(add), ==, SQLITE_DONE);
	sqlite3_finalize(add);
}

static void insert(sqlite3 *db, const char *table, int64_t id, const char *text)
{
	g_autofree char *statement =
	        g_strdup_printf("INSERT INTO %s(rowid, a, b, c) VALUES(?1, ?2, ?3, ?4)", table);
	table_write(db, statement, id, text);
}

static void table_add(Table *t, unsigned n)
{
	sql(t->db, "BEGIN");
	for (unsigned i = 0; i < n; i++) {
		g_ptr_array_add(t->texts, random_text(t->random));
		insert(t->db, "t", t->texts->len, t->texts->pdata[t->texts->len - 1]);
	}
	sql(t->db, "COMMIT");
}

/* Deletes documents at random: they stay in the table, and are the tombstones. */
static FtsTombstones *table_delete(Table *t, double part)
{
	FtsTombstones *tombstones = fts_tombstones_new();
	for (guint i = 0; i < t->texts->len; i++)
		if (t->texts->pdata[i] && g_rand_double(t->random) < part) {
			g_clear_pointer(&t->texts->pdata[i], g_free);
			fts_tombstones_add(tombstones, i + 1);
		}
	return tombstones;
}

static void forget(Table *t)
{
	sql(t->db, "PRAGMA writable_schema = RESET");
}

/* Sweeps in slices; meanwhile, called between them, changes the table. */
typedef void (*MeanwhileFunc)(Table *t, unsigned slice);
static unsigned sweep(Table *t, const FtsTombstones *tombstones, MeanwhileFunc meanwhile)
{
	g_autoptr(FtsSweep) work = fts_sweep_new(t->db, "t", tombstones);
	unsigned slices = 0, n = 1;
	FtsSweepResult result = FTS_SWEEP_MORE;
	for (; result == FTS_SWEEP_MORE; slices++) {
		sql(t->db, "BEGIN");
		result = fts_sweep_step(work);
		sql(t->db, "COMMIT");
		forget(t);
		if (meanwhile && result == FTS_SWEEP_MORE)
			meanwhile(t, slices);
		g_assert_cmpuint(slices, <, 20000);
	}
	g_assert_cmpint(result, ==, FTS_SWEEP_DONE);
	for (int64_t after = 0; n > 0;) {
		sql(t->db, "BEGIN");
		result = fts_sweep_sizes(t->db, "t", tombstones, COLUMNS, 70, &after, &n);
		sql(t->db, "COMMIT");
		g_assert_cmpint(result, ==, n > 0 ? FTS_SWEEP_MORE : FTS_SWEEP_DONE);
	}
	forget(t);
	return slices;
}

/* The table equals a new one: terms and places, sizes, averages, answers. */
static void assert_as_new(Table *t)
{
	make_table(t->db, "n", 4050);
	sql(t->db, "BEGIN");
	for (guint i = 0; i < t->texts->len; i++)
		if (t->texts->pdata[i])
			insert(t->db, "n", i + 1, t->texts->pdata[i]);
	sql(t->db, "COMMIT");
	sql(t->db, "INSERT INTO t(t) VALUES('integrity-check')");
	static const char *const differences[] = {
	        "SELECT count(*) FROM (SELECT * FROM t_terms EXCEPT SELECT * FROM n_terms)",
	        "SELECT count(*) FROM (SELECT * FROM n_terms EXCEPT SELECT * FROM t_terms)",
	        "SELECT (SELECT count(*) FROM n_terms) <> (SELECT count(*) FROM t_terms)",
	        "SELECT count(*) FROM (SELECT * FROM t_docsize EXCEPT SELECT * FROM n_docsize)",
	        "SELECT count(*) FROM (SELECT * FROM n_docsize EXCEPT SELECT * FROM t_docsize)",
	        "SELECT (SELECT block FROM t_data WHERE id = 1) <> (SELECT block FROM n_data "
	        "WHERE id = 1) AND EXISTS (SELECT 1 FROM n_docsize)",
	};
	for (unsigned i = 0; i < G_N_ELEMENTS(differences); i++)
		if (number(t->db, differences[i]) != 0)
			g_error("not as new: %s", differences[i]);
	static const char *const queries[] = {"w1", "common*", "w1 AND w2zz", "\"w1 w1\"",
	        "a : w4zzzz OR b : w5zzzzz", "w1 NOT w2zz"};
	for (unsigned i = 0; i < G_N_ELEMENTS(queries); i++) {
		char *both = sqlite3_mprintf(
		        "SELECT count(*) FROM (SELECT rowid FROM t(%Q) ORDER BY rowid DESC) x "
		        "FULL JOIN (SELECT rowid FROM n(%Q) ORDER BY rowid) y USING(rowid) "
		        "WHERE x.rowid IS NULL OR y.rowid IS NULL",
		        queries[i], queries[i]);
		g_assert_cmpint(number(t->db, both), ==, 0);
		sqlite3_free(both);
	}
	sql(t->db, "DROP TABLE n_terms; DROP TABLE n");
}

static void test_sweep(void)
{
	static const unsigned sizes[] = {32, 64, 200, 1000, 8146};
	for (unsigned seed = 0; seed < 4; seed++)
		for (unsigned i = 0; i < G_N_ELEMENTS(sizes); i++) {
			Table t;
			table_open(&t, seed, sizes[i]);
			for (unsigned j = 0; j < 4; j++)
				table_add(&t, 80);
			g_autoptr(FtsTombstones) tombstones = table_delete(&t, .1 + seed * .2);
			unsigned slices = sweep(&t, tombstones, NULL);
			g_assert_cmpuint(slices, >, sizes[i] < 100 ? 8 : 1);
			assert_as_new(&t);
			table_add(&t, 30); /* the table can be written and swept again */
			sql(t.db, "INSERT INTO t(t, rank) VALUES('merge', -200)");
			assert_as_new(&t);
			g_autoptr(FtsTombstones) all = table_delete(&t, 1.1);
			sweep(&t, all, NULL);
			assert_as_new(&t);
			g_assert_cmpint(number(t.db, "SELECT count(*) FROM t_idx"), ==, 0);
			g_assert_cmpint(number(t.db, "SELECT count(*) FROM t_data"), ==, 2);
			table_add(&t, 5);
			assert_as_new(&t);
			table_close(&t);
		}
}

/* Gives a document another text: its old postings get delete markers in a later segment. */
static void table_replace(Table *t, guint place)
{
	if (!t->texts->pdata[place])
		return;
	sql(t->db, "BEGIN");
	table_write(t->db, "INSERT INTO t(t, rowid, a, b, c) VALUES('delete', ?1, ?2, ?3, ?4)",
	        place + 1, t->texts->pdata[place]);
	g_free(t->texts->pdata[place]);
	t->texts->pdata[place] = random_text(t->random);
	insert(t->db, "t", place + 1, t->texts->pdata[place]);
	sql(t->db, "COMMIT");
}

/* FTS5 writes segments, and begins, continues and ends merges, between the slices. */
static void change_table(Table *t, unsigned slice)
{
	if (slice > 60) /* later every merge would make it sweep the result again */
		return;
	switch (g_rand_int_range(t->random, 0, 6)) {
	case 0:
		table_add(t, 1);
		break;
	case 3:
		table_replace(t, g_rand_int_range(t->random, 0, t->texts->len));
		break;
	case 1:
		sql(t->db, "INSERT INTO t(t, rank) VALUES('merge', 3)");
		break;
	case 2:
		sql(t->db, "INSERT INTO t(t, rank) VALUES('merge', -3)");
		break;
	}
}

static void test_changes_between_slices(void)
{
	for (unsigned seed = 0; seed < 12; seed++) {
		Table t;
		table_open(&t, seed, 100);
		for (unsigned j = 0; j < 4; j++)
			table_add(&t, 60);
		for (unsigned j = 0; j < 20; j++)
			table_replace(&t, j * 7);
		g_autoptr(FtsTombstones) tombstones = table_delete(&t, .5);
		sweep(&t, tombstones, change_table);
		assert_as_new(&t);
		table_close(&t);
	}
}

/* A slice that is not committed changes nothing. */
static void test_rollback(void)
{
	Table t;
	table_open(&t, 1, 100);
	table_add(&t, 300);
	g_autoptr(FtsTombstones) tombstones = table_delete(&t, .3);
	for (unsigned i = 0; i < 3; i++) {
		g_autoptr(FtsSweep) work = fts_sweep_new(t.db, "t", tombstones);
		for (unsigned j = 0; j <= i; j++) {
			sql(t.db, "BEGIN");
			g_assert_cmpint(fts_sweep_step(work), ==, FTS_SWEEP_MORE);
			sql(t.db, j == i ? "ROLLBACK" : "COMMIT");
			forget(&t);
		}
		sql(t.db, "INSERT INTO t(t) VALUES('integrity-check')");
	}
	sweep(&t, tombstones, NULL);
	assert_as_new(&t);
	table_close(&t);
}

/* Damage anywhere in the pages ends the sweep, or changes some text, and never more than that. */
static void test_damage(void)
{
	for (guint32 seed = 0; seed < 400; seed++) {
		Table t;
		table_open(&t, seed, 80);
		table_add(&t, 12);
		g_autofree char *choice = g_strdup_printf(
		        "SELECT id FROM t_data WHERE id <> 1 ORDER BY id LIMIT 1 OFFSET "
		        "%u %% (SELECT count(*) - 1 FROM t_data)",
		        seed);
		int64_t row = number(t.db, choice);
		g_autofree char *damage = g_strdup_printf(
		        "UPDATE t_data SET block = CAST(substr(block, 1, %d) || x'%02x%02x' || "
		        "substr(block, %d) AS BLOB) WHERE id = %" G_GINT64_FORMAT,
		        g_rand_int_range(t.random, 0, 60), g_rand_int_range(t.random, 0, 256),
		        g_rand_int_range(t.random, 0, 256), g_rand_int_range(t.random, 1, 62), row);
		sql(t.db, damage);
		g_autoptr(FtsTombstones) tombstones = table_delete(&t, .5);
		g_autoptr(FtsSweep) work = fts_sweep_new(t.db, "t", tombstones);
		FtsSweepResult result = FTS_SWEEP_MORE;
		sql(t.db, "BEGIN");
		for (unsigned i = 0; result == FTS_SWEEP_MORE && i < 1000; i++)
			result = fts_sweep_step(work);
		sql(t.db, "ROLLBACK");
		g_assert_cmpint(result, !=, FTS_SWEEP_MORE);
		table_close(&t);
	}
}

static void test_other_format(void)
{
	Table t;
	table_open(&t, 1, 100);
	table_add(&t, 20);
	g_autoptr(FtsTombstones) tombstones = table_delete(&t, .5);
	sql(t.db, "UPDATE t_config SET v = 5 WHERE k = 'version'");
	g_autoptr(FtsSweep) work = fts_sweep_new(t.db, "t", tombstones);
	sql(t.db, "BEGIN");
	g_assert_cmpint(fts_sweep_step(work), ==, FTS_SWEEP_OTHER_FORMAT);
	sql(t.db, "COMMIT");
	table_close(&t);
}

static void test_varints(void)
{
	static const uint64_t numbers[] = {0, 1, 127, 128, 16383, 16384, (1ull << 49) - 1,
	        1ull << 49, (1ull << 56) - 1, 1ull << 56, 1ull << 57, UINT64_MAX >> 1, UINT64_MAX};
	for (unsigned i = 0; i < G_N_ELEMENTS(numbers); i++) {
		g_autoptr(GByteArray) bytes = g_byte_array_new();
		uint64_t again;
		size_t at = 0;
		fts_varint_append(bytes, numbers[i]);
		g_assert_true(fts_varint_read(bytes->data, bytes->len, &at, &again));
		g_assert_cmpuint(again, ==, numbers[i]);
		g_assert_cmpuint(at, ==, bytes->len);
		g_assert_cmpuint(bytes->len, <=, FTS_VARINT_BYTES);
		at = 0;
		g_assert_false(fts_varint_read(bytes->data, bytes->len - 1, &at, &again));
	}
}

static void test_structure(void)
{
	static const uint8_t good[] = {0, 0, 0, 9, 2, 3, 5, 1, 2, 1, 1, 4, 2, 2, 6, 0, 1, 3, 1, 1};
	g_autoptr(FtsStructure) structure = fts_structure_parse(good, sizeof good);
	g_assert_nonnull(structure);
	g_assert_cmpuint(fts_structure_free_id(structure), ==, 4);
	g_autoptr(GByteArray) again = fts_structure_write(structure);
	g_assert_cmpmem(again->data, again->len, good, sizeof good);
	for (size_t length = 0; length < sizeof good; length++)
		g_assert_null(fts_structure_parse(good, length));
	for (size_t i = 0; i < sizeof good; i++) /* whatever a byte is, it is read safely */
		for (unsigned byte = 0; byte < 256; byte++) {
			uint8_t bad[sizeof good];
			memcpy(bad, good, sizeof good);
			bad[i] = byte;
			fts_structure_free(fts_structure_parse(bad, sizeof bad));
		}
	static const uint8_t twice[] = {0, 0, 0, 9, 1, 2, 5, 0, 2, 1, 1, 4, 1, 2, 6};
	g_assert_null(fts_structure_parse(twice, sizeof twice));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/index/sweep/varints", test_varints);
	g_test_add_func("/index/sweep/structure", test_structure);
	g_test_add_func("/index/sweep/as-new", test_sweep);
	g_test_add_func("/index/sweep/changes-between-slices", test_changes_between_slices);
	g_test_add_func("/index/sweep/rollback", test_rollback);
	g_test_add_func("/index/sweep/damage", test_damage);
	g_test_add_func("/index/sweep/other-format", test_other_format);
	return g_test_run();
}
