/* SPDX-License-Identifier: GPL-3.0-or-later */
/* coverage-cache.h - counts the coverage of each root at most once a second
 *
 * Counting walks through all directories (coverage.h), which is too expensive for each new
 * directory in a large tree. */
#pragma once
#include "daemon/crawl/coverage.h"

typedef struct CoverageCache CoverageCache;

CoverageCache *coverage_cache_new(void);
void coverage_cache_free(CoverageCache *cache);
/* Returns one Coverage for each of crawl->roots, in their order. It is borrowed until the next
 * call. exact: a client waits, so count now if anything changed. */
const GArray *coverage_cache_get(
        CoverageCache *cache, const Crawl *crawl, bool exact, int64_t now_us);
/* Returns when it may be counted again; INT64_MAX: nothing changed. */
int64_t coverage_cache_next_us(const CoverageCache *cache, const Crawl *crawl);
