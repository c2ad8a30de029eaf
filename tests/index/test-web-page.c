/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test-web-page.c - documents of sources: rows, paths, access, the kept bytes, removal */
#include <config.h>
#include "index/read/access.h"
#include "index/read/reader-page.h"
#include "index/read/reader-private.h"
#include "index/write/writer-web.h"
#include "tests/index/index-test.h"
#include <string.h>
#include <unistd.h>

static const char site[] = "https://example.org/docs/";

/* Adds a source below that prefix of example.org, and names it. */
static int64_t add_source(Fixture *f, const char *prefix, bool is_feed)
{
	WebSourceRow row = {.prefix = (char *)prefix, .pages_most = 10, .depth_most = 5};
	g_autofree char *url = g_strconcat("https://example.org", prefix, NULL);
	int64_t id, node;
	OK(writer_web_host(f->w, "https://example.org", &row.host, error));
	OK(writer_web_add_source(f->w, &row, &id, error));
	OK(writer_web_name_source(f->w, id, url, is_feed, &node, error));
	return id;
}

static Entry put_page(Fixture *f, int64_t source, const char *url, bool changed)
{
	WebPageRow row = {.source = source, .url = (char *)url, .place = {1, 300, 20}};
	Entry out;
	OK(writer_web_put_page(f->w, &row, url, url, 40, 1000, changed, &out, error));
	g_assert_cmpint(row.inode, ==, out.inode);
	return out;
}

static void remove_documents(Fixture *f, int64_t source)
{
	for (bool more = true; more;)
		OK(writer_web_remove_documents(f->w, source, NULL, NULL, &more, error));
	commit(f);
}

static void test_put(Fixture *f, gconstpointer data)
{
	int64_t source = add_source(f, "/docs/", false);
	Entry page = put_page(f, source, "https://example.org/docs/a.html", true), found;
	g_auto(WebPageRow) row = {0};
	g_assert_cmpint(page.state, ==, INODE_PENDING);
	g_assert_cmpint(page.stat.mtime_ns, ==, 1000 * G_GINT64_CONSTANT(1000000000));
	g_assert_cmpint(page.stat.uid, ==, getuid());
	convert(f, page.inode, "alpha");
	g_assert_cmpint(writer_web_get_page(f->w, page.inode, &row, NULL), ==, 1);
	g_assert_cmpstr(row.url, ==, "https://example.org/docs/a.html");
	g_assert_cmpint(row.place.offset, ==, 20);
	g_assert_cmpint(
	        writer_web_find_page(f->w, source, "https://example.org/docs/a.html", &found, NULL),
	        ==, 1);
	g_assert_cmpint(found.node, ==, page.node);
	commit(f);
	g_assert_cmpint(names(f, "docs"), ==, 1);
	g_assert_cmpint(matches(f, "alpha"), ==, 1);

	/* seen again, and equal; then changed with the same size and date */
	g_assert_cmpint(put_page(f, source, row.url, false).state, ==, INODE_DONE);
	g_assert_cmpint(put_page(f, source, row.url, true).state, ==, INODE_PENDING);
	commit(f);
	assert_totals(f);
}

/* The same URL in two sources is two documents; the root of a source and its first page too. */
static void test_same_url(Fixture *f, gconstpointer data)
{
	int64_t one = add_source(f, "/docs/", false), two = add_source(f, "/feed", true);
	Entry first = put_page(f, one, site, true), second = put_page(f, two, site, true);
	g_assert_cmpint(first.inode, !=, second.inode);
	g_assert_cmpint(first.parent, !=, second.parent);
	commit(f);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM node WHERE name = "
	                       "CAST('https://example.org/docs/' AS BLOB)"),
	        ==, 3);
	assert_totals(f);
}

