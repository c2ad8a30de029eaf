/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/base/log.h"
#include <stdlib.h>

/* Runs in a child of each test and logs one message of every kind. */
static void say_everything(void)
{
	log_init("prog", g_getenv("TEST_VERBOSE") != NULL);
	g_message("a path: %s", "x\n\033[31mforged\377");
	g_info("for the run");
	g_debug("watch: one file");
	g_debug("queue: one job");
	g_debug("no topic");
	exit(0);
}

static void run_child(const char *test)
{
	g_test_trap_subprocess(test, 0, 0);
	g_test_trap_assert_passed();
}

static void test_plain(void)
{
	if (g_test_subprocess())
		say_everything();
	run_child(NULL);
	g_test_trap_assert_stderr("prog: a path: x\\n\\x1b[31mforged\\xff\n");
}

static void test_topics(void)
{
	if (g_test_subprocess()) {
		g_setenv("TARSIER_DEBUG", "store,watch", TRUE);
		say_everything();
	}
	run_child(NULL);
	g_test_trap_assert_stderr("*watch: one file\n");
	g_test_trap_assert_stderr_unmatched("*queue*");
	g_test_trap_assert_stderr_unmatched("*for the run*");
}

static void test_all_and_verbose(void)
{
	if (g_test_subprocess()) {
		g_setenv("TARSIER_DEBUG", "all", TRUE);
		g_setenv("TEST_VERBOSE", "1", TRUE);
		say_everything();
	}
	run_child(NULL);
	g_test_trap_assert_stderr("*for the run*watch: one file*queue: one job*no topic\n");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/common/log/nothing-optional-is-logged-by-default", test_plain);
	g_test_add_func("/common/log/only-chosen-topics-are-logged", test_topics);
	g_test_add_func("/common/log/all-topics-can-be-chosen", test_all_and_verbose);
	return g_test_run();
}
