/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-web/browse-results.h"
#include "common/base/i18n.h"
#include "common/base/paths.h"
#include "ui-cli/app/gaps.h"
#include "ui-cli/app/missing-lines.h"
#include "ui-cli/app/open-hit.h"
#include "ui-cli/app/search-query.h"
#include "ui-cli/print/entry.h"
#include "ui-cli/print/printer.h"
#include "ui-web/browse-facets.h"
#include "ui-web/browse-html.h"
#include "ui-web/browse-link.h"
#include "ui-web/browse-page.h"
#include "ui-web/browse-picture.h"
#include "ui-web/browse-target.h"
#include <poll.h>
#include <string.h>

enum { PASSAGES = 3, PASSAGE_CHARS = 200, PASSAGES_MS = 300, LOOK_MS = 2, BADGE_BYTES = 5 };
enum { FEW_HITS = 3 }; /* so few suggest documents with some of the words */

/* ---- one hit */

/* "PDF", "ODT": the end of the name, which says more to people than a MIME type. */
static void results_append_badge(GString *out, const Info *info)
{
	const char *name = info->member ? info->member : info->path;
	const char *slash = strrchr(name, '/'), *dot = strrchr(slash ? slash : name, '.');
	bool folder = info->stat.kind == ENTRY_DIR && !info->member;
	size_t length = dot && !folder && !path_is_web(name) ? strlen(dot + 1) : 0;
	g_autofree char *upper =
	        length > 0 && length <= BADGE_BYTES ? g_ascii_strup(dot + 1, -1) : NULL;
	g_string_append(out, "<span class=\"badge\">");
	html_name(out, upper ? upper : folder ? _("folder") : entry_type(info));
	g_string_append(out, "</span>");
}

static void results_append_separated(GString *out, const char *text)
{
	g_string_append(out, "<span class=\"fact\">");
	html_text(out, text);
	g_string_append(out, "</span>");
}

static void results_append_place(GString *out, const Info *info)
{
	const char *home = g_get_home_dir();
	bool below = strcmp(home, "/") != 0 && paths_is_below(info->path, home);
	g_string_append(out, "<p class=\"path\">");
	if (below)
		g_string_append_c(out, '~');
	html_name(out, below ? info->path + strlen(home) : info->path);
	if (info->member) {
		g_string_append(out, "<span class=\"member\">|</span>");
		html_name(out, info->member);
	}
	g_string_append(out, "</p>");
}

void browse_results_append_facts(GString *out, const Info *info)
{
	g_autofree char *date = screen_time(info->date ? info->date : info_mtime(info));
	bool folder = info->stat.kind == ENTRY_DIR && !info->member;
	results_append_place(out, info);
	g_string_append(out, "<p class=\"facts\">");
	results_append_badge(out, info);
	results_append_separated(out, date);
	if (!folder && info_size(info) >= 0) {
		g_autofree char *size = g_format_size(info_size(info));
		results_append_separated(out, size);
	}
	if (info->author && *info->author)
		results_append_separated(out, info->author);
	if (strcmp(info_state_name(info), "ok") != 0) {
		g_string_append(out, "<span class=\"fact state\">");
		html_text(out, entry_state_text(info));
		g_string_append(out, "</span>");
	}
	g_string_append(out, "</p>");
}

void browse_results_append_open(
        GString *out, const Info *info, ViewerPlace place, const char *query)
{
	g_string_append(out, "<form class=\"open\" method=\"post\" action=\"/open\">"
	                     "<input type=\"hidden\" name=\"id\" value=\"");
	browse_target_append(out, info);
	g_string_append(out, "\">");
	html_hidden(out, "q", query);
	if (place.page > 0)
		g_string_append_printf(
		        out, "<input type=\"hidden\" name=\"page\" value=\"%u\">", place.page);
	if (place.line > 0)
		g_string_append_printf(
		        out, "<input type=\"hidden\" name=\"line\" value=\"%u\">", place.line);
	g_string_append(out, "<button class=\"go\">");
	html_text(out, _("Open"));
	g_string_append(out, "</button>");
	if (!path_is_web(info->path)) {
		g_string_append(out, "<button name=\"folder\" value=\"1\">");
		html_text(out, _("Show folder"));
		g_string_append(out, "</button>");
	}
	g_string_append(out, "</form>");
}

