/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ooxml-plugin.c - the plugin for Office Open XML: finds the main part and calls its reader */
#include <config.h>
#include "extractors/shared/olefile.h"
#include "extractors/ooxml/ooxml.h"
#include "extractors/ooxml/ooxml-encrypted.h"
#include <archive.h>
#include <libxml/parser.h>
#include <string.h>

/* Parts without text, by a piece of their lower-case names. */
static const char *const useless[] = {
        "/theme/",
        "notesmasters/",
        "handoutmasters/",
        "customxml/",
        "/settings.xml",
        "websettings.xml",
        "fonttable.xml",
        "numbering.xml",
        "calcchain.xml",
        "printersettings",
        "pivotcache/",
        "/glossary/",
        "diagrams/colors",
        "diagrams/drawing",
        "diagrams/layout",
        "diagrams/quickstyle",
        "viewprops.xml",
        "presprops.xml",
        "tablestyles.xml",
        "/media/",
};

/* A part of a binary workbook that has text or number formats. */
static bool is_binary_part(const char *name)
{
	static const char *const beginnings[] = {"xl/workbook", "xl/sharedstrings", "xl/styles",
	        "xl/worksheets/", "xl/chartsheets/", "xl/dialogsheets/", "xl/macrosheets/",
	        "xl/comments"};
	for (size_t i = 0; g_str_has_suffix(name, ".bin") && i < G_N_ELEMENTS(beginnings); i++)
		if (g_str_has_prefix(name, beginnings[i]) && !strstr(name, "binaryindex"))
			return true;
	return false;
}

static bool ooxml_is_wanted(const char *name)
{
	if (!g_str_has_suffix(name, ".xml") && !g_str_has_suffix(name, ".rels"))
		return is_binary_part(name);
	for (size_t i = 0; i < G_N_ELEMENTS(useless); i++) {
		if (strstr(name, useless[i]))
			return false;
	}
	return true;
}

static const struct {
	const char *in_type, *other_in_type; /* pieces of the MIME type and of content types */
	const char *usual_part;
	void (*read)(Ooxml *ooxml, const char *part);
} kinds[] = {
        {"wordprocessingml", "ms-word", "word/document.xml", word_read},
        {"spreadsheetml", "ms-excel", "xl/workbook.xml", book_read},
        {"presentationml", "ms-powerpoint", "ppt/presentation.xml", slides_read},
};

static int kind_of_type(const char *type)
{
	for (size_t i = 0; type && i < G_N_ELEMENTS(kinds); i++) {
		if (strstr(type, kinds[i].in_type) || strstr(type, kinds[i].other_in_type))
			return i;
	}
	return -1;
}

/* Finds the kind and name of the main part: from the package's relationships, else by the usual
 * names. -1: unknown. */
static int find_main(Ooxml *ooxml, const Relations *relations, char **part_r)
{
	const Relation *main_part = ooxml_related(relations, "officeDocument");
	int kind = kind_of_type(ooxml->in->mime);

	if (main_part && zip_parts_has(ooxml->zip, main_part->target)) {
		g_autofree char *type = package_content_type(ooxml->zip, main_part->target);
		*part_r = g_strdup(main_part->target);
		return kind_of_type(type) >= 0 ? kind_of_type(type) : kind;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
		if (zip_parts_has(ooxml->zip, kinds[i].usual_part)) {
			*part_r = g_strdup(kinds[i].usual_part);
			ooxml->damaged = true;
			return i;
		}
	}
	return -1;
}

static void read_main(Ooxml *ooxml, int kind, const char *part)
{
	if (g_str_has_suffix(part, ".bin"))
		binary_book_read(ooxml, part);
	else
		kinds[kind].read(ooxml, part);
}

static ExtractResult read_flat(Ooxml *ooxml)
{
	props_read_flat(ooxml);
	if (strstr(ooxml->in->mime, "spreadsheet"))
		flat_book_read(ooxml);
	else
		word_read_flat(ooxml);
	if (ooxml->damaged)
		sink_truncated(ooxml->sink, REASON_DAMAGED, NULL);
	return EXTRACT_DONE;
}

