/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/engine/cpu-limit.h"
#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

void cpu_limit_set(CpuLimit *cpu_limit, unsigned percent)
{
	if (percent >= 100)
		percent = 0;
	if (cpu_limit->percent != percent)
		*cpu_limit = (CpuLimit){
		        .percent = percent, .processors = MIN(g_get_num_processors(), 4)};
}

static int64_t of_usage(int who)
{
	struct rusage usage;
	if (getrusage(who, &usage) != 0)
		return 0;
	return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * G_USEC_PER_SEC +
	       usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
}

/* Sums utime, stime, cutime and cstime of proc_pid_stat(5), in ticks. The second field may contain
 * anything, so it ends at the last parenthesis. */
static int64_t of_process(const char *pid)
{
	g_autofree char *path = g_strdup_printf("/proc/%s/stat", pid);
	g_autofree char *text = NULL;
	unsigned long user, system;
	long below_user, below_system;
	if (!g_file_get_contents(path, &text, NULL, NULL))
		return 0;
	const char *rest = strrchr(text, ')');
	if (!rest ||
	        sscanf(rest + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %ld %ld",
	                &user, &system, &below_user, &below_system) != 4)
		return 0;
	return (int64_t)(user + system + below_user + below_system) * G_USEC_PER_SEC /
	       sysconf(_SC_CLK_TCK);
}

/* Returns the CPU time of a thread's children and their descendants. */
static int64_t of_children(const char *pid, const char *tid, unsigned depth)
{
	g_autofree char *path = g_strdup_printf("/proc/%s/task/%s/children", pid, tid);
	g_autofree char *text = NULL;
	int64_t sum = 0;
	if (depth == 0 || !g_file_get_contents(path, &text, NULL, NULL))
		return 0;
	g_auto(GStrv) pids = g_strsplit(text, " ", -1);
	for (char **child = pids; *child; child++) {
		if (**child)
			sum += of_process(*child) + of_children(*child, *child, depth - 1);
	}
	return sum;
}

static int64_t of_threads_children(void)
{
	enum { DEPTH = 2 }; /* the extractor program, and its children */
	int64_t sum = 0;
	g_autoptr(GDir) threads = g_dir_open("/proc/self/task", 0, NULL);
	for (const char *tid; threads && (tid = g_dir_read_name(threads));)
		sum += of_children("self", tid, DEPTH);
	return sum;
}

int64_t cpu_limit_cpu_us(void)
{
	return of_usage(RUSAGE_SELF) + of_usage(RUSAGE_CHILDREN) + of_threads_children();
}

/* ---- the last ten seconds */

static void cpu_limit_remember(CpuLimit *cpu_limit, int64_t now_us)
{
	const CpuLimitSample *last =
	        &cpu_limit->past[(cpu_limit->n_past + CPU_LIMIT_SAMPLES - 1) % CPU_LIMIT_SAMPLES];
	if (cpu_limit->n_past == 0 || now_us - last->at_us >= CPU_LIMIT_SAMPLE_US)
		cpu_limit->past[cpu_limit->n_past++ % CPU_LIMIT_SAMPLES] =
		        (CpuLimitSample){now_us, cpu_limit->cpu_us};
}

/* Returns the CPU time used since then, or since a little before. */
static int64_t used_since(const CpuLimit *cpu_limit, int64_t since_us)
{
	unsigned first =
	        cpu_limit->n_past > CPU_LIMIT_SAMPLES ? cpu_limit->n_past - CPU_LIMIT_SAMPLES : 0;
	int64_t cpu_us = cpu_limit->cpu_us;
	for (unsigned i = cpu_limit->n_past; i-- > first;) {
		const CpuLimitSample *sample = &cpu_limit->past[i % CPU_LIMIT_SAMPLES];
		cpu_us = sample->cpu_us;
		if (sample->at_us <= since_us)
			break;
	}
	return cpu_limit->cpu_us - cpu_us;
}

/* All processors may be busy until the next call. A piece of work that is larger than the limit
 * allows must be let through at some time. */
static bool cpu_limit_fits(const CpuLimit *cpu_limit, int64_t now_us)
{
	int64_t budget_us = (int64_t)CPU_LIMIT_WINDOW_US / 100 * cpu_limit->percent;
	int64_t step_us = (int64_t)CPU_LIMIT_STEP_US * cpu_limit->processors;
	int64_t next_us = MIN(step_us + cpu_limit->expected_us, budget_us / 2);
	return used_since(cpu_limit, now_us - CPU_LIMIT_WINDOW_US) + next_us <= budget_us;
}

void cpu_limit_expect(CpuLimit *cpu_limit, int64_t cpu_us)
{
	cpu_limit->expected_us = cpu_us;
}

bool cpu_limit_account(CpuLimit *cpu_limit, int64_t cpu_us, int64_t now_us)
{
	/* A child that has just ended is missing in all counts for a moment. */
	int64_t used_us = cpu_limit->seen_us > 0 ? MAX(0, cpu_us - cpu_limit->cpu_us) : 0;
	cpu_limit->rest_until_us = MAX(cpu_limit->rest_until_us, cpu_limit->seen_us) +
	                           used_us * 100 / cpu_limit->percent;
	cpu_limit->cpu_us = MAX(cpu_limit->cpu_us, cpu_us);
	cpu_limit->seen_us = now_us;
	cpu_limit_remember(cpu_limit, now_us);
	return cpu_limit->rest_until_us <= now_us && cpu_limit_fits(cpu_limit, now_us);
}

bool cpu_limit_may_work(CpuLimit *cpu_limit, int64_t now_us)
{
	if (cpu_limit->percent == 0)
		return true;
	if (cpu_limit->seen_us > 0 && now_us - cpu_limit->seen_us < CPU_LIMIT_STEP_US)
		return cpu_limit->rest_until_us <= now_us && cpu_limit_fits(cpu_limit, now_us);
	return cpu_limit_account(cpu_limit, cpu_limit_cpu_us(), now_us);
}

int64_t cpu_limit_next_us(const CpuLimit *cpu_limit, int64_t now_us)
{
	return MAX(cpu_limit->rest_until_us, now_us + CPU_LIMIT_STEP_US);
}
