/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test-writer.c - entries appear, change, move and disappear */
#include <config.h>
#include "tests/index/index-test.h"
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool quota_is_used_up;

/* Replaces the function of libc, because no test can set a quota. */
int fallocate(int fd, int mode, off_t offset, off_t length)
{
	if (!quota_is_used_up)
		return (int)syscall(SYS_fallocate, fd, mode, offset, length);
	errno = EDQUOT;
	return -1;
}

static void test_put(Fixture *f, gconstpointer data)
{
	Entry root = put(f, 0, "/home/u", stat_of(f, 1, ENTRY_DIR, 0, 5));
	Entry file = put(f, root.node, "Report-2023.txt", stat_of(f, 2, ENTRY_FILE, 10, 20));
	Entry again = put(f, root.node, "Report-2023.txt", stat_of(f, 2, ENTRY_FILE, 10, 20));
	Entry found;

	g_assert_cmpint(file.state, ==, INODE_PENDING);
	g_assert_cmpint(again.node, ==, file.node);
	commit(f);
	g_assert_cmpint(writer_lookup(f->w, root.node, "Report-2023.txt", &found, NULL), ==, 1);
	g_assert_cmpint(found.inode, ==, file.inode);
	g_assert_cmpint(found.stat.size, ==, 10);
	g_assert_cmpint(found.stat.uid, ==, 1000);
	g_assert_cmpint(writer_lookup(f->w, root.node, "other", &found, NULL), ==, 0);
	g_autofree char *path = writer_path(f->w, file.node, NULL);
	g_assert_cmpstr(path, ==, "/home/u/Report-2023.txt");
	g_assert_cmpint(names(f, "report"), ==, 1);
	g_assert_cmpint(names(f, "u"), ==, 1);
	g_assert_cmpint(names(f, "home"), ==, 0);
	assert_totals(f);
}

static void test_root_slash(Fixture *f, gconstpointer data)
{
	Entry root = put(f, 0, "/", stat_of(f, 1, ENTRY_DIR, 0, 5));
	Entry file = put(f, root.node, "a\xff\n", stat_of(f, 2, ENTRY_FILE, 1, 1));
	g_autofree char *path = writer_path(f->w, file.node, NULL);
	g_assert_cmpstr(path, ==, "/a\xff\n");
}

static void test_unchanged_is_free(Fixture *f, gconstpointer data)
{
	Entry root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5));
	Entry file = put(f, root.node, "a", stat_of(f, 2, ENTRY_FILE, 10, 20));
	convert(f, file.inode, "alpha");
	commit(f);
	put(f, root.node, "a", stat_of(f, 2, ENTRY_FILE, 10, 20));
	g_assert_cmpuint(writer_changes(f->w), ==, 0);
}

static void test_change(Fixture *f, gconstpointer data)
{
	Entry root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5));
	Entry file = put(f, root.node, "a", stat_of(f, 2, ENTRY_FILE, 10, 20));
	EntryStat stat = stat_of(f, 2, ENTRY_FILE, 10, 20);
	Entry now;
	convert(f, file.inode, "alpha");

	/* only the mode changes: the facts change, and the content is read again only on request */
	stat.mode = 0600;
	stat.ctime_ns = 30;
	OK(writer_put(f->w, root.node, "a", &stat, false, &now, error));
	g_assert_cmpint(now.state, ==, INODE_DONE);
	g_assert_cmpint(now.content, !=, 0);
	stat.ctime_ns = 40;
	now = put(f, root.node, "a", stat);
	g_assert_cmpint(now.state, ==, INODE_PENDING);
	commit(f);
	g_assert_cmpint(ask(f, "SELECT mode FROM inode WHERE ino = 2"), ==, 0600);
	g_assert_cmpint(matches(f, "alpha"), ==, 1); /* until the new content is written */

	/* the bytes change, and no content is needed */
	stat.size = 11;
	OK(writer_put(f->w, root.node, "a", &stat, false, &now, error));
	g_assert_cmpint(now.content, ==, 0);
	commit(f);
	g_assert_cmpint(matches(f, "alpha"), ==, 0);
	assert_totals(f);
}

