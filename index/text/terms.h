/* SPDX-License-Identifier: GPL-3.0-or-later */
/* terms.h - the terms of a document by column, tokenised once for the text index and the
 * fingerprint
 *
 * A column is a stream of terms. Each term is one length byte (1 to TOKEN_MAX_BYTES; bit 7 marks a
 * part, which has the position of the term before it) and its bytes. A table with the tokenizer
 * 'tarsier stream' is given these streams instead of text.
 *
 * A stream that begins with a zero byte serves FTS5's 'delete' only: 32 bits (little endian) with
 * the number of tokens that the column had, then each distinct term once. FTS5 needs each term once
 * to delete it, and the count to keep its totals correct. */
#pragma once
#include "common/base/document.h"
#include "index/text/columns.h"
#include "index/text/fingerprint.h"

/* The token function of FTS5. */
typedef int (*TermFunc)(void *data, int flags, const char *term, int length, int start, int end);
/* Passes on the terms of a stream. Returns the last result of the function, or SQLITE_CORRUPT. */
int terms_replay(const char *stream, int length, void *data, TermFunc function);

/* Calls f for every term of a document: its text in reading order, then its facts. Runs that no
 * block separates belong together, so a word may continue from one run to the next. Text of all
 * tags but headings and noise counts as body. part: it is a part of the word before it
 * (tokenizer.h). */
typedef void (*TermsFunc)(void *data, TextColumn column, const char *term, int length, bool part);
void terms_each(const Document *doc, TermsFunc function, void *data);

/* The most words of a document that are indexed: the different ones of its text that come first,
 * and the first ones of its noise and of its facts, each counted as often as it occurs. A new word
 * costs the index many times as much as one more place of a known word, and nothing else can be
 * written before the document is. Long novels have 40,000 different words, large dictionaries
 * 200,000. */
enum { TERMS_MOST_DIFFERENT = 200 * 1000, TERMS_MOST_OF_FACTS = 20 * 1000 };

/* The streams of a document, with its fingerprint from the same pass. The fingerprint counts the
 * words that are left out too. */
typedef struct {
	GByteArray *columns[N_COLUMNS];
	uint32_t left_out; /* words after the limits */
} Terms;
void terms_init(Terms *terms);
void terms_clear(Terms *terms);
/* Replaces the content of terms, whose memory is kept for the next document. key: as in
 * fingerprint_document(). */
void terms_of_document(
        Terms *terms, const Document *doc, const ChecksumKey *key, Fingerprint *fingerprint);
