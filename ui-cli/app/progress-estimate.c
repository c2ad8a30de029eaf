/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/progress-estimate.h"
#include <glib.h>
#include <math.h>

/* The first files of a run tell little of its rate, unless they take long. */
static const int64_t WARM_UP_US = 5 * G_USEC_PER_SEC, SLOW_US = 60 * G_USEC_PER_SEC;
enum { WARM_UP_DONE = 100 };
/* The time constant of the smoothing. */
static const double SMOOTH_US = 10 * G_USEC_PER_SEC;
/* A whole that differs by a smaller share is the same one, counted at another moment. */
static const double SAME_SHARE = 0.02;

/* Waiting files are counted less often than finished ones, so both fit together only when it
 * changes. */
static void progress_estimate_count(ProgressEstimate *e, uint64_t left)
{
	uint64_t total = e->done + left;
	bool same = fabs((double)total - (double)e->total) < SAME_SHARE * (double)e->total;
	if (left == 0 || !same)
		e->total = total;
	e->left = left;
}

static void progress_estimate_time(ProgressEstimate *e, int64_t now_us)
{
	int64_t told_s = rate_meter_left_s(&e->meter, e->left);
	double elapsed_us = (double)(now_us - e->last_us);
	int64_t run_us = now_us - e->first_us;
	bool few = e->done - e->first_done < WARM_UP_DONE && run_us < SLOW_US;
	if (told_s < 0 || few || run_us < WARM_UP_US)
		return;
	if (e->left_s <= 0) {
		e->left_s = (double)told_s;
		return;
	}
	double passed_s = MAX(e->left_s - elapsed_us / G_USEC_PER_SEC, 1);
	e->left_s = passed_s + (1 - exp(-elapsed_us / SMOOTH_US)) * ((double)told_s - passed_s);
}

void progress_estimate_add(ProgressEstimate *e, uint64_t done, uint64_t left, int64_t now_us)
{
	bool first = e->first_us == 0;
	rate_meter_add(&e->meter, done, now_us);
	e->done = MAX(e->done, done);
	if (first || left != e->left)
		progress_estimate_count(e, left);
	e->total = MAX(e->total, e->done);
	if (first) {
		e->first_us = now_us;
		e->first_done = done;
	} else {
		progress_estimate_time(e, now_us);
	}
	e->last_us = now_us;
	if (e->total > 0)
		e->part = MAX(e->part, (double)e->done / (double)e->total);
}

ProgressState progress_estimate_state(const ProgressEstimate *e)
{
	bool known = e->left_s > 0 && e->left > 0;
	return (ProgressState){e->done, e->total - e->done, rate_meter_per_second(&e->meter),
	        known ? (int64_t)(e->left_s + 0.5) : -1, e->part};
}
