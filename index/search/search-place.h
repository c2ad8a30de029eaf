/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search-place.h - the entries that a hit may be shown as, some at a time
 *
 * Entries that match the query come first, that with the highest or lowest order at the front, then
 * all others with the same content. There may be a million, so only as many are held as were asked
 * for. */
#pragma once
#include "index/search/search-order.h"

typedef struct {
	int64_t node, root;
	char *path;
	double order;
	double use; /* see demote_path(); set where there are several entries to choose from */
	bool matches; /* it matches the query; else it is only a copy */
	bool canonical; /* it is the page that the document names as its own */
} SearchPlace;

typedef struct {
	const Search *s;
	const GArray *matches; /* SearchMatch */
	const SearchGroup *group;
	bool lowest; /* the lowest order is at the front */
	guint next; /* match of the group */
	const SearchMatch *any; /* a match that stands for all entries; NULL: there is none */
	GArray *named; /* int64_t, ascending: entries that match themselves; NULL: not read yet */
	sqlite3_stmt *all; /* the entries with the same content */
	bool done;
	char *canonical; /* the URL that the document names as its own, once there is a page */
	bool canonical_known;
} SearchPositions;

void search_positions_begin(SearchPositions *positions, const Search *s, const GArray *matches,
        const SearchGroup *group, bool lowest);
void search_positions_clear(SearchPositions *positions);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(SearchPositions, search_positions_clear)
/* Returns an empty list of SearchPlace. The caller owns it. */
GArray *search_place_list_new(void);
/* Fills the list with about max more entries in the order of showing; the list is empty after the
 * last one. */
bool search_positions_next(SearchPositions *positions, guint max, GArray *list, GError **error);
