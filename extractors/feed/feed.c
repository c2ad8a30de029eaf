/* SPDX-License-Identifier: GPL-3.0-or-later */
/* feed.c - the plugin for feeds: RSS 0.9 to 2.0, Atom 0.3 and 1.0, JSON Feed 1.0 and 1.1 */
#include <config.h>
#include "extractors/feed/feed-send.h"
#include "extractors/shared/xmlclean.h"
#include <libxml/parser.h>
#include <libxml/xmlversion.h>
#include <string.h>

enum { MAX_FEED_BYTES = 64 << 20 };

static const char *const mime_types[] = {
        FEED_TYPE, "application/rss+xml", "application/atom+xml", "application/feed+json", NULL};

/* UTF-16 and UTF-32 */
static bool feed_is_wide(const char *data, size_t size)
{
	return size >= 4 && (memchr(data, 0, 4) || memcmp(data, "\xff\xfe", 2) == 0 ||
	                            memcmp(data, "\xfe\xff", 2) == 0);
}

static void feed_read(Feed *feed, const char *data, size_t size)
{
	size_t length;
	if (feed_is_wide(data, size)) {
		feed_read_xml(feed, data, size);
		return;
	}
	xml_skip_blank(&data, &size);
	bool json = size > 0 && *data == '{';
	g_autofree char *text = json ? decode_text((const uint8_t *)data, size, NULL, &length, NULL)
	                             : xml_clean(data, size, &length);
	if (json)
		feed_read_json(feed, text, length);
	else
		feed_read_xml(feed, text, length);
}

static ExtractResult feed_extract(const Input *in, Sink *sink)
{
	FeedSender sender = {.sink = sink, .mime = in->mime};
	Feed feed;

	feed_init(&feed, in->url ? in->url : "", feed_send_item, &sender);
	feed_read(&feed, (const char *)in->data, MIN(in->size, (size_t)MAX_FEED_BYTES));
	bool known = feed.kind != NULL;
	if (known)
		feed_send_about(&feed, &sender);
	if (known && in->size > MAX_FEED_BYTES)
		sink_truncated(sink, REASON_LIMIT_FILE, NULL);
	else if (known && feed.damaged)
		sink_truncated(sink, REASON_DAMAGED, NULL);
	feed_clear(&feed);
	return known ? EXTRACT_DONE : sink_fail(sink, REASON_DAMAGED, "it is not a feed");
}

static const char *feed_preload(void)
{
	xmlInitParser();
	return NULL;
}

const Extractor tarsier_extractor = {
        .abi = EXTRACTOR_ABI,
        .name = "feed",
        .version = 4,
        .library = "libxml2 " LIBXML_DOTTED_VERSION,
        .lane = LANE_CHEAP,
        .mime_types = mime_types,
        .preload = feed_preload,
        .extract = feed_extract,
};
