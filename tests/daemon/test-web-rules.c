/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test-web-rules.c - the pure rules of the frontier: dates, freshness, politeness, traps, priors */
#include <config.h>
#include "common/base/http-date.h"
#include "daemon/web/http-freshness.h"
#include "daemon/web/politeness.h"
#include "daemon/web/schedule.h"
#include "daemon/web/traps.h"
#include "daemon/web/web-heap.h"
#include <glib.h>
#include <math.h>

enum { SOME_DAY = 784111777 }; /* Sun, 06 Nov 1994 08:49:37 GMT */
#define NOW_S 1700000000 /* Tue, 14 Nov 2023 22:13:20 GMT */

static void test_dates(void)
{
	static const char *const good[] = {"Sun, 06 Nov 1994 08:49:37 GMT",
	        "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
	        " sun, 06 NOV 1994 08:49:37 gmt\t"};
	static const char *const bad[] = {"", "Sun, 06 Nov 1994 08:49:37", "0",
	        "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37 +0000",
	        "Sun, 06 Nov 94 08:49:37 GMT", "Sun 06 Nov 1994 08:49:37 GMT",
	        "Sun, 06  Nov  1994 08:49:37 GMT", "Sun, 06-Nov-1994 08:49:37 GMT",
	        "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 1994 08.49.37 GMT",
	        "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT",
	        "Sun, 06 Nov 1994 08:49:37 GMT x", "Sun, 06 Nov 1994 08:49:37 GMTx"};
	for (size_t i = 0; i < G_N_ELEMENTS(good); i++) {
		int64_t s = 0;
		g_assert_true(http_date_parse(good[i], NOW_S, &s));
		g_assert_cmpint(s, ==, SOME_DAY);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
		int64_t s = -7;
		g_assert_false(http_date_parse(bad[i], NOW_S, &s));
		g_assert_cmpint(s, ==, -7);
	}
}

static void check_year(const char *date, int year)
{
	int64_t s = 0;
	g_assert_true(http_date_parse(date, NOW_S, &s));
	g_autoptr(GDateTime) d = g_date_time_new_from_unix_utc(s);
	g_assert_cmpint(g_date_time_get_year(d), ==, year);
}

static void test_short_years(void)
{
	check_year("Thursday, 18-Aug-50 02:01:18 GMT", 2050);
	check_year("Thursday, 18-Aug-73 02:01:18 GMT", 2073);
	check_year("Thursday, 18-Aug-74 02:01:18 GMT", 1974);
	check_year("Thursday, 18-Aug-00 02:01:18 GMT", 2000);
}

static void test_written_dates(void)
{
	char text[HTTP_DATE_BYTES];
	g_assert_true(http_date_format(SOME_DAY, text));
	g_assert_cmpstr(text, ==, "Sun, 06 Nov 1994 08:49:37 GMT");
	g_assert_false(http_date_format(G_MAXINT64, text));
}

static void check_fresh(HttpAnswer a, int64_t wanted)
{
	a.request_s = a.response_s = a.response_s ? a.response_s : NOW_S;
	g_assert_cmpint(http_freshness(&a), ==, wanted);
}

static void test_cache_control(void)
{
	static const struct {
		const char *text;
		int64_t wanted;
	} cases[] = {{"max-age=1800", 1800}, {"public, MAX-AGE=1800", 1800},
	        {"max-age=1800, max-age=1", 1800}, {"max-age=1, max-age=1800", 1},
	        {"max-age=\"3600\"", 3600}, {"extension=\"max-age=3600\", max-age=1", 1},
	        {"max-age=1, extension=\"max-age=3600\"", 1}, {"a=\"x\\\", max-age=9\"", 0},
	        {"max-age =3600", 0}, {"max-age= 3600", 0}, {"max-age=003600", 3600},
	        {"max-age='3600'", 0}, {"max-age=3600.5", 0}, {"max-age=3600a", 0},
	        {"max-age=a3600", 0}, {"max-age=-1", 0}, {"max-age", 0}, {"max-age=", 0},
	        {"max-age=99999999999999999999", HTTP_FRESH_MOST_S}, {"s-maxage=60", 0},
	        {"max-age=60, s-maxage=1", 60}, {"no-store, max-age=60", 0},
	        {"max-age=60, no-cache", 0}, {"no-cache=\"Set-Cookie\", max-age=60", 60}, {"", 0},
	        {",,,", 0}, {"\"", 0}, {"=", 0}, {"private, max-age=5 ,x", 5}};
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_test_message("%s", cases[i].text);
		check_fresh((HttpAnswer){.cache_control = cases[i].text}, cases[i].wanted);
	}
}

