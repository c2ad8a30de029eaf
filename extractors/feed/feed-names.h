/* SPDX-License-Identifier: GPL-3.0-or-later */
/* feed-names.h - the elements of RSS, Atom and their extensions */
#pragma once

/* The vocabulary that an element belongs to. */
typedef enum {
	MODULE_RSS = 1, /* RSS of any version; no namespace */
	MODULE_ATOM = 2,
	MODULE_DC = 4, /* Dublin Core */
	MODULE_CONTENT = 8,
	MODULE_ITUNES = 16,
	MODULE_MEDIA = 32,
	MODULE_SCHEDULE = 64, /* syndication */
	MODULE_OTHER = 128,
} FeedModule;

typedef enum {
	FEED_UNKNOWN,
	FEED_IGNORED,
	FEED_TITLE,
	FEED_LINK,
	FEED_ID,
	FEED_SUMMARY,
	FEED_WEAK_SUMMARY, /* if there is no other text */
	FEED_CONTENT,
	FEED_AUTHOR,
	FEED_WEAK_AUTHOR, /* if there is no other author */
	FEED_KEYWORD,
	FEED_KEYWORDS, /* separated by commas */
	FEED_DATE,
	FEED_WEAK_DATE,
	FEED_UPDATED,
	FEED_ENCLOSURE_FILE,
	FEED_MEDIA_FILE, /* an enclosure, if there is no other */
	FEED_GROUP, /* what is in it counts as if it were not there */
	FEED_LANGUAGE,
	FEED_TTL,
	FEED_HOUR,
	FEED_DAY,
	FEED_PERIOD,
	FEED_FREQUENCY,
} FeedField;

/* uri and prefix of an element; NULL: none. Namespaces that were not declared are known by the
 * usual prefix. */
FeedModule feed_module(const char *uri, const char *prefix);
/* name: lower case, without prefix. */
FeedField feed_field(FeedModule module, const char *name);
