/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/engine/load-policy.h"
#include <glib/gstdio.h>

/* The test has a /sys and /proc of its own. */
static void put(const char *path, const char *text)
{
	g_autofree char *full = g_build_filename(g_getenv("TEST_TMP"), path, NULL);
	g_autofree char *dir = g_path_get_dirname(full);
	g_assert_cmpint(g_mkdir_with_parents(dir, 0700), ==, 0);
	g_assert_true(g_file_set_contents(full, text, -1, NULL));
}

static void put_battery(const char *name, const char *status, const char *capacity)
{
	const struct {
		const char *file, *text;
	} files[] = {{"type", "Battery\n"}, {"status", status}, {"capacity", capacity}};
	for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
		g_autofree char *path =
		        g_build_filename("sys/class/power_supply", name, files[i].file, NULL);
		put(path, files[i].text);
	}
}

static LoadVerdict ask(unsigned percent)
{
	return load_policy_ask(g_getenv("TEST_TMP"), percent);
}

static void test_nothing_known(void)
{
	g_assert_cmpint(load_policy_ask("/nonexistent", 30), ==, LOAD_LOW);
}

static void test_battery(void)
{
	put("sys/class/power_supply/AC/type", "Mains\n");
	put_battery("BAT0", "Discharging\n", "29\n");
	g_assert_cmpint(ask(30), ==, LOAD_BATTERY);
	g_assert_cmpint(ask(29), ==, LOAD_LOW);
	g_assert_cmpint(ask(0), ==, LOAD_LOW);
	put_battery("BAT0", "Charging\n", "29\n");
	g_assert_cmpint(ask(30), ==, LOAD_LOW);
	put_battery("BAT0", "Discharging\n", "100\n");
	g_assert_cmpint(ask(30), ==, LOAD_LOW);
	g_assert_cmpint(ask(101), ==, LOAD_BATTERY);
	put_battery("BAT0", "Full\n", "100\n");
	put_battery("mouse", "Discharging\n", "5\n");
	put("sys/class/power_supply/mouse/scope", "Device\n");
	g_assert_cmpint(ask(30), ==, LOAD_LOW);
	put_battery("BAT1", "Discharging\n", "5\n");
	g_assert_cmpint(ask(30), ==, LOAD_BATTERY);
	put_battery("BAT1", "Not charging\n", "5\n");
	g_assert_cmpint(ask(30), ==, LOAD_LOW);
}

static void test_pressure(void)
{
	put("proc/pressure/memory", "some avg10=80.00 avg60=5.00 avg300=1.00 total=12\n"
	                            "full avg10=1.50 avg60=0.00 avg300=0.00 total=9\n");
	g_assert_cmpint(ask(0), ==, LOAD_LOW);
	put("proc/pressure/memory", "some avg10=80.00 avg60=5.00 avg300=1.00 total=12\n"
	                            "full avg10=20.50 avg60=0.00 avg300=0.00 total=9\n");
	g_assert_cmpint(ask(0), ==, LOAD_MEMORY);
	put("proc/pressure/memory", "nonsense");
	g_assert_cmpint(ask(0), ==, LOAD_LOW);
	g_assert_nonnull(load_policy_reason(LOAD_MEMORY));
	g_assert_null(load_policy_reason(LOAD_LOW));
}

static void test_disks(void)
{
	put("proc/pressure/memory", "full avg10=0.00 avg60=0.00 avg300=0.00 total=9\n");
	put("proc/pressure/cpu", "some avg10=99.00 avg60=99.00 avg300=99.00 total=9\n"
	                         "full avg10=99.00 avg60=99.00 avg300=99.00 total=9\n");
	put("proc/pressure/io", "some avg10=80.00 avg60=0.00 avg300=0.00 total=9\n"
	                        "full avg10=19.00 avg60=0.00 avg300=0.00 total=9\n");
	g_assert_cmpint(ask(0), ==, LOAD_LOW);
	put("proc/pressure/io", "some avg10=80.00 avg60=0.00 avg300=0.00 total=9\n"
	                        "full avg10=21.00 avg60=0.00 avg300=0.00 total=9\n");
	g_assert_cmpint(ask(0), ==, LOAD_DISK);
	g_assert_nonnull(load_policy_reason(LOAD_DISK));
}

static LoadVerdict consider(LoadPolicy *load_policy, bool pressed, int64_t now_s)
{
	put("proc/pressure/io", pressed ? "full avg10=60.00 avg60=0.00 avg300=0.00 total=9\n"
	                                : "full avg10=0.00 avg60=0.00 avg300=0.00 total=9\n");
	return load_policy_consider(load_policy, g_getenv("TEST_TMP"), 0, now_s * G_USEC_PER_SEC);
}

/* Pressure that ends when we stop is our own; pressure that lasts is not. */
static void test_own_pressure(void)
{
	LoadPolicy load_policy = {0};
	g_assert_cmpint(consider(&load_policy, true, 100), ==, LOAD_DISK);
	g_assert_cmpint(consider(&load_policy, true, 200), ==, LOAD_DISK);
	g_assert_cmpint(consider(&load_policy, false, 210), ==, LOAD_LOW);
	g_assert_cmpint(consider(&load_policy, true, 220), ==, LOAD_DISK);
	g_assert_cmpint(consider(&load_policy, false, 240), ==, LOAD_LOW);
	g_assert_cmpint(consider(&load_policy, true, 250), ==, LOAD_LOW);
	g_assert_cmpint(consider(&load_policy, true, 539), ==, LOAD_LOW);
	g_assert_cmpint(consider(&load_policy, true, 541), ==, LOAD_DISK);
	put_battery("BAT9", "Discharging\n", "1\n");
	g_assert_cmpint(
	        load_policy_consider(&load_policy, g_getenv("TEST_TMP"), 30, 0), ==, LOAD_BATTERY);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/daemon/load-policy/load-is-low-without-sys-and-proc", test_nothing_known);
	g_test_add_func("/daemon/load-policy/battery-below-the-limit-is-recognised", test_battery);
	g_test_add_func("/daemon/load-policy/memory-pressure-is-recognised", test_pressure);
	g_test_add_func("/daemon/load-policy/disk-pressure-is-recognised", test_disks);
	g_test_add_func("/daemon/load-policy/pressure-that-ends-with-our-work-is-our-own",
	        test_own_pressure);
	return g_test_run();
}
