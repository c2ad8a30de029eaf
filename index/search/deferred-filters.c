/* SPDX-License-Identifier: GPL-3.0-or-later */
/* deferred-filters.c - filters asked of the best matches first
 *
 * A filter reads the rows of the entry: five look-ups, more work than it took to find and rank the
 * document. Where the score gives the order, documents are ranked by their words alone, and the
 * filters are asked of as many of the best as should fill a page; if these do not, of all others
 * that can match them (index/search/search-scan.c). */
#include <config.h>
#include "index/search/search-order.h"
#include "index/store/states.h"
#include <stdlib.h>

enum {
	SPARE = 500, /* more than the page: hits may not be readable, or near copies of others */
	FEW = 4000, /* so many are asked at once */
};

SearchSql *search_deferred_sql(const Search *s)
{
	SearchSql *sql = search_sql_new();
	g_string_append(sql->text,
	        "SELECT d.id, n.id, i.size, i.id FROM tarsier_asked a "
	        "CROSS JOIN document d ON d.id = a.id "
	        "CROSS JOIN inode i ON i.content = d.content CROSS JOIN node n ON n.inode = i.id "
	        "LEFT JOIN content c ON c.id = i.content LEFT JOIN fact f ON f.document = d.id "
	        "WHERE i.state <> " SQL_INODE_ORPHAN);
	search_append_conditions(s, sql);
	return sql;
}

/* Appends the entries of the asked matches that match the filters. */
static bool deferred_ask(
        const Search *s, sqlite3_stmt *statement, const GArray *asked, GArray *out, GError **error)
{
	int row;
	const SearchMatch *match = (const SearchMatch *)(const void *)asked->data;
	g_autoptr(GArray) documents = search_documents(asked);
	s->state->asked = documents;
	while ((row = reader_step(s->r, statement, error)) > 0) {
		int64_t document = sqlite3_column_int64(statement, 0);
		while (match->document != document) /* rows come in the order of the list */
			match++;
		SearchMatch passed = {.document = document,
		        .node = sqlite3_column_int64(statement, 1),
		        .order = match->order};
		passed.group = search_group(document, sqlite3_column_int64(statement, 2),
		        sqlite3_column_int64(statement, 3));
		g_array_append_val(out, passed);
	}
	s->state->asked = NULL;
	return row == 0;
}

/* The order of the last that is among so many of the best. */
static double order_of_best(const GArray *matches, guint most)
{
	GArray *copy = g_array_copy((GArray *)matches);
	SearchHeap heap = {search_groups(copy, copy->len, true, false), false};
	SearchGroup group = {.order = 0};
	search_heap_make(&heap);
	while (most-- > 0 && search_heap_take(&heap, &group))
		;
	g_array_unref(heap.groups);
	g_array_unref(copy);
	return group.order;
}

/* Parts them by order; both keep theirs. */
static GArray *take_best(GArray *matches, guint most)
{
	GArray *best = g_array_new(FALSE, FALSE, sizeof(SearchMatch));
	double least = matches->len > most ? order_of_best(matches, most) : -G_MAXDOUBLE;
	guint left = 0;
	for (guint i = 0; i < matches->len; i++) {
		const SearchMatch match = g_array_index(matches, SearchMatch, i);
		if (match.order >= least)
			g_array_append_val(best, match);
		else
			g_array_index(matches, SearchMatch, left++) = match;
	}
	g_array_set_size(matches, left);
	return best;
}

static guint deferred_count_documents(const GArray *matches)
{
	guint n = 0;
	int64_t last = 0;
	for (guint i = 0; i < matches->len; i++) {
		n += g_array_index(matches, SearchMatch, i).document != last;
		last = g_array_index(matches, SearchMatch, i).document;
	}
	return n;
}

static const char documents_sql[] =
        "SELECT d.id FROM tarsier_asked a CROSS JOIN inode i ON i.id = a.id "
        "CROSS JOIN document d ON d.content = i.content";

/* Keeps the matches that can match the filters, if these are few. */
static bool keep_possible(const Search *s, GArray *matches, GError **error)
{
	g_autoptr(GArray) inodes = NULL;
	int few = search_scan(s, &inodes, error);
	if (few <= 0)
		return few == 0;
	g_autoptr(GArray) documents = g_array_new(FALSE, FALSE, sizeof(int64_t));
	if (!search_append_ids(s, documents_sql, inodes, documents, error))
		return false;
	guint kept = 0;
	for (guint i = 0; i < matches->len; i++) {
		const SearchMatch match = g_array_index(matches, SearchMatch, i);
		if (search_contains(documents, match.document))
			g_array_index(matches, SearchMatch, kept++) = match;
	}
	g_array_set_size(matches, kept);
	return true;
}

bool search_deferred_filter(const Search *s, Matches *m, GError **error)
{
	uint64_t page = (uint64_t)s->options->offset + s->options->limit;
	g_autoptr(GArray) left = g_steal_pointer(&m->list);
	bool all = s->options->count || left->len <= MAX(FEW, page + SPARE);
	g_autoptr(GArray) best = take_best(left, all ? left->len : page + SPARE);
	g_autoptr(SearchSql) sql = search_deferred_sql(s);
	sqlite3_stmt *statement = search_prepare(s, sql, error);
	m->list = g_array_new(FALSE, FALSE, sizeof(SearchMatch));
	bool ok = statement && deferred_ask(s, statement, best, m->list, error);
	if (ok && deferred_count_documents(m->list) >= page)
		m->unasked = left->len;
	else
		ok = ok && (all || keep_possible(s, left, error)) &&
		     deferred_ask(s, statement, left, m->list, error);
	sqlite3_finalize(statement);
	return ok;
}
