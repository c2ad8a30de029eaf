/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frontier-answer.c - what an answer means for its URL, its host and its branch */
#include <config.h>
#include "common/base/web-agent.h"
#include "common/url/url-canonical.h"
#include "common/url/url-origin.h"
#include "daemon/web/bursts.h"
#include "daemon/web/frontier-private.h"
#include "daemon/web/traps.h"
#include <float.h>
#include <math.h>
#include <string.h>

#define DAY_MOST 2000 /* visits of a host in a day */
#define VISITS_OF_CHANGE 5 /* for each change that is to be expected */
#define PAGE_DAY 1 /* of a page on average, if fewer changes are to be expected */
#define FEED_DAY 24 /* of a feed that is a source, beside those of pages */
#define POLITE_SHARE                                                                               \
	0.25 /* of the requests that politeness allows, at most, are planned visits                \
	      */

/* ---- the plan of a host */

/* What the pages of a host are worth: its operator should not pay for many visits that find
 * nothing. */
static double visits_of_day(const FrontierHost *h)
{
	const WebPlanRow *plan = &h->row.plan;
	double day = VISITS_OF_CHANGE * WEB_DAY_S * schedule_mean_rate(&plan->mean);
	double visits = MAX(day, PAGE_DAY) * (plan->sources + 1.0);
	for (const FrontierSource *s = h->sources; s; s = s->next)
		visits += s->row.first == WEB_FEED ? FEED_DAY : 0;
	return MIN(visits, DAY_MOST);
}

static double budget_per_s(const FrontierHost *h)
{
	double limit = h->row.day_most > 0 ? h->row.day_most : visits_of_day(h);
	double gap_s = MAX(h->row.delay_ms, POLITE_LEAST_MS) / 1000.0;
	return MIN(limit / WEB_DAY_S, POLITE_SHARE / gap_s);
}

/* The unit of time is the mean time between two changes of a page of the host. If it grows, as it
 * does after the first visits of a site that is quiet, the weights of all pages hold, also of those
 * that were planned before. */
static Revisit host_plan(const FrontierHost *h)
{
	const WebPlanRow *row = &h->row.plan;
	double rate = schedule_mean_rate(&row->mean);
	Revisit plan;
	revisit_init(
	        &plan, budget_per_s(h) / rate, SCHEDULE_LEAST_S * rate, SCHEDULE_MOST_S * rate);
	if (row->sources == 0 || row->price == 0)
		return plan;
	plan.price = row->price;
	plan.weight = row->weight;
	plan.sources = row->sources;
	return plan;
}

static void keep_plan(FrontierHost *h, const Revisit *plan)
{
	WebPlanRow *row = &h->row.plan;
	row->price = plan->price;
	row->weight = plan->weight;
	row->sources = plan->sources;
}

/* The sum must hold what the row will give back. */
static void round_source(Revisit *plan, RevisitSource *s)
{
	float weight = web_visit_rounded(s->weight);
	plan->weight += weight - s->weight;
	s->interval = web_visit_rounded(s->interval);
	s->weight = weight;
}

/* Among the pages that are due, those that change often are requested first: one change a day is in
 * the middle. */
static unsigned priority_of_rate(double rate)
{
	return (unsigned)CLAMP(128 + 16 * log10(rate * WEB_DAY_S), 0, 200);
}

static RevisitSource source_of_visit(const WebVisit *v)
{
	return (RevisitSource){v->changes, v->seconds, v->interval, v->weight};
}

static void visit_set_source(WebVisit *v, const RevisitSource *s)
{
	v->changes = s->changes;
	v->seconds = s->seconds;
	v->interval = s->interval;
	v->weight = s->weight;
}

/* ---- the URL */

static int64_t bounded_interval(
        double planned, const FrontierSource *s, const WebUrlRow *url, const WebAnswer *answer)
{
	int64_t interval = (int64_t)ceil(planned);
	if (s && s->row.every_s > 0)
		interval = MIN(interval, s->row.every_s);
	interval = MAX(interval, answer->fresh_s);
	if (url->kind == WEB_FEED)
		interval = MAX(interval, SCHEDULE_LEAST_S);
	return CLAMP(interval, 1, SCHEDULE_MOST_S);
}

/* The evidence of a visit, this many seconds after the one before, about the page and those like
 * it. */
