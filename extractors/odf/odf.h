/* SPDX-License-Identifier: GPL-3.0-or-later */
/* odf.h - the state of reading one OpenDocument file */
#pragma once
#include "extractors/shared/extractor.h"
#include "extractors/shared/flow.h"
#include "extractors/odf/odf-names.h"

/* The effect of an element on its descendants; copied for each element that opens. */
typedef struct {
	DocTag tag; /* tag of paragraphs */
	int inline_tag; /* tag of inline text, or -1 */
	bool hidden; /* descendants are not visible text */
	bool text; /* character data is text */
	bool symbol; /* the text is in the font Symbol */
	bool sheets; /* tables are sheets */
	bool pages; /* drawing pages are slides or pages */
	bool master; /* in a master page: only headers, footers and shapes are text */
	bool meta; /* facts about the document */
	/* about this element only */
	uint8_t element;
	bool inset, link;
} OdfScope;

typedef struct {
	Sink *sink;
	Flow flow;
	GArray *scopes; /* OdfScope of each open element */
	GHashTable *paragraph_styles; /* name -> DocTag + 1, for heading and caption styles */
	GHashTable *emphasis_styles; /* set of names of bold or italic text styles */
	GHashTable *symbol_styles; /* set of names of text styles in the font Symbol */
	GHashTable *masters; /* set of names of master pages that slides use; empty: not known */
	char *text_style; /* name of the text style being defined, or NULL */
	bool default_style; /* a default style is being defined */
	char *value; /* of the open cell of a sheet, which has no text yet, or NULL */
	GString *fact; /* value of the open fact */
	GString *author; /* name in the first author fact */
	bool has_language, has_pages, any_fact;
	DocBreakKind page_kind;
	unsigned pages, sheets;
	bool embedded; /* in an embedded object: its facts are not the document's */
} Odf;

extern const XmlEvents odf_events;

/* odf-meta.c: the element of a fact ended; odf->fact has its text. */
void odf_fact_end(Odf *odf, unsigned element);
void odf_statistic(Odf *odf, const XmlAttributes *attributes);
void odf_language(Odf *odf, const char *language, const char *country);

/* odf-styles.c */
void odf_style_start(Odf *odf, unsigned element, const XmlAttributes *attributes);
void odf_style_end(Odf *odf, unsigned element);
/* Returns the tag that a paragraph's style implies, or fallback. */
DocTag odf_paragraph_tag(Odf *odf, const XmlAttributes *attributes, DocTag fallback);
bool odf_is_emphasis(Odf *odf, const XmlAttributes *attributes);
bool odf_is_symbol(Odf *odf, const XmlAttributes *attributes);
