/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pdf-facts.h - the information dictionary and XMP packet of a PDF */
#pragma once
#include "extractors/shared/extractor.h"
#include <poppler.h>

/* Sends title, authors, subject, keywords, dates, programs and the number of pages. */
void pdf_facts_send(Sink *sink, PopplerDocument *document);
