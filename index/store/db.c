/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/store/db.h"
#include "common/base/autofd.h"
#include "common/base/i18n.h"
#include "index/store/db-exec.h"
#include "index/store/db-key.h"
#include "index/store/db-marks.h"
#include "index/store/db-schema.h"
#include "index/store/dbfile.h"
#include "index/store/migrate.h"
#include "index/store/web-path.h"
#include "index/text/name-bytes.h"
#include "index/text/tokenizer.h"
#include "index/store/migrations-sql.h"
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/vfs.h>

#define DB_NAME "index.db"

bool db_is_damaged(sqlite3 *db)
{
	/* SQLite reports a table with AUTOINCREMENT as full once it has a row with the largest
	 * number. No real index comes near it. */
	static const char sql[] =
	        "SELECT 1 FROM sqlite_sequence WHERE seq = 9223372036854775807 "
	        "UNION ALL SELECT 1 FROM node WHERE id = 9223372036854775807 "
	        "UNION ALL SELECT 1 FROM inode WHERE id = 9223372036854775807 "
	        "UNION ALL SELECT 1 FROM content WHERE id = 9223372036854775807 "
	        "UNION ALL SELECT 1 FROM document WHERE id = 9223372036854775807 "
	        "UNION ALL SELECT 1 FROM pragma_quick_check(1) WHERE quick_check <> 'ok'";
	sqlite3_stmt *statement = NULL;
	int result = sqlite3_prepare_v2(db, sql, -1, &statement, NULL);
	if (result == SQLITE_OK)
		result = sqlite3_step(statement);
	sqlite3_finalize(statement);
	return result == SQLITE_ROW || result == SQLITE_CORRUPT;
}

/* The connections of this process. A connection is counted before it takes a lock. */
static GMutex connections_lock;
static unsigned connections;

static void connections_add(int n)
{
	g_mutex_lock(&connections_lock);
	connections += n;
	g_mutex_unlock(&connections_lock);
}

/* ---- a connection */

static const char writer_pragmas[] = "PRAGMA synchronous = NORMAL;"
                                     "PRAGMA secure_delete = FAST;"
                                     "PRAGMA cache_size = -4096;"
                                     "PRAGMA mmap_size = 0;"
                                     "PRAGMA temp_store = MEMORY;"
                                     "PRAGMA journal_size_limit = 33554432;"
                                     "PRAGMA trusted_schema = OFF;"
                                     "PRAGMA cell_size_check = ON;";

static const char reader_pragmas[] = "PRAGMA query_only = ON;"
                                     "PRAGMA wal_autocheckpoint = 0;"
                                     "PRAGMA mmap_size = 0;"
                                     "PRAGMA temp_store = MEMORY;"
                                     "PRAGMA trusted_schema = OFF;"
                                     "PRAGMA cell_size_check = ON;"
                                     "PRAGMA cache_size = -" G_STRINGIFY(DB_READER_CACHE_KIB);

static sqlite3 *db_open_file(const char *path, int flags, GError **error)
{
	sqlite3 *db = NULL;
	connections_add(1);
	if (sqlite3_open_v2(path, &db, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE,
	            NULL) != SQLITE_OK ||
	        !web_path_register(db) || !name_bytes_register(db)) {
		db_fail(db, _("cannot open the index"), error);
		sqlite3_close_v2(db);
		connections_add(-1);
		return NULL;
	}
	sqlite3_busy_timeout(db, 5000);
	sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
	return db;
}

void db_close(sqlite3 *db)
{
	if (!db)
		return;
	sqlite3_close_v2(db);
	connections_add(-1);
}

static bool fail_version(GError **error, int64_t version)
{
	bool newer = version > DB_VERSION;
	g_set_error(error, INDEX_ERROR, newer ? INDEX_ERROR_TOO_NEW : INDEX_ERROR_TOO_OLD,
	        newer ? _("the index has version %d, which is newer than this program supports "
	                  "(%d)")
	              : _("the index has version %d, which is older than this program reads (%d); "
	                  "start the daemon to upgrade it"),
	        (int)version, DB_VERSION);
	return false;
}

static int db_count_down(void *left)
{
	return --*(unsigned *)left == 0;
}

/* Runs a function that reads the schema, which takes some thousand steps. In a hostile file, pages
 * may lead back to each other: a schema without end counts as damaged. */
static bool db_with_limit(sqlite3 *db, bool (*call)(sqlite3 *db, GError **error), GError **error)
{
	enum { CALL_STEPS = 10000 };
	unsigned calls_left = 100;
	g_autoptr(GError) why = NULL;
	sqlite3_progress_handler(db, CALL_STEPS, db_count_down, &calls_left);
	bool ok = call(db, &why);
	sqlite3_progress_handler(db, 0, NULL, NULL);
	if (!ok && calls_left == 0)
		g_set_error(error, INDEX_ERROR, INDEX_ERROR_DAMAGED,
		        _("the index is damaged: reading its schema does not end"));
	else if (!ok)
		g_propagate_error(error, g_steal_pointer(&why));
	return ok;
}

