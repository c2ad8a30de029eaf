/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search-place.h - the entries that one hit may be shown as, some at a time
 *
 * First those that match the query, best first, then all others that lead to the same. There may be
 * a million: no more are held than were asked for. */
#pragma once
#include "index/search/search-order.h"

typedef struct {
	int64_t node, root;
	char *path;
	double order;
	bool matches; /* matches the query itself; else only a copy */
} SearchPlace;

typedef struct {
	const Search *s;
	const GArray *matches; /* SearchMatch */
	const SearchGroup *group;
	guint next; /* match of the group */
	const SearchMatch *any; /* a match that counts for all entries; NULL: there is none */
	GArray *named; /* int64_t, ascending: entries that are matches themselves; NULL: not yet */
	sqlite3_stmt *all; /* entries that lead to the same */
	bool done;
} SearchPositions;

void search_positions_begin(SearchPositions *positions, const Search *s, const GArray *matches,
        const SearchGroup *group);
void search_positions_clear(SearchPositions *positions);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(SearchPositions, search_positions_clear)
/* Of SearchPlace. */
GArray *search_place_list_new(void);
/* The list gets the next ones, about max, in the order in which they are to be shown; none: that
 * was all. */
bool search_positions_next(SearchPositions *positions, guint max, GArray *list, GError **error);
