/* SPDX-License-Identifier: GPL-3.0-or-later */
/* webdate.h - dates as feeds and sitemaps spell them */
#pragma once
#include <stdbool.h>

/* Converts a date to the form of FIELD_DATE: "2026-03-01T10:00:00Z", or "2026-03-01" if it has no
 * time. Known are ISO 8601 with its short forms (year, month, minutes), RFC 822, 850, 1123, asctime
 * and most of what people write: parts in any order, names of English months, 12 hours, names of
 * zones. A missing day or month is the first one; a two-digit year from 70 on is of the last
 * century; 3/4/2026 is of March. A time without a zone is taken as UTC, and *zoned_r, which may be
 * NULL, is false then. NULL if it is not a date. The caller frees it. */
char *web_date_utc(const char *text, bool *zoned_r);
