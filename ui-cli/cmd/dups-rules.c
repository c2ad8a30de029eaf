/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/dups-rules.h"
#include "ui-cli/print/json-writer.h"
#include "ui-cli/app/progress-part.h"
#include "ui-cli/app/why-not.h"
#include "common/settings/conffile.h"
#include "common/base/i18n.h"
#include "common/base/text.h"
#include "index/copies/mirror.h"
#include <string.h>
#include <unistd.h>

/* A line "name = value" to add to a section of the configuration. */
typedef struct {
	char *section, *line;
} Advice;

static void advice_clear(Advice *advice)
{
	g_free(advice->section);
	g_free(advice->line);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Advice, advice_clear)

/* ---- the line for the configuration */

/* A gitignore(5) pattern that matches the directory and nothing else. */
static char *pattern_of_dir(const char *path)
{
	const char *home = g_get_home_dir();
	size_t length = strlen(home);
	bool in_home = length > 1 && strncmp(path, home, length) == 0 && path[length] == '/';
	GString *pattern = g_string_new(in_home ? "~" : "");
	for (const char *c = in_home ? path + length : path; *c; c++) {
		if (strchr("*?[]\\ ", *c))
			g_string_append_c(pattern, '\\');
		g_string_append_c(pattern, *c);
	}
	g_string_append_c(pattern, '/');
	return g_string_free(pattern, FALSE);
}

static void append_item(GString *value, const char *item)
{
	g_autofree char *escaped = conffile_escape(item);
	g_string_append_printf(value, "%s%s", value->len > 0 ? ";" : "", escaped);
}

/* The items of the list without one item and with another one. Either may be NULL. */
static char *changed_list(
        const char *name, const char *const *items, const char *without, const char *more)
{
	g_autoptr(GString) value = g_string_new(NULL);
	for (size_t i = 0; items && items[i]; i++)
		if (!without || strcmp(items[i], without) != 0)
			append_item(value, items[i]);
	if (more)
		append_item(value, more);
	return g_strdup_printf("%s = %s", name, value->str);
}

static bool is_set_by(const Settings *settings, const char *dir, const char *origin)
{
	g_autofree char *own = settings_origin(settings, "index", "exclude", dir, NULL);
	return strcmp(own, origin) == 0;
}

/* The section whose exclude key applies to a directory. */
static char *section_for(const Settings *settings, const char *dir)
{
	g_autofree char *origin = settings_origin(settings, "index", "exclude", dir, NULL);
	const char *const *dirs = settings_dirs(settings), *best = NULL;
	if (is_set_by(settings, NULL, origin))
		return g_strdup("index");
	for (; dirs && *dirs; dirs++) {
		size_t length = strlen(*dirs);
		if (strncmp(dir, *dirs, length) == 0 && (!best || length > strlen(best)) &&
		        is_set_by(settings, *dirs, origin))
			best = *dirs;
	}
	return best ? g_strdup_printf("dir:%s", best) : g_strdup("index");
}

/* The rules accept a root whatever the patterns say, so it must be removed from the list of
 * roots. */
static Advice advice_for(const Settings *settings, const MirrorRule *rule)
{
	const char *const *roots = settings ? settings_roots(settings) : NULL;
	if (rule->names) {
		const char *const *items =
		        settings ? settings_list(settings, "index", "exclude", NULL) : NULL;
		return (Advice){g_strdup("index"), changed_list("exclude", items, NULL, rule->to)};
	}
	if (roots && g_strv_contains(roots, rule->to))
		return (Advice){g_strdup("index"), changed_list("roots", roots, rule->to, NULL)};
	g_autofree char *above = g_path_get_dirname(rule->to);
	g_autofree char *pattern = pattern_of_dir(rule->to);
	const char *const *items =
	        settings ? settings_list(settings, "index", "exclude", above) : NULL;
	return (Advice){settings ? section_for(settings, above) : g_strdup("index"),
	        changed_list("exclude", items, NULL, pattern)};
}

/* ---- output */

static double dups_precision(const MirrorRule *rule)
{
	return (double)rule->equal / MAX(rule->sampled, 1);
}

