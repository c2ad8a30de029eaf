/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stem.h - other forms of a word: by Snowball stemmers and the endings of a language
 *
 * The index holds unstemmed words and no table of stems, which would cost a quarter of its size. A form is made the other way
 * round: endings of the language are put on the stem of the searched word, and what the stemmer leads back to that stem is a
 * form (M. F. Porter, "Snowball: a language for stemming algorithms", 2001). Words are folded, so are the endings. */
#pragma once
#include <glib.h>

/* Whether forms are known for a language ("en", "de-AT"). */
gboolean stem_knows(const char *language);
/* Forms of word (a folded term) in a language, without itself, appended as yours to a GPtrArray of char *; those that are there
 * already are left out. Nothing for unknown languages. */
void stem_append_forms(GPtrArray *forms, const char *word, const char *language);
