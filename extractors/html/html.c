/* SPDX-License-Identifier: GPL-3.0-or-later */
/* html.c - the plugin for HTML and XHTML */
#include <config.h>
#include "extractors/shared/extractor.h"
#include "extractors/html/html-charset.h"
#include "extractors/html/html-page.h"
#include <libxml/xmlversion.h>
#include <string.h>

static const char *const mime_types[] = {"text/html", "application/xhtml+xml", NULL};

static bool is_xml(const Input *in, const char *text)
{
	return g_str_has_prefix(text, "<?xml") || (in->mime && strstr(in->mime, "xml"));
}

/* Only files are searched for main content: parts of mails and books have no navigation. */
static void run_page(Page *page, const Input *in, const char *text, size_t length)
{
	page->content = in->name && *in->name ? content_find(text, length) : NULL;
	page_run(page, text, length);
	g_clear_pointer(&page->content, content_free);
}

/* All browsers export and import this form. */
static bool is_bookmarks(const char *text)
{
	static const char mark[] = "<!DOCTYPE NETSCAPE-Bookmark-file";
	text += strspn(text, " \t\r\n");
	return g_ascii_strncasecmp(text, mark, strlen(mark)) == 0;
}

static ExtractResult html_extract(const Input *in, Sink *sink)
{
	g_autofree char *declared =
	        in->charset ? g_strdup(in->charset) : declared_charset(in->data, in->size);
	const char *charset = NULL;
	size_t length;
	g_autofree char *text = decode_text(in->data, in->size, declared, &length, &charset);
	Page page;

	bool xml = is_xml(in, text);
	page_init(&page, sink, xml);
	page.book = xml && !(in->name && *in->name);
	page.site = in->purpose == JOB_PAGE;
	page.bookmarks = is_bookmarks(text);
	if (page.site && *in->url)
		page.base = g_strdup(in->url);
	if (page.site)
		meta_send_robots(sink, text, length, xml);
	if (charset)
		sink_field(sink, FIELD_CHARSET, charset, -1);
	run_page(&page, in, text, length);
	return page_finish(&page) ? EXTRACT_DONE : EXTRACT_NOTHING;
}

const Extractor tarsier_extractor = {
        .abi = EXTRACTOR_ABI,
        .name = "html",
        .version = 17,
        .library = "libxml2 " LIBXML_DOTTED_VERSION,
        .lane = LANE_CHEAP,
        .mime_types = mime_types,
        .extract = html_extract,
};
