/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/store/textcache.h"
#include "common/base/i18n.h"
#include "index/store/db-exec.h"
#include "index/store/db.h"
#include "index/store/dbfile.h"
#include "index/store/pack.h"
#include <string.h>
#include <zstd.h>

#define CACHE_NAME "text.db"

enum { CACHE_ZSTD_LEVEL = 3, PACKED_MAX_BYTES = 64 << 20 };

typedef enum { GET, PUT, REMOVE, SIZE, OLDEST, META_GET, META_SET, N_CACHE_SQL } CacheSql;

static const char *const sql[N_CACHE_SQL] = {
        [GET] = "SELECT packed FROM entry WHERE document = ?1",
        [PUT] = "INSERT INTO entry(document, packed) VALUES(?1, ?2)",
        [REMOVE] = "DELETE FROM entry WHERE document = ?1",
        [SIZE] = "SELECT length(packed) FROM entry WHERE document = ?1",
        [OLDEST] = "SELECT document FROM entry ORDER BY document LIMIT 1",
        [META_GET] = "SELECT value FROM meta WHERE key = ?1",
        [META_SET] = "INSERT INTO meta VALUES(?1, ?2) ON CONFLICT DO UPDATE SET value = ?2",
};

enum { COMMIT_BYTES = 256 << 10 };

#define ENTRY_TABLE "entry(document INTEGER PRIMARY KEY, packed BLOB NOT NULL)"
#define META_TABLE "meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID"

static const char schema[] =
        "PRAGMA page_size = 8192; PRAGMA auto_vacuum = FULL; PRAGMA journal_mode = WAL;"
        "CREATE TABLE IF NOT EXISTS " ENTRY_TABLE ";"
        "CREATE TABLE IF NOT EXISTS " META_TABLE ";";

/* An entry that is not in the schema, word for word, was put there to run in our queries. */
static const char unexpected[] =
        "SELECT count(*) FROM sqlite_schema WHERE "
        "(sql IN ('CREATE TABLE " ENTRY_TABLE "', 'CREATE TABLE " META_TABLE "')) IS NOT TRUE";

/* The cache is not synced: if a power cut damages it, it is created anew. The log is kept short, so
 * that its pages are overwritten in memory before they reach the disk. */
static const char pragmas[] =
        "PRAGMA synchronous = OFF; PRAGMA secure_delete = FAST; PRAGMA wal_autocheckpoint = 64;"
        "PRAGMA cache_size = -512; PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY;"
        "PRAGMA journal_size_limit = 8388608; PRAGMA trusted_schema = OFF;"
        "PRAGMA cell_size_check = ON;";

struct TextCache {
	sqlite3 *db;
	char *dir;
	sqlite3_stmt *statements[N_CACHE_SQL];
	uint64_t budget, bytes; /* bytes: of all entries, including this transaction */
	uint64_t committed_bytes;
	uint64_t uncommitted_bytes; /* added since the last commit */
	bool in_transaction, damaged;
};

/* ---- statements; after any error the cache only forgets */

static void textcache_fail(TextCache *cache)
{
	int code = sqlite3_errcode(cache->db);
	if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB)
		cache->damaged = true;
	g_message("text cache: %s", sqlite3_errmsg(cache->db));
	textcache_rollback(cache);
}

static sqlite3_stmt *textcache_prepared(TextCache *cache, CacheSql id)
{
	if (cache->damaged)
		return NULL;
	if (!cache->statements[id] &&
	        sqlite3_prepare_v3(cache->db, sql[id], -1, SQLITE_PREPARE_PERSISTENT,
	                &cache->statements[id], NULL) != SQLITE_OK)
		textcache_fail(cache);
	sqlite3_reset(cache->statements[id]);
	return cache->statements[id];
}

static bool textcache_run(TextCache *cache, sqlite3_stmt *statement)
{
	bool ok = sqlite3_step(statement) == SQLITE_DONE;
	if (!ok)
		textcache_fail(cache);
	sqlite3_reset(statement);
	return ok;
}