static void learn_visit(
        FrontierHost *h, WebVisit *v, RevisitSource *source, double seconds, bool changed)
{
	WebPlanRow *plan = &h->row.plan;
	const RevisitSource known = schedule_with_mean(source, &plan->mean);
	if (v->change_seen)
		burst_observe(
		        &plan->bursts[burst_class(v)], revisit_rate(&known) * seconds, changed);
	schedule_observe(source, &plan->mean, seconds, changed);
	v->change_seen |= changed;
	v->quiet = changed ? 0 : web_visit_rounded(v->quiet + (float)seconds);
}

/* Plans by the rate that the page has now, for as long ago as it changed. Returns seconds. */
static double plan_interval(
        const FrontierHost *h, Revisit *plan, const WebVisit *v, RevisitSource *source)
{
	double rate = schedule_mean_rate(&h->row.plan.mean);
	RevisitSource now = schedule_with_mean(source, &h->row.plan.mean);
	if (v->change_seen)
		now.changes = (float)MIN(
		        now.changes * burst_factor(&h->row.plan.bursts[burst_class(v)]), FLT_MAX);
	now.seconds = (float)(now.seconds * rate);
	double planned = revisit_plan(plan, &now) / rate;
	source->interval = (float)planned;
	source->weight = now.weight;
	return planned;
}

/* The first visit finds the page new, which tells nothing about its changes. */
static void plan_visit(FrontierHost *h, WebUrlRow *url, int64_t now_s, const WebAnswer *answer)
{
	WebVisit *v = &url->visit;
	RevisitSource source = source_of_visit(v);
	if (v->visited_s > 0 && now_s > v->visited_s)
		learn_visit(h, v, &source, now_s - v->visited_s, answer->changed);
	else if (v->visited_s == 0 && answer->prior_s > 0)
		schedule_set_prior(&source, answer->prior_s);
	Revisit plan = host_plan(h);
	double planned = plan_interval(h, &plan, v, &source);
	round_source(&plan, &source);
	keep_plan(h, &plan);
	visit_set_source(v, &source);
	v->visited_s = now_s;
	v->failures = 0;
	const RevisitSource known = schedule_with_mean(&source, &h->row.plan.mean);
	url->priority = priority_of_rate(revisit_rate(&known));
	int64_t interval =
	        bounded_interval(planned, frontier_source_of(h, url->kind, url->path), url, answer);
	url->due_s = schedule_after_skip(now_s + interval, answer->skip);
}

void frontier_end_visits(FrontierHost *h, WebUrlRow *url)
{
	RevisitSource source = source_of_visit(&url->visit);
	Revisit plan = host_plan(h);
	if (source.interval > 0) {
		revisit_forget(&plan, &source);
		keep_plan(h, &plan);
	}
	visit_set_source(&url->visit, &source);
	url->is_over = true;
}

/* The page of an item is asked again if its item has changed. */
static void end_item_page(WebUrlRow *url, int64_t now_s)
{
	url->visit.visited_s = now_s;
	url->visit.failures = 0;
	url->is_over = true;
}

/* 304 says that the validators of the last answer hold; it may bring newer ones. */
static void keep_validators(WebVisit *v, const WebAnswer *answer)
{
	bool same = answer->status == 304;
	if (answer->etag || !same) {
		g_free(v->etag);
		v->etag = g_strdup(answer->etag);
	}
	if (answer->modified || !same) {
		g_free(v->modified);
		v->modified = g_strdup(answer->modified);
	}
}

static bool answer_url(Frontier *f, FrontierHost *h, WebUrlRow *url, const WebTime *now,
        const WebAnswer *answer, GError **error)
{
	int64_t wait;
	switch (schedule_fate(answer->status, url->visit.failures, &wait)) {
	case SCHEDULE_VISIT:
		keep_validators(&url->visit, answer);
		if (url->kind == WEB_ITEM)
			end_item_page(url, web_seconds_up(now));
		else
			plan_visit(h, url, web_seconds_up(now), answer);
		break;
	case SCHEDULE_LATER:
		url->visit.failures = MIN(url->visit.failures + 1, 255);
		url->due_s = web_seconds_up(now) + wait;
		break;
	default:
		frontier_end_visits(h, url);
		url->visit.visited_s = web_seconds_up(now);
	}
	if (answer->next_whole)
		web_visit_clear(&url->visit);
	url->status = answer->status;
	if (!writer_web_set_url(f->w, url, error))
		return false;
	if (!url->is_over)
		frontier_offer(h, &(WebNext){url->hash, url->due_s, url->priority, url->kind,
		                          url->status == 0});
	return true;
}

