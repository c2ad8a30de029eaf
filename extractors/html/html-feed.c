/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/html/html-feed.h"
#include "extractors/html/html-entity.h"
#include "extractors/shared/isodate.h"
#include <string.h>

enum { MAX_LINK_BYTES = 2048 };

typedef enum {
	FEED_OTHER, /* a container, or no text */
	FEED_TITLE,
	FEED_TEXT,
	FEED_LINK,
	FEED_PERSON,
	FEED_SUBJECT,
	FEED_LANGUAGE,
	FEED_DATE,
	FEED_UPDATED,
	FEED_SOURCE, /* RSS: a name; Atom: the head of another feed */
} FeedKind;

/* Names without their namespace prefix: "content:encoded", "dc:creator". An element that is not
 * listed is text too, because publishers put the full text into elements of their own. */
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
        {"pubdate", FEED_DATE},
        {"published", FEED_DATE},
        {"issued", FEED_DATE},
        {"created", FEED_DATE},
        {"date", FEED_DATE},
        {"updated", FEED_UPDATED},
        {"modified", FEED_UPDATED},
        {"lastbuilddate", FEED_UPDATED},
        {"source", FEED_SOURCE},
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
	FeedKind kind; /* kind of the open element */
	char name[TOKEN_MAX_NAME];
	GString *text; /* text of the open element */
	bool mixed; /* the open element has child elements */
	bool titled;
	char *link, *link_text, *date, *updated;
	unsigned items;
} Feed;

static FeedKind html_kind_of(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
		if (strcmp(kinds[i].name, name) == 0)
			return kinds[i].kind;
	}
	return FEED_TEXT;
}

/* A title may contain markup; only its text is kept. */
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

static void keep_title(Feed *feed, const char *html)
{
	if (feed->titled)
		return;
	g_autofree char *title = plain_text(html);
	meta_title(&feed->page->meta, title);
	feed->titled = *title != '\0';
	feed->link_text = g_steal_pointer(&title);
}

static void html_send_text(Feed *feed, const char *html)
{
	page_reset(feed->page);
	page_run(feed->page, html, strlen(html));
	page_reset(feed->page);
}

static void feed_set_once(char **place, const char *text)
{
	if (!*place && *text && strlen(text) < MAX_LINK_BYTES)
		*place = g_strdup(text);
}

static void end_field(Feed *feed)
{
	const char *text = g_strstrip(feed->text->str);

	switch (feed->kind) {
	case FEED_TITLE:
		keep_title(feed, text);
		break;
	case FEED_TEXT:
		html_send_text(feed, text);
		break;
	case FEED_SOURCE:
		if (!feed->mixed)
			html_send_text(feed, text);
		break;
	case FEED_LINK:
		feed_set_once(&feed->link, text);
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
	case FEED_DATE:
		feed_set_once(&feed->date, text);
		break;
	case FEED_UPDATED:
		feed_set_once(&feed->updated, text);
		break;
	case FEED_OTHER:
		break;
	}
}

static void keep_attribute(const Token *token, const char *name, char **place)
{
	HtmlSpan value = token_attribute(token, name);
	g_autoptr(GString) text = g_string_new(NULL);

	if (value.length == 0 || value.length >= MAX_LINK_BYTES)
		return;
	entity_append(text, value, true);
	feed_set_once(place, text->str);
}

static void html_feed_open_element(Feed *feed, const Token *token)
{
	FeedKind kind = html_kind_of(token->name);
	/* markup inside a text (Atom's XHTML) does not end it, and a person element may contain a
	 * name */
	bool inside =
	        feed->kind != FEED_OTHER && !(feed->kind == FEED_PERSON && kind == FEED_PERSON);

	feed->mixed = true;
	if (inside || kind == FEED_OTHER) {
		g_string_append_c(feed->text, ' ');
		return;
	}
	HtmlSpan relation = token_attribute(token, "rel");
	if (kind == FEED_LINK && (!relation.text || span_is(relation, "alternate")))
		keep_attribute(token, "href", &feed->link);
	if (kind == FEED_SUBJECT && token_attribute(token, "term").length > 0) {
		g_autofree char *term = NULL;
		keep_attribute(token, "term", &term);
		sink_field(feed->page->sink, FIELD_KEYWORD, term, -1);
	}
	if (token->closed)
		return;
	feed->kind = kind;
	feed->mixed = false;
	g_strlcpy(feed->name, token->name, sizeof(feed->name));
	g_string_truncate(feed->text, 0);
}

static void html_feed_close_element(Feed *feed, const Token *token)
{
	if (feed->kind != FEED_OTHER && strcmp(token->name, feed->name) == 0) {
		end_field(feed);
		feed->kind = FEED_OTHER;
	}
}

static void html_read_token(Feed *feed, const Token *token)
{
	if (token->kind == TOKEN_TEXT && feed->kind != FEED_OTHER)
		entity_append(feed->text, token->text, false);
	else if (token->kind == TOKEN_RAW && feed->kind != FEED_OTHER)
		g_string_append_len(feed->text, token->text.text, token->text.length);
	else if (token->kind == TOKEN_OPEN)
		html_feed_open_element(feed, token);
	else if (token->kind == TOKEN_CLOSE)
		html_feed_close_element(feed, token);
}

static void send_facts(Feed *feed)
{
	const char *date = feed->date ? feed->date : feed->updated;
	g_autofree char *utc = date ? iso_date_utc(date, -1) : NULL;

	if (date && !utc)
		utc = mail_date_utc(date);
	sink_field(feed->page->sink, FIELD_DATE, utc, -1);
	if (feed->link)
		sink_link(feed->page->sink, feed->link, feed->link_text ? feed->link_text : "");
}

/* ---- items as members */

static bool is_item(const Token *token)
{
	return token->kind == TOKEN_OPEN && !token->closed &&
	       (strcmp(token->name, "item") == 0 || strcmp(token->name, "entry") == 0);
}

/* Skips the element that was just opened, with its end tag. */
static void skip_element(Tokenizer *tokenizer, const char *name)
{
	unsigned open = 1;
	Token token;

	while (open > 0 && token_next(tokenizer, &token)) {
		if (strcmp(token.name, name) != 0)
			continue;
		if (token.kind == TOKEN_OPEN)
			open += !token.closed;
		else if (token.kind == TOKEN_CLOSE)
			open--;
	}
}

static void send_item(Feed *feed, const char *mime, const char *begin, const char *end)
{
	char name[16];
	g_snprintf(name, sizeof(name), "%u", ++feed->items);
	SinkMember member = {.name = name,
	        .data = (const uint8_t *)begin,
	        .size = end - begin,
	        .mime = mime,
	        .charset = "utf-8"};
	if (!sink_member(feed->page->sink, &member))
		feed->page->writer.full = true;
}

void feed_run(Page *page, const char *mime, const char *text, size_t length)
{
	Feed feed = {.page = page, .text = g_string_new(NULL)};
	Tokenizer tokenizer;
	Token token;
	bool first = true;

	token_init(&tokenizer, text, length);
	for (const char *begin = text; !page->writer.full && token_next(&tokenizer, &token);
	        begin = tokenizer.at) {
		if (is_item(&token) && !first) {
			skip_element(&tokenizer, token.name);
			send_item(&feed, mime, begin, tokenizer.at);
			continue;
		}
		first = first && token.kind != TOKEN_OPEN;
		html_read_token(&feed, &token);
	}
	send_facts(&feed);
	g_string_free(feed.text, TRUE);
	g_free(feed.link);
	g_free(feed.link_text);
	g_free(feed.date);
	g_free(feed.updated);
}
