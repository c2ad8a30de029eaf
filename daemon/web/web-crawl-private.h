/* SPDX-License-Identifier: GPL-3.0-or-later */
/* web-crawl-private.h - what the files of the crawl of sources share
 *
 * Each file calls only those above it:
 *	web-source.c   sources, their rows and stores
 *	web-links.c    URLs that were found
 *	web-page.c     documents of sources
 *	web-recheck.c  documents that are out of scope
 *	web-lessons.c  URL rules
 *	web-item-identity.c  by what an item of a feed is known
 *	web-item.c     the page that is made of an item of a feed, or of a text
 *	web-network.c  the network is away, and comes back
 *	web-partition.c, partition-*.c  hosts that are shared with other crawlers
 *	web-answer.c   what an answer means
 *	web-compact.c  dead records leave the stores
 *	web-crawl.c    life, steps */
#pragma once
#include "common/url/url.h"
#include "daemon/web/frontier.h"
#include "daemon/web/topic.h"
#include "daemon/web/trap-texts.h"
#include "daemon/web/web-crawl.h"
#include "daemon/web/web-fetcher.h"
#include "daemon/web/web-partition.h"
#include "index/write/writer-web-rules.h"

typedef enum { WEB_KEEP_PAGE, WEB_KEEP_TEXT, WEB_KEEP_NOTHING } WebKeep;

typedef struct {
	char *url; /* as the configuration has it */
	char *origin, *prefix; /* of the paths of its URLs */
	char *path; /* the first one */
	char *contact; /* FetchRequest.contact, or NULL */
	char *local; /* FetchRequest.local: it was added with a local address; or NULL */
	bool is_feed;
	bool full; /* a feed: the page of an item takes the place of its text */
	char *partition; /* address of the database of several crawlers, or NULL */
	WebKeep keep;
	int64_t pages, depth, bytes, every_s;
	char **include, **exclude;
	Topic *topic; /* of a focused source, or NULL */
	int64_t id; /* its row; 0: it has none yet */
	WarcStore *store; /* NULL: not open */
	bool has_network; /* its host has answered since there was no way to it */
	bool dirty; /* the store has records that are not synced */
	WebLesson lesson; /* of its URL rules */
	bool lesson_read;
	int64_t walk_at_us, walk_wait_s; /* when a walk may begin; how long the last one waits */
	char *tested, *tested_other; /* an alias that is asked to test a rule, and the URL that the
	                                rule makes of it; NULL: none */
	int64_t tested_rule, tested_s; /* when the last test began */
} WebSource;

typedef struct WebRules WebRules; /* what web-lessons.c is doing */

/* URLs of a sitemap that are added in slices, or items of a feed that are stored so, and the answer
 * that waits for their end. */
typedef struct {
	WebReply *reply;
	guint document, link; /* the next one */
	GHashTable *seen; /* of a feed: identities of the items so far -> their links */
	GHashTable *links; /* of a feed that renews its guids: links -> how many items have them;
	                      NULL: the guids count */
	WebAnswer kept; /* of a feed: what web_items_keep() set; status 0: an item was not kept */
	bool full; /* there was no room for an item */
} WebList;

/* Where a compaction is. */
typedef struct {
	bool running;
	bool all; /* nothing dead stays */
	guint source; /* in crawl->sources */
	bool begun; /* this source has begun */
	uint32_t file, last; /* the next one of this source, the last one that is looked at */
	bool failed; /* a file had to be left as it was */
	bool chosen; /* the live records of the file are being moved */
} WebCompaction;

typedef struct {
	int64_t replied_ms; /* the last reply of a host (monotonic); 0: none */
	int64_t wait_ms; /* the network is away for all hosts, and is tried after this wait; 0: it
	                    is not */
	int64_t next_ms; /* when (monotonic) */
} WebNetwork;

struct WebCrawl {
	char *stores;
	Pool *pool;
	void (*wake)(void *data);
	void *wake_data;
	WebPartition *partition; /* NULL: no host is shared */
	WebFetcher *fetcher; /* NULL: there was no source yet */
	GPtrArray *sources; /* of WebSource */
	bool configured; /* rows and frontier are as the sources say */
	bool removing; /* documents of sources that are gone are left */
	bool removed; /* some were removed since the last step */
	Writer *w; /* of the last step; borrowed */
	Frontier *frontier; /* NULL: closed */
	uint64_t era; /* counts openings of the frontier */
	unsigned asking; /* requests without a reply, of this era */
	WebNetwork network;
	GQueue lists; /* of WebList */
	GQueue held; /* of WebReply: they lead to a host that another request asks */
	GHashTable *texts; /* int64_t inode -> WarcPlace of its text, until the page is in the
	                      index */
	GHashTable *hops; /* URL -> how many redirects in turn led to it */
	WebRules *rules;
	TrapTexts *trap_texts;
	bool added; /* rows have become PENDING in this step */
	bool stored; /* web_crawl_stored() */
	bool full; /* WebCrawlStep.full */
	WebCompaction compaction;
};

