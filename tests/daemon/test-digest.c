/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests that a digest of a directory says what the rows of its entries say, whatever happens. */
#include <config.h>
#include "daemon/crawl/digest.h"
#include "tests/index/index-test.h"

enum { N_DIRS = 4, N_NAMES = 6, N_INODES = 12, FIRST_INODE = 100, STEPS = 4000 };

typedef struct {
	Fixture *f;
	Entry root, dirs[N_DIRS];
} World;

typedef struct {
	uint64_t key, digest;
	bool orphan;
	Entry any; /* one of the rows; its node is 0 if there is none */
} Rows;

static void add_row(const char *name, const Entry *entry, void *data)
{
	Rows *rows = data;
	rows->digest += digest_of_entry(rows->key, name, &entry->stat);
	rows->orphan |= entry->state == INODE_ORPHAN;
	if (rows->any.node == 0 || g_test_rand_int_range(0, 3) == 0)
		rows->any = *entry;
}

static Rows rows_of(const World *world, const Entry *dir)
{
	Rows rows = {.key = digest_key(world->f->w)};
	OK(writer_children(world->f->w, dir->node, add_row, &rows, error));
	return rows;
}

static int digest_of(const World *world, const Entry *dir, uint64_t *digest_r)
{
	g_autoptr(GError) error = NULL;
	int found = writer_digest(world->f->w, dir->node, digest_r, &error);
	g_assert_no_error(error);
	return found;
}

/* Gives each directory the digest that a visit would. */
static void put_digests(World *world)
{
	for (int i = 0; i < N_DIRS; i++) {
		Rows rows = rows_of(world, &world->dirs[i]);
		if (!rows.orphan)
			OK(writer_set_digest(world->f->w, world->dirs[i].node, rows.digest, error));
	}
}

static void check_digests(const World *world)
{
	for (int i = 0; i < N_DIRS; i++) {
		uint64_t digest;
		Rows rows = rows_of(world, &world->dirs[i]);
		if (digest_of(world, &world->dirs[i], &digest) == 0)
			continue;
		g_assert_cmpuint(digest, ==, rows.digest);
		g_assert_false(rows.orphan);
	}
}

static World world_new(Fixture *f)
{
	World world = {f, put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5)), {{0}}};
	for (int i = 0; i < N_DIRS; i++) {
		char name[] = {'A' + i, '\0'};
		world.dirs[i] = put(f, world.root.node, name, stat_of(f, 2 + i, ENTRY_DIR, 0, 5));
	}
	return world;
}

/* Links are used, as files would be pending. */
static EntryStat any_stat(const Fixture *f)
{
	int inode = FIRST_INODE + g_test_rand_int_range(0, N_INODES);
	EntryStat stat = stat_of(
	        f, inode, ENTRY_LINK, g_test_rand_int_range(0, 3), g_test_rand_int_range(0, 3));
	stat.mode = g_test_rand_bit() ? 0644 : 0600;
	return stat;
}

static Entry *any_dir(World *world)
{
	return &world->dirs[g_test_rand_int_range(0, N_DIRS)];
}

static const char *any_name(void)
{
	static const char *const list[N_NAMES] = {"a", "b", "c", "d", "e", "f"};
	return list[g_test_rand_int_range(0, N_NAMES)];
}

static void change_something(World *world)
{
	Writer *w = world->f->w;
	Entry *dir = any_dir(world);
	Entry row = rows_of(world, dir).any;
	unsigned budget = g_test_rand_int_range(1, N_NAMES);
	EntryStat stat = any_stat(world->f);
	int choice = row.node == 0 ? 0 : g_test_rand_int_range(0, 12);
	switch (choice) {
	case 6:
		OK(writer_remove(w, row.node, error));
		break;
	case 7:
		OK(writer_move(w, row.node, any_dir(world)->node, any_name(), error));
		break;
	case 8:
		row.stat.ctime_ns++;
		OK(writer_update_stat(w, row.inode, &row.stat, error));
		break;
	case 9:
		OK(writer_set_inode_state(w, row.inode, INODE_ORPHAN, REASON_NONE, NULL, error));
		break;
	case 10:
		OK(writer_set_inode_state(w, row.inode, INODE_DONE, REASON_NONE, NULL, error));
		break;
	case 11:
		OK(writer_remove_below(w, dir->node, &budget, error));
		break;
	default: /* new, changed, replaced, or another name of an inode */
		put(world->f, dir->node, any_name(), stat);
	}
}

