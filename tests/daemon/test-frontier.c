/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test-frontier.c - the frontier under clocks that jump, lost requests, and a hostile index */
#include <config.h>
#include "daemon/web/frontier.h"
#include "tests/index/index-test.h"

#define ORIGIN "https://a.example"
#define BEGIN_MS 1700000000000

typedef struct {
	Fixture base;
	Frontier *f;
	WebTime now;
	GArray *requests;
} Web;

static void clear_request(gpointer request)
{
	frontier_request_clear(request);
}

static void web_open(Web *web)
{
	g_autoptr(GError) error = NULL;
	web->f = frontier_open(web->base.w, &web->now, true, &error);
	g_assert_no_error(error);
}

static void web_pass(Web *web, int64_t ms)
{
	web->now.wall_ms += ms;
	web->now.monotonic_ms += ms;
}

static void web_up(Web *web, gconstpointer data)
{
	const WebSourceRow limits = {
	        .prefix = (char *)"/", .pages_most = 100, .depth_most = 9, .bytes_most = 1 << 30};
	fixture_up(&web->base, data);
	web->now = (WebTime){BEGIN_MS, 0};
	web->requests = g_array_new(FALSE, TRUE, sizeof(FrontierRequest));
	g_array_set_clear_func(web->requests, clear_request);
	web_open(web);
	OK(frontier_add_source(web->f, &web->now, ORIGIN, &limits, 0, error));
	g_assert_cmpint(frontier_wait_ms(web->f, &web->now), ==, 2000); /* a new host */
	web_pass(web, 2000);
}

static void web_down(Web *web, gconstpointer data)
{
	frontier_free(web->f);
	g_array_unref(web->requests);
	fixture_down(&web->base, data);
}

/* The process dies, or the machine; what is not committed is lost. */
static void web_die(Web *web, int64_t away_ms, int64_t clock_ms)
{
	frontier_free(web->f);
	writer_rollback(web->base.w);
	fixture_reopen(&web->base);
	web->now = (WebTime){web->now.wall_ms + away_ms + clock_ms, 0};
	web_open(web);
}

/* Asks for one request. Returns its path, or NULL if there is none now. */
static const char *web_ask(Web *web)
{
	g_array_set_size(web->requests, 0);
	OK(frontier_next(web->f, &web->now, 1, web->requests, error));
	return web->requests->len ? g_array_index(web->requests, FrontierRequest, 0).path : NULL;
}

static void web_answer(Web *web, const WebAnswer *answer)
{
	const FrontierRequest *r = &g_array_index(web->requests, FrontierRequest, 0);
	if (r->is_robots)
		OK(frontier_answer_robots(web->f, &web->now, r->host, answer, NULL, error));
	else if (r->is_probe)
		OK(frontier_answer_probe(web->f, &web->now, r->host, answer, NULL, error));
	else
		OK(frontier_answer(web->f, &web->now, r->host, answer, error));
	OK(frontier_commit(web->f, error));
}

/* robots.txt is read, and the next request may be made. */
static void web_begin(Web *web)
{
	g_assert_cmpstr(web_ask(web), ==, "/robots.txt");
	g_assert_null(web_ask(web));
}

static void web_begun(Web *web)
{
	g_assert_cmpstr(web_ask(web), ==, "/robots.txt");
	web_answer(web, &(WebAnswer){.status = 404});
	web_pass(web, 1000);
}

static void add_page(Web *web, const char *path)
{
	OK(frontier_add(
	        web->f, &web->now, &(WebFound){.origin = ORIGIN, .path = path, .depth = 1}, error));
}

/* The request found no network: it is made again after the wait, and no gap grows. */
static void lose_network(Web *web, int64_t wait_ms, const char *path)
{
	const FrontierRequest *r = &g_array_index(web->requests, FrontierRequest, 0);
	OK(frontier_take_back(web->f, &web->now, r->host, 0, wait_ms, error));
	OK(frontier_commit(web->f, error));
	g_assert_cmpint(frontier_wait_ms(web->f, &web->now), ==, wait_ms);
	web_pass(web, wait_ms - 1);
	g_assert_null(web_ask(web));
	web_pass(web, 1);
	g_assert_cmpstr(web_ask(web), ==, path);
}

static void test_no_network(Web *web, gconstpointer data)
{
	g_assert_cmpstr(web_ask(web), ==, "/robots.txt");
	lose_network(web, 15000, "/robots.txt");
	web_answer(web, &(WebAnswer){.status = 404});
	web_pass(web, 1000);
	g_assert_cmpstr(web_ask(web), ==, "/");
	for (unsigned n = 0; n < 20; n++)
		lose_network(web, 15000, "/");
	web_answer(web, &(WebAnswer){.status = 200});
	add_page(web, "/a");
	g_assert_cmpint(frontier_wait_ms(web->f, &web->now), ==, 1000);
	web_pass(web, 1000);
	g_assert_cmpstr(web_ask(web), ==, "/a");
}

static void test_one_request(Web *web, gconstpointer data)
{
	web_begin(web);
	web_pass(web, 3600 * 1000); /* as long as nothing is answered */
	g_assert_null(web_ask(web));
	g_assert_cmpint(frontier_wait_ms(web->f, &web->now), ==, -1);
}

static void test_clock_set(Web *web, gconstpointer data)
{
	web_begun(web);
	add_page(web, "/a");
	g_assert_cmpstr(web_ask(web), ==, "/");
	web_answer(web, &(WebAnswer){.status = 200, .duration_ms = 1000, .fresh_s = 1 << 30});
	web->now.wall_ms += 86400000 / 2; /* it is set forward */
	g_assert_null(web_ask(web));
	g_assert_cmpint(frontier_wait_ms(web->f, &web->now), ==, 10000);
	web->now.wall_ms -= (int64_t)86400000 * 300; /* and back */
	g_assert_null(web_ask(web));
	g_assert_cmpint(frontier_wait_ms(web->f, &web->now), ==, 10000);
	web_pass(web, 10000);
	g_assert_nonnull(web_ask(web));
}

/* A visit that was planned before the clock was set back comes no later than it was planned to. */
static void check_planned(Web *web, bool dies)
{
	const int64_t back_ms = -(int64_t)9 * 3600000;
	web_begun(web);
	g_assert_cmpstr(web_ask(web), ==, "/");
	web_answer(web, &(WebAnswer){.status = 200, .fresh_s = 7200});
	int64_t wait = frontier_wait_ms(web->f, &web->now);
	g_assert_cmpint(wait, >=, 7200000);
	if (dies)
		web_die(web, 0, back_ms);
	else
		web->now.wall_ms += back_ms;
	g_assert_null(web_ask(web));
	web_pass(web, 1000); /* a wait of the host */
	g_assert_null(web_ask(web));
	g_assert_cmpint(frontier_wait_ms(web->f, &web->now), <=, wait + 1000);
	web_pass(web, wait - 1000 - 60000);
	g_assert_null(web_ask(web)); /* nor much earlier */
	web_pass(web, 62000); /* its wait began when the host was looked at again */
	g_assert_cmpstr(web_ask(web), ==, "/robots.txt"); /* it may have been read long ago */
	web_answer(web, &(WebAnswer){.status = 404});
	web_pass(web, 1000);
	g_assert_cmpstr(web_ask(web), ==, "/");
}