static void test_paths(Fixture *f, gconstpointer data)
{
	int64_t source = add_source(f, "/docs/", false);
	Entry page = put_page(f, source, "https://example.org/docs/a/b?c=/d", true);
	Entry first = put_page(f, source, site, true);
	commit(f);
	g_autofree char *path = writer_path(f->w, page.node, NULL);
	g_autofree char *root = writer_path(f->w, page.parent, NULL);
	g_assert_cmpstr(path, ==, "https://example.org/docs/a/b?c=/d");
	g_assert_cmpstr(root, ==, site);
	g_autoptr(Reader) r = reader_open(f->dir, f->cache, NULL);
	g_autoptr(GPtrArray) infos = NULL, absent = NULL, top = NULL;
	OK(reader_info(r, path, &infos, error));
	g_assert_cmpuint(infos->len, ==, 1);
	g_assert_cmpstr(((Info *)infos->pdata[0])->path, ==, path);
	OK(reader_info(r, site, &top, error)); /* the page before the source */
	g_assert_cmpint(((Info *)top->pdata[0])->node, ==, first.node);
	OK(reader_info(r, "https://example.org/docs/none", &absent, error));
	g_assert_cmpuint(absent->len, ==, 0);
}

static void test_access(void)
{
	EntryStat stat = {.kind = ENTRY_FILE, .uid = getuid()};
	bool stale = true;
	g_assert_cmpint(access_check(site, &stat, getuid(), &stale), ==, ENTRY_SEEN);
	g_assert_false(stale);
	g_assert_cmpint(access_check(site, &stat, getuid() + 1, &stale), ==, ENTRY_GONE);
	g_assert_true(access_allows(site, ENTRY_FILE, geteuid()));
	g_assert_false(access_allows(site, ENTRY_FILE, geteuid() + 1));
	g_assert_false(access_lists(site, geteuid() + 1));
}

static void test_kept_bytes(Fixture *f, gconstpointer data)
{
	int64_t source = add_source(f, "/docs/", false);
	g_autofree char *dir = reader_store_dir(f->dir, source);
	const WarcPlace nowhere = {0};
	g_autoptr(GError) failure = NULL;
	g_autoptr(WarcStore) store = warc_store_open(dir, "test", &nowhere, NULL, NULL, &failure);
	g_assert_no_error(failure);
	WarcDraft draft = {.type = WARC_RESPONSE,
	        .uri = site,
	        .head = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=koi8-r\r\n\r\n",
	        .body = (const uint8_t *)"<p>bytes",
	        .body_length = 8};
	draft.head_length = strlen(draft.head);
	WebPageRow row = {.source = source, .url = (char *)site};
	Entry page;
	OK(warc_store_append(store, &draft, &row.place, NULL, error));
	OK(writer_web_put_page(f->w, &row, site, site, 8, 0, true, &page, error));
	commit(f);
	g_autoptr(Reader) r = reader_open(f->dir, f->cache, NULL);
	g_auto(ReaderPage) read = {0};
	g_assert_cmpint(reader_web_page(r, page.inode, &read, NULL), ==, 1);
	g_assert_cmpstr(read.content->media_type, ==, "text/html; charset=koi8-r");
	g_assert_cmpmem(g_bytes_get_data(read.content->body, NULL),
	        g_bytes_get_size(read.content->body), "<p>bytes", 8);
	g_assert_true(read.is_page);

	ReaderPage none;
	row.place.file = 0; /* not kept */
	OK(writer_web_set_page(f->w, &row, error));
	commit(f);
	g_assert_cmpint(reader_web_page(r, page.inode, &none, NULL), ==, 0);
	g_assert_cmpint(reader_web_page(r, page.inode + 100, &none, NULL), ==, 0);
	row.place = (WarcPlace){9, 9, 9}; /* a damaged row */
	OK(writer_web_set_page(f->w, &row, error));
	commit(f);
	g_assert_cmpint(reader_web_page(r, page.inode, &none, &failure), ==, -1);
	g_assert_nonnull(failure);
}

static void test_remove(Fixture *f, gconstpointer data)
{
	int64_t one = add_source(f, "/docs/", false), two = add_source(f, "/feed", true);
	Entry page = put_page(f, one, site, true);
	convert(f, page.inode, "alpha");
	for (unsigned i = 0; i < 200; i++) {
		g_autofree char *url = g_strdup_printf("%s%u", site, i);
		put_page(f, one, url, true);
	}
	put_page(f, two, site, true);
	commit(f);
	remove_documents(f, one);
	g_assert_cmpint(matches(f, "alpha"), ==, 0);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM web_page"), ==, 1);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM node"), ==, 2);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM web_root"), ==, 1);
	assert_totals(f);
	remove_documents(f, two);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM node"), ==, 0);
	remove_documents(f, 77); /* unknown */
}

