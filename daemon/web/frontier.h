/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frontier.h - which URL is asked next
 *
 * The frontier of Mercator (A. Heydon, M. Najork, "Mercator: a scalable, extensible web crawler",
 * 1999): the priority of a URL is its front queue; each host has a back queue, of which a few URLs
 * are in memory; a heap gives the address, and at it the host, that may be asked first. All of it
 * is rows of the index (index/write/writer-web.h), and memory holds copies only.
 *
 * One request at a time is made to a host and to an address (politeness.h has the waits between
 * them). A request is committed before it is handed out. When the process dies, the requests that
 * were being made count as lost: their hosts wait as after the slowest answer, and URLs that were
 * lost twice an hour, so that nothing is asked too early, and nothing that was answered is asked
 * again.
 *
 * All functions that return bool fail with INDEX_ERROR only, when the writer does; the frontier
 * must then be closed and opened again. The caller is one thread, that of the writer. */
#pragma once
#include "common/base/document.h"
#include "daemon/web/politeness.h"
#include "daemon/web/schedule.h"
#include "index/text/near.h"
#include "index/write/writer-web.h"

typedef struct Frontier Frontier;

/* Opens the frontier of the index. durably: each request is synced to the disk before it is handed
 * out, so that a power cut is as harmless as the death of the process. w is borrowed. NULL on
 * error. */
Frontier *frontier_open(Writer *w, const WebTime *now, bool durably, GError **error);
void frontier_free(Frontier *f); /* NULL is allowed; commits nothing */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Frontier, frontier_free)

/* Adds what lies below a path prefix of an origin ("https://example.org"), and the prefix itself as
 * its first URL; a known source gets these limits. day_most: visits of the host in a day, 0: as
 * politeness allows. Of limits, prefix and pages_most to every_s count. */
bool frontier_add_source(Frontier *f, const WebTime *now, const char *origin,
        const WebSourceRow *limits, int64_t day_most, GError **error);
/* Only URLs that match a pattern of include, and none of exclude (GLOB_SQLITE, common/base/glob.h),
 * belong to the source, besides its first one. The first 64 of each count. NULL or empty: there are
 * none. They live as long as the frontier, so they are set again after each opening. */
bool frontier_set_patterns(Frontier *f, const WebTime *now, const char *origin, const char *prefix,
        const char *const *include, const char *const *exclude, GError **error);
/* When patterns, depth or robots.txt of a source have changed, its documents are judged again, in
 * the order of their inodes. Is anything left to do? */
bool frontier_has_unchecked(const Frontier *f);
/* Finds a source, and the inode after which its documents have to be judged; false: all are. */
bool frontier_next_unchecked(Frontier *f, int64_t *source_r, int64_t *after_r);
/* The documents of that source up to this inode were judged, or all of them. */
bool frontier_note_checked(Frontier *f, int64_t last, bool all, GError **error);
/* Does the page still belong to its source, and may it be asked? If not, its URL is held without
 * its validators, and the caller removes the document. *wanted_r is true for a URL of no source. */
bool frontier_check(
        Frontier *f, const char *origin, const char *path, bool *wanted_r, GError **error);
/* Forgets the source and its URLs, but for those of other sources. The host may only be asked again
 * when politeness allows it, also by a source that is added later. */
bool frontier_remove_source(
        Frontier *f, const WebTime *now, const char *origin, const char *prefix, GError **error);
/* Forgets a URL if it is of that kind. */
bool frontier_forget_url(
        Frontier *f, const char *origin, const char *path, WebKind kind, GError **error);
/* Forgets the pages of items of feeds below this prefix. */
bool frontier_forget_items(Frontier *f, const char *origin, const char *prefix, GError **error);
/* Says which address the host has, 4 or 16 bytes, as soon as it is known and whenever it changes.
 * Before, only origins of one host name wait for each other. */
bool frontier_set_address(Frontier *f, const WebTime *now, const char *origin,
        const uint8_t *address, size_t length, GError **error);

/* A URL that was found. */
typedef struct {
	const char *origin, *path; /* canonical; path with the query */
	WebKind kind;
	const char *feed; /* of WEB_ITEM: the path of the feed that has it, whose room it takes */
	unsigned depth; /* links from the start of the source */
	bool is_listed; /* by a sitemap or a feed, so it comes before what is only linked */
	bool is_redirect; /* an answer leads to it, not a link */
	double prior_s; /* expected seconds between two changes (schedule.h), 0: unknown */
	double link_topic, page_topic; /* of a source with a topic (topic.h): scores of the link,
	                                  and of the page that has it, 0: unknown */
} WebFound;

/* Adds a URL if it belongs to a source that has room for it, and its branch is not a trap. One that
 * robots.txt, the patterns or the depth of the source forbid is noted, and asked when they allow
 * it. A known one gains priority. One that was given up is asked once more: a day later if it is
 * the target of a redirect, else after SCHEDULE_MOST_S. */
