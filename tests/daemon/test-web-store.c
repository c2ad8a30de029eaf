/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test-web-store.c - compaction of the stores of sources: kills, damage, what leaves and when */
#include <config.h>
#include "daemon/engine/maintenance.h"
#include "daemon/web/traps.h"
#include "index/read/reader-page.h"
#include "tests/daemon/web-store.h"
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <sched.h>

enum { N_PAGES = 12, PAGE_BYTES = 200 << 10, DAY_S = 24 * 3600 };

static void store_up(StoreTest *t, gconstpointer keep)
{
	fixture_up(&t->base, NULL);
	store_test_open(t, keep ? keep : "page");
}

static void store_remove_dir(const char *path)
{
	g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
	const char *name;
	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *file = g_build_filename(path, name, NULL);
		if (g_unlink(file) != 0)
			store_remove_dir(file);
	}
	g_rmdir(path);
}

static void store_down(StoreTest *t, gconstpointer keep)
{
	g_autofree char *stores = in_dir(&t->base, "web"), *conf = in_dir(&t->base, "tarsier.conf");
	(void)keep;
	store_test_close(t);
	store_remove_dir(stores);
	g_unlink(conf);
	fixture_down(&t->base, NULL);
}

static char *store_page_url(unsigned i)
{
	return g_strdup_printf(SITE "%u.html", i);
}

/* The text of a page in a version: two versions differ in every part. */
static uint8_t *store_page_body(unsigned i, unsigned version, size_t length)
{
	uint8_t *bytes = store_test_noise(i * 1000 + version, length);
	bytes[0] = (uint8_t)version;
	return bytes;
}

static void store_put(StoreTest *t, unsigned i, unsigned version, size_t length)
{
	g_autofree char *url = store_page_url(i);
	g_autofree uint8_t *body = store_page_body(i, version, length);
	g_assert_cmpint(store_test_keep(t, url, body, length), ==, WEB_KEPT_NEW);
}

/* Reads the page; it must be one of its versions. False: its bytes are not kept. */
static bool store_check(StoreTest *t, unsigned i)
{
	g_autofree char *url = store_page_url(i);
	g_autoptr(GBytes) body = store_test_body(t, url);
	if (!body)
		return false;
	gsize length;
	const uint8_t *bytes = g_bytes_get_data(body, &length);
	g_autofree uint8_t *wanted = store_page_body(i, bytes[0], length);
	g_assert_cmpmem(bytes, length, wanted, length);
	return true;
}

static void store_check_all(StoreTest *t, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		g_assert_true(store_check(t, i));
}

static char *store_file(const StoreTest *t, unsigned file)
{
	return g_strdup_printf("%s/web/1/%08u.warc.gz", t->base.dir, file);
}

static uint64_t live_bytes(const StoreTest *t)
{
	return (uint64_t)ask(&t->base, "SELECT total(length) FROM web_page");
}

/* ---- what leaves */

static void test_a_file_leaves_when_most_of_it_is_dead(StoreTest *t, gconstpointer keep)
{
	for (unsigned i = 0; i < N_PAGES; i++)
		store_put(t, i, 1, PAGE_BYTES);
	store_test_commit(t);
	for (unsigned i = 0; i < N_PAGES / 2; i++)
		store_put(t, i, 2, PAGE_BYTES);
	store_test_commit(t);
	uint64_t before = store_test_bytes(t);
	store_test_compact(t, false); /* a third is dead */
	g_assert_cmpuint(store_test_bytes(t), ==, before);
	for (unsigned i = 0; i < N_PAGES; i++)
		store_put(t, i, 3, PAGE_BYTES);
	store_test_commit(t);
	store_test_compact(t, false); /* three fifths are */
	g_assert_cmpuint(store_test_bytes(t), <, live_bytes(t) + 1000);
	store_check_all(t, N_PAGES);
	store_test_compact(t, true); /* nothing is left to do */
	g_autofree char *second = store_file(t, 2), *third = store_file(t, 3);
	g_assert_true(g_file_test(second, G_FILE_TEST_EXISTS));
	g_assert_false(g_file_test(third, G_FILE_TEST_EXISTS));
}

