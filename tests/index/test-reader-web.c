/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test-reader-web.c - what is told of sources, hosts and URLs */
#include <config.h>
#include "index/read/reader-web.h"
#include "index/write/writer-web.h"
#include "tests/index/index-test.h"
#include <string.h>

static const char origin[] = "https://example.org";

static int64_t add_source(Fixture *f, const char *prefix, bool is_feed, int64_t *host_r)
{
	WebSourceRow row = {
	        .prefix = (char *)prefix, .pages_most = 10, .depth_most = 5, .bytes_most = 1000};
	g_autofree char *url = g_strconcat(origin, prefix, NULL);
	int64_t id, node;
	OK(writer_web_host(f->w, origin, &row.host, error));
	OK(writer_web_add_source(f->w, &row, &id, error));
	OK(writer_web_name_source(f->w, id, url, is_feed, &node, error));
	row.id = id;
	row.urls = 4;
	row.pages = 2;
	row.bytes = 600;
	OK(writer_web_count_source(f->w, &row, error));
	*host_r = row.host;
	return id;
}

/* status 0: never answered; due_s -1: never again. */
static void add_url(
        Fixture *f, int64_t host, const char *path, unsigned status, int64_t due_s, int64_t visited)
{
	bool is_new;
	WebUrlRow row = {.host = host,
	        .hash = web_hash(path, strlen(path)),
	        .path = (char *)path,
	        .priority = 7,
	        .depth = 2,
	        .due_s = MAX(0, due_s)};
	OK(writer_web_add_url(f->w, &row, &is_new, error));
	row.status = status;
	row.is_over = due_s < 0;
	row.visit = (WebVisit){.visited_s = visited, .failures = status >= 400 ? 3 : 0};
	if (status > 0)
		OK(writer_web_set_url(f->w, &row, error));
}

static void fill(Fixture *f)
{
	int64_t host;
	add_source(f, "/", false, &host);
	int64_t docs = add_source(f, "/docs/", false, &host);
	add_url(f, host, "/docs/", 200, 5000, 1000);
	add_url(f, host, "/docs/a", 404, 4000, 2000);
	add_url(f, host, "/docs/b", 410, -1, 3000);
	add_url(f, host, "/docs/new", 0, 6000, 0);
	add_url(f, host, "/other", 0, 10, 0);
	OK(writer_web_note_visit(f->w, docs, 3000, NULL, error));
	WebHostRow row = {.id = host,
	        .name = (char *)origin,
	        .next_ms = 9000,
	        .wait_ms = 2500,
	        .delay_ms = 4000,
	        .robots = WEB_ROBOTS_KNOWN};
	OK(writer_web_set_host(f->w, &row, error));
	g_autoptr(GBytes) rules = g_bytes_new_static("rules", 5);
	OK(writer_web_set_robots(f->w, host, rules, error));
	commit(f);
}

/* Nobody leaves a host alone for as long after each answer as it asked for once. */
static void test_pace(void)
{
	g_assert_cmpint(reader_web_pace_ms(0, 0, 0), ==, 1000);
	g_assert_cmpint(reader_web_pace_ms(5000, 0, 0), ==, 5000);
	g_assert_cmpint(reader_web_pace_ms(5000, 20000, 0), ==, 20000);
	g_assert_cmpint(reader_web_pace_ms(720 * 3600000LL, 0, 1), ==, 1000);
	g_assert_cmpint(reader_web_pace_ms(720 * 3600000LL, 3000, 99), ==, 3000);
	g_assert_cmpint(reader_web_pace_ms(6 * 3600000, 0, 16), ==, 6 * 3600000);
	g_assert_cmpint(reader_web_pace_ms(24 * 3600000, 24 * 3600000, 0), ==, 24 * 3600000);
}

static void test_sources(Fixture *f, gconstpointer data)
{
	fill(f);
	g_autoptr(GError) error = NULL;
	g_autoptr(Reader) r = reader_open(f->dir, f->cache, NULL);
	g_autoptr(GArray) sources = reader_web_sources(r, &error);
	g_assert_no_error(error);
	g_assert_cmpuint(sources->len, ==, 2);
	const WebSourceStats *all = &g_array_index(sources, WebSourceStats, 0);
	const WebSourceStats *docs = &g_array_index(sources, WebSourceStats, 1);
	g_assert_cmpstr(all->url, ==, "https://example.org/");
	g_assert_cmpint(all->waiting, ==, 2);
	g_assert_cmpint(all->next_s, ==, 10);
	g_assert_cmpint(all->visited_s, ==, 0);
	g_assert_cmpstr(docs->url, ==, "https://example.org/docs/");
	g_assert_cmpint(docs->pages, ==, 2);
	g_assert_cmpint(docs->waiting, ==, 1);
	g_assert_cmpint(docs->errors, ==, 2);
	g_assert_cmpint(docs->next_s, ==, 4000);
	g_assert_cmpint(docs->pace_ms, ==, 4000);
	g_assert_cmpint(docs->visited_s, ==, 3000);
	g_assert_null(docs->failure);
	g_assert_false(docs->is_feed || docs->robots_unreachable);
}