static void results_append_text_link(GString *out, const BrowseSearch *search, const Info *info)
{
	g_string_append(out, "/text");
	browse_link_append(out, search, NULL);
	g_string_append_printf(out, "%s&amp;id=", search->typed ? "&amp;typed=1" : "");
	browse_target_append(out, info);
}

/* A page leads to the text there. */
static void results_append_passage_place(GString *out, const BrowseSearch *search, const Info *info,
        const Snippet *snippet, const char *place)
{
	if (snippet->page == 0) {
		g_string_append(out, "<span class=\"place\">");
		html_text(out, place);
		g_string_append(out, "</span> ");
		return;
	}
	g_string_append(out, "<a class=\"place\" href=\"");
	results_append_text_link(out, search, info);
	g_string_append_printf(out, "&amp;page=%u\">", snippet->page);
	html_text(out, place);
	g_string_append(out, "</a> ");
}

/* Passages of one page stand together, under the number of it. */
static void results_append_passages(
        GString *out, const BrowseSearch *search, const Info *info, const GPtrArray *snippets)
{
	g_autofree char *before = NULL;
	for (guint i = 0; snippets && i < snippets->len; i++) {
		const Snippet *snippet = snippets->pdata[i];
		g_autofree char *place = snippet_place(snippet);
		g_string_append(out, "<p class=\"passage\">");
		if (place && g_strcmp0(place, before) != 0)
			results_append_passage_place(out, search, info, snippet, place);
		html_marked(out, snippet->text, snippet->marks);
		g_string_append(out, "</p>");
		g_free(before);
		before = g_steal_pointer(&place);
	}
}

static void results_append_copies(GString *out, const Hit *hit)
{
	guint n = hit->copies ? hit->copies->len : 0;
	if (n == 0)
		return;
	g_autofree char *count =
	        hit->copies_cut ? g_strdup_printf(_("more than %u copies"), n)
	                        : g_strdup_printf(ngettext("+%u copy", "+%u copies", n), n);
	g_string_append(out, "<details class=\"copies\"><summary>");
	html_text(out, count);
	g_string_append(out, "</summary><ul>");
	for (guint i = 0; i < n; i++) {
		g_string_append(out, "<li>");
		html_name(out, hit->copies->pdata[i]);
		g_string_append(out, "</li>");
	}
	g_string_append(out, "</ul></details>");
}

/* The title leads to the text, if there is one. */
static void results_append_title(GString *out, const BrowseSearch *search, const Hit *hit, guint n)
{
	bool has_text = hit->info.document != 0 && hit->info.stat.kind == ENTRY_FILE;
	g_string_append_printf(out, "<h2 id=\"t%u\">", n);
	if (has_text) {
		g_string_append(out, "<a class=\"title\" href=\"");
		results_append_text_link(out, search, &hit->info);
		g_string_append(out, "\">");
	} else {
		g_string_append(out, "<span class=\"title\">");
	}
	html_name(out, hit_title(hit));
	g_string_append_printf(out, "</%s></h2>", has_text ? "a" : "span");
}

/* The parts that are made from the file: none while somebody types. */
typedef struct {
	const GPtrArray *snippets; /* NULL: none */
	bool picture;
} HitExtras;

static void results_append_hit(
        GString *out, const BrowseSearch *search, guint n, const HitExtras *extras)
{
	const SearchResult *result = search->live.result;
	const Hit *hit = result->hits->pdata[n];
	unsigned rank = (search->page - 1) * BROWSE_HITS + n + 1;
	g_string_append_printf(out,
	        "<article class=\"hit\" tabindex=\"-1\" aria-labelledby=\"t%u\" "
	        "aria-posinset=\"%u\" aria-setsize=\"%" G_GINT64_FORMAT "\" data-id=\"",
	        n, rank, result->total_exact ? (gint64)MIN(result->total, G_MAXINT32) : -1);
	browse_target_append(out, &hit->info);
	g_string_append(out, "\">");
	if (extras->picture)
		browse_picture_append(out, &hit->info);
	results_append_title(out, search, hit, n);
	browse_results_append_facts(out, &hit->info);
	results_append_passages(out, search, &hit->info, extras->snippets);
	results_append_copies(out, hit);
	browse_results_append_open(out, &hit->info, open_hit_place(extras->snippets), search->text);
	g_string_append(out, "</article>\n");
}

