/* SPDX-License-Identifier: GPL-3.0-or-later */
/* xml.c - XML of any kind: known elements by their meaning, unknown ones by a guess
 *
 * An unknown element in the middle of text is part of that text; any other is a paragraph of its
 * own. */
#include <config.h>
#include "extractors/shared/extractor.h"
#include "common/base/text.h"
#include "extractors/shared/flow.h"
#include "extractors/shared/isodate.h"
#include "extractors/xml/drawio.h"
#include "extractors/xml/enex.h"
#include "extractors/xml/xml-data.h"
#include "extractors/xml/xml-html.h"
#include "extractors/xml/xml-names.h"
#include <libxml/parser.h>
#include <string.h>

enum { MAX_FACT_DEPTH = 7, LABEL_BYTES = 1 << 10 };

typedef struct {
	uint8_t kind;
	DocTag tag; /* tag of paragraphs */
	int inline_tag; /* tag of inline text, or -1 */
	unsigned level; /* level of headings, from 1 */
	bool hidden;
	bool outside_fact; /* not part of the open fact */
	/* about this element only */
	bool text; /* the element itself contains text */
	bool inset, link, block, fact;
} XmlScope;

typedef struct {
	Sink *sink;
	Flow flow;
	GArray *scopes; /* XmlScope of each open element */
	GString *fact; /* text of the open fact */
	unsigned facts_open;
	bool has_title, has_date, has_language;
	bool picture; /* SVG: attributes describe the appearance */
	bool mind_map; /* Freemind, Freeplane: the labels of the nodes are in attributes */
	bool property_list; /* of Apple */
	bool attributes; /* there is no other text, so all attributes with letters are sent */
	GHashTable *seen; /* names and values of data; NULL: it is a document */
	GString *names; /* of its elements */
	GString *held; /* of xml_html_add() */
} XmlReader;

static XmlScope *xml_top(XmlReader *reader)
{
	return &g_array_index(reader->scopes, XmlScope, reader->scopes->len - 1);
}

static XmlScope *xml_push(XmlReader *reader, unsigned kind)
{
	XmlScope scope = {.tag = TAG_BODY, .inline_tag = -1, .level = 1};
	if (reader->scopes->len > 0)
		scope = *xml_top(reader);
	scope.kind = kind;
	scope.text = scope.inset = scope.link = scope.block = scope.fact = false;
	g_array_append_val(reader->scopes, scope);
	return xml_top(reader);
}

static bool in_text(const XmlReader *reader, const XmlScope *scope)
{
	return reader->scopes->len >= 2 && scope[-1].text;
}

static void block_start(XmlReader *reader, XmlScope *scope, DocTag tag)
{
	scope->tag = tag;
	scope->inline_tag = -1;
	scope->block = true;
	flow_block(&reader->flow, tag);
}

static void xml_inline_start(XmlReader *reader, XmlScope *scope, DocTag tag)
{
	scope->inline_tag = tag;
	flow_inline(&reader->flow, tag);
}

static DocTag xml_heading_tag(const XmlScope *scope)
{
	return TAG_HEADING1 + MIN(scope->level, 6) - 1;
}

static void xml_link_start(XmlReader *reader, XmlScope *scope, const XmlAttributes *attributes)
{
	char *target = xml_attribute_dup(attributes, 0, "href");
	if (!target)
		target = xml_attribute_dup(attributes, 0, "url");
	if (!target)
		target = xml_attribute_dup(attributes, 0, "target");
	scope->link = target != NULL;
	/* the mark of a note touches a word; in JATS, rid names the note */
	size_t length;
	if (target ? *target == '#' : xml_attribute(attributes, 0, "rid", &length) != NULL)
		flow_space(&reader->flow);
	if (target)
		flow_link(&reader->flow, target);
}

/* Facts are at the top of a document; the same names further down are text. */
static bool fact_start(XmlReader *reader, XmlScope *scope)
{
	scope->fact = reader->scopes->len <= MAX_FACT_DEPTH && reader->facts_open == 0;
	if (!scope->fact)
		return false;
	reader->facts_open++;
	g_string_truncate(reader->fact, 0);
	return true;
}