static void test_a_scrub_leaves_nothing_dead(StoreTest *t, gconstpointer keep)
{
	for (unsigned i = 0; i < 4; i++)
		store_put(t, i, 1, 100);
	store_put(t, 1, 2, 100);
	store_test_gone(t, SITE "2.html");
	g_assert_cmpint(store_test_keep(t, SITE "3.html", NULL, 0), ==, WEB_KEPT_SAME);
	store_test_commit(t);
	store_test_compact(t, false);
	g_assert_cmpuint(store_test_bytes(t), >, live_bytes(t) + 1000);
	store_test_compact(t, true);
	g_assert_cmpuint(store_test_bytes(t), <, live_bytes(t) + 400); /* "warcinfo" */
	g_assert_true(store_check(t, 0) && store_check(t, 1) && store_check(t, 3));
	g_autofree char *first = store_file(t, 1);
	g_assert_false(g_file_test(first, G_FILE_TEST_EXISTS));
}

/* Makes an empty file of the store that was begun so long ago. */
static void begin_old_file(const StoreTest *t, int64_t age_s)
{
	static const char lines[] = "software: test\r\n";
	const WarcDraft info = {.type = WARC_INFO,
	        .date = t->now_s - age_s,
	        .body = (const uint8_t *)lines,
	        .body_length = strlen(lines)};
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	g_autofree char *path = store_file(t, 1), *dir = g_path_get_dirname(path);
	OK(warc_record_pack(&info, bytes, NULL, error));
	g_assert_cmpint(g_mkdir_with_parents(dir, 0700), ==, 0);
	g_assert_true(g_file_set_contents(path, (const char *)bytes->data, bytes->len, NULL));
}

static void test_an_old_file_keeps_nothing_dead(StoreTest *t, gconstpointer keep)
{
	begin_old_file(t, 31 * DAY_S);
	store_put(t, 0, 1, 100);
	store_put(t, 1, 1, 100);
	store_test_commit(t);
	store_test_compact(t, false); /* nothing is dead */
	g_autofree char *first = store_file(t, 1);
	g_assert_true(g_file_test(first, G_FILE_TEST_EXISTS));
	store_test_gone(t, SITE "0.html");
	store_test_commit(t);
	store_test_compact(t, false);
	g_assert_false(g_file_test(first, G_FILE_TEST_EXISTS));
	g_assert_true(store_check(t, 1));
}

static bool store_compact_slice(void *data, bool all, bool *more_r, bool *whole_r, GError **error)
{
	StoreTest *t = data;
	return web_crawl_compact(t->crawl, all, more_r, whole_r, error);
}

/* Does what the daemon does at this moment, until nothing more can be done. */
static void store_maintain(StoreTest *t, Maintenance *m, int64_t now_us)
{
	for (bool more = true; more || maintenance_next_us(m) <= now_us;) {
		if (web_crawl_stored(t->crawl))
			maintenance_note_dead(m);
		OK(maintenance_run(m, t->base.w, now_us, &more, error));
	}
}

static const char without_load[] = "/nonexistent"; /* what other programs do puts nothing off */

/* The site rests: nothing is stored or deleted that would call for a purge. */
static void test_a_dead_record_leaves_when_it_is_old(StoreTest *t, gconstpointer keep)
{
	enum { AGE_DAYS = 20 };
	const int64_t day_us = (int64_t)DAY_S * G_USEC_PER_SEC;
	Maintenance *m = maintenance_new(true, without_load);
	maintenance_set_stores(m, store_compact_slice, t);
	begin_old_file(t, AGE_DAYS * DAY_S);
	store_put(t, 0, 1, 100);
	store_put(t, 1, 1, 100);
	store_test_gone(t, SITE "0.html");
	store_test_commit(t);
	OK(maintenance_plan(m, t->base.w, 0, error));
	store_maintain(t, m, day_us);
	g_autofree char *first = store_file(t, 1);
	g_assert_true(g_file_test(first, G_FILE_TEST_EXISTS));
	g_assert_cmpint(maintenance_next_us(m), ==, 2 * day_us);
	store_test_compact(t, true);
	store_maintain(t, m, 2 * day_us);
	g_assert_cmpint(maintenance_next_us(m), ==, INT64_MAX); /* nothing dead is left */
	maintenance_free(m);
}

