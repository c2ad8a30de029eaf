/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fold-table-format.h - the format of the fold table that make-fold prints and the tokenizer reads
 *
 * An entry of fold_pages is the class of a code point. From FOLD_POOL on it is an offset in
 * fold_pool: one length byte (with FOLD_UNSPACED_BIT), then the UTF-8 bytes that the code point
 * becomes. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	FOLD_PAGE = 256,
	FOLD_MAX = 63, /* most bytes that one code point becomes */
	FOLD_UNSPACED_BIT = 0x80
};

enum {
	FOLD_SEPARATOR,
	FOLD_IGNORED, /* part of a word that adds nothing to it: diacritics, soft hyphen, joiners */
	FOLD_LETTER, /* unchanged by folding */
	FOLD_UNSPACED, /* unchanged, and of a script written without spaces */
	FOLD_UNSPACED_MARK, /* belongs to the unspaced letter before it */
	FOLD_POOL
};
