/* SPDX-License-Identifier: GPL-3.0-or-later */
/* terms.h - the terms of a document by column: tokenised once, for the text index and for the
 * fingerprint
 *
 * A column is a stream of terms: one byte of length (1 to TOKEN_MAX_BYTES), then the bytes. A table
 * whose tokenizer is 'tarsier stream' is given these instead of text. A stream that begins with a
 * zero byte is for FTS5's 'delete' only: 32 bits (little endian) of the number of tokens the column
 * had, then each distinct term once. FTS5 needs each term once to delete it and the count to keep
 * its totals true. */
#pragma once
#include "common/document.h"

/* In the order of the columns of table text. */
typedef enum {
	COLUMN_BODY,
	COLUMN_TITLE,
	COLUMN_HEADING,
	COLUMN_AUTHOR,
	COLUMN_RECIPIENT,
	COLUMN_CC,
	COLUMN_KEYWORD,
	COLUMN_COMMENT,
	COLUMN_ANCHOR,
	COLUMN_MEMBER,
	COLUMN_NOISE,
	N_COLUMNS
} TextColumn;

/* FTS5's token function. */
typedef int (*TermFunc)(void *data, int flags, const char *term, int length, int start, int end);
/* Hands out the terms of a stream; returns what the function returned last, or SQLITE_CORRUPT. */
int terms_replay(const char *stream, int length, void *data, TermFunc function);
