/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/probe-site.h"
#include "common/base/autofd.h"
#include "common/base/i18n.h"
#include "common/url/robots-rules.h"
#include "common/url/url-canonical.h"
#include "common/url/url-origin.h"
#include "index/read/reader-web.h"
#include "ui-cli/app/convert-file.h"
#include "ui-cli/app/fetch-url.h"
#include "ui-cli/app/reserve-host.h"
#include <string.h>
#include <unistd.h>

enum {
	MOST_REDIRECTS = 5,
	PATIENCE_MS = 10000, /* a longer gap is not waited for */
	ROBOTS_BYTES = 500 << 10,
	PAGE_BYTES = 8 << 20,
	SITEMAP_BYTES = 16 << 20,
};

typedef struct {
	Cli *cli;
	const char *source; /* as the person named it */
	UrlFetcher *fetcher;
	SiteProbe *probe;
	char *origin; /* whose rules these are */
	RobotsRules *rules; /* NULL: everything is allowed */
	GPtrArray *sitemaps; /* char *, that robots.txt names */
	GPtrArray *reserved; /* char *, origins that the daemon leaves alone now */
	GError **error;
} Prober;

static void probe_feed_clear(gpointer item)
{
	g_free(((ProbeFeed *)item)->url);
	g_free(((ProbeFeed *)item)->title);
}

void site_probe_free(SiteProbe *probe)
{
	if (!probe)
		return;
	g_free(probe->reason);
	g_free(probe->url);
	g_free(probe->title);
	g_array_unref(probe->feeds);
	g_free(probe);
}

char *probe_prefix(const char *url)
{
	return g_strndup(url, url_site_length(url));
}

/* Ends the probe. Takes ownership of the reason. */
static bool probe_end(Prober *p, ProbeState state, char *reason)
{
	p->probe->state = state;
	g_free(p->probe->reason);
	p->probe->reason = reason;
	return false;
}

/* ---- documents */

/* Converts the body of an answer. NULL: it could not be read, or with error. */
static GPtrArray *probe_convert(Prober *p, UrlAnswer *answer, JobPurpose purpose, const char *url)
{
	g_autoptr(GPtrArray) docs = NULL;
	if (answer->body < 0)
		return NULL;
	docs = convert_answer(
	        p->cli, autofd_steal(&answer->body), answer->body_bytes, purpose, url, p->error);
	const Document *doc = docs ? docs->pdata[0] : NULL;
	return doc && doc->state != STATE_FAILED ? g_steal_pointer(&docs) : NULL;
}

static bool probe_failed(const Prober *p)
{
	return p->error && *p->error;
}

/* ---- robots.txt */

static void probe_take_robots(Prober *p, UrlAnswer *answer, const char *url)
{
	g_autoptr(GPtrArray) docs = probe_convert(p, answer, JOB_ROBOTS, NULL);
	const Document *doc = docs ? docs->pdata[0] : NULL;
	g_autoptr(Url) base = url_parse(url, -1, NULL, NULL);

	if (!doc)
		return;
	p->probe->has_robots = doc->links->len > 0;
	p->rules = robots_rules_new(doc, FETCH_AGENT, ROBOTS_CANONICAL);
	url_fetcher_set_delay(p->fetcher, robots_rules_delay(p->rules));
	for (guint i = 0; i < doc->links->len; i++) {
		const DocLink *link = &g_array_index(doc->links, DocLink, i);
		char *sitemap = link->kind == LINK_SITEMAP
		                        ? url_canonical(link->href, -1, base, NULL)
		                        : NULL;
		if (sitemap)
			g_ptr_array_add(p->sitemaps, sitemap);
	}
}

static bool is_success(const UrlAnswer *answer)
{
	return answer->status / 100 == 2 &&
	       (answer->error == FETCH_OK || answer->error == FETCH_TOO_LARGE ||
	               answer->error == FETCH_PROTOCOL);
}

/* For how long a daemon that does not run leaves the host alone. */
static int64_t probe_noted_wait_ms(Prober *p, const char *origin)
{
	g_auto(WebVisitStats) host = {0};
	Reader *reader = cli_reader(p->cli, NULL);
	if (!reader || !reader_web_visit(reader, origin, "/", &host, NULL) || !host.host_known)
		return 0;
	return MIN(host.next_ms - g_get_real_time() / 1000, host.wait_ms);
}

/* The daemon may just have asked this host, or was asked to leave it alone: as long as that holds
 * for the daemon it holds for the person. Meanwhile it asks nothing. False: for too long. */