#define AT_NOW "Tue, 14 Nov 2023 22:13:20 GMT"
#define HOUR_LATER "Tue, 14 Nov 2023 23:13:20 GMT"
#define HOUR_BEFORE "Tue, 14 Nov 2023 21:13:20 GMT"

static void test_expires(void)
{
	check_fresh((HttpAnswer){0}, 0);
	check_fresh((HttpAnswer){.expires = HOUR_LATER}, 3600);
	check_fresh((HttpAnswer){.expires = HOUR_LATER, .date = AT_NOW}, 3600);
	check_fresh((HttpAnswer){.expires = HOUR_LATER, .date = HOUR_BEFORE}, 3600);
	check_fresh((HttpAnswer){.expires = HOUR_LATER, .date = HOUR_LATER}, 0);
	check_fresh((HttpAnswer){.expires = HOUR_LATER ", " HOUR_LATER}, 0);
	check_fresh((HttpAnswer){.expires = "0"}, 0);
	check_fresh((HttpAnswer){.expires = HOUR_LATER, .cache_control = "max-age=7"}, 7);
	check_fresh((HttpAnswer){.expires = HOUR_LATER, .cache_control = "max-age=x"}, 0);
}

static void test_age(void)
{
	check_fresh((HttpAnswer){.cache_control = "max-age=3600", .age = "600"}, 3000);
	check_fresh((HttpAnswer){.cache_control = "max-age=3600", .age = "7200, 0"}, 0);
	check_fresh((HttpAnswer){.cache_control = "max-age=3600", .age = "0, 7200"}, 3600);
	check_fresh((HttpAnswer){.cache_control = "max-age=3600", .age = "abc"}, 3600);
	check_fresh((HttpAnswer){.cache_control = "max-age=3600", .age = "-7200"}, 3600);
	check_fresh((HttpAnswer){.cache_control = "max-age=3600", .age = "7200.0"}, 3600);
	check_fresh((HttpAnswer){.cache_control = "max-age=3600", .age = "99999999999999"}, 0);
	check_fresh((HttpAnswer){.cache_control = "max-age=7200", .date = HOUR_BEFORE}, 3600);
	HttpAnswer slow = {
	        .cache_control = "max-age=100", .request_s = NOW_S - 30, .response_s = NOW_S};
	g_assert_cmpint(http_freshness(&slow), ==, 70);
}

static void test_gap(void)
{
	g_assert_cmpint(politeness_gap_ms(0, 20, 0), ==, 1000);
	g_assert_cmpint(politeness_gap_ms(0, 500, 0), ==, 5000);
	g_assert_cmpint(politeness_gap_ms(10000, 500, 0), ==, 10000);
	g_assert_cmpint(politeness_gap_ms(0, 20, 3), ==, 8000);
	g_assert_cmpint(politeness_gap_ms(0, 20, 99), ==, POLITE_BACKOFF_MOST_MS);
	g_assert_cmpint(politeness_gap_ms(POLITE_DELAY_MOST_MS, 20, 5), ==, POLITE_DELAY_MOST_MS);
	g_assert_cmpint(politeness_gap_ms(INT64_MAX, INT64_MAX, 0), ==, POLITE_DELAY_MOST_MS);
	g_assert_cmpint(politeness_gap_ms(-5, -5, 0), ==, 1000);
	g_assert_cmpint(politeness_gap_ms(0, politeness_taken_ms(0, 60000), 1), ==, 120000);
	g_assert_cmpint(politeness_gap_ms(0, politeness_taken_ms(504, 60000), 0), ==, 600000);
	g_assert_cmpuint(politeness_backoff(2, 429), ==, 3);
	g_assert_cmpuint(politeness_backoff(2, 503), ==, 3);
	g_assert_cmpuint(politeness_backoff(2, 0), ==, 3);
	g_assert_cmpuint(politeness_backoff(2, 200), ==, 1);
	g_assert_cmpuint(politeness_backoff(0, 500), ==, 0);
}

