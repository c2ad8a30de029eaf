/* SPDX-License-Identifier: GPL-3.0-or-later */
/* query-date.c - dates, ages and ranges of dates
 *
 * A value names a span of time in local time, in seconds: "2026-03" is the whole month. An age
 * ("30d") is the moment that long ago. */
#include <config.h>
#include "index/query/query-private.h"
#include "index/text/tokenizer.h"
#include "common/base/i18n.h"
#include <string.h>

typedef struct {
	QuerySpan span;
	bool age; /* a moment that extends to now */
} Moment;

typedef struct {
	const char *text;
	size_t length;
	size_t position; /* byte offset in the query */
} DatePart;

static bool fail_part(QueryParse *p, const DatePart *part)
{
	return query_fail(p, part->position, part->length,
	        g_strdup(_("Write 2026, 2026-03, 2026-03-01, today, yesterday, thisweek, lastmonth "
	                   "or an age such as 30d.")),
	        _("\"%.*s\" is not a date"), (int)part->length, part->text);
}

static int64_t start_of_day(int year, int month, int day)
{
	g_autoptr(GDateTime) time = g_date_time_new_local(year, month, day, 0, 0, 0);
	return time ? g_date_time_to_unix(time) : INT64_MAX;
}

/* Days are counted by the calendar: some have 23 or 25 hours. */
static QuerySpan span_of_days(const GDate *first, const GDate *after)
{
	return (QuerySpan){start_of_day(g_date_get_year(first), g_date_get_month(first),
	                           g_date_get_day(first)),
	        start_of_day(
	                g_date_get_year(after), g_date_get_month(after), g_date_get_day(after)) -
	                1};
}

static bool query_read_number(const char **s, const char *end, unsigned max_digits, unsigned *out)
{
	const char *begin = *s;
	*out = 0;
	while (*s < end && g_ascii_isdigit(**s) && *s - begin < (int)max_digits)
		*out = *out * 10 + (*(*s)++ - '0');
	return *s > begin;
}

/* parts: 1 for a whole year, 2 for a month, 3 for a day. */
static bool span_of_date(
        unsigned day, unsigned month, unsigned year, unsigned parts, QuerySpan *out)
{
	GDate first, after;
	if (year < 1 || year > 9998 || month > 12 || day > 31 ||
	        !g_date_valid_dmy(day, month, year))
		return false;
	g_date_clear(&first, 1);
	g_date_set_dmy(&first, day, month, year);
	after = first;
	if (parts == 1)
		g_date_add_years(&after, 1);
	else if (parts == 2)
		g_date_add_months(&after, 1);
	else
		g_date_add_days(&after, 1);
	*out = span_of_days(&first, &after);
	return true;
}

/* "20260301", as names of files have it. */
static bool parse_digits(const DatePart *part, QuerySpan *out)
{
	enum { DIGITS = 8 };
	if (part->length != DIGITS || strspn(part->text, "0123456789") < DIGITS)
		return false;
	unsigned day = g_ascii_strtoull(part->text, NULL, 10);
	return span_of_date(day % 100, day / 100 % 100, day / 10000, 3, out);
}

/* "March 2026", "mar-2026", "2026 März". */
static bool parse_named_month(const DatePart *part, QuerySpan *out)
{
	g_autofree char *text = g_strndup(part->text, part->length);
	g_auto(GStrv) words = g_strsplit_set(text, " -_./", -1);
	if (g_strv_length(words) != 2)
		return false;
	bool year_first = g_ascii_isdigit(words[0][0]);
	const char *year = words[!year_first], *written = words[year_first];
	g_autofree char *name = tokenize_fold(written, strlen(written));
	unsigned month = query_month_named(name);
	return month > 0 && strlen(year) == 4 && strspn(year, "0123456789") == 4 &&
	       span_of_date(1, month, g_ascii_strtoull(year, NULL, 10), 2, out);
}

/* "14. März 2026", "March 14, 2026", "14 de marzo de 2026". */
static bool parse_named_day(const DatePart *part, QuerySpan *out)
{
	enum { MOST_WORDS = 5 };
	const char *words[MOST_WORDS];
	g_autofree char *folded = tokenize_fold(part->text, part->length);
	g_auto(GStrv) split = g_strsplit_set(folded, " -_.,/", -1);
	guint n = 0;
	QueryDay day;
	for (char **word = split; *word; word++) {
		if (!**word)
			continue;
		if (n == MOST_WORDS)
			return false;
		words[n++] = *word;
	}
	return query_day_read(words, n, 0, &day) &&
	       span_of_date(day.day, day.month, day.year, 3, out);
}

