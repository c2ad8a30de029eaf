/* SPDX-License-Identifier: GPL-3.0-or-later */
/* url-rules.c - CPU time and memory of finding URL rules
 *
 * bench/url-rules [URLS...]: for each number of URLs and each kind of generated site
 * (tests/common/dust-sites.h), the CPU seconds of dust_find(), the ratio to those of the number
 * before beside that of L log L, and the peak of memory. Validated rules are then applied to the
 * next crawl. */
#include <config.h>
#include "tests/common/dust-sites.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *const kinds[N_DUST_SITES] = {"views", "stories", "files"};

static double cpu_seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static long peak_kib(void)
{
	struct rusage usage;
	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_maxrss;
}

static DustVerdict fetch_pair(const DustList *list, const DustSample *sample, void *data)
{
	int page = dust_site_page(data, sample->url);
	(void)list;
	return page == dust_site_page(data, sample->target) ? DUST_EQUAL : DUST_DIFFERENT;
}

/* Requests that a crawl makes: one for each form of its URLs. *wrong_r: URLs that become another
 * page. */
static unsigned requests(const DustSite *site, const GPtrArray *rules, unsigned *wrong_r)
{
	g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	for (guint i = 0; i < site->urls->len; i++) {
		char *form = dust_canonical(rules, site->urls->pdata[i]);
		*wrong_r += dust_site_page(site, form) != g_array_index(site->pages, int, i);
		g_hash_table_add(seen, form);
	}
	return g_hash_table_size(seen);
}

static unsigned pages_of(const DustSite *site)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
	for (guint i = 0; i < site->pages->len; i++)
		g_hash_table_add(seen, GINT_TO_POINTER(g_array_index(site->pages, int, i)));
	return g_hash_table_size(seen);
}

static void print_saved(DustSiteKind kind, const DustList *list, const DustSite *site)
{
	g_autoptr(DustSite) next = dust_site_new(kind, site->urls->len, 23);
	g_autoptr(GPtrArray) rules = dust_learn(list, NULL, false, fetch_pair, (void *)site);
	unsigned wrong = 0, left = requests(next, rules, &wrong), urls = next->urls->len;
	printf(", next crawl: %u rules save %u of %u requests, %u of them redundant, %u wrong\n",
	        rules->len, urls - left, urls, urls - pages_of(next), wrong);
}

static double measure(DustSiteKind kind, unsigned n, double former, unsigned former_n)
{
	g_autoptr(DustSite) site = dust_site_new(kind, n, 5);
	long before = peak_kib();
	g_autoptr(DustList) list = dust_site_list(site, false);
	double begin = cpu_seconds();
	g_autoptr(GPtrArray) rules = dust_find(list, NULL, NULL);
	double seconds = cpu_seconds() - begin;
	printf("%-8s %7u URLs: %6.2f s, %4ld MiB", kinds[kind], n, seconds,
	        (peak_kib() - before) / 1024);
	if (former > 0)
		printf(", ratio %.1f (L log L: %.1f)", seconds / former,
		        n * log(n) / (former_n * log(former_n)));
	print_saved(kind, list, site);
	fflush(stdout);
	return seconds;
}

/* Each in a process of its own, for the peak of memory. */
static double measure_apart(DustSiteKind kind, unsigned n, double former, unsigned former_n)
{
	int ends[2];
	double seconds = 0;
	if (pipe(ends) != 0)
		abort();
	fflush(stdout);
	if (fork() == 0) {
		seconds = measure(kind, n, former, former_n);
		_exit(write(ends[1], &seconds, sizeof seconds) == sizeof seconds ? 0 : 1);
	}
	if (read(ends[0], &seconds, sizeof seconds) != sizeof seconds)
		abort();
	wait(NULL);
	close(ends[0]);
	close(ends[1]);
	return seconds;
}

int main(int argc, char **argv)
{
	static const char *const usual[] = {"", "50000", "500000"};
	const char *const *numbers = argc > 1 ? (const char *const *)argv : usual;
	int n = argc > 1 ? argc : (int)G_N_ELEMENTS(usual);
	for (DustSiteKind kind = 0; kind < N_DUST_SITES; kind++) {
		double former = 0;
		for (int i = 1; i < n; i++)
			former = measure_apart(kind, (unsigned)atoi(numbers[i]), former,
			        i > 1 ? (unsigned)atoi(numbers[i - 1]) : 1);
	}
	return 0;
}
