/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "tests/common/dust-sites.h"
#include <string.h>

static DustRule *part(const char *from, const char *to, bool at_end)
{
	DustRule *rule = dust_rule_new(DUST_PART, from, to);
	rule->at_end = at_end;
	return rule;
}

static GPtrArray *rules_new(void)
{
	return g_ptr_array_new_with_free_func((GDestroyNotify)dust_rule_free);
}

static char *rule_text(const DustRule *rule)
{
	return g_strdup_printf("%s %s%s%s -> %s (support %u, refuted %u, urls %u, saved %u, %u/%u)",
	        rule->kind == DUST_PART ? "part" : "parameter", rule->at_start ? "^" : "",
	        rule->from, rule->at_end ? "$" : "", rule->to ? rule->to : "-", rule->support,
	        rule->refuted, rule->urls, rule->saved, rule->equal, rule->sampled);
}

static void print_rules(const GPtrArray *rules)
{
	for (guint i = 0; i < rules->len; i++) {
		g_autofree char *text = rule_text(rules->pdata[i]);
		g_test_message("%s", text);
	}
}

/* ---- application */

static void check_apply(DustRule *rule, const char *url, const char *wanted)
{
	g_autofree char *got = dust_rule_apply(rule, url);
	g_assert_cmpstr(got, ==, wanted);
}

static void test_apply_part(void)
{
	DustRule *rule = part("print", "", false);
	check_apply(rule, "http://a/print/x", "http://a//x");
	check_apply(rule, "http://a/blueprint/x", NULL);
	check_apply(rule, "http://a/prints/x", NULL);
	check_apply(rule, "http://a/print2", "http://a/2");
	check_apply(rule, "http://a/print2b3", NULL);
	dust_rule_free(rule);
	rule = part("/index.html", "/", true);
	check_apply(rule, "http://a/b/index.html", "http://a/b/");
	check_apply(rule, "http://a/b/index.html?q", NULL);
	check_apply(rule, "http://a/index.html/index.html", "http://a/index.html/");
	dust_rule_free(rule);
	rule = part("http://www.a/", "http://a/", false);
	rule->at_start = true;
	check_apply(rule, "http://www.a/b", "http://a/b");
	check_apply(rule, "x?http://www.a/b", NULL);
	dust_rule_free(rule);
}

static void test_apply_longer(void)
{
	DustRule *rule = part("a", "abc", false);
	check_apply(rule, "http://a/", NULL);
	dust_rule_free(rule);
	rule = part("a", "b", false);
	check_apply(rule, "http://a/", NULL);
	dust_rule_free(rule);
	rule = part("b", "a", false);
	check_apply(rule, "http://b/", "http://a/");
	dust_rule_free(rule);
}

static void test_apply_parameter(void)
{
	DustRule *rule = dust_rule_new(DUST_PARAMETER, "sid", NULL);
	check_apply(rule, "http://a/?id=1&sid=2", "http://a/?id=1");
	check_apply(rule, "http://a/?sid=2&z=1", "http://a/?z=1");
	check_apply(rule, "http://a/?sid=2", "http://a/");
	check_apply(rule, "http://a/?sid", "http://a/");
	check_apply(rule, "http://a/?sid=1&sid=2&sid", "http://a/");
	check_apply(rule, "http://a/?a&sid=1&b&sid=2", "http://a/?a&b");
	check_apply(rule, "http://a/?sids=2", NULL);
	check_apply(rule, "http://a/?x=sid", NULL);
	check_apply(rule, "http://a/;sid=2/b?x", "http://a//b?x");
	check_apply(rule, "http://a/b;sid=2?x", "http://a/b?x");
	check_apply(rule, "http://a/b;sid", NULL);
	check_apply(rule, "http://a/sid=2", NULL);
	dust_rule_free(rule);
	rule = dust_rule_new(DUST_PARAMETER, "sid", "0");
	check_apply(rule, "http://a/?id=1&sid=27", "http://a/?id=1&sid=0");
	check_apply(rule, "http://a/?id=1&sid=0", NULL);
	dust_rule_free(rule);
}

static void test_canonical(void)
{
	g_autoptr(GPtrArray) rules = rules_new();
	g_ptr_array_add(rules, part("/index.html", "/", true));
	g_ptr_array_add(rules, part("?view=print", "", true));
	g_ptr_array_add(rules, dust_rule_new(DUST_PARAMETER, "sid", NULL));
	g_autofree char *all = dust_canonical(rules, "http://a/b/index.html?view=print&sid=1");
	g_assert_cmpstr(all, ==, "http://a/b/");
	g_autofree char *again = dust_canonical(rules, all);
	g_assert_cmpstr(again, ==, all);
	g_autofree char *none = dust_canonical(NULL, "http://a/b");
	g_assert_cmpstr(none, ==, "http://a/b");
}

