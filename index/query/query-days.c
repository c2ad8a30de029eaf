/* SPDX-License-Identifier: GPL-3.0-or-later */
/* query-days.c - days as people write them: 14.03.2025, 2025-03-14, 14. März 2025, March 14th,
 * 2025, 14 de marzo de 2025; months of a year: 2025-03, 03/2025, März 2025 */
#include <config.h>
#include "index/query/query-private.h"
#include <string.h>

enum { YEAR_MONTHS = 12, WRITTEN_PARTS = 3 };

/* Names as the index has them, separated by blanks. The English and the German one come first. */
typedef struct {
	const char *names; /* English, German, Austrian, French, Italian, Dutch */
	const char *names_with_de; /* Spanish, Portuguese: 14 de marzo de 2025 */
	const char *short_names; /* English first */
} MonthNames;

static const MonthNames day_months[YEAR_MONTHS] = {
        {"january januar janner janvier gennaio januari", "enero janeiro", "jan janv gen ene"},
        {"february februar feber fevrier febbraio februari", "febrero fevereiro",
                "feb fevr febr fev"},
        {"march marz maerz mars marzo maart", "marzo marco", "mar mrz mrt"},
        {"april april avril aprile april", "abril", "apr avr abr"},
        {"may mai maggio mei", "mayo maio", "may mag"},
        {"june juni juin giugno", "junio junho", "jun giu"},
        {"july juli juillet luglio", "julio julho", "jul juil lug"},
        {"august august aout agosto augustus", "agosto", "aug ago"},
        {"september september septembre settembre", "septiembre setembro", "sep sept set"},
        {"october oktober octobre ottobre", "octubre outubro", "oct okt ott out"},
        {"november november novembre", "noviembre novembro", "nov"},
        {"december dezember decembre dicembre", "diciembre dezembro", "dec dez dic"},
};

/* ---- reading */

static bool list_has(const char *list, const char *word)
{
	size_t length = strlen(word);
	for (const char *s = list; length > 0 && (s = strstr(s, word)); s += length)
		if ((s == list || s[-1] == ' ') && (s[length] == ' ' || s[length] == '\0'))
			return true;
	return false;
}

unsigned query_month_named(const char *word)
{
	for (unsigned i = 0; i < YEAR_MONTHS; i++)
		if (list_has(day_months[i].names, word) ||
		        list_has(day_months[i].names_with_de, word) ||
		        list_has(day_months[i].short_names, word))
			return i + 1;
	return 0;
}

/* The month before the day is English. */
static bool month_is_english(unsigned month, const char *word)
{
	g_auto(GStrv) names = g_strsplit(day_months[month - 1].names, " ", 2);
	g_auto(GStrv) shorter = g_strsplit(day_months[month - 1].short_names, " ", 2);
	return strcmp(word, names[0]) == 0 || strcmp(word, shorter[0]) == 0 ||
	       (month == 9 && strcmp(word, "sept") == 0);
}

/* "14", "03", "14th", "1er". 0: it is no day. */
static unsigned day_written(const char *word)
{
	static const char *const ends[] = {"", "st", "nd", "rd", "th", "er", "o", NULL};
	size_t digits = strspn(word, "0123456789");
	bool fits = digits > 0 && digits <= 2 && g_strv_contains(ends, word + digits);
	return fits ? g_ascii_strtoull(word, NULL, 10) : 0;
}

/* 0: it is none. */
static unsigned year_written(const char *word)
{
	enum { DIGITS = 4 };
	bool fits = strlen(word) == DIGITS && strspn(word, "0123456789") == DIGITS;
	return fits ? g_ascii_strtoull(word, NULL, 10) : 0;
}

/* "14 march 2025", "march 14th 2025", "2025 mar 14". */
static bool named_day_read(const char *const *words, QueryDay *out)
{
	unsigned month = query_month_named(words[1]);
	if (month > 0 && year_written(words[0]) > 0)
		*out = (QueryDay){day_written(words[2]), month, year_written(words[0])};
	else if (month > 0)
		*out = (QueryDay){day_written(words[0]), month, year_written(words[2])};
	else if ((month = query_month_named(words[0])) > 0 && month_is_english(month, words[0]))
		*out = (QueryDay){day_written(words[1]), month, year_written(words[2])};
	else
		return false;
	return true;
}

bool query_order_day_and_month(char sign, unsigned *day, unsigned *month)
{
	unsigned first = *day, second = *month;
	if (sign == '.' || first > YEAR_MONTHS || first == second)
		return true;
	*day = second;
	*month = first;
	return second > YEAR_MONTHS;
}

static bool numeric_day_read(const char *const *words, char sign, QueryDay *out)
{
	unsigned n[WRITTEN_PARTS];
	for (int i = 0; i < WRITTEN_PARTS; i++) {
		size_t length = strlen(words[i]);
		if (length > 4 || strspn(words[i], "0123456789") < length)
			return false;
		n[i] = g_ascii_strtoull(words[i], NULL, 10);
	}
	bool year_first = n[0] > 999;
	*out = year_first ? (QueryDay){n[2], n[1], n[0]} : (QueryDay){n[0], n[1], n[2]};
	return year_first || query_order_day_and_month(sign, &out->day, &out->month);
}

