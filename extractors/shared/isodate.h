/* SPDX-License-Identifier: GPL-3.0-or-later */
/* isodate.h - dates as documents write them, in the one form of FIELD_DATE */
#pragma once
#include <sys/types.h>

/* From ISO 8601 as XML documents use it ("2026-03-01T11:00:00.5+01:00", "2026-03-01"; without a
 * zone it is taken as UTC) to "2026-03-01T10:00:00Z" or "2026-03-01". NULL if it is no date. Yours.
 * length -1: NUL-terminated. */
char *iso_date_utc(const char *text, ssize_t length);
/* The same from a date of mail and RSS (RFC 822, 1123, 5322: "Sat, 07 Sep 2002 00:00:01 +0200").
 * NULL if it is none. Yours. */
char *mail_date_utc(const char *text);
