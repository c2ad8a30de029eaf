/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drawingml.c - text in DrawingML: shapes and tables of slides, notes, diagrams, titles of
 * charts */
#include <config.h>
#include "extractors/shared/symbolfont.h"
#include "extractors/ooxml/ooxml.h"
#include <string.h>

enum { DRAWING_DEPTH = 256, NAME_BYTES = 4096 };

typedef struct {
	Ooxml *ooxml;
	Flow *flow;
	const Relations *relations;
	DocTag tag; /* default tag of paragraphs */
	DocTag shape_tag; /* tag of paragraphs in the open shape */
	unsigned depth, hidden_from; /* depths of elements; hidden_from 0: nothing is hidden */
	unsigned cells; /* open table cells */
	bool chosen[DRAWING_DEPTH]; /* a branch of the alternative at this depth was read */
	bool text;
	bool run, description; /* in a run, in what describes a shape */
	bool symbol; /* the run is in the font Symbol */
	bool master; /* the part is a master or layout */
	unsigned shape_depth; /* depth at which the open shape began */
	GHashTable *names; /* in a chart: set of names found so far; NULL: not a chart */
	GString *name; /* the open name */
	bool in_names, in_name;
} DrawingReader;

static const struct {
	const char *type;
	DocTag tag;
} placeholders[] = {
        {"title", TAG_HEADING1},
        {"ctrTitle", TAG_HEADING1},
        {"subTitle", TAG_HEADING2},
        {"dt", TAG_NOISE},
        {"ftr", TAG_NOISE},
        {"hdr", TAG_NOISE},
        {"sldNum", TAG_NOISE},
};

static void placeholder_start(DrawingReader *reader, const XmlAttributes *attributes)
{
	for (size_t i = 0; i < G_N_ELEMENTS(placeholders); i++) {
		if (!xml_attribute_is(attributes, 0, "type", placeholders[i].type))
			continue;
		if (reader->tag == TAG_BODY || placeholders[i].tag == TAG_NOISE)
			reader->shape_tag = placeholders[i].tag;
	}
}

/* On a master, placeholders contain instructions; only those in headers and footers have text. */
static void master_placeholder(DrawingReader *reader, const XmlAttributes *attributes)
{
	if (!xml_attribute_is(attributes, 0, "type", "ftr") &&
	        !xml_attribute_is(attributes, 0, "type", "hdr"))
		reader->hidden_from = reader->shape_depth;
}

/* Ends the name of a series or category; each series repeats the categories. */
static void name_end(DrawingReader *reader)
{
	const GString *name = reader->name;
	if (name->len > 0 && g_hash_table_add(reader->names, g_strdup(name->str)))
		flow_line(reader->flow, TAG_TABLE, name->str, name->len);
	reader->in_name = false;
}

static void drawingml_paragraph_start(DrawingReader *reader)
{
	bool is_cell = reader->cells > 0 && reader->shape_tag == TAG_BODY;
	flow_block(reader->flow, is_cell ? TAG_TABLE : reader->shape_tag);
}

/* The link of a shape or picture has no text. That of the end of a paragraph repeats the last one.
 */
static void drawingml_link_start(DrawingReader *reader, const XmlAttributes *attributes)
{
	g_autofree char *id = xml_attribute_dup(attributes, NS_R, "id");
	const Relation *relation = id ? relations_with_id(reader->relations, id) : NULL;
	if (!relation || !relation->external)
		return;
	if (reader->run)
		flow_link(reader->flow, g_strdup(relation->target));
	else if (reader->description)
		sink_link(reader->ooxml->sink, relation->target, NULL);
}

static void drawingml_description_start(DrawingReader *reader, const XmlAttributes *attributes)
{
	static const char *const names[] = {"title", "descr"};
	for (size_t i = 0; reader->tag == TAG_BODY && i < G_N_ELEMENTS(names); i++) {
		size_t length;
		const char *text = xml_attribute(attributes, 0, names[i], &length);
		if (text)
			flow_line(reader->flow, TAG_CAPTION, text, length);
	}
}

static void drawingml_branch_start(DrawingReader *reader)
{
	bool *chosen = &reader->chosen[MIN(reader->depth, DRAWING_DEPTH) - 1];
	if (*chosen)
		reader->hidden_from = reader->depth;
	*chosen = true;
}

static bool drawingml_on_start(void *user, unsigned element, const XmlAttributes *attributes)
{
	DrawingReader *reader = user;

	reader->depth++;
	if (reader->hidden_from > 0)
		return true;
	switch (element) {
	case MC_ALTERNATE:
		reader->chosen[MIN(reader->depth + 1, DRAWING_DEPTH) - 1] = false;
		break;
	case MC_CHOICE:
	case MC_FALLBACK:
		drawingml_branch_start(reader);
		break;
	case P_SHAPE:
		reader->shape_tag = reader->tag;
		reader->shape_depth = reader->depth;
		break;
	case P_PLACEHOLDER:
		placeholder_start(reader, attributes);
		if (reader->master)
			master_placeholder(reader, attributes);
		break;
	case P_DESCRIPTION:
		reader->description = true;
		drawingml_description_start(reader, attributes);
		break;
	case P_COMMENT_TEXT:
		flow_block(reader->flow, reader->tag);
		reader->text = true;
		break;
	case A_CELL:
		reader->cells++;
		break;
	case A_P:
		drawingml_paragraph_start(reader);
		break;
	case A_R:
		reader->run = true;
		reader->symbol = false;
		break;
	case A_SYMBOL_FONT:
		reader->symbol = xml_attribute_is(attributes, 0, "typeface", SYMBOL_FONT);
		break;
	case A_T:
	case M_T:
		reader->text = true;
		break;
	case A_BREAK:
	case M_FRACTION:
		flow_space(reader->flow);
		break;
	case A_FIELD:
		if (xml_attribute_is(attributes, 0, "type", "slidenum"))
			reader->hidden_from = reader->depth;
		break;
	case A_LINK:
		drawingml_link_start(reader, attributes);
		break;
	case C_STRINGS:
		reader->in_names = reader->names != NULL;
		break;
	case C_VALUE:
		reader->in_name = reader->in_names;
		g_string_truncate(reader->name, 0);
		break;
	default:
		break;
	}
	return !reader->flow->full;
}

