/* SPDX-License-Identifier: GPL-3.0-or-later */
/* glob.h - patterns of folded words and names
 *
 * SQLite's GLOB ("*", "?", "[a-c]", "[^a-c]", "]" first in a class is of it) without its recursion:
 * what stood before the last star need not be tried again, so the cost is at most the product of
 * the lengths. */
#pragma once
#include <stdbool.h>

/* Whether all of the text is like the pattern. Both are valid UTF-8. A class without an end meets
 * nothing. */
bool glob_matches(const char *pattern, const char *text);
