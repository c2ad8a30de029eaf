/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reader-stats.c - totals, statistics of roots, and the self-check of the index */
#include <config.h>
#include "index/read/away-roots.h"
#include "index/read/reader-private.h"
#include "common/base/i18n.h"
#include "index/store/db-exec.h"
#include "index/store/states.h"
#include <string.h>
#include <sys/stat.h>

void index_stats_clear(IndexStats *stats)
{
	g_free(stats->rebuilt);
	memset(stats, 0, sizeof *stats);
}

static uint64_t file_bytes(const char *dir, const char *name)
{
	g_autofree char *path = g_build_filename(dir, name, NULL);
	struct stat st;
	return stat(path, &st) == 0 ? (uint64_t)st.st_size : 0;
}

static bool read_rebuilt(Reader *r, char **out, GError **error)
{
	sqlite3_stmt *statement =
	        reader_statement(r, "SELECT value FROM meta WHERE key = 'rebuilt'", error);
	int row = statement ? reader_step(r, statement, error) : -1;
	if (row > 0)
		*out = g_strdup((const char *)sqlite3_column_text(statement, 0));
	if (statement)
		sqlite3_reset(statement);
	return row >= 0;
}

static bool count_volumes_offline(Reader *r, uint64_t *out, GError **error)
{
	g_autoptr(GArray) volumes = NULL;
	if (!reader_volumes(r, &volumes, error))
		return false;
	for (guint i = 0; i < volumes->len; i++) {
		const VolumeStats *volume = &g_array_index(volumes, VolumeStats, i);
		*out += volume->offline ? volume->files : 0;
	}
	return true;
}

static GArray *find_away_roots(Reader *r, GError **error)
{
	if (!reader_begin(r, 0, error))
		return NULL;
	GArray *away = away_roots(r, error);
	reader_end(r);
	return away;
}

static bool is_away_root(const GArray *away, const char *path)
{
	for (guint i = 0; i < away->len; i++)
		if (g_strcmp0(g_array_index(away, AwayRoot, i).path, path) == 0)
			return true;
	return false;
}

/* Counts the files of roots and file systems that are not there. */
static bool reader_count_offline(Reader *r, uint64_t *out, GError **error)
{
	g_autoptr(GArray) roots = NULL;
	g_autoptr(GArray) away = find_away_roots(r, error);
	if (!away || (away->len > 0 && !reader_roots(r, &roots, error)))
		return false;
	for (guint i = 0; roots && i < roots->len; i++) {
		const RootStats *root = &g_array_index(roots, RootStats, i);
		if (is_away_root(away, root->path))
			*out += root->files;
	}
	return count_volumes_offline(r, out, error);
}

bool reader_count_textless_pdf(Reader *r, uint64_t *out, GError **error)
{
	static const char sql[] =
	        "SELECT count(*) FROM content c WHERE c.state <> " SQL_STATE_OK
	        " AND c.state = " SQL_STATE_NOTHING " AND c.mime = 'application/pdf' "
	        "AND EXISTS(SELECT 1 FROM inode i WHERE i.content = c.id)";
	if (!reader_begin(r, 0, error))
		return false;
	bool ok = reader_count(r, sql, out, error);
	reader_end(r);
	return ok;
}

/* A state is compared twice because SQLite uses a partial index (inode_todo, content_state,
 * fact_flawed) only if its condition stands in the statement. */
