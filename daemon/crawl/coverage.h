/* SPDX-License-Identifier: GPL-3.0-or-later */
/* coverage.h - how much of each root is watched, polled, or closed to us
 *
 * Counted by going through all directories, so only when something of it changed, and then at most
 * once a second. Engine only. */
#pragma once
#include "daemon/crawl/crawl.h"

typedef struct {
	uint64_t directories, watched, polled;
	uint64_t denied; /* could not be entered for lack of rights */
} Coverage;

/* Counts what may change the result. */
uint64_t coverage_version(const Crawl *crawl);
/* One for each of crawl->roots, in their order. Yours. */
GArray *coverage_count(const Crawl *crawl);