static void test_planned_set_back(Web *web, gconstpointer data)
{
	check_planned(web, false);
}

static void test_planned_restart_set_back(Web *web, gconstpointer data)
{
	check_planned(web, true);
}

/* A page that failed, and a robots.txt that could not be read, wait an hour and not ten. */
static void test_failed_set_back(Web *web, gconstpointer data)
{
	web_begun(web);
	g_assert_cmpstr(web_ask(web), ==, "/");
	web_answer(web, &(WebAnswer){.status = 500});
	web->now.wall_ms -= (int64_t)9 * 3600000;
	web_pass(web, 1000);
	g_assert_null(web_ask(web));
	g_assert_cmpint(frontier_wait_ms(web->f, &web->now), <=, 3601000);
}

static void test_robots_set_back(Web *web, gconstpointer data)
{
	g_assert_cmpstr(web_ask(web), ==, "/robots.txt");
	web_answer(web, &(WebAnswer){.status = 500});
	web->now.wall_ms -= (int64_t)9 * 3600000;
	web_pass(web, 3601000);
	g_assert_cmpstr(web_ask(web), ==, "/robots.txt");
}

/* A wait that was stored is kept over a restart, and is never longer than it was. */
static void check_restart(Web *web, int64_t away_ms, int64_t clock_ms, int64_t wanted)
{
	web_begun(web);
	g_assert_cmpstr(web_ask(web), ==, "/");
	add_page(web, "/a");
	web_answer(web, &(WebAnswer){.status = 503, .retry_after = "600"});
	web_die(web, away_ms, clock_ms);
	g_assert_null(web_ask(web));
	g_assert_cmpint(frontier_wait_ms(web->f, &web->now), ==, wanted);
	web_pass(web, wanted);
	g_assert_nonnull(web_ask(web));
}

static void test_restart(Web *web, gconstpointer data)
{
	check_restart(web, 200000, 0, 400000);
}

static void test_restart_set_back(Web *web, gconstpointer data)
{
	check_restart(web, 200000, -(int64_t)86400000 * 300, 600000);
}

/* A host whose answer was lost waits as after one that took all the time since; then it is asked
 * again, but the second time it may be the answer that ends the process. */
static void test_lost_request(Web *web, gconstpointer data)
{
	web_begun(web);
	add_page(web, "/a");
	for (unsigned i = 0; i < 2; i++) {
		g_assert_cmpstr(web_ask(web), ==, "/");
		web_die(web, 3000, 0);
		g_assert_null(web_ask(web));
		g_assert_cmpint(frontier_wait_ms(web->f, &web->now), ==, 30000);
		web_pass(web, 30000);
	}
	g_assert_cmpstr(web_ask(web), ==, "/a");
	web_answer(web, &(WebAnswer){.status = 200, .fresh_s = 1 << 30});
	web_pass(web, 3000000);
	g_assert_null(web_ask(web));
	web_pass(web, 700000);
	g_assert_cmpstr(web_ask(web), ==, "/");
}

/* The same for robots.txt, without which nothing of the host can be asked. */
static void test_lost_robots(Web *web, gconstpointer data)
{
	for (unsigned i = 0; i < 2; i++) {
		g_assert_cmpstr(web_ask(web), ==, "/robots.txt");
		web_die(web, 3000, 0);
		g_assert_null(web_ask(web));
		web_pass(web, 30000);
	}
	g_assert_null(web_ask(web));
	web_die(web, 0, 0);
	web_pass(web, ((int64_t)POLITE_ROBOTS_RETRY_S - 60) * 1000);
	g_assert_null(web_ask(web));
	web_pass(web, 60000);
	g_assert_cmpstr(web_ask(web), ==, "/robots.txt");
	web_answer(web, &(WebAnswer){.status = 404});
	web_pass(web, 60000);
	g_assert_cmpstr(web_ask(web), ==, "/");
}

/* Validators come back byte for byte. */
static void check_validators(Web *web, const char *etag, const char *modified, bool kept)
{
	g_assert_cmpstr(web_ask(web), ==, "/");
	web_answer(web, &(WebAnswer){.status = 200, .etag = etag, .modified = modified});
	web_die(web, 0, 0);
	web_pass(web, (int64_t)SCHEDULE_MOST_S * 1000);
	const char *path = web_ask(web);
	if (g_strcmp0(path, "/robots.txt") == 0) {
		web_answer(web, &(WebAnswer){.status = 404});
		web_pass(web, 1000);
		path = web_ask(web);
	}
	const FrontierRequest *r = &g_array_index(web->requests, FrontierRequest, 0);
	g_assert_cmpstr(path, ==, "/");
	g_assert_cmpstr(r->etag, ==, kept ? etag : NULL);
	g_assert_cmpstr(r->modified, ==, modified);
	web_answer(web, &(WebAnswer){.status = 200, .fresh_s = 0});
	web_pass(web, (int64_t)20 * 3600 * 1000);
}

static void test_validators(Web *web, gconstpointer data)
{
	g_autofree char *longest = g_strnfill(WEB_VALIDATOR_MOST, 'x');
	g_autofree char *longer = g_strnfill(WEB_VALIDATOR_MOST + 1, 'x');
	web_begun(web);
	check_validators(web, "W/\"a b\"", "Sun, 06 Nov 1994 08:49:37 GMT", true);
	check_validators(web, "", "sun, 06 Nov 1994 08:49:37 GMT", true);
	check_validators(web, NULL, "Sunday, 06-Nov-94 08:49:37 GMT", true);
	check_validators(
	        web, "\"2ebc98a1-29cc\"", "Sun, 06 Nov 1994 08:49:37 GMT", true); /* nginx */
	check_validators(web, "\"2ebc98a1-0\"", "Sun, 06 Nov 1994 08:49:37 GMT", true);
	check_validators(web, "W/\"2ebc98a1-29cc\"", "Sun, 06 Nov 1994 08:49:37 GMT", true);
	check_validators(web, "\"2ebc98a2-29cc\"", "Sun, 06 Nov 1994 08:49:37 GMT", true);
	check_validators(web, "\"2ebc98a1-029cc\"", "Sun, 06 Nov 1994 08:49:37 GMT", true);
	check_validators(web, "\"2ebc98a1-29CC\"", "Sun, 06 Nov 1994 08:49:37 GMT", true);
	check_validators(web, "\"2ebc98a1-129cc29cc\"", "Sun, 06 Nov 1994 08:49:37 GMT", true);
	check_validators(web, "\"2ebc98a1-29cc\"", NULL, true);
	check_validators(web, longest, "yesterday", true);
	check_validators(web, longer, NULL, false);
}