static void test_rename_keeps_content(Fixture *f, gconstpointer data)
{
	Entry root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5));
	Entry dir = put(f, root.node, "olddir", stat_of(f, 3, ENTRY_DIR, 0, 5));
	Entry file = put(f, dir.node, "oldname", stat_of(f, 2, ENTRY_FILE, 10, 20));
	int64_t content = convert(f, file.inode, "alpha");
	Entry now;

	OK(writer_move(f->w, file.node, root.node, "newname", error));
	OK(writer_move(f->w, dir.node, root.node, "newdir", error));
	OK(writer_move(f->w, file.node, dir.node, "newname", error));
	commit(f);
	g_assert_cmpint(writer_lookup(f->w, dir.node, "newname", &now, NULL), ==, 1);
	g_assert_cmpint(now.content, ==, content);
	g_autofree char *path = writer_path(f->w, file.node, NULL);
	g_assert_cmpstr(path, ==, "/r/newdir/newname");
	g_assert_cmpint(names(f, "oldname OR olddir"), ==, 0);
	g_assert_cmpint(names(f, "newname"), ==, 1);
	g_assert_cmpint(matches(f, "alpha"), ==, 1);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM text_docsize"), ==, 1);
	assert_totals(f);

	g_autoptr(GError) why = NULL;
	g_assert_false(writer_move(f->w, root.node, dir.node, "x", &why));
	writer_rollback(f->w);
	g_assert_error(why, INDEX_ERROR, INDEX_ERROR_OTHER);
}

/* The path of the directory above is remembered, and no longer than it is true. */
static void test_path_after_move(Fixture *f, gconstpointer data)
{
	static const char *const paths[] = {"/r/a/x", "/r/b/x", "/r/c/b/x", "/r/c/x"};
	Entry root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5));
	Entry a = put(f, root.node, "a", stat_of(f, 2, ENTRY_DIR, 0, 5));
	Entry c = put(f, root.node, "c", stat_of(f, 3, ENTRY_DIR, 0, 5));
	Entry x = put(f, a.node, "x", stat_of(f, 4, ENTRY_FILE, 1, 1));
	for (size_t i = 0; i < G_N_ELEMENTS(paths); i++) {
		if (i == 1)
			OK(writer_move(f->w, a.node, root.node, "b", error));
		if (i == 2)
			OK(writer_move(f->w, a.node, c.node, "b", error));
		if (i == 3)
			OK(writer_move(f->w, x.node, c.node, "x", error));
		for (unsigned twice = 0; twice < 2; twice++) {
			g_autofree char *path = writer_path(f->w, x.node, NULL);
			g_assert_cmpstr(path, ==, paths[i]);
		}
	}
	commit(f);
}

static void test_move_onto(Fixture *f, gconstpointer data)
{
	Entry root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5));
	Entry a = put(f, root.node, "a", stat_of(f, 2, ENTRY_FILE, 10, 20));
	Entry b = put(f, root.node, "b", stat_of(f, 3, ENTRY_FILE, 10, 20));
	convert(f, a.inode, "alpha");
	convert(f, b.inode, "beta");
	OK(writer_move(f->w, a.node, root.node, "b", error));
	commit(f);
	g_assert_cmpint(matches(f, "beta"), ==, 0);
	g_assert_cmpint(matches(f, "alpha"), ==, 1);
	g_assert_cmpint(names(f, "a"), ==, 0);
	g_assert_cmpint(names(f, "b"), ==, 1);
	assert_totals(f);
}

static void test_hard_links(Fixture *f, gconstpointer data)
{
	g_autoptr(GArray) nodes = NULL;
	EntryStat stat = stat_of(f, 2, ENTRY_FILE, 10, 20);
	Entry root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5));
	Entry a = put(f, root.node, "a", stat);
	convert(f, a.inode, "alpha");
	Entry b = put(f, root.node, "b", stat);

	g_assert_cmpint(b.inode, ==, a.inode);
	g_assert_cmpint(b.state, ==, INODE_DONE);
	OK(writer_find_identity(f->w, &stat, 9, &nodes, error));
	g_assert_cmpuint(nodes->len, ==, 2);
	g_assert_cmpint(g_array_index(nodes, int64_t, 0), ==, a.node);
	OK(writer_remove(f->w, a.node, error));
	commit(f);
	g_assert_cmpint(matches(f, "alpha"), ==, 1);
	OK(writer_remove(f->w, b.node, error));
	commit(f);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM content"), ==, 0);
	assert_totals(f);
}

static void test_replaced_inode(Fixture *f, gconstpointer data)
{
	Entry root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5));
	Entry old = put(f, root.node, "a", stat_of(f, 2, ENTRY_FILE, 10, 20));
	convert(f, old.inode, "alpha");
	Entry new = put(f, root.node, "a", stat_of(f, 3, ENTRY_FILE, 10, 20));
	commit(f);
	g_assert_cmpint(new.node, ==, old.node);
	g_assert_cmpint(new.state, ==, INODE_PENDING);
	g_assert_cmpint(matches(f, "alpha"), ==, 0);
	assert_totals(f);

	/* a directory takes the place of a file, and a file that of a directory with an entry */
	Entry dir = put(f, root.node, "a", stat_of(f, 4, ENTRY_DIR, 0, 5));
	put(f, dir.node, "below", stat_of(f, 5, ENTRY_FILE, 1, 1));
	commit(f);
	assert_totals(f);
	put(f, root.node, "a", stat_of(f, 6, ENTRY_FILE, 1, 1));
	commit(f);
	g_assert_cmpint(names(f, "below"), ==, 0);
	assert_totals(f);

	/* the same inode number without a birth time, but another kind */
	EntryStat stat = stat_of(f, 7, ENTRY_DIR, 0, 1);
	stat.birth_ns = 0;
	dir = put(f, root.node, "b", stat);
	put(f, dir.node, "inside", stat_of(f, 8, ENTRY_FILE, 1, 1));
	stat.kind = ENTRY_FILE;
	Entry file = put(f, root.node, "b", stat);
	commit(f);
	g_assert_cmpint(file.state, ==, INODE_PENDING);
	g_assert_cmpint(names(f, "inside"), ==, 0);
	assert_totals(f);
}

