/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/sources.h"
#include "common/base/i18n.h"
#include "ui-cli/app/duration.h"
#include "ui-cli/app/search-query.h"
#include <string.h>

static const char *const keeps[] = {"page", "text", "nothing"};

bool source_is_url(const char *word)
{
	const char *mark = strstr(word, "://");
	return mark && mark > word && strncmp(word, "file:", strlen("file:")) != 0 &&
	       strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-") ==
	               (size_t)(mark - word);
}

bool source_options_given(const Cli *cli)
{
	static const char *const names[] = {"site", "feed", "pages", "depth", "include", "exclude",
	        "about", "every", "full", "keep"};
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
		if (options_has(cli->args, names[i]))
			return true;
	return false;
}

static GPtrArray *given_patterns(const Cli *cli, const char *name)
{
	if (!options_has(cli->args, name))
		return NULL;
	GPtrArray *patterns = options_values(cli->args, name);
	g_ptr_array_add(patterns, NULL);
	return patterns;
}

static const char *given_keep(const Cli *cli)
{
	return keeps[options_choice(cli->args, "keep", 0)];
}

static bool is_nothing(const char *keep)
{
	return strcmp(keep, "nothing") == 0;
}

/* False after a message. */
static bool full_fits(bool is_site, bool keeps_nothing)
{
	if (keeps_nothing)
		cli_say(_("--full needs --keep page or --keep text"));
	else if (is_site)
		cli_say(_("--full is for feeds: a site is read whole"));
	return !keeps_nothing && !is_site;
}

bool source_options_read(Cli *cli, SourceOptions *options)
{
	const char *every = options_value(cli->args, "every");
	const char *about = options_value(cli->args, "about");

	*options = (SourceOptions){.every_s = -1};
	if (options_has(cli->args, "site") && options_has(cli->args, "feed")) {
		cli_say(_("--site and --feed exclude each other"));
		return false;
	}
	if (options_has(cli->args, "site") && options_has(cli->args, "opml")) {
		cli_say(_("--site and --opml exclude each other: the list names feeds"));
		return false;
	}
	if (options_has(cli->args, "full") &&
	        !full_fits(options_has(cli->args, "site"), is_nothing(given_keep(cli))))
		return false;
	if (every && !duration_parse(every, &options->every_s)) {
		cli_say(_("--every: \"%s\" is not a duration such as 12h, 7d or 4w"), every);
		return false;
	}
	if (about && !search_text_is_valid(cli, about, NULL))
		return false;
	options->include = given_patterns(cli, "include");
	options->exclude = given_patterns(cli, "exclude");
	return true;
}

void source_options_clear(SourceOptions *options)
{
	g_clear_pointer(&options->include, g_ptr_array_unref);
	g_clear_pointer(&options->exclude, g_ptr_array_unref);
}

void source_options_apply(const Cli *cli, const SourceOptions *options, SettingsSource *source)
{
	const Arguments *args = cli->args;

	source->pages = options_number(args, "pages", source->pages);
	source->depth = options_number(args, "depth", source->depth);
	if (options->every_s >= 0)
		source->every_s = options->every_s;
	if (options->include)
		source->include = (const char *const *)options->include->pdata;
	if (options->exclude)
		source->exclude = (const char *const *)options->exclude->pdata;
	if (options_has(args, "about"))
		source->about = options_value(args, "about");
	if (options_has(args, "full"))
		source->full = true;
	if (options_has(args, "keep"))
		source->keep = given_keep(cli);
	if (options_has(args, "site") || options_has(args, "feed"))
		source->is_feed = options_has(args, "feed");
}

bool source_options_fit(const Cli *cli, const SettingsSource *source)
{
	bool full = options_has(cli->args, "full"), keep = options_has(cli->args, "keep");
	bool keeps_nothing = source->is_feed && (full || keep) && is_nothing(source->keep);

	return !source->full || full_fits(full && !source->is_feed, keeps_nothing);
}
