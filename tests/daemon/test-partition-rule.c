/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/web/partition-rule.h"
#include <glib.h>

enum { HOSTS = 20000, MOST_CRAWLERS = 8 };

static char *names[MOST_CRAWLERS + 1];

static void make_names(void)
{
	for (int i = 0; i < MOST_CRAWLERS; i++)
		names[i] = g_strdup_printf("%08x-crawler", i * 2654435761u);
}

/* Names of the first n crawlers; without one of them if left is in range. */
static void some_names(const char **out, int n, int left)
{
	int used = 0;
	for (int i = 0; i < n; i++)
		if (i != left)
			out[used++] = names[i];
	out[used] = NULL;
}

static const char *owner_of(int host, const char *const *crawlers)
{
	g_autofree char *name = g_strdup_printf("host%d.example.org", host);
	return crawlers[partition_owner(name, crawlers)];
}

static void test_shares(void)
{
	for (int n = 1; n <= MOST_CRAWLERS; n++) {
		const char *crawlers[MOST_CRAWLERS + 1];
		int counts[MOST_CRAWLERS] = {0};
		some_names(crawlers, n, -1);
		for (int host = 0; host < HOSTS; host++) {
			g_autofree char *name = g_strdup_printf("host%d.example.org", host);
			counts[partition_owner(name, crawlers)]++;
		}
		for (int i = 0; i < n; i++)
			g_assert_cmpfloat_with_epsilon(counts[i], (double)HOSTS / n, HOSTS * 0.02);
	}
}

/* One of n crawlers goes: its hosts move, which are 1/n, and no others. Backwards, it comes. */
static void test_moves(void)
{
	for (int n = 2; n <= MOST_CRAWLERS; n++) {
		const char *before[MOST_CRAWLERS + 1], *after[MOST_CRAWLERS + 1];
		int moved = 0, gone = n / 2;
		some_names(before, n, -1);
		some_names(after, n, gone);
		for (int host = 0; host < HOSTS; host++) {
			const char *old = owner_of(host, before), *new = owner_of(host, after);
			g_assert_true(old == names[gone] || old == new);
			moved += old != new;
		}
		g_assert_cmpfloat_with_epsilon(moved, (double)HOSTS / n, HOSTS * 0.02);
	}
}

static void test_order(void)
{
	const char *forth[] = {names[0], names[1], names[2], NULL};
	const char *back[] = {names[2], names[1], names[0], NULL};
	const char *none[] = {NULL};
	for (int host = 0; host < 1000; host++)
		g_assert_cmpstr(owner_of(host, forth), ==, owner_of(host, back));
	g_assert_cmpint(partition_owner("host", none), ==, -1);
}

/* A request that begins at the last moment ends before the lease does, for leases of any length. */
static void test_lease(void)
{
	const Lease none = {0};
	g_assert_false(lease_allows(&none, 1));
	g_assert_cmpint(lease_begin_until_ms(&none), ==, 0);
	for (int64_t length = LEASE_LEAST_MS; length <= LEASE_MOST_MS; length += 997) {
		const Lease lease = {.from_ms = 5000, .length_ms = length};
		int64_t until = lease_begin_until_ms(&lease), end = lease.from_ms + length;
		int64_t last = until + lease_request_s(&lease, 60) * (int64_t)1000;
		g_assert_true(lease_allows(&lease, lease.from_ms));
		g_assert_true(lease_allows(&lease, until - 1));
		g_assert_false(lease_allows(&lease, until));
		g_assert_cmpint(last + length / 6, <=, end);
		g_assert_cmpint(lease_request_s(&lease, 60), <=, 60);
		g_assert_cmpint(3 * lease_period_ms(&lease), <=, length / 2);
	}
}

static void test_clock(void)
{
	int64_t before = lease_now_ms();
	while (lease_now_ms() == before)
		;
	g_assert_cmpint(lease_now_ms(), >, before);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	make_names();
	g_test_add_func("/partition/shares", test_shares);
	g_test_add_func("/partition/moves", test_moves);
	g_test_add_func("/partition/order", test_order);
	g_test_add_func("/partition/lease", test_lease);
	g_test_add_func("/partition/clock", test_clock);
	return g_test_run();
}
