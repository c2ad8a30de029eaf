/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schedule.h - when a URL is visited again
 *
 * The rate of change is estimated, and the visits of a host are shared out, as for directories that
 * raise no events (daemon/watch/revisit.h): they go where they lower the expected age most. Most
 * pages are visited too rarely to tell their own rate, but those of one host are alike: so the
 * estimate of each is drawn to their mean (empirical Bayes: the rates of a host are taken as drawn
 * from a gamma distribution with that mean; H. Robbins, "An empirical Bayes approach to
 * statistics", 1956). The frequency that a feed or a sitemap states is another prior, as weak.
 * Caching headers bound an interval from below. All times are in seconds, since 1970 where they are
 * moments. */
#pragma once
#include "daemon/watch/revisit.h"
#include "index/write/writer-web.h"
#include <stdbool.h>
#include <stdint.h>

#define WEB_DAY_S 86400.0

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
/* Begins the facts about a source with a prior; seconds 0: with the usual one. */
void schedule_set_prior(RevisitSource *source, double seconds);

/* Changes a second of a mean page of the host. Before there is any evidence, one a day. */
double schedule_mean_rate(const WebMean *mean);
/* The evidence about a page with that about all pages of its host, which weighs as much as half an
 * observed change. */
RevisitSource schedule_with_mean(const RevisitSource *page, const WebMean *mean);
/* Notes a visit of a page, this many seconds after the previous one. */
void schedule_observe(RevisitSource *page, WebMean *mean, double seconds, bool changed);

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
