/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test-changes.c - the log of changes: a program that follows it knows what the index holds */
#include <config.h>
#include "index/read/reader-changes.h"
#include "index/write/writer-changes.h"
#include "tests/index/index-test.h"
#include "index/text/checksum.h"
#include <string.h>

enum { RANDOM_STEPS = 600, N_DIRS = 4, N_NAMES = 6, N_TEXTS = 4 };

static int64_t consume_at(Fixture *f, const char *name, int64_t seq)
{
	const Consumer consumer = {.name = name, .seq = seq, .exposure_ms = -1};
	int64_t at;
	OK(writer_consume(f->w, &consumer, &at, error));
	commit(f);
	return at;
}

static int64_t last_change(Fixture *f)
{
	return ask(f, "SELECT max(seq) FROM change");
}

/* ---- a follower */

typedef struct {
	Reader *reader;
	int64_t seq;
	GHashTable *contents; /* id -> what is known of it, as text */
	sqlite3 *db;
	sqlite3_stmt *described; /* of a content */
} Follower;

/* All that a copy has of a content: its documents, and the paths of its files with permissions. */
static void prepare_description(Follower *follower, Fixture *f)
{
	static const char sql[] =
	        "WITH RECURSIVE up(node, path) AS (SELECT n.parent, CAST(n.name AS TEXT) || ' ' || "
	        "i.mode || ' ' || i.uid FROM inode i CROSS JOIN node n ON n.inode = i.id WHERE "
	        "i.content = ?1 AND i.state = 0 UNION ALL SELECT p.parent, CAST(p.name AS TEXT) || "
	        "' ' "
	        "|| i.mode || '/' || path FROM up u CROSS JOIN node p ON p.id = u.node CROSS JOIN "
	        "inode "
	        "i ON i.id = p.inode) SELECT path FROM up WHERE node = 0 UNION ALL SELECT "
	        "'document ' "
	        "|| d.id FROM document d JOIN content c ON c.id = d.content WHERE c.id = ?1 AND "
	        "c.state <> 3 ORDER BY 1";
	g_autofree char *path = in_dir(f, "index.db");
	g_assert_cmpint(
	        sqlite3_open_v2(path, &follower->db, SQLITE_OPEN_READONLY, NULL), ==, SQLITE_OK);
	g_assert_cmpint(sqlite3_prepare_v2(follower->db, sql, -1, &follower->described, NULL), ==,
	        SQLITE_OK);
}

static char *describe(const Follower *follower, int64_t content)
{
	g_autoptr(GString) out = g_string_new(NULL);
	sqlite3_stmt *row = follower->described;
	sqlite3_bind_int64(row, 1, content);
	while (sqlite3_step(row) == SQLITE_ROW)
		g_string_append_printf(out, "%s\n", (const char *)sqlite3_column_text(row, 0));
	g_assert_cmpint(sqlite3_reset(row), ==, SQLITE_OK);
	return g_string_free(g_steal_pointer(&out), FALSE);
}

static void follower_look(Follower *follower, int64_t content)
{
	g_hash_table_insert(follower->contents, g_memdup2(&content, sizeof content),
	        describe(follower, content));
}

static void follower_look_below(Follower *follower, int64_t inode)
{
	g_autoptr(GArray) contents = NULL;
	OK(reader_contents_below(follower->reader, inode, &contents, error));
	for (guint i = 0; i < contents->len; i++)
		follower_look(follower, g_array_index(contents, int64_t, i));
}

static void follow(Follower *follower)
{
	g_autoptr(GArray) changes = NULL;
	bool kept;
	OK(reader_changes(follower->reader, follower->seq, 100000, &changes, &kept, error));
	g_assert_true(kept);
	for (guint i = 0; i < changes->len; i++) {
		const Change *change = &g_array_index(changes, Change, i);
		g_assert_cmpint(change->seq, >, follower->seq);
		follower->seq = change->seq;
		if (change->kind == CHANGE_CONTENT)
			follower_look(follower, change->id);
		else if (change->kind == CHANGE_DIRECTORY)
			follower_look_below(follower, change->id);
	}
}

static void assert_knows(const Follower *follower, int64_t content)
{
	g_autofree char *truth = describe(follower, content);
	const char *known = g_hash_table_lookup(follower->contents, &content);
	g_assert_cmpstr(known ? known : "", ==, truth);
}

static void assert_knows_all(const Follower *follower, Fixture *f)
{
	int64_t last = ask(
	        f, "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'content'), 0)");
	for (int64_t content = 1; content <= last; content++)
		assert_knows(follower, content);
}

