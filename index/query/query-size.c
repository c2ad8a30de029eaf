/* SPDX-License-Identifier: GPL-3.0-or-later */
/* query-size.c - sizes, durations and page counts, and ranges of them: k M G T are decimal, Ki Mi
 * Gi Ti are binary (IEC 80000-13) */
#include <config.h>
#include "index/query/query-private.h"
#include "common/base/i18n.h"
#include <string.h>

static bool fail_size(QueryParse *p, const char *text, size_t length, size_t position)
{
	return query_fail(p, position, length, g_strdup(_("Write 500, 10k, 1.5M, 2G or 64Ki.")),
	        _("\"%.*s\" is not a size"), (int)length, text);
}

static bool unit_factor(const char *unit, size_t length, int64_t *factor)
{
	static const char letters[] = "kmgt";
	if (length > 1 && unit[0] == ' ') { /* "10 MB" */
		unit++;
		length--;
	}
	if (length > 0 && (unit[length - 1] == 'B' || unit[length - 1] == 'b'))
		length--;
	*factor = 1;
	if (length == 0)
		return true;
	const char *letter = strchr(letters, g_ascii_tolower(unit[0]));
	bool binary = length == 2 && unit[1] == 'i';
	if (!letter || !*letter || (length != 1 && !binary))
		return false;
	for (const char *l = letters; l <= letter; l++)
		*factor *= binary ? 1024 : 1000;
	return true;
}

/* "1.5M" and "1,5M", but not "1,500". */
static bool is_decimal_point(const char *text, size_t length)
{
	if (text[0] != ',')
		return text[0] == '.';
	size_t digits = 0;
	while (1 + digits < length && g_ascii_isdigit(text[1 + digits]))
		digits++;
	return digits == 1 || digits == 2;
}

/* Parses digits, with an optional decimal point, and a unit. */
static bool parse_size(
        QueryParse *p, const char *text, size_t length, size_t position, int64_t *out)
{
	size_t digits = 0, points = 0;
	char number[24];
	while (digits < length && digits < sizeof number - 1 &&
	        (g_ascii_isdigit(text[digits]) ||
	                (is_decimal_point(text + digits, length - digits) && points++ == 0))) {
		number[digits] = text[digits] == ',' ? '.' : text[digits];
		digits++;
	}
	number[digits] = '\0';
	int64_t factor;
	if (digits == points || !g_ascii_isdigit(text[0]) ||
	        !unit_factor(text + digits, length - digits, &factor))
		return fail_size(p, text, length, position);
	double value = g_ascii_strtod(number, NULL);
	if (value * factor > 9e18)
		return fail_size(p, text, length, position);
	/* integers stay exact beyond 2^53 */
	*out = points > 0 ? (int64_t)(value * factor + 0.5)
	                  : (int64_t)g_ascii_strtoull(number, NULL, 10) * factor;
	return true;
}

static bool fail_duration(QueryParse *p, const char *text, size_t length, size_t position)
{
	return query_fail(p, position, length, g_strdup(_("Write 90s, 5min, 2h or 1h30min.")),
	        _("\"%.*s\" is not a duration"), (int)length, text);
}

/* Parses "1h30min" or "90" as seconds. A bare "m" is refused, because it means months elsewhere. */
static bool parse_duration(
        QueryParse *p, const char *text, size_t length, size_t position, int64_t *out)
{
	static const struct {
		const char *unit;
		int64_t seconds;
	} units[] = {{"s", 1}, {"sec", 1}, {"min", 60}, {"h", 3600}};
	*out = 0;
	for (size_t at = 0; at < length;) {
		size_t digits = strspn(text + at, "0123456789"), letters = 0;
		if (digits == 0 || digits > 9 || at + digits > length)
			return fail_duration(p, text, length, position);
		int64_t number = g_ascii_strtoll(text + at, NULL, 10), factor = 0;
		at += digits;
		while (at + letters < length && g_ascii_isalpha(text[at + letters]))
			letters++;
		for (size_t i = 0; i < G_N_ELEMENTS(units); i++)
			if (strlen(units[i].unit) == letters &&
			        g_ascii_strncasecmp(text + at, units[i].unit, letters) == 0)
				factor = units[i].seconds;
		if (letters == 0 && at == length && *out == 0)
			factor = 1;
		if (factor == 0)
			return fail_duration(p, text, length, position);
		*out += number * factor;
		at += letters;
	}
	return true;
}

static bool parse_count(
        QueryParse *p, const char *text, size_t length, size_t position, int64_t *out)
{
	*out = g_ascii_strtoll(text, NULL, 10);
	if (length > 0 && length < 10 && strspn(text, "0123456789") >= length)
		return true;
	return query_fail(p, position, length, g_strdup(_("Write pages:12 or pages>100.")),
	        _("\"%.*s\" is not a number"), (int)length, text);
}

typedef bool (*ParseNumberFunc)(
        QueryParse *p, const char *text, size_t length, size_t position, int64_t *out);

static QuerySpan query_size_compare(QueryOperator op, int64_t size)
{
	switch (op) {
	case OPERATOR_LESS:
		return (QuerySpan){INT64_MIN, size - 1};
	case OPERATOR_AT_MOST:
		return (QuerySpan){INT64_MIN, size};
	case OPERATOR_MORE:
		return (QuerySpan){size + 1, INT64_MAX};
	case OPERATOR_AT_LEAST:
		return (QuerySpan){size, INT64_MAX};
	default:
		return (QuerySpan){size, size};
	}
}

static bool parse_span(QueryParse *p, QueryOperator op, const QueryValue *value,
        ParseNumberFunc parse, QuerySpan *out)
{
	const char *text = value->text, *middle = strstr(text, "..");
	size_t base = value->position + value->quoted;
	if (!middle) {
		int64_t size;
		if (!parse(p, text, strlen(text), base, &size))
			return false;
		*out = query_size_compare(op, size);
		return true;
	}
	if (op != OPERATOR_IS)
		return query_fail(p, value->position, value->length, NULL,
		        _("A range is allowed only after \":\""));
	size_t low = middle - text, high = strlen(middle + 2);
	if (low == 0 && high == 0)
		return query_fail(
		        p, value->position, value->length, NULL, _("The range has no bounds"));
	*out = (QuerySpan){INT64_MIN, INT64_MAX};
	if (low > 0 && !parse(p, text, low, base, &out->low))
		return false;
	if (high > 0 && !parse(p, middle + 2, high, base + low + 2, &out->high))
		return false;
	if (out->low > out->high)
		return query_fail(p, value->position, value->length,
		        g_strdup(_("Write the smaller bound first.")),
		        _("The range ends before it begins"));
	return true;
}

bool query_size_parse(QueryParse *p, QueryOperator op, const QueryValue *value, QuerySpan *out)
{
	return parse_span(p, op, value, parse_size, out);
}

bool query_duration_parse(QueryParse *p, QueryOperator op, const QueryValue *value, QuerySpan *out)
{
	return parse_span(p, op, value, parse_duration, out);
}

bool query_count_parse(QueryParse *p, QueryOperator op, const QueryValue *value, QuerySpan *out)
{
	return parse_span(p, op, value, parse_count, out);
}
