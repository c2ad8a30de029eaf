/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mirror-names.c - name patterns of copies beside the original: "report (1).pdf", "notes.txt~",
 * "Copy of plan.odt"
 *
 * Two files of one directory with the same size and names that differ in one part suggest a
 * substitution. It is tried on all names of all directories. A part that occurs in many
 * substitutions (such as the numbers of a series) is dropped. */
#include <config.h>
#include "index/copies/mirror-tree.h"
#include "common/base/paths.h"
#include <stdlib.h>
#include <string.h>

enum {
	MAX_PART = 24, /* bytes of the replaced part */
	MAX_RUN = 8, /* if a directory has more files of one size, they tell nothing */
	MANY_RULES = 4,
	MIN_MIDDLE = 3 /* bytes of a part inside a name; shorter ones are everywhere */
};
static const double least_share = .5;

/* Where the part is in the name. */
typedef enum { AT_START, AT_END, BEFORE_ENDING, INSIDE, N_POSITIONS } MarkPlace;

typedef struct {
	MarkPlace place;
	char *old, *new;
	unsigned support;
} Substitution;

static void substitution_free(gpointer data)
{
	Substitution *one = data;
	g_free(one->old);
	g_free(one->new);
	g_free(one);
}

/* ---- what two names differ in */

typedef struct {
	size_t start, old_end, new_end;
} Difference;

static bool in_number(const char *name, size_t at, size_t end)
{
	return at < end && g_ascii_isdigit(name[at]);
}

/* The difference has whole characters and whole numbers. */
static Difference mirror_difference(const char *a, const char *b)
{
	size_t n = strlen(a), m = strlen(b), start = 0, same = 0;
	while (start < MIN(n, m) && a[start] == b[start])
		start++;
	while (same < MIN(n, m) - start && a[n - 1 - same] == b[m - 1 - same])
		same++;
	while (start > 0 &&
	        (((uint8_t)a[start] & 0xc0) == 0x80 || ((uint8_t)b[start] & 0xc0) == 0x80))
		start--;
	while (same > 0 && ((uint8_t)a[n - same] & 0xc0) == 0x80)
		same--;
	while (start > 0 && g_ascii_isdigit(a[start - 1]) &&
	        (in_number(a, start, n - same) || in_number(b, start, m - same)))
		start--;
	while (same > 0 && g_ascii_isdigit(a[n - same]) &&
	        (in_number(a, n - same - 1, n - same) || in_number(b, m - same - 1, m - same)))
		same--;
	return (Difference){start, n - same, m - same};
}

static MarkPlace mirror_place_of(const char *name, const Difference *d)
{
	const char *rest = name + d->new_end;
	if (d->start == 0)
		return AT_START;
	if (*rest == '\0')
		return AT_END;
	return *rest == '.' && !strchr(rest + 1, '.') ? BEFORE_ENDING : INSIDE;
}

/* Two numbers of a series name no copies. */
static bool is_number(const char *part)
{
	return *part && part[strspn(part, "0123456789")] == '\0';
}

static void mirror_note(GHashTable *all, const char *old_name, const char *new_name)
{
	Difference d = mirror_difference(old_name, new_name);
	MarkPlace place = mirror_place_of(new_name, &d);
	size_t old_length = d.old_end - d.start, new_length = d.new_end - d.start;
	if (new_length == 0 || new_length > MAX_PART || old_length > MAX_PART ||
	        d.start + strlen(new_name + d.new_end) == 0 ||
	        (place == INSIDE && new_length < MIN_MIDDLE))
		return;
	g_autofree char *old = g_strndup(old_name + d.start, old_length);
	g_autofree char *new = g_strndup(new_name + d.start, new_length);
	if (is_number(old) && is_number(new))
		return;
	g_autofree char *key =
	        g_strdup_printf("%d/%s/%s", place, old, new); /* a slash is a safe separator: no
	                                                         name contains one */
	Substitution *known = g_hash_table_lookup(all, key);
	if (!known) {
		known = g_new0(Substitution, 1);
		*known = (Substitution){place, g_steal_pointer(&old), g_steal_pointer(&new), 0};
		g_hash_table_insert(all, g_steal_pointer(&key), known);
	}
	known->support++;
}

/* ---- candidates */

static int compare_sizes(const void *a, const void *b, void *data)
{
	const MirrorTree *tree = data;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	int64_t left = mirror_entry(tree, x)->size, right = mirror_entry(tree, y)->size;
	if (left != right)
		return left < right ? -1 : 1;
	size_t n = strlen(mirror_name(tree, x)), m = strlen(mirror_name(tree, y));
	return n != m ? (n < m ? -1 : 1) : strcmp(mirror_name(tree, x), mirror_name(tree, y));
}

