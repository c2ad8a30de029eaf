/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fingerprint.h - checksums and similarity fingerprints of documents
 *
 * Text checksum: XXH3-128 of the folded tokens in order, each followed by a space. Simhash: Charikar, "Similarity
 * estimation techniques from rounding algorithms", STOC 2002; features and weights in the .c. */
#pragma once
#include "common/document.h"

enum { CHECKSUM_BYTES = 16, FINGERPRINT_MIN_FEATURES = 8 };

typedef struct {
	uint8_t text_checksum[CHECKSUM_BYTES];
	bool has_checksum; /* the document has a word */
	uint64_t simhash;
	bool has_simhash; /* at least FINGERPRINT_MIN_FEATURES different words */
	uint32_t words; /* tokens */
} Fingerprint;

void fingerprint_document(const Document *doc, Fingerprint *out);

/* Canonical (big endian) XXH3-128, streaming. */
typedef struct Checksum Checksum;
Checksum *checksum_new(void);
void checksum_update(Checksum *checksum, const void *data, size_t length);
void checksum_final(Checksum *checksum, uint8_t out[CHECKSUM_BYTES]); /* frees */
void checksum_of(const void *data, size_t length, uint8_t out[CHECKSUM_BYTES]);
