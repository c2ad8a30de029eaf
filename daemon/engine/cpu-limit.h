/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu-limit.h - a limit of CPU time for work that nobody waits for
 *
 * The kernel tells how much CPU time all our processes have used: this one, its children and
 * theirs, running or ended. At a limit of n percent each second of CPU time is followed, or was
 * preceded, by so much rest that it is n percent of the whole. Work and rest alternate in steps of
 * CPU_LIMIT_STEP_US, so that the limit holds over any ten seconds, however many converters run.
 *
 * Some work cannot be interrupted, and its cost is known only roughly. So the last ten seconds are
 * remembered, and work begins only if it and the work that is sure to follow (cpu_limit_expect())
 * fit into the rest of them. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum {
	CPU_LIMIT_STEP_US = 50 * 1000,
	CPU_LIMIT_WINDOW_US = 10 * 1000 * 1000,
	CPU_LIMIT_SAMPLE_US = 100 * 1000,
	CPU_LIMIT_SAMPLES = CPU_LIMIT_WINDOW_US / CPU_LIMIT_SAMPLE_US + 4,
};

typedef struct {
	int64_t at_us, cpu_us;
} CpuLimitSample;

/* All zero: no limit. */
typedef struct {
	unsigned percent; /* of one processor; 0: none */
	unsigned processors; /* that may be busy at once */
	int64_t cpu_us; /* used so far, when it was last accounted for */
	int64_t seen_us; /* when that was; 0: never */
	int64_t rest_until_us; /* until then, to pay for what was used */
	int64_t expected_us; /* of cpu_limit_expect() */
	CpuLimitSample past[CPU_LIMIT_SAMPLES]; /* a ring, CPU_LIMIT_SAMPLE_US apart or more */
	unsigned n_past; /* ever */
} CpuLimit;

void cpu_limit_set(CpuLimit *cpu_limit, unsigned percent);
/* Accounts for the CPU time used. May there be work now? */
bool cpu_limit_may_work(CpuLimit *cpu_limit, int64_t now_us);
/* So much CPU time will be used in one piece, some time from now on. */
void cpu_limit_expect(CpuLimit *cpu_limit, int64_t cpu_us);
/* When to ask again while there is work, or when the rest is over. */
int64_t cpu_limit_next_us(const CpuLimit *cpu_limit, int64_t now_us);
/* The same as cpu_limit_may_work(), given the CPU time used in all. */
bool cpu_limit_account(CpuLimit *cpu_limit, int64_t cpu_us, int64_t now_us);
/* CPU time of all our processes. */
int64_t cpu_limit_cpu_us(void);
