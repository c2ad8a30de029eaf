/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ooxml.h - the state of reading one Office Open XML file, and its readers */
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
	GHashTable *claimed; /* set of names of parts that were read */
	bool damaged; /* a part was not well-formed */
	bool any_fact, has_pages;
} Ooxml;

/* True the first time it is called for a part: a part is read once, however often it is referred
 * to. */
bool ooxml_claim(Ooxml *ooxml, const char *part);
/* Reads a part if it exists; records damage. */
void ooxml_read(Ooxml *ooxml, const char *part, const XmlEvents *events, void *user);
/* Reads a whole flat file. */
void ooxml_read_flat(Ooxml *ooxml, const XmlEvents *events, void *user);
/* Returns the first internal relation of a type; NULL if there is none. */
const Relation *ooxml_related(const Relations *relations, const char *type);
/* Sends embedded documents as members. */
void ooxml_embedded(Ooxml *ooxml, const Relations *relations);
/* Reads a part in another format (HTML, RTF, ...) that is included in the text. */
void ooxml_chunk(Ooxml *ooxml, const char *part);
void ooxml_field(Ooxml *ooxml, DocField field, const char *value);
void ooxml_count(Ooxml *ooxml, unsigned pages);

/* ooxml-props.c: docProps/core.xml, app.xml and custom.xml */
void props_read(Ooxml *ooxml, const Relations *package_relations);
void props_read_flat(Ooxml *ooxml);
/* docx.c, xlsx.c, pptx.c: read the document whose main part is given. */
void word_read(Ooxml *ooxml, const char *part);
void book_read(Ooxml *ooxml, const char *part);
void slides_read(Ooxml *ooxml, const char *part);
void binary_book_read(Ooxml *ooxml, const char *part); /* xlsb.c */
/* Read one XML file: Word 2003, or all parts of a package (Flat OPC). */
void word_read_flat(Ooxml *ooxml);
/* Reads an Excel 2003 workbook in one XML file (xml-workbook.c). */
void flat_book_read(Ooxml *ooxml);

/* drawingml.c: sends the paragraphs of a DrawingML part: slides, notes, shapes, diagrams, chart
 * titles. tag: of paragraphs that are not titles. */
void drawing_read(Ooxml *ooxml, const char *part, const Relations *relations, DocTag tag);
/* Does the same for all parts that relations of this type refer to. */
void drawings_of_type(Ooxml *ooxml, const Relations *relations, const char *type, DocTag tag);
/* Does the same for the diagrams and charts that a part refers to. */
void drawings_related(Ooxml *ooxml, const Relations *relations);

/* Sends the text of the layout and the master that a slide refers to; each is read once. */
void masters_read(Ooxml *ooxml, const Relations *relations);

/* docx-styles.c: maps style ids to DocTag, for headings, captions and tables of contents */
typedef struct WordStyles WordStyles;
WordStyles *word_styles_read(
        Ooxml *ooxml, const char *part); /* part NULL: no styles; a flat file contains its own */
void word_styles_free(WordStyles *styles);
bool word_styles_tag(const WordStyles *styles, const char *id, DocTag *tag);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WordStyles, word_styles_free)

/* number-format.c: how the numbers of a spreadsheet are displayed */
typedef struct {
	/* GRefString: the code of each cell format; "" displays the number as it is */
	GPtrArray *codes;
	bool from_1904;
} NumberFormats;
void number_formats_init(NumberFormats *formats);
void number_formats_clear(NumberFormats *formats);
void number_formats_read(Ooxml *ooxml, NumberFormats *formats, const char *part);
/* For formats other than XML: define adds a number format by id to custom; add appends a cell
 * format that uses number format id. */
GHashTable *number_formats_custom_new(void);
void number_formats_define(GHashTable *custom, unsigned id, const char *code);
void number_formats_add(NumberFormats *formats, GHashTable *custom, unsigned id);
/* Returns roughly what a cell with this value and cell format displays: dates as ISO 8601. The
 * caller frees it. */
char *number_display_text(const NumberFormats *formats, const char *value, unsigned format);
