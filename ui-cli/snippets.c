/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/snippets.h"
#include "common/converter.h"
#include "ui-cli/convert-file.h"
#include "ui-cli/open-file.h"
#include <string.h>

enum { CHILDREN = 2, FILE_MAX_BYTES = 64 << 20 };

typedef struct {
	const SearchResult *result;
	const Query *query;
	const SnippetWish *wish;
	const Settings *settings;
	GPtrArray *found; /* as returned */
	unsigned in_work;
	bool expired;
} Work;

/* One file to convert, for all hits in it. */
typedef struct {
	Work *work;
	const char *path; /* of the first of these hits */
} Job;

static void clear_snippets(gpointer snippets)
{
	if (snippets)
		g_ptr_array_unref(snippets);
}

static const Hit *hit_at(const Work *work, guint i)
{
	return g_ptr_array_index(work->result->hits, i);
}

static void use_text(Work *work, guint i, const Document *doc)
{
	GPtrArray *snippets =
	        snippet_make(doc, work->query, work->wish->per_hit, work->wish->chars);
	clear_snippets(work->found->pdata[i]);
	work->found->pdata[i] = snippets;
}

static bool has_text(const Hit *hit)
{
	return hit->info.document != 0 && hit->info.state == STATE_OK;
}

static void on_document(Document *doc, void *data)
{
	Job *job = data;
	Work *work = job->work;

	for (guint i = 0; i < work->result->hits->len; i++) {
		const Info *info = &hit_at(work, i)->info;
		if (strcmp(info->path, job->path) == 0 && g_strcmp0(info->member, doc->member) == 0)
			use_text(work, i, doc);
	}
	document_free(doc);
}

static void on_done(const ConvertResult *result, void *data)
{
	((Job *)data)->work->in_work--;
}

static void submit(Converter *converter, Job *job)
{
	static const ConvertCallbacks callbacks = {.document = on_document, .done = on_done};
	const char *slash = strrchr(job->path, '/');
	ConvertRequest request = {.name = slash ? slash + 1 : job->path,
	        .limits = settings_limits(job->work->settings)};

	request.fd = open_regular(job->path, &request.size, NULL);
	if (request.fd < 0)
		return;
	request.limits.wall_ms = job->work->wish->budget_ms;
	job->work->in_work++;
	converter_submit(converter, &request, &callbacks, job);
}

static gboolean on_expired(gpointer data)
{
	((Work *)data)->expired = true;
	return G_SOURCE_REMOVE;
}

/* Paths to convert, each once, best hit first. */
static GArray *jobs_of(Work *work)
{
	GArray *jobs = g_array_new(FALSE, FALSE, sizeof(Job));
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; i < work->result->hits->len; i++) {
		const Hit *hit = hit_at(work, i);
		Job job = {work, hit->info.path};
		if (work->found->pdata[i] || !has_text(hit) || hit->info.stat.size > FILE_MAX_BYTES)
			continue;
		if (g_hash_table_add(seen, (char *)job.path))
			g_array_append_val(jobs, job);
	}
	return jobs;
}

/* Most hits are plain text or pages: then the converter need not load the rest. NULL-terminated
 * names of the plugins for all hits, or NULL: load everything. */
static const char *const *light_plugins(const Work *work)
{
	static const char *const light[] = {"text", "html", NULL};
	const char *const *plugins = light;

	for (guint i = 0; i < work->result->hits->len; i++) {
		const Info *info = &hit_at(work, i)->info;
		bool done = work->found->pdata[i] || !has_text(hit_at(work, i));
		if (!done && (info->member || !info->extractor ||
		                     !g_strv_contains(light, info->extractor)))
			plugins = NULL;
	}
	return plugins;
}

static void convert_all(Work *work, GArray *jobs)
{
	ConverterOptions options = convert_options(work->settings);
	g_autoptr(GError) error = NULL;
	g_autoptr(Converter) converter = NULL;
	guint timer;

	options.children = CHILDREN;
	options.only = light_plugins(work);
	timer = g_timeout_add(work->wish->budget_ms, on_expired, work);
	converter = converter_start(&options, &error);
	if (!converter)
		g_info("no passages: %s", error->message);
	for (guint i = 0; converter && i < jobs->len; i++)
		submit(converter, &g_array_index(jobs, Job, i));
	while (converter && work->in_work > 0 && !work->expired)
		g_main_context_iteration(NULL, TRUE);
	if (!work->expired)
		g_source_remove(timer);
}

GPtrArray *snippets_for(
        Cli *cli, const SearchResult *result, const Query *query, const SnippetWish *wish)
{
	g_autoptr(GPtrArray) found = g_ptr_array_new_with_free_func(clear_snippets);
	g_autoptr(GArray) jobs = NULL;
	Work work = {result, query, wish, cli_settings(cli, NULL), found};

	g_ptr_array_set_size(found, result->hits->len);
	for (guint i = 0; i < result->hits->len; i++) {
		const Hit *hit = hit_at(&work, i);
		g_autoptr(Document) doc = NULL;
		if (has_text(hit))
			doc = reader_cached_text(cli->reader, hit->info.document, NULL);
		if (doc)
			use_text(&work, i, doc);
	}
	jobs = jobs_of(&work);
	if (jobs->len > 0 && work.settings)
		convert_all(&work, jobs);
	return g_steal_pointer(&found);
}