/* Looks up a number by id; -1 if there is none. */
static int64_t number_for(TextCache *cache, CacheSql id, int64_t key)
{
	sqlite3_stmt *statement = textcache_prepared(cache, id);
	int64_t number = -1;
	if (!statement)
		return -1;
	if (sqlite3_bind_parameter_count(statement) > 0)
		sqlite3_bind_int64(statement, 1, key);
	int result = sqlite3_step(statement);
	if (result == SQLITE_ROW)
		number = sqlite3_column_int64(statement, 0);
	else if (result != SQLITE_DONE)
		textcache_fail(cache);
	sqlite3_reset(statement);
	return number;
}

static char *meta_get(TextCache *cache, const char *key)
{
	sqlite3_stmt *statement = textcache_prepared(cache, META_GET);
	char *value = NULL;
	if (!statement)
		return NULL;
	sqlite3_bind_text(statement, 1, key, -1, SQLITE_STATIC);
	if (sqlite3_step(statement) == SQLITE_ROW)
		value = g_strdup((const char *)sqlite3_column_text(statement, 0));
	sqlite3_reset(statement);
	return value;
}

static bool meta_set(TextCache *cache, const char *key, const char *value)
{
	sqlite3_stmt *statement = textcache_prepared(cache, META_SET);
	if (!statement)
		return false;
	sqlite3_bind_text(statement, 1, key, -1, SQLITE_STATIC);
	sqlite3_bind_text(statement, 2, value, -1, SQLITE_TRANSIENT);
	return textcache_run(cache, statement);
}

static bool textcache_begin(TextCache *cache)
{
	if (cache->damaged)
		return false;
	if (!cache->in_transaction &&
	        sqlite3_exec(cache->db, "BEGIN IMMEDIATE", NULL, NULL, NULL) != SQLITE_OK) {
		textcache_fail(cache);
		return false;
	}
	cache->in_transaction = true;
	return true;
}

/* ---- open and close */

