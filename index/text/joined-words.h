/* SPDX-License-Identifier: GPL-3.0-or-later */
/* joined-words.h - words that signs join: 1.2.3, foo_bar, 2024-01-05, a/b, x->y, key=value
 *
 * The index has the words and their places, not what stands between them. Whether a text has the
 * same signs only the text can tell. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/* Returns the words with the signs between them, folded like terms (index/text/tokenizer.h), if the
 * text yields just these tokens of a query, and signs but no white space join them. Quotes and
 * signs around them do not count, and apostrophes alone join nothing (don't). NULL: it is not so.
 * text: UTF-8; tokens: NULL-terminated. The caller owns the result. */
char *joined_words_of(const char *text, size_t length, char *const *tokens);
/* Do the joined words stand in the text, with no letter or digit beside them? Case and accents do
 * not count. text: any bytes; invalid ones separate words. *folded: NULL, or what an earlier call
 * for the same text left there; the caller frees it. */
bool joined_words_occur(const char *joined, const char *text, size_t length, char **folded);
