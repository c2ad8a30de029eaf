/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/dups.h"
#include "index/fingerprint.h"
#include "index/near.h"
#include "index/reader-private.h"
#include "index/search-check.h"
#include <string.h>

/* Contents of files with at least two inodes or, for near copies, with a text; ascending ids. */
static const char exact_sql[] =
        "SELECT i.content FROM inode i CROSS JOIN content c ON c.id = i.content "
        "WHERE i.content IS NOT NULL AND c.size > 0 AND i.state <> 3 "
        "GROUP BY i.content HAVING count(*) > 1";
static const char near_sql[] =
        "SELECT d.content, f.simhash FROM fact f "
        "CROSS JOIN document d ON d.id = f.document "
        "WHERE f.simhash IS NOT NULL AND f.member IS NULL AND d.content > 0 ORDER BY d.content";
static const char files_sql[] =
        "SELECT " INFO_COLUMNS "FROM inode i0 CROSS JOIN node n ON n.inode = i0.id " INFO_JOINS
        "WHERE i0.content = ?1 AND f.member IS NULL AND i.state <> 3 ORDER BY i.id, n.id";

typedef struct {
	Reader *r;
	const DupOptions *options;
	GPtrArray *groups; /* DupGroup */
} Finder;

static void group_free(gpointer data)
{
	DupGroup *group = data;
	g_ptr_array_unref(group->files);
	g_free(group);
}

/* ---- files of a content */

static bool is_below(const char *path, const char *dir)
{
	size_t length = dir ? strlen(dir) : 0;
	return !dir ||
	       (strncmp(path, dir, length) == 0 && (path[length] == '\0' || path[length] == '/' ||
	                                                   (length > 0 && dir[length - 1] == '/')));
}

static bool is_wanted(const Finder *finder, const Info *info, const GPtrArray *files)
{
	bool stale;
	const Info *last = files->len > 0 ? files->pdata[files->len - 1] : NULL;
	if (last && last->inode == info->inode) /* another name of the same bytes on disk */
		return false;
	return is_below(info->path, finder->options->dir) &&
	       search_check(info->path, &info->stat, finder->options->uid, &stale) == ENTRY_SEEN &&
	       !stale;
}

static bool append_files(Finder *finder, int64_t content, GPtrArray *files, GError **error)
{
	sqlite3_stmt *statement = reader_statement(finder->r, files_sql, error);
	int row = statement ? 1 : -1;
	if (statement)
		sqlite3_bind_int64(statement, 1, content);
	while (row > 0 && (row = reader_step(finder->r, statement, error)) > 0) {
		Info *info = reader_info_of_row(finder->r, statement, NULL);
		if (info && is_wanted(finder, info, files))
			g_ptr_array_add(files, info);
		else if (info)
			info_free(info);
	}
	return row == 0;
}

static int compare_files(const void *a, const void *b)
{
	const Info *x = *(Info *const *)a, *y = *(Info *const *)b;
	if (x->stat.mtime_ns != y->stat.mtime_ns)
		return x->stat.mtime_ns > y->stat.mtime_ns ? -1 : 1;
	return strcmp(x->path, y->path);
}

static uint64_t reclaimable(const GPtrArray *files)
{
	uint64_t sum = 0, largest = 0;
	for (guint i = 0; i < files->len; i++) {
		uint64_t size = ((const Info *)files->pdata[i])->stat.size;
		sum += size;
		largest = MAX(largest, size);
	}
	return sum - largest;
}

static unsigned distance(const GPtrArray *files)
{
	const Info *first = files->pdata[0];
	unsigned most = 0;
	for (guint i = 1; i < files->len; i++) {
		const Info *other = files->pdata[i];
		most = MAX(most, (unsigned)__builtin_popcountll(first->simhash ^ other->simhash));
	}
	return most;
}

/* Takes files. */
static void add_group(Finder *finder, GPtrArray *files, bool exact)
{
	if (files->len < 2) {
		g_ptr_array_unref(files);
		return;
	}
	DupGroup *group = g_new0(DupGroup, 1);
	g_ptr_array_sort(files, compare_files);
	*group = (DupGroup){exact, exact ? 0 : distance(files), files, reclaimable(files)};
	g_ptr_array_add(finder->groups, group);
}

static GPtrArray *files_new(void)
{
	return g_ptr_array_new_with_free_func((GDestroyNotify)info_free);
}

/* ---- equal files */

static bool find_exact(Finder *finder, GError **error)
{
	g_autoptr(GArray) contents = g_array_new(FALSE, FALSE, sizeof(int64_t));
	sqlite3_stmt *statement = reader_statement(finder->r, exact_sql, error);
	int row = statement ? 1 : -1;
	while (row > 0 && (row = reader_step(finder->r, statement, error)) > 0) {
		int64_t content = sqlite3_column_int64(statement, 0);
		g_array_append_val(contents, content);
	}
	for (guint i = 0; row == 0 && i < contents->len; i++) {
		GPtrArray *files = files_new();
		if (!append_files(finder, g_array_index(contents, int64_t, i), files, error)) {
			g_ptr_array_unref(files);
			return false;
		}
		add_group(finder, files, true);
	}
	return row == 0;
}

/* ---- near copies */

