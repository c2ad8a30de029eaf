/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/web.h"
#include "common/base/i18n.h"
#include "common/base/text.h"
#include "common/dust/dust.h"
#include "common/url/url-canonical.h"
#include "ui-cli/print/json-writer.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* ---- reading a list */

typedef struct {
	DustList *list;
	unsigned left_out; /* lines */
} RulesInput;

/* A number for a checksum; 0: there is none. */
static uint64_t rules_sum(const char *text)
{
	uint8_t digest[32];
	gsize length = sizeof digest;
	uint64_t sum;
	g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);

	if (!text || !*text)
		return 0;
	g_checksum_update(checksum, (const guchar *)text, -1);
	g_checksum_get_digest(checksum, digest, &length);
	memcpy(&sum, digest, sizeof sum);
	return MAX(sum, 1);
}

/* -1 without a size; false: the text is none. */
static bool rules_size(const char *text, int64_t *size_r)
{
	char *end = NULL;

	*size_r = -1;
	if (!text || !*text)
		return true;
	errno = 0;
	*size_r = g_ascii_strtoll(text, &end, 10);
	return errno == 0 && *size_r >= 0 && end != text && *end == '\0';
}

/* URL, tab, size, tab, checksum; the latter two may be missing. */
static bool rules_line(const Cli *cli, const GString *line, GString *out, void *data)
{
	RulesInput *input = data;
	g_auto(GStrv) fields = g_strsplit(line->str, "\t", 3);
	guint n = g_strv_length(fields);
	DustPage page = {0};
	(void)cli;
	(void)out;
	g_autofree char *url = n > 0 && strlen(line->str) == line->len
	                               ? url_canonical(fields[0], strlen(fields[0]), NULL, NULL)
	                               : NULL;

	page.url = url;
	page.sum = rules_sum(n > 2 ? fields[2] : NULL);
	if (!url || !rules_size(n > 1 ? fields[1] : NULL, &page.size) ||
	        !dust_list_add(input->list, &page))
		input->left_out++;
	return true;
}

/* ---- output */

static void rules_append_json(GString *out, const DustRule *rule)
{
	json_open(out, NULL, '{');
	web_rule_json(out, rule);
	json_unsigned(out, "urls", rule->urls);
	json_unsigned(out, "support", rule->support);
	json_unsigned(out, "refuted", rule->refuted);
	json_unsigned(out, "saved", rule->saved);
	json_unsigned(out, "sampled", rule->sampled);
	if (rule->sampled > 0)
		json_double(out, "precision", (double)rule->equal / rule->sampled);
	else
		json_nil(out, "precision");
	json_close(out, '}');
	g_string_append_c(out, '\n');
}

static void rules_append_line(const Cli *cli, GString *out, const DustRule *rule)
{
	web_rule_plain(cli, out, rule);
	g_string_append_c(out, '\n');
}

static void rules_append_block(const Cli *cli, GString *out, const DustRule *rule)
{
	web_rule_head(cli, out, rule);
	g_string_append(out, "    ");
	g_string_append_printf(out,
	        _("%u of %u URLs have a counterpart that seems equal; that differs: %u"),
	        rule->support, rule->urls, rule->refuted);
	g_string_append(out, "\n    ");
	if (rule->sampled > 0)
		g_string_append_printf(
		        out, _("of %u compared pairs, %u are equal"), rule->sampled, rule->equal);
	else
		g_string_append(out, _("not confirmed: the list has no checksums to compare"));
	g_string_append(out, "\n    ");
	g_string_append_printf(out,
	        ngettext(
	                "%u page need not be fetched", "%u pages need not be fetched", rule->saved),
	        rule->saved);
	g_string_append(out, "\n\n");
}

static int rules_print(Cli *cli, const GPtrArray *rules, const RulesInput *input)
{
	g_autoptr(GString) out = g_string_new(NULL);
	uint32_t saved = 0, urls = dust_list_length(input->list);

	for (guint i = 0; i < rules->len; i++) {
		const DustRule *rule = rules->pdata[i];
		saved += rule->saved;
		if (cli->json)
			rules_append_json(out, rule);
		else if (!cli->out.terminal)
			rules_append_line(cli, out, rule);
		else
			rules_append_block(cli, out, rule);
	}
	if (!cli->quiet)
		screen_put(&cli->out, out);
	if (input->left_out > 0)
		cli_note(cli,
		        ngettext("%u line was left out: no URL, no size, or too long",
		                "%u lines were left out: no URL, no size, or too long",
		                input->left_out),
		        input->left_out);
	cli_note(cli,
	        ngettext("%u rule; %u of %u URLs need not be fetched",
	                "%u rules; %u of %u URLs need not be fetched", rules->len),
	        rules->len, saved, urls);
	return rules->len > 0 ? EXIT_OK : EXIT_NOTHING;
}

/* NULL: it cannot be read, which was said. A directory can be opened, but has no lines. */
static FILE *rules_open(const char *file)
{
	FILE *in = strcmp(file, "-") == 0 ? stdin : fopen(file, "re");
	struct stat stat;

	if (in && fstat(fileno(in), &stat) == 0 && S_ISDIR(stat.st_mode)) {
		if (in != stdin)
			fclose(in);
		errno = EISDIR;
		in = NULL;
	}
	if (!in)
		cli_say("%s: %s", file, g_strerror(errno));
	return in;
}

int web_rules(Cli *cli)
{
	const char *file = options_value(cli->args, "list");
	const char *site = cli_n_words(cli) > 1 ? cli_word(cli, 1) : NULL;
	g_autoptr(DustList) list = NULL;

	if (!file == !site) {
		cli_say(_("web rules needs either SITE or --list FILE; see \"tarsier help web\""));
		return EXIT_USAGE;
	}
	if (site)
		return web_site_rules(cli, site);
	FILE *in = rules_open(file);
	if (!in)
		return EXIT_USAGE;
	list = dust_list_new();
	RulesInput input = {list, 0};
	web_each_line(cli, in, rules_line, &input);
	bool failed = ferror(in);
	if (in != stdin)
		fclose(in);
	if (failed) {
		cli_say(_("%s: it could not be read to its end"), file);
		return EXIT_USAGE;
	}
	g_autoptr(GPtrArray) rules = dust_learn(list, NULL, true, dust_compare_sums, NULL);
	return rules_print(cli, rules, &input);
}
