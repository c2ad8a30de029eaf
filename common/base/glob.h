/* SPDX-License-Identifier: GPL-3.0-or-later */
/* glob.h - patterns with wildcards, matched in linear time
 *
 * The patterns of a set become one automaton whose states are bits, and a character of the text
 * moves all states at once: K. Thompson, "Regular expression search algorithm" (1968), with the
 * bits of R. Baeza-Yates and G. Gonnet, "A new approach to text searching" (1992). Nothing is tried
 * twice, so a text costs at most its length times glob_set_words(), whatever the patterns are. The
 * memory is that of glob_set_words() for each character that the patterns tell apart. */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
	/* gitignore(5). Characters are bytes. "*", "?" and classes do not match "/"; "**" as a
	 * whole component does, and as the last one matches everything. Classes are [a-z], [!a-z]
	 * or [^a-z], and [[:alpha:]] of the "C" locale. A backslash makes the next byte
	 * literal. */
	GLOB_GITIGNORE,
	/* SQLite's GLOB. Patterns and texts are valid UTF-8. "*" and "?" match everything. Classes
	 * are [a-z] and [^a-z]; "]" as the first of a class belongs to it. Nothing is escaped. */
	GLOB_SQLITE
} GlobSyntax;

typedef struct GlobSet GlobSet;

GlobSet *glob_set_new(GlobSyntax syntax);
void glob_set_free(GlobSet *set);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(GlobSet, glob_set_free)

/* Adds a pattern. Patterns are numbered from 0. Returns false if the pattern is malformed (an open
 * or unknown class, a backslash at the end): it has a number and matches nothing. */
bool glob_set_add(GlobSet *set, const char *pattern);
/* Prepares the set for matching, once, after the last pattern. Then the set is const and may be
 * used by several threads. */
void glob_set_compile(GlobSet *set);
/* Number of patterns; number of 64-bit words of states. A pattern has at most its bytes + 1
 * states. */
guint glob_set_length(const GlobSet *set);
size_t glob_set_words(const GlobSet *set);

/* The states before the first character; glob_set_words() words, owned by the caller. */
uint64_t *glob_set_start(const GlobSet *set);
/* Moves the states over a piece of the text, which holds whole characters. Returns the number of
 * words that were computed: the steps. It stops when no pattern can match any more. */
uint64_t glob_set_advance(const GlobSet *set, uint64_t *states, const char *text, size_t length);
/* Does this pattern match the whole text that the states were moved over? */
bool glob_set_matches(const GlobSet *set, const uint64_t *states, guint pattern);
/* The patterns that match the whole text, each as the bit of its number; those from number 64 on
 * are left out. */
uint64_t glob_set_match(const GlobSet *set, const char *text, size_t length);
