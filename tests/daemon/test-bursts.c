/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests what the visits of a host tell about when its pages change. */
#include <config.h>
#include "daemon/web/bursts.h"
#include <math.h>

/* Visits of one class, each of which finds a change with the chance that so many expected ones,
 * times the factor, give. */
static WebBurst learned(double factor, double expected, unsigned visits)
{
	WebBurst burst = {0};
	for (unsigned i = 0; i < visits; i++)
		burst_observe(&burst, expected, g_test_rand_double() < -expm1(-factor * expected));
	return burst;
}

static void test_estimate(void)
{
	static const double factors[] = {0.25, 1, 3}, expected[] = {0.3, 1.5};
	for (unsigned i = 0; i < G_N_ELEMENTS(factors); i++)
		for (unsigned k = 0; k < G_N_ELEMENTS(expected); k++) {
			WebBurst burst = learned(factors[i], expected[k], 20000);
			g_assert_cmpfloat(fabs(burst.log - log(factors[i])), <, 0.3);
		}
}

/* Few visits say little. */
static void test_few(void)
{
	WebBurst none = {0}, few = learned(8, 0.1, 3);
	g_assert_cmpfloat(burst_factor(&none), ==, 1);
	g_assert_cmpfloat(fabs(log(burst_factor(&few))), <, 0.4);
}

/* A visit whose result is certain tells nothing. */
static void test_certain(void)
{
	WebBurst burst = {0};
	for (unsigned i = 0; i < 10000; i++) {
		burst_observe(&burst, 100, true);
		burst_observe(&burst, 0, false);
	}
	g_assert_cmpfloat(fabs(log(burst_factor(&burst))), <, 0.01);
}

/* No sequence of visits leads out of bounds. */
static void test_bounds(void)
{
	static const double expected[] = {0, 1e-300, 1e-6, 1, 30, 1e30, HUGE_VAL};
	WebBurst burst = {0};
	for (unsigned i = 0; i < 100000; i++) {
		burst_observe(&burst, expected[g_test_rand_int_range(0, G_N_ELEMENTS(expected))],
		        g_test_rand_bit());
		double factor = burst_factor(&burst);
		g_assert_true(isfinite(factor) && factor > 0.01 && factor < 100);
	}
}

static void test_classes(void)
{
	WebVisit visit = {.change_seen = true};
	g_assert_cmpuint(burst_class(&visit), ==, 0);
	visit.quiet = 3600;
	g_assert_cmpuint(burst_class(&visit), ==, 1);
	visit.quiet = 24 * 3600;
	g_assert_cmpuint(burst_class(&visit), ==, 4);
	visit.quiet = 1e30F;
	g_assert_cmpuint(burst_class(&visit), ==, WEB_BURSTS - 1);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/daemon/bursts/estimate", test_estimate);
	g_test_add_func("/daemon/bursts/few", test_few);
	g_test_add_func("/daemon/bursts/certain", test_certain);
	g_test_add_func("/daemon/bursts/bounds", test_bounds);
	g_test_add_func("/daemon/bursts/classes", test_classes);
	return g_test_run();
}
