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
#include "index/text/word-count.h"

/* The token function of FTS5. */
typedef int (*TermFunc)(void *data, int flags, const char *term, int length, int start, int end);
/* Passes on the terms of a stream. Returns the last result of the function, or SQLITE_CORRUPT. */
int terms_replay(const char *stream, int length, void *data, TermFunc function);

/* Calls f for every term of a document: its text in reading order, then its facts. Runs that no
 * block separates belong together, so a word may continue from one run to the next. Text of all
 * tags but headings and noise counts as body. */
typedef enum {
	TERM_IS_WORD,
	TERM_IS_PART, /* of the word before it, or that word with its signs (tokenizer.h) */
	TERM_IS_ENCODED /* a word in encoded data of the text (encoded.h), which is not indexed */
} TermKind;
typedef void (*TermsFunc)(
        void *data, TextColumn column, const char *term, int length, TermKind kind);
void terms_each(const Document *doc, TermsFunc function, void *data);

/* The most words of a document that are indexed: the different ones of its text that come first,
 * and the first ones of its noise and of its facts, each counted as often as it occurs. A new word
 * costs the index many times as much as one more place of a known word, and nothing else can be
 * written before the document is. Long novels have 40,000 different words, large dictionaries
 * 200,000. */
enum { TERMS_MOST_DIFFERENT = FINGERPRINT_MOST_WORDS, TERMS_MOST_OF_FACTS = 20 * 1000 };

/* The different words of all documents of a container, of which TERMS_MOST_OF_CONTAINER are
 * indexed. Words that were indexed stay so in all members, as do the members' names. Words are told
 * apart by a hash that puts some on a level, so a few more may be indexed. */
typedef struct TermBudget TermBudget;
enum { TERMS_MOST_OF_CONTAINER = 2000 * 1000 };
TermBudget *terms_budget_new(void); /* freed by g_free(); takes 2 MiB */

/* The streams of a document, with its fingerprint from the same pass. The fingerprint counts the
 * words that are left out too. */
typedef struct {
	GByteArray *columns[N_COLUMNS];
	uint32_t tokens[N_COLUMNS]; /* terms that are not parts */
	uint32_t left_out; /* words after the limits */
	TermBudget *budget; /* of the container, set by the caller, who owns it; NULL: there is
	                       none */
	WordCount *count; /* counts the words that are not left out, with their parts; set by the
	                     caller, who owns it; NULL: nobody asks */
} Terms;
void terms_init(Terms *terms);
void terms_clear(Terms *terms);
/* Replaces the content of terms, whose memory is kept for the next document. key: as in
 * fingerprint_document(). */
void terms_of_document(
        Terms *terms, const Document *doc, const ChecksumKey *key, Fingerprint *fingerprint);

/* The same in pieces. terms, doc and key must live until terms_end(). */
typedef struct TermsWork TermsWork;
TermsWork *terms_begin(Terms *terms, const Document *doc, const ChecksumKey *key);
/* Collects up to that many more words. Returns false when there are no more. */
bool terms_continue(TermsWork *work, uint32_t words);
/* Frees work. *slices_r: in how many slices of some TERMS_OF_SLICE different terms the streams can
 * be written; 1 for most documents. */
enum { TERMS_OF_SLICE = 12 * 1000 };
void terms_end(TermsWork *work, Fingerprint *fingerprint, unsigned *slices_r);

/* Replaces the content of out by one of n slices of all: the terms whose hash belongs to it, at
 * their positions, and TERMS_FILLER at those of other words. No term is in two slices. A table to
 * which one slice after the other is added for the same row finds the document by its words and
 * phrases as if it had been added at once, since postings of different terms are independent.
 * Before the second and each further slice, what terms_unslice() returns must be deleted. */
#define TERMS_FILLER "\x1d"
void terms_slice(const Terms *all, unsigned slice, unsigned n, Terms *out);
/* Replaces the content of out by the words with signs of all, at their positions, and TERMS_FILLER
 * at all words up to the last of them. Returns false if there are none. */
bool terms_with_signs(const Terms *all, Terms *out);
/* Makes out a stream for 'delete' that takes back the tokens of a slice from FTS5's totals. */
void terms_unslice(const Terms *slice, Terms *out);
