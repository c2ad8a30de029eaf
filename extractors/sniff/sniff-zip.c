/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/shared/bytes.h"
#include "extractors/sniff/sniff-zip.h"
#include <glib.h>
#include <stdbool.h>
#include <string.h>

enum {
	LOCAL_BYTES = 30,
	CENTRAL_BYTES = 46,
	END_BYTES = 22,
	MAX_COMMENT = 65535,
	MAX_NAMES = 2000, /* most names that are read */
};

#define OOXML "application/vnd.openxmlformats-officedocument."
#define VISIO "application/vnd.ms-visio."
#define ODF "application/vnd.oasis.opendocument."

/* The types that the member "mimetype" may declare. */
static const char *const declared_types[] = {
        ODF "text",
        ODF "text-template",
        ODF "text-master",
        ODF "text-web",
        ODF "spreadsheet",
        ODF "spreadsheet-template",
        ODF "presentation",
        ODF "presentation-template",
        ODF "graphics",
        ODF "graphics-template",
        ODF "formula",
        ODF "chart",
        ODF "database",
        ODF "image",
        "application/vnd.oasis.opendocument.base",
        "application/epub+zip",
        "application/vnd.sun.xml.writer",
        "application/vnd.sun.xml.calc",
        "application/vnd.sun.xml.impress",
        "application/vnd.sun.xml.draw",
        "image/openraster",
        "application/x-krita",
};

/* The types of one OOXML family by extension. The first row is the plain document, the second the
 * one with macros. */
static const struct {
	const char *folder;
	struct {
		const char *extension, *mime;
	} types[6];
} families[] = {
        {"word/", {{"docx", OOXML "wordprocessingml.document"},
                          {"docm", "application/vnd.ms-word.document.macroenabled.12"},
                          {"dotx", OOXML "wordprocessingml.template"},
                          {"dotm", "application/vnd.ms-word.template.macroenabled.12"}}},
        {"xl/", {{"xlsx", OOXML "spreadsheetml.sheet"},
                        {"xlsm", "application/vnd.ms-excel.sheet.macroenabled.12"},
                        {"xltx", OOXML "spreadsheetml.template"},
                        {"xltm", "application/vnd.ms-excel.template.macroenabled.12"},
                        {"xlsb", "application/vnd.ms-excel.sheet.binary.macroenabled.12"},
                        {"xlam", "application/vnd.ms-excel.addin.macroenabled.12"}}},
        {"ppt/", {{"pptx", OOXML "presentationml.presentation"},
                         {"pptm", "application/vnd.ms-powerpoint.presentation.macroenabled.12"},
                         {"potx", OOXML "presentationml.template"},
                         {"potm", "application/vnd.ms-powerpoint.template.macroenabled.12"},
                         {"ppsx", OOXML "presentationml.slideshow"},
                         {"ppsm", "application/vnd.ms-powerpoint.slideshow.macroenabled.12"}}},
        {"visio/",
                {{"vsdx", VISIO "drawing.main+xml"},
                        {"vsdm", VISIO "drawing.macroenabled.main+xml"},
                        {"vstx", VISIO "template.main+xml"}, {"vssx", VISIO "stencil.main+xml"}}},
};

/* The facts that the names in the archive tell. */
typedef struct {
	bool content_types, manifest, macros, binary, odf_content, odf_manifest, container, opf;
	bool keynote, iwork, pages, map;
	int family; /* index in families; -1: none */
} Names;

static const char *by_mimetype_member(const uint8_t *data, size_t size)
{
	Bytes file = {data, size};
	if (size < LOCAL_BYTES + 8 || le16(file, 26) != 8 || le16(file, 8) != 0 ||
	        memcmp(data + LOCAL_BYTES, "mimetype", 8) != 0)
		return NULL;
	size_t from = LOCAL_BYTES + 8 + le16(file, 28);
	for (size_t i = 0; i < G_N_ELEMENTS(declared_types); i++) {
		const char *type = declared_types[i];
		size_t length = strlen(type);
		if (from > size || size - from < length || memcmp(data + from, type, length) != 0)
			continue;
		/* the header of the next member or white space must follow; else the name is
		 * longer */
		const uint8_t *after = data + from + length;
		if (from + length == size || *after == 'P' || g_ascii_isspace(*after))
			return type;
	}
	return NULL;
}

static bool sniff_is(const uint8_t *name, size_t length, const char *wanted)
{
	return length == strlen(wanted) && memcmp(name, wanted, length) == 0;
}

static void note_name(Names *names, const uint8_t *name, size_t length)
{
	names->content_types |= sniff_is(name, length, "[Content_Types].xml");
	names->manifest |= sniff_is(name, length, "META-INF/MANIFEST.MF");
	names->odf_content |= sniff_is(name, length, "content.xml");
	names->odf_manifest |= sniff_is(name, length, "META-INF/manifest.xml");
	names->map |= sniff_is(name, length, "content.json");
	names->container |= sniff_is(name, length, "META-INF/container.xml");
	names->opf |= length > 4 && memcmp(name + length - 4, ".opf", 4) == 0;
	names->keynote |=
	        sniff_is(name, length, "index.apxl") || sniff_is(name, length, "index.apxl.gz");
	names->iwork |=
	        sniff_is(name, length, "index.xml") || sniff_is(name, length, "index.xml.gz") ||
	        sniff_is(name, length, "Index.zip") || sniff_is(name, length, "Index/Document.iwa");
	names->macros |= length > 14 && memcmp(name + length - 14, "vbaProject.bin", 14) == 0;
	names->pages |= length > 6 && memcmp(name + length - 6, ".fdseq", 6) == 0;
	names->binary |= sniff_is(name, length, "xl/workbook.bin");
	for (size_t i = 0; i < G_N_ELEMENTS(families) && names->family < 0; i++) {
		size_t n = strlen(families[i].folder);
		if (length > n && memcmp(name, families[i].folder, n) == 0)
			names->family = i;
	}
}

