/* SPDX-License-Identifier: GPL-3.0-or-later */
/* partition-wire.h - messages between tarsierd and the confined tarsier-partition
 *
 * The transport is AF_UNIX SOCK_STREAM. A message is u32 kind, u32 length in host byte order, then
 * a GVariant of the type of its kind. tarsierd sends one message and waits for its reply, so that
 * there is never more than one under way. Both sides check type, form and length of what they
 * receive: the program talks to the network, and its caller believes nothing of it.
 *
 * Hosts are names without scheme and port. All times are durations in milliseconds (due, visited:
 * in seconds), counted from now on or until now, because the clocks of machines differ. */
#pragma once
#include <glib.h>
#include <stdbool.h>

enum {
	PARTITION_MESSAGE_MOST = 32 << 20, /* bytes */
	PARTITION_URLS_MOST = 500, /* of one message */
};

/* A URL: origin, hash of the path, path, kind, depth, priority, status (0: not answered yet),
 * PartitionUrlFlags, due, visited, changes, seconds, failures (index/write/writer-web.h). */
#define PARTITION_URL "(sxsyuyuyxxddu)"
typedef enum {
	PARTITION_URL_OVER = 1, /* it is not visited again */
	PARTITION_URL_FRESH = 2, /* to the database: it was answered just now */
	PARTITION_URL_MINE = 2, /* from the database: the page is that of this crawler */
	PARTITION_URL_KEPT = 4, /* the answer takes the place of those of others */
} PartitionUrlFlags;

typedef enum {
	/* address of the database, name of this crawler for good, random name of its session, host
	 * name */
	PARTITION_OPEN = 1,
	PARTITION_OPENED, /* PartitionFailure, error, length of a lease, mark of the news */
	/* serial number; tell the crawlers and hosts; replace the wanted hosts; wanted hosts;
	 * states (host, time until it may be asked, gap, doublings, PartitionAsking); hosts to
	 * release, hosts to acquire; URLs; mark of the news; numbers of obsolete pages that were
	 * removed */
	PARTITION_SYNC,
	/* PartitionFailure, error, length of a lease, hosts of the states that are still ours,
	 * crawlers, pairs of a host and a crawler that does not want it, free hosts (time until
	 * they may be acquired), our hosts (gap, doublings), news, new mark, obsolete pages
	 * (number, origin, path) */
	PARTITION_SYNCED,
	PARTITION_LOAD, /* hosts; origin and hash after which to go on */
	PARTITION_LOADED, /* PartitionFailure, error, is there more, URLs */
	PARTITION_BYE, /* releases the hosts of which nothing is being asked; no reply */
	N_PARTITION_KINDS
} PartitionKind;
#define PARTITION_OPEN_TYPE "(ssss)"
#define PARTITION_OPENED_TYPE "(usxx)"
#define PARTITION_SYNC_TYPE "(xbbasa(sxxuu)asasa" PARTITION_URL "xax)"
#define PARTITION_SYNCED_TYPE "(usxasasa(ss)a(sx)a(sxu)a" PARTITION_URL "xa(xss))"
#define PARTITION_LOAD_TYPE "(assx)"
#define PARTITION_LOADED_TYPE "(usba" PARTITION_URL ")"

typedef enum {
	PARTITION_OK,
	PARTITION_AWAY, /* try again later */
	PARTITION_REFUSED, /* the settings have to be changed */
	PARTITION_LOST, /* the lease of this session has run out: begin another one */
} PartitionFailure;

typedef enum {
	PARTITION_NOT_ASKED,
	PARTITION_TO_ASK, /* a request will be sent when the database has taken this */
	PARTITION_ASKED, /* a request is being made since an earlier message */
} PartitionAsking;

/* Sends a message; body is consumed if it is floating. False: the other end is gone, or does not
 * read for ten seconds. */
bool partition_send(int fd, PartitionKind kind, GVariant *body);
/* Waits for a message, at most that long; -1: for ever. NULL: the other end is gone, broke the
 * protocol, or the time is over. The caller frees the body. */
GVariant *partition_receive(int fd, int timeout_ms, PartitionKind *kind_r);
