/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/url/robots-index.h"
#include "common/url/robots-pattern.h"
#include <string.h>

#define NO_PARENT G_MAXUINT

/* The patterns with one literal prefix. */
typedef struct {
	const char *literal;
	size_t length;
	guint first, end; /* in RobotsIndex.patterns */
	guint parent; /* the group with the longest literal that begins this one */
} PrefixGroup;

typedef struct {
	const char *pattern;
	size_t literal; /* bytes */
	guint number;
} IndexedPattern;

struct RobotsIndex {
	GArray *patterns; /* IndexedPattern, by literal prefix, then by number */
	GArray *groups; /* PrefixGroup, by literal prefix */
	guint n;
};

static size_t literal_length(const char *pattern)
{
	size_t length = strcspn(pattern, "*");
	bool whole = length > 0 && pattern[length] == '\0' && pattern[length - 1] == '$';
	return length - whole;
}

static int compare_literals(const char *a, size_t a_length, const char *b, size_t b_length)
{
	int order = memcmp(a, b, MIN(a_length, b_length));
	return order != 0 ? order : (a_length > b_length) - (a_length < b_length);
}

static int compare_patterns(const void *a, const void *b)
{
	const IndexedPattern *x = a, *y = b;
	int order = compare_literals(x->pattern, x->literal, y->pattern, y->literal);
	return order != 0 ? order : (x->number > y->number) - (x->number < y->number);
}

static PrefixGroup *group_at(const RobotsIndex *index, guint group)
{
	return &g_array_index(index->groups, PrefixGroup, group);
}

static bool group_begins(const PrefixGroup *group, const char *text, size_t length)
{
	return group->length <= length && memcmp(group->literal, text, group->length) == 0;
}

/* The chain of the group before has all that may begin this one. */
static guint find_parent(const RobotsIndex *index, const char *literal, size_t length)
{
	guint at = index->groups->len - 1;
	while (at != NO_PARENT && !group_begins(group_at(index, at), literal, length))
		at = group_at(index, at)->parent;
	return at;
}

static void group_patterns(RobotsIndex *index)
{
	for (guint i = 0; i < index->patterns->len; i++) {
		const IndexedPattern *p = &g_array_index(index->patterns, IndexedPattern, i);
		PrefixGroup *last =
		        index->groups->len > 0 ? group_at(index, index->groups->len - 1) : NULL;
		if (last && compare_literals(last->literal, last->length, p->pattern, p->literal) ==
		                    0) {
			last->end = i + 1;
			continue;
		}
		const PrefixGroup group = {p->pattern, p->literal, i, i + 1,
		        last ? find_parent(index, p->pattern, p->literal) : NO_PARENT};
		g_array_append_val(index->groups, group);
	}
}

RobotsIndex *robots_index_new(const char *const *patterns, guint n)
{
	RobotsIndex *index = g_new0(RobotsIndex, 1);
	index->n = n;
	index->patterns = g_array_sized_new(FALSE, FALSE, sizeof(IndexedPattern), n);
	index->groups = g_array_new(FALSE, FALSE, sizeof(PrefixGroup));
	for (guint i = 0; i < n; i++) {
		const IndexedPattern p = {patterns[i], literal_length(patterns[i]), i};
		g_array_append_val(index->patterns, p);
	}
	g_array_sort(index->patterns, compare_patterns);
	group_patterns(index);
	return index;
}

void robots_index_free(RobotsIndex *index)
{
	if (!index)
		return;
	g_array_unref(index->patterns);
	g_array_unref(index->groups);
	g_free(index);
}

/* The last group whose literal prefix is not greater than the path, or NO_PARENT. */
static guint find_last(const RobotsIndex *index, const char *path, size_t length)
{
	guint low = 0, high = index->groups->len;
	while (low < high) {
		guint middle = (low + high) / 2;
		const PrefixGroup *group = group_at(index, middle);
		if (compare_literals(group->literal, group->length, path, length) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 ? low - 1 : NO_PARENT;
}

guint robots_index_first(const RobotsIndex *index, const char *path, size_t length)
{
	guint best = index->n;
	for (guint at = find_last(index, path, length); at != NO_PARENT;) {
		const PrefixGroup *group = group_at(index, at);
		bool begins = group_begins(group, path, length);
		for (guint i = group->first; begins && i < group->end; i++) {
			const IndexedPattern *p =
			        &g_array_index(index->patterns, IndexedPattern, i);
			if (p->number >= best)
				break;
			if (robots_match(p->pattern, path, length))
				best = p->number;
		}
		at = group->parent;
	}
	return best;
}
