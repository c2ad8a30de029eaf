/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pdf-notes.h - what is on a page besides its text: annotations, form fields, attached files */
#pragma once
#include "extractors/shared/extractor.h"
#include <poppler.h>

/* Sends comments and filled-in fields of the page that are not in its text anyway, and files
 * attached to it as members. False: the sink has enough. */
bool notes_send(Sink *sink, PopplerPage *page, const char *page_text, const ExtractLimits *limits);
/* Sends the files attached to the document as members. */
bool notes_send_attachments(Sink *sink, PopplerDocument *document, const ExtractLimits *limits);
