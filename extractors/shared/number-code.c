/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/shared/number-code.h"
#include "extractors/shared/number-pattern.h"
#include <glib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum {
	DAY_S = 86400,
	LAST_DAY = 2958465, /* 9999-12-31 */
	DAYS_TO_1904 = 1462,
	MAX_CODE_BYTES = 1000, /* Excel allows 255 characters */
	MAX_SECTIONS = 4
};

typedef enum { TIME_NONE, TIME_DATE, TIME_OF_DAY, TIME_HOURS, TIME_MINUTES, TIME_SECONDS } TimeKind;

/* A code has up to four sections: for positive numbers, negative numbers, zero and text. */
typedef struct {
	const char *at, *end;
} CodeSection;

const char *number_code_of_id(unsigned id)
{
	if (id == 1 || id == 3 || id == 5 || id == 6 || id == 37 || id == 38 || id == 41 ||
	        id == 42)
		return "0";
	if (id == 2 || id == 4 || id == 7 || id == 8 || id == 39 || id == 40 || id == 43 ||
	        id == 44)
		return "0.00";
	if (id == 9 || id == 10)
		return id == 9 ? "0%" : "0.00%";
	if ((id >= 14 && id <= 17) || id == 22 || (id >= 27 && id <= 31) || id == 36 ||
	        (id >= 50 && id <= 58))
		return "d";
	if (id == 46)
		return "[h]";
	if ((id >= 18 && id <= 21) || (id >= 32 && id <= 35) || (id >= 45 && id <= 47))
		return "h";
	return NULL;
}

/* "[h]", "[mm]": a time that does not begin again with each day. Colours, conditions and currencies
 * have brackets too. */
static bool is_elapsed(const char *bracket, const char *end)
{
	size_t letters = strspn(bracket + 1, "hHmMsS");
	return letters > 0 && bracket + 1 + letters < end && bracket[1 + letters] == ']';
}

/* Looks for letters of dates and times, outside of literals and conditions. */
static TimeKind time_kind_of(CodeSection section)
{
	TimeKind kind = TIME_NONE;
	for (const char *c = section.at; c < section.end; c = number_item_end(c, section.end)) {
		if (*c == '[' && is_elapsed(c, section.end))
			return strchr("hH", c[1])   ? TIME_HOURS
			       : strchr("mM", c[1]) ? TIME_MINUTES
			                            : TIME_SECONDS;
		if (strchr("dDyY", *c))
			return TIME_DATE;
		if (strchr("hHsSmM", *c))
			kind = TIME_OF_DAY;
	}
	return kind;
}

static bool is_for_text(CodeSection section)
{
	const char *c = section.at;
	while (c < section.end && *c != '@')
		c = number_item_end(c, section.end);
	return c < section.end;
}

/* Returns the number of sections. The last one may be for text, whatever its number. */
static size_t split_sections(const char *code, CodeSection *sections)
{
	size_t count = 0;
	const char *end = code + strlen(code), *from = code;
	for (const char *c = code; c < end && count < MAX_SECTIONS - 1;
	        c = number_item_end(c, end)) {
		if (*c != ';')
			continue;
		sections[count++] = (CodeSection){from, c};
		from = c + 1;
	}
	sections[count++] = (CodeSection){from, end};
	return count > 1 && is_for_text(sections[count - 1]) ? count - 1 : count;
}

/* "[<=100]" at the beginning of a section. False: it has no condition. */
static bool read_condition(CodeSection section, double value, bool *holds)
{
	const char *c = section.at;
	while (c < section.end && *c == '[' && strspn(c + 1, "<>=") == 0)
		c = number_item_end(c, section.end);
	size_t signs = c < section.end && *c == '[' ? strspn(c + 1, "<>=") : 0;
	if (signs == 0)
		return false;
	double limit = g_ascii_strtod(c + 1 + signs, NULL);
	bool less = memchr(c + 1, '<', signs), more = memchr(c + 1, '>', signs);
	bool equal = memchr(c + 1, '=', signs);
	*holds = (less && value < limit) || (more && value > limit) || (equal && value == limit);
	return true;
}