static void break_rows(Web *web, const char *number)
{
	g_autofree char *hosts = g_strdup_printf(
	        "UPDATE web_host SET revisit = substr(CAST(%1$s || 'abcdefghijklmnopqrstuvwxyz"
	        "0123456789' || hex(zeroblob(50)) AS BLOB), 1, 36 + 8 * abs(%1$s %% 13)), address "
	        "= x'01', backoff = %1$s, robots = %1$s, "
	        "delay_ms = %1$s, next_ms = %1$s, wait_ms = %1$s, robots_s = %1$s, asked = %1$s, "
	        "asked_ms = %1$s, feed_ms = %1$s, server_ms = %1$s, server_wait_ms = %1$s",
	        number);
	g_autofree char *sources = g_strdup_printf(
	        "INSERT OR REPLACE INTO web_source(host, prefix, pages_most, depth_most, "
	        "bytes_most, every_s) VALUES(%1$s, '', %1$s, %1$s, %1$s, %1$s)",
	        number);
	frontier_free(web->f);
	writer_rollback(web->base.w);
	exec_raw(&web->base, "UPDATE web_url SET visit = substr(CAST(hash || ~hash || hash || "
	                     "~hash || hash AS BLOB), 1, abs(hash % 90)), status = hash, "
	                     "kind = ~hash, depth = hash, priority = hash, "
	                     "due = iif(hash % 3 = 0, hash, iif(hash % 3 = 1, 0, ~hash))");
	exec_raw(&web->base, hosts);
	exec_raw(&web->base, sources);
	fixture_reopen(&web->base);
	web_open(web);
}

/* With any values in the rows, the frontier opens and goes on. */
static void test_hostile_rows(Web *web, gconstpointer data)
{
	static const char *const numbers[] = {"-1", "1", "300", "1700000000000",
	        "9223372036854775807", "(-9223372036854775807 - 1)", "'text'"};
	web_begun(web);
	for (unsigned i = 0; i < 60; i++) {
		g_autofree char *path = g_strdup_printf("/%u", i);
		add_page(web, path);
	}
	OK(frontier_commit(web->f, error));
	for (size_t n = 0; n < G_N_ELEMENTS(numbers); n++) {
		break_rows(web, numbers[n]);
		for (unsigned i = 0; i < 100; i++) {
			int64_t wait = frontier_wait_ms(web->f, &web->now);
			g_assert_cmpint(wait, <=, (int64_t)2 * SCHEDULE_MOST_S * 1000);
			web_pass(web, MAX(wait, 1));
			if (web_ask(web))
				web_answer(web,
				        &(WebAnswer){.status = 200 + i % 400, .changed = i % 2});
		}
	}
}

static void set_address(Web *web, const char *origin, uint8_t last)
{
	const uint8_t address[] = {192, 0, 2, last};
	OK(frontier_set_address(web->f, &web->now, origin, address, sizeof address, error));
}

/* The only host of an address leaves it. */
static void test_address_moves(Web *web, gconstpointer data)
{
	set_address(web, ORIGIN, 1);
	set_address(web, ORIGIN, 2);
	web_begun(web);
	set_address(web, ORIGIN, 3);
	g_assert_cmpstr(web_ask(web), ==, "/");
	g_assert_null(web_ask(web));
}

/* The host that was being asked leaves the address: another one there has its turn. */
static void test_address_freed(Web *web, gconstpointer data)
{
	const char other[] = "https://b.example";
	const WebSourceRow limits = {.prefix = (char *)"/", .pages_most = 9, .bytes_most = 9};
	OK(frontier_add_source(web->f, &web->now, other, &limits, 0, error));
	set_address(web, ORIGIN, 1);
	set_address(web, other, 1);
	web_begin(web);
	web_pass(web, 10000);
	g_assert_null(web_ask(web)); /* one request at a time to an address */
	set_address(web, ORIGIN, 2);
	g_assert_cmpstr(web_ask(web), ==, "/robots.txt");
	g_assert_cmpstr(g_array_index(web->requests, FrontierRequest, 0).origin, ==, other);
}

/* Before its address is known, another port of the host waits for its turn, another host does not.
 */
static void test_one_name(Web *web, gconstpointer data)
{
	const WebSourceRow limits = {.prefix = (char *)"/", .pages_most = 9, .bytes_most = 9};
	OK(frontier_add_source(web->f, &web->now, "https://www.a.example:8443", &limits, 0, error));
	web_begin(web);
	web_pass(web, 10000);
	g_assert_null(web_ask(web));
	OK(frontier_add_source(web->f, &web->now, "https://b.example", &limits, 0, error));
	web_pass(web, 10000);
	g_assert_cmpstr(web_ask(web), ==, "/robots.txt");
	g_assert_cmpstr(
	        g_array_index(web->requests, FrontierRequest, 0).origin, ==, "https://b.example");
}

static int64_t dropped(const Web *web)
{
	return ask(&web->base, "SELECT count(*) FROM web_url WHERE due IS NULL");
}

/* The URLs of a full source are dropped, some at a time. */
static void test_full_source(Web *web, gconstpointer data)
{
	enum { PAGES = 350 };
	const WebSourceRow limits = {
	        .prefix = (char *)"/", .pages_most = 1, .depth_most = 9, .bytes_most = 1 << 30};
	web_begun(web);
	for (unsigned i = 0; i < PAGES; i++) {
		g_autofree char *path = g_strdup_printf("/%u", i);
		add_page(web, path);
	}
	g_assert_nonnull(web_ask(web));
	web_answer(web, &(WebAnswer){.status = 200, .fresh_s = 1 << 30});
	OK(frontier_add_source(web->f, &web->now, ORIGIN, &limits, 0, error));
	web_pass(web, 1000);
	g_assert_null(web_ask(web));
	g_assert_cmpint(dropped(web), >, 0);
	g_assert_cmpint(dropped(web), <, PAGES);
	while (frontier_wait_ms(web->f, &web->now) == 0)
		g_assert_null(web_ask(web));
	g_assert_cmpint(dropped(web), ==, PAGES);
}

/* ---- what may be asked */

/* robots.txt forbids these patterns, separated by blanks, and names these sitemaps. */
static Document *robots_doc(const char *patterns, const char *sitemaps)
{
	Document *doc = document_new(NULL);
	g_auto(GStrv) disallow = g_strsplit(patterns, " ", -1);
	g_auto(GStrv) maps = g_strsplit(sitemaps, " ", -1);
	document_add_link(doc, LINK_AGENT, 0, "tarsier", "0");
	for (char **pattern = disallow; *pattern && **pattern; pattern++)
		document_add_link(doc, LINK_DISALLOW, 0, *pattern, "0");
	document_add_link(doc, LINK_AGENT, 0, "*", "1");
	document_add_link(doc, LINK_DISALLOW, 0, "/", "1");
	for (char **map = maps; *map && **map; map++)
		document_add_link(doc, LINK_SITEMAP, 0, *map, "");
	return doc;
}