static bool probe_wait(Prober *p, const char *origin)
{
	if (g_ptr_array_find_with_equal_func(p->reserved, origin, g_str_equal, NULL))
		return true;
	int64_t wait_ms = reserve_host(p->cli, origin, PATIENCE_MS);
	if (wait_ms < 0)
		wait_ms = probe_noted_wait_ms(p, origin);
	else if (wait_ms <= PATIENCE_MS)
		g_ptr_array_add(p->reserved, g_strdup(origin));
	if (wait_ms > PATIENCE_MS)
		return probe_end(p, PROBE_SLOW,
		        g_strdup_printf(_("the site is to be left alone for %d s"),
		                (int)MIN(wait_ms / 1000, G_MAXINT)));
	if (wait_ms > 0)
		g_usleep((gulong)wait_ms * 1000);
	return true;
}

static bool probe_wait_elsewhere(Prober *p, const char *url, const char *target)
{
	g_autofree char *origin = url_origin(url, NULL), *other = url_origin(target, NULL);
	return g_strcmp0(origin, other) == 0 || probe_wait(p, other);
}

/* RFC 9309, 2.3.1: what an answer without robots.txt means. Redirects are followed wherever they
 * lead. */
static bool probe_robots(Prober *p, const char *origin)
{
	g_autofree char *url = g_strconcat(origin, "/robots.txt", NULL);

	g_clear_pointer(&p->rules, robots_rules_free);
	g_ptr_array_set_size(p->sitemaps, 0);
	url_fetcher_set_delay(p->fetcher, 0);
	for (unsigned i = 0; i <= MOST_REDIRECTS; i++) {
		g_auto(UrlAnswer) answer = {.body = -1};
		url_fetch(p->fetcher, url, p->source, ROBOTS_BYTES, &answer);
		if (answer.status == 0 || answer.status == 429 || answer.status / 100 == 5)
			return probe_end(p, PROBE_UNREACHABLE, url_answer_reason(&answer));
		if (is_success(&answer)) {
			probe_take_robots(p, &answer, url);
			return !probe_failed(p);
		}
		if (!answer.location)
			return answer.status / 100 == 4 ||
			       probe_end(p, PROBE_UNREACHABLE, url_answer_reason(&answer));
		if (!probe_wait_elsewhere(p, url, answer.location))
			return false;
		g_free(url);
		url = g_steal_pointer(&answer.location);
	}
	return probe_end(p, PROBE_UNREACHABLE, g_strdup(_("its robots.txt redirects too often")));
}

/* May the URL be asked? Asks for the robots.txt of a new origin first. */
static bool probe_may_ask(Prober *p, const char *url)
{
	const char *path = NULL;
	g_autofree char *origin = url_origin(url, &path);

	if (g_strcmp0(origin, p->origin) != 0) {
		g_free(p->origin);
		p->origin = g_strdup(origin);
		if (!probe_wait(p, origin) || !probe_robots(p, origin))
			return false;
	}
	p->probe->gap_ms = url_fetcher_gap_ms(p->fetcher);
	if (p->rules && !robots_rules_allow(p->rules, path, strlen(path)))
		return probe_end(
		        p, PROBE_FORBIDDEN, g_strdup_printf(_("%s/robots.txt forbids it"), origin));
	if (p->probe->gap_ms > PATIENCE_MS)
		return probe_end(p, PROBE_SLOW,
		        g_strdup_printf(_("the site asks for %d s between two requests"),
		                (int)(p->probe->gap_ms / 1000)));
	return true;
}

/* ---- the page or feed */

static void probe_add_feed(SiteProbe *probe, const char *url, const char *title)
{
	ProbeFeed feed = {.url = (char *)url, .title = (char *)title};
	for (guint i = 0; i < probe->feeds->len; i++)
		if (strcmp(g_array_index(probe->feeds, ProbeFeed, i).url, url) == 0)
			return;
	if (probe->feeds->len >= PROBE_MAX_FEEDS)
		return;
	feed.url = g_strdup(url);
	feed.title = g_strdup(title ? title : "");
	g_array_append_val(probe->feeds, feed);
}

