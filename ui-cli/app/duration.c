/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/duration.h"
#include <glib.h>
#include <string.h>

static const struct {
	const char *names; /* between blanks, in small letters */
	int64_t seconds;
} units[] = {
        {" s sec secs second seconds sek sekunde sekunden ", 1},
        {" min mins minute minutes minuten ", 60},
        {" h hr hrs hour hours std stunde stunden ", 3600},
        {" d day days tag tage tagen ", 86400},
        {" w week weeks woche wochen ", 604800},
};

enum { NUMBER_MAX = 100000000, YEARS_10_S = 315360000 };

bool duration_parse(const char *text, int64_t *seconds_r)
{
	size_t digits = strspn(text, "0123456789");
	g_autofree char *number = g_strndup(text, digits);
	g_autofree char *low = g_ascii_strdown(text + digits, -1);
	const char *name = g_strstrip(low);
	g_autofree char *unit = g_strconcat(" ", name, " ", NULL);
	guint64 count;

	if (!*name || strchr(name, ' '))
		return false;
	if (!g_ascii_string_to_unsigned(number, 10, 1, NUMBER_MAX, &count, NULL))
		return false;
	for (size_t i = 0; i < G_N_ELEMENTS(units); i++) {
		if (!strstr(units[i].names, unit))
			continue;
		*seconds_r = (int64_t)count * units[i].seconds;
		return *seconds_r <= YEARS_10_S;
	}
	return false;
}
