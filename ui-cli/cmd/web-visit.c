/* SPDX-License-Identifier: GPL-3.0-or-later */
/* web-visit.c - "web visit URL": what a visit now would do, and what keeps it from being made */
#include <config.h>
#include "ui-cli/cmd/web.h"
#include "common/base/i18n.h"
#include "common/dust/dust.h"
#include "common/url/robots-rules.h"
#include "common/url/url-origin.h"
#include "index/read/reader-web-rules.h"
#include "index/read/reader-web.h"
#include "ui-cli/app/counts.h"
#include "ui-cli/app/source-list.h"
#include "ui-cli/print/json-writer.h"
#include <string.h>

/* The reason why a visit is not made now; the first that applies, in the order of the enum. */
typedef enum {
	VISIT_NO_SOURCE,
	VISIT_NEW_SOURCE, /* the configuration has one, the index not yet */
	VISIT_ROBOTS_UNREACHABLE,
	VISIT_FORBIDDEN,
	VISIT_OVER,
	VISIT_HELD,
	VISIT_ALIAS,
	VISIT_UNKNOWN_URL,
	VISIT_BUDGET,
	VISIT_NOT_DUE,
	VISIT_HOST_RESTS,
	VISIT_NOW,
	N_VISITS
} VisitVerdict;

static const char *const visit_names[N_VISITS] = {"no-source", "new-source", "robots-unreachable",
        "robots", "over", "held", "alias", "unknown-url", "budget", "not-due", "host-rests", "now"};

typedef struct {
	WebVisitStats stats;
	bool allowed; /* by robots.txt, as far as it is known */
	char *other; /* the URL that is asked instead, or NULL */
	GString *rule; /* by which: both sides, or NULL */
	bool is_configured; /* a section of the configuration covers it */
	int64_t now_ms;
} PlannedVisit;

static VisitVerdict visit_judge(const PlannedVisit *v)
{
	const WebVisitStats *s = &v->stats;

	if (!s->has_source)
		return v->is_configured ? VISIT_NEW_SOURCE : VISIT_NO_SOURCE;
	if (s->robots == 2)
		return VISIT_ROBOTS_UNREACHABLE;
	if (!v->allowed)
		return VISIT_FORBIDDEN;
	if (!s->url_known)
		return VISIT_UNKNOWN_URL;
	if (s->is_over && v->other)
		return VISIT_ALIAS;
	if (s->is_over)
		return s->status == 1 || s->status == 2 ? VISIT_HELD : VISIT_OVER;
	if (s->visited_s == 0 && (s->pages >= s->pages_most || s->bytes >= s->bytes_most))
		return VISIT_BUDGET;
	if (s->due_s * 1000 > v->now_ms)
		return VISIT_NOT_DUE;
	return s->next_ms > v->now_ms ? VISIT_HOST_RESTS : VISIT_NOW;
}

/* When the next visit may be made: the present if it is due. 0: never, or unknown. */
static int64_t visit_due_s(const PlannedVisit *v)
{
	const WebVisitStats *s = &v->stats;
	return s->url_known && !s->is_over ? MAX(s->due_s, v->now_ms / 1000) : 0;
}

static const char *visit_text(VisitVerdict verdict)
{
	switch (verdict) {
	case VISIT_NO_SOURCE:
		return _("no: it belongs to no site or feed that is read");
	case VISIT_NEW_SOURCE:
		return _("not yet: its site or feed was not asked before");
	case VISIT_ROBOTS_UNREACHABLE:
		return _("no: robots.txt of its host cannot be read");
	case VISIT_FORBIDDEN:
		return _("no: robots.txt of its host forbids it");
	case VISIT_OVER:
		return _("no: it is gone or has moved");
	case VISIT_HELD:
		return _("no: the rules or limits of its source keep it out");
	case VISIT_ALIAS:
		return _("no: by a rule that was learned, it is the same page as another URL");
	case VISIT_UNKNOWN_URL:
		return _("no: no page, feed or sitemap has led to it yet");
	case VISIT_BUDGET:
		return _("no: its source has as many pages or bytes as it may have");
	case VISIT_NOT_DUE:
		return _("no: it is not due yet");
	case VISIT_HOST_RESTS:
		return _("no: its host is left alone after the last answer");
	case VISIT_NOW:
	case N_VISITS:
		break;
	}
	return _("yes, when its turn comes");
}