static void test_places(Fixture *f, gconstpointer data)
{
	int64_t source = add_source(f, "/docs/", false);
	WarcPlace last;
	OK(writer_web_last_place(f->w, source, &last, error));
	g_assert_cmpuint(last.file, ==, 0);
	for (unsigned i = 0; i < 3; i++) {
		g_autofree char *url = g_strdup_printf("%s%u", site, i);
		WebPageRow row = {.source = source, .url = url, .place = {2 - i / 2, 5, i * 10}};
		Entry out;
		OK(writer_web_put_page(f->w, &row, url, url, 1, 1, true, &out, error));
	}
	OK(writer_web_last_place(f->w, source, &last, error));
	g_assert_cmpuint(last.file, ==, 2);
	g_assert_cmpuint(last.offset, ==, 10);
	g_autoptr(GArray) pages = g_array_new(FALSE, FALSE, sizeof(WebPageRow));
	g_array_set_clear_func(pages, (GDestroyNotify)web_page_row_clear);
	OK(writer_web_pages_in_file(f->w, source, 2, 10, pages, error));
	g_assert_cmpuint(pages->len, ==, 2);
	/* a document that goes by any way takes its row along */
	Entry entry;
	g_autofree char *url = g_strdup_printf("%s1", site);
	g_assert_cmpint(writer_web_find_page(f->w, source, url, &entry, NULL), ==, 1);
	OK(writer_remove(f->w, entry.node, error));
	OK(writer_web_last_place(f->w, source, &last, error));
	g_assert_cmpuint(last.offset, ==, 0);
}

static void count_named(const WebNamedSource *source, void *data)
{
	GString *out = data;
	g_string_append_printf(out, "%s %d;", source->url, source->is_feed);
}

static void test_named(Fixture *f, gconstpointer data)
{
	add_source(f, "/docs/", false);
	int64_t feed = add_source(f, "/feed", true);
	g_autoptr(GString) out = g_string_new(NULL);
	OK(writer_web_each_named(f->w, count_named, out, error));
	g_assert_cmpstr(out->str, ==, "https://example.org/docs/ 0;https://example.org/feed 1;");
	OK(writer_web_note_visit(f->w, feed, 100, NULL, error));
	OK(writer_web_note_visit(f->w, feed, 90, "timeout", error));
	commit(f);
	g_assert_cmpint(ask(f, "SELECT visited_s FROM web_root WHERE is_feed"), ==, 100);
	g_assert_cmpint(ask(f, "SELECT failed_s FROM web_root WHERE failure = 'timeout'"), ==, 90);
}

/* A statement that flushes the terms that FTS5 collects makes a segment of them, which has to be
 * merged later. */
static void test_one_segment(Fixture *f, gconstpointer data)
{
	static const char *const words[] = {"alpha", "beta", "gamma", "delta"};
	int64_t source = add_source(f, "/docs/", false);
	for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
		g_autofree char *url = g_strconcat(site, words[i], NULL);
		g_auto(WebPageRow) row = {0};
		Entry page = put_page(f, source, url, true);
		convert(f, page.inode, words[i]);
		g_assert_cmpint(writer_web_get_page(f->w, page.inode, &row, NULL), ==, 1);
		row.flags |= WEB_PAGE_READ;
		OK(writer_web_set_page(f->w, &row, error));
	}
	commit(f);
	g_assert_cmpint(ask(f, "SELECT count(DISTINCT segid) FROM text_idx"), ==, 1);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM web_page WHERE flags = 4"), ==, 4);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	CHECKED_TEST("/index/web-page/put", test_put);
	CHECKED_TEST("/index/web-page/same-url", test_same_url);
	CHECKED_TEST("/index/web-page/paths", test_paths);
	g_test_add_func("/index/web-page/access", test_access);
	CHECKED_TEST("/index/web-page/kept-bytes", test_kept_bytes);
	CHECKED_TEST("/index/web-page/remove", test_remove);
	CHECKED_TEST("/index/web-page/places", test_places);
	CHECKED_TEST("/index/web-page/named", test_named);
	CHECKED_TEST("/index/web-page/one-segment", test_one_segment);
	return g_test_run();
}
