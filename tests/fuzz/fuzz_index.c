/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_index.c - fuzzes the client with a hostile index file
 *
 * The input is a list of changes to a small index: of values in its tables, those of FTS5 too, of
 * bytes inside of them, of the pages where its tables begin, of the fields of pages (which page,
 * how many cells, where they are: "B-tree Pages" in sqlite.org/fileformat2.html), and of any bytes
 * of the file. Then what the client reads is asked for: the first byte chooses a query, or the
 * lists. Errors are allowed; crashes, and searches past their time limit, are not. mutate-index.c
 * makes such lists. To find errors of memory in SQLite itself, build it with sanitizers
 * (tests/fuzz/sqlite.sh). */
#include <config.h>
#include "extractors/shared/bytes.h"
#include "index/copies/dups.h"
#include "index/read/access.h"
#include "index/read/reader-usage.h"
#include "index/search/correct.h"
#include "index/search/search.h"
#include "index/search/suggest.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/index-changes.h"
#include "tests/fuzz/small-index.h"
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const fuzz_seeds[] = {"tests/fuzz/seeds/index/*", NULL};

enum {
	JOURNAL_VERSIONS = 18, /* place of two bytes in the file: 1 without WAL */
	MAX_CHANGES = 64,
	ASK_LISTS = 0x80 /* of the first byte */
};

/* The index without a change, and its columns that hold values: "TABLE.COLUMN". */
static struct {
	const char *dir;
	char *path;
	uint8_t *bytes;
	gsize size;
	GPtrArray *updates; /* char *: SQL that changes a value of one column */
	GPtrArray *selects; /* and reads it */
} base;

static sqlite3 *open_base(void)
{
	sqlite3 *db;
	sqlite3_int64 size = base.size;
	uint8_t *copy = sqlite3_malloc64(size);
	memcpy(copy, base.bytes, size);
	if (sqlite3_open(":memory:", &db) != SQLITE_OK ||
	        sqlite3_deserialize(db, "main", copy, size, size,
	                SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE) !=
	                SQLITE_OK)
		abort();
	return db;
}

/* Rows are chosen by the first column, which is the key in all tables. */
static void list_updates(void)
{
	static const char sql[] =
	        "SELECT 'UPDATE ' || t.name || ' SET ' || c.name || '=?1 WHERE ' || k.name ||"
	        " '=(SELECT ' || k.name || ' FROM ' || t.name || ' LIMIT 1 OFFSET ?2)',"
	        " 'SELECT ' || c.name || ' FROM ' || t.name || ' LIMIT 1 OFFSET ?1'"
	        " FROM sqlite_schema t, pragma_table_info(t.name) c, pragma_table_info(t.name) k"
	        " WHERE t.type='table' AND t.sql NOT LIKE 'CREATE VIRTUAL%'"
	        " AND t.name<>'sqlite_sequence' AND k.cid=0 ORDER BY t.name, c.cid";
	sqlite3 *db = open_base();
	sqlite3_stmt *statement;
	if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK)
		abort();
	base.updates = g_ptr_array_new();
	base.selects = g_ptr_array_new();
	while (sqlite3_step(statement) == SQLITE_ROW) {
		g_ptr_array_add(
		        base.updates, g_strdup((const char *)sqlite3_column_text(statement, 0)));
		g_ptr_array_add(
		        base.selects, g_strdup((const char *)sqlite3_column_text(statement, 1)));
	}
	sqlite3_finalize(statement);
	sqlite3_close(db);
	g_assert_cmpuint(base.updates->len, >, 50);
}

static void prepare_base(void)
{
	base.dir = small_index_make();
	base.path = g_build_filename(base.dir, "index.db", NULL);
	if (!g_file_get_contents(base.path, (char **)&base.bytes, &base.size, NULL))
		abort();
	memset(base.bytes + JOURNAL_VERSIONS, 1, 2);
	list_updates();
}

