/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu-limit.h - a ceiling of processor time for work that nobody waits for
 *
 * What all our processes use (this one, its children and theirs, running or ended) is read from the
 * kernel. At a ceiling of n percent a second of it has to be followed, or to have been preceded, by
 * so much rest that it is n percent of the whole: work and rest alternate in steps of
 * CPU_LIMIT_STEP_US, so that the ceiling holds over any ten seconds, however many converters run.
 *
 * Some work is done in one piece, and what it takes is known only roughly. The last ten seconds are
 * remembered: work begins if it and what is sure to come after it (cpu_limit_expect) fit into what
 * is left of them. */
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

/* All zero: no ceiling. */
typedef struct {
	unsigned percent; /* of one processor; 0: none */
	unsigned processors; /* that may be busy at once */
	int64_t cpu_us; /* used so far, as far as it was seen */
	int64_t seen_us; /* when; 0: never */
	int64_t free_us; /* that is paid for by then */
	int64_t ahead_us; /* what is expected */
	CpuLimitSample past[CPU_LIMIT_SAMPLES]; /* a ring, CPU_LIMIT_SAMPLE_US apart or more */
	unsigned n_past; /* ever */
} CpuLimit;

void cpu_limit_set(CpuLimit *cpu_limit, unsigned percent);
/* Takes note of what was used. May there be work now? */
bool cpu_limit_may_work(CpuLimit *cpu_limit, int64_t now_us);
/* So much will be used in one piece, as a part of what may be worked on from now on. */
void cpu_limit_expect(CpuLimit *cpu_limit, int64_t cpu_us);
/* When to ask again: while there is work, or when the rest is over. */
int64_t cpu_limit_next_us(const CpuLimit *cpu_limit, int64_t now_us);
/* The same, told what was used in all. */
bool cpu_limit_account(CpuLimit *cpu_limit, int64_t cpu_us, int64_t now_us);
/* Processor time of all our processes. */
int64_t cpu_limit_cpu_us(void);