static void test_retry_after(void)
{
	const int64_t now = (int64_t)NOW_S * 1000;
	g_assert_cmpint(politeness_retry_after_ms("120", now), ==, 120000);
	g_assert_cmpint(politeness_retry_after_ms(" 0120 ", now), ==, 120000);
	g_assert_cmpint(politeness_retry_after_ms(HOUR_LATER, now), ==, 3600000);
	g_assert_cmpint(politeness_retry_after_ms(HOUR_BEFORE, now), ==, 0);
	g_assert_cmpint(politeness_retry_after_ms("-5", now), ==, 0);
	g_assert_cmpint(politeness_retry_after_ms("1.5", now), ==, 0);
	g_assert_cmpint(politeness_retry_after_ms("soon", now), ==, 0);
	g_assert_cmpint(politeness_retry_after_ms("", now), ==, 0);
	g_assert_cmpint(politeness_retry_after_ms(NULL, now), ==, 0);
	g_assert_cmpint(politeness_retry_after_ms("99999999999999999999999", now), ==,
	        POLITE_RETRY_AFTER_MOST_MS);
	g_assert_cmpint(politeness_retry_after_ms("Sun, 06 Nov 9994 08:49:37 GMT", now), ==,
	        POLITE_RETRY_AFTER_MOST_MS);
}

static void test_gate(void)
{
	PoliteGate gate = {0};
	WebTime now = {1000000, 50};
	polite_gate_close(&gate, &now, 500);
	g_assert_cmpint(polite_gate_left_ms(&gate, &now), ==, 500);
	polite_gate_close(&gate, &now, 200); /* shorter: nothing changes */
	g_assert_cmpint(polite_gate_left_ms(&gate, &now), ==, 500);
	polite_gate_close(&gate, &now, 900);
	g_assert_cmpint(gate.next_ms, ==, 1000900);
	now.monotonic_ms += 900;
	g_assert_cmpint(polite_gate_left_ms(&gate, &now), ==, 0);
}

/* A clock that jumps while the process runs changes no wait. */
static void test_clock_jumps(void)
{
	PoliteGate gate = {0};
	WebTime now = {1000000, 50};
	polite_gate_close(&gate, &now, 500);
	now.wall_ms += 86400000;
	g_assert_cmpint(polite_gate_left_ms(&gate, &now), ==, 500);
	now.wall_ms -= 2 * 86400000;
	g_assert_cmpint(polite_gate_left_ms(&gate, &now), ==, 500);
}

/* After a start, a short wait begins again: the clock may have been set. A long one is believed,
 * but for its first minute; a moment too far away begins the whole wait again. */
static void test_gate_restored(void)
{
	WebTime now = {1000000, 7};
	PoliteGate gate = polite_gate_restore(1000300, 500, &now);
	g_assert_cmpint(polite_gate_left_ms(&gate, &now), ==, 500);
	gate = polite_gate_restore(900000, 500, &now);
	g_assert_cmpint(polite_gate_left_ms(&gate, &now), ==, 500);
	gate = polite_gate_restore(1300000, 600000, &now);
	g_assert_cmpint(polite_gate_left_ms(&gate, &now), ==, 300000);
	gate = polite_gate_restore(900000, 600000, &now);
	g_assert_cmpint(polite_gate_left_ms(&gate, &now), ==, POLITE_START_MS);
	gate = polite_gate_restore(99000000, 500, &now);
	g_assert_cmpint(polite_gate_left_ms(&gate, &now), ==, 500);
	gate = polite_gate_restore(INT64_MAX, INT64_MAX, &now);
	g_assert_cmpint(polite_gate_left_ms(&gate, &now), ==, POLITE_RETRY_AFTER_MOST_MS);
	gate = polite_gate_restore(INT64_MIN, INT64_MIN, &now);
	g_assert_cmpint(polite_gate_left_ms(&gate, &now), ==, 0);
}

static void test_lost(void)
{
	g_assert_cmpint(politeness_lost_ms(1000, 3000, 0, 0), ==, 20000);
	g_assert_cmpint(politeness_lost_ms(1000, 9000000, 0, 0), ==, 600000);
	g_assert_cmpint(politeness_lost_ms(9000000, 1000, 0, 0), ==, 600000);
}

static void check_shape(const char *path, const char *wanted)
{
	g_autofree char *shape = trap_shape(path);
	g_assert_cmpstr(shape, ==, wanted);
}

