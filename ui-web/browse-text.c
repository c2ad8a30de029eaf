/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-web/browse-text.h"
#include "common/base/i18n.h"
#include "common/base/text.h"
#include "index/search/snippet-match.h"
#include "ui-cli/app/convert-file.h"
#include "ui-cli/app/live.h"
#include "ui-cli/print/printer.h"
#include "ui-web/browse-fail.h"
#include "ui-web/browse-html.h"
#include "ui-web/browse-link.h"
#include "ui-web/browse-picture.h"
#include "ui-web/browse-results.h"
#include "ui-web/browse-target.h"
#include <microhttpd.h>
#include <string.h>
#include <unistd.h>

enum { PARTS = 1 << 20, PAGES = 1 << 24 };

/* A document while it is written. */
typedef struct {
	GString *out;
	const Document *doc;
	GArray *matches; /* WordMatch in the order of their beginnings; NULL: none */
	guint next_match, next_break;
	size_t from, to; /* the part that is shown, in bytes of the text */
	bool in_table;
} BrowseText;

/* ---- matches */

static int browse_text_compare_starts(const void *a, const void *b)
{
	const WordMatch *x = a, *y = b;
	return x->start < y->start ? -1 : x->start > y->start;
}

static const char *browse_text_language(const Document *doc)
{
	for (guint i = 0; i < doc->facts->len; i++) {
		const DocFact *fact = &g_array_index(doc->facts, DocFact, i);
		if (fact->field == FIELD_LANGUAGE)
			return fact->value;
	}
	return NULL;
}

/* The forms of the words are known once the query has been run. */
static bool browse_text_run(BrowseWorker *worker, Query *query)
{
	const SearchOptions options = {.limit = 1, .uid = geteuid()};
	g_autoptr(SearchResult) result =
	        query ? search_run(worker->cli->reader, query, &options, NULL) : NULL;
	return result != NULL;
}

static Query *browse_text_query(BrowseWorker *worker, const BrowseSearch *search)
{
	g_autofree char *open = search->typed ? live_open_ended(search->text) : NULL;
	g_autoptr(Query) query = browse_search_parse(search, worker, open ? open : search->text);
	if (query && query_names_files(query))
		return NULL;
	return browse_text_run(worker, query) ? g_steal_pointer(&query) : NULL;
}

/* A word may match in several ways. */
static void browse_text_drop_overlaps(GArray *matches)
{
	guint kept = 0;
	uint32_t end = 0;
	for (guint i = 0; i < matches->len; i++) {
		const WordMatch match = g_array_index(matches, WordMatch, i);
		if (match.start < end)
			continue;
		g_array_index(matches, WordMatch, kept++) = match;
		end = match.end;
	}
	g_array_set_size(matches, kept);
}

/* The caller unrefs it; NULL: there is no query. */
static GArray *browse_text_find(
        BrowseWorker *worker, const BrowseSearch *search, const Document *doc)
{
	g_autoptr(Query) query = *search->text ? browse_text_query(worker, search) : NULL;
	if (!query)
		return NULL;
	g_autoptr(WordFinder) finder = word_finder_new(query, browse_text_language(doc));
	GArray *matches = word_finder_text(finder, doc);
	g_array_sort(matches, browse_text_compare_starts);
	browse_text_drop_overlaps(matches);
	return matches;
}

/* ---- parts */

static unsigned browse_text_parts(const Document *doc)
{
	return MAX((doc->text->len + TEXT_PART_BYTES - 1) / TEXT_PART_BYTES, 1);
}

/* Where a part begins, between two characters. */
static size_t browse_text_edge(const Document *doc, unsigned part)
{
	return text_clip(doc->text->str, doc->text->len, (size_t)part * TEXT_PART_BYTES);
}

static size_t browse_text_page_start(const Document *doc, unsigned page)
{
	for (guint i = 0; page > 0 && i < doc->breaks->len; i++) {
		const DocBreak *mark = &g_array_index(doc->breaks, DocBreak, i);
		if (mark->number == page)
			return mark->offset;
	}
	return 0;
}

static unsigned browse_text_part(
        const BrowseRequest *request, const Document *doc, const GArray *matches)
{
	unsigned n = browse_text_parts(doc), page = browse_number(request, "page", 0, PAGES);
	unsigned part = browse_number(request, "part", PARTS, PARTS - 1);
	if (part < n)
		return part;
	size_t at = browse_text_page_start(doc, page);
	if (at == 0 && matches && matches->len > 0)
		at = g_array_index(matches, WordMatch, 0).start;
	return MIN(at / TEXT_PART_BYTES, n - 1);
}

