/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/pdf/pdf-facts.h"
#include "extractors/shared/keywords.h"
#include <libxml/parser.h>
#include <string.h>

enum { MAX_XMP_BYTES = 1 << 20, MAX_XMP_VALUES = 100 };

/* Takes ownership of text. */
static void pdf_send_text(Sink *sink, DocField field, char *text)
{
	if (text)
		sink_field(sink, field, text, -1);
	g_free(text);
}

static void send_time(Sink *sink, DocField field, GDateTime *time)
{
	if (!time)
		return;
	g_autoptr(GDateTime) utc = g_date_time_to_utc(time);
	g_autofree char *text = utc ? g_date_time_format(utc, "%Y-%m-%dT%H:%M:%SZ") : NULL;
	if (text)
		sink_field(sink, field, text, -1);
}

static void pdf_send_topics(Sink *sink, PopplerDocument *document)
{
	g_autofree char *text = poppler_document_get_keywords(document);
	if (text)
		send_keywords(sink, text);
}

/* ---- XMP (ISO 16684-1): only the four lists of Dublin Core, and values that the information
 * dictionary lacks */

static const struct {
	const char *name;
	DocField field;
} xmp_lists[] = {
        {"title", FIELD_TITLE},
        {"creator", FIELD_AUTHOR},
        {"description", FIELD_COMMENT},
        {"subject", FIELD_KEYWORD},
};

typedef struct {
	Sink *sink;
	const char *known; /* values already sent, each after a newline */
	GString *value;
	int list; /* index into xmp_lists; -1: outside of a list */
	unsigned values;
} Xmp;

static void xmp_start(void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
        int n_ns, const xmlChar **ns, int n_attributes, int n_defaulted, const xmlChar **attributes)
{
	Xmp *xmp = data;
	bool dc = uri && strcmp((const char *)uri, "http://purl.org/dc/elements/1.1/") == 0;

	for (size_t i = 0; dc && i < G_N_ELEMENTS(xmp_lists); i++) {
		if (strcmp((const char *)name, xmp_lists[i].name) == 0)
			xmp->list = i;
	}
	g_string_truncate(xmp->value, 0);
}

static void xmp_end(void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri)
{
	Xmp *xmp = data;

	if (xmp->list >= 0 && strcmp((const char *)name, "li") == 0 &&
	        xmp->values < MAX_XMP_VALUES) {
		g_strstrip(xmp->value->str);
		if (!strstr(xmp->known, xmp->value->str))
			sink_field(xmp->sink, xmp_lists[xmp->list].field, xmp->value->str, -1);
		xmp->values++;
	} else if (xmp->list >= 0 && strcmp((const char *)name, xmp_lists[xmp->list].name) == 0) {
		xmp->list = -1;
	}
	g_string_truncate(xmp->value, 0);
}

static void xmp_characters(void *data, const xmlChar *text, int length)
{
	Xmp *xmp = data;

	if (xmp->list >= 0 && xmp->value->len + length < 4096)
		g_string_append_len(xmp->value, (const char *)text, length);
}

static void send_xmp(Sink *sink, PopplerDocument *document, const char *known)
{
	g_autofree char *packet = poppler_document_get_metadata(document);
	size_t length = packet ? strlen(packet) : 0;

	if (length == 0 || length > MAX_XMP_BYTES)
		return;
	xmlSAXHandler handler = {.initialized = XML_SAX2_MAGIC,
	        .startElementNs = xmp_start,
	        .endElementNs = xmp_end,
	        .characters = xmp_characters};
	g_autoptr(GString) value = g_string_new(NULL);
	Xmp xmp = {sink, known, value, -1, 0};
	xmlParserCtxtPtr parser = xmlCreatePushParserCtxt(&handler, &xmp, NULL, 0, NULL);
	if (!parser)
		return;
	xmlCtxtUseOptions(parser, XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
	xmlParseChunk(parser, packet, length, 1);
	if (parser->myDoc)
		xmlFreeDoc(parser->myDoc);
	xmlFreeParserCtxt(parser);
}

static char *known_values(PopplerDocument *document)
{
	g_autofree char *title = poppler_document_get_title(document);
	g_autofree char *author = poppler_document_get_author(document);
	g_autofree char *subject = poppler_document_get_subject(document);
	g_autofree char *keywords = poppler_document_get_keywords(document);

	return g_strjoin("\n", title ? title : "", author ? author : "", subject ? subject : "",
	        keywords ? keywords : "", NULL);
}

static void send_dates(Sink *sink, PopplerDocument *document)
{
	g_autoptr(GDateTime) created = poppler_document_get_creation_date_time(document);
	g_autoptr(GDateTime) modified = poppler_document_get_modification_date_time(document);

	send_time(sink, FIELD_CREATED, created);
	send_time(sink, FIELD_DATE, modified ? modified : created);
}

void pdf_facts_send(Sink *sink, PopplerDocument *document)
{
	g_autofree char *known = known_values(document);
	g_autofree char *pages = g_strdup_printf("%d", poppler_document_get_n_pages(document));

	pdf_send_text(sink, FIELD_TITLE, poppler_document_get_title(document));
	pdf_send_text(sink, FIELD_AUTHOR, poppler_document_get_author(document));
	pdf_send_text(sink, FIELD_COMMENT, poppler_document_get_subject(document));
	pdf_send_topics(sink, document);
	send_dates(sink, document);
	pdf_send_text(sink, FIELD_GENERATOR, poppler_document_get_creator(document));
	pdf_send_text(sink, FIELD_GENERATOR, poppler_document_get_producer(document));
	sink_field(sink, FIELD_PAGES, pages, -1);
	send_xmp(sink, document, known);
}
