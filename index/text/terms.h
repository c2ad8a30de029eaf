/* SPDX-License-Identifier: GPL-3.0-or-later */
/* terms.h - the terms of a document by column: tokenised once, for the text index and for the
 * fingerprint
 *
 * A column is a stream of terms: one byte of length (1 to TOKEN_MAX_BYTES; with bit 7 for a part
 * that stands at the place of the term before it), then the bytes. A table whose tokenizer is
 * 'tarsier stream' is given these instead of text. A stream that begins with a zero byte is for
 * FTS5's 'delete' only: 32 bits (little endian) of the number of tokens the column had, then each
 * distinct term once. FTS5 needs each term once to delete it and the count to keep its totals true.
 */
#pragma once
#include "common/base/document.h"
#include "index/text/columns.h"
#include "index/text/fingerprint.h"

/* FTS5's token function. */
typedef int (*TermFunc)(void *data, int flags, const char *term, int length, int start, int end);
/* Hands out the terms of a stream; returns what the function returned last, or SQLITE_CORRUPT. */
int terms_replay(const char *stream, int length, void *data, TermFunc function);

/* Every term of a document, in reading order of its text, then its facts. Runs that are not parted
 * by a block belong together: a word may go on from one to the next. Text of all tags but headings
 * and noise is body. part: of the word before (tokenizer.h). */
typedef void (*TermsFunc)(void *data, TextColumn column, const char *term, int length, bool part);
void terms_each(const Document *doc, TermsFunc function, void *data);

/* The streams of a document, and its fingerprint from the same pass. */
typedef struct {
	GByteArray *columns[N_COLUMNS];
} Terms;
void terms_init(Terms *terms);
void terms_clear(Terms *terms);
/* Replaces what terms holds; keeps its memory for the next document. */
void terms_of_document(Terms *terms, const Document *doc, Fingerprint *fingerprint);
