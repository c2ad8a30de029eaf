/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pdf-facts.h - what a PDF says about itself: its information dictionary and XMP packet */
#pragma once
#include "extractors/shared/extractor.h"
#include <poppler.h>

/* Sends title, authors, subject, keywords, dates, programs and the number of pages. */
void facts_send(Sink *sink, PopplerDocument *document);
