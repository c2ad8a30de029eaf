/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/html/html-names.h"
#include <glib.h>
#include <stdlib.h>
#include <string.h>

enum { WEIGHT = 25, NAME_BYTES = 512 };

static const char *const unlikely[] = {"-ad-", "ai2html", "banner", "breadcrumb", "combx",
        "comment", "komment", "comentario", "community", "cover-wrap", "disqus", "extra", "footer",
        "gdpr", "header", "legends", "menu", "related", "remark", "replies", "rss", "shoutbox",
        "sidebar", "skyscraper", "social", "sponsor", "supplemental", "ad-break", "agegate",
        "pagination", "pager", "popup", "newsletter", "subscribe", "cookie", "promo", "recommend",
        "share", "toolbar", "navbar", "signup", NULL};
/* Banners that ask for consent, as the services that sell them call them. */
static const char *const consent[] = {"onetrust", "didomi", "qc-cmp", "usercentrics", "cookiebot",
        "cookieconsent", "cookie-consent", "consent-banner", NULL};
static const char *const comments[] = {"comment", "komment", "comentario", "combx", "disqus",
        "remark", "replies", "shoutbox", NULL};
static const char *const likely[] = {
        "and", "article", "body", "column", "content", "main", "shadow", NULL};
static const char *const good[] = {"article", "body", "content", "entry", "hentry", "h-entry",
        "main", "page", "post", "text", "blog", "story", NULL};
static const char *const bad[] = {"-ad-", "hidden", "banner", "combx", "comment", "com-", "contact",
        "footer", "gdpr", "masthead", "media", "meta", "outbrain", "promo", "related", "scroll",
        "share", "shoutbox", "sidebar", "skyscraper", "sponsor", "shopping", "tags", "widget",
        NULL};

/* Words that name parts of a page which accompany its text. Sorted by strcmp(). */
static const char *const service_words[] = {"ad", "addthis", "addtoany", "ads", "advert",
        "advertisement", "adverts", "articletools", "author", "authorinfo", "authors", "autor",
        "bildquelle", "bildunterschrift", "bio", "biog", "breadcrumb", "breadcrumbs", "byline",
        "bylines", "caption", "captions", "comment", "commentlist", "comments", "cookie",
        "copyright", "credit", "credits", "cutline", "date", "dateline", "datetime", "datum",
        "disclaimer", "disqus", "donate", "footer", "fotocredit", "image", "imagecaption", "images",
        "img", "imgtext", "keywords", "kommentare", "login", "menu", "meta", "metadata", "mostread",
        "nav", "navigation", "newsletter", "newsletters", "outbrain", "pager", "pagination",
        "paginator", "photo", "photocaption", "photocredit", "photos", "picture", "popular",
        "postinfo", "postmeta", "postmetadata", "postnav", "print", "promo", "pubdate", "published",
        "publisheddate", "rating", "ratings", "readmore", "readnext", "recirc", "recommendations",
        "recommended", "related", "relatedarticles", "relatedposts", "respond", "schlagworte",
        "share", "sharebar", "sharedaddy", "sharelinks", "shares", "sharethis", "sharing",
        "sidebar", "signup", "social", "sociallinks", "sponsor", "sponsored", "storytools",
        "subscribe", "subscription", "taboola", "tagcloud", "taglist", "tags", "teilen",
        "timestamp", "toolbar", "tools", "topics", "trending", "video", "videos", "vote", "votes"};

static int names_compare(const void *word, const void *name)
{
	return strcmp(word, *(const char *const *)name);
}

static bool is_service_word(const char *word)
{
	return bsearch(word, service_words, G_N_ELEMENTS(service_words), sizeof service_words[0],
	               names_compare) != NULL;
}

/* Compares the words of a name: those between other signs, and those that begin with a capital. */
static bool names_service(const char *name)
{
	char word[24];
	for (const char *p = name; *p;) {
		size_t used = 0;
		while (*p && !g_ascii_isalnum(*p))
			p++;
		const char *begin = p;
		while (g_ascii_isalnum(*p) &&
		        (p == begin || !g_ascii_isupper(*p) || g_ascii_isupper(p[-1]))) {
			if (used + 1 < sizeof word)
				word[used++] = g_ascii_tolower(*p);
			p++;
		}
		word[used] = '\0';
		if (used > 0 && is_service_word(word))
			return true;
	}
	return false;
}

/* The classes by which style sheets hide an element, or show it to readers of screens alone. */
static bool names_hidden(HtmlSpan class_name)
{
	static const char *const hidden[] = {"hidden", "sr-only", "visually-hidden",
	        "visuallyhidden", "screen-reader-text", NULL};
	if (class_name.length == 0)
		return false;
	for (size_t i = 0, from = 0; i <= class_name.length; i++) {
		if (i < class_name.length && !g_ascii_isspace(class_name.text[i]))
			continue;
		HtmlSpan name = {class_name.text + from, i - from};
		for (const char *const *known = hidden; *known; known++)
			if (span_is(name, *known))
				return true;
		from = i + 1;
	}
	return false;
}

/* "elementor-widget" and the like are how a page builder names any part, text too. */
static bool is_builder(const char *found, const char *name)
{
	static const char builder[] = "elementor-";
	size_t length = sizeof builder - 1;
	return (size_t)(found - name) >= length && memcmp(found - length, builder, length) == 0;
}

static bool has_any(const char *name, const char *const *parts)
{
	for (; *parts; parts++) {
		const char *found = strstr(name, *parts);
		if (found && !is_builder(found, name))
			return true;
	}
	return false;
}

static void names_add_hint(NameHint *hint, HtmlSpan span)
{
	if (span.length == 0 || span.length > NAME_BYTES)
		return;
	g_autofree char *raw = g_strndup(span.text, span.length);
	g_autofree char *name = g_ascii_strdown(raw, -1);
	hint->service = hint->service || names_service(raw);
	hint->unlikely = hint->unlikely || has_any(name, unlikely);
	hint->consent = hint->consent || has_any(name, consent);
	hint->comments = hint->comments || has_any(name, comments);
	hint->likely = hint->likely || has_any(name, likely);
	hint->weight += has_any(name, good) ? WEIGHT : 0;
	hint->weight -= has_any(name, bad) ? WEIGHT : 0;
}

NameHint name_hint(HtmlSpan class_name, HtmlSpan id)
{
	NameHint hint = {0};
	names_add_hint(&hint, class_name);
	names_add_hint(&hint, id);
	hint.hidden = names_hidden(class_name);
	return hint;
}
