/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/search/search-near.h"
#include "common/base/compare.h"
#include "common/base/paths.h"
#include <string.h>

enum { LEADERS_ASKED = 1000 };

static const char print_sql[] = "SELECT p.bits, d.words, f.text_checksum FROM fingerprint p "
                                "CROSS JOIN document d ON d.id = p.document "
                                "LEFT JOIN fact f ON f.document = p.document WHERE p.document = ?1";
static const char twin_sql[] =
        "SELECT 1 FROM node n CROSS JOIN inode i ON i.id = n.inode "
        "CROSS JOIN inode i2 ON i2.content = i.content CROSS JOIN node n2 ON n2.inode = i2.id "
        "WHERE n.id = ?1 AND i.size > 0 AND n2.id <> n.id";

static bool asks_for_near(const QueryNode *node)
{
	if (node->op == QUERY_FILTER)
		return node->filter == FILTER_NEAR;
	for (guint i = 0; node->children && i < node->children->len; i++)
		if (asks_for_near(node->children->pdata[i]))
			return true;
	return false;
}

bool search_collapses_near(const Search *s)
{
	return s->options->dups != DUPS_SHOW && !s->options->near_separate &&
	       !asks_for_near(s->plan->root);
}

/* ---- leaders */

void search_leaders_begin(SearchLeaders *leaders)
{
	leaders->prints = g_array_new(FALSE, FALSE, sizeof(SearchPrint));
	leaders->hits = g_ptr_array_new();
}

void search_leaders_clear(SearchLeaders *leaders)
{
	g_array_unref(leaders->prints);
	g_ptr_array_unref(leaders->hits);
}

void search_leaders_add(SearchLeaders *leaders, const SearchPrint *print, Hit *hit)
{
	g_array_append_vals(leaders->prints, print, 1);
	g_ptr_array_add(leaders->hits, hit);
}

static bool search_page_names(const Search *s, const Hit *page, const Hit *other)
{
	g_autofree char *canonical = search_canonical_of(s, page->info.document);
	return g_strcmp0(canonical, other->info.path) == 0;
}

/* leader: NULL if it is on an earlier page. */
static bool search_names_the_other(const Search *s, const Hit *leader, const Hit *hit)
{
	return leader && path_is_web(leader->info.path) && path_is_web(hit->info.path) &&
	       (search_page_names(s, leader, hit) || search_page_names(s, hit, leader));
}

static bool search_has_same_text(const SearchPrint *leader, const SearchPrint *print)
{
	return (print->text != 0 && leader->text == print->text) ||
	       MIN(leader->words, print->words) >= FOLDED_LEAST_WORDS;
}

static guint search_leaders_first(const SearchLeaders *leaders)
{
	guint n = leaders->prints->len;
	return n > LEADERS_ASKED ? n - LEADERS_ASKED : 0;
}

bool search_leaders_any_near(const SearchLeaders *leaders, const NearPrint *near)
{
	for (guint i = search_leaders_first(leaders); i < leaders->prints->len; i++)
		if (near_is(&g_array_index(leaders->prints, SearchPrint, i).near, near))
			return true;
	return false;
}

int search_leaders_find(
        const Search *s, const SearchLeaders *leaders, const SearchPrint *print, const Hit *hit)
{
	for (guint i = search_leaders_first(leaders); i < leaders->prints->len; i++) {
		const SearchPrint *leader = &g_array_index(leaders->prints, SearchPrint, i);
		if (near_is(&leader->near, &print->near) &&
		        (search_has_same_text(leader, print) ||
		                search_names_the_other(s, leaders->hits->pdata[i], hit)))
			return (int)i;
	}
	return -1;
}

