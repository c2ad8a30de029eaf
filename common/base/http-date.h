/* SPDX-License-Identifier: GPL-3.0-or-later */
/* http-date.h - dates of HTTP headers (RFC 9110, section 5.6.7) */
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum { HTTP_DATE_BYTES = 30 };

/* Reads a date in any of the three forms: "Sun, 06 Nov 1994 08:49:37 GMT", and the obsolete
 * "Sunday, 06-Nov-94 08:49:37 GMT" and "Sun Nov  6 08:49:37 1994". Names may be in any case; the
 * zone must be GMT. Blanks around the date are ignored. now_s: seconds since 1970; two digits of a
 * year mean the last such year that is not more than 50 years after it. *seconds_r: since 1970;
 * unchanged if the text is not a date. */
bool http_date_parse(const char *text, int64_t now_s, int64_t *seconds_r);
/* Writes the first form. Returns false if the year has more than four digits. */
bool http_date_format(int64_t seconds, char out[HTTP_DATE_BYTES]);