bool frontier_add(Frontier *f, const WebTime *now, const WebFound *found, GError **error);

/* The URL is due at once, even if it was over; robots.txt and politeness hold. *known_r: it is
 * known.
 */
bool frontier_ask_again(Frontier *f, const WebTime *now, const char *origin, const char *path,
        bool *known_r, GError **error);

/* The same without a condition: what the last answers brought is lost. */
bool frontier_ask_whole(Frontier *f, const WebTime *now, const char *origin, const char *path,
        bool *known_r, GError **error);

enum {
	FRONTIER_ASKING = -1, /* a request to the host or its address is not answered yet */
	FRONTIER_NEVER = -2, /* it may not be asked, or wants a longer pause than the next one */
	FRONTIER_REDIRECT_MOST_MS = 10 * 60 * 1000,
};

/* Leaves the host alone for a minute, or until frontier_end_reserve(), since a client asks it.
 * *wait_r: for so many milliseconds the client must leave it alone too. If they are more than
 * patience_ms, or FRONTIER_ASKING, nothing is reserved. An unknown host needs no reservation. */
bool frontier_reserve(Frontier *f, const WebTime *now, const char *origin, int64_t patience_ms,
        int64_t *wait_r, GError **error);
/* The client has had its last answer from the host just now. */
bool frontier_end_reserve(Frontier *f, const WebTime *now, const char *origin, GError **error);

typedef struct {
	unsigned host; /* for the answer */
	const char *origin; /* lives as long as the frontier */
	bool is_robots; /* robots.txt; the path says so too */
	bool is_probe; /* a page that cannot exist */
	WebKind kind;
	unsigned depth;
	char *path; /* this and the next two are the caller's */
	char *etag, *modified; /* for a conditional request, or NULL */
} FrontierRequest;
void frontier_request_clear(FrontierRequest *request);

/* Takes up to n requests that may be made now, and commits them. requests: array of
 * FrontierRequest, to which they are appended. Fewer are taken where many URLs had to be dropped;
 * then frontier_wait_ms() is 0. */
bool frontier_next(Frontier *f, const WebTime *now, unsigned n, GArray *requests, GError **error);
/* Returns how many milliseconds from now on nothing can be taken; -1: for as long as nothing is
 * added or answered. */
int64_t frontier_wait_ms(const Frontier *f, const WebTime *now);

typedef struct {
	unsigned status; /* of HTTP; 0: no answer, after a time-out for example */
	int64_t duration_ms;
	int64_t bytes;
	const char *retry_after; /* the header, or NULL */
	const char *etag, *modified; /* the headers, or NULL */
	int64_t fresh_s; /* http_freshness() */
	bool unkept; /* there was an answer, which could not be read or kept: status is 0, and the
	                host is not to blame */
	bool changed; /* it is not what the last visit found */
	bool poor; /* a near copy of another page, or a soft 404 */
	ScheduleSkip skip; /* of a feed */
	double prior_s; /* what a feed says about itself, 0: nothing */
	const char *
	        feed; /* of WEB_ITEM: the path of a feed that has it, or NULL: it counts for none */
	bool next_whole; /* the next request has no condition: the page is not in the index */
} WebAnswer;

/* The answer to the request that was made to this host, for a URL. It is committed with the next
 * request or by frontier_commit(). */
bool frontier_answer(
        Frontier *f, const WebTime *now, unsigned host, const WebAnswer *answer, GError **error);
/* The answer to the request that was made to this host leads to a URL of it, maybe by another
 * scheme: may that be asked for by the same request, as far as the robots.txt that are known say?
 * *wait_ms_r: for how long it waits. */
bool frontier_may_follow(Frontier *f, const WebTime *now, unsigned host, const char *target,
        int64_t duration_ms, bool *may_r, int64_t *wait_ms_r, GError **error);
/* The answer to the request for robots.txt that was made to this host leads to a URL, maybe of
 * another host. *wait_ms_r: for how long the request waits before it goes on there; FRONTIER_ASKING
 * or FRONTIER_NEVER: it may not now. Of answer, status, duration_ms and retry_after count. */
bool frontier_follow_robots(Frontier *f, const WebTime *now, unsigned host, const char *target,
        const WebAnswer *answer, int64_t *wait_ms_r, GError **error);
/* The answer to the request for robots.txt. robots: its body as the extractor converted it, NULL:
 * there is none, or it could not be converted. Of answer, status, duration_ms and retry_after
 * count. 2xx is obeyed, and adds the sitemaps that lie on hosts of sources; other 4xx allows
 * everything; 429, 5xx, silence and 2xx without robots allow nothing. */
bool frontier_answer_robots(Frontier *f, const WebTime *now, unsigned host, const WebAnswer *answer,
        const Document *robots, GError **error);
/* The answer to the request for a page that cannot exist. print: the fingerprint of its text, or
 * NULL. Of answer, status, duration_ms and retry_after count. */
bool frontier_answer_probe(Frontier *f, const WebTime *now, unsigned host, const WebAnswer *answer,
        const NearPrint *print, GError **error);