bool reader_stats(Reader *r, IndexStats *out, GError **error)
{
	const struct {
		const char *sql;
		uint64_t *value;
	} counts[] = {
	        {"SELECT value FROM meta WHERE key = 'files'", &out->files},
	        {"SELECT value FROM meta WHERE key = 'directories'", &out->directories},
	        {"SELECT value FROM meta WHERE key = 'documents'", &out->documents},
	        {"SELECT count(*) FROM fact f CROSS JOIN document d ON d.id = f.document "
	         "CROSS JOIN inode i ON i.content = d.content CROSS JOIN node n ON n.inode = i.id "
	         "WHERE (f.state = " SQL_STATE_FAILED " OR f.truncated <> 0) AND f.truncated <> 0",
	                &out->truncated},
	        {"SELECT value FROM meta WHERE key = 'text_bytes'", &out->text_bytes},
	        {"SELECT (SELECT value FROM meta WHERE key = 'text_rows') - "
	         "(SELECT value FROM meta WHERE key = 'live_rows')",
	                &out->tombstones},
	        {"SELECT (SELECT count(*) FROM content WHERE id <= (SELECT value FROM meta "
	         "WHERE key = 'signs_last') AND id > (SELECT value FROM meta "
	         "WHERE key = 'signs_done')) + (SELECT count(*) FROM meta "
	         "WHERE key > 'signs_left ' AND key < 'signs_left!')",
	                &out->signs_left},
	        {READER_PENDING_SQL, &out->pending},
	        {"SELECT (SELECT count(*) FROM inode i CROSS JOIN node n ON n.inode = i.id "
	         "WHERE i.state <> " SQL_INODE_DONE " AND i.state = " SQL_INODE_FAILED
	         ") + (SELECT count(*) FROM content c CROSS JOIN "
	         "inode i "
	         "ON i.content = c.id CROSS JOIN node n ON n.inode = i.id "
	         "WHERE c.state <> " SQL_STATE_OK " AND c.state = " SQL_STATE_FAILED
	         " AND i.state = " SQL_INODE_DONE ") + (SELECT count(*) FROM fact "
	         "f "
	         "CROSS JOIN document d ON d.id = f.document CROSS JOIN inode i ON i.content = "
	         "d.content "
	         "CROSS JOIN node n ON n.inode = i.id WHERE (f.state = " SQL_STATE_FAILED
	         " OR f.truncated <> 0) AND "
	         "f.state = " SQL_STATE_FAILED
	         " AND f.member IS NOT NULL AND i.state = " SQL_INODE_DONE ")",
	                &out->failed},
	        {"SELECT count(*) FROM inode i CROSS JOIN node n ON n.inode = i.id "
	         "WHERE i.state <> " SQL_INODE_DONE " AND i.state = " SQL_INODE_FAILED
	         " AND i.reason = " SQL_REASON_LIMIT_DAY,
	                &out->day_limited},
	};
	memset(out, 0, sizeof *out);
	if (!reader_begin(r, 0, error))
		return false;
	bool ok = read_rebuilt(r, &out->rebuilt, error);
	for (size_t i = 0; ok && i < G_N_ELEMENTS(counts); i++)
		ok = reader_count(r, counts[i].sql, counts[i].value, error);
	reader_end(r);
	out->index_bytes =
	        file_bytes(r->index_dir, "index.db") + file_bytes(r->index_dir, "index.db-wal");
	return ok && reader_count_offline(r, &out->offline, error);
}

/* ---- roots */

static void clear_root(void *data)
{
	g_free(((RootStats *)data)->path);
}

/* Two passes find the root of each row: one over all nodes in the order of their parents, one over
 * the directories. A walk down the tree would read rows in the order of names, each from another
 * page. The id is that of the topmost node. */
typedef struct {
	GHashTable *roots; /* id -> index + 1 */
	GArray *counts; /* of RootStats; files counts all entries until the directories are
	                   subtracted */
} Counting;

static RootStats *stats_of(const Counting *counting, int64_t id)
{
	guint index = GPOINTER_TO_UINT(g_hash_table_lookup(counting->roots, &id));
	return index ? &g_array_index(counting->counts, RootStats, index - 1) : NULL;
}

static bool count_entries(Reader *r, const Counting *counting, GError **error)
{
	static const char sql[] =
	        "SELECT parent, count(*) FROM node WHERE parent <> 0 GROUP BY parent";
	sqlite3_stmt *statement = reader_statement(r, sql, error);
	int row = statement ? 1 : -1;
	while (row > 0 && (row = reader_step(r, statement, error)) > 0) {
		RootStats *root =
		        stats_of(counting, reader_dir(r, sqlite3_column_int64(statement, 0))->root);
		if (root)
			root->files += sqlite3_column_int64(statement, 1);
	}
	return row == 0;
}

static bool count_directories(Reader *r, const Counting *counting, GError **error)
{
	static const char sql[] = "SELECT n.id, n.parent FROM inode i CROSS JOIN node n "
	                          "ON n.inode = i.id WHERE i.kind = " SQL_ENTRY_DIR;
	sqlite3_stmt *statement = reader_statement(r, sql, error);
	int row = statement ? 1 : -1;
	while (row > 0 && (row = reader_step(r, statement, error)) > 0) {
		bool top = sqlite3_column_int64(statement, 1) == 0;
		RootStats *root =
		        stats_of(counting, reader_dir(r, sqlite3_column_int64(statement, 0))->root);
		if (!root)
			continue;
		root->directories++;
		root->files -= !top && root->files > 0;
	}
	return row == 0;
}

/* If there is only one root, and none is being removed, it has all entries. */
static bool is_sole(Reader *r, const GArray *roots, bool *sole_r, GError **error)
{
	uint64_t tops = 0;
	bool ok = roots->len != 1 ||
	          reader_count(r, "SELECT count(*) FROM node WHERE parent = 0", &tops, error);
	*sole_r = tops == 1;
	return ok;
}

