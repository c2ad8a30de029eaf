/* SPDX-License-Identifier: GPL-3.0-or-later */
/* xps.c - paginated documents (XPS, ECMA-388 OpenXPS): glyph runs with their text */
#include <config.h>
#include "extractors/shared/extractor.h"
#include "extractors/shared/flow.h"
#include "extractors/shared/isodate.h"
#include "extractors/shared/xmlread.h"
#include "extractors/shared/zipparts.h"
#include <archive.h>
#include <libxml/parser.h>
#include <stdlib.h>
#include <string.h>

enum { GLYPHS = 1, TITLE, CREATOR, SUBJECT, KEYWORDS, CREATED, LINE_BYTES = 32, MAX_PAGES = 20000 };

static const XmlElement elements[] = {
        {"Glyphs", 0, GLYPHS},
        {"title", 0, TITLE},
        {"creator", 0, CREATOR},
        {"subject", 0, SUBJECT},
        {"keywords", 0, KEYWORDS},
        {"created", 0, CREATED},
        {NULL, 0, 0},
};
static const XmlNamespace namespaces[] = {{NULL, 0}};
static const XmlVocabulary vocabulary = {
        .namespaces = namespaces, .elements = elements, .any_namespace = true};

typedef struct {
	Sink *sink;
	Flow flow;
	char line[LINE_BYTES]; /* position of the last run */
	unsigned fact; /* the open fact */
	GString *value;
} XpsReader;

static bool xps_is_wanted(const char *name)
{
	return g_str_has_suffix(name, ".fpage") || g_str_has_suffix(name, "core.xml") ||
	       g_str_has_suffix(name, "coreproperties.xml") || g_str_has_suffix(name, ".psmdcp");
}

/* A leading "{}" escapes a text that begins with a brace. */
static bool put_glyphs(XpsReader *reader, const XmlAttributes *attributes)
{
	size_t length;
	g_autofree char *line = xml_attribute_dup(attributes, 0, "OriginY");
	const char *text = xml_attribute(attributes, 0, "UnicodeString", &length);
	if (!text)
		return true;
	if (length >= 2 && memcmp(text, "{}", 2) == 0) {
		text += 2;
		length -= 2;
	}
	if (!line || strncmp(line, reader->line, LINE_BYTES - 1) != 0)
		flow_block(&reader->flow, TAG_BODY);
	else
		flow_space(&reader->flow);
	g_strlcpy(reader->line, line ? line : "", LINE_BYTES);
	return flow_text(&reader->flow, text, length);
}

static bool xps_on_start(void *user, unsigned element, const XmlAttributes *attributes)
{
	XpsReader *reader = user;
	g_string_truncate(reader->value, 0);
	reader->fact = element;
	return element != GLYPHS || put_glyphs(reader, attributes);
}

static bool xps_on_end(void *user, unsigned element)
{
	static const DocField fields[] = {[TITLE] = FIELD_TITLE,
	        [CREATOR] = FIELD_AUTHOR,
	        [SUBJECT] = FIELD_COMMENT,
	        [KEYWORDS] = FIELD_KEYWORD,
	        [CREATED] = FIELD_DATE};
	XpsReader *reader = user;
	if (element >= TITLE && element == reader->fact) {
		g_autofree char *date =
		        element == CREATED ? iso_date(reader->value->str, -1) : NULL;
		if (element != CREATED || date)
			sink_field(reader->sink, fields[element], date ? date : reader->value->str,
			        -1);
	}
	reader->fact = 0;
	return true;
}

static bool xps_on_text(void *user, const char *text, size_t length)
{
	XpsReader *reader = user;
	if (reader->fact >= TITLE && reader->value->len + length <= DOC_MAX_FACT_BYTES)
		g_string_append_len(reader->value, text, length);
	return true;
}

static unsigned page_number(const char *name)
{
	const char *end = name + strlen(name) - strlen(".fpage"), *digits = end;
	while (digits > name && g_ascii_isdigit(digits[-1]))
		digits--;
	return MIN(strtoul(digits, NULL, 10), UINT32_MAX);
}

static int compare_pages(gconstpointer a, gconstpointer b)
{
	const char *x = *(const char *const *)a, *y = *(const char *const *)b;
	unsigned m = page_number(x), n = page_number(y);
	return m != n ? (m > n) - (m < n) : strcmp(x, y);
}

static void xps_read_part(XpsReader *reader, ZipParts *zip, const char *name)
{
	static const XmlEvents events = {xps_on_start, xps_on_end, xps_on_text};
	if (zip_part_begin(zip, name))
		xml_read(&vocabulary, &events, reader, zip_part_read, zip);
}

static unsigned xps_read_parts(XpsReader *reader, ZipParts *zip)
{
	g_autoptr(GPtrArray) pages = g_ptr_array_new();
	const char *name;
	for (guint i = 0; (name = zip_parts_name(zip, i)); i++) {
		if (!g_str_has_suffix(name, ".fpage")) {
			if (xps_is_wanted(name))
				xps_read_part(reader, zip, name);
		} else if (pages->len < MAX_PAGES) {
			g_ptr_array_add(pages, (gpointer)name);
		}
	}
	g_ptr_array_sort(pages, compare_pages);
	for (guint i = 0; i < pages->len && !reader->flow.full; i++) {
		*reader->line = '\0';
		flow_break(&reader->flow, BREAK_PAGE, i + 1, NULL);
		xps_read_part(reader, zip, pages->pdata[i]);
	}
	return pages->len;
}

static ExtractResult xps_extract(const Input *in, Sink *sink)
{
	g_autoptr(ZipParts) zip = zip_parts_open(in->data, in->size, sink, xps_is_wanted);
	XpsReader reader = {.sink = sink, .value = g_string_new(NULL)};

	flow_init(&reader.flow, sink);
	unsigned pages = xps_read_parts(&reader, zip);
	bool any = reader.flow.any;
	flow_finish(&reader.flow);
	g_string_free(reader.value, TRUE);
	DocReason fault = zip_parts_fault(zip);
	if (pages == 0)
		return sink_fail(sink, fault ? fault : REASON_DAMAGED, "no page can be read");
	g_autofree char *count = g_strdup_printf("%u", pages);
	sink_field(sink, FIELD_PAGES, count, -1);
	if (fault)
		sink_truncated(sink, fault, NULL);
	return any ? EXTRACT_DONE : EXTRACT_NOTHING;
}

static const char *xps_preload(void)
{
	xmlInitParser();
	return NULL;
}

static const char *const mime_types[] = {
        "application/vnd.ms-xpsdocument", "application/oxps", NULL};

const Extractor tarsier_extractor = {
        .abi = EXTRACTOR_ABI,
        .name = "xps",
        .version = 2,
        .library = "libxml2 " LIBXML_DOTTED_VERSION ", " ARCHIVE_VERSION_STRING,
        .lane = LANE_OWN,
        .mime_types = mime_types,
        .preload = xps_preload,
        .extract = xps_extract,
};
