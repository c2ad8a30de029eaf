/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drawio.c - diagrams of draw.io (diagrams.net)
 *
 * A page is XML inside the file, or that XML with percent-encoding, then deflate, then Base64. The
 * label of a shape is HTML in an attribute. */
#include <config.h>
#include "extractors/xml/drawio.h"
#include "extractors/shared/inflate.h"
#include "extractors/shared/xmlread.h"
#include <string.h>

enum { HEAD_BYTES = 1 << 10, PAGE_MOST_BYTES = 64 << 20 };

enum { DRAWIO_PAGE = 1, DRAWIO_SHAPE, DRAWIO_OBJECT };

static const XmlElement elements[] = {
        {"diagram", 0, DRAWIO_PAGE},
        {"mxCell", 0, DRAWIO_SHAPE},
        {"object", 0, DRAWIO_OBJECT},
        {"UserObject", 0, DRAWIO_OBJECT},
        {NULL, 0, 0},
};

static const XmlNamespace namespaces[] = {{NULL, 0}};

static const XmlVocabulary vocabulary = {
        .namespaces = namespaces, .elements = elements, .any_namespace = true};

typedef struct {
	Sink *sink;
	GString *html; /* of all pages */
	GString *packed; /* of the page that is being read */
	bool in_page, inside; /* inside: a packed page is being read, which has no other in it */
	bool damaged;
} DrawioReader;

static void drawio_put(DrawioReader *reader, const XmlAttributes *attributes, const char *name)
{
	size_t length;
	const char *value = xml_attribute(attributes, 0, name, &length);
	if (!value || length == 0)
		return;
	g_string_append(reader->html, "<div>");
	g_string_append_len(reader->html, value, length);
	g_string_append(reader->html, "</div>\n");
}

static void drawio_start_page(DrawioReader *reader, const XmlAttributes *attributes)
{
	g_autofree char *name = xml_attribute_dup(attributes, 0, "name");
	g_autofree char *escaped = name ? g_markup_escape_text(name, -1) : NULL;
	if (escaped)
		g_string_append_printf(reader->html, "<h2>%s</h2>\n", escaped);
	g_string_truncate(reader->packed, 0);
	reader->in_page = !reader->inside;
}

static void drawio_put_object(DrawioReader *reader, const XmlAttributes *attributes)
{
	g_autofree char *link = xml_attribute_dup(attributes, 0, "link");
	drawio_put(reader, attributes, "label");
	drawio_put(reader, attributes, "tooltip");
	if (link)
		sink_link(reader->sink, link, "");
}

static bool drawio_on_start(void *user, unsigned kind, const XmlAttributes *attributes)
{
	DrawioReader *reader = user;
	if (kind == DRAWIO_PAGE)
		drawio_start_page(reader, attributes);
	else if (kind == DRAWIO_SHAPE)
		drawio_put(reader, attributes, "value");
	else if (kind == DRAWIO_OBJECT)
		drawio_put_object(reader, attributes);
	return true;
}

static bool drawio_on_text(void *user, const char *text, size_t length)
{
	DrawioReader *reader = user;
	if (reader->in_page)
		g_string_append_len(reader->packed, text, length);
	return true;
}

static void drawio_read(DrawioReader *reader, const void *data, size_t size);

static void drawio_unpack_page(DrawioReader *reader)
{
	gsize size;
	g_autofree guchar *packed = g_base64_decode(reader->packed->str, &size);
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	bool whole = inflate_append(G_ZLIB_COMPRESSOR_FORMAT_RAW, (Bytes){packed, size},
	        PAGE_MOST_BYTES, reader->sink, bytes);
	g_byte_array_append(bytes, (const uint8_t *)"", 1);
	g_autofree char *page = g_uri_unescape_string((const char *)bytes->data, NULL);
	reader->damaged |= !whole || !page;
	reader->inside = true;
	if (page)
		drawio_read(reader, page, strlen(page));
	reader->inside = false;
}

static bool drawio_on_end(void *user, unsigned kind)
{
	DrawioReader *reader = user;
	if (kind != DRAWIO_PAGE || !reader->in_page)
		return true;
	reader->in_page = false;
	g_strstrip(reader->packed->str);
	if (*reader->packed->str)
		drawio_unpack_page(reader);
	return true;
}

static void drawio_read(DrawioReader *reader, const void *data, size_t size)
{
	static const XmlEvents events = {drawio_on_start, drawio_on_end, drawio_on_text};
	XmlResult result = xml_read_memory(&vocabulary, &events, reader, data, size);
	reader->damaged |= result != XML_READ_WHOLE;
}

bool drawio_is(const uint8_t *data, size_t size)
{
	size_t head = MIN(size, (size_t)HEAD_BYTES);
	return memmem(data, head, "<mxfile", strlen("<mxfile")) ||
	       memmem(data, head, "<mxGraphModel", strlen("<mxGraphModel"));
}

ExtractResult drawio_extract(const Input *in, Sink *sink)
{
	DrawioReader reader = {
	        .sink = sink, .html = g_string_new(NULL), .packed = g_string_new(NULL)};
	drawio_read(&reader, in->data, in->size);
	if (reader.html->len > 0)
		sink_inline(sink, "text/html", "utf-8", (const uint8_t *)reader.html->str,
		        reader.html->len);
	if (reader.damaged)
		sink_truncated(sink, REASON_DAMAGED, NULL);
	g_string_free(reader.html, TRUE);
	g_string_free(reader.packed, TRUE);
	return sink_has_text(sink) || reader.damaged ? EXTRACT_DONE : EXTRACT_NOTHING;
}
