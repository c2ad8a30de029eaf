/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mirror-dirs.c - directories that mirror each other
 *
 * Two files with the same name and size point to a pair of directories: those from which on the
 * rest of their paths is the same. A pair that many files point to is a candidate. Its directories
 * are compared name by name. The rule is the widest pair where seven tenths of the files on the
 * smaller side have a twin on the other. */
#include <config.h>
#include "index/copies/mirror-tree.h"
#include "common/base/paths.h"
#include <stdlib.h>
#include <string.h>

enum {
	ALL_PAIRS = 8, /* of a larger set of files with one name and size, only neighbours are
	                  compared */
};
/* The least share of files of the smaller side that have a twin, and, of the files on both sides,
 * of those that have the same size. */
static const double least_covered = .7, least_equal = .5;

typedef struct {
	uint32_t a, b;
	uint32_t support;
} MirrorCandidate;

typedef struct {
	MirrorFinder *finder;
	const MirrorTree *tree;
	GHashTable *origins; /* directory that a rule leaves out -> the directory it mirrors */
} MirrorSearch;

/* The result of comparing two directories. */
typedef struct {
	GArray *pairs; /* of MirrorPair: from is in a, to is in b */
	uint64_t refuted;
} Twins;

/* ---- candidates */

static int mirror_compare_files(const void *a, const void *b, void *data)
{
	const MirrorTree *tree = data;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	int64_t left = mirror_entry(tree, x)->size, right = mirror_entry(tree, y)->size;
	if (left != right)
		return left < right ? -1 : 1;
	int order = strcmp(mirror_name(tree, x), mirror_name(tree, y));
	return order ? order : (x > y) - (x < y);
}

static GArray *files_by_name(const MirrorTree *tree)
{
	GArray *files = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	for (uint32_t i = 0; i < tree->entries->len; i++)
		if (mirror_counts(mirror_entry(tree, i)) &&
		        mirror_entry(tree, i)->parent != MIRROR_NONE)
			g_array_append_val(files, i);
	g_array_sort_with_data(files, mirror_compare_files, (gpointer)tree);
	return files;
}

static bool same_name_and_size(const MirrorTree *tree, uint32_t a, uint32_t b)
{
	return mirror_entry(tree, a)->size == mirror_entry(tree, b)->size &&
	       strcmp(mirror_name(tree, a), mirror_name(tree, b)) == 0;
}

/* Climbs from both files as long as the names are the same. */
static void mirror_point(
        const MirrorTree *tree, uint32_t file, uint32_t other, GHashTable *candidates)
{
	uint32_t a = mirror_entry(tree, file)->parent, b = mirror_entry(tree, other)->parent;
	for (unsigned level = 0; level < MIRROR_LEVELS; level++) {
		uint32_t above = mirror_entry(tree, a)->parent,
		         beyond = mirror_entry(tree, b)->parent;
		if (above == MIRROR_NONE || beyond == MIRROR_NONE || above == beyond ||
		        strcmp(mirror_name(tree, a), mirror_name(tree, b)) != 0)
			break;
		a = above;
		b = beyond;
	}
	if (a == b)
		return;
	const MirrorCandidate wanted = {MIN(a, b), MAX(a, b), 0};
	uint64_t key = (uint64_t)wanted.a << 32 | wanted.b;
	MirrorCandidate *known = g_hash_table_lookup(candidates, &key);
	if (!known) {
		known = g_memdup2(&wanted, sizeof wanted);
		g_hash_table_insert(candidates, g_memdup2(&key, sizeof key), known);
	}
	known->support++;
}

static int mirror_compare_candidates(const void *a, const void *b)
{
	const MirrorCandidate *x = a, *y = b;
	if (x->support != y->support)
		return x->support > y->support ? -1 : 1;
	return x->a != y->a ? (x->a < y->a ? -1 : 1) : (x->b > y->b) - (x->b < y->b);
}