/* The request that was made to this host found no network, or its answer no room: it counts for
 * nothing, and is made again after this wait at the earliest. duration_ms: of the answer, 0: there
 * was none. */
bool frontier_take_back(Frontier *f, const WebTime *now, unsigned host, int64_t duration_ms,
        int64_t wait_ms, GError **error);
/* Does this page say what the site says in place of a page that does not exist? Then it is poor. */
bool frontier_is_soft_404(Frontier *f, const char *origin, const char *path, const NearPrint *print,
        bool *soft_r, GError **error);
/* The page of a focused source, which was answered, has this score (topic.h). */
bool frontier_note_topic(
        Frontier *f, const char *origin, const char *path, double topic, GError **error);
/* The links of this page, which was answered, are still to come. A host with a focused source is
 * asked nothing before frontier_end_wait(), or for that long: they may lead to better pages than
 * those that are known. Nothing of it is stored. */
void frontier_wait_for_links(
        Frontier *f, const WebTime *now, const char *origin, const char *path, int64_t most_ms);
/* They have come, or never will. */
void frontier_end_wait(Frontier *f, const WebTime *now, const char *origin, const char *path);
/* The page, which was answered before, turned out to be poor. */
bool frontier_note_poor(Frontier *f, const char *origin, const char *path, GError **error);

/* ---- hosts that several crawlers share (partition-rule.h) */

/* A closed host is not asked: another crawler may ask it. New hosts are open. */
void frontier_close_host(Frontier *f, const WebTime *now, const char *origin, bool closed);
typedef struct {
	bool asking; /* a request is being made */
	int64_t left_ms; /* until the next request */
	int64_t gap_ms; /* after a quick answer */
	unsigned backoff;
} FrontierHostState;
/* False: the host is not known. */
bool frontier_host_state(
        const Frontier *f, const WebTime *now, const char *origin, FrontierHostState *state_r);
/* Another crawler has asked the host until now, and no more: as often as the gap was doubled there,
 * it is doubled here, and the last feed may have been asked just now. */
bool frontier_take_over(
        Frontier *f, const WebTime *now, const char *origin, unsigned backoff, GError **error);
/* Says who is told of URLs that become known. */
typedef void (*FrontierFoundFunc)(const char *origin, int64_t hash, void *data);
void frontier_tell_found(Frontier *f, FrontierFoundFunc func, void *data);
/* 1: found, the caller clears the row; 0: none; -1: error. */
int frontier_get_url(
        Frontier *f, const char *origin, int64_t hash, WebUrlRow *row_r, GError **error);
/* Appends the next n URLs of a host after hash: WebUrlRow, which the caller clears. */
bool frontier_urls_after(
        Frontier *f, const char *origin, int64_t hash, unsigned n, GArray *urls, GError **error);
/* Takes what another crawler knows of a URL. One that was never answered is added as if it had been
 * found here; of one that was, the last answer counts, and it is asked again without a condition.
 * Of row, host does not count. newer: the answer is later than any that came here. */
bool frontier_take_url(Frontier *f, const WebTime *now, const char *origin, const WebUrlRow *row,
        bool newer, GError **error);

/* ---- URL rules (index/write/writer-web-rules.h) */

/* The pages of a source that were answered. */
int64_t frontier_source_pages(const Frontier *f, const char *origin, const char *prefix);
/* Has a page gone that aliases may stand for, or an alias been answered? Says so once. */
bool frontier_take_walk_due(Frontier *f, const char *origin, const char *prefix);
/* The rows of the rules of a source have changed. */
void frontier_read_rules_again(Frontier *f, const char *origin, const char *prefix);
/* A page was answered. *rule_r: the rule that makes it a page that is gone, which proves the rule
 * wrong; 0: none. If that page is there, a walk is due, which makes the URL an alias. */
bool frontier_refuted_by(
        Frontier *f, const char *origin, const char *path, int64_t *rule_r, GError **error);

/* A walk over all URLs of a source, in slices. Aliases that are none any more are asked again. */
typedef struct {
	int64_t at; /* INT64_MIN to begin with */
	bool done; /* out: it was the last slice */
	/* Rules make one URL the other, and both were answered: do they lead to the same page?
	 * Then the one is an alias, and the caller removes its document. */
	bool (*merge)(const char *url, const char *other, int64_t rule, bool *merged_r, void *data,
	        GError **error);
	void *data;
	int64_t test; /* a rule of which one alias is to be asked once more, with the other URL; 0:
	                 none */
	char *tested, *tested_other; /* out: their URLs, the caller's; NULL: it has no alias */
} FrontierWalk;
bool frontier_walk_rules(Frontier *f, const WebTime *now, const char *origin, const char *prefix,
        FrontierWalk *walk, GError **error);
/* The URL that was tested may be an alias again. */
void frontier_end_test(Frontier *f, const char *origin, const char *prefix);
bool frontier_commit(Frontier *f, GError **error);