/* Parts that are not ready when nobody waits any more are left out. */
static const GPtrArray *results_passages(BrowseWorker *worker, Snippets *snippets, guint n)
{
	while (!snippets_are_ready(snippets, n)) {
		if (browse_is_superseded(worker))
			return NULL;
		poll(NULL, 0, LOOK_MS);
	}
	return snippets_of(snippets, n);
}

static void results_append_hits(
        BrowseWorker *worker, GString *out, const BrowseSearch *search, bool passages)
{
	const SnippetLimits limits = {PASSAGES, PASSAGE_CHARS, PASSAGES_MS};
	const SearchResult *result = search->live.result;
	g_autoptr(Snippets) snippets =
	        passages ? snippets_new(worker->cli, result, search->live.query, &limits) : NULL;
	g_string_append(out, "<div id=\"hits\" role=\"feed\" aria-label=\"");
	html_text(out, _("Hits"));
	g_string_append(out, "\">\n");
	for (guint i = 0; i < result->hits->len; i++) {
		const HitExtras extras = {
		        snippets ? results_passages(worker, snippets, i) : NULL, passages};
		results_append_hit(out, search, i, &extras);
	}
	g_string_append(out, "</div>\n");
}

/* ---- what is said of all */

static void results_append_summary(GString *out, const BrowseSearch *search)
{
	const SearchResult *result = search->live.result;
	unsigned first = (search->page - 1) * BROWSE_HITS + 1;
	unsigned last = first + result->hits->len - 1;
	unsigned long total = result->total;
	bool exact = result->total_exact;
	g_autofree char *line = last < first
	                                ? g_strdup(search->page > 1 ? _("There are no more hits.")
	                                                            : _("Nothing found."))
	                        : exact ? g_strdup_printf(_("%u–%u of %lu, %.0f ms"), first, last,
	                                          total, search->ms)
	                                : g_strdup_printf(_("%u–%u of at most %lu, %.0f ms"), first,
	                                          last, total, search->ms);
	browse_page_append_note(out, "summary", line);
}

/* "Did you mean: WORDS", and that leads there. */
static void results_append_suggestion(GString *out, const BrowseSearch *search)
{
	if (!search->suggestion)
		return;
	g_autofree char *line = g_strdup_printf(_("Did you mean: %s%s"), "", "");
	g_string_append(out, "<p class=\"note suggestion\">");
	html_text(out, line);
	g_string_append(out, "<a href=\"/");
	browse_link_append(out, search, search->suggestion);
	g_string_append(out, "\">");
	html_text(out, search->suggestion);
	g_string_append(out, "</a></p>\n");
}

static void results_append_missing(BrowseWorker *worker, GString *out, const BrowseSearch *search)
{
	g_autoptr(GPtrArray) missing = NULL;
	unsigned nearest = search->suggestion ? 0 : MISSING_NEAREST;
	const Query *query = search->live.query;
	if (!reader_missing(worker->cli->reader, query, nearest, &missing, NULL))
		return;
	g_autoptr(GPtrArray) lines = missing_lines(missing);
	for (guint i = 0; i < lines->len; i++)
		browse_page_append_note(out, "note", lines->pdata[i]);
}

static void results_append_soft(GString *out, const BrowseSearch *search)
{
	const SearchResult *result = search->live.result;
	if (result->partial > 0) {
		g_autofree char *some = g_strdup_printf(
		        ngettext("%lu more contains only some of them.",
		                "%lu more contain only some of them.", result->partial),
		        (unsigned long)result->partial);
		browse_page_append_note(out, "note", some);
	}
	if (search->soft || search->typed || search->page > 1 || result->total >= FEW_HITS ||
	        search->sort != SORT_RELEVANCE || !query_has_words_together(search->live.query))
		return;
	g_string_append(out, "<p class=\"note\"><a href=\"/");
	browse_link_append(out, search, NULL);
	g_string_append(out, "&amp;soft=1\">");
	html_text(out, _("Also show documents with only some of the words"));
	g_string_append(out, "</a></p>\n");
}

