/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frontier-private.h - what the files of the frontier share */
#pragma once
#include "daemon/web/frontier.h"
#include "daemon/web/web-heap.h"

enum {
	FRONTIER_QUEUE = 16, /* URLs of a back queue that are in memory */
	FRONTIER_URLS_FOR_PAGE = 4, /* known URLs for each page that a source may have */
	FRONTIER_ROBOTS_HASH = 0, /* stands for robots.txt among the hashes of paths */
};

typedef struct FrontierHost FrontierHost;

typedef struct {
	HeapNode node; /* in Frontier.ready, while nothing is asked of the address */
	WebHeap hosts; /* those that have something to ask */
	PoliteGate gate;
	FrontierHost *asking; /* NULL: none */
	GBytes *address; /* NULL: of one host whose address is not known */
} FrontierServer;

typedef struct FrontierSource FrontierSource;
struct FrontierSource {
	WebSourceRow row;
	FrontierSource *next; /* of the host, longer prefixes first */
};

struct FrontierHost {
	HeapNode node; /* in FrontierServer.hosts */
	WebHostRow row;
	PoliteGate gate;
	FrontierServer *server;
	FrontierSource *sources;
	GArray *queue; /* of WebNext: what is due by priority, then the rest by moment; or NULL */
	bool has_more; /* rows that are not in the queue */
	int64_t queued_s; /* when the queue was read */
	unsigned number; /* in Frontier.hosts */
};

struct Frontier {
	Writer *w;
	bool durably;
	GPtrArray *hosts; /* of FrontierHost */
	GHashTable *by_name; /* of FrontierHost */
	GHashTable *servers; /* by address */
	WebHeap ready; /* of FrontierServer */
	unsigned n_servers;
	int64_t clock_ms; /* wall clock minus monotonic time, when moments were last put in order */
};

/* Rounded up, so that no wait from then on is too short. */
static inline int64_t web_seconds_up(const WebTime *now)
{
	return (now->wall_ms + 999) / 1000;
}

static inline int64_t web_seconds(const WebTime *now)
{
	return now->wall_ms / 1000;
}

/* ---- frontier.c */

FrontierHost *frontier_find_host(const Frontier *f, const char *origin);
/* The host as a row says it, at its address. It owns what the row holds. */
FrontierHost *frontier_new_host(Frontier *f, const WebHostRow *row, const WebTime *now);
/* Moves the host to the server with the address in its row. */
void frontier_place_host(Frontier *f, FrontierHost *h, const WebTime *now);
/* Puts the host and its address where they belong in the heaps. */
void frontier_order_host(Frontier *f, FrontierHost *h, const WebTime *now);
/* Writes the row of the host, with its gates. */
bool frontier_write_host(Frontier *f, FrontierHost *h, GError **error);
/* The source that a path belongs to, or NULL. */
FrontierSource *frontier_source_of(const FrontierHost *h, const char *path);
void frontier_add_source_row(Frontier *f, FrontierHost *h, const WebSourceRow *row);
/* Is the branch of this path a trap? */
bool frontier_is_trap(
        Frontier *f, const FrontierHost *h, const char *path, bool *trap_r, GError **error);

/* ---- frontier-queue.c */

/* Reads the next URLs of the host if none is in memory. */
bool frontier_fill_queue(Frontier *f, FrontierHost *h, const WebTime *now, GError **error);
/* Puts a URL into the queue if it comes before others that are in it. */
void frontier_offer(FrontierHost *h, const WebNext *next);
/* Finds the first URL that may be asked now. Returns its place, or -1; then *moment_r is the
 * earliest moment when one may be, on the wall clock in milliseconds. The queue is not empty. */
int frontier_pick(const FrontierHost *h, const WebTime *now, int64_t *moment_r);
