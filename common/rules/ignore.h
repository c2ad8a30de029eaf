/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ignore.h - patterns as in gitignore(5)
 *
 * In a list of patterns, later ones win. "!" at the beginning takes a match back. "/" at the end
 * restricts the pattern to directories. "/" elsewhere anchors the pattern to the directory of the
 * list; without it, the pattern matches any name below that directory. Patterns are bytes and
 * case-sensitive; GLOB_GITIGNORE tells the rest.
 *
 * A file of patterns may come from a stranger, so what it can cost is limited before it is used:
 * an entry costs at most a comparison with each pattern that applies in its directory, and a step
 * of IGNORE_MAX_WORDS words for each byte of its name (glob.h). A file that does not fit is not
 * applied in part, because the rest may have been meant to hide something: its directory is kept
 * out. */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Limits of a list. */
enum { IGNORE_MAX_PATTERNS = 4096, IGNORE_MAX_PATTERN_BYTES = 8192 };
/* Limits of all files of patterns that apply in one directory, together: bytes of patterns, and
 * words of states of the patterns with wildcards that need an automaton, 64 of their bytes a word.
 * A file counts four words at least for its patterns of names, and four for those of paths. */
enum { IGNORE_MAX_BYTES = 64 << 10, IGNORE_MAX_WORDS = 128 };

typedef struct IgnoreList IgnoreList;
typedef enum { IGNORE_NO_MATCH, IGNORE_EXCLUDED, IGNORE_TAKEN_BACK } IgnoreVerdict;

/* A list of patterns that the user chose. */
IgnoreList *ignore_list_new(void);
/* A list of patterns that anybody may have written. above: the nearest such list that applies in
 * the same directory, which counts too with those above it; NULL: none. No reference is kept. */
IgnoreList *ignore_list_new_below(const IgnoreList *above);
void ignore_list_free(IgnoreList *list);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(IgnoreList, ignore_list_free)

/* Adds one line, which need not end with NUL. why: the reason that ignore_list_match() returns when
 * the line decides; copied. Blank lines, comments and malformed patterns, which can never match,
 * add nothing. False if the line or the list is too long. */
bool ignore_list_add(IgnoreList *list, const char *line, size_t length, const char *why);
/* To be called before matching, after the last ignore_list_add(). */
void ignore_list_finish(IgnoreList *list);
/* Adds the lines of a file to a new list, each with the reason "SHOWN:LINE: PATTERN", and finishes
 * it. Returns 0, or the number of the first line that does not fit: it and those after it are left
 * out. */
guint ignore_list_add_file(IgnoreList *list, const char *text, size_t length, const char *shown);

bool ignore_list_is_empty(const IgnoreList *list);
/* Does any pattern need the path? If not, the name is enough. */
bool ignore_list_needs_path(const IgnoreList *list);

/* The verdict on one entry. path: relative to the directory of the list, without "/" at its ends;
 * may be NULL if no pattern needs it. *why_r: borrowed until the next call, set if a pattern
 * decided; why_r may be NULL. */
IgnoreVerdict ignore_list_match(
        IgnoreList *list, const char *name, const char *path, bool is_dir, const char **why_r);

/* The same for an entry of a directory whose states are known, so that only the name is read.
 * ignore_list_enter() returns the states of a directory, owned by the caller: that of the list if
 * above is NULL, otherwise the directory called name in the one whose states are above. NULL: the
 * list needs none. */
uint64_t *ignore_list_enter(const IgnoreList *list, const uint64_t *above, const char *name);
IgnoreVerdict ignore_list_match_in(IgnoreList *list, const uint64_t *states, const char *name,
        const char *path, bool is_dir, const char **why_r);