/* Removes the node at once, or what is below it in parts first. Returns the number of parts. */
static unsigned remove_in_parts(Fixture *f, int64_t node, unsigned part)
{
	unsigned n = 0;
	for (unsigned budget = 0; part > 0 && budget == 0; n++) {
		int64_t before = ask(f, "SELECT count(*) FROM node");
		budget = part;
		OK(writer_remove_below(f->w, node, &budget, error));
		commit(f);
		g_assert_cmpint(before - ask(f, "SELECT count(*) FROM node"), ==, part - budget);
		assert_totals(f);
	}
	OK(writer_remove(f->w, node, error));
	return n;
}

static void test_subtree(Fixture *f, gconstpointer data)
{
	Entry root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5));
	Entry keep = put(f, root.node, "keep", stat_of(f, 2, ENTRY_FILE, 5, 5));
	Entry top = put(f, root.node, "top", stat_of(f, 3, ENTRY_DIR, 0, 5));
	uint64_t ino = 10;

	convert(f, keep.inode, "kept words");
	for (unsigned i = 0; i < 30; i++) {
		g_autofree char *name = g_strdup_printf("dir%u", i);
		Entry dir = put(f, top.node, name, stat_of(f, ino++, ENTRY_DIR, 0, 5));
		for (unsigned k = 0; k < 300; k++) {
			g_autofree char *file = g_strdup_printf("file%u.txt", k);
			put(f, dir.node, file, stat_of(f, ino++, ENTRY_FILE, k, k));
		}
		Entry deep = dir;
		for (unsigned k = 0; k < 20; k++)
			deep = put(f, deep.node, "deep", stat_of(f, ino++, ENTRY_DIR, 0, 5));
		Entry last = put(f, deep.node, "bottom", stat_of(f, ino++, ENTRY_FILE, 5, 5));
		convert(f, last.inode, name);
	}
	commit(f);
	g_assert_cmpint(names(f, "bottom"), ==, 30);
	assert_totals(f);
	int64_t nodes = ask(f, "SELECT count(*) FROM node") - 3; /* below top */
	unsigned part = GPOINTER_TO_UINT(data);
	g_assert_cmpuint(remove_in_parts(f, top.node, part), ==, part > 0 ? nodes / part + 1 : 0);
	commit(f);
	assert_totals(f);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM node"), ==, 2);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM content"), ==, 1);
	g_assert_cmpint(names(f, "file1 OR deep OR top"), ==, 0);
	g_assert_cmpint(matches(f, "kept"), ==, 1);
}

static void collect_name(const char *name, const Entry *entry, void *data)
{
	g_string_append_printf(data, "%s:%d ", name, entry->stat.kind);
}

static void test_children(Fixture *f, gconstpointer data)
{
	g_autoptr(GString) list = g_string_new(NULL);
	Entry root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5));
	put(f, root.node, "b", stat_of(f, 2, ENTRY_LINK, 0, 5));
	put(f, root.node, "a", stat_of(f, 3, ENTRY_DIR, 0, 5));
	put(f, root.node, "B", stat_of(f, 4, ENTRY_FILE, 0, 5));
	OK(writer_children(f->w, root.node, collect_name, list, error));
	g_assert_cmpstr(list->str, ==, "B:0 a:1 b:2 ");
}

static void test_some_children(Fixture *f, gconstpointer data)
{
	g_autoptr(GString) list = g_string_new(NULL);
	Entry root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5));
	put(f, root.node, "b", stat_of(f, 2, ENTRY_LINK, 0, 5));
	put(f, root.node, "a", stat_of(f, 3, ENTRY_DIR, 0, 5));
	OK(writer_some_children(f->w, root.node, 1, collect_name, list, error));
	g_assert_cmpstr(list->str, ==, "a:1 ");
}