static void probe_take_links(Prober *p, const Document *doc)
{
	g_autoptr(Url) base = url_parse(p->probe->url, -1, NULL, NULL);
	g_autofree char *prefix = probe_prefix(p->probe->url);
	g_autoptr(GHashTable) below = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (guint i = 0; i < doc->links->len; i++) {
		const DocLink *link = &g_array_index(doc->links, DocLink, i);
		g_autofree char *url = url_canonical(link->href, -1, base, NULL);
		g_autofree char *origin = url ? url_origin(url, NULL) : NULL;
		if (origin && link->kind == LINK_FEED)
			probe_add_feed(p->probe, url, link->text);
		else if (origin && link->kind == LINK_ANCHOR && url_site_has(prefix, url))
			g_hash_table_add(below, g_steal_pointer(&url));
	}
	p->probe->links = g_hash_table_size(below);
}

/* Is the answer a feed by its content? Some servers send feeds as text/html. */
static bool probe_take_feed(Prober *p, UrlAnswer *answer, const char *url)
{
	if (answer->body < 0)
		return false;
	autofd kept = dup(answer->body);
	g_autoptr(GPtrArray) docs = probe_convert(p, answer, JOB_FEED, url);
	const Document *doc = docs ? docs->pdata[0] : NULL;
	const char *kind = doc ? document_fact(doc, FIELD_KIND) : NULL;

	answer->body = autofd_steal(&kept);
	if (!kind || g_str_has_prefix(kind, "opml"))
		return false;
	g_free(p->probe->title);
	p->probe->title = g_strdup(document_fact(doc, FIELD_TITLE));
	p->probe->items = docs->len - 1;
	return true;
}

static void probe_take_page(Prober *p, UrlAnswer *answer)
{
	g_autoptr(GPtrArray) docs = probe_convert(p, answer, JOB_PAGE, p->probe->url);
	const Document *doc = docs ? docs->pdata[0] : NULL;

	if (!doc)
		return;
	p->probe->title = g_strdup(document_fact(doc, FIELD_TITLE));
	probe_take_links(p, doc);
}

static bool probe_take_answer(Prober *p, UrlAnswer *answer)
{
	if (!is_success(answer)) {
		bool missing = answer->status / 100 == 4 && answer->status != 429;
		return probe_end(
		        p, missing ? PROBE_MISSING : PROBE_UNREACHABLE, url_answer_reason(answer));
	}
	p->probe->is_feed = probe_take_feed(p, answer, p->probe->url);
	if (!p->probe->is_feed && !probe_failed(p))
		probe_take_page(p, answer);
	return !probe_failed(p);
}

static bool probe_page(Prober *p)
{
	for (unsigned i = 0; i <= MOST_REDIRECTS; i++) {
		g_auto(UrlAnswer) answer = {.body = -1};
		if (!probe_may_ask(p, p->probe->url))
			return false;
		url_fetch(p->fetcher, p->probe->url, p->source, PAGE_BYTES, &answer);
		p->probe->gap_ms = url_fetcher_gap_ms(p->fetcher);
		if (!answer.location)
			return probe_take_answer(p, &answer);
		g_free(p->probe->url);
		p->probe->url = g_steal_pointer(&answer.location);
	}
	return probe_end(p, PROBE_UNREACHABLE, g_strdup(_("it redirects too often")));
}

/* ---- feeds and sitemaps in usual places */

/* True if robots.txt allows it and nobody waits long. */
static bool probe_may_look(const Prober *p, const char *url)
{
	const char *path = NULL;
	g_autofree char *origin = url_origin(url, &path);
	return g_strcmp0(origin, p->origin) == 0 && url_fetcher_gap_ms(p->fetcher) <= PATIENCE_MS &&
	       (!p->rules || robots_rules_allow(p->rules, path, strlen(path)));
}

/* Leaves out the feeds of the page that robots.txt forbids. */
static void probe_drop_forbidden(Prober *p)
{
	for (guint i = p->probe->feeds->len; i-- > 0;) {
		const char *path = NULL;
		const char *url = g_array_index(p->probe->feeds, ProbeFeed, i).url;
		g_autofree char *origin = url_origin(url, &path);
		if (!p->rules || g_strcmp0(origin, p->origin) != 0 ||
		        robots_rules_allow(p->rules, path, strlen(path)))
			continue;
		cli_note(p->cli, _("The feed %s is left out: robots.txt forbids it."), url);
		g_array_remove_index(p->probe->feeds, i);
	}
}

/* Asks for what may be a feed. Many sites send /feed to /feed/, and some send all that they do not
 * have to their start: so one redirect of all the places is followed. */
