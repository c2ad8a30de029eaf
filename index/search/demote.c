/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/search/demote.h"
#include "index/store/states.h"
#include "index/text/copy-names.h"
#include "common/base/doctype.h"
#include "common/base/paths.h"
#include <string.h>

/* A copy may have the words a little more often than the file in use. */
static const double copy_factor = 0.9, member_factor = 0.9, level_cost = 0.002;
enum { MOST_LEVELS = 20, MOST_ENTRIES = 16 };

#define COLUMNS "SELECT n.id, n.parent, n.name, i.mtime_ns, d.date, f.member IS NOT NULL, c.mime "
#define ENTRY_FACTS                                                                                \
	"LEFT JOIN content c ON c.id = i.content LEFT JOIN document d ON d.id = ?2 "               \
	"LEFT JOIN fact f ON f.document = d.id WHERE i.state <> " SQL_INODE_ORPHAN                 \
	" LIMIT " G_STRINGIFY(16)
G_STATIC_ASSERT(MOST_ENTRIES == 16);

static const char document_copies_sql[] =
        COLUMNS "FROM (SELECT content FROM document WHERE id = ?1) o CROSS JOIN inode i ON "
                "i.content = o.content CROSS JOIN node n ON n.inode = i.id " ENTRY_FACTS;
static const char inode_sql[] =
        COLUMNS "FROM (SELECT ?1 AS id) o CROSS JOIN inode i ON i.id = o.id CROSS JOIN node n ON "
                "n.inode = i.id " ENTRY_FACTS;
static const char single_node_sql[] =
        COLUMNS "FROM (SELECT ?1 AS id) o CROSS JOIN node n ON n.id = o.id CROSS JOIN inode i ON "
                "i.id = n.inode " ENTRY_FACTS;

/* The two slashes before the host stand for the home directory; what a query asks is not a level.
 * The words of a URL say nothing about copies: sites call their best pages "archive". */
double demote_path(const char *path)
{
	unsigned levels = 0;
	bool page = path_is_web(path);
	for (const char *s = path; *s && !(page && *s == '?'); s++)
		levels += *s == '/';
	return (!page && copy_names_path(path) ? copy_factor : 1) *
	       (1 - level_cost * MIN(levels, MOST_LEVELS));
}

/* Documents without a date of their own are as old as their file. */
static double demote_age(sqlite3_stmt *row)
{
	enum { S_NS = 1000 * 1000 * 1000 };
	if (sqlite3_column_int64(row, 4) != 0)
		return 1;
	return rank_file_recency(sqlite3_column_int64(row, 3) / S_NS);
}

static double demote_row(const Search *s, sqlite3_stmt *row)
{
	g_autofree char *path =
	        reader_path(s->r, sqlite3_column_int64(row, 1), sqlite3_column_int64(row, 0),
	                sqlite3_column_blob(row, 2), sqlite3_column_bytes(row, 2), NULL);
	if (!path)
		return 0;
	bool member = sqlite3_column_int(row, 5);
	const char *mime = (const char *)sqlite3_column_text(row, 6);
	bool archived = member && strcmp(doctype_of(mime), "archive") == 0;
	return demote_path(path) * (archived ? member_factor : 1) * demote_age(row);
}

bool demote_group(const Search *s, const SearchMatch *match, double *factor_r, GError **error)
{
	bool single = s->options->dups == DUPS_SHOW && match->node != 0;
	const char *sql = single             ? single_node_sql
	                  : match->group > 0 ? document_copies_sql
	                                     : inode_sql;
	sqlite3_stmt *statement = reader_statement(s->r, sql, error);
	int row = statement ? 1 : -1;
	*factor_r = 0;
	if (!statement)
		return false;
	sqlite3_bind_int64(statement, 1, single ? match->node : ABS(match->group));
	sqlite3_bind_int64(statement, 2, match->document);
	while ((row = reader_step(s->r, statement, error)) > 0)
		*factor_r = MAX(*factor_r, demote_row(s, statement));
	return row == 0;
}
