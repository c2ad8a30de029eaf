/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/watch/revisit.h"
#include <glib.h>
#include <math.h>

enum { SOURCES = 200 };
#define DAY_S 86400.0

static double exponential(GRand *random, double rate)
{
	return -log(1 - g_rand_double(random)) / rate;
}

/* The rate of a source that is visited at irregular times is estimated correctly. */
static void check_estimate(double rate, double mean_interval, double tolerance)
{
	GRand *random = g_rand_new_with_seed(7);
	double sum = 0;
	unsigned n = 0;
	RevisitSource source = {0};
	for (unsigned i = 0; i < 4000; i++) {
		double interval = mean_interval * g_rand_double_range(random, 0.5, 1.5);
		revisit_observe(&source, interval, exponential(random, rate) < interval);
		if (i < 200)
			continue;
		sum += revisit_rate(&source);
		n++;
	}
	g_rand_free(random);
	g_assert_cmpfloat(fabs(sum / n - rate), <, tolerance * rate);
}

static void test_estimate(void)
{
	check_estimate(1 / 3600.0, 3600, 0.25);
	check_estimate(1 / 3600.0, 600, 0.25);
	check_estimate(1 / 3600.0, 7200, 0.35);
	check_estimate(1 / DAY_S, 3600 * 6, 0.35);
}

static void test_quiet(void)
{
	RevisitSource source = {0};
	double before = revisit_rate(&source);
	for (unsigned i = 0; i < 50; i++)
		revisit_observe(&source, DAY_S, false);
	g_assert_cmpfloat(revisit_rate(&source), <, before / 10);
	g_assert_cmpfloat(revisit_rate(&source), >, 0);
}

/* A(r, I) of revisit.h. */
static double mean_age(double rate, double interval)
{
	double x = rate * interval;
	if (x < 1e-3)
		return interval * x / 6;
	return interval / 2 - 1 / rate - expm1(-x) / (rate * x);
}

/* The interval solves its equation: no other interval has a lower cost at this price. */
static void test_interval_is_best(void)
{
	for (double rate = 1e-7; rate < 10; rate *= 7) {
		for (double price = 1; price < 1e9; price *= 31) {
			double best = revisit_interval(rate, price);
			double cost = mean_age(rate, best) + price / best;
			for (double factor = 0.5; factor < 2; factor += 0.11) {
				double other = best * factor;
				g_assert_cmpfloat(mean_age(rate, other) + price / other, >=,
				        cost * (1 - 1e-6));
			}
		}
	}
}

static double total_age(const double *rates, const RevisitSource *sources)
{
	double age = 0;
	for (unsigned i = 0; i < SOURCES; i++)
		age += mean_age(rates[i], sources[i].interval);
	return age;
}

static double visits_per_s(const RevisitSource *sources, unsigned count)
{
	double visits = 0;
	for (unsigned i = 0; i < count; i++)
		visits += 1 / sources[i].interval;
	return visits;
}

/* For rates over five powers of ten, the budget is kept, and all sources are fresher than with
 * visits in turn. */
static void test_budget(void)
{
	GRand *random = g_rand_new_with_seed(3);
	double rates[SOURCES], fixed = 0;
	RevisitSource sources[SOURCES] = {0};
	Revisit revisit;
	revisit_init(&revisit, SOURCES / 3600.0, 1, 1e7);
	for (unsigned i = 0; i < SOURCES; i++)
		rates[i] = pow(10, g_rand_double_range(random, -7, -2));
	for (unsigned round = 0; round < 400; round++) {
		for (unsigned i = 0; i < SOURCES; i++) {
			double interval = revisit_plan(&revisit, &sources[i]);
			revisit_observe(
			        &sources[i], interval, exponential(random, rates[i]) < interval);
		}
	}
	for (unsigned i = 0; i < SOURCES; i++)
		fixed += mean_age(rates[i], 3600);
	double planned = visits_per_s(sources, SOURCES);
	g_assert_cmpfloat(planned, <, 1.05 * revisit.budget_per_s);
	g_assert_cmpfloat(planned, >, 0.95 * revisit.budget_per_s);
	g_assert_cmpfloat(total_age(rates, sources), <, 0.85 * fixed);
	for (unsigned i = 0; i < SOURCES; i++)
		revisit_forget(&revisit, &sources[i]);
	g_assert_cmpuint(revisit.sources, ==, 0);
	g_rand_free(random);
}

static void test_limits(void)
{
	RevisitSource source = {.changes = 1e6, .seconds = 1};
	Revisit revisit;
	revisit_init(&revisit, 0.001, 60, 21600);
	for (unsigned i = 0; i < 2000; i++)
		g_assert_cmpfloat(revisit_plan(&revisit, &source), >=, 60);
	source.changes = 0;
	source.seconds = 1e12;
	g_assert_cmpfloat(revisit_plan(&revisit, &source), <=, 21600);
}

/* If many sources become known at once, the budget is kept from the first plan on, and all are
 * visited. */
static void test_many_at_once(void)
{
	enum { MANY = 1000 };
	static RevisitSource sources[MANY];
	const double fair_s = MANY / 60.0;
	Revisit revisit;
	revisit_init(&revisit, 60, 1, 21600);
	for (unsigned round = 0; round < 5; round++) {
		for (unsigned i = 0; i < MANY; i++) {
			double interval = revisit_plan(&revisit, &sources[i]);
			g_assert_cmpfloat(interval, <, 2.5 * fair_s);
			revisit_observe(&sources[i], interval, i % 50 == round);
		}
	}
	double planned = visits_per_s(sources, MANY);
	g_assert_cmpfloat(planned, >, 0.5 * revisit.budget_per_s);
	g_assert_cmpfloat(planned, <, 1.5 * revisit.budget_per_s);
}

/* As long as the budget allows it, each source is visited at the minimum interval, whatever its
 * rate. */
static void test_enough_for_all(void)
{
	enum { FEW = 500 };
	RevisitSource sources[FEW] = {0};
	Revisit revisit;
	revisit_init(&revisit, FEW / 15.0, 15, 21600);
	for (unsigned round = 0; round < 30; round++) {
		for (unsigned i = 0; i < FEW; i++) {
			g_assert_cmpfloat(revisit_plan(&revisit, &sources[i]), ==, 15);
			revisit_observe(&sources[i], 15, i % 100 == 0);
		}
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/daemon/revisit/rate-of-changes-is-estimated", test_estimate);
	g_test_add_func("/daemon/revisit/a-quiet-directory-gets-a-lower-rate", test_quiet);
	g_test_add_func("/daemon/revisit/no-other-interval-costs-less", test_interval_is_best);
	g_test_add_func("/daemon/revisit/budget-is-kept-and-directories-are-fresher-than-in-turn",
	        test_budget);
	g_test_add_func("/daemon/revisit/intervals-stay-within-their-limits", test_limits);
	g_test_add_func("/daemon/revisit/many-new-directories-are-visited-within-the-budget",
	        test_many_at_once);
	g_test_add_func("/daemon/revisit/a-large-budget-gives-each-the-least-interval",
	        test_enough_for_all);
	return g_test_run();
}