/* A purge does not take what dies while it goes on. */
static void test_what_dies_during_a_purge_waits_for_the_next(StoreTest *t, gconstpointer keep)
{
	const int64_t day_us = (int64_t)DAY_S * G_USEC_PER_SEC;
	Maintenance *m = maintenance_new(true, without_load);
	bool more;
	maintenance_set_stores(m, store_compact_slice, t);
	store_put(t, 0, 1, 100);
	store_test_commit(t);
	OK(maintenance_plan(m, t->base.w, 0, error));
	web_crawl_stored(t->crawl);
	OK(maintenance_run(m, t->base.w, day_us, &more, error));
	g_assert_true(more);
	maintenance_note_dead(m);
	store_maintain(t, m, day_us);
	g_assert_cmpint(maintenance_next_us(m), ==, 2 * day_us);
	store_maintain(t, m, 2 * day_us);
	g_assert_cmpint(maintenance_next_us(m), ==, INT64_MAX);
	maintenance_free(m);
}

/* Every call on the open file of the store fails from now on. */
static void break_store(StoreTest *t, unsigned file)
{
	g_autofree char *path = store_file(t, file);
	int ends[2];
	g_assert_cmpint(pipe2(ends, O_CLOEXEC), ==, 0);
	for (int fd = 3; fd < ends[0]; fd++) {
		g_autofree char *link = g_strdup_printf("/proc/self/fd/%d", fd);
		g_autofree char *target = g_file_read_link(link, NULL);
		if (g_strcmp0(target, path) == 0)
			g_assert_cmpint(dup2(ends[0], fd), ==, fd);
	}
	close(ends[0]);
	close(ends[1]);
}

/* A file of which neither the move nor the sync works costs no other one its turn. */
static void test_a_failure_skips_one_file(StoreTest *t, gconstpointer keep)
{
	bool more = true, whole = true;
	store_put(t, 0, 1, 100);
	store_put(t, 1, 1, 100);
	store_put(t, 2, 1, 100);
	OK(warc_store_begin_file(store_test_source(t)->store, error));
	store_put(t, 3, 1, 100);
	store_test_gone(t, SITE "0.html");
	store_test_gone(t, SITE "3.html"); /* nothing of the second file is alive */
	store_test_commit(t);
	OK(warc_store_begin_file(store_test_source(t)->store, error)); /* it is not synced yet */
	break_store(t, 3);
	web_crawl_stored(t->crawl);
	g_test_expect_message("tarsier-common", G_LOG_LEVEL_WARNING, "*torn end*");
	g_test_expect_message("tarsierd", G_LOG_LEVEL_WARNING, "*writing*");
	g_test_expect_message("tarsierd", G_LOG_LEVEL_WARNING, "*syncing*");
	g_test_expect_message("tarsierd", G_LOG_LEVEL_DEBUG, "*file 2 is compacted*");
	while (more)
		OK(web_crawl_compact(t->crawl, true, &more, &whole, error));
	g_test_assert_expected_messages();
	g_assert_false(whole);
	g_assert_true(web_crawl_stored(t->crawl));
	g_autofree char *first = store_file(t, 1), *second = store_file(t, 2);
	g_assert_true(g_file_test(first, G_FILE_TEST_EXISTS));
	g_assert_false(g_file_test(second, G_FILE_TEST_EXISTS));
	g_assert_true(store_check(t, 1));
}

/* ---- kills */

