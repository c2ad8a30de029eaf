/* SPDX-License-Identifier: GPL-3.0-or-later */
/* web-fetcher.h - asks the network for the engine's thread
 *
 *	engine's thread: web_fetcher_ask() --> main thread: tarsier-fetch --> tarsier-extract
 *	engine's thread: web_fetcher_take() <-- a queue, and wake() <--------------'
 *
 * robots.txt, sitemaps and feeds are converted before the engine gets them: their documents are in
 * the reply, and so are those of a page that cannot exist and of the page of an item. Other pages
 * are handed over as their bytes. Redirects are replies, and the engine may ask for the target by
 * the same request, WEB_REDIRECTS times. Nothing of tarsier-fetch exists before the first
 * request. */
#pragma once
#include "common/fetch/fetch-client.h"
#include "daemon/ingest/pool.h"
#include "index/write/writer-web.h"

enum { WEB_REDIRECTS = 5 };

/* A request of the frontier. Strings are owned. */
typedef struct {
	uint64_t era; /* of the frontier that asks */
	unsigned host; /* for the frontier */
	bool is_robots, is_probe;
	WebKind kind;
	unsigned depth;
	char *origin, *path;
	char *etag, *modified; /* or NULL */
	char *local, *contact; /* of FetchRequest */
	int64_t begin_until_ms; /* FetchRequest.begin_until_ms */
	unsigned seconds; /* that a request may take */
	char *target; /* asked instead of origin and path, after so many redirects; or NULL */
	unsigned redirects;
	int64_t wait_ms; /* before it is asked */
} WebAsk;

typedef struct {
	WebAsk ask;
	char *url; /* that was asked last */
	FetchError error;
	unsigned status; /* 0: no answer */
	bool truncated;
	char *headers, *detail; /* never NULL */
	char *address; /* in numbers; "" if none */
	int64_t bytes; /* on the wire */
	uint64_t body_bytes; /* of the last answer, unpacked */
	int64_t duration_ms;
	int64_t request_s, response_s;
	GBytes *body; /* of a page; NULL: there is none */
	GPtrArray *documents; /* of all but a page of a site: its own comes last;
	                         NULL: it could not be converted, or there is none */
} WebReply;
void web_reply_free(WebReply *reply);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WebReply, web_reply_free)

typedef struct WebFetcher WebFetcher;

/* pool: borrowed. wake: called in the main thread after each reply. */
WebFetcher *web_fetcher_new(Pool *pool, void (*wake)(void *data), void *data);
/* Main thread only; no reply follows. */
void web_fetcher_free(WebFetcher *fetcher); /* NULL is allowed */
/* Any thread. Takes over the strings of ask. */
void web_fetcher_ask(WebFetcher *fetcher, const WebAsk *ask);
/* Where the answer leads, if it is a redirect that is not one too many, and stays on the host, with
 * or without "www.", unless it is that of robots.txt: a canonical URL, which the caller frees.
 * NULL: nowhere. */
char *web_reply_target(const WebReply *reply);
/* The next reply, which the caller frees; NULL: there is none. The engine's thread only. */
WebReply *web_fetcher_take(WebFetcher *fetcher);
