/* SPDX-License-Identifier: GPL-3.0-or-later */
/* web-crawl.h - sources in the configuration become documents in the index
 *
 *	settings -> frontier -> web-fetcher -> web-answer: what the answer means
 *	               ^                          |- page: record in the store, row PENDING
 *	               |                          |- feed: each item the same
 *	               |                          '- sitemap: URLs
 *	               '-- links <-- web_crawl_document() <-- pipeline: loads and converts the page
 *
 * A record is synced to the disk before its row and the answer are committed, so that a row never
 * refers to what is not there. After a crash the frontier asks again, and an orphan record is dead.
 *
 * Nothing exists before there is a source but one small struct. Only the engine's thread calls
 * these functions unless they say otherwise. Those that return bool fail with INDEX_ERROR; then the
 * caller calls web_crawl_reset(). */
#pragma once
#include "common/settings/settings.h"
#include "daemon/ingest/pipeline.h"

typedef struct WebCrawl WebCrawl;

/* index_dir: where the stores are, in "web". Main thread. */
WebCrawl *web_crawl_new(const char *index_dir);
/* Main thread, after the engine's has ended. */
void web_crawl_free(WebCrawl *crawl);
/* Says who converts, and who is woken by an answer (from the main thread). Main thread, before the
 * engine's begins. */
void web_crawl_start(WebCrawl *crawl, Pool *pool, void (*wake)(void *data), void *data);
/* The directory of all stores; borrowed. */
const char *web_crawl_stores(const WebCrawl *crawl);

/* The sources from now on; they are copied. */
void web_crawl_configure(WebCrawl *crawl, const Settings *settings);
/* Forgets what is in memory: a transaction was lost, or the index is another one. */
void web_crawl_reset(WebCrawl *crawl);

typedef struct {
	bool may_ask; /* false: answers are taken, but nothing new is asked */
	bool more; /* out: there is work left; call again soon */
	bool added; /* out: rows have become PENDING */
	bool removed; /* out: a source was removed with its documents */
	bool full; /* out: the disk has no room for a page, which is asked again; ask nothing until
	              it has */
} WebCrawlStep;
/* Takes answers, and asks what is due. */
bool web_crawl_step(WebCrawl *crawl, Writer *w, WebCrawlStep *step, GError **error);
/* Drops dead records of the stores in slices; each leaves nothing to commit. all: every one, else
 * where it is worth the work (web-compact.c). Call it while nothing is being converted. *more_r:
 * call again. *whole_r, with the last slice: no file had to be left as it was, for lack of space
 * for example. */
bool web_crawl_compact(WebCrawl *crawl, bool all, bool *more_r, bool *whole_r, GError **error);
/* Is there something for the next compaction? Since the last call, records were added, have become
 * dead, or were left dead by a compaction. */
bool web_crawl_stored(WebCrawl *crawl);
/* When something is due (monotonic); INT64_MAX: never, for as long as nothing is answered. */
int64_t web_crawl_next_us(const WebCrawl *crawl);
/* Asks the URL (canonical) again as soon as politeness allows, and without a condition if its
 * stored bytes are damaged. *known_r: it belongs to a source. */
bool web_crawl_visit(WebCrawl *crawl, Writer *w, const char *url, bool *known_r, GError **error);
/* frontier_reserve() and frontier_end_reserve(). */
bool web_crawl_reserve(WebCrawl *crawl, Writer *w, const char *origin, int64_t patience_ms,
        int64_t *wait_r, GError **error);
bool web_crawl_release(WebCrawl *crawl, Writer *w, const char *origin, GError **error);

/* The members of PipelinePages; data is the crawl. */
bool web_crawl_wants(const WebPageRow *page, const Document *doc);
bool web_crawl_document(const WebPageRow *page, const Document *doc, const Fingerprint *print,
        void *data, GError **error);
bool web_crawl_lost(int64_t inode, const WarcPlace *place, void *data, GError **error);
bool web_crawl_done(int64_t inode, void *data, GError **error);
