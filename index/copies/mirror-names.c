/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mirror-names.c - name patterns of copies beside the original: "report (1).pdf", "notes.txt~",
 * "Copy of plan.odt"
 *
 * Two files of one directory with the same size and names that differ in one part suggest a
 * substitution, as two URLs do (common/dust/dust.h finds both). It is tried on all names of all
 * directories. A part that occurs in many substitutions (such as the numbers of a series) is
 * dropped. */
#include <config.h>
#include "index/copies/mirror-tree.h"
#include "common/base/paths.h"
#include "common/dust/dust.h"
#include <string.h>

enum {
	MAX_PART = 24, /* bytes of the replaced part */
	MANY_RULES = 4,
	MIN_MIDDLE = 3 /* bytes of a part inside a name; shorter ones are everywhere */
};
static const double least_share = .5;

/* Where the part is in the name. */
typedef enum { AT_START, AT_END, BEFORE_ENDING, INSIDE, N_POSITIONS } MarkPlace;

/* ---- candidates */

static unsigned mirror_place_of(const char *name, size_t start, size_t end)
{
	const char *rest = name + end;
	if (start == 0)
		return AT_START;
	if (*rest == '\0')
		return AT_END;
	return *rest == '.' && !strchr(rest + 1, '.') ? BEFORE_ENDING : INSIDE;
}

static DustVerdict mirror_sizes_equal(const DustPage *a, const DustPage *b, void *data)
{
	(void)data;
	return a->size == b->size ? DUST_EQUAL : DUST_DIFFERENT;
}

static bool is_mark(const DustRule *rule)
{
	size_t part = strlen(rule->from);
	return part <= MAX_PART && strlen(rule->to) <= MAX_PART &&
	       (rule->place != INSIDE || part >= MIN_MIDDLE);
}

/* The names of a directory are a group: only they are compared with each other. */
static void mirror_note_dir(DustList *list, const MirrorTree *tree, uint32_t dir)
{
	const MirrorEntry *entry = mirror_entry(tree, dir);
	for (uint32_t i = 0; i < entry->children; i++) {
		uint32_t file = tree->order[entry->first + i];
		const DustPage page = {.url = mirror_name(tree, file),
		        .size = mirror_entry(tree, file)->size,
		        .group = dir};
		if (mirror_counts(mirror_entry(tree, file)))
			dust_list_add(list, &page);
	}
}

/* Substitutions (DustRule) that many names suggest: from is the mark of the copy. */
static GPtrArray *mirror_names_supported(const MirrorTree *tree)
{
	static const DustOptions options = {.alike = mirror_sizes_equal,
	        .place = mirror_place_of,
	        .no_parameters = true,
	        .rivals_most = MANY_RULES};
	g_autoptr(DustList) list = dust_list_new();
	for (uint32_t i = 0; i < tree->entries->len; i++)
		if (mirror_entry(tree, i)->dir)
			mirror_note_dir(list, tree, i);
	GPtrArray *rules = dust_find(list, &options, NULL);
	for (guint i = rules->len; i-- > 0;)
		if (!is_mark(rules->pdata[i]))
			g_ptr_array_remove_index(rules, i);
	return rules;
}

/* ---- rules */

/* Returns the name without the substitution, or NULL if the name does not have it. The caller owns
 * it. */
static char *original_name(const DustRule *one, const char *name)
{
	size_t length = strlen(name), part = strlen(one->from);
	const char *dot = strrchr(name, '.'), *end = name + length, *at = NULL;
	if (length <= part)
		return NULL;
	if (one->place == AT_START)
		at = name;
	else if (one->place == AT_END)
		at = end - part;
	else if (one->place == BEFORE_ENDING && dot && dot - name > (ptrdiff_t)part)
		at = dot - part;
	else if (one->place == INSIDE)
		at = strstr(name + 1, one->from);
	if (!at || memcmp(at, one->from, part) != 0)
		return NULL;
	return g_strdup_printf("%.*s%s%s", (int)(at - name), name, one->to, at + part);
}

/* Counts the files of one directory to which the substitution applies. */
static void mirror_apply(
        const DustRule *one, const MirrorTree *tree, uint32_t dir, MirrorRule *rule, GArray *pairs)
{
	const MirrorEntry *entry = mirror_entry(tree, dir);
	for (uint32_t i = 0; i < entry->children; i++) {
		uint32_t file = tree->order[entry->first + i];
		g_autofree char *name = mirror_counts(mirror_entry(tree, file))
		                                ? original_name(one, mirror_name(tree, file))
		                                : NULL;
		if (!name)
			continue;
		const MirrorPair pair = {mirror_child(tree, dir, name), file};
		rule->files++;
		if (pair.from == MIRROR_NONE || !mirror_counts(mirror_entry(tree, pair.from)))
			continue;
		if (mirror_entry(tree, pair.from)->size == mirror_entry(tree, file)->size)
			g_array_append_val(pairs, pair);
		else
			rule->refuted++;
	}
}

/* Returns a pattern of gitignore(5) for names with the part at its place. The caller owns it. */
static char *pattern_of(MarkPlace place, const char *part)
{
	static const char *const before[N_POSITIONS] = {"", "*", "*", "*"};
	static const char *const behind[N_POSITIONS] = {"*", "", ".*", "*"};
	GString *pattern = g_string_new(before[place]);
	if (!*part)
		g_string_assign(pattern, place == BEFORE_ENDING ? "*" : "");
	for (const char *c = part; *c; c++) {
		if (strchr("*?[]\\ ", *c) || (c == part && strchr("!#", *c)))
			g_string_append_c(pattern, '\\');
		g_string_append_c(pattern, *c);
	}
	g_string_append(pattern, *part || place == BEFORE_ENDING ? behind[place] : "*");
	return g_string_free(pattern, FALSE);
}

static void mirror_names_add_rule(MirrorFinder *finder, const DustRule *one)
{
	g_autoptr(GArray) pairs = g_array_new(FALSE, FALSE, sizeof(MirrorPair));
	MirrorRule *rule = g_new0(MirrorRule, 1);
	rule->names = true;
	rule->from = pattern_of(one->place, one->to);
	rule->to = pattern_of(one->place, one->from);
	/* All directories are counted: the pattern holds everywhere. */
	for (uint32_t i = 0; i < finder->tree->entries->len; i++) {
		if (!mirror_entry(finder->tree, i)->dir)
			continue;
		g_autofree char *path = finder->options->dir ? mirror_path(finder->tree, i) : NULL;
		if (!path || paths_is_below(path, finder->options->dir))
			mirror_apply(one, finder->tree, i, rule, pairs);
	}
	mirror_rule_count(rule, finder->tree, pairs);
	if (rule->support < MIRROR_SUPPORT || rule->support < least_share * rule->files ||
	        rule->support < least_share * (rule->support + rule->refuted)) {
		mirror_rule_free(rule);
		return;
	}
	g_ptr_array_add(finder->rules, rule);
	g_ptr_array_add(finder->pairs, g_steal_pointer(&pairs));
}

void mirror_find_names(MirrorFinder *finder)
{
	enum { MAX_TRIED = 64 };
	g_autoptr(GPtrArray) list = mirror_names_supported(finder->tree);
	for (guint i = 0; i < list->len && i < MAX_TRIED; i++)
		mirror_names_add_rule(finder, list->pdata[i]);
}
