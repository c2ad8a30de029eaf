/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/copies/dups.h"
#include "common/base/paths.h"
#include "index/copies/dup-bytes.h"
#include "index/copies/dups-texts.h"
#include "index/read/access.h"
#include "index/store/states.h"
#include <string.h>

/* Contents with two or more inodes. */
static const char exact_sql[] =
        "SELECT i.content FROM inode i CROSS JOIN content c ON c.id = i.content "
        "WHERE i.content IS NOT NULL AND c.size > 0 AND i.state <> " SQL_INODE_ORPHAN " "
        "GROUP BY i.content HAVING count(*) > 1";
static const char files_sql[] =
        "SELECT " INFO_COLUMNS "FROM inode i CROSS JOIN node n ON n.inode = i.id "
        "LEFT JOIN content c ON c.id = i.content LEFT JOIN document d ON d.id = 0 "
        "LEFT JOIN fact f ON f.document = 0 "
        "WHERE i.content = ?1 AND i.state <> " SQL_INODE_ORPHAN " ORDER BY i.id, n.id";

/* The progress when all texts are read and compared; the rest is checking the files. */
static const double compared = .6;

typedef struct {
	Reader *r;
	const DupOptions *options;
	GPtrArray *groups; /* DupGroup */
	GPtrArray *equal; /* DupGroup: files that are equal as the index says, not compared yet */
	GHashTable *taken; /* of int64_t: contents in groups of texts; the table owns its keys */
	int64_t inode; /* of the last file that was checked */
	uint64_t looked, files; /* files that were checked, and their total (some are checked
	                           twice) */
} Finder;

static void clear_file(gpointer data)
{
	g_free(((DupFile *)data)->path);
}

static GArray *files_new(void)
{
	GArray *files = g_array_new(FALSE, FALSE, sizeof(DupFile));
	g_array_set_clear_func(files, clear_file);
	return files;
}

static void group_free(gpointer data)
{
	DupGroup *group = data;
	g_array_unref(group->files);
	g_free(group);
}

static void dups_tell(const Finder *finder, double part)
{
	if (finder->options->progress)
		finder->options->progress(part, finder->options->progress_data);
}

/* Progress counts files, not groups, because all files may be in one group. */
static void tell_looked(Finder *finder)
{
	enum { EVERY = 1024 };
	double from = finder->options->near ? compared : 0;
	if (++finder->looked % EVERY == 0)
		dups_tell(finder, from + (1 - from) * MIN(1., (double)finder->looked /
		                                                      MAX(finder->files, 1)));
}

/* ---- files of a content */

/* Another name of the same inode is not a copy. */
static bool dups_is_wanted(Finder *finder, const Info *info)
{
	bool stale;
	if (info->inode == finder->inode ||
	        access_check(info->path, &info->stat, finder->options->uid, &stale) != ENTRY_SEEN ||
	        stale)
		return false;
	finder->inode = info->inode;
	return true;
}

static bool dups_append_files(
        Finder *finder, int64_t content, uint64_t simhash, GArray *files, GError **error)
{
	sqlite3_stmt *statement = reader_statement(finder->r, files_sql, error);
	int row = statement ? 1 : -1;
	if (statement)
		sqlite3_bind_int64(statement, 1, content);
	finder->inode = 0;
	while (row > 0 && (row = reader_step(finder->r, statement, error)) > 0) {
		g_autoptr(Info) info = reader_info_of_row(finder->r, statement, NULL);
		tell_looked(finder);
		if (!info || !dups_is_wanted(finder, info))
			continue;
		DupFile file = {g_steal_pointer(&info->path), info->stat.size, info->stat.mtime_ns,
		        simhash};
		g_array_append_val(files, file);
	}
	return row == 0;
}

static int dups_compare_files(const void *a, const void *b)
{
	const DupFile *x = a, *y = b;
	if (x->mtime_ns != y->mtime_ns)
		return x->mtime_ns > y->mtime_ns ? -1 : 1;
	return strcmp(x->path, y->path);
}

static bool dups_in_dir(const Finder *finder, const DupFile *file)
{
	return paths_is_below(file->path, finder->options->dir);
}