/* Binds a value of any type from the input and returns what is left of it. */
static Bytes bind_value(sqlite3_stmt *statement, Bytes in)
{
	unsigned kind = in.size > 0 ? in.data[0] : 0;
	size_t length = in.size > 1 ? MIN(in.data[1], in.size - 2) : 0;
	Bytes value = bytes_part(in, 2, length);
	switch (kind % 4) {
	case 0:
		sqlite3_bind_int64(statement, 1, le64(value, 0));
		break;
	case 1:
		sqlite3_bind_text(statement, 1, (const char *)value.data, length, SQLITE_STATIC);
		break;
	case 2:
		sqlite3_bind_blob(statement, 1, value.data, length, SQLITE_STATIC);
		break;
	default: /* of any length */
		sqlite3_bind_zeroblob(statement, 1, length * length);
	}
	return bytes_part(in, 2 + length, in.size);
}

/* u16 column, u8 row, value */
static Bytes change_value(sqlite3 *db, Bytes in)
{
	const char *sql = base.updates->pdata[le16(in, 0) % base.updates->len];
	sqlite3_stmt *statement;
	if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK)
		return (Bytes){NULL, 0};
	sqlite3_bind_int(statement, 2, in.size > 2 ? in.data[2] : 0);
	Bytes left = bind_value(statement, bytes_part(in, 3, in.size));
	sqlite3_step(statement); /* a value that breaks a rule of its table is not set */
	sqlite3_finalize(statement);
	return left;
}

/* Returns a copy of a value, or NULL. The caller frees it. */
static GByteArray *read_value(sqlite3 *db, unsigned column, unsigned row)
{
	sqlite3_stmt *statement;
	GByteArray *value = NULL;
	if (sqlite3_prepare_v2(db, base.selects->pdata[column], -1, &statement, NULL) != SQLITE_OK)
		return NULL;
	sqlite3_bind_int(statement, 1, row);
	if (sqlite3_step(statement) == SQLITE_ROW && sqlite3_column_bytes(statement, 0) > 0)
		value = g_byte_array_append(g_byte_array_new(), sqlite3_column_blob(statement, 0),
		        sqlite3_column_bytes(statement, 0));
	sqlite3_finalize(statement);
	return value;
}

/* u16 column, u8 row, u16 place, u8 length, bytes: of a segment of FTS5, for example. */
static Bytes change_inside(sqlite3 *db, Bytes in)
{
	unsigned column = le16(in, 0) % base.updates->len, row = in.size > 2 ? in.data[2] : 0;
	size_t length = in.size > 6 ? MIN(in.data[5], in.size - 6) : 0;
	g_autoptr(GByteArray) value = read_value(db, column, row);
	sqlite3_stmt *statement;
	if (value && length > 0 &&
	        sqlite3_prepare_v2(db, base.updates->pdata[column], -1, &statement, NULL) ==
	                SQLITE_OK) {
		size_t place = le16(in, 3) % value->len;
		memcpy(value->data + place, in.data + 6, MIN(length, value->len - place));
		sqlite3_bind_blob(statement, 1, value->data, value->len, SQLITE_STATIC);
		sqlite3_bind_int(statement, 2, row);
		sqlite3_step(statement);
		sqlite3_finalize(statement);
	}
	return bytes_part(in, 6 + length, in.size);
}

/* u8 table or index, u16 page: it begins there. */
static Bytes change_root(sqlite3 *db, Bytes in)
{
	static const char sql[] = "UPDATE sqlite_schema SET rootpage=?1 WHERE rowid="
	                          "(SELECT rowid FROM sqlite_schema WHERE rootpage>0 LIMIT 1"
	                          " OFFSET ?2 % (SELECT count(*) FROM sqlite_schema WHERE"
	                          " rootpage>0))";
	sqlite3_stmt *statement;
	sqlite3_db_config(db, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1, NULL);
	if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK)
		return (Bytes){NULL, 0};
	sqlite3_bind_int(statement, 1, le16(in, 1));
	sqlite3_bind_int(statement, 2, in.size > 0 ? in.data[0] : 0);
	sqlite3_step(statement);
	sqlite3_finalize(statement);
	return bytes_part(in, 3, in.size);
}

