/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test-rehash.c - contents whose checksum is unknown get another one, are joined or separated */
#include <config.h>
#include "tests/index/index-test.h"
#include <string.h>

typedef struct {
	Entry root, a, b, c;
	int64_t shared, single; /* contents of a and b, and of c */
} Three;

/* The index of an older program has no secret. */
static void forget_secret(Fixture *f)
{
	commit(f);
	exec_raw(f, "DELETE FROM meta WHERE key = 'checksum_key'");
	fixture_reopen(f);
}

static Three make_three(Fixture *f)
{
	Three t = {.root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5))};
	t.a = put(f, t.root.node, "a", stat_of(f, 2, ENTRY_FILE, 5, 20));
	t.b = put(f, t.root.node, "b", stat_of(f, 3, ENTRY_FILE, 5, 20));
	t.c = put(f, t.root.node, "c", stat_of(f, 4, ENTRY_FILE, 4, 20));
	t.shared = convert(f, t.a.inode, "alpha");
	OK(writer_link(f->w, t.b.inode, t.shared, error));
	t.single = convert(f, t.c.inode, "beta");
	commit(f);
	return t;
}

static Entry row_of(Fixture *f, const Entry *entry)
{
	Entry row;
	g_assert_cmpint(writer_get(f->w, entry->node, &row, NULL), ==, 1);
	return row;
}

static bool is_known(Fixture *f, const char *text)
{
	uint8_t checksum[CHECKSUM_BYTES];
	int64_t content;
	checksum_of(ZERO_KEY, text, strlen(text), checksum);
	return writer_find_content(f->w, checksum, &content, NULL) == 1;
}

static void set_checksum(
        Fixture *f, int64_t content, const uint8_t checksum[CHECKSUM_BYTES], bool makes_pending)
{
	bool pending;
	OK(writer_set_checksum(f->w, content, checksum, &pending, error));
	g_assert_cmpint(pending, ==, makes_pending);
}

static void test_secret(Fixture *f, gconstpointer data)
{
	const ChecksumKey first = *writer_checksum_key(f->w);
	make_three(f);
	fixture_reopen(f);
	g_assert_cmpmem(writer_checksum_key(f->w), sizeof first, &first, sizeof first);
	g_assert_true(is_known(f, "alpha"));
	forget_secret(f);
	g_assert_cmpint(memcmp(writer_checksum_key(f->w), &first, sizeof first), !=, 0);
	g_assert_false(is_known(f, "alpha"));
	g_assert_false(is_known(f, "beta"));
	commit(f);
	g_assert_cmpint(matches(f, "alpha"), ==, 2);
	assert_totals(f);
}

static void test_listing(Fixture *f, gconstpointer data)
{
	Three t = make_three(f);
	int64_t content, again;
	Entry file;
	g_assert_cmpint(writer_next_rehash(f->w, 0, &content, NULL), ==, 0);
	forget_secret(f);
	g_assert_cmpint(writer_next_rehash(f->w, 0, &content, NULL), ==, 1);
	g_assert_cmpint(content, ==, t.shared);
	g_assert_cmpint(writer_next_rehash(f->w, content, &again, NULL), ==, 1);
	g_assert_cmpint(again, ==, t.single);
	g_assert_cmpint(writer_next_rehash(f->w, again, &again, NULL), ==, 0);
	g_assert_cmpint(writer_next_of_content(f->w, content, 0, &file, NULL), ==, 1);
	g_assert_cmpint(file.node, ==, t.a.node);
	g_assert_cmpint(writer_next_of_content(f->w, content, file.inode, &file, NULL), ==, 1);
	g_assert_cmpint(file.node, ==, t.b.node);
	g_assert_cmpint(writer_next_of_content(f->w, content, file.inode, &file, NULL), ==, 0);
}

static void test_equal(Fixture *f, gconstpointer data)
{
	const uint8_t checksum[CHECKSUM_BYTES] = {7};
	Three t = make_three(f);
	int64_t content;
	forget_secret(f);
	set_checksum(f, t.shared, checksum, false);
	g_assert_cmpint(writer_find_content(f->w, checksum, &content, NULL), ==, 1);
	g_assert_cmpint(content, ==, t.shared);
	g_assert_cmpint(writer_next_rehash(f->w, 0, &content, NULL), ==, 1);
	g_assert_cmpint(content, ==, t.single);
}

static void test_joined(Fixture *f, gconstpointer data)
{
	Three t = make_three(f);
	uint8_t checksum[CHECKSUM_BYTES];
	checksum_of(ZERO_KEY, "alpha", 5, checksum);
	forget_secret(f);
	Entry late = put(f, t.root.node, "late", stat_of(f, 5, ENTRY_FILE, 5, 20));
	int64_t other = convert(f, late.inode, "alpha");
	set_checksum(f, t.shared, checksum, false);
	commit(f);
	g_assert_cmpint(row_of(f, &t.a).content, ==, other);
	g_assert_cmpint(row_of(f, &t.b).content, ==, other);
	g_assert_cmpint(row_of(f, &t.b).state, ==, INODE_DONE);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM content"), ==, 2);
	g_assert_cmpint(matches(f, "alpha"), ==, 3);
	assert_totals(f);
}

