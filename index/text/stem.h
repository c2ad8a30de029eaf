/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stem.h - other forms of a word, from Snowball stemmers and the endings of a language
 *
 * The index holds unstemmed words and no table of stems, which would cost a quarter of its size.
 * Forms are generated in the other direction: the endings of the language are appended to the stem
 * of the searched word, and whatever the stemmer reduces to that stem is a form (M. F. Porter,
 * "Snowball: a language for stemming algorithms", 2001). Words and endings are folded.
 *
 * For all languages but English, the words of the index that begin like the searched one are
 * stemmed and compared too. This finds forms that no ending yields, and takes less than a
 * millisecond. */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* Returns the bit of a language ("en", "de-AT") whose forms are known; 0: they are not. */
uint32_t stem_language(const char *language);
/* True if the letters alone distinguish its words from those of most languages: then looking for
 * its forms costs nothing for other words. */
bool stem_has_own_script(const char *language);
/* The codes of a set of languages, separated by blanks: "de fr". The caller owns the string. */
char *stem_language_names(uint32_t set);
/* Appends the forms of word (a folded term) in a language to forms, a GPtrArray of char * that owns
 * them. The word itself and forms that are already in the array are left out. Nothing is appended
 * for an unknown language. */
void stem_append_forms(GPtrArray *forms, const char *word, const char *language);

/* A word whose forms are looked for among the words of the index. */
typedef struct StemMatcher StemMatcher;
/* NULL: the language is English or not known, or the word is too short. */
StemMatcher *stem_matcher_new(const char *word, const char *language);
void stem_matcher_free(StemMatcher *matcher);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(StemMatcher, stem_matcher_free)
/* NULL-terminated list: every form begins with one of these byte strings. An empty string means
 * that forms may begin with anything. */
const char *const *stem_matcher_starts(const StemMatcher *matcher);
/* True if the term is a form of the word, and not the word itself. */
bool stem_matcher_matches(StemMatcher *matcher, const char *term);
