/* SPDX-License-Identifier: GPL-3.0-or-later */
/* odf-body.c - the text of content.xml, styles.xml and flat documents, read as a stream */
#include <config.h>
#include "extractors/shared/formulalink.h"
#include "extractors/shared/symbolfont.h"
#include "extractors/odf/odf.h"

static OdfScope *odf_top(Odf *odf)
{
	return &g_array_index(odf->scopes, OdfScope, odf->scopes->len - 1);
}

static OdfScope *odf_push(Odf *odf, unsigned element)
{
	OdfScope scope = {.tag = TAG_BODY, .inline_tag = -1};
	if (odf->scopes->len > 0)
		scope = *odf_top(odf);
	scope.element = element;
	scope.inset = scope.link = false;
	g_array_append_val(odf->scopes, scope);
	return odf_top(odf);
}

static void odf_paragraph_start(Odf *odf, OdfScope *scope, const XmlAttributes *attributes)
{
	bool plain = scope->tag == TAG_BODY || scope->tag == TAG_TABLE;
	DocTag tag = scope->tag;

	if (plain && scope->element == TEXT_P)
		tag = odf_paragraph_tag(odf, attributes, tag);
	else if (plain)
		tag = TAG_HEADING1 - 1 +
		      CLAMP(xml_attribute_number(attributes, NS_TEXT, "outline-level", 100,
		                    xml_attribute_number(attributes, NS_TEXT, "level", 100, 1)),
		              1, 6);
	flow_block(&odf->flow, tag);
	scope->text = true;
	scope->inline_tag = -1;
}

static void span_start(Odf *odf, OdfScope *scope, const XmlAttributes *attributes)
{
	scope->symbol = odf_is_symbol(odf, attributes);
	if (!scope->text || !odf_is_emphasis(odf, attributes))
		return;
	scope->inline_tag = TAG_EMPHASIS;
	flow_inline(&odf->flow, TAG_EMPHASIS);
}

static void odf_link_start(Odf *odf, OdfScope *scope, const XmlAttributes *attributes)
{
	if (!scope->text)
		return;
	scope->link = true;
	flow_link(&odf->flow, xml_attribute_dup(attributes, NS_XLINK, "href"));
}

/* Starts an element that is anchored in a paragraph or free, and has paragraphs of its own. */
static void odf_inset_start(Odf *odf, OdfScope *scope, DocTag tag)
{
	if (scope->text) {
		scope->inset = true;
		flow_inset(&odf->flow, tag);
	}
	scope->tag = tag;
	scope->text = false;
}

static void shape_start(Odf *odf, OdfScope *scope, const XmlAttributes *attributes)
{
	odf_inset_start(odf, scope, scope->tag);
	if (scope->tag != TAG_BODY)
		return;
	if (xml_attribute_is(attributes, NS_PRESENTATION, "class", "title"))
		scope->tag = TAG_HEADING1;
	else if (xml_attribute_is(attributes, NS_PRESENTATION, "class", "subtitle"))
		scope->tag = TAG_HEADING2;
}

/* A placeholder on a master page has a class, and instructions for text. Other shapes are on every
 * slide. */
static void master_shape_start(OdfScope *scope, const XmlAttributes *attributes)
{
	size_t length;
	scope->hidden = scope->hidden ||
	                xml_attribute(attributes, NS_PRESENTATION, "class", &length) != NULL;
	scope->master = false;
	scope->tag = TAG_NOISE;
}

/* A presentation has a master page for each layout of its template, used or not. */
static void master_page_start(Odf *odf, OdfScope *scope, const XmlAttributes *attributes)
{
	g_autofree char *name = xml_attribute_dup(attributes, NS_STYLE, "name");
	if (name && g_hash_table_size(odf->masters) > 0)
		scope->hidden = !g_hash_table_contains(odf->masters, name);
}

static void line_start(Odf *odf, OdfScope *scope, DocTag tag)
{
	flow_block(&odf->flow, tag);
	scope->text = true;
}

static void put_attribute(Odf *odf, const char *text, size_t length)
{
	if (text && length > 0)
		flow_line(&odf->flow, TAG_BODY, text, length);
}

static void odf_field_start(Odf *odf, const XmlAttributes *attributes)
{
	size_t length;
	const char *text = xml_attribute(attributes, NS_FORM, "current-value", &length);
	if (!text)
		text = xml_attribute(attributes, NS_FORM, "value", &length);
	put_attribute(odf, text, length);
}

static void label_start(Odf *odf, const XmlAttributes *attributes)
{
	size_t length;
	const char *text = xml_attribute(attributes, NS_FORM, "label", &length);
	put_attribute(odf, text, length);
}

static void ruby_start(Odf *odf, OdfScope *scope)
{
	bool text = scope->text;
	odf_inset_start(odf, scope, scope->tag);
	scope->text = text;
}

