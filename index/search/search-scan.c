/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search-scan.c - finds the few entries that can match a filter, by reading single tables
 *
 * The conditions of a filter need a join of five tables, which is most of the work. But each
 * filter can match only if a row of one or two of these tables matches, and a scan of one table
 * takes a tenth of the time. If few rows match, the whole query is evaluated for their entries
 * only. */
#include <config.h>
#include "index/search/search-private.h"
#include "common/base/paths.h"
#include "index/store/states.h"
#include <string.h>

/* If there are at most so many inodes, their entries are looked up one by one. Pages and items are
 * found without a scan of the other entries, which are many more. */
enum { MAX_SCANNED_INODES = 2000, MAX_SCANNED_PAGES = 200000 };
/* A look-up takes as long as to read a few entries in their order. */
enum { ENTRIES_OF_LOOKUP = 8, MANY_SCANNED_INODES = 20000, MOST_SCANNED_INODES = 500000 };
/* Entries below a directory are found from the top, so that a million other entries cost nothing.
 */
enum { MAX_SCANNED_BELOW = 10000 };

typedef enum { SCAN_NODE, SCAN_INODE, SCAN_CONTENT, SCAN_DOCUMENT, SCAN_FACT, N_SCANS } ScanTable;

#define FACTS                                                                                      \
	"SELECT i.id FROM fact f CROSS JOIN document d ON d.id = f.document CROSS JOIN inode i "   \
	"ON i.content = d.content WHERE "

static const char *const sources[N_SCANS] = {
        [SCAN_NODE] = "SELECT n.inode FROM node n WHERE ",
        [SCAN_INODE] = "SELECT i.id FROM inode i WHERE ",
        [SCAN_CONTENT] = "SELECT i.id FROM content c CROSS JOIN inode i ON i.content = c.id WHERE ",
        [SCAN_DOCUMENT] =
                "SELECT i.id FROM document d CROSS JOIN inode i ON i.content = d.content WHERE ",
        [SCAN_FACT] = FACTS,
};

/* If an entry matches the filter (index/search/search-filter.c has the exact condition), one of
 * these tables has a row that matches the term here. */
static const char *const terms[N_FILTERS][N_SCANS] = {
        [FILTER_EXT] = {[SCAN_NODE] = "tarsier_ext(n.name, ?)",
                [SCAN_FACT] = "f.member IS NOT NULL AND tarsier_ext(f.member, ?)"},
        [FILTER_MIME] =
                {[SCAN_CONTENT] = "lower(c.mime) GLOB ?", [SCAN_FACT] = "lower(f.mime) GLOB ?"},
        [FILTER_TYPE] = {[SCAN_INODE] = "i.content IS NULL AND tarsier_type(NULL, i.kind, ?)",
                [SCAN_CONTENT] = "tarsier_type(c.mime, 0, ?)",
                [SCAN_FACT] = "tarsier_type(f.mime, 0, ?)"},
        [FILTER_LANG] = {[SCAN_FACT] = "tarsier_lang(f.lang, ?)"},
        [FILTER_SUM] = {[SCAN_CONTENT] = "lower(hex(c.checksum)) = ?"},
        [FILTER_DUP] = {[SCAN_CONTENT] = "lower(hex(c.checksum)) = ?"},
        [FILTER_DIR] = {[SCAN_NODE] = "tarsier_below(n.parent, n.name, ?)"},
        [FILTER_IN] = {[SCAN_NODE] = "tarsier_in(n.parent, ?)"},
        [FILTER_DATE] = {[SCAN_INODE] = "i.mtime_ns / 1000000000 BETWEEN ? AND ?",
                [SCAN_DOCUMENT] = "d.date <> 0 AND d.date BETWEEN ? AND ?",
                [SCAN_FACT] = "f.mtime_ns / 1000000000 BETWEEN ? AND ?"},
        [FILTER_MODIFIED] = {[SCAN_INODE] = "i.mtime_ns / 1000000000 BETWEEN ? AND ?",
                [SCAN_FACT] = "f.mtime_ns / 1000000000 BETWEEN ? AND ?"},
        [FILTER_CREATED] = {[SCAN_INODE] = "i.birth_ns / 1000000000 BETWEEN ? AND ?"},
        [FILTER_SENT] = {[SCAN_DOCUMENT] = "d.date <> 0 AND d.date BETWEEN ? AND ?"},
        [FILTER_SIZE] = {[SCAN_INODE] = "i.size BETWEEN ? AND ?",
                [SCAN_FACT] = "f.member IS NOT NULL AND f.size BETWEEN ? AND ?"},
        [FILTER_DURATION] = {[SCAN_FACT] = "f.seconds BETWEEN ? AND ?"},
        [FILTER_PAGES] = {[SCAN_FACT] = "f.pages BETWEEN ? AND ?"},
        [FILTER_OWNER] = {[SCAN_INODE] = "i.uid BETWEEN ? AND ?"},
        [FILTER_GROUP] = {[SCAN_INODE] = "i.gid BETWEEN ? AND ?"},
        [FILTER_PERM] = {[SCAN_INODE] = "(i.mode & ?) = ?"},
};

