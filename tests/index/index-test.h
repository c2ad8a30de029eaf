/* SPDX-License-Identifier: GPL-3.0-or-later */
/* index-test.h - a writer in a private directory, and helpers for tests with it */
#pragma once
#include "index/write/writer.h"
#include <sqlite3.h>

/* A call that must succeed. It must store its error in `error`. */
#define OK(call)                                                                                   \
	G_STMT_START                                                                               \
	{                                                                                          \
		g_autoptr(GError) ok_error = NULL;                                                 \
		GError **error = &ok_error;                                                        \
		bool ok_result = (call);                                                           \
		g_assert_no_error(ok_error);                                                       \
		g_assert_true(ok_result);                                                          \
	}                                                                                          \
	G_STMT_END

/* The key of checksums whose value does not matter. */
#define ZERO_KEY (&(const ChecksumKey){0})

typedef struct {
	char *dir, *cache;
	Writer *w;
	int64_t filesystem;
} Fixture;

void fixture_up(Fixture *f, gconstpointer data);
void fixture_down(Fixture *f, gconstpointer data);
/* Commits, checks the number of pending entries and the index of names, and closes. */
void fixture_check_and_down(Fixture *f, gconstpointer data);
#define FIXTURE_TEST(path, test) g_test_add(path, Fixture, NULL, fixture_up, test, fixture_down)
#define CHECKED_TEST(path, test)                                                                   \
	g_test_add(path, Fixture, NULL, fixture_up, test, fixture_check_and_down)
/* Closes the writer and opens it again. */
void fixture_reopen(Fixture *f);

EntryStat stat_of(const Fixture *f, uint64_t ino, EntryKind kind, int64_t size, int64_t mtime_ns);
/* Calls writer_put(), which must succeed. needs_content is set for files. */
Entry put(Fixture *f, int64_t parent, const char *name, EntryStat stat);
/* Returns a document with plain body text. */
Document *document_of(const char *text);
/* Begins, adds, ends and links a content; the checksum is made from the text. */
int64_t convert(Fixture *f, int64_t inode, const char *text);
void commit(Fixture *f);
/* Makes a root with a file "a" that has the text "alpha", and commits. */
Entry add_file(Fixture *f);
/* Returns a path in the directory of the index; the caller owns it. */
char *in_dir(const Fixture *f, const char *name);
/* Returns the permission bits of a file; -1: it does not exist. */
int fixture_mode(const Fixture *f, const char *name);
/* Executes SQL without the writer's knowledge. */
void exec_raw(const Fixture *f, const char *sql);
/* Returns the first column of the first row through another connection, which sees only what is
 * committed. */
int64_t ask(const Fixture *f, const char *sql);
/* Returns the number of live documents that match. */
int64_t matches(const Fixture *f, const char *query);
int64_t names(const Fixture *f, const char *query);
/* The table gram has the grams of all entries and members that meta says it has, and no others. */
void assert_grams(const Fixture *f);
/* Writes the grams of all names, and commits. */
void write_grams(Fixture *f);
/* Returns a stored total by its name in the table meta. */
int64_t total(const Fixture *f, const char *key);
/* All stored totals are what counting gives. */
void assert_totals(const Fixture *f);
/* For promises about time itself; why tells the reader which. */
void let_time_pass(unsigned ms, const char *why);
