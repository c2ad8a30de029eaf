/* SPDX-License-Identifier: GPL-3.0-or-later */
/* opensearch-forms.h - words together with the language of their document
 *
 * An inflected form counts only in documents of the languages in which it is one. An engine takes
 * 1,024 clauses in a query, but any number of terms in one clause of the kind "terms". So a
 * document has each of its words once more after its language, "de:häuser", or "?:häuser" if no
 * forms in it are known, and a query lists what is wanted in the same way: one clause a field for a
 * word in all its forms. No code has a colon.
 *
 * Lucene before 9.7 counts the terms of such a clause one by one if they are 16 or fewer; there are
 * always more, because the word itself is wanted in each language. */
#pragma once
#include <jansson.h>

/* Returns a stream (export-words.h) of the words of streams, each of which gives a word once.
 * streams: a text, or an array of texts. language: a code such as "de"; "" if it is not known. The
 * caller owns the text. */
json_t *os_forms_of(const json_t *streams, const char *language);

/* Returns what counts as the word of a leaf that has forms (at-query.h). languages: the codes of
 * all languages whose forms are known, as the query has them. The caller owns the array. */
json_t *os_forms_wanted(const json_t *leaf, const json_t *languages);
