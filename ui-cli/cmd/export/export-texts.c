/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/export/export-texts.h"
#include "common/base/autofd.h"
#include "common/sandbox/converter.h"
#include "ui-cli/app/convert-file.h"
#include <string.h>

struct ExportTexts {
	Cli *cli;
	Converter *converter; /* NULL: none is started yet */
};

/* The conversion of one file. */
typedef struct {
	const GPtrArray *infos;
	GHashTable *rows; /* member, or "" for the file itself -> Info; both borrowed */
	GHashTable *told; /* of Info: those that f was called for */
	ExportTextFunc f;
	void *data;
	bool done;
} ExportJob;

ExportTexts *export_texts_new(Cli *cli)
{
	ExportTexts *texts = g_new0(ExportTexts, 1);
	texts->cli = cli;
	return texts;
}

void export_texts_free(ExportTexts *texts)
{
	if (!texts)
		return;
	converter_free(texts->converter);
	g_free(texts);
}

static void export_job_tell(ExportJob *job, const Info *info, const Document *doc)
{
	g_hash_table_add(job->told, (gpointer)info);
	job->f(info, doc, job->data);
}

/* A container with one member may give it no name; the index then has the name of the first of
 * equal files. */
static const Info *export_job_row(const ExportJob *job, const Document *doc)
{
	const Info *info = g_hash_table_lookup(job->rows, doc->member ? doc->member : "");
	if (info || !doc->member || job->infos->len != 2)
		return info;
	info = job->infos->pdata[0];
	return info->member ? info : job->infos->pdata[1];
}

static void on_export_document(Document *doc, void *data)
{
	ExportJob *job = data;
	const Info *info = export_job_row(job, doc);
	if (info)
		export_job_tell(job, info, doc);
	document_free(doc);
}

static void on_export_done(const ConvertResult *result, void *data)
{
	((ExportJob *)data)->done = true;
}

static bool export_texts_start(ExportTexts *texts, GError **error)
{
	const Settings *settings = texts->converter ? NULL : cli_settings(texts->cli, error);
	if (texts->converter || !settings)
		return texts->converter != NULL;
	ConverterOptions options = convert_options(settings);
	options.background = true;
	texts->converter = converter_start(&options, error);
	return texts->converter != NULL;
}

static bool export_texts_convert(ExportTexts *texts, ExportJob *job, GError **error)
{
	static const ConvertCallbacks callbacks = {
	        .document = on_export_document, .done = on_export_done};
	const Info *file = job->infos->pdata[0];
	g_auto(ConvertSource) source = {.fd = -1};
	if (!export_texts_start(texts, error))
		return false;
	if (!convert_source_open(texts->cli, file, &source, NULL))
		return true; /* it is gone, or has changed */
	g_autofree char *scope = g_path_get_dirname(file->path);
	ConvertRequest request = {.size = source.size,
	        .name = source.name,
	        .scope = scope,
	        .purpose = source.purpose,
	        .url = source.url,
	        .slow = true,
	        .limits = settings_limits(cli_settings(texts->cli, NULL))};
	request.fd = autofd_steal(&source.fd);
	converter_submit(texts->converter, &request, &callbacks, job);
	while (!job->done)
		g_main_context_iteration(NULL, TRUE);
	return true;
}

static void export_job_read_cache(ExportTexts *texts, ExportJob *job)
{
	for (guint i = 0; i < job->infos->len; i++) {
		const Info *info = job->infos->pdata[i];
		g_autoptr(Document) doc =
		        reader_cached_text(texts->cli->reader, info->document, NULL);
		if (doc)
			export_job_tell(job, info, doc);
	}
}

/* A file that failed would fail again, after as much time; one without an extractor has no text. */
static bool export_is_convertible(const Info *file)
{
	return file->member || (file->state != STATE_FAILED && file->extractor);
}

bool export_texts_read(
        ExportTexts *texts, const GPtrArray *infos, ExportTextFunc f, void *data, GError **error)
{
	g_autoptr(GHashTable) rows = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GHashTable) told = g_hash_table_new(NULL, NULL);
	ExportJob job = {.infos = infos, .rows = rows, .told = told, .f = f, .data = data};
	export_job_read_cache(texts, &job);
	for (guint i = 0; i < infos->len; i++) {
		const Info *info = infos->pdata[i];
		if (!g_hash_table_contains(told, info))
			g_hash_table_insert(
			        rows, info->member ? info->member : (char *)"", (gpointer)info);
	}
	bool missing = g_hash_table_size(rows) > 0 && export_is_convertible(infos->pdata[0]);
	if (missing && !export_texts_convert(texts, &job, error))
		return false;
	for (guint i = 0; i < infos->len; i++)
		if (!g_hash_table_contains(told, infos->pdata[i]))
			f(infos->pdata[i], NULL, data);
	return true;
}