#define FLAWED                                                                                     \
	FACTS "(f.state = " SQL_STATE_FAILED " OR f.truncated <> 0) AND " /* by the index of them  \
	                                                                   */

static const struct {
	const char *name, *sql;
} scanned_states[] = {
        {"dir", "SELECT id FROM inode WHERE kind = " SQL_ENTRY_DIR},
        {"hidden", "SELECT inode FROM node WHERE substr(name, 1, 1) = x'2e'"},
        {"pending", "SELECT id FROM inode WHERE state <> " SQL_INODE_DONE
                    " AND state = " SQL_INODE_PENDING},
        {"failed", "SELECT id FROM inode WHERE state <> " SQL_INODE_DONE
                   " AND state = " SQL_INODE_FAILED " UNION ALL "
                   "SELECT i.id FROM content c CROSS JOIN inode i ON i.content = c.id "
                   "WHERE c.state <> " SQL_STATE_OK " AND c.state = " SQL_STATE_FAILED
                   " UNION ALL " FLAWED "f.state = " SQL_STATE_FAILED},
        {"truncated", FLAWED "f.truncated <> 0"},
        {"duplicate", "SELECT i.id FROM (SELECT content FROM inode WHERE content IS NOT NULL "
                      "GROUP BY 1 HAVING count(*) > 1) s CROSS JOIN inode i ON i.content = "
                      "s.content UNION ALL SELECT inode FROM node GROUP BY 1 HAVING count(*) > 1"},
};

static const char *state_sql(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(scanned_states); i++)
		if (strcmp(scanned_states[i].name, name) == 0)
			return scanned_states[i].sql;
	return NULL;
}

/* The SQL of "is:". It is empty if one of the values is not in the table. */
static SearchSql *scan_states(const QueryNode *filter)
{
	SearchSql *sql = search_sql_new();
	for (char **value = filter->values; *value; value++) {
		const char *state = state_sql(*value);
		if (!state) {
			g_string_truncate(sql->text, 0);
			break;
		}
		g_string_append_printf(
		        sql->text, "%s%s", value != filter->values ? " UNION ALL " : "", state);
	}
	return sql;
}

static SearchSql *scan_tables(const Search *s, const QueryNode *filter)
{
	SearchSql *sql = search_sql_new();
	for (int table = 0; table < N_SCANS; table++) {
		const char *term = terms[filter->filter][table];
		if (!term)
			continue;
		g_string_append(sql->text, sql->text->len > 0 ? " UNION ALL " : "");
		g_string_append_printf(sql->text, "%s(", sources[table]);
		search_append_term(s, filter, term, sql);
		g_string_append_c(sql->text, ')');
	}
	return sql;
}

SearchSql *search_scan_sql(const Search *s, const QueryNode *condition)
{
	if (search_is_of_pages(condition))
		return search_pages_sql(s, condition);
	if (condition->op != QUERY_FILTER || query_is_web_field(condition->filter))
		return search_sql_new();
	if (condition->filter == FILTER_IS)
		return scan_states(condition);
	g_autoptr(SearchSql) by_grams =
	        condition->filter == FILTER_EXT ? search_ext_sql(condition) : NULL;
	return by_grams && by_grams->text->len > 0 ? g_steal_pointer(&by_grams)
	                                           : scan_tables(s, condition);
}

/* 1: all inodes were appended; 0: they are many; -1: error. */
static int scan_condition(
        const Search *s, const QueryNode *condition, guint most, GArray *inodes, GError **error)
{
	g_autoptr(SearchSql) sql = search_scan_sql(s, condition);
	if (sql->text->len == 0)
		return 0;
	sqlite3_stmt *statement = search_prepare(s, sql, error);
	int row = statement ? 1 : -1;
	if (search_is_of_pages(condition))
		most = MAX_SCANNED_PAGES;
	g_array_set_size(inodes, 0);
	while (row > 0 && inodes->len <= most && (row = reader_step(s->r, statement, error)) > 0) {
		int64_t inode = sqlite3_column_int64(statement, 0);
		g_array_append_val(inodes, inode);
	}
	sqlite3_finalize(statement);
	return row < 0 ? -1 : row == 0;
}

/* ---- below directories */

static const char scan_roots_sql[] = "SELECT id, name FROM node WHERE parent = 0";
static const char scan_named_sql[] = "SELECT id, parent FROM node WHERE name = CAST(?1 AS BLOB)";
static const char scan_below_sql[] =
        "WITH RECURSIVE below(id, inode) AS (SELECT n.id, n.inode FROM tarsier_asked a CROSS JOIN "
        "node n ON n.parent = a.id UNION ALL SELECT n.id, n.inode FROM below b CROSS JOIN node n "
        "ON n.parent = b.id) SELECT inode FROM below";

static bool scan_is_below(const char *path, const char *wanted)
{
	return *wanted == '/' ? paths_is_below(path, wanted) : search_path_has(path, wanted);
}

