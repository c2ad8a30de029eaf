/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/search/search-place.h"
#include <string.h>

static const char document_nodes_sql[] =
        "SELECT n.id, n.parent, n.name FROM document d CROSS JOIN inode i ON i.content = d.content "
        "CROSS JOIN node n ON n.inode = i.id WHERE d.id = ?1 AND i.state <> 3";
static const char inode_nodes_sql[] = "SELECT id, parent, name FROM node WHERE inode = ?1";
static const char node_sql[] = "SELECT id, parent, name FROM node WHERE id = ?1";

static void clear_place(void *data)
{
	g_free(((SearchPlace *)data)->path);
}

GArray *search_place_list_new(void)
{
	GArray *list = g_array_new(FALSE, FALSE, sizeof(SearchPlace));
	g_array_set_clear_func(list, clear_place);
	return list;
}

void search_places_begin(SearchPlaces *places, Search *s, const SearchGroup *group)
{
	*places = (SearchPlaces){.s = s, .group = group};
}

void search_places_clear(SearchPlaces *places)
{
	g_clear_pointer(&places->named, g_array_unref);
	g_clear_pointer(&places->all, sqlite3_finalize);
}

static const SearchMatch *match_at(const SearchPlaces *places, guint i)
{
	return &g_array_index(places->s->matches, SearchMatch, places->group->first + i);
}

/* The current row: id, parent, name. */
static void append_row(
        SearchPlaces *places, sqlite3_stmt *row, double order, bool matches, GArray *list)
{
	SearchPlace place = {
	        .node = sqlite3_column_int64(row, 0), .order = order, .matches = matches};
	place.path = reader_path(places->s->r, sqlite3_column_int64(row, 1), place.node,
	        sqlite3_column_blob(row, 2), sqlite3_column_bytes(row, 2), &place.root);
	if (place.path)
		g_array_append_val(list, place);
}

static bool append_match(
        SearchPlaces *places, const SearchMatch *match, GArray *list, GError **error)
{
	sqlite3_stmt *row = reader_statement(places->s->r, node_sql, error);
	if (!row)
		return false;
	sqlite3_bind_int64(row, 1, match->node);
	int found = reader_step(places->s->r, row, error);
	if (found > 0)
		append_row(places, row, match->order, true, list);
	sqlite3_reset(row);
	return found >= 0;
}

static int compare_ids(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return (x > y) - (x < y);
}

/* A group is either of a document or, by a negative number, of an inode (search_group()). */
static bool begin_all(SearchPlaces *places, GError **error)
{
	int64_t group = places->group->group;
	const char *sql = group > 0 ? document_nodes_sql : inode_nodes_sql;
	places->named = g_array_new(FALSE, FALSE, sizeof(int64_t));
	for (guint i = 0; i < places->group->count; i++)
		if (match_at(places, i)->node != 0)
			g_array_append_val(places->named, match_at(places, i)->node);
	g_array_sort(places->named, compare_ids);
	if (sqlite3_prepare_v2(places->s->r->db, sql, -1, &places->all, NULL) != SQLITE_OK)
		return reader_fail(places->s->r, error);
	sqlite3_bind_int64(places->all, 1, group > 0 ? group : -group);
	return true;
}

static bool append_all(SearchPlaces *places, guint max, GArray *list, GError **error)
{
	int row = 1;
	if (!places->named && !begin_all(places, error))
		return false;
	while (list->len < max && (row = reader_step(places->s->r, places->all, error)) > 0)
		if (!search_contains(places->named, sqlite3_column_int64(places->all, 0)))
			append_row(places, places->all, places->any ? places->any->order : 0,
			        places->any != NULL, list);
	places->done = row == 0;
	return row >= 0;
}

/* Best match first, then the shortest path. */
static int compare_places(const void *a, const void *b)
{
	const SearchPlace *x = a, *y = b;
	if (x->matches != y->matches)
		return x->matches ? -1 : 1;
	if (x->order != y->order)
		return x->order > y->order ? -1 : 1;
	size_t n = strlen(x->path), m = strlen(y->path);
	return n != m ? (n < m ? -1 : 1) : strcmp(x->path, y->path);
}

bool search_places_next(SearchPlaces *places, guint max, GArray *list, GError **error)
{
	g_array_set_size(list, 0);
	while (places->next < places->group->count && list->len < max) {
		const SearchMatch *match = match_at(places, places->next++);
		if (match->node == 0)
			places->any = match;
		else if (!append_match(places, match, list, error))
			return false;
	}
	bool all = places->any ? list->len < max : list->len == 0;
	if (all && !places->done && !append_all(places, max, list, error))
		return false;
	if (list->len > 1)
		g_array_sort(list, compare_places);
	return true;
}
