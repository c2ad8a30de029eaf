/* SPDX-License-Identifier: GPL-3.0-or-later */
/* docx.c - text documents (WordprocessingML): body, notes, comments, headers and footers */
#include <config.h>
#include "extractors/shared/fieldlink.h"
#include "extractors/shared/symbolfont.h"
#include "extractors/ooxml/ooxml.h"
#include <string.h>

/* The effect of an element on its descendants; copied for each element that opens. */
typedef struct {
	DocTag tag; /* tag of paragraphs */
	bool hidden; /* descendants are not visible text */
	bool paragraph; /* in a paragraph */
	bool run; /* in a run: properties apply to text */
	bool text; /* character data is text */
	bool instruction; /* character data is the instruction of a field */
	bool list_field; /* in a drop-down list */
	/* about this element only */
	uint8_t element;
	bool inset, link, chosen;
} DocxScope;

typedef struct {
	Ooxml *ooxml;
	Flow *flow;
	const WordStyles *styles;
	const Relations *relations; /* relations of the current part; NULL: a flat file has none */
	GArray *scopes; /* DocxScope of each open element */
	Fields fields;
	unsigned list_choice, list_entry; /* of the drop-down list: the chosen and the next entry */
	bool list_chosen; /* the choice was read */
	bool symbol; /* the run is in the font Symbol */
	DocTag tag; /* tag of paragraphs of this part */
} WordReader;

static DocxScope *docx_top(WordReader *reader)
{
	return &g_array_index(reader->scopes, DocxScope, reader->scopes->len - 1);
}

static DocxScope *docx_push(WordReader *reader, unsigned element)
{
	DocxScope scope = {.tag = reader->tag};
	if (reader->scopes->len > 0)
		scope = *docx_top(reader);
	scope.element = element;
	scope.inset = scope.link = scope.chosen = false;
	g_array_append_val(reader->scopes, scope);
	return docx_top(reader);
}

static bool docx_is_plain(const DocxScope *scope)
{
	return scope->tag == TAG_BODY || scope->tag == TAG_TABLE;
}

/* Only the first branch of an alternative is read, because the branches repeat the same content. */
static void docx_branch_start(WordReader *reader, DocxScope *scope)
{
	if (reader->scopes->len < 2)
		return;
	DocxScope *parent = scope - 1;
	scope->hidden = scope->hidden || parent->chosen;
	parent->chosen = true;
}

static void docx_style_start(
        WordReader *reader, const DocxScope *scope, const XmlAttributes *attributes)
{
	g_autofree char *id = xml_attribute_dup(attributes, NS_W, "val");
	DocTag tag;
	if (docx_is_plain(scope) && id && word_styles_tag(reader->styles, id, &tag))
		flow_retag(reader->flow, tag);
}

static void docx_outline_start(
        WordReader *reader, const DocxScope *scope, const XmlAttributes *attributes)
{
	unsigned level = xml_attribute_number(attributes, NS_W, "val", 9, 9);
	if (docx_is_plain(scope) && level < 9)
		flow_retag(reader->flow, TAG_HEADING1 + MIN(level, 5));
}

static bool is_off(const XmlAttributes *attributes)
{
	return xml_attribute_is(attributes, NS_W, "val", "0") ||
	       xml_attribute_is(attributes, NS_W, "val", "false") ||
	       xml_attribute_is(attributes, NS_W, "val", "off");
}

static const Relation *relation_of(const WordReader *reader, const XmlAttributes *attributes)
{
	g_autofree char *id = xml_attribute_dup(attributes, NS_R, "id");
	return id && reader->relations ? relations_with_id(reader->relations, id) : NULL;
}

static void docx_link_start(WordReader *reader, DocxScope *scope, const XmlAttributes *attributes)
{
	const Relation *relation = relation_of(reader, attributes);
	if (!relation || !relation->external)
		return;
	scope->link = true;
	flow_link(reader->flow, g_strdup(relation->target));
}

/* A nested link ends the outer one. */
static void docx_begin_link(WordReader *reader, char *href)
{
	if (href)
		flow_link(reader->flow, href);
}