static bool is_named_part(const char *text, size_t length)
{
	const DatePart part = {text, length, 0};
	QuerySpan span;
	return parse_named_month(&part, &span) || parse_named_day(&part, &span);
}

bool query_is_named_date(const char *text, size_t length)
{
	const char *middle = g_strstr_len(text, length, "..");
	size_t low = middle ? (size_t)(middle - text) : length,
	       high = middle ? length - low - 2 : 0;
	return (low == 0 || is_named_part(text, low)) &&
	       (high == 0 || is_named_part(middle + 2, high));
}

/* "03/2026", "2026.03". */
static bool parse_written_month(const DatePart *part, QuerySpan *out)
{
	const char *s = part->text, *end = s + part->length;
	unsigned first, second;
	if (!query_read_number(&s, end, 4, &first) || s == end || (*s != '/' && *s != '.') ||
	        (s++, !query_read_number(&s, end, 4, &second)) || s != end)
		return false;
	unsigned year = MAX(first, second), month = MIN(first, second);
	return year > 999 && month >= 1 && span_of_date(1, month, year, 2, out);
}

/* YYYY, YYYY-MM or YYYY-MM-DD. */
static bool parse_calendar(const DatePart *part, QuerySpan *out)
{
	const char *s = part->text, *end = s + part->length;
	unsigned year, month = 1, day = 1, parts = 1;

	if (!query_read_number(&s, end, 4, &year) || s != part->text + 4)
		return false;
	if (s < end && *s == '-' && ++parts && (s++, !query_read_number(&s, end, 2, &month)))
		return false;
	if (s < end && *s == '-' && ++parts && (s++, !query_read_number(&s, end, 2, &day)))
		return false;
	return s == end && span_of_date(day, month, year, parts, out);
}

/* Reads "14.03.2025", "14/3/2025" and "2025/03/14". Returns 1: read, 0: it is none of these,
 * -1: day and month cannot be told from each other. */
static int parse_written_day(const DatePart *part, QuerySpan *out)
{
	const char *s = part->text, *end = s + part->length;
	unsigned n[3];
	char sign = '\0';
	for (int i = 0; i < 3; i++) {
		if (i > 0 && (s == end || (*s != '.' && *s != '/') || (sign && *s != sign)))
			return 0;
		if (i > 0)
			sign = *s++;
		if (!query_read_number(&s, end, 4, &n[i]))
			return 0;
	}
	unsigned day = n[0], month = n[1], year = n[2];
	if (n[0] > 999) {
		year = n[0];
		day = n[2];
	} else if (year > 999 && !query_order_day_and_month(sign, &day, &month)) {
		return -1;
	}
	return s == end && year > 999 && span_of_date(day, month, year, 3, out);
}

typedef enum { PERIOD_DAY, PERIOD_WEEK, PERIOD_MONTH, PERIOD_YEAR } Period;

static const struct {
	const char *name;
	Period period;
	unsigned back; /* number of periods before the current one */
} keywords[] = {
        {"today", PERIOD_DAY, 0},
        {"yesterday", PERIOD_DAY, 1},
        {"thisweek", PERIOD_WEEK, 0},
        {"lastweek", PERIOD_WEEK, 1},
        {"thismonth", PERIOD_MONTH, 0},
        {"lastmonth", PERIOD_MONTH, 1},
        {"thisyear", PERIOD_YEAR, 0},
        {"lastyear", PERIOD_YEAR, 1},
        {"heute", PERIOD_DAY, 0},
        {"gestern", PERIOD_DAY, 1},
        {"vorgestern", PERIOD_DAY, 2},
        {"diesewoche", PERIOD_WEEK, 0},
        {"letztewoche", PERIOD_WEEK, 1},
        {"vorigewoche", PERIOD_WEEK, 1},
        {"dieserwoche", PERIOD_WEEK, 0},
        {"letzterwoche", PERIOD_WEEK, 1},
        {"diesermonat", PERIOD_MONTH, 0},
        {"diesenmonat", PERIOD_MONTH, 0},
        {"letztermonat", PERIOD_MONTH, 1},
        {"letztenmonat", PERIOD_MONTH, 1},
        {"vorigenmonat", PERIOD_MONTH, 1},
        {"diesesjahr", PERIOD_YEAR, 0},
        {"letztesjahr", PERIOD_YEAR, 1},
        {"vorigesjahr", PERIOD_YEAR, 1},
        {"aujourdhui", PERIOD_DAY, 0},
        {"hier", PERIOD_DAY, 1},
        {"сегодня", PERIOD_DAY, 0},
        {"вчера", PERIOD_DAY, 1},
};