static void xml_note_start(XmlReader *reader, XmlScope *scope)
{
	if (in_text(reader, scope)) {
		scope->inset = true;
		flow_inset(&reader->flow, TAG_COMMENT);
		scope->tag = TAG_COMMENT;
	} else {
		block_start(reader, scope, TAG_COMMENT);
	}
}

static void other_start(XmlReader *reader, XmlScope *scope)
{
	if (!in_text(reader, scope))
		block_start(reader, scope, scope->tag);
}

/* True for three words or more without characters that are typical of settings and code. */
static bool is_prose(const char *value, size_t length)
{
	unsigned words = 0;
	bool inside = false;
	for (size_t i = 0; i < length; i++) {
		bool letter = g_ascii_isalpha(value[i]) || (value[i] & 0x80);
		bool packed = value[i] == ';' && i + 1 < length && value[i + 1] != ' ';
		if (packed || memchr("={}\\_$", value[i], 7))
			return false;
		words += letter && !inside;
		inside = value[i] != ' ' && (inside || letter);
	}
	return words >= 3;
}

static const char *const labels[] = {
        "title", "label", "alt", "summary", "description", "name", NULL};

static void put_noise(XmlReader *reader, const char *text, size_t length)
{
	flow_inset(&reader->flow, TAG_NOISE);
	flow_text(&reader->flow, text, length);
	flow_inset_end(&reader->flow);
}

static bool is_wanted(const XmlReader *reader, const char *name, const char *value, size_t length)
{
	if (reader->attributes)
		return xml_has_letter(value, length);
	if (length > LABEL_BYTES)
		return false;
	return is_prose(value, length) || (reader->seen && !g_strv_contains(labels, name) &&
	                                          xml_is_new(reader->seen, value, length));
}

/* Sends attributes that are more than markup. */
static void put_attributes(XmlReader *reader, const XmlAttributes *attributes)
{
	static const char *const of_nodes[] = {"TEXT", "NAME", "VALUE", NULL};
	const char *name, *value;
	size_t length;
	for (unsigned i = 0; (value = xml_attribute_at(attributes, i, &name, &length)); i++) {
		bool sent = reader->mind_map && g_strv_contains(of_nodes, name);
		if (sent || strcmp(name, "schemaLocation") == 0 ||
		        !is_wanted(reader, name, value, length))
			continue;
		if (!reader->attributes) {
			put_noise(reader, value, length);
			continue;
		}
		flow_text(&reader->flow, value, length);
		flow_space(&reader->flow);
	}
}

static void put_labels(XmlReader *reader, const XmlAttributes *attributes)
{
	for (size_t i = 0; labels[i]; i++) {
		size_t length;
		const char *value = xml_attribute(attributes, 0, labels[i], &length);
		bool prose = value && !reader->picture && is_prose(value, length);
		if (value && length <= LABEL_BYTES && !prose)
			put_noise(reader, value, length);
	}
}

/* An OPML entry has its text in attributes, and the addresses of a feed and of its site. */
static void put_outline(XmlReader *reader, const XmlAttributes *attributes)
{
	static const char *const names[] = {"text", "_note"}, *const addresses[] = {
	                                                              "xmlUrl", "htmlUrl", "url"};
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		size_t length;
		const char *text = xml_attribute(attributes, 0, names[i], &length);
		if (text)
			flow_text(&reader->flow, text, length);
		flow_space(&reader->flow);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(addresses); i++) {
		size_t length;
		const char *address = xml_attribute(attributes, 0, addresses[i], &length);
		if (address)
			put_noise(reader, address, length);
	}
}

/* A node of a mind map, or an attribute that Freeplane shows below it. Its note, which is an
 * element below it, is a block of its own. */
static void put_node(XmlReader *reader, const XmlAttributes *attributes)
{
	static const char *const node[] = {"TEXT", NULL}, *const attribute[] = {
	                                                          "NAME", "VALUE", NULL};
	const char *prefix, *uri, *element = xml_element(attributes, &prefix, &uri);
	const char *const *names = strcmp(element, "attribute") == 0 ? attribute : node;
	g_autofree char *link = xml_attribute_dup(attributes, 0, "LINK");
	for (size_t i = 0; names[i]; i++) {
		size_t length;
		const char *text = xml_attribute(attributes, 0, names[i], &length);
		if (!text)
			continue;
		flow_text(&reader->flow, text, length);
		flow_space(&reader->flow);
	}
	if (link && *link != '#')
		sink_link(reader->sink, link, NULL);
}

