/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/commands.h"
#include "ui-cli/cmd/web.h"
#include "common/base/i18n.h"
#include <string.h>

typedef struct {
	const char *name;
	unsigned words; /* arguments after the name */
	unsigned more; /* that may follow */
	const char *arguments; /* untranslated */
	int (*run)(Cli *cli);
} WebVerb;

static const WebVerb web_verbs[] = {
        {"allowed", 0, 0, "", web_allowed},
        {"canonical", 0, 0, "", web_canonical},
        {"feed", 1, 0, N_("a file"), web_feed},
        {"plan", 0, 0, "", web_plan},
        {"rules", 0, 1, "", web_rules},
        {"sitemap", 1, 0, N_("a file"), web_sitemap},
        {"visit", 1, 0, N_("a URL"), web_visit},
};

/* The names of all subverbs, separated by commas. The caller frees it. */
static char *web_verb_names(void)
{
	GString *out = g_string_new(NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(web_verbs); i++)
		g_string_append_printf(out, "%s%s", i > 0 ? ", " : "", web_verbs[i].name);
	return g_string_free(out, FALSE);
}

int cmd_web(Cli *cli)
{
	const char *name = cli_word(cli, 0);
	g_autofree char *names = NULL;

	for (size_t i = 0; i < G_N_ELEMENTS(web_verbs); i++) {
		const WebVerb *verb = &web_verbs[i];
		if (strcmp(name, verb->name) != 0)
			continue;
		unsigned words = cli_n_words(cli) - 1;
		if (words >= verb->words && words <= verb->words + verb->more)
			return verb->run(cli);
		if (words < verb->words)
			cli_say(_("web %s needs %s; see \"tarsier help web\""), name,
			        _(verb->arguments));
		else
			cli_say(_("\"%s\" is one argument too many; see \"tarsier help web\""),
			        cli_word(cli, 1 + verb->words + verb->more));
		return EXIT_USAGE;
	}
	names = web_verb_names();
	cli_say(_("use web with one of: %s"), names);
	return EXIT_USAGE;
}