static void visit_row(const Cli *cli, GString *out, const char *label, const char *value)
{
	g_string_append_printf(
	        out, "%s%s:%s ", screen_on(&cli->out, STYLE_TITLE), label, screen_off(&cli->out));
	web_append(cli, out, value, -1);
	g_string_append_c(out, '\n');
}

static void visit_row_time(const Cli *cli, GString *out, const char *label, int64_t seconds)
{
	g_autofree char *when = seconds > 0 ? screen_time(seconds) : NULL;
	if (when)
		visit_row(cli, out, label, when);
}

/* In place of the tab between its sides, an arrow. */
static void visit_row_rule(const Cli *cli, GString *out, const char *rule)
{
	g_auto(GStrv) sides = g_strsplit(rule, "\t", 2);
	g_autofree char *text = g_strjoinv(" -> ", sides);
	visit_row(cli, out, _("Rule"), text);
}

/* While robots.txt cannot be read, nothing is asked before it is tried again. */
static int64_t visit_host_next_s(const WebVisitStats *s)
{
	return MAX(s->next_ms / 1000, s->robots == 2 ? s->robots_s : 0);
}

static void visit_print(
        const Cli *cli, GString *out, const char *url, const PlannedVisit *v, VisitVerdict verdict)
{
	const WebVisitStats *s = &v->stats;

	visit_row(cli, out, "URL", url);
	const char *failure = source_failure_text(s->failure);
	visit_row(cli, out, _("Visit now"), visit_text(verdict));
	if (verdict == VISIT_ROBOTS_UNREACHABLE && failure)
		visit_row(cli, out, _("Reason"), failure);
	if (v->other)
		visit_row(cli, out, _("Requested instead"), v->other);
	if (v->rule)
		visit_row_rule(cli, out, v->rule->str);
	if (s->host_known) {
		const char *robots = s->robots == 0   ? _("not asked yet")
		                     : s->robots == 2 ? _("unreachable")
		                     : v->allowed     ? _("allows it")
		                                      : _("forbids it");
		g_autofree char *pause =
		        count_pause(reader_web_pace_ms(s->wait_ms, s->delay_ms, s->backoff));
		g_autofree char *pace = g_strdup_printf(_("%s between requests"), pause);
		visit_row(cli, out, "robots.txt", robots);
		visit_row(cli, out, _("Pace"), pace);
		visit_row_time(cli, out, _("Host may be asked"), visit_host_next_s(s));
	}
	if (s->has_source) {
		g_autofree char *used = g_format_size(MAX(0, s->bytes));
		g_autofree char *most = g_format_size(MAX(0, s->bytes_most));
		g_autofree char *budget = g_strdup_printf(_("%ld of %ld pages, %s of %s"),
		        (long)s->pages, (long)s->pages_most, used, most);
		visit_row(cli, out, _("Budget"), budget);
	}
	if (!s->url_known)
		return;
	visit_row_time(cli, out, _("Last visit"), s->visited_s);
	if (s->failures > 0) {
		g_autofree char *failures = g_strdup_printf("%u", s->failures);
		visit_row(cli, out, _("Failed visits since"), failures);
	}
	if (s->status >= 100) {
		g_autofree char *status = g_strdup_printf("%u", s->status);
		visit_row(cli, out, _("Last status"), status);
	}
	visit_row_time(cli, out, _("Due"), visit_due_s(v));
}

