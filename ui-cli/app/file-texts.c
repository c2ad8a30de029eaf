/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/file-texts.h"
#include "common/base/paths.h"
#include "common/sandbox/converter.h"
#include "common/sandbox/lane.h"
#include "ui-cli/app/convert-file.h"
#include "ui-cli/app/open-file.h"
#include <string.h>

enum { SMALL_BYTES = 64 << 10, FILE_MAX_BYTES = 64 << 20 };

/* One file. Its documents and "done" are guarded by the mutex; all else is const after the start.
 */
typedef struct {
	FileTexts *texts;
	Info info; /* only path and stat */
	PageBytes *page; /* instead of a file; NULL: none */
	bool light; /* the light plugins are probably enough */
	GHashTable *documents; /* member ("" for the file itself) -> Document, or NULL: wanted */
	bool done;
} TextFile;

struct FileTexts {
	gatomicrefcount references; /* the caller and each thread */
	GMutex mutex;
	GCond changed;
	GHashTable *by_path; /* path -> TextFile */
	GPtrArray *files; /* TextFile, owned, in the order in which they were added */
	GPtrArray *lanes[N_LANES]; /* TextFile, those to convert; NULL: none */
	GQueue waiting; /* GPtrArray of TextFile: lanes that no thread has taken yet */
	GPtrArray *contexts; /* GMainContext of each thread that runs */
	GPtrArray *roots; /* char * */
	ConverterOptions options;
	ExtractLimits limits;
	unsigned workers, budget_ms;
	int64_t end_us; /* monotonic; then everything is given up */
	bool stopped; /* nobody waits for texts any more */
};

static const char *const light_plugins[] = {"text", "html", "markup", NULL};

/* ---- one file */

static void text_file_free(gpointer data)
{
	TextFile *file = data;
	g_free(file->info.path);
	page_bytes_free(file->page);
	g_hash_table_unref(file->documents);
	g_free(file);
}

static void free_document(gpointer doc)
{
	if (doc)
		document_free(doc);
}

static TextFile *text_file_new(FileTexts *texts, const Info *info)
{
	TextFile *file = g_new0(TextFile, 1);
	file->texts = texts;
	file->info.path = g_strdup(info->path);
	file->info.stat = info->stat;
	file->light =
	        !info->member && info->extractor && g_strv_contains(light_plugins, info->extractor);
	file->documents = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_document);
	file->done = info->stat.size > FILE_MAX_BYTES;
	return file;
}

static const char *key_of(const char *member)
{
	return member ? member : "";
}

/* Small files are equal; the others are ordered by powers of four. */
static unsigned cost_class(const TextFile *file)
{
	unsigned class = 0;
	for (int64_t size = file->info.stat.size; size > SMALL_BYTES; size /= 4)
		class ++;
	return class;
}

/* ---- life */

FileTexts *file_texts_new(
        const Settings *settings, const GPtrArray *roots, unsigned workers, unsigned budget_ms)
{
	FileTexts *texts = g_new0(FileTexts, 1);
	g_atomic_ref_count_init(&texts->references);
	g_mutex_init(&texts->mutex);
	g_cond_init(&texts->changed);
	texts->by_path = g_hash_table_new(g_str_hash, g_str_equal);
	texts->files = g_ptr_array_new_with_free_func(text_file_free);
	texts->contexts = g_ptr_array_new();
	texts->roots = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; i < roots->len; i++)
		g_ptr_array_add(texts->roots, g_strdup(roots->pdata[i]));
	g_queue_init(&texts->waiting);
	texts->options = convert_options(settings);
	texts->limits = settings_limits(settings);
	texts->workers = CLAMP(workers, 1, g_get_num_processors());
	texts->budget_ms = budget_ms;
	texts->end_us = g_get_monotonic_time() + FILE_TEXTS_MAX_MS * INT64_C(1000);
	return texts;
}

static void file_texts_unref(FileTexts *texts)
{
	if (!g_atomic_ref_count_dec(&texts->references))
		return;
	for (size_t i = 0; i < N_LANES; i++)
		if (texts->lanes[i])
			g_ptr_array_unref(texts->lanes[i]);
	g_queue_clear(&texts->waiting);
	g_hash_table_unref(texts->by_path);
	g_ptr_array_unref(texts->files);
	g_ptr_array_unref(texts->contexts);
	g_ptr_array_unref(texts->roots);
	g_mutex_clear(&texts->mutex);
	g_cond_clear(&texts->changed);
	g_free(texts);
}

