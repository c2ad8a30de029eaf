/* SPDX-License-Identifier: GPL-3.0-or-later */
/* index-test.h - a writer in a private directory, and short words for what tests do with it */
#pragma once
#include "index/write/writer.h"
#include <sqlite3.h>

/* A call that must succeed; it names its error `error`. */
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

typedef struct {
	char *dir, *cache;
	Writer *w;
	int64_t filesystem;
} Fixture;

void fixture_up(Fixture *f, gconstpointer data);
void fixture_down(Fixture *f, gconstpointer data);
/* Commits and looks at the names first. */
void fixture_check_and_down(Fixture *f, gconstpointer data);
#define FIXTURE_TEST(path, test) g_test_add(path, Fixture, NULL, fixture_up, test, fixture_down)
#define CHECKED_TEST(path, test)                                                                   \
	g_test_add(path, Fixture, NULL, fixture_up, test, fixture_check_and_down)
/* Closes and opens again. */
void fixture_reopen(Fixture *f);

EntryStat stat_of(const Fixture *f, uint64_t ino, EntryKind kind, int64_t size, int64_t mtime_ns);
/* writer_put() that must succeed; needs_content for files. */
Entry put(Fixture *f, int64_t parent, const char *name, EntryStat stat);
/* A document of plain body text. */
Document *document_of(const char *text);
/* begin, add, end and link; the checksum is made from the text. */
int64_t convert(Fixture *f, int64_t inode, const char *text);
void commit(Fixture *f);
/* A root with a file "a" of the text "alpha", committed. */
Entry add_file(Fixture *f);
/* A path in the directory of the index; yours. */
char *in_dir(const Fixture *f, const char *name);
/* Permission bits of what is there; -1: nothing is. */
int mode_of(const Fixture *f, const char *name);
/* Behind the writer's back. */
void exec_raw(const Fixture *f, const char *sql);
/* First column of the first row, by a connection of its own that sees only what is committed. */
int64_t ask(const Fixture *f, const char *sql);
/* Live documents that match. */
int64_t matches(const Fixture *f, const char *query);
int64_t names(const Fixture *f, const char *query);
/* Table gram holds those of all entries and members, and no others. */
void assert_grams(const Fixture *f);
/* A sum that is kept, by its name in table meta. */
int64_t total(const Fixture *f, const char *key);
/* All are what counting gives. */
void assert_totals(const Fixture *f);
/* For promises about time itself; why tells the reader which. */
void let_time_pass(unsigned ms, const char *why);
