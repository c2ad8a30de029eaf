/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_index.c - fuzzes the client with a hostile index file
 *
 * The input is a list of changes to a small index: of bytes of the file, and of values in its
 * tables, those of FTS5 too. Then what the client reads is asked for: the first byte chooses a
 * query, or the lists. Errors are allowed; crashes, and searches past their time limit, are not. To
 * find errors of memory in SQLite itself, build it with sanitizers (tests/fuzz/build-sqlite.sh).
 */
#include <config.h>
#include "extractors/shared/bytes.h"
#include "index/copies/dups.h"
#include "index/read/access.h"
#include "index/search/correct.h"
#include "index/search/search.h"
#include "index/search/suggest.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/small-index.h"
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const fuzz_seeds[] = {"tests/fuzz/seeds/index/*", NULL};

enum {
	JOURNAL_VERSIONS = 18, /* place of two bytes in the file: 1 without WAL */
	MAX_CHANGES = 64,
	CHANGE_BYTES = 0,
	CHANGE_VALUE = 1,
	ASK_LISTS = 0x80 /* of the first byte */
};

/* The index without a change, and its columns that hold values: "TABLE.COLUMN". */
static struct {
	const char *dir;
	char *path;
	uint8_t *bytes;
	gsize size;
	GPtrArray *updates; /* char *: SQL that changes a value of one column */
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
	        " '=(SELECT ' || k.name || ' FROM ' || t.name || ' LIMIT 1 OFFSET ?2)'"
	        " FROM sqlite_schema t, pragma_table_info(t.name) c, pragma_table_info(t.name) k"
	        " WHERE t.type='table' AND t.sql NOT LIKE 'CREATE VIRTUAL%'"
	        " AND t.name<>'sqlite_sequence' AND k.cid=0 ORDER BY t.name, c.cid";
	sqlite3 *db = open_base();
	sqlite3_stmt *statement;
	if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK)
		abort();
	base.updates = g_ptr_array_new();
	while (sqlite3_step(statement) == SQLITE_ROW)
		g_ptr_array_add(
		        base.updates, g_strdup((const char *)sqlite3_column_text(statement, 0)));
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

/* Each change is u8 kind and what belongs to it. All changes of values come first. */
static void write_changed(Bytes in)
{
	sqlite3 *db = open_base();
	sqlite3_int64 size = 0;
	Bytes of_bytes = {NULL, 0};
	for (unsigned i = 0; i < MAX_CHANGES && in.size > 1; i++) {
		Bytes change = bytes_part(in, 1, in.size);
		if (in.data[0] % 2 == CHANGE_BYTES) {
			of_bytes = in;
			break;
		}
		in = change_value(db, change);
	}
	uint8_t *file = sqlite3_serialize(db, "main", &size, 0);
	for (unsigned i = 0; i < MAX_CHANGES && of_bytes.size > 1; i++)
		of_bytes = change_bytes(file, size, bytes_part(of_bytes, 1, of_bytes.size));
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
	const CorrectionRequest request = {fuzz_parse_corrected, (void *)&options, &asked, 0};
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