/* Weeks begin on Monday (ISO 8601). */
static QuerySpan span_of_period(Period period, unsigned back, int64_t now)
{
	g_autoptr(GDateTime) time = g_date_time_new_from_unix_local(now);
	GDate first, after;
	g_date_clear(&first, 1);
	g_date_set_dmy(&first, g_date_time_get_day_of_month(time), g_date_time_get_month(time),
	        g_date_time_get_year(time));
	if (period == PERIOD_WEEK)
		g_date_subtract_days(&first, g_date_get_weekday(&first) - 1);
	else if (period != PERIOD_DAY)
		g_date_set_day(&first, 1);
	if (period == PERIOD_YEAR)
		g_date_set_month(&first, 1);
	static void (*const move[][2])(GDate *, guint) = {{g_date_subtract_days, g_date_add_days},
	        {g_date_subtract_days, g_date_add_days},
	        {g_date_subtract_months, g_date_add_months},
	        {g_date_subtract_years, g_date_add_years}};
	unsigned unit = period == PERIOD_WEEK ? 7 : 1;
	move[period][0](&first, back * unit);
	after = first;
	move[period][1](&after, unit);
	return span_of_days(&first, &after);
}

/* The part in small letters without spaces and signs: "Last week", "last_week". */
static char *bare_part(const DatePart *part)
{
	g_autoptr(GString) bare = g_string_new(NULL);
	for (size_t i = 0; i < part->length; i++)
		if (!strchr(" -_", part->text[i]))
			g_string_append_c(bare, g_ascii_tolower(part->text[i]));
	return g_strdup(bare->str);
}

static bool parse_keyword(const DatePart *part, int64_t now, QuerySpan *out)
{
	g_autofree char *bare = bare_part(part);
	for (size_t i = 0; i < G_N_ELEMENTS(keywords); i++) {
		if (strcmp(keywords[i].name, bare) != 0)
			continue;
		*out = span_of_period(keywords[i].period, keywords[i].back, now);
		return true;
	}
	return false;
}

/* Units of an age, the names separated by blanks. */
static const struct {
	const char *names;
	GDateTime *(*add)(GDateTime *, gint);
} date_units[] = {
        {"min minute minutes minuten", g_date_time_add_minutes},
        {"h hour hours std stunde stunden", g_date_time_add_hours},
        {"d day days t tag tage tagen", g_date_time_add_days},
        {"w week weeks woche wochen", g_date_time_add_weeks},
        {"mo month months monat monate monaten", g_date_time_add_months},
        {"y year years j jahr jahre jahren", g_date_time_add_years},
};

/* The moment so many units ago. *known_r: there is such a unit. */
static GDateTime *date_units_ago(const char *unit, unsigned n, int64_t from, bool *known_r)
{
	g_autoptr(GDateTime) now = g_date_time_new_from_unix_local(from);
	*known_r = false;
	for (size_t i = 0; i < G_N_ELEMENTS(date_units); i++) {
		g_auto(GStrv) names = g_strsplit(date_units[i].names, " ", -1);
		if (!g_strv_contains((const char *const *)names, unit))
			continue;
		*known_r = true;
		return date_units[i].add(now, -(int)n);
	}
	return NULL;
}

/* Parses a number with a unit; *out is the moment that long ago. */
static bool parse_age(QueryParse *p, const DatePart *part, int64_t *out)
{
	const char *unit = part->text, *end = unit + part->length;
	unsigned n;
	if (!query_read_number(&unit, end, 5, &n) || unit == end || !g_ascii_isalpha(*unit))
		return fail_part(p, part);
	bool known;
	g_autofree char *name = g_strndup(unit, end - unit);
	g_autoptr(GDateTime) then = date_units_ago(name, n, p->options->now, &known);
	if (!known && strcmp(name, "m") == 0)
		return query_fail(p, part->position, part->length,
		        g_strdup_printf(_("Write %umo for months or %umin for minutes."), n, n),
		        _("The unit \"m\" could mean months or minutes"));
	if (!known)
		return query_fail(p, part->position + (unit - part->text), strlen(name),
		        g_strdup(_("Units are min, h, d, w, mo and y.")),
		        _("Unknown unit \"%.*s\""), (int)strlen(name), name);
	if (!then)
		return fail_part(p, part);
	*out = g_date_time_to_unix(then);
	return true;
}

