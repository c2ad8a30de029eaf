/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test-usage.c - how many bytes lie where, and which of them lie elsewhere too */
#include <config.h>
#include "index/read/reader-usage.h"
#include "tests/index/index-test.h"
#include <string.h>

/* A tree with copies within a directory, between directories, and in another root; and a file with
 * two names. */
typedef struct {
	Entry one, sub, deep, two, other;
} Tree;

static Entry file(Fixture *f, const Entry *dir, const char *name, uint64_t ino, int64_t size,
        const char *text)
{
	Entry entry = put(f, dir->node, name, stat_of(f, ino, ENTRY_FILE, size, 20));
	if (text)
		convert(f, entry.inode, text);
	return entry;
}

static Entry copy(
        Fixture *f, const Entry *dir, const char *name, uint64_t ino, int64_t size, int64_t content)
{
	Entry entry = put(f, dir->node, name, stat_of(f, ino, ENTRY_FILE, size, 20));
	OK(writer_link(f->w, entry.inode, content, error));
	return entry;
}

static Tree make_tree(Fixture *f)
{
	Tree t;
	t.one = put(f, 0, "/one", stat_of(f, 1, ENTRY_DIR, 4096, 5));
	t.sub = put(f, t.one.node, "sub", stat_of(f, 2, ENTRY_DIR, 4096, 5));
	t.deep = put(f, t.sub.node, "deep", stat_of(f, 3, ENTRY_DIR, 4096, 5));
	t.other = put(f, t.one.node, "other", stat_of(f, 4, ENTRY_DIR, 4096, 5));
	t.two = put(f, 0, "/two", stat_of(f, 5, ENTRY_DIR, 4096, 5));
	Entry twin = file(f, &t.sub, "twin", 10, 100, NULL);
	int64_t content = convert(f, twin.inode, "twin");
	copy(f, &t.deep, "twin", 11, 100, content); /* both below /one/sub */
	Entry far = file(f, &t.deep, "far", 12, 1000, NULL);
	int64_t second = convert(f, far.inode, "far");
	copy(f, &t.two, "far", 13, 1000, second); /* in both roots */
	file(f, &t.other, "alone", 14, 30, "alone");
	file(f, &t.one, "pending", 15, 7, NULL);
	put(f, t.other.node, "link", stat_of(f, 16, ENTRY_LINK, 999, 20));
	put(f, t.two.node, "second name", stat_of(f, 12, ENTRY_FILE, 1000, 20)); /* of far */
	commit(f);
	return t;
}

static const UsageEntry *entry_of(const Usage *usage, int64_t node)
{
	for (guint i = 0; i < usage->entries->len; i++)
		if (g_array_index(usage->entries, UsageEntry, i).node == node)
			return &g_array_index(usage->entries, UsageEntry, i);
	g_error("no entry %" G_GINT64_FORMAT, node);
}

static void assert_entry(const Usage *usage, const Entry *wanted, bool directory, uint64_t bytes,
        uint64_t files, uint64_t copied)
{
	const UsageEntry *entry = entry_of(usage, wanted->node);
	g_assert_cmpint(entry->directory, ==, directory);
	g_assert_cmpuint(entry->bytes, ==, bytes);
	g_assert_cmpuint(entry->files, ==, files);
	g_assert_cmpuint(entry->copied, ==, copied);
}

static Usage *usage_of(Fixture *f, int64_t node)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(Reader) reader = reader_open(f->dir, f->cache, &error);
	g_assert_no_error(error);
	Usage *usage = reader_usage(reader, node, &error);
	g_assert_no_error(error);
	return usage;
}

static void test_roots(Fixture *f, gconstpointer data)
{
	Tree t = make_tree(f);
	g_autoptr(Usage) usage = usage_of(f, 0);
	g_assert_cmpuint(usage->entries->len, ==, 2);
	/* "far" has a name in both roots: the first one counts, and the copy of it elsewhere */
	assert_entry(usage, &t.one, true, 100 + 100 + 1000 + 30 + 7, 5, 1000);
	assert_entry(usage, &t.two, true, 1000, 1, 1000);
	g_assert_cmpuint(usage->bytes, ==, 2237);
	g_assert_cmpuint(usage->copied, ==, 0); /* there is nothing outside of all */
	g_assert_cmpint(g_array_index(usage->entries, UsageEntry, 0).node, ==, t.one.node);
}

static void test_below(Fixture *f, gconstpointer data)
{
	Tree t = make_tree(f);
	g_autoptr(Usage) one = usage_of(f, t.one.node), sub = usage_of(f, t.sub.node);
	assert_entry(one, &t.sub, true, 1200, 3, 1000);
	assert_entry(one, &t.other, true, 30, 1, 0);
	g_assert_cmpuint(one->copied, ==, 1000);
	assert_entry(sub, &t.deep, true, 1100, 2, 1100); /* the twin lies beside it */
	g_assert_cmpuint(sub->entries->len, ==, 2);
	g_assert_cmpuint(sub->bytes, ==, 1200);
	g_assert_cmpuint(sub->copied, ==, 1000);
	/* a file whose first name lies elsewhere counts here too */
	g_autoptr(Usage) two = usage_of(f, t.two.node);
	g_assert_cmpuint(two->bytes, ==, 2000);
	g_assert_cmpuint(two->files, ==, 2);
	g_autoptr(Usage) none = usage_of(f, 999999);
	g_assert_cmpuint(none->entries->len + none->files, ==, 0);
}

static void test_types(Fixture *f, gconstpointer data)
{
	make_tree(f);
	g_autoptr(Usage) usage = usage_of(f, 0);
	g_assert_cmpuint(usage->types->len, ==, 2);
	const UsageType *text = &g_array_index(usage->types, UsageType, 0);
	const UsageType *unknown = &g_array_index(usage->types, UsageType, 1);
	g_assert_cmpstr(text->mime, ==, "text/plain");
	g_assert_cmpuint(text->bytes, ==, 2230);
	g_assert_cmpuint(text->files, ==, 5);
	g_assert_cmpstr(unknown->mime, ==, "");
	g_assert_cmpuint(unknown->bytes, ==, 7);
}

/* Only a damaged index has directories in a circle. */
static void test_circle(Fixture *f, gconstpointer data)
{
	Tree t = make_tree(f);
	g_autofree char *sql = g_strdup_printf("UPDATE node SET parent = %" G_GINT64_FORMAT
	                                       " WHERE id = %" G_GINT64_FORMAT,
	        t.deep.node, t.sub.node);
	exec_raw(f, sql);
	g_autoptr(Usage) roots = usage_of(f, 0), deep = usage_of(f, t.deep.node);
	assert_entry(roots, &t.one, true, 37, 2, 0);
	g_assert_cmpuint(deep->entries->len, ==, 3);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	FIXTURE_TEST("/index/usage/roots", test_roots);
	FIXTURE_TEST("/index/usage/below", test_below);
	FIXTURE_TEST("/index/usage/types", test_types);
	FIXTURE_TEST("/index/usage/circle", test_circle);
	return g_test_run();
}