static TextCache *textcache_open_file(const char *dir, int flags, GError **error)
{
	g_autofree char *path = g_build_filename(dir, CACHE_NAME, NULL);
	TextCache *cache = g_new0(TextCache, 1);
	cache->dir = g_strdup(dir);
	if (sqlite3_open_v2(path, &cache->db, flags | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK) {
		db_fail(cache->db, NULL, error);
		textcache_close(cache);
		return NULL;
	}
	sqlite3_busy_timeout(cache->db, 1000);
	sqlite3_db_config(cache->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(cache->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_db_config(cache->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
	return cache;
}

static bool is_of_index(TextCache *cache, const char *identity)
{
	int64_t n;
	if (!db_get_int(cache->db, unexpected, &n, NULL) || n > 0)
		return false;
	g_autofree char *own = meta_get(cache, "identity");
	return own && strcmp(own, identity) == 0;
}

/* NULL without error: the file is damaged or belongs to another index. */
static TextCache *open_writable(const char *dir, const char *identity, bool fresh, GError **error)
{
	g_autoptr(TextCache) cache = textcache_open_file(dir, SQLITE_OPEN_READWRITE, error);
	if (!cache)
		return NULL;
	if (!db_exec(cache->db, schema, fresh ? error : NULL) ||
	        !db_exec(cache->db, pragmas, fresh ? error : NULL) ||
	        (fresh && !meta_set(cache, "identity", identity)) || !is_of_index(cache, identity))
		return NULL;
	g_autofree char *bytes = meta_get(cache, "bytes");
	cache->bytes = cache->committed_bytes = bytes ? g_ascii_strtoull(bytes, NULL, 10) : 0;
	return g_steal_pointer(&cache);
}

TextCache *textcache_open(
        const char *cache_dir, const char *identity, uint64_t budget_bytes, GError **error)
{
	g_autoptr(GError) why = NULL;
	if (!dbfile_prepare(cache_dir, CACHE_NAME, error))
		return NULL;
	TextCache *cache = open_writable(cache_dir, identity, false, &why);
	if (!cache && !why) {
		dbfile_remove(cache_dir, CACHE_NAME);
		if (!dbfile_prepare(cache_dir, CACHE_NAME, error))
			return NULL;
		cache = open_writable(cache_dir, identity, true, &why);
	}
	if (cache)
		cache->budget = budget_bytes;
	else if (why)
		g_propagate_error(error, g_steal_pointer(&why));
	else
		g_set_error(error, INDEX_ERROR, INDEX_ERROR_OTHER,
		        _("the text cache cannot be created"));
	return cache;
}

TextCache *textcache_open_reader(const char *cache_dir, const char *identity, GError **error)
{
	g_autoptr(GError) why = NULL;
	if (!dbfile_check(cache_dir, CACHE_NAME, &why)) {
		if (!g_error_matches(why, INDEX_ERROR, INDEX_ERROR_NONE_YET))
			g_propagate_error(error, g_steal_pointer(&why));
		return NULL;
	}
	g_autoptr(TextCache) cache = textcache_open_file(cache_dir, SQLITE_OPEN_READONLY, error);
	if (!cache)
		return NULL;
	sqlite3_db_config(cache->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
	sqlite3_exec(cache->db,
	        "PRAGMA query_only = ON; PRAGMA cache_size = -512; PRAGMA mmap_size = 0", NULL,
	        NULL, NULL);
	return is_of_index(cache, identity) ? g_steal_pointer(&cache) : NULL;
}

void textcache_close(TextCache *cache)
{
	if (!cache)
		return;
	textcache_rollback(cache);
	for (size_t i = 0; i < N_CACHE_SQL; i++)
		sqlite3_finalize(cache->statements[i]);
	bool writable = cache->db && sqlite3_db_readonly(cache->db, "main") == 0;
	sqlite3_close_v2(cache->db);
	if (cache->damaged && writable)
		dbfile_remove(cache->dir, CACHE_NAME);
	g_free(cache->dir);
	g_free(cache);
}

/* ---- entries */

static void remove_entry(TextCache *cache, int64_t document)
{
	int64_t size = number_for(cache, SIZE, document);
	sqlite3_stmt *statement =
	        size >= 0 && textcache_begin(cache) ? textcache_prepared(cache, REMOVE) : NULL;
	if (!statement)
		return;
	sqlite3_bind_int64(statement, 1, document);
	if (textcache_run(cache, statement))
		cache->bytes -= MIN(cache->bytes, (uint64_t)size);
}

void textcache_remove(TextCache *cache, int64_t document)
{
	remove_entry(cache, document);
}

/* Removes the oldest entries until the rest fits the budget. */
static void keep_budget(TextCache *cache)
{
	while (cache->bytes > cache->budget && !cache->damaged) {
		uint64_t before = cache->bytes;
		int64_t oldest = number_for(cache, OLDEST, 0);
		if (oldest >= 0)
			remove_entry(cache, oldest);
		if (cache->bytes == before)
			break;
	}
}

void textcache_set_budget(TextCache *cache, uint64_t budget_bytes)
{
	cache->budget = budget_bytes;
	if (cache->bytes <= budget_bytes || cache->in_transaction || !textcache_begin(cache))
		return;
	keep_budget(cache);
	textcache_commit(cache);
}

struct TextPack {
	GByteArray *packed, *out; /* out: empty if it could not be compressed */
	ZSTD_CCtx *context; /* NULL: it is done */
	size_t taken, made; /* bytes of packed and out */
};

TextPack *textpack_new(const Document *doc)
{
	TextPack *pack = g_new0(TextPack, 1);
	pack->packed = pack_document(doc);
	pack->out = g_byte_array_new();
	g_byte_array_set_size(pack->out, ZSTD_compressBound(pack->packed->len));
	pack->context = ZSTD_createCCtx();
	ZSTD_CCtx_setParameter(pack->context, ZSTD_c_compressionLevel, CACHE_ZSTD_LEVEL);
	ZSTD_CCtx_setParameter(pack->context, ZSTD_c_checksumFlag, 1);
	ZSTD_CCtx_setPledgedSrcSize(pack->context, pack->packed->len);
	return pack;
}

static void textpack_end(TextPack *pack, size_t size)
{
	g_byte_array_set_size(pack->out, size);
	g_clear_pointer(&pack->context, ZSTD_freeCCtx);
	g_clear_pointer(&pack->packed, g_byte_array_unref);
}

bool textpack_continue(TextPack *pack)
{
	enum { PIECE_BYTES = 1 << 20 };
	if (!pack->context)
		return false;
	size_t end = MIN(pack->taken + PIECE_BYTES, pack->packed->len);
	bool last = end == pack->packed->len;
	ZSTD_inBuffer in = {pack->packed->data, end, pack->taken};
	ZSTD_outBuffer out = {pack->out->data, pack->out->len, pack->made};
	size_t left =
	        ZSTD_compressStream2(pack->context, &out, &in, last ? ZSTD_e_end : ZSTD_e_continue);
	pack->taken = in.pos;
	pack->made = out.pos;
	if (!ZSTD_isError(left) && !last)
		return true;
	textpack_end(pack, left == 0 ? out.pos : 0);
	return false;
}

void textpack_free(TextPack *pack)
{
	if (!pack)
		return;
	g_clear_pointer(&pack->context, ZSTD_freeCCtx);
	g_clear_pointer(&pack->packed, g_byte_array_unref);
	g_byte_array_unref(pack->out);
	g_free(pack);
}

void textcache_put(TextCache *cache, int64_t document, const Document *doc)
{
	g_autoptr(TextPack) pack = textpack_new(doc);
	while (textpack_continue(pack))
		;
	textcache_put_pack(cache, document, pack);
}

void textcache_put_pack(TextCache *cache, int64_t document, const TextPack *pack)
{
	const GByteArray *packed = pack->out;
	remove_entry(cache, document);
	if (packed->len == 0 || packed->len > cache->budget / 4 || !textcache_begin(cache))
		return;
	sqlite3_stmt *statement = textcache_prepared(cache, PUT);
	if (!statement)
		return;
	sqlite3_bind_int64(statement, 1, document);
	sqlite3_bind_blob(statement, 2, packed->data, packed->len, SQLITE_STATIC);
	bool ok = textcache_run(cache, statement);
	sqlite3_clear_bindings(statement);
	if (!ok)
		return;
	cache->bytes += packed->len;
	cache->uncommitted_bytes += packed->len;
	keep_budget(cache);
	if (cache->uncommitted_bytes >
	        COMMIT_BYTES) /* the cache may be ahead of the index, but not behind it */
		textcache_commit(cache);
}

static Document *textcache_decompress(const void *data, size_t length)
{
	unsigned long long size = ZSTD_getFrameContentSize(data, length);
	if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR ||
	        size > PACKED_MAX_BYTES)
		return NULL;
	g_autofree uint8_t *packed = g_try_malloc(MAX(size, 1));
	if (!packed || ZSTD_decompress(packed, size, data, length) != size)
		return NULL;
	return unpack_document(packed, size);
}

bool textcache_has(TextCache *cache, int64_t document)
{
	return number_for(cache, SIZE, document) >= 0;
}

Document *textcache_get(TextCache *cache, int64_t document)
{
	sqlite3_stmt *statement = textcache_prepared(cache, GET);
	Document *doc = NULL;
	if (!statement)
		return NULL;
	sqlite3_bind_int64(statement, 1, document);
	if (sqlite3_step(statement) == SQLITE_ROW)
		doc = textcache_decompress(
		        sqlite3_column_blob(statement, 0), sqlite3_column_bytes(statement, 0));
	sqlite3_reset(statement);
	return doc;
}

void textcache_commit(TextCache *cache)
{
	g_autofree char *bytes = g_strdup_printf("%" G_GUINT64_FORMAT, cache->bytes);
	if (!cache->in_transaction || !meta_set(cache, "bytes", bytes))
		return;
	if (sqlite3_exec(cache->db, "COMMIT", NULL, NULL, NULL) != SQLITE_OK) {
		textcache_fail(cache);
		return;
	}
	cache->in_transaction = false;
	cache->uncommitted_bytes = 0;
	cache->committed_bytes = cache->bytes;
}

void textcache_rollback(TextCache *cache)
{
	for (size_t i = 0; i < N_CACHE_SQL; i++)
		sqlite3_reset(cache->statements[i]);
	if (cache->db && !sqlite3_get_autocommit(cache->db))
		sqlite3_exec(cache->db, "ROLLBACK", NULL, NULL, NULL);
	cache->in_transaction = false;
	cache->uncommitted_bytes = 0;
	cache->bytes = cache->committed_bytes;
}

bool textcache_empty_log(TextCache *cache)
{
	textcache_commit(cache);
	return sqlite3_wal_checkpoint_v2(cache->db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL) ==
	       SQLITE_OK;
}

void textcache_release_memory(TextCache *cache)
{
	if (!cache->in_transaction)
		sqlite3_db_release_memory(cache->db);
}
