/* SPDX-License-Identifier: GPL-3.0-or-later */
/* http-freshness.h - how long an answer stays fresh (RFC 9111, sections 4.2 and 5) */
#pragma once
#include <stdint.h>

/* The headers of an answer; several lines of one name are joined by ", ". NULL: there is none. */
typedef struct {
	const char *cache_control, *expires, *date, *age;
	int64_t request_s, response_s; /* when it was asked and answered, seconds since 1970 */
} HttpAnswer;

/* Ten years: longer lifetimes are cut. */
enum { HTTP_FRESH_MOST_S = 315360000 };

/* Returns for how many seconds after response_s the answer is fresh, 0 to HTTP_FRESH_MOST_S. This
 * is a private cache: s-maxage does not count. The first max-age counts, then Expires. An answer
 * that is invalid or must not be reused (no-cache, no-store) is stale, and so is an answer that
 * says nothing: nothing is guessed from Last-Modified. A no-cache that names headers is about
 * those. */
int64_t http_freshness(const HttpAnswer *answer);
