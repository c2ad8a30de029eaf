/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dust-parts.c - substitutions that many instances have in common
 *
 * The instances of one substitution are a family. The text around the place in all of them
 * belongs to the rule, two tokens on each side at most: the start and the end of a URL count as
 * tokens. If pages refute the rule, it is tried once more for each token that stands beside. */
#include <config.h>
#include "common/dust/dust-private.h"
#include <stdlib.h>

enum { CONTEXT_MOST = 2, SPLITS_MOST = 2, FAMILIES_MOST = 512 };
typedef enum { SIDE_LEFT, SIDE_RIGHT, N_SIDES } DustSide;

typedef struct {
	uint64_t key;
	DustInstance instance;
} DustMember;

typedef struct {
	const DustMember *members;
	uint32_t n;
	char *from, *to;
} DustFamily;

/* ---- text of instances */

typedef struct {
	const char *text;
	size_t length;
} DustSpan;

static DustSpan dust_span(
        const DustList *list, const DustEntry *entry, unsigned first, unsigned end)
{
	const uint16_t *starts = dust_starts(list, entry);
	return (DustSpan){
	        dust_text(list, entry) + starts[first], (size_t)starts[end] - starts[first]};
}

static DustSpan dust_part(const DustList *list, const DustInstance *one, uint32_t which)
{
	const DustEntry *entry = dust_entry(list, which);
	return dust_span(list, entry, one->first, entry->n_tokens - one->last_tokens);
}

/* The token at a distance of 1 or more from the place; empty at the start or the end of the URL,
 * and without text beyond it. */
static DustSpan dust_beside(
        const DustList *list, const DustInstance *one, DustSide side, unsigned distance)
{
	const DustEntry *entry = dust_entry(list, one->from);
	int n = entry->n_tokens, at = side == SIDE_LEFT ? (int)one->first - (int)distance
	                                                : n - one->last_tokens + (int)distance - 1;
	if (at == -1 || at == n)
		return (DustSpan){"", 0};
	if (at < 0 || at > n)
		return (DustSpan){NULL, 0};
	return dust_span(list, entry, (unsigned)at, (unsigned)at + 1);
}

static bool dust_span_equal(DustSpan a, DustSpan b)
{
	return a.text && b.text && a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

/* How many tokens beside the place do all members have in common, at most most? */
static unsigned dust_common(
        const DustList *list, const DustMember *members, uint32_t n, DustSide side, unsigned most)
{
	unsigned common = 0;
	for (; common < most; common++) {
		DustSpan first = dust_beside(list, &members[0].instance, side, common + 1);
		for (uint32_t i = 0; i < n; i++)
			if (!dust_span_equal(first,
			            dust_beside(list, &members[i].instance, side, common + 1)))
				return common;
	}
	return common;
}

/* ---- rules of a family */

static void dust_append_beside(const DustList *list, const DustInstance *one, DustSide side,
        unsigned distance, GString *from, GString *to)
{
	DustSpan span = dust_beside(list, one, side, distance);
	g_string_append_len(from, span.text, (gssize)span.length);
	g_string_append_len(to, span.text, (gssize)span.length);
}

static DustRule *dust_part_rule(
        const DustList *list, const DustInstance *one, const unsigned *beside)
{
	g_autoptr(GString) from = g_string_new(NULL), to = g_string_new(NULL);
	DustSpan longer = dust_part(list, one, one->from), shorter = dust_part(list, one, one->to);
	for (unsigned i = beside[SIDE_LEFT]; i > 0; i--)
		dust_append_beside(list, one, SIDE_LEFT, i, from, to);
	g_string_append_len(from, longer.text, (gssize)longer.length);
	g_string_append_len(to, shorter.text, (gssize)shorter.length);
	for (unsigned i = 1; i <= beside[SIDE_RIGHT]; i++)
		dust_append_beside(list, one, SIDE_RIGHT, i, from, to);
	DustRule *rule = dust_rule_new(DUST_PART, from->str, to->str);
	rule->at_start = beside[SIDE_LEFT] > one->first;
	rule->at_end = beside[SIDE_RIGHT] > one->last_tokens;
	return rule;
}

static int dust_compare_members(const void *a, const void *b)
{
	const DustMember *x = a, *y = b;
	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	if (x->instance.from != y->instance.from)
		return x->instance.from < y->instance.from ? -1 : 1;
	return (x->instance.to > y->instance.to) - (x->instance.to < y->instance.to);
}

static void dust_try_members(DustSearch *search, const DustMember *members, uint32_t n,
        const unsigned *least_beside, unsigned splits);

/* Tries the members with the same token beside what they have in common, each group by itself. */
static void dust_split(DustSearch *search, const DustMember *members, uint32_t n, DustSide side,
        const unsigned *beside, unsigned splits)
{
	const DustList *list = search->list;
	g_autofree DustMember *sorted = g_memdup2(members, n * sizeof *members);
	unsigned more[N_SIDES] = {beside[SIDE_LEFT], beside[SIDE_RIGHT]};
	more[side]++;
	for (uint32_t i = 0; i < n; i++) {
		DustSpan span = dust_beside(list, &sorted[i].instance, side, more[side]);
		sorted[i].key = dust_hash(list->base, span.text ? 1 : 2, span.text, span.length);
	}
	qsort(sorted, n, sizeof *sorted, dust_compare_members);
	for (uint32_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && sorted[end].key == sorted[i].key;)
			end++;
		if (end - i >= DUST_SUPPORT && end - i < n &&
		        dust_beside(list, &sorted[i].instance, side, more[side]).text)
			dust_try_members(search, sorted + i, end - i, more, splits);
	}
}

