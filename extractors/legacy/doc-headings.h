/* SPDX-License-Identifier: GPL-3.0-or-later */
/* doc-headings.h - finds the headings of a Word file
 *
 * Pages of 512 bytes say where in the file each paragraph lies and which style it has (MS-DOC
 * 2.9.24 "BxPap", 2.9.175 "PapxFkp"). Styles 1 to 9 are headings of that level. */
#pragma once
#include "extractors/legacy/legacy.h"

typedef struct Paragraphs Paragraphs;

/* stream: the stream WordDocument, which must outlive the result; bins: the table of pages. */
Paragraphs *paragraphs_new(Bytes stream, Bytes bins);
/* Returns the level of the heading at this file position; 0: no heading. */
unsigned paragraphs_heading(const Paragraphs *paragraphs, size_t position);
void paragraphs_free(Paragraphs *paragraphs);
