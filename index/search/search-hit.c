/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search-hit.c - turns groups of matches into hits: best entry, copies, check of the file system */
#include <config.h>
#include "index/read/away-roots.h"
#include "index/read/access.h"
#include "index/search/demote.h"
#include "index/search/same-signs.h"
#include "index/search/search-near.h"
#include "index/search/search-place.h"
#include "common/base/paths.h"
#include "common/base/text.h"
#include "common/url/url-name.h"
#include "index/store/states.h"
#include <math.h>
#include <string.h>

/* Some licence texts have thousands of copies. */
enum { MAX_COPIES = 10000, POSITIONS_AT_ONCE = 1024 };
/* Near copies of the hits are looked for in so many groups after the page. */
enum { LOOK_AHEAD = SEARCH_CHECKS };
/* The order of so many of the best groups is looked at again. It is the same on every page. */
enum { MOST_DEMOTED = 256 };
/* For so long: a disk that sleeps or is busy may take milliseconds for each of them. With -c, until
 * so long before the end of the query's time, because an upper bound is better than no answer. */
enum { LOOK_US = 150 * 1000, COUNT_LEFT_US = 500 * 1000 };

/* The page that is being filled. */
typedef struct {
	const Search *s;
	const GArray *matches; /* SearchMatch, sorted by group */
	const GArray *meanings; /* SearchScore; see Matches */
	SearchHeap *heap; /* the groups that were not taken yet */
	SearchResult *result;
	SearchLeaders leaders;
	SameSigns *signs; /* NULL: the query has no joined words */
	bool collapse, near, by_score, lowest;
	double order; /* of the entry of the last hit */
	unsigned passed, dropped, collapsed, demoted;
	guint least; /* groups that come after all others and are only counted */
	guint copies; /* number of paths of copies, over all hits */
} HitPage;

static const char info_sql[] =
        "SELECT " INFO_COLUMNS "FROM node n CROSS JOIN inode i ON i.id = n.inode "
        "LEFT JOIN content c ON c.id = i.content "
        "LEFT JOIN document d ON d.id = ?2 AND d.content = i.content "
        "LEFT JOIN fact f ON f.document = d.id WHERE n.id = ?1";
static const char document_info_sql[] =
        "SELECT " INFO_COLUMNS "FROM document d CROSS JOIN inode i ON i.content = d.content "
        "CROSS JOIN node n ON n.inode = i.id LEFT JOIN content c ON c.id = d.content "
        "LEFT JOIN fact f ON f.document = d.id WHERE d.id = ?1 AND i.state <> " SQL_INODE_ORPHAN;
static const char entries_sql[] =
        "SELECT n.id, n.parent, n.name, i.kind, "
        "CASE WHEN ?2 THEN (SELECT member FROM fact WHERE document = d.id) END FROM document d "
        "CROSS JOIN inode i ON i.content = d.content CROSS JOIN node n ON n.inode = i.id "
        "WHERE d.id = ?1 AND i.state <> " SQL_INODE_ORPHAN " LIMIT 2";

bool search_is_offline(const GArray *offline, int64_t root)
{
	for (guint i = 0; i < offline->len; i++)
		if (g_array_index(offline, int64_t, i) == root)
			return true;
	return false;
}

static bool read_info(
        const Search *s, int64_t node, int64_t document, Info **info_r, GError **error)
{
	sqlite3_stmt *statement = reader_statement(s->r, info_sql, error);
	if (!statement)
		return false;
	sqlite3_bind_int64(statement, 1, node);
	sqlite3_bind_int64(statement, 2, document);
	int row = reader_step(s->r, statement, error);
	*info_r = row > 0 ? reader_info_of_row(s->r, statement, NULL) : NULL;
	sqlite3_reset(statement);
	return row >= 0;
}

/* True if the entry may be shown. */
static bool is_shown(const Search *s, Info *info, int64_t root)
{
	info->offline = search_is_offline(s->offline, root);
	if (!reader_tells(s->r, info->path) || !reader_tells_member(s->r, info->member))
		return false;
	if (info->offline)
		return s->plan->shows_offline;
	return access_check(info->path, &info->stat, s->options->uid, &info->stale) == ENTRY_SEEN;
}

