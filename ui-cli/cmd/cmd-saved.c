/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/commands.h"
#include "ui-cli/print/json-writer.h"
#include "ui-cli/app/saved.h"
#include "ui-cli/app/search-query.h"
#include "common/base/i18n.h"
#include "common/base/text.h"
#include <string.h>

static char *cmd_saved_no_name(const char *name)
{
	return g_strdup_printf(_("\"%s\" is not a valid name; use letters, digits, \"-\", \"_\" "
	                         "and \".\""),
	        name);
}

static void append_one(const Cli *cli, GString *out, const char *name, const char *query)
{
	if (cli->json) {
		json_open(out, NULL, '{');
		json_text(out, "name", name);
		json_text(out, "query", query);
		json_close(out, '}');
	} else {
		text_append_escaped(out, name, -1);
		g_string_append_c(out, '\t');
		text_append_escaped(out, query, -1);
	}
	g_string_append_c(out, cli->null && !cli->json ? '\0' : '\n');
}

static int cmd_saved_list(const Cli *cli, const Saved *saved)
{
	g_auto(GStrv) names = saved_names(saved);
	g_autofree char *wrong = saved_wrong_name(saved);
	g_autoptr(GString) out = g_string_new(NULL);

	for (char **name = names; *name; name++) {
		g_autofree char *query = saved_query(saved, *name);
		append_one(cli, out, *name, query ? query : "");
	}
	if (!cli->quiet)
		screen_put(&cli->out, out);
	g_autofree char *note = wrong ? cmd_saved_no_name(wrong) : NULL;
	if (note)
		cli_note(cli, "%s", note);
	else if (!names[0])
		cli_note(cli, _("No search is saved; \"tarsier saved add NAME QUERY\" saves one."));
	return names[0] ? EXIT_OK : EXIT_NOTHING;
}

static int cmd_saved_add(Cli *cli, Saved *saved, const char *name)
{
	g_autofree char *text = search_text(cli, 2);
	g_autofree char *before = saved_query(saved, name);
	g_autoptr(GError) error = NULL;

	if (*name == '-') {
		cli_say(_("the name of a saved search cannot begin with \"-\", as \"%s\" does"),
		        name);
		return EXIT_USAGE;
	}
	if (!saved_is_name(name)) {
		g_autofree char *message = cmd_saved_no_name(name);
		cli_say("%s", message);
		return EXIT_USAGE;
	}
	search_note_options(cli, 2);
	/* The check includes the new search itself, so that a search that refers to itself is
	 * noticed. */
	if (!search_text_is_valid(cli, text, name))
		return EXIT_USAGE;
	if (!saved_add(saved, name, text, &error))
		return cli_fail(error);
	if (before)
		cli_note(cli, _("It replaces: %s"), before);
	cli_note(cli, _("Search for it with saved:%s"), name);
	return EXIT_OK;
}

static int cmd_saved_forget(Saved *saved, const char *name)
{
	g_autoptr(GError) error = NULL;

	if (saved_remove(saved, name, &error))
		return EXIT_OK;
	if (error)
		return cli_fail(error);
	cli_say(_("there is no saved search \"%s\""), name);
	return EXIT_NOTHING;
}

int cmd_saved(Cli *cli)
{
	unsigned n = cli_n_words(cli);
	const char *what = n > 0 ? cli_word(cli, 0) : "list";
	g_autoptr(GError) error = NULL;
	g_autoptr(Saved) saved = saved_open(cli->config_file, &error);

	if (!saved)
		return cli_fail(error);
	if (strcmp(what, "list") == 0 && n <= 1)
		return cmd_saved_list(cli, saved);
	if (strcmp(what, "add") == 0 && n >= 3)
		return cmd_saved_add(cli, saved, cli_word(cli, 1));
	if (strcmp(what, "remove") == 0 && n == 2)
		return cmd_saved_forget(saved, cli_word(cli, 1));
	cli_say(_("use \"saved list\", \"saved add NAME QUERY\" or \"saved remove NAME\""));
	return EXIT_USAGE;
}
