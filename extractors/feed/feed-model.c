/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/feed/feed-model.h"
#include "extractors/html/html-entity.h"
#include "extractors/shared/webdate.h"
#include <string.h>

static void enclosure_clear(gpointer item)
{
	FeedEnclosure *enclosure = item;
	g_free(enclosure->url);
	g_free(enclosure->type);
	g_free(enclosure->size);
}

void feed_item_init(FeedItem *item)
{
	*item = (FeedItem){.extra = g_string_new(NULL),
	        .authors = g_ptr_array_new_with_free_func(g_free),
	        .keywords = g_ptr_array_new_with_free_func(g_free),
	        .enclosures = g_array_new(FALSE, FALSE, sizeof(FeedEnclosure))};
	g_array_set_clear_func(item->enclosures, enclosure_clear);
}

void feed_item_clear(FeedItem *item)
{
	g_free(item->id);
	g_free(item->link);
	g_free(item->title);
	g_free(item->content);
	g_free(item->summary);
	g_free(item->base);
	g_free(item->date);
	g_free(item->updated);
	g_free(item->language);
	g_string_free(item->extra, TRUE);
	g_ptr_array_unref(item->authors);
	g_ptr_array_unref(item->keywords);
	g_array_unref(item->enclosures);
}

void feed_init(Feed *feed, const char *url, FeedItemFunc item, void *data)
{
	*feed = (Feed){.url = url,
	        .item = item,
	        .data = data,
	        .schedule = g_ptr_array_new_with_free_func(g_free),
	        .subscriptions = g_ptr_array_new_with_free_func(g_free)};
	feed_item_init(&feed->about);
}

void feed_clear(Feed *feed)
{
	g_free(feed->kind);
	feed_item_clear(&feed->about);
	g_ptr_array_unref(feed->schedule);
	g_ptr_array_unref(feed->subscriptions);
}

char *feed_trim(char *text)
{
	char *end = text + strlen(text);
	while (*text && g_unichar_isspace(g_utf8_get_char(text)))
		text = g_utf8_next_char(text);
	while (end > text) {
		char *before = g_utf8_prev_char(end);
		if (!g_unichar_isspace(g_utf8_get_char(before)))
			break;
		end = before;
	}
	*end = '\0';
	return text;
}

void feed_keep(char **place, const char *value)
{
	g_autofree char *copy = g_strdup(value ? value : "");
	const char *trimmed = feed_trim(copy);
	if (!*place && *trimmed)
		*place = g_strdup(trimmed);
}

void feed_add(GPtrArray *list, const char *value)
{
	g_autofree char *kept = NULL;
	feed_keep(&kept, value);
	if (!kept || list->len >= FEED_MAX_LIST ||
	        g_ptr_array_find_with_equal_func(list, kept, g_str_equal, NULL))
		return;
	g_ptr_array_add(list, g_steal_pointer(&kept));
}

void feed_add_enclosure(FeedItem *item, const char *url, const char *type, const char *size)
{
	FeedEnclosure enclosure = {0};
	feed_keep(&enclosure.url, url);
	if (!enclosure.url || item->enclosures->len >= FEED_MAX_LIST) {
		g_free(enclosure.url);
		return;
	}
	feed_keep(&enclosure.type, type);
	feed_keep(&enclosure.size, size);
	g_array_append_val(item->enclosures, enclosure);
}

void feed_add_subscription(Feed *feed, const char *url, const char *title)
{
	char *kept_url = NULL, *kept_title = NULL;
	feed_keep(&kept_url, url);
	if (!kept_url || feed->subscriptions->len >= 2 * FEED_MAX_SUBSCRIPTIONS) {
		g_free(kept_url);
		return;
	}
	feed_keep(&kept_title, title);
	g_ptr_array_add(feed->subscriptions, kept_url);
	g_ptr_array_add(feed->subscriptions, kept_title ? kept_title : g_strdup(""));
}

void feed_keep_date(FeedItem *item, const char *date, bool weak)
{
	bool wanted = !item->date || (item->date_is_weak && !weak);
	char *utc = wanted ? web_date_utc(date, NULL) : NULL;
	if (!utc)
		return;
	g_free(item->date);
	item->date = utc;
	item->date_is_weak = weak;
}

void feed_keep_updated(FeedItem *item, const char *date)
{
	if (!item->updated)
		item->updated = web_date_utc(date, NULL);
}

char *feed_resolve(const char *base, const char *reference)
{
	g_autofree char *scheme = g_uri_parse_scheme(reference);
	if (scheme || !base || !*base)
		return g_strdup(reference);
	char *uri = g_uri_resolve_relative(base, reference, G_URI_FLAGS_PARSE_RELAXED, NULL);
	return uri ? uri : g_strdup(reference);
}

char *feed_plain_text(const char *html)
{
	GString *plain = g_string_new(NULL);
	Tokenizer tokenizer;
	Token token;

	token_init(&tokenizer, html, strlen(html));
	tokenizer.plain = true;
	while (token_next(&tokenizer, &token)) {
		if (token.kind == TOKEN_TEXT)
			entity_append(plain, token.text, true);
		else if (token.kind == TOKEN_RAW)
			g_string_append_len(plain, token.text.text, token.text.length);
	}
	char *trimmed = g_strdup(feed_trim(plain->str));
	g_string_free(plain, TRUE);
	return trimmed;
}

char *feed_person(const char *text)
{
	const char *open = strchr(text, '@') ? strpbrk(text, "(<") : NULL;
	const char *close = open ? strrchr(open, *open == '(' ? ')' : '>') : NULL;
	if (!close)
		return g_strdup(text);
	char *name =
	        *open == '(' ? g_strndup(open + 1, close - open - 1) : g_strndup(text, open - text);
	g_strstrip(name);
	if (*name)
		return name;
	g_free(name);
	return g_strdup(text);
}