/* *info_r NULL: the entry must not be shown. */
static bool search_visit(
        const Search *s, const SearchPlace *place, int64_t document, Info **info_r, GError **error)
{
	if (!read_info(s, place->node, document, info_r, error))
		return false;
	if (*info_r && !is_shown(s, *info_r, place->root))
		g_clear_pointer(info_r, info_free);
	return true;
}

static guint most_copies(const Search *s)
{
	return s->options->copies > 0 ? s->options->copies : MAX_COPIES;
}

static bool add_copy(HitPage *page, Hit *hit, const SearchPlace *place, GError **error)
{
	const Search *s = page->s;
	g_autoptr(Info) info = NULL;
	if (!search_visit(s, place, hit->info.document, &info, error))
		return false;
	if (info && (hit->copies->len == most_copies(s) || page->copies == MAX_COPIES))
		hit->copies_cut = true;
	else if (info && ++page->copies)
		g_ptr_array_add(hit->copies,
		        info->member ? g_strdup_printf("%s|%s", info->path, info->member)
		                     : g_steal_pointer(&info->path));
	return true;
}

/* The order of near copies counts the bits of simhash and sketch together. */
static void set_distance(const Search *s, Hit *hit, double order)
{
	hit->distance = -1;
	if (s->plan->related && hit->info.document != 0)
		hit->likeness = search_likeness(s, s->plan->related, hit->info.document);
	if (s->plan->sort != SORT_NEAREST || !s->plan->near)
		return;
	hit->distance = near_bits(&s->plan->near->print, &hit->info.near);
	hit->similarity = CLAMP(1 - 2 * (-order - hit->distance) / SKETCH_BITS, 0, 1);
}

static void set_score(const Search *s, Hit *hit, double order)
{
	hit->words_matched = s->plan->step > 0 ? order / s->plan->step : 0;
	hit->score =
	        s->plan->sort == SORT_RELEVANCE ? order - hit->words_matched * s->plan->step : 0;
}

static double share_of_meaning(const GArray *meanings, int64_t document)
{
	for (guint i = 0; i < meanings->len; i++) /* few, and only of the hits on the page */
		if (g_array_index(meanings, SearchScore, i).document == document)
			return g_array_index(meanings, SearchScore, i).score;
	return 0;
}

static Hit *hit_new(HitPage *page, Info *info, double order)
{
	Hit *hit = g_new0(Hit, 1);
	page->order = order;
	hit->info = *info;
	g_free(info);
	set_score(page->s, hit, order);
	set_distance(page->s, hit, order);
	hit->meaning_share = share_of_meaning(page->meanings, hit->info.document);
	hit->copies = g_ptr_array_new_with_free_func(g_free);
	return hit;
}

/* Most documents have one entry, which is the hit, and there are no copies. *sole_r NULL: there are
 * several entries, or none. */
static bool read_sole(
        const Search *s, int64_t document, Info **sole_r, int64_t *root_r, GError **error)
{
	*sole_r = NULL;
	sqlite3_stmt *statement = reader_statement(s->r, document_info_sql, error);
	if (!statement)
		return false;
	sqlite3_bind_int64(statement, 1, document);
	int row = reader_step(s->r, statement, error);
	if (row > 0) {
		*sole_r = reader_info_of_row(s->r, statement, root_r);
		row = reader_step(s->r, statement, error);
	}
	if (row != 0)
		g_clear_pointer(sole_r, info_free);
	sqlite3_reset(statement);
	return row >= 0;
}

/* Makes the best entry of the list that may be shown the hit, if there is none yet, and the others
 * its copies. *more_r: the rest of the list is needed too. */
