/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/write/writer.h"
#include "common/base/disk-room.h"
#include "index/store/db-exec.h"
#include "index/store/db-key.h"
#include "index/store/db-marks.h"
#include "index/write/writer-private.h"
#include "index/write/writer-web.h"
#include <errno.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

static const char *const total_keys[N_TOTALS] = {
        [TOTAL_FILES] = "files",
        [TOTAL_DIRECTORIES] = "directories",
        [TOTAL_DOCUMENTS] = "documents",
        [TOTAL_TEXT_ROWS] = "text_rows",
        [TOTAL_LIVE_ROWS] = "live_rows",
        [TOTAL_TEXT_BYTES] = "text_bytes",
        [TOTAL_TRUNCATED] = "truncated",
        [TOTAL_PENDING] = "pending",
};

/* ---- errors: after any failure nothing half-done remains */

static void end_transaction(Writer *w)
{
	w->in_transaction = w->reading = false;
	w->changes = 0;
	w->recount = false;
	memset(w->totals, 0, sizeof(w->totals));
}

static void drop_transaction(Writer *w)
{
	statements_reset(w);
	w->version++;
	if (!sqlite3_get_autocommit(w->db))
		sqlite3_exec(w->db, "ROLLBACK", NULL, NULL, NULL);
	if (w->cache)
		textcache_rollback(w->cache);
	names_forget(w);
	meaning_forget(w);
	changes_forget(w);
	segments_forget(w);
	g_array_set_size(w->open_contents, 0);
	end_transaction(w);
}

static bool finish_failure(Writer *w, const GError *why)
{
	if (why->code == INDEX_ERROR_DAMAGED && !w->damaged) {
		w->damaged = true;
		db_mark_damaged(w->index_dir, why->message, NULL);
	}
	drop_transaction(w);
	if (!w->lost)
		w->lost = g_error_copy(why);
	return false;
}

enum { ROOM_BYTES = 64 << 20, QUOTA_CHECK_US = 5 * G_USEC_PER_SEC };

static bool disk_is_free(const Writer *w)
{
	struct statvfs fs;
	return statvfs(w->index_dir, &fs) == 0 && (fs.f_files == 0 || fs.f_favail > 0) &&
	       fs.f_bavail >= ROOM_BYTES / fs.f_frsize;
}

static bool writer_has_room(const Writer *w)
{
	return disk_is_free(w) && disk_has_room(w->index_dir, ROOM_BYTES);
}

/* statvfs() does not see a quota. Bytes are allocated to find out, which is too expensive for each
 * commit. */
static bool writer_log_has_room(Writer *w)
{
	int64_t now_us = g_get_monotonic_time();
	if (!disk_is_free(w))
		return false;
	if (now_us >= w->quota_check_us) {
		w->quota_has_room = disk_has_room(w->index_dir, ROOM_BYTES);
		w->quota_check_us = now_us + QUOTA_CHECK_US;
	}
	return w->quota_has_room;
}

/* An error may mean damage without saying so: the statements are correct, and where page numbers
 * are wrong SQLite may report a full disk that is not full. The first such error has the index
 * checked. */
static bool is_damage(Writer *w, int code)
{
	if (code == SQLITE_ERROR)
		return true;
	bool may_be_damage = code == SQLITE_FULL ? writer_has_room(w) : code == SQLITE_NOMEM;
	if (!may_be_damage || w->checked)
		return false;
	w->checked = true;
	return db_is_damaged(w->db);
}

bool writer_fail(Writer *w, GError **error)
{
	g_autoptr(GError) why = NULL;
	int code = sqlite3_extended_errcode(w->db) & 0xff;
	db_fail(w->db, NULL, &why);
	drop_transaction(w);
	if (is_damage(w, code))
		why->code = INDEX_ERROR_DAMAGED;
	finish_failure(w, why);
	g_propagate_error(error, g_steal_pointer(&why));
	return false;
}

bool writer_fail_with(Writer *w, IndexError code, const char *message, GError **error)
{
	g_autoptr(GError) why = g_error_new_literal(INDEX_ERROR, code, message);
	finish_failure(w, why);
	g_propagate_error(error, g_steal_pointer(&why));
	return false;
}

bool writer_fail_missing(Writer *w, GError **error)
{
	return writer_fail_with(w, INDEX_ERROR_DAMAGED, _("a required row is missing"), error);
}

/* ---- transactions */

bool writer_check(const Writer *w, GError **error)
{
	if (w->lost && error)
		*error = g_error_copy(w->lost);
	return !w->lost;
}

bool writer_change(Writer *w, GError **error)
{
	if (!writer_check(w, error))
		return false;
	if (!w->in_transaction) {
		writer_read_end(w);
		if (sqlite3_exec(w->db, "BEGIN IMMEDIATE", NULL, NULL, NULL) != SQLITE_OK)
			return writer_fail(w, error);
		w->in_transaction = true;
	}
	w->changes++;
	w->version++;
	return true;
}