static void docx_field_start(WordReader *reader, DocxScope *scope, const XmlAttributes *attributes)
{
	g_autofree char *instruction = xml_attribute_dup(attributes, NS_W, "instr");
	char *href = instruction ? field_link(instruction) : NULL;
	scope->link = href != NULL;
	scope->hidden = instruction && field_is_silent(instruction);
	docx_begin_link(reader, href);
}

static void docx_put_field_text(WordReader *reader, const DocxScope *scope)
{
	FieldText shown = fields_text(&reader->fields);
	if (shown.text)
		flow_text(reader->flow, shown.text, strlen(shown.text));
	flow_inset_text(reader->flow, scope->tag, shown.reading);
	field_text_clear(&shown);
}

static void docx_field_mark(
        WordReader *reader, const DocxScope *scope, const XmlAttributes *attributes)
{
	if (xml_attribute_is(attributes, NS_W, "fldCharType", "begin")) {
		fields_begin(&reader->fields);
		return;
	}
	docx_put_field_text(reader, scope);
	docx_begin_link(reader, fields_separate(&reader->fields));
	if (xml_attribute_is(attributes, NS_W, "fldCharType", "end") && fields_end(&reader->fields))
		flow_link_end(reader->flow);
}

static void list_field_start(WordReader *reader, DocxScope *scope)
{
	scope->list_field = true;
	reader->list_choice = reader->list_entry = 0;
	reader->list_chosen = false;
}

/* The choice of the reader precedes the default one. */
static void list_choice_start(WordReader *reader, const XmlAttributes *attributes)
{
	if (!reader->list_chosen)
		reader->list_choice = xml_attribute_number(attributes, NS_W, "val", G_MAXINT32, 0);
	reader->list_chosen = true;
}

/* The chosen entry is what the field displays; no run repeats it. */
static void list_entry_start(WordReader *reader, const XmlAttributes *attributes)
{
	size_t length;
	const char *text = xml_attribute(attributes, NS_W, "val", &length);
	if (text && reader->list_entry == reader->list_choice)
		flow_text(reader->flow, text, length);
	reader->list_entry++;
}

static void docx_inset_start(WordReader *reader, DocxScope *scope, DocTag tag)
{
	scope->inset = true;
	flow_inset(reader->flow, tag);
	scope->tag = tag;
}

static void box_start(WordReader *reader, DocxScope *scope)
{
	docx_inset_start(reader, scope, scope->tag);
	scope->paragraph = scope->run = scope->text = false;
}

/* Sends WordArt text or the alternative text of a drawing. */
static void docx_description_start(
        WordReader *reader, const DocxScope *scope, const XmlAttributes *attributes)
{
	static const char *const names[] = {"title", "descr", "alt", "string"};
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		size_t length;
		const char *text = xml_attribute(attributes, 0, names[i], &length);
		if (!text)
			continue;
		flow_inset(reader->flow, scope->tag == TAG_BODY ? TAG_CAPTION : scope->tag);
		flow_text(reader->flow, text, length);
		flow_inset_end(reader->flow);
	}
}

/* Starts something that is a separate part in a package but is inline in Word 2003. */
static void part_start(WordReader *reader, DocxScope *scope, DocTag tag)
{
	if (scope->paragraph)
		box_start(reader, scope);
	scope->tag = tag;
	flow_retag(reader->flow, tag);
}

/* The author precedes the comment. */
static void comment_start(
        WordReader *reader, DocxScope *scope, unsigned ns, const XmlAttributes *attributes)
{
	size_t length;
	const char *author = xml_attribute(attributes, ns, "author", &length);
	part_start(reader, scope, TAG_COMMENT);
	if (author)
		flow_line(reader->flow, TAG_COMMENT, author, length);
}

/* Separators are stored as notes too. */
static void docx_note_start(WordReader *reader, DocxScope *scope, const XmlAttributes *attributes)
{
	size_t length;
	if (xml_attribute(attributes, NS_W, "type", &length))
		scope->hidden = !xml_attribute_is(attributes, NS_W, "type", "normal");
	if (!scope->hidden)
		part_start(reader, scope, TAG_COMMENT);
}

static void chunk_start(WordReader *reader, const XmlAttributes *attributes)
{
	const Relation *relation = relation_of(reader, attributes);
	if (relation && !relation->external)
		ooxml_chunk(reader->ooxml, relation->target);
}