static bool take_positions(HitPage *page, const GArray *list, int64_t document, bool copies,
        Hit **hit_r, bool *more_r, GError **error)
{
	for (guint i = 0; i < list->len; i++) {
		const SearchPlace *place = &g_array_index(list, SearchPlace, i);
		Info *info = NULL;
		*more_r = *hit_r ? copies && !(*hit_r)->copies_cut : place->matches;
		if (!*more_r)
			return true;
		if (*hit_r ? !add_copy(page, *hit_r, place, error)
		           : !search_visit(page->s, place, document, &info, error))
			return false;
		if (info)
			*hit_r = hit_new(page, info, place->order);
	}
	*more_r = !*hit_r || (copies && !(*hit_r)->copies_cut);
	return true;
}

static bool make_best_hit(HitPage *page, const SearchGroup *group, int64_t document, bool copies,
        Hit **hit_r, GError **error)
{
	g_auto(SearchPositions) positions = {0};
	g_autoptr(GArray) list = search_place_list_new();
	bool more = true;
	search_positions_begin(&positions, page->s, page->matches, group, page->lowest);
	do {
		if (!search_positions_next(&positions, POSITIONS_AT_ONCE, list, error) ||
		        !take_positions(page, list, document, copies, hit_r, &more, error))
			return false;
	} while (more && list->len > 0);
	if (*hit_r && group->demoted)
		set_score(page->s, *hit_r, group->order);
	if (*hit_r)
		g_ptr_array_sort((*hit_r)->copies, text_compare_elements);
	return true;
}

/* *hit_r NULL: nothing of the group can be shown. copies: hits before the page need none. */
static bool make_hit(
        HitPage *page, const SearchGroup *group, bool copies, Hit **hit_r, GError **error)
{
	const Search *s = page->s;
	int64_t document = g_array_index(page->matches, SearchMatch, group->first).document, root;
	Info *sole = NULL;
	*hit_r = NULL;
	if (document != 0 && !read_sole(s, document, &sole, &root, error))
		return false;
	if (!sole && make_best_hit(page, group, document, copies, hit_r, error))
		return true;
	if (!sole) {
		g_clear_pointer(hit_r, hit_free);
		return false;
	}
	if (is_shown(s, sole, root))
		*hit_r = hit_new(page, sole, group->order);
	else
		info_free(sole);
	return true;
}

/* ---- orders that need the paths of all matches */

typedef struct {
	char *key;
	guint match;
} Keyed;

static int compare_keys(const void *a, const void *b)
{
	return strcmp(((const Keyed *)a)->key, ((const Keyed *)b)->key);
}

static const char sort_key_sql[] =
        "SELECT n.parent, n.name, (SELECT f.member FROM fact f WHERE f.document = ?2) "
        "FROM node n WHERE n.id = ?1";

/* Names do not need the path of their directory. */
static char *path_to_sort(const Search *s, sqlite3_stmt *row, int64_t node)
{
	const void *name = sqlite3_column_blob(row, 1);
	int length = sqlite3_column_bytes(row, 1);
	if (s->plan->sort == SORT_PATH)
		return reader_path(s->r, sqlite3_column_int64(row, 0), node, name, length, NULL);
	return g_strndup(name ? name : "", length);
}

static char *key_of_row(const Search *s, sqlite3_stmt *row, int64_t node)
{
	g_autofree char *path = path_to_sort(s, row, node);
	const char *member = (const char *)sqlite3_column_text(row, 2);
	if (!path)
		return g_strdup("");
	char *whole = g_strconcat(path, member ? "|" : NULL, member, NULL);
	if (s->plan->sort == SORT_PATH)
		return whole;
	g_autofree char *name = url_or_path_name(whole);
	g_free(whole);
	return g_ascii_strdown(name, -1);
}

/* Only the columns that count are read: there may be a million matches. */
static char *sort_key(const Search *s, const SearchMatch *match, GError **error)
{
	sqlite3_stmt *statement = reader_statement(s->r, sort_key_sql, error);
	if (!statement)
		return NULL;
	sqlite3_bind_int64(statement, 1, match->node);
	sqlite3_bind_int64(statement, 2, match->document);
	int row = reader_step(s->r, statement, error);
	char *key = row > 0    ? key_of_row(s, statement, match->node)
	            : row == 0 ? g_strdup("")
	                       : NULL;
	sqlite3_reset(statement);
	return key;
}

