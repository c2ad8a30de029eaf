/* SPDX-License-Identifier: GPL-3.0-or-later */
/* url-name.h - the parts of the URL of a page that stand for the name and place of a file
 *
 * The URL is absolute ("https://example.org/docs/page.html?q") and may hold any byte. Nothing is
 * allocated but what the caller frees. */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

/* The last segment of the path that is not empty, without query and fragment; the host if there is
 * none. Points into url; length: of url, *length_r: of the segment. */
const char *url_last_segment(const char *url, size_t length, size_t *length_r);
/* The last segment as a name: with its escapes decoded, where that is valid UTF-8 without controls
 * and slashes. The caller frees it. */
char *url_name(const char *url);
/* The name of a file at this path: url_name() of a URL, else the last component.
 * The caller frees it. */
char *url_or_path_name(const char *path);

/* Is the page at site, or below it? site: "host", "host:port", each with or without "/path", as the
 * canonical form writes them, without a slash at the end. Hosts below the host count, and any port
 * if site has none. With a scheme in front of it, site means exactly that origin. */
bool url_is_of_site(const char *url, const char *site);
