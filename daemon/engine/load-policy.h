/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load-policy.h - may the backlog go on, or does the machine need rest?
 *
 * A backlog waits while the machine runs on a battery that holds less than a share, or while
 * programs are held up for lack of memory or by disks (pressure stall information,
 * Documentation/accounting/psi.rst: share of the last 10 s in which all of them waited). What
 * somebody just saved does not wait. For a processor nobody waits because of us: converters run
 * with SCHED_IDLE.
 *
 * Who waits for disks may be ourselves. What ends within GUEST_TRIAL_US of our rest was our own
 * doing, and is not asked about for GUEST_OWN_US. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

typedef enum { GUEST_WELCOME, GUEST_BATTERY, GUEST_MEMORY, GUEST_DISK } GuestVerdict;

enum { GUEST_TRIAL_US = 30 * 1000 * 1000, GUEST_OWN_US = 300 * 1000 * 1000 };

/* All zero at first. */
typedef struct {
	GuestVerdict verdict; /* the last one */
	int64_t resting_us; /* since when disks are why */
	int64_t own_until_us;
} Guest;

/* guest_ask(), remembering. now_us: monotonic. */
GuestVerdict guest_consider(
        Guest *guest, const char *root, unsigned battery_percent, int64_t now_us);

/* root: where /sys and /proc are, "" for those of this machine. battery_percent: 0: do not ask. */
GuestVerdict guest_ask(const char *root, unsigned battery_percent);
/* Translated; NULL for GUEST_WELCOME. */
const char *guest_reason(GuestVerdict verdict);