static void dups_append_json(GString *out, const MirrorRule *rule, const Advice *advice)
{
	json_open(out, NULL, '{');
	json_text(out, "kind", rule->names ? "names" : "tree");
	json_bytes(out, "from", rule->from);
	json_bytes(out, "to", rule->to);
	json_unsigned(out, "support", rule->support);
	json_unsigned(out, "refuted", rule->refuted);
	json_unsigned(out, "files", rule->files);
	json_unsigned(out, "bytes", rule->bytes);
	json_unsigned(out, "sampled", rule->sampled);
	json_double(out, "precision", dups_precision(rule));
	json_text(out, "section", advice->section);
	json_bytes(out, "leave_out", advice->line);
	json_close(out, '}');
	g_string_append_c(out, '\n');
}

static void dups_append_plain(GString *out, const MirrorRule *rule, bool null)
{
	const char end = null ? '\0' : '\n';
	g_string_append(out, rule->from);
	g_string_append_c(out, null ? '\0' : '\t');
	g_string_append(out, rule->to);
	g_string_append_c(out, end);
}

static void append_escaped(GString *out, const Screen *screen, Style style, const char *text)
{
	g_string_append(out, screen_on(screen, style));
	text_append_escaped(out, text, -1);
	g_string_append(out, screen_off(screen));
}

static void dups_append_head(const Screen *screen, GString *out, const MirrorRule *rule)
{
	append_escaped(out, screen, STYLE_TITLE, rule->to);
	g_string_append(out, rule->names ? _(" names copies of ") : _(" mirrors "));
	append_escaped(out, screen, STYLE_TITLE, rule->from);
	g_string_append_c(out, '\n');
}

static void dups_append_block(
        const Screen *screen, GString *out, const MirrorRule *rule, const Advice *advice)
{
	g_autofree char *bytes = g_format_size(rule->bytes);
	dups_append_head(screen, out, rule);
	g_string_append(out, "    ");
	g_string_append_printf(out,
	        _("%lu of %lu files have a counterpart of the same size, %s; of another size: %lu"),
	        (unsigned long)rule->support, (unsigned long)rule->files, bytes,
	        (unsigned long)rule->refuted);
	g_string_append(out, "\n    ");
	g_string_append_printf(
	        out, _("of %u compared files, %u are equal"), rule->sampled, rule->equal);
	g_string_append(out, "\n    ");
	g_string_append(out, _("to exclude it, add to the configuration:"));
	g_string_append(out, "\n        [");
	text_append_escaped(out, advice->section, -1);
	g_string_append(out, "]\n        ");
	append_escaped(out, screen, STYLE_PATH, advice->line);
	g_string_append(out, "\n\n");
}

static void print_rule(Cli *cli, const MirrorRule *rule, const Settings *settings)
{
	g_auto(Advice) advice = advice_for(settings, rule);
	g_autoptr(GString) out = g_string_new(NULL);
	if (cli->json)
		dups_append_json(out, rule, &advice);
	else if (cli->null || !cli->out.terminal)
		dups_append_plain(out, rule, cli->null);
	else
		dups_append_block(&cli->out, out, rule, &advice);
	screen_put(&cli->out, out);
}

int dups_rules(Cli *cli, const char *dir)
{
	unsigned limit = options_number(cli->args, "limit", G_MAXUINT);
	ProgressPart *progress = progress_part_new(cli, _("Looking for mirrors"));
	const MirrorOptions options = {dir, geteuid(), progress_part_show, progress};
	g_autoptr(GPtrArray) rules = NULL;
	g_autoptr(GError) error = NULL;
	bool ok = reader_mirror_rules(cli->reader, &options, &rules, &error);
	uint64_t bytes = 0;

	progress_part_free(progress);
	if (!ok)
		return cli_fail(error);
	if (rules->len == 0) {
		if (!dir || !why_not_note_empty(cli, dir))
			cli_note(cli,
			        _("No directory mirrors another, and no file names mark copies."));
		return EXIT_NOTHING;
	}
	for (guint i = 0; i < rules->len; i++) {
		const MirrorRule *rule = rules->pdata[i];
		bytes += rule->bytes;
		if (!cli->quiet && i < limit)
			print_rule(cli, rule, cli_settings(cli, NULL));
	}
	g_autofree char *size = g_format_size(bytes);
	cli_note(cli, ngettext("%u rule, %s duplicated", "%u rules, %s duplicated", rules->len),
	        rules->len, size);
	return EXIT_OK;
}