/* u32 place, u8 length, bytes */
static Bytes change_bytes(uint8_t *file, size_t size, Bytes in)
{
	size_t place = le32(in, 0) % size;
	size_t length = in.size > 5 ? MIN(in.data[4], in.size - 5) : 0;
	length = MIN(length, size - place);
	if (length > 0)
		memcpy(file + place, in.data + 5, length);
	return bytes_part(in, 5 + length, in.size);
}

static void put_big_endian(uint8_t *page, size_t place, unsigned bytes, uint32_t value)
{
	for (unsigned i = 0; i < bytes && place + i < INDEX_PAGE_BYTES; i++)
		page[place + i] = value >> 8 * (bytes - 1 - i);
}

/* u16 page, u8 field, u8 cell, u32 value */
static Bytes change_page(uint8_t *file, size_t size, Bytes in)
{
	enum { LEAF = 8, FILE_HEADER = 100 };
	if (in.size < 8 || size < INDEX_PAGE_BYTES)
		return (Bytes){NULL, 0};
	size_t number = le16(in, 0) % (size / INDEX_PAGE_BYTES);
	uint8_t *page = file + number * INDEX_PAGE_BYTES;
	size_t head = number == 0 ? FILE_HEADER : 0;
	size_t pointers = head + (page[head] & LEAF ? 8 : 12);
	size_t pointer = pointers + 2 * (in.data[3] % (be16((Bytes){page + head, 8}, 3) + 1));
	size_t cell = pointer + 2 <= INDEX_PAGE_BYTES
	                      ? be16((Bytes){page, INDEX_PAGE_BYTES}, pointer)
	                      : 0;
	uint32_t value = le32(in, 4);
	switch ((IndexPageField)(in.data[2] % INDEX_PAGE_FIELDS)) {
	case INDEX_PAGE_TYPE:
		put_big_endian(page, head, 1, value);
		break;
	case INDEX_PAGE_FREE:
		put_big_endian(page, head + 1, 2, value);
		break;
	case INDEX_PAGE_CELLS:
		put_big_endian(page, head + 3, 2, value);
		break;
	case INDEX_PAGE_CONTENT:
		put_big_endian(page, head + 5, 2, value);
		break;
	case INDEX_PAGE_RIGHT:
		put_big_endian(page, head + 8, 4, value);
		break;
	case INDEX_PAGE_POINTER:
		put_big_endian(page, pointer, 2, value);
		break;
	case INDEX_PAGE_CELL:
		put_big_endian(page, cell, 4, value);
		break;
	case INDEX_PAGE_HEADER: /* of the record: the sizes and types of its values */
		put_big_endian(page, cell + 2 + in.data[3] % 8, 1, value);
		break;
	case INDEX_PAGE_FIELDS:
		break;
	}
	return bytes_part(in, 8, in.size);
}

static Bytes change_rows(sqlite3 *db, Bytes in)
{
	Bytes change = bytes_part(in, 1, in.size);
	switch ((IndexChange)(in.data[0] % INDEX_CHANGES)) {
	case CHANGE_VALUE:
		return change_value(db, change);
	case CHANGE_INSIDE:
		return change_inside(db, change);
	case CHANGE_ROOT:
		return change_root(db, change);
	default:
		return in;
	}
}

static Bytes change_file(uint8_t *file, size_t size, Bytes in)
{
	Bytes change = bytes_part(in, 1, in.size);
	if (in.data[0] % INDEX_CHANGES == CHANGE_PAGE)
		return change_page(file, size, change);
	return change_bytes(file, size, change);
}

/* Each change is u8 kind and what belongs to it. All changes of rows come first. */
static void write_changed(Bytes in)
{
	sqlite3 *db = open_base();
	sqlite3_int64 size = 0;
	for (unsigned i = 0; i < MAX_CHANGES && in.size > 1; i++) {
		Bytes left = change_rows(db, in);
		if (left.size == in.size)
			break;
		in = left;
	}
	uint8_t *file = sqlite3_serialize(db, "main", &size, 0);
	for (unsigned i = 0; i < MAX_CHANGES && in.size > 1; i++)
		in = change_file(file, size, in);
	if (!g_file_set_contents_full(
	            base.path, (const char *)file, size, G_FILE_SET_CONTENTS_NONE, 0600, NULL))
		abort();
	sqlite3_free(file);
	sqlite3_close(db);
}

