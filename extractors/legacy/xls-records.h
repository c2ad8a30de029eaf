/* SPDX-License-Identifier: GPL-3.0-or-later */
/* xls-records.h - the records of an Excel stream, and strings that go on in the next record
 *
 * A record is at most 8224 bytes; what is longer continues in records of kind 0x3c. A string that
 * is cut there says anew in its first byte whether its characters have one byte or two
 * (MS-XLS 2.5.293). */
#pragma once
#include "extractors/legacy/legacy.h"

typedef struct {
	Bytes stream;
	size_t at; /* of the next record */
	unsigned kind;
	Bytes record; /* what is left of the one that is read */
	bool failed; /* what was asked for goes beyond the continuations */
} Records;

/* False at the end. */
bool records_next(Records *records);
/* Skips bytes, across continuations. */
void records_take(Records *records, size_t size);
uint32_t records_u32(Records *records);
/* The next string of the shared ones (XLUnicodeRichExtendedString). Yours, never NULL. */
char *records_string(Records *records);
/* So many characters; their first byte is the flag. Yours, never NULL. */
char *records_characters(Records *records, size_t count);
