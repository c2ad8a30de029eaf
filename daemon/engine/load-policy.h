/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load-policy.h - decides whether the backlog may go on, by battery and pressure
 *
 * The backlog waits while the machine runs on a battery that is below a given level. It also waits
 * while all programs that need memory or a disk are stalled (pressure stall information,
 * Documentation/accounting/psi.rst: more than 20 % of the last 10 s). Files that were just saved do
 * not wait. Pressure on the processor does not count: children run with SCHED_IDLE, so they feel it
 * first and cause none.
 *
 * We may cause the pressure on disks ourselves. If it ends within LOAD_TRIAL_US after we stop, we
 * caused it, and it is ignored for LOAD_OWN_US. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

typedef enum { LOAD_LOW, LOAD_BATTERY, LOAD_MEMORY, LOAD_DISK } LoadVerdict;

enum { LOAD_TRIAL_US = 30 * 1000 * 1000, LOAD_OWN_US = 300 * 1000 * 1000 };

/* All members are zero at first. */
typedef struct {
	LoadVerdict verdict; /* the last verdict */
	int64_t resting_us; /* when the backlog began to wait for disks */
	int64_t own_until_us; /* until then pressure on disks is ignored */
} LoadPolicy;

/* Does the same as load_policy_ask(), but ignores pressure that we cause. now_us: monotonic. */
LoadVerdict load_policy_consider(
        LoadPolicy *load_policy, const char *root, unsigned battery_percent, int64_t now_us);

/* root: prefix of /sys and /proc, "" for those of this machine. battery_percent: a battery below
 * this level is low; 0: none is. */
LoadVerdict load_policy_ask(const char *root, unsigned battery_percent);
/* The reason is translated; NULL for LOAD_LOW. */
const char *load_policy_reason(LoadVerdict verdict);