static void answer_robots(Web *web, const char *patterns, const char *sitemaps)
{
	const FrontierRequest *r = &g_array_index(web->requests, FrontierRequest, 0);
	g_autoptr(Document) doc = robots_doc(patterns, sitemaps);
	g_assert_true(r->is_robots);
	OK(frontier_answer_robots(web->f, &web->now, r->host, &(WebAnswer){.status = 200},
	        patterns ? doc : NULL, error));
}

/* Asks all that may be asked until the moment and returns the paths in their order. */
static char *ask_until(Web *web, int64_t end_ms, const char *patterns)
{
	g_autoptr(GString) paths = g_string_new(NULL);
	for (;;) {
		int64_t wait = frontier_wait_ms(web->f, &web->now);
		if (wait < 0 || web->now.monotonic_ms + wait > end_ms)
			break;
		web_pass(web, MAX(wait, 1));
		const char *path = web_ask(web);
		if (!path)
			continue;
		g_string_append_printf(paths, "%s ", path);
		if (strcmp(path, "/robots.txt") == 0)
			answer_robots(web, patterns, "");
		else
			web_answer(web, &(WebAnswer){.status = 200, .fresh_s = 1 << 30});
	}
	web_pass(web, MAX(0, end_ms - web->now.monotonic_ms));
	return g_string_free(g_steal_pointer(&paths), FALSE);
}

static void expect_paths(Web *web, int64_t end_ms, const char *patterns, const char *wanted)
{
	g_autofree char *paths = ask_until(web, end_ms, patterns);
	g_assert_cmpstr(paths, ==, wanted);
}

enum { HOUR_MS = 3600 * 1000 };

static void test_robots(Web *web, gconstpointer data)
{
	add_page(web, "/a/1"); /* before the rules are known */
	expect_paths(web, HOUR_MS, "/a /b/*.pdf$", "/robots.txt / ");
	add_page(web, "/a/2");
	add_page(web, "/b/x.pdf");
	add_page(web, "/b/x.pdf?y");
	expect_paths(web, 2 * HOUR_MS, "", "/b/x.pdf?y ");
	web_die(web, 0, 0); /* the rules are those that were kept */
	add_page(web, "/a/3");
	expect_paths(web, 3 * HOUR_MS, "", "");
	/* a day later, other rules */
	expect_paths(web, (int64_t)30 * HOUR_MS, "/a/2", "/robots.txt /a/3 /b/x.pdf /a/1 ");
	g_assert_cmpint(ask(&web->base, "SELECT count(*) FROM web_url WHERE due IS NULL"), ==, 1);
}

/* A page that was read is not asked while it is forbidden, and is a page that was read later. */
static void test_robots_later(Web *web, gconstpointer data)
{
	expect_paths(web, HOUR_MS, "", "/robots.txt / ");
	g_array_set_size(web->requests, 0);
	add_page(web, "/later");
	expect_paths(web, 2 * HOUR_MS, "", "/later ");
	exec_raw(&web->base, "UPDATE web_url SET due = 0");
	web_die(web, (int64_t)25 * HOUR_MS, 0);
	expect_paths(web, (int64_t)20 * HOUR_MS, "/later", "/robots.txt / ");
	g_assert_cmpint(
	        ask(&web->base, "SELECT status FROM web_url WHERE web_path(path) = '/later'"), ==,
	        WEB_HELD_SEEN);
	expect_paths(web, (int64_t)40 * HOUR_MS, "", "/robots.txt /later ");
	g_assert_cmpint(ask(&web->base, "SELECT pages FROM web_source"), ==, 2);
}

/* Nothing is asked when robots.txt could not be converted. */
static void test_robots_broken(Web *web, gconstpointer data)
{
	g_assert_cmpstr(web_ask(web), ==, "/robots.txt");
	web_answer(web, &(WebAnswer){.status = 200});
	web_pass(web, 10000);
	g_assert_null(web_ask(web));
}

static void test_sitemaps(Web *web, gconstpointer data)
{
	g_assert_cmpstr(web_ask(web), ==, "/robots.txt");
	answer_robots(web, "/hidden",
	        "/map%7E.xml https://a.example/hidden/map "
	        "https://elsewhere.example/map //a.example:443/b?z&a "
	        "http://[ mailto:a");
	expect_paths(web, HOUR_MS, "", "/b?a&z /map~.xml / ");
	g_assert_cmpint(ask(&web->base, "SELECT count(*) FROM web_url WHERE kind = 2"), ==, 3);
}

/* The documents of all sources are judged. Returns how many sources had unjudged ones. */
static unsigned check_all(Web *web)
{
	int64_t source, after;
	unsigned n = 0;
	for (; frontier_next_unchecked(web->f, &source, &after); n++) {
		g_assert_cmpint(after, ==, 0);
		OK(frontier_note_checked(web->f, 7, false, error));
		g_assert_true(frontier_next_unchecked(web->f, &source, &after));
		g_assert_cmpint(after, ==, 7);
		OK(frontier_note_checked(web->f, 9, true, error));
	}
	OK(frontier_commit(web->f, error));
	return n;
}

static bool is_wanted(Web *web, const char *path)
{
	bool wanted;
	OK(frontier_check(web->f, ORIGIN, path, &wanted, error));
	return wanted;
}

/* Documents are judged again after each change of the rules, and after a kill from the beginning.
 */
static void test_recheck(Web *web, gconstpointer data)
{
	const char *const exclude[] = {"*.pdf", NULL};
	add_page(web, "/a.pdf");
	add_page(web, "/b");
	expect_paths(web, HOUR_MS, "", "/robots.txt / /a.pdf /b ");
	check_all(web);
	g_assert_true(is_wanted(web, "/a.pdf"));
	OK(frontier_set_patterns(web->f, &web->now, ORIGIN, "/", NULL, exclude, error));
	g_assert_true(frontier_has_unchecked(web->f));
	web_die(web, 0, 0);
	OK(frontier_set_patterns(web->f, &web->now, ORIGIN, "/", NULL, exclude, error));
	g_assert_true(!is_wanted(web, "/a.pdf") && is_wanted(web, "/b"));
	OK(frontier_commit(web->f, error));
	g_assert_cmpint(ask(&web->base, "SELECT count(*) FROM web_url WHERE due IS NULL"), ==, 1);
	g_assert_cmpuint(check_all(web), ==, 1);
	web_die(web, 0, 0);
	OK(frontier_set_patterns(web->f, &web->now, ORIGIN, "/", NULL, exclude, error));
	g_assert_cmpuint(check_all(web), ==, 0);
	add_page(web, "/c");
	expect_paths(web, (int64_t)30 * HOUR_MS, "/b", "/c /robots.txt ");
	web_die(web, 0, 0);
	OK(frontier_set_patterns(web->f, &web->now, ORIGIN, "/", NULL, exclude, error));
	g_assert_cmpuint(check_all(web), ==, 1);
	g_assert_false(is_wanted(web, "/b"));
}