static ExtractResult read_package(Ooxml *ooxml)
{
	g_autoptr(Relations) relations = package_relations(ooxml->zip, "");
	g_autofree char *part = NULL;
	int kind = find_main(ooxml, relations, &part);

	if (kind < 0) {
		DocReason fault = zip_parts_fault(ooxml->zip);
		if (zip_parts_encrypted(ooxml->zip))
			fault = REASON_ENCRYPTED;
		return sink_fail(ooxml->sink, fault ? fault : REASON_DAMAGED, NULL);
	}
	props_read(ooxml, relations);
	read_main(ooxml, kind, part);
	DocReason fault = zip_parts_fault(ooxml->zip);
	if (fault || ooxml->damaged)
		sink_truncated(ooxml->sink, fault ? fault : REASON_DAMAGED, NULL);
	return EXTRACT_DONE;
}

static ExtractResult extract_open(const Input *in, Sink *sink)
{
	bool flat = g_str_has_suffix(in->mime, "ml") && strstr(in->mime, "vnd.ms-");
	g_autoptr(ZipParts) zip =
	        flat ? NULL : zip_parts_open(in->data, in->size, sink, ooxml_is_wanted);
	Ooxml ooxml = {.in = in, .sink = sink, .zip = zip};
	flow_init(&ooxml.flow, sink);
	ooxml.claimed = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	ExtractResult result = flat ? read_flat(&ooxml) : read_package(&ooxml);
	flow_finish(&ooxml.flow);
	g_hash_table_unref(ooxml.claimed);
	bool nothing = result == EXTRACT_DONE && !ooxml.flow.any && !ooxml.any_fact;
	return nothing ? EXTRACT_NOTHING : result;
}

static ExtractResult ooxml_extract(const Input *in, Sink *sink)
{
	DocReason reason;
	if (!ole_is(in))
		return extract_open(in, sink);
	g_autoptr(GBytes) package = encrypted_package_open(in, &reason);
	if (!package)
		return sink_fail(sink, reason, NULL);
	Input open = *in;
	open.data = g_bytes_get_data(package, &open.size);
	return extract_open(&open, sink);
}

/* The picture that the program stored (ECMA-376, part 2, "Thumbnail Part"). */
static ExtractResult ooxml_draw(const Input *in, Sink *sink)
{
	g_autoptr(ZipParts) zip = zip_parts_open(in->data, in->size, sink, NULL);
	g_autoptr(Relations) relations = package_relations(zip, "");
	const Relation *thumbnail = ooxml_related(relations, "thumbnail");
	return zip_part_draw(zip, thumbnail ? thumbnail->target : NULL);
}

static const char *ooxml_preload(void)
{
	xmlInitParser();
	ole_preload();
	return NULL;
}

#define TYPE_OPEN "application/vnd.openxmlformats-officedocument."
#define TYPE_MICROSOFT "application/vnd.ms-"

static const char *const mime_types[] = {
        TYPE_OPEN "wordprocessingml.document",
        TYPE_OPEN "wordprocessingml.template",
        TYPE_OPEN "spreadsheetml.sheet",
        TYPE_OPEN "spreadsheetml.template",
        TYPE_OPEN "presentationml.presentation",
        TYPE_OPEN "presentationml.template",
        TYPE_OPEN "presentationml.slideshow",
        TYPE_MICROSOFT "word.document.macroenabled.12",
        TYPE_MICROSOFT "word.template.macroenabled.12",
        TYPE_MICROSOFT "excel.sheet.macroenabled.12",
        TYPE_MICROSOFT "excel.template.macroenabled.12",
        TYPE_MICROSOFT "excel.addin.macroenabled.12",
        TYPE_MICROSOFT "excel.sheet.binary.macroenabled.12",
        TYPE_MICROSOFT "powerpoint.presentation.macroenabled.12",
        TYPE_MICROSOFT "powerpoint.template.macroenabled.12",
        TYPE_MICROSOFT "powerpoint.slideshow.macroenabled.12",
        TYPE_MICROSOFT "powerpoint.addin.macroenabled.12",
        TYPE_MICROSOFT "wordml",
        TYPE_MICROSOFT "word2006ml",
        TYPE_MICROSOFT "spreadsheetml",
        /* the sniffed type of a file with a password */
        "application/encrypted",
        "application/cdfv2-encrypted",
        NULL,
};

const Extractor tarsier_extractor = {
        .abi = EXTRACTOR_ABI,
        .name = "ooxml",
        .version = 23,
        .library = "libxml2 " LIBXML_DOTTED_VERSION ", " ARCHIVE_VERSION_STRING
                   ", libgsf " GSF_VERSION ", nettle",
        .lane = LANE_CHEAP,
        .mime_types = mime_types,
        .preload = ooxml_preload,
        .extract = ooxml_extract,
        .draw = ooxml_draw,
};
