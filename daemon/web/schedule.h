/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schedule.h - when a URL is visited again
 *
 * The rate of change is estimated, and the visits of a host are shared out, as for directories that
 * raise no events (daemon/watch/revisit.h): they go where they lower the expected age most. The
 * frequency that a feed or a sitemap states is the prior of the rate, as weak as any prior. Caching
 * headers bound an interval from below. All times are in seconds, since 1970 where they are
 * moments. */
#pragma once
#include "daemon/watch/revisit.h"
#include <stdbool.h>
#include <stdint.h>

#define WEB_DAY_S 86400.0
#define SCHEDULE_FADE 0.98 /* the last 50 visits count: pages change in bursts */

enum {
	SCHEDULE_LEAST_S = 3600,
	SCHEDULE_MOST_S = 60 * 24 * 3600,
	SCHEDULE_FADE_S = 24 * 3600, /* the first wait after a 404; doubles */
	SCHEDULE_FADE_MOST = 6, /* so many 404s in turn end a URL */
	SCHEDULE_RETRY_S = 3600, /* after a time-out or an error of the server; doubles */
	SCHEDULE_RETRY_MOST = 10,
};

/* Seconds between two changes that a prior expects; 0: it says nothing. */
double schedule_prior_of_changefreq(const char *changefreq); /* of a sitemap: "daily" */
/* lastmod: a page that did not change for that long. */
double schedule_prior_of_lastmod(int64_t lastmod_s, int64_t now_s);
/* The update period of a feed ("hourly" to "yearly"), frequency times in it. */
double schedule_prior_of_period(const char *period, unsigned frequency);
/* Begins the facts about a source with a prior; seconds 0: with the usual one. */
void schedule_set_prior(RevisitSource *source, double seconds);

/* Hours (bit 0: midnight to one, UTC) and days (bit 0: Sunday) in which a feed wants no visit. */
typedef struct {
	uint32_t hours, days;
} ScheduleSkip;
/* The first moment from due_s on that is not to be skipped. If every hour or every day is to be
 * skipped, the wish is ignored. */
int64_t schedule_after_skip(int64_t due_s, ScheduleSkip skip);

typedef enum {
	SCHEDULE_VISIT, /* it was answered: plan by its rate of change */
	SCHEDULE_LATER, /* it failed for now */
	SCHEDULE_END /* it is never asked again: gone, or moved for good */
} ScheduleFate;

/* The consequence of an answer for the URL. status: of HTTP, 0 without an answer. failures:
 * failures in turn before this one. *wait_r: seconds, for SCHEDULE_LATER. */
ScheduleFate schedule_fate(unsigned status, unsigned failures, int64_t *wait_r);