static void search_read_print(sqlite3_stmt *row, SearchPrint *out)
{
	enum { BITS, WORDS, TEXT };
	*out = (SearchPrint){.words = sqlite3_column_int64(row, WORDS)};
	near_unpack(sqlite3_column_blob(row, BITS), &out->near);
	if (sqlite3_column_bytes(row, TEXT) == TEXT_CHECKSUM_KEPT)
		memcpy(&out->text, sqlite3_column_blob(row, TEXT), sizeof out->text);
}

bool search_print_of(
        const Search *s, int64_t document, SearchPrint *out, bool *has_r, GError **error)
{
	sqlite3_stmt *statement = reader_statement(s->r, print_sql, error);
	*has_r = false;
	if (!statement)
		return false;
	sqlite3_bind_int64(statement, 1, document);
	int row = reader_step(s->r, statement, error);
	if (row > 0 && sqlite3_column_bytes(statement, 0) == NEAR_PRINT_BYTES) {
		search_read_print(statement, out);
		*has_r = true;
	}
	sqlite3_reset(statement);
	return row >= 0;
}

/* ---- only what has copies */

/* Appends the documents that have a fingerprint, ascending and without repetitions, and their
 * fingerprints. */
static bool read_prints(
        const Search *s, const Matches *m, GArray *documents, GArray *prints, GError **error)
{
	g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(int64_t));
	for (guint i = 0; i < m->list->len; i++)
		g_array_append_val(all, g_array_index(m->list, SearchMatch, i).document);
	g_array_sort(all, compare_int64);
	int64_t before = 0;
	for (guint i = 0; i < all->len; i++) {
		int64_t document = g_array_index(all, int64_t, i);
		SearchPrint print;
		bool has;
		if (document == before)
			continue;
		before = document;
		if (!search_print_of(s, document, &print, &has, error))
			return false;
		if (!has)
			continue;
		g_array_append_val(documents, document);
		g_array_append_val(prints, print.near);
	}
	return true;
}

/* Returns the documents that are near copies of another match, ascending. NULL with error. */
static GArray *near_matches(const Search *s, const Matches *m, GError **error)
{
	g_autoptr(GArray) documents = g_array_new(FALSE, FALSE, sizeof(int64_t));
	g_autoptr(GArray) prints = g_array_new(FALSE, FALSE, sizeof(NearPrint));
	if (!read_prints(s, m, documents, prints, error))
		return NULL;
	guint n = documents->len;
	g_autofree uint32_t *groups = g_new(uint32_t, MAX(n, 1));
	g_autofree uint32_t *sizes = g_new0(uint32_t, MAX(n, 1));
	GArray *linked = g_array_new(FALSE, FALSE, sizeof(int64_t));
	near_group((const NearPrint *)(void *)prints->data, n, groups, NULL, NULL);
	for (guint i = 0; i < n; i++)
		sizes[groups[i]]++;
	for (guint i = 0; i < n; i++)
		if (sizes[groups[i]] > 1)
			g_array_append_val(linked, g_array_index(documents, int64_t, i));
	return linked;
}

static int has_twin(const Search *s, int64_t node, GError **error)
{
	sqlite3_stmt *statement = reader_statement(s->r, twin_sql, error);
	if (!statement)
		return -1;
	sqlite3_bind_int64(statement, 1, node);
	int row = reader_step(s->r, statement, error);
	sqlite3_reset(statement);
	return row;
}

bool search_keep_dups(const Search *s, Matches *m, GError **error)
{
	g_autoptr(GArray) linked = near_matches(s, m, error);
	guint kept = 0, single = 0;
	if (!linked)
		return false;
	for (guint i = 0; i < m->list->len; i++) {
		SearchMatch match = g_array_index(m->list, SearchMatch, i);
		int keep = search_contains(linked, match.document) ? 1
		                                                   : has_twin(s, match.node, error);
		if (keep < 0)
			return false;
		if (!keep)
			continue;
		single += i < m->single;
		g_array_index(m->list, SearchMatch, kept++) = match;
	}
	g_array_set_size(m->list, kept);
	m->single = single;
	return true;
}
