/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/search/demote.h"
#include "common/base/compare.h"
#include "index/search/search-place.h"
#include "index/store/states.h"
#include "common/base/paths.h"
#include <string.h>

static const char document_nodes_sql[] =
        "SELECT n.id, n.parent, n.name FROM document d CROSS JOIN inode i ON i.content = d.content "
        "CROSS JOIN node n ON n.inode = i.id WHERE d.id = ?1 AND i.state <> " SQL_INODE_ORPHAN;
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

void search_positions_begin(SearchPositions *positions, const Search *s, const GArray *matches,
        const SearchGroup *group, bool lowest)
{
	*positions =
	        (SearchPositions){.s = s, .matches = matches, .group = group, .lowest = lowest};
}

void search_positions_clear(SearchPositions *positions)
{
	g_clear_pointer(&positions->named, g_array_unref);
	g_clear_pointer(&positions->all, sqlite3_finalize);
	g_clear_pointer(&positions->canonical, g_free);
}

static const SearchMatch *match_at(const SearchPositions *positions, guint i)
{
	return &g_array_index(positions->matches, SearchMatch, positions->group->first + i);
}

/* The hit is the document of the first match. A compressed file and its only member are one group;
 * what only the other of the two matches is a copy. */
static bool search_place_is_of_hit(const SearchPositions *positions, const SearchMatch *match)
{
	return match->document == match_at(positions, 0)->document;
}

static bool search_place_is_canonical(SearchPositions *positions, const char *path)
{
	if (!path_is_web(path))
		return false;
	if (!positions->canonical_known)
		positions->canonical =
		        search_canonical_of(positions->s, match_at(positions, 0)->document);
	positions->canonical_known = true;
	return g_strcmp0(positions->canonical, path) == 0;
}

/* Appends the current row, whose columns are id, parent and name. */
static void search_append_row(
        SearchPositions *positions, sqlite3_stmt *row, double order, bool matches, GArray *list)
{
	SearchPlace place = {
	        .node = sqlite3_column_int64(row, 0), .order = order, .matches = matches};
	place.path = reader_path(positions->s->r, sqlite3_column_int64(row, 1), place.node,
	        sqlite3_column_blob(row, 2), sqlite3_column_bytes(row, 2), &place.root);
	if (!place.path)
		return;
	place.canonical = search_place_is_canonical(positions, place.path);
	g_array_append_val(list, place);
}

static bool append_match(
        SearchPositions *positions, const SearchMatch *match, GArray *list, GError **error)
{
	sqlite3_stmt *row = reader_statement(positions->s->r, node_sql, error);
	if (!row)
		return false;
	sqlite3_bind_int64(row, 1, match->node);
	int found = reader_step(positions->s->r, row, error);
	if (found > 0)
		search_append_row(positions, row, match->order, true, list);
	sqlite3_reset(row);
	return found >= 0;
}

/* The group is a document or a negative inode; see search_group(). */
static bool begin_all(SearchPositions *positions, GError **error)
{
	int64_t group = positions->group->group;
	const char *sql = group > 0 ? document_nodes_sql : inode_nodes_sql;
	positions->named = g_array_new(FALSE, FALSE, sizeof(int64_t));
	for (guint i = 0; i < positions->group->count; i++)
		if (match_at(positions, i)->node != 0 &&
		        search_place_is_of_hit(positions, match_at(positions, i)))
			g_array_append_val(positions->named, match_at(positions, i)->node);
	g_array_sort(positions->named, compare_int64);
	if (sqlite3_prepare_v2(positions->s->r->db, sql, -1, &positions->all, NULL) != SQLITE_OK)
		return reader_fail(positions->s->r, error);
	sqlite3_bind_int64(positions->all, 1, group > 0 ? group : -group);
	return true;
}

static bool search_place_append_all(
        SearchPositions *positions, guint max, GArray *list, GError **error)
{
	int row = 1;
	if (!positions->named && !begin_all(positions, error))
		return false;
	while (list->len < max && (row = reader_step(positions->s->r, positions->all, error)) > 0)
		if (!search_contains(positions->named, sqlite3_column_int64(positions->all, 0)))
			search_append_row(positions, positions->all,
			        positions->any ? positions->any->order : 0, positions->any != NULL,
			        list);
	positions->done = row == 0;
	return row >= 0;
}

/* The best match comes first, then the page that a site prefers, the file in use, the shortest
 * path. */
static int compare_positions(const void *a, const void *b, void *lowest)
{
	const SearchPlace *x = a, *y = b;
	if (x->matches != y->matches)
		return x->matches ? -1 : 1;
	if (x->order != y->order)
		return (x->order > y->order) != (lowest != NULL) ? -1 : 1;
	if (x->canonical != y->canonical)
		return x->canonical ? -1 : 1;
	if (x->use != y->use)
		return x->use > y->use ? -1 : 1;
	size_t n = strlen(x->path), m = strlen(y->path);
	return n != m ? (n < m ? -1 : 1) : strcmp(x->path, y->path);
}

static void sort_positions(const SearchPositions *positions, GArray *list)
{
	if (list->len < 2)
		return;
	for (guint i = 0; i < list->len; i++) {
		SearchPlace *place = &g_array_index(list, SearchPlace, i);
		place->use = demote_path(place->path);
	}
	g_array_sort_with_data(
	        list, compare_positions, positions->lowest ? (void *)positions : NULL);
}

bool search_positions_next(SearchPositions *positions, guint max, GArray *list, GError **error)
{
	g_array_set_size(list, 0);
	while (positions->next < positions->group->count && list->len < max) {
		const SearchMatch *match = match_at(positions, positions->next++);
		if (!search_place_is_of_hit(positions, match))
			continue;
		if (match->node == 0)
			positions->any = match;
		else if (!append_match(positions, match, list, error))
			return false;
	}
	bool all = positions->any ? list->len < max : list->len == 0;
	if (all && !positions->done && !search_place_append_all(positions, max, list, error))
		return false;
	sort_positions(positions, list);
	return true;
}