static void test_shapes(void)
{
	check_shape("/", "/");
	check_shape("", "/");
	check_shape("/page.html", "/");
	check_shape("/docs/guide/page.html", "/docs/guide/");
	check_shape("/calendar/2024/05/01.html", "/calendar/#/");
	check_shape("/calendar/2024-05/x", "/calendar/#-#/");
	check_shape("/a/b/a/b/a/b/page", "/a/b/");
	check_shape("/a/a/a/a/page", "/a/");
	check_shape("//a//b/", "/a/b/");
	check_shape("/s/8f3a90bc77e1d2/view", "/s/#/");
	check_shape("/installation/configuration/x", "/installation/configuration/");
	check_shape("/list.php?sort=up&page=7&page=8", "/list.php?page&sort");
	check_shape("/list.php?page=1;sort", "/list.php?page&sort");
	check_shape("/list?d=1&a=2&c=3&b=4", "/list?*");
	check_shape("/?", "/?");
}

static void test_sinking(void)
{
	g_assert_false(trap_is_sunk(15, 15));
	g_assert_true(trap_is_sunk(16, 9));
	g_assert_false(trap_is_sunk(16, 8));
	g_assert_false(trap_is_sunk(1000, 400));
}

static void test_priors(void)
{
	RevisitSource source = {0};
	g_assert_cmpfloat(schedule_prior_of_changefreq("Daily"), ==, 86400);
	g_assert_cmpfloat(schedule_prior_of_changefreq("often"), ==, 0);
	g_assert_cmpfloat(schedule_prior_of_changefreq(NULL), ==, 0);
	g_assert_cmpfloat(schedule_prior_of_lastmod(NOW_S - 90000, NOW_S), ==, 90000);
	g_assert_cmpfloat(schedule_prior_of_lastmod(NOW_S + 1, NOW_S), ==, 0);
	double usual = revisit_rate(&source);
	schedule_set_prior(&source, 0);
	g_assert_cmpfloat(revisit_rate(&source), ==, usual);
	schedule_set_prior(&source, 7200);
	g_assert_cmpfloat_with_epsilon(revisit_rate(&source), 1 / 7200., 1e-9);
}

static double rate_with_mean(const RevisitSource *page, const WebMean *mean)
{
	const RevisitSource known = schedule_with_mean(page, mean);
	return revisit_rate(&known);
}

/* A page that nothing is known of is taken as one of its host. What is seen of it counts more and
 * more, but a page that never changed stays likelier to where all others change. */
static void test_mean(void)
{
	enum { PAGES = 50, VISITS = 400 };
	RevisitSource pages[PAGES] = {{0}}, fresh = {0};
	WebMean mean = {0};
	g_assert_cmpfloat_with_epsilon(rate_with_mean(&fresh, &mean), 1 / WEB_DAY_S, 1e-12);
	for (unsigned i = 0; i < VISITS; i++)
		for (unsigned k = 0; k < PAGES; k++) /* all but one change in each tenth visit */
			schedule_observe(
			        &pages[k], &mean, 7 * WEB_DAY_S, k > 0 && (i + k) % 10 == 0);
	double tenth = -log(0.9) / (7 * WEB_DAY_S);
	g_assert_cmpfloat(fabs(rate_with_mean(&fresh, &mean) / tenth - 1), <, 0.1);
	g_assert_cmpfloat(fabs(rate_with_mean(&pages[7], &mean) / tenth - 1), <, 0.3);
	g_assert_cmpfloat(rate_with_mean(&pages[0], &mean), <, 0.2 * tenth);
	g_assert_cmpfloat(rate_with_mean(&pages[0], &mean), >, 0.02 * tenth);
	for (unsigned i = 0; i < 5 * VISITS * PAGES; i++)
		schedule_observe(&pages[0], &mean, 7 * WEB_DAY_S, false);
	g_assert_cmpfloat(rate_with_mean(&fresh, &mean), <, 0.1 * tenth);
}

/* No evidence leads out of bounds, however it came into the index. */
static void test_wild_means(void)
{
	static const float wild[] = {0, 1e-30F, 1, 1e30F, 3e38F};
	for (unsigned i = 0; i < G_N_ELEMENTS(wild) * G_N_ELEMENTS(wild); i++) {
		RevisitSource page = {.changes = wild[i % 5], .seconds = wild[i / 5]};
		WebMean mean = {wild[i / 5], wild[i % 5]};
		for (unsigned k = 0; k < 100; k++)
			schedule_observe(&page, &mean, k % 2 ? 1 : 1e9, k % 3 == 0);
		double rate = rate_with_mean(&page, &mean);
		g_assert_true(isfinite(rate) && rate > 0);
	}
}

