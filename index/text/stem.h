/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stem.h - other forms of a word: by Snowball stemmers and the endings of a language
 *
 * The index holds unstemmed words and no table of stems, which would cost a quarter of its size. A
 * form is made the other way round: endings of the language are put on the stem of the searched
 * word, and what the stemmer leads back to that stem is a form (M. F. Porter, "Snowball: a language
 * for stemming algorithms", 2001). Words are folded, so are the endings.
 *
 * For all languages but English the words of the index that begin like the searched one are also
 * stemmed and compared, which finds what endings do not tell and takes less than a millisecond. */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* A bit for each language ("en", "de-AT") of which forms are known; 0: of this one none are. */
uint32_t stem_language(const char *language);
/* Whether its words are told from those of most languages by their letters: looking for its forms
 * costs nothing for other words. */
bool stem_has_own_script(const char *language);
/* Codes of languages with a blank between, "de fr". Yours. */
char *stem_language_names(uint32_t languages);
/* Forms of word (a folded term) in a language, without itself, appended as yours to a GPtrArray of
 * char *; those that are there already are left out. Nothing for unknown languages. */
void stem_append_forms(GPtrArray *forms, const char *word, const char *language);

/* A word whose forms are looked for among the words of the index. */
typedef struct StemMatcher StemMatcher;
/* NULL: the language is English or not known, or the word is too short. */
StemMatcher *stem_matcher_new(const char *word, const char *language);
void stem_matcher_free(StemMatcher *matcher);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(StemMatcher, stem_matcher_free)
/* The bytes with one of which every form begins, ended by NULL; one that is empty: with anything.
 */
const char *const *stem_matcher_starts(const StemMatcher *matcher);
/* Whether a term is a form of the word, and not the word itself. */
bool stem_matcher_matches(StemMatcher *matcher, const char *term);