/* The pages change, and the store is compacted, in a process of its own. */
static void live_and_compact(StoreTest *t, unsigned version)
{
	t->base.w = writer_open(t->base.dir, t->base.cache, NULL);
	store_test_open(t, "page");
	for (unsigned i = 0; i < N_PAGES; i += 1 + version % 3)
		store_put(t, i, version, PAGE_BYTES);
	store_test_commit(t);
	store_test_compact(t, true);
	_exit(0);
}

/* Returns how many milliseconds it took. kill_ms 0: it is left alone. */
static unsigned run_and_kill(StoreTest *t, unsigned version, unsigned kill_ms)
{
	int64_t began_us = g_get_monotonic_time();
	int status;
	pid_t child = fork();
	g_assert_cmpint(child, >=, 0);
	if (child == 0)
		live_and_compact(t, version);
	if (kill_ms > 0) {
		let_time_pass(kill_ms, "the process dies at a random moment");
		kill(child, SIGKILL);
	}
	g_assert_cmpint(waitpid(child, &status, 0), ==, child);
	g_assert_true(WIFSIGNALED(status) ? WTERMSIG(status) == SIGKILL : WEXITSTATUS(status) == 0);
	return (unsigned)((g_get_monotonic_time() - began_us) / 1000);
}

static void test_a_kill_loses_no_page(StoreTest *t, gconstpointer keep)
{
	enum { KILLS = 25 };
	for (unsigned i = 0; i < N_PAGES; i++)
		store_put(t, i, 0, PAGE_BYTES);
	store_test_commit(t);
	store_test_close(t);
	g_clear_pointer(&t->base.w, writer_close);
	unsigned whole_ms = run_and_kill(t, 1, 0);
	for (unsigned k = 0; k < KILLS; k++) {
		run_and_kill(t, 2 + k, (unsigned)g_random_int_range(1, (gint32)whole_ms + 2));
		t->base.w = writer_open(t->base.dir, t->base.cache, NULL);
		store_test_open(t, "page");
		store_check_all(t, N_PAGES);
		store_test_close(t);
		g_clear_pointer(&t->base.w, writer_close);
	}
	t->base.w = writer_open(t->base.dir, t->base.cache, NULL);
	store_test_open(t, "page");
	store_test_compact(t, true);
	store_check_all(t, N_PAGES);
	g_assert_cmpuint(store_test_bytes(t), <, live_bytes(t) + 2000);
}

/* ---- readers */

/* Moves all records again and again, in a process of its own. */
static void move_records(StoreTest *t)
{
	enum { ROUNDS = 40, SMALL = 100 };
	t->base.w = writer_open(t->base.dir, t->base.cache, NULL);
	store_test_open(t, "page");
	for (unsigned i = 0; i < ROUNDS; i++) {
		store_put(t, N_PAGES, i, SMALL);
		store_test_commit(t);
		store_test_compact(t, true);
	}
	_exit(0);
}

static void read_pages(Reader *r, const GArray *inodes)
{
	for (guint i = 0; i < inodes->len; i++) {
		g_auto(ReaderPage) page = {0};
		g_autoptr(GError) error = NULL;
		int found = reader_web_page(r, g_array_index(inodes, int64_t, i), &page, &error);
		g_assert_no_error(error);
		g_assert_cmpint(found, ==, 1);
		g_autofree char *url = store_page_url(i);
		g_assert_cmpstr(page.url, ==, url);
		gsize length;
		const void *bytes = g_bytes_get_data(page.content->body, &length);
		g_autofree uint8_t *wanted = store_page_body(i, 0, length);
		g_assert_cmpmem(bytes, length, wanted, length);
	}
}

