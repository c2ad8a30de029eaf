/* SPDX-License-Identifier: GPL-3.0-or-later */
/* query-telephone.c - telephone numbers (ITU-T E.123 and E.164) in other groups, and with a country
 * code, after "+" or 00, or the 0 of a trunk
 *
 * The area is a group of its own: as it was typed, else any of one to five digits. One group
 * follows, or some of two to four digits whose sizes differ by at most one. */
#include <config.h>
#include "index/query/query-private.h"
#include <string.h>

enum {
	LONGEST_AREA = 5,
	SHORTEST_GROUP = 2,
	LONGEST_GROUP = 4,
	MOST_GROUPS = 4,
	MOST_WITH_TRUNK = 3, /* +49 (0)30 12345678 */
	AMERICAN_LENGTH = 10, /* North American Numbering Plan */
};

/* Digits of the country code at the beginning of a number (ITU-T E.164). */
static size_t country_code_length(const char *number)
{
	static const char *const two[] = {"20", "27", "30", "31", "32", "33", "34", "36", "39",
	        "40", "41", "43", "44", "45", "46", "47", "48", "49", "51", "52", "53", "54", "55",
	        "56", "57", "58", "60", "61", "62", "63", "64", "65", "66", "81", "82", "84", "86",
	        "90", "91", "92", "93", "94", "95", "98"};
	if (*number == '1' || *number == '7')
		return 1;
	for (size_t i = 0; i < G_N_ELEMENTS(two); i++)
		if (g_str_has_prefix(number, two[i]))
			return 2;
	return 3;
}

bool query_is_telephone(const char *digits)
{
	enum { LEAST = 7, MOST = 17 };
	size_t length = strlen(digits);
	return length >= LEAST && length <= MOST && strspn(digits, "0123456789") == length;
}

/* The number as it is dialled: "+49 (0)30 1234" has the code 49 and the number 301234. */
typedef struct {
	char *code; /* of the country; NULL: a number within one */
	const char *rest; /* without the 0 of a trunk */
} Dialled;

/* False: it begins neither with a country code nor with the 0 of a trunk. */
static bool dialled_read(const char *digits, bool plus, Dialled *out)
{
	bool zeros = g_str_has_prefix(digits, "00");
	const char *number = zeros ? digits + 2 : digits;
	*out = (Dialled){NULL, digits + 1};
	if (!plus && !zeros)
		return *digits == '0';
	size_t length = MIN(country_code_length(number), strlen(number));
	out->code = g_strndup(number, length);
	out->rest = number + length;
	out->rest += *out->rest == '0';
	return true;
}

/* ---- in one part, or divided as the index tells */

static void targets_add(GPtrArray *targets, const char *a, const char *b, const char *c)
{
	g_ptr_array_add(targets, g_strconcat(a, b, c, NULL));
}

void query_telephone_targets(GPtrArray *targets, const char *digits, bool plus)
{
	Dialled dialled;
	if (!query_is_telephone(digits) || !dialled_read(digits, plus, &dialled))
		return;
	const char *code = dialled.code, *rest = dialled.rest;
	if (!code) {
		targets_add(targets, rest, "", "");
		return;
	}
	targets_add(targets, "0", rest, "");
	targets_add(targets, code, rest, "");
	targets_add(targets, "00", code, rest);
	targets_add(targets, code, "0", rest);
	if (strcmp(code, "1") == 0)
		targets_add(targets, rest, "", "");
	g_free(dialled.code);
}

void query_telephone_countries(GPtrArray *terms, const char *digits)
{
	for (unsigned code = 1; code < 1000; code++) {
		char text[16];
		g_snprintf(text, sizeof text, "%u", code);
		if (country_code_length(text) != strlen(text))
			continue;
		targets_add(terms, text, digits + 1, "");
		targets_add(terms, "00", text, digits + 1);
	}
}

/* ---- in groups */

typedef struct {
	GPtrArray *out; /* char *: groups separated by blanks */
	const char *digits;
	size_t sizes[MOST_GROUPS];
} Groups;

static void groups_keep(Groups *g, unsigned n)
{
	GString *groups = g_string_new(NULL);
	const char *s = g->digits;
	for (unsigned i = 0; i < n; s += g->sizes[i++]) {
		g_string_append(groups, i > 0 ? " " : "");
		g_string_append_len(groups, s, g->sizes[i]);
	}
	g_ptr_array_add(g->out, g_string_free(groups, FALSE));
}

/* Adds the divisions of what is left whose sizes differ by at most so much, and one of them does.
 */
