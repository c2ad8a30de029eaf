/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fetch-url.h - asks a site for single URLs, one after the other, for a person who waits
 *
 * All requests of a UrlFetcher count as those to one host: after an answer it rests for a second,
 * ten times the duration of the answer, or the delay that the site asks for, whichever is longest.
 * tarsier-fetch makes the requests. */
#pragma once
#include "common/ipc/fetch-wire.h"

typedef struct UrlFetcher UrlFetcher;

/* contact: FetchRequest.contact, borrowed, or NULL. */
UrlFetcher *url_fetcher_new(const char *contact);
void url_fetcher_free(UrlFetcher *fetcher); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(UrlFetcher, url_fetcher_free)
/* The Crawl-delay of the site. */
void url_fetcher_set_delay(UrlFetcher *fetcher, double seconds);
/* Milliseconds between an answer like the last one and the next request. */
int64_t url_fetcher_gap_ms(const UrlFetcher *fetcher);

typedef struct {
	FetchError error;
	unsigned status; /* of HTTP, 0: no answer */
	bool truncated;
	char *detail; /* UTF-8, of an error; may be "" */
	int body; /* a sealed memfd, -1: none; closed by url_answer_clear() */
	uint64_t body_bytes;
	char *type; /* media type in lower case without parameters; "" if unknown */
	char *location; /* canonical URL that a redirect leads to, or NULL */
} UrlAnswer;
void url_answer_clear(UrlAnswer *answer);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(UrlAnswer, url_answer_clear)

/* Asks for a canonical URL and waits for the answer; a redirect is one. source: the URL that the
 * person named; if its host is local by its name, that host may have a local address. body_bytes:
 * limit of the body. */
void url_fetch(UrlFetcher *fetcher, const char *url, const char *source, uint64_t body_bytes,
        UrlAnswer *answer_r);
/* A clause for an error, translated. */
const char *url_error_text(FetchError error);
/* Why there is no usable answer, for a person. Translated. The caller frees it. */
char *url_answer_reason(const UrlAnswer *answer);