/* Between its row and its bytes, a record may move and its file may go. */
static void test_a_reader_follows_records_that_move(StoreTest *t, gconstpointer keep)
{
	g_autoptr(GArray) inodes = g_array_new(FALSE, FALSE, sizeof(int64_t));
	int status;
	for (unsigned i = 0; i < N_PAGES; i++) {
		g_auto(WebPageRow) row = {0};
		g_autofree char *url = store_page_url(i);
		store_put(t, i, 0, 1000);
		g_assert_cmpint(store_test_page(t, url, &row), ==, 1);
		g_array_append_val(inodes, row.inode);
	}
	store_test_commit(t);
	store_test_close(t);
	g_clear_pointer(&t->base.w, writer_close);
	pid_t child = fork();
	g_assert_cmpint(child, >=, 0);
	if (child == 0)
		move_records(t);
	Reader *r = reader_open(t->base.dir, t->base.cache, NULL);
	while (waitpid(child, &status, WNOHANG) == 0)
		read_pages(r, inodes);
	reader_close(r);
	g_assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	t->base.w = writer_open(t->base.dir, t->base.cache, NULL);
	store_test_open(t, "page");
}

/* ---- damage */

static void store_get_url(StoreTest *t, unsigned i, WebUrlRow *url)
{
	int64_t host;
	g_autofree char *path = g_strdup_printf("/%u.html", i);
	OK(writer_web_host(t->base.w, "https://a.example", &host, error));
	int found = writer_web_get_url(t->base.w, host, web_hash(path, strlen(path)), url, NULL);
	g_assert_cmpint(found, ==, 1);
}

static bool is_asked_whole(StoreTest *t, unsigned i)
{
	g_auto(WebUrlRow) url = {0};
	store_get_url(t, i, &url);
	return url.due_s == 0 && !url.visit.etag;
}

/* All were answered, and are due much later. */
static void store_links(StoreTest *t, unsigned n)
{
	const WebTime now = web_now();
	for (unsigned i = 0; i < n; i++) {
		g_auto(WebUrlRow) url = {0};
		g_autofree char *path = g_strdup_printf("/%u.html", i);
		OK(frontier_add(t->crawl->frontier, &now,
		        &(WebFound){.origin = "https://a.example", .path = path}, error));
		store_get_url(t, i, &url);
		url.status = 200;
		url.due_s = t->now_s + DAY_S;
		url.visit.visited_s = t->now_s;
		url.visit.etag = g_strdup("\"1\"");
		OK(writer_web_set_url(t->base.w, &url, error));
		g_assert_false(is_asked_whole(t, i));
	}
}

/* A damaged page that the compaction did not meet is found by the next visit. */
static void check_or_lose(StoreTest *t, unsigned i, unsigned *lost)
{
	g_auto(WebPageRow) row = {0};
	g_autofree char *url = store_page_url(i);
	if (store_check(t, i)) {
		g_assert_false(is_asked_whole(t, i));
		return;
	}
	++*lost;
	g_assert_cmpint(store_test_page(t, url, &row), ==, 1);
	if (row.place.file != 0)
		g_assert_cmpint(store_test_keep(t, url, NULL, 0), ==, WEB_KEPT_NOT);
	g_assert_true(is_asked_whole(t, i));
	store_put(t, i, 1, 300);
}

/* Damage at one place costs one page at most, which is asked again; the store can go on. */
static void damage_and_compact(StoreTest *t, bool cut, double where)
{
	enum { FEW = 4 };
	g_autofree char *path = store_file(t, 1), *bytes = NULL;
	gsize length;
	unsigned lost = 0;
	store_links(t, FEW);
	for (unsigned i = 0; i < FEW; i++)
		store_put(t, i, 1, 300);
	store_put(t, 0, 2, 300);
	store_test_commit(t);
	g_assert_true(g_file_get_contents(path, &bytes, &length, NULL));
	gsize place = (gsize)(where * (double)length);
	bytes[place] ^= 0x10;
	g_assert_true(g_file_set_contents(path, bytes, (gssize)(cut ? place : length), NULL));
	web_crawl_reset(t->crawl);
	WebCrawlStep step = {.may_ask = false};
	OK(web_crawl_step(t->crawl, t->base.w, &step, error));
	store_test_compact(t, true);
	commit(&t->base);
	for (unsigned i = 0; i < FEW; i++)
		check_or_lose(t, i, &lost);
	g_assert_cmpuint(lost, <=, cut ? FEW : 1);
	store_test_commit(t);
	store_check_all(t, FEW);
}

