/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-web/browse-answer.h"
#include "common/base/i18n.h"
#include "ui-cli/app/saved.h"
#include "ui-web/browse-html.h"
#include "ui-web/browse-open.h"
#include "ui-web/browse-results.h"
#include "ui-web/browse-text.h"
#include <microhttpd.h>
#include <string.h>

/* ---- for those who answer */

bool browse_is_superseded(const BrowseWorker *worker)
{
	return g_atomic_int_get(&worker->request->superseded) != 0;
}

static bool answer_is_unwanted(void *data)
{
	return browse_is_superseded(data);
}

Reader *browse_reader(BrowseWorker *worker, GError **error)
{
	Reader *reader = cli_fresh_reader(worker->cli, error);
	/* the roots are read before a transaction begins */
	if (!reader || !cli_roots(worker->cli, error))
		return NULL;
	reader_set_stop(reader, answer_is_unwanted, worker);
	return reader;
}

/* ---- the page around */

static void answer_append_select(GString *out, SortOrder chosen)
{
	const char *const texts[] = {
	        _("best first"), _("newest first"), _("largest first"), _("by name"), _("by path")};
	g_string_append(out, "<label><span>");
	html_text(out, _("Order"));
	g_string_append(out, "</span> <select name=\"sort\" id=\"sort\">");
	for (unsigned i = 0; i < G_N_ELEMENTS(texts); i++) {
		g_string_append_printf(out, "<option value=\"%s\"%s>", browse_sort_name(i),
		        i == chosen ? " selected" : "");
		html_text(out, texts[i]);
		g_string_append(out, "</option>");
	}
	g_string_append(out, "</select></label>");
}

/* A place that cannot be typed is not offered: what came back from the field would be another. */
static void answer_append_places(BrowseWorker *worker, GString *out)
{
	const GPtrArray *roots = worker->cli->reader ? cli_roots(worker->cli, NULL) : NULL;
	g_string_append(out, "<datalist id=\"places\">");
	for (guint i = 0; roots && i < roots->len; i++) {
		if (!html_is_exact(roots->pdata[i]))
			continue;
		g_string_append(out, "<option value=\"");
		html_text(out, roots->pdata[i]);
		g_string_append(out, "\">");
	}
	g_string_append(out, "</datalist>");
}

static void answer_append_form(BrowseWorker *worker, GString *out, const BrowseSearch *search)
{
	g_string_append(out, "<form id=\"search\" role=\"search\" action=\"/\" method=\"get\">"
	                     "<div class=\"ask\"><input id=\"q\" name=\"q\" type=\"search\" "
	                     "autocomplete=\"off\" spellcheck=\"false\" autofocus "
	                     "maxlength=\"4096\" aria-controls=\"answer\" aria-label=\"");
	html_text(out, _("Search"));
	g_string_append(out, "\" placeholder=\"");
	html_text(out, _("Search your files"));
	g_string_append(out, "\" value=\"");
	html_text(out, search->text);
	g_string_append(out, "\"><button class=\"go\">");
	html_text(out, _("Search"));
	g_string_append(out, "</button></div><div class=\"choices\"><label><span>");
	html_text(out, _("Only in"));
	g_string_append(out, "</span> <input name=\"in\" id=\"in\" list=\"places\" "
	                     "autocomplete=\"off\" spellcheck=\"false\" placeholder=\"");
	html_text(out, _("everywhere"));
	g_string_append(out, "\" value=\"");
	html_text(out, search->place);
	g_string_append(out, "\"></label>");
	answer_append_select(out, search->sort);
	g_string_append(out, "</div>");
	answer_append_places(worker, out);
	g_string_append(out, "</form>\n");
}

static void answer_append_saved(BrowseWorker *worker, GString *out)
{
	g_autoptr(Saved) saved = saved_open(worker->cli->config_file, NULL);
	g_auto(GStrv) names = saved ? saved_names(saved) : NULL;
	if (!names || !*names)
		return;
	g_string_append(out, "<nav class=\"saved\" aria-label=\"");
	html_text(out, _("Saved searches"));
	g_string_append(out, "\">");
	for (char **name = names; *name; name++) {
		g_autofree char *query = g_strconcat("saved:", *name, NULL);
		g_string_append(out, "<a href=\"/?q=");
		html_query(out, query);
		g_string_append(out, "\">");
		html_text(out, *name);
		g_string_append(out, "</a>");
	}
	g_string_append(out, "</nav>\n");
}

