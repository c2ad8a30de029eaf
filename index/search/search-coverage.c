/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search-coverage.c - counts what the answer may lack: pending, failed, truncated and offline */
#include <config.h>
#include "index/search/search-private.h"
#include "index/read/access.h"
#include "index/store/states.h"

/* So many entries of each kind are checked like hits, for that long: a disk that sleeps or is busy
 * may take milliseconds for each. Those after them are counted as they are: in a first crawl,
 * hundreds of thousands may be pending. */
enum { COVERAGE_CHECKS = 256, COVERAGE_US = 50 * 1000 };

static bool is_directory(const QueryNode *node)
{
	if (node->op == QUERY_FILTER)
		return node->filter == FILTER_DIR || node->filter == FILTER_IN;
	for (guint i = 0; node->op == QUERY_OR && i < node->children->len; i++)
		if (!is_directory(node->children->pdata[i]))
			return false;
	return node->op == QUERY_OR;
}

/* Only directories narrow the scope: a file that is not converted yet may have any type, date or
 * word. */
static bool append_scope(const Search *s, SearchSql *sql)
{
	bool any = false;
	const QueryNode *root = s->plan->root;
	const QueryNode *single[] = {root};
	QueryNode *const *nodes = root->op == QUERY_AND ? (QueryNode *const *)root->children->pdata
	                                                : (QueryNode *const *)single;
	guint n = root->op == QUERY_AND ? root->children->len : 1;
	for (guint i = 0; i < n; i++) {
		if (!is_directory(nodes[i]))
			continue;
		any = true;
		g_string_append(sql->text, " AND ");
		search_condition(s, nodes[i], sql);
	}
	return any;
}

static bool has_scope(const Search *s)
{
	g_autoptr(SearchSql) ignored = search_sql_new();
	return append_scope(s, ignored);
}

/* A part of what an answer may lack. */
typedef struct {
	const char *text; /* SQL: FROM and WHERE */
	const char *total; /* SQL that counts it if the scope is everything; NULL: text does */
	const char *member; /* SQL: the path of the member; NULL: the gaps are files */
	uint64_t *count; /* to which the gaps are added */
} SearchGap;

/* Prepares "SELECT columns" of what stands in text, in the searched scope. NULL with error. */
static sqlite3_stmt *coverage_prepare(
        const Search *s, const char *columns, const char *text, const char *limit, GError **error)
{
	g_autoptr(SearchSql) sql = search_sql_new();
	g_string_append_printf(sql->text, "SELECT %s %s", columns, text);
	append_scope(s, sql);
	g_string_append(sql->text, limit);
	return search_prepare(s, sql, error);
}

static bool count_scope(const Search *s, const char *text, uint64_t *out, GError **error)
{
	sqlite3_stmt *statement = coverage_prepare(s, "count(*)", text, "", error);
	int row = statement ? reader_step(s->r, statement, error) : -1;
	*out = row > 0 ? sqlite3_column_int64(statement, 0) : 0;
	sqlite3_finalize(statement);
	return row >= 0;
}

/* Counts the rows of entries that the user may not be told of, among the first COVERAGE_CHECKS. The
 * rows of the members of a file mostly follow each other: its file is asked about once. */
static bool count_closed(const Search *s, const SearchGap *gap, uint64_t *out, GError **error)
{
	g_autofree char *limit = g_strdup_printf(" LIMIT %d", COVERAGE_CHECKS);
	g_autofree char *columns = g_strdup_printf(
	        "n.id, n.parent, n.name, i.kind, NULL, %s", gap->member ? gap->member : "NULL");
	sqlite3_stmt *statement = coverage_prepare(s, columns, gap->text, limit, error);
	int64_t node = 0, until_us = g_get_monotonic_time() + COVERAGE_US;
	bool allowed = false, offline;
	int row = statement ? 1 : -1;
	for (*out = 0; row > 0 && g_get_monotonic_time() < until_us &&
	               (row = reader_step(s->r, statement, error)) > 0;) {
		if (sqlite3_column_int64(statement, 0) != node)
			allowed = search_row_allowed(s, statement, &offline);
		node = sqlite3_column_int64(statement, 0);
		*out += !allowed ||
		        !reader_tells_member(s->r, (const char *)sqlite3_column_text(statement, 5));
	}
	sqlite3_finalize(statement);
	return row >= 0;
}

