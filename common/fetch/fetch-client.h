/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fetch-client.h - asks the network through the confined tarsier-fetch
 *
 * The program is started for the first request and ends when there have been none for a while. All
 * callbacks run in the thread-default main context of fetch_client_new(). Redirects are answers
 * like any other; the caller decides whether to follow, and when: one request at a time for a host
 * is the caller's promise, not made here. At most FETCH_MAX_REQUESTS run side by side, with bodies
 * of at most FETCH_CLIENT_BODIES bytes together; others wait. */
#pragma once
#include "common/ipc/fetch-wire.h"

typedef struct FetchClient FetchClient;

#define FETCH_CLIENT_BODIES ((uint64_t)256 << 20) /* bytes, by the limits of the requests */

/* An answer, or an error: called once for every request but those of a freed client. answer is
 * borrowed. body: a sealed memfd of answer->body_bytes that the callee closes, read from offset 0;
 * -1 if there are no bytes. It may submit requests, and must not free the client. */
typedef void FetchDone(const FetchAnswer *answer, int body, void *data);

/* certificates: a file of certificates in PEM instead of the system's, or NULL; copied. idle_ms: an
 * idle program ends after this time; 0: 10 s. */
FetchClient *fetch_client_new(const char *certificates, unsigned idle_ms);
/* Ends the program without calling done(). NULL is fine. */
void fetch_client_free(FetchClient *client);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FetchClient, fetch_client_free)

/* Queues a request, which is copied. If the program ends before it answers, the request fails with
 * FETCH_FAILED: it may have been sent, so nothing is repeated here. The program is started again
 * after 1 s, doubling to 64 s while it keeps ending. */
void fetch_client_submit(
        FetchClient *client, const FetchRequest *request, FetchDone *done, void *data);

/* Requests that are not yet done. */
unsigned fetch_client_in_work(const FetchClient *client);
