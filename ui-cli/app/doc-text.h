/* SPDX-License-Identifier: GPL-3.0-or-later */
/* doc-text.h - a converted document as text: simple XML (docs/OUTPUT.md) or plain */
#pragma once
#include "common/base/document.h"
#include "ui-cli/print/screen.h"

typedef struct {
	bool plain; /* else XML */
	bool noise; /* plain: boilerplate too */
	bool meta; /* facts only */
	unsigned page; /* only this page, slide or sheet; 0: all */
	bool escape; /* what could drive a terminal is escaped, newlines and tabs are not */
} DocTextForm;

/* All documents of a file: itself, then its members. docs: Document. */
void doc_text_append(GString *out, const GPtrArray *docs, const DocTextForm *form);
/* True if the document has a page, slide or sheet with this number. */
bool doc_has_page(const Document *doc, unsigned page);