static void follower_begin(Follower *follower, Fixture *f)
{
	follower->contents = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
	follower->seq = consume_at(f, "copy", -1);
	follower->reader = reader_open(f->dir, f->cache, NULL);
	g_assert_nonnull(follower->reader);
	prepare_description(follower, f);
}

static void follower_end(Follower *follower)
{
	reader_close(follower->reader);
	sqlite3_finalize(follower->described);
	sqlite3_close(follower->db);
	g_hash_table_unref(follower->contents);
}

/* ---- random changes */

typedef struct {
	Fixture *f;
	int64_t root;
	uint64_t last_ino;
	int64_t clock_ns;
} World;

static int64_t world_node(World *world, const char *condition)
{
	g_autofree char *sql =
	        g_strdup_printf("SELECT coalesce((SELECT n.id FROM node n JOIN inode i ON i.id = "
	                        "n.inode WHERE n.parent <> 0 AND %s "
	                        "ORDER BY (n.id * 7919 + %d) %% 1009 LIMIT 1), 0)",
	                condition, g_test_rand_int_range(0, 1000));
	return ask(world->f, sql);
}

static int64_t world_dir(World *world)
{
	int64_t node = g_test_rand_bit() ? world_node(world, "i.kind = 1") : 0;
	return node ? node : world->root;
}

static Entry world_get(World *world, int64_t node)
{
	Entry entry;
	g_assert_cmpint(writer_get(world->f->w, node, &entry, NULL), ==, 1);
	return entry;
}

static char *world_name(bool dir)
{
	return g_strdup_printf(
	        "%s%d", dir ? "d" : "f", g_test_rand_int_range(0, dir ? N_DIRS : N_NAMES));
}

static void world_convert(World *world, int64_t inode)
{
	g_autofree char *text = g_strdup_printf("text%d", g_test_rand_int_range(0, N_TEXTS));
	uint8_t checksum[CHECKSUM_BYTES];
	int64_t content;
	checksum_of(ZERO_KEY, text, strlen(text), checksum);
	int known = writer_find_content(world->f->w, checksum, &content, NULL);
	if (known > 0 && g_test_rand_int_range(0, 4) > 0)
		OK(writer_link(world->f->w, inode, content, error));
	else
		convert(world->f, inode, text);
}

static void world_save(World *world)
{
	g_autofree char *name = world_name(false);
	EntryStat stat =
	        stat_of(world->f, ++world->last_ino, ENTRY_FILE, 5, world->clock_ns += 1000);
	Entry entry = put(world->f, world_dir(world), name, stat);
	if (g_test_rand_int_range(0, 5) > 0)
		world_convert(world, entry.inode);
}

static void world_make_dir(World *world)
{
	g_autofree char *name = world_name(true);
	put(world->f, world_dir(world), name,
	        stat_of(world->f, ++world->last_ino, ENTRY_DIR, 0, world->clock_ns += 1000));
}

static void world_change_stat(World *world, int64_t node)
{
	Entry entry = world_get(world, node);
	EntryStat stat = entry.stat;
	stat.ctime_ns = world->clock_ns += 1000;
	if (g_test_rand_bit())
		stat.mode ^= 0044;
	else
		stat.uid++;
	OK(writer_update_stat(world->f->w, entry.inode, &stat, error));
}

static void world_write_again(World *world, int64_t node)
{
	Entry entry = world_get(world, node), now;
	EntryStat stat = entry.stat;
	stat.ctime_ns = stat.mtime_ns = world->clock_ns += 1000;
	g_autofree char *path = writer_path(world->f->w, node, NULL);
	g_autofree char *name = g_path_get_basename(path);
	OK(writer_put(world->f->w, entry.parent, name, &stat, true, &now, error));
	if (g_test_rand_bit())
		world_convert(world, now.inode);
}

static void world_link(World *world, int64_t node)
{
	g_autofree char *name = world_name(false);
	Entry entry = world_get(world, node), now;
	OK(writer_put(world->f->w, world_dir(world), name, &entry.stat, true, &now, error));
}

/* Neither into itself, nor to where a directory is that holds it. */
static void world_move(World *world, int64_t node)
{
	bool is_dir = world_get(world, node).stat.kind == ENTRY_DIR;
	int64_t parent = world_dir(world);
	g_autofree char *name = world_name(is_dir);
	g_autofree char *from = writer_path(world->f->w, node, NULL);
	g_autofree char *dir = writer_path(world->f->w, parent, NULL);
	g_autofree char *to = g_strconcat(dir, "/", name, "/", NULL);
	g_autofree char *below = g_strconcat(from, "/", NULL);
	if (!g_str_has_prefix(to, below) && !g_str_has_prefix(below, to))
		OK(writer_move(world->f->w, node, parent, name, error));
}

