/* SPDX-License-Identifier: GPL-3.0-or-later */
/* url-canonical.h - one spelling for the URLs of one page
 *
 * On top of what url_parse() does (case, default port, dot segments, addresses, Punycode): no
 * fragment and no user; no final dot of the host; percent-encoding as RFC 3986, section 6.2.2, has
 * it; no empty segments of the path; the parameters of the query sorted by name, without empty ones
 * and without identifiers of sessions. docs/WEB.md lists where this differs from other programs. */
#pragma once
#include "common/url/url.h"

/* Returns the canonical form. text may hold any byte; length -1: it ends with NUL. base: what a
 * relative URL is resolved against; without it, "example.org/page" is taken as http. The canonical
 * form of the result is the result. NULL if it is not a URL; *reason_r, which may be NULL, then
 * gets a static, untranslated clause. The caller frees the result. */
char *url_canonical(const char *text, gssize length, const Url *base, const char **reason_r);
