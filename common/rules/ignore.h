/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ignore.h - patterns as in gitignore(5)
 *
 * In a list of patterns, later ones win. "*" and "?" do not match "/"; "**" as a whole component
 * does. Classes are [a-z], [!a-z] and [[:alpha:]]. A backslash makes the next character literal.
 * "!" at the beginning takes a match back. "/" at the end restricts the pattern to directories. "/"
 * elsewhere anchors the pattern to the directory of the list; without it, the pattern matches any
 * name below that directory. Patterns are bytes and case-sensitive. Time is bounded for any
 * pattern. */
#pragma once
#include <glib.h>
#include <stdbool.h>

enum { IGNORE_MAX_PATTERNS = 4096, IGNORE_MAX_PATTERN_BYTES = 8192 };

typedef struct IgnoreList IgnoreList;
typedef enum { IGNORE_NO_MATCH, IGNORE_EXCLUDED, IGNORE_TAKEN_BACK } IgnoreVerdict;

IgnoreList *ignore_list_new(void);
void ignore_list_free(IgnoreList *list);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(IgnoreList, ignore_list_free)

/* Adds one line, which need not end with NUL. why: the reason that ignore_list_match() returns when
 * the line decides; copied. Blank lines, comments and malformed patterns, which can never match,
 * add nothing. False if the line or the list is too long. */
bool ignore_list_add(IgnoreList *list, const char *line, size_t length, const char *why);
/* Adds all lines of a file, each with the reason "SHOWN:LINE: PATTERN". False if there are too many
 * lines or one is too long. */
bool ignore_list_add_file(IgnoreList *list, const char *text, size_t length, const char *shown);

bool ignore_list_is_empty(const IgnoreList *list);
/* Does any pattern need the path? If not, the name is enough. */
bool ignore_list_needs_path(const IgnoreList *list);

/* The verdict on one entry. path: relative to the directory of the list, without "/" at its ends;
 * may be NULL if no pattern needs it. *why_r: borrowed, set if a pattern matched; why_r may be
 * NULL. */
IgnoreVerdict ignore_list_match(const IgnoreList *list, const char *name, const char *path,
        bool is_dir, const char **why_r);

/* Does the whole text match the pattern? */
bool ignore_pattern_matches(const char *pattern, const char *text);
