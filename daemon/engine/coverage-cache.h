/* SPDX-License-Identifier: GPL-3.0-or-later */
/* coverage-cache.h - the coverage of each root, counted at most once a second
 *
 * Counting walks through all directories (coverage.h), and a new directory in a large tree must not
 * cost that. */
#pragma once
#include "daemon/crawl/coverage.h"

typedef struct CoverageCache CoverageCache;

CoverageCache *coverage_cache_new(void);
void coverage_cache_free(CoverageCache *cache);
/* One Coverage for each of crawl->roots, in their order. Borrowed until the next call. exact:
 * somebody waits, so it is counted now if anything changed. */
const GArray *coverage_cache_get(
        CoverageCache *cache, const Crawl *crawl, bool exact, int64_t now_us);
/* When it may be counted again; INT64_MAX: nothing changed. */
int64_t coverage_cache_next_us(const CoverageCache *cache, const Crawl *crawl);