/* The content that has the checksum is to be converted by a newer plugin. */
static void test_joined_to_outdated(Fixture *f, gconstpointer data)
{
	Three t = make_three(f);
	uint8_t checksum[CHECKSUM_BYTES];
	unsigned queued;
	checksum_of(ZERO_KEY, "alpha", 5, checksum);
	forget_secret(f);
	set_checksum(f, t.single, checksum, false);
	OK(writer_requeue_outdated(f->w, "text", 2, &queued, error));
	OK(writer_retry(f->w, 0, &queued, error));
	OK(writer_set_inode_state(f->w, t.a.inode, INODE_DONE, REASON_NONE, NULL, error));
	set_checksum(f, t.shared, checksum, true);
	g_assert_cmpint(row_of(f, &t.a).content, ==, t.single);
	g_assert_cmpint(row_of(f, &t.a).state, ==, INODE_PENDING);
	commit(f);
	assert_totals(f);
}

static void test_unfinished(Fixture *f, gconstpointer data)
{
	const uint8_t checksum[CHECKSUM_BYTES] = {7};
	Three t = make_three(f);
	int64_t open, content;
	forget_secret(f);
	OK(writer_begin_content(f->w, checksum, 5, &open, error));
	set_checksum(f, t.shared, checksum, false);
	g_assert_cmpint(row_of(f, &t.a).content, ==, t.shared);
	g_assert_cmpint(writer_next_rehash(f->w, 0, &content, NULL), ==, 1);
	g_assert_cmpint(content, ==, t.shared);
	OK(writer_abandon_content(f->w, open, error));
}

static void test_separate(Fixture *f, gconstpointer data)
{
	Three t = make_three(f);
	int64_t content;
	forget_secret(f);
	OK(writer_separate(f->w, t.shared, error));
	g_assert_cmpint(writer_next_rehash(f->w, 0, &content, NULL), ==, 1);
	g_assert_cmpint(content, ==, t.single);
	g_assert_cmpint(row_of(f, &t.a).state, ==, INODE_PENDING);
	g_assert_cmpint(row_of(f, &t.b).state, ==, INODE_PENDING);
	g_assert_cmpint(row_of(f, &t.c).state, ==, INODE_DONE);
	g_assert_false(is_known(f, "alpha"));
	convert(f, t.a.inode, "alpha");
	convert(f, t.b.inode, "gamma");
	commit(f);
	g_assert_cmpint(matches(f, "alpha"), ==, 1);
	g_assert_cmpint(matches(f, "gamma"), ==, 1);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM content"), ==, 3);
	assert_totals(f);
}

static void test_shared(Fixture *f, gconstpointer data)
{
	Three t = make_three(f);
	int64_t content;
	unsigned n;
	OK(writer_rehash_shared(f->w, &n, error));
	g_assert_cmpuint(n, ==, 1);
	g_assert_cmpint(writer_next_rehash(f->w, 0, &content, NULL), ==, 1);
	g_assert_cmpint(content, ==, t.shared);
	g_assert_true(is_known(f, "beta"));
}

/* data: the number of digits of the ids of all contents. */
static void test_marks(Fixture *f, gconstpointer data)
{
	Three t = make_three(f);
	int64_t first = 1, content;
	unsigned n;
	for (int i = 1; i < GPOINTER_TO_INT(data); i++)
		first *= 10;
	g_autofree char *sql =
	        g_strdup_printf("UPDATE content SET id = id + %1$" G_GINT64_FORMAT
	                        ";UPDATE inode SET content = content + %1$" G_GINT64_FORMAT
	                        ";UPDATE document SET content = content + %1$" G_GINT64_FORMAT,
	                first);
	exec_raw(f, sql);
	fixture_reopen(f);
	OK(writer_rehash_shared(f->w, &n, error));
	g_assert_cmpint(writer_next_rehash(f->w, 0, &content, NULL), ==, 1);
	g_assert_cmpint(content, ==, t.shared + first);
	OK(writer_separate(f->w, content, error));
	g_assert_cmpint(writer_next_rehash(f->w, 0, &content, NULL), ==, 0);
	commit(f);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM content WHERE length(checksum) = 16"), ==, 1);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	FIXTURE_TEST("/index/rehash/a-new-secret-makes-all-checksums-unknown", test_secret);
	FIXTURE_TEST("/index/rehash/each-content-and-file-is-found-once", test_listing);
	FIXTURE_TEST("/index/rehash/equal-files-keep-their-content", test_equal);
	FIXTURE_TEST("/index/rehash/files-join-the-content-that-has-their-checksum", test_joined);
	FIXTURE_TEST("/index/rehash/files-that-join-an-outdated-content-are-pending",
	        test_joined_to_outdated);
	FIXTURE_TEST("/index/rehash/nothing-joins-an-unfinished-content", test_unfinished);
	FIXTURE_TEST("/index/rehash/different-files-are-converted-by-themselves", test_separate);
	FIXTURE_TEST("/index/rehash/shared-contents-can-be-checked-again", test_shared);
	g_test_add("/index/rehash/a-mark-of-9-digits-is-no-checksum", Fixture, GINT_TO_POINTER(9),
	        fixture_up, test_marks, fixture_down);
	g_test_add("/index/rehash/a-mark-of-7-digits-is-no-checksum", Fixture, GINT_TO_POINTER(7),
	        fixture_up, test_marks, fixture_down);
	return g_test_run();
}
