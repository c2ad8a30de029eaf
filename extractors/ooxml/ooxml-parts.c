/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ooxml-parts.c - reads parts of a package, and what is embedded in them */
#include <config.h>
#include "extractors/ooxml/ooxml.h"
#include "extractors/shared/oleobject.h"
#include <string.h>

enum { EMBEDDED_BYTES = 64 << 20 };

bool ooxml_claim(Ooxml *ooxml, const char *part)
{
	return g_hash_table_add(ooxml->claimed, g_ascii_strdown(part, -1));
}

void ooxml_read(Ooxml *ooxml, const char *part, const XmlEvents *events, void *user)
{
	if (!zip_part_begin(ooxml->zip, part))
		return;
	XmlResult result = xml_read(&ooxml_vocabulary, events, user, zip_part_read, ooxml->zip);
	ooxml->damaged = ooxml->damaged || result == XML_READ_DAMAGED;
}

void ooxml_read_flat(Ooxml *ooxml, const XmlEvents *events, void *user)
{
	XmlResult result =
	        xml_read_memory(&ooxml_vocabulary, events, user, ooxml->in->data, ooxml->in->size);
	ooxml->damaged = ooxml->damaged || result == XML_READ_DAMAGED;
}

const Relation *ooxml_related(const Relations *relations, const char *type)
{
	guint position = 0;
	return relations_of_type(relations, type, &position);
}

static bool embedded_of_type(Ooxml *ooxml, const Relations *relations, const char *type)
{
	guint position = 0;
	const Relation *relation;
	bool more = true;

	while (more && !ooxml->flow.full &&
	        (relation = relations_of_type(relations, type, &position)) != NULL) {
		size_t size;
		if (!ooxml_claim(ooxml, relation->target))
			continue;
		g_autofree char *bytes =
		        zip_part_load(ooxml->zip, relation->target, EMBEDDED_BYTES, &size);
		flow_block(&ooxml->flow, TAG_BODY);
		if (bytes)
			more = ole_object_send(ooxml->sink, relation->target,
			        (Bytes){(const uint8_t *)bytes, size});
	}
	return more;
}

void ooxml_embedded(Ooxml *ooxml, const Relations *relations)
{
	if (embedded_of_type(ooxml, relations, "package"))
		embedded_of_type(ooxml, relations, "oleObject");
}

void ooxml_chunk(Ooxml *ooxml, const char *part)
{
	static const struct {
		const char *extension, *mime;
	} formats[] = {{".htm", "text/html"}, {".html", "text/html"},
	        {".xhtml", "application/xhtml+xml"}, {".mht", "multipart/related"},
	        {".rtf", "application/rtf"}, {".txt", "text/plain"}};
	g_autofree char *name = g_ascii_strdown(part, -1);
	for (size_t i = 0; i < G_N_ELEMENTS(formats); i++) {
		size_t size;
		if (!g_str_has_suffix(name, formats[i].extension) || !ooxml_claim(ooxml, part))
			continue;
		g_autofree char *bytes = zip_part_load(ooxml->zip, part, EMBEDDED_BYTES, &size);
		flow_block(&ooxml->flow, TAG_BODY);
		if (bytes && !sink_inline(ooxml->sink, formats[i].mime, NULL,
		                     (const uint8_t *)bytes, size))
			ooxml->flow.full = true;
		ooxml->any_fact = true;
	}
}

void ooxml_field(Ooxml *ooxml, DocField field, const char *value)
{
	ooxml->any_fact = true;
	sink_field(ooxml->sink, field, value, -1);
}

void ooxml_count(Ooxml *ooxml, unsigned pages)
{
	if (ooxml->has_pages || pages == 0)
		return;
	g_autofree char *decimal = g_strdup_printf("%u", pages);
	ooxml->has_pages = true;
	ooxml_field(ooxml, FIELD_PAGES, decimal);
}
