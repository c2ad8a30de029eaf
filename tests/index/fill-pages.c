/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fill-pages.c - puts pages into an index as the daemon does, for tests of the client
 *
 *   fill-pages INDEX CACHE <LINES
 *
 * A line is "site URL" or "feed URL", which begins a source, or "page URL FILE TITLE": FILE is what
 * the server answered (HTML), whose text is indexed without its tags. */
#include <config.h>
#include "index/write/writer-web.h"
#include <stdio.h>
#include <string.h>

static Writer *w;
static WarcStore *store;
static int64_t source;
static const char *index_dir;

#define MUST(call)                                                                                 \
	do {                                                                                       \
		GError *error = NULL;                                                              \
		if (!(call))                                                                       \
			g_error("%s", error ? error->message : #call);                             \
	} while (0)

static void begin_source(const char *url, bool is_feed)
{
	const WarcPlace nowhere = {0};
	const char *path = strchr(strstr(url, "://") + 3, '/');
	g_autofree char *host = g_strndup(url, path - url), *prefix = g_strdup(path);
	WebSourceRow row = {.prefix = prefix, .pages_most = 100, .depth_most = 10};
	int64_t node;
	MUST(writer_web_host(w, host, &row.host, &error));
	MUST(writer_web_add_source(w, &row, &source, &error));
	MUST(writer_web_name_source(w, source, url, is_feed, &node, &error));
	g_autofree char *dir = g_strdup_printf("%s/web/%" G_GINT64_FORMAT, index_dir, source);
	g_clear_pointer(&store, warc_store_close);
	MUST(store = warc_store_open(dir, "fill-pages", &nowhere, NULL, NULL, &error));
}

static Document *document_of_html(const char *html, const char *title)
{
	Document *doc = document_new(NULL);
	g_autoptr(GRegex) tags = g_regex_new("<[^>]*>", 0, 0, NULL);
	g_autofree char *text = g_regex_replace_literal(tags, html, -1, 0, " ", 0, NULL);
	doc->mime = g_strdup("text/html");
	document_add_fact(doc, FIELD_TITLE, title, strlen(title));
	document_add_text(doc, TAG_BODY, DOC_RUN_BLOCK, text, strlen(text));
	return doc;
}

static void add_content(const Entry *entry, const char *html, const char *title)
{
	const ContentEnd end = {
	        .mime = "text/html", .extractor = "html", .version = 1, .state = STATE_OK};
	uint8_t checksum[CHECKSUM_BYTES];
	int64_t content;
	checksum_of(writer_checksum_key(w), html, strlen(html), checksum);
	if (writer_find_content(w, checksum, &content, NULL) == 0) {
		g_autoptr(Document) doc = document_of_html(html, title);
		MUST(writer_begin_content(w, checksum, strlen(html), &content, &error));
		MUST(writer_add_document(w, content, doc, false, &error));
		MUST(writer_end_content(w, content, &end, &error));
	}
	MUST(writer_link(w, entry->inode, content, &error));
}

static void add_page(const char *url, const char *file, const char *title)
{
	g_autofree char *html = NULL;
	gsize length;
	WarcDraft draft = {.type = WARC_RESPONSE,
	        .uri = url,
	        .head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"};
	WebPageRow row = {.source = source, .url = (char *)url};
	Entry entry;
	MUST(g_file_get_contents(file, &html, &length, &error));
	draft.head_length = strlen(draft.head);
	draft.body = (const uint8_t *)html;
	draft.body_length = length;
	MUST(warc_store_append(store, &draft, &row.place, NULL, &error));
	MUST(writer_web_put_page(w, &row, url, url, length, 1771588800, true, &entry, &error));
	add_content(&entry, html, title);
}

int main(int argc, char **argv)
{
	char line[4096];
	g_assert_cmpint(argc, ==, 3);
	index_dir = argv[1];
	MUST(w = writer_open(index_dir, argv[2], &error));
	while (fgets(line, sizeof line, stdin)) {
		g_auto(GStrv) words = g_strsplit(g_strchomp(line), " ", 4);
		if (strcmp(words[0], "page") == 0)
			add_page(words[1], words[2], words[3]);
		else
			begin_source(words[1], strcmp(words[0], "feed") == 0);
	}
	MUST(writer_commit(w, &error));
	warc_store_close(store);
	writer_close(w);
	return 0;
}
