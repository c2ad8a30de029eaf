/* SPDX-License-Identifier: GPL-3.0-or-later */
/* query-figures.c - times, versions, amounts and measures in another spelling: 9:30 and 09:30,
 * v2.14 and 2.14, 17,5 and 17,50, 20,000 and 20000, 1.5GB and 1,5 GB
 *
 * The index has only the words, so 09 30 may be a day too: ask for them if nothing else is found.
 */
#include <config.h>
#include "index/query/query-private.h"
#include <string.h>

static bool figure_is_number(const char *word, size_t least, size_t most)
{
	size_t length = strlen(word);
	return length >= least && length <= most && strspn(word, "0123456789") == length;
}

/* ---- times: 9:30, 09.30, 9h30 */

static bool is_time(const char *hour, const char *minute)
{
	enum { HOURS = 24, MINUTES = 60 };
	return figure_is_number(hour, 1, 2) && figure_is_number(minute, 2, 2) &&
	       g_ascii_strtoull(hour, NULL, 10) < HOURS &&
	       g_ascii_strtoull(minute, NULL, 10) < MINUTES;
}

/* rest: the seconds after a blank, or "". */
static void add_times(GPtrArray *out, const char *hour, const char *minute, const char *rest)
{
	unsigned h = g_ascii_strtoull(hour, NULL, 10);
	for (int digits = 1; digits <= 2; digits++) {
		g_ptr_array_add(out, g_strdup_printf("%0*u %s%s", digits, h, minute, rest));
		if (!*rest)
			g_ptr_array_add(out, g_strdup_printf("%0*uh%s", digits, h, minute));
	}
}

static void add_times_of(GPtrArray *out, const char *const *words, guint n, char sign)
{
	bool seconds = n == 3 && sign == ':' && figure_is_number(words[2], 2, 2);
	g_auto(GStrv) french = n == 1 ? g_strsplit(words[0], "h", 2) : NULL;
	if (french && french[0] && french[1] && is_time(french[0], french[1]))
		add_times(out, french[0], french[1], "");
	if ((n != 2 && !seconds) || (sign != ':' && sign != '.') || !is_time(words[0], words[1]))
		return;
	g_autofree char *rest = seconds ? g_strconcat(" ", words[2], NULL) : g_strdup("");
	add_times(out, words[0], words[1], rest);
}

/* ---- versions: v2.14.3, 2.14.3 */

static void add_versions_of(GPtrArray *out, const char *const *words, guint n, char sign)
{
	g_autofree char *all = g_strjoinv(" ", (char **)words);
	bool marked = all[0] == 'v' && g_ascii_isdigit(all[1]);
	for (guint i = 0; i < n; i++)
		if (!figure_is_number(words[i] + (i == 0 && marked), 1, 4))
			return;
	if (n >= 2 && sign == '.')
		g_ptr_array_add(out, marked ? g_strdup(all + 1) : g_strconcat("v", all, NULL));
}

/* ---- amounts: 17,5 and 17,50. A version has no comma. */

static void add_decimals_of(GPtrArray *out, const char *const *words, guint n, char sign)
{
	if (n != 2 || sign != ',' || !figure_is_number(words[0], 1, 6) ||
	        !figure_is_number(words[1], 1, 2))
		return;
	if (!words[1][1])
		g_ptr_array_add(out, g_strdup_printf("%s %s0", words[0], words[1]));
	else if (words[1][1] == '0')
		g_ptr_array_add(out, g_strdup_printf("%s %c", words[0], words[1][0]));
}

/* ---- thousands: 20,000 and 20000. Their joined digits may be too few to be divided in any way. */

static void add_thousands_of(GPtrArray *out, const char *const *words, guint n, char sign)
{
	if (n < 2 || !sign || !strchr(",.'", sign) || !figure_is_number(words[0], 1, 3) ||
	        *words[0] == '0')
		return;
	for (guint i = 1; i < n; i++)
		if (!figure_is_number(words[i], 3, 3))
			return;
	g_ptr_array_add(out, g_strjoinv("", (char **)words));
}

/* ---- measures: 1.5GB and 1,5 GB */

static void add_measures_of(GPtrArray *out, const char *const *words, guint n)
{
	const char *last = words[n - 1], *unit = last + strspn(last, "0123456789");
	if (n != 2 || unit == last || !*unit || strpbrk(unit, "0123456789") ||
	        !figure_is_number(words[0], 1, 6))
		return;
	g_ptr_array_add(
	        out, g_strdup_printf("%s %.*s %s", words[0], (int)(unit - last), last, unit));
}

GPtrArray *query_figure_spellings(const char *const *words, char sign)
{
	GPtrArray *out = g_ptr_array_new_with_free_func(g_free);
	guint n = g_strv_length((char **)words);
	add_times_of(out, words, n, sign);
	add_versions_of(out, words, n, sign);
	add_decimals_of(out, words, n, sign);
	add_thousands_of(out, words, n, sign);
	add_measures_of(out, words, n);
	return out;
}

bool query_is_amount(const char *const *words)
{
	guint n = g_strv_length((char **)words);
	for (guint i = 0; i < n; i++)
		if (!figure_is_number(words[i], i + 1 == n ? 2 : 1, i + 1 == n ? 2 : 9))
			return false;
	return n >= 2;
}

/* A text may have a sign for it, which the index lacks. */
bool query_is_currency(const char *word)
{
	static const char *const words[] = {"eur", "euro", "euros", "usd", "dollar", "dollars",
	        "gbp", "pound", "pounds", "jpy", "yen", NULL};
	return g_strv_contains(words, word);
}
