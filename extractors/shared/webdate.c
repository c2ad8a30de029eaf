/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/shared/webdate.h"
#include <glib.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DATE_BYTES = 100, NO_PART = -1, MAX_ZONE_MINUTES = 15 * 60 };

typedef struct {
	const char *at;
	int year, month, day, hour, minute, second; /* NO_PART: not seen */
	int zone_minutes; /* east of Greenwich */
	bool has_zone, bad;
} DateScan;

static const struct {
	const char *name;
	int minutes;
} date_zones[] = {{"Z", 0}, {"UT", 0}, {"UTC", 0}, {"GMT", 0}, {"WET", 0}, {"WEST", 60},
        {"BST", 60}, {"CET", 60}, {"MET", 60}, {"CEST", 120}, {"MEST", 120}, {"EET", 120},
        {"EEST", 180}, {"MSK", 180}, {"JST", 540}, {"KST", 540}, {"AEST", 600}, {"AEDT", 660},
        {"NZST", 720}, {"NZDT", 780}, {"AST", -240}, {"ADT", -180}, {"EST", -300}, {"EDT", -240},
        {"CST", -360}, {"CDT", -300}, {"MST", -420}, {"MDT", -360}, {"PST", -480}, {"PDT", -420},
        {"AKST", -540}, {"AKDT", -480}, {"HST", -600}};

/* Takes up to max digits. */
static int date_take_digits(DateScan *scan, unsigned max)
{
	int number = 0;
	for (; max > 0 && g_ascii_isdigit(*scan->at); max--)
		number = number * 10 + (*scan->at++ - '0');
	return number;
}

static size_t date_count_digits(const char *text)
{
	return strspn(text, "0123456789");
}

static int full_year(int year, size_t digits)
{
	if (digits > 2)
		return year;
	return year + (year < 70 ? 2000 : 1900);
}

/* After the hour: ":04", ":04:05", ":04:05.5". */
static void date_take_time(DateScan *scan, int hour)
{
	scan->bad |= scan->hour != NO_PART;
	scan->hour = hour;
	scan->at++;
	scan->bad |= date_count_digits(scan->at) != 2;
	scan->minute = date_take_digits(scan, 2);
	scan->second = 0;
	if (*scan->at == ':' && g_ascii_isdigit(scan->at[1])) {
		scan->at++;
		scan->second = date_take_digits(scan, 2);
	}
	if ((*scan->at == '.' || *scan->at == ',') && g_ascii_isdigit(scan->at[1]))
		scan->at += 1 + date_count_digits(scan->at + 1);
}

/* After the year: "-01", "-01-02", "/01/02". */
static void take_iso_date(DateScan *scan, int year)
{
	char sign = *scan->at++;
	scan->bad |= scan->year != NO_PART;
	scan->year = year;
	scan->month = date_take_digits(scan, 2);
	if (*scan->at == sign && g_ascii_isdigit(scan->at[1])) {
		scan->at++;
		scan->day = date_take_digits(scan, 2);
	}
}

/* "/03/2026" or ".03.2026" after the first number. */
static void take_numeric_date(DateScan *scan, int first)
{
	char sign = *scan->at++;
	int second = date_take_digits(scan, 2);
	scan->bad |= scan->year != NO_PART || *scan->at != sign;
	scan->at += *scan->at == sign;
	size_t digits = date_count_digits(scan->at);
	scan->bad |= digits != 2 && digits != 4;
	scan->year = full_year(date_take_digits(scan, 4), digits);
	bool day_first = sign == '.' || first > 12;
	scan->day = day_first ? first : second;
	scan->month = day_first ? second : first;
}

/* "20260301" or, once there is a date, "100000". */
static void take_compact(DateScan *scan, size_t digits)
{
	if (digits == 8 && scan->year == NO_PART) {
		scan->year = date_take_digits(scan, 4);
		scan->month = date_take_digits(scan, 2);
		scan->day = date_take_digits(scan, 2);
	} else if ((digits == 6 || digits == 4) && scan->day != NO_PART && scan->hour == NO_PART) {
		scan->hour = date_take_digits(scan, 2);
		scan->minute = date_take_digits(scan, 2);
		scan->second = digits == 6 ? date_take_digits(scan, 2) : 0;
	} else {
		scan->bad = true;
	}
}

static void date_take_number(DateScan *scan)
{
	size_t digits = date_count_digits(scan->at);
	bool has_date = scan->year != NO_PART && scan->day != NO_PART;
	if (digits == 8 || digits == 6 || (digits == 4 && has_date) || digits > 8) {
		take_compact(scan, digits);
		return;
	}
	int number = date_take_digits(scan, 4);
	bool more = g_ascii_isdigit(*scan->at != '\0' ? scan->at[1] : '\0');
	if (*scan->at == ':')
		date_take_time(scan, number);
	else if (digits == 4 && more && strchr("-/.", *scan->at))
		take_iso_date(scan, number);
	else if (digits <= 2 && more && strchr("/.", *scan->at))
		take_numeric_date(scan, number);
	else if (digits <= 2 && scan->day == NO_PART)
		scan->day = number;
	else if (scan->year == NO_PART && (digits == 4 || digits == 2))
		scan->year = full_year(number, digits);
	else
		scan->bad = true;
}