/* ---- blocks */

static void browse_text_put_marked(BrowseText *text, size_t start, size_t end)
{
	const char *bytes = text->doc->text->str;
	for (; text->matches && text->next_match < text->matches->len; text->next_match++) {
		const WordMatch *match = &g_array_index(text->matches, WordMatch, text->next_match);
		if (match->start >= end)
			break;
		if (match->start < start)
			continue;
		size_t stop = MIN(match->end, end);
		html_text_part(text->out, bytes + start, match->start - start);
		g_string_append(text->out, "<mark>");
		html_text_part(text->out, bytes + match->start, stop - match->start);
		g_string_append(text->out, "</mark>");
		start = stop;
	}
	html_text_part(text->out, bytes + start, end - start);
}

/* The element of a block; static. */
static const char *browse_text_element(DocTag tag, const char **class_r)
{
	*class_r = tag == TAG_NOISE     ? "noise"
	           : tag == TAG_COMMENT ? "comment"
	           : tag == TAG_CAPTION ? "caption"
	                                : "body";
	if (tag >= TAG_HEADING1 && tag <= TAG_HEADING6)
		return "h3";
	return tag == TAG_CODE ? "pre" : tag == TAG_TABLE ? "span" : "p";
}

static void browse_text_end_table(BrowseText *text)
{
	if (text->in_table)
		g_string_append(text->out, "</p>\n");
	text->in_table = false;
}

static void browse_text_put_block(BrowseText *text, DocTag tag, size_t start, size_t end)
{
	const char *class;
	const char *element = browse_text_element(tag, &class);
	start = MAX(start, text->from);
	end = MIN(end, text->to);
	if (start >= end || text_is_blank(text->doc->text->str + start, end - start))
		return;
	if (tag == TAG_TABLE && !text->in_table) {
		g_string_append(text->out, "<p class=\"cells\">");
		text->in_table = true;
	} else if (tag != TAG_TABLE) {
		browse_text_end_table(text);
	}
	g_string_append_printf(text->out, "<%s class=\"%s\">", element, class);
	browse_text_put_marked(text, start, end);
	g_string_append_printf(text->out, "</%s>%s", element, tag == TAG_TABLE ? " " : "\n");
}

static void browse_text_put_break(BrowseText *text, const DocBreak *mark)
{
	static const char *const names[N_BREAKS] = {[BREAK_PAGE] = N_("page %u"),
	        [BREAK_SLIDE] = N_("slide %u"),
	        [BREAK_SHEET] = N_("sheet %u"),
	        [BREAK_CHAPTER] = N_("chapter %u")};
	if (mark->offset < text->from || mark->offset >= text->to)
		return;
	g_autofree char *name = g_strdup_printf(_(names[mark->kind]), mark->number);
	browse_text_end_table(text);
	g_string_append_printf(text->out, "<h2 class=\"break\" data-page=\"%u\">", mark->number);
	html_text(text->out, name);
	if (mark->label) {
		g_string_append(text->out, ": ");
		html_text(text->out, mark->label);
	}
	g_string_append(text->out, "</h2>\n");
}

/* Puts a block, which may have breaks in it. */
static void browse_text_put_until(BrowseText *text, DocTag tag, size_t start, size_t end)
{
	const GArray *breaks = text->doc->breaks;
	for (; text->next_break < breaks->len; text->next_break++) {
		const DocBreak *mark = &g_array_index(breaks, DocBreak, text->next_break);
		if (mark->offset > end || (mark->offset == end && end < text->doc->text->len))
			break;
		browse_text_put_block(text, tag, start, mark->offset);
		browse_text_put_break(text, mark);
		start = MAX(start, mark->offset);
	}
	browse_text_put_block(text, tag, start, end);
}

static void browse_text_put_blocks(BrowseText *text)
{
	const GArray *runs = text->doc->runs;
	DocTag tag = TAG_BODY;
	size_t start = 0;
	for (guint i = 0; i < runs->len; i++) {
		const DocRun *run = &g_array_index(runs, DocRun, i);
		if (i > 0 && !(run->flags & DOC_RUN_BLOCK))
			continue;
		browse_text_put_until(text, tag, start, run->offset);
		tag = run->tag;
		start = run->offset;
	}
	browse_text_put_until(text, tag, start, text->doc->text->len);
	browse_text_end_table(text);
}

/* ---- around */

static char *browse_text_title(const Info *info)
{
	const Hit hit = {.info = *info};
	return text_to_utf8(hit_title(&hit), -1);
}

