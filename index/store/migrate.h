/* SPDX-License-Identifier: GPL-3.0-or-later */
/* migrate.h - steps from one version of the schema to the next
 *
 * The steps are the files index/store/migrations/NNNN-what.sql, where NNNN is the version they lead
 * to. The build turns them into the table that db.c passes to migrate_run(). */
#pragma once
#include <glib.h>
#include <sqlite3.h>
#include <stdbool.h>

typedef struct {
	int to; /* user_version after the step */
	const char *sql;
} Migration;

/* Brings the database from its user_version to version, one transaction a step. steps are in
 * ascending order and end with a NULL sql. INDEX_ERROR_TOO_OLD: a step is missing. After a failed
 * step the database has the version before it. */
bool migrate_run(sqlite3 *db, const Migration *steps, int version, GError **error);
/* Reads user_version, which may be any number if another program made the file. */
bool migrate_version(sqlite3 *db, int *version_r, GError **error);
