/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/store/db-error.h"
#include <errno.h>
#include <sys/vfs.h>

/* clang-format off */
G_DEFINE_QUARK(index-error-quark, index_error)
/* clang-format on */

/* A full disk often appears as an I/O error, so the errno behind it decides. */
static IndexError io_error_code(int system_errno)
{
	switch (system_errno) {
	case ENOSPC:
	case EDQUOT:
	case EFBIG:
		return INDEX_ERROR_FULL;
	case EROFS:
		return INDEX_ERROR_READ_ONLY;
	case EACCES:
	case EPERM:
		return INDEX_ERROR_DENIED;
	default:
		return INDEX_ERROR_OTHER;
	}
}

/* If no inode is left, SQLite tries again without creating the file and keeps the errno of that
 * call. */
static bool has_no_inode(sqlite3 *db)
{
	const char *file = sqlite3_db_filename(db, "main");
	struct statfs info;
	return file && *file && statfs(file, &info) == 0 && info.f_files > 0 && info.f_ffree == 0;
}

/* The errno of the system call; 0: none was made. */
static int system_error(sqlite3 *db, int last_errno)
{
	int code = sqlite3_extended_errcode(db) & 0xff, system_errno = sqlite3_system_errno(db);
	if (code != SQLITE_IOERR && code != SQLITE_CANTOPEN)
		return 0;
	if (code == SQLITE_CANTOPEN && system_errno == ENOENT && has_no_inode(db))
		return ENOSPC;
	return system_errno != 0 ? system_errno : last_errno;
}

static IndexError error_code(sqlite3 *db, int last_errno)
{
	switch (sqlite3_extended_errcode(db) & 0xff) {
	case SQLITE_CORRUPT:
	case SQLITE_NOTADB:
	case SQLITE_CONSTRAINT: /* The tables hold values that this program did not write. */
	case SQLITE_MISMATCH:
	case SQLITE_TOOBIG:
		return INDEX_ERROR_DAMAGED;
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return INDEX_ERROR_BUSY;
	case SQLITE_FULL:
		return INDEX_ERROR_FULL;
	case SQLITE_READONLY:
		return INDEX_ERROR_READ_ONLY;
	case SQLITE_IOERR:
	case SQLITE_CANTOPEN:
		return io_error_code(system_error(db, last_errno));
	default:
		return INDEX_ERROR_OTHER;
	}
}

bool db_fail(sqlite3 *db, const char *what, GError **error)
{
	int last_errno = errno; /* SQLite keeps none for a failed COMMIT. */
	int why = system_error(db, last_errno);
	g_autofree char *message = g_strdup(sqlite3_errmsg(
	        db)); /* The message of this error, not of what the next call asks. */
	g_set_error(error, INDEX_ERROR, error_code(db, last_errno), "%s%s%s%s%s", what ? what : "",
	        what ? ": " : "", message, why ? ": " : "", why ? g_strerror(why) : "");
	return false;
}

bool db_fail_errno(GError **error, const char *path, int code)
{
	g_autofree char *shown = g_filename_display_name(path);
	g_set_error(error, INDEX_ERROR, io_error_code(code), "%s: %s", shown, g_strerror(code));
	return false;
}
