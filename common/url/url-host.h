/* SPDX-License-Identifier: GPL-3.0-or-later */
/* url-host.h - the host of a URL: a domain, an IPv4 or IPv6 address, or an opaque name
 *
 * Source: WHATWG URL Standard, section 3. */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

/* Returns the host as it is written in a URL: lower case, Punycode, addresses in their shortest
 * form. text: valid UTF-8, may hold NUL. special: the scheme is special. NULL if it is not a host;
 * *reason_r gets a static, untranslated clause. The caller frees the result. */
char *url_host_parse(const char *text, size_t length, bool special, const char **reason_r);
