/* SPDX-License-Identifier: GPL-3.0-or-later */
/* partition-private.h - what the files of shared hosts share
 *
 * Each file calls only those above it:
 *	partition-urls.c   URLs to the database, and from it
 *	partition-hosts.c  which hosts are ours
 *	web-partition.c    messages and their replies */
#pragma once
#include "daemon/web/partition-link.h"
#include "daemon/web/partition-rule.h"
#include "daemon/web/web-crawl-private.h"

typedef enum {
	SHARED_AWAY, /* another crawler's, or nobody's */
	SHARED_TAKEN, /* acquired: its URLs are loaded */
	SHARED_OURS,
	SHARED_LEAVING /* to be released when no request is being made */
} SharedState;

/* A name of a host without scheme and port. */
typedef struct {
	char *name;
	GPtrArray *origins; /* of sources there; char *, owned */
	SharedState state;
	bool wanted; /* a source of the configuration is there */
	bool touched; /* its times are not in the database yet */
	bool to_ask; /* a request waits for the next message */
	bool kept; /* in the reply: it is ours still */
	unsigned queued; /* URLs in the outbox */
} SharedHost;

/* A URL that the database is to be told. */
typedef struct {
	SharedHost *host;
	const char *origin; /* of the host */
	int64_t hash;
	bool fresh; /* it was answered just now */
	GList *place; /* in the outbox */
} SharedUrl;

/* A walk over all URLs of shared hosts, which a new session begins. */
typedef struct {
	bool running;
	guint host, origin; /* in WebPartition.order */
	int64_t hash;
} SharedWalk;

struct WebPartition {
	PartitionLink *link;
	char *address;
	char *id; /* of this crawler, for good; NULL: not read yet */
	char *session; /* a random name; another one when a lease was lost */
	GHashTable *hosts; /* name -> SharedHost */
	GPtrArray *order; /* the same, borrowed */
	GHashTable *by_origin; /* char * -> SharedHost; keys borrowed */
	bool wants_new; /* the database does not know yet which hosts are wanted */
	/* the connection */
	bool opened;
	bool open; /* hosts that are ours are open in the frontier */
	Lease lease;
	int64_t serial, mark;
	bool surveying; /* the message under way asks for a survey */
	int64_t next_ms; /* of the next survey, or opening (lease_now_ms()) */
	int64_t retry_ms; /* the wait after the last failure; 0: there was none */
	char *error;
	int64_t open_s; /* wall clock */
	unsigned crawlers;
	/* what waits for the next message, and what the one under way has */
	GArray *waiting, *sent; /* of FrontierRequest */
	GPtrArray *acquire; /* of SharedHost */
	GPtrArray *sent_hosts, *released; /* of SharedHost */
	GPtrArray *sent_urls; /* of SharedUrl */
	GArray *removed, *sent_removed; /* int64_t: obsolete pages that were removed */
	GPtrArray *loading; /* of SharedHost */
	char *load_origin;
	int64_t load_hash;
	/* URLs */
	GQueue outbox; /* of SharedUrl */
	GHashTable *queued; /* SharedUrl -> itself */
	SharedWalk walk;
	bool importing; /* URLs that become known come from the database */
};

SharedHost *shared_host_of(const WebPartition *p, const char *origin);

/* ---- partition-urls.c */

guint shared_url_hash(gconstpointer url);
gboolean shared_url_equal(gconstpointer a, gconstpointer b);
/* origin: one of the host. */
void shared_url_queue(
        WebPartition *p, SharedHost *host, const char *origin, int64_t hash, bool fresh);
/* The URLs of the next message, as PARTITION_URL; they go to sent_urls. */
bool shared_urls_take(WebCrawl *c, GVariantBuilder *urls, GError **error);
/* The message failed: they are sent again. */
void shared_urls_return(WebPartition *p);
/* Takes URLs from the database. Malformed ones are left out. last_r: the last row, or NULL. */
bool shared_urls_import(
        WebCrawl *c, GVariant *urls, char **origin_r, int64_t *hash_r, GError **error);
/* Another crawler has a later answer of these pages of ours. */
bool shared_urls_remove(WebCrawl *c, GVariant *obsolete, GError **error);

/* ---- partition-hosts.c */

/* Makes the hosts of the sources. */
void shared_hosts_configure(WebCrawl *c);
/* Opens or closes the hosts that are ours, as the lease allows. */
void shared_hosts_open(WebCrawl *c, bool open);
void shared_host_set(WebCrawl *c, SharedHost *host, SharedState state);
/* Everything is away: the session has ended. */
void shared_hosts_lose(WebCrawl *c);
/* The hosts are not shared any more: this crawler may request their pages again. */
void shared_hosts_end(WebCrawl *c);
/* The states of hosts for the next message. */
void shared_hosts_states(WebCrawl *c, GVariantBuilder *states);
/* Hosts that can be released with the next message. */
void shared_hosts_release(WebCrawl *c, GVariantBuilder *release);
/* Decides by a survey. body: of PARTITION_SYNCED. *next_ms_r: when something becomes free that is
 * to be ours. */
bool shared_hosts_survey(WebCrawl *c, GVariant *body, int64_t *next_ms_r, GError **error);
