/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search-test.h - a small tree of real files with its index */
#pragma once
#include "index/search/search.h"
#include "tests/index/index-test.h"

typedef struct {
	Fixture index;
	char *root; /* absolute */
	int64_t node; /* node of root */
	int64_t modified; /* of the files that tree_make() makes, in seconds; 0: now */
	Reader *r;
} Tree;

void tree_up(Tree *t, gconstpointer data);
void tree_down(Tree *t, gconstpointer data);
/* Makes the file or directory with this relative path and its parents, and indexes the names.
 * content NULL: a directory. */
Entry tree_make(Tree *t, const char *path, const char *content);
/* Gives an entry a content with these documents, which are freed. NULL ends the list. */
void tree_convert(Tree *t, const Entry *entry, const char *checksum_of_what, Document *first, ...);
/* Makes and indexes a file whose text is its content. */
Entry tree_text(Tree *t, const char *path, const char *text);
/* Returns the facts of a file with this absolute path, as the index keeps them. */
EntryStat tree_stat(const Tree *t, const char *path);
char *tree_path(const Tree *t, const char *path);
/* Commits and opens a reader. */
void tree_open(Tree *t);

Query *parse(const char *text, const QueryOptions *options);
/* Searches for everything, with every entry by itself. If the query options are NULL, the defaults
 * apply. */
SearchResult *search(Tree *t, const char *text, DupsMode dups);
/* Returns the paths of the hits below the root with their members, in order, separated by
 * blanks. */
char *found(Tree *t, const char *text);
#define assert_found(t, text, expected)                                                            \
	G_STMT_START                                                                               \
	{                                                                                          \
		g_autofree char *found_paths = found(t, text);                                     \
		g_assert_cmpstr(found_paths, ==, expected);                                        \
	}                                                                                          \
	G_STMT_END