/* Two rules that lead to each other cannot be had, and a chain of steps as long as a count to a
 * million is given up. */
static void test_canonical_ends(void)
{
	g_autoptr(GPtrArray) rules = rules_new();
	g_autoptr(GString) url = g_string_new("http://z/");
	g_ptr_array_add(rules, part("b", "a", false));
	g_ptr_array_add(rules, part("a", "b", false));
	g_autofree char *end = dust_canonical(rules, "http://z/b/a/b");
	g_assert_cmpstr(end, ==, "http://z/a/a/a");
	g_ptr_array_set_size(rules, 0);
	g_ptr_array_add(rules, part("b.a", "a.b", false));
	g_ptr_array_add(rules, part("c.", "b.b.", false));
	for (unsigned i = 0; i < 8; i++)
		g_string_append(url, "b.");
	for (unsigned i = 0; i < 8; i++)
		g_string_append(url, "a.");
	g_autofree char *sorted = dust_canonical(rules, url->str);
	g_assert_true(g_str_has_prefix(sorted, "http://z/a.a.a."));
}

/* ---- the list */

static void test_list(void)
{
	g_autoptr(DustList) list = dust_list_new();
	g_autofree char *longest = g_strnfill(DUST_URL_BYTES_MOST, 'a');
	g_autofree char *longer = g_strnfill(DUST_URL_BYTES_MOST + 1, 'a');
	g_autofree char *most = g_strnfill(DUST_TOKENS_MOST, '/');
	g_autofree char *more = g_strnfill(DUST_TOKENS_MOST + 1, '/');
	g_assert_true(dust_list_add(list, &(DustPage){longest, 1, 1, 0, 0}));
	g_assert_false(dust_list_add(list, &(DustPage){longer, 1, 1, 0, 0}));
	g_assert_true(dust_list_add(list, &(DustPage){most, -1, 0, 0, 0}));
	g_assert_false(dust_list_add(list, &(DustPage){more, 1, 1, 0, 0}));
	g_assert_false(dust_list_add(list, &(DustPage){"", 1, 1, 0, 0}));
	g_assert_true(dust_list_add(list, &(DustPage){longest, 2, 1, 0, 0}));
	g_assert_true(dust_list_add(list, &(DustPage){longest, 2, 1, 7, 0}));
	g_assert_cmpuint(dust_list_length(list), ==, 3);
}

static void add(DustList *list, int64_t size, uint64_t sum, const char *format, ...)
        G_GNUC_PRINTF(4, 5);
static void add(DustList *list, int64_t size, uint64_t sum, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	g_autofree char *url = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	g_assert_true(dust_list_add(list, &(DustPage){url, size, sum, 0, 0}));
}

/* The found rules as text, a line for each. */
static char *found_text(const DustList *list)
{
	g_autoptr(GPtrArray) rules = dust_find(list, NULL, NULL);
	GString *out = g_string_new(NULL);
	for (guint i = 0; i < rules->len; i++) {
		const DustRule *rule = rules->pdata[i];
		g_string_append_printf(out, "%s%s%s>%s %u/%u\n", rule->at_start ? "^" : "",
		        rule->from, rule->at_end ? "$" : "", rule->to ? rule->to : "",
		        rule->support, rule->refuted);
	}
	return g_string_free(out, FALSE);
}

static void check_found(DustList *list, const char *wanted)
{
	g_autofree char *text = found_text(list);
	g_assert_cmpstr(text, ==, wanted);
	dust_list_free(list);
}

static void test_few(void)
{
	for (unsigned n = DUST_SUPPORT - 1; n <= DUST_SUPPORT; n++) {
		DustList *list = dust_list_new();
		for (unsigned i = 0; i < n; i++) {
			add(list, 10000 + 1000 * i, i + 1, "http://a/story?id=%u", 100 + i);
			add(list, 10000 + 1000 * i, i + 1, "http://a/story_%u", 100 + i);
		}
		check_found(list, n < DUST_SUPPORT ? "" : "/story?id=>/story_ 11/0\n");
	}
}

static void test_nothing_known(void)
{
	DustList *list = dust_list_new();
	for (unsigned i = 0; i < 50; i++) {
		add(list, -1, 0, "http://a/story?id=%u", i);
		add(list, -1, 0, "http://a/story_%u", i);
	}
	check_found(list, "");
	check_found(dust_list_new(), "");
}