/* A change ends the shared lock of reads, and rows that were read before it are out of date. */
static void test_reading_together(Fixture *f, gconstpointer data)
{
	Entry root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5)), now;
	commit(f);
	uint64_t version = writer_version(f->w);
	OK(writer_read_begin(f->w, error));
	g_assert_cmpint(writer_get(f->w, root.node, &now, NULL), ==, 1);
	g_assert_cmpuint(writer_version(f->w), ==, version);
	put(f, root.node, "a", stat_of(f, 2, ENTRY_FILE, 5, 20));
	g_assert_cmpuint(writer_version(f->w), >, version);
	writer_read_end(f->w);
	commit(f);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM node"), ==, 2);

	version = writer_version(f->w);
	put(f, root.node, "b", stat_of(f, 3, ENTRY_FILE, 5, 20));
	writer_rollback(f->w);
	g_assert_cmpuint(writer_version(f->w), >, version + 1);
	OK(writer_read_begin(f->w, error));
	writer_read_end(f->w);
	put(f, root.node, "c", stat_of(f, 4, ENTRY_FILE, 5, 20));
	commit(f);
	assert_totals(f);
}

static void test_pending(Fixture *f, gconstpointer data)
{
	g_autoptr(GArray) entries = NULL;
	g_autoptr(GHashTable) skip = g_hash_table_new(g_int64_hash, g_int64_equal);
	Entry root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5));
	put(f, root.node, "old", stat_of(f, 2, ENTRY_FILE, 1, 100));
	Entry new = put(f, root.node, "new", stat_of(f, 3, ENTRY_FILE, 1, 300));
	Entry middle = put(f, root.node, "middle", stat_of(f, 4, ENTRY_FILE, 1, 200));

	g_hash_table_add(skip, &new.inode);
	OK(writer_pending(f->w, &PENDING_NEWEST, 1, skip, &entries, error));
	g_assert_cmpuint(entries->len, ==, 1);
	g_assert_cmpint(g_array_index(entries, Entry, 0).inode, ==, middle.inode);
	g_assert_cmpint(g_array_index(entries, Entry, 0).node, ==, middle.node);
	g_clear_pointer(&entries, g_array_unref);
	OK(writer_pending(f->w, &PENDING_NEWEST, 10, NULL, &entries, error));
	g_assert_cmpuint(entries->len, ==, 3);
	g_assert_cmpint(g_array_index(entries, Entry, 0).inode, ==, new.inode);
}

static void test_pending_after(Fixture *f, gconstpointer data)
{
	Entry root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5));
	Entry old = put(f, root.node, "old", stat_of(f, 2, ENTRY_FILE, 1, 100));
	Entry one = put(f, root.node, "one", stat_of(f, 3, ENTRY_FILE, 1, 300));
	Entry other = put(f, root.node, "other", stat_of(f, 4, ENTRY_FILE, 1, 300));
	const int64_t wanted[] = {other.inode, one.inode, old.inode};
	PendingPlace after = PENDING_NEWEST;
	for (unsigned i = 0; i < G_N_ELEMENTS(wanted); i++) {
		g_autoptr(GArray) entries = NULL;
		OK(writer_pending(f->w, &after, 1, NULL, &entries, error));
		g_assert_cmpuint(entries->len, ==, 1);
		const Entry *entry = &g_array_index(entries, Entry, 0);
		g_assert_cmpint(entry->inode, ==, wanted[i]);
		after = (PendingPlace){entry->stat.mtime_ns, entry->inode};
	}
	g_autoptr(GArray) entries = NULL;
	OK(writer_pending(f->w, &after, 1, NULL, &entries, error));
	g_assert_cmpuint(entries->len, ==, 0);
}

static void test_states(Fixture *f, gconstpointer data)
{
	Entry root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5)), now;
	Entry file = put(f, root.node, "a", stat_of(f, 2, ENTRY_FILE, 10, 20));
	convert(f, file.inode, "alpha");
	OK(writer_set_inode_state(f->w, file.inode, INODE_FAILED, REASON_IO, "bad disk", error));
	OK(writer_set_inode_state(f->w, file.inode, INODE_FAILED, REASON_IO, "bad disk", error));
	commit(f);
	g_assert_cmpint(ask(f, "SELECT tries FROM inode WHERE ino = 2"), ==, 2);
	g_assert_cmpint(matches(f, "alpha"), ==, 1);
	now = put(f, root.node, "a", stat_of(f, 2, ENTRY_FILE, 10, 20));
	g_assert_cmpint(now.state, ==, INODE_FAILED);

	OK(writer_set_inode_state(f->w, file.inode, INODE_FAILED, REASON_UNREADABLE, NULL, error));
	commit(f);
	g_assert_cmpint(matches(f, "alpha"), ==, 0);
	OK(writer_set_inode_state(f->w, file.inode, INODE_ORPHAN, REASON_NONE, NULL, error));
	now = put(f, root.node, "a", stat_of(f, 2, ENTRY_FILE, 10, 20));
	g_assert_cmpint(now.state, ==, INODE_PENDING);
	assert_totals(f);
}

