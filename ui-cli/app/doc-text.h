/* SPDX-License-Identifier: GPL-3.0-or-later */
/* doc-text.h - a converted document as simple XML (docs/OUTPUT.md) or as plain text */
#pragma once
#include "common/base/document.h"
#include "ui-cli/print/screen.h"

typedef struct {
	bool plain; /* plain text instead of XML */
	bool noise; /* plain text: include boilerplate */
	bool body; /* plain text: of web pages, the running text alone (doc-body.h) */
	bool meta; /* metadata only */
	unsigned page; /* only this page, slide or sheet; 0 for all */
	bool escape; /* escape what could control a terminal, except newlines and tabs */
} DocTextForm;

/* Appends all documents of a file: the file itself, then its members. docs: Document. */
void doc_text_append(GString *out, const GPtrArray *docs, const DocTextForm *form);
/* Does the document have a page, slide or sheet with this number? */
bool doc_has_page(const Document *doc, unsigned page);