/* Pages of one size, with checksums that differ or not. */
static void test_sizes_and_sums(void)
{
	DustList *list = dust_list_new();
	for (unsigned i = 0; i < 50; i++) {
		add(list, -1, i + 1, "http://a/x/%u", i);
		add(list, -1, i + 100, "http://a/y/%u", i);
		add(list, -1, i + 1, "http://a/copies/%u", i);
	}
	check_found(list, "a/copies/>a/x/ 50/0\n");
	list = dust_list_new();
	for (unsigned i = 0; i < 50; i++) {
		add(list, 1000 + i * i * 10, 0, "http://a/x/%u", i);
		add(list, 1000 + i * i * 10 + i % 15, 0, "http://a/copies/%u", i);
		add(list, 5000 + i * i * 10, 0, "http://a/y/%u", i);
	}
	check_found(list, "a/copies/>a/x/ 50/0\n");
}

/* The same part holds in one directory and not in another. */
static void test_context(void)
{
	DustList *list = dust_list_new();
	for (unsigned i = 0; i < 40; i++) {
		add(list, -1, i + 1, "http://a/story?id=%u", i);
		add(list, -1, i + 1, "http://a/story_%u", i);
		add(list, -1, i + 1001, "http://a/photo?id=%u", i);
		add(list, -1, i + 2001, "http://a/photo_%u", i);
	}
	for (unsigned i = 0; i < 20; i++) {
		add(list, -1, 7000 + i, "http://a/photo?id=%u", i + 100);
		add(list, -1, 7000 + i, "http://a/photo_%u", i + 100);
	}
	check_found(list, "/story?id=>/story_ 40/0\n");
}

/* A series in which a page is like the next now and then. */
static void test_series(void)
{
	DustList *list = dust_list_new();
	for (unsigned i = 0; i < 3000; i++)
		add(list, 1000 + (i * 7919 % 300) * 20, 0, "http://a/%u/%u/%u", i / 100,
		        i / 10 % 10, i % 10);
	check_found(list, "");
}

/* Many URLs differ in one place, and are equal: they are not instances, but the parameter is one.
 */
static void test_buckets(void)
{
	DustList *list = dust_list_new();
	for (unsigned i = 0; i < 30; i++)
		for (unsigned k = 0; k < 20; k++)
			add(list, 1000, i + 1, "http://a/%u?s=%x", i, k * 7919);
	check_found(list, "s> 570/0\n");
}

/* A parameter that must be there and does not matter. */
static DustVerdict needs_parameter(const DustList *list, const DustSample *sample, void *data)
{
	unsigned *asked = data;
	(void)list;
	(*asked)++;
	return strstr(sample->target, "s=") ? DUST_EQUAL : DUST_DIFFERENT;
}

static void test_set_parameter(void)
{
	g_autoptr(DustList) list = dust_list_new();
	unsigned asked = 0;
	for (unsigned i = 0; i < 30; i++)
		for (unsigned k = 0; k < 3; k++)
			add(list, 1000, i + 1, "http://a/%u?s=%u", i, 1000 + k);
	g_autoptr(GPtrArray) rules = dust_learn(list, NULL, false, needs_parameter, &asked);
	print_rules(rules);
	g_assert_cmpuint(rules->len, ==, 1);
	const DustRule *rule = rules->pdata[0];
	g_assert_cmpstr(rule->from, ==, "s");
	g_assert_cmpstr(rule->to, ==, "1000");
	g_assert_cmpuint(asked, <=, 2 * DUST_SAMPLE_MOST);
}

/* ---- hostile lists */

typedef char *(*HostileUrl)(unsigned i, GRand *random);

static char *url_of_equal_parts(unsigned i, GRand *random)
{
	GString *url = g_string_new("http://h/");
	(void)random;
	for (unsigned k = 0; k < 15; k++)
		g_string_append(url, "a/");
	g_string_append_printf(url, "%x", i);
	return g_string_free(url, FALSE);
}

static char *url_of_two_parts(unsigned i, GRand *random)
{
	GString *url = g_string_new(NULL);
	(void)random;
	for (unsigned k = 0; k < 15; k++)
		g_string_append(url, i >> k & 1 ? "a/" : "b/");
	return g_string_free(url, FALSE);
}

static char *url_of_separators(unsigned i, GRand *random)
{
	GString *url = g_string_new("/");
	(void)i;
	for (int k = g_rand_int_range(random, 0, 38); k > 0; k--)
		g_string_append_c(url, "/-.?&;="[g_rand_int_range(random, 0, 7)]);
	return g_string_free(url, FALSE);
}

