/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/engine/cpu-limit.h"
#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

void pace_set(Pace *pace, unsigned percent)
{
	if (percent >= 100)
		percent = 0;
	if (pace->percent != percent)
		*pace = (Pace){.percent = percent, .processors = MIN(g_get_num_processors(), 4)};
}

static int64_t of_usage(int who)
{
	struct rusage usage;
	if (getrusage(who, &usage) != 0)
		return 0;
	return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * G_USEC_PER_SEC +
	       usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
}

/* utime, stime, cutime and cstime of proc_pid_stat(5), in ticks; its second field may hold
 * anything, up to the last parenthesis. */
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

/* Of a thread's children and theirs. */
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
	enum { DEPTH = 2 }; /* the converter program, and its children */
	int64_t sum = 0;
	g_autoptr(GDir) threads = g_dir_open("/proc/self/task", 0, NULL);
	for (const char *tid; threads && (tid = g_dir_read_name(threads));)
		sum += of_children("self", tid, DEPTH);
	return sum;
}

int64_t pace_cpu_us(void)
{
	return of_usage(RUSAGE_SELF) + of_usage(RUSAGE_CHILDREN) + of_threads_children();
}

/* ---- the last ten seconds */

static void remember(Pace *pace, int64_t now_us)
{
	const PaceSample *last = &pace->past[(pace->n_past + PACE_SAMPLES - 1) % PACE_SAMPLES];
	if (pace->n_past == 0 || now_us - last->at_us >= PACE_SAMPLE_US)
		pace->past[pace->n_past++ % PACE_SAMPLES] = (PaceSample){now_us, pace->cpu_us};
}

/* Used since then, or a little before. */
static int64_t used_since(const Pace *pace, int64_t since_us)
{
	unsigned first = pace->n_past > PACE_SAMPLES ? pace->n_past - PACE_SAMPLES : 0;
	int64_t cpu_us = pace->cpu_us;
	for (unsigned i = pace->n_past; i-- > first;) {
		const PaceSample *sample = &pace->past[i % PACE_SAMPLES];
		cpu_us = sample->cpu_us;
		if (sample->at_us <= since_us)
			break;
	}
	return pace->cpu_us - cpu_us;
}

/* All processors may be busy until it is asked again. What is larger than the ceiling allows at all
 * must begin some time. */
static bool fits(const Pace *pace, int64_t now_us)
{
	int64_t budget_us = (int64_t)PACE_WINDOW_US / 100 * pace->percent;
	int64_t step_us = (int64_t)PACE_STEP_US * pace->processors;
	int64_t next_us = MIN(step_us + pace->ahead_us, budget_us / 2);
	return used_since(pace, now_us - PACE_WINDOW_US) + next_us <= budget_us;
}

void pace_expect(Pace *pace, int64_t cpu_us)
{
	pace->ahead_us = cpu_us;
}

bool pace_account(Pace *pace, int64_t cpu_us, int64_t now_us)
{
	/* A child that ends is for a moment counted nowhere. */
	int64_t used_us = pace->seen_us > 0 ? MAX(0, cpu_us - pace->cpu_us) : 0;
	pace->free_us = MAX(pace->free_us, pace->seen_us) + used_us * 100 / pace->percent;
	pace->cpu_us = MAX(pace->cpu_us, cpu_us);
	pace->seen_us = now_us;
	remember(pace, now_us);
	return pace->free_us <= now_us && fits(pace, now_us);
}

bool pace_may_work(Pace *pace, int64_t now_us)
{
	if (pace->percent == 0)
		return true;
	if (pace->seen_us > 0 && now_us - pace->seen_us < PACE_STEP_US)
		return pace->free_us <= now_us && fits(pace, now_us);
	return pace_account(pace, pace_cpu_us(), now_us);
}

int64_t pace_next_us(const Pace *pace, int64_t now_us)
{
	return MAX(pace->free_us, now_us + PACE_STEP_US);
}
