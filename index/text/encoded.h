/* SPDX-License-Identifier: GPL-3.0-or-later */
/* encoded.h - tells encoded data in a line of text from words: base64, long hexadecimal numbers
 *
 * Such data is full of words that occur nowhere else and that nobody types, and a new word costs
 * the index many times as much as its bytes. A run of ENCODED_MIN_RUN or more letters, digits and
 * + / = - _ (ASCII) is encoded if it changes between small letters, capitals, digits and signs at
 * every third character or more. Encoded text that people do paste is shorter: checksums up to
 * SHA-256, commits, UUIDs, bank accounts, message ids, licence keys, part numbers. Long names of
 * programs and paths change less often. Encoded data of many lines is left out of plain text by its
 * extractor (extractors/shared/encoded-text.h). */
#pragma once
#include <stddef.h>

enum { ENCODED_MIN_RUN = 80, ENCODED_MIN_WORD = 20 };

/* Returns the end of the encoded run to which the word at offset word belongs; 0 if it belongs to
 * none. The word has at least ENCODED_MIN_WORD bytes: nobody asks about shorter ones, so those
 * before the first long word of a run are indexed. Takes constant time if the answer is 0, else
 * time for what it passes. */
size_t encoded_end(const char *text, size_t length, size_t word);
