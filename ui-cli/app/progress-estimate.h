/* SPDX-License-Identifier: GPL-3.0-or-later */
/* progress-estimate.h - what is shown of work whose counts waver: what was done never shrinks, the
 * whole changes only if much was found or left out, and the time left is smoothed */
#pragma once
#include "ui-cli/app/progress.h"
#include "ui-cli/app/rate-meter.h"

/* All zero is an empty estimate. */
typedef struct {
	uint64_t first_done, done, total;
	uint64_t left; /* as it was counted last */
	double part; /* the largest that was shown */
	double left_s; /* smoothed; 0: not known yet */
	int64_t first_us, last_us; /* monotonic times of the first and last counts */
	RateMeter meter;
} ProgressEstimate;

/* done: items since the work began; left: items that still wait, which may be some seconds old. */
void progress_estimate_add(
        ProgressEstimate *estimate, uint64_t done, uint64_t left, int64_t now_us);
ProgressState progress_estimate_state(const ProgressEstimate *estimate);
