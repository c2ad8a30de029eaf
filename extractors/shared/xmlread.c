/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/shared/xmlread.h"
#include "common/base/utf8.h"
#include "extractors/charset/charset-shape.h"
#include "extractors/charset/charset.h"
#include "extractors/shared/extractor.h"
#include "extractors/shared/xmlentity.h"
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <string.h>

enum {
	SLOTS = 512,
	NONE = 255,
	MAX_ELEMENTS = 254,
	ESCAPE = 0x1b, /* starts an escape sequence of ISO 2022 */
	DECLARATION_BYTES = 256,
	/* NOENT keeps an ampersand in an attribute as a character instead of a reference node; only
	 * the predefined entities exist */
	OPTIONS = XML_PARSE_NONET | XML_PARSE_RECOVER | XML_PARSE_NOENT,
};

typedef struct {
	const XmlVocabulary *vocabulary;
	const XmlEvents *events;
	void *user;
	xmlParserCtxtPtr parser;
	bool stopped, began;
	size_t rest; /* bytes after the document's only element */
	/* The parser interns names, so names are compared by address. */
	const xmlChar *names[MAX_ELEMENTS];
	uint8_t slots[SLOTS], chain[MAX_ELEMENTS];
	/* The last namespace that was looked up. */
	const xmlChar *uri;
	unsigned ns;
} XmlParser;

struct XmlAttributes {
	XmlParser *reader;
	const xmlChar *name, *prefix, *uri; /* of the element */
	const xmlChar **raw; /* local name, prefix, URI, begin and end of each */
	int count;
};

static unsigned xmlread_slot_of(const xmlChar *name)
{
	uintptr_t address = (uintptr_t)name;
	return (address ^ address >> 9) % SLOTS;
}

static void intern_names(XmlParser *reader)
{
	memset(reader->slots, NONE, sizeof reader->slots);
	const XmlElement *elements = reader->vocabulary->elements;
	for (unsigned i = 0; elements[i].name; i++) {
		g_assert(i < MAX_ELEMENTS);
		reader->names[i] =
		        xmlDictLookup(reader->parser->dict, BAD_CAST elements[i].name, -1);
		unsigned slot = xmlread_slot_of(reader->names[i]);
		reader->chain[i] = reader->slots[slot];
		reader->slots[slot] = i;
	}
}

static unsigned namespace_of(XmlParser *reader, const xmlChar *uri)
{
	if (!uri || reader->vocabulary->any_namespace)
		return 0;
	if (uri == reader->uri)
		return reader->ns;
	const XmlNamespace *known = reader->vocabulary->namespaces;
	while (known->uri && strcmp(known->uri, (const char *)uri) != 0)
		known++;
	reader->uri = uri;
	reader->ns = known->uri ? known->ns : XML_ANY_NS;
	return reader->ns;
}

static unsigned element_of(XmlParser *reader, const xmlChar *name, const xmlChar *uri)
{
	for (unsigned i = reader->slots[xmlread_slot_of(name)]; i != NONE; i = reader->chain[i]) {
		if (reader->names[i] == name &&
		        reader->vocabulary->elements[i].ns == namespace_of(reader, uri))
			return reader->vocabulary->elements[i].element;
	}
	return 0;
}

static void xmlread_stop_unless(XmlParser *reader, bool go_on)
{
	if (go_on || reader->stopped)
		return;
	reader->stopped = true;
	xmlStopParser(reader->parser);
}

static void xmlread_on_start(void *context, const xmlChar *name, const xmlChar *prefix,
        const xmlChar *uri, int n_namespaces, const xmlChar **namespaces, int n_attributes,
        int n_defaulted, const xmlChar **raw)
{
	XmlParser *reader = context;
	if (reader->stopped)
		return;
	reader->began = true;
	XmlAttributes attributes = {reader, name, prefix, uri, raw, n_attributes};
	unsigned element = element_of(reader, name, uri);
	xmlread_stop_unless(reader, reader->events->start(reader->user, element, &attributes));
}

static void xmlread_on_end(
        void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri)
{
	XmlParser *reader = context;
	if (!reader->stopped && reader->events->end)
		xmlread_stop_unless(
		        reader, reader->events->end(reader->user, element_of(reader, name, uri)));
}

static void xmlread_on_text(void *context, const xmlChar *text, int length)
{
	XmlParser *reader = context;
	if (!reader->stopped && reader->events->text)
		xmlread_stop_unless(
		        reader, reader->events->text(reader->user, (const char *)text, length));
}

static xmlEntityPtr on_entity(void *context, const xmlChar *name)
{
	return xmlGetPredefinedEntity(name);
}

static void on_error(void *context, xmlErrorPtr error)
{
}

