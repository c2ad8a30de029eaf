/* SPDX-License-Identifier: GPL-3.0-or-later */
/* doc-page.h - a converted document laid out for reading: facts, headings, paragraphs, pages */
#pragma once
#include "common/base/document.h"
#include "ui-cli/print/screen.h"

/* Appends the document, folded to the width of a terminal, in whole lines otherwise. page: only
 * this page, slide or sheet, without the facts; 0: everything. */
void doc_page_append(const Screen *screen, GString *out, const Document *doc, unsigned page);