bool writer_read_begin(Writer *w, GError **error)
{
	if (!writer_check(w, error))
		return false;
	if (w->in_transaction || w->reading)
		return true;
	if (sqlite3_exec(w->db, "BEGIN", NULL, NULL, NULL) != SQLITE_OK)
		return writer_fail(w, error);
	w->reading = true;
	return true;
}

/* Nothing was written, so the end cannot fail in a way that matters. */
void writer_read_end(Writer *w)
{
	if (w->reading)
		sqlite3_exec(w->db, "COMMIT", NULL, NULL, NULL);
	w->reading = false;
}

void writer_rollback(Writer *w)
{
	drop_transaction(w);
	g_clear_error(&w->lost);
}

static bool flush_totals(Writer *w, GError **error)
{
	if (w->recount && !inode_recount_pending(w, error))
		return false;
	for (size_t i = 0; i < N_TOTALS; i++)
		if (w->totals[i] != 0 &&
		        !statement_run(
		                w, META_ADD, VALUES(TEXT(total_keys[i]), INT(w->totals[i])), error))
			return false;
	return true;
}

/* The cache is committed first: surplus entries after a crash are never asked for, and are
 * overwritten before their id is used again. */
bool writer_commit(Writer *w, GError **error)
{
	if (!writer_check(w, error))
		return false;
	if (!w->in_transaction)
		return true;
	if (!names_flush(w, error) || !content_hide_open(w, error) || !flush_totals(w, error) ||
	        !changes_flush(w, error))
		return false;
	statements_reset(w);
	if (w->cache)
		textcache_commit(w->cache);
	if (sqlite3_exec(w->db, "COMMIT", NULL, NULL, NULL) != SQLITE_OK)
		return writer_fail(w, error);
	segments_note_commit(w);
	end_transaction(w);
	return true;
}

/* Without syncing, a commit survives the death of the process, but may be lost with the power. The
 * log has checksums, so that it is enough to sync it after the commit. */
