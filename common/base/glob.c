/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/base/glob.h"
#include "common/base/compare.h"
#include "common/base/glob-parse.h"
#include <string.h>

enum { WORD_BITS = 64, DIRECT = 256 };

/* A malformed pattern has no states. */
typedef struct {
	guint first, last; /* states; the last one accepts */
	bool well_formed;
} GlobPattern;

struct GlobSet {
	GlobSyntax syntax;
	GArray *patterns; /* GlobPattern */
	size_t words; /* of states */
	GArray *states, *ranges; /* GlobState, GlobRange; NULL since glob_set_compile() */
	/* since glob_set_compile(): */
	/* The first character of each group. Characters of a group are alike for all patterns. */
	GArray *groups; /* uint32_t */
	uint32_t group_of[DIRECT]; /* for the characters below DIRECT */
	uint64_t *leads; /* for each group, the states that it leads on from */
	uint64_t *start, *optional, *stays, *stays_at_slash; /* bits of states */
};

GlobSet *glob_set_new(GlobSyntax syntax)
{
	GlobSet *set = g_new0(GlobSet, 1);
	set->syntax = syntax;
	set->patterns = g_array_new(FALSE, FALSE, sizeof(GlobPattern));
	set->states = g_array_new(FALSE, FALSE, sizeof(GlobState));
	set->ranges = g_array_new(FALSE, FALSE, sizeof(GlobRange));
	set->groups = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	return set;
}

void glob_set_free(GlobSet *set)
{
	if (!set)
		return;
	g_array_unref(set->patterns);
	g_clear_pointer(&set->states, g_array_unref);
	g_clear_pointer(&set->ranges, g_array_unref);
	g_array_unref(set->groups);
	g_free(set->leads);
	g_free(set->start);
	g_free(set->optional);
	g_free(set->stays);
	g_free(set->stays_at_slash);
	g_free(set);
}

bool glob_set_add(GlobSet *set, const char *pattern)
{
	GlobPattern item = {.first = set->states->len};
	item.well_formed = glob_parse(pattern, set->syntax, set->states, set->ranges);
	item.last = set->states->len - 1;
	set->words = (set->states->len + WORD_BITS - 1) / WORD_BITS;
	g_array_append_val(set->patterns, item);
	return item.well_formed;
}

guint glob_set_length(const GlobSet *set)
{
	return set->patterns->len;
}

size_t glob_set_words(const GlobSet *set)
{
	return set->words;
}

/* ---- compiling */

static uint32_t glob_group_at(const GlobSet *set, guint i)
{
	return g_array_index(set->groups, uint32_t, i);
}