static char *url_of_many_parameters(unsigned i, GRand *random)
{
	return g_strdup_printf(
	        "http://h/?%x=%x&a%u=%u;%x", i, i / 2, i % 64, i, g_rand_int(random) % 5);
}

static char *url_of_any_bytes(unsigned i, GRand *random)
{
	GString *url = g_string_new("http://h/");
	(void)i;
	for (int k = g_rand_int_range(random, 0, 12); k > 0; k--)
		g_string_append_c(url, (gchar)g_rand_int_range(random, 1, 256));
	return g_string_free(url, FALSE);
}

static char *long_url(unsigned i, GRand *random)
{
	g_autofree char *text = g_strnfill(DUST_URL_BYTES_MOST - 30, "ab"[i % 2]);
	return g_strdup_printf("http://h/%s/%x", text, g_rand_int_range(random, 0, 1 << 20));
}

static char *url_beyond_ascii(unsigned i, GRand *random)
{
	return g_strdup_printf("http://h/%s/\xe6\x97\xa5%u",
	        i % 2 ? "\xc3\xa4" : "\xc3\xa4\xcc\x88", g_rand_int_range(random, 0, 300));
}

/* Every form is as short as the URL at least, and its own form. */
static void check_forms(const DustList *list, const GPtrArray *rules, GPtrArray *urls)
{
	for (guint i = 0; i < urls->len; i += 1 + urls->len / 500) {
		g_autofree char *form = dust_canonical(rules, urls->pdata[i]);
		g_autofree char *again = dust_canonical(rules, form);
		g_assert_cmpuint(strlen(form), <=, strlen(urls->pdata[i]));
		g_assert_cmpstr(again, ==, form);
	}
	for (guint i = 0; i < rules->len; i++) {
		g_autoptr(GPtrArray) samples = dust_sample(list, rules->pdata[i], rules, true);
		g_assert_cmpuint(samples->len, <=, DUST_SAMPLE_MOST);
	}
}

static void check_hostile(HostileUrl make, unsigned n)
{
	GRand *random = g_rand_new_with_seed(3);
	g_autoptr(DustList) list = dust_list_new();
	g_autoptr(GPtrArray) urls = g_ptr_array_new_with_free_func(g_free);
	for (unsigned i = 0; i < n; i++) {
		const DustPage page = {make(i, random), 1000, i % 3 + 1, 0, 0};
		g_ptr_array_add(urls, (char *)page.url);
		dust_list_add(list, &page);
	}
	g_autoptr(GPtrArray) rules = dust_find(list, NULL, NULL);
	g_assert_cmpuint(rules->len, <=, DUST_RULES_MOST);
	check_forms(list, rules, urls);
	g_rand_free(random);
}

static void test_hostile(void)
{
	check_hostile(url_of_equal_parts, 20000);
	check_hostile(url_of_two_parts, 1 << 13);
	check_hostile(url_of_separators, 3000);
	check_hostile(url_of_many_parameters, 5000);
	check_hostile(url_of_any_bytes, 5000);
	check_hostile(long_url, 300);
	check_hostile(url_beyond_ascii, 1000);
}

/* ---- generated sites */

typedef struct {
	const DustSite *site;
	unsigned n;
} Server;

static DustVerdict fetch_both(const DustList *list, const DustSample *sample, void *data)
{
	Server *server = data;
	int page = dust_site_page(server->site, sample->url);
	(void)list;
	server->n++;
	g_assert_cmpint(page, >=, 0);
	return page == dust_site_page(server->site, sample->target) ? DUST_EQUAL : DUST_DIFFERENT;
}

static unsigned distinct_pages(const DustSite *site)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
	for (guint i = 0; i < site->pages->len; i++)
		g_hash_table_add(seen, GINT_TO_POINTER(g_array_index(site->pages, int, i)));
	return g_hash_table_size(seen);
}

/* Distinct URLs after the rules. Each must be the page that it was. */
static unsigned distinct_canonical(const DustSite *site, const GPtrArray *rules)
{
	g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	for (guint i = 0; i < site->urls->len; i++) {
		char *canonical = dust_canonical(rules, site->urls->pdata[i]);
		int page = g_array_index(site->pages, int, i);
		if (dust_site_page(site, canonical) != page)
			g_error("%s becomes %s", (char *)site->urls->pdata[i], canonical);
		g_hash_table_add(seen, canonical);
	}
	return g_hash_table_size(seen);
}