static void test_rollback(Fixture *f, gconstpointer data)
{
	Entry root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5)), now;
	commit(f);
	Entry file = put(f, root.node, "a", stat_of(f, 2, ENTRY_FILE, 5, 20));
	convert(f, file.inode, "alpha");
	writer_rollback(f->w);
	g_assert_cmpuint(writer_changes(f->w), ==, 0);
	g_assert_cmpint(writer_lookup(f->w, root.node, "a", &now, NULL), ==, 0);
	put(f, root.node, "b", stat_of(f, 3, ENTRY_FILE, 5, 20));
	commit(f);
	g_assert_cmpint(matches(f, "alpha"), ==, 0);
	assert_totals(f);
}

/* A statement fails without memory, and its caller ignores that. */
static void fail_unseen(Fixture *f)
{
	int64_t content;
	sqlite3_hard_heap_limit64(1);
	g_assert_cmpint(writer_next_rehash(f->w, 0, &content, NULL), ==, -1);
	sqlite3_hard_heap_limit64(0);
}

static void test_lost_transaction(Fixture *f, gconstpointer data)
{
	Entry root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5)), now;
	EntryStat stat = stat_of(f, 3, ENTRY_FILE, 5, 20);
	commit(f);
	put(f, root.node, "a", stat_of(f, 2, ENTRY_FILE, 5, 20));
	fail_unseen(f);
	g_autoptr(GError) error = NULL;
	g_assert_false(writer_check(f->w, &error));
	g_assert_nonnull(error);
	g_assert_false(writer_put(f->w, root.node, "b", &stat, true, &now, NULL));
	g_assert_false(writer_commit(f->w, NULL));
	writer_rollback(f->w);
	g_assert_true(writer_check(f->w, NULL));
	put(f, root.node, "c", stat);
	commit(f);
	g_assert_cmpint(writer_lookup(f->w, root.node, "a", &now, NULL), ==, 0);
	g_assert_cmpint(writer_lookup(f->w, root.node, "b", &now, NULL), ==, 0);
	g_assert_cmpint(writer_lookup(f->w, root.node, "c", &now, NULL), ==, 1);
	assert_totals(f);
}

/* Reads an old snapshot, and ends a little later. */
static void *read_awhile(void *db)
{
	let_time_pass(200, "the writer closes while this reads");
	g_assert_cmpint(sqlite3_exec(db, "COMMIT", NULL, NULL, NULL), ==, SQLITE_OK);
	return NULL;
}

/* The log is removed although a search runs at the same time. */
static void test_close_waits_for_readers(Fixture *f, gconstpointer data)
{
	g_autofree char *file = g_build_filename(f->dir, "index.db", NULL);
	g_autofree char *log = g_strconcat(file, "-wal", NULL);
	sqlite3 *db;
	GStatBuf info;
	Entry root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5));
	commit(f);
	g_assert_cmpint(sqlite3_open_v2(file, &db, SQLITE_OPEN_READONLY, NULL), ==, SQLITE_OK);
	g_assert_cmpint(sqlite3_exec(db, "BEGIN; SELECT count(*) FROM node", NULL, NULL, NULL), ==,
	        SQLITE_OK);
	put(f, root.node, "a", stat_of(f, 2, ENTRY_FILE, 10, 20));
	commit(f);
	GThread *reader = g_thread_new("reader", read_awhile, db);
	writer_close(g_steal_pointer(&f->w));
	if (g_stat(log, &info) == 0)
		g_assert_cmpint(info.st_size, ==, 0);
	g_thread_join(reader);
	sqlite3_close(db);
}

enum { LOG_HEAD_BYTES = 32, LOG_FRAME_BYTES = 24 + 4096 };

static int64_t log_bytes(const Fixture *f)
{
	g_autofree char *log = in_dir(f, "index.db-wal");
	GStatBuf info;
	return g_stat(log, &info) == 0 ? info.st_size : 0;
}

/* Adds a file with this many words that no other file has. */
static void add_words(Fixture *f, int64_t parent, unsigned file, unsigned words)
{
	g_autofree char *name = g_strdup_printf("%u", file);
	g_autoptr(GString) text = g_string_new(NULL);
	for (unsigned i = 0; i < words; i++)
		g_string_append_printf(text, "%xq%x ", i * 2654435761u, file);
	Entry entry = put(f, parent, name, stat_of(f, 10 + file, ENTRY_FILE, text->len, 20));
	convert(f, entry.inode, text->str);
}

