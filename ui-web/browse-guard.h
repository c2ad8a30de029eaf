/* SPDX-License-Identifier: GPL-3.0-or-later */
/* browse-guard.h - who is answered
 *
 * The page opens with a token in its URL, which is good for one request. That request is answered
 * with a cookie (RFC 6265bis: HttpOnly, SameSite=Strict) and a redirect, and all others need the
 * cookie. Every request must name this server as its host, because a name of a
 * stranger may lead here (DNS rebinding), and must not come from a page of another origin: browsers
 * say so in Origin (RFC 6454) and Sec-Fetch-Site (W3C Fetch Metadata). */
#pragma once
#include <stdbool.h>

enum { GUARD_SECRET_BYTES = 32 };

/* The secrets of one run. All texts are ASCII. */
typedef struct {
	char token[2 * GUARD_SECRET_BYTES + 1]; /* of the URL; empty: it has been used */
	char cookie[2 * GUARD_SECRET_BYTES + 1];
	/* Cookies do not know ports, so the name has it: several pages may be open. */
	char cookie_name[32];
	char host[32]; /* "127.0.0.1:PORT" */
	char origin[40]; /* "http://127.0.0.1:PORT" */
} BrowseGuard;

/* The headers of a request; NULL: it has none. */
typedef struct {
	const char *method, *path;
	const char *host, *origin;
	const char *site; /* Sec-Fetch-Site */
	const char *cookies; /* the header: every cookie that the browser has for this machine */
	const char *token;
	bool repeated; /* one of the headers is there twice */
} BrowseClaims;

typedef enum {
	GUARD_OK,
	GUARD_EXCHANGE, /* the token was right, and is used now: answer with cookie and redirect */
	GUARD_METHOD, /* no such method, or not for this path */
	GUARD_HOST, /* another host is meant */
	GUARD_ORIGIN, /* it comes from another origin */
	GUARD_TOKEN, /* the token is wrong, or was used */
	GUARD_COOKIE, /* no cookie, or another one */
} BrowseVerdict;

/* Makes new secrets for a server on this port. False if the kernel has no random bytes. */
bool browse_guard_init(BrowseGuard *guard, unsigned port);
BrowseVerdict browse_guard_check(BrowseGuard *guard, const BrowseClaims *claims);
/* May the path change something? Then it is asked with POST, and all others with GET or HEAD. */
bool browse_guard_is_action(const char *path);