/* ---- what the client asks */

static bool see_info(const Info *info, void *data)
{
	bool stale;
	g_assert_nonnull(info->path);
	g_assert_nonnull(info_state_name(info));
	access_check(info->path, &info->stat, geteuid(), &stale);
	return true;
}

static bool see_group(const DupGroup *group, void *data)
{
	return true;
}

static void ask_lists(Reader *r)
{
	GPtrArray *infos = NULL, *paths = NULL, *problems = NULL;
	GArray *roots = NULL, *volumes = NULL;
	IndexStats stats = {.files = 0};
	ChecksumKey key;
	const DupOptions dups = {.exact = true, .near = true, .uid = geteuid()};

	reader_list(r, NULL, see_info, NULL, NULL);
	reader_failed(r, see_info, NULL, NULL);
	reader_dups(r, &dups, see_group, NULL, NULL);
	reader_checksum_key(r, &key, NULL);
	if (reader_info(r, "/nowhere/a b.txt", &infos, NULL))
		g_ptr_array_unref(infos);
	if (reader_info_by_id(r, 1, &infos, NULL))
		g_ptr_array_unref(infos);
	if (reader_stats(r, &stats, NULL))
		index_stats_clear(&stats);
	if (reader_roots(r, &roots, NULL))
		g_array_unref(roots);
	for (int64_t node = 0; node < 4; node++) {
		Usage *usage = reader_usage(r, node, NULL);
		if (usage)
			usage_free(usage);
	}
	if (reader_volumes(r, &volumes, NULL))
		g_array_unref(volumes);
	if (reader_root_paths(r, &paths, NULL))
		g_ptr_array_unref(paths);
	if (reader_check(r, &problems, NULL))
		g_ptr_array_unref(problems);
}

static Query *fuzz_parse_corrected(const char *text, void *data)
{
	QueryFault fault = {.position = 0};
	Query *query = query_parse(text, data, &fault, NULL);
	g_free(fault.hint);
	return query;
}

static void ask_query(Reader *r, unsigned choice)
{
	static const char *const queries[] = {"report", "rep*", "\"annual report\" running",
	        "*b.t*", "raport~", "any NEAR/3 words", "東京", "-report type:text",
	        "size>1 ext:txt", "report OR title:alpha is:truncated", "anchor:report",
	        "dir:/nowhere lang:en", "is:offline OR date:2020..", "near:/nowhere/gamma",
	        "absentword", "raport wrods"};
	const QueryOptions options = {.now = 1779278400, .cwd = "/nowhere"};
	SearchOptions asked = {
	        .limit = 5, .sort = choice >> 4 & 3, .count = choice >> 6 & 1, .uid = geteuid()};
	QueryFault fault = {.position = 0};
	g_autoptr(Query) query =
	        query_parse(queries[choice % G_N_ELEMENTS(queries)], &options, &fault, NULL);
	if (!query)
		g_error("%s: bad query", queries[choice % G_N_ELEMENTS(queries)]);
	g_autoptr(SearchResult) result = search_run(r, query, &asked, NULL);
	g_autofree char *plan = search_explain(r, query, &asked, NULL);
	GPtrArray *missing = NULL;
	if (reader_missing(r, query, MISSING_NEAREST, &missing, NULL))
		g_ptr_array_unref(missing);
	const CorrectionRequest request = {fuzz_parse_corrected, (void *)&options, &asked, 0, NULL};
	char *corrected;
	reader_correct(r, query, &request, &corrected, NULL);
	g_free(corrected);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!base.dir)
		prepare_base();
	if (size == 0)
		return 0;
	write_changed((Bytes){data + 1, size - 1});
	g_autoptr(Reader) r = reader_open(base.dir, NULL, NULL);
	if (!r)
		return 0;
	if (data[0] & ASK_LISTS)
		ask_lists(r);
	else
		ask_query(r, data[0]);
	return 0;
}