static GArray *mirror_dirs_supported(GHashTable *candidates)
{
	GArray *list = g_array_new(FALSE, FALSE, sizeof(MirrorCandidate));
	GHashTableIter iter;
	gpointer candidate;
	g_hash_table_iter_init(&iter, candidates);
	while (g_hash_table_iter_next(&iter, NULL, &candidate))
		if (((MirrorCandidate *)candidate)->support >= MIRROR_SUPPORT)
			g_array_append_vals(list, candidate, 1);
	g_array_sort(list, mirror_compare_candidates);
	return list;
}

static GArray *mirror_find_candidates(const MirrorTree *tree)
{
	g_autoptr(GHashTable) candidates =
	        g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
	g_autoptr(GArray) list = files_by_name(tree);
	const uint32_t *files = (const uint32_t *)(void *)list->data;
	for (guint i = 0, end; i < list->len; i = end) {
		for (end = i + 1;
		        end < list->len && same_name_and_size(tree, files[i], files[end]);)
			end++;
		guint reach = end - i <= ALL_PAIRS ? ALL_PAIRS : 1;
		for (guint k = i; k < end; k++)
			for (guint m = k + 1; m < end && m - k <= reach; m++)
				mirror_point(tree, files[k], files[m], candidates);
	}
	return mirror_dirs_supported(candidates);
}

/* ---- comparing two directories */

static void mirror_dirs_compare_entries(
        Twins *twins, const MirrorTree *tree, uint32_t a, uint32_t b)
{
	const MirrorEntry *x = mirror_entry(tree, a), *y = mirror_entry(tree, b);
	const MirrorPair pair = {a, b};
	if (!mirror_counts(x) || !mirror_counts(y))
		return;
	if (x->size == y->size)
		g_array_append_val(twins->pairs, pair);
	else
		twins->refuted++;
}

/* Merges the two lists of children, both in the order of names. common receives the pairs of
 * directories. */
static void mirror_merge(
        Twins *twins, const MirrorTree *tree, uint32_t a, uint32_t b, GArray *common)
{
	const MirrorEntry *x = mirror_entry(tree, a), *y = mirror_entry(tree, b);
	for (uint32_t i = 0, k = 0; i < x->children && k < y->children;) {
		const MirrorPair pair = {tree->order[x->first + i], tree->order[y->first + k]};
		int order = strcmp(mirror_name(tree, pair.from), mirror_name(tree, pair.to));
		if (order == 0 && mirror_entry(tree, pair.from)->dir &&
		        mirror_entry(tree, pair.to)->dir)
			g_array_append_val(common, pair);
		else if (order == 0 && twins)
			mirror_dirs_compare_entries(twins, tree, pair.from, pair.to);
		i += order <= 0;
		k += order >= 0;
	}
}

static GArray *pairs_new(void)
{
	return g_array_new(FALSE, FALSE, sizeof(MirrorPair));
}

static void compare_dirs(Twins *twins, const MirrorTree *tree, uint32_t a, uint32_t b)
{
	g_autoptr(GArray) dirs = pairs_new();
	const MirrorPair first = {a, b};
	g_array_append_val(dirs, first);
	for (guint i = 0; i < dirs->len && i < tree->entries->len; i++) {
		MirrorPair pair = g_array_index(dirs, MirrorPair, i);
		mirror_merge(twins, tree, pair.from, pair.to, dirs);
	}
}

static bool is_above(const MirrorTree *tree, uint32_t dir, uint32_t below)
{
	for (unsigned level = 0; below != MIRROR_NONE && level < MIRROR_LEVELS; level++) {
		if (below == dir)
			return true;
		below = mirror_entry(tree, below)->parent;
	}
	return false;
}

/* Returns the number of files of a directory, without those of the other one if it is inside. */
static uint32_t own_files(const MirrorTree *tree, uint32_t dir, uint32_t other)
{
	uint32_t files = mirror_entry(tree, dir)->files;
	return files - (is_above(tree, dir, other) ? mirror_entry(tree, other)->files : 0);
}

static uint32_t smaller_side(const MirrorTree *tree, uint32_t a, uint32_t b)
{
	uint32_t left = own_files(tree, a, b), right = own_files(tree, b, a);
	return MIN(left, right);
}