static void test_random(Fixture *f, gconstpointer data)
{
	World world = world_new(f);
	for (int i = 0; i < STEPS; i++) {
		put_digests(&world);
		change_something(&world);
		check_digests(&world);
	}
}

/* What does not concern a directory leaves its digest. */
static void test_kept(Fixture *f, gconstpointer data)
{
	uint64_t digest;
	World world = world_new(f);
	EntryStat stat = stat_of(f, FIRST_INODE, ENTRY_LINK, 1, 1);
	put(f, world.dirs[0].node, "a", stat);
	Entry file = put(f, world.dirs[0].node, "b", stat_of(f, FIRST_INODE + 1, ENTRY_FILE, 1, 1));
	convert(f, file.inode, "alpha");
	put_digests(&world);
	put(f, world.dirs[0].node, "a", stat);
	put(f, world.dirs[1].node, "c", stat_of(f, FIRST_INODE + 2, ENTRY_LINK, 1, 1));
	g_assert_cmpint(digest_of(&world, &world.dirs[0], &digest), ==, 1);
	g_assert_cmpint(digest_of(&world, &world.dirs[1], &digest), ==, 0);
	commit(f);
	fixture_reopen(f);
	g_assert_cmpint(digest_of(&world, &world.dirs[0], &digest), ==, 1);
	g_assert_cmpuint(digest, ==, rows_of(&world, &world.dirs[0]).digest);
}

/* Visits have to find files that are pending. */
static void test_pending(Fixture *f, gconstpointer data)
{
	uint64_t digest;
	World world = world_new(f);
	put_digests(&world);
	g_assert_cmpint(digest_of(&world, &world.dirs[0], &digest), ==, 1);
	Entry file = put(f, world.dirs[1].node, "a", stat_of(f, FIRST_INODE, ENTRY_FILE, 1, 1));
	g_assert_cmpint(digest_of(&world, &world.dirs[0], &digest), ==, 0);
	convert(f, file.inode, "alpha");
	g_assert_cmpint(digest_of(&world, &world.dirs[0], &digest), ==, 1);
}

/* Each fact counts, and so does the name; the order does not. */
static void test_facts(void)
{
	const EntryStat stat = {1, 2, 3, ENTRY_FILE, 4, 5, 6, 7, 8, 0644};
	const EntryStat others[] = {{9, 2, 3, ENTRY_FILE, 4, 5, 6, 7, 8, 0644},
	        {1, 9, 3, ENTRY_FILE, 4, 5, 6, 7, 8, 0644},
	        {1, 2, 9, ENTRY_FILE, 4, 5, 6, 7, 8, 0644},
	        {1, 2, 3, ENTRY_LINK, 4, 5, 6, 7, 8, 0644},
	        {1, 2, 3, ENTRY_FILE, 9, 5, 6, 7, 8, 0644},
	        {1, 2, 3, ENTRY_FILE, 4, 9, 6, 7, 8, 0644},
	        {1, 2, 3, ENTRY_FILE, 4, 5, 9, 7, 8, 0644},
	        {1, 2, 3, ENTRY_FILE, 4, 5, 6, 9, 8, 0644},
	        {1, 2, 3, ENTRY_FILE, 4, 5, 6, 7, 9, 0644},
	        {1, 2, 3, ENTRY_FILE, 4, 5, 6, 7, 8, 0600}};
	uint64_t digest = digest_of_entry(1, "a", &stat);
	g_assert_cmpuint(digest, ==, digest_of_entry(1, "a", &stat));
	g_assert_cmpuint(digest, !=, digest_of_entry(1, "b", &stat));
	g_assert_cmpuint(digest, !=, digest_of_entry(2, "a", &stat));
	for (size_t i = 0; i < G_N_ELEMENTS(others); i++)
		g_assert_cmpuint(digest, !=, digest_of_entry(1, "a", &others[i]));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/digest/facts", test_facts);
	FIXTURE_TEST("/digest/kept", test_kept);
	FIXTURE_TEST("/digest/pending", test_pending);
	CHECKED_TEST("/digest/random", test_random);
	return g_test_run();
}
