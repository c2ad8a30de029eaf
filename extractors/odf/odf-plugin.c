/* SPDX-License-Identifier: GPL-3.0-or-later */
/* odf-plugin.c - the plugin for OpenDocument packages and flat files: which parts are read, in
 * which order */
#include <config.h>
#include "extractors/odf/odf.h"
#include "extractors/shared/oleobject.h"
#include "extractors/shared/zipparts.h"
#include <archive.h>
#include <libxml/parser.h>
#include <string.h>

enum { ODF_OBJECT_BYTES = 64 << 20, ROOT_BYTES = 4096 };

static bool is_object(const char *name)
{
	return g_str_has_suffix(name, "/content.xml");
}

static bool odf_is_wanted(const char *name)
{
	static const char *const parts[] = {"content.xml", "meta.xml", "styles.xml",
	        "meta-inf/manifest.xml", "content.json", NULL};
	return g_strv_contains(parts, name) || is_object(name);
}

/* Objects of other programs are single files, not folders. */
static bool is_ole_object_file(const char *name)
{
	return g_str_has_prefix(name, "object ") && !strchr(name, '/');
}

static bool on_manifest_start(void *user, unsigned element, const XmlAttributes *attributes)
{
	bool *encrypted = user;
	*encrypted = *encrypted || element == MANIFEST_ENCRYPTION;
	return !*encrypted;
}

static bool is_encrypted(ZipParts *zip)
{
	static const XmlEvents events = {.start = on_manifest_start};
	bool encrypted = zip_parts_encrypted(zip);
	if (!encrypted && zip_part_begin(zip, "META-INF/manifest.xml"))
		xml_read(&odf_vocabulary, &events, &encrypted, zip_part_read, zip);
	return encrypted;
}

static void odf_init(Odf *odf, Sink *sink)
{
	*odf = (Odf){.sink = sink, .page_kind = BREAK_SLIDE};
	flow_init(&odf->flow, sink);
	odf->scopes = g_array_new(FALSE, FALSE, sizeof(OdfScope));
	odf->paragraph_styles = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	odf->emphasis_styles = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	odf->masters = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	odf->symbol_styles = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	odf->fact = g_string_new(NULL);
	odf->author = g_string_new(NULL);
}

static ExtractResult odf_finish(Odf *odf)
{
	unsigned counted = odf->pages > 0 ? odf->pages : odf->sheets;
	if (!odf->has_pages && counted > 0) {
		g_autofree char *decimal = g_strdup_printf("%u", counted);
		sink_field(odf->sink, FIELD_PAGES, decimal, -1);
	}
	flow_finish(&odf->flow);
	g_array_unref(odf->scopes);
	g_hash_table_unref(odf->paragraph_styles);
	g_hash_table_unref(odf->emphasis_styles);
	g_hash_table_unref(odf->symbol_styles);
	g_hash_table_unref(odf->masters);
	g_free(odf->text_style);
	g_free(odf->value);
	g_string_free(odf->fact, TRUE);
	g_string_free(odf->author, TRUE);
	return odf->flow.any || odf->any_fact ? EXTRACT_DONE : EXTRACT_NOTHING;
}

/* Resets the state for the next part, because a damaged part may have left elements open. */
static void odf_begin_part(Odf *odf)
{
	while (odf->scopes->len > 0)
		odf_events.end(odf, OTHER_ELEMENT);
	flow_block(&odf->flow, TAG_BODY);
	g_string_truncate(odf->fact, 0);
}

static bool odf_read_part(Odf *odf, ZipParts *zip, const char *name)
{
	odf_begin_part(odf);
	if (odf->flow.full || !zip_part_begin(zip, name))
		return true;
	return xml_read(&odf_vocabulary, &odf_events, odf, zip_part_read, zip) != XML_READ_DAMAGED;
}

static bool read_objects(Odf *odf, ZipParts *zip)
{
	const char *name;
	bool whole = true;

	odf->embedded = true;
	for (guint i = 0; (name = zip_parts_name(zip, i)) != NULL; i++) {
		if (is_object(name))
			whole = odf_read_part(odf, zip, name) && whole;
	}
	odf->embedded = false;
	return whole;
}

static void odf_send_objects(Odf *odf, ZipParts *zip)
{
	const char *name;

	odf_begin_part(odf);
	for (guint i = 0; !odf->flow.full && (name = zip_parts_name(zip, i)) != NULL; i++) {
		size_t size;
		if (!is_ole_object_file(name))
			continue;
		g_autofree char *bytes = zip_part_load(zip, name, ODF_OBJECT_BYTES, &size);
		if (bytes && !ole_object_send(odf->sink, name, (Bytes){(uint8_t *)bytes, size}))
			odf->flow.full = true;
	}
}

/* Does the document begin with a namespace of OpenDocument, or of its first version? XMind 3 to 8
 * has the same names of members. */
static bool is_odf_content(const char *bytes, size_t size)
{
	static const char *const marks[] = {
	        "urn:oasis:names:tc:opendocument", "http://openoffice.org/", "OpenOffice.org//DTD"};
	for (size_t i = 0; i < G_N_ELEMENTS(marks); i++)
		if (g_strstr_len(bytes, MIN(size, ROOT_BYTES), marks[i]))
			return true;
	return false;
}

/* Sends a content.xml of another format as XML. False: it is OpenDocument. */
static bool odf_send_other(Odf *odf, ZipParts *zip)
{
	size_t size;
	g_autofree char *bytes = zip_part_load(zip, "content.xml", ODF_OBJECT_BYTES, &size);
	if (!bytes || is_odf_content(bytes, size))
		return false;
	sink_inline(odf->sink, "application/xml", NULL, (const uint8_t *)bytes, size);
	return true;
}