static bool is_mirror(const MirrorSearch *s, uint32_t a, uint32_t b, const Twins *twins)
{
	uint64_t support = twins->pairs->len;
	return support >= MIRROR_SUPPORT &&
	       support >= least_covered * smaller_side(s->tree, a, b) &&
	       support >= least_equal * (support + twins->refuted);
}

/* ---- rules */

/* Follows the rules found so far to the directory that this one mirrors. */
static uint32_t origin_of(const MirrorSearch *s, uint32_t dir)
{
	g_autoptr(GPtrArray) below = g_ptr_array_new();
	for (unsigned level = 0; dir != MIRROR_NONE && level < MIRROR_LEVELS; level++) {
		gpointer origin;
		if (g_hash_table_lookup_extended(
		            s->origins, GUINT_TO_POINTER(dir), NULL, &origin)) {
			dir = GPOINTER_TO_UINT(origin);
			continue;
		}
		uint32_t parent = mirror_entry(s->tree, dir)->parent;
		if (parent == MIRROR_NONE)
			break;
		g_ptr_array_add(below, GUINT_TO_POINTER(dir));
		dir = parent;
	}
	while (below->len > 0 && dir != MIRROR_NONE) {
		uint32_t child = GPOINTER_TO_UINT(g_ptr_array_steal_index(below, below->len - 1));
		dir = mirror_child(s->tree, dir, mirror_name(s->tree, child));
	}
	return dir;
}

static bool follows_from_others(const MirrorSearch *s, uint32_t a, uint32_t b)
{
	uint32_t x = origin_of(s, a), y = origin_of(s, b);
	return x != MIRROR_NONE && x == y;
}

/* Words that people use in the names of backups. */
static bool sounds_like_backup(const char *path)
{
	static const char *const words[] = {"backup", "bak", "copy", "copies", "old", "archive",
	        "mirror", "sicherung", "kopie", "alt", "archiv", "snapshot"};
	g_autofree char *lower = g_ascii_strdown(path, -1);
	g_auto(GStrv) parts = g_strsplit_set(lower, "/ -_.()", -1);
	for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
		if (g_strv_contains((const char *const *)parts, words[i]))
			return true;
	return false;
}

/* Is a the side that may be left out, rather than b? A directory stays if the other one is inside
 * it; then if it alone is a root; then if it has clearly more files; then if only the other name
 * looks like a backup; then if its path is shorter. */
static bool leaves_first(
        const MirrorSearch *s, uint32_t a, uint32_t b, const char *path_a, const char *path_b)
{
	enum { CLEARLY = 20 }; /* clearly more is 1/20 more */
	const MirrorEntry *x = mirror_entry(s->tree, a), *y = mirror_entry(s->tree, b);
	bool root = x->parent == MIRROR_NONE, other_root = y->parent == MIRROR_NONE;
	bool backup = sounds_like_backup(path_a), other_backup = sounds_like_backup(path_b);
	if (is_above(s->tree, a, b) || is_above(s->tree, b, a))
		return is_above(s->tree, b, a);
	if (root != other_root)
		return other_root;
	if (x->files + x->files / CLEARLY < y->files || y->files + y->files / CLEARLY < x->files)
		return x->files < y->files;
	if (backup != other_backup)
		return backup;
	return strlen(path_a) != strlen(path_b) ? strlen(path_a) > strlen(path_b)
	                                        : strcmp(path_a, path_b) > 0;
}

static void mirror_turn(GArray *pairs)
{
	for (guint i = 0; i < pairs->len; i++) {
		MirrorPair *pair = &g_array_index(pairs, MirrorPair, i);
		*pair = (MirrorPair){pair->to, pair->from};
	}
}

