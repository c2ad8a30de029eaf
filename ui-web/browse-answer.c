/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-web/browse-answer.h"
#include "common/base/i18n.h"
#include "ui-web/browse-fail.h"
#include "ui-web/browse-failed.h"
#include "ui-web/browse-html.h"
#include "ui-web/browse-open.h"
#include "ui-web/browse-page.h"
#include "ui-web/browse-picture.h"
#include "ui-web/browse-results.h"
#include "ui-web/browse-status.h"
#include "ui-web/browse-text.h"
#include "ui-web/browse-usage.h"
#include <microhttpd.h>
#include <string.h>

static void answer_append_welcome(BrowseWorker *worker, GString *out)
{
	const GPtrArray *roots = cli_roots(worker->cli, NULL);
	g_string_append(out, "<section class=\"welcome\"><p>");
	html_text(out, roots && roots->len > 0
	                       ? _("Words find documents with all of them. \"in quotes\" finds a "
	                           "phrase, -word leaves out, begin* any ending.")
	                       : _("Nothing found: no directory is watched, see \"tarsier help "
	                           "add\"."));
	g_string_append(out, "</p>");
	if (roots && roots->len > 0) {
		g_string_append(out, "<p>");
		html_text(out, _("Searched are:"));
		g_string_append(out, "</p><ul>");
		for (guint i = 0; i < roots->len; i++) {
			g_string_append(out, "<li>");
			html_name(out, roots->pdata[i]);
			g_string_append(out, "</li>");
		}
		g_string_append(out, "</ul>");
	}
	g_string_append(out, "</section>\n");
}

static char *answer_title(const BrowseSearch *search)
{
	return *search->text ? g_strdup_printf(_("%s – Tarsier"), search->text)
	                     : g_strdup(_("Tarsier"));
}

static void answer_page(BrowseWorker *worker)
{
	GString *out = worker->request->body;
	g_autoptr(GError) error = NULL;
	BrowseSearch search;
	browse_search_init(&search, worker->request);
	if (browse_search_run(&search, worker, &error)) {
		g_autofree char *title = answer_title(&search);
		browse_page_begin(worker, &search, title);
		g_string_append(out, "<div id=\"answer\">");
		if (browse_search_is_empty(&search))
			answer_append_welcome(worker, out);
		browse_results_append(worker, out, &search, true);
		g_string_append(out, "</div><aside id=\"preview\" hidden></aside>");
		browse_page_end(worker);
	} else {
		browse_fail_error(worker, error);
	}
	browse_search_clear(&search);
}

static void answer_hits(BrowseWorker *worker)
{
	GString *out = worker->request->body;
	g_autoptr(GError) error = NULL;
	BrowseSearch search;
	browse_search_init(&search, worker->request);
	bool passages = !search.typed || browse_has_field(worker->request, "passages");
	if (!browse_search_run(&search, worker, &error))
		browse_fail_error(worker, error);
	else if (browse_search_is_empty(&search))
		answer_append_welcome(worker, out);
	else
		browse_results_append(worker, out, &search, passages);
	browse_search_clear(&search);
}

static void answer_document(BrowseWorker *worker)
{
	GString *out = worker->request->body;
	bool fragment = browse_has_field(worker->request, "fragment");
	g_autoptr(GString) text = g_string_new(NULL);
	g_autofree char *title = NULL;
	if (!browse_text_append(worker, text, &title))
		return;
	if (fragment) {
		g_string_append_len(out, text->str, text->len);
		return;
	}
	BrowseSearch search;
	browse_search_init(&search, worker->request);
	browse_page_begin(worker, &search, title);
	g_string_append(out, "<section id=\"preview\" class=\"whole\">");
	g_string_append_len(out, text->str, text->len);
	g_string_append(out, "</section>");
	browse_page_end(worker);
	browse_search_clear(&search);
}

bool browse_is_away(const BrowseRequest *request)
{
	return request->opening || request->drawing;
}

void browse_answer(BrowseWorker *worker, BrowseRequest *request)
{
	static const struct {
		const char *path;
		void (*answer)(BrowseWorker *worker);
	} routes[] = {
	        {"/", answer_page},
	        {"/hits", answer_hits},
	        {"/text", answer_document},
	        {"/open", browse_open},
	        {"/picture", browse_picture},
	        {"/status", browse_status},
	        {"/failed", browse_failed},
	        {"/usage", browse_usage},
	};
	worker->request = request;
	if (request->opening) {
		browse_open_end(worker);
		return;
	}
	if (request->drawing) {
		browse_picture_end(worker);
		return;
	}
	if (browse_is_superseded(worker)) {
		request->status = MHD_HTTP_NO_CONTENT;
		return;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(routes); i++)
		if (strcmp(routes[i].path, request->path) == 0) {
			routes[i].answer(worker);
			return;
		}
	browse_fail(worker, MHD_HTTP_NOT_FOUND, _("There is no such page."));
}
