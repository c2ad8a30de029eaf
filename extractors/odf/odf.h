/* SPDX-License-Identifier: GPL-3.0-or-later */
/* odf.h - what reading one OpenDocument file keeps in mind */
#pragma once
#include "extractors/shared/extractor.h"
#include "extractors/shared/flow.h"
#include "extractors/odf/odf-names.h"

/* What an element means for all below it; copied for each element that opens. */
typedef struct {
	DocTag tag; /* of paragraphs */
	int inline_tag; /* of text, or -1 */
	bool hidden; /* nothing below is for a reader */
	bool text; /* characters belong to the text */
	bool sheets; /* tables are sheets */
	bool pages; /* drawing pages are slides or pages */
	bool master; /* in a page template: only headers and footers count */
	bool meta; /* facts about the document */
	/* of this element alone */
	uint8_t element;
	bool aside, link;
} OdfScope;

typedef struct {
	Sink *sink;
	Flow flow;
	GArray *scopes; /* OdfScope of the open elements */
	GHashTable *
	        paragraph_styles; /* name -> DocTag + 1, for styles that are headings or captions */
	GHashTable *emphasis_styles; /* set of names of text styles in bold or italic */
	char *text_style; /* name of the text style that is being defined, or NULL */
	bool default_style; /* a default style is being defined */
	GString *fact; /* value of the fact that is open */
	GString *author; /* whom the first author fact named */
	bool has_language, has_pages, any_fact;
	DocBreakKind page_kind;
	unsigned pages, sheets;
	bool embedded; /* an object inside the document: its facts are not the document's */
} Odf;

extern const XmlEvents odf_events;

/* odf-meta.c: a fact about the document has ended; its text is in odf->fact. */
void odf_fact_end(Odf *odf, unsigned element);
void odf_statistic(Odf *odf, const XmlAttributes *attributes);
void odf_language(Odf *odf, const char *language, const char *country);

/* odf-styles.c */
void odf_style_start(Odf *odf, unsigned element, const XmlAttributes *attributes);
void odf_style_end(Odf *odf, unsigned element);
/* Tag that the style of a paragraph gives it, or fallback. */
DocTag odf_paragraph_tag(Odf *odf, const XmlAttributes *attributes, DocTag fallback);
bool odf_is_emphasis(Odf *odf, const XmlAttributes *attributes);