/* Takes ownership of the pairs. */
static void mirror_dirs_add_rule(MirrorSearch *s, uint32_t a, uint32_t b, Twins *twins)
{
	MirrorRule *rule = g_new0(MirrorRule, 1);
	GArray *pairs = g_steal_pointer(&twins->pairs);
	rule->from = mirror_path(s->tree, a);
	rule->to = mirror_path(s->tree, b);
	rule->refuted = twins->refuted;
	if (leaves_first(s, a, b, rule->from, rule->to)) {
		char *path = rule->from;
		uint32_t dir = a;
		rule->from = rule->to;
		rule->to = path;
		a = b;
		b = dir;
		mirror_turn(pairs);
	}
	rule->files = mirror_entry(s->tree, b)->files;
	mirror_rule_count(rule, s->tree, pairs);
	g_hash_table_insert(s->origins, GUINT_TO_POINTER(b), GUINT_TO_POINTER(a));
	if (!paths_is_below(rule->from, s->finder->options->dir) ||
	        !paths_is_below(rule->to, s->finder->options->dir)) {
		mirror_rule_free(rule);
		g_array_unref(pairs);
		return;
	}
	g_ptr_array_add(s->finder->rules, rule);
	g_ptr_array_add(s->finder->pairs, pairs);
}

/* Finds the one pair of subdirectories that contains all twins. False: there is none. */
static bool find_only(
        const MirrorTree *tree, const MirrorPair *pair, guint support, MirrorPair *only_r)
{
	g_autoptr(GArray) dirs = pairs_new();
	mirror_merge(NULL, tree, pair->from, pair->to, dirs);
	for (guint i = 0; i < dirs->len; i++) {
		Twins twins = {pairs_new(), 0};
		*only_r = g_array_index(dirs, MirrorPair, i);
		compare_dirs(&twins, tree, only_r->from, only_r->to);
		guint inside = twins.pairs->len;
		g_array_unref(twins.pairs);
		if (inside == support)
			return true;
	}
	return false;
}

/* Narrows a pair where one directory is inside the other as long as a single pair of subdirectories
 * contains all twins: that pair tells more. */
static MirrorPair mirror_narrowed(const MirrorTree *tree, MirrorPair pair, guint support)
{
	MirrorPair only;
	while ((is_above(tree, pair.from, pair.to) || is_above(tree, pair.to, pair.from)) &&
	        find_only(tree, &pair, support, &only))
		pair = only;
	return pair;
}

/* True if the pair is a rule, or if there is nothing to look for below it. */
static bool try_pair(MirrorSearch *s, MirrorPair pair)
{
	if (pair.from == pair.to || smaller_side(s->tree, pair.from, pair.to) < MIRROR_SUPPORT ||
	        follows_from_others(s, pair.from, pair.to))
		return true;
	Twins twins = {pairs_new(), 0};
	compare_dirs(&twins, s->tree, pair.from, pair.to);
	pair = mirror_narrowed(s->tree, pair, twins.pairs->len);
	bool mirror = is_mirror(s, pair.from, pair.to, &twins);
	if (mirror)
		mirror_dirs_add_rule(s, pair.from, pair.to, &twins);
	g_clear_pointer(&twins.pairs, g_array_unref);
	return mirror;
}

/* Tries the two directories, or else the subdirectories they have in common. */
static void try_dirs(MirrorSearch *s, uint32_t a, uint32_t b)
{
	g_autoptr(GArray) dirs = pairs_new();
	const MirrorPair first = {a, b};
	g_array_append_val(dirs, first);
	for (guint i = 0; i < dirs->len && i < s->tree->entries->len; i++) {
		MirrorPair pair = g_array_index(dirs, MirrorPair, i);
		if (!try_pair(s, pair))
			mirror_merge(NULL, s->tree, pair.from, pair.to, dirs);
	}
}

void mirror_find_trees(MirrorFinder *finder)
{
	g_autoptr(GHashTable) origins = g_hash_table_new(NULL, NULL);
	g_autoptr(GArray) candidates = mirror_find_candidates(finder->tree);
	MirrorSearch s = {finder, finder->tree, origins};
	for (guint i = 0; i < candidates->len; i++) {
		const MirrorCandidate *candidate = &g_array_index(candidates, MirrorCandidate, i);
		try_dirs(&s, candidate->a, candidate->b);
	}
}