static void visit_json(GString *out, const char *url, const PlannedVisit *v, VisitVerdict verdict)
{
	static const char *const robots[] = {"unknown", "known", "unreachable"};
	const WebVisitStats *s = &v->stats;

	json_open(out, NULL, '{');
	json_text(out, "url", url);
	json_text(out, "verdict", visit_names[verdict]);
	json_text(out, "other", v->other);
	json_text(out, "rule", v->rule ? v->rule->str : NULL);
	json_text(out, "robots", s->host_known && s->robots < 3 ? robots[s->robots] : NULL);
	json_bool(out, "allowed", v->allowed);
	json_int(out, "delay_ms", s->delay_ms);
	json_int(out, "wait_ms", s->wait_ms);
	json_time(out, "host_next", visit_host_next_s(s), true);
	json_text(out, "prefix", s->source_prefix);
	json_text(out, "failure", s->failure);
	json_int(out, "pages", s->pages);
	json_int(out, "pages_most", s->pages_most);
	json_int(out, "bytes", s->bytes);
	json_int(out, "bytes_most", s->bytes_most);
	json_bool(out, "known", s->url_known);
	json_unsigned(out, "depth", s->depth);
	json_unsigned(out, "status", s->status >= 100 ? s->status : 0);
	json_unsigned(out, "failures", s->failures);
	json_time(out, "last_visit", s->visited_s, true);
	json_time(out, "due", visit_due_s(v), true);
	json_close(out, '}');
	g_string_append_c(out, '\n');
}

/* As far as it is known, everything is allowed. */
static bool visit_is_allowed(const WebVisitStats *stats, const char *path)
{
	g_autoptr(RobotsRules) rules = stats->rules ? robots_rules_unpack(stats->rules) : NULL;
	return !rules || robots_rules_allow(rules, path, strlen(path));
}

/* The first valid rule that changes the URL. */
static void visit_find_rule(const Cli *cli, const char *url, const GArray *rules, PlannedVisit *v)
{
	for (guint i = 0; i < rules->len && !v->rule; i++) {
		const WebRuleStats *stats = &g_array_index(rules, WebRuleStats, i);
		const DustRule rule = {.kind = stats->kind,
		        .at_start = stats->at_start,
		        .at_end = stats->at_end,
		        .from = stats->from,
		        .to = stats->to};
		g_autofree char *changed = stats->state == 1 ? dust_rule_apply(&rule, url) : NULL;
		if (!changed)
			continue;
		v->rule = g_string_new(NULL);
		web_rule_plain(cli, v->rule, &rule);
	}
}

static bool visit_read_alias(const Cli *cli, Reader *reader, const char *url, const char *origin,
        const char *path, PlannedVisit *v, GError **error)
{
	bool known;
	if (!reader_web_alias(reader, url, &v->other, error))
		return false;
	if (!v->other)
		return true;
	g_autoptr(GArray) rules = reader_web_rules(reader, origin, path, &known, error);
	if (rules)
		visit_find_rule(cli, url, rules, v);
	return rules != NULL;
}

static bool visit_is_configured(const Settings *settings, const char *url)
{
	unsigned n;
	const SettingsSource *sources = settings_sources(settings, &n);
	for (unsigned i = 0; i < n; i++)
		if (sources[i].is_feed ? strcmp(url, sources[i].url) == 0
		                       : g_str_has_prefix(url, sources[i].url))
			return true;
	return false;
}

int web_visit(Cli *cli)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *url = settings_source_url(cli_word(cli, 1), &error);
	const char *path = NULL;
	g_autofree char *origin = url ? url_origin(url, &path) : NULL;
	g_autoptr(GString) out = g_string_new(NULL);
	PlannedVisit visit = {.now_ms = g_get_real_time() / 1000};

	const Settings *settings = origin ? cli_settings(cli, &error) : NULL;
	if (!settings)
		return cli_fail(error);
	visit.is_configured = visit_is_configured(settings, url);
	Reader *reader = cli_reader(cli, &error);
	if (!reader || !reader_web_visit(reader, origin, path, &visit.stats, &error) ||
	        !visit_read_alias(cli, reader, url, origin, path, &visit, &error))
		return cli_fail(error);
	visit.allowed = visit_is_allowed(&visit.stats, path);
	VisitVerdict verdict = visit_judge(&visit);
	if (cli->json)
		visit_json(out, url, &visit, verdict);
	else
		visit_print(cli, out, url, &visit, verdict);
	if (!cli->quiet)
		screen_put(&cli->out, out);
	web_visit_stats_clear(&visit.stats);
	g_free(visit.other);
	if (visit.rule)
		g_string_free(visit.rule, TRUE);
	return verdict >= VISIT_NOT_DUE ? EXIT_OK : EXIT_NOTHING;
}