static bool table_start(Odf *odf, OdfScope *scope, const XmlAttributes *attributes)
{
	/* a chart in a spreadsheet repeats values of the sheet */
	if (odf->embedded && odf->sheets > 0 &&
	        xml_attribute_is(attributes, NS_TABLE, "name", "local-table"))
		scope->hidden = true;
	if (!scope->sheets)
		return true;
	scope->sheets = false;
	g_autofree char *name = xml_attribute_dup(attributes, NS_TABLE, "name");
	return odf->embedded || flow_sheet(&odf->flow, ++odf->sheets, name);
}

static char *percent_value(const char *value)
{
	return value ? g_strdup_printf("%.10g%%", g_ascii_strtod(value, NULL) * 100) : NULL;
}

/* Some programs write values alone, which LibreOffice shows by the style of the cell. */
static char *cell_value(const XmlAttributes *attributes)
{
	static const struct {
		const char *type, *name;
	} values[] = {{"float", "value"}, {"currency", "value"}, {"percentage", "value"},
	        {"date", "date-value"}, {"string", "string-value"}, {"boolean", "boolean-value"}};
	g_autofree char *type = xml_attribute_dup(attributes, NS_OFFICE, "value-type");
	for (size_t i = 0; type && i < G_N_ELEMENTS(values); i++) {
		if (strcmp(type, values[i].type) != 0)
			continue;
		g_autofree char *value = xml_attribute_dup(attributes, NS_OFFICE, values[i].name);
		return strcmp(type, "percentage") == 0 ? percent_value(value)
		                                       : g_steal_pointer(&value);
	}
	return NULL;
}

static void odf_cell_end(Odf *odf)
{
	g_autofree char *value = g_steal_pointer(&odf->value);
	if (value)
		flow_line(&odf->flow, TAG_TABLE, value, -1);
}

/* The text of a cell is that of the link that its formula makes. */
static void odf_cell_start(Odf *odf, OdfScope *scope, const XmlAttributes *attributes)
{
	g_autofree char *formula = xml_attribute_dup(attributes, NS_TABLE, "formula");
	char *href = formula ? formula_link(formula) : NULL;
	if (scope->tag == TAG_BODY)
		scope->tag = TAG_TABLE;
	g_free(odf->value);
	odf->value = odf->sheets > 0 && !odf->embedded ? cell_value(attributes) : NULL;
	scope->link = href != NULL;
	if (href)
		flow_link(&odf->flow, href);
}

static bool page_start(Odf *odf, OdfScope *scope, const XmlAttributes *attributes)
{
	if (!scope->pages || odf->embedded)
		return true;
	char *master = xml_attribute_dup(attributes, NS_DRAW, "master-page-name");
	if (master)
		g_hash_table_add(odf->masters, master);
	g_autofree char *name = xml_attribute_dup(attributes, NS_DRAW, "name");
	return flow_break(&odf->flow, odf->page_kind, ++odf->pages, name);
}

/* In the older format the root element says the kind of document, not the body. */
static void root_start(Odf *odf, OdfScope *scope, const XmlAttributes *attributes)
{
	scope->sheets = xml_attribute_is(attributes, NS_OFFICE, "class", "spreadsheet");
	scope->pages = xml_attribute_is(attributes, NS_OFFICE, "class", "presentation");
	if (xml_attribute_is(attributes, NS_OFFICE, "class", "drawing")) {
		scope->pages = true;
		odf->page_kind = BREAK_PAGE;
	}
}

static bool office_start(Odf *odf, OdfScope *scope, const XmlAttributes *attributes)
{
	switch (scope->element) {
	case OFFICE_META:
		scope->meta = !odf->embedded;
		break;
	case OFFICE_MASTER_STYLES:
		scope->master = true;
		break;
	case OFFICE_SPREADSHEET:
		scope->sheets = true;
		break;
	case OFFICE_DRAWING:
		odf->page_kind = BREAK_PAGE;
		scope->pages = true;
		break;
	case OFFICE_PRESENTATION:
		scope->pages = true;
		break;
	case OFFICE_HIDDEN:
	case TEXT_NOTE_CITATION:
		scope->hidden = true;
		break;
	case META_STATISTIC:
		if (scope->meta)
			odf_statistic(odf, attributes);
		break;
	default:
		break;
	}
	return true;
}

/* True if the second-last open element is a comment. */
static bool is_comment_part(const Odf *odf)
{
	return odf->scopes->len >= 2 &&
	       g_array_index(odf->scopes, OdfScope, odf->scopes->len - 2).element ==
	               OFFICE_ANNOTATION;
}

