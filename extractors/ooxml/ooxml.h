/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ooxml.h - what reading one Office Open XML file keeps in mind, and its pieces */
#pragma once
#include "extractors/shared/extractor.h"
#include "extractors/shared/flow.h"
#include "extractors/ooxml/ooxml-names.h"
#include "extractors/ooxml/ooxml-package.h"

typedef struct {
	const Input *in;
	Sink *sink;
	ZipParts *zip; /* NULL: a flat file */
	Flow flow;
	GHashTable *claimed; /* set of names of parts */
	bool damaged; /* a part was not well-formed */
	bool any_fact, has_pages;
} Ooxml;

/* Whether this part is met for the first time: each is read once, however often it is referred to.
 */
bool ooxml_claim(Ooxml *ooxml, const char *part);
/* Reads a part if it is there; notes damage. */
void ooxml_read(Ooxml *ooxml, const char *part, const XmlEvents *events, void *user);
/* Reads the whole of a file that is no package. */
void ooxml_read_flat(Ooxml *ooxml, const XmlEvents *events, void *user);
/* The first internal relation of a type; NULL if there is none. */
const Relation *ooxml_related(const Relations *relations, const char *type);
/* Documents in this document, as members of it. */
void ooxml_embedded(Ooxml *ooxml, const Relations *relations);
/* A part in another format (HTML, RTF...) that stands for a piece of the text. */
void ooxml_chunk(Ooxml *ooxml, const char *part);
void ooxml_field(Ooxml *ooxml, DocField field, const char *value);
void ooxml_count(Ooxml *ooxml, unsigned pages);

/* ooxml-props.c: docProps/core.xml, app.xml and custom.xml */
void props_read(Ooxml *ooxml, const Relations *package_relations);
void props_read_flat(Ooxml *ooxml);
/* docx.c, xlsx.c, pptx.c: the document whose main part is given. */
void word_read(Ooxml *ooxml, const char *part);
void book_read(Ooxml *ooxml, const char *part);
void slides_read(Ooxml *ooxml, const char *part);
void binary_book_read(Ooxml *ooxml, const char *part); /* xlsb.c */
/* The same in one XML file: of Word 2003, or all parts of a package in one (Flat OPC). */
void word_read_flat(Ooxml *ooxml);
/* A workbook of Excel 2003 in one XML file (xml-workbook.c). */
void flat_book_read(Ooxml *ooxml);

/* drawingml.c: paragraphs of DrawingML: slides, notes, shapes, diagrams, titles of charts.
 * tag: of paragraphs that are no titles. */
void drawing_read(Ooxml *ooxml, const char *part, const Relations *relations, DocTag tag);
/* All such parts that are referred to by a relation of this type. */
void drawings_of_type(Ooxml *ooxml, const Relations *relations, const char *type, DocTag tag);
/* The diagrams and charts that a part refers to. */
void drawings_related(Ooxml *ooxml, const Relations *relations);

/* What stands on each slide, of the layout and the master that a slide refers to; each is read
 * once. */
void masters_read(Ooxml *ooxml, const Relations *relations);

/* docx-styles.c: style id -> DocTag of its paragraphs, for headings, captions, lists of contents */
typedef struct WordStyles WordStyles;
WordStyles *word_styles_read(
        Ooxml *ooxml, const char *part); /* NULL: no styles; of a flat file: there */
void word_styles_free(WordStyles *styles);
bool word_styles_tag(const WordStyles *styles, const char *id, DocTag *tag);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WordStyles, word_styles_free)

/* number-format.c: how the numbers of a spreadsheet look */
typedef struct {
	GArray *kinds; /* uint8_t NumberKind of each cell format */
	bool from_1904;
} NumberFormats;
void number_formats_read(Ooxml *ooxml, NumberFormats *formats, const char *part);
/* For those that are not XML: custom is a table of number formats by id, empty at first. A cell
 * format that shows numbers in the format id. */
void number_formats_define(GHashTable *custom, unsigned id, const char *code);
void number_formats_add(NumberFormats *formats, GHashTable *custom, unsigned id);
/* What a cell with this value and format index shows, roughly: dates as ISO 8601. Yours. */
char *number_shown(const NumberFormats *formats, const char *value, unsigned format);