static int month_by_name(const char *word, size_t length)
{
	static const char *const months[] = {"january", "february", "march", "april", "may", "june",
	        "july", "august", "september", "october", "november", "december"};
	for (int i = 0; length >= 3 && i < 12; i++)
		if (length <= strlen(months[i]) &&
		        g_ascii_strncasecmp(word, months[i], length) == 0)
			return i + 1;
	return 0;
}

static void take_half_day(DateScan *scan, bool afternoon)
{
	scan->bad |= scan->hour < 1 || scan->hour > 12;
	scan->hour = scan->hour % 12 + (afternoon ? 12 : 0);
}

static void date_take_word(DateScan *scan)
{
	const char *word = scan->at;
	while (g_ascii_isalpha(*scan->at))
		scan->at++;
	size_t length = scan->at - word;
	int month = month_by_name(word, length);
	if (month > 0) {
		scan->bad |= scan->month != NO_PART;
		scan->month = month;
		return;
	}
	if (scan->hour == NO_PART)
		return;
	if (length == 2 && g_ascii_toupper(word[1]) == 'M' && strchr("AaPp", *word))
		take_half_day(scan, g_ascii_toupper(*word) == 'P');
	for (size_t i = 0; i < G_N_ELEMENTS(date_zones); i++) {
		if (strlen(date_zones[i].name) != length ||
		        g_ascii_strncasecmp(word, date_zones[i].name, length) != 0)
			continue;
		/* "+0000 GMT" tells it twice, "GMT+0100" adds to it */
		scan->zone_minutes = scan->has_zone ? scan->zone_minutes : date_zones[i].minutes;
		scan->has_zone = true;
	}
}

/* "+01:00", "+0100", "+01", "-5:00" */
static void date_take_zone(DateScan *scan)
{
	int sign = *scan->at++ == '-' ? -1 : 1;
	size_t digits = date_count_digits(scan->at);
	int hours = date_take_digits(scan, digits == 3 ? 1 : 2);
	if (*scan->at == ':')
		scan->at++;
	int minutes = date_take_digits(scan, 2);
	scan->zone_minutes = sign * (hours * 60 + minutes);
	scan->has_zone = true;
}

static void date_take_part(DateScan *scan)
{
	bool signs_zone = scan->hour != NO_PART && (*scan->at == '+' || *scan->at == '-');
	if (g_ascii_isdigit(*scan->at))
		date_take_number(scan);
	else if (g_ascii_isalpha(*scan->at))
		date_take_word(scan);
	else if (signs_zone && g_ascii_isdigit(scan->at[1]))
		date_take_zone(scan);
	else if ((guchar)*scan->at >= 0x80 || strchr("<>{}[]=&%@", *scan->at))
		scan->bad = true;
	else
		scan->at++;
}

static char *date_of(const DateScan *scan)
{
	bool timed = scan->hour != NO_PART;
	if (scan->year < 1 || (scan->month == NO_PART && scan->day != NO_PART) ||
	        (timed && scan->day == NO_PART) || abs(scan->zone_minutes) > MAX_ZONE_MINUTES)
		return NULL;
	int month = scan->month == NO_PART ? 1 : scan->month;
	int day = scan->day == NO_PART ? 1 : scan->day;
	g_autoptr(GDateTime) local =
	        g_date_time_new_utc(scan->year, month, day, timed ? scan->hour : 0,
	                timed ? scan->minute : 0, timed ? MIN(scan->second, 59) : 0);
	g_autoptr(GDateTime) time =
	        local ? g_date_time_add_minutes(local, timed ? -scan->zone_minutes : 0) : NULL;
	return time ? g_date_time_format(time, timed ? "%Y-%m-%dT%H:%M:%SZ" : "%Y-%m-%d") : NULL;
}

/* A single number is a year, as ISO 8601 has it, only if there is nothing else. */
static bool is_year_alone(const char *text)
{
	return date_count_digits(text) == 4 && text[4] == '\0';
}

char *web_date_utc(const char *text, bool *zoned_r)
{
	g_autofree char *copy = g_strndup(text, MAX_DATE_BYTES + 1);
	DateScan scan = {.at = g_strstrip(copy),
	        .year = NO_PART,
	        .month = NO_PART,
	        .day = NO_PART,
	        .hour = NO_PART};
	if (strlen(copy) > MAX_DATE_BYTES)
		return NULL;
	bool alone = is_year_alone(copy);
	while (*scan.at && !scan.bad)
		date_take_part(&scan);
	if (zoned_r)
		*zoned_r = scan.has_zone;
	if (scan.bad || (scan.month == NO_PART && !alone))
		return NULL;
	return date_of(&scan);
}
