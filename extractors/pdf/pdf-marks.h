/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pdf-marks.h - marks of notes that touch a word: "harbour" with a raised 1
 *
 * poppler writes them as one word, "harbour1", by which nobody searches. The mark is left out, as
 * it is in documents that say where their notes are. */
#pragma once
#include "extractors/pdf/pdf-repair.h"

/* False: no word of this text has a mark. */
bool pdf_marks_suspect(const char *text);
void pdf_marks_find(const PdfGlyph *glyphs, size_t n, PdfRepairs *repairs);
