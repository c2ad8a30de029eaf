/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests daemon/ingest/day-budget.h and the estimate behind it. */
#include <config.h>
#include "daemon/ingest/day-budget.h"
#include <glib.h>

enum { NOON_S = 1782043200, DAY_S = 86400 }; /* a noon in UTC */

static uint64_t hash_of(uint64_t i) /* SplitMix64 */
{
	uint64_t z = i * UINT64_C(0x9e3779b97f4a7c15);
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static void add_words(DayBudget *budget, unsigned dir, uint64_t from, uint64_t n)
{
	for (uint64_t i = from; i < from + n; i++)
		word_count_add(day_budget_words(budget, dir), hash_of(i));
}

static void test_estimate(void)
{
	static const uint64_t sizes[] = {0, 1, 100, 5000, 12000, 100000, 2000000};
	for (size_t i = 0; i < G_N_ELEMENTS(sizes); i++) {
		WordCount count = {0};
		for (unsigned twice = 0; twice < 2; twice++)
			for (uint64_t n = 1; n <= sizes[i]; n++)
				word_count_add(&count, hash_of(n));
		double part = sizes[i] == 0 ? 1 : (double)word_count_estimate(&count) / sizes[i];
		g_assert_cmpfloat_with_epsilon(part, 1, 0.08);
	}
}

static void test_extreme_hashes(void)
{
	WordCount count = {0};
	word_count_add(&count, 0);
	word_count_add(&count, UINT64_MAX);
	g_assert_cmpuint(word_count_estimate(&count), ==, 2);
	for (uint64_t i = 0; i < WORD_COUNT_REGISTERS; i++)
		word_count_add(&count, i << 52);
	g_assert_cmpuint(word_count_estimate(&count), >, UINT64_C(1) << 60);
}

static void test_directories(void)
{
	DayBudget *budget = day_budget_new();
	day_budget_set_limits(budget, 1000, 0);
	unsigned logs = day_budget_dir(budget, "/r", "logs/a"),
	         top = day_budget_dir(budget, "/r", "a"),
	         other = day_budget_dir(budget, "/r/logs", "a");
	g_assert_cmpuint(day_budget_dir(budget, "/r", "logs/deep/b"), ==, logs);
	g_assert_cmpuint(day_budget_dir(budget, "/r", "b"), ==, top);
	g_assert_cmpuint(logs, !=, top);
	g_assert_cmpuint(top, !=, other);
	add_words(budget, logs, 0, 2000);
	g_assert_true(day_budget_is_spent(budget, logs));
	g_assert_false(day_budget_is_spent(budget, top));
	day_budget_set_limits(budget, 0, 0);
	g_assert_false(day_budget_is_spent(budget, logs));
	day_budget_set_limits(budget, 0, 100);
	day_budget_add_text(budget, top, 100);
	g_assert_true(day_budget_is_spent(budget, top));
	g_assert_false(day_budget_is_spent(budget, logs));
	day_budget_free(budget);
}

/* Directories that are made all day are not a way around the limit. */
static void test_many_directories(void)
{
	DayBudget *budget = day_budget_new();
	day_budget_set_limits(budget, 1000, 0);
	for (unsigned i = 0; i < 1000; i++) {
		g_autofree char *file = g_strdup_printf("dir%u/file", i);
		unsigned dir = day_budget_dir(budget, "/r", file);
		g_assert_cmpuint(dir, ==, MIN(i, (unsigned)DAY_BUDGET_DIRS));
		add_words(budget, dir, i * 100, 100);
	}
	g_assert_true(day_budget_is_spent(budget, DAY_BUDGET_DIRS));
	g_assert_false(day_budget_is_spent(budget, 0));
	day_budget_free(budget);
}

static void test_days(void)
{
	DayBudget *budget = day_budget_new();
	day_budget_set_limits(budget, 1000, 0);
	g_assert_true(day_budget_begin(budget, NOON_S));
	unsigned dir = day_budget_dir(budget, "/r", "logs/a");
	add_words(budget, dir, 0, 2000);
	g_assert_false(day_budget_begin(budget, NOON_S + DAY_S / 2 - 1));
	g_assert_true(day_budget_is_spent(budget, dir));
	g_assert_cmpint(day_budget_end_s(NOON_S), ==, NOON_S + DAY_S / 2);
	g_assert_true(day_budget_begin(budget, NOON_S + DAY_S / 2));
	g_assert_false(day_budget_is_spent(budget, dir));
	add_words(budget, dir, 0, 2000);
	g_assert_true(day_budget_begin(budget, NOON_S - 10 * DAY_S)); /* the clock was set back */
	g_assert_false(day_budget_is_spent(budget, dir));
	day_budget_free(budget);
}

int main(int argc, char **argv)
{
	g_setenv("TZ", "UTC", TRUE);
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/day-budget/estimate", test_estimate);
	g_test_add_func("/day-budget/extreme-hashes", test_extreme_hashes);
	g_test_add_func("/day-budget/directories", test_directories);
	g_test_add_func("/day-budget/many-directories", test_many_directories);
	g_test_add_func("/day-budget/days", test_days);
	return g_test_run();
}