/* Returns the number of the section that displays the value. *has_sign: the section says itself
 * that the value is negative. */
static size_t choose_section(
        const CodeSection *sections, size_t count, double value, bool *has_sign)
{
	bool holds = false, any = false;
	for (size_t i = 0; i < MIN(count, 3); i++) {
		bool has = read_condition(sections[i], value, &holds);
		if (has ? holds : any)
			return i;
		any = any || has;
	}
	size_t chosen = any ? count - 1 : value < 0 ? 1 : value > 0 ? 0 : 2;
	bool exists = chosen < count && sections[chosen].end > sections[chosen].at;
	*has_sign = exists && chosen == 1 && !any;
	return exists ? chosen : 0;
}

/* Day 60 of 1900 does not exist; earlier days count from one day later. */
static char *date_display_text(double value, bool from_1904, TimeKind kind)
{
	double days = floor(value);
	int seconds = (int)round((value - days) * DAY_S);
	int base_day = from_1904 || value < 60 ? 31 : 30;
	g_autoptr(GDateTime) base = from_1904 ? g_date_time_new_utc(1904, 1, 1, 0, 0, 0)
	                                      : g_date_time_new_utc(1899, 12, base_day, 0, 0, 0);
	g_autoptr(GDateTime) day = g_date_time_add_days(base, (int)days);
	g_autoptr(GDateTime) time = g_date_time_add_seconds(day, seconds);
	if (days == 0 && kind == TIME_OF_DAY)
		return g_date_time_format(time, "%H:%M:%S");
	return g_date_time_format(time, seconds == 0 ? "%Y-%m-%d" : "%Y-%m-%d %H:%M:%S");
}

static char *duration_text(double days, TimeKind kind)
{
	int64_t seconds = llround(fabs(days) * DAY_S);
	const char *sign = days < 0 ? "-" : "";
	if (kind == TIME_SECONDS)
		return g_strdup_printf("%s%" PRId64, sign, seconds);
	if (kind == TIME_MINUTES)
		return g_strdup_printf(
		        "%s%02" PRId64 ":%02d", sign, seconds / 60, (int)(seconds % 60));
	return g_strdup_printf("%s%" PRId64 ":%02d:%02d", sign, seconds / 3600,
	        (int)(seconds / 60 % 60), (int)(seconds % 60));
}

/* NULL: the value has no such form. */
static char *time_text(double value, TimeKind kind, bool from_1904)
{
	bool is_date = kind == TIME_DATE || kind == TIME_OF_DAY;
	if (!is_date)
		return fabs(value) < LAST_DAY ? duration_text(value, kind) : NULL;
	bool in_range = value >= 0 && value < LAST_DAY - (from_1904 ? DAYS_TO_1904 : 0);
	return in_range ? date_display_text(value, from_1904, kind) : NULL;
}

static char *coded_text(double value, const char *code, bool from_1904)
{
	CodeSection sections[MAX_SECTIONS];
	TimeKind kind = TIME_NONE;
	bool has_sign = false;
	size_t count = split_sections(code, sections);
	CodeSection section = sections[choose_section(sections, count, value, &has_sign)];
	if ((kind = time_kind_of(section)) != TIME_NONE)
		return time_text(value, kind, from_1904);
	return number_pattern_text(has_sign ? fabs(value) : value, section.at, section.end);
}

char *number_text(double value, const char *code, bool from_1904)
{
	char plain[G_ASCII_DTOSTR_BUF_SIZE];
	bool has_code = code && strnlen(code, MAX_CODE_BYTES) < MAX_CODE_BYTES;
	char *text = has_code ? coded_text(value, code, from_1904) : NULL;
	return text ? text : g_strdup(g_ascii_formatd(plain, sizeof plain, "%.15g", value));
}
