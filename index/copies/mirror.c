/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/copies/mirror.h"
#include "index/copies/mirror-tree.h"
#include "index/read/access.h"
#include <math.h>
#include <string.h>

/* The progress when the tree is read, and when the rules are found. */
static const double read_part = .4, found_part = .7;
/* A rule is confirmed if the share of equal pairs is at least this, with 95 % confidence. */
static const double least_precision = .8;

static const char info_sql[] =
        "SELECT " INFO_COLUMNS "FROM node n CROSS JOIN inode i ON i.id = n.inode "
        "LEFT JOIN content c ON c.id = i.content LEFT JOIN document d ON d.id = 0 "
        "LEFT JOIN fact f ON f.document = 0 WHERE n.id = ?1";

static void mirror_tell(const MirrorOptions *options, double part)
{
	if (options->progress)
		options->progress(part, options->progress_data);
}

/* *info_r NULL: the file is deleted, changed, unreadable or not yet indexed. */
static bool read_valid(Reader *r, int64_t node, uint32_t uid, Info **info_r, GError **error)
{
	bool stale = true;
	sqlite3_stmt *statement = reader_statement(r, info_sql, error);
	*info_r = NULL;
	if (!statement)
		return false;
	sqlite3_bind_int64(statement, 1, node);
	int row = reader_step(r, statement, error);
	if (row > 0)
		*info_r = reader_info_of_row(r, statement, NULL);
	sqlite3_reset(statement);
	if (*info_r && (!(*info_r)->has_checksum || (*info_r)->inode_state == INODE_PENDING ||
	                       access_check((*info_r)->path, &(*info_r)->stat, uid, &stale) !=
	                               ENTRY_SEEN ||
	                       stale))
		g_clear_pointer(info_r, info_free);
	return row >= 0;
}

static bool sample_pair(Reader *r, const MirrorFinder *finder, const MirrorPair *pair,
        MirrorRule *rule, GError **error)
{
	g_autoptr(Info) from = NULL;
	g_autoptr(Info) to = NULL;
	uint32_t uid = finder->options->uid;
	if (!read_valid(r, mirror_entry(finder->tree, pair->from)->node, uid, &from, error) ||
	        (from && !read_valid(
	                         r, mirror_entry(finder->tree, pair->to)->node, uid, &to, error)))
		return false;
	if (!from || !to)
		return true;
	rule->sampled++;
	rule->equal += memcmp(from->checksum, to->checksum, CHECKSUM_BYTES) == 0;
	return true;
}

/* Samples pairs at even distances. They are in the order in which they were found, which is that of
 * the paths. */
static bool mirror_sample(Reader *r, const MirrorFinder *finder, guint which, GError **error)
{
	const GArray *pairs = finder->pairs->pdata[which];
	guint n = MIN(pairs->len, MIRROR_SAMPLE);
	for (guint i = 0; i < n; i++) {
		guint at = (guint)((uint64_t)i * pairs->len / n);
		if (!sample_pair(r, finder, &g_array_index(pairs, MirrorPair, at),
		            finder->rules->pdata[which], error))
			return false;
	}
	return true;
}

/* The lower end of Wilson's interval for a share, one-sided with 95 % confidence. */
static double lower_share(unsigned equal, unsigned n)
{
	static const double z = 1.645;
	double share = (double)equal / n, z2 = z * z;
	double middle = share + z2 / (2 * n);
	return (middle - z * sqrt(share * (1 - share) / n + z2 / (4. * n * n))) / (1 + z2 / n);
}

static bool is_confirmed(const MirrorRule *rule)
{
	return rule->sampled > 0 && lower_share(rule->equal, rule->sampled) >= least_precision;
}

static bool mirror_confirm(Reader *r, MirrorFinder *finder, GError **error)
{
	guint all = finder->rules->len;
	for (guint i = all; i-- > 0;) {
		if (!mirror_sample(r, finder, i, error))
			return false;
		if (!is_confirmed(finder->rules->pdata[i])) {
			g_ptr_array_remove_index(finder->rules, i);
			g_ptr_array_remove_index(finder->pairs, i);
		}
		mirror_tell(finder->options, found_part + (1 - found_part) * (all - i) / all);
	}
	return true;
}

static int compare_rules(const void *a, const void *b)
{
	const MirrorRule *x = *(MirrorRule *const *)a, *y = *(MirrorRule *const *)b;
	if (x->bytes != y->bytes)
		return x->bytes > y->bytes ? -1 : 1;
	if (x->support != y->support)
		return x->support > y->support ? -1 : 1;
	return strcmp(x->to, y->to);
}

bool reader_mirror_rules(
        Reader *r, const MirrorOptions *options, GPtrArray **rules_r, GError **error)
{
	g_autoptr(GPtrArray) rules =
	        g_ptr_array_new_with_free_func((GDestroyNotify)mirror_rule_free);
	g_autoptr(GPtrArray) pairs = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
	*rules_r = NULL;
	if (!reader_begin(r, 0, error))
		return false;
	mirror_tell(options, 0);
	g_autoptr(MirrorTree) tree = mirror_tree_read(r, error);
	bool ok = tree != NULL;
	if (ok) {
		MirrorFinder finder = {tree, options, rules, pairs};
		mirror_tell(options, read_part);
		mirror_find_trees(&finder);
		mirror_find_names(&finder);
		mirror_tell(options, found_part);
		ok = mirror_confirm(r, &finder, error);
	}
	reader_end(r);
	if (!ok)
		return false;
	g_ptr_array_sort(rules, compare_rules);
	*rules_r = g_steal_pointer(&rules);
	return true;
}
