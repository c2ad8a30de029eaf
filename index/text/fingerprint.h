/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fingerprint.h - text checksums and similarity fingerprints of documents
 *
 * The text checksum is the keyed checksum (checksum.h) of the folded terms of body and headings in
 * reading order, each followed by a space. The simhash follows Charikar, "Similarity estimation
 * techniques from rounding algorithms", STOC 2002; fingerprint.c lists its features and weights.
 * The sketch describes the set of word triples (index/text/sketch.h). */
#pragma once
#include "common/base/document.h"
#include "index/text/checksum.h"
#include "index/text/columns.h"
#include "index/text/near.h"

enum {
	TEXT_CHECKSUM_KEPT = 8, /* of a text's checksum: among two million texts a chance collision
	                           has a probability of 1 in 37 million */
	FINGERPRINT_MIN_WORDS = 8,
	FINGERPRINT_MOST_WORDS = 200 * 1000 /* different words that count in the simhash: those that
	                                       come first; their triples all count */
};

typedef struct {
	uint8_t text_checksum[CHECKSUM_BYTES];
	bool has_checksum; /* the text has at least one word, and a key was given */
	NearPrint near;
	bool has_near; /* at least FINGERPRINT_MIN_WORDS distinct words, three of them in a row */
	uint32_t words; /* number of terms in all columns */
} Fingerprint;

/* key: for CHECKSUM_OF_TEXT; NULL: no text checksum is asked for. */
void fingerprint_document(const Document *doc, const ChecksumKey *key, Fingerprint *out);

/* Computes the same from terms that are at hand, in the order of terms_each(). */
typedef struct FingerprintState FingerprintState;
FingerprintState *fingerprint_begin(const ChecksumKey *key);
/* Returns the rank of a word of title, headings or body: how many different ones there were before
 * it occurred first. 0 for words of other columns. */
uint32_t fingerprint_add(FingerprintState *state, TextColumn column, const char *term, int length);
/* Adds a word of encoded data (encoded.h), which counts only in the text checksum: texts that
 * differ only in such data are not the same. */
void fingerprint_add_encoded(
        FingerprintState *state, TextColumn column, const char *term, int length);
void fingerprint_end(FingerprintState *state, Fingerprint *out); /* frees state */

/* Computes the simhash of weighted features: a bit is set if the features that have it outweigh
 * those that do not. bits: at most 64; higher bits are 0. */
typedef struct {
	uint64_t hash;
	uint32_t weight;
	uint32_t rank; /* how many came first before it; not used here */
} Feature;
uint64_t fingerprint_simhash(const Feature *features, size_t n, unsigned bits);
