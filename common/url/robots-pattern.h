/* SPDX-License-Identifier: GPL-3.0-or-later */
/* robots-pattern.h - one pattern of robots.txt (RFC 9309, section 2.2.3) */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/* Does the path match the pattern? "*" stands for any bytes, "$" at the end for the end of the
 * path; all else begins the path as it is. Linear time. */
bool robots_match(const char *pattern, const char *path, size_t length);