static bool count_sole(Reader *r, RootStats *out, GError **error)
{
	return reader_count(r, "SELECT value FROM meta WHERE key = 'files'", &out->files, error) &&
	       reader_count(r, "SELECT value FROM meta WHERE key = 'directories'",
	               &out->directories, error);
}

static bool read_roots(Reader *r, GArray *roots, GError **error)
{
	static const char sql[] = "SELECT n.id, n.name " READER_ROOTS_SQL " ORDER BY n.name";
	g_autoptr(GHashTable) ids =
	        g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	const Counting counting = {ids, roots};
	sqlite3_stmt *statement = reader_statement(r, sql, error);
	int row = statement ? 1 : -1;
	while (row > 0 && (row = reader_step(r, statement, error)) > 0) {
		RootStats root = {0};
		root.path = g_strndup(
		        sqlite3_column_blob(statement, 1), sqlite3_column_bytes(statement, 1));
		if (!root.path)
			continue;
		int64_t id = sqlite3_column_int64(statement, 0);
		g_array_append_val(roots, root);
		g_hash_table_insert(ids, g_memdup2(&id, sizeof id), GUINT_TO_POINTER(roots->len));
	}
	bool sole;
	if (row < 0 || !is_sole(r, roots, &sole, error))
		return false;
	if (sole)
		return count_sole(r, &g_array_index(roots, RootStats, 0), error);
	return roots->len == 0 ||
	       (count_entries(r, &counting, error) && count_directories(r, &counting, error));
}

bool reader_roots(Reader *r, GArray **roots_r, GError **error)
{
	g_autoptr(GArray) roots = g_array_new(FALSE, FALSE, sizeof(RootStats));
	g_array_set_clear_func(roots, clear_root);
	*roots_r = NULL;
	if (!reader_begin(r, 0, error))
		return false;
	bool ok = read_roots(r, roots, error);
	reader_end(r);
	if (ok)
		*roots_r = g_steal_pointer(&roots);
	return ok;
}

GPtrArray *reader_read_root_paths(Reader *r, GError **error)
{
	static const char sql[] = "SELECT n.name " READER_ROOTS_SQL " ORDER BY n.name";
	g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free);
	sqlite3_stmt *statement = reader_statement(r, sql, error);
	int row = statement ? 1 : -1;
	while (row > 0 && (row = reader_step(r, statement, error)) > 0) {
		char *path = g_strndup(
		        sqlite3_column_blob(statement, 0), sqlite3_column_bytes(statement, 0));
		if (path)
			g_ptr_array_add(paths, path);
	}
	return row == 0 ? g_steal_pointer(&paths) : NULL;
}

bool reader_root_paths(Reader *r, GPtrArray **paths_r, GError **error)
{
	*paths_r = NULL;
	if (!reader_begin(r, 0, error))
		return false;
	*paths_r = reader_read_root_paths(r, error);
	reader_end(r);
	return *paths_r != NULL;
}

/* ---- check */

static bool check_pages(Reader *r, GPtrArray *problems, GError **error)
{
	sqlite3_stmt *statement = reader_statement(r, "PRAGMA integrity_check(100)", error);
	int row = statement ? 1 : -1;
	while (row > 0 && (row = reader_step(r, statement, error)) > 0) {
		const char *line = (const char *)sqlite3_column_text(statement, 0);
		if (line && strcmp(line, "ok") != 0)
			g_ptr_array_add(problems, g_strdup(line));
	}
	return row == 0;
}

