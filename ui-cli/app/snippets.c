/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/snippets.h"
#include "common/base/paths.h"
#include "ui-cli/app/file-texts.h"

struct Snippets {
	Cli *cli;
	const SearchResult *result;
	const Query *query;
	SnippetLimits limits;
	GArray *sources; /* SnippetSource for each hit */
	GPtrArray *found; /* for each hit a GPtrArray of Snippet, or NULL */
	FileTexts *texts; /* NULL if no file is converted */
	int64_t end_us;
};

typedef enum {
	SOURCE_NONE, /* no text, or it was asked for already */
	SOURCE_CACHE,
	SOURCE_FILE,
} SnippetSource;

static void clear_snippets(gpointer snippets)
{
	if (snippets)
		g_ptr_array_unref(snippets);
}

static const Info *info_at(const Snippets *work, guint hit)
{
	return &((const Hit *)work->result->hits->pdata[hit])->info;
}

static SnippetSource snippets_source_of(const Snippets *work, const Info *info)
{
	if (info->document == 0 || info->state != STATE_OK)
		return SOURCE_NONE;
	return reader_has_cached_text(work->cli->reader, info->document) ? SOURCE_CACHE
	                                                                 : SOURCE_FILE;
}

static bool time_is_left(const Snippets *work)
{
	return g_get_monotonic_time() < work->end_us;
}

static void snippets_add_file(Snippets *work, const Info *info)
{
	const Settings *settings = cli_settings(work->cli, NULL);
	const GPtrArray *roots = cli_roots(work->cli, NULL);
	if (!work->texts && settings && roots)
		work->texts = file_texts_new(settings, roots,
		        settings_int(settings, "daemon", "converters", NULL),
		        work->limits.budget_ms);
	if (!work->texts)
		return;
	bool is_page = path_is_web(info->path);
	PageBytes *page = is_page ? page_bytes_read(work->cli->reader, info, NULL) : NULL;
	if (page || !is_page)
		file_texts_add(work->texts, info, page);
}

Snippets *snippets_new(
        Cli *cli, const SearchResult *result, const Query *query, const SnippetLimits *limits)
{
	Snippets *work = g_new0(Snippets, 1);
	guint n = result->hits->len;

	*work = (Snippets){.cli = cli, .result = result, .query = query, .limits = *limits};
	work->end_us = g_get_monotonic_time() + limits->budget_ms * G_GINT64_CONSTANT(1000);
	work->found = g_ptr_array_new_with_free_func(clear_snippets);
	g_ptr_array_set_size(work->found, n);
	work->sources = g_array_sized_new(FALSE, TRUE, sizeof(SnippetSource), n);
	g_array_set_size(work->sources, n);
	for (guint i = 0; i < n && time_is_left(work); i++) {
		SnippetSource source = snippets_source_of(work, info_at(work, i));
		g_array_index(work->sources, SnippetSource, i) = source;
		if (source == SOURCE_FILE)
			snippets_add_file(work, info_at(work, i));
	}
	if (work->texts)
		file_texts_start(work->texts);
	return work;
}

static Document *text_of(const Snippets *work, guint hit)
{
	const Info *info = info_at(work, hit);
	switch (g_array_index(work->sources, SnippetSource, hit)) {
	case SOURCE_CACHE:
		return time_is_left(work)
		               ? reader_cached_text(work->cli->reader, info->document, NULL)
		               : NULL;
	case SOURCE_FILE:
		return work->texts ? file_texts_take(work->texts, info) : NULL;
	case SOURCE_NONE:
		break;
	}
	return NULL;
}

bool snippets_are_ready(const Snippets *work, guint hit)
{
	return g_array_index(work->sources, SnippetSource, hit) != SOURCE_FILE || !work->texts ||
	       file_texts_is_ready(work->texts, info_at(work, hit));
}

Document *snippets_take_text(Snippets *work, guint hit)
{
	Document *doc = text_of(work, hit);
	g_array_index(work->sources, SnippetSource, hit) = SOURCE_NONE;
	return doc;
}

const GPtrArray *snippets_of(Snippets *work, guint hit)
{
	g_autoptr(Document) doc = snippets_take_text(work, hit);
	if (doc)
		work->found->pdata[hit] =
		        snippet_make(doc, work->query, work->limits.per_hit, work->limits.chars);
	return work->found->pdata[hit];
}

void snippets_free(Snippets *work)
{
	if (!work)
		return;
	file_texts_free(work->texts);
	g_array_unref(work->sources);
	g_ptr_array_unref(work->found);
	g_free(work);
}