static void test_damage_costs_what_it_hit(StoreTest *t, gconstpointer keep)
{
	enum { TRIES = 12 };
	for (unsigned k = 0; k < 2 * TRIES; k++) {
		if (k > 0)
			store_up(t, keep);
		damage_and_compact(t, k % 2, (k / 2 + 0.5) / TRIES);
		if (k + 1 < 2 * TRIES)
			store_down(t, keep);
	}
}

/* The converter has read the page, so its text is in the index. */
static void convert_page(StoreTest *t, const char *url)
{
	g_auto(WebPageRow) row = {0};
	uint8_t sum[CHECKSUM_BYTES];
	const ContentEnd end = {.mime = "text/plain", .extractor = "text", .version = 1};
	gsize length;
	int64_t content;
	g_autoptr(GBytes) body = store_test_body(t, url);
	const void *bytes = g_bytes_get_data(body, &length);
	g_autoptr(Document) doc = document_of("walnut");
	checksum_of(writer_checksum_key(t->base.w), bytes, length, sum);
	g_assert_cmpint(store_test_page(t, url, &row), ==, 1);
	OK(writer_begin_content(t->base.w, sum, length, &content, error));
	OK(writer_add_document(t->base.w, content, doc, false, error));
	OK(writer_end_content(t->base.w, content, &end, error));
	OK(writer_link(t->base.w, row.inode, content, error));
	commit(&t->base);
}

/* A server that says "not modified" does not know that the bytes are lost. */
static void test_lost_bytes_are_not_confirmed(StoreTest *t, gconstpointer keep)
{
	static const char body[] = "<p>walnut";
	g_auto(WebPageRow) row = {0};
	g_assert_cmpint(store_test_keep(t, SITE "0.html", body, strlen(body)), ==, WEB_KEPT_NEW);
	store_test_commit(t);
	convert_page(t, SITE "0.html");
	g_autofree char *path = store_file(t, 1);
	g_assert_cmpint(g_unlink(path), ==, 0);
	g_assert_cmpint(store_test_keep(t, SITE "0.html", NULL, 0), ==, WEB_KEPT_NOT);
	g_assert_cmpint(store_test_page(t, SITE "0.html", &row), ==, 1);
	g_assert_cmpuint(row.place.file, ==, 0);
	g_assert_cmpint(matches(&t->base, "walnut"), ==, 1);
	web_crawl_reset(t->crawl); /* a store whose file was taken away is opened again */
	WebCrawlStep step = {.may_ask = false};
	OK(web_crawl_step(t->crawl, t->base.w, &step, error));
	g_assert_cmpint(store_test_keep(t, SITE "0.html", body, strlen(body)), ==, WEB_KEPT_SAME);
	store_test_commit(t);
	g_autoptr(GBytes) again = store_test_body(t, SITE "0.html");
	g_assert_nonnull(again);
	g_assert_cmpint(matches(&t->base, "walnut"), ==, 1);
}

/* ---- traps */

enum { N_NEAR = 5 };

/* Converts pages of one branch that say the same. Returns how many are evidence of a trap. */
static unsigned convert_near_pages(StoreTest *t, int64_t host, const char *shape)
{
	unsigned pages, poor;
	g_autoptr(GString) text = g_string_new(NULL);
	for (unsigned i = 0; i < 100; i++)
		g_string_append_printf(text, "%c%c ", 'a' + i / 10, 'k' + i % 10);
	for (unsigned i = 0; i < N_NEAR; i++) {
		g_auto(WebPageRow) row = {0};
		g_autofree char *url = store_page_url(i);
		g_autoptr(Document) doc = document_of(text->str);
		g_assert_cmpint(store_test_page(t, url, &row), ==, 1);
		OK(web_crawl_document(&row, doc, NULL, t->crawl, error));
	}
	OK(writer_web_branch(
	        t->base.w, host, web_hash(shape, strlen(shape)), &pages, &poor, error));
	return poor;
}

