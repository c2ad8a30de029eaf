/* SPDX-License-Identifier: GPL-3.0-or-later */
/* xls-records.h - the records of an Excel stream, and strings that continue in the next record
 *
 * A record has at most 8224 bytes; longer data continues in records of kind 0x3c. Where a string
 * continues, the first byte says again whether its characters have one byte or two (MS-XLS
 * 2.5.293). */
#pragma once
#include "extractors/legacy/legacy.h"

typedef struct {
	Bytes stream;
	size_t at; /* position of the next record */
	unsigned kind;
	Bytes record; /* the unread rest of the current record */
	bool failed; /* a request went beyond the last continuation */
} Records;

/* False at the end. */
bool records_next(Records *records);
/* Skips bytes, across continuations. */
void records_take(Records *records, size_t size);
uint32_t records_u32(Records *records);
/* Reads the next shared string (XLUnicodeRichExtendedString). Never NULL; the caller frees it. */
char *records_string(Records *records);
/* Reads count characters; the first byte is the flag. Never NULL; the caller frees it. */
char *records_characters(Records *records, size_t count);
