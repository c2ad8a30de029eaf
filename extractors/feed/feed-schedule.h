/* SPDX-License-Identifier: GPL-3.0-or-later */
/* feed-schedule.h - what a feed says of when it changes
 *
 * Sources: RSS 2.0 (ttl, skipHours, skipDays), the syndication module of RSS 1.0. */
#pragma once
#include <glib.h>

typedef struct {
	GString *hours, *days; /* each value after a space */
	unsigned ttl_minutes; /* 0: not said */
	char *period; /* "hourly" to "yearly"; NULL: not said */
	unsigned frequency; /* changes in a period; 0: one */
} FeedSchedule;

void feed_schedule_init(FeedSchedule *schedule);
/* Each ignores what is not such a value. */
void feed_schedule_keep_ttl(FeedSchedule *schedule, const char *minutes);
void feed_schedule_keep_hour(FeedSchedule *schedule, const char *hour);
void feed_schedule_keep_day(FeedSchedule *schedule, const char *day);
/* Adds the values of FIELD_SCHEDULE to the list, and frees what the schedule holds. */
void feed_schedule_end(FeedSchedule *schedule, GPtrArray *values);
