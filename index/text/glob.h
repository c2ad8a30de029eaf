/* SPDX-License-Identifier: GPL-3.0-or-later */
/* glob.h - patterns of folded words and names
 *
 * The syntax is that of SQLite's GLOB: "*", "?", "[a-c]", "[^a-c]"; "]" as the first of a class
 * belongs to it. The matcher does not recurse: what precedes the last star is never tried again, so
 * the cost is at most the product of both lengths. */
#pragma once
#include <stdbool.h>

/* True if the whole text matches the pattern. Both are valid UTF-8. An unterminated class matches
 * nothing. */
bool glob_matches(const char *pattern, const char *text);