/* Signs of other fonts are ornaments. */
static void docx_symbol_start(WordReader *reader, const XmlAttributes *attributes)
{
	char utf8[6];
	g_autofree char *code = xml_attribute_dup(attributes, NS_W, "char");
	if (!code || !xml_attribute_is(attributes, NS_W, "font", SYMBOL_FONT)) {
		flow_space(reader->flow);
		return;
	}
	gunichar c = symbol_font_char(g_ascii_strtoull(code, NULL, 16));
	flow_text(reader->flow, utf8, g_unichar_to_utf8(c, utf8));
}

static void docx_inline_start(WordReader *reader, DocxScope *scope, const XmlAttributes *attributes)
{
	switch (scope->element) {
	case W_R:
		scope->run = true;
		reader->symbol = false;
		break;
	case W_FONTS:
		reader->symbol = xml_attribute_is(attributes, NS_W, "hAnsi", SYMBOL_FONT);
		break;
	case W_EMPHASIS:
		if (scope->run && !is_off(attributes))
			flow_inline(reader->flow, TAG_EMPHASIS);
		break;
	case W_T:
	case M_T:
	case A_T:
		scope->text = scope->paragraph;
		break;
	case W_SPACE:
		if (scope->run)
			flow_space(reader->flow);
		break;
	case M_FRACTION:
		flow_space(reader->flow);
		break;
	case W_HYPHEN:
		flow_text(reader->flow, "-", 1);
		break;
	case W_SYMBOL:
		docx_symbol_start(reader, attributes);
		break;
	case W_HYPERLINK:
		docx_link_start(reader, scope, attributes);
		break;
	case W_FIELD:
		docx_field_start(reader, scope, attributes);
		break;
	case W_FIELD_MARK:
		docx_field_mark(reader, scope, attributes);
		break;
	case W_INSTRUCTION:
		scope->instruction = true;
		break;
	case W_LIST_FIELD:
		list_field_start(reader, scope);
		break;
	case W_LIST_CHOICE:
		if (scope->list_field)
			list_choice_start(reader, attributes);
		break;
	case W_LIST_ENTRY:
		if (scope->list_field)
			list_entry_start(reader, attributes);
		break;
	case W_RUBY:
		docx_inset_start(reader, scope, scope->tag);
		break;
	case WP_DESCRIPTION:
	case V_TEXT:
	case V_SHAPE:
		docx_description_start(reader, scope, attributes);
		break;
	default:
		break;
	}
}

static bool docx_on_start(void *user, unsigned element, const XmlAttributes *attributes)
{
	WordReader *reader = user;
	DocxScope *scope = docx_push(reader, element);

	if (scope->hidden)
		return true;
	switch (element) {
	case W_P:
		reader->fields.silent = 0;
		flow_block(reader->flow, scope->tag);
		scope->paragraph = true;
		break;
	case W_PARAGRAPH_STYLE:
		docx_style_start(reader, scope, attributes);
		break;
	case W_OUTLINE_LEVEL:
		docx_outline_start(reader, scope, attributes);
		break;
	case W_HIDDEN:
		scope->hidden = true;
		break;
	case MC_CHOICE:
	case MC_FALLBACK:
		docx_branch_start(reader, scope);
		break;
	case W_CELL:
		if (scope->tag == TAG_BODY)
			scope->tag = TAG_TABLE;
		break;
	case W_TEXT_BOX:
		box_start(reader, scope);
		break;
	case A_P: /* in a drawing on a drawing canvas */
		box_start(reader, scope);
		scope->paragraph = true;
		break;
	case W_NOTE:
		docx_note_start(reader, scope, attributes);
		break;
	case W_COMMENT:
		comment_start(reader, scope, NS_W, attributes);
		break;
	case W_HEADER:
		part_start(reader, scope, TAG_NOISE);
		break;
	case AML_ANNOTATION:
		if (xml_attribute_is(attributes, NS_W, "type", "Word.Comment"))
			comment_start(reader, scope, NS_AML, attributes);
		break;
	case W_CHUNK:
		chunk_start(reader, attributes);
		break;
	default:
		docx_inline_start(reader, scope, attributes);
		break;
	}
	return !reader->flow->full;
}