static void groups_go_on(Groups *g, unsigned n, size_t left, size_t differ)
{
	if (left == 0) {
		size_t least = LONGEST_GROUP, most = 0;
		for (unsigned i = 0; i < n; i++) {
			least = MIN(least, g->sizes[i]);
			most = MAX(most, g->sizes[i]);
		}
		if (most - least == differ)
			groups_keep(g, n);
		return;
	}
	for (size_t size = SHORTEST_GROUP; n < MOST_GROUPS && size <= MIN(left, LONGEST_GROUP);
	        size++) {
		g->sizes[n] = size;
		groups_go_on(g, n + 1, left - size, differ);
	}
}

/* The digits in one group and in several. */
static GPtrArray *groups_of(const char *digits)
{
	Groups g = {.out = g_ptr_array_new_with_free_func(g_free), .digits = digits};
	if (strlen(digits) > LONGEST_GROUP)
		g_ptr_array_add(g.out, g_strdup(digits));
	for (size_t differ = 0; *digits && differ <= 1; differ++)
		groups_go_on(&g, 0, strlen(digits), differ);
	return g.out;
}

/* Adds the number with an area of so many digits. A trunk of its own, and any country, stand before
 * the area of a number without a country. */
static void add_with_area(GPtrArray *out, const Dialled *dialled, size_t length)
{
	g_autofree char *area = g_strndup(dialled->rest, length);
	g_autoptr(GPtrArray) groups = groups_of(dialled->rest + length);
	const char *code = dialled->code;
	for (guint i = 0; i < groups->len; i++) {
		const char *rest = groups->pdata[i];
		g_ptr_array_add(out, g_strdup_printf("0%s %s", area, rest));
		if (!code) {
			g_ptr_array_add(out, g_strdup_printf("%s %s", area, rest));
			continue;
		}
		g_ptr_array_add(out, g_strdup_printf("%s %s %s", code, area, rest));
		g_ptr_array_add(out, g_strdup_printf("00%s %s %s", code, area, rest));
		if (i < MOST_WITH_TRUNK)
			g_ptr_array_add(out, g_strdup_printf("%s 0 %s %s", code, area, rest));
	}
}

/* Digits of the area as it was typed; 0: it was not typed apart. from: the digits before it. */
static size_t typed_area(const char *const *parts, size_t from)
{
	size_t end = 0;
	for (; *parts && end <= from; parts++)
		end += strlen(*parts);
	return *parts && end - from <= LONGEST_AREA ? end - from : 0;
}

/* ---- in North America, where the country code is 1 and no trunk is dialled */

/* The ten digits of a number typed as 212-555-0187, with or without 1 before it; NULL: it is none.
 */
static const char *american_number(const char *const *parts, const char *digits)
{
	static const size_t sizes[] = {3, 3, 4};
	bool country = strcmp(parts[0], "1") == 0;
	const char *number = digits + country;
	for (size_t i = 0; i < G_N_ELEMENTS(sizes); i++)
		if (!parts[country + i] || strlen(parts[country + i]) != sizes[i])
			return NULL;
	bool fits = !parts[country + G_N_ELEMENTS(sizes)] && query_is_telephone(digits) &&
	            number[0] >= '2' && number[3] >= '2';
	return fits ? number : NULL;
}

static void add_american(GPtrArray *out, const char *number)
{
	g_ptr_array_add(out, g_strdup_printf("%.3s %.3s %s", number, number + 3, number + 6));
	g_ptr_array_add(out, g_strdup_printf("%.3s %s", number, number + 3));
	g_ptr_array_add(out, g_strdup_printf("1 %s", number));
	g_ptr_array_add(out, g_strdup_printf("1%s", number));
	g_ptr_array_add(out, g_strdup_printf("001%s", number));
	g_ptr_array_add(out, g_strdup(number));
}

bool query_is_american_telephone(const char *const *parts)
{
	g_autofree char *digits = g_strjoinv("", (char **)parts);
	return american_number(parts, digits) != NULL;
}

GPtrArray *query_telephone_spellings(const char *const *parts, bool plus)
{
	GPtrArray *out = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *digits = g_strjoinv("", (char **)parts);
	const char *american = american_number(parts, digits);
	Dialled dialled;
	if (american)
		add_american(out, american);
	if (american || !dialled_read(digits, plus, &dialled))
		return out;
	if (g_strcmp0(dialled.code, "1") == 0 && strlen(dialled.rest) == AMERICAN_LENGTH)
		add_american(out, dialled.rest);
	size_t typed = typed_area(parts, dialled.rest - digits), left = strlen(dialled.rest);
	if (typed > 0 && typed < left)
		add_with_area(out, &dialled, typed);
	for (size_t area = 2; typed == 0 && area <= LONGEST_AREA && area < left; area++)
		add_with_area(out, &dialled, area);
	if (typed == 0 && left > 1)
		add_with_area(out, &dialled, 1);
	g_free(dialled.code);
	return out;
}
