/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pdf-notes.h - annotations, form fields and attached files of a PDF */
#pragma once
#include "extractors/shared/extractor.h"
#include <poppler.h>

/* Sends comments and filled-in fields that are missing in page_text, files attached to the page as
 * members, and addresses of links, without their text, which only a second layout of the page could
 * tell. False: the sink is full. */
bool pdf_notes_send(
        Sink *sink, PopplerPage *page, const char *page_text, const ExtractLimits *limits);
/* Sends the files attached to the document as members. */
bool pdf_attachments_send(Sink *sink, PopplerDocument *document, const ExtractLimits *limits);