static bool dups_any_in_dir(const Finder *finder, const GArray *files)
{
	for (guint i = 0; i < files->len; i++)
		if (dups_in_dir(finder, &g_array_index(files, DupFile, i)))
			return true;
	return false;
}

/* Of the files from the first one on: a copy elsewhere lets all files of the directory go;
 * otherwise the largest one stays. */
static uint64_t dups_reclaimable(const Finder *finder, const GArray *files, guint first)
{
	uint64_t sum = 0, largest = 0;
	bool elsewhere = false;
	for (guint i = first; i < files->len; i++) {
		const DupFile *file = &g_array_index(files, DupFile, i);
		bool inside = dups_in_dir(finder, file);
		elsewhere = elsewhere || !inside;
		sum += inside ? file->size : 0;
		largest = MAX(largest, inside ? file->size : 0);
	}
	return elsewhere ? sum : sum - largest;
}

static unsigned dups_distance(const GArray *files)
{
	uint64_t first = g_array_index(files, DupFile, 0).simhash;
	unsigned most = 0;
	for (guint i = 1; i < files->len; i++) {
		uint64_t other = g_array_index(files, DupFile, i).simhash;
		most = MAX(most, (unsigned)__builtin_popcountll(first ^ other));
	}
	return most;
}

/* Takes ownership of files. */
static void add_group(const Finder *finder, GPtrArray *groups, GArray *files, DupKind kind,
        bool within, uint64_t reclaimable)
{
	if (files->len < 2 || !dups_any_in_dir(finder, files)) {
		g_array_unref(files);
		return;
	}
	DupGroup *group = g_new0(DupGroup, 1);
	g_array_sort(files, dups_compare_files);
	*group = (DupGroup){kind, dups_distance(files), files, reclaimable, within};
	g_ptr_array_add(groups, group);
}

/* ---- texts */

static int dups_compare_texts(const void *a, const void *b, void *texts)
{
	uint64_t x = dup_text_checksum(texts, *(const uint32_t *)a),
	         y = dup_text_checksum(texts, *(const uint32_t *)b);
	return (x > y) - (x < y);
}

static bool take_text_group(
        const DupTexts *texts, const uint32_t *members, guint n, void *data, GError **error)
{
	Finder *finder = data;
	GArray *files = files_new();
	uint64_t same_bytes = 0; /* of files whose text another one has */
	guint first = 0; /* the first file with the same text */
	g_autofree uint32_t *sorted = g_memdup2(members, n * sizeof *members);
	g_qsort_with_data(sorted, n, sizeof *sorted, dups_compare_texts, (gpointer)texts);
	bool same = dups_compare_texts(&sorted[0], &sorted[n - 1], (gpointer)texts) == 0;
	for (guint i = 0; i < n; i++) {
		int64_t content = dup_text_content(texts, sorted[i]);
		if (i > 0 && dups_compare_texts(&sorted[i - 1], &sorted[i], (gpointer)texts) != 0) {
			same_bytes += dups_reclaimable(finder, files, first);
			first = files->len;
		}
		if (!dups_append_files(finder, content, dup_text_print(texts, sorted[i])->simhash,
		            files, error)) {
			g_array_unref(files);
			return false;
		}
		g_hash_table_add(finder->taken, g_memdup2(&content, sizeof content));
	}
	same_bytes += dups_reclaimable(finder, files, first);
	add_group(finder, finder->groups, files, same ? DUP_TEXT : DUP_NEAR, false, same_bytes);
	return true;
}

static void tell_comparing(unsigned done, unsigned all, void *data)
{
	dups_tell(data, compared * (done + 1) / (all + 1));
}

static bool find_texts(Finder *finder, GError **error)
{
	g_autoptr(DupTexts) texts = dup_texts_read(finder->r, error);
	if (!texts)
		return false;
	dup_texts_link(texts, tell_comparing, finder);
	return dup_texts_groups(texts, take_text_group, finder, error);
}

/* ---- equal files */

/* Moves the files of a class into an array of their own. */
static GArray *dups_take_class(GArray *files, const GPtrArray *class)
{
	GArray *taken = files_new();
	for (guint i = 0; i < class->len; i++) {
		DupFile *file = &g_array_index(files, DupFile, GPOINTER_TO_UINT(class->pdata[i]));
		g_array_append_val(taken, *file);
		file->path = NULL;
	}
	return taken;
}

