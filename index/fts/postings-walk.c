/* SPDX-License-Identifier: GPL-3.0-or-later */
/* postings-walk.c - the posting lists of all terms, from the pages of an FTS5 table
 *
 * Each segment has its terms in ascending order. A cursor stands on a term of each; the least of
 * their terms is the next one of the walk. */
#include <config.h>
#include "index/fts/fts-private.h"
#include <string.h>

typedef struct {
	PageLookup *lookup; /* its page stands on a term, unless ended */
	bool ended;
	unsigned *pages; /* counts the pages that are opened */
} WalkCursor;

static void walk_cursor_clear(void *item)
{
	WalkCursor *cursor = item;
	g_byte_array_unref(cursor->lookup->copy);
	g_free(cursor->lookup);
}

static const char *walk_term(const WalkCursor *cursor)
{
	return cursor->lookup->page.term + 1;
}

/* Goes on to the next term of the main index that contains no NUL. */
static bool walk_cursor_next(WalkCursor *cursor, GError **error)
{
	PageLookup *lookup = cursor->lookup;
	FtsPage *page = &lookup->page;
	for (;;) {
		int found = fts_page_next(page);
		if (found < 0)
			return pages_fail_damaged(error);
		if (found > 0 && page->term[0] == FTS_MAIN_INDEX &&
		        strlen(page->term) == page->term_length)
			return true;
		if (found > 0)
			continue;
		++*cursor->pages;
		int opened = pages_lookup_page(lookup, lookup->id + 1, error);
		cursor->ended = opened == 0;
		if (opened <= 0)
			return opened == 0;
	}
}

/* Stands on the first term after `after`. */
static bool walk_cursor_begin(
        WalkCursor *cursor, int64_t segment, const char *after, GError **error)
{
	int64_t id = pages_lookup_id(cursor->lookup, segment, after, error);
	int opened = id > 0 ? pages_lookup_page(cursor->lookup, id, error) : (int)id;
	cursor->ended = opened == 0;
	if (opened <= 0)
		return opened == 0;
	do {
		if (!walk_cursor_next(cursor, error))
			return false;
	} while (!cursor->ended && strcmp(walk_term(cursor), after) <= 0);
	return true;
}

static GArray *walk_begin(
        Reader *r, TermTable table, const char *after, unsigned *pages, GError **error)
{
	g_autofree PageLookup *lookup = pages_lookup_new(r, table);
	g_autoptr(GArray) segments = pages_segments(lookup, error);
	g_autoptr(GArray) cursors = g_array_new(FALSE, FALSE, sizeof(WalkCursor));
	g_array_set_clear_func(cursors, walk_cursor_clear);
	for (guint i = 0; segments && i < segments->len; i++) {
		WalkCursor cursor = {pages_lookup_new(r, table), false, pages};
		cursor.lookup->copy = g_byte_array_new();
		g_array_append_val(cursors, cursor);
		if (!walk_cursor_begin(&g_array_index(cursors, WalkCursor, i),
		            g_array_index(segments, int64_t, i), after, error))
			return NULL;
	}
	return segments ? g_steal_pointer(&cursors) : NULL;
}

/* Returns the least term of all cursors, which the caller owns; NULL: all have ended. */
static char *walk_least(const GArray *cursors)
{
	const char *least = NULL;
	for (guint i = 0; i < cursors->len; i++) {
		const WalkCursor *cursor = &g_array_index(cursors, WalkCursor, i);
		if (!cursor->ended && (!least || strcmp(walk_term(cursor), least) < 0))
			least = walk_term(cursor);
	}
	return g_strdup(least);
}

/* Passes the postings of a term on, and moves the cursors that stand on it. */
static bool walk_pass(
        const GArray *cursors, const char *term, const TermWalkFuncs *f, void *data, GError **error)
{
	bool wanted = f->term(data, term);
	for (guint i = 0; i < cursors->len; i++) {
		WalkCursor *cursor = &g_array_index(cursors, WalkCursor, i);
		PagePostings postings = {
		        .lookup = cursor->lookup, .counted = true, .f = f->posting, .data = data};
		if (cursor->ended || strcmp(walk_term(cursor), term) != 0)
			continue;
		int64_t id = cursor->lookup->id;
		if (wanted && !pages_read_list(&postings, error))
			return false;
		*cursor->pages += cursor->lookup->id > id ? cursor->lookup->id - id : 0;
		cursor->ended = cursor->lookup->id == 0; /* the list ended with the segment */
		if (!cursor->ended && !walk_cursor_next(cursor, error))
			return false;
		wanted &= !postings.stopped;
	}
	return true;
}

bool pages_walk(Reader *r, TermTable table, const char *after, unsigned pages,
        const TermWalkFuncs *f, void *data, char **last_r, GError **error)
{
	unsigned read = 0;
	g_autoptr(GArray) cursors = walk_begin(r, table, after, &read, error);
	g_autofree char *term = NULL;
	if (!cursors)
		return false;
	for (read = 0; read < pages;) {
		char *next = walk_least(cursors);
		if (!next)
			break;
		g_free(term);
		term = next;
		if (!walk_pass(cursors, term, f, data, error))
			return false;
	}
	*last_r = g_steal_pointer(&term);
	return true;
}
