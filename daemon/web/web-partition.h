/* SPDX-License-Identifier: GPL-3.0-or-later */
/* web-partition.h - the hosts that this crawler shares with others
 *
 *	hosts of shared sources --> survey: who lives, what is free --> acquire --> load URLs
 *	request of the frontier --> note in the database --> web-fetcher, with the end of the lease
 *	answer, new URL         --> note in the database --> news for whoever has the host
 *
 * A host is open in the frontier only while it is ours and its lease allows requests
 * (partition-rule.h). Every crawler keeps all URLs that it finds, also those of hosts of others, in
 * its own frontier: so nothing is lost when the database is away, and all of it is told again when
 * a session begins. The time between two requests that has to pass travels with the host: in the
 * database it is a moment before which nobody acquires it.
 *
 * Only the engine's thread calls these functions. */
#pragma once
#include "daemon/web/web-crawl.h"
#include <stdint.h>

typedef struct WebPartition WebPartition;

/* The facts that the status shows. */
typedef struct {
	bool shared; /* false: there is nothing to share, and the rest does not count */
	bool open; /* requests to shared hosts may be made */
	unsigned hosts, ours; /* hosts that are shared, and those that are ours now */
	unsigned crawlers;
	int64_t since_s; /* when it was open last; 0: not yet */
	char *error; /* why it is not open, or NULL; the caller's */
} WebPartitionStatus;
void web_partition_status(const WebCrawl *crawl, WebPartitionStatus *status);
