/* SPDX-License-Identifier: GPL-3.0-or-later */
/* store-year.c - the store of a site whose pages change, day by day
 *
 * store-year PAGES DAYS CHANGES BYTES grow|compact: each day, CHANGES of the pages get another body
 * of BYTES, the others are confirmed. "compact" does what the daily purge does. Prints a line for
 * each thirty days and for the last one: day, bytes of the store, bytes of its live records, bytes
 * that were fetched, seconds of CPU time of the compactions so far. */
#include <config.h>
#include "tests/daemon/web-store.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
	unsigned pages, days, changes, bytes;
	bool compact;
	GRand *rand;
	uint64_t fetched;
	double cpu_s;
} Year;

/* Words of a small vocabulary: they compress as pages do. */
static GString *year_body(const Year *y)
{
	GString *body = g_string_new("<p>");
	while (body->len < y->bytes)
		g_string_append_printf(body, "word%d ", g_rand_int_range(y->rand, 0, 30000));
	return body;
}

static void year_visit(Year *y, StoreTest *t, unsigned page, bool changes)
{
	g_autofree char *url = g_strdup_printf(SITE "%u.html", page);
	if (!changes) {
		store_test_keep(t, url, NULL, 0);
		return;
	}
	g_autoptr(GString) body = year_body(y);
	y->fetched += body->len;
	store_test_keep(t, url, body->str, body->len);
}

static void year_compact(Year *y, StoreTest *t)
{
	clock_t began = clock();
	if (y->compact)
		store_test_compact(t, false);
	y->cpu_s += (double)(clock() - began) / CLOCKS_PER_SEC;
}

static void year_print(const Year *y, StoreTest *t, unsigned day)
{
	printf("%u %lu %ld %lu %.2f\n", day, (unsigned long)store_test_bytes(t),
	        (long)ask(&t->base, "SELECT total(length) FROM web_page"),
	        (unsigned long)y->fetched, y->cpu_s);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	StoreTest t = {0};
	if (argc != 6)
		return 64;
	Year y = {.pages = (unsigned)atoi(argv[1]),
	        .days = (unsigned)atoi(argv[2]),
	        .changes = (unsigned)atoi(argv[3]),
	        .bytes = (unsigned)atoi(argv[4]),
	        .compact = strcmp(argv[5], "compact") == 0,
	        .rand = g_rand_new_with_seed(1)};
	fixture_up(&t.base, NULL);
	store_test_open(&t, "page");
	for (unsigned day = 0; day < y.days; day++) {
		for (unsigned i = 0; i < y.pages; i++)
			year_visit(
			        &y, &t, i, day == 0 || (i + day * y.changes) % y.pages < y.changes);
		store_test_commit(&t);
		year_compact(&y, &t);
		if (day % 30 == 0 || day + 1 == y.days)
			year_print(&y, &t, day);
	}
	store_test_close(&t);
	g_rand_free(y.rand);
	return 0;
}
