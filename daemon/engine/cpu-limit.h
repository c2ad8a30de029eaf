/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu-limit.h - limits the CPU time of work that no client waits for
 *
 * The kernel reports how much CPU time all our processes have used: the daemon and its descendants,
 * running or ended. At a limit of n percent, enough rest precedes or follows each second of CPU
 * time to make that second n percent of the whole. Work and rest alternate in steps of
 * CPU_LIMIT_STEP_US, so the limit holds over any ten seconds, however many children run.
 *
 * Some work cannot be interrupted, and its cost is known only roughly. Therefore the use of the
 * last ten seconds is remembered. Work begins only if it fits into the rest of them, together with
 * the work that is sure to follow (cpu_limit_expect()). */
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

/* If all members are zero, there is no limit. */
typedef struct {
	unsigned percent; /* of one processor; 0: none */
	unsigned processors; /* processors that may be busy at the same time */
	int64_t cpu_us; /* CPU time at the last account */
	int64_t seen_us; /* time of the last account; 0: never */
	int64_t rest_until_us; /* end of the rest that pays for the CPU time used */
	int64_t expected_us; /* reserved by cpu_limit_expect() */
	CpuLimitSample past[CPU_LIMIT_SAMPLES]; /* a ring buffer of samples, CPU_LIMIT_SAMPLE_US
	                                           apart or more */
	unsigned n_past; /* number of samples ever taken */
} CpuLimit;

void cpu_limit_set(CpuLimit *cpu_limit, unsigned percent);
/* Accounts for the CPU time used. May work go on now? */
bool cpu_limit_may_work(CpuLimit *cpu_limit, int64_t now_us);
/* Reserves this much CPU time, which will be used in one piece at some later time. */
void cpu_limit_expect(CpuLimit *cpu_limit, int64_t cpu_us);
/* Returns when to call cpu_limit_may_work() again while there is work: the end of a step or of the
 * rest. */
int64_t cpu_limit_next_us(const CpuLimit *cpu_limit, int64_t now_us);
/* Does the same as cpu_limit_may_work(), given the total CPU time used. */
bool cpu_limit_account(CpuLimit *cpu_limit, int64_t cpu_us, int64_t now_us);
/* Returns the CPU time of all our processes. */
int64_t cpu_limit_cpu_us(void);
