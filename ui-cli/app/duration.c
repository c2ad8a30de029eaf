/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/duration.h"
#include <glib.h>
#include <string.h>

static const struct {
	const char *unit;
	int64_t seconds;
} units[] = {
        {"s", 1},
        {"min", 60},
        {"h", 3600},
        {"d", 86400},
        {"w", 604800},
};

enum { NUMBER_MAX = 100000000, YEARS_10_S = 315360000 };

bool duration_parse(const char *text, int64_t *seconds_r)
{
	size_t digits = strspn(text, "0123456789");
	g_autofree char *number = g_strndup(text, digits);
	guint64 count;

	if (!g_ascii_string_to_unsigned(number, 10, 1, NUMBER_MAX, &count, NULL))
		return false;
	for (size_t i = 0; i < G_N_ELEMENTS(units); i++) {
		if (strcmp(units[i].unit, text + digits) != 0)
			continue;
		*seconds_r = (int64_t)count * units[i].seconds;
		return *seconds_r <= YEARS_10_S;
	}
	return false;
}
