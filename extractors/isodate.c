/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/isodate.h"
#include <glib.h>
#include <stdbool.h>
#include <string.h>

enum { DAY_LENGTH = sizeof "2026-03-01" - 1, MAX_LENGTH = 64 };

char *iso_date_utc(const char *text, ssize_t length)
{
	g_autofree char *copy =
	        g_strndup(text, length < 0 ? strnlen(text, MAX_LENGTH + 1) : (size_t)length);
	g_strstrip(copy);
	if (strlen(copy) > MAX_LENGTH)
		return NULL;
	bool day_only = strlen(copy) == DAY_LENGTH;
	g_autofree char *full = day_only ? g_strconcat(copy, "T00:00:00Z", NULL) : g_strdup(copy);
	g_autoptr(GTimeZone) utc = g_time_zone_new_utc();
	g_autoptr(GDateTime) local = g_date_time_new_from_iso8601(full, utc);
	g_autoptr(GDateTime) time = local ? g_date_time_to_timezone(local, utc) : NULL;
	return time ? g_date_time_format(time, day_only ? "%Y-%m-%d" : "%Y-%m-%dT%H:%M:%SZ") : NULL;
}