/* ---- its source and branch */

static bool count_answer(Frontier *f, FrontierHost *h, const WebUrlRow *url, bool first,
        const WebAnswer *answer, GError **error)
{
	FrontierSource *s = url->kind != WEB_ITEM ? frontier_source_of(h, url->kind, url->path)
	                    : answer->feed        ? frontier_find_source(h, answer->feed)
	                                          : NULL;
	if (!s)
		return true;
	s->row.pages += first && answer->status != 0;
	s->row.bytes += MAX(0, answer->bytes);
	if (!writer_web_count_source(f->w, &s->row, error))
		return false;
	if (!first || url->kind != WEB_PAGE || answer->status == 0)
		return true;
	g_autofree char *shape = trap_shape(url->path);
	return writer_web_count_branch(
	        f->w, h->row.id, web_hash(shape, strlen(shape)), 1, answer->poor, error);
}

/* ---- its host */

void frontier_close_gates(FrontierHost *h, const WebTime *now, const WebAnswer *answer)
{
	unsigned status = answer->unkept ? 200 : answer->status;
	int64_t taken_ms = politeness_taken_ms(status, answer->duration_ms);
	h->row.backoff = politeness_backoff(h->row.backoff, status);
	polite_gate_close(
	        &h->gate, now, politeness_gap_ms(h->row.delay_ms, taken_ms, h->row.backoff));
	polite_gate_close(
	        &h->gate, now, politeness_retry_after_ms(answer->retry_after, now->wall_ms));
	polite_gate_close(&h->server->gate, now, politeness_gap_ms(0, taken_ms, 0));
}

static bool end_request(Frontier *f, FrontierHost *h, const WebTime *now, GError **error)
{
	h->row.has_asked = false;
	if (h->server->asking == h)
		h->server->asking = NULL;
	frontier_order_host(f, h, now);
	return frontier_write_host(f, h, error);
}

bool frontier_answer(
        Frontier *f, const WebTime *now, unsigned host, const WebAnswer *answer, GError **error)
{
	FrontierHost *h = f->hosts->pdata[host];
	g_auto(WebUrlRow) url = {0};
	int found = writer_web_get_url(f->w, h->row.id, h->row.asked, &url, error);
	if (found < 0)
		return false;
	frontier_close_gates(h, now, answer);
	/* A URL that was held, or became an alias, while it was requested stays so. */
	bool counts = found > 0 && (url.status == 0 || url.status >= 100);
	bool first = url.status == 0;
	if (counts && (!answer_url(f, h, &url, now, answer, error) ||
	                      !count_answer(f, h, &url, first, answer, error) ||
	                      !frontier_note_gone(f, h, &url, error)))
		return false;
	return end_request(f, h, now, error);
}

bool frontier_may_follow(Frontier *f, const WebTime *now, unsigned host, const char *target,
        int64_t duration_ms, bool *may_r, int64_t *wait_ms_r, GError **error)
{
	FrontierHost *h = f->hosts->pdata[host];
	const char *path;
	g_autofree char *origin = url_origin(target, &path);
	FrontierHost *other = origin ? frontier_find_host(f, origin) : NULL;
	*may_r = false;
	*wait_ms_r = politeness_gap_ms(h->row.delay_ms, duration_ms, h->row.backoff);
	if (!origin)
		return true;
	if (!frontier_robots_allow(f, h, path, may_r, error))
		return false;
	if (!*may_r || !other || other == h || other->row.id == 0)
		return true;
	*wait_ms_r = MAX(*wait_ms_r, polite_gate_left_ms(&other->gate, now));
	return frontier_robots_allow(f, other, path, may_r, error);
}

/* ---- robots.txt */

static int64_t robots_delay_ms(const RobotsRules *rules)
{
	double seconds = rules ? robots_rules_delay(rules) : 0;
	return (int64_t)(CLAMP(seconds, 0, POLITE_DELAY_MOST_MS / 1000.0) * 1000);
}