/* "14 de marzo del 2025", "14th of March 2025". */
static bool joins_day(const char *word)
{
	static const char *const words[] = {"de", "del", "of", NULL};
	return g_strv_contains(words, word);
}

bool query_day_read(const char *const *tokens, guint n, char sign, QueryDay *out)
{
	const char *words[WRITTEN_PARTS];
	unsigned count = 0;
	for (guint i = 0; i < n; i++) {
		if (count > 0 && i + 1 < n && joins_day(tokens[i]))
			continue;
		if (count == WRITTEN_PARTS)
			return false;
		words[count++] = tokens[i];
	}
	if (count < WRITTEN_PARTS ||
	        !(named_day_read(words, out) || (sign && numeric_day_read(words, sign, out))))
		return false;
	return out->year > 999 && out->day <= 31 && out->month <= YEAR_MONTHS &&
	       g_date_valid_dmy(out->day, out->month, out->year);
}

/* "02", "2": 0: it is no month. */
static unsigned month_written(const char *word)
{
	size_t digits = strspn(word, "0123456789");
	unsigned month = digits <= 2 && !word[digits] ? g_ascii_strtoull(word, NULL, 10) : 0;
	return month <= YEAR_MONTHS ? month : 0;
}

bool query_month_read(const char *const *tokens, guint n, char sign, QueryDay *out)
{
	enum { EARLIEST = 1900, LATEST = 2099 };
	if (n != 2 && !(n == 3 && joins_day(tokens[1])))
		return false;
	bool year_first = year_written(tokens[0]) > 0;
	const char *month = tokens[year_first ? n - 1 : 0], *year = tokens[year_first ? 0 : n - 1];
	*out = (QueryDay){0, query_month_named(month), year_written(year)};
	if (out->month == 0 && sign)
		out->month = month_written(month);
	return out->month > 0 && out->year >= EARLIEST && out->year <= LATEST;
}

/* ---- writing */

static void day_add(GPtrArray *out, const char *format, ...) G_GNUC_PRINTF(2, 3);
static void day_add(GPtrArray *out, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	char *phrase = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	if (g_ptr_array_find_with_equal_func(out, phrase, g_str_equal, NULL))
		g_free(phrase);
	else
		g_ptr_array_add(out, phrase);
}

static void day_add_numbers(GPtrArray *out, const QueryDay *day)
{
	unsigned d = day->day, m = day->month, y = day->year;
	day_add(out, "%u %02u %02u", y, m, d);
	day_add(out, "%02u %02u %u", d, m, y);
	day_add(out, "%u %u %u", d, m, y);
	day_add(out, "%u%02u%02u", y, m, d);
	if (d > YEAR_MONTHS) { /* else it would be another day */
		day_add(out, "%u %u %u", m, d, y);
		day_add(out, "%02u %u %u", m, d, y);
	}
}

static const char *english_end(unsigned day)
{
	static const char *const ends[] = {"th", "st", "nd", "rd"};
	return day % 10 <= 3 && day / 10 != 1 ? ends[day % 10] : ends[0];
}

static void day_add_english(GPtrArray *out, const QueryDay *day, const char *names)
{
	g_autofree char *name = g_strndup(names, strcspn(names, " "));
	unsigned d = day->day, y = day->year;
	const char *end = english_end(d);
	day_add(out, "%s %u %u", name, d, y);
	day_add(out, "%u%s %s %u", d, end, name, y);
	day_add(out, "%s %u%s %u", name, d, end, y);
	day_add(out, "%u%s of %s %u", d, end, name, y);
}

/* The day before each of the names. */
static void day_add_named(GPtrArray *out, const QueryDay *day, const char *names, const char *of)
{
	g_auto(GStrv) list = g_strsplit(names, " ", -1);
	for (char **name = list; *name; name++) {
		day_add(out, "%u %s%s %s%u", day->day, of, *name, of, day->year);
		if (day->day < 10)
			day_add(out, "%02u %s%s %s%u", day->day, of, *name, of, day->year);
		if (day->day == 1)
			day_add(out, "1er %s %u", *name, day->year);
	}
}

GPtrArray *query_day_spellings(const QueryDay *day)
{
	const MonthNames *month = &day_months[day->month - 1];
	GPtrArray *out = g_ptr_array_new_with_free_func(g_free);
	day_add_numbers(out, day);
	day_add_named(out, day, month->names, "");
	day_add_english(out, day, month->names);
	day_add_named(out, day, month->names_with_de, "de ");
	day_add_named(out, day, month->short_names, "");
	day_add_english(out, day, month->short_names);
	return out;
}

GPtrArray *query_month_spellings(const QueryDay *month)
{
	const MonthNames *names = &day_months[month->month - 1];
	g_autofree char *all = g_strjoin(" ", names->names, names->short_names, NULL);
	g_auto(GStrv) list = g_strsplit(all, " ", -1);
	g_auto(GStrv) with_de = g_strsplit(names->names_with_de, " ", -1);
	GPtrArray *out = g_ptr_array_new_with_free_func(g_free);
	day_add(out, "%u %02u", month->year, month->month);
	day_add(out, "%02u %u", month->month, month->year);
	day_add(out, "%u %u", month->month, month->year);
	for (char **name = list; *name; name++)
		day_add(out, "%s %u", *name, month->year);
	for (char **name = with_de; *name; name++)
		day_add(out, "%s de %u", *name, month->year);
	return out;
}
