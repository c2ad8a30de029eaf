/* SPDX-License-Identifier: GPL-3.0-or-later */
/* signed-words.h - reads words with signs (c++, at&t; index/text/word-signs.h) as plain ones where
 * the index does not know them */
#pragma once
#include "index/query/query.h"
#include "index/read/reader-private.h"

/* Replaces each word with signs that the user of this process may read in no text or name by the
 * word without them, and adds a note that says so to the query. As long as texts of an older index
 * lack these terms, all such words are replaced, unless only names are searched. Call it between
 * reader_begin() and reader_end(), before the forms of words are looked up. */
bool signed_words_resolve(Query *query, Reader *r, GError **error);