/* Returns the longest size of the log after a commit. */
static int64_t most_log_bytes(Fixture *f)
{
	enum { FILES = 40, WORDS = 2000 };
	int64_t most = 0;
	Entry root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5));
	for (unsigned i = 0; i < FILES; i++) {
		add_words(f, root.node, i, WORDS);
		commit(f);
		most = MAX(most, log_bytes(f));
	}
	return most;
}

static void test_log_may_be_long(Fixture *f, gconstpointer data)
{
	g_assert_cmpint(most_log_bytes(f), >, LOG_HEAD_BYTES + 200 * LOG_FRAME_BYTES);
}

/* Pages are copied into the database while more are written, and then the log begins anew. */
static void test_log_is_copied_meanwhile(Fixture *f, gconstpointer data)
{
	enum { FILES = 40, WORDS = 20000, MOST_PAGES = 8000, COMMIT_PAGES = 2000 };
	g_autofree char *file = in_dir(f, "index.db");
	int64_t longest = 0;
	GStatBuf info;
	Entry root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5));
	for (unsigned i = 0; i < FILES; i++) {
		add_words(f, root.node, i, WORDS);
		commit(f);
		longest = MAX(longest, log_bytes(f));
	}
	g_assert_cmpint(longest, >, LOG_HEAD_BYTES + 4000 * LOG_FRAME_BYTES);
	g_assert_cmpint(longest, <,
	        LOG_HEAD_BYTES + (MOST_PAGES + COMMIT_PAGES) * (int64_t)LOG_FRAME_BYTES);
	g_assert_cmpint(g_stat(file, &info), ==, 0);
	g_assert_cmpint(info.st_size, >, 2000 * LOG_FRAME_BYTES);
}

static void test_log_is_short_at_the_quota(Fixture *f, gconstpointer data)
{
	quota_is_used_up = true;
	g_assert_cmpint(most_log_bytes(f), <, LOG_HEAD_BYTES + 200 * LOG_FRAME_BYTES);
	quota_is_used_up = false;
}

/* Frames after the last commit are cut off although a reader holds the log; the others are given
 * back when nobody reads them. */
static void test_shrink_log(Fixture *f, gconstpointer data)
{
	enum { FILES = 20, WORDS = 20000 };
	g_autofree char *file = in_dir(f, "index.db");
	sqlite3 *reader;
	Entry root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5));
	add_words(f, root.node, 1, 1);
	commit(f);
	int64_t committed = log_bytes(f);
	g_assert_cmpint(committed, >, 0);
	for (unsigned i = 2; i < FILES; i++)
		add_words(f, root.node, i, WORDS);
	g_assert_cmpint(log_bytes(f), >, committed);
	writer_shrink_log(f->w); /* does nothing within a transaction */
	g_assert_cmpint(log_bytes(f), >, committed);
	writer_rollback(f->w);
	g_assert_cmpint(sqlite3_open_v2(file, &reader, SQLITE_OPEN_READONLY, NULL), ==, SQLITE_OK);
	g_assert_cmpint(sqlite3_exec(reader, "BEGIN; SELECT count(*) FROM node", NULL, NULL, NULL),
	        ==, SQLITE_OK);
	writer_shrink_log(f->w);
	g_assert_cmpint(log_bytes(f), ==, committed);
	sqlite3_close(reader);
	writer_shrink_log(f->w);
	g_assert_cmpint(log_bytes(f), ==, 0);
	Entry now;
	g_assert_cmpint(writer_lookup(f->w, root.node, "1", &now, NULL), ==, 1);
	add_words(f, root.node, 2, WORDS);
	commit(f);
	assert_totals(f);
}

static void add_box(Fixture *f, int64_t inode, const char *bytes, const char *member)
{
	g_autoptr(Document) own = document_of("a box"), inside = document_of("what is in it");
	const ContentEnd end = {.mime = "application/zip", .extractor = "archive", .version = 1};
	uint8_t checksum[CHECKSUM_BYTES];
	int64_t content;
	inside->member = g_strdup(member);
	checksum_of(ZERO_KEY, bytes, strlen(bytes), checksum);
	OK(writer_begin_content(f->w, checksum, strlen(bytes), &content, error));
	OK(writer_add_document(f->w, content, own, false, error));
	OK(writer_add_document(f->w, content, inside, false, error));
	OK(writer_end_content(f->w, content, &end, error));
	OK(writer_link(f->w, inode, content, error));
}

/* Names appear, change and disappear within a transaction and across several, before and after
 * their grams are written. */