static bool is_mind_map(const XmlReader *reader, const XmlAttributes *attributes)
{
	const char *prefix, *uri;
	return reader->scopes->len == 1 &&
	       strcmp(xml_element(attributes, &prefix, &uri), "map") == 0;
}

/* A tspan with a place of its own is another line of the text, as Inkscape writes them. */
static void start_text_line(XmlReader *reader, const XmlAttributes *attributes)
{
	size_t length;
	if (xml_attribute(attributes, 0, "x", &length) ||
	        xml_attribute(attributes, 0, "y", &length))
		flow_space(&reader->flow);
}

static void element_start(XmlReader *reader, XmlScope *scope, const XmlAttributes *attributes)
{
	switch (scope->kind) {
	case XML_HIDDEN:
		scope->hidden = reader->scopes->len > 1; /* else it is the root of another format */
		break;
	case XML_SECTION:
		scope->level++;
		block_start(reader, scope, scope->tag);
		break;
	case XML_BLOCK:
		block_start(reader, scope, scope->tag);
		break;
	case XML_TITLE:
		if (!reader->has_title)
			fact_start(reader, scope);
		block_start(reader, scope, xml_heading_tag(scope));
		break;
	case XML_FIRST_TITLE:
		if (reader->has_title) {
			other_start(reader, scope);
			break;
		}
		fact_start(reader, scope);
		block_start(reader, scope, xml_heading_tag(scope));
		break;
	case XML_OUTLINE:
		block_start(reader, scope, scope->tag);
		put_outline(reader, attributes);
		break;
	case XML_HEADING:
		block_start(reader, scope, xml_heading_tag(scope));
		break;
	case XML_CELL:
		block_start(reader, scope, TAG_TABLE);
		break;
	case XML_CODE:
		block_start(reader, scope, TAG_CODE);
		break;
	case XML_CAPTION:
		block_start(reader, scope, TAG_CAPTION);
		break;
	case XML_NOTE:
		xml_note_start(reader, scope);
		break;
	case XML_AFFILIATION:
		scope->outside_fact = true;
		other_start(reader, scope);
		break;
	case XML_INLINE:
		break;
	case XML_BREAK:
		if (!xml_attribute_is(attributes, 0, "break", "no")) /* TEI: inside a word */
			flow_space(&reader->flow);
		break;
	case XML_LINE:
		start_text_line(reader, attributes);
		break;
	case XML_EMPHASIS:
		xml_inline_start(reader, scope, TAG_EMPHASIS);
		break;
	case XML_INLINE_CODE:
		xml_inline_start(reader, scope, TAG_CODE);
		break;
	case XML_LINK:
		xml_link_start(reader, scope, attributes);
		break;
	case XML_AUTHOR:
	case XML_KEYWORD:
	case XML_DATE:
	case XML_LANGUAGE:
	case XML_SUMMARY:
		if (!in_text(reader, scope))
			fact_start(reader, scope);
		other_start(reader, scope);
		break;
	default:
		other_start(reader, scope);
		break;
	}
}

/* Pictures and keys in Base64: what is declared so, and the data of Apple's property lists. */
static bool is_encoded(XmlReader *reader, const XmlAttributes *attributes)
{
	const char *prefix, *uri, *name = xml_element(attributes, &prefix, &uri);
	if (reader->scopes->len == 1)
		reader->property_list = g_strcmp0(name, "plist") == 0;
	return xml_attribute_is(attributes, 0, "encoding", "base64") ||
	       (reader->property_list && g_strcmp0(name, "data") == 0);
}

/* Keeps the names of elements of data whose meaning is not known. */
static void xml_note_name(XmlReader *reader, unsigned kind, const XmlAttributes *attributes)
{
	const char *prefix, *uri, *name = xml_element(attributes, &prefix, &uri);
	bool first = reader->scopes->len == 1 && !reader->seen;
	if (first && !reader->picture && !reader->mind_map && !xml_is_document(name))
		reader->seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	if (reader->seen && kind == XML_OTHER && xml_is_new(reader->seen, name, strlen(name)))
		g_string_append_printf(reader->names, "%s ", name);
}

