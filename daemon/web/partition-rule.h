/* SPDX-License-Identifier: GPL-3.0-or-later */
/* partition-rule.h - whose a host is, and how long a lease of it lasts
 *
 * Several crawlers share a set of hosts by rendezvous hashing (D. Thaler, C. Ravishankar, "Using
 * name-based mappings to increase hit rates", 1998): each host belongs to the crawler whose name,
 * hashed with that of the host, gives the greatest number. When one of N crawlers comes or goes,
 * 1/N of the hosts move, and no others.
 *
 * A crawler asks a host only while it has a lease. The database counts the lease from the moment in
 * which it takes a renewal; the crawler counts from before it sent that renewal, so it always
 * believes that the lease ends earlier. Of this time, it begins requests in the first half, and
 * each may take a third: so the last request has ended when a sixth is left, which is more than
 * clocks differ in that time. The clock is CLOCK_BOOTTIME, which nobody can set and which goes on
 * while the machine is suspended. Times are milliseconds. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum { LEASE_LEAST_MS = 3000, LEASE_MOST_MS = 3600 * 1000, LEASE_PERIOD_MOST_MS = 5000 };

/* The place of the crawler that the host belongs to; -1: there is none. crawlers: names,
 * NULL-terminated, in any order. */
int partition_owner(const char *host, const char *const *crawlers);

/* from_ms: before the last renewal was sent, by lease_now_ms(); 0: there is no lease. */
typedef struct {
	int64_t from_ms, length_ms;
} Lease;

int64_t lease_now_ms(void);
/* The moment up to which requests may begin; 0: none may. */
int64_t lease_begin_until_ms(const Lease *lease);
bool lease_allows(const Lease *lease, int64_t now_ms);
/* How many seconds a request may take, at most most_s; at least one. */
unsigned lease_request_s(const Lease *lease, unsigned most_s);
/* The time between two renewals. */
int64_t lease_period_ms(const Lease *lease);