typedef struct {
	GArray *contents; /* int64_t */
	GArray *hashes; /* uint64_t */
	GArray *groups; /* uint32_t, by near_group() */
} Texts;

static void texts_clear(Texts *texts)
{
	g_array_unref(texts->contents);
	g_array_unref(texts->hashes);
	g_array_unref(texts->groups);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Texts, texts_clear)

static bool read_texts(Finder *finder, Texts *texts, GError **error)
{
	sqlite3_stmt *statement = reader_statement(finder->r, near_sql, error);
	int row = statement ? 1 : -1;
	while (row > 0 && (row = reader_step(finder->r, statement, error)) > 0) {
		int64_t content = sqlite3_column_int64(statement, 0);
		uint64_t hash = sqlite3_column_int64(statement, 1);
		g_array_append_val(texts->contents, content);
		g_array_append_val(texts->hashes, hash);
	}
	g_array_set_size(texts->groups, texts->hashes->len);
	return row == 0;
}

/* Indexes of texts by their group. */
static GHashTable *members_of_groups(const Texts *texts)
{
	GHashTable *members =
	        g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_array_unref);
	for (guint i = 0; i < texts->groups->len; i++) {
		uint32_t group = g_array_index(texts->groups, uint32_t, i);
		GArray *list = g_hash_table_lookup(members, GUINT_TO_POINTER(group));
		if (!list) {
			list = g_array_new(FALSE, FALSE, sizeof(guint));
			g_hash_table_insert(members, GUINT_TO_POINTER(group), list);
		}
		g_array_append_val(list, i);
	}
	return members;
}

static uint64_t hash_of(const Texts *texts, guint i)
{
	return g_array_index(texts->hashes, uint64_t, i);
}

static bool is_near(const Texts *texts, guint a, guint b)
{
	return __builtin_popcountll(hash_of(texts, a) ^ hash_of(texts, b)) <= DUPS_BITS;
}

/* Of texts that are linked pair by pair, the one that most are near to. At most CENTRES are tried.
 */
static guint centre_of(const Texts *texts, const GArray *list)
{
	enum { CENTRES = 64 };
	guint best = 0, most = 0;
	for (guint i = 0; i < MIN(list->len, CENTRES); i++) {
		guint near = 0;
		for (guint k = 0; k < list->len; k++)
			near += is_near(texts, g_array_index(list, guint, i),
			        g_array_index(list, guint, k));
		if (near > most) {
			most = near;
			best = i;
		}
	}
	return g_array_index(list, guint, best);
}

/* What is near a centre leaves the list and makes a group: links alone would chain one text to
 * quite another. */
static bool take_group(Finder *finder, const Texts *texts, GArray *list, GError **error)
{
	guint centre = centre_of(texts, list), kept = 0;
	GPtrArray *files = files_new();
	bool ok = true;
	for (guint i = 0; i < list->len; i++) {
		guint text = g_array_index(list, guint, i);
		if (is_near(texts, centre, text))
			ok = ok &&
			     append_files(finder, g_array_index(texts->contents, int64_t, text),
			             files, error);
		else
			g_array_index(list, guint, kept++) = text;
	}
	g_array_set_size(list, kept);
	if (ok)
		add_group(finder, files, false);
	else
		g_ptr_array_unref(files);
	return ok;
}

static bool find_near(Finder *finder, GError **error)
{
	g_auto(Texts) texts = {g_array_new(FALSE, FALSE, sizeof(int64_t)),
	        g_array_new(FALSE, FALSE, sizeof(uint64_t)),
	        g_array_new(FALSE, FALSE, sizeof(uint32_t))};
	if (!read_texts(finder, &texts, error))
		return false;
	near_group((const uint64_t *)(void *)texts.hashes->data, texts.hashes->len, DUPS_BITS,
	        (uint32_t *)(void *)texts.groups->data);
	g_autoptr(GHashTable) members = members_of_groups(&texts);
	GHashTableIter iter;
	gpointer list;
	g_hash_table_iter_init(&iter, members);
	while (g_hash_table_iter_next(&iter, NULL, &list))
		while (((GArray *)list)->len > 1)
			if (!take_group(finder, &texts, list, error))
				return false;
	return true;
}

/* ---- */

static int compare_groups(const void *a, const void *b)
{
	const DupGroup *x = *(DupGroup *const *)a, *y = *(DupGroup *const *)b;
	if (x->bytes_reclaimable != y->bytes_reclaimable)
		return x->bytes_reclaimable > y->bytes_reclaimable ? -1 : 1;
	return strcmp(
	        ((const Info *)x->files->pdata[0])->path, ((const Info *)y->files->pdata[0])->path);
}

bool reader_dups(Reader *r, const DupOptions *options, DupFunc f, void *data, GError **error)
{
	g_autoptr(GPtrArray) groups = g_ptr_array_new_with_free_func(group_free);
	Finder finder = {r, options, groups};
	if (!reader_begin(r, 0, error))
		return false;
	bool ok = (!options->exact || find_exact(&finder, error)) &&
	          (!options->near || find_near(&finder, error));
	reader_end(r);
	g_ptr_array_sort(groups, compare_groups);
	for (guint i = 0; ok && i < groups->len; i++)
		if (!f(groups->pdata[i], data))
			break;
	return ok;
}
