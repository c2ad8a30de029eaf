/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/feed/feed-schedule.h"
#include <string.h>

enum { MAX_LIST_BYTES = 200, MAX_TTL_MINUTES = 366 * 24 * 60 };

void feed_schedule_init(FeedSchedule *schedule)
{
	*schedule = (FeedSchedule){.hours = g_string_new(NULL), .days = g_string_new(NULL)};
}

void feed_schedule_keep_ttl(FeedSchedule *schedule, const char *minutes)
{
	guint64 number;
	if (g_ascii_string_to_unsigned(minutes, 10, 1, MAX_TTL_MINUTES, &number, NULL))
		schedule->ttl_minutes = number;
}

void feed_schedule_keep_hour(FeedSchedule *schedule, const char *hour)
{
	guint64 number;
	if (schedule->hours->len < MAX_LIST_BYTES &&
	        g_ascii_string_to_unsigned(hour, 10, 0, 24, &number, NULL))
		g_string_append_printf(schedule->hours, " %u", (unsigned)number % 24);
}

void feed_schedule_keep_day(FeedSchedule *schedule, const char *day)
{
	static const char *const days[] = {
	        "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"};
	for (size_t i = 0; i < G_N_ELEMENTS(days); i++)
		if (schedule->days->len < MAX_LIST_BYTES && g_ascii_strcasecmp(day, days[i]) == 0)
			g_string_append_printf(schedule->days, " %s", days[i]);
}

static unsigned period_seconds(const char *period)
{
	static const struct {
		const char *name;
		unsigned seconds;
	} periods[] = {{"hourly", 3600}, {"daily", 86400}, {"weekly", 7 * 86400},
	        {"monthly", 30 * 86400}, {"yearly", 365 * 86400}};
	for (size_t i = 0; period && i < G_N_ELEMENTS(periods); i++)
		if (g_ascii_strcasecmp(period, periods[i].name) == 0)
			return periods[i].seconds;
	return 0;
}

void feed_schedule_end(FeedSchedule *schedule, GPtrArray *values)
{
	unsigned seconds = period_seconds(schedule->period) / MAX(schedule->frequency, 1);
	if (schedule->ttl_minutes > 0)
		g_ptr_array_add(values, g_strdup_printf("ttl %u", schedule->ttl_minutes));
	if (seconds > 0)
		g_ptr_array_add(values, g_strdup_printf("period %u", seconds));
	if (schedule->hours->len > 0)
		g_ptr_array_add(values, g_strconcat("skip-hours", schedule->hours->str, NULL));
	if (schedule->days->len > 0)
		g_ptr_array_add(values, g_strconcat("skip-days", schedule->days->str, NULL));
	g_string_free(schedule->hours, TRUE);
	g_string_free(schedule->days, TRUE);
	g_free(schedule->period);
}
