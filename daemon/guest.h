/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guest.h - may the backlog go on, or does the machine need rest?
 *
 * A backlog waits while the machine runs on a battery that holds less than a share, or while
 * programs are held up for lack of memory (pressure stall information,
 * Documentation/accounting/psi.rst: share of the last 10 s in which all of them waited). What
 * somebody just saved does not wait. */
#pragma once
#include <stdbool.h>

typedef enum { GUEST_WELCOME, GUEST_BATTERY, GUEST_MEMORY } GuestVerdict;

/* root: where /sys and /proc are, "" for those of this machine. battery_percent: 0: do not ask. */
GuestVerdict guest_ask(const char *root, unsigned battery_percent);
/* Translated; NULL for GUEST_WELCOME. */
const char *guest_reason(GuestVerdict verdict);