/* Pages whose evidence was lost with the transaction are evidence when they are read again. */
static void test_lost_evidence_of_a_trap_comes_again(StoreTest *t, gconstpointer keep)
{
	g_autofree char *shape = trap_shape("/0.html");
	int64_t host;
	OK(writer_web_host(t->base.w, "https://a.example", &host, error));
	for (unsigned i = 0; i < N_NEAR; i++) {
		store_put(t, i, 1, 100);
		OK(writer_web_count_branch(
		        t->base.w, host, web_hash(shape, strlen(shape)), 1, 0, error));
	}
	store_test_commit(t);
	unsigned evidence = convert_near_pages(t, host, shape);
	g_assert_cmpuint(evidence, >, 0);
	writer_rollback(t->base.w);
	web_crawl_reset(t->crawl);
	WebCrawlStep step = {.may_ask = false};
	OK(web_crawl_step(t->crawl, t->base.w, &step, error));
	g_assert_cmpuint(convert_near_pages(t, host, shape), ==, evidence);
}

/* ---- lessons */

/* A thread gets its name when it runs for the first time, so they are only counted. */
static unsigned count_threads(void)
{
	g_autoptr(GDir) tasks = g_dir_open("/proc/self/task", 0, NULL);
	unsigned n = 0;
	while (g_dir_read_name(tasks))
		n++;
	return n;
}

/* Pages that all have the text of the first one, so that there is much to compare. */
static void store_equal_pages(StoreTest *t, unsigned n)
{
	store_put(t, 0, 1, 100);
	store_test_commit(t);
	convert_page(t, SITE "0.html");
	int64_t content = ask(&t->base, "SELECT max(id) FROM content");
	for (unsigned i = 1; i < n; i++) {
		g_auto(WebPageRow) row = {0};
		g_autofree char *url = store_page_url(i);
		store_put(t, i, 1, 100);
		g_assert_cmpint(store_test_page(t, url, &row), ==, 1);
		OK(writer_link(t->base.w, row.inode, content, error));
	}
	store_test_commit(t);
	g_autofree char *sql = g_strdup_printf("UPDATE web_source SET pages = %u", n);
	exec_raw(&t->base, sql);
}

/* Starts the thread that learns URL rules, and resets at once. True: it was still there after that.
 */
static bool reset_while_learning(StoreTest *t)
{
	bool more = true;
	unsigned others = count_threads();
	web_crawl_reset(t->crawl);
	WebCrawlStep step = {.may_ask = false};
	OK(web_crawl_step(t->crawl, t->base.w, &step, error));
	while (more)
		OK(web_rules_step(t->crawl, &more, error));
	web_crawl_reset(t->crawl);
	bool is_there = count_threads() > others;
	while (count_threads() > others)
		let_time_pass(1, "the thread ends");
	return is_there;
}

static void store_ignore_wake(void *data)
{
	(void)data;
}

/* On one processor, the thread hardly runs between a reset and the look for it. */
static void store_use_one_processor(void)
{
	cpu_set_t all, one;
	int cpu = 0;
	g_assert_cmpint(sched_getaffinity(0, sizeof(all), &all), ==, 0);
	while (!CPU_ISSET(cpu, &all))
		cpu++;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	g_assert_cmpint(sched_setaffinity(0, sizeof(one), &one), ==, 0);
}

/* Neither new settings nor the end wait until rules are learned. */
static void test_nobody_waits_for_a_lesson(StoreTest *t, gconstpointer keep)
{
	enum { TRIES = 100, MANY = 4000 };
	bool seen = false;
	t->crawl->wake = store_ignore_wake;
	store_equal_pages(t, MANY);
	store_use_one_processor();
	for (unsigned i = 0; i < TRIES && !seen; i++)
		seen = reset_while_learning(t);
	g_assert_true(seen);
}

/* ---- settings, removal */

