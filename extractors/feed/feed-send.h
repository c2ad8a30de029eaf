/* SPDX-License-Identifier: GPL-3.0-or-later */
/* feed-send.h - sends a feed as a document, and each item as a member */
#pragma once
#include "extractors/feed/feed-model.h"
#include "extractors/shared/extractor.h"

typedef struct {
	Sink *sink;
	const char *mime; /* of the items */
	unsigned items;
} FeedSender;

/* A FeedItemFunc; data: FeedSender. The member is named by its number. Its bytes are the HTML. */
bool feed_send_item(FeedItem *item, void *data);
/* Sends the facts and the description of the feed. */
void feed_send_about(Feed *feed, FeedSender *sender);