/* Equal names or paths get the same rank. */
bool search_rank(const Search *s, Matches *m, GError **error)
{
	if (s->plan->sort != SORT_NAME && s->plan->sort != SORT_PATH)
		return true;
	g_autofree Keyed *keyed = g_new0(Keyed, m->list->len + 1);
	guint n = 0, rank = 0;
	while (n < m->list->len) {
		keyed[n].match = n;
		keyed[n].key = sort_key(s, &g_array_index(m->list, SearchMatch, n), error);
		if (!keyed[n].key)
			break;
		n++;
	}
	bool ok = n == m->list->len;
	qsort(keyed, n, sizeof *keyed, compare_keys);
	for (guint i = 0; i < n; i++) {
		rank += i > 0 && strcmp(keyed[i - 1].key, keyed[i].key) != 0;
		g_array_index(m->list, SearchMatch, keyed[i].match).order = rank;
	}
	for (guint i = 0; i < n; i++)
		g_free(keyed[i].key);
	return ok;
}

bool search_find_offline(Reader *r, GArray *offline, GError **error)
{
	g_autoptr(GArray) away = away_roots(r, error);
	for (guint i = 0; away && i < away->len; i++)
		g_array_append_val(offline, g_array_index(away, AwayRoot, i).node);
	return away != NULL;
}

/* Names and paths ascend by default; all else descends. */
static bool goes_up(const Search *s)
{
	bool text = s->plan->sort == SORT_NAME || s->plan->sort == SORT_PATH;
	return text != s->options->reverse;
}

/* In such an order a hit is the copy with the lowest order: the copy that comes first, as the user
 * sees it. The best or nearest one is shown in any direction. */
static bool shows_lowest(const Search *s)
{
	return goes_up(s) && s->plan->sort != SORT_RELEVANCE && s->plan->sort != SORT_NEAREST;
}

/* Adds another hit with the same content to the copies of a hit. Takes ownership of copy. */
static void merge_copy(Hit *hit, Hit *copy, guint most)
{
	const Info *info = &copy->info;
	hit->copies_cut |= hit->copies->len >= most;
	if (!hit->copies_cut)
		g_ptr_array_add(hit->copies,
		        info->member ? g_strdup_printf("%s|%s", info->path, info->member)
		                     : g_strdup(info->path));
	while (copy->copies->len > 0 && hit->copies->len < most)
		g_ptr_array_add(hit->copies, g_ptr_array_steal_index_fast(copy->copies, 0));
	hit->copies_cut |= copy->copies_cut || copy->copies->len > 0;
	g_ptr_array_sort(hit->copies, text_compare_elements);
	hit_free(copy);
}

/* Of near copies, the page is shown that the other names as its own address. */
static void prefer_canonical(const HitPage *page, Hit *shown, Hit *copy)
{
	if (!path_is_web(shown->info.path) || !path_is_web(copy->info.path))
		return;
	g_autofree char *canonical = search_canonical_of(page->s, shown->info.document);
	if (g_strcmp0(canonical, copy->info.path) != 0)
		return;
	const Info info = shown->info;
	shown->info = copy->info;
	copy->info = info;
}

/* If the hit is shown under one before it, takes ownership of it and returns true. print: NULL if
 * it is not to be compared. */
static bool collapse_hit(HitPage *page, Hit *hit, const SearchPrint *print)
{
	int leader = print ? search_leaders_find(page->s, &page->leaders, print, hit) : -1;
	if (leader < 0)
		return false;
	Hit *shown = page->leaders.hits->pdata[leader];
	page->collapsed++;
	if (shown) {
		prefer_canonical(page, shown, hit);
		merge_copy(shown, hit, most_copies(page->s));
	} else {
		hit_free(hit);
	}
	return true;
}

/* Takes ownership of hit; NULL: it may not be shown. */
static bool place_hit(HitPage *page, Hit *hit, bool shown, GError **error)
{
	SearchPrint print;
	bool has = false;
	page->dropped += !hit;
	if (!hit)
		return true;
	if (page->near && hit->info.has_near &&
	        !search_print_of(page->s, hit->info.document, &print, &has, error)) {
		hit_free(hit);
		return false;
	}
	if (collapse_hit(page, hit, has ? &print : NULL))
		return true;
	if (has)
		search_leaders_add(&page->leaders, &print, shown ? hit : NULL);
	page->passed += !shown;
	if (shown)
		g_ptr_array_add(page->result->hits, hit);
	else
		hit_free(hit);
	return true;
}