static void test_patterns(Web *web, gconstpointer data)
{
	const char *const include[] = {"*/docs/*", "https://a.example/x", NULL};
	const char *const exclude[] = {"*.pdf", NULL};
	OK(frontier_set_patterns(web->f, &web->now, ORIGIN, "/", include, exclude, error));
	add_page(web, "/docs/a");
	add_page(web, "/docs/a.pdf");
	add_page(web, "/x");
	add_page(web, "/y");
	expect_paths(web, HOUR_MS, "", "/robots.txt / /x /docs/a ");
	check_all(web);
	web_die(web, 0, 0);
	OK(frontier_set_patterns(web->f, &web->now, ORIGIN, "/", include, exclude, error));
	g_assert_cmpint(ask(&web->base, "SELECT count(*) FROM web_url WHERE due IS NULL"), ==, 2);
	OK(frontier_set_patterns(web->f, &web->now, ORIGIN, "/", NULL, exclude, error));
	expect_paths(web, 2 * HOUR_MS, "", "/y ");
	OK(frontier_set_patterns(web->f, &web->now, ORIGIN, "/", NULL, NULL, error));
	expect_paths(web, 3 * HOUR_MS, "", "/docs/a.pdf ");
}

static void set_limits(Web *web, const char *prefix, int64_t pages, int64_t depth)
{
	const WebSourceRow limits = {.prefix = (char *)prefix,
	        .pages_most = pages,
	        .depth_most = depth,
	        .bytes_most = 1 << 30};
	OK(frontier_add_source(web->f, &web->now, ORIGIN, &limits, 0, error));
}

static void test_limits_raised(Web *web, gconstpointer data)
{
	set_limits(web, "/", 2, 0);
	add_page(web, "/a"); /* too deep */
	expect_paths(web, HOUR_MS, "", "/robots.txt / ");
	set_limits(web, "/", 2, 1);
	add_page(web, "/b");
	expect_paths(web, 2 * HOUR_MS, "", "/a "); /* the source is full now */
	set_limits(web, "/", 3, 1);
	expect_paths(web, 3 * HOUR_MS, "", "/b ");
}

static void add_full_feed(Web *web, const char *path, int64_t pages)
{
	const WebSourceRow limits = {.prefix = (char *)path,
	        .pages_most = pages,
	        .depth_most = 9,
	        .bytes_most = 1000,
	        .first = WEB_FEED,
	        .full = true};
	OK(frontier_add_source(web->f, &web->now, ORIGIN, &limits, 0, error));
}

static void add_items(Web *web, const char *feed, const char *name, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		g_autofree char *path = g_strdup_printf("/%s%u", name, i);
		const WebFound found = {.origin = ORIGIN,
		        .path = path,
		        .kind = WEB_ITEM,
		        .feed = feed,
		        .depth = 1,
		        .is_listed = true};
		OK(frontier_add(web->f, &web->now, &found, error));
	}
}

/* Asks all that is due. Returns how many paths that are asked begin so. */
static unsigned ask_items(Web *web, const char *prefix, int64_t bytes)
{
	unsigned n = 0;
	const int64_t end_ms = web->now.monotonic_ms + HOUR_MS / 2;
	for (int64_t wait; (wait = frontier_wait_ms(web->f, &web->now)) >= 0 &&
	                   web->now.monotonic_ms + wait <= end_ms;) {
		web_pass(web, MAX(wait, 1));
		const char *path = web_ask(web);
		if (!path)
			continue;
		bool of_long = g_str_has_prefix(path, "/long");
		n += g_str_has_prefix(path, prefix);
		web_answer(web, &(WebAnswer){.status = strcmp(path, "/robots.txt") ? 200 : 404,
		                        .fresh_s = 1 << 30,
		                        .bytes = bytes,
		                        .feed = of_long ? "/long-name.xml" : "/b.xml"});
	}
	return n;
}

/* Each feed of a host has the room of its own items, in URLs and in bytes. */
static void test_full_feeds(Web *web, gconstpointer data)
{
	set_limits(web, "/", 1, 9);
	add_full_feed(web, "/long-name.xml", 5);
	add_full_feed(web, "/b.xml", 5);
	add_items(web, "/long-name.xml", "long", 50);
	add_items(web, "/b.xml", "b", 3);
	g_assert_cmpuint(ask_items(web, "/b", 0), ==, 3 + 1); /* and the feed */
	g_assert_cmpint(
	        ask(&web->base,
	                "SELECT count(*) FROM web_url WHERE web_path(path) LIKE '/long_' AND "
	                "status = 200"),
	        ==, 4);
	g_assert_cmpint(
	        ask(&web->base, "SELECT pages FROM web_source WHERE prefix = '/b.xml'"), ==, 4);
}

static void test_full_feeds_bytes(Web *web, gconstpointer data)
{
	set_limits(web, "/", 1, 9);
	add_full_feed(web, "/long-name.xml", 50);
	add_full_feed(web, "/b.xml", 50);
	add_items(web, "/b.xml", "b", 2);
	(void)ask_items(web, "/b", 600);
	add_items(web, "/b.xml", "more-b", 2);
	add_items(web, "/long-name.xml", "long", 2);
	g_assert_cmpuint(ask_items(web, "/long", 1), ==, 2);
	g_assert_cmpint(
	        ask(&web->base, "SELECT count(*) FROM web_url WHERE web_path(path) LIKE '/more%'"),
	        ==, 0);
}

static void find_about(Web *web, const char *path, double topic)
{
	OK(frontier_add(web->f, &web->now,
	        &(WebFound){.origin = ORIGIN, .path = path, .depth = 1, .link_topic = topic},
	        error));
}

static const char *answer_and_ask(Web *web, const char *path, const char *next_link)
{
	web_answer(web, &(WebAnswer){.status = 200, .fresh_s = 1 << 30, .changed = true});
	frontier_wait_for_links(web->f, &web->now, ORIGIN, path, 60000);
	web_pass(web, 59999);
	g_assert_null(web_ask(web));
	g_assert_cmpint(frontier_wait_ms(web->f, &web->now), ==, 1);
	if (next_link)
		find_about(web, next_link, 1);
	frontier_end_wait(web->f, &web->now, ORIGIN, "/another");
	g_assert_null(web_ask(web));
	if (next_link)
		frontier_end_wait(web->f, &web->now, ORIGIN, path);
	else
		web_pass(web, 1);
	return web_ask(web);
}

static void begin_focused(Web *web)
{
	const WebSourceRow limits = {.prefix = (char *)"/",
	        .pages_most = 100,
	        .depth_most = 9,
	        .bytes_most = 1 << 30,
	        .focused = true};
	OK(frontier_add_source(web->f, &web->now, ORIGIN, &limits, 0, error));
	web_begun(web);
	g_assert_cmpstr(web_ask(web), ==, "/");
}