/* The path of a canonical URL, or NULL. */
static const char *path_of_url(const char *url)
{
	const char *host = strstr(url, "://");
	return host ? strchr(host + 3, '/') : NULL;
}

/* A sitemap may be named relative to robots.txt. */
static bool add_sitemaps(Frontier *f, const FrontierHost *h, const WebTime *now,
        const Document *robots, GError **error)
{
	g_autofree char *text = g_strconcat(h->row.name, "/robots.txt", NULL);
	g_autoptr(Url) base = url_parse(text, -1, NULL, NULL);
	for (guint i = 0; i < robots->links->len; i++) {
		const DocLink *link = &g_array_index(robots->links, DocLink, i);
		g_autofree char *url = link->kind == LINK_SITEMAP
		                               ? url_canonical(link->href, -1, base, NULL)
		                               : NULL;
		const char *path = url ? path_of_url(url) : NULL;
		if (!path)
			continue;
		g_autofree char *origin = g_strndup(url, path - url);
		if (!frontier_add(f, now,
		            &(WebFound){.origin = origin, .path = path, .kind = WEB_SITEMAP},
		            error))
			return false;
	}
	return true;
}

static bool keep_robots(
        Frontier *f, FrontierHost *h, const WebTime *now, const Document *robots, GError **error)
{
	g_autoptr(RobotsRules) rules =
	        robots ? robots_rules_new(robots, WEB_AGENT_NAME, ROBOTS_CANONICAL) : NULL;
	h->row.delay_ms = robots_delay_ms(rules);
	return frontier_set_rules(f, h, rules, error) &&
	       (!robots || add_sitemaps(f, h, now, robots, error));
}

bool frontier_answer_robots(Frontier *f, const WebTime *now, unsigned host, const WebAnswer *answer,
        const Document *robots, GError **error)
{
	FrontierHost *h = f->hosts->pdata[host];
	bool found = answer->status >= 200 && answer->status < 300 && robots;
	bool absent = answer->status >= 400 && answer->status < 500 && answer->status != 429;
	bool known = found || absent;
	if (known && !keep_robots(f, h, now, found ? robots : NULL, error))
		return false;
	h->row.robots = known ? WEB_ROBOTS_KNOWN : WEB_ROBOTS_UNREACHABLE;
	h->row.robots_s = web_seconds_up(now) + (known ? POLITE_ROBOTS_S : POLITE_ROBOTS_RETRY_S);
	if (h->redirected)
		polite_gate_close(
		        &h->gate, now, politeness_gap_ms(h->row.delay_ms, 0, h->row.backoff));
	else
		frontier_close_gates(h, now, answer);
	return frontier_end_redirect(f, h, now, answer, error) && end_request(f, h, now, error);
}

/* ---- a page that cannot exist */

bool frontier_answer_probe(Frontier *f, const WebTime *now, unsigned host, const WebAnswer *answer,
        const NearPrint *print, GError **error)
{
	FrontierHost *h = f->hosts->pdata[host];
	frontier_close_gates(h, now, answer);
	return frontier_keep_probe(f, h, now, answer->status, print, error) &&
	       end_request(f, h, now, error);
}

/* ---- no network */

bool frontier_take_back(Frontier *f, const WebTime *now, unsigned host, int64_t duration_ms,
        int64_t wait_ms, GError **error)
{
	FrontierHost *h = f->hosts->pdata[host];
	int64_t gap_ms = politeness_gap_ms(h->row.delay_ms, duration_ms, h->row.backoff);
	g_auto(WebUrlRow) url = {0};
	int found = writer_web_get_url(f->w, h->row.id, h->row.asked, &url, error);
	if (found < 0)
		return false;
	polite_gate_close(&h->gate, now, MAX(wait_ms, gap_ms));
	polite_gate_close(&h->server->gate, now, politeness_gap_ms(0, duration_ms, 0));
	h->probed = NULL;
	if (!frontier_end_redirect(f, h, now, NULL, error))
		return false;
	if (found > 0 && !url.is_over)
		frontier_offer(h,
		        &(WebNext){url.hash, url.due_s, url.priority, url.kind, url.status == 0});
	return end_request(f, h, now, error);
}
