/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/html/feed.h"
#include "extractors/html/entity.h"
#include <string.h>

enum { MAX_LINK_BYTES = 2048, MAX_TITLE_BYTES = 1024 };

typedef enum {
	FEED_OTHER,
	FEED_TITLE,
	FEED_TEXT,
	FEED_LINK,
	FEED_PERSON,
	FEED_SUBJECT,
	FEED_LANGUAGE
} FeedKind;

/* Names without their namespace prefix: "content:encoded", "dc:creator". An element that is not
 * here is text, too: publishers put the full text into elements of their own. */
static const struct {
	const char *name;
	FeedKind kind;
} kinds[] = {
	{"title", FEED_TITLE},
	{"link", FEED_LINK},
	{"creator", FEED_PERSON},
	{"name", FEED_PERSON},
	{"author", FEED_PERSON},
	{"category", FEED_SUBJECT},
	{"subject", FEED_SUBJECT},
	{"language", FEED_LANGUAGE},
	/* containers, and what is no text */
	{"rss", FEED_OTHER},
	{"rdf", FEED_OTHER},
	{"channel", FEED_OTHER},
	{"feed", FEED_OTHER},
	{"image", FEED_OTHER},
	{"items", FEED_OTHER},
	{"item", FEED_OTHER},
	{"entry", FEED_OTHER},
	{"textinput", FEED_OTHER},
	{"guid", FEED_OTHER},
	{"id", FEED_OTHER},
	{"url", FEED_OTHER},
	{"uri", FEED_OTHER},
	{"email", FEED_OTHER},
	{"pubdate", FEED_OTHER},
	{"lastbuilddate", FEED_OTHER},
	{"updated", FEED_OTHER},
	{"published", FEED_OTHER},
	{"modified", FEED_OTHER},
	{"issued", FEED_OTHER},
	{"created", FEED_OTHER},
	{"date", FEED_OTHER},
	{"ttl", FEED_OTHER},
	{"docs", FEED_OTHER},
	{"generator", FEED_OTHER},
	{"width", FEED_OTHER},
	{"height", FEED_OTHER},
	{"skiphours", FEED_OTHER},
	{"skipdays", FEED_OTHER},
};

typedef struct {
	Page *page;
	FeedKind kind; /* of the open element */
	char name[TOKEN_MAX_NAME];
	bool entry; /* in an item or entry, not in the channel's head */
	GString *text; /* of the open element */
	char *title, *link; /* of the entry, not sent yet */
} Feed;

static FeedKind kind_of(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
		if (strcmp(kinds[i].name, name) == 0)
			return kinds[i].kind;
	}
	return FEED_TEXT;
}

/* A title may hold markup, too: its text alone is kept. */
static char *plain_text(const char *html)
{
	GString *plain = g_string_new(NULL);
	Tokenizer tokenizer;
	Token token;

	token_init(&tokenizer, html, strlen(html));
	while (token_next(&tokenizer, &token)) {
		if (token.kind == TOKEN_TEXT)
			entity_append(plain, token.text, false);
	}
	return g_strstrip(g_string_free(plain, FALSE));
}

static void send_heading(Feed *feed)
{
	Page *page = feed->page;
	const char *title = feed->title ? feed->title : "";

	if (*title) {
		writer_block(&page->writer);
		writer_text(&page->writer, TAG_HEADING2, TAG_HEADING2, title, strlen(title));
		writer_block(&page->writer);
	}
	if (feed->link && *feed->link && !sink_link(page->sink, feed->link, title))
		page->writer.full = true;
	g_clear_pointer(&feed->title, g_free);
	g_clear_pointer(&feed->link, g_free);
}

static void send_text(Feed *feed, const char *html, size_t length)
{
	send_heading(feed);
	page_reset(feed->page);
	page_run(feed->page, html, length);
	page_reset(feed->page);
}

static void end_field(Feed *feed)
{
	const char *text = g_strstrip(feed->text->str);

	switch (feed->kind) {
	case FEED_TITLE:
		g_free(feed->title);
		feed->title = plain_text(text);
		if (!feed->entry) {
			meta_title(&feed->page->meta, feed->title);
			g_clear_pointer(&feed->title, g_free);
		}
		break;
	case FEED_TEXT:
		send_text(feed, text, strlen(text));
		break;
	case FEED_LINK:
		if (*text && feed->entry && strlen(text) < MAX_LINK_BYTES) {
			g_free(feed->link);
			feed->link = g_strdup(text);
		}
		break;
	case FEED_PERSON:
		sink_field(feed->page->sink, FIELD_AUTHOR, text, -1);
		break;
	case FEED_SUBJECT:
		sink_field(feed->page->sink, FIELD_KEYWORD, text, -1);
		break;
	case FEED_LANGUAGE:
		meta_language(&feed->page->meta, text);
		break;
	case FEED_OTHER:
		break;
	}
}

static bool is_entry(const char *name)
{
	return strcmp(name, "item") == 0 || strcmp(name, "entry") == 0;
}

static void open_element(Feed *feed, const Token *token)
{
	if (is_entry(token->name)) {
		send_heading(feed);
		feed->entry = true;
		feed->kind = FEED_OTHER;
		return;
	}
	FeedKind kind = kind_of(token->name);
	/* markup inside of a text (Atom's XHTML) does not end it; a person may have a name inside */
	bool inside = feed->kind != FEED_OTHER &&
		!(feed->kind == FEED_PERSON && kind == FEED_PERSON);
	if (inside || kind == FEED_OTHER) {
		g_string_append_c(feed->text, ' ');
		return;
	}
	Span href = token_attribute(token, "href");
	if (kind == FEED_LINK && feed->entry && href.length > 0 && href.length < MAX_LINK_BYTES &&
	        !feed->link) {
		g_autoptr(GString) link = g_string_new(NULL);
		entity_append(link, href, true);
		feed->link = g_strdup(link->str);
	}
	if (token->closed)
		return;
	feed->kind = kind;
	g_strlcpy(feed->name, token->name, sizeof(feed->name));
	g_string_truncate(feed->text, 0);
}

static void close_element(Feed *feed, const Token *token)
{
	if (feed->kind != FEED_OTHER && strcmp(token->name, feed->name) == 0) {
		end_field(feed);
		feed->kind = FEED_OTHER;
	}
	if (is_entry(token->name))
		send_heading(feed);
}

void feed_run(Page *page, const char *text, size_t length)
{
	Feed feed = {.page = page, .text = g_string_new(NULL)};
	Tokenizer tokenizer;
	Token token;

	token_init(&tokenizer, text, length);
	while (!page->writer.full && token_next(&tokenizer, &token)) {
		if (token.kind == TOKEN_TEXT && feed.kind != FEED_OTHER)
			entity_append(feed.text, token.text, false);
		else if (token.kind == TOKEN_RAW && feed.kind != FEED_OTHER)
			g_string_append_len(feed.text, token.text.text, token.text.length);
		else if (token.kind == TOKEN_OPEN)
			open_element(&feed, &token);
		else if (token.kind == TOKEN_CLOSE)
			close_element(&feed, &token);
	}
	send_heading(&feed);
	g_string_free(feed.text, TRUE);
}
