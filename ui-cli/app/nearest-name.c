/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/nearest-name.h"
#include "index/text/typo.h"
#include <string.h>

enum { SHORT = 4, SHORTEST = 3, COST_BEGINNING = 70, COST_TWO = 190 };

unsigned nearest_name_limit(const char *typed)
{
	return g_utf8_strlen(typed, -1) > SHORT ? COST_TWO : TYPO_EDIT;
}

/* Returns the index of the only name that begins so; -1: there is none, or several. */
static int nearest_name_beginning(const char *typed, const char *const *names, size_t n)
{
	int found = -1;
	for (size_t i = 0; i < n; i++) {
		if (!g_str_has_prefix(names[i], typed))
			continue;
		if (found >= 0)
			return -1;
		found = (int)i;
	}
	return found;
}

int nearest_name(const char *typed, const char *const *names, size_t n, unsigned max)
{
	if (!g_utf8_validate(typed, -1, NULL) || strlen(typed) > TOKEN_MAX_BYTES)
		return -1;
	g_autofree char *low = g_utf8_strdown(typed, -1);
	int best = strlen(low) < SHORTEST ? -1 : nearest_name_beginning(low, names, n);
	unsigned least = best < 0 ? max + 1 : COST_BEGINNING;
	Typo typo;
	typo_init(&typo, low);
	for (size_t i = 0; i < n; i++) {
		unsigned cost = typo_cost_of_any(&typo, names[i]);
		if (strcmp(typed, names[i]) == 0)
			return -1;
		if (cost >= least)
			continue;
		least = cost;
		best = (int)i;
	}
	return best;
}
