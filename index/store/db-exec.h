/* SPDX-License-Identifier: GPL-3.0-or-later */
/* db-exec.h - runs constant SQL */
#pragma once
#include <glib.h>
#include <sqlite3.h>
#include <stdbool.h>

/* Runs constant SQL. */
bool db_exec(sqlite3 *db, const char *sql, GError **error);
/* Returns the first column of the first row; 0: there is none. */
bool db_get_int(sqlite3 *db, const char *sql, int64_t *value_r, GError **error);
