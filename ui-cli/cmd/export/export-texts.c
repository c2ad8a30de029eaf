/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/export/export-texts.h"
#include "common/base/autofd.h"
#include "common/sandbox/converter.h"
#include "ui-cli/app/convert-file.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { BATCH_MOST = 1024, BATCH_BYTES = 4 << 20 }; /* small files that are converted together */
enum { LONG_US = 10000 };

struct ExportTexts {
	Cli *cli;
	Converter *converter; /* NULL: none is started yet */
	GPtrArray *batch; /* of ExportJob: opened, not ended */
	uint64_t batch_bytes; /* of their files */
	GQueue again; /* ExportJob, borrowed: slow work was left out, which is done alone */
};

/* The conversion of one file. */
typedef struct {
	ExportTexts *texts;
	GPtrArray *infos;
	GHashTable *rows; /* member, or "" for the file itself -> Info; both borrowed */
	GHashTable *told; /* of Info: those that f was called for */
	ExportTextFunc f;
	void *data;
	GDestroyNotify free_data;
	ConvertSource source;
	GBytes *bytes; /* instead of the source's descriptor, of a small file */
} ExportJob;

static void export_job_free(ExportJob *job)
{
	g_ptr_array_unref(job->infos);
	g_hash_table_unref(job->rows);
	g_hash_table_unref(job->told);
	if (job->free_data)
		job->free_data(job->data);
	convert_source_clear(&job->source);
	g_clear_pointer(&job->bytes, g_bytes_unref);
	g_free(job);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ExportJob, export_job_free)

ExportTexts *export_texts_new(Cli *cli)
{
	ExportTexts *texts = g_new0(ExportTexts, 1);
	texts->cli = cli;
	texts->batch = g_ptr_array_new_with_free_func((GDestroyNotify)export_job_free);
	return texts;
}

void export_texts_free(ExportTexts *texts)
{
	if (!texts)
		return;
	converter_free(texts->converter);
	g_queue_clear(&texts->again);
	g_ptr_array_unref(texts->batch);
	g_free(texts);
}

