/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load-policy.h - may the backlog go on, or does the machine need rest?
 *
 * The backlog waits while the machine runs on a battery that holds less than a given share, or
 * while all programs that want memory or a disk have to wait for it (pressure stall information,
 * Documentation/accounting/psi.rst: more than 20 % of the last 10 s). Files that somebody just
 * saved do not wait. Pressure on the processor does not count: converters run with SCHED_IDLE, so
 * they feel it first, and cause none.
 *
 * Pressure on disks may be our own doing. If it ends within LOAD_TRIAL_US of our rest, it was, and
 * is ignored for LOAD_OWN_US. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

typedef enum { LOAD_LOW, LOAD_BATTERY, LOAD_MEMORY, LOAD_DISK } LoadVerdict;

enum { LOAD_TRIAL_US = 30 * 1000 * 1000, LOAD_OWN_US = 300 * 1000 * 1000 };

/* All zero at first. */
typedef struct {
	LoadVerdict verdict; /* the last one */
	int64_t resting_us; /* when the backlog began to wait for disks */
	int64_t own_until_us; /* until then pressure on disks is ignored */
} LoadPolicy;

/* The same as load_policy_ask(), but knows what is our own doing. now_us: monotonic. */
LoadVerdict load_policy_consider(
        LoadPolicy *load_policy, const char *root, unsigned battery_percent, int64_t now_us);

/* root: where /sys and /proc are, "" for those of this machine. battery_percent: a battery below
 * this is low; 0: none is. */
LoadVerdict load_policy_ask(const char *root, unsigned battery_percent);
/* Translated; NULL for LOAD_LOW. */
const char *load_policy_reason(LoadVerdict verdict);
