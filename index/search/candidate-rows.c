/* SPDX-License-Identifier: GPL-3.0-or-later */
/* candidate-rows.c - candidates as rows of SQL, with the filters that must hold as conditions */
#include <config.h>
#include "index/search/candidates.h"
#include "index/search/sole-member.h"
#include "index/store/states.h"

void candidate_iterator_free(CandidateIterator *iterator)
{
	iterator->free(iterator);
}

/* ---- SQL */

#define ENTRIES_OF_DOCUMENT                                                                        \
	"CROSS JOIN inode i ON i.content = d.content CROSS JOIN node n ON n.inode = i.id "         \
	"LEFT JOIN content c ON c.id = i.content LEFT JOIN fact f ON f.document = d.id "
#define DOCUMENTS_OF_ENTRY                                                                         \
	"LEFT JOIN content c ON c.id = i.content LEFT JOIN document d ON d.content = i.content "   \
	"LEFT JOIN fact f ON f.document = d.id "
#define IS_SEEN "i.state <> " SQL_INODE_ORPHAN

static const char *order_column(SortOrder sort)
{
	switch (sort) {
	case SORT_DATE:
		return "CASE WHEN d.date <> 0 THEN d.date ELSE "
		       "coalesce(f.mtime_ns, i.mtime_ns) / 1000000000 END";
	case SORT_NEAREST:
		return "-q.distance";
	case SORT_SIZE:
		return "CASE WHEN f.member IS NULL THEN i.size ELSE f.size END";
	default:
		return "0";
	}
}

enum { OWN_COLUMN = 4, GROUP_COLUMN = 5, ORDER_COLUMN = FIRST_FILTER - 1 };

static void append_columns(const Search *s, RowSource source, SearchSql *sql)
{
	const QueryPlan *plan = s->plan;
	bool text = source == ROWS_OF_TEXT && plan->sort == SORT_RELEVANCE;
	g_string_append_printf(sql->text,
	        "SELECT d.id, n.id, i.size, i.id, %s, " SOLE_MEMBER_OR_SELF ", ",
	        search_tells_members(plan) ? "f.member IS NULL" : "1");
	if (plan->sort == SORT_NEAREST && !plan->near)
		search_append_likeness(s, plan->related, sql);
	else
		g_string_append(sql->text,
		        text ? "tarsier_rank(text, d.words, d.date)" : order_column(plan->sort));
	for (guint i = 0; i < plan->columns->len; i++) {
		g_string_append(sql->text, ", ");
		search_condition(s, plan->columns->pdata[i], sql);
	}
}

/* Documents near a fingerprint are found by comparing it with all (index/text/near.h says why). */
static void append_near_source(const Search *s, SearchSql *sql)
{
	g_string_append(sql->text, "(SELECT p.document, ");
	search_near_distance(s, s->plan->near, sql);
	g_string_append(sql->text,
	        " AS distance FROM fingerprint p) q CROSS JOIN document d ON d.id = "
	        "q.document " ENTRIES_OF_DOCUMENT "WHERE q.distance IS NOT NULL AND " IS_SEEN);
}

static void bind_expression(const Search *s, SearchSql *sql)
{
	g_ptr_array_add(
	        sql->values, g_variant_ref_sink(g_variant_new_bytestring(s->plan->expression)));
}

static void append_source(const Search *s, RowSource source, SearchSql *sql)
{
	static const char *const sources[] = {
	        [ROWS_OF_ENTRIES] = "node n CROSS JOIN inode i ON i.id = "
	                            "n.inode " DOCUMENTS_OF_ENTRY "WHERE " IS_SEEN,
	        [ROWS_OF_TEXT] =
	                "text CROSS JOIN document d ON d.id = "
	                "text.rowid " ENTRIES_OF_DOCUMENT "WHERE text MATCH ? AND " IS_SEEN,
	        [ROWS_OF_NODES] = "tarsier_asked a CROSS JOIN node n ON n.id = a.id CROSS JOIN "
	                          "inode i ON i.id = n.inode " DOCUMENTS_OF_ENTRY "WHERE " IS_SEEN,
	        [ROWS_OF_DOCUMENTS] = "tarsier_asked a CROSS JOIN document d ON d.id = "
	                              "a.id " ENTRIES_OF_DOCUMENT "WHERE " IS_SEEN,
	};
	g_string_append(sql->text, " FROM ");
	if (source == ROWS_OF_NEAR)
		append_near_source(s, sql);
	else
		g_string_append(sql->text, sources[source]);
	if (source == ROWS_OF_TEXT)
		bind_expression(s, sql);
}

