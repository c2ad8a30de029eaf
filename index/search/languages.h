/* SPDX-License-Identifier: GPL-3.0-or-later */
/* languages.h - finds out in which languages the documents are */
#pragma once
#include "index/read/reader-private.h"

/* Called for each language ("de") with enough documents. */
typedef void (*LanguageFunc)(void *data, const char *language);
/* Reads up to 2,000 documents, evenly spread over all, because the latest ones may all be of one
 * language. A language counts if one in a hundred of the documents with a known language has it;
 * one document is enough if the language has its own script. Call it between reader_begin() and
 * reader_end(). */
bool languages_each(Reader *r, LanguageFunc function, void *data, GError **error);
