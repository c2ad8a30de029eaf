/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dust-tally.c - what a list says about a rule */
#include <config.h>
#include "common/dust/dust-private.h"

typedef struct {
	const DustList *list;
	const DustOptions *options;
	DustRule *rule;
	GArray *pairs;
	GString *target;
	DustMap first; /* hash of a target -> the first URL that the rule makes this of */
} DustTally;

static bool dust_tally_part(DustTally *t, const DustEntry *entry)
{
	const char *text = dust_text(t->list, entry);
	DustPartSpan span;
	if (!dust_part_find(t->rule, text, dust_starts(t->list, entry), entry->n_tokens, &span))
		return false;
	g_string_truncate(t->target, 0);
	g_string_append_len(t->target, text, (gssize)span.start);
	g_string_append(t->target, t->rule->to);
	g_string_append_len(t->target, text + span.end, (gssize)(entry->length - span.end));
	return true;
}

static bool dust_tally_applies(DustTally *t, const DustEntry *entry)
{
	if (t->rule->kind == DUST_PART)
		return dust_tally_part(t, entry);
	return dust_rule_apply_to(t->rule, dust_text(t->list, entry), t->target);
}

/* The URL that the i-th is compared with: the target, or the first URL with the same target. */
static uint32_t dust_tally_other(DustTally *t, uint32_t i, uint32_t group)
{
	uint32_t other = dust_list_find(t->list, t->target->str, group);
	if (other != DUST_NONE || t->rule->kind == DUST_PART)
		return other;
	uint32_t *first = dust_map_at(&t->first,
	        dust_hash(t->list->base, (uint64_t)group + 1, t->target->str, t->target->len));
	if (*first == DUST_NONE)
		*first = i;
	return *first != i ? *first : DUST_NONE;
}

static void dust_tally_pair(DustTally *t, uint32_t i, uint32_t other)
{
	DustVerdict verdict = dust_list_alike(t->list, t->options, i, other);
	const DustPair pair = {i, other, verdict == DUST_EQUAL};
	t->rule->support += verdict == DUST_EQUAL;
	t->rule->refuted += verdict == DUST_DIFFERENT;
	if (t->pairs)
		g_array_append_val(t->pairs, pair);
}

void dust_tally(const DustList *list, const DustOptions *options, DustRule *rule, GArray *pairs)
{
	DustTally t = {list, options, rule, pairs, g_string_new(NULL), {0}};
	dust_map_init(&t.first, 64);
	rule->urls = rule->support = rule->refuted = 0;
	for (uint32_t i = 0; i < list->entries->len && !dust_is_stopped(options); i++) {
		const DustEntry *entry = dust_entry(list, i);
		if (!dust_tally_applies(&t, entry))
			continue;
		rule->urls++;
		uint32_t other = dust_tally_other(&t, i, entry->group);
		if (other != DUST_NONE)
			dust_tally_pair(&t, i, other);
	}
	dust_map_clear(&t.first);
	g_string_free(t.target, TRUE);
}
