/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-web/browse-page.h"
#include "common/base/i18n.h"
#include "ui-cli/app/saved.h"
#include "ui-web/browse-html.h"
#include <string.h>

static void page_append_select(GString *out, SortOrder chosen)
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
static void page_append_places(BrowseWorker *worker, GString *out)
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

static void page_append_form(BrowseWorker *worker, GString *out, const BrowseSearch *search)
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
	page_append_select(out, search->sort);
	g_string_append(out, "</div>");
	page_append_places(worker, out);
	g_string_append(out, "</form>\n");
}

static void page_append_saved(BrowseWorker *worker, GString *out)
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

/* The pages that are not a search. */
static void page_append_views(BrowseWorker *worker, GString *out)
{
	const char *const views[][2] = {{"/status", _("Status")}, {"/failed", _("Failures")},
	        {"/usage", _("Disk use and copies")}};
	g_string_append(out, "<nav class=\"views\" aria-label=\"");
	html_text(out, _("About the index"));
	g_string_append(out, "\">");
	for (size_t i = 0; i < G_N_ELEMENTS(views); i++) {
		bool here = strcmp(worker->request->path, views[i][0]) == 0;
		g_string_append_printf(out, "<a href=\"%s\"%s>", views[i][0],
		        here ? " aria-current=\"page\"" : "");
		html_text(out, views[i][1]);
		g_string_append(out, "</a>");
	}
	g_string_append(out, "</nav>\n");
}

/* The words of the script, in the language of the user, and what it must know. */
static void page_append_body(BrowseWorker *worker, GString *out)
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
static void page_append_foot(GString *out)
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

void browse_page_begin(BrowseWorker *worker, const BrowseSearch *search, const char *title)
{
	GString *out = worker->request->body;
	html_begin(out, title);
	page_append_body(worker, out);
	g_string_append(out, "<header><a class=\"home\" href=\"/\">Tarsier</a>");
	page_append_form(worker, out, search);
	page_append_views(worker, out);
	g_string_append(out, "</header>\n");
	page_append_saved(worker, out);
	g_string_append(out, "<p id=\"say\" role=\"alert\"></p>"
	                     "<p id=\"heard\" class=\"vh\" role=\"status\"></p>\n<main>");
}

void browse_page_end(BrowseWorker *worker)
{
	GString *out = worker->request->body;
	g_string_append(out, "</main>\n");
	page_append_foot(out);
	g_string_append(out, "</body></html>\n");
}

void browse_page_begin_view(BrowseWorker *worker, const char *title)
{
	BrowseSearch search;
	GString *out = worker->request->body;
	browse_search_init(&search, worker->request);
	browse_page_begin(worker, &search, title);
	g_string_append(out, "<section class=\"view\"><h1>");
	html_text(out, title);
	g_string_append(out, "</h1>\n");
	browse_search_clear(&search);
}

void browse_page_end_view(BrowseWorker *worker)
{
	g_string_append(worker->request->body, "</section>");
	browse_page_end(worker);
}

void browse_page_append_note(GString *out, const char *class, const char *text)
{
	g_string_append_printf(out, "<p class=\"%s\">", class);
	html_text(out, text);
	g_string_append(out, "</p>\n");
}

void browse_page_append_cell(GString *out, const char *element, const char *text)
{
	g_string_append_printf(out, "<%s>", element);
	html_text(out, text);
	g_string_append_printf(out, "</%.2s>", element);
}