/* A target may take longer than a conversion. */
static void export_job_tell(ExportJob *job, const Info *info, const Document *doc)
{
	int64_t began_us = g_get_monotonic_time();
	g_hash_table_add(job->told, (gpointer)info);
	job->f(info, doc, job->data);
	int64_t us = g_get_monotonic_time() - began_us;
	if (us > LONG_US && job->texts->converter)
		converter_add_time(job->texts->converter, us);
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

static bool export_job_is_small(const ExportJob *job)
{
	return job->source.size <= WIRE_ENCLOSED_BYTES;
}

static void on_export_done(const ConvertResult *result, void *data)
{
	ExportJob *job = data;
	if (result->left_out)
		g_queue_push_tail(&job->texts->again, job);
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

/* Reads the bytes of a small file. NULL: it is not as long as it was. */
static GBytes *export_read_small(int fd, size_t size)
{
	g_autofree uint8_t *bytes = g_malloc(size);
	size_t total = 0;
	ssize_t got = 1;
	while (got > 0 && total < size) {
		got = TEMP_FAILURE_RETRY(read(fd, bytes + total, size - total));
		total += MAX(got, 0);
	}
	return total == size ? g_bytes_new_take(g_steal_pointer(&bytes), size) : NULL;
}

/* False: the file is gone, or has changed. */
static bool export_job_open(ExportJob *job)
{
	const Info *file = job->infos->pdata[0];
	ConvertSource *source = &job->source;
	if (!convert_source_open(job->texts->cli, file, source, NULL))
		return false;
	if (!export_job_is_small(job))
		return true;
	if (source->size > 0)
		job->bytes = export_read_small(source->fd, source->size);
	close(autofd_steal(&source->fd));
	return job->bytes || source->size == 0;
}

/* slow: slow work is done too, alone in its child. */
static void export_job_submit(ExportJob *job, bool slow)
{
	static const ConvertCallbacks callbacks = {
	        .document = on_export_document, .done = on_export_done};
	ExportTexts *texts = job->texts;
	ConvertRequest request = {.fd = autofd_steal(&job->source.fd),
	        .bytes = job->bytes,
	        .size = job->source.size,
	        .name = job->source.name,
	        .scope = job->source.scope,
	        .purpose = job->source.purpose,
	        .url = job->source.url,
	        .charset = job->source.charset,
	        .slow = slow,
	        .limits = settings_limits(cli_settings(texts->cli, NULL))};
	converter_submit(texts->converter, &request, &callbacks, job);
}

static void export_texts_wait(ExportTexts *texts)
{
	while (converter_in_work(texts->converter) > 0)
		g_main_context_iteration(NULL, TRUE);
}

static void export_job_read_cache(ExportJob *job)
{
	Reader *reader = job->texts->cli->reader;
	for (guint i = 0; i < job->infos->len; i++) {
		const Info *info = job->infos->pdata[i];
		g_autoptr(Document) doc = reader_cached_text(reader, info->document, NULL);
		if (doc)
			export_job_tell(job, info, doc);
		else
			g_hash_table_insert(job->rows, info->member ? info->member : (char *)"",
			        (gpointer)info);
	}
}

static void export_job_end(ExportJob *job)
{
	for (guint i = 0; i < job->infos->len; i++)
		if (!g_hash_table_contains(job->told, job->infos->pdata[i]))
			job->f(job->infos->pdata[i], NULL, job->data);
}

/* A file that failed would fail again, after as much time; one without an extractor has no text. */
static bool export_is_convertible(const Info *file)
{
	return file->member || (file->state != STATE_FAILED && file->extractor);
}

static int compare_job_scopes(gconstpointer a, gconstpointer b)
{
	const ExportJob *one = *(ExportJob *const *)a, *other = *(ExportJob *const *)b;
	return strcmp(one->source.scope, other->source.scope);
}

/* slow: as for export_job_submit(), of all that wait. */
static void export_texts_convert(ExportTexts *texts, bool slow)
{
	if (texts->batch->len == 0)
		return;
	g_ptr_array_sort(texts->batch, compare_job_scopes);
	converter_collect(texts->converter, true);
	for (guint i = 0; i < texts->batch->len; i++)
		export_job_submit(texts->batch->pdata[i], slow);
	converter_collect(texts->converter, false);
	export_texts_wait(texts);
	for (ExportJob *job; (job = g_queue_pop_head(&texts->again));)
		export_job_submit(job, true);
	export_texts_wait(texts);
	for (guint i = 0; i < texts->batch->len; i++)
		export_job_end(texts->batch->pdata[i]);
	g_ptr_array_set_size(texts->batch, 0);
	texts->batch_bytes = 0;
}

void export_texts_flush(ExportTexts *texts)
{
	export_texts_convert(texts, false);
}

/* Small files wait for others. A large one may need slow work, which is done alone. */
static void export_texts_take(ExportTexts *texts, ExportJob *job)
{
	bool small = export_job_is_small(job);
	if (!small)
		export_texts_flush(texts);
	g_ptr_array_add(texts->batch, job);
	texts->batch_bytes += job->source.size;
	if (!small)
		export_texts_convert(texts, true);
	else if (texts->batch->len >= BATCH_MOST || texts->batch_bytes >= BATCH_BYTES)
		export_texts_flush(texts);
}

bool export_texts_add(ExportTexts *texts, GPtrArray *infos, ExportTextFunc f, void *data,
        GDestroyNotify free_data, GError **error)
{
	g_autoptr(ExportJob) job = g_new0(ExportJob, 1);
	*job = (ExportJob){.texts = texts,
	        .infos = g_ptr_array_ref(infos),
	        .rows = g_hash_table_new(g_str_hash, g_str_equal),
	        .told = g_hash_table_new(NULL, NULL),
	        .f = f,
	        .data = data,
	        .free_data = free_data,
	        .source = {.fd = -1}};
	export_job_read_cache(job);
	if (g_hash_table_size(job->rows) > 0 && export_is_convertible(infos->pdata[0])) {
		if (!export_texts_start(texts, error))
			return false;
		if (export_job_open(job)) {
			export_texts_take(texts, g_steal_pointer(&job));
			return true;
		}
	}
	export_job_end(job);
	return true;
}