static double saved_share(const DustSite *site, const GPtrArray *rules, const char *what)
{
	unsigned urls = site->urls->len, pages = distinct_pages(site);
	unsigned left = distinct_canonical(site, rules);
	g_test_message(
	        "%s: %u URLs of %u pages, %u URLs after the rules: %.1f %% of requests saved", what,
	        urls, pages, left, 100. * (urls - left) / urls);
	return (double)(urls - left) / (urls - pages);
}

static void check_site(DustSiteKind kind, bool sums)
{
	g_autoptr(DustSite) site = dust_site_new(kind, 20000, 5);
	g_autoptr(DustSite) next = dust_site_new(kind, 20000, 23);
	g_autoptr(DustList) list = dust_site_list(site, sums);
	Server server = {site, 0};
	g_autoptr(GPtrArray) rules = dust_learn(list, NULL, false, fetch_both, &server);
	print_rules(rules);
	for (guint i = 0; i < rules->len; i++)
		g_assert_cmpuint(((DustRule *)rules->pdata[i])->sampled, <=, DUST_SAMPLE_MOST);
	g_test_message("%u pairs were compared", server.n);
	g_assert_cmpfloat(saved_share(site, rules, "this crawl"), >=, 2. / 3);
	g_assert_cmpfloat(saved_share(next, rules, "the next crawl"), >=, 2. / 3);
}

/* Counts what is compared, and stops the work with the comparison at_most. */
typedef struct {
	gint stop;
	unsigned n, at_most;
} Stopper;

static void count_comparison(Stopper *stopper)
{
	if (++stopper->n >= stopper->at_most)
		g_atomic_int_set(&stopper->stop, 1);
}

static DustVerdict alike_or_stop(const DustPage *a, const DustPage *b, void *data)
{
	count_comparison(data);
	return a->sum == b->sum ? DUST_EQUAL : DUST_DIFFERENT;
}

static DustVerdict compare_or_stop(const DustList *list, const DustSample *sample, void *data)
{
	count_comparison(data);
	return dust_compare_sums(list, sample, NULL);
}

static unsigned compared(const DustList *list, unsigned at_most)
{
	Stopper stopper = {.at_most = at_most};
	const DustOptions options = {
	        .alike = alike_or_stop, .alike_data = &stopper, .stop = &stopper.stop};
	g_autoptr(GPtrArray) rules = dust_learn(list, &options, true, compare_or_stop, &stopper);
	g_assert_nonnull(rules);
	return stopper.n;
}

/* Wherever the work is, it ends within the comparisons of one bucket or one rule. */
static void test_stopped(void)
{
	g_autoptr(DustSite) site = dust_site_new(DUST_SITE_VIEWS, 20000, 5);
	g_autoptr(DustList) list = dust_site_list(site, true);
	unsigned all = compared(list, UINT_MAX);
	g_assert_cmpuint(all, >, 10000);
	for (unsigned part = 0; part < 8; part++) {
		unsigned at_most = 1 + all / 8 * part;
		g_assert_cmpuint(compared(list, at_most), <=, at_most + 2000);
	}
}

static void test_views(void)
{
	check_site(DUST_SITE_VIEWS, true);
	check_site(DUST_SITE_VIEWS, false);
}

static void test_stories(void)
{
	check_site(DUST_SITE_STORIES, true);
	check_site(DUST_SITE_STORIES, false);
}

static void test_files(void)
{
	check_site(DUST_SITE_FILES, true);
	check_site(DUST_SITE_FILES, false);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/dust/apply-part", test_apply_part);
	g_test_add_func("/dust/apply-longer", test_apply_longer);
	g_test_add_func("/dust/apply-parameter", test_apply_parameter);
	g_test_add_func("/dust/canonical", test_canonical);
	g_test_add_func("/dust/canonical-ends", test_canonical_ends);
	g_test_add_func("/dust/list", test_list);
	g_test_add_func("/dust/few", test_few);
	g_test_add_func("/dust/nothing-known", test_nothing_known);
	g_test_add_func("/dust/sizes-and-sums", test_sizes_and_sums);
	g_test_add_func("/dust/context", test_context);
	g_test_add_func("/dust/series", test_series);
	g_test_add_func("/dust/buckets", test_buckets);
	g_test_add_func("/dust/set-parameter", test_set_parameter);
	g_test_add_func("/dust/hostile", test_hostile);
	g_test_add_func("/dust/stopped", test_stopped);
	g_test_add_func("/dust/views", test_views);
	g_test_add_func("/dust/stories", test_stories);
	g_test_add_func("/dust/files", test_files);
	return g_test_run();
}