/* ---- opening for the writer */

bool db_register_tokenizer(sqlite3 *db, GError **error)
{
	return tokenizer_register(db) == SQLITE_OK || db_fail(db, "FTS5", error);
}

/* Creates the schema, or checks it. */
static bool db_prepare_schema(sqlite3 *db, GError **error)
{
	int64_t tables;
	int version;
	if (!db_register_tokenizer(db, error) || !migrate_version(db, &version, error) ||
	        !db_get_int(db, "SELECT count(*) FROM sqlite_schema", &tables, error))
		return false;
	if (version == 0 && tables == 0 && !db_schema_create(db, error))
		return false;
	if (!db_schema_check_owner(db, error))
		return false;
	if (version > DB_VERSION)
		return fail_version(error, version);
	return db_schema_check(db, error);
}

/* Creates, migrates or checks the database that was opened. */
static bool db_prepare(sqlite3 *db, GError **error)
{
	int64_t clean;
	if (!db_with_limit(db, db_prepare_schema, error) || !db_exec(db, writer_pragmas, error) ||
	        !migrate_run(db, migrations, DB_VERSION, error) || !db_key_ensure(db, error) ||
	        !db_get_int(db, "SELECT value FROM meta WHERE key = 'clean'", &clean, error))
		return false;
	if (clean != 1 && !db_schema_check_ends(db, error))
		return false;
	return db_exec(db,
	        "INSERT INTO meta VALUES('clean', 0) ON CONFLICT DO UPDATE SET value = 0", error);
}

bool db_set_clean(sqlite3 *db, GError **error)
{
	return db_exec(db,
	        "INSERT INTO meta VALUES('clean', 1) ON CONFLICT DO UPDATE SET value = 1", error);
}

/* "WAL does not work over a network filesystem" (sqlite.org/wal.html): each machine would map its
 * own index of the log. A file system that a virtual machine shares with its host (9P, virtiofs) is
 * allowed, since only one system uses it. */
static bool refuse_network(const char *index_dir, GError **error)
{
	static const uint32_t network[] = {0x6969 /* NFS */, 0xFF534D42 /* CIFS */,
	        0xFE534D42 /* SMB2 */, 0x00C36400 /* Ceph */, 0x5346414F /* AFS */,
	        0x0BD00BD0 /* Lustre */};
	struct statfs fs;
	if (statfs(index_dir, &fs) != 0)
		return db_fail_errno(error, index_dir, errno);
	for (size_t i = 0; i < G_N_ELEMENTS(network); i++) {
		if ((uint32_t)fs.f_type != network[i])
			continue;
		g_autofree char *shown = g_filename_display_name(index_dir);
		g_set_error(error, INDEX_ERROR, INDEX_ERROR_OTHER,
		        _("%s: the index cannot be on a network file system; choose a local "
		          "directory with --index or TARSIER_INDEX"),
		        shown);
		return false;
	}
	return true;
}

static sqlite3 *open_prepared(const char *index_dir, GError **error)
{
	g_autofree char *path = g_build_filename(index_dir, DB_NAME, NULL);
	if (!dbfile_prepare(index_dir, DB_NAME, error))
		return NULL;
	sqlite3 *db = db_open_file(path, SQLITE_OPEN_READWRITE, error);
	if (!db)
		return NULL;
	if (!db_prepare(db, error)) {
		db_close(db);
		return NULL;
	}
	return db;
}

static bool note_rebuilt(sqlite3 *db, const char *why, GError **error)
{
	g_autoptr(GDateTime) now = g_date_time_new_now_utc();
	g_autofree char *date = g_date_time_format_iso8601(now);
	g_autofree char *value = g_strdup_printf("%s %s", date, why);
	char *sql = sqlite3_mprintf("INSERT OR REPLACE INTO meta VALUES('rebuilt', %Q)", value);
	bool ok = db_exec(db, sql, error);
	sqlite3_free(sql);
	return ok;
}

static sqlite3 *db_rebuild(const char *index_dir, const char *why, GError **error)
{
	g_message("the index is damaged (%s): it is moved aside and made anew", why);
	if (!dbfile_move_aside(index_dir, DB_NAME, error))
		return NULL;
	sqlite3 *db = open_prepared(index_dir, error);
	if (!db)
		return NULL;
	if (!note_rebuilt(db, why, error)) {
		db_close(db);
		return NULL;
	}
	db_unmark_damaged(index_dir);
	db_unmark_bulk(index_dir);
	return db;
}

sqlite3 *db_open_writer(const char *index_dir, GError **error)
{
	g_autoptr(GError) why = NULL;
	g_autofree char *mark = NULL;

	if (!dbfile_prepare(index_dir, DB_NAME, error) || !refuse_network(index_dir, error))
		return NULL;
	dbfile_forget_damaged(index_dir, DB_NAME);
	mark = db_damage_mark(index_dir);
	if (mark)
		return db_rebuild(index_dir, mark, error);
	if (db_bulk_mark(index_dir) == DB_BULK_CUT)
		return db_rebuild(index_dir,
		        _("the computer went down while the index was being created"), error);
	sqlite3 *db = open_prepared(index_dir, &why);
	if (!db && g_error_matches(why, INDEX_ERROR, INDEX_ERROR_DAMAGED))
		return db_rebuild(index_dir, why->message, error);
	if (!db)
		g_propagate_error(error, g_steal_pointer(&why));
	return db;
}