static void results_append_notes(BrowseWorker *worker, GString *out, const BrowseSearch *search)
{
	const SearchResult *result = search->live.result;
	results_append_suggestion(out, search);
	if (result->total == 0 && search->page == 1)
		results_append_missing(worker, out, search);
	results_append_soft(out, search);
	for (char **note = search->live.query->notes; note && *note; note++) {
		g_autofree char *line = g_strconcat(*note, ".", NULL);
		browse_page_append_note(out, "note", line);
	}
}

static void results_append_completeness(GString *out, const SearchResult *result)
{
	g_autofree char *gaps = gaps_text(result);
	browse_page_append_note(out, gaps ? "gaps" : "gaps complete",
	        gaps ? gaps : _("Complete: every document in this scope could be searched."));
}

/* The plan comes first, because it drops the word forms that may not be told of. */
static void results_append_reading(BrowseWorker *worker, GString *out, const BrowseSearch *search)
{
	const SearchOptions options = {.limit = 1, .uid = geteuid()};
	if (search->typed)
		return;
	if (!search->explain) {
		g_string_append(out, "<p class=\"reading\"><a href=\"/");
		browse_link_append(out, search, NULL);
		g_string_append(out, "&amp;explain=1\">");
		html_text(out, _("How was this understood?"));
		g_string_append(out, "</a></p>\n");
		return;
	}
	g_autoptr(Query) query =
	        browse_search_parse(search, worker, *search->text ? search->text : "*");
	g_autofree char *plan =
	        query ? search_explain(worker->cli->reader, query, &options, NULL) : NULL;
	if (query && !plan)
		query_drop_forms(query);
	g_autofree char *reading = query ? query_explain(query) : NULL;
	g_string_append(out, "<section class=\"reading\"><h2>");
	html_text(out, _("Understood as:"));
	g_string_append(out, "</h2><pre>");
	html_text(out, reading ? reading : "");
	g_string_append(out, "</pre></section>\n");
}

static void results_append_turn(GString *out, const BrowseSearch *search, unsigned page,
        const char *relation, const char *text)
{
	g_string_append_printf(out, "<a rel=\"%s\" href=\"/", relation);
	browse_link_append(out, search, NULL);
	g_string_append_printf(out, "%s&amp;p=%u\">", search->soft ? "&amp;soft=1" : "", page);
	html_text(out, text);
	g_string_append(out, "</a>");
}

static void results_append_pages(GString *out, const BrowseSearch *search)
{
	unsigned shown = (search->page - 1) * BROWSE_HITS + search->live.result->hits->len;
	bool more = search->live.result->total > shown && search->live.result->hits->len > 0 &&
	            search->page < BROWSE_PAGES;
	if (search->page == 1 && !more)
		return;
	g_string_append(out, "<nav class=\"pages\" aria-label=\"");
	html_text(out, _("Pages"));
	g_string_append(out, "\">");
	if (search->page > 1)
		results_append_turn(out, search, search->page - 1, "prev", _("Back"));
	if (more)
		results_append_turn(out, search, search->page + 1, "next", _("More hits"));
	g_string_append(out, "</nav>\n");
}

static void results_append_fault(GString *out, const BrowseSearch *search)
{
	g_string_append(out, "<div class=\"fault\" role=\"alert\"><p>");
	html_text(out, search->fault);
	g_string_append(out, "</p>");
	if (search->caret) {
		g_string_append(out, "<pre>");
		html_text(out, search->caret);
		g_string_append(out, "</pre>");
	}
	if (search->hint)
		browse_page_append_note(out, "hint", search->hint);
	g_string_append(out, "</div>\n");
}

void browse_results_append(
        BrowseWorker *worker, GString *out, const BrowseSearch *search, bool passages)
{
	if (search->fault) {
		results_append_fault(out, search);
		return;
	}
	if (!search->live.result)
		return;
	results_append_summary(out, search);
	results_append_notes(worker, out, search);
	browse_facets_append(worker, out, search);
	results_append_hits(worker, out, search, passages);
	results_append_pages(out, search);
	results_append_completeness(out, search->live.result);
	results_append_reading(worker, out, search);
}
