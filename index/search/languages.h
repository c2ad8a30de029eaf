/* SPDX-License-Identifier: GPL-3.0-or-later */
/* languages.h - which languages the documents are in */
#pragma once
#include "index/read/reader-private.h"

/* Called for each language ("de") that enough documents are in. */
typedef void (*LanguageFunc)(void *data, const char *language);
/* Looks at up to 2,000 documents, evenly spread over all of them: what was indexed last may be of
 * one language alone. Of those that name a language one in a hundred is enough; one at all, if its
 * words are in a script of their own. Within reader_begin() and reader_end(). */
bool languages_each(Reader *r, LanguageFunc function, void *data, GError **error);