/* Lowers the score, but not the steps for the number of words. */
static bool demote(const HitPage *page, SearchGroup *group, GError **error)
{
	const SearchMatch *match = &g_array_index(page->matches, SearchMatch, group->first);
	double step = page->s->plan->step, steps = step > 0 ? floor(group->order / step) : 0;
	double factor, signs_factor = 1;
	group->demoted = true;
	if (!demote_group(page->s, match, &factor, error) ||
	        (page->signs && !same_signs_factor(page->signs, match, &signs_factor, error)))
		return false;
	group->order = steps * step + (group->order - steps * step) * factor * signs_factor;
	return true;
}

/* Takes the best group after lowering: 1; 0: there are no more; -1: error. */
static int take_best_group(HitPage *page, SearchGroup *group, GError **error)
{
	while (search_heap_take(page->heap, group)) {
		if (!page->by_score || group->demoted || page->demoted == MOST_DEMOTED)
			return 1;
		page->demoted++;
		if (!demote(page, group, error))
			return -1;
		search_heap_put(page->heap, group);
	}
	return 0;
}

/* The first match of the group may not be shown, and its hit is another one: if that comes later,
 * puts the group back and drops the hit. */
static bool defer_hit(HitPage *page, SearchGroup *group, Hit **hit)
{
	if (!*hit || page->by_score || group->demoted || page->order == group->order)
		return false;
	group->order = page->order;
	group->demoted = true;
	search_heap_put(page->heap, group);
	g_clear_pointer(hit, hit_free);
	return true;
}

static bool fill_page(HitPage *page, GError **error)
{
	SearchGroup group;
	int found = 1;
	while (page->result->hits->len < page->s->options->limit &&
	        (found = take_best_group(page, &group, error)) > 0) {
		Hit *hit;
		bool shown = page->passed == page->s->options->offset;
		if (!make_hit(page, &group, shown && page->collapse, &hit, error))
			return false;
		if (!defer_hit(page, &group, &hit) && !place_hit(page, hit, shown, error))
			return false;
	}
	return found >= 0;
}

/* Is the next group after the page a near copy of a hit? Then it joins its copies. */
static bool take_near(HitPage *page, const SearchGroup *group, SearchPrint *print, bool *has_r,
        bool *near_r, GError **error)
{
	int64_t document = g_array_index(page->matches, SearchMatch, group->first).document;
	Hit *hit = NULL;
	if (!search_print_of(page->s, document, print, has_r, error))
		return false;
	bool near = *has_r && search_leaders_any_near(&page->leaders, &print->near);
	if (near && !make_hit(page, group, true, &hit, error))
		return false;
	page->dropped += near && !hit;
	*near_r = near && (!hit || collapse_hit(page, hit, print));
	if (hit && !*near_r)
		hit_free(hit);
	return true;
}

bool search_row_allowed(const Search *s, sqlite3_stmt *row, bool *offline_r)
{
	int64_t root = 0;
	g_autofree char *path =
	        reader_path(s->r, sqlite3_column_int64(row, 1), sqlite3_column_int64(row, 0),
	                sqlite3_column_blob(row, 2), sqlite3_column_bytes(row, 2), &root);
	*offline_r = path && search_is_offline(s->offline, root);
	const char *member = (const char *)sqlite3_column_text(row, 4);
	if (!path || !reader_tells(s->r, path) || !reader_tells_member(s->r, member))
		return false;
	return *offline_r || access_allows(path, sqlite3_column_int64(row, 3), s->options->uid);
}

