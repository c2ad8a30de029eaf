/* SPDX-License-Identifier: GPL-3.0-or-later */
/* doc-spans.h - finds the headings, the deleted text, the objects, the symbols and the fonts of a
 * Word file
 *
 * Pages of 512 bytes say where in the file each paragraph and each run of characters lies, and
 * which properties it has (MS-DOC 2.9.24 "BxPap", 2.9.175 "PapxFkp", 2.9.33 "ChpxFkp"). Styles 1 to
 * 9 are headings of that level. Text that was deleted while changes were tracked stays in the file
 * and has a property. So has a character that stands for a picture or for the data of a form: its
 * place in the stream Data; and one from a font of symbols: the font and its code there. */
#pragma once
#include "extractors/legacy/legacy.h"
#include <stdbool.h>

typedef struct DocSpans DocSpans;

/* stream: the stream WordDocument; bins: the table of pages. */
DocSpans *doc_headings_read(Bytes stream, Bytes bins);
DocSpans *doc_deletions_read(Bytes stream, Bytes bins);
DocSpans *doc_objects_read(Bytes stream, Bytes bins);
DocSpans *doc_symbols_read(Bytes stream, Bytes bins);
DocSpans *doc_fonts_read(Bytes stream, Bytes bins);
/* Returns the level of the heading at this file position; 1 if the text is deleted; the place of
 * the object plus 1; the code of the symbol above the number of its font; the number of the font
 * plus 1. 0: there is none. *until: a position behind this one up to which that holds; may be NULL.
 * spans: may be NULL. */
unsigned doc_spans_at(const DocSpans *spans, size_t position, size_t *until);
void doc_spans_free(DocSpans *spans);