static const xmlSAXHandler handler = {
        .initialized = XML_SAX2_MAGIC,
        .startElementNs = xmlread_on_start,
        .endElementNs = xmlread_on_end,
        .characters = xmlread_on_text,
        .ignorableWhitespace = xmlread_on_text,
        .cdataBlock = xmlread_on_text,
        .getEntity = on_entity,
        .serror = on_error,
};

/* Number of bytes after the end of the document; 0 if unknown. */
static size_t xmlread_unread_bytes(xmlParserCtxtPtr parser, size_t size)
{
	bool recoded = parser->input && parser->input->buf && parser->input->buf->encoder;
	bool ended = parser->errNo == XML_ERR_DOCUMENT_END && !recoded;
	long used = ended ? xmlByteConsumed(parser) : -1;
	return used > 0 && (size_t)used < size ? size - used : 0;
}

/* size: length of the text in memory; 0: the parser reads a stream. */
static XmlResult xmlread_run(XmlParser *reader, size_t size)
{
	xmlParserCtxtPtr parser = reader->parser;
	memcpy(parser->sax, &handler, sizeof handler);
	parser->userData = reader;
	xmlCtxtUseOptions(parser, OPTIONS);
	intern_names(reader);
	xmlParseDocument(parser);
	bool whole = parser->wellFormed;
	bool more = size > 0 && reader->began && !reader->stopped;
	reader->rest = more ? xmlread_unread_bytes(parser, size) : 0;
	if (parser->myDoc)
		xmlFreeDoc(parser->myDoc);
	parser->myDoc = NULL;
	xmlFreeParserCtxt(parser);
	if (reader->stopped)
		return XML_READ_STOPPED;
	return whole ? XML_READ_WHOLE : XML_READ_DAMAGED;
}

typedef struct {
	XmlRead read;
	void *source;
} Stream;

static int read_more(void *context, char *buffer, int size)
{
	Stream *stream = context;
	ssize_t got = stream->read(stream->source, buffer, size);
	return got > 0 ? got : 0;
}

XmlResult xml_read(const XmlVocabulary *vocabulary, const XmlEvents *events, void *user,
        XmlRead read, void *source)
{
	XmlParser reader = {.vocabulary = vocabulary, .events = events, .user = user};
	Stream stream = {read, source};

	reader.parser =
	        xmlCreateIOParserCtxt(NULL, NULL, read_more, NULL, &stream, XML_CHAR_ENCODING_NONE);
	return reader.parser ? xmlread_run(&reader, 0) : XML_READ_DAMAGED;
}

/* Returns the encoding in an ASCII declaration; NULL: none, or one that libxml2 decodes itself. The
 * caller frees it. */
static char *xmlread_declared_encoding(const char *data, size_t size)
{
	g_autofree char *head = g_strndup(data, MIN(size, (size_t)DECLARATION_BYTES));
	char *end = g_str_has_prefix(head, "<?xml") ? strstr(head, "?>") : NULL;
	char *name = end ? g_strstr_len(head, end - head, "encoding") : NULL;
	char *quote = name ? strpbrk(name, "\"'>") : NULL;
	if (!quote || *quote == '>')
		return NULL;
	quote[1 + strcspn(quote + 1, "\"'>")] = '\0';
	const Charset *charset = charset_find(quote + 1);
	bool own = charset && g_str_has_prefix(charset_name(charset), "utf-");
	return own && strcmp(charset_name(charset), "utf-7") != 0 ? NULL : g_strdup(quote + 1);
}

/* Neither valid UTF-8 nor UTF-16 or UTF-32, which libxml2 detects itself. */
static bool is_undeclared(const char *data, size_t size)
{
	bool wide = size < 4 || memchr(data, 0, 4) || memcmp(data, "\xff\xfe", 2) == 0 ||
	            memcmp(data, "\xfe\xff", 2) == 0;
	return !wide && (!utf8_is_valid(data, size) || memchr(data, ESCAPE, size));
}

/* Decodes the text and drops its declaration. libxml2 would load charset converters, which the
 * sandbox forbids, and fails if the declaration is wrong or missing. NULL: not needed. The caller
 * frees it. */
static char *xmlread_recoded(const char *data, size_t size, size_t *length)
{
	bool ebcdic = starts_ebcdic_xml((const uint8_t *)data, size);
	g_autofree char *label = ebcdic ? NULL : xmlread_declared_encoding(data, size);
	if (!ebcdic && !label && !is_undeclared(data, size))
		return NULL;
	char *text = decode_text((const uint8_t *)data, size, label, length, NULL);
	const char *end = g_str_has_prefix(text, "<?xml ") ? strstr(text, "?>") : NULL;
	if (end) {
		*length -= end + 2 - text;
		memmove(text, end + 2, *length + 1);
	}
	return text;
}