/* The group of a character: the last one that does not begin after it. */
static guint find_group(const GlobSet *set, uint32_t c)
{
	guint low = 0, high = set->groups->len;
	while (high - low > 1) {
		guint middle = (low + high) / 2;
		if (glob_group_at(set, middle) <= c)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* Each end of a range begins a group. */
static void make_groups(GlobSet *set)
{
	guint n = 0;
	const uint32_t zero = 0;
	g_array_append_val(set->groups, zero);
	for (guint i = 0; i < set->ranges->len; i++) {
		GlobRange range = g_array_index(set->ranges, GlobRange, i);
		range.high++;
		g_array_append_val(set->groups, range.low);
		g_array_append_val(set->groups, range.high);
	}
	g_array_sort(set->groups, compare_uint32);
	uint32_t *groups = (uint32_t *)(void *)set->groups->data;
	for (guint i = 0; i < set->groups->len; i++) {
		if (i == 0 || groups[i] != groups[n - 1])
			groups[n++] = groups[i];
	}
	g_array_set_size(set->groups, n);
	for (uint32_t c = 0; c < DIRECT; c++)
		set->group_of[c] = find_group(set, c);
}

static void set_bit(uint64_t *bits, size_t i)
{
	bits[i / WORD_BITS] |= UINT64_C(1) << (i % WORD_BITS);
}

static bool glob_has_bit(const uint64_t *bits, size_t i)
{
	return bits[i / WORD_BITS] >> (i % WORD_BITS) & 1;
}

/* Is the character in a range of the state? */
static bool is_in_ranges(const GlobSet *set, const GlobState *state, uint32_t c)
{
	for (guint i = state->first; i < state->first + state->n; i++) {
		const GlobRange *range = &g_array_index(set->ranges, GlobRange, i);
		if (range->low <= c && c <= range->high)
			return true;
	}
	return false;
}

static void compile_state(GlobSet *set, guint i)
{
	const GlobState *state = &g_array_index(set->states, GlobState, i);
	if (state->optional)
		set_bit(set->optional, i);
	if (state->stay != GLOB_LEAVE)
		set_bit(set->stays, i);
	if (state->stay == GLOB_STAY)
		set_bit(set->stays_at_slash, i);
	for (guint k = 0; (state->n > 0 || state->inverted) && k < set->groups->len; k++) {
		if (is_in_ranges(set, state, glob_group_at(set, k)) != state->inverted)
			set_bit(set->leads + k * set->words, i);
	}
}

static void compile_start(GlobSet *set, const GlobPattern *pattern)
{
	if (!pattern->well_formed)
		return;
	set_bit(set->start, pattern->first);
	if (glob_has_bit(set->optional, pattern->first))
		set_bit(set->start, pattern->first + 1);
}

void glob_set_compile(GlobSet *set)
{
	make_groups(set);
	set->leads = g_new0(uint64_t, set->words * set->groups->len);
	set->start = g_new0(uint64_t, set->words);
	set->optional = g_new0(uint64_t, set->words);
	set->stays = g_new0(uint64_t, set->words);
	set->stays_at_slash = g_new0(uint64_t, set->words);
	for (guint i = 0; i < set->states->len; i++)
		compile_state(set, i);
	for (guint i = 0; i < set->patterns->len; i++)
		compile_start(set, &g_array_index(set->patterns, GlobPattern, i));
	g_clear_pointer(&set->states, g_array_unref);
	g_clear_pointer(&set->ranges, g_array_unref);
}

/* ---- matching */

uint64_t *glob_set_start(const GlobSet *set)
{
	return g_memdup2(set->start, set->words * sizeof *set->start);
}

/* Moves all states over one character. Returns false if none is left. */
static bool glob_step(
        const GlobSet *set, uint64_t *states, const uint64_t *leads, const uint64_t *stays)
{
	uint64_t carry = 0, any = 0;
	for (size_t i = 0; i < set->words; i++) {
		uint64_t led = states[i] & leads[i];
		uint64_t entered = led << 1 | carry;
		uint64_t passed = entered & set->optional[i];
		carry = (led | passed) >> (WORD_BITS - 1);
		states[i] = (states[i] & stays[i]) | entered | passed << 1;
		any |= states[i];
	}
	return any != 0;
}

uint64_t glob_set_advance(const GlobSet *set, uint64_t *states, const char *text, size_t length)
{
	bool bytes = set->syntax == GLOB_GITIGNORE, alive = set->words > 0;
	uint64_t steps = 0;
	for (const char *end = text + length; alive && text < end;) {
		uint32_t c = (unsigned char)*text;
		bool single = bytes || c < 0x80;
		if (!single)
			c = g_utf8_get_char(text);
		text = single ? text + 1 : g_utf8_next_char(text);
		size_t group = c < DIRECT ? set->group_of[c] : find_group(set, c);
		const uint64_t *stays = bytes && c == '/' ? set->stays_at_slash : set->stays;
		alive = glob_step(set, states, set->leads + group * set->words, stays);
		steps += set->words;
	}
	return steps;
}

bool glob_set_matches(const GlobSet *set, const uint64_t *states, guint pattern)
{
	const GlobPattern *item = &g_array_index(set->patterns, GlobPattern, pattern);
	return item->well_formed && glob_has_bit(states, item->last);
}

uint64_t glob_set_match(const GlobSet *set, const char *text, size_t length)
{
	g_autofree uint64_t *states = glob_set_start(set);
	uint64_t matching = 0;
	glob_set_advance(set, states, text, length);
	for (guint i = 0; i < MIN(set->patterns->len, WORD_BITS); i++)
		matching |= (uint64_t)glob_set_matches(set, states, i) << i;
	return matching;
}