static bool drawingml_on_end(void *user, unsigned element)
{
	DrawingReader *reader = user;

	if (reader->depth == reader->hidden_from)
		reader->hidden_from = 0;
	else if (reader->hidden_from == 0 && element == A_CELL && reader->cells > 0)
		reader->cells--;
	else if (reader->hidden_from == 0 && element == A_R)
		flow_link_end(reader->flow);
	else if (reader->hidden_from == 0 && element == M_FRACTION)
		flow_space(reader->flow);
	else if (element == C_VALUE && reader->in_name)
		name_end(reader);
	else if (element == C_STRINGS)
		reader->in_names = false;
	reader->run = reader->run && element != A_R;
	reader->description = reader->description && element != P_DESCRIPTION;
	reader->depth--;
	reader->text = false;
	return !reader->flow->full;
}

static bool drawingml_on_text(void *user, const char *text, size_t length)
{
	DrawingReader *reader = user;
	if (reader->in_name && reader->name->len + length <= NAME_BYTES)
		g_string_append_len(reader->name, text, length);
	if (!reader->text || reader->hidden_from > 0)
		return true;
	g_autofree char *shown = symbol_font_text(text, &length, reader->symbol);
	return flow_text(reader->flow, shown ? shown : text, length);
}

static void read_with(DrawingReader *reader, const char *part)
{
	static const XmlEvents events = {drawingml_on_start, drawingml_on_end, drawingml_on_text};
	Ooxml *ooxml = reader->ooxml;

	reader->flow = &ooxml->flow;
	reader->shape_tag = reader->tag;
	reader->name = g_string_new(NULL);
	ooxml_read(ooxml, part, &events, reader);
	g_string_free(reader->name, TRUE);
	flow_link_end(&ooxml->flow);
	flow_block(&ooxml->flow, TAG_BODY);
}

void drawing_read(Ooxml *ooxml, const char *part, const Relations *relations, DocTag tag)
{
	DrawingReader reader = {.ooxml = ooxml, .relations = relations, .tag = tag};
	read_with(&reader, part);
}

static void chart_read(Ooxml *ooxml, const char *part, const Relations *relations)
{
	DrawingReader reader = {.ooxml = ooxml, .relations = relations, .tag = TAG_CAPTION};
	reader.names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	read_with(&reader, part);
	g_hash_table_unref(reader.names);
}

/* Returns the next unread part of this type, or NULL. */
static const Relation *next_part(
        Ooxml *ooxml, const Relations *relations, const char *type, guint *position)
{
	const Relation *relation;
	while (!ooxml->flow.full &&
	        (relation = relations_of_type(relations, type, position)) != NULL)
		if (ooxml_claim(ooxml, relation->target))
			return relation;
	return NULL;
}

static void read_charts(Ooxml *ooxml, const Relations *relations, const char *type)
{
	guint position = 0;
	const Relation *relation;

	while ((relation = next_part(ooxml, relations, type, &position)) != NULL) {
		g_autoptr(Relations) inner = package_relations(ooxml->zip, relation->target);
		chart_read(ooxml, relation->target, inner);
		drawings_of_type(ooxml, inner, "chartUserShapes", TAG_BODY);
	}
}

void masters_read(Ooxml *ooxml, const Relations *relations)
{
	static const char *const types[] = {"slideLayout", "slideMaster"};
	for (size_t i = 0; i < G_N_ELEMENTS(types); i++) {
		const Relation *relation = ooxml_related(relations, types[i]);
		if (!relation || !ooxml_claim(ooxml, relation->target))
			continue;
		g_autoptr(Relations) inner = package_relations(ooxml->zip, relation->target);
		DrawingReader reader = {
		        .ooxml = ooxml, .relations = inner, .tag = TAG_NOISE, .master = true};
		read_with(&reader, relation->target);
		if (i == 0)
			masters_read(ooxml, inner);
	}
}

void drawings_of_type(Ooxml *ooxml, const Relations *relations, const char *type, DocTag tag)
{
	guint position = 0;
	const Relation *relation;

	while ((relation = next_part(ooxml, relations, type, &position)) != NULL) {
		g_autoptr(Relations) inner = package_relations(ooxml->zip, relation->target);
		drawing_read(ooxml, relation->target, inner, tag);
		drawings_related(ooxml, inner);
	}
}

void drawings_related(Ooxml *ooxml, const Relations *relations)
{
	drawings_of_type(ooxml, relations, "diagramData", TAG_BODY);
	read_charts(ooxml, relations, "chart");
	read_charts(ooxml, relations, "chartEx");
}