static void dups_tell_differ(const Finder *finder, const GPtrArray *paths, const GPtrArray *classes)
{
	const DupOptions *options = finder->options;
	for (guint i = 1; options->differ && i < classes->len; i++) {
		const GPtrArray *before = classes->pdata[i - 1], *class = classes->pdata[i];
		options->differ(paths->pdata[GPOINTER_TO_UINT(before->pdata[0])],
		        paths->pdata[GPOINTER_TO_UINT(class->pdata[0])], options->differ_data);
	}
}

/* Adds a group for each class of files whose bytes are equal, and takes these files from equal. */
static void add_exact(Finder *finder, DupGroup *equal)
{
	g_autoptr(GPtrArray) paths = g_ptr_array_new();
	for (guint i = 0; i < equal->files->len; i++)
		g_ptr_array_add(paths, g_array_index(equal->files, DupFile, i).path);
	g_autoptr(GPtrArray) classes = dup_bytes_classes(finder->r, paths);
	dups_tell_differ(finder, paths, classes);
	for (guint i = 0; i < classes->len; i++) {
		GArray *files = dups_take_class(equal->files, classes->pdata[i]);
		add_group(finder, finder->groups, files, DUP_EXACT, equal->within,
		        dups_reclaimable(finder, files, 0));
	}
}

/* Only notes the groups: to compare the files may take minutes, and as long as a transaction reads,
 * the log of the database grows. */
static bool find_equal(Finder *finder, GError **error)
{
	g_autoptr(GArray) contents = g_array_new(FALSE, FALSE, sizeof(int64_t));
	sqlite3_stmt *statement = reader_statement(finder->r, exact_sql, error);
	int row = statement ? 1 : -1;
	while (row > 0 && (row = reader_step(finder->r, statement, error)) > 0) {
		int64_t content = sqlite3_column_int64(statement, 0);
		g_array_append_val(contents, content);
	}
	for (guint i = 0; row == 0 && i < contents->len; i++) {
		int64_t content = g_array_index(contents, int64_t, i);
		GArray *files = files_new();
		if (!dups_append_files(finder, content, 0, files, error)) {
			g_array_unref(files);
			return false;
		}
		add_group(finder, finder->equal, files, DUP_EXACT,
		        g_hash_table_contains(finder->taken, &content),
		        dups_reclaimable(finder, files, 0));
	}
	return row == 0;
}

/* ---- */

static int dups_compare_groups(const void *a, const void *b)
{
	const DupGroup *x = *(DupGroup *const *)a, *y = *(DupGroup *const *)b;
	if (x->bytes_reclaimable != y->bytes_reclaimable)
		return x->bytes_reclaimable > y->bytes_reclaimable ? -1 : 1;
	int order = strcmp(
	        g_array_index(x->files, DupFile, 0).path, g_array_index(y->files, DupFile, 0).path);
	return order ? order : (int)x->kind - (int)y->kind;
}

bool reader_dups(Reader *r, const DupOptions *options, DupFunc f, void *data, GError **error)
{
	g_autoptr(GPtrArray) groups = g_ptr_array_new_with_free_func(group_free);
	g_autoptr(GPtrArray) equal = g_ptr_array_new_with_free_func(group_free);
	g_autoptr(GHashTable) taken =
	        g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	Finder finder = {
	        .r = r, .options = options, .groups = groups, .equal = equal, .taken = taken};
	if (!reader_begin(r, 0, error))
		return false;
	dups_tell(&finder, 0);
	bool ok = reader_count(
	                  r, "SELECT value FROM meta WHERE key = 'files'", &finder.files, error) &&
	          (!options->near || find_texts(&finder, error)) &&
	          (!options->exact || find_equal(&finder, error));
	reader_end(r);
	for (guint i = 0; ok && i < equal->len; i++)
		add_exact(&finder, equal->pdata[i]);
	dups_tell(&finder, 1);
	g_ptr_array_sort(groups, dups_compare_groups);
	for (guint i = 0; ok && i < groups->len; i++)
		if (!f(groups->pdata[i], data))
			break;
	return ok;
}
