/* SPDX-License-Identifier: GPL-3.0-or-later */
/* url-percent.h - percent-encoding of URLs
 *
 * Source of the sets: WHATWG URL Standard, section 1.3. All functions work on bytes; bytes from
 * 0x80 on belong to every set. */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

/* The bytes that are encoded in a part of a URL. */
typedef enum {
	URL_SET_CONTROL, /* opaque hosts and opaque paths */
	URL_SET_FRAGMENT,
	URL_SET_QUERY,
	URL_SET_SPECIAL_QUERY,
	URL_SET_PATH,
	URL_SET_USERINFO,
	URL_SET_CANONICAL, /* what RFC 3986 allows in no path and no query, except "%" */
} UrlSet;

/* Appends the bytes; those in the set become "%" and two upper-case digits. */
void url_percent_encode(GString *out, UrlSet set, const char *bytes, size_t length);
/* Appends "%" and two upper-case digits. */
void url_percent_append(GString *out, unsigned char byte);
/* Appends the bytes with all escapes decoded. The result may hold any byte. */
void url_percent_decode(GString *out, const char *bytes, size_t length);
/* Appends the text in one spelling (RFC 3986, section 6.2.2): escapes of unreserved bytes are
 * decoded, other escapes have upper-case digits, a "%" that begins no escape is encoded, and so are
 * the bytes of URL_SET_CANONICAL. Normalising the result changes nothing. */
void url_percent_normalise(GString *out, const char *bytes, size_t length);