/* They follow the text, whose words stay next to each other. */
static bool put_names(XmlReader *reader)
{
	if (reader->names->len == 0)
		return false;
	sink_block(reader->sink, TAG_NOISE);
	return sink_text(reader->sink, TAG_NOISE, reader->names->str, reader->names->len);
}

static bool xml_put_text(XmlReader *reader, const char *text, size_t length)
{
	if (!text_is_blank(text, length))
		xml_top(reader)->text = true;
	if (reader->facts_open > 0 && !xml_top(reader)->outside_fact &&
	        reader->fact->len + length <= DOC_MAX_FACT_BYTES)
		g_string_append_len(reader->fact, text, length);
	return flow_text(&reader->flow, text, length);
}

/* Sends held bytes as text: they are neither a tag nor a reference. */
static void xml_put_held(XmlReader *reader)
{
	if (reader->held->len > 0)
		xml_put_text(reader, reader->held->str, reader->held->len);
	g_string_truncate(reader->held, 0);
}

static bool xml_on_start(void *user, unsigned kind, const XmlAttributes *attributes)
{
	XmlReader *reader = user;
	xml_put_held(reader);
	XmlScope *scope = xml_push(reader, kind);

	scope->hidden = scope->hidden || is_encoded(reader, attributes);
	if (scope->hidden)
		return true;
	if (reader->facts_open > 0)
		g_string_append_c(reader->fact, ' ');
	reader->mind_map |= is_mind_map(reader, attributes);
	element_start(reader, scope, attributes);
	if (scope->hidden)
		return true;
	xml_note_name(reader, kind, attributes);
	if (reader->mind_map)
		put_node(reader, attributes);
	if (!reader->attributes)
		put_labels(reader, attributes);
	if (!reader->picture && kind != XML_OUTLINE)
		put_attributes(reader, attributes);
	return !reader->flow.full;
}

static void xml_put_fact(XmlReader *reader, unsigned kind, const char *value)
{
	static const DocField fields[] = {
	        [XML_TITLE] = FIELD_TITLE,
	        [XML_FIRST_TITLE] = FIELD_TITLE,
	        [XML_AUTHOR] = FIELD_AUTHOR,
	        [XML_KEYWORD] = FIELD_KEYWORD,
	        [XML_DATE] = FIELD_DATE,
	        [XML_LANGUAGE] = FIELD_LANGUAGE,
	        [XML_SUMMARY] = FIELD_COMMENT,
	};
	g_autofree char *date = kind == XML_DATE ? iso_date(value, -1) : NULL;
	g_autofree char *lower = kind == XML_LANGUAGE ? g_ascii_strdown(value, -1) : NULL;

	if (kind == XML_TITLE || kind == XML_FIRST_TITLE)
		reader->has_title = true;
	if (kind == XML_DATE && (!date || reader->has_date))
		return;
	if (kind == XML_LANGUAGE && (strlen(value) > 20 || reader->has_language))
		return;
	reader->has_date = reader->has_date || date;
	reader->has_language = reader->has_language || lower;
	sink_field(reader->sink, fields[kind], date ? date : lower ? lower : value, -1);
}

/* Collapses white space. */
static char *xml_collapsed(const char *text)
{
	g_auto(GStrv) words = g_strsplit_set(text, " \t\r\n", -1);
	g_autoptr(GString) line = g_string_new(NULL);
	for (char **word = words; *word; word++) {
		if (**word && line->len > 0)
			g_string_append_c(line, ' ');
		g_string_append(line, *word);
	}
	return g_string_free(g_steal_pointer(&line), FALSE);
}

static void fact_end(XmlReader *reader, unsigned kind)
{
	g_autofree char *value = xml_collapsed(reader->fact->str);
	reader->facts_open--;
	if (*value)
		xml_put_fact(reader, kind, value);
}

static bool xml_on_end(void *user, unsigned kind)
{
	XmlReader *reader = user;
	if (reader->scopes->len == 0)
		return false;
	xml_put_held(reader);
	XmlScope ended = *xml_top(reader);
	g_array_set_size(reader->scopes, reader->scopes->len - 1);
	const XmlScope *outer = reader->scopes->len > 0 ? xml_top(reader) : NULL;
	if (ended.fact)
		fact_end(reader, ended.kind);
	if (ended.link)
		flow_link_end(&reader->flow);
	if (ended.inset)
		flow_inset_end(&reader->flow);
	if (ended.block && outer)
		flow_block(&reader->flow, outer->tag);
	if (outer && !ended.hidden)
		flow_inline(&reader->flow, outer->inline_tag);
	return !reader->flow.full;
}

