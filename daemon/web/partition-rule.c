/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/web/partition-rule.h"
#include "index/store/web-hash.h"
#include <glib.h>
#include <string.h>
#include <time.h>

static uint64_t owner_rank(const char *host, const char *crawler)
{
	g_autofree char *both = g_strconcat(crawler, "\n", host, NULL);
	return (uint64_t)web_hash(both, strlen(both));
}

/* Equal ranks, which do not happen, are told apart by the names, so that all crawlers agree. */
int partition_owner(const char *host, const char *const *crawlers)
{
	int best = -1;
	uint64_t best_rank = 0;
	for (int i = 0; crawlers[i]; i++) {
		uint64_t rank = owner_rank(host, crawlers[i]);
		bool before = best < 0 || rank > best_rank ||
		              (rank == best_rank && strcmp(crawlers[i], crawlers[best]) < 0);
		if (before) {
			best = i;
			best_rank = rank;
		}
	}
	return best;
}

int64_t lease_now_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_BOOTTIME, &now);
	return now.tv_sec * (int64_t)1000 + now.tv_nsec / 1000000;
}

int64_t lease_begin_until_ms(const Lease *lease)
{
	return lease->from_ms == 0 ? 0 : lease->from_ms + lease->length_ms / 2;
}

bool lease_allows(const Lease *lease, int64_t now_ms)
{
	return lease->from_ms != 0 && now_ms < lease_begin_until_ms(lease);
}

unsigned lease_request_s(const Lease *lease, unsigned most_s)
{
	return (unsigned)CLAMP(lease->length_ms / 3 / 1000, 1, (int64_t)most_s);
}

int64_t lease_period_ms(const Lease *lease)
{
	return MIN(lease->length_ms / 6, LEASE_PERIOD_MOST_MS);
}
