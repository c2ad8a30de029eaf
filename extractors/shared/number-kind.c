/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/shared/number-kind.h"
#include <float.h>
#include <glib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum {
	DAY_S = 86400,
	LAST_DAY = 2958465, /* 9999-12-31 */
	DAYS_TO_1904 = 1462,
	MAX_DIGITS = 15, /* what a double holds exactly */
	MAX_DECIMALS = 9
};

NumberKind number_kind_of_id(unsigned id)
{
	if (id == 9 || id == 10)
		return NUMBER_PERCENT;
	if (id == 2 || id == 4 || id == 7 || id == 8 || id == 39 || id == 40 || id == 43 ||
	        id == 44)
		return NUMBER_DECIMALS + 2;
	if ((id >= 14 && id <= 17) || id == 22 || (id >= 27 && id <= 31) || id == 36 ||
	        (id >= 50 && id <= 58))
		return NUMBER_DATE;
	if (id == 46)
		return NUMBER_DURATION;
	if ((id >= 18 && id <= 21) || (id >= 32 && id <= 35) || (id >= 45 && id <= 47))
		return NUMBER_TIME;
	return NUMBER_PLAIN;
}

/* "00000": the number is displayed with at least that many digits. */
static NumberKind kind_of_digits(const char *code)
{
	size_t digits = strspn(code, "0");
	bool only_digits = code[digits] == '\0' || code[digits] == ';';
	return only_digits && digits > 1 && digits <= MAX_DIGITS ? NUMBER_DIGITS + digits
	                                                         : NUMBER_PLAIN;
}

/* at: behind a decimal point. Other decimals than zeros are shown only if they are needed, an
 * exponent follows the number, and a comma divides it by 1,000. */
static NumberKind kind_of_decimals(const char *at)
{
	size_t zeros = strspn(at, "0");
	bool fixed = at[zeros] == '\0' || !strchr("#?Ee,", at[zeros]);
	return fixed && zeros > 0 && zeros <= MAX_DECIMALS ? NUMBER_DECIMALS + zeros : NUMBER_PLAIN;
}

/* "[h]", "[mm]": a time that does not begin again with each day. Colours, conditions and currencies
 * have brackets too. */
static bool is_elapsed(const char *bracket)
{
	size_t letters = strspn(bracket + 1, "hHmMsS");
	return letters > 0 && bracket[1 + letters] == ']';
}

/* Looks for letters of dates and times, for a percent sign and for decimals, outside of literals
 * ("...", \x, _x, *x) and conditions ([...]). */
NumberKind number_kind_of_code(const char *code)
{
	NumberKind kind = kind_of_digits(code);
	if (kind != NUMBER_PLAIN || g_ascii_strcasecmp(code, "general") == 0)
		return kind;
	for (const char *c = code; *c && *c != ';'; c++) {
		if (strchr("\\_*", *c) && c[1])
			c++;
		else if (*c == '"' && strchr(c + 1, '"'))
			c = strchr(c + 1, '"');
		else if (*c == '[' && !is_elapsed(c) && strchr(c, ']'))
			c = strchr(c, ']');
		else if (*c == '[' && g_ascii_tolower(c[1]) == 'h')
			return NUMBER_DURATION;
		else if (strchr("dDyY", *c))
			return NUMBER_DATE;
		else if (strchr("hHsSmM", *c))
			kind = NUMBER_TIME;
		else if (*c == '%')
			kind = NUMBER_PERCENT;
		else if (*c == '.' && kind == NUMBER_PLAIN)
			kind = kind_of_decimals(c + 1);
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

static char *duration_text(double days)
{
	int64_t seconds = llround(fabs(days) * DAY_S);
	return g_strdup_printf("%s%" PRId64 ":%02d:%02d", days < 0 ? "-" : "", seconds / 3600,
	        (int)(seconds / 60 % 60), (int)(seconds % 60));
}

static char *padded_text(double value, int digits)
{
	return g_strdup_printf(
	        "%s%0*" PRId64, value < 0 ? "-" : "", digits, (int64_t)llround(fabs(value)));
}

/* A half is rounded up, as it is written in decimals: 1.005 becomes 1.01. */
static char *decimals_text(double value, int decimals)
{
	char text[G_ASCII_DTOSTR_BUF_SIZE], format[sizeof "%.9f"];
	double power = pow(10, decimals);
	double rounded = round(value * power * (1 + 4 * DBL_EPSILON)) / power;
	g_snprintf(format, sizeof format, "%%.%df", decimals);
	return g_strdup(g_ascii_formatd(text, sizeof text, format, rounded));
}

char *number_text(double value, NumberKind kind, bool from_1904)
{
	char plain[G_ASCII_DTOSTR_BUF_SIZE];
	bool is_date = kind == NUMBER_DATE || kind == NUMBER_TIME;
	if (is_date && value >= 0 && value < LAST_DAY - (from_1904 ? DAYS_TO_1904 : 0))
		return date_display_text(value, from_1904, kind);
	if (kind == NUMBER_DURATION && fabs(value) < LAST_DAY)
		return duration_text(value);
	if (kind > NUMBER_DECIMALS && fabs(value) < 1e15)
		return decimals_text(value, kind - NUMBER_DECIMALS);
	if (kind > NUMBER_DIGITS && kind < NUMBER_DECIMALS && fabs(value) < 1e15)
		return padded_text(value, kind - NUMBER_DIGITS);
	bool percent = kind == NUMBER_PERCENT && isfinite(value * 100);
	g_ascii_formatd(plain, sizeof plain, "%.15g", percent ? value * 100 : value);
	return g_strconcat(plain, percent ? "%" : NULL, NULL);
}