static void test_grams(Fixture *f, gconstpointer data)
{
	Entry root = put(f, 0, "/home/u", stat_of(f, 1, ENTRY_DIR, 0, 1)), last = root;
	for (unsigned i = 0; i < 300; i++) {
		g_autofree char *name = g_strdup_printf("Straße-%u.txt", i);
		last = put(f, root.node, name, stat_of(f, 10 + i, ENTRY_FILE, 1, 1));
		if (i % 5 == 0)
			OK(writer_move(f->w, last.node, root.node, "same.name", error));
		if (i % 7 == 0)
			OK(writer_move(f->w, last.node, root.node, "other\xff name", error));
		if (i % 3 == 0)
			OK(writer_remove(f->w, last.node, error));
		if (i % 50 == 49) {
			commit(f);
			assert_grams(f);
		}
		if (i % 100 == 99) {
			write_grams(f);
			assert_grams(f);
		}
	}
	last = put(f, root.node, "box.zip", stat_of(f, 5, ENTRY_FILE, 1, 1));
	add_box(f, last.inode, "one", "letters/One.txt");
	put(f, root.node, "box2.zip", stat_of(f, 6, ENTRY_FILE, 1, 1));
	commit(f);
	write_grams(f);
	assert_grams(f);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM gram WHERE gram MATCH '\"s/o\"'"), ==, 1);
	add_box(f, last.inode, "two", "letters/Two.txt");
	commit(f);
	assert_grams(f);
	OK(writer_remove(f->w, root.node, error));
	commit(f);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM gram WHERE gram MATCH '\"txt\"'"), ==, 0);
}

/* Nobody asks for it: the grams of many new names are written by a commit, also after a rollback.
 */
static void test_grams_of_many_names(Fixture *f, gconstpointer data)
{
	enum { NAMES = 3000 };
	Entry root = put(f, 0, "/home/u", stat_of(f, 1, ENTRY_DIR, 0, 1));
	commit(f);
	for (unsigned i = 0; i < NAMES; i++) {
		g_autofree char *name = g_strdup_printf("many-%u", i);
		put(f, root.node, name, stat_of(f, 10 + i, ENTRY_FILE, 1, 1));
		if (i == NAMES / 2)
			writer_rollback(f->w);
		else if (i % 100 == 0)
			commit(f);
	}
	commit(f);
	assert_grams(f);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM gram WHERE gram MATCH 'man'"), >=,
	        ask(f, "SELECT count(*) FROM node") - 1025);
}

/* Changes are written in the middle of a transaction when they are many, also by a removal whose
 * row is still there. */
static void test_grams_of_names_that_go(Fixture *f, gconstpointer data)
{
	enum { NAMES = 4090, REMOVED = 12 }; /* one of these is the 4,096th change */
	Entry files[NAMES], root = put(f, 0, "/home/u", stat_of(f, 1, ENTRY_DIR, 0, 1));
	for (unsigned i = 0; i < NAMES; i++) {
		g_autofree char *name = g_strdup_printf("many-%u", i);
		files[i] = put(f, root.node, name, stat_of(f, 10 + i, ENTRY_FILE, 1, 1));
	}
	for (unsigned i = 0; i < REMOVED; i++)
		OK(writer_remove(f->w, files[i].node, error));
	commit(f);
	assert_grams(f);
}

static void test_pending_entries_are_counted(Fixture *f, gconstpointer data)
{
	unsigned queued;
	Entry root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5));
	Entry file = put(f, root.node, "a", stat_of(f, 2, ENTRY_FILE, 5, 20));
	put(f, root.node, "link", stat_of(f, 2, ENTRY_FILE, 5, 20));
	put(f, root.node, "b", stat_of(f, 3, ENTRY_FILE, 5, 20));
	commit(f);
	g_assert_cmpint(total(f, "pending"), ==, 3);
	convert(f, file.inode, "alpha");
	commit(f);
	g_assert_cmpint(total(f, "pending"), ==, 1);
	put(f, root.node, "b", stat_of(f, 2, ENTRY_FILE, 6, 21)); /* a third name of the first */
	commit(f);
	g_assert_cmpint(total(f, "pending"), ==, 3);
	OK(writer_set_inode_state(f->w, file.inode, INODE_FAILED, REASON_IO, NULL, error));
	commit(f);
	g_assert_cmpint(total(f, "pending"), ==, 0);
	OK(writer_retry(f->w, 0, &queued, error));
	commit(f);
	g_assert_cmpint(total(f, "pending"), ==, 3);
	OK(writer_remove(f->w, file.node, error));
	writer_rollback(f->w);
	OK(writer_remove(f->w, file.node, error));
	commit(f);
	g_assert_cmpint(total(f, "pending"), ==, 2);
	assert_totals(f);
}

