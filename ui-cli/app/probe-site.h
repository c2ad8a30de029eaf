/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probe-site.h - what a URL is before it becomes a source: a page with feeds, a feed, or nothing
 * that may be asked
 *
 * Asks for robots.txt, the page, and, where wanted, the places where feeds usually are and one
 * sitemap, some ten requests at most. tarsier-fetch asks, children of tarsier-extract read the
 * answers. Redirects are followed, to other hosts after their robots.txt. */
#pragma once
#include "ui-cli/app/cli.h"

typedef enum {
	PROBE_SEEN,
	PROBE_UNREACHABLE, /* no answer, or one that says so (429, 5xx) */
	PROBE_MISSING, /* the site says that there is no such page (other 4xx) */
	PROBE_FORBIDDEN, /* robots.txt forbids it */
	PROBE_SLOW, /* the site wants more time between two requests than a person waits */
} ProbeState;

typedef struct {
	char *url; /* canonical */
	char *title; /* "" if it has none */
} ProbeFeed;

typedef struct {
	ProbeState state;
	char *reason; /* for a person, translated; NULL if PROBE_SEEN */
	char *url; /* canonical, where the redirects led */
	int64_t gap_ms; /* between two requests, as far as it is known now */
	bool has_robots; /* there is a robots.txt with something in it */
	bool is_feed; /* the URL is that of a feed */
	char *title; /* of the page or feed, or NULL */
	unsigned items; /* of the feed */
	GArray *feeds; /* ProbeFeed, of a page */
	unsigned links; /* of the page, to different URLs below it */
	int64_t listed; /* pages below the URL that sitemaps list; -1: none was found */
	bool lists_more; /* there are sitemaps that were not asked for */
} SiteProbe;

enum { PROBE_MAX_FEEDS = 20 };

typedef struct {
	bool wants_feeds; /* look where feeds usually are if the page names none */
	bool wants_sitemap;
} ProbeWish;

/* Looks at a canonical URL of http or https. NULL with error if no sandbox can be started; all else
 * is an answer. The caller frees it. */
SiteProbe *probe_site(Cli *cli, const char *url, ProbeWish wish, GError **error);
void site_probe_free(SiteProbe *probe);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SiteProbe, site_probe_free)

/* The URL that pages of a site lie below (url_site_length()). url: canonical. The caller frees
 * it. */
char *probe_prefix(const char *url);