/* Adds the number of entries of the gap that the user may be told of. */
static bool count_open(const Search *s, const SearchGap *gap, GError **error)
{
	uint64_t all, closed = 0;
	bool known = gap->total && !has_scope(s);
	if (!(known ? reader_count(s->r, gap->total, &all, error)
	            : count_scope(s, gap->text, &all, error)) ||
	        (all > 0 && !count_closed(s, gap, &closed, error)))
		return false;
	*gap->count += all - MIN(all, closed);
	return true;
}

/* Counts the files below a root that is not mounted, as far as they are in the scope. */
static bool count_offline_root(const Search *s, int64_t root, uint64_t *out, GError **error)
{
	uint64_t files;
	g_autofree char *text = g_strdup_printf(
	        "FROM (WITH RECURSIVE below(id) AS (SELECT %" G_GINT64_FORMAT
	        " UNION SELECT n.id FROM below b CROSS JOIN node n ON n.parent = b.id) "
	        "SELECT id FROM below) b CROSS JOIN node n ON n.id = b.id "
	        "CROSS JOIN inode i ON i.id = n.inode WHERE i.kind = " SQL_ENTRY_FILE,
	        root);
	if (!count_scope(s, text, &files, error))
		return false;
	*out += files;
	return true;
}

/* Counts the files of a volume below a root that is not mounted, as far as they are in the scope.
 */
static bool count_offline_volume(const Search *s, int64_t filesystem, uint64_t *out, GError **error)
{
	uint64_t files;
	g_autofree char *text = g_strdup_printf("FROM inode i CROSS JOIN node n ON n.inode = i.id "
	                                        "WHERE i.filesystem = %" G_GINT64_FORMAT
	                                        " AND i.kind = " SQL_ENTRY_FILE,
	        filesystem);
	if (!count_scope(s, text, &files, error))
		return false;
	*out += files;
	return true;
}

static bool search_count_offline(const Search *s, uint64_t *out, GError **error)
{
	g_autoptr(GArray) volumes = g_array_new(FALSE, FALSE, sizeof(int64_t));
	bool ok = reader_offline_filesystems(s->r, volumes, error);
	for (guint i = 0; ok && i < s->offline->len; i++)
		ok = count_offline_root(s, g_array_index(s->offline, int64_t, i), out, error);
	for (guint i = 0; ok && i < volumes->len; i++)
		ok = count_offline_volume(s, g_array_index(volumes, int64_t, i), out, error);
	return ok;
}

#define INODES_OF_STATE(state)                                                                     \
	"FROM inode i CROSS JOIN node n ON n.inode = i.id "                                        \
	"WHERE i.state <> " SQL_INODE_DONE " AND i.state = " state
#define FACTS_WHERE(condition)                                                                     \
	"FROM fact f CROSS JOIN document d ON d.id = f.document "                                  \
	"CROSS JOIN inode i ON i.content = d.content CROSS JOIN node n ON n.inode = i.id "         \
	"WHERE (f.state = " SQL_STATE_FAILED " OR f.truncated <> 0) AND " condition

/* A file that nobody but its owner may read is not missed by others. */
bool search_coverage(const Search *s, SearchResult *result, GError **error)
{
	const SearchGap gaps[] = {
	        {INODES_OF_STATE(SQL_INODE_PENDING), READER_PENDING_SQL, NULL, &result->pending},
	        {INODES_OF_STATE(SQL_INODE_FAILED) " AND i.reason <> " SQL_REASON_UNREADABLE, NULL,
	                NULL, &result->failed},
	        {"FROM content c CROSS JOIN inode i ON i.content = c.id "
	         "CROSS JOIN node n ON n.inode = i.id "
	         "WHERE c.state <> " SQL_STATE_OK " AND c.state = " SQL_STATE_FAILED
	         " AND i.state = " SQL_INODE_DONE,
	                NULL, NULL, &result->failed},
	        {FACTS_WHERE("f.state = " SQL_STATE_FAILED
	                     " AND f.member IS NOT NULL AND i.state = " SQL_INODE_DONE),
	                NULL, "f.member", &result->failed},
	        {FACTS_WHERE("f.truncated <> 0"), NULL, "f.member", &result->truncated},
	};
	bool ok = true;
	for (size_t i = 0; ok && i < G_N_ELEMENTS(gaps); i++)
		ok = count_open(s, &gaps[i], error);
	return ok && search_count_offline(s, &result->offline, error);
}
