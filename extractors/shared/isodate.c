/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/shared/isodate.h"
#include <glib.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum {
	YEAR_LENGTH = sizeof "2026" - 1,
	MONTH_LENGTH = sizeof "2026-03" - 1,
	DAY_LENGTH = sizeof "2026-03-01" - 1,
	MAX_LENGTH = 64
};

char *iso_date(const char *text, ssize_t length)
{
	static const char rest[] = "0000-01-01T00:00:00Z"; /* completes a year, month or day */
	g_autofree char *copy =
	        g_strndup(text, length < 0 ? strnlen(text, MAX_LENGTH + 1) : (size_t)length);
	g_strstrip(copy);
	size_t used = strlen(copy);
	if (used > MAX_LENGTH)
		return NULL;
	bool part = used == YEAR_LENGTH || used == MONTH_LENGTH || used == DAY_LENGTH;
	g_autofree char *full = part ? g_strconcat(copy, rest + used, NULL) : g_strdup(copy);
	g_autoptr(GTimeZone) utc = g_time_zone_new_utc();
	g_autoptr(GDateTime) zoned = g_date_time_new_from_iso8601(full, NULL);
	g_autoptr(GDateTime) time = zoned ? g_date_time_to_timezone(zoned, utc)
	                                  : g_date_time_new_from_iso8601(full, utc);
	if (!time || part)
		return time ? g_steal_pointer(&copy) : NULL;
	return g_date_time_format(time, zoned ? "%Y-%m-%dT%H:%M:%SZ" : "%Y-%m-%dT%H:%M:%S");
}

static int month_of(const char *text)
{
	static const char names[] = "janfebmaraprmayjunjulaugsepoctnovdec";
	g_autofree char *lower = g_ascii_strdown(text, 3);
	const char *at = strlen(lower) == 3 ? strstr(names, lower) : NULL;
	return at && (at - names) % 3 == 0 ? (int)(at - names) / 3 + 1 : 0;
}

/* Minutes east of Greenwich. Of the old zone names only the unambiguous ones are known. */
static int zone_minutes(const char *text)
{
	static const struct {
		const char *name;
		int hours;
	} zones[] = {{"EST", -5}, {"EDT", -4}, {"CST", -6}, {"CDT", -5}, {"MST", -7}, {"MDT", -6},
	        {"PST", -8}, {"PDT", -7}};
	if ((*text == '+' || *text == '-') && strspn(text + 1, "0123456789") >= 4) {
		int number = g_ascii_strtoll(text + 1, NULL, 10) % 10000;
		int minutes = number / 100 * 60 + number % 100;
		return *text == '-' ? -minutes : minutes;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(zones); i++)
		if (g_ascii_strncasecmp(text, zones[i].name, 3) == 0)
			return zones[i].hours * 60;
	return 0;
}

char *mail_date_utc(const char *text)
{
	unsigned day, year, hour = 0, minute = 0, second = 0;
	char month[4] = "";
	int used = 0;
	const char *comma = strchr(text, ',');
	text = comma ? comma + 1 : text;
	if (sscanf(text, " %2u %3[A-Za-z]%*[a-z ] %4u%n", &day, month, &year, &used) < 3 &&
	        sscanf(text, " %2u %3[A-Za-z] %4u%n", &day, month, &year, &used) < 3)
		return NULL;
	year += year < 50 ? 2000 : year < 100 ? 1900 : 0;
	int time_used = 0;
	if (used > 0 && sscanf(text + used, " %2u:%2u%n", &hour, &minute, &time_used) >= 2) {
		used += time_used;
		time_used = 0;
		if (sscanf(text + used, ":%2u%n", &second, &time_used) >= 1)
			used += time_used;
	}
	const char *zone = text + used + strspn(text + used, " ");
	g_autoptr(GDateTime) local =
	        g_date_time_new_utc(year, month_of(month), day, hour, minute, MIN(second, 59));
	g_autoptr(GDateTime) time =
	        local ? g_date_time_add_minutes(local, -zone_minutes(zone)) : NULL;
	return time ? g_date_time_format(time, "%Y-%m-%dT%H:%M:%SZ") : NULL;
}