static bool parse_moment(QueryParse *p, const DatePart *part, Moment *out)
{
	out->age = false;
	if (parse_keyword(part, p->options->now, &out->span) || parse_calendar(part, &out->span) ||
	        parse_digits(part, &out->span) || parse_named_month(part, &out->span) ||
	        parse_named_day(part, &out->span) || parse_written_month(part, &out->span))
		return true;
	int written = parse_written_day(part, &out->span);
	if (written > 0)
		return true;
	if (written < 0)
		return query_fail(p, part->position, part->length,
		        g_strdup(_("Write the year, the month and the day: 2026-03-04.")),
		        _("Day and month could be either way round"));
	g_autofree char *bare = bare_part(part);
	size_t before = g_str_has_prefix(bare, "last") || g_str_has_prefix(bare, "past") ? 4 : 0;
	if (!g_ascii_isdigit(bare[before]))
		return fail_part(p, part);
	const DatePart age = {bare + before, strlen(bare + before), part->position};
	int64_t then = 0;
	if (!parse_age(p, before > 0 || strchr(part->text, ' ') ? &age : part, &then))
		return false;
	*out = (Moment){{then, then}, true};
	return true;
}

static bool parse_interval(QueryParse *p, const DatePart *low, const DatePart *high,
        const QueryValue *whole, QuerySpan *out)
{
	Moment from = {{INT64_MIN, 0}, false}, to = {{0, INT64_MAX}, false};
	if (low->length == 0 && high->length == 0)
		return query_fail(
		        p, whole->position, whole->length, NULL, _("The range has no bounds"));
	if (low->length > 0 && !parse_moment(p, low, &from))
		return false;
	if (high->length > 0 && !parse_moment(p, high, &to))
		return false;
	*out = (QuerySpan){from.span.low, to.span.high};
	if (out->low > out->high)
		return query_fail(p, whole->position, whole->length,
		        g_strdup(_("Write the earlier bound first.")),
		        _("The range ends before it begins"));
	return true;
}

static QuerySpan query_date_compare(QueryOperator op, const Moment *moment)
{
	QuerySpan span = moment->span;
	switch (op) {
	case OPERATOR_LESS:
		return (QuerySpan){INT64_MIN, span.low - 1};
	case OPERATOR_AT_MOST:
		return (QuerySpan){INT64_MIN, span.high};
	case OPERATOR_MORE:
		return (QuerySpan){span.high + 1, INT64_MAX};
	case OPERATOR_AT_LEAST:
		return (QuerySpan){span.low, INT64_MAX};
	default:
		return moment->age ? (QuerySpan){span.low, INT64_MAX} : span;
	}
}

/* "2025-2026": a range of years. */
static const char *dividing_dash(const char *text)
{
	enum { YEAR = 4 };
	bool years = strspn(text, "0123456789") == YEAR && text[YEAR] == '-' &&
	             strspn(text + YEAR + 1, "0123456789") == YEAR && !text[2 * YEAR + 1];
	return years ? text + YEAR : NULL;
}

/* Recoll's "2025/2026-03" is a range; "14/03/2025" is a day, "03/2025" a month. */
static const char *dividing_slash(const char *text)
{
	const char *first = strchr(text, '/'), *second = first ? strchr(first + 1, '/') : NULL;
	size_t before = first ? first - text : 0, after = first ? strlen(first + 1) : 0;
	if (first && !second && before + after > 4 && before + after < 7 &&
	        strspn(text, "0123456789") == before && strspn(first + 1, "0123456789") == after)
		return NULL;
	return second && !strchr(second + 1, '/') && second > first + 1 && second[1] ? NULL : first;
}

bool query_date_parse(QueryParse *p, QueryOperator op, const QueryValue *value, QuerySpan *out)
{
	const char *text = value->text, *middle = strstr(text, "..");
	size_t base = value->position + value->quoted;
	unsigned width = middle ? 2 : 1;
	if (!middle)
		middle = dividing_slash(text);
	if (!middle)
		middle = dividing_dash(text);
	if (!middle) {
		Moment moment;
		if (!parse_moment(p, &(DatePart){text, strlen(text), base}, &moment))
			return false;
		*out = query_date_compare(op, &moment);
		return true;
	}
	if (op != OPERATOR_IS)
		return query_fail(p, value->position, value->length, NULL,
		        _("A range is allowed only after \":\""));
	DatePart low = {text, middle - text, base};
	DatePart high = {middle + width, strlen(middle + width), base + (middle - text) + width};
	return parse_interval(p, &low, &high, value, out);
}
