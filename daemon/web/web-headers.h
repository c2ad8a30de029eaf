/* SPDX-License-Identifier: GPL-3.0-or-later */
/* web-headers.h - reads the block of headers of an answer
 *
 * headers: the status line and the lines as they were received (fetch-wire.h), hostile. Names are
 * compared without case. The caller gets UTF-8: other bytes become "?". */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/* The values of all lines of that name, joined by ", "; NULL: there is none. The caller frees
 * them. */
char *web_header(const char *headers, const char *name);
/* Do lines of X-Robots-Tag for all agents, or for ours, have the directive ("noindex")? */
bool web_robots_tag(const char *headers, const char *agent, const char *directive);
/* How long the answer is fresh (http-freshness.h). */
int64_t web_fresh_s(const char *headers, int64_t request_s, int64_t response_s);
/* The moment of Last-Modified in seconds since 1970; 0: there is none. */
int64_t web_modified_s(const char *headers, int64_t now_s);
