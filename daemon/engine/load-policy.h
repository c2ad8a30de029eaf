/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load-policy.h - may the backlog go on, or does the machine need rest?
 *
 * A backlog waits while the machine runs on a battery that holds less than a share, or while
 * programs are held up for lack of memory or by disks (pressure stall information,
 * Documentation/accounting/psi.rst: share of the last 10 s in which all of them waited). What
 * somebody just saved does not wait. For a processor nobody waits because of us: converters run
 * with SCHED_IDLE.
 *
 * Who waits for disks may be ourselves. What ends within LOAD_TRIAL_US of our rest was our own
 * doing, and is not asked about for LOAD_OWN_US. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

typedef enum { LOAD_LOW, LOAD_BATTERY, LOAD_MEMORY, LOAD_DISK } LoadVerdict;

enum { LOAD_TRIAL_US = 30 * 1000 * 1000, LOAD_OWN_US = 300 * 1000 * 1000 };

/* All zero at first. */
typedef struct {
	LoadVerdict verdict; /* the last one */
	int64_t resting_us; /* since when disks are why */
	int64_t own_until_us;
} LoadPolicy;

/* load_policy_ask(), remembering. now_us: monotonic. */
LoadVerdict load_policy_consider(
        LoadPolicy *load_policy, const char *root, unsigned battery_percent, int64_t now_us);

/* root: where /sys and /proc are, "" for those of this machine. battery_percent: 0: do not ask. */
LoadVerdict load_policy_ask(const char *root, unsigned battery_percent);
/* Translated; NULL for LOAD_LOW. */
const char *load_policy_reason(LoadVerdict verdict);