void file_texts_free(FileTexts *texts)
{
	if (!texts)
		return;
	g_mutex_lock(&texts->mutex);
	texts->stopped = true;
	for (guint i = 0; i < texts->contexts->len; i++)
		g_main_context_wakeup(texts->contexts->pdata[i]);
	g_mutex_unlock(&texts->mutex);
	file_texts_unref(texts);
}

/* ---- a thread: the files of a lane */

static bool time_is_over(FileTexts *texts, int64_t end_us)
{
	g_mutex_lock(&texts->mutex);
	bool over = texts->stopped || g_get_monotonic_time() >= end_us;
	g_mutex_unlock(&texts->mutex);
	return over;
}

static void on_text(Document *doc, void *data)
{
	TextFile *file = data;
	const char *key = key_of(doc->member);
	g_mutex_lock(&file->texts->mutex);
	bool wanted = g_hash_table_contains(file->documents, key);
	if (wanted)
		g_hash_table_insert(file->documents, g_strdup(key), doc);
	g_cond_broadcast(&file->texts->changed);
	g_mutex_unlock(&file->texts->mutex);
	if (!wanted)
		document_free(doc);
}

static void set_done(TextFile *file)
{
	g_mutex_lock(&file->texts->mutex);
	file->done = true;
	g_cond_broadcast(&file->texts->changed);
	g_mutex_unlock(&file->texts->mutex);
}

static void on_text_end(const ConvertResult *result, void *data)
{
	set_done(data);
}

static int open_text_file(const TextFile *file, uint64_t *size_r)
{
	return file->page ? page_bytes_open(file->page, size_r, NULL)
	                  : open_indexed(file->texts->roots, &file->info, size_r, NULL);
}

static const char *text_file_name(const TextFile *file)
{
	return file->page ? file->page->name : path_base_name(file->info.path);
}

static void submit_file(Converter *converter, TextFile *file, int64_t end_us)
{
	static const ConvertCallbacks callbacks = {.document = on_text, .done = on_text_end};
	const FileTexts *texts = file->texts;
	int64_t left_ms = (end_us - g_get_monotonic_time()) / 1000;
	ConvertRequest request = {
	        .name = text_file_name(file), .limits = texts->limits, .slow = true};

	if (file->page) {
		request.purpose = file->page->purpose;
		request.url = file->page->url;
		request.charset = file->page->charset;
	}
	request.fd = left_ms > 0 ? open_text_file(file, &request.size) : -1;
	if (request.fd < 0) {
		set_done(file);
		return;
	}
	request.limits.wall_ms = left_ms;
	converter_submit(converter, &request, &callbacks, file);
}

/* Most hits are plain text or HTML pages: the converter need not load the other plugins for them.
 */
static bool are_light(const GPtrArray *files)
{
	for (guint i = 0; i < files->len; i++)
		if (!((const TextFile *)files->pdata[i])->light)
			return false;
	return true;
}

static gboolean on_time_over(gpointer data)
{
	return G_SOURCE_REMOVE;
}

static void wait_for_all(
        FileTexts *texts, const Converter *converter, GMainContext *context, int64_t end_us)
{
	int64_t left_ms = (end_us - g_get_monotonic_time()) / 1000;
	GSource *timer = g_timeout_source_new(MAX(left_ms, 0) + 1);
	g_source_set_callback(timer, on_time_over, NULL, NULL);
	g_source_attach(timer, context);
	while (converter_in_work(converter) > 0 && !time_is_over(texts, end_us))
		g_main_context_iteration(context, TRUE);
	g_source_destroy(timer);
	g_source_unref(timer);
}

static void convert_files(
        FileTexts *texts, Converter *converter, const GPtrArray *files, GMainContext *context)
{
	int64_t end_us = g_get_monotonic_time() + texts->budget_ms * INT64_C(1000);
	end_us = MIN(end_us, texts->end_us);
	for (guint i = 0; i < files->len; i++)
		submit_file(converter, files->pdata[i], end_us);
	wait_for_all(texts, converter, context, end_us);
}

static void convert_lane(
        FileTexts *texts, GPtrArray *files, unsigned children, GMainContext *context)
{
	ConverterOptions options = texts->options;
	g_autoptr(GError) error = NULL;
	options.children = children;
	if (are_light(files))
		options.light_plugins = light_plugins;
	else
		options.first_name = text_file_name(files->pdata[0]);
	g_autoptr(Converter) converter = converter_start(&options, &error);
	if (converter)
		convert_files(texts, converter, files, context);
	else
		g_info("cannot show text passages: %s", error->message);
	for (guint i = 0; i < files->len; i++)
		set_done(files->pdata[i]);
}

