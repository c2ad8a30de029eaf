/* SPDX-License-Identifier: GPL-3.0-or-later */
/* web-site-rules.c - "web rules SITE": the URL rules that were learned of a site */
#include <config.h>
#include "ui-cli/cmd/web.h"
#include "common/base/i18n.h"
#include "common/dust/dust.h"
#include "common/url/url-origin.h"
#include "index/read/reader-web-rules.h"
#include "ui-cli/print/json-writer.h"

static const char *const rule_states[] = {"candidate", "valid", "refuted"};

static const char *site_rule_state(unsigned state)
{
	switch (state) {
	case 0:
		return _("not confirmed: too few pages could be compared; it is not applied");
	case 1:
		return _("valid: it is applied");
	default:
		return _("withdrawn: pages have shown that it is wrong");
	}
}

/* The strings are borrowed. */
static DustRule site_rule_dust(const WebRuleStats *stats)
{
	return (DustRule){.kind = stats->kind,
	        .at_start = stats->at_start,
	        .at_end = stats->at_end,
	        .from = stats->from,
	        .to = stats->to};
}

static void site_rule_json(GString *out, const WebRuleStats *stats)
{
	const DustRule rule = site_rule_dust(stats);

	json_open(out, NULL, '{');
	web_rule_json(out, &rule);
	json_int(out, "support", stats->support);
	json_int(out, "saved", stats->saved);
	json_int(out, "sampled", stats->tried);
	if (stats->tried > 0)
		json_double(out, "precision", (double)stats->equal / stats->tried);
	else
		json_nil(out, "precision");
	json_text(out, "state", rule_states[stats->state]);
	json_time(out, "tested", stats->tested_s, true);
	json_close(out, '}');
	g_string_append_c(out, '\n');
}

static void site_rule_plain(const Cli *cli, GString *out, const WebRuleStats *stats)
{
	const DustRule rule = site_rule_dust(stats);

	web_rule_plain(cli, out, &rule);
	g_string_append_printf(out, "\t%s\n", rule_states[stats->state]);
}

static void site_rule_block(const Cli *cli, GString *out, const WebRuleStats *stats)
{
	const DustRule rule = site_rule_dust(stats);

	web_rule_head(cli, out, &rule);
	g_string_append_printf(out, "    %s\n    ", site_rule_state(stats->state));
	g_string_append_printf(out,
	        _("supported by %ld pairs of pages; of %ld compared ones, %ld are equal"),
	        (long)stats->support, (long)stats->tried, (long)stats->equal);
	g_string_append(out, "\n    ");
	g_string_append_printf(out,
	        ngettext("%ld page was not requested because of it",
	                "%ld pages were not requested because of it", (unsigned long)stats->saved),
	        (long)stats->saved);
	g_string_append(out, "\n\n");
}

static void site_rules_print(Cli *cli, const GArray *rules)
{
	g_autoptr(GString) out = g_string_new(NULL);

	for (guint i = 0; i < rules->len; i++) {
		const WebRuleStats *stats = &g_array_index(rules, WebRuleStats, i);
		if (cli->json)
			site_rule_json(out, stats);
		else if (!cli->out.terminal)
			site_rule_plain(cli, out, stats);
		else
			site_rule_block(cli, out, stats);
	}
	if (!cli->quiet)
		screen_put(&cli->out, out);
}

int web_site_rules(Cli *cli, const char *site)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *url = settings_source_url(site, &error);
	const char *path = NULL;
	g_autofree char *origin = url ? url_origin(url, &path) : NULL;
	bool known;

	if (!origin)
		return cli_fail(error);
	Reader *reader = cli_reader(cli, &error);
	g_autoptr(GArray) rules =
	        reader ? reader_web_rules(reader, origin, path, &known, &error) : NULL;
	if (!rules)
		return cli_fail(error);
	if (!known)
		cli_note(cli, _("%s belongs to no site that is read"), url);
	else if (rules->len == 0)
		cli_note(cli, _("no rules have been learned for this site"));
	site_rules_print(cli, rules);
	return rules->len > 0 ? EXIT_OK : EXIT_NOTHING;
}
