/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-web/browse-guard.h"
#include <glib.h>
#include <string.h>
#include <sys/random.h>

static bool guard_make_secret(char secret[2 * GUARD_SECRET_BYTES + 1])
{
	unsigned char bytes[GUARD_SECRET_BYTES];
	if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
		return false;
	for (size_t i = 0; i < sizeof bytes; i++)
		g_snprintf(secret + 2 * i, 3, "%02x", bytes[i]);
	return true;
}

bool browse_guard_init(BrowseGuard *guard, unsigned port)
{
	g_snprintf(guard->cookie_name, sizeof guard->cookie_name, "tarsier-%u", port);
	g_snprintf(guard->host, sizeof guard->host, "127.0.0.1:%u", port);
	g_snprintf(guard->origin, sizeof guard->origin, "http://%s", guard->host);
	return guard_make_secret(guard->token) && guard_make_secret(guard->cookie);
}

/* The time that it takes tells nothing of the secret. */
static bool guard_is_secret(const char *secret, const char *given)
{
	unsigned different = 0;
	size_t length = strlen(secret);
	if (length == 0 || !given || strlen(given) != length)
		return false;
	for (size_t i = 0; i < length; i++)
		different |= (unsigned char)secret[i] ^ (unsigned char)given[i];
	return different == 0;
}

bool browse_guard_is_action(const char *path)
{
	static const char *const actions[] = {"/open", "/alive", "/bye", NULL};
	return g_strv_contains(actions, path);
}

static bool guard_allows_method(const BrowseClaims *claims)
{
	bool reads = strcmp(claims->method, "GET") == 0 || strcmp(claims->method, "HEAD") == 0;
	return browse_guard_is_action(claims->path) ? strcmp(claims->method, "POST") == 0 : reads;
}

/* Behind a link or an address bar there is no page: "none". A form is sent without a referrer, so
 * its Origin is "null" (Fetch, "append a request Origin header"), and Sec-Fetch-Site says what is
 * true. An action needs one of both. */
static bool guard_allows_origin(const BrowseGuard *guard, const BrowseClaims *claims)
{
	bool action = browse_guard_is_action(claims->path);
	bool same_site = claims->site && strcmp(claims->site, "same-origin") == 0;
	if (claims->site && !same_site && (action || strcmp(claims->site, "none") != 0))
		return false;
	if (!claims->origin)
		return !action;
	return strcmp(claims->origin, guard->origin) == 0 ||
	       (same_site && strcmp(claims->origin, "null") == 0);
}

/* Servers at other ports of this machine may set cookies of the same name, and others that no
 * parser takes: neither keeps ours from being seen (RFC 6265, 4.2: pairs between semicolons). */
static bool guard_has_cookie(const BrowseGuard *guard, const char *header)
{
	bool found = false;
	size_t length = strlen(guard->cookie_name);
	g_auto(GStrv) pairs = g_strsplit(header ? header : "", ";", -1);
	for (char **pair = pairs; *pair; pair++) {
		const char *text = g_strstrip(*pair);
		found |= strncmp(text, guard->cookie_name, length) == 0 && text[length] == '=' &&
		         guard_is_secret(guard->cookie, text + length + 1);
	}
	return found;
}

/* A program that only looks at the address before it is opened must not use it up. */
static BrowseVerdict guard_check_token(BrowseGuard *guard, const BrowseClaims *claims)
{
	if (strcmp(claims->path, "/") != 0 || !guard_is_secret(guard->token, claims->token))
		return GUARD_TOKEN;
	if (strcmp(claims->method, "GET") != 0)
		return GUARD_METHOD;
	memset(guard->token, 0, sizeof guard->token);
	return GUARD_EXCHANGE;
}

BrowseVerdict browse_guard_check(BrowseGuard *guard, const BrowseClaims *claims)
{
	if (!guard_allows_method(claims))
		return GUARD_METHOD;
	if (claims->repeated || g_strcmp0(claims->host, guard->host) != 0)
		return GUARD_HOST;
	if (!guard_allows_origin(guard, claims))
		return GUARD_ORIGIN;
	if (claims->token)
		return guard_check_token(guard, claims);
	return guard_has_cookie(guard, claims->cookies) ? GUARD_OK : GUARD_COOKIE;
}