/* The next lane without a thread, or NULL. */
static GPtrArray *take_lane(FileTexts *texts)
{
	g_mutex_lock(&texts->mutex);
	GPtrArray *files = texts->stopped ? NULL : g_queue_pop_head(&texts->waiting);
	g_mutex_unlock(&texts->mutex);
	return files;
}

static void note_context(FileTexts *texts, GMainContext *context, bool runs)
{
	g_mutex_lock(&texts->mutex);
	if (runs)
		g_ptr_array_add(texts->contexts, context);
	else
		g_ptr_array_remove_fast(texts->contexts, context);
	g_mutex_unlock(&texts->mutex);
}

typedef struct {
	FileTexts *texts; /* a reference */
	unsigned children; /* concurrent conversions */
} TextThread;

static gpointer convert_lanes(gpointer data)
{
	g_autofree TextThread *thread = data;
	FileTexts *texts = thread->texts;
	GMainContext *context = g_main_context_new();
	g_main_context_push_thread_default(context);
	note_context(texts, context, true);
	for (GPtrArray *files; (files = take_lane(texts));)
		convert_lane(texts, files, thread->children, context);
	note_context(texts, context, false);
	g_main_context_pop_thread_default(context);
	g_main_context_unref(context);
	file_texts_unref(texts);
	return NULL;
}

/* ---- the interface */

void file_texts_add(FileTexts *texts, const Info *info, PageBytes *page)
{
	TextFile *file = g_hash_table_lookup(texts->by_path, info->path);
	if (file) {
		page_bytes_free(page);
	} else {
		file = text_file_new(texts, info);
		file->page = page;
		g_ptr_array_add(texts->files, file);
		g_hash_table_insert(texts->by_path, file->info.path, file);
	}
	g_hash_table_insert(file->documents, g_strdup(key_of(info->member)), NULL);
}

/* Adds a file to its lane, after those that cost as much. */
static void file_texts_plan(FileTexts *texts, TextFile *file)
{
	GPtrArray **lane = &texts->lanes[lane_by_name(text_file_name(file))];
	if (!*lane) {
		*lane = g_ptr_array_new();
		g_queue_push_tail(&texts->waiting, *lane);
	}
	guint at = (*lane)->len;
	while (at > 0 && cost_class((*lane)->pdata[at - 1]) > cost_class(file))
		at--;
	g_ptr_array_insert(*lane, at, file);
}

static bool start_thread(FileTexts *texts, unsigned children)
{
	TextThread *thread = g_new(TextThread, 1);
	*thread = (TextThread){texts, children};
	g_atomic_ref_count_inc(&texts->references);
	GThread *started = g_thread_try_new("texts", convert_lanes, thread, NULL);
	if (started) {
		g_thread_unref(started);
		return true;
	}
	(void)!g_atomic_ref_count_dec(&texts->references);
	g_free(thread);
	return false;
}

void file_texts_start(FileTexts *texts)
{
	g_mutex_lock(&texts->mutex);
	for (guint i = 0; i < texts->files->len; i++) {
		TextFile *file = texts->files->pdata[i];
		if (!file->done)
			file_texts_plan(texts, file);
	}
	unsigned lanes = texts->waiting.length, threads = MIN(lanes, texts->workers), started = 0;
	while (started < threads && start_thread(texts, texts->workers / threads))
		started++;
	texts->stopped = started == 0;
	g_mutex_unlock(&texts->mutex);
}

static bool is_settled(const FileTexts *texts, const TextFile *file, const char *key)
{
	return texts->stopped || file->done || g_hash_table_lookup(file->documents, key);
}

bool file_texts_is_ready(FileTexts *texts, const Info *info)
{
	TextFile *file = g_hash_table_lookup(texts->by_path, info->path);
	g_mutex_lock(&texts->mutex);
	bool ready = !file || is_settled(texts, file, key_of(info->member));
	g_mutex_unlock(&texts->mutex);
	return ready || g_get_monotonic_time() >= texts->end_us;
}

Document *file_texts_take(FileTexts *texts, const Info *info)
{
	TextFile *file = g_hash_table_lookup(texts->by_path, info->path);
	const char *key = key_of(info->member);
	gpointer name = NULL, doc = NULL;
	if (!file)
		return NULL;
	g_mutex_lock(&texts->mutex);
	while (!is_settled(texts, file, key) &&
	        g_cond_wait_until(&texts->changed, &texts->mutex, texts->end_us))
		;
	if (g_hash_table_steal_extended(file->documents, key, &name, &doc))
		g_free(name);
	g_mutex_unlock(&texts->mutex);
	return doc;
}
