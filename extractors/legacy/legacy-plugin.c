/* SPDX-License-Identifier: GPL-3.0-or-later */
/* legacy-plugin.c - the plugin for old Office files; chooses the reader by the streams of the
 * file */
#include <config.h>
#include "extractors/legacy/legacy.h"
#include <gio/gio.h>

static const struct {
	const char *stream;
	ExtractResult (*extract)(Ole *ole);
} readers[] = {
        {"WordDocument", word_extract},
        {"Workbook", book_extract},
        {"Book", book_extract},
        {"PP97_DUALSTORAGE", slides_extract_dual},
        {"PowerPoint Document", slides_extract},
        {"__properties_version1.0", message_extract},
        {"BodyText", hangul_extract},
};

static bool legacy_plugin_has_child(GsfInfile *root, const char *name)
{
	GsfInput *child = ole_child(root, name);
	if (!child)
		return false;
	g_object_unref(child);
	return true;
}

static ExtractResult run_reader(Ole *ole)
{
	for (size_t i = 0; i < G_N_ELEMENTS(readers); i++)
		if (legacy_plugin_has_child(ole->root, readers[i].stream))
			return readers[i].extract(ole);
	return EXTRACT_NOTHING;
}

/* Word 1 and 2, Excel 2 to 5: the file is what later versions store as a stream. */
static const struct {
	uint8_t bytes[4];
	ExtractResult (*extract)(Ole *ole);
} bare_readers[] = {
        {{0xdb, 0xa5, 0x2d, 0x00}, word_extract_bare},
        {{0x9b, 0xa5, 0x21, 0x00}, word_extract_bare},
        {{0xdc, 0xa5, 0x65, 0x00}, word_extract_bare},
        {{0xdc, 0xa5, 0x68, 0x00}, word_extract_bare},
        {{0x09, 0x00, 0x04, 0x00}, book_extract_bare},
        {{0x09, 0x02, 0x06, 0x00}, book_extract_bare},
        {{0x09, 0x04, 0x06, 0x00}, book_extract_bare},
        {{0x09, 0x08, 0x08, 0x00}, book_extract_bare},
        {{0x09, 0x08, 0x10, 0x00}, book_extract_bare},
};

/* What is missing of a file that was cut looks as if it had never been there. */
static ExtractResult legacy_plugin_end(const Input *in, Sink *sink, ExtractResult result)
{
	static const char detail[] = "the end of the file is missing";
	if (result == EXTRACT_FAILED || !ole_is_cut(in))
		return result;
	if (result == EXTRACT_NOTHING)
		return sink_fail(sink, REASON_DAMAGED, detail);
	sink_truncated(sink, REASON_DAMAGED, detail);
	return result;
}

static ExtractResult extract_container(const Input *in, Sink *sink)
{
	g_autoptr(GError) error = NULL;
	Ole ole = {.in = in, .sink = sink, .root = ole_open(in, &error)};
	if (!ole.root)
		return sink_fail(sink, REASON_DAMAGED, error ? error->message : NULL);
	flow_init(&ole.flow, sink);
	summary_read(&ole);
	ExtractResult result = run_reader(&ole);
	flow_finish(&ole.flow);
	g_object_unref(ole.root);
	return legacy_plugin_end(in, sink, result);
}

static ExtractResult legacy_plugin_extract(const Input *in, Sink *sink)
{
	for (size_t i = 0; in->size >= 4 && i < G_N_ELEMENTS(bare_readers); i++) {
		if (memcmp(in->data, bare_readers[i].bytes, 4) != 0)
			continue;
		Ole ole = {.in = in, .sink = sink};
		flow_init(&ole.flow, sink);
		ExtractResult result = bare_readers[i].extract(&ole);
		flow_finish(&ole.flow);
		return result;
	}
	return extract_container(in, sink);
}

static const char *legacy_plugin_preload(void)
{
	ole_preload();
	/* registers the class before the sandbox */
	g_type_class_unref(g_type_class_ref(G_TYPE_ZLIB_DECOMPRESSOR));
	return NULL;
}

static const char *const mime_types[] = {
        "application/msword",
        "application/vnd.ms-excel",
        "application/vnd.ms-powerpoint",
        "application/vnd.ms-outlook",
        "application/x-hwp",
        "application/x-ole-storage",
        NULL,
};

const Extractor tarsier_extractor = {
        .abi = EXTRACTOR_ABI,
        .name = "legacy",
        .version = 24,
        .library = "libgsf " GSF_VERSION ", nettle",
        .lane = LANE_OWN,
        .mime_types = mime_types,
        .preload = legacy_plugin_preload,
        .extract = legacy_plugin_extract,
};