WebTime web_now(void);

/* ---- web-source.c */

void web_source_free(void *source);
/* Makes the sources of the settings; their rows are found by web_sources_open(). */
GPtrArray *web_sources_new(const Settings *settings);
/* Gives stores and rows of the old sources to the new ones; the others' records are synced. */
void web_sources_hand_over(GPtrArray *old, GPtrArray *sources);
/* Opens the frontier if there are sources, and makes rows and frontier as they say. Removes a part
 * of the documents of sources that are gone; crawl->removing tells whether some are left. */
bool web_sources_open(WebCrawl *crawl, bool *removed_r, GError **error);
/* The source of a URL; NULL: none. kind: a sitemap may lie anywhere on the host. */
WebSource *web_source_of(const WebCrawl *crawl, const char *origin, const char *path, WebKind kind);
WebSource *web_source_by_id(const WebCrawl *crawl, int64_t id);
/* FetchRequest.local for an origin: NULL unless a source of it was added with a local address. */
const char *web_sources_local(const WebCrawl *crawl, const char *origin);
/* Appends a record; the store is opened at its first use. An error of the store, which is logged,
 * leaves *place_r file 0; a full disk sets crawl->full, too. False: INDEX_ERROR. */
bool web_source_append(WebCrawl *crawl, WebSource *source, const WarcDraft *draft,
        WarcPlace *place_r, GError **error);
/* Reads the record of a document; NULL: it is not kept, or cannot be read. *lost_r: it is damaged
 * or gone, which trying again will not change. */
WarcContent *web_source_read(const WebCrawl *crawl, const WebPageRow *page, bool *lost_r);
/* The store, opened; NULL if it cannot be, which is logged. False: INDEX_ERROR. */
bool web_source_store(WebCrawl *crawl, WebSource *source, WarcStore **store_r, GError **error);
/* Syncs all stores that have new records. False: INDEX_ERROR_OTHER or INDEX_ERROR_FULL. */
bool web_sources_sync(WebCrawl *crawl, GError **error);

/* ---- web-page.c */

/* A document with its bytes. draft.body NULL: the bytes of the last visit hold. */
typedef struct {
	WarcDraft draft; /* of its record, whose uri is its URL */
	const char *identity;
	int64_t mtime_s; /* 0: now */
	WebPageKind kind;
	unsigned flags;
} WebDraft;
typedef enum {
	WEB_KEPT_SAME, /* the bytes of the last visit hold */
	WEB_KEPT_NEW,
	WEB_KEPT_NOT /* the store failed, which is logged: the URL has to be asked again */
} WebKept;
/* Stores the bytes if they differ from those of the last visit. */
bool web_page_keep(
        WebCrawl *crawl, WebSource *source, const WebDraft *draft, WebKept *kept_r, GError **error);
/* Notes in answer what was kept. Bytes that were not kept do not count as answered, so that
 * validators do not make the next one empty; so does a confirmation of bytes that are lost. */
void web_page_note_kept(WebAnswer *answer, WebKept kept);
bool web_page_remove(WebCrawl *crawl, WebSource *source, const char *identity, GError **error);
/* Does the page itself ask robots for this ("noindex")? */
bool web_page_has_directive(const Document *doc, const char *directive);
/* The record of the document is damaged or gone: its URL, or the feed that had it, is asked again
 * without a condition. Pages in the index stay. */
bool web_page_lose(WebCrawl *crawl, const WebPageRow *page, GError **error);

/* The distance of a known URL from the start of its source; 0: it is not known. */
bool web_page_depth(
        WebCrawl *crawl, const char *origin, const char *path, unsigned *depth_r, GError **error);

/* ---- web-feed-page.c */

/* Is the document a feed, or one of its items, that came as a page of a site? */
bool web_page_is_feed(const WebPageRow *page, const Document *doc);
/* Adds the page that an item of such a feed leads to. */
bool web_feed_page_follow(
        WebCrawl *crawl, const WebPageRow *page, const Document *item, GError **error);

/* ---- web-hops.c */

/* May the redirect of a page be followed? Not after WEB_REDIRECTS others in turn. */
bool web_hops_may_follow(WebCrawl *crawl, const char *url, const char *target);

/* ---- web-recheck.c */

/* Judges some documents of a source whose patterns, depth or robots.txt have changed, and removes
 * those that are out of scope. Items of feeds stay: no rule is about their addresses. */
bool web_recheck(WebCrawl *crawl, GError **error);

/* ---- web-lessons.c */

WebRules *web_rules_new(void);
void web_rules_free(WebRules *rules);
/* Forgets what is in memory. */
void web_rules_reset(WebCrawl *crawl);
/* Learns and applies rules, in slices. *more_r: there is work left. */
bool web_rules_step(WebCrawl *crawl, bool *more_r, GError **error);
/* When there is work for it (monotonic); INT64_MAX: when something happens. */
int64_t web_rules_next_us(const WebCrawl *crawl);
/* A page was answered and converted; it may refute a rule. */
bool web_rules_note_page(WebCrawl *crawl, const char *url, GError **error);
/* Forgets the test of a rule, if there is one. */
void web_source_end_test(WebSource *source);