static bool docx_on_end(void *user, unsigned element)
{
	WordReader *reader = user;
	if (reader->scopes->len == 0)
		return false;
	DocxScope ended = *docx_top(reader);
	g_array_set_size(reader->scopes, reader->scopes->len - 1);
	if (ended.link)
		flow_link_end(reader->flow);
	if (ended.inset)
		flow_inset_end(reader->flow);
	if (ended.element == M_FRACTION && !ended.hidden)
		flow_space(reader->flow);
	if (ended.element == W_R && !ended.hidden)
		flow_inline(reader->flow, reader->flow->href ? (int)TAG_LINK : -1);
	return !reader->flow->full;
}

static bool docx_on_text(void *user, const char *text, size_t length)
{
	WordReader *reader = user;
	if (reader->scopes->len == 0)
		return true;
	const DocxScope *scope = docx_top(reader);
	if (scope->hidden || !(scope->text || scope->instruction))
		return true;
	if (reader->fields.hidden > 0)
		fields_add(&reader->fields, text, length);
	if (reader->fields.silent > 0)
		return true;
	/* add it even inside an instruction: if marks are missing, no text may be lost */
	g_autofree char *shown =
	        scope->text ? symbol_font_text(text, &length, reader->symbol) : NULL;
	return !scope->text || flow_text(reader->flow, shown ? shown : text, length);
}

static const XmlEvents docx_events = {docx_on_start, docx_on_end, docx_on_text};

/* Ends everything that a complete or damaged part left open. */
static void end_all(WordReader *reader)
{
	while (reader->scopes->len > 0)
		docx_on_end(reader, OTHER_ELEMENT);
	flow_link_end(reader->flow);
	fields_clear(&reader->fields);
}

static void docx_read_part(WordReader *reader, const char *part, DocTag tag)
{
	if (!ooxml_claim(reader->ooxml, part))
		return;
	g_autoptr(Relations) relations = package_relations(reader->ooxml->zip, part);
	reader->relations = relations;
	reader->tag = tag;
	fields_init(&reader->fields);
	ooxml_read(reader->ooxml, part, &docx_events, reader);
	end_all(reader);
	flow_block(reader->flow, TAG_BODY);
}

static void read_related(
        WordReader *reader, const Relations *relations, const char *type, DocTag tag)
{
	guint position = 0;
	const Relation *relation;
	while (!reader->flow->full &&
	        (relation = relations_of_type(relations, type, &position)) != NULL)
		docx_read_part(reader, relation->target, tag);
}

void word_read(Ooxml *ooxml, const char *part)
{
	g_autoptr(Relations) relations = package_relations(ooxml->zip, part);
	const Relation *style_part = ooxml_related(relations, "styles");
	g_autoptr(WordStyles) styles =
	        word_styles_read(ooxml, style_part ? style_part->target : NULL);
	WordReader reader = {.ooxml = ooxml, .flow = &ooxml->flow, .styles = styles};

	reader.scopes = g_array_new(FALSE, FALSE, sizeof(DocxScope));
	docx_read_part(&reader, part, TAG_BODY);
	drawings_related(ooxml, relations);
	read_related(&reader, relations, "footnotes", TAG_COMMENT);
	read_related(&reader, relations, "endnotes", TAG_COMMENT);
	read_related(&reader, relations, "comments", TAG_COMMENT);
	read_related(&reader, relations, "header", TAG_NOISE);
	read_related(&reader, relations, "footer", TAG_NOISE);
	g_array_unref(reader.scopes);
	ooxml_embedded(ooxml, relations);
}

void word_read_flat(Ooxml *ooxml)
{
	g_autoptr(WordStyles) styles = word_styles_read(ooxml, NULL);
	WordReader reader = {
	        .ooxml = ooxml, .flow = &ooxml->flow, .styles = styles, .tag = TAG_BODY};

	reader.scopes = g_array_new(FALSE, FALSE, sizeof(DocxScope));
	fields_init(&reader.fields);
	ooxml_read_flat(ooxml, &docx_events, &reader);
	end_all(&reader);
	g_array_unref(reader.scopes);
}
