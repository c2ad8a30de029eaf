/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dust-learn.c - validation of rules on samples */
#include <config.h>
#include "common/dust/dust-private.h"

enum { LOOK_MOST = 64, /* URLs that are looked at for one pair of the sample */ ROUNDS_MOST = 8 };

void dust_sample_free(DustSample *sample)
{
	if (!sample)
		return;
	g_free(sample->url);
	g_free(sample->target);
	g_free(sample);
}

/* ---- samples */

/* All pairs from which a sample may be taken. */
static GArray *dust_sample_pairs(const DustList *list, const DustRule *rule, bool known)
{
	static const DustOptions nothing;
	g_autofree DustRule *copy = g_memdup2(rule, sizeof *rule);
	GArray *pairs = g_array_new(FALSE, FALSE, sizeof(DustPair));
	g_autoptr(GString) target = g_string_new(NULL);
	if (known) {
		dust_tally(list, &nothing, copy, pairs);
		return pairs;
	}
	for (uint32_t i = 0; i < list->entries->len; i++) {
		const DustEntry *entry = dust_entry(list, i);
		if (!dust_rule_apply_to(rule, dust_text(list, entry), target))
			continue;
		const DustPair pair = {i, dust_list_find(list, target->str, entry->group), false};
		g_array_append_val(pairs, pair);
	}
	return pairs;
}

/* NULL: the rules before make the pair equal already. */
static DustSample *dust_sample_new(
        const DustList *list, const DustRule *rule, const GPtrArray *before, const DustPair *pair)
{
	const char *url = dust_text(list, dust_entry(list, pair->from));
	g_autofree char *target = pair->to != DUST_NONE
	                                  ? g_strdup(dust_text(list, dust_entry(list, pair->to)))
	                                  : dust_rule_apply(rule, url);
	g_autofree char *left = dust_canonical(before, url);
	g_autofree char *right = dust_canonical(before, target);
	if (before && strcmp(left, right) == 0)
		return NULL;
	DustSample *sample = g_new(DustSample, 1);
	*sample = (DustSample){g_strdup(url), g_steal_pointer(&target), pair->from, pair->to};
	return sample;
}

GPtrArray *dust_sample(
        const DustList *list, const DustRule *rule, const GPtrArray *before, bool known)
{
	GPtrArray *samples = g_ptr_array_new_with_free_func((GDestroyNotify)dust_sample_free);
	g_autoptr(GArray) pairs = dust_sample_pairs(list, rule, known);
	guint n = MIN(pairs->len, DUST_SAMPLE_MOST);
	for (guint i = 0; i < n; i++) {
		guint at = (guint)((uint64_t)i * pairs->len / n);
		guint end = (guint)((uint64_t)(i + 1) * pairs->len / n);
		DustSample *sample = NULL;
		for (end = MIN(end, at + LOOK_MOST); at < end && !sample; at++)
			sample = dust_sample_new(
			        list, rule, before, &g_array_index(pairs, DustPair, at));
		if (sample)
			g_ptr_array_add(samples, sample);
	}
	return samples;
}

bool dust_rule_holds(const DustRule *rule)
{
	return rule->sampled >= DUST_SUPPORT && rule->equal == rule->sampled;
}

DustVerdict dust_compare_sums(const DustList *list, const DustSample *sample, void *data)
{
	(void)data;
	if (sample->other == DUST_NONE)
		return DUST_UNKNOWN;
	uint64_t a = dust_entry(list, sample->page)->sum, b = dust_entry(list, sample->other)->sum;
	if (a == 0 || b == 0)
		return DUST_UNKNOWN;
	return a == b ? DUST_EQUAL : DUST_DIFFERENT;
}

/* ---- learning */

typedef struct {
	const DustList *list;
	const DustOptions *options;
	bool known;
	DustCompareFunc compare;
	void *data;
	GPtrArray *judged; /* DustRule with their samples */
	GPtrArray *refused; /* those of them that do not hold; borrowed */
} DustLearner;

static const DustRule *dust_judged(const DustLearner *learner, const DustRule *rule)
{
	for (guint i = 0; i < learner->judged->len; i++)
		if (dust_rule_equal(learner->judged->pdata[i], rule))
			return learner->judged->pdata[i];
	return NULL;
}

/* Ends with the first pair that differs: that is enough to refuse the rule. */
static void dust_validate(const DustLearner *learner, DustRule *rule, const GPtrArray *before)
{
	const DustRule *former = dust_judged(learner, rule);
	g_autoptr(GPtrArray) samples = NULL;
	if (former) {
		rule->sampled = former->sampled;
		rule->equal = former->equal;
		return;
	}
	samples = dust_sample(learner->list, rule, before, learner->known);
	for (guint i = 0; i < samples->len && rule->equal == rule->sampled &&
	                  !dust_is_stopped(learner->options);
	        i++) {
		DustVerdict verdict =
		        learner->compare(learner->list, samples->pdata[i], learner->data);
		rule->sampled += verdict != DUST_UNKNOWN;
		rule->equal += verdict == DUST_EQUAL;
	}
	DustRule *copy = dust_rule_new(rule->kind, rule->from, rule->to);
	copy->at_start = rule->at_start;
	copy->at_end = rule->at_end;
	copy->sampled = rule->sampled;
	copy->equal = rule->equal;
	g_ptr_array_add(learner->judged, copy);
}

static bool dust_is_kept(const DustLearner *learner, const DustRule *rule)
{
	return dust_rule_holds(rule) || (learner->known && rule->equal == rule->sampled);
}

/* Moves the rules that hold out of the array; the others are refused. */
static GPtrArray *dust_keep_valid(DustLearner *learner, GPtrArray *found, bool *refused_r)
{
	GPtrArray *kept = g_ptr_array_new_with_free_func((GDestroyNotify)dust_rule_free);
	*refused_r = false;
	while (found->len > 0 && !dust_is_stopped(learner->options)) {
		DustRule *rule = g_ptr_array_steal_index(found, 0);
		dust_validate(learner, rule, kept);
		if (dust_is_kept(learner, rule)) {
			g_ptr_array_add(kept, rule);
			continue;
		}
		g_ptr_array_add(learner->refused, (gpointer)dust_judged(learner, rule));
		*refused_r = true;
		dust_rule_free(rule);
	}
	return kept;
}

GPtrArray *dust_learn(const DustList *list, const DustOptions *options, bool known,
        DustCompareFunc compare, void *data)
{
	g_autoptr(GPtrArray) judged =
	        g_ptr_array_new_with_free_func((GDestroyNotify)dust_rule_free);
	g_autoptr(GPtrArray) refused = g_ptr_array_new();
	DustLearner learner = {list, options, known, compare, data, judged, refused};
	GPtrArray *kept = NULL;
	bool any = true;
	for (unsigned round = 0;
	        any && round < ROUNDS_MOST && (round == 0 || !dust_is_stopped(options)); round++) {
		g_autoptr(GPtrArray) found = dust_find(list, options, refused);
		g_clear_pointer(&kept, g_ptr_array_unref);
		kept = dust_keep_valid(&learner, found, &any);
	}
	return kept;
}
