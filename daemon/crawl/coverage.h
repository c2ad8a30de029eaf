/* SPDX-License-Identifier: GPL-3.0-or-later */
/* coverage.h - how much of each root is watched, polled or denied
 *
 * Counting goes through all directories, so it is done only after something changed, and at most
 * once a second. Only the engine uses it. */
#pragma once
#include "daemon/crawl/crawl.h"

typedef struct {
	uint64_t directories, watched, polled;
	uint64_t denied; /* could not be entered: permission denied */
} Coverage;

/* Grows with everything that may change the result. */
uint64_t coverage_version(const Crawl *crawl);
/* Returns one Coverage for each of crawl->roots, in their order. The caller owns the array. */
GArray *coverage_count(const Crawl *crawl);
