/* SPDX-License-Identifier: GPL-3.0-or-later */
/* browse-server.h - HTTP on the loopback address: limits, headers, and who waits for an answer
 *
 * A thread of its own speaks HTTP/1.1 (libmicrohttpd). It asks browse-guard.h about each request
 * and answers those that are refused, and those for files of the page that never change. All others
 * wait for the main thread, which takes one after the other. */
#pragma once
#include "ui-web/browse-life.h"
#include "ui-web/browse-request.h"

/* Requests that wait at most, bytes of a body, and connections at most, of which browsers keep six
 * for a server. */
enum { SERVER_WAITING = 32, SERVER_BODY_BYTES = 16 << 10, SERVER_CONNECTIONS = 64 };

typedef struct BrowseServer BrowseServer;

/* Listens on a free port of 127.0.0.1, and answers nobody yet. Call it before confine(), which
 * allows no new sockets. first: where the redirect of the token leads, copied. NULL with error. */
BrowseServer *browse_server_new(BrowseLife *life, const char *first, GError **error);
/* All requests that were returned must have been answered or put back. */
void browse_server_free(BrowseServer *server);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(BrowseServer, browse_server_free)

/* The URL with the token, which is good for one request. The caller frees it. */
char *browse_server_url(const BrowseServer *server);
/* Starts the thread. False if there is none to be had. */
bool browse_server_start(BrowseServer *server);
/* Waits for the next request for at most wait_us. NULL: none came, or the time that is left has
 * changed. */
BrowseRequest *browse_server_next(BrowseServer *server, int64_t wait_us);
/* Does somebody wait for the answer, as far as is known? May be called from any thread that has a
 * request which browse_server_next() has returned. */
bool browse_server_is_waiting(const BrowseRequest *request);
/* Lets browse_server_next() return a request once more, which it has returned. May be called from
 * any thread. */
void browse_server_put_back(BrowseServer *server, BrowseRequest *request);
/* Sends the answer of a request that browse_server_next() returned, and frees it. */
void browse_server_answer(BrowseServer *server, BrowseRequest *request);