static void test_skips(void)
{
	const int64_t noon = NOW_S - NOW_S % 86400 + 43200; /* of a Tuesday */
	g_assert_cmpint(schedule_after_skip(noon + 5, (ScheduleSkip){0, 0}), ==, noon + 5);
	g_assert_cmpint(
	        schedule_after_skip(noon + 5, (ScheduleSkip){3u << 12, 0}), ==, noon + 7200);
	g_assert_cmpint(
	        schedule_after_skip(noon + 5, (ScheduleSkip){0, 1u << 2}), ==, noon + 43200);
	g_assert_cmpint(schedule_after_skip(noon, (ScheduleSkip){~0u, 0}), ==, noon);
	g_assert_cmpint(schedule_after_skip(noon, (ScheduleSkip){0, 127}), ==, noon);
}

static void test_fates(void)
{
	int64_t wait;
	g_assert_cmpint(schedule_fate(200, 0, &wait), ==, SCHEDULE_VISIT);
	g_assert_cmpint(schedule_fate(304, 3, &wait), ==, SCHEDULE_VISIT);
	g_assert_cmpint(schedule_fate(302, 0, &wait), ==, SCHEDULE_VISIT);
	g_assert_cmpint(schedule_fate(301, 0, &wait), ==, SCHEDULE_END);
	g_assert_cmpint(schedule_fate(308, 0, &wait), ==, SCHEDULE_END);
	g_assert_cmpint(schedule_fate(410, 0, &wait), ==, SCHEDULE_END);
	g_assert_cmpint(schedule_fate(404, 0, &wait), ==, SCHEDULE_LATER);
	g_assert_cmpint(wait, ==, 86400);
	g_assert_cmpint(schedule_fate(404, 2, &wait), ==, SCHEDULE_LATER);
	g_assert_cmpint(wait, ==, 4 * 86400);
	g_assert_cmpint(schedule_fate(404, 5, &wait), ==, SCHEDULE_END);
	g_assert_cmpint(schedule_fate(503, 200, &wait), ==, SCHEDULE_LATER);
	g_assert_cmpint(schedule_fate(0, 0, &wait), ==, SCHEDULE_LATER);
	g_assert_cmpint(wait, ==, 3600);
}

/* Nodes leave the heap in the order of their moments, whatever was moved or taken out before. */
static void test_heap(void)
{
	enum { N = 500 };
	static HeapNode nodes[N];
	WebHeap heap = {0};
	GRand *random = g_rand_new_with_seed(5);
	g_assert_null(web_heap_first(&heap));
	for (unsigned i = 0; i < 5000; i++) {
		HeapNode *node = &nodes[g_rand_int_range(random, 0, N)];
		node->order = node - nodes;
		if (g_rand_int_range(random, 0, 4) == 0)
			web_heap_remove(&heap, node);
		else
			web_heap_put(&heap, node, g_rand_int_range(random, 0, 100));
	}
	const HeapNode *last = NULL;
	for (HeapNode *node; (node = web_heap_first(&heap)); last = node) {
		g_assert_true(!last || last->at < node->at ||
		              (last->at == node->at && last->order < node->order));
		web_heap_remove(&heap, node);
	}
	g_assert_nonnull(last);
	web_heap_clear(&heap);
	g_rand_free(random);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/web/dates", test_dates);
	g_test_add_func("/web/short-years", test_short_years);
	g_test_add_func("/web/written-dates", test_written_dates);
	g_test_add_func("/web/cache-control", test_cache_control);
	g_test_add_func("/web/expires", test_expires);
	g_test_add_func("/web/age", test_age);
	g_test_add_func("/web/gap", test_gap);
	g_test_add_func("/web/retry-after", test_retry_after);
	g_test_add_func("/web/gate", test_gate);
	g_test_add_func("/web/clock-jumps", test_clock_jumps);
	g_test_add_func("/web/gate-restored", test_gate_restored);
	g_test_add_func("/web/lost", test_lost);
	g_test_add_func("/web/shapes", test_shapes);
	g_test_add_func("/web/sinking", test_sinking);
	g_test_add_func("/web/priors", test_priors);
	g_test_add_func("/web/mean", test_mean);
	g_test_add_func("/web/wild-means", test_wild_means);
	g_test_add_func("/web/skips", test_skips);
	g_test_add_func("/web/fates", test_fates);
	g_test_add_func("/web/heap", test_heap);
	return g_test_run();
}
