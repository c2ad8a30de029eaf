/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dust-sites.h - generated sites whose pages have several URLs, with the truth about them
 *
 * Besides the copies, each site has pages that only look like copies: series of numbers, pages
 * whose URLs differ as those of copies do, and parameters that choose another page. Sizes are
 * chosen from few, so that many different pages have sizes that fit. */
#pragma once
#include "common/dust/dust.h"

typedef enum {
	DUST_SITE_VIEWS, /* print views and session parameters */
	DUST_SITE_STORIES, /* two spellings of a story */
	DUST_SITE_FILES, /* index files, final slashes and tildes */
	N_DUST_SITES
} DustSiteKind;

typedef struct {
	DustSiteKind kind;
	GPtrArray *urls; /* char *, in the order of a crawl */
	GArray *pages; /* int: the page of each URL */
	GHashTable *page_of; /* URL -> page + 1, for all URLs that the site answers */
	int n_pages;
} DustSite;

/* A site with this many URLs in the list, always the same for a seed. */
DustSite *dust_site_new(DustSiteKind kind, unsigned n_urls, unsigned seed);
void dust_site_free(DustSite *site);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DustSite, dust_site_free)
/* The page that the site answers a URL with, -1: not found. */
int dust_site_page(const DustSite *site, const char *url);
/* The list of a crawl: sizes always, checksums if asked for. */
DustList *dust_site_list(const DustSite *site, bool sums);
/* The size and the checksum of a page as it is answered for a URL. */
int64_t dust_site_size(const DustSite *site, int page, const char *url);