/* Rows that refer to nothing. Tombstones are not a fault. */
static const struct {
	const char *sql, *what;
} orphans[] = {
        {"SELECT count(*) FROM node n WHERE NOT EXISTS(SELECT 1 FROM inode WHERE id = n.inode)",
                N_("%s entries without an inode")},
        {"SELECT count(*) FROM node n WHERE n.parent <> 0 AND NOT EXISTS(SELECT 1 FROM node WHERE "
         "id = n.parent)",
                N_("%s entries without a directory")},
        {"SELECT count(*) FROM node WHERE id NOT IN (SELECT rowid FROM name)",
                N_("%s entries whose name cannot be found")},
        {"SELECT count(*) FROM name WHERE rowid NOT IN (SELECT id FROM node)",
                N_("%s names without an entry")},
        {"SELECT count(*) FROM inode i WHERE i.state <> " SQL_INODE_ORPHAN
         " AND NOT EXISTS(SELECT 1 FROM node WHERE "
         "inode = i.id)",
                N_("%s inodes without an entry")},
        {"SELECT count(*) FROM inode i WHERE i.content IS NOT NULL "
         "AND NOT EXISTS(SELECT 1 FROM content WHERE id = i.content)",
                N_("%s inodes without their content")},
        {"SELECT count(*) FROM content c WHERE c.state <> " SQL_STATE_UNFINISHED " "
         "AND NOT EXISTS(SELECT 1 FROM inode WHERE content = c.id AND content IS NOT NULL)",
                N_("%s contents without an inode")},
        {"SELECT count(*) FROM document d WHERE NOT EXISTS(SELECT 1 FROM content WHERE id = "
         "abs(d.content))",
                N_("%s documents without content")},
        {"SELECT count(*) FROM document d WHERE NOT EXISTS(SELECT 1 FROM fact WHERE document = "
         "d.id)",
                N_("%s documents without metadata")},
        {"SELECT count(*) FROM fact f WHERE NOT EXISTS(SELECT 1 FROM document WHERE id = "
         "f.document)",
                N_("%s metadata rows without a document")},
        {"SELECT count(*) FROM link l WHERE NOT EXISTS(SELECT 1 FROM content WHERE id = l.content)",
                N_("%s missing contents that links refer to")},
        {"SELECT count(*) FROM fingerprint p WHERE NOT EXISTS(SELECT 1 FROM document WHERE id = "
         "p.document)",
                N_("%s fingerprints without a document")},
        {"WITH RECURSIVE bit(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM bit WHERE i < 15) "
         "SELECT (SELECT count(*) FROM meaning_vector v WHERE v.present NOT BETWEEN 1 AND 65535 "
         "OR length(v.vectors) <> 32 * (SELECT count(*) FROM bit WHERE v.present >> i & 1)) + "
         "(SELECT count(*) FROM meaning_vector v CROSS JOIN bit WHERE v.present >> i & 1 AND NOT "
         "EXISTS(SELECT 1 FROM document WHERE id = v.block * 16 + i))",
                N_("%s vectors without a document, or damaged")},
        {"SELECT count(*) FROM document WHERE words > 0 AND id NOT IN (SELECT rowid FROM text)",
                N_("%s documents without text")},
};

static bool check_orphans(Reader *r, GPtrArray *problems, GError **error)
{
	for (size_t i = 0; i < G_N_ELEMENTS(orphans); i++) {
		uint64_t n;
		if (!reader_count(r, orphans[i].sql, &n, error))
			return false;
		if (n == 0)
			continue;
		g_autofree char *number = g_strdup_printf("%" G_GUINT64_FORMAT, n);
		const char *format = _(orphans[i].what);
		g_ptr_array_add(problems, g_strdup_printf(format, number));
	}
	return true;
}

/* A scan of all terms decodes every page of the text index. FTS5's own check cannot be used: it
 * writes. */
static bool check_terms(Reader *r, GPtrArray *problems, GError **error)
{
	static const struct {
		const char *make, *count, *table;
	} vocabularies[] = {
	        {"CREATE VIRTUAL TABLE IF NOT EXISTS temp.text_terms USING fts5vocab(main, text, "
	         "row)",
	                "SELECT total(cnt) FROM temp.text_terms", "text"},
	        {"CREATE VIRTUAL TABLE IF NOT EXISTS temp.name_terms USING fts5vocab(main, name, "
	         "row)",
	                "SELECT total(cnt) FROM temp.name_terms", "name"},
	        {"CREATE VIRTUAL TABLE IF NOT EXISTS temp.gram_terms USING fts5vocab(main, gram, "
	         "row)",
	                "SELECT total(doc) FROM temp.gram_terms", "gram"},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(vocabularies); i++) {
		g_autoptr(GError) fault = NULL;
		uint64_t n;
		/* The file is open read-only anyway; query_only would forbid the temporary table
		 * too. */
		if (!db_exec(r->db, "PRAGMA query_only = OFF", error) ||
		        !db_exec(r->db, vocabularies[i].make, error) ||
		        !db_exec(r->db, "PRAGMA query_only = ON", error))
			return false;
		if (!reader_count(r, vocabularies[i].count, &n, &fault))
			g_ptr_array_add(problems,
			        g_strdup_printf("%s: %s", vocabularies[i].table, fault->message));
	}
	return true;
}

bool reader_check(Reader *r, GPtrArray **problems_r, GError **error)
{
	g_autoptr(GPtrArray) problems = g_ptr_array_new_with_free_func(g_free);
	*problems_r = NULL;
	if (!reader_begin(r, 0, error))
		return false;
	bool ok = check_pages(r, problems, error) && check_orphans(r, problems, error) &&
	          check_terms(r, problems, error);
	reader_end(r);
	if (ok)
		*problems_r = g_steal_pointer(&problems);
	return ok;
}