/* Starts an element of drawings, presentations, forms or formulas. */
static bool drawing_start(Odf *odf, OdfScope *scope, const XmlAttributes *attributes)
{
	switch (scope->element) {
	case DRAW_PAGE:
		return page_start(odf, scope, attributes);
	case DRAW_SHAPE:
		shape_start(odf, scope, attributes);
		break;
	case DRAW_DESCRIPTION:
		line_start(odf, scope, scope->tag == TAG_NOISE ? TAG_NOISE : TAG_CAPTION);
		break;
	case PRESENTATION_NOTES:
		scope->tag = TAG_COMMENT;
		break;
	case PRESENTATION_DECLARATION:
		line_start(odf, scope, TAG_NOISE);
		break;
	case FORM_LABEL:
		label_start(odf, attributes);
		break;
	case FORM_FIELD:
		odf_field_start(odf, attributes);
		break;
	case MATH_SOURCE:
		line_start(odf, scope, TAG_CODE);
		break;
	default:
		return office_start(odf, scope, attributes);
	}
	return !odf->flow.full;
}

/* Starts an element of running text, tables or styles. */
static bool text_start(Odf *odf, OdfScope *scope, const XmlAttributes *attributes)
{
	switch (scope->element) {
	case TEXT_P:
	case TEXT_H:
		odf_paragraph_start(odf, scope, attributes);
		break;
	case TEXT_SPAN:
		span_start(odf, scope, attributes);
		break;
	case TEXT_A:
		odf_link_start(odf, scope, attributes);
		break;
	case TEXT_SPACE:
		flow_space(&odf->flow);
		break;
	case TEXT_NOTE:
	case OFFICE_ANNOTATION:
		odf_inset_start(odf, scope, TAG_COMMENT);
		break;
	case META_CREATOR:
		if (is_comment_part(odf))
			line_start(odf, scope, TAG_COMMENT);
		break;
	case TEXT_TOC:
		scope->tag = TAG_NOISE;
		break;
	case TEXT_RUBY_TEXT:
		ruby_start(odf, scope);
		break;
	case TABLE_TABLE:
		return table_start(odf, scope, attributes);
	case TABLE_CELL:
		odf_cell_start(odf, scope, attributes);
		break;
	case STYLE_HEADER_FOOTER:
		scope->master = false;
		scope->tag = TAG_NOISE;
		break;
	case STYLE_STYLE:
	case STYLE_DEFAULT:
	case STYLE_TEXT_PROPERTIES:
		odf_style_start(odf, scope->element, attributes);
		break;
	default:
		return drawing_start(odf, scope, attributes);
	}
	return !odf->flow.full;
}

static bool odf_on_start(void *user, unsigned element, const XmlAttributes *attributes)
{
	Odf *odf = user;
	bool is_root = odf->scopes->len == 0;
	OdfScope *scope = odf_push(odf, element);

	if (is_root)
		root_start(odf, scope, attributes);
	if (scope->master && element == STYLE_MASTER_PAGE)
		master_page_start(odf, scope, attributes);
	if (scope->master && element == DRAW_SHAPE)
		master_shape_start(scope, attributes);
	if (scope->hidden || (scope->master && element != STYLE_HEADER_FOOTER))
		return true;
	return text_start(odf, scope, attributes);
}

static bool is_fact(unsigned element)
{
	return element >= META_TITLE && element <= META_GENERATOR;
}

static bool odf_on_end(void *user, unsigned element)
{
	Odf *odf = user;
	if (odf->scopes->len == 0)
		return false;
	OdfScope ended = *odf_top(odf);
	g_array_set_size(odf->scopes, odf->scopes->len - 1);
	if (ended.element == TABLE_CELL)
		odf_cell_end(odf);
	if (ended.link)
		flow_link_end(&odf->flow);
	if (ended.inset)
		flow_inset_end(&odf->flow);
	if (ended.element == TEXT_SPAN && odf->scopes->len > 0)
		flow_inline(&odf->flow, odf_top(odf)->inline_tag);
	if (ended.meta && is_fact(ended.element))
		odf_fact_end(odf, ended.element);
	odf_style_end(odf, ended.element);
	return !odf->flow.full;
}

static bool odf_on_text(void *user, const char *text, size_t length)
{
	Odf *odf = user;
	if (odf->scopes->len == 0)
		return true;
	const OdfScope *scope = odf_top(odf);
	if (scope->meta && is_fact(scope->element) && odf->fact->len + length <= DOC_MAX_FACT_BYTES)
		g_string_append_len(odf->fact, text, length);
	if (!scope->text || scope->hidden)
		return true;
	if (scope->tag != TAG_COMMENT)
		g_clear_pointer(&odf->value, g_free);
	g_autofree char *shown = symbol_font_text(text, &length, scope->symbol);
	return flow_text(&odf->flow, shown ? shown : text, length);
}

const XmlEvents odf_events = {odf_on_start, odf_on_end, odf_on_text};
