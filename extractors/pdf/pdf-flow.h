/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pdf-flow.h - turns the lines of a page into paragraphs and headings */
#pragma once
#include "extractors/shared/extractor.h"
#include "extractors/pdf/pdf-outline.h"

/* Sends the text of one page (valid UTF-8, changed in place). Lines of a paragraph are joined,
 * words split at a line end are made whole, and lines that are in the outline become headings.
 * False: the sink is full. */
bool pdf_page_send(Sink *sink, char *text, Outline *outline, int page);
