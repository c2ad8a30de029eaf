/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rescan-policy.h - when everything is compared with the file systems
 *
 * At a start, whenever the interval of the setting daemon.verify is over, on request, and because
 * of rescan suspicions (rescan-suspicion.h): at once for those who wait, else at most every ten
 * minutes and in a hundredth of the time. This remembers the times; the tick compares. */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct RescanPolicy RescanPolicy;

typedef enum { RESCAN_INTERVAL, RESCAN_REQUEST, RESCAN_SUSPICION } RescanCause;

RescanPolicy *rescan_policy_new(void);
void rescan_policy_free(RescanPolicy *policy);
/* The roots were configured, which compares everything. interval_s: 0: never by itself. */
void rescan_policy_configure(RescanPolicy *policy, int64_t interval_s, int64_t now_us);

/* Is the interval over? */
bool rescan_policy_is_due(const RescanPolicy *policy, int64_t now_us);
/* May everything be compared for suspicions that nobody waits for? */
bool rescan_policy_may_resolve(const RescanPolicy *policy, int64_t now_us);
/* Everything is being compared from now on. */
void rescan_policy_begin(RescanPolicy *policy, RescanCause cause, int64_t now_us);
/* No directory is dirty, nothing is due. suspected: suspicions are left. */
void rescan_policy_note_clean(RescanPolicy *policy, bool suspected, int64_t now_us);

/* When one of the questions above gets another answer; INT64_MAX: never. */
int64_t rescan_policy_next_us(const RescanPolicy *policy, bool suspected, int64_t now_us);
/* UTC seconds; 0: not yet. */
int64_t rescan_policy_last_clean_s(const RescanPolicy *policy);
int64_t rescan_policy_last_compared_s(const RescanPolicy *policy);