static void dust_try_members(DustSearch *search, const DustMember *members, uint32_t n,
        const unsigned *least_beside, unsigned splits)
{
	unsigned beside[N_SIDES];
	for (unsigned side = 0; side < N_SIDES; side++)
		beside[side] = dust_common(
		        search->list, members, n, side, MAX(least_beside[side], CONTEXT_MOST));
	if (dust_search_take(search, dust_part_rule(search->list, &members[0].instance, beside)) ||
	        splits == 0)
		return;
	dust_split(search, members, n, SIDE_RIGHT, beside, splits - 1);
	dust_split(search, members, n, SIDE_LEFT, beside, splits - 1);
}

/* ---- families */

static unsigned dust_place_of(const DustSearch *search, const DustInstance *one)
{
	const DustEntry *entry = dust_entry(search->list, one->from);
	const uint16_t *starts = dust_starts(search->list, entry);
	if (!search->options->place)
		return 0;
	return search->options->place(dust_text(search->list, entry), starts[one->first],
	        starts[entry->n_tokens - one->last_tokens]);
}

static uint64_t dust_family_key(const DustSearch *search, const DustInstance *one)
{
	const DustList *list = search->list;
	DustSpan from = dust_part(list, one, one->from), to = dust_part(list, one, one->to);
	uint64_t hash =
	        dust_hash(list->base, dust_place_of(search, one) + 1, from.text, from.length);
	return dust_hash(list->base, dust_hash_byte(list->base, hash, 0), to.text, to.length);
}

/* The entries that a rule so far changes: their copies are known. The caller owns the array. */
static bool *dust_changed(const DustSearch *search)
{
	uint32_t n = dust_list_length(search->list);
	bool *changed = g_new0(bool, n + 1);
	g_autoptr(GString) form = g_string_new(NULL);
	for (guint r = 0; r < search->rules->len; r++)
		for (uint32_t i = 0; i < n; i++)
			changed[i] =
			        changed[i] ||
			        dust_rule_apply_to(search->rules->pdata[r],
			                dust_text(search->list, dust_entry(search->list, i)), form);
	return changed;
}

