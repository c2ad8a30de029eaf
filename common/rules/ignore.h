/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ignore.h - patterns as in gitignore(5)
 *
 * A list of patterns, the later ones win. "*" and "?" stop at "/", "**" as a whole component does
 * not; [a-z], [!a-z],
 * [[:alpha:]]; a backslash takes the next character as it is; "!" takes back; "/" at the end:
 * directories only; "/" elsewhere: the pattern is tied to the directory of the list, else any name
 * below it. Bytes, case counts. Time is bounded whatever the pattern. */
#pragma once
#include <glib.h>
#include <stdbool.h>

enum { IGNORE_MAX_PATTERNS = 4096, IGNORE_MAX_PATTERN_BYTES = 8192 };

typedef struct IgnoreList IgnoreList;
typedef enum { IGNORE_NO_MATCH, IGNORE_EXCLUDED, IGNORE_TAKEN_BACK } IgnoreVerdict;

IgnoreList *ignore_list_new(void);
void ignore_list_free(IgnoreList *list);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(IgnoreList, ignore_list_free)

/* One line, not NUL-terminated. why: what ignore_list_match() tells when the line decides; copied.
 * Blank lines and comments add nothing, as does a malformed pattern, which can never match. False:
 * the line or the list is too long. */
bool ignore_list_add(IgnoreList *list, const char *line, size_t length, const char *why);
/* All lines of a file, each with the reason "SHOWN:LINE: PATTERN". False: too many or too long. */
bool ignore_list_add_file(IgnoreList *list, const char *text, size_t length, const char *shown);

bool ignore_list_is_empty(const IgnoreList *list);
/* Does a pattern need the path? Else the name is enough. */
bool ignore_list_needs_path(const IgnoreList *list);

/* The verdict on one entry. path: relative to the directory of the list, without "/" at its ends;
 * may be NULL if none needs it. why_r: borrowed, set when something matched; may be NULL. */
IgnoreVerdict ignore_list_match(const IgnoreList *list, const char *name, const char *path,
        bool is_dir, const char **why_r);

/* Does the whole text match the pattern? */
bool ignore_pattern_matches(const char *pattern, const char *text);