/* A focused crawl knows the links of a page before it asks the next one, but waits a minute at
 * most. */
static void test_focus_waits(Web *web, gconstpointer data)
{
	begin_focused(web);
	find_about(web, "/other", .1);
	g_assert_cmpstr(answer_and_ask(web, "/", "/topic"), ==, "/topic");
	g_assert_cmpstr(answer_and_ask(web, "/topic", NULL), ==, "/other");
}

/* A better link to a page that is known, be it in the part of the queue that is in memory or not,
 * counts at once. */
static void test_focus_raises(Web *web, gconstpointer data)
{
	enum { MORE_THAN_QUEUE = 40 };
	begin_focused(web);
	for (int i = 0; i < MORE_THAN_QUEUE; i++) {
		g_autofree char *path = g_strdup_printf("/p%c%c", 'a' + i / 10, 'a' + i % 10);
		find_about(web, path, .1);
	}
	g_assert_cmpstr(answer_and_ask(web, "/", "/topic"), ==, "/topic");
	g_assert_cmpstr(answer_and_ask(web, "/topic", "/pac"), ==, "/pac");
	g_assert_cmpstr(answer_and_ask(web, "/pac", "/pdj"), ==, "/pdj");
	find_about(web, "/pdj", 1); /* while it is asked: not once more */
	g_assert_cmpstr(answer_and_ask(web, "/pdj", NULL), ==, "/paa");
}

/* Without a topic, one page is as good as the other. */
static void test_others_do_not_wait(Web *web, gconstpointer data)
{
	web_begun(web);
	g_assert_cmpstr(web_ask(web), ==, "/");
	add_page(web, "/other");
	web_answer(web, &(WebAnswer){.status = 200, .fresh_s = 1 << 30, .changed = true});
	frontier_wait_for_links(web->f, &web->now, ORIGIN, "/", 60000);
	web_pass(web, 1000);
	g_assert_cmpstr(web_ask(web), ==, "/other");
}

/* ---- the network is away */

/* While nothing answers, a host is asked less and less often; when the network is back, nothing is
 * asked in a hurry. */
static void test_network_away(Web *web, gconstpointer data)
{
	unsigned asked = 0;
	int64_t last_ms = 0;
	expect_paths(web, HOUR_MS, "", "/robots.txt / ");
	for (unsigned i = 0; i < 50; i++) {
		g_autofree char *path = g_strdup_printf("/%u", i);
		add_page(web, path);
	}
	while (web->now.monotonic_ms < (int64_t)20 * HOUR_MS) {
		web_pass(web, MAX(frontier_wait_ms(web->f, &web->now), 1));
		if (web_ask(web)) {
			asked++;
			web_pass(web, 60000);
			web_answer(web, &(WebAnswer){.status = 0, .duration_ms = 60000});
		}
	}
	g_assert_cmpint(asked, <, 20);
	int64_t end_ms = web->now.monotonic_ms + (int64_t)4 * 24 * HOUR_MS;
	for (asked = 0; web->now.monotonic_ms < end_ms;) {
		int64_t wait = frontier_wait_ms(web->f, &web->now);
		if (wait < 0)
			break;
		web_pass(web, MAX(wait, 1));
		const char *path = web_ask(web);
		if (!path)
			continue;
		g_assert_cmpint(web->now.monotonic_ms - last_ms, >=, 1000);
		last_ms = web->now.monotonic_ms;
		if (strcmp(path, "/robots.txt") == 0)
			answer_robots(web, "", "");
		else
			web_answer(web, &(WebAnswer){.status = 200, .fresh_s = 1 << 30});
		asked += strcmp(path, "/robots.txt") != 0;
	}
	g_assert_cmpint(asked, ==, 51); /* with the probe */
}

/* ---- removal */

static void remove_source(Web *web, const char *prefix)
{
	OK(frontier_remove_source(web->f, &web->now, ORIGIN, prefix, error));
	OK(frontier_commit(web->f, error));
}

static int64_t count_rows(const Web *web)
{
	return ask(&web->base, "SELECT (SELECT count(*) FROM web_url) + (SELECT count(*) FROM "
	                       "web_host) + (SELECT count(*) FROM web_source) + (SELECT count(*) "
	                       "FROM web_branch) + (SELECT count(*) FROM web_robots) + "
	                       "(SELECT count(*) FROM web_scope)");
}

static void test_remove(Web *web, gconstpointer data)
{
	expect_paths(web, HOUR_MS, "/x", "/robots.txt / ");
	remove_source(web, "/");
	g_assert_cmpint(count_rows(web), ==, 0);
	g_assert_cmpint(frontier_wait_ms(web->f, &web->now), ==, -1);
	set_limits(web, "/docs/", 9, 9);
	expect_paths(web, 2 * HOUR_MS, "", "/robots.txt /docs/ ");
	g_assert_cmpint(ask(&web->base, "SELECT count(*) FROM web_host"), ==, 1);
	web_die(web, 0, 0);
	set_limits(web, "/docs/", 9, 9);
	expect_paths(web, 3 * HOUR_MS, "", "");
}

/* The answer comes when the source is gone, and somebody adds it again at once. */
static void test_remove_in_flight(Web *web, gconstpointer data)
{
	web_begun(web);
	g_assert_cmpstr(web_ask(web), ==, "/");
	remove_source(web, "/");
	web_pass(web, 500);
	web_answer(web, &(WebAnswer){.status = 503, .duration_ms = 500, .retry_after = "600"});
	g_assert_cmpint(ask(&web->base, "SELECT count(*) FROM web_url"), ==, 0);
	set_limits(web, "/", 9, 9);
	OK(frontier_commit(web->f, error));
	g_assert_cmpint(frontier_wait_ms(web->f, &web->now), ==, 600000);
	web_die(web, 0, 0);
	g_assert_cmpint(frontier_wait_ms(web->f, &web->now), ==, 600000);
	remove_source(web, "/");
	web_pass(web, 600000);
	web_die(web, 0, 0);
	g_assert_cmpint(count_rows(web), ==, 0);
}

/* URLs of an inner source stay with the outer one, and its sitemaps with any source. */
static void test_remove_inner(Web *web, gconstpointer data)
{
	set_limits(web, "/in/", 9, 9);
	add_page(web, "/in/a");
	add_page(web, "/b");
	OK(frontier_add(web->f, &web->now,
	        &(WebFound){.origin = ORIGIN, .path = "/map", .kind = WEB_SITEMAP}, error));
	expect_paths(web, HOUR_MS, "", "/robots.txt /map /in/ / /in/a /b ");
	remove_source(web, "/in/");
	g_assert_cmpint(ask(&web->base, "SELECT urls FROM web_source"), ==, 5);
	g_assert_cmpint(ask(&web->base, "SELECT pages FROM web_source"), ==, 5);
	remove_source(web, "/");
	g_assert_cmpint(count_rows(web), ==, 0);
	set_limits(web, "/in/", 9, 9);
	set_limits(web, "/", 9, 9);
	add_page(web, "/in/a");
	remove_source(web, "/");
	expect_paths(web, 2 * HOUR_MS, "", "/robots.txt /in/ /in/a ");
}

