/* SPDX-License-Identifier: GPL-3.0-or-later */
/* robots-index.h - which of many patterns of robots.txt is the first that matches a path
 *
 * A pattern is known by its literal prefix, the bytes before the first "*" or the final "$". The
 * prefixes are sorted. Those that begin a path lie on one chain, which starts at the last prefix
 * that is not greater than the path; each one links to the longest other one that begins it. So a
 * path costs a binary search and one comparison for each pattern on its chain, whatever the number
 * of patterns is. Only patterns with the same literal prefix are tried one after the other. */
#pragma once
#include <glib.h>
#include <stddef.h>

typedef struct RobotsIndex RobotsIndex;

/* Indexes n patterns (robots-pattern.h), which stay the caller's and must outlive the index. */
RobotsIndex *robots_index_new(const char *const *patterns, guint n);
void robots_index_free(RobotsIndex *index); /* NULL is allowed */

/* Returns the number of the first pattern that matches the path; the number of patterns if none
 * does. */
guint robots_index_first(const RobotsIndex *index, const char *path, size_t length);