static void world_requeue(World *world)
{
	unsigned n;
	if (g_test_rand_bit())
		OK(writer_requeue_outdated(
		        world->f->w, "text", g_test_rand_int_range(0, 1000), &n, error));
	else
		OK(writer_retry(world->f->w, 0, &n, error));
}

static void world_step(World *world)
{
	int64_t file = world_node(world, "i.kind = 0"), dir = world_node(world, "i.kind = 1");
	int what = g_test_rand_int_range(0, 16);
	if (what < 4 || file == 0)
		world_save(world);
	else if (what == 4 || dir == 0)
		world_make_dir(world);
	else if (what == 5)
		OK(writer_remove(world->f->w, g_test_rand_int_range(0, 3) > 0 ? file : dir, error));
	else if (what == 6)
		OK(writer_set_inode_state(world->f->w, world_get(world, file).inode, INODE_FAILED,
		        g_test_rand_bit() ? REASON_UNREADABLE : REASON_IO, NULL, error));
	else if (what == 7)
		world_requeue(world);
	else if (what == 8)
		world_change_stat(world, dir);
	else if (what == 9)
		world_change_stat(world, file);
	else if (what == 10)
		world_move(world, dir);
	else if (what == 11)
		world_move(world, file);
	else if (what == 12)
		world_link(world, file);
	else
		world_write_again(world, file);
}

static void test_random(Fixture *f, gconstpointer data)
{
	World world = {.f = f, .last_ino = 10, .clock_ns = 1000};
	Follower follower = {0};
	world.root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5)).node;
	follower_begin(&follower, f);
	for (int i = 0; i < RANDOM_STEPS; i++) {
		world_step(&world);
		if (g_test_rand_int_range(0, 20) == 0)
			writer_rollback(f->w);
		else
			commit(f);
		if (g_test_rand_int_range(0, 100) == 0)
			fixture_reopen(f);
		follow(&follower);
		assert_knows_all(&follower, f);
	}
	follower_end(&follower);
	assert_totals(f);
}

/* ---- consumers and bounds */

static void test_nobody(Fixture *f, gconstpointer data)
{
	Entry file = add_file(f);
	EntryStat stat = file.stat;
	stat.mode ^= 0044;
	OK(writer_update_stat(f->w, file.inode, &stat, error));
	commit(f);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM change"), ==, 0);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM consumer"), ==, 0);
}

static void test_where_it_goes_on(Fixture *f, gconstpointer data)
{
	int64_t begin = consume_at(f, "copy", -1);
	g_assert_cmpint(begin, >, 0);
	add_file(f);
	int64_t last = last_change(f);
	g_assert_cmpint(last, >, begin);
	g_assert_cmpint(consume_at(f, "copy", begin), ==, begin);
	g_assert_cmpint(consume_at(f, "copy", last), ==, last);
	/* a target that was restored, and one of an index that was */
	g_assert_cmpint(consume_at(f, "copy", begin), ==, last);
	g_assert_cmpint(consume_at(f, "copy", last + 1), ==, last);
	g_assert_cmpint(consume_at(f, "other", begin), ==, last);
	Consumer reader = {.name = "copy", .seq = begin, .rereads = true, .exposure_ms = -1};
	int64_t at;
	OK(writer_consume(f->w, &reader, &at, error));
	g_assert_cmpint(at, ==, begin);
	fixture_reopen(f);
	g_assert_cmpint(consume_at(f, "copy", last), ==, last);
}

/* Numbers of an earlier log are never taken for those of this one. */
static void test_forgotten(Fixture *f, gconstpointer data)
{
	bool known;
	int64_t first = consume_at(f, "copy", -1);
	OK(writer_forget_consumer(f->w, "nobody", &known, error));
	g_assert_false(known);
	OK(writer_forget_consumer(f->w, "copy", &known, error));
	g_assert_true(known);
	commit(f);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM change"), ==, 0);
	add_file(f);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM change"), ==, 0);
	g_assert_cmpint(consume_at(f, "copy", first), >, first);
}

/* A transaction has one change of a file. With so many files, n changes are few transactions. */
enum { CHANGED_FILES = 100 };