bool writer_commit_durably(Writer *w, GError **error)
{
	sqlite3_file *log = NULL;
	if (!writer_commit(w, error))
		return false;
	sqlite3_file_control(w->db, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
	if (log && log->pMethods && log->pMethods->xSync(log, SQLITE_SYNC_NORMAL) != SQLITE_OK)
		return writer_fail_with(w, INDEX_ERROR_OTHER, g_strerror(errno), error);
	return true;
}

/* ---- the log */

/* A checkpoint writes each page once, however often it is in the log, so it comes late. */
enum { LOG_PAGES = 4000, MOST_LOG_PAGES = 8000, LONG_LOG_PAGES = 2000, BULK_LOG_PAGES = 200 };

int writer_empty_log(Writer *w)
{
	checkpointer_wait(w->checkpointer);
	sqlite3_busy_timeout(w->db, 0);
	int result = sqlite3_wal_checkpoint_v2(w->db, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
	if (result == SQLITE_OK)
		result = sqlite3_wal_checkpoint_v2(
		        w->db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
	sqlite3_busy_timeout(w->db, 5000);
	return result;
}

/* The log begins anew once all of it is copied, so the writer copies the few pages that it has
 * written beside the thread. If it writes faster than the thread copies, it waits. */
static void log_checkpoint(Writer *w, int pages)
{
	bool is_long = pages >= w->log_most, is_too_long = pages >= MOST_LOG_PAGES;
	CheckpointerState state = checkpointer_state(w->checkpointer);
	if (state == CHECKPOINTER_RUNS && !is_too_long)
		return;
	if (is_long && state == CHECKPOINTER_RESTS && !w->bulk && !is_too_long &&
	        checkpointer_start(w->checkpointer))
		return;
	checkpointer_wait(w->checkpointer);
	if (is_long)
		sqlite3_wal_checkpoint_v2(w->db, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
}

/* It never waits for readers. An error is met again by the next commit. If little room is left on
 * the disk or of the quota, the log stays short and gives its pages back: a long one could leave no
 * room for the checkpoint that would empty it. */
static int writer_on_commit(void *data, sqlite3 *db, const char *schema, int pages)
{
	Writer *w = data;
	w->log_pages = pages;
	if (pages >= BULK_LOG_PAGES && !writer_log_has_room(w))
		writer_empty_log(w);
	else
		log_checkpoint(w, pages);
	return SQLITE_OK;
}

/* Cuts off what a transaction that failed has left behind the last commit. No reader reads it, and
 * the next transaction would overwrite it. The format: sqlite.org/fileformat2.html#walformat. */
static void log_trim(Writer *w)
{
	enum { LOG_HEAD_BYTES = 32, FRAME_HEAD_BYTES = 24 };
	sqlite3_file *log = NULL;
	sqlite3_int64 size;
	int64_t page_bytes;
	if (w->log_pages == 0 || /* the length is not known */
	        !db_get_int(w->db, "PRAGMA page_size", &page_bytes, NULL))
		return;
	int64_t used = LOG_HEAD_BYTES + w->log_pages * (FRAME_HEAD_BYTES + page_bytes);
	sqlite3_file_control(w->db, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
	if (log && log->pMethods && log->pMethods->xFileSize(log, &size) == SQLITE_OK &&
	        size > used)
		log->pMethods->xTruncate(log, used);
}

void writer_shrink_log(Writer *w)
{
	if (w->in_transaction || w->reading)
		return;
	statements_reset(w);
	if (sqlite3_exec(w->db, "BEGIN IMMEDIATE", NULL, NULL, NULL) == SQLITE_OK) {
		log_trim(w);
		sqlite3_exec(w->db, "ROLLBACK", NULL, NULL, NULL);
	}
	if (writer_empty_log(w) == SQLITE_OK)
		w->log_pages = 0;
}

bool writer_log_is_long(const Writer *w)
{
	return w->log_pages >= LONG_LOG_PAGES;
}

/* ---- bulk loads */

static bool begin_bulk(Writer *w, GError **error)
{
	w->log_most = BULK_LOG_PAGES;
	return db_mark_bulk(w->index_dir, error) &&
	       db_exec(w->db, "PRAGMA synchronous = OFF; PRAGMA cache_size = -16384", error) &&
	       segments_configure(w, true, error);
}

/* The checkpoint does not do this: while a reader holds an old state it leaves the file as it is,
 * and then does not sync it. */
static bool sync_files(Writer *w, GError **error)
{
	static const int kinds[] = {SQLITE_FCNTL_JOURNAL_POINTER, SQLITE_FCNTL_FILE_POINTER};
	for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
		sqlite3_file *file = NULL;
		sqlite3_file_control(w->db, "main", kinds[i], &file);
		if (file && file->pMethods &&
		        file->pMethods->xSync(file, SQLITE_SYNC_NORMAL) != SQLITE_OK)
			return writer_fail_with(w, INDEX_ERROR_OTHER, g_strerror(errno), error);
	}
	return true;
}

/* Everything that was left in memory is written, in any order, before the mark is removed: until
 * then a power cut costs the index anyway. The log, empty after the checkpoint, need not be written
 * at all. */
static bool end_bulk(Writer *w, GError **error)
{
	if (!segments_configure(w, false, error) || !writer_checkpoint(w, error) ||
	        !sync_files(w, error) ||
	        !db_exec(w->db, "PRAGMA synchronous = NORMAL; PRAGMA cache_size = -4096", error))
		return false;
	w->log_most = LOG_PAGES;
	db_unmark_bulk(w->index_dir);
	return true;
}

bool writer_set_bulk(Writer *w, bool bulk, GError **error)
{
	if (w->bulk == bulk)
		return true;
	if (!writer_commit(w, error))
		return false;
	w->bulk = true; /* a beginning or an end that fails half way needs an end */
	if (!(bulk ? begin_bulk(w, error) : end_bulk(w, error)))
		return false;
	w->bulk = bulk;
	return true;
}

bool writer_is_bulk(const Writer *w)
{
	return w->bulk;
}

unsigned writer_changes(const Writer *w)
{
	return w->changes;
}

uint64_t writer_version(const Writer *w)
{
	return w->version;
}

/* ---- meta */

bool writer_set_meta(Writer *w, const char *key, const char *value, GError **error)
{
	return writer_change(w, error) &&
	       statement_run(w, META_SET, VALUES(TEXT(key), TEXT(value)), error);
}

bool writer_get_meta_int(
        Writer *w, const char *key, int64_t preset, int64_t *value_r, GError **error)
{
	return statement_int(w, META_GET, VALUES(TEXT(key)), preset, value_r, error);
}

bool writer_total(Writer *w, Total total, int64_t *value_r, GError **error)
{
	if (!statement_int(w, META_GET, VALUES(TEXT(total_keys[total])), 0, value_r, error))
		return false;
	*value_r += w->totals[total];
	return true;
}

char *writer_identity(Writer *w, GError **error)
{
	sqlite3_stmt *row;
	if (statement_row(w, META_GET, VALUES(TEXT("identity")), &row, error) <= 0)
		return NULL;
	char *identity = g_strdup((const char *)sqlite3_column_text(row, 0));
	sqlite3_reset(row);
	return identity;
}

/* ---- open and close */

/* Without a cache the index is complete; only snippets cost more. */
static void writer_open_cache(Writer *w, const char *cache_dir)
{
	g_autoptr(GError) why = NULL;
	g_autofree char *identity = writer_identity(w, &why);
	if (identity)
		w->cache = textcache_open(cache_dir, identity, TEXTCACHE_BUDGET_BYTES, &why);
	if (!w->cache)
		g_message("no text cache: %s", why ? why->message : "the index has no identity");
}

/* Another version, which does not count them, may have written to the index. */
static bool writer_ensure_pending(Writer *w, GError **error)
{
	int64_t known;
	if (!writer_get_meta_int(w, total_keys[TOTAL_PENDING], -1, &known, error))
		return false;
	if (known < 0 && !writer_set_meta(w, total_keys[TOTAL_PENDING], "0", error))
		return false;
	if (!inode_end_others(w, error) || !inode_recount_pending(w, error))
		return false;
	return (w->totals[TOTAL_PENDING] == 0 || writer_change(w, error)) &&
	       writer_commit(w, error);
}

static Writer *try_open(const char *index_dir, const char *cache_dir, GError **error)
{
	int lock_fd = db_lock(index_dir, error);
	if (lock_fd < 0)
		return NULL;
	sqlite3 *db = db_open_writer(index_dir, error);
	if (!db) {
		close(lock_fd);
		return NULL;
	}
	g_autoptr(Writer) w = g_new0(Writer, 1);
	w->db = db;
	w->log_most = LOG_PAGES;
	sqlite3_wal_hook(db, writer_on_commit, w);
	w->lock_fd = lock_fd;
	w->index_dir = g_strdup(index_dir);
	w->checkpointer = checkpointer_new(index_dir);
	w->names = g_array_new(FALSE, FALSE, sizeof(NameChange));
	w->open_contents = g_array_new(FALSE, FALSE, sizeof(OpenContent));
	g_array_set_clear_func(w->open_contents, content_clear_open);
	terms_init(&w->terms);
	writer_open_cache(w, cache_dir);
	w->bulk = db_bulk_mark(index_dir) ==
	          DB_BULK_OPEN; /* the process was killed during a bulk load */
	if (!db_key_read(db, CHECKSUM_OF_FILE, &w->file_key, error) ||
	        !db_key_read(db, CHECKSUM_OF_TEXT, &w->text_key, error) ||
	        !digests_open(w, error) || !changes_open(w, error) ||
	        !content_remove_unfinished(w, error) || !writer_set_bulk(w, false, error) ||
	        !segments_configure(w, false, error) || !writer_ensure_pending(w, error))
		return NULL;
	return g_steal_pointer(&w);
}

/* If the first work on the index finds damage, it leaves a mark, and the index is created anew at
 * once. */
Writer *writer_open(const char *index_dir, const char *cache_dir, GError **error)
{
	g_autoptr(GError) why = NULL;
	Writer *w = try_open(index_dir, cache_dir, &why);
	if (!w && g_error_matches(why, INDEX_ERROR, INDEX_ERROR_DAMAGED) &&
	        db_mark_damaged(index_dir, why->message, NULL))
		return try_open(index_dir, cache_dir, error);
	if (!w)
		g_propagate_error(error, g_steal_pointer(&why));
	return w;
}

const ChecksumKey *writer_checksum_key(const Writer *w)
{
	return &w->file_key;
}

void writer_set_cache_budget(Writer *w, uint64_t bytes)
{
	if (w->cache)
		textcache_set_budget(w->cache, bytes);
}

/* A log that a reader holds is left behind, and every later reader must read it. Readers are quick.
 */
static void empty_log(Writer *w)
{
	enum { WAIT_MS = 1000 };
	sqlite3_busy_timeout(w->db, WAIT_MS);
	sqlite3_wal_checkpoint_v2(w->db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
}

void writer_close(Writer *w)
{
	g_autoptr(GError) why = NULL;
	if (!w)
		return;
	if (w->lost)
		writer_rollback(w);
	if (!w->damaged && !writer_set_bulk(w, false, &why)) {
		g_warning("the index could not be synced: %s", why->message);
		g_clear_error(&why);
	}
	if (!writer_commit(w, &why) || (!w->damaged && !db_set_clean(w->db, &why)))
		g_warning("the index could not be closed in order: %s", why->message);
	purge_free(w->purge);
	meaning_free(w->meaning);
	g_free(w->vectors_path);
	purge_sweep_free(w->sweep);
	changes_close(w);
	statements_finalize(w);
	checkpointer_free(w->checkpointer);
	if (!w->damaged)
		empty_log(w);
	db_close(w->db);
	textcache_close(w->cache);
	terms_clear(&w->terms);
	g_free(w->path);
	g_array_unref(w->names);
	g_array_unref(w->open_contents);
	close(w->lock_fd);
	g_free(w->index_dir);
	g_free(w);
}
