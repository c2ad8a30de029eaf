/* SPDX-License-Identifier: GPL-3.0-or-later */
/* db-error.h - why the index cannot be used */
#pragma once
#include <glib.h>
#include <sqlite3.h>
#include <stdbool.h>

#define INDEX_ERROR index_error_quark()
GQuark index_error_quark(void);
typedef enum {
	INDEX_ERROR_NONE_YET, /* there is no index */
	INDEX_ERROR_TOO_NEW,
	INDEX_ERROR_TOO_OLD, /* a reader found an older version: the daemon migrates it at its next
	                        start */
	INDEX_ERROR_DAMAGED,
	INDEX_ERROR_BUSY,
	INDEX_ERROR_LOCKED, /* another process holds INDEX_DIR/lock */
	INDEX_ERROR_FULL, /* the disk or the quota is full */
	INDEX_ERROR_READ_ONLY,
	INDEX_ERROR_DENIED, /* this user may not use the index */
	INDEX_ERROR_STOPPED, /* the caller stopped a query: reader_set_stop() */
	INDEX_ERROR_OTHER
} IndexError;

/* Turns the connection's last error into INDEX_ERROR_*. Always returns false, for "return
 * db_fail(...)". what: may be NULL. */
bool db_fail(sqlite3 *db, const char *what, GError **error);
/* As db_fail(), for a system call: code is its errno, path what it was called for. */
bool db_fail_errno(GError **error, const char *path, int code);