/* SQLite opens the log with the first read, and would find nothing to checkpoint before. This one
 * needs no schema. */
sqlite3 *db_open_log(const char *index_dir, GError **error)
{
	g_autofree char *path = g_build_filename(index_dir, DB_NAME, NULL);
	sqlite3 *db = db_open_file(path, SQLITE_OPEN_READWRITE, error);
	if (db && !db_exec(db, "PRAGMA user_version", error))
		g_clear_pointer(&db, db_close);
	return db;
}

/* ---- readers */

/* A directory that cannot be written has no -shm file; without a -wal the file cannot change under
 * the reader. */
static sqlite3 *open_immutable(const char *path, GError **error)
{
	g_autofree char *uri = g_filename_to_uri(path, NULL, NULL);
	g_autofree char *immutable = g_strconcat(uri, "?immutable=1", NULL);
	return db_open_file(immutable, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, error);
}

/* Readers note in the WAL index how far they read. It is mapped: if a write needs new space while a
 * quota is used up, the mapping raises SIGBUS, but a write to the file returns an error. So the
 * byte of the first lock, which has no content (wal.c, WalCkptInfo), is overwritten with itself to
 * find out. The caller has seen that this process has no connection: to close the file drops the
 * locks that the process holds on it (fcntl(2)). */
static bool probe_room_for_marks(const char *path)
{
	enum { LOCK_BYTE = 120 };
	g_autofree char *shm = g_strconcat(path, "-shm", NULL);
	char byte;
	autofd fd = open(shm, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 || pread(fd, &byte, 1, LOCK_BYTE) != 1)
		return true;
	return pwrite(fd, &byte, 1, LOCK_BYTE) == 1 || (errno != ENOSPC && errno != EDQUOT);
}

/* With a connection, one is known to have had room. */
static bool has_room_for_marks(const char *path)
{
	g_mutex_lock(&connections_lock);
	bool room = connections > 0 || probe_room_for_marks(path);
	g_mutex_unlock(&connections_lock);
	return room;
}

/* Reads as far as a mark of another reader allows. */
static sqlite3 *open_without_marks(const char *path, GError **error)
{
	g_autofree char *uri = g_filename_to_uri(path, NULL, NULL);
	g_autofree char *unmarked = g_strconcat(uri, "?readonly_shm=1", NULL);
	return db_open_file(unmarked, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, error);
}

static sqlite3 *open_readable(const char *index_dir, GError **error)
{
	g_autofree char *path = g_build_filename(index_dir, DB_NAME, NULL);
	g_autofree char *wal = g_strconcat(path, "-wal", NULL);
	if (g_access(index_dir, W_OK) != 0 && g_access(wal, F_OK) != 0)
		return open_immutable(path, error);
	if (!has_room_for_marks(path))
		return open_without_marks(path, error);
	return db_open_file(path, SQLITE_OPEN_READONLY, error);
}

/* Reads the version and the number of tables. Both are 0 also for a database whose creation was
 * killed: only its first steps, before the WAL exists, leave a journal that a writer must roll
 * back. */
static bool db_read_head(sqlite3 *db, int64_t *version_r, int64_t *tables_r, GError **error)
{
	if (db_get_int(db, "PRAGMA user_version", version_r, error) &&
	        db_get_int(db, "SELECT count(*) FROM sqlite_schema", tables_r, error))
		return true;
	if (sqlite3_extended_errcode(db) != SQLITE_READONLY_ROLLBACK)
		return false;
	g_clear_error(error);
	*version_r = *tables_r = 0;
	return true;
}

static bool prepare_reader(sqlite3 *db, GError **error)
{
	int64_t version, tables;
	sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
	if (!db_read_head(db, &version, &tables, error))
		return false;
	if (version == 0 && tables == 0) {
		g_set_error(error, INDEX_ERROR, INDEX_ERROR_NONE_YET, _("there is no index yet"));
		return false;
	}
	if (!db_schema_check_owner(db, error))
		return false;
	if (version != DB_VERSION)
		return fail_version(error, version);
	return db_schema_check(db, error) && db_exec(db, reader_pragmas, error) &&
	       db_register_tokenizer(db, error);
}

sqlite3 *db_open_reader(const char *index_dir, GError **error)
{
	if (!dbfile_check(index_dir, DB_NAME, error))
		return NULL;
	sqlite3 *db = open_readable(index_dir, error);
	if (db && !db_with_limit(db, prepare_reader, error))
		g_clear_pointer(&db, db_close);
	return db;
}

void db_remove_damaged(const char *index_dir)
{
	dbfile_remove_damaged(index_dir, DB_NAME);
}
