/* SPDX-License-Identifier: GPL-3.0-or-later */
/* web-hash.h - by what the rows of URLs are known */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* 8 bytes of a path, a shape or any other text. */
int64_t web_hash(const char *text, size_t length);
/* The key in web_branch of the harvest of a focused source, which begins with this path: its judged
 * pages, and those that are not about its topic. */
int64_t web_harvest_key(const char *prefix);
