/* SPDX-License-Identifier: GPL-3.0-or-later */
/* feed-model.h - a feed and its items, as the readers of its formats fill them */
#pragma once
#include <glib.h>
#include <stdbool.h>

/* FEED_MAX_BASE: bytes of an address that others are resolved against */
enum {
	FEED_MAX_VALUE = 4 << 20,
	FEED_MAX_LIST = 64,
	FEED_MAX_BASE = 8 << 10,
	FEED_MAX_SUBSCRIPTIONS = 10000,
};

typedef struct {
	char *url, *type, *size; /* type and size may be NULL */
} FeedEnclosure;

/* An item, or the feed itself. Strings are UTF-8; NULL: absent. */
typedef struct {
	char *id, *link;
	char *title; /* plain text */
	char *content, *summary; /* HTML */
	char *base; /* what relative links in the HTML are resolved against */
	GString *extra; /* plain text of elements that are not known */
	char *date, *updated; /* as FIELD_DATE */
	bool date_is_weak; /* any other date counts more */
	char *language;
	GPtrArray *authors, *keywords; /* char * */
	GArray *enclosures; /* FeedEnclosure */
} FeedItem;

/* Takes a complete item. False: stop. */
typedef bool (*FeedItemFunc)(FeedItem *item, void *data);

typedef struct {
	char *kind; /* as FIELD_KIND; NULL: it is not a feed */
	const char *url; /* address that the feed was fetched from; "": unknown; borrowed */
	FeedItem about; /* the feed itself; id is not used */
	GPtrArray *schedule; /* values of FIELD_SCHEDULE */
	GPtrArray *subscriptions; /* of OPML: char *, the URL and title of each feed in turn */
	FeedItemFunc item;
	void *data;
	bool damaged;
} Feed;

void feed_item_init(FeedItem *item);
void feed_item_clear(FeedItem *item);
void feed_init(Feed *feed, const char *url, FeedItemFunc item, void *data);
void feed_clear(Feed *feed);

/* Cuts white space, that of Unicode too; the result points into text. */
char *feed_trim(char *text);
/* Keeps the trimmed value unless the place has one or the value is empty. */
void feed_keep(char **place, const char *value);
/* Adds a trimmed value that the list does not have yet. */
void feed_add(GPtrArray *list, const char *value);
void feed_add_enclosure(FeedItem *item, const char *url, const char *type, const char *size);
/* Keeps a feed that a list of subscriptions has; title may be NULL. */
void feed_add_subscription(Feed *feed, const char *url, const char *title);
/* Keeps a date of any spelling, unless there is one that counts as much. */
void feed_keep_date(FeedItem *item, const char *date, bool weak);
void feed_keep_updated(FeedItem *item, const char *date);
/* Resolves a reference against a base, NULL or "": none. A reference that cannot be resolved stays
 * as it is. The caller frees it. */
char *feed_resolve(const char *base, const char *reference);
/* Returns the text of HTML without its tags. The caller frees it. */
char *feed_plain_text(const char *html);
/* Returns the name in "a@example.org (name)" and "name <a@example.org>", else the text itself. The
 * caller frees it. */
char *feed_person(const char *text);

/* The readers call feed->item() for each item, and set kind if the text is a feed of their
 * format. */
void feed_read_xml(Feed *feed, const char *text, size_t length);
void feed_read_json(Feed *feed, const char *text, size_t length);
