/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/html/html-names.h"
#include <glib.h>
#include <string.h>

enum { WEIGHT = 25, NAME_BYTES = 512 };

static const char *const unlikely[] = {"-ad-", "ai2html", "banner", "breadcrumb", "combx",
        "comment", "community", "cover-wrap", "disqus", "extra", "footer", "gdpr", "header",
        "legends", "menu", "related", "remark", "replies", "rss", "shoutbox", "sidebar",
        "skyscraper", "social", "sponsor", "supplemental", "ad-break", "agegate", "pagination",
        "pager", "popup", "newsletter", "subscribe", "cookie", "promo", "recommend", "share",
        "toolbar", "navbar", "signup", NULL};
static const char *const likely[] = {
        "and", "article", "body", "column", "content", "main", "shadow", NULL};
static const char *const good[] = {"article", "body", "content", "entry", "hentry", "h-entry",
        "main", "page", "post", "text", "blog", "story", NULL};
static const char *const bad[] = {"-ad-", "hidden", "banner", "combx", "comment", "com-", "contact",
        "footer", "gdpr", "masthead", "media", "meta", "outbrain", "promo", "related", "scroll",
        "share", "shoutbox", "sidebar", "skyscraper", "sponsor", "shopping", "tags", "widget",
        NULL};

static bool has_any(const char *name, const char *const *parts)
{
	for (; *parts; parts++)
		if (strstr(name, *parts))
			return true;
	return false;
}

static void names_add_hint(NameHint *hint, HtmlSpan span)
{
	if (span.length == 0 || span.length > NAME_BYTES)
		return;
	g_autofree char *name = g_ascii_strdown(span.text, span.length);
	hint->unlikely = hint->unlikely || has_any(name, unlikely);
	hint->likely = hint->likely || has_any(name, likely);
	hint->weight += has_any(name, good) ? WEIGHT : 0;
	hint->weight -= has_any(name, bad) ? WEIGHT : 0;
}

NameHint name_hint(HtmlSpan class_name, HtmlSpan id)
{
	NameHint hint = {0};
	names_add_hint(&hint, class_name);
	names_add_hint(&hint, id);
	return hint;
}