/* ---- hosts that are shared with other crawlers */

static WebUrlRow told_url(const char *path, unsigned status, int64_t due_s)
{
	return (WebUrlRow){.hash = web_hash(path, strlen(path)),
	        .path = (char *)path,
	        .priority = 100,
	        .depth = 1,
	        .status = status,
	        .due_s = status ? due_s : 0,
	        .visit = {.visited_s = status ? due_s - 3600 : 0, .changes = 1, .seconds = 86400}};
}

static void tell_url(Web *web, const char *path, unsigned status, int64_t due_s, bool newer)
{
	WebUrlRow row = told_url(path, status, due_s);
	OK(frontier_take_url(web->f, &web->now, ORIGIN, &row, newer, error));
}

static void test_closed(Web *web, gconstpointer data)
{
	FrontierHostState state;
	frontier_close_host(web->f, &web->now, ORIGIN, true);
	add_page(web, "/a");
	web_pass(web, HOUR_MS);
	g_assert_null(web_ask(web));
	g_assert_cmpint(frontier_wait_ms(web->f, &web->now), ==, -1);
	frontier_close_host(web->f, &web->now, ORIGIN, false);
	g_assert_cmpstr(web_ask(web), ==, "/robots.txt");
	g_assert_true(frontier_host_state(web->f, &web->now, ORIGIN, &state));
	g_assert_true(state.asking && state.left_ms >= 1000 && state.gap_ms == 1000);
	frontier_close_host(web->f, &web->now, ORIGIN, true); /* while it is asked */
	web_answer(web, &(WebAnswer){.status = 404, .duration_ms = 300});
	g_assert_true(frontier_host_state(web->f, &web->now, ORIGIN, &state));
	g_assert_true(!state.asking && state.left_ms == 3000);
	web_pass(web, HOUR_MS);
	g_assert_null(web_ask(web));
	g_assert_false(frontier_host_state(web->f, &web->now, "https://b.example", &state));
}

static void test_taken_over(Web *web, gconstpointer data)
{
	FrontierHostState state;
	OK(frontier_take_over(web->f, &web->now, ORIGIN, 3, error));
	g_assert_true(frontier_host_state(web->f, &web->now, ORIGIN, &state));
	g_assert_cmpint(state.gap_ms, ==, 8000);
	g_assert_cmpuint(state.backoff, ==, 3);
}

/* A URL that another crawler got an answer for is not requested before it is due; one that it only
 * found is. */
static void test_told(Web *web, gconstpointer data)
{
	int64_t now_s = web->now.wall_ms / 1000;
	add_page(web, "/mine");
	tell_url(web, "/found", 0, 0, true);
	tell_url(web, "/answered", 200, now_s + 30 * 86400, true);
	tell_url(web, "/mine", 200, now_s + 30 * 86400, true);
	expect_paths(web, HOUR_MS, "", "/robots.txt / /found ");
	g_assert_cmpint(ask(&web->base, "SELECT pages FROM web_source"), ==, 4);
	expect_paths(web, (int64_t)31 * 24 * HOUR_MS, "", "/robots.txt /answered /mine ");
}

/* Of two answers, the newer one counts; validators of an older one would be wrong. */
static void test_told_again(Web *web, gconstpointer data)
{
	int64_t now_s = web->now.wall_ms / 1000, hash = web_hash("/", 1);
	web_begun(web);
	g_assert_cmpstr(web_ask(web), ==, "/");
	web_answer(web, &(WebAnswer){.status = 200, .etag = "\"x\""});
	for (int newer = 0; newer < 2; newer++) {
		g_auto(WebUrlRow) row = {0};
		g_autoptr(GError) error = NULL;
		tell_url(web, "/", 404, now_s + 7200, newer);
		g_assert_cmpint(frontier_get_url(web->f, ORIGIN, hash, &row, &error), ==, 1);
		g_assert_cmpuint(row.status, ==, newer ? 404 : 200);
		g_assert_cmpstr(row.visit.etag, ==, newer ? NULL : "\"x\"");
		g_assert_true(newer == (row.due_s == now_s + 7200));
	}
}

static void count_found(const char *origin, int64_t hash, void *data)
{
	g_assert_cmpstr(origin, ==, ORIGIN);
	++*(unsigned *)data;
}

static void test_tells_found(Web *web, gconstpointer data)
{
	unsigned n = 0;
	frontier_tell_found(web->f, count_found, &n);
	add_page(web, "/a");
	add_page(web, "/a");
	add_page(web, "/b");
	g_assert_cmpuint(n, ==, 2);
}

#define WEB_TEST(path, test) g_test_add(path, Web, NULL, web_up, test, web_down)

static int64_t reserve(Web *web, int64_t patience_ms)
{
	int64_t wait_ms;
	OK(frontier_reserve(web->f, &web->now, ORIGIN, patience_ms, &wait_ms, error));
	return wait_ms;
}

/* A host that a client asks is left alone until the client has done, or for a minute. */
static void test_reserved(Web *web, gconstpointer data)
{
	int64_t wait_ms;
	OK(frontier_reserve(web->f, &web->now, "https://b.example", 9, &wait_ms, error));
	g_assert_cmpint(wait_ms, ==, 0);
	web_begin(web);
	g_assert_cmpint(reserve(web, 10000), ==, FRONTIER_ASKING);
	web_answer(web, &(WebAnswer){.status = 404, .duration_ms = 300});
	g_assert_cmpint(reserve(web, 2999), ==, 3000);
	g_assert_cmpint(frontier_wait_ms(web->f, &web->now), ==, 3000);
	g_assert_cmpint(reserve(web, 3000), ==, 3000);
	web_pass(web, 500); /* the client gives up: the wait of the host is what it was */
	OK(frontier_end_reserve(web->f, &web->now, ORIGIN, error));
	g_assert_cmpint(frontier_wait_ms(web->f, &web->now), ==, 2500);
	g_assert_cmpint(reserve(web, 3000), ==, 2500);
	web_pass(web, 30000);
	g_assert_null(web_ask(web));
	OK(frontier_end_reserve(web->f, &web->now, ORIGIN, error));
	g_assert_cmpint(frontier_wait_ms(web->f, &web->now), ==, 1000);
	g_assert_cmpint(reserve(web, 3000), ==, 1000);
	web_pass(web, 60999); /* the client is gone */
	g_assert_null(web_ask(web));
	web_pass(web, 1);
	g_assert_cmpstr(web_ask(web), ==, "/");
	web_answer(web, &(WebAnswer){.status = 200, .duration_ms = 500});
	OK(frontier_end_reserve(web->f, &web->now, ORIGIN, error)); /* is too late */
	g_assert_cmpint(frontier_wait_ms(web->f, &web->now), !=, 1000);
}