/* The words of the script, in the language of the user, and what it must know. */
static void answer_append_body(BrowseWorker *worker, GString *out)
{
	const char *const words[][2] = {
	        {"ended", _("The program behind this page has ended: run \"tarsier browse\".")},
	        {"opening", _("Opening…")},
	        {"text", _("Text of the document")},
	};
	g_string_append_printf(out, "<body data-alive=\"%u\" data-load=\"%u\"", worker->alive_s,
	        worker->request->load);
	for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
		g_string_append_printf(out, " data-%s=\"", words[i][0]);
		html_text(out, words[i][1]);
		g_string_append_c(out, '"');
	}
	g_string_append(out, ">\n");
}

/* How to go on by the keyboard. */
static void answer_append_foot(GString *out)
{
	const char *const keys[][2] = {{"/", _("to the search field")},
	        {"↓ ↑", _("next and previous hit")}, {"Enter", _("its text")}, {"o", _("open it")},
	        {"n p", _("next and previous match")}, {"Esc", _("back")}};
	g_string_append(out, "<footer><p class=\"keys\">");
	for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
		g_string_append_printf(out, "<span><kbd>%s</kbd> ", keys[i][0]);
		html_text(out, keys[i][1]);
		g_string_append(out, "</span>");
	}
	g_string_append(out, "</p></footer>\n");
}

static void answer_begin_page(BrowseWorker *worker, const BrowseSearch *search, const char *title)
{
	GString *out = worker->request->body;
	html_begin(out, title);
	answer_append_body(worker, out);
	g_string_append(out, "<header><a class=\"home\" href=\"/\">Tarsier</a>");
	answer_append_form(worker, out, search);
	g_string_append(out, "</header>\n");
	answer_append_saved(worker, out);
	g_string_append(out, "<p id=\"say\" role=\"alert\"></p>"
	                     "<p id=\"heard\" class=\"vh\" role=\"status\"></p>\n<main>");
}

static void answer_end_page(BrowseWorker *worker)
{
	GString *out = worker->request->body;
	g_string_append(out, "</main>\n");
	answer_append_foot(out);
	g_string_append(out, "</body></html>\n");
}

/* ---- faults */

void browse_fail(BrowseWorker *worker, unsigned status, const char *message)
{
	BrowseRequest *request = worker->request;
	request->status = status;
	g_string_truncate(request->body, 0);
	if (browse_has_field(request, "fragment")) {
		request->is_text = true;
		g_string_append(request->body, message);
		return;
	}
	BrowseSearch search;
	browse_search_init(&search, request);
	answer_begin_page(worker, &search, _("Tarsier"));
	g_string_append(request->body, "<div id=\"answer\"><p class=\"fault\" role=\"alert\">");
	html_text(request->body, message);
	g_string_append(request->body, "</p></div>");
	answer_end_page(worker);
	browse_search_clear(&search);
}

void browse_fail_error(BrowseWorker *worker, const GError *error)
{
	g_autofree char *text = cli_error_text(error);
	if (g_error_matches(error, INDEX_ERROR, INDEX_ERROR_STOPPED))
		worker->request->status = MHD_HTTP_NO_CONTENT; /* nobody waits */
	else
		browse_fail(worker, MHD_HTTP_SERVICE_UNAVAILABLE, text);
}

/* ---- answers */

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
		answer_begin_page(worker, &search, title);
		g_string_append(out, "<div id=\"answer\">");
		if (browse_search_is_empty(&search))
			answer_append_welcome(worker, out);
		browse_results_append(worker, out, &search, true);
		g_string_append(out, "</div><aside id=\"preview\" hidden></aside>");
		answer_end_page(worker);
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
	answer_begin_page(worker, &search, title);
	g_string_append(out, "<section id=\"preview\" class=\"whole\">");
	g_string_append_len(out, text->str, text->len);
	g_string_append(out, "</section>");
	answer_end_page(worker);
	browse_search_clear(&search);
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
	};
	worker->request = request;
	if (request->opening) {
		browse_open_end(worker);
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
