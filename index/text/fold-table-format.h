/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fold-table-format.h - form of the fold table that make-fold prints and the tokenizer reads
 *
 * An entry of fold_pages says what a code point is; from FOLD_POOL on it is a place in fold_pool:
 * one byte of length (with FOLD_UNSPACED_BIT), then the UTF-8 it becomes. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	FOLD_PAGE = 256,
	FOLD_MAX = 63, /* bytes that one code point becomes at most */
	FOLD_UNSPACED_BIT = 0x80
};

enum {
	FOLD_SEPARATOR,
	FOLD_IGNORED, /* inside a word, leaves nothing: diacritics, soft hyphen, joiners */
	FOLD_LETTER, /* stays as it is */
	FOLD_UNSPACED, /* stays as it is; of a script that writes no spaces */
	FOLD_UNSPACED_MARK, /* belongs to the unspaced letter before it */
	FOLD_POOL
};