enum { PIECES = 3, MAX_RESTS = 10000 };

typedef struct {
	const char *at[PIECES];
	size_t left[PIECES];
} Wrapped;

static int read_wrapped(void *context, char *buffer, int size)
{
	Wrapped *wrapped = context;
	int got = 0;
	for (size_t i = 0; i < PIECES; i++) {
		size_t n = MIN(wrapped->left[i], (size_t)(size - got));
		memcpy(buffer + got, wrapped->at[i], n);
		wrapped->at[i] += n;
		wrapped->left[i] -= n;
		got += n;
	}
	return got;
}

/* Reads the elements after the first one: logs and concatenated documents have several, and a wrong
 * tag may end the first one early. */
static XmlResult read_rest(XmlParser *reader, const char *end)
{
	static const char begin[] = "<all>", close[] = "</all>";
	XmlResult result = XML_READ_DAMAGED;
	for (unsigned i = 0; reader->rest > 0 && i < MAX_RESTS; i++) {
		size_t sizes[PIECES] = {sizeof begin - 1, reader->rest, sizeof close - 1};
		Wrapped wrapped = {{begin, end - reader->rest, close}};
		memcpy(wrapped.left, sizes, sizeof sizes);
		reader->uri = NULL; /* belonged to the previous parser */
		reader->parser = xmlCreateIOParserCtxt(
		        NULL, NULL, read_wrapped, NULL, &wrapped, XML_CHAR_ENCODING_UTF8);
		if (!reader->parser)
			return XML_READ_DAMAGED;
		size_t before = reader->rest;
		result = xmlread_run(reader, sizes[0] + sizes[1] + sizes[2]);
		/* the end tag of the wrapper may be left over too */
		reader->rest -= MIN(reader->rest, sizes[2]);
		if (reader->rest >= before)
			break;
	}
	return result;
}

XmlResult xml_read_memory(const XmlVocabulary *vocabulary, const XmlEvents *events, void *user,
        const void *data, size_t size)
{
	XmlParser reader = {.vocabulary = vocabulary, .events = events, .user = user};
	g_autofree char *text = xmlread_recoded(data, size, &size);
	if (text)
		data = text;
	g_autofree char *resolved = xml_entities_replaced(data, size, &size);

	if (resolved)
		data = resolved;
	if (size > G_MAXINT)
		return XML_READ_DAMAGED;
	reader.parser = xmlCreateMemoryParserCtxt(data, size);
	if (!reader.parser)
		return XML_READ_DAMAGED;
	XmlResult result = xmlread_run(&reader, size);
	return reader.rest > 0 ? read_rest(&reader, (const char *)data + size) : result;
}

const char *xml_element(const XmlAttributes *attributes, const char **prefix_r, const char **uri_r)
{
	*prefix_r = (const char *)attributes->prefix;
	*uri_r = (const char *)attributes->uri;
	return (const char *)attributes->name;
}

const char *xml_attribute(
        const XmlAttributes *attributes, unsigned ns, const char *name, size_t *length_r)
{
	for (int i = 0; i < attributes->count; i++) {
		const xmlChar **raw = attributes->raw + 5 * i;
		if (strcmp((const char *)raw[0], name) != 0 ||
		        namespace_of(attributes->reader, raw[2]) != ns)
			continue;
		*length_r = raw[4] - raw[3];
		return (const char *)raw[3];
	}
	return NULL;
}

const char *xml_attribute_at(
        const XmlAttributes *attributes, unsigned i, const char **name_r, size_t *length_r)
{
	if (i >= (unsigned)attributes->count)
		return NULL;
	const xmlChar **raw = attributes->raw + 5 * i;
	*name_r = (const char *)raw[0];
	*length_r = raw[4] - raw[3];
	return (const char *)raw[3];
}

char *xml_attribute_dup(const XmlAttributes *attributes, unsigned ns, const char *name)
{
	size_t length;
	const char *value = xml_attribute(attributes, ns, name, &length);
	return value ? g_strndup(value, length) : NULL;
}

unsigned xml_attribute_number(const XmlAttributes *attributes, unsigned ns, const char *name,
        unsigned max, unsigned fallback)
{
	g_autofree char *value = xml_attribute_dup(attributes, ns, name);
	guint64 number;

	if (!value || !g_ascii_string_to_unsigned(value, 10, 0, max, &number, NULL))
		return fallback;
	return number;
}

bool xml_attribute_is(
        const XmlAttributes *attributes, unsigned ns, const char *name, const char *value)
{
	size_t length;
	const char *found = xml_attribute(attributes, ns, name, &length);
	return found && length == strlen(value) && memcmp(found, value, length) == 0;
}
