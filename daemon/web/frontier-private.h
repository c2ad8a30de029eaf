/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frontier-private.h - what the files of the frontier share */
#pragma once
#include "common/base/glob.h"
#include "common/dust/dust.h"
#include "common/url/robots-rules.h"
#include "daemon/web/frontier.h"
#include "daemon/web/web-heap.h"

enum {
	FRONTIER_QUEUE = 16, /* URLs of a back queue that are in memory */
	FRONTIER_URLS_FOR_PAGE = 4, /* known URLs for each page that a source may have */
	FRONTIER_URLS_FOCUSED = 16, /* the same for a source with a topic, which leaves most out */
	FRONTIER_ROBOTS_HASH = 0, /* stands for robots.txt among the hashes of paths */
	FRONTIER_PROBE_HASH = 1, /* stands for a page that cannot exist */
	FRONTIER_REDIRECT_HASH = 2, /* stands for where the robots.txt of another host leads */
	FRONTIER_NEW_HOST_MS = 2000, /* whoever adds a source may have asked its host just now */
	FRONTIER_SET_BACK_MS =
	        600 * 1000, /* a clock that is set back by less delays no visit much */
	FRONTIER_RULES_MOST = 4 << 20, /* bytes of rules of robots.txt that are in memory */
};

typedef struct FrontierHost FrontierHost;

typedef struct {
	HeapNode node; /* in Frontier.ready, while nothing is asked of the address */
	WebHeap hosts; /* those that have something to ask */
	PoliteGate gate;
	FrontierHost *asking; /* NULL: none */
	GBytes *key; /* its address, or the name of hosts whose address is not known yet */
	bool named;
	unsigned n_hosts;
} FrontierServer;

typedef struct FrontierSource FrontierSource;
struct FrontierSource {
	WebSourceRow row;
	FrontierSource *next; /* of the host, longer prefixes first */
	GlobSet *include, *exclude; /* of URLs; NULL: every one, none */
	WebScopeRow scope;
	bool scope_read;
	int64_t patterns; /* hash of patterns and depth; scope.patterns: of those by which its
	                     documents were judged */
	int64_t checked; /* documents up to this inode were judged since they changed */
	GPtrArray *rules; /* of DustRule: the valid URL rules; NULL: not read yet */
	GArray *rule_ids; /* of int64_t: their rows */
	int64_t tested; /* hash of the alias that is asked to test its rule, 0: none */
	bool walk_due; /* the page that an alias stands for may be gone */
};

struct FrontierHost {
	HeapNode node; /* in FrontierServer.hosts */
	WebHostRow row;
	PoliteGate gate;
	FrontierServer *server;
	FrontierSource *sources;
	GArray *queue; /* of WebNext: what is due by priority, then the rest by moment; or NULL */
	bool has_more; /* rows that are not in the queue */
	bool has_held, held_read; /* rows that wait for other rules */
	bool set_back; /* the clock was set back since its visits were planned */
	bool closed; /* another crawler may ask it */
	bool reserved; /* by frontier_reserve(), and not asked since */
	int64_t reserved_ms; /* before this moment (monotonic) nobody asks it, not even a client */
	int64_t awaited; /* hash of the page whose links are still to come, 0: none */
	int64_t awaited_ms; /* for how long (monotonic) */
	int64_t queued_s; /* when the queue was read */
	unsigned number; /* in Frontier.hosts */
	RobotsRules *rules; /* NULL: not read, or there are none */
	bool rules_read;
	size_t rules_cost; /* bytes */
	FrontierSource *probed; /* of which a page that cannot exist is being asked, or NULL */
	FrontierHost *redirected; /* that the request for robots.txt asks now, or NULL */
};

