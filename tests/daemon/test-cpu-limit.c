/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/engine/cpu-limit.h"
#include <glib.h>

/* Simulates the engine's loop: work on all processors whenever it is allowed. In each window of ten
 * seconds the processor time stays within the limit. */
static void check(unsigned percent, unsigned processors)
{
	enum { STEP_US = CPU_LIMIT_STEP_US, STEPS = 4000, WINDOW = 10000000 / STEP_US };
	static int64_t used[STEPS + 1];
	CpuLimit cpu_limit = {0};
	int64_t cpu_us = 0, now_us = 1000;
	cpu_limit_set(&cpu_limit, percent);
	for (unsigned i = 0; i < STEPS; i++) {
		bool work = cpu_limit_account(&cpu_limit, cpu_us, now_us);
		now_us += STEP_US;
		cpu_us += work ? (int64_t)processors * STEP_US : 0;
		used[i + 1] = cpu_us;
		if (i < WINDOW)
			continue;
		g_assert_cmpint(used[i] - used[i - WINDOW], <=,
		        WINDOW * (int64_t)STEP_US / 100 * percent + (int64_t)processors * STEP_US);
	}
	g_assert_cmpint(cpu_us, >=, STEPS * (int64_t)STEP_US / 100 * percent / 2);
}

static void test_ceiling(void)
{
	for (unsigned percent = 5; percent < 100; percent += 19) {
		check(percent, 1);
		check(percent, 3);
	}
}

/* Simulates pieces of work that cannot be interrupted. The expected cost of a piece grows as it
 * comes nearer, and the piece begins when work is allowed. */
static void check_pieces(unsigned percent, int64_t piece_us)
{
	enum {
		STEP_US = CPU_LIMIT_STEP_US,
		STEPS = 6000,
		WINDOW = CPU_LIMIT_WINDOW_US / STEP_US,
		PARTS = 8
	};
	static int64_t used[STEPS + 1];
	CpuLimit cpu_limit = {0};
	int64_t cpu_us = 0, now_us = 1000;
	unsigned parts = 0, pieces = 0, i = 0;
	cpu_limit_set(&cpu_limit, percent);
	while (i < STEPS) {
		cpu_limit_expect(&cpu_limit, piece_us * parts / PARTS);
		bool work = cpu_limit_account(&cpu_limit, cpu_us, now_us);
		bool piece = work && parts == PARTS;
		unsigned steps = piece ? piece_us / STEP_US : 1;
		pieces += piece;
		parts = work ? (parts + 1) % (PARTS + 1) : parts;
		for (; steps > 0 && i < STEPS; steps--) {
			now_us += STEP_US;
			cpu_us += work ? STEP_US : 0;
			used[++i] = cpu_us;
		}
	}
	for (i = WINDOW; i <= STEPS; i++)
		g_assert_cmpint(used[i] - used[i - WINDOW], <=,
		        (int64_t)CPU_LIMIT_WINDOW_US / 100 * percent);
	g_assert_cmpint(cpu_us, >=, STEPS * (int64_t)STEP_US / 100 * percent / 2);
	g_assert_cmpuint(pieces, >, 10);
}

static void test_pieces(void)
{
	check_pieces(30, 500000);
	check_pieces(30, 1000000);
	check_pieces(10, 300000);
	check_pieces(70, 2000000);
}

static void test_none(void)
{
	CpuLimit cpu_limit = {0};
	cpu_limit_set(&cpu_limit, 0);
	g_assert_true(cpu_limit_may_work(&cpu_limit, 5));
	cpu_limit_set(&cpu_limit, 100);
	g_assert_true(cpu_limit_may_work(&cpu_limit, 6));
}

/* A child that is missing in the counts for a moment is not accounted for twice. */
static void test_backwards(void)
{
	CpuLimit cpu_limit = {0};
	cpu_limit_set(&cpu_limit, 50);
	g_assert_true(cpu_limit_account(&cpu_limit, 1000000, 1000000));
	g_assert_false(cpu_limit_account(&cpu_limit, 1100000, 1100000));
	g_assert_true(cpu_limit_account(&cpu_limit, 200000, 1200000));
	g_assert_true(cpu_limit_account(&cpu_limit, 1100000, 1300000));
}

static void test_of_ours(void)
{
	int64_t before_us = cpu_limit_cpu_us();
	g_autofree char *path = NULL;
	volatile unsigned n = 0;
	g_assert_cmpint(before_us, >, 0);
	while (cpu_limit_cpu_us() < before_us + 30000)
		n++;
	g_assert_cmpint(g_spawn_command_line_sync(
	                        "sh -c 'i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done'", &path,
	                        NULL, NULL, NULL),
	        ==, TRUE);
	g_assert_cmpint(cpu_limit_cpu_us(), >, before_us + 40000);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/daemon/cpu-limit/holds-over-ten-seconds", test_ceiling);
	g_test_add_func(
	        "/daemon/cpu-limit/holds-with-work-that-cannot-be-interrupted", test_pieces);
	g_test_add_func("/daemon/cpu-limit/zero-and-hundred-are-no-limit", test_none);
	g_test_add_func(
	        "/daemon/cpu-limit/cpu-time-that-drops-is-not-counted-twice", test_backwards);
	g_test_add_func("/daemon/cpu-limit/cpu-time-of-children-is-counted", test_of_ours);
	return g_test_run();
}
