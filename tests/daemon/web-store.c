/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "tests/daemon/web-store.h"
#include <string.h>

void store_test_open(StoreTest *t, const char *keep)
{
	g_autofree char *path = in_dir(&t->base, "tarsier.conf");
	g_autofree char *text = g_strdup_printf(
	        "[web:" SITE "]\nkind = site\nkeep = %s\npages = 100000\nbytes = 1 TiB\n", keep);
	g_autoptr(GError) failure = NULL;
	WebCrawlStep step = {.may_ask = false};
	g_assert_true(g_file_set_contents(path, text, -1, NULL));
	Settings *settings = settings_load(path, NULL, &failure);
	g_assert_no_error(failure);
	t->crawl = web_crawl_new(t->base.dir);
	web_crawl_configure(t->crawl, settings);
	settings_free(settings);
	OK(web_crawl_step(t->crawl, t->base.w, &step, error));
	t->now_s = g_get_real_time() / G_USEC_PER_SEC;
}

void store_test_close(StoreTest *t)
{
	g_clear_pointer(&t->crawl, web_crawl_free);
}

WebSource *store_test_source(const StoreTest *t)
{
	return t->crawl->sources->pdata[0];
}

WebKept store_test_keep(StoreTest *t, const char *url, const void *body, size_t length)
{
	static const char head[] = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nETag: \"1\"\r\n"
	                           "Server: example\r\nDate: Tue, 10 Feb 2026 10:00:00 GMT\r\n\r\n";
	const WebDraft draft = {.draft = {.type = WARC_RESPONSE,
	                                .uri = url,
	                                .date = t->now_s,
	                                .head = head,
	                                .head_length = strlen(head),
	                                .body = body,
	                                .body_length = length},
	        .identity = url};
	WebKept kept = WEB_KEPT_NOT;
	OK(web_page_keep(t->crawl, store_test_source(t), &draft, &kept, error));
	return kept;
}

void store_test_gone(StoreTest *t, const char *url)
{
	OK(web_page_remove(t->crawl, store_test_source(t), url, error));
}

void store_test_commit(StoreTest *t)
{
	OK(web_sources_sync(t->crawl, error));
	commit(&t->base);
}

void store_test_compact(StoreTest *t, bool all)
{
	bool whole = false;
	for (bool more = true; more;)
		OK(web_crawl_compact(t->crawl, all, &more, &whole, error));
	g_assert_true(whole);
}

int store_test_page(StoreTest *t, const char *url, WebPageRow *row)
{
	Entry entry;
	int found = writer_web_find_page(t->base.w, store_test_source(t)->id, url, &entry, NULL);
	return found <= 0 ? found : writer_web_get_page(t->base.w, entry.inode, row, NULL);
}

GBytes *store_test_body(StoreTest *t, const char *url)
{
	g_auto(WebPageRow) row = {0};
	bool lost;
	if (store_test_page(t, url, &row) <= 0)
		return NULL;
	g_autoptr(WarcContent) content = web_source_read(t->crawl, &row, &lost);
	return content ? g_bytes_ref(content->body) : NULL;
}

uint64_t store_test_bytes(const StoreTest *t)
{
	uint64_t bytes = 0;
	g_autofree char *path = g_strdup_printf("%s/web/%d", t->base.dir, 1);
	g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
	const char *name;
	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *file = g_build_filename(path, name, NULL);
		g_autofree char *text = NULL;
		gsize length = 0;
		g_assert_true(g_file_get_contents(file, &text, &length, NULL));
		bytes += length;
	}
	return bytes;
}

uint8_t *store_test_noise(uint32_t seed, size_t length)
{
	uint8_t *bytes = g_malloc(length + 1);
	g_autoptr(GRand) rand = g_rand_new_with_seed(seed);
	for (size_t i = 0; i < length; i++)
		bytes[i] = (uint8_t)g_rand_int(rand);
	return bytes;
}
