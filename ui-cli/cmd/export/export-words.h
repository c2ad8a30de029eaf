/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export-words.h - the words of documents and names as the index has them, for targets that match
 * them as a search here does
 *
 * A stream is " WORD WORD/PART/PART WORD": folded terms (index/text/tokenizer.h) in their order,
 * and after a slash those that have the position of the term before them. No term has a blank or a
 * slash. */
#pragma once
#include "common/base/document.h"
#include "index/read/reader.h"

/* Appends "words": {"body": STREAM, "title": STREAM, …}, with the columns that have words
 * (index/text/columns.h). doc: the text; NULL: there is none. */
void export_append_words(GString *out, const Info *info, const Document *doc);
/* Appends "words": STREAM of the name of a file; of a page, its whole URL. */
void export_append_name_words(GString *out, const char *path);
