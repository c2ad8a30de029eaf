/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "tests/common/dust-sites.h"
#include <string.h>

static const char *const sections[] = {
        "politics", "world", "sport", "science", "arts", "travel", "local", "letters"};

/* One way to write the URL of a page; %s is a section, %u a number. */
typedef struct {
	const char *format;
	unsigned per_cent; /* of the pages: how often it is in the list */
} Spelling;

/* Pages of one sort. With several spellings all of them lead to one page, unless differ is set:
 * then each leads to a page of its own. */
typedef struct {
	unsigned weight; /* how many of these there are */
	bool differ;
	unsigned rare_from; /* if set: only numbers up to this per cent have the last spelling */
	Spelling spellings[5];
} Sort;

static const Sort sorts[N_DUST_SITES][6] = {
        [DUST_SITE_VIEWS] = {{60, false, 0,
                                     {{"/%s/story.php?id=%u", 100},
                                             {"/%s/story.php?id=%u&print=1", 40},
                                             {"/%s/story.php?id=%u&sid=SESSION", 30},
                                             {"/%s/story.php?id=%u&print=1&sid=SESSION", 10}}},
                {10, false, 0, {{"/%s/video/%u", 100}, {"/%s/video/%u;jsessionid=SESSION", 60}}},
                {10, true, 0,
                        {{"/%s/report.php?id=%u", 100}, {"/%s/report.php?id=%u&page=2", 60},
                                {"/%s/report.php?id=%u&page=3", 30}}},
                {10, true, 0,
                        {{"/%s/gallery.php?id=%u&view=1", 100},
                                {"/%s/gallery.php?id=%u&view=2", 90}}},
                {10, true, 0, {{"/%s/print/%u", 100}, {"/%s/%u", 90}}}},
        [DUST_SITE_STORIES] = {{40, false, 0, {{"/%s/story?id=%u", 80}, {"/%s/story_%u", 80}}},
                {20, false, 0, {{"/%s/archive/item/%u", 80}, {"/%s/i%u", 80}}},
                {10, false, 0, {{"/%s/stories/%u/full.html", 80}, {"/%s/s%u", 80}}},
                {10, true, 0, {{"/%s/photo?id=%u", 100}, {"/%s/photo_%u", 90}}},
                {10, false, 50, {{"/%s/column?id=%u", 90}, {"/%s/column_%u", 90}}},
                {10, true, 0, {{"/%s/chart_%u", 100}, {"/%s/table_%u", 90}}}},
        [DUST_SITE_FILES] = {
                {40, false, 0, {{"/%s/%u/", 90}, {"/%s/%u/index.html", 60}, {"/%s/%u", 20}}},
                {30, false, 0, {{"/~user%2$u/%1$s.html", 80}, {"/people/user%2$u/%1$s.html", 80}}},
                {10, true, 0, {{"/old/%s/%u/", 100}, {"/old/%s/%u/index.htm", 90}}},
                {10, true, 0, {{"/~guest%2$u/%1$s.txt", 100}, {"/people/guest%2$u/%1$s.txt", 90}}},
                {10, true, 0, {{"/%s/%u.html", 100}, {"/%s/%u.txt", 90}}}}};

/* ---- the server */

/* The part of a URL that names a session is the same for all sessions. */
static char *without_session(const char *url)
{
	static const char *const names[] = {"&sid=", ";jsessionid="};
	for (unsigned i = 0; i < G_N_ELEMENTS(names); i++) {
		const char *at = strstr(url, names[i]);
		if (at)
			return g_strdup_printf("%.*s", (int)(at - url), url);
	}
	return g_strdup(url);
}

int dust_site_page(const DustSite *site, const char *url)
{
	g_autofree char *plain = without_session(url);
	return GPOINTER_TO_INT(g_hash_table_lookup(site->page_of, plain)) - 1;
}

static uint64_t mix(uint64_t value)
{
	value = (value ^ value >> 31) * 0x9e3779b97f4a7c15u;
	return value ^ value >> 29;
}

