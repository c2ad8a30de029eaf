/* SPDX-License-Identifier: GPL-3.0-or-later */
/* db-schema.h - makes the tables of an index, and checks that a file holds these and nothing else
 *
 * All functions return false with INDEX_ERROR; what is found wrong is INDEX_ERROR_DAMAGED. */
#pragma once
#include <glib.h>
#include <sqlite3.h>
#include <stdbool.h>

/* In an empty file. */
bool db_schema_create(sqlite3 *db, GError **error);
/* Checks that the file is an index. The database of another program counts as damaged: it is moved
 * aside, not lost. */
bool db_schema_check_owner(sqlite3 *db, GError **error);
/* Checks that the file holds nothing that could run in a query. */
bool db_schema_check(sqlite3 *db, GError **error);
/* Reads both ends of every table and index, and the structure of the text index, which takes some
 * milliseconds at any size. A killed process cannot damage the file; this finds damage that a bad
 * disk or another program did to the parts that everything depends on. Damage elsewhere is found
 * when it is read. Of FTS5's own tables only row numbers are read, never a page. */
bool db_schema_check_ends(sqlite3 *db, GError **error);