static void test_new_settings_keep_what_is_not_synced(StoreTest *t, gconstpointer keep)
{
	g_autofree char *path = in_dir(&t->base, "tarsier.conf");
	Settings *settings = settings_load(path, NULL, NULL);
	store_put(t, 0, 1, 100);
	const WarcStore *store = store_test_source(t)->store;
	web_crawl_configure(t->crawl, settings);
	settings_free(settings);
	g_assert_true(store_test_source(t)->store == store);
	g_assert_true(store_test_source(t)->dirty);
}

static void store_configure(StoreTest *t, const char *text)
{
	g_autofree char *path = in_dir(&t->base, "tarsier.conf");
	g_assert_true(g_file_set_contents(path, text, -1, NULL));
	Settings *settings = settings_load(path, NULL, NULL);
	web_crawl_reset(t->crawl);
	web_crawl_configure(t->crawl, settings);
	settings_free(settings);
	WebCrawlStep step = {.may_ask = false};
	OK(web_crawl_step(t->crawl, t->base.w, &step, error));
}

/* At a start, too, in whatever order the URLs of both are. */
static void test_a_feed_takes_its_url_from_a_site(StoreTest *t, gconstpointer keep)
{
	store_put(t, 0, 1, 100);
	store_put(t, 1, 1, 100);
	store_test_commit(t);
	store_configure(
	        t, "[web:" SITE "0.html]\nkind = feed\n[web:" SITE "index.html]\nkind = site\n");
	g_assert_cmpint(ask(&t->base, "SELECT count(*) FROM web_page"), ==, 1);
	g_assert_cmpint(ask(&t->base, "SELECT count(*) FROM web_source"), ==, 2);
}

/* As after a kill between the removal of the rows and that of the files. */
static void test_a_store_without_a_source_is_removed(StoreTest *t, gconstpointer keep)
{
	g_autofree char *dir = in_dir(&t->base, "web/7"), *other = in_dir(&t->base, "web/other");
	g_autofree char *file = g_build_filename(dir, "00000001.warc.gz", NULL);
	store_put(t, 0, 1, 100);
	store_test_commit(t);
	g_assert_cmpint(g_mkdir(dir, 0700), ==, 0);
	g_assert_cmpint(g_mkdir(other, 0700), ==, 0);
	g_assert_true(g_file_set_contents(file, "old", -1, NULL));
	web_crawl_reset(t->crawl);
	WebCrawlStep step = {.may_ask = false};
	OK(web_crawl_step(t->crawl, t->base.w, &step, error));
	g_assert_false(g_file_test(dir, G_FILE_TEST_EXISTS));
	g_assert_true(g_file_test(other, G_FILE_TEST_EXISTS)); /* it is not ours */
	g_assert_true(store_check(t, 0));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
#define ADD(name, f) g_test_add("/web-store/" name, StoreTest, NULL, store_up, f, store_down)
	ADD("half", test_a_file_leaves_when_most_of_it_is_dead);
	ADD("scrub", test_a_scrub_leaves_nothing_dead);
	ADD("old", test_an_old_file_keeps_nothing_dead);
	ADD("ages", test_a_dead_record_leaves_when_it_is_old);
	ADD("meanwhile", test_what_dies_during_a_purge_waits_for_the_next);
	ADD("failure", test_a_failure_skips_one_file);
	ADD("kill", test_a_kill_loses_no_page);
	ADD("readers", test_a_reader_follows_records_that_move);
	ADD("damage", test_damage_costs_what_it_hit);
	ADD("lost", test_lost_bytes_are_not_confirmed);
	ADD("traps", test_lost_evidence_of_a_trap_comes_again);
	ADD("lesson", test_nobody_waits_for_a_lesson);
	ADD("settings", test_new_settings_keep_what_is_not_synced);
	ADD("feed", test_a_feed_takes_its_url_from_a_site);
	ADD("sweep", test_a_store_without_a_source_is_removed);
#undef ADD
	return g_test_run();
}
