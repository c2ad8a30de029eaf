/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/base/http-date.h"
#include <glib.h>
#include <string.h>

static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
static const char *const days[] = {
        "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};

typedef struct {
	int year, month, day, hour, minute, second;
} DateParts;

/* Each http_date_take_...() reads one part of the text and moves *p past it, or returns false. */
static bool http_date_take_char(const char **p, char wanted)
{
	if (**p != wanted)
		return false;
	++*p;
	return true;
}

static bool http_date_take_digits(const char **p, unsigned n, int *value_r)
{
	*value_r = 0;
	for (; n > 0; n--, ++*p) {
		if (!g_ascii_isdigit(**p))
			return false;
		*value_r = *value_r * 10 + (**p - '0');
	}
	return true;
}

static bool http_date_take_month(const char **p, int *month_r)
{
	for (int i = 0; i < 12; i++) {
		if (g_ascii_strncasecmp(*p, months + 3 * i, 3) != 0)
			continue;
		*month_r = i + 1;
		*p += 3;
		return true;
	}
	return false;
}

/* whole: the name is written in full. */
static bool http_date_take_weekday(const char **p, bool whole)
{
	for (size_t i = 0; i < G_N_ELEMENTS(days); i++) {
		size_t n = whole ? strlen(days[i]) : 3;
		if (g_ascii_strncasecmp(*p, days[i], n) != 0)
			continue;
		*p += n;
		return true;
	}
	return false;
}

static bool http_date_take_time(const char **p, DateParts *d)
{
	return http_date_take_digits(p, 2, &d->hour) && http_date_take_char(p, ':') &&
	       http_date_take_digits(p, 2, &d->minute) && http_date_take_char(p, ':') &&
	       http_date_take_digits(p, 2, &d->second);
}

static bool http_date_take_zone(const char **p)
{
	if (g_ascii_strncasecmp(*p, " GMT", 4) != 0)
		return false;
	*p += 4;
	return true;
}

static bool http_date_take_imf(const char **p, DateParts *d)
{
	return http_date_take_weekday(p, false) && http_date_take_char(p, ',') &&
	       http_date_take_char(p, ' ') && http_date_take_digits(p, 2, &d->day) &&
	       http_date_take_char(p, ' ') && http_date_take_month(p, &d->month) &&
	       http_date_take_char(p, ' ') && http_date_take_digits(p, 4, &d->year) &&
	       http_date_take_char(p, ' ') && http_date_take_time(p, d) && http_date_take_zone(p);
}

static bool http_date_take_rfc850(const char **p, DateParts *d)
{
	return http_date_take_weekday(p, true) && http_date_take_char(p, ',') &&
	       http_date_take_char(p, ' ') && http_date_take_digits(p, 2, &d->day) &&
	       http_date_take_char(p, '-') && http_date_take_month(p, &d->month) &&
	       http_date_take_char(p, '-') && http_date_take_digits(p, 2, &d->year) &&
	       http_date_take_char(p, ' ') && http_date_take_time(p, d) && http_date_take_zone(p);
}

static bool http_date_take_asctime(const char **p, DateParts *d)
{
	if (!http_date_take_weekday(p, false) || !http_date_take_char(p, ' ') ||
	        !http_date_take_month(p, &d->month) || !http_date_take_char(p, ' '))
		return false;
	bool one_digit = http_date_take_char(p, ' ');
	return http_date_take_digits(p, one_digit ? 1 : 2, &d->day) &&
	       http_date_take_char(p, ' ') && http_date_take_time(p, d) &&
	       http_date_take_char(p, ' ') && http_date_take_digits(p, 4, &d->year);
}

/* Second 60 is a leap second. */
static bool date_to_seconds(const DateParts *d, int64_t *seconds_r)
{
	if (d->year < 1 || d->hour > 23 || d->minute > 59 || d->second > 60 ||
	        !g_date_valid_dmy(d->day, d->month, d->year))
		return false;
	g_autoptr(GDateTime) date = g_date_time_new_utc(
	        d->year, d->month, d->day, d->hour, d->minute, MIN(d->second, 59));
	if (!date)
		return false;
	*seconds_r = g_date_time_to_unix(date) + (d->second == 60);
	return true;
}

static int date_full_year(int two_digits, int64_t now_s)
{
	g_autoptr(GDateTime) now = g_date_time_new_from_unix_utc(now_s);
	int this_year = now ? g_date_time_get_year(now) : 1970;
	int year = this_year - this_year % 100 + 100 + two_digits;
	while (year > this_year + 50)
		year -= 100;
	return year;
}

static bool date_is_over(const char *p)
{
	return p[strspn(p, " \t")] == '\0';
}

bool http_date_parse(const char *text, int64_t now_s, int64_t *seconds_r)
{
	DateParts d = {0};
	text += strspn(text, " \t");
	const char *p = text;
	if (http_date_take_imf(&p, &d) && date_is_over(p))
		return date_to_seconds(&d, seconds_r);
	p = text;
	if (http_date_take_asctime(&p, &d) && date_is_over(p))
		return date_to_seconds(&d, seconds_r);
	p = text;
	if (!http_date_take_rfc850(&p, &d) || !date_is_over(p))
		return false;
	d.year = date_full_year(d.year, now_s);
	return date_to_seconds(&d, seconds_r);
}

bool http_date_format(int64_t seconds, char out[HTTP_DATE_BYTES])
{
	g_autoptr(GDateTime) date = g_date_time_new_from_unix_utc(seconds);
	if (!date || g_date_time_get_year(date) < 1000)
		return false;
	g_autofree char *text = g_strdup_printf("%.3s, %02d %.3s %04d %02d:%02d:%02d GMT",
	        days[g_date_time_get_day_of_week(date) % 7], g_date_time_get_day_of_month(date),
	        months + 3 * (g_date_time_get_month(date) - 1), g_date_time_get_year(date),
	        g_date_time_get_hour(date), g_date_time_get_minute(date),
	        g_date_time_get_second(date));
	return g_strlcpy(out, text, HTTP_DATE_BYTES) < HTTP_DATE_BYTES;
}
