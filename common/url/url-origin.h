/* SPDX-License-Identifier: GPL-3.0-or-later */
/* url-origin.h - where a URL is asked: its origin, host and port
 *
 * All functions take the canonical URL of a page (url-canonical.h) of http or https, and fail with
 * NULL or false for any other text. */
#pragma once
#include "common/url/url.h"

/* The origin, "https://example.org". *path_r, which may be NULL: the path with its query, which
 * begins with "/" and points into url. The caller frees the origin. */
char *url_origin(const char *url, const char **path_r);
/* The place that is connected to, "example.org:443". The caller frees it. */
char *url_place(const char *url);
/* A site that is added by a URL is what lies below its path: how many bytes of path_or_url are the
 * beginning that its pages share. It ends before the query, and before a last name with a dot: a
 * site at "/docs/index.html" is "/docs/", one at "/docs" is "/docs". Takes the path alone, too. */
size_t url_site_length(const char *path_or_url);
/* Does this path or URL lie in the site with that beginning? "/docs" has "/docs", "/docs/a" and
 * "/docs?b", but not "/docs2". */
bool url_site_has(const char *beginning, const char *path_or_url);
/* Does the host lie on this machine or a local network by its name alone: an address, a name
 * without a dot, or one below localhost, local, lan, internal or home.arpa? Who adds such a URL
 * means a local address. */
bool url_host_is_local(const char *url);