int64_t dust_site_size(const DustSite *site, int page, const char *url)
{
	(void)site;
	int64_t size = 2000 + 37 * (int64_t)(mix((uint64_t)page + 1) % 400);
	return size + g_str_hash(url) % (size / 128); /* a page names its own URL */
}

/* ---- making a site */

static char *spelling_url(const Spelling *spelling, const char *section, unsigned number)
{
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	g_autofree char *path = g_strdup_printf(spelling->format, section, number);
#pragma GCC diagnostic pop
	return g_strconcat("http://site.test", path, NULL);
}

static void crawl(DustSite *site, GRand *random, const char *url, int page)
{
	g_autofree char *session =
	        g_strdup_printf("%08x%08x", g_rand_int_range(random, 0, 200) * 7919, 0xabcd0000u);
	g_auto(GStrv) parts = g_strsplit(url, "SESSION", 2);
	g_ptr_array_add(site->urls, g_strjoinv(session, parts));
	g_array_append_val(site->pages, page);
}

static bool is_served(const Sort *sort, unsigned which, unsigned number)
{
	bool last = which > 0 && !sort->spellings[which + 1].format;
	return !last || sort->rare_from == 0 || number % 100 < sort->rare_from;
}

static void add_pages(DustSite *site, GRand *random, const Sort *sort, unsigned number)
{
	const char *section = sections[g_rand_int_range(random, 0, G_N_ELEMENTS(sections))];
	int page = site->n_pages++;
	for (unsigned i = 0; sort->spellings[i].format; i++) {
		g_autofree char *url = spelling_url(&sort->spellings[i], section, number);
		if (!is_served(sort, i, number))
			continue;
		if (i > 0 && sort->differ)
			page = site->n_pages++;
		g_hash_table_insert(site->page_of, without_session(url), GINT_TO_POINTER(page + 1));
		if ((unsigned)g_rand_int_range(random, 0, 100) < sort->spellings[i].per_cent)
			crawl(site, random, url, page);
	}
}

static const Sort *random_sort(const Sort *all, GRand *random)
{
	int at = g_rand_int_range(random, 0, 100);
	while ((at -= (int)all->weight) >= 0)
		all++;
	return all;
}

static void shuffle(DustSite *site, GRand *random)
{
	int *pages = (int *)(void *)site->pages->data;
	for (int i = (int)site->urls->len - 1; i > 0; i--) {
		int k = g_rand_int_range(random, 0, i + 1), page = pages[i];
		gpointer url = site->urls->pdata[i];
		site->urls->pdata[i] = site->urls->pdata[k];
		site->urls->pdata[k] = url;
		pages[i] = pages[k];
		pages[k] = page;
	}
}

DustSite *dust_site_new(DustSiteKind kind, unsigned n_urls, unsigned seed)
{
	GRand *random = g_rand_new_with_seed(seed);
	DustSite *site = g_new0(DustSite, 1);
	site->kind = kind;
	site->urls = g_ptr_array_new_with_free_func(g_free);
	site->pages = g_array_new(FALSE, FALSE, sizeof(int));
	site->page_of = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	for (unsigned number = 1000 + seed % 97; site->urls->len < n_urls; number++)
		add_pages(site, random, random_sort(sorts[kind], random), number);
	shuffle(site, random);
	g_rand_free(random);
	return site;
}

void dust_site_free(DustSite *site)
{
	g_ptr_array_unref(site->urls);
	g_array_unref(site->pages);
	g_hash_table_unref(site->page_of);
	g_free(site);
}

DustList *dust_site_list(const DustSite *site, bool sums)
{
	DustList *list = dust_list_new();
	for (guint i = 0; i < site->urls->len; i++) {
		const char *url = site->urls->pdata[i];
		int page = g_array_index(site->pages, int, i);
		const DustPage one = {url, dust_site_size(site, page, url),
		        sums ? mix((uint64_t)page + 17) | 1 : 0, 0, page};
		g_assert_true(dust_list_add(list, &one));
	}
	return list;
}
