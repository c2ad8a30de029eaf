/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reader-stats.c - totals, roots, and the index verified against itself */
#include <config.h>
#include "index/reachable.h"
#include "index/reader-private.h"
#include "common/i18n.h"
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

/* Files below roots and on file systems that are not there. */
static bool count_offline(Reader *r, uint64_t *out, GError **error)
{
	g_autoptr(GArray) roots = NULL;
	if (!reader_roots(r, &roots, error))
		return false;
	for (guint i = 0; i < roots->len; i++) {
		const RootStats *root = &g_array_index(roots, RootStats, i);
		if (!reachable(root->path))
			*out += root->files;
	}
	return count_volumes_offline(r, out, error);
}

bool reader_stats(Reader *r, IndexStats *out, GError **error)
{
	const struct {
		const char *sql;
		uint64_t *value;
	} counts[] = {
	        {"SELECT value FROM meta WHERE key = 'files'", &out->files},
	        {"SELECT value FROM meta WHERE key = 'directories'", &out->directories},
	        {"SELECT value FROM meta WHERE key = 'documents'", &out->documents},
	        {"SELECT value FROM meta WHERE key = 'truncated'", &out->truncated},
	        {"SELECT value FROM meta WHERE key = 'text_bytes'", &out->text_bytes},
	        {"SELECT (SELECT value FROM meta WHERE key = 'text_rows') - "
	         "(SELECT value FROM meta WHERE key = 'live_rows')",
	                &out->dead},
	        {"SELECT count(*) FROM inode i CROSS JOIN node n ON n.inode = i.id "
	         "WHERE i.state <> 0 AND i.state = 1",
	                &out->pending},
	        {"SELECT (SELECT count(*) FROM inode i CROSS JOIN node n ON n.inode = i.id "
	         "WHERE i.state <> 0 AND i.state = 2) + (SELECT count(*) FROM content c CROSS JOIN "
	         "inode i "
	         "ON i.content = c.id CROSS JOIN node n ON n.inode = i.id "
	         "WHERE c.state <> 0 AND c.state = 2 AND i.state = 0)",
	                &out->failed},
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
	return ok && count_offline(r, &out->offline, error);
}

/* ---- roots */

static void clear_root(void *data)
{
	g_free(((RootStats *)data)->path);
}

static bool count_below(Reader *r, int64_t root, RootStats *out, GError **error)
{
	static const char sql[] =
	        "WITH RECURSIVE below(id, inode) AS (SELECT id, inode FROM node WHERE id = ?1 "
	        "UNION SELECT n.id, n.inode FROM below b CROSS JOIN node n ON n.parent = b.id) "
	        "SELECT total(i.kind <> 1), total(i.kind = 1) FROM below b CROSS JOIN inode i ON "
	        "i.id = b.inode";
	sqlite3_stmt *statement = reader_statement(r, sql, error);
	if (!statement)
		return false;
	sqlite3_bind_int64(statement, 1, root);
	if (reader_step(r, statement, error) < 0)
		return false;
	out->files = sqlite3_column_int64(statement, 0);
	out->directories = sqlite3_column_int64(statement, 1);
	sqlite3_reset(statement);
	return true;
}

static bool read_roots(Reader *r, GArray *roots, GError **error)
{
	static const char sql[] = "SELECT id, name FROM node WHERE parent = 0 ORDER BY name";
	sqlite3_stmt *statement = reader_statement(r, sql, error);
	int row = statement ? 1 : -1;
	while (row > 0 && (row = reader_step(r, statement, error)) > 0) {
		RootStats root = {0};
		root.path = g_strndup(
		        sqlite3_column_blob(statement, 1), sqlite3_column_bytes(statement, 1));
		if (!root.path)
			continue;
		int64_t id = sqlite3_column_int64(statement, 0);
		bool ok = count_below(r, id, &root, error);
		g_array_append_val(roots, root);
		if (!ok)
			row = -1;
	}
	return row == 0;
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

bool reader_root_paths(Reader *r, GPtrArray **paths_r, GError **error)
{
	static const char sql[] = "SELECT name FROM node WHERE parent = 0 ORDER BY name";
	g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free);
	*paths_r = NULL;
	if (!reader_begin(r, 0, error))
		return false;
	sqlite3_stmt *statement = reader_statement(r, sql, error);
	int row = statement ? 1 : -1;
	while (row > 0 && (row = reader_step(r, statement, error)) > 0) {
		char *path = g_strndup(
		        sqlite3_column_blob(statement, 0), sqlite3_column_bytes(statement, 0));
		if (path)
			g_ptr_array_add(paths, path);
	}
	reader_end(r);
	if (row == 0)
		*paths_r = g_steal_pointer(&paths);
	return row == 0;
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

/* Rows that lead nowhere. Text of deleted documents is no fault: it joins nothing. */
static const struct {
	const char *sql, *what;
} orphans[] = {
        {"SELECT count(*) FROM node n WHERE NOT EXISTS(SELECT 1 FROM inode WHERE id = n.inode)",
                N_("%s entries without an inode")},
        {"SELECT count(*) FROM node n WHERE n.parent <> 0 AND NOT EXISTS(SELECT 1 FROM node WHERE "
         "id = n.parent)",
                N_("%s entries without a directory")},
        {"SELECT count(*) FROM node n WHERE NOT EXISTS(SELECT 1 FROM name_docsize WHERE id = n.id)",
                N_("%s entries whose name cannot be found")},
        {"SELECT count(*) FROM name_docsize s WHERE NOT EXISTS(SELECT 1 FROM node WHERE id = s.id)",
                N_("%s names without an entry")},
        {"SELECT count(*) FROM inode i WHERE i.state <> 3 AND NOT EXISTS(SELECT 1 FROM node WHERE "
         "inode = i.id)",
                N_("%s inodes without an entry")},
        {"SELECT count(*) FROM inode i WHERE i.content IS NOT NULL "
         "AND NOT EXISTS(SELECT 1 FROM content WHERE id = i.content)",
                N_("%s inodes without their content")},
        {"SELECT count(*) FROM content c WHERE c.state <> 3 "
         "AND NOT EXISTS(SELECT 1 FROM inode WHERE content = c.id AND content IS NOT NULL)",
                N_("%s contents without an inode")},
        {"SELECT count(*) FROM document d WHERE NOT EXISTS(SELECT 1 FROM content WHERE id = "
         "abs(d.content))",
                N_("%s documents without content")},
        {"SELECT count(*) FROM document d WHERE NOT EXISTS(SELECT 1 FROM fact WHERE document = "
         "d.id)",
                N_("%s documents without facts")},
        {"SELECT count(*) FROM fact f WHERE NOT EXISTS(SELECT 1 FROM document WHERE id = "
         "f.document)",
                N_("%s facts without a document")},
        {"SELECT count(*) FROM link l WHERE NOT EXISTS(SELECT 1 FROM content WHERE id = l.content)",
                N_("%s contents that links are kept for, and that are not there")},
        {"SELECT count(*) FROM fingerprint p WHERE NOT EXISTS(SELECT 1 FROM document WHERE id = "
         "p.document)",
                N_("%s fingerprints without a document")},
        {"SELECT count(*) FROM document d WHERE d.words > 0 AND NOT EXISTS(SELECT 1 FROM "
         "text_docsize WHERE id = d.id)",
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

/* A walk through all terms decodes every page of the text index; FTS5's own check wants to write.
 */
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
	};
	for (size_t i = 0; i < G_N_ELEMENTS(vocabularies); i++) {
		g_autoptr(GError) fault = NULL;
		uint64_t n;
		/* The file is open read-only; the flag would also keep out tables of the connection
		 * itself. */
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
