/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/web/schedule.h"
#include <glib.h>

#define HOUR_S 3600
#define YEAR_S (365.25 * WEB_DAY_S)
#define PRIOR_WEIGHT 0.5 /* of an observed change, as in revisit.c */
#define PAGE_FADE 0.98 /* the last 50 visits of a page count: pages change in bursts */
#define MEAN_FADE 0.9998 /* some 5,000 visits of a host */

static const struct {
	const char *name;
	double seconds;
} frequencies[] = {
        {"always", HOUR_S},
        {"hourly", HOUR_S},
        {"daily", WEB_DAY_S},
        {"weekly", 7 * WEB_DAY_S},
        {"monthly", YEAR_S / 12},
        {"yearly", YEAR_S},
        {"never", 10 * YEAR_S},
};

double schedule_prior_of_changefreq(const char *changefreq)
{
	for (size_t i = 0; changefreq && i < G_N_ELEMENTS(frequencies); i++)
		if (g_ascii_strcasecmp(changefreq, frequencies[i].name) == 0)
			return frequencies[i].seconds;
	return 0;
}

double schedule_prior_of_lastmod(int64_t lastmod_s, int64_t now_s)
{
	if (lastmod_s <= 0 || lastmod_s > now_s)
		return 0;
	return CLAMP((double)(now_s - lastmod_s), HOUR_S, 10 * YEAR_S);
}

void schedule_set_prior(RevisitSource *source, double seconds)
{
	if (seconds <= 0)
		return;
	source->changes = PRIOR_WEIGHT;
	source->seconds = PRIOR_WEIGHT * seconds;
}

double schedule_mean_rate(const WebMean *mean)
{
	return (mean->changes + PRIOR_WEIGHT) / (mean->seconds + PRIOR_WEIGHT * WEB_DAY_S);
}

RevisitSource schedule_with_mean(const RevisitSource *page, const WebMean *mean)
{
	RevisitSource known = *page;
	known.changes += (float)PRIOR_WEIGHT;
	known.seconds += (float)(PRIOR_WEIGHT / schedule_mean_rate(mean));
	return known;
}

/* No page changes more than once a second. */
void schedule_observe(RevisitSource *page, WebMean *mean, double seconds, bool changed)
{
	RevisitSource known = schedule_with_mean(page, mean);
	double expected = revisit_expected(revisit_rate(&known) * seconds);
	double found = changed ? MIN(expected, MAX(seconds, 1)) : 0;
	page->changes = (float)(PAGE_FADE * page->changes + found);
	page->seconds = (float)(PAGE_FADE * page->seconds + seconds);
	mean->changes = (float)(MEAN_FADE * mean->changes + found);
	mean->seconds = (float)(MEAN_FADE * mean->seconds + seconds);
}

static bool schedule_is_skipped(int64_t at_s, ScheduleSkip skip)
{
	unsigned hour = (unsigned)(at_s / HOUR_S % 24);
	unsigned day = (unsigned)((at_s / (24 * HOUR_S) + 4) % 7); /* 1970 began with a Thursday */
	return (skip.hours >> hour & 1) || (skip.days >> day & 1);
}

int64_t schedule_after_skip(int64_t due_s, ScheduleSkip skip)
{
	if (due_s < 0)
		return due_s;
	for (unsigned hours = 0; hours < 7 * 24; hours++) {
		int64_t at = hours == 0 ? due_s : due_s - due_s % HOUR_S + hours * HOUR_S;
		if (!schedule_is_skipped(at, skip))
			return at;
	}
	return due_s;
}

static ScheduleFate schedule_fail(
        unsigned failures, unsigned most, int64_t first_s, int64_t *wait_r)
{
	if (failures + 1 >= most)
		return SCHEDULE_END;
	*wait_r = MIN(first_s << MIN(failures, 16), SCHEDULE_MOST_S);
	return SCHEDULE_LATER;
}

/* 401, 403 and their like fade as 404 does. An overloaded server loses no page by it. */
ScheduleFate schedule_fate(unsigned status, unsigned failures, int64_t *wait_r)
{
	*wait_r = 0;
	if (status == 410 || status == 301 || status == 308)
		return SCHEDULE_END;
	if (status == 429 || status == 503) {
		*wait_r = SCHEDULE_RETRY_S;
		return SCHEDULE_LATER;
	}
	if (status >= 400 && status < 500)
		return schedule_fail(failures, SCHEDULE_FADE_MOST, SCHEDULE_FADE_S, wait_r);
	if (status < 200 || status >= 500)
		return schedule_fail(failures, SCHEDULE_RETRY_MOST, SCHEDULE_RETRY_S, wait_r);
	return SCHEDULE_VISIT;
}
