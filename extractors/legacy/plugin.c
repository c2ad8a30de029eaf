/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plugin.c - old Office files: which reader takes a compound file, told by its streams */
#include <config.h>
#include "extractors/legacy/ole.h"
#include <gsf/gsf-infile-msole.h>
#include <gsf/gsf-input-memory.h>
#include <gsf/gsf-utils.h>

static const struct {
	const char *stream;
	ExtractResult (*extract)(Ole *ole);
} readers[] = {
        {"WordDocument", word_extract},
        {"Workbook", book_extract},
        {"Book", book_extract},
        {"PowerPoint Document", slides_extract},
        {"__properties_version1.0", message_extract},
};

static bool has_child(GsfInfile *root, const char *name)
{
	GsfInput *child = gsf_infile_child_by_name(root, name);
	if (!child)
		return false;
	g_object_unref(child);
	return true;
}

static ExtractResult run_reader(Ole *ole)
{
	for (size_t i = 0; i < G_N_ELEMENTS(readers); i++)
		if (has_child(ole->root, readers[i].stream))
			return readers[i].extract(ole);
	return EXTRACT_NOTHING;
}

static GsfInfile *open_container(const Input *in, GError **error)
{
	GsfInput *memory = gsf_input_memory_new(in->data, in->size, FALSE);
	GsfInfile *root = gsf_infile_msole_new(memory, error);
	g_object_unref(memory);
	return root;
}

static ExtractResult extract(const Input *in, Sink *sink)
{
	g_autoptr(GError) error = NULL;
	Ole ole = {.in = in, .sink = sink, .root = open_container(in, &error)};
	if (!ole.root)
		return sink_fail(sink, REASON_DAMAGED, error ? error->message : NULL);
	flow_init(&ole.flow, sink);
	summary_read(&ole);
	ExtractResult result = run_reader(&ole);
	flow_finish(&ole.flow);
	g_object_unref(ole.root);
	return result;
}

/* The library takes damage in a file for a mistake of its caller. */
static void ignore_log(const char *domain, GLogLevelFlags level, const char *message, void *data)
{
}

static const char *preload(void)
{
	gsf_init();
	g_log_set_handler("libgsf:msole", G_LOG_LEVEL_MASK, ignore_log, NULL);
	/* registers the classes now */
	g_type_class_unref(g_type_class_ref(GSF_INFILE_MSOLE_TYPE));
	return NULL;
}

static const char *const mime_types[] = {
        "application/msword",
        "application/vnd.ms-excel",
        "application/vnd.ms-powerpoint",
        "application/vnd.ms-outlook",
        "application/x-ole-storage",
        NULL,
};

const Extractor tarsier_extractor = {
        .abi = EXTRACTOR_ABI,
        .name = "legacy",
        .version = 1,
        .library = "libgsf " GSF_VERSION,
        .lane = LANE_OWN,
        .mime_types = mime_types,
        .preload = preload,
        .extract = extract,
};
