/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rescan-policy.h - decides when to compare everything with the file systems
 *
 * A rescan is made at the start, when the interval of the setting daemon.verify is over, on
 * request, and because of rescan suspicions (rescan-suspicion.h). For suspicions it is made at once
 * if a client waits, otherwise at most every ten minutes and for at most a hundredth of the time.
 * This module only remembers the times; the tick starts the rescan. */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct RescanPolicy RescanPolicy;

typedef enum { RESCAN_INTERVAL, RESCAN_REQUEST, RESCAN_SUSPICION } RescanCause;

RescanPolicy *rescan_policy_new(void);
void rescan_policy_free(RescanPolicy *policy);
/* The roots were configured, which starts a rescan. interval_s: 0: no rescans at intervals. */
void rescan_policy_configure(RescanPolicy *policy, int64_t interval_s, int64_t now_us);

/* Is the interval over? */
bool rescan_policy_is_due(const RescanPolicy *policy, int64_t now_us);
/* Is a rescan allowed for suspicions that no client waits for? */
bool rescan_policy_may_resolve(const RescanPolicy *policy, int64_t now_us);
/* A rescan begins now. */
void rescan_policy_begin(RescanPolicy *policy, RescanCause cause, int64_t now_us);
/* No directory is dirty and no entry is due. suspected: suspicions are left. */
void rescan_policy_note_clean(RescanPolicy *policy, bool suspected, int64_t now_us);

/* Returns when one of the functions above will give another answer; INT64_MAX: never. */
int64_t rescan_policy_next_us(const RescanPolicy *policy, bool suspected, int64_t now_us);
/* UTC seconds; 0: never. */
int64_t rescan_policy_last_clean_s(const RescanPolicy *policy);
int64_t rescan_policy_last_compared_s(const RescanPolicy *policy);