/* Returns the offset of the central directory, or size if there is none. */
static size_t find_central(const uint8_t *data, size_t size)
{
	Bytes file = {data, size};
	size_t lowest = size > END_BYTES + MAX_COMMENT ? size - END_BYTES - MAX_COMMENT : 0;
	for (size_t at = size - END_BYTES + 1; size >= END_BYTES && at-- > lowest;) {
		if (memcmp(data + at, "PK\5\6", 4) != 0)
			continue;
		size_t offset = le32(file, at + 16);
		return offset < at ? offset : size;
	}
	return size;
}

static void read_central(Names *names, const uint8_t *data, size_t size)
{
	Bytes file = {data, size};
	size_t at = find_central(data, size);
	for (unsigned n = 0; n < MAX_NAMES; n++) {
		if (size - at < CENTRAL_BYTES || memcmp(data + at, "PK\1\2", 4) != 0)
			return;
		size_t length = le16(file, at + 28);
		if (size - at - CENTRAL_BYTES < length)
			return;
		note_name(names, data + at + CENTRAL_BYTES, length);
		size_t step = CENTRAL_BYTES + length + le16(file, at + 30) + le16(file, at + 32);
		if (step > size - at)
			return;
		at += step;
	}
}

/* Returns NULL if the extension is not one of this family. */
static const char *type_in_family(size_t family, const char *name)
{
	const char *dot = strrchr(name, '.');
	for (size_t i = 0; dot && i < G_N_ELEMENTS(families[0].types); i++) {
		const char *extension = families[family].types[i].extension;
		if (extension && g_ascii_strcasecmp(dot + 1, extension) == 0)
			return families[family].types[i].mime;
	}
	return NULL;
}

const char *sniff_sealed_type(const char *name)
{
	enum { FAMILIES = 3 }; /* the first families are the office documents */
	const char *found = NULL;
	for (size_t i = 0; i < FAMILIES && !found; i++)
		found = type_in_family(i, name);
	return found ? found : "application/encrypted";
}

static const char *ooxml_type(const Names *names, const char *name)
{
	const char *found = type_in_family(names->family, name);
	if (found)
		return found;
	if (names->binary)
		return "application/vnd.ms-excel.sheet.binary.macroenabled.12";
	return families[names->family].types[names->macros ? 1 : 0].mime;
}

/* Recognizes OpenDocument without a declaration at the right place, and its first version, which
 * has none. */
static const char *undeclared_odf_type(const char *name)
{
	static const struct {
		const char *extension, *mime;
	} types[] = {
	        {".sxw", "application/vnd.sun.xml.writer"},
	        {".sxc", "application/vnd.sun.xml.calc"},
	        {".sxi", "application/vnd.sun.xml.impress"},
	        {".sxd", "application/vnd.sun.xml.draw"}, {".ods", ODF "spreadsheet"},
	        {".odp", ODF "presentation"}, {".odg", ODF "graphics"},
	        {".xmind", "application/vnd.xmind.workbook"}, /* the same names of members */
	};
	const char *dot = strrchr(name, '.');
	for (size_t i = 0; dot && i < G_N_ELEMENTS(types); i++)
		if (g_ascii_strcasecmp(dot, types[i].extension) == 0)
			return types[i].mime;
	return ODF "text";
}

/* The names of its members are common, so without the extension it is only an archive. */
static const char *iwork_type(const Names *names, const char *name)
{
	if (names->keynote || g_str_has_suffix(name, ".key"))
		return "application/vnd.apple.keynote";
	if (g_str_has_suffix(name, ".numbers"))
		return "application/vnd.apple.numbers";
	return g_str_has_suffix(name, ".pages") ? "application/vnd.apple.pages" : NULL;
}

const char *sniff_zip_type(const uint8_t *data, size_t size, const char *name)
{
	Bytes file = {data, size};
	const char *declared = by_mimetype_member(data, size);
	if (declared)
		return declared;
	Names names = {.family = -1};
	if (size >= LOCAL_BYTES && size - LOCAL_BYTES >= le16(file, 26))
		note_name(&names, data + LOCAL_BYTES, le16(file, 26));
	read_central(&names, data, size);
	if (names.content_types && names.family >= 0)
		return ooxml_type(&names, name);
	if (names.map && g_str_has_suffix(name, ".xmind"))
		return "application/vnd.xmind.workbook";
	if (names.odf_content && names.odf_manifest)
		return undeclared_odf_type(name);
	if (names.content_types && names.pages)
		return g_str_has_suffix(name, ".oxps") ? "application/oxps"
		                                       : "application/vnd.ms-xpsdocument";
	if (names.container && names.opf) /* music has such a container as well */
		return "application/epub+zip";
	const char *iwork = names.keynote || names.iwork ? iwork_type(&names, name) : NULL;
	if (iwork)
		return iwork;
	return names.manifest ? "application/java-archive" : "application/zip";
}
