/* SPDX-License-Identifier: GPL-3.0-or-later */
/* isodate.h - converts dates to the form of FIELD_DATE */
#pragma once
#include <sys/types.h>

/* Converts ISO 8601 as XML documents use it ("2026-03-01T11:00:00.5+01:00", "2026-03-01") to
 * "2026-03-01T10:00:00Z" or "2026-03-01". A year or month alone ("2026", "2026-03") stays as it is,
 * and so does a time without a zone but for its fraction. length -1: NUL-terminated. NULL if it is
 * not a date. The caller frees it. */
char *iso_date(const char *text, ssize_t length);
/* Does the same for a date of mail and RSS (RFC 822, 1123, 5322: "Sat, 07 Sep 2002 00:00:01
 * +0200"). NULL if it is not a date. The caller frees it. */
char *mail_date_utc(const char *text);
