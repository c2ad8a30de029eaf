/* SPDX-License-Identifier: GPL-3.0-or-later */
/* doc-headings.h - which paragraphs of a Word file are headings
 *
 * Pages of 512 bytes say where in the file each paragraph lies and which style it has
 * (MS-DOC 2.9.24 "BxPap", 2.9.175 "PapxFkp"). Styles 1 to 9 are the headings of that level. */
#pragma once
#include "extractors/legacy/legacy.h"

typedef struct Paragraphs Paragraphs;

/* stream: WordDocument, which must outlive it; bins: the table of pages. */
Paragraphs *paragraphs_new(Bytes stream, Bytes bins);
/* Level of the heading that has this file position in it; 0 if it is none. */
unsigned paragraphs_heading(const Paragraphs *paragraphs, size_t position);
void paragraphs_free(Paragraphs *paragraphs);
