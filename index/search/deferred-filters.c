/* SPDX-License-Identifier: GPL-3.0-or-later */
/* deferred-filters.c - filters that are evaluated for the best matches first
 *
 * A filter needs the rows of the entry: five look-ups, which take longer than finding and ranking
 * the document. Where the score gives the order, documents are ranked by their words alone, and
 * the filters are evaluated for about as many of the best as fill a page. If too few match, they
 * are evaluated for all others that can match (index/search/search-scan.c). So hits that are
 * lowered later (index/search/demote.h) make room for those among the SEARCH_SPARE next ones alone,
 * unless there are at most search_at_once matches. The entries below a small directory are known
 * before anything is evaluated. */
#include <config.h>
#include "index/search/candidates.h"
#include "index/search/search-order.h"
#include <stdlib.h>

guint search_at_once = 4000;

/* Appends the entries of the matches that match the filters. */
static bool deferred_ask(const Search *s, const GArray *asked, GArray *out, GError **error)
{
	const SearchMatch *match = (const SearchMatch *)(const void *)asked->data;
	g_autoptr(GArray) documents = search_documents(asked);
	g_autoptr(CandidateIterator) rows =
	        candidates_of_rows(s, ROWS_OF_DOCUMENTS, documents, error);
	Candidate candidate;
	int found = rows ? 1 : -1;
	while (found > 0 && (found = rows->next(rows, &candidate, error)) > 0) {
		if (!search_holds_mixed(s, &candidate))
			continue;
		while (match->document !=
		        candidate.match.document) /* rows come in the order of the list */
			match++;
		candidate.match.order = match->order;
		g_array_append_val(out, candidate.match);
	}
	return found == 0;
}

/* Returns the order of the last of so many of the best matches. */
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

/* Moves the best matches out. Both lists keep their order. */
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

typedef int (*ScanFunc)(const Search *s, GArray **inodes_r, GError **error);

/* If few matches can match the filters, keeps only those. */
static bool keep_possible(const Search *s, ScanFunc scan, GArray *matches, GError **error)
{
	g_autoptr(GArray) inodes = NULL;
	int few = scan(s, &inodes, error);
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

/* Returns how many further matches probably give those that are lacking, if found of those that
 * were asked match the filters; 0: hardly any do. */
static guint next_best(guint asked, guint found, uint64_t enough)
{
	enum { AMPLE = 2 };
	double most = found > 0 ? AMPLE * (double)asked * (enough - found) / found : 0;
	return most < G_MAXUINT ? (guint)most : 0;
}

/* Asks the best matches until there are enough, or until it would take the larger part of what is
 * left. *full_r: a page is full. */
static bool deferred_fill(const Search *s, Matches *m, GArray *left, guint most, uint64_t page,
        bool *full_r, GError **error)
{
	uint64_t enough = page + MIN(page, SEARCH_SPARE);
	guint asked = 0, found = 0;
	do {
		g_autoptr(GArray) best = take_best(left, most);
		if (!deferred_ask(s, best, m->list, error))
			return false;
		asked += best->len;
		found = deferred_count_documents(m->list);
		most = found < enough ? next_best(asked, found, enough) : 0;
	} while (most > 0 && most < left->len / 2);
	*full_r = found >= page;
	return true;
}

bool search_deferred_filter(const Search *s, Matches *m, GError **error)
{
	uint64_t page = (uint64_t)s->options->offset + s->options->limit,
	         first = page + MIN(SEARCH_SPARE, search_at_once);
	g_autoptr(GArray) left = g_steal_pointer(&m->list);
	m->list = g_array_new(FALSE, FALSE, sizeof(SearchMatch));
	if (left->len > MAX(search_at_once, first) &&
	        !keep_possible(s, search_scan_below, left, error))
		return false;
	bool all = s->options->count || left->len <= MAX(search_at_once, first), full = false;
	if (!deferred_fill(s, m, left, all ? left->len : first, page, &full, error))
		return false;
	if (full) {
		m->unasked = left->len;
		return true;
	}
	return (all || keep_possible(s, search_scan, left, error)) &&
	       deferred_ask(s, left, m->list, error);
}
