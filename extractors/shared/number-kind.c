/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/shared/number-kind.h"
#include <glib.h>
#include <math.h>
#include <string.h>

enum { DAY_S = 86400, LAST_DAY = 2958465 /* 9999-12-31 */, DAYS_TO_1904 = 1462 };

NumberKind number_kind_of_id(unsigned id)
{
	if (id == 9 || id == 10)
		return NUMBER_PERCENT;
	if ((id >= 14 && id <= 17) || id == 22 || (id >= 27 && id <= 31) || id == 36 ||
	        (id >= 50 && id <= 58))
		return NUMBER_DATE;
	if ((id >= 18 && id <= 21) || (id >= 32 && id <= 35) || (id >= 45 && id <= 47))
		return NUMBER_TIME;
	return NUMBER_PLAIN;
}

/* Looks for letters of dates and times, and for a percent sign, outside of literals ("...", \x, _x,
 * *x) and conditions ([...]). */
NumberKind number_kind_of_code(const char *code)
{
	NumberKind kind = NUMBER_PLAIN;
	if (g_ascii_strcasecmp(code, "general") == 0)
		return NUMBER_PLAIN;
	for (const char *c = code; *c && *c != ';'; c++) {
		if (strchr("\\_*", *c) && c[1])
			c++;
		else if (*c == '"' && strchr(c + 1, '"'))
			c = strchr(c + 1, '"');
		else if (*c == '[' && !strchr("hHmMsS", c[1]) && strchr(c, ']'))
			c = strchr(c, ']');
		else if (strchr("dDyY", *c))
			return NUMBER_DATE;
		else if (strchr("hHsSmM", *c))
			kind = NUMBER_TIME;
		else if (*c == '%')
			kind = NUMBER_PERCENT;
	}
	return kind;
}

/* Day 60 of 1900 does not exist; earlier days count from one day later. */
static char *date_display_text(double value, bool from_1904, NumberKind kind)
{
	double days = floor(value);
	int seconds = (int)round((value - days) * DAY_S);
	int base_day = from_1904 || value < 60 ? 31 : 30;
	g_autoptr(GDateTime) base = from_1904 ? g_date_time_new_utc(1904, 1, 1, 0, 0, 0)
	                                      : g_date_time_new_utc(1899, 12, base_day, 0, 0, 0);
	g_autoptr(GDateTime) day = g_date_time_add_days(base, (int)days);
	g_autoptr(GDateTime) time = g_date_time_add_seconds(day, seconds);
	if (days == 0 && kind == NUMBER_TIME)
		return g_date_time_format(time, "%H:%M:%S");
	return g_date_time_format(time, seconds == 0 ? "%Y-%m-%d" : "%Y-%m-%d %H:%M:%S");
}

char *number_text(double value, NumberKind kind, bool from_1904)
{
	char plain[G_ASCII_DTOSTR_BUF_SIZE];
	bool is_date = kind == NUMBER_DATE || kind == NUMBER_TIME;
	if (is_date && value >= 0 && value < LAST_DAY - (from_1904 ? DAYS_TO_1904 : 0))
		return date_display_text(value, from_1904, kind);
	bool percent = kind == NUMBER_PERCENT && isfinite(value * 100);
	g_ascii_formatd(plain, sizeof plain, "%.15g", percent ? value * 100 : value);
	return g_strconcat(plain, percent ? "%" : NULL, NULL);
}