static void probe_fetch_feed(Prober *p, char **url, bool *followed, UrlAnswer *answer)
{
	if (!probe_may_look(p, *url))
		return;
	url_fetch(p->fetcher, *url, p->source, PAGE_BYTES, answer);
	if (!answer->location || *followed || strcmp(answer->location, *url) == 0 ||
	        !probe_may_look(p, answer->location))
		return;
	*followed = true;
	g_free(*url);
	*url = g_steal_pointer(&answer->location);
	url_answer_clear(answer);
	*answer = (UrlAnswer){.body = -1};
	url_fetch(p->fetcher, *url, p->source, PAGE_BYTES, answer);
}

static void probe_usual_feeds(Prober *p)
{
	static const char *const names[] = {"feed", "atom.xml", "rss.xml", "index.xml", "feed.xml"};
	g_autofree char *prefix = probe_prefix(p->probe->url);
	const char *slash = g_str_has_suffix(prefix, "/") ? "" : "/";
	bool followed = false;

	for (size_t i = 0; i < G_N_ELEMENTS(names) && p->probe->feeds->len == 0; i++) {
		g_autofree char *url = g_strconcat(prefix, slash, names[i], NULL);
		g_autofree char *title = g_steal_pointer(&p->probe->title);
		g_auto(UrlAnswer) answer = {.body = -1};
		probe_fetch_feed(p, &url, &followed, &answer);
		if (is_success(&answer) && probe_take_feed(p, &answer, url))
			probe_add_feed(p->probe, url, p->probe->title);
		g_free(p->probe->title);
		p->probe->title = g_steal_pointer(&title);
	}
}

static void probe_take_sitemap(Prober *p, UrlAnswer *answer)
{
	g_autoptr(GPtrArray) docs = probe_convert(p, answer, JOB_SITEMAP, NULL);
	const Document *doc = docs ? docs->pdata[0] : NULL;
	g_autofree char *prefix = probe_prefix(p->probe->url);

	if (!doc || doc->links->len == 0)
		return;
	p->probe->listed = 0;
	p->probe->lists_more |= doc->truncated;
	for (guint i = 0; i < doc->links->len; i++) {
		const DocLink *link = &g_array_index(doc->links, DocLink, i);
		g_autofree char *url = url_canonical(link->href, -1, NULL, NULL);
		p->probe->lists_more |= link->kind == LINK_SITEMAP;
		p->probe->listed += link->kind == LINK_PAGE && url && url_site_has(prefix, url);
	}
}

static void probe_sitemap(Prober *p)
{
	g_autofree char *usual = g_strconcat(p->origin, "/sitemap.xml", NULL);
	const char *url = p->sitemaps->len > 0 ? p->sitemaps->pdata[0] : usual;
	g_auto(UrlAnswer) answer = {.body = -1};

	p->probe->lists_more = p->sitemaps->len > 1;
	if (probe_may_look(p, url))
		url_fetch(p->fetcher, url, p->source, SITEMAP_BYTES, &answer);
	if (is_success(&answer))
		probe_take_sitemap(p, &answer);
}

SiteProbe *probe_site(Cli *cli, const char *url, ProbeWish wish, GError **error)
{
	g_autoptr(SiteProbe) probe = g_new0(SiteProbe, 1);
	g_autoptr(UrlFetcher) fetcher =
	        url_fetcher_new(settings_source_preset(cli->settings, url).contact);
	g_autoptr(GPtrArray) sitemaps = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GPtrArray) reserved = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GError) local = NULL;
	Prober p = {.cli = cli,
	        .source = url,
	        .fetcher = fetcher,
	        .probe = probe,
	        .sitemaps = sitemaps,
	        .reserved = reserved,
	        .error = &local};

	probe->url = g_strdup(url);
	probe->gap_ms = url_fetcher_gap_ms(fetcher);
	probe->listed = -1;
	probe->feeds = g_array_new(FALSE, FALSE, sizeof(ProbeFeed));
	g_array_set_clear_func(probe->feeds, probe_feed_clear);
	bool seen = probe_page(&p);
	if (seen && !probe->is_feed)
		probe_drop_forbidden(&p);
	if (seen && wish.wants_feeds && !probe->is_feed && probe->feeds->len == 0)
		probe_usual_feeds(&p);
	if (seen && wish.wants_sitemap && !probe->is_feed && !local)
		probe_sitemap(&p);
	for (guint i = 0; i < reserved->len; i++)
		release_host(cli, reserved->pdata[i]);
	robots_rules_free(p.rules);
	g_free(p.origin);
	if (!local)
		return g_steal_pointer(&probe);
	g_propagate_error(error, g_steal_pointer(&local));
	return NULL;
}
