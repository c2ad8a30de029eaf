/* SPDX-License-Identifier: GPL-3.0-or-later */
/* feed-json.c - JSON Feed 1.0 and 1.1 (jsonfeed.org) */
#include <config.h>
#include "extractors/feed/feed-model.h"
#include "extractors/shared/json-value.h"
#include <string.h>

static const char *json_text_of(const JsonValue *value, const char *key)
{
	return json_string(json_member(value, key));
}

static void json_keep_text(char **place, const JsonValue *value, const char *key)
{
	feed_keep(place, json_text_of(value, key));
}

static void keep_address(const Feed *feed, char **place, const char *reference)
{
	g_autofree char *address = reference ? feed_resolve(feed->url, reference) : NULL;
	feed_keep(place, address);
}

/* Version 1.0 has one author, 1.1 has a list. */
static void keep_authors(FeedItem *item, const JsonValue *value)
{
	const JsonValue *authors = json_member(value, "authors"), *author;
	feed_add(item->authors, json_text_of(json_member(value, "author"), "name"));
	for (unsigned i = 0; (author = json_element(authors, i)); i++)
		feed_add(item->authors, json_text_of(author, "name"));
}

static void keep_escaped(char **place, const char *text)
{
	g_autofree char *html = text ? g_markup_escape_text(text, -1) : NULL;
	feed_keep(place, html);
}

static void keep_files(const Feed *feed, FeedItem *item, const JsonValue *files)
{
	const JsonValue *file;
	for (unsigned i = 0; (file = json_element(files, i)); i++) {
		g_autofree char *url = NULL;
		keep_address(feed, &url, json_text_of(file, "url"));
		feed_add_enclosure(item, url, json_text_of(file, "mime_type"),
		        json_text_of(file, "size_in_bytes"));
	}
}

static void json_read_item(const Feed *feed, FeedItem *item, const JsonValue *value)
{
	const JsonValue *tags = json_member(value, "tags"), *tag;
	const char *published = json_text_of(value, "date_published");
	const char *modified = json_text_of(value, "date_modified");

	json_keep_text(&item->id, value, "id");
	keep_address(feed, &item->link, json_text_of(value, "url"));
	keep_address(feed, &item->link, json_text_of(value, "external_url"));
	json_keep_text(&item->title, value, "title");
	json_keep_text(&item->content, value, "content_html");
	keep_escaped(&item->content, json_text_of(value, "content_text"));
	keep_escaped(&item->summary, json_text_of(value, "summary"));
	json_keep_text(&item->language, value, "language");
	item->base = g_strdup(feed->url);
	if (published)
		feed_keep_date(item, published, false);
	if (modified)
		feed_keep_updated(item, modified);
	for (unsigned i = 0; (tag = json_element(tags, i)); i++)
		feed_add(item->keywords, json_string(tag));
	keep_authors(item, value);
	keep_files(feed, item, json_member(value, "attachments"));
}

/* False: stop. */
static bool json_read_items(Feed *feed, JsonText *json)
{
	bool more = true;
	if (json_take(json, ']'))
		return true;
	do {
		json->values = 0;
		g_autoptr(JsonValue) value = json_take_value(json);
		if (!value)
			return false;
		FeedItem item;
		feed_item_init(&item);
		json_read_item(feed, &item, value);
		more = feed->item(&item, feed->data);
		feed_item_clear(&item);
	} while (more && json_take(json, ','));
	json->bad |= more && !json_take(json, ']');
	return more && !json->bad;
}

/* "https://jsonfeed.org/version/1.1", or the number alone. */
static void keep_kind(Feed *feed, const char *version)
{
	const char *slash = version ? strrchr(version, '/') : NULL;
	const char *number = slash ? slash + 1 : version;
	if (number && !feed->kind && strlen(number) < 8)
		feed->kind = g_strdup_printf("json %s", number);
}

static void json_read_about(Feed *feed, const char *key, const JsonValue *value)
{
	FeedItem *about = &feed->about;
	const char *text = json_string(value);
	if (strcmp(key, "version") == 0)
		keep_kind(feed, text);
	else if (strcmp(key, "title") == 0)
		feed_keep(&about->title, text);
	else if (strcmp(key, "home_page_url") == 0)
		keep_address(feed, &about->link, text);
	else if (strcmp(key, "description") == 0)
		keep_escaped(&about->summary, text);
	else if (strcmp(key, "language") == 0)
		feed_keep(&about->language, text);
	else if (strcmp(key, "author") == 0)
		feed_add(about->authors, json_text_of(value, "name"));
	else if (strcmp(key, "authors") == 0)
		for (unsigned i = 0; json_element(value, i); i++)
			feed_add(about->authors, json_text_of(json_element(value, i), "name"));
}

static bool json_read_member(Feed *feed, JsonText *json)
{
	g_autofree char *key = json_take_string(json);
	if (!key || !json_take(json, ':'))
		return false;
	if (strcmp(key, "items") == 0 && json_take(json, '[')) {
		feed->kind = feed->kind ? feed->kind : g_strdup("json");
		return json_read_items(feed, json);
	}
	json->values = 0;
	g_autoptr(JsonValue) value = json_take_value(json);
	if (value)
		json_read_about(feed, key, value);
	return value != NULL;
}

void feed_read_json(Feed *feed, const char *text, size_t length)
{
	JsonText json = {.at = text, .end = text + length};
	bool more = json_take(&json, '{');
	while (more)
		more = json_read_member(feed, &json) && json_take(&json, ',');
	feed->damaged = json.bad || !json_take(&json, '}');
}