static void take_plan(const WebHostRow *row, void *data)
{
	*(WebPlanRow *)data = row->plan;
}

static void assert_plan_kept(Fixture *f, const WebHostRow *row)
{
	WebPlanRow got;
	OK(writer_web_set_host(f->w, row, error));
	OK(writer_web_each_host(f->w, take_plan, &got, error));
	g_assert_cmpfloat(got.price, ==, row->plan.price);
	g_assert_cmpuint(got.sources, ==, row->plan.sources);
	g_assert_cmpfloat(got.mean.changes, ==, row->plan.mean.changes);
	g_assert_cmpfloat(got.mean.seconds, ==, row->plan.mean.seconds);
	for (unsigned i = 0; i < WEB_BURSTS; i++) {
		g_assert_cmpfloat(got.bursts[i].log, ==, row->plan.bursts[i].log);
		g_assert_cmpfloat(got.bursts[i].information, ==, row->plan.bursts[i].information);
	}
}

/* What a host learned of its pages is not lost. */
static void test_plan(Fixture *f, gconstpointer data)
{
	WebHostRow row = {.name = (char *)origin};
	OK(writer_web_host(f->w, origin, &row.id, error));
	assert_plan_kept(f, &row);
	row.plan = (WebPlanRow){.price = 2.5, .weight = 3, .sources = 7};
	row.plan.bursts[3] = (WebBurst){-0.75F, 12};
	assert_plan_kept(f, &row);
	row.plan.mean = (WebMean){5, 86400};
	assert_plan_kept(f, &row);
	row.plan.bursts[WEB_BURSTS - 1] = (WebBurst){1.5F, 40};
	assert_plan_kept(f, &row);
}

static void test_failure(Fixture *f, gconstpointer data)
{
	int64_t host, feed = add_source(f, "/feed", true, &host);
	OK(writer_web_note_visit(f->w, feed, 100, NULL, error));
	OK(writer_web_note_visit(f->w, feed, 200, "timeout", error));
	WebHostRow row = {.id = host, .name = (char *)origin, .robots = WEB_ROBOTS_UNREACHABLE};
	OK(writer_web_set_host(f->w, &row, error));
	commit(f);
	g_autoptr(Reader) r = reader_open(f->dir, f->cache, NULL);
	g_autoptr(GArray) sources = reader_web_sources(r, NULL);
	const WebSourceStats *stats = &g_array_index(sources, WebSourceStats, 0);
	g_assert_cmpstr(stats->failure, ==, "timeout");
	g_assert_true(stats->is_feed && stats->robots_unreachable);
	g_assert_cmpint(stats->next_s, ==, 0);
	g_assert_cmpint(stats->pace_ms, ==, 1000);
}

static void test_visit(Fixture *f, gconstpointer data)
{
	fill(f);
	g_autoptr(Reader) r = reader_open(f->dir, f->cache, NULL);
	g_auto(WebVisitStats) bad = {0}, gone = {0}, unknown = {0}, absent = {0};
	OK(reader_web_visit(r, origin, "/docs/a", &bad, error));
	g_assert_true(bad.host_known && bad.has_source && bad.url_known && !bad.is_over);
	g_assert_cmpstr(bad.source_prefix, ==, "/docs/");
	g_assert_cmpint(bad.pages_most, ==, 10);
	g_assert_cmpint(bad.bytes, ==, 600);
	g_assert_cmpuint(bad.status, ==, 404);
	g_assert_cmpuint(bad.failures, ==, 3);
	g_assert_cmpuint(bad.depth, ==, 2);
	g_assert_cmpint(bad.visited_s, ==, 2000);
	g_assert_cmpint(bad.due_s, ==, 4000);
	g_assert_cmpint(bad.next_ms, ==, 9000);
	g_assert_cmpuint(g_bytes_get_size(bad.rules), ==, 5);
	OK(reader_web_visit(r, origin, "/docs/b", &gone, error));
	g_assert_true(gone.is_over);
	OK(reader_web_visit(r, origin, "/nobody", &unknown, error));
	g_assert_true(unknown.has_source && !unknown.url_known);
	g_assert_cmpstr(unknown.source_prefix, ==, "/");
	OK(reader_web_visit(r, "https://a.example", "/", &absent, error));
	g_assert_false(absent.host_known || absent.has_source || absent.url_known);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/index/reader-web/pace", test_pace);
	CHECKED_TEST("/index/reader-web/sources", test_sources);
	CHECKED_TEST("/index/reader-web/plan", test_plan);
	CHECKED_TEST("/index/reader-web/failure", test_failure);
	CHECKED_TEST("/index/reader-web/visit", test_visit);
	return g_test_run();
}