/* XMind 2020 and later: the content.xml beside content.json only says that the program is too
 * old. */
static ExtractResult extract_map(ZipParts *zip, Sink *sink)
{
	size_t size;
	g_autofree char *bytes = zip_part_load(zip, "content.json", ODF_OBJECT_BYTES, &size);
	DocReason fault = zip_parts_fault(zip);
	if (!bytes)
		return sink_fail(sink, fault ? fault : REASON_DAMAGED, "content.json");
	sink_inline(sink, "application/x-xmind+json", "utf-8", (const uint8_t *)bytes, size);
	if (fault)
		sink_truncated(sink, fault, NULL);
	return sink_has_text(sink) ? EXTRACT_DONE : EXTRACT_NOTHING;
}

static ExtractResult extract_package(const Input *in, Sink *sink)
{
	g_autoptr(ZipParts) zip = zip_parts_open(in->data, in->size, sink, odf_is_wanted);
	Odf odf;

	if (is_encrypted(zip))
		return sink_fail(sink, REASON_ENCRYPTED, NULL);
	if (zip_parts_has(zip, "content.json"))
		return extract_map(zip, sink);
	DocReason fault = zip_parts_fault(zip);
	if (!zip_parts_has(zip, "content.xml") && !zip_parts_has(zip, "meta.xml"))
		return sink_fail(sink, fault ? fault : REASON_DAMAGED, "content.xml");
	odf_init(&odf, sink);
	bool whole = odf_read_part(&odf, zip, "meta.xml");
	whole = odf_read_part(&odf, zip, "content.xml") && whole;
	whole = read_objects(&odf, zip) && whole;
	whole = odf_read_part(&odf, zip, "styles.xml") && whole;
	odf_send_objects(&odf, zip);
	fault = zip_parts_fault(zip);
	if (fault || !whole)
		sink_truncated(sink, fault ? fault : REASON_DAMAGED, NULL);
	odf_begin_part(&odf);
	bool other = !odf.flow.any && odf_send_other(&odf, zip);
	ExtractResult result = odf_finish(&odf);
	return other && sink_has_text(sink) ? EXTRACT_DONE : result;
}

static ExtractResult extract_flat(const Input *in, Sink *sink)
{
	Odf odf;

	odf_init(&odf, sink);
	XmlResult result = xml_read_memory(&odf_vocabulary, &odf_events, &odf, in->data, in->size);
	if (result == XML_READ_DAMAGED)
		sink_truncated(sink, REASON_DAMAGED, NULL);
	odf_begin_part(&odf);
	return odf_finish(&odf);
}

static ExtractResult odf_extract(const Input *in, Sink *sink)
{
	bool is_zip = in->size >= 2 && memcmp(in->data, "PK", 2) == 0;
	return is_zip ? extract_package(in, sink) : extract_flat(in, sink);
}

/* The picture that the program stored (OpenDocument 1.3, part 2, 3.8). */
static ExtractResult odf_draw(const Input *in, Sink *sink)
{
	g_autoptr(ZipParts) zip = zip_parts_open(in->data, in->size, sink, NULL);
	return zip_part_draw(zip, "Thumbnails/thumbnail.png");
}

static const char *odf_preload(void)
{
	xmlInitParser();
	ole_preload();
	return NULL;
}

static const char *const mime_types[] = {
        "application/vnd.oasis.opendocument.text",
        "application/vnd.oasis.opendocument.text-template",
        "application/vnd.oasis.opendocument.text-master",
        "application/vnd.oasis.opendocument.text-master-template",
        "application/vnd.oasis.opendocument.text-web",
        "application/vnd.oasis.opendocument.spreadsheet",
        "application/vnd.oasis.opendocument.spreadsheet-template",
        "application/vnd.oasis.opendocument.presentation",
        "application/vnd.oasis.opendocument.presentation-template",
        "application/vnd.oasis.opendocument.graphics",
        "application/vnd.oasis.opendocument.graphics-template",
        "application/vnd.oasis.opendocument.chart",
        "application/vnd.oasis.opendocument.chart-template",
        "application/vnd.oasis.opendocument.formula",
        "application/vnd.oasis.opendocument.formula-template",
        "application/vnd.oasis.opendocument.database",
        "application/vnd.oasis.opendocument.base",
        "application/vnd.oasis.opendocument.text-flat-xml",
        "application/vnd.oasis.opendocument.spreadsheet-flat-xml",
        "application/vnd.oasis.opendocument.presentation-flat-xml",
        "application/vnd.oasis.opendocument.graphics-flat-xml",
        "application/vnd.sun.xml.writer",
        "application/vnd.sun.xml.writer.template",
        "application/vnd.sun.xml.writer.global",
        "application/vnd.sun.xml.calc",
        "application/vnd.sun.xml.calc.template",
        "application/vnd.sun.xml.impress",
        "application/vnd.sun.xml.impress.template",
        "application/vnd.sun.xml.draw",
        "application/vnd.sun.xml.math",
        "application/vnd.sun.xml.draw.template",
        "application/vnd.xmind.workbook",
        NULL,
};

const Extractor tarsier_extractor = {
        .abi = EXTRACTOR_ABI,
        .name = "odf",
        .version = 12,
        .library = "libxml2 " LIBXML_DOTTED_VERSION ", " ARCHIVE_VERSION_STRING
                   ", libgsf " GSF_VERSION,
        .lane = LANE_CHEAP,
        .mime_types = mime_types,
        .preload = odf_preload,
        .extract = odf_extract,
        .draw = odf_draw,
};