/* An older version may have written to the index meanwhile. */
static void test_pending_entries_are_counted_anew(Fixture *f, gconstpointer data)
{
	static const char *const changes[] = {"DELETE FROM meta WHERE key = 'pending'",
	        "UPDATE meta SET value = 7 WHERE key = 'pending'",
	        "UPDATE meta SET value = -7 WHERE key = 'pending'"};
	Entry root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5));
	put(f, root.node, "a", stat_of(f, 2, ENTRY_FILE, 5, 20));
	commit(f);
	for (size_t i = 0; i < G_N_ELEMENTS(changes); i++) {
		exec_raw(f, changes[i]);
		fixture_reopen(f);
		g_assert_cmpint(total(f, "pending"), ==, 1);
	}
}

static void test_only_files_are_retried(Fixture *f, gconstpointer data)
{
	unsigned queued;
	Entry root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5)), now;
	Entry closed = put(f, root.node, "closed", stat_of(f, 2, ENTRY_DIR, 0, 5));
	OK(writer_set_inode_state(
	        f->w, closed.inode, INODE_FAILED, REASON_UNREADABLE, NULL, error));
	OK(writer_retry(f->w, 0, &queued, error));
	g_assert_cmpuint(queued, ==, 0);
	OK(writer_retry(f->w, closed.inode, &queued, error));
	g_assert_cmpuint(queued, ==, 0);
	g_assert_cmpint(writer_get(f->w, closed.node, &now, NULL), ==, 1);
	g_assert_cmpint(now.state, ==, INODE_FAILED);
}

/* An earlier version queued directories. */
static void test_pending_directories_are_ended(Fixture *f, gconstpointer data)
{
	Entry root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5)), now;
	put(f, root.node, "a", stat_of(f, 2, ENTRY_FILE, 5, 20));
	commit(f);
	exec_raw(f, "UPDATE inode SET state = 1 WHERE kind = 1");
	g_autoptr(GArray) pending = NULL;
	OK(writer_pending(f->w, &PENDING_NEWEST, 10, NULL, &pending, error));
	g_assert_cmpuint(pending->len, ==, 1);
	fixture_reopen(f);
	g_assert_cmpint(writer_get(f->w, root.node, &now, NULL), ==, 1);
	g_assert_cmpint(now.state, ==, INODE_DONE);
	g_assert_cmpint(total(f, "pending"), ==, 1);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	CHECKED_TEST("/index/writer/put", test_put);
	CHECKED_TEST("/index/writer/root-slash", test_root_slash);
	CHECKED_TEST("/index/writer/unchanged-is-free", test_unchanged_is_free);
	CHECKED_TEST("/index/writer/change", test_change);
	CHECKED_TEST("/index/writer/rename-keeps-content", test_rename_keeps_content);
	CHECKED_TEST("/index/writer/path-after-move", test_path_after_move);
	CHECKED_TEST("/index/writer/move-onto", test_move_onto);
	CHECKED_TEST("/index/writer/hard-links", test_hard_links);
	CHECKED_TEST("/index/writer/replaced-inode", test_replaced_inode);
	CHECKED_TEST("/index/writer/subtree", test_subtree);
	g_test_add("/index/writer/subtree-in-parts", Fixture, GUINT_TO_POINTER(1000), fixture_up,
	        test_subtree, fixture_check_and_down);
	CHECKED_TEST("/index/writer/children", test_children);
	CHECKED_TEST("/index/writer/some-children", test_some_children);
	CHECKED_TEST("/index/writer/reading-together", test_reading_together);
	CHECKED_TEST("/index/writer/pending", test_pending);
	CHECKED_TEST("/index/writer/pending-after", test_pending_after);
	CHECKED_TEST("/index/writer/pending-entries-are-counted", test_pending_entries_are_counted);
	CHECKED_TEST("/index/writer/pending-entries-are-counted-anew",
	        test_pending_entries_are_counted_anew);
	CHECKED_TEST("/index/writer/only-files-are-retried", test_only_files_are_retried);
	CHECKED_TEST(
	        "/index/writer/pending-directories-are-ended", test_pending_directories_are_ended);
	CHECKED_TEST("/index/writer/states", test_states);
	CHECKED_TEST("/index/writer/rollback", test_rollback);
	CHECKED_TEST("/index/writer/lost-transaction", test_lost_transaction);
	CHECKED_TEST("/index/writer/grams", test_grams);
	CHECKED_TEST("/index/writer/grams-of-many-names", test_grams_of_many_names);
	CHECKED_TEST("/index/writer/grams-of-names-that-go", test_grams_of_names_that_go);
	CHECKED_TEST("/index/writer/log-may-be-long", test_log_may_be_long);
	CHECKED_TEST("/index/writer/log-is-copied-meanwhile", test_log_is_copied_meanwhile);
	CHECKED_TEST("/index/writer/log-is-short-at-the-quota", test_log_is_short_at_the_quota);
	CHECKED_TEST("/index/writer/shrink-log", test_shrink_log);
	CHECKED_TEST("/index/writer/close-waits-for-readers", test_close_waits_for_readers);
	return g_test_run();
}