/* Appends the roots that are below the directory. *pages_r: there are sources, whose pages have the
 * directories of their URLs. */
static bool scan_append_roots(
        const Search *s, const char *wanted, GArray *tops, bool *pages_r, GError **error)
{
	sqlite3_stmt *statement = reader_statement(s->r, scan_roots_sql, error);
	int row = statement ? 1 : -1;
	while (row > 0 && (row = reader_step(s->r, statement, error)) > 0) {
		int64_t id = sqlite3_column_int64(statement, 0);
		const char *name = sqlite3_column_blob(statement, 1);
		g_autofree char *path =
		        g_strndup(name ? name : "", sqlite3_column_bytes(statement, 1));
		*pages_r |= *path != '/';
		if (scan_is_below(path, wanted))
			g_array_append_val(tops, id);
	}
	return row == 0;
}

/* Appends the directories whose path ends with these components. */
static bool scan_append_named(const Search *s, const char *wanted, GArray *tops, GError **error)
{
	sqlite3_stmt *statement = reader_statement(s->r, scan_named_sql, error);
	int row = statement ? 1 : -1;
	if (statement)
		sqlite3_bind_text(statement, 1, path_base_name(wanted), -1, SQLITE_STATIC);
	while (row > 0 && (row = reader_step(s->r, statement, error)) > 0) {
		int64_t id = sqlite3_column_int64(statement, 0);
		const char *path = reader_dir(s->r, id)->path;
		if (path && search_path_has(path, wanted))
			g_array_append_val(tops, id);
	}
	return row == 0;
}

/* 1: the inodes below the directory were appended; 0: they are many, or there are pages; -1: error.
 */
static int scan_directory(const Search *s, const char *wanted, GArray *inodes, GError **error)
{
	g_autoptr(GArray) tops = g_array_new(FALSE, FALSE, sizeof(int64_t));
	bool pages = false;
	int64_t node = *wanted == '/' ? reader_resolve(s->r, wanted, error) : 0;
	if (node < 0 || !scan_append_roots(s, wanted, tops, &pages, error))
		return -1;
	if (node > 0)
		g_array_append_val(tops, node);
	if (pages)
		return 0;
	if (*wanted != '/' && !scan_append_named(s, wanted, tops, error))
		return -1;
	sqlite3_stmt *statement = reader_statement(s->r, scan_below_sql, error);
	int row = statement ? 1 : -1;
	s->state->asked = tops;
	while (row > 0 && inodes->len <= MAX_SCANNED_BELOW &&
	        (row = reader_step(s->r, statement, error)) > 0) {
		int64_t inode = sqlite3_column_int64(statement, 0);
		g_array_append_val(inodes, inode);
	}
	if (row > 0)
		sqlite3_reset(statement);
	s->state->asked = NULL;
	return row < 0 ? -1 : row == 0;
}

/* The same for a dir: filter; absolute: only if all of its paths are. */
static int scan_directories(
        const Search *s, const QueryNode *condition, bool absolute, GArray *inodes, GError **error)
{
	int few = condition->op == QUERY_FILTER && condition->filter == FILTER_DIR;
	g_array_set_size(inodes, 0);
	for (char **value = condition->values; few > 0 && *value; value++) {
		g_autofree char *wanted = search_real_directory(s, *value);
		few = *wanted && (!absolute || *wanted == '/')
		              ? scan_directory(s, wanted, inodes, error)
		              : 0;
	}
	return few;
}

int search_scan_below(const Search *s, GArray **inodes_r, GError **error)
{
	g_autoptr(GArray) inodes = g_array_new(FALSE, FALSE, sizeof(int64_t));
	int few = 0;
	for (guint i = 0; i < s->plan->filters->len && few == 0; i++)
		few = scan_directories(s, s->plan->filters->pdata[i], true, inodes, error);
	*inodes_r = few > 0 ? g_steal_pointer(&inodes) : NULL;
	return few;
}

static int scan_filters(const Search *s, guint most, GArray **inodes_r, GError **error)
{
	g_autoptr(GArray) inodes = g_array_new(FALSE, FALSE, sizeof(int64_t));
	int few = 0;
	for (guint i = 0; i < s->plan->filters->len && few == 0; i++) {
		const QueryNode *condition = s->plan->filters->pdata[i];
		few = scan_directories(s, condition, false, inodes, error);
		if (few == 0)
			few = scan_condition(s, condition, most, inodes, error);
	}
	*inodes_r = few > 0 ? g_steal_pointer(&inodes) : NULL;
	return few;
}

int search_scan(const Search *s, GArray **inodes_r, GError **error)
{
	return scan_filters(s, MAX_SCANNED_INODES, inodes_r, error);
}

int search_scan_many(const Search *s, uint64_t entries, GArray **inodes_r, GError **error)
{
	uint64_t most =
	        CLAMP(entries / ENTRIES_OF_LOOKUP, MANY_SCANNED_INODES, MOST_SCANNED_INODES);
	return scan_filters(s, (guint)most, inodes_r, error);
}