static GArray *dust_members(const DustSearch *search)
{
	g_autoptr(GArray) instances = g_array_new(FALSE, FALSE, sizeof(DustInstance));
	g_autofree bool *left_out = dust_changed(search);
	dust_find_instances(search->list, search->options, left_out, instances);
	GArray *members = g_array_sized_new(FALSE, FALSE, sizeof(DustMember), instances->len);
	for (guint i = 0; i < instances->len; i++) {
		const DustInstance *one = &g_array_index(instances, DustInstance, i);
		const DustMember member = {dust_family_key(search, one), *one};
		g_array_append_val(members, member);
	}
	g_array_sort(members, dust_compare_members);
	return members;
}

static void dust_family_clear(gpointer data)
{
	DustFamily *family = data;
	g_free(family->from);
	g_free(family->to);
}

static int dust_compare_families(const void *a, const void *b)
{
	const DustFamily *x = a, *y = b;
	if (x->n != y->n)
		return x->n > y->n ? -1 : 1;
	int order = strcmp(x->from, y->from);
	return order ? order : strcmp(x->to, y->to);
}

static GArray *dust_families(const DustSearch *search, const GArray *members)
{
	GArray *families = g_array_new(FALSE, FALSE, sizeof(DustFamily));
	const DustMember *all = (const DustMember *)(const void *)members->data;
	g_array_set_clear_func(families, dust_family_clear);
	for (guint i = 0, end; i < members->len; i = end) {
		for (end = i + 1; end < members->len && all[end].key == all[i].key;)
			end++;
		if (end - i < DUST_SUPPORT)
			continue;
		DustSpan from = dust_part(search->list, &all[i].instance, all[i].instance.from);
		DustSpan to = dust_part(search->list, &all[i].instance, all[i].instance.to);
		const DustFamily family = {all + i, end - i, g_strndup(from.text, from.length),
		        g_strndup(to.text, to.length)};
		g_array_append_val(families, family);
	}
	g_array_sort(families, dust_compare_families);
	return families;
}

/* ---- parts with many rivals */

static void dust_count_part(GHashTable *parts, const char *part)
{
	guint n = GPOINTER_TO_UINT(g_hash_table_lookup(parts, part));
	if (*part)
		g_hash_table_insert(parts, (gpointer)part, GUINT_TO_POINTER(n + 1));
}

static GHashTable *dust_count_parts(const GArray *families)
{
	GHashTable *parts = g_hash_table_new(g_str_hash, g_str_equal);
	for (guint i = 0; i < families->len; i++) {
		dust_count_part(parts, g_array_index(families, DustFamily, i).from);
		dust_count_part(parts, g_array_index(families, DustFamily, i).to);
	}
	return parts;
}

static bool dust_has_rivals(const DustSearch *search, GHashTable *parts, const DustFamily *family)
{
	unsigned most = search->options->rivals_most;
	return most > 0 && (GPOINTER_TO_UINT(g_hash_table_lookup(parts, family->from)) > most ||
	                           GPOINTER_TO_UINT(g_hash_table_lookup(parts, family->to)) > most);
}

static void dust_try_placed(DustSearch *search, const DustFamily *family)
{
	const unsigned nothing[N_SIDES] = {0, 0};
	DustRule *rule = dust_part_rule(search->list, &family->members[0].instance, nothing);
	rule->place = dust_place_of(search, &family->members[0].instance);
	rule->support = family->n;
	g_ptr_array_add(search->rules, rule);
}

void dust_find_parts(DustSearch *search)
{
	const unsigned nothing[N_SIDES] = {0, 0};
	g_autoptr(GArray) members = dust_members(search);
	g_autoptr(GArray) families = dust_families(search, members);
	g_autoptr(GHashTable) parts = dust_count_parts(families);
	for (guint i = 0; i < families->len && i < FAMILIES_MOST; i++) {
		const DustFamily *family = &g_array_index(families, DustFamily, i);
		if (dust_has_rivals(search, parts, family))
			continue;
		if (search->options->place)
			dust_try_placed(search, family);
		else
			dust_try_members(search, family->members, family->n, nothing, SPLITS_MOST);
	}
}
