/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/shared/number-pattern.h"
#include <float.h>
#include <glib.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { MAX_DECIMALS = 14 };
static const double MAX_EXACT = 1e15; /* a double holds 15 digits exactly */

/* The placeholders of a section. */
typedef struct {
	size_t integers, least_integers; /* least: displayed even if they are zeros */
	size_t decimals, least_decimals;
	unsigned percents, thousands; /* the number is multiplied by 100, divided by 1000 */
	bool point, as_it_is;
} NumberPattern;

/* The digits that remain to be displayed. */
typedef struct {
	const char *integers, *decimals;
	size_t n_integers, n_decimals;
	size_t places; /* placeholders that remain before the point */
	bool point;
} PatternDigits;

const char *number_item_end(const char *c, const char *end)
{
	const char *after = c + 1;
	if (after < end && strchr("\\_*", *c))
		return MIN(g_utf8_next_char(after), end);
	if (*c != '"' && *c != '[')
		return after;
	const char *close = memchr(after, *c == '[' ? ']' : '"', end - after);
	return close ? close + 1 : after;
}

static bool is_placeholder(char c)
{
	return c == '0' || c == '#' || c == '?';
}

static bool is_exponent(const char *c)
{
	return strchr("eE", *c) && (c[1] == '+' || c[1] == '-');
}

static void pattern_add_place(NumberPattern *pattern, char c)
{
	size_t *count = pattern->point ? &pattern->decimals : &pattern->integers;
	(*count)++;
	if (pattern->point && c == '0')
		pattern->least_decimals = pattern->decimals;
	else if (!pattern->point && (c == '0' || pattern->least_integers > 0))
		pattern->least_integers++;
}

/* A comma behind the last placeholder divides by 1000; between placeholders it groups them. */
static NumberPattern pattern_read(const char *section, const char *end)
{
	NumberPattern pattern = {0};
	unsigned commas = 0;
	for (const char *c = section; c < end; c = number_item_end(c, end)) {
		bool begun = pattern.integers + pattern.decimals > 0;
		if (*c == ',') {
			commas += begun;
			continue;
		}
		if (!is_placeholder(*c))
			pattern.thousands += commas;
		commas = 0;
		if (is_placeholder(*c))
			pattern_add_place(&pattern, *c);
		else if (*c == '.')
			pattern.point = true;
		else if (*c == '%')
			pattern.percents++;
		else if (strchr("/@gG", *c) || (begun && is_exponent(c)))
			pattern.as_it_is = true;
	}
	pattern.thousands += commas;
	return pattern;
}

/* A half is rounded up, as it is written in decimals: 1.005 becomes 1.01. */
static char *pattern_rounded(double value, size_t decimals)
{
	char text[G_ASCII_DTOSTR_BUF_SIZE], format[sizeof "%.14f"];
	double power = pow(10, decimals);
	double rounded = round(value * power * (1 + 4 * DBL_EPSILON)) / power;
	g_snprintf(format, sizeof format, "%%.%uf", (unsigned)decimals);
	return g_strdup(g_ascii_formatd(text, sizeof text, format, rounded));
}

/* Returns the digits, with the zeros that the pattern demands and no others. */
static char *pattern_digits(double value, const NumberPattern *pattern)
{
	g_autofree char *text = pattern_rounded(value, pattern->decimals);
	char *point = strchr(text, '.');
	size_t integers = point ? (size_t)(point - text) : strlen(text);
	size_t decimals = pattern->decimals;
	while (decimals > pattern->least_decimals && point[decimals] == '0')
		decimals--;
	if (integers == 1 && text[0] == '0')
		integers = 0;
	size_t zeros = pattern->least_integers > integers ? pattern->least_integers - integers : 0;
	GString *digits = g_string_new_len(text, integers);
	for (size_t i = 0; i < zeros; i++)
		g_string_prepend_c(digits, '0');
	g_string_append_c(digits, '.');
	g_string_append_len(digits, point ? point + 1 : "", decimals);
	return g_string_free(digits, FALSE);
}

/* Puts the digits of one place. The first place has all digits that are left of it. */
static void pattern_put_place(GString *out, PatternDigits *digits)
{
	if (digits->point && digits->n_decimals > 0) {
		g_string_append_c(out, *digits->decimals++);
		digits->n_decimals--;
	}
	if (digits->point || digits->places == 0)
		return;
	digits->places--;
	if (digits->n_integers <= digits->places)
		return;
	size_t count = digits->n_integers - digits->places;
	g_string_append_len(out, digits->integers, count);
	digits->integers += count;
	digits->n_integers -= count;
}

static void pattern_put_point(GString *out, PatternDigits *digits)
{
	if (digits->point) {
		g_string_append_c(out, '.');
		return;
	}
	g_string_append_len(out, digits->integers, digits->n_integers);
	digits->point = true;
	if (digits->n_decimals > 0)
		g_string_append_c(out, '.');
}

/* A currency is in a bracket: "[$€-407]". */
static void pattern_put_currency(GString *out, const char *bracket, const char *end)
{
	if (bracket[1] == '$' && end - bracket > 2)
		g_string_append_len(out, bracket + 2,
		        MIN(strcspn(bracket + 2, "-]"), (size_t)(end - bracket - 2)));
}

static void pattern_put_item(GString *out, PatternDigits *digits, const char *c, const char *end)
{
	if (is_placeholder(*c))
		pattern_put_place(out, digits);
	else if (*c == '.')
		pattern_put_point(out, digits);
	else if (*c == '[')
		pattern_put_currency(out, c, end);
	else if (*c == '_')
		g_string_append_c(out, ' ');
	else if (*c == '"' && end - c > 1)
		g_string_append_len(out, c + 1, end - c - 2);
	else if (*c == '\\')
		g_string_append_len(out, c + 1, end - c - 1);
	else if (*c != '*' && *c != ',' && *c != '"')
		g_string_append_c(out, *c);
}

char *number_pattern_text(double value, const char *section, const char *end)
{
	NumberPattern pattern = pattern_read(section, end);
	double scaled = fabs(value) * pow(100, pattern.percents) / pow(1000, pattern.thousands);
	bool exact =
	        pattern.decimals <= MAX_DECIMALS && scaled * pow(10, pattern.decimals) < MAX_EXACT;
	if (pattern.as_it_is || !exact)
		return NULL;
	g_autofree char *text = pattern_digits(scaled, &pattern);
	size_t n_integers = strcspn(text, ".");
	PatternDigits digits = {.integers = text,
	        .decimals = text + n_integers + 1,
	        .n_integers = n_integers,
	        .n_decimals = strlen(text + n_integers + 1),
	        .places = pattern.integers};
	GString *out = g_string_new(NULL);
	for (const char *c = section, *next; c < end; c = next) {
		next = number_item_end(c, end);
		pattern_put_item(out, &digits, c, next);
	}
	bool empty = out->str[strspn(out->str, " ")] == '\0';
	if (value < 0)
		g_string_prepend_c(out, '-');
	return g_string_free(out, empty);
}