/* ---- web-links.c */

/* Adds a URL to the frontier; one that is invalid is ignored. base: what it is resolved against. */
typedef struct {
	const Url *base;
	const char *href;
	WebKind kind;
	unsigned depth;
	bool is_listed, is_redirect;
	double prior_s;
	const char *text; /* of the link, or NULL */
	const WebSource *source; /* of the page that has it, or NULL */
	double page_topic; /* score of that page, if its source has a topic */
} WebHref;
bool web_links_add(WebCrawl *crawl, const WebHref *href, GError **error);
/* Adds some URLs of a sitemap. *done_r: they were the last ones. */
bool web_links_add_list(WebCrawl *crawl, WebList *list, bool *done_r, GError **error);

/* Begins the comment in the page of an item (web-item.c), and is followed by a hash. */
#define WEB_ITEM_MARK "<!-- item "

/* ---- web-item-identity.c */

/* Says whether the guids of the feed count (WebList.links). Comes before its first item is kept. */
bool web_items_judge_guids(WebCrawl *crawl, const WebSource *source, WebList *list, GError **error);
/* *identity_r: what the item is known by in its source, which the caller frees; NULL: the list has
 * it already. page: web_item_page(). */
bool web_item_identify(WebCrawl *crawl, const WebSource *source, const WebList *list,
        const Document *doc, const GString *page, char **identity_r, GError **error);
/* The canonical URL of http or https that the item links to, which the caller frees, or NULL. */
char *web_item_link(const Document *doc, const Url *base);

/* ---- web-item.c */

/* A page of HTML with title, author, date and text of the document; the caller frees it. */
GString *web_item_page(const Document *doc);
/* Stores some items of a feed, those that are new or have changed. Of list->kept, what was kept and
 * what the feed says about its schedule are set. *done_r: they were the last ones. */
bool web_items_keep(
        WebCrawl *crawl, WebSource *source, WebList *list, bool *done_r, GError **error);

/* The page of an item was answered: its text takes the place of that of each item that links to it.
 * A record that cannot be read, or is not found, changes nothing. */
bool web_items_take_page(WebCrawl *crawl, const WebReply *reply, WebAnswer *answer, GError **error);

/* ---- web-network.c */

/* There was no network for the request of this reply, which is made again. */
bool web_network_take_loss(WebCrawl *crawl, const WebReply *reply, GError **error);
/* There was one, whatever the reply is. */
bool web_network_note_reply(WebCrawl *crawl, const WebReply *reply, GError **error);
/* How many requests the network may get now, of so many at most. */
unsigned web_network_room(const WebCrawl *crawl, const WebTime *now, unsigned most);
/* When it may get one (monotonic, in milliseconds); INT64_MAX: after the next reply. */
int64_t web_network_next_ms(const WebCrawl *crawl);

/* ---- web-partition.c */

/* Takes the shared hosts from the sources; the frontier is open, or there are no sources. */
bool web_partition_configure(WebCrawl *crawl, GError **error);
/* Forgets requests of a frontier that is gone. */
void web_partition_reset(WebCrawl *crawl);
/* Releases hosts, as far as it may. NULL is allowed. */
void web_partition_free(WebPartition *partition);
/* Takes a reply of the database, and sends it what there is. */
bool web_partition_step(WebCrawl *crawl, bool may_send, GError **error);
/* Takes over a request to a shared host: it is made later, by web_crawl_ask(), when the database
 * has noted it, or taken back. */
bool web_partition_takes(WebCrawl *crawl, FrontierRequest *request);
/* Its times have changed. */
void web_partition_touch(WebCrawl *crawl, const char *origin);
/* The URL was answered, and the links of the page are known. */
void web_partition_note_answer(WebCrawl *crawl, const char *origin, const char *path);
/* When there is something to do (monotonic); INT64_MAX: after a reply. */
int64_t web_partition_next_us(const WebCrawl *crawl);

/* ---- web-crawl.c */

/* Hands a request to the fetcher, which takes its strings. begin_until_ms: WebAsk. */
void web_crawl_ask(
        WebCrawl *crawl, FrontierRequest *request, int64_t begin_until_ms, unsigned seconds);

/* ---- web-answer.c */

/* Takes ownership of the reply. */
bool web_answer_take(WebCrawl *crawl, WebReply *reply, GError **error);
/* Takes the replies that wait for a host which another request asks. */
bool web_answer_take_held(WebCrawl *crawl, GError **error);
/* Takes some of a list. *done_r: that was the rest, and the request has ended. */
bool web_answer_take_some(WebCrawl *crawl, WebList *list, bool *done_r, GError **error);
void web_list_free(void *list);