SearchSql *candidates_rows_sql(const Search *s, RowSource source)
{
	SearchSql *sql = search_sql_new();
	append_columns(s, source, sql);
	append_source(s, source, sql);
	for (guint i = 0; i < s->plan->filters->len; i++) {
		g_string_append(sql->text, " AND ");
		search_condition(s, s->plan->filters->pdata[i], sql);
	}
	return sql;
}

SearchSql *candidates_expression_sql(const Search *s)
{
	SearchSql *sql = search_sql_new();
	g_string_append(sql->text,
	        s->plan->sort == SORT_RELEVANCE
	                ? "SELECT d.id, tarsier_rank(text, d.words, d.date) FROM text CROSS JOIN "
	                  "document d ON d.id = text.rowid WHERE text MATCH ?"
	                : "SELECT rowid, 0 FROM text WHERE text MATCH ?");
	bind_expression(s, sql);
	return sql;
}

/* ---- iterators */

typedef struct {
	CandidateIterator base;
	const Search *s;
	sqlite3_stmt *statement;
	bool ranked; /* tarsier_rank() is one of the columns */
	bool lists; /* over tarsier_asked */
} RowIterator;

static int entries_next(CandidateIterator *self, Candidate *out, GError **error)
{
	RowIterator *rows = (RowIterator *)self;
	sqlite3_stmt *statement = rows->statement;
	int row = reader_step(rows->s->r, statement, error);
	if (row <= 0)
		return row;
	*out = (Candidate){.own = sqlite3_column_int(statement, OWN_COLUMN), .row = statement};
	out->match.document = sqlite3_column_int64(statement, 0);
	out->match.node = sqlite3_column_int64(statement, 1);
	out->match.group = search_group(sqlite3_column_int64(statement, GROUP_COLUMN),
	        sqlite3_column_int64(statement, 2), sqlite3_column_int64(statement, 3));
	out->match.order = sqlite3_column_double(statement, ORDER_COLUMN);
	out->proximity = rows->ranked ? rows->s->state->rank.proximity : 0;
	return 1;
}

static int expression_next(CandidateIterator *self, Candidate *out, GError **error)
{
	RowIterator *rows = (RowIterator *)self;
	int row = reader_step(rows->s->r, rows->statement, error);
	if (row <= 0)
		return row;
	int64_t document = sqlite3_column_int64(rows->statement, 0);
	*out = (Candidate){.own = true};
	out->match =
	        (SearchMatch){document, 0, document, sqlite3_column_double(rows->statement, 1)};
	out->proximity = rows->s->state->rank.proximity;
	return 1;
}

static void rows_free(CandidateIterator *self)
{
	RowIterator *rows = (RowIterator *)self;
	if (rows->lists)
		rows->s->state->asked = NULL;
	sqlite3_finalize(rows->statement);
	g_free(rows);
}

static RowIterator *rows_new(const Search *s, const SearchSql *sql, GError **error)
{
	sqlite3_stmt *statement = search_prepare(s, sql, error);
	if (!statement)
		return NULL;
	RowIterator *rows = g_new0(RowIterator, 1);
	rows->base = (CandidateIterator){entries_next, rows_free};
	rows->s = s;
	rows->statement = statement;
	return rows;
}

CandidateIterator *candidates_of_rows(
        const Search *s, RowSource source, const GArray *ids, GError **error)
{
	g_autoptr(SearchSql) sql = candidates_rows_sql(s, source);
	RowIterator *rows = rows_new(s, sql, error);
	if (!rows)
		return NULL;
	rows->ranked = source == ROWS_OF_TEXT && s->plan->sort == SORT_RELEVANCE;
	rows->lists = ids != NULL;
	s->state->asked = ids;
	return &rows->base;
}

CandidateIterator *candidates_of_expression(const Search *s, GError **error)
{
	g_autoptr(SearchSql) sql = candidates_expression_sql(s);
	RowIterator *rows = rows_new(s, sql, error);
	if (!rows)
		return NULL;
	rows->base.next = expression_next;
	return &rows->base;
}