/* Like read_sole(), without the facts. *entries_r: 1, or there are several or none. */
static bool may_show_sole(
        const Search *s, int64_t document, bool *shown_r, int *entries_r, GError **error)
{
	sqlite3_stmt *statement = reader_statement(s->r, entries_sql, error);
	int row = statement ? 1 : -1;
	bool offline = false;
	*shown_r = false;
	if (statement) {
		sqlite3_bind_int64(statement, 1, document);
		sqlite3_bind_int(statement, 2, reader_asks_of_members(s->r));
	}
	for (*entries_r = 0; row > 0 && (row = reader_step(s->r, statement, error)) > 0;)
		if (++*entries_r == 1)
			*shown_r = search_row_allowed(s, statement, &offline) &&
			           (!offline || s->plan->shows_offline);
	if (statement)
		sqlite3_reset(statement);
	return row >= 0;
}

/* Drops a group that may not be shown, so that it is not counted. */
static bool check_group(HitPage *page, const SearchGroup *group, bool *shown_r, GError **error)
{
	int64_t document = g_array_index(page->matches, SearchMatch, group->first).document;
	Hit *hit = NULL;
	int entries = 0;
	if (document != 0 && !may_show_sole(page->s, document, shown_r, &entries, error))
		return false;
	if (entries != 1 && !make_hit(page, group, false, &hit, error))
		return false;
	if (entries != 1)
		*shown_r = hit != NULL;
	page->dropped += !*shown_r;
	hit_free(hit);
	return true;
}

/* A group that is not a near copy of those before it may have near copies itself. */
static bool look_at_group(HitPage *page, const SearchGroup *group, bool check, GError **error)
{
	SearchPrint print;
	bool has = false, near = false, shown;
	if (page->near && !take_near(page, group, &print, &has, &near, error))
		return false;
	if (near || !check)
		return true;
	if (!check_group(page, group, &shown, error))
		return false;
	if (has && shown)
		search_leaders_add(&page->leaders, &print, NULL);
	return true;
}

/* Looks at the groups after the page: near copies of its hits join them, and near copies of each
 * other and what may not be shown are not counted. If there are too many to check all of them, the
 * total is an upper bound anyway, and none is checked. */
static bool look_ahead(HitPage *page, GError **error)
{
	unsigned most = page->s->options->count ? SEARCH_COUNT_CHECKS : SEARCH_CHECKS;
	int64_t until_us = page->s->options->count ? page->s->r->deadline_us - COUNT_LEFT_US
	                                           : g_get_monotonic_time() + LOOK_US;
	bool check = page->heap->groups->len + (uint64_t)page->least <= most;
	SearchGroup group;
	for (unsigned i = 0; i < (check ? most : LOOK_AHEAD) && g_get_monotonic_time() < until_us &&
	                     search_heap_take(page->heap, &group);
	        i++) {
		if (!look_at_group(page, &group, check, error))
			return false;
	}
	return true;
}

static bool take_hits(
        const Search *s, const Matches *m, SearchHeap *heap, SearchResult *result, GError **error)
{
	HitPage page = {.s = s,
	        .matches = m->list,
	        .meanings = m->meanings,
	        .heap = heap,
	        .result = result,
	        .collapse = s->options->dups != DUPS_SHOW,
	        .near = search_collapses_near(s),
	        .by_score = s->plan->sort == SORT_RELEVANCE && !s->options->reverse,
	        .lowest = shows_lowest(s),
	        .least = m->least};
	g_autoptr(SameSigns) signs = page.by_score ? same_signs_new(s) : NULL;
	page.signs = signs;
	search_leaders_begin(&page.leaders);
	bool ok = fill_page(&page, error) && look_ahead(&page, error);
	search_leaders_clear(&page.leaders);
	result->total += m->unasked;
	result->total -= page.dropped + page.collapsed;
	result->total_exact = m->unasked == 0 && heap->groups->len == 0;
	return ok;
}

bool search_hits(const Search *s, Matches *m, SearchResult *result, GError **error)
{
	SearchHeap heap = {NULL, goes_up(s)};
	heap.groups =
	        search_groups(m->list, m->single, s->options->dups != DUPS_SHOW, shows_lowest(s));
	result->total = heap.groups->len;
	search_heap_make(&heap);
	bool ok = take_hits(s, m, &heap, result, error);
	g_array_unref(heap.groups);
	return ok;
}
