/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pdf-spaced.h - words whose letters are set apart: "T A R S I E R"
 *
 * poppler joins such letters only if nothing else is in their line and their gaps are equal. */
#pragma once
#include "extractors/pdf/pdf-repair.h"

/* False: no word of this text is set apart. */
bool pdf_spaced_suspect(const char *text);
void pdf_spaced_find(const PdfGlyph *glyphs, size_t n, PdfRepairs *repairs);