static void note_dir(GHashTable *all, const MirrorTree *tree, uint32_t dir, GArray *files)
{
	const MirrorEntry *entry = mirror_entry(tree, dir);
	g_array_set_size(files, 0);
	for (uint32_t i = 0; i < entry->children; i++)
		if (mirror_counts(mirror_entry(tree, tree->order[entry->first + i])))
			g_array_append_val(files, tree->order[entry->first + i]);
	g_array_sort_with_data(files, compare_sizes, (gpointer)tree);
	const uint32_t *list = (const uint32_t *)(void *)files->data;
	for (guint i = 0, end; i < files->len; i = end) {
		int64_t size = mirror_entry(tree, list[i])->size;
		for (end = i + 1; end < files->len && mirror_entry(tree, list[end])->size == size;)
			end++;
		for (guint k = i; k < end && end - i <= MAX_RUN; k++)
			for (guint m = k + 1; m < end; m++)
				mirror_note(all, mirror_name(tree, list[k]),
				        mirror_name(tree, list[m]));
	}
}

static void count_part(GHashTable *parts, const char *part)
{
	guint n = GPOINTER_TO_UINT(g_hash_table_lookup(parts, part));
	if (*part)
		g_hash_table_insert(parts, (gpointer)part, GUINT_TO_POINTER(n + 1));
}

static bool is_in_many(GHashTable *parts, const char *part)
{
	return GPOINTER_TO_UINT(g_hash_table_lookup(parts, part)) > MANY_RULES;
}

static int compare_substitutions(const void *a, const void *b)
{
	const Substitution *x = *(Substitution *const *)a, *y = *(Substitution *const *)b;
	if (x->support != y->support)
		return x->support > y->support ? -1 : 1;
	int order = strcmp(x->new, y->new);
	return order ? order : strcmp(x->old, y->old);
}

/* The elements belong to all. */
static GPtrArray *mirror_names_supported(GHashTable *all)
{
	g_autoptr(GHashTable) parts = g_hash_table_new(g_str_hash, g_str_equal);
	GPtrArray *list = g_ptr_array_new();
	GHashTableIter iter;
	gpointer value;
	g_hash_table_iter_init(&iter, all);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		Substitution *one = value;
		if (one->support < MIRROR_SUPPORT)
			continue;
		g_ptr_array_add(list, one);
		count_part(parts, one->old);
		count_part(parts, one->new);
	}
	for (guint i = list->len; i-- > 0;) {
		const Substitution *one = list->pdata[i];
		if (is_in_many(parts, one->old) || is_in_many(parts, one->new))
			g_ptr_array_remove_index(list, i);
	}
	g_ptr_array_sort(list, compare_substitutions);
	return list;
}

/* ---- rules */

/* Returns the name without the substitution, or NULL if the name does not have it. The caller owns
 * it. */
static char *original_name(const Substitution *one, const char *name)
{
	size_t length = strlen(name), part = strlen(one->new);
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
		at = strstr(name + 1, one->new);
	if (!at || memcmp(at, one->new, part) != 0)
		return NULL;
	return g_strdup_printf("%.*s%s%s", (int)(at - name), name, one->old, at + part);
}

/* Counts the files of one directory to which the substitution applies. */
static void mirror_apply(const Substitution *one, const MirrorTree *tree, uint32_t dir,
        MirrorRule *rule, GArray *pairs)
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

static void mirror_names_add_rule(MirrorFinder *finder, const Substitution *one)
{
	g_autoptr(GArray) pairs = g_array_new(FALSE, FALSE, sizeof(MirrorPair));
	MirrorRule *rule = g_new0(MirrorRule, 1);
	rule->names = true;
	rule->from = pattern_of(one->place, one->old);
	rule->to = pattern_of(one->place, one->new);
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
	g_autoptr(GHashTable) all =
	        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, substitution_free);
	g_autoptr(GArray) files = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	for (uint32_t i = 0; i < finder->tree->entries->len; i++)
		if (mirror_entry(finder->tree, i)->dir)
			note_dir(all, finder->tree, i, files);
	g_autoptr(GPtrArray) list = mirror_names_supported(all);
	for (guint i = 0; i < list->len && i < MAX_TRIED; i++)
		mirror_names_add_rule(finder, list->pdata[i]);
}