struct Frontier {
	Writer *w;
	bool durably;
	GPtrArray *hosts; /* of FrontierHost */
	GHashTable *by_name; /* of FrontierHost */
	GHashTable *servers; /* by key */
	WebHeap ready; /* of FrontierServer */
	unsigned n_servers;
	size_t rules_cost; /* of all hosts */
	bool has_unchecked; /* false: documents of all sources were judged by their rules */
	FrontierFoundFunc found; /* who is told of new URLs; NULL: nobody */
	void *found_data;
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
/* The source that a path belongs to, or NULL. A sitemap belongs to any source of its host. */
FrontierSource *frontier_source_of(const FrontierHost *h, WebKind kind, const char *path);
/* The source with this prefix, or NULL. */
FrontierSource *frontier_find_source(const FrontierHost *h, const char *prefix);
void frontier_add_source_row(FrontierHost *h, const WebSourceRow *row);
void frontier_source_free(FrontierSource *s);
/* Reads the scope of the source if it was not read yet. */
bool frontier_read_scope(Frontier *f, FrontierSource *s, GError **error);
/* Must robots.txt be asked before anything else? */
bool frontier_needs_robots(const FrontierHost *h, const WebTime *now);
/* When the wall clock was set, the moments of URLs lie elsewhere in monotonic time. */
void frontier_follow_clock(Frontier *f, const WebTime *now);

/* ---- frontier-add.c */

/* Finds or adds the host. */
bool frontier_get_host(
        Frontier *f, const WebTime *now, const char *origin, FrontierHost **host_r, GError **error);
/* As frontier_add(), with priority and visit of that row, if it is not NULL. */
bool frontier_add_told(Frontier *f, const WebTime *now, const WebFound *found,
        const WebUrlRow *told, GError **error);

/* ---- frontier-clock.c */

/* The clock was set back: the waits of URLs that were planned before begin anew. */
bool frontier_plan_again(Frontier *f, FrontierHost *h, const WebTime *now, GError **error);

/* ---- frontier-scope.c */

/* Forgets the rules in memory. */
void frontier_drop_rules(Frontier *f, FrontierHost *h);
/* Writes the rules of the host; NULL: there are none. New ones release what is held. */
bool frontier_set_rules(Frontier *f, FrontierHost *h, const RobotsRules *rules, GError **error);
bool frontier_robots_allow(
        Frontier *f, FrontierHost *h, const char *path, bool *allow_r, GError **error);
/* Do robots.txt, the patterns and the depth of the source allow the URL? */
bool frontier_is_wanted(Frontier *f, FrontierHost *h, const FrontierSource *s, WebKind kind,
        unsigned depth, const char *path, bool *wanted_r, GError **error);
/* Is the branch of this path a trap? */
bool frontier_is_trap(
        Frontier *f, const FrontierHost *h, const char *path, bool *trap_r, GError **error);
/* May the URL be asked now, by all rules? One that was never answered may not when its source is
 * full or its branch a trap. */
bool frontier_may_ask(
        Frontier *f, FrontierHost *h, const WebUrlRow *url, bool *may_r, GError **error);
/* The URL is over until the host is released. */
bool frontier_hold(Frontier *f, FrontierHost *h, WebUrlRow *url, GError **error);
/* A held URL may be requested again, if the rules and limits allow it now. */
bool frontier_release(Frontier *f, FrontierHost *h, GError **error);

/* ---- frontier-recheck.c */

/* The documents of the source are to be judged again. */
void frontier_begin_recheck(Frontier *f, FrontierSource *s);
/* The same for all sources of a host, noted in their rows. */
bool frontier_recheck_host(Frontier *f, FrontierHost *h, GError **error);

/* ---- frontier-remove.c */

/* Removes the row of a host without sources, once nobody could ask it too early. starting: its
 * gates have begun anew, so the stored moments tell that. */
bool frontier_forget_host(
        Frontier *f, FrontierHost *h, const WebTime *now, bool starting, GError **error);

/* ---- frontier-focus.c */

/* Is a source of the host focused? */
bool frontier_is_focused(const FrontierHost *h);
/* The priority that a link gives to a page of a focused source, without its siblings' yield. */
unsigned frontier_focus_priority(const WebFound *found);
/* Raises the priority of a page that was never answered by what its siblings have yielded so far;
 * only if its source is focused. yields: a cache of g_int64_hash() that lives as long as nothing is
 * counted, or NULL. */
bool frontier_focus_rank(Frontier *f, const FrontierHost *h, WebNext *next, const char *path,
        GHashTable *yields, GError **error);

/* ---- frontier-probe.c */

/* Finds a source of the host that is to be probed, or NULL. */
bool frontier_find_probe(Frontier *f, FrontierHost *h, const WebTime *now,
        FrontierSource **source_r, GError **error);
/* Notes that the source is probed. *path_r: what is to be asked, the caller's; NULL: robots.txt
 * forbids it. */
bool frontier_begin_probe(Frontier *f, FrontierHost *h, FrontierSource *s, const WebTime *now,
        char **path_r, GError **error);
bool frontier_keep_probe(Frontier *f, FrontierHost *h, const WebTime *now, unsigned status,
        const NearPrint *print, GError **error);

/* ---- frontier-answer.c */

/* The host and its address are left alone after this answer. */
void frontier_close_gates(FrontierHost *h, const WebTime *now, const WebAnswer *answer);
/* The URL leaves the plan of its host, and is over. */
void frontier_end_visits(FrontierHost *h, WebUrlRow *url);

/* ---- frontier-redirect.c */

/* The other host that the request of this one was led to has answered; NULL: it did not, for which
 * it is not to blame. */
bool frontier_end_redirect(
        Frontier *f, FrontierHost *h, const WebTime *now, const WebAnswer *answer, GError **error);

/* ---- frontier-rules.c */

/* The URL that rules make of another one. path NULL: they do not change it. */
typedef struct {
	char *path;
	int64_t hash;
	int64_t rule; /* the row of the rule that changes it first */
} FrontierAlias;
void frontier_alias_clear(FrontierAlias *alias);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(FrontierAlias, frontier_alias_clear)
bool frontier_find_alias(Frontier *f, FrontierHost *h, FrontierSource *s, const char *path,
        FrontierAlias *alias_r, GError **error);
/* Adds the URL that a found one stands for, and notes the latter as an alias if there is room.
 * *alias_r: it is one, and need not be added. */
bool frontier_add_alias(Frontier *f, const WebTime *now, FrontierHost *h, FrontierSource *s,
        const WebFound *found, bool room, bool *alias_r, GError **error);
/* Notes a URL that was never answered, and is about to be asked, as an alias if it is one. */
bool frontier_turn_alias(Frontier *f, FrontierHost *h, const WebTime *now, WebUrlRow *url,
        bool *alias_r, GError **error);
/* The URL was answered; if it is gone, so may be what its aliases stand for. */
bool frontier_note_gone(Frontier *f, const FrontierHost *h, const WebUrlRow *url, GError **error);
/* The rules in memory no longer count. */
void frontier_drop_url_rules(FrontierSource *s);

/* ---- frontier-queue.c */

/* Reads the next URLs of the host if none is in memory. */
bool frontier_fill_queue(Frontier *f, FrontierHost *h, const WebTime *now, GError **error);
/* The part of the queue that is in memory no longer counts. */
void frontier_reset_queue(FrontierHost *h);
/* Puts a URL into the queue if it comes before others that are in it. One that is in it already
 * keeps the higher priority. */
void frontier_offer(FrontierHost *h, const WebNext *next);
/* Finds the first URL that may be asked now. Returns its place, or -1; then *moment_r is the
 * earliest moment when one may be, on the wall clock in milliseconds. The queue is not empty. */
int frontier_pick(const FrontierHost *h, const WebTime *now, int64_t *moment_r);
