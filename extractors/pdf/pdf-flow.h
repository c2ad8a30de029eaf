/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pdf-flow.h - lines of a page to paragraphs and headings */
#pragma once
#include "extractors/shared/extractor.h"
#include "extractors/pdf/pdf-outline.h"

/* Sends the text of one page (valid UTF-8, changed in place): lines of a paragraph are joined,
 * words parted at a line's end made whole, lines that the outline names sent as headings. False:
 * the sink has enough. */
bool flow_send(Sink *sink, char *text, Outline *outline, int page);
