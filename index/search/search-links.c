/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search-links.c - "anchor:": finds the entries to which links with certain words lead
 *
 * The text of a link is part of the text of its document, so the text index gives the documents
 * that may have such a link. Their links are put into an FTS5 table in memory, which is searched
 * for the same words. The targets of the links that match are then looked up. */
#include <config.h>
#include "common/base/paths.h"
#include "common/url/url-canonical.h"
#include "index/store/links.h"
#include "index/search/search-private.h"
#include "index/store/states.h"
#include "index/text/tokenizer.h"

static const char candidates_sql[] =
        "SELECT l.content, l.packed FROM text CROSS JOIN document d ON d.id = text.rowid "
        "CROSS JOIN link l ON l.content = d.content WHERE text MATCH ?1";
static const char linking_sql[] =
        "SELECT n.id FROM tarsier_asked a CROSS JOIN inode i ON i.content = a.id "
        "CROSS JOIN node n ON n.inode = i.id WHERE i.state <> " SQL_INODE_ORPHAN;
static const char table_sql[] = "PRAGMA temp_store = MEMORY; CREATE VIRTUAL TABLE link USING "
                                "fts5(words, content='', tokenize='tarsier'); BEGIN";

typedef struct {
	int64_t content;
	char *target;
} Found;

typedef struct {
	sqlite3 *db; /* in memory */
	sqlite3_stmt *add;
	Rank rank;
	GArray *links; /* Found, by rowid - 1 */
	int64_t content; /* the content whose links are being added */
	bool failed;
} Links;

static void clear_found(void *data)
{
	g_free(((Found *)data)->target);
}

static void links_clear(Links *links)
{
	sqlite3_finalize(links->add);
	sqlite3_close(links->db);
	g_array_unref(links->links);
}

static bool links_open(Links *links, GError **error)
{
	links->links = g_array_new(FALSE, FALSE, sizeof(Found));
	g_array_set_clear_func(links->links, clear_found);
	if (sqlite3_open_v2(":memory:", &links->db,
	            SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX,
	            NULL) != SQLITE_OK)
		return db_fail(links->db, NULL, error);
	if (!db_register_tokenizer(links->db, error) ||
	        !rank_register(links->db, &links->rank, error))
		return false;
	if (sqlite3_exec(links->db, table_sql, NULL, NULL, NULL) != SQLITE_OK ||
	        sqlite3_prepare_v2(links->db, "INSERT INTO link(rowid, words) VALUES(?1, ?2)", -1,
	                &links->add, NULL) != SQLITE_OK)
		return db_fail(links->db, NULL, error);
	return true;
}

static void search_add_link(void *data, const char *target, const char *text)
{
	Links *links = data;
	if (!*text) /* what the document says of itself */
		return;
	Found found = {links->content, g_strdup(target)};
	g_array_append_val(links->links, found);
	sqlite3_bind_int64(links->add, 1, links->links->len);
	sqlite3_bind_text(links->add, 2, text, -1, SQLITE_STATIC);
	links->failed |= sqlite3_step(links->add) != SQLITE_DONE;
	sqlite3_reset(links->add);
}

static bool add_candidates(const Search *s, Links *links, const char *match, GError **error)
{
	sqlite3_stmt *statement = reader_statement(s->r, candidates_sql, error);
	int row = statement ? 1 : -1;
	if (statement)
		sqlite3_bind_text(statement, 1, match, -1, SQLITE_STATIC);
	while (row > 0 && (row = reader_step(s->r, statement, error)) > 0) {
		links->content = sqlite3_column_int64(statement, 0);
		links_unpack(sqlite3_column_blob(statement, 1), sqlite3_column_bytes(statement, 1),
		        search_add_link, links);
	}
	return row == 0 && (!links->failed || db_fail(links->db, NULL, error));
}

/* The path of the target of a link in the document at a path. Nothing that a page says leads to a
 * local file. NULL: there is none. The caller frees it. */
static char *search_target_path(const char *from, const char *target)
{
	if (path_is_web(target))
		return g_strdup(target);
	if (!path_is_web(from)) {
		g_autofree char *dir = g_path_get_dirname(from);
		return links_resolve(dir, target);
	}
	g_autofree char *href = g_uri_escape_string(target, "/", FALSE);
	g_autoptr(Url) base = url_parse(from, -1, NULL, NULL);
	g_autofree char *url = base ? url_canonical(href, -1, base, NULL) : NULL;
	return url && path_is_web(url) ? g_steal_pointer(&url) : NULL;
}

/* Appends what the target of a link means in the document of this entry. */
static bool append_target(
        const Search *s, int64_t from, const char *target, GArray *nodes, GError **error)
{
	static const char sql[] = "SELECT parent, name FROM node WHERE id = ?1";
	sqlite3_stmt *row = reader_statement(s->r, sql, error);
	if (!row)
		return false;
	sqlite3_bind_int64(row, 1, from);
	int found = reader_step(s->r, row, error);
	g_autofree char *place =
	        found > 0 ? reader_path(s->r, sqlite3_column_int64(row, 0), from,
	                            sqlite3_column_blob(row, 1), sqlite3_column_bytes(row, 1), NULL)
	                  : NULL;
	sqlite3_reset(row);
	g_autofree char *path = place ? search_target_path(place, target) : NULL;
	return found >= 0 && (!path || !*path || search_path(s, path, nodes, error));
}

/* Appends the entries that the target of a link means, once for each place of its document. */
static bool append_targets(const Search *s, const Found *found, GArray *nodes, GError **error)
{
	g_autoptr(GArray) linking = g_array_new(FALSE, FALSE, sizeof(int64_t));
	g_autoptr(GArray) content = g_array_new(FALSE, FALSE, sizeof(int64_t));
	g_array_append_val(content, found->content);
	if (!search_append_ids(s, linking_sql, content, linking, error))
		return false;
	for (guint i = 0; i < linking->len; i++)
		if (!append_target(
		            s, g_array_index(linking, int64_t, i), found->target, nodes, error))
			return false;
	return true;
}

static bool ask_links(
        const Search *s, Links *links, const SearchTerm *term, GArray *nodes, GError **error)
{
	sqlite3_stmt *statement = NULL;
	bool ok = true;
	int row;
	rank_reset(&links->rank, 1);
	links->rank.ordered = term->node->ordered ? term->node->gap + 1 : 0;
	if (sqlite3_prepare_v2(links->db,
	            "SELECT rowid FROM link WHERE link MATCH ?1 AND tarsier_rank(link, 1) >= 0", -1,
	            &statement, NULL) != SQLITE_OK)
		return db_fail(links->db, NULL, error);
	sqlite3_bind_text(statement, 1, term->name_match, -1, SQLITE_STATIC);
	while (ok && (row = sqlite3_step(statement)) == SQLITE_ROW)
		ok = append_targets(s,
		        &g_array_index(links->links, Found, sqlite3_column_int64(statement, 0) - 1),
		        nodes, error);
	ok = ok && (row == SQLITE_DONE || db_fail(links->db, NULL, error));
	sqlite3_finalize(statement);
	return ok;
}

bool search_links(const Search *s, const SearchTerm *term, GArray *nodes, GError **error)
{
	Links links = {0};
	bool ok = links_open(&links, error) && add_candidates(s, &links, term->name_match, error) &&
	          ask_links(s, &links, term, nodes, error);
	links_clear(&links);
	return ok;
}
