/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pdf-facts.h - the information dictionary and XMP packet of a PDF */
#pragma once
#include "extractors/shared/extractor.h"
#include "extractors/pdf/pdf-text.h"
#include <poppler.h>

/* Sends title, authors, subject, keywords, dates, programs and the number of pages. words: the same
 * document, or NULL; values in UTF-8 are taken from it. */
void pdf_facts_send(Sink *sink, PopplerDocument *document, PdfText *words);
