/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/feed/feed-send.h"
#include "extractors/html/html-page.h"
#include <string.h>

static void feed_send_list(Sink *sink, DocField field, const GPtrArray *values)
{
	for (guint i = 0; i < values->len; i++)
		sink_field(sink, field, values->pdata[i], -1);
}

static void send_enclosures(Sink *sink, const FeedItem *item)
{
	for (guint i = 0; i < item->enclosures->len; i++) {
		const FeedEnclosure *from = &g_array_index(item->enclosures, FeedEnclosure, i);
		g_autofree char *text = g_strdup_printf(
		        "%s\t%s", from->type ? from->type : "", from->size ? from->size : "");
		sink_link_kind(sink, LINK_ENCLOSURE, 0, from->url, text);
	}
}

/* Facts that an item and the feed share. A date of change stands in for a missing one. */
static void send_common(Page *page, const FeedItem *item)
{
	Sink *sink = page->sink;
	meta_title(&page->meta, item->title ? item->title : "");
	feed_send_list(sink, FIELD_AUTHOR, item->authors);
	feed_send_list(sink, FIELD_KEYWORD, item->keywords);
	sink_field(sink, FIELD_DATE, item->date ? item->date : item->updated, -1);
	sink_field(sink, FIELD_UPDATED, item->updated, -1);
	sink_field(sink, FIELD_URL, item->link, -1);
	if (item->language)
		meta_language(&page->meta, item->language);
	if (item->link)
		sink_link(sink, item->link, item->title ? item->title : "");
	send_enclosures(sink, item);
}

static void feed_send_html(Page *page, const FeedItem *item, const char *html)
{
	page->base = item->base && *item->base ? g_strdup(item->base) : NULL;
	page_reset(page);
	page_run(page, html, strlen(html));
	page_reset(page);
}

/* The text is the content, or the summary if there is no content; else the summary is a fact. */
static void send_texts(Page *page, const FeedItem *item)
{
	const char *html = item->content ? item->content : item->summary;
	if (item->content && item->summary) {
		g_autofree char *summary = feed_plain_text(item->summary);
		sink_field(page->sink, FIELD_COMMENT, summary, -1);
	}
	if (html)
		feed_send_html(page, item, html);
	writer_flush(&page->writer);
	if (item->extra->len > 0) {
		sink_block(page->sink, TAG_NOISE);
		sink_text(page->sink, TAG_NOISE, item->extra->str, item->extra->len);
	}
}

bool feed_send_item(FeedItem *item, void *data)
{
	FeedSender *sender = data;
	const char *html = item->content ? item->content : item->summary ? item->summary : "";
	char name[16];
	g_snprintf(name, sizeof name, "%u", ++sender->items);
	SinkMember member = {.name = name,
	        .data = (const uint8_t *)html,
	        .size = strlen(html),
	        .mime = sender->mime};
	Sink *sink = sink_begin_member(sender->sink, &member);
	if (sink) {
		Page page;
		page_init(&page, sink, false);
		send_common(&page, item);
		sink_field(sink, FIELD_IDENTIFIER, item->id, -1);
		send_texts(&page, item);
		page_finish(&page);
		sink_end_member(sink);
	}
	return sink_block(sender->sink, TAG_BODY);
}

void feed_send_about(Feed *feed, FeedSender *sender)
{
	Page page;
	page_init(&page, sender->sink, false);
	sink_field(sender->sink, FIELD_KIND, feed->kind, -1);
	send_common(&page, &feed->about);
	feed_send_list(sender->sink, FIELD_SCHEDULE, feed->schedule);
	for (guint i = 0; i < feed->subscriptions->len; i += 2)
		sink_link_kind(sender->sink, LINK_FEED, 0, feed->subscriptions->pdata[i],
		        feed->subscriptions->pdata[i + 1]);
	send_texts(&page, &feed->about);
	page_finish(&page);
}
