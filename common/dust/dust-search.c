/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dust-search.c - takes the rules that are likely */
#include <config.h>
#include "common/dust/dust-private.h"

enum { TALLIES_MOST = 96 };
/* Of the pairs of a rule that are in the list, those that seem equal. */
static const double least_share = .8;

bool dust_search_refuses(const DustSearch *search, const DustRule *rule)
{
	const GPtrArray *refused = search->refused;
	for (guint i = 0; refused && i < refused->len; i++)
		if (dust_rule_equal(refused->pdata[i], rule))
			return true;
	return false;
}

static bool dust_search_has(const DustSearch *search, const DustRule *rule)
{
	for (guint i = 0; i < search->rules->len; i++)
		if (dust_rule_equal(search->rules->pdata[i], rule))
			return true;
	return false;
}

bool dust_search_take(DustSearch *search, DustRule *rule)
{
	bool likely = false;
	if (search->tallies < TALLIES_MOST && !dust_is_stopped(search->options) &&
	        !dust_search_refuses(search, rule) && !dust_search_has(search, rule)) {
		search->tallies++;
		dust_tally(search->list, search->options, rule, NULL);
		likely = rule->support >= DUST_SUPPORT &&
		         rule->support >= least_share * (rule->support + rule->refuted);
	}
	if (likely)
		g_ptr_array_add(search->rules, rule);
	else
		dust_rule_free(rule);
	return likely;
}
