/* SPDX-License-Identifier: GPL-3.0-or-later */
/* web-rule-print.c - what a URL rule replaces, as "web rules" shows it */
#include <config.h>
#include "ui-cli/cmd/web.h"
#include "common/base/i18n.h"
#include "ui-cli/print/json-writer.h"

void web_rule_json(GString *out, const DustRule *rule)
{
	json_text(out, "kind", rule->kind == DUST_PART ? "part" : "parameter");
	json_text(out, "from", rule->from);
	json_text(out, "to", rule->to);
	json_bool(out, "at_start", rule->at_start);
	json_bool(out, "at_end", rule->at_end);
}

/* One side of a rule: "^" and "$" are the start and the end of the URL. */
static void rule_append_side(const Cli *cli, GString *out, const DustRule *rule, bool from)
{
	const char *text = from ? rule->from : rule->to;

	if (rule->kind == DUST_PARAMETER && (from || rule->to)) {
		web_append(cli, out, rule->from, -1);
		g_string_append_c(out, '=');
		web_append(cli, out, from ? "*" : rule->to, -1);
	} else if (text) {
		g_string_append(out, rule->at_start ? "^" : "");
		web_append(cli, out, text, -1);
		g_string_append(out, rule->at_end ? "$" : "");
	}
}

void web_rule_plain(const Cli *cli, GString *out, const DustRule *rule)
{
	rule_append_side(cli, out, rule, true);
	g_string_append_c(out, '\t');
	rule_append_side(cli, out, rule, false);
}

void web_rule_head(const Cli *cli, GString *out, const DustRule *rule)
{
	g_string_append(out, screen_on(&cli->out, STYLE_TITLE));
	rule_append_side(cli, out, rule, true);
	g_string_append(out, screen_off(&cli->out));
	if (rule->kind == DUST_PARAMETER && !rule->to) {
		g_string_append(out, _(" does not matter"));
	} else {
		g_string_append(out, _(" leads to the same page as "));
		g_string_append(out, screen_on(&cli->out, STYLE_TITLE));
		rule_append_side(cli, out, rule, false);
		g_string_append(out, screen_off(&cli->out));
	}
	g_string_append_c(out, '\n');
}
