/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search-list.c - the table tarsier_asked, which has one row for each number of an array, in order
 *
 * An eponymous virtual table (https://www.sqlite.org/vtab.html, section 2.1.2) that can only be
 * scanned from start to end. A list of values in the text of a statement would be parsed each
 * time. */
#include <config.h>
#include "index/search/search-private.h"
#include <string.h>

typedef struct {
	sqlite3_vtab base;
	const SearchState *state;
} AskedTable;

typedef struct {
	sqlite3_vtab_cursor base;
	guint at;
} AskedCursor;

static const GArray *list_of(sqlite3_vtab_cursor *cursor)
{
	return ((AskedTable *)cursor->pVtab)->state->asked;
}

static int list_connect(
        sqlite3 *db, void *data, int n, const char *const *words, sqlite3_vtab **out, char **error)
{
	int result = sqlite3_declare_vtab(db, "CREATE TABLE x(id INTEGER)");
	if (result == SQLITE_OK)
		result = sqlite3_vtab_config(db, SQLITE_VTAB_DIRECTONLY);
	if (result != SQLITE_OK)
		return result;
	AskedTable *table = g_new0(AskedTable, 1);
	table->state = data;
	*out = &table->base;
	return SQLITE_OK;
}

static int list_disconnect(sqlite3_vtab *table)
{
	g_free(table);
	return SQLITE_OK;
}

static int list_best_index(sqlite3_vtab *table, sqlite3_index_info *info)
{
	info->estimatedCost = 1000;
	return SQLITE_OK;
}

static int list_open(sqlite3_vtab *table, sqlite3_vtab_cursor **out)
{
	AskedCursor *cursor = g_new0(AskedCursor, 1);
	*out = &cursor->base;
	return SQLITE_OK;
}

static int list_close(sqlite3_vtab_cursor *cursor)
{
	g_free(cursor);
	return SQLITE_OK;
}

static int list_filter(
        sqlite3_vtab_cursor *cursor, int number, const char *name, int n, sqlite3_value **values)
{
	((AskedCursor *)cursor)->at = 0;
	return SQLITE_OK;
}

static int list_next(sqlite3_vtab_cursor *cursor)
{
	((AskedCursor *)cursor)->at++;
	return SQLITE_OK;
}

static int list_eof(sqlite3_vtab_cursor *cursor)
{
	const GArray *list = list_of(cursor);
	return !list || ((AskedCursor *)cursor)->at >= list->len;
}

static int list_column(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int column)
{
	sqlite3_result_int64(
	        context, g_array_index(list_of(cursor), int64_t, ((AskedCursor *)cursor)->at));
	return SQLITE_OK;
}

static int list_rowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *out)
{
	*out = ((AskedCursor *)cursor)->at;
	return SQLITE_OK;
}

bool search_list_register(SearchState *state)
{
	static const sqlite3_module module = {.xConnect = list_connect,
	        .xBestIndex = list_best_index,
	        .xDisconnect = list_disconnect,
	        .xOpen = list_open,
	        .xClose = list_close,
	        .xFilter = list_filter,
	        .xNext = list_next,
	        .xEof = list_eof,
	        .xColumn = list_column,
	        .xRowid = list_rowid};
	return sqlite3_create_module(state->r->db, "tarsier_asked", &module, state) == SQLITE_OK;
}
