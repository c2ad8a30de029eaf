/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/snippets.h"
#include "common/sandbox/converter.h"
#include "ui-cli/app/convert-file.h"
#include "ui-cli/app/open-file.h"
#include <string.h>

enum { CHILDREN = 2, FILE_MAX_BYTES = 64 << 20 };

struct Snippets {
	const SearchResult *result;
	const Query *query;
	const SnippetLimits *limits;
	const Settings *settings;
	const GPtrArray *roots; /* char *; NULL: they cannot be read */
	GPtrArray *found; /* for each hit a GPtrArray of Snippet, or NULL */
	GArray *jobs; /* SnippetJob */
	Converter *converter; /* NULL if there is nothing to convert */
	guint timer; /* 0 if the time is over or there is nothing to wait for */
	int64_t end_us;
};

/* One file to convert, for all hits in it. */
typedef struct {
	Snippets *work;
	const Info *info; /* of the first of these hits */
	bool done;
} SnippetJob;

static void clear_snippets(gpointer snippets)
{
	if (snippets)
		g_ptr_array_unref(snippets);
}

static const Hit *hit_at(const Snippets *work, guint i)
{
	return g_ptr_array_index(work->result->hits, i);
}

static void use_text(Snippets *work, guint i, const Document *doc)
{
	GPtrArray *snippets =
	        snippet_make(doc, work->query, work->limits->per_hit, work->limits->chars);
	clear_snippets(work->found->pdata[i]);
	work->found->pdata[i] = snippets;
}

static bool snippets_has_text(const Hit *hit)
{
	return hit->info.document != 0 && hit->info.state == STATE_OK;
}

static void snippets_on_document(Document *doc, void *data)
{
	SnippetJob *job = data;
	Snippets *work = job->work;

	for (guint i = 0; i < work->result->hits->len; i++) {
		const Info *info = &hit_at(work, i)->info;
		if (strcmp(info->path, job->info->path) == 0 &&
		        g_strcmp0(info->member, doc->member) == 0)
			use_text(work, i, doc);
	}
	document_free(doc);
}

static void snippets_on_done(const ConvertResult *result, void *data)
{
	((SnippetJob *)data)->done = true;
}

static void snippets_submit(Converter *converter, SnippetJob *job)
{
	static const ConvertCallbacks callbacks = {
	        .document = snippets_on_document, .done = snippets_on_done};
	const char *slash = strrchr(job->info->path, '/');
	ConvertRequest request = {.name = slash ? slash + 1 : job->info->path,
	        .limits = settings_limits(job->work->settings),
	        .slow = true};

	request.fd = open_indexed(job->work->roots, job->info, &request.size, NULL);
	job->done = request.fd < 0;
	if (job->done)
		return;
	request.limits.wall_ms = job->work->limits->budget_ms;
	converter_submit(converter, &request, &callbacks, job);
}

static gboolean on_expired(gpointer data)
{
	((Snippets *)data)->timer = 0;
	return G_SOURCE_REMOVE;
}

/* The paths to convert without duplicates, best hit first. */
static GArray *jobs_of(Snippets *work)
{
	GArray *jobs = g_array_new(FALSE, FALSE, sizeof(SnippetJob));
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; i < work->result->hits->len; i++) {
		const Hit *hit = hit_at(work, i);
		SnippetJob job = {work, &hit->info, false};
		if (work->found->pdata[i] || !snippets_has_text(hit) ||
		        hit->info.stat.size > FILE_MAX_BYTES)
			continue;
		if (g_hash_table_add(seen, job.info->path))
			g_array_append_val(jobs, job);
	}
	return jobs;
}

/* Most hits are plain text or HTML pages; the converter need not load the other plugins for them.
 * Returns the NULL-terminated names of the plugins that are enough for all hits, or NULL: load
 * all. */
static const char *const *light_plugins(const Snippets *work)
{
	static const char *const light[] = {"text", "html", "markup", NULL};
	const char *const *plugins = light;

	for (guint i = 0; i < work->result->hits->len; i++) {
		const Info *info = &hit_at(work, i)->info;
		bool done = work->found->pdata[i] || !snippets_has_text(hit_at(work, i));
		if (!done && (info->member || !info->extractor ||
		                     !g_strv_contains(light, info->extractor)))
			plugins = NULL;
	}
	return plugins;
}

static void convert_all(Snippets *work)
{
	ConverterOptions options = convert_options(work->settings);
	g_autoptr(GError) error = NULL;
	int64_t left_ms = (work->end_us - g_get_monotonic_time()) / 1000;

	if (left_ms <= 0)
		return;
	options.children = CHILDREN;
	options.light_plugins = light_plugins(work);
	if (!options.light_plugins && work->jobs->len > 0)
		options.first_name = g_array_index(work->jobs, SnippetJob, 0).info->path;
	work->converter = converter_start(&options, &error);
	if (!work->converter) {
		g_info("cannot show text passages: %s", error->message);
		return;
	}
	work->timer = g_timeout_add(left_ms, on_expired, work);
	for (guint i = 0; i < work->jobs->len; i++)
		snippets_submit(work->converter, &g_array_index(work->jobs, SnippetJob, i));
}

Snippets *snippets_new(
        Cli *cli, const SearchResult *result, const Query *query, const SnippetLimits *limits)
{
	Snippets *work = g_new0(Snippets, 1);

	work->result = result;
	work->query = query;
	work->limits = limits;
	work->settings = cli_settings(cli, NULL);
	work->roots = cli_roots(cli, NULL);
	work->end_us = g_get_monotonic_time() + limits->budget_ms * G_GINT64_CONSTANT(1000);
	work->found = g_ptr_array_new_with_free_func(clear_snippets);
	g_ptr_array_set_size(work->found, result->hits->len);
	for (guint i = 0; i < result->hits->len && g_get_monotonic_time() < work->end_us; i++) {
		const Hit *hit = hit_at(work, i);
		g_autoptr(Document) doc = NULL;
		if (snippets_has_text(hit))
			doc = reader_cached_text(cli->reader, hit->info.document, NULL);
		if (doc)
			use_text(work, i, doc);
	}
	work->jobs = jobs_of(work);
	if (work->jobs->len > 0 && work->settings && work->roots)
		convert_all(work);
	return work;
}

static bool is_in_work(const Snippets *work, guint hit)
{
	for (guint i = 0; work->timer != 0 && i < work->jobs->len; i++) {
		const SnippetJob *job = &g_array_index(work->jobs, SnippetJob, i);
		if (!job->done && strcmp(job->info->path, hit_at(work, hit)->info.path) == 0)
			return true;
	}
	return false;
}

const GPtrArray *snippets_of(Snippets *work, guint hit)
{
	while (!work->found->pdata[hit] && is_in_work(work, hit))
		g_main_context_iteration(NULL, TRUE);
	return work->found->pdata[hit];
}

void snippets_free(Snippets *work)
{
	if (!work)
		return;
	if (work->timer != 0)
		g_source_remove(work->timer);
	converter_free(work->converter);
	g_array_unref(work->jobs);
	g_ptr_array_unref(work->found);
	g_free(work);
}
