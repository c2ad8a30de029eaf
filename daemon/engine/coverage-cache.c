/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/engine/coverage-cache.h"

enum { COVERAGE_US = 1000 * 1000 };

struct CoverageCache {
	GArray *coverage; /* of Coverage; NULL: not counted yet */
	uint64_t version;
	int64_t due_us; /* earliest time of the next count */
};

CoverageCache *coverage_cache_new(void)
{
	return g_new0(CoverageCache, 1);
}

void coverage_cache_free(CoverageCache *cache)
{
	g_clear_pointer(&cache->coverage, g_array_unref);
	g_free(cache);
}

static bool is_current(const CoverageCache *cache, const Crawl *crawl, bool exact, int64_t now_us)
{
	if (!cache->coverage || cache->coverage->len != crawl->roots->len)
		return false;
	return coverage_version(crawl) == cache->version || (now_us < cache->due_us && !exact);
}

const GArray *coverage_cache_get(
        CoverageCache *cache, const Crawl *crawl, bool exact, int64_t now_us)
{
	if (is_current(cache, crawl, exact, now_us))
		return cache->coverage;
	g_clear_pointer(&cache->coverage, g_array_unref);
	cache->coverage = coverage_count(crawl);
	cache->version = coverage_version(crawl);
	cache->due_us = now_us + COVERAGE_US;
	return cache->coverage;
}

int64_t coverage_cache_next_us(const CoverageCache *cache, const Crawl *crawl)
{
	return coverage_version(crawl) != cache->version ? cache->due_us : INT64_MAX;
}
