/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests daemon/engine/mode.h: which mode is shown if several apply. */
#include <config.h>
#include "daemon/engine/mode.h"
#include <glib.h>

/* All facts that can be true at once. The test takes them back in the order of the modes. */
static const ModeFacts all = {.stopping = true,
        .disk_full = true,
        .recovering = true,
        .no_converter = true,
        .paused = true,
        .load = LOAD_BATTERY,
        .configured = false,
        .scanning = true,
        .busy = true,
        .uncommitted = true,
        .throttled = true};

static void test_the_first_that_holds_is_the_mode(void)
{
	ModeFacts facts = all;
	g_assert_cmpint(mode_of(&facts), ==, MODE_STOPPING);
	facts.stopping = false;
	g_assert_cmpint(mode_of(&facts), ==, MODE_DISK_FULL);
	facts.disk_full = false;
	g_assert_cmpint(mode_of(&facts), ==, MODE_RECOVERING);
	facts.recovering = false;
	g_assert_cmpint(mode_of(&facts), ==, MODE_NO_CONVERTER);
	facts.no_converter = false;
	g_assert_cmpint(mode_of(&facts), ==, MODE_PAUSED);
	facts.paused = false;
	g_assert_cmpint(mode_of(&facts), ==, MODE_LOAD_HOLDS);
	facts.load = LOAD_LOW;
	g_assert_cmpint(mode_of(&facts), ==, MODE_STARTING);
	facts.configured = true;
	g_assert_cmpint(mode_of(&facts), ==, MODE_SCANNING);
	facts.scanning = false;
	g_assert_cmpint(mode_of(&facts), ==, MODE_THROTTLED);
	facts.throttled = false;
	g_assert_cmpint(mode_of(&facts), ==, MODE_INDEXING);
	facts.busy = false;
	g_assert_cmpint(mode_of(&facts), ==, MODE_INDEXING);
	facts.uncommitted = false;
	g_assert_cmpint(mode_of(&facts), ==, MODE_IDLE);
}

static void test_load_and_cpu_limit_hold_nothing_up_without_work(void)
{
	g_assert_cmpint(
	        mode_of(&(ModeFacts){.configured = true, .load = LOAD_DISK, .throttled = true}), ==,
	        MODE_IDLE);
}

static void test_every_mode_has_a_name(void)
{
	for (EngineMode mode = 0; mode < N_ENGINE_MODES; mode++)
		g_assert_nonnull(mode_name(mode));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func(
	        "/mode/the first that holds is the mode", test_the_first_that_holds_is_the_mode);
	g_test_add_func("/mode/load and CPU limit hold nothing up without work",
	        test_load_and_cpu_limit_hold_nothing_up_without_work);
	g_test_add_func("/mode/every mode has a name", test_every_mode_has_a_name);
	return g_test_run();
}
