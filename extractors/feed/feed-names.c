/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/feed/feed-names.h"
#include <glib.h>
#include <stdbool.h>
#include <string.h>

static const struct {
	const char *part; /* of the namespace, lower case */
	const char *prefix;
	FeedModule module;
} modules[] = {
        {"www.w3.org/2005/atom", "atom", MODULE_ATOM},
        {"purl.org/atom/", "atom03", MODULE_ATOM},
        {"purl.org/dc/", "dc", MODULE_DC},
        {"purl.org/dc/terms", "dcterms", MODULE_DC},
        {"purl.org/rss/1.0/modules/content", "content", MODULE_CONTENT},
        {"purl.org/rss/1.0/modules/syndication", "sy", MODULE_SCHEDULE},
        {"purl.org/rss/1.0/modules/", NULL, MODULE_OTHER},
        {"www.itunes.com/dtds/podcast", "itunes", MODULE_ITUNES},
        {"search.yahoo.com/mrss", "media", MODULE_MEDIA},
        {"purl.org/rss/1.0", NULL, MODULE_RSS},
        {"purl.org/net/rss", NULL, MODULE_RSS},
        {"netscape.com/rdf/simple", NULL, MODULE_RSS},
        {"backend.userland.com", NULL, MODULE_RSS},
        {"blogs.law.harvard.edu/tech/rss", NULL, MODULE_RSS},
};

enum { MODULE_PLAIN = MODULE_RSS | MODULE_ATOM };

static const struct {
	const char *name;
	unsigned modules;
	FeedField field;
} fields[] = {
        {"title", MODULE_PLAIN | MODULE_DC, FEED_TITLE},
        {"link", MODULE_PLAIN, FEED_LINK},
        {"guid", MODULE_RSS, FEED_ID},
        {"id", MODULE_ATOM, FEED_ID},
        {"description", MODULE_RSS, FEED_SUMMARY},
        {"summary", MODULE_PLAIN, FEED_SUMMARY},
        {"subtitle", MODULE_PLAIN, FEED_SUMMARY},
        {"tagline", MODULE_PLAIN, FEED_SUMMARY},
        {"description", MODULE_DC | MODULE_MEDIA, FEED_WEAK_SUMMARY},
        {"summary", MODULE_ITUNES, FEED_WEAK_SUMMARY},
        {"subtitle", MODULE_ITUNES, FEED_WEAK_SUMMARY},
        {"content", MODULE_ATOM, FEED_CONTENT},
        {"encoded", MODULE_CONTENT, FEED_CONTENT},
        {"author", MODULE_PLAIN, FEED_AUTHOR},
        {"creator", MODULE_DC | MODULE_RSS, FEED_AUTHOR},
        {"managingeditor", MODULE_RSS, FEED_AUTHOR},
        {"author", MODULE_ITUNES, FEED_WEAK_AUTHOR},
        {"category", MODULE_PLAIN, FEED_KEYWORD},
        {"subject", MODULE_DC, FEED_KEYWORD},
        {"category", MODULE_ITUNES, FEED_KEYWORD},
        {"keywords", MODULE_ITUNES | MODULE_MEDIA | MODULE_RSS, FEED_KEYWORDS},
        {"pubdate", MODULE_RSS, FEED_DATE},
        {"published", MODULE_PLAIN, FEED_DATE},
        {"issued", MODULE_PLAIN, FEED_DATE},
        {"date", MODULE_DC | MODULE_RSS, FEED_WEAK_DATE},
        {"issued", MODULE_DC, FEED_WEAK_DATE},
        {"created", MODULE_DC | MODULE_PLAIN, FEED_WEAK_DATE},
        {"updated", MODULE_PLAIN, FEED_UPDATED},
        {"modified", MODULE_PLAIN | MODULE_DC, FEED_UPDATED},
        {"lastbuilddate", MODULE_RSS, FEED_UPDATED},
        {"enclosure", MODULE_RSS, FEED_ENCLOSURE_FILE},
        {"content", MODULE_MEDIA, FEED_MEDIA_FILE},
        {"group", MODULE_MEDIA, FEED_GROUP},
        {"skiphours", MODULE_RSS, FEED_GROUP},
        {"skipdays", MODULE_RSS, FEED_GROUP},
        {"language", MODULE_RSS | MODULE_DC, FEED_LANGUAGE},
        {"ttl", MODULE_RSS, FEED_TTL},
        {"hour", MODULE_RSS, FEED_HOUR},
        {"day", MODULE_RSS, FEED_DAY},
        {"updateperiod", MODULE_SCHEDULE, FEED_PERIOD},
        {"updatefrequency", MODULE_SCHEDULE, FEED_FREQUENCY},
};

/* Elements without text for readers. */
static const char *const ignored[] = {"cloud", "comments", "contributor", "copyright", "docs",
        "generator", "icon", "image", "info", "items", "logo", "rating", "rights", "source",
        "textinput", "webmaster"};

FeedModule feed_module(const char *uri, const char *prefix)
{
	g_autofree char *lower = uri ? g_ascii_strdown(uri, -1) : NULL;
	if (!lower && !prefix)
		return MODULE_RSS;
	for (size_t i = 0; i < G_N_ELEMENTS(modules); i++)
		if (lower ? strstr(lower, modules[i].part) != NULL
		          : modules[i].prefix && g_ascii_strcasecmp(prefix, modules[i].prefix) == 0)
			return modules[i].module;
	/* the namespace of some feeds is the address of a page about RSS */
	return prefix ? MODULE_OTHER : MODULE_RSS;
}

FeedField feed_field(FeedModule module, const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(fields); i++)
		if ((fields[i].modules & module) && strcmp(fields[i].name, name) == 0)
			return fields[i].field;
	for (size_t i = 0; i < G_N_ELEMENTS(ignored); i++)
		if (strcmp(ignored[i], name) == 0)
			return FEED_IGNORED;
	bool named = module == MODULE_RSS || module == MODULE_OTHER;
	return named ? FEED_UNKNOWN : FEED_IGNORED;
}