static void browse_text_append_part_link(GString *out, const BrowseSearch *search, const Info *info,
        unsigned part, const char *relation, const char *text)
{
	g_string_append_printf(out, "<a rel=\"%s\" href=\"/text", relation);
	browse_link_append(out, search, NULL);
	g_string_append_printf(out, "%s&amp;id=", search->typed ? "&amp;typed=1" : "");
	browse_target_append(out, info);
	g_string_append_printf(out, "&amp;part=%u\">", part);
	html_text(out, text);
	g_string_append(out, "</a>");
}

static void browse_text_append_parts(GString *out, const BrowseSearch *search, const Info *info,
        const Document *doc, unsigned part)
{
	unsigned n = browse_text_parts(doc);
	if (n == 1)
		return;
	g_autofree char *where = g_strdup_printf(_("Part %u of %u"), part + 1, n);
	g_string_append(out, "<nav class=\"pages parts\">");
	if (part > 0)
		browse_text_append_part_link(out, search, info, part - 1, "prev", _("Back"));
	g_string_append(out, "<span>");
	html_text(out, where);
	g_string_append(out, "</span>");
	if (part + 1 < n)
		browse_text_append_part_link(out, search, info, part + 1, "next", _("Next part"));
	g_string_append(out, "</nav>\n");
}

static void browse_text_append_head(
        GString *out, const Info *info, const BrowseSearch *search, const char *title)
{
	g_string_append(out, "<div class=\"head\"><button type=\"button\" class=\"close\" "
	                     "hidden aria-label=\"");
	html_text(out, _("Close"));
	g_string_append(out, "\">×</button>");
	browse_picture_append(out, info);
	g_string_append(out, "<h1 tabindex=\"-1\">");
	html_text(out, title);
	g_string_append(out, "</h1>");
	browse_results_append_facts(out, info);
	browse_results_append_open(out, info, (ViewerPlace){0, 0}, search->text);
	g_string_append(out, "</div>\n");
}

/* How many matches there are, and the buttons of the script. */
static void browse_text_append_matches(GString *out, const GArray *matches)
{
	guint n = matches ? matches->len : 0;
	if (n == 0)
		return;
	g_autofree char *line = n >= MATCHES_MAX
	                                ? g_strdup_printf(_("more than %u matches"), n)
	                                : g_strdup_printf(ngettext("%u match", "%u matches", n), n);
	g_string_append(out, "<p class=\"matches\"><span>");
	html_text(out, line);
	g_string_append(out, "</span><button type=\"button\" data-step=\"-1\" hidden>");
	html_text(out, _("Previous match"));
	g_string_append(out, "</button><button type=\"button\" data-step=\"1\" hidden>");
	html_text(out, _("Next match"));
	g_string_append(out, "</button></p>\n");
}

static void browse_text_append_document(
        BrowseWorker *worker, GString *out, const Info *info, const Document *doc)
{
	BrowseSearch search;
	g_autofree char *title = browse_text_title(info);
	browse_search_init(&search, worker->request);
	g_autoptr(GArray) matches = browse_text_find(worker, &search, doc);
	unsigned part = browse_text_part(worker->request, doc, matches);
	BrowseText text = {.out = out,
	        .doc = doc,
	        .matches = matches,
	        .from = browse_text_edge(doc, part),
	        .to = browse_text_edge(doc, part + 1)};
	browse_text_append_head(out, info, &search, title);
	browse_text_append_matches(out, matches);
	browse_text_append_parts(out, &search, info, doc, part);
	g_string_append_printf(out, "<div class=\"text%s\" tabindex=\"0\">\n",
	        g_strcmp0(doc->mime, "text/markdown") == 0 ? " flow" : "");
	browse_text_put_blocks(&text);
	if (doc->state == STATE_FAILED || doc->text->len == 0) {
		g_string_append(out, "<p class=\"note\">");
		html_text(out, doc->state == STATE_FAILED ? document_reason_text(doc->reason)
		                                          : _("It has no text."));
		g_string_append(out, "</p>");
	}
	g_string_append(out, "</div>\n");
	browse_text_append_parts(out, &search, info, doc, part);
	browse_search_clear(&search);
}

bool browse_text_append(BrowseWorker *worker, GString *out, char **title_r)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(Info) info = browse_target(worker);
	if (!info)
		return false;
	g_autoptr(Document) doc =
	        info->stat.kind == ENTRY_FILE ? convert_entry(worker->cli, info, &error) : NULL;
	if (!doc) {
		browse_fail(worker, MHD_HTTP_NOT_FOUND,
		        error ? error->message : _("The document is no longer in its file."));
		return false;
	}
	*title_r = browse_text_title(info);
	browse_text_append_document(worker, out, info, doc);
	return true;
}