/* ---- a robots.txt on another host */

#define OTHER "https://b.example"

static int64_t follow_robots(Web *web, const char *target, int64_t duration_ms)
{
	int64_t wait_ms;
	OK(frontier_follow_robots(web->f, &web->now, 0, target,
	        &(WebAnswer){.status = 302, .duration_ms = duration_ms}, &wait_ms, error));
	return wait_ms;
}

static void add_other(Web *web)
{
	const WebSourceRow limits = {
	        .prefix = (char *)"/", .pages_most = 100, .depth_most = 9, .bytes_most = 1 << 30};
	OK(frontier_add_source(web->f, &web->now, OTHER, &limits, 0, error));
}

/* The other host is asked by one request at a time, and rests after its answer. */
static void test_robots_elsewhere(Web *web, gconstpointer data)
{
	g_assert_cmpstr(web_ask(web), ==, "/robots.txt");
	add_other(web);
	g_assert_cmpint(follow_robots(web, OTHER "/r", 100), ==, 2000); /* a new host */
	web_pass(web, 60000);
	g_assert_cmpint(frontier_wait_ms(web->f, &web->now), ==, -1);
	web_answer(web, &(WebAnswer){.status = 404, .duration_ms = 500});
	g_assert_cmpint(frontier_wait_ms(web->f, &web->now), ==, 1000);
	web_pass(web, 1000);
	g_assert_cmpstr(web_ask(web), ==, "/");
	web_pass(web, 3999);
	g_assert_null(web_ask(web));
	web_pass(web, 1);
	g_assert_cmpstr(web_ask(web), ==, "/robots.txt");
}

static void test_robots_elsewhere_busy(Web *web, gconstpointer data)
{
	g_assert_cmpstr(web_ask(web), ==, "/robots.txt");
	add_other(web);
	web_pass(web, 2000);
	g_autoptr(GArray) own = g_steal_pointer(&web->requests);
	web->requests = g_array_new(FALSE, TRUE, sizeof(FrontierRequest));
	g_array_set_clear_func(web->requests, clear_request);
	g_assert_cmpstr(web_ask(web), ==, "/robots.txt");
	g_assert_cmpint(follow_robots(web, OTHER "/r", 100), ==, FRONTIER_ASKING);
	web_answer(web, &(WebAnswer){.status = 503, .retry_after = "300"});
	g_assert_cmpint(follow_robots(web, OTHER "/r", 100), ==, 300000);
	g_assert_cmpint(follow_robots(web, ORIGIN "/r", 700), ==, 7000); /* and back again */
	frontier_close_host(web->f, &web->now, OTHER, true);
	g_assert_cmpint(follow_robots(web, OTHER "/r", 100), ==, FRONTIER_NEVER);
}

/* The host that a lost request was led to waits as if it had been its own. */
static void test_robots_elsewhere_lost(Web *web, gconstpointer data)
{
	g_assert_cmpstr(web_ask(web), ==, "/robots.txt");
	g_assert_cmpint(follow_robots(web, OTHER "/r", 100), ==, 2000);
	web_pass(web, 2000);
	web_die(web, 10000, 0);
	add_other(web);
	g_assert_cmpint(frontier_wait_ms(web->f, &web->now), ==, 100000);
	web_pass(web, 100000);
	web_die(web, 3600000, 0);
	g_assert_cmpint(follow_robots(web, "https://c.example/r", 100), ==, 2000);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	WEB_TEST("/frontier/one-request", test_one_request);
	WEB_TEST("/frontier/no-network", test_no_network);
	WEB_TEST("/frontier/clock-set", test_clock_set);
	WEB_TEST("/frontier/planned-set-back", test_planned_set_back);
	WEB_TEST("/frontier/planned-restart-set-back", test_planned_restart_set_back);
	WEB_TEST("/frontier/failed-set-back", test_failed_set_back);
	WEB_TEST("/frontier/robots-set-back", test_robots_set_back);
	WEB_TEST("/frontier/restart", test_restart);
	WEB_TEST("/frontier/restart-set-back", test_restart_set_back);
	WEB_TEST("/frontier/lost-request", test_lost_request);
	WEB_TEST("/frontier/lost-robots", test_lost_robots);
	WEB_TEST("/frontier/validators", test_validators);
	WEB_TEST("/frontier/address-moves", test_address_moves);
	WEB_TEST("/frontier/address-freed", test_address_freed);
	WEB_TEST("/frontier/one-name", test_one_name);
	WEB_TEST("/frontier/full-source", test_full_source);
	WEB_TEST("/frontier/hostile-rows", test_hostile_rows);
	WEB_TEST("/frontier/robots", test_robots);
	WEB_TEST("/frontier/robots-later", test_robots_later);
	WEB_TEST("/frontier/robots-broken", test_robots_broken);
	WEB_TEST("/frontier/robots-elsewhere", test_robots_elsewhere);
	WEB_TEST("/frontier/robots-elsewhere-busy", test_robots_elsewhere_busy);
	WEB_TEST("/frontier/robots-elsewhere-lost", test_robots_elsewhere_lost);
	WEB_TEST("/frontier/sitemaps", test_sitemaps);
	WEB_TEST("/frontier/recheck", test_recheck);
	WEB_TEST("/frontier/patterns", test_patterns);
	WEB_TEST("/frontier/limits-raised", test_limits_raised);
	WEB_TEST("/frontier/full-feeds", test_full_feeds);
	WEB_TEST("/frontier/full-feeds-bytes", test_full_feeds_bytes);
	WEB_TEST("/frontier/network-away", test_network_away);
	WEB_TEST("/frontier/remove", test_remove);
	WEB_TEST("/frontier/reserved", test_reserved);
	WEB_TEST("/frontier/remove-in-flight", test_remove_in_flight);
	WEB_TEST("/frontier/remove-inner", test_remove_inner);
	WEB_TEST("/daemon/frontier/focus/links-are-awaited", test_focus_waits);
	WEB_TEST("/daemon/frontier/focus/links-raise", test_focus_raises);
	WEB_TEST("/daemon/frontier/focus/others-do-not-wait", test_others_do_not_wait);
	WEB_TEST("/daemon/frontier/shared/closed-host-is-not-asked", test_closed);
	WEB_TEST("/daemon/frontier/shared/gap-is-taken-over", test_taken_over);
	WEB_TEST("/daemon/frontier/shared/told-urls-are-known", test_told);
	WEB_TEST("/daemon/frontier/shared/newer-answer-counts", test_told_again);
	WEB_TEST("/daemon/frontier/shared/found-urls-are-told", test_tells_found);
	return g_test_run();
}
