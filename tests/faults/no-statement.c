/* SPDX-License-Identifier: GPL-3.0-or-later */
/* no-statement.c - a preloaded library that lets one chosen SQL statement fail
 *
 * While the file $NO_STATEMENT exists, it holds a text: the next statement that contains it, with
 * its values, and runs within a transaction fails as without memory, and the file is removed.
 * Programs that the program starts are not affected. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *path;
static sqlite3 *failed; /* connection of the statement that failed last */

__attribute__((constructor)) static void read_setting(void)
{
	const char *setting = getenv("NO_STATEMENT");
	path = setting ? strdup(setting) : NULL;
	unsetenv("NO_STATEMENT");
}

static bool is_armed(char *text, size_t room)
{
	FILE *file = path ? fopen(path, "r") : NULL;
	bool read = file && fgets(text, room, file);
	if (file)
		fclose(file);
	return read && *text;
}

static bool is_chosen(sqlite3 *db, const char *sql)
{
	char text[256];
	if (!sql || sqlite3_get_autocommit(db) || !is_armed(text, sizeof text) ||
	        !strstr(sql, text))
		return false;
	unlink(path);
	failed = db;
	return true;
}

static bool must_fail(sqlite3 *db, const char *sql)
{
	pthread_mutex_lock(&lock);
	bool chosen = is_chosen(db, sql);
	pthread_mutex_unlock(&lock);
	return chosen;
}

int sqlite3_step(sqlite3_stmt *statement)
{
	int (*real)(sqlite3_stmt *) = dlsym(RTLD_NEXT, "sqlite3_step");
	if (sqlite3_stmt_busy(statement) || access(path ? path : "", F_OK) != 0)
		return real(statement);
	char *sql = sqlite3_expanded_sql(statement);
	bool fails = must_fail(sqlite3_db_handle(statement), sql);
	sqlite3_free(sql);
	return fails ? SQLITE_NOMEM : real(statement);
}

int sqlite3_exec(sqlite3 *db, const char *sql, int (*row)(void *, int, char **, char **),
        void *data, char **message)
{
	int (*real)(sqlite3 *, const char *, int (*)(void *, int, char **, char **), void *,
	        char **) = dlsym(RTLD_NEXT, "sqlite3_exec");
	return must_fail(db, sql) ? SQLITE_NOMEM : real(db, sql, row, data, message);
}

/* Tells the error of the statement that did not run, once. */
int sqlite3_extended_errcode(sqlite3 *db)
{
	int (*real)(sqlite3 *) = dlsym(RTLD_NEXT, "sqlite3_extended_errcode");
	pthread_mutex_lock(&lock);
	bool pretend = failed == db;
	failed = NULL;
	pthread_mutex_unlock(&lock);
	return pretend ? SQLITE_NOMEM : real(db);
}