/* Data may have HTML as text. */
static bool xml_on_text(void *user, const char *text, size_t length)
{
	XmlReader *reader = user;
	if (reader->scopes->len == 0 || xml_top(reader)->hidden)
		return true;
	bool plain =
	        reader->held->len == 0 && !memchr(text, '<', length) && !memchr(text, '&', length);
	if (!reader->seen || plain)
		return xml_put_text(reader, text, length);
	g_autoptr(GString) out = g_string_sized_new(length);
	xml_html_add(reader->sink, reader->held, out, text, length);
	return xml_put_text(reader, out->str, out->len);
}

/* Sends the file as plain text, if not even its beginning is XML or its charset is unknown. */
static void read_as_plain_text(const Input *in, Sink *sink)
{
	size_t length;
	g_autofree char *text = decode_text(in->data, in->size, in->charset, &length, NULL);
	sink_block(sink, TAG_BODY);
	sink_text(sink, TAG_BODY, text, length);
}

/* Searches the raw bytes for text between two tags. */
static bool xml_has_text(const uint8_t *data, size_t size)
{
	const uint8_t *at = data, *end = data + size;
	while ((at = memchr(at, '>', end - at))) {
		for (at++; at < end && g_ascii_isspace(*at); at++)
			;
		if (at < end && (*at != '<' || (end - at > 2 && memcmp(at, "<![", 3) == 0)))
			return true;
	}
	return false;
}

static ExtractResult xml_extract(const Input *in, Sink *sink)
{
	if (enex_is(in->data, in->size))
		return enex_extract(in, sink);
	if (drawio_is(in->data, in->size))
		return drawio_extract(in, sink);
	static const XmlEvents events = {xml_on_start, xml_on_end, xml_on_text};
	bool picture = g_strcmp0(in->mime, "image/svg+xml") == 0;
	XmlReader reader = {.sink = sink,
	        .scopes = g_array_new(FALSE, FALSE, sizeof(XmlScope)),
	        .fact = g_string_new(NULL),
	        .names = g_string_new(NULL),
	        .held = g_string_new(NULL),
	        .picture = picture,
	        .attributes = !picture && !xml_has_text(in->data, in->size)};

	flow_init(&reader.flow, sink);
	XmlResult result = xml_read_memory(&xml_vocabulary, &events, &reader, in->data, in->size);
	while (reader.scopes->len > 0)
		xml_on_end(&reader, XML_OTHER);
	flow_finish(&reader.flow);
	bool any = reader.flow.any;
	if (result == XML_READ_DAMAGED && any)
		sink_truncated(sink, REASON_DAMAGED, NULL);
	else if (result == XML_READ_DAMAGED)
		read_as_plain_text(in, sink);
	if (any || result != XML_READ_DAMAGED)
		any |= put_names(&reader);
	g_array_unref(reader.scopes);
	g_string_free(reader.fact, TRUE);
	g_string_free(reader.names, TRUE);
	g_string_free(reader.held, TRUE);
	g_clear_pointer(&reader.seen, g_hash_table_unref);
	return any || result == XML_READ_DAMAGED ? EXTRACT_DONE : EXTRACT_NOTHING;
}

static const char *xml_preload(void)
{
	xmlInitParser();
	return NULL;
}

static const char *const mime_types[] = {
        "application/xml",
        "text/xml",
        "application/x-fictionbook+xml",
        "application/docbook+xml",
        "application/tei+xml",
        "application/dita+xml",
        "application/mathml+xml",
        "application/gpx+xml",
        "application/vnd.google-earth.kml+xml",
        "image/svg+xml",
        NULL,
};

const Extractor tarsier_extractor = {
        .abi = EXTRACTOR_ABI,
        .name = "xml",
        .version = 15,
        .library = "libxml2 " LIBXML_DOTTED_VERSION,
        .lane = LANE_CHEAP,
        .mime_types = mime_types,
        .preload = xml_preload,
        .extract = xml_extract,
};