static void add_changed(Fixture *f, Entry *files)
{
	Entry root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5));
	for (int i = 0; i < CHANGED_FILES; i++) {
		g_autofree char *name = g_strdup_printf("file%d", i);
		files[i] = put(f, root.node, name, stat_of(f, 2 + i, ENTRY_FILE, 10, 20));
		convert(f, files[i].inode, name);
	}
	commit(f);
}

static void change_often(Fixture *f, Entry *files, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		Entry *file = &files[i % CHANGED_FILES];
		file->stat.mode ^= 0044;
		file->stat.ctime_ns++;
		OK(writer_update_stat(f->w, file->inode, &file->stat, error));
		if ((i + 1) % CHANGED_FILES == 0)
			commit(f);
	}
	commit(f);
}

static void test_bounded(Fixture *f, gconstpointer data)
{
	Entry files[CHANGED_FILES];
	add_changed(f, files);
	int64_t away = consume_at(f, "away", -1), here = consume_at(f, "here", -1);
	g_assert_cmpint(away, ==, here);
	change_often(f, files, CHANGES_MOST / 2);
	here = consume_at(f, "here", last_change(f));
	g_assert_cmpint(ask(f, "SELECT lapsed FROM consumer WHERE name = 'away'"), ==, 0);
	change_often(f, files, CHANGES_MOST / 2 + CHANGES_KEPT);
	g_assert_cmpint(ask(f, "SELECT lapsed FROM consumer WHERE name = 'away'"), ==, 1);
	g_assert_cmpint(ask(f, "SELECT lapsed FROM consumer WHERE name = 'here'"), ==, 0);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM change"), <=, CHANGES_MOST + CHANGES_KEPT);
	g_assert_cmpint(consume_at(f, "away", away), ==, last_change(f));
	/* nobody has come back: the log ends */
	change_often(f, files, CHANGES_MOST + 2 * CHANGES_KEPT);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM consumer WHERE lapsed = 0"), ==, 0);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM change"), ==, 0);
}

static void test_names(Fixture *f, gconstpointer data)
{
	static const char *const bad[] = {"", "-x", "a b", "a/b", "../x", "\xc3\xa4", "a\n",
	        "01234567890123456789012345678901234567890123456789012345678901234"};
	for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
		const Consumer consumer = {.name = bad[i], .seq = -1};
		int64_t at;
		g_assert_false(writer_consume(f->w, &consumer, &at, NULL));
		g_assert_true(writer_check(f->w, NULL));
	}
	for (int i = 0; i < CONSUMERS_MOST; i++) {
		g_autofree char *name = g_strdup_printf("c%d", i);
		consume_at(f, name, -1);
	}
	const Consumer more = {.name = "more", .seq = -1};
	int64_t at;
	g_assert_false(writer_consume(f->w, &more, &at, NULL));
	g_assert_true(writer_check(f->w, NULL));
	consume_at(f, "c0", -1);
}

static void test_failure(Fixture *f, gconstpointer data)
{
	g_autoptr(GPtrArray) consumers = NULL;
	g_autofree char *text = g_strnfill(3 * CONSUMER_FAILURE_BYTES, 'x');
	int64_t seq = consume_at(f, "copy", -1);
	OK(writer_note_failure(f->w, "copy", text, error));
	commit(f);
	g_autoptr(Reader) reader = reader_open(f->dir, f->cache, NULL);
	OK(reader_consumers(reader, &consumers, error));
	const ConsumerStats *stats = consumers->pdata[0];
	g_assert_cmpuint(strlen(stats->failure), <=, CONSUMER_FAILURE_BYTES);
	g_assert_cmpint(stats->failed_s, >, 0);
	g_assert_cmpint(stats->exposure_ms, ==, -1);
	g_assert_cmpint(consume_at(f, "copy", seq), ==, seq);
	g_assert_cmpint(ask(f, "SELECT failed_s IS NULL AND failure IS NULL FROM consumer"), ==, 1);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	FIXTURE_TEST("/index/changes/who-follows-knows-everything", test_random);
	FIXTURE_TEST("/index/changes/nobody-follows-nothing-is-written", test_nobody);
	FIXTURE_TEST("/index/changes/a-consumer-goes-on-or-compares", test_where_it_goes_on);
	FIXTURE_TEST("/index/changes/a-forgotten-log-is-not-taken-for-another", test_forgotten);
	FIXTURE_TEST("/index/changes/the-log-is-bounded", test_bounded);
	FIXTURE_TEST("/index/changes/names-and-numbers-are-bounded", test_names);
	FIXTURE_TEST("/index/changes/failures-are-told-until-they-end", test_failure);
	return g_test_run();
}
