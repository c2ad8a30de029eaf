/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/pdf/pdf-facts.h"
#include "extractors/shared/keywords.h"
#include <libxml/parser.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_XMP_BYTES = 1 << 20, MAX_XMP_VALUES = 100 };

static void pdf_send_text(Sink *sink, DocField field, const char *text)
{
	if (text)
		sink_field(sink, field, text, -1);
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

/* The values of the information dictionary that are texts. */
typedef struct {
	char *title, *author, *subject, *keywords, *creator, *producer;
} PdfTexts;

/* Takes ownership of text, and replaces it if its value is in UTF-8. */
static char *pdf_fact_text(PdfText *words, const char *key, char *text)
{
	char *utf8 = text && words ? pdf_text_utf8_fact(words, key) : NULL;
	if (!utf8)
		return text;
	g_free(text);
	text = g_utf8_make_valid(utf8, -1);
	free(utf8);
	return text;
}

static PdfTexts pdf_read_texts(PopplerDocument *document, PdfText *words)
{
	return (PdfTexts){
	        pdf_fact_text(words, "Title", poppler_document_get_title(document)),
	        pdf_fact_text(words, "Author", poppler_document_get_author(document)),
	        pdf_fact_text(words, "Subject", poppler_document_get_subject(document)),
	        pdf_fact_text(words, "Keywords", poppler_document_get_keywords(document)),
	        pdf_fact_text(words, "Creator", poppler_document_get_creator(document)),
	        pdf_fact_text(words, "Producer", poppler_document_get_producer(document)),
	};
}

static void pdf_send_texts(Sink *sink, const PdfTexts *texts)
{
	pdf_send_text(sink, FIELD_TITLE, texts->title);
	pdf_send_text(sink, FIELD_AUTHOR, texts->author);
	pdf_send_text(sink, FIELD_COMMENT, texts->subject);
	if (texts->keywords)
		send_keywords(sink, texts->keywords);
}

static void pdf_clear_texts(PdfTexts *texts)
{
	g_free(texts->title);
	g_free(texts->author);
	g_free(texts->subject);
	g_free(texts->keywords);
	g_free(texts->creator);
	g_free(texts->producer);
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

static char *known_values(const PdfTexts *texts)
{
	return g_strjoin("\n", texts->title ? texts->title : "", texts->author ? texts->author : "",
	        texts->subject ? texts->subject : "", texts->keywords ? texts->keywords : "", NULL);
}

static void send_dates(Sink *sink, PopplerDocument *document)
{
	g_autoptr(GDateTime) created = poppler_document_get_creation_date_time(document);
	g_autoptr(GDateTime) modified = poppler_document_get_modification_date_time(document);

	send_time(sink, FIELD_CREATED, created);
	send_time(sink, FIELD_DATE, modified ? modified : created);
}

void pdf_facts_send(Sink *sink, PopplerDocument *document, PdfText *words)
{
	PdfTexts texts = pdf_read_texts(document, words);
	g_autofree char *known = known_values(&texts);
	g_autofree char *pages = g_strdup_printf("%d", poppler_document_get_n_pages(document));

	pdf_send_texts(sink, &texts);
	send_dates(sink, document);
	pdf_send_text(sink, FIELD_GENERATOR, texts.creator);
	pdf_send_text(sink, FIELD_GENERATOR, texts.producer);
	sink_field(sink, FIELD_PAGES, pages, -1);
	send_xmp(sink, document, known);
	pdf_clear_texts(&texts);
}
