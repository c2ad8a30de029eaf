/* SPDX-License-Identifier: GPL-3.0-or-later */
/* add-source.c - "add URL": what is there, what will be done with it, and the new section of the
 * configuration */
#include <config.h>
#include "ui-cli/cmd/sources.h"
#include "common/base/i18n.h"
#include "ui-cli/app/counts.h"
#include "ui-cli/app/probe-site.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The answer of a person: a number of the list, or one of these. */
enum { CHOICE_SITE = -1, CHOICE_NOTHING = -2 };

/* ---- what is there */

static void say_feeds(const Cli *cli, const SiteProbe *probe)
{
	for (guint i = 0; i < probe->feeds->len; i++) {
		const ProbeFeed *feed = &g_array_index(probe->feeds, ProbeFeed, i);
		cli_note(cli, "%4u  %s%s%s", i + 1, feed->url, *feed->title ? "  " : "",
		        feed->title);
	}
}

static bool person_answers(const Cli *cli)
{
	return !cli->quiet && isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
}

/* Asks until there is an answer. */
static int choose_feed(const Cli *cli, const SiteProbe *probe, bool site_too)
{
	char line[32];

	cli_note(cli, _("The page has feeds:"));
	say_feeds(cli, probe);
	for (;;) {
		if (site_too)
			screen_write(
			        stderr, _("Number of a feed, s for the site, q for nothing [s]: "));
		else
			screen_write(stderr, _("Number of a feed, q for nothing [1]: "));
		if (!fgets(line, sizeof line, stdin))
			return CHOICE_NOTHING;
		g_strstrip(line);
		long number = strtol(line, NULL, 10);
		if (strcmp(line, "q") == 0)
			return CHOICE_NOTHING;
		if (*line == '\0')
			return site_too ? CHOICE_SITE : 0;
		if (site_too && strcmp(line, "s") == 0)
			return CHOICE_SITE;
		if (number >= 1 && number <= (long)probe->feeds->len)
			return (int)number - 1;
	}
}

/* Feed or site? Sets the URL and kind of the source. False: nothing is to be added; *code_r says
 * why. The caller frees *url_r. */
static bool decide_source(
        const Cli *cli, const SiteProbe *probe, char **url_r, bool *is_feed_r, int *code_r)
{
	bool wants_feed = options_has(cli->args, "feed"),
	     wants_site = options_has(cli->args, "site");
	int choice = CHOICE_SITE;

	*is_feed_r = probe->state == PROBE_SEEN ? probe->is_feed && !wants_site : wants_feed;
	if (probe->state == PROBE_SEEN && !probe->is_feed && !wants_site) {
		bool many = probe->feeds->len > (wants_feed ? 1 : 0);
		if (wants_feed && probe->feeds->len == 0) {
			cli_say(_("%s has no feed"), probe->url);
			*code_r = EXIT_NOTHING;
			return false;
		}
		choice = wants_feed ? 0 : CHOICE_SITE;
		if (many && person_answers(cli)) {
			choice = choose_feed(cli, probe, !wants_feed);
		} else if (many) {
			cli_note(cli, wants_feed ? _("The page has several feeds; the first is "
			                             "taken:")
			                         : _("The page has feeds; \"tarsier add\" with "
			                             "such a URL reads the feed alone:"));
			say_feeds(cli, probe);
		}
	}
	*code_r = EXIT_OK;
	if (choice == CHOICE_NOTHING)
		return false;
	if (choice != CHOICE_SITE) {
		*url_r = g_strdup(g_array_index(probe->feeds, ProbeFeed, choice).url);
		*is_feed_r = true;
	} else {
		*url_r = *is_feed_r ? g_strdup(probe->url) : probe_prefix(probe->url);
	}
	return true;
}

/* ---- what will be done */

/* The time is that of the pages that are known to be there, else of all that may be read. */
static void say_pace(const Cli *cli, const SiteProbe *probe, const SettingsSource *source)
{
	bool counted = probe->listed > 0 && !probe->lists_more;
	int64_t pages = counted ? MIN(source->pages, probe->listed) : source->pages;
	g_autofree char *pace = count_pause(probe->gap_ms);
	g_autofree char *time = count_time(pages * probe->gap_ms / 1000);

	cli_note(cli,
	        ngettext("At most %ld page is read, one request at a time with %s or more "
	                 "between two.",
	                "At most %ld pages are read, one request at a time with %s or more "
	                "between two.",
	                source->pages),
	        (long)source->pages, pace);
	cli_note(cli,
	        ngettext("The first visit of %ld page takes %s or more.",
	                "The first visit of %ld pages takes %s or more.", pages),
	        (long)pages, time);
}

static void say_site(const Cli *cli, const SiteProbe *probe, const SettingsSource *source)
{
	if (probe->has_robots)
		cli_note(cli, _("Its robots.txt is obeyed."));
	else if (probe->state == PROBE_SEEN)
		cli_note(cli, _("It has no robots.txt, so all of its pages may be read."));
	if (probe->listed == 0 && probe->lists_more)
		cli_note(cli, _("It has several sitemaps, which are read first."));
	else if (probe->listed >= 0 && probe->lists_more)
		cli_note(cli,
		        ngettext("A sitemap lists %ld page below this URL; there are more "
		                 "sitemaps.",
		                "A sitemap lists %ld pages below this URL; there are more "
		                "sitemaps.",
		                probe->listed),
		        (long)probe->listed);
	else if (probe->listed >= 0)
		cli_note(cli,
		        ngettext("Its sitemap lists %ld page below this URL.",
		                "Its sitemap lists %ld pages below this URL.", probe->listed),
		        (long)probe->listed);
	else if (probe->state == PROBE_SEEN)
		cli_note(cli,
		        ngettext("It has no sitemap, so pages are found by links; this one has "
		                 "%u link to others.",
		                "It has no sitemap, so pages are found by links; this one has %u "
		                "links to others.",
		                probe->links),
		        probe->links);
	say_pace(cli, probe, source);
}

static void say_source(const Cli *cli, const SiteProbe *probe, const SettingsSource *source)
{
	const char *title = probe->title ? probe->title : "";

	if (!source->is_feed) {
		cli_note(cli, _("%s is a site%s%s."), source->url, *title ? ": " : "", title);
		say_site(cli, probe, source);
		return;
	}
	if (probe->is_feed)
		cli_note(cli,
		        ngettext("%s is a feed with %u item%s%s.",
		                "%s is a feed with %u items%s%s.", probe->items),
		        source->url, probe->items, *title ? ": " : "", title);
	else
		cli_note(cli, _("%s is a feed."), source->url);
	cli_note(cli,
	        _("It is requested at most once an hour, and less often if it seldom changes."));
	if (source->full)
		cli_note(cli,
		        _("The pages of its items are fetched too, if they are on its host and "
		          "robots.txt allows it."));
}

/* ---- adding */

static int write_new_source(Cli *cli, const SettingsSource *source)
{
	g_autoptr(GError) error = NULL;

	if (!settings_add_sources(cli->config_file, source, 1, &error))
		return cli_fail(error);
	g_clear_pointer(&cli->settings, settings_free);
	return EXIT_OK;
}

static int change_source(Cli *cli, const SettingsSource *known, const SourceOptions *options)
{
	SettingsSource source = *known;
	g_autofree char *url = g_strdup(known->url);

	if (!source_options_given(cli)) {
		cli_note(cli, _("%s is already read."), url);
		return EXIT_OK;
	}
	source_options_apply(cli, options, &source);
	if (!source_options_fit(cli, &source))
		return EXIT_USAGE;
	int code = write_new_source(cli, &source);
	if (code == EXIT_OK)
		cli_note(cli, _("%s is read as you said."), url);
	return code;
}

/* The exit code of the reason not to add it; EXIT_OK: none. */
static int judge_probe(const Cli *cli, const SiteProbe *probe)
{
	bool decided = options_has(cli->args, "site") || options_has(cli->args, "feed");

	switch (probe->state) {
	case PROBE_SEEN:
		return EXIT_OK;
	case PROBE_MISSING:
	case PROBE_FORBIDDEN:
		cli_say(_("%s is not added: %s"), probe->url, probe->reason);
		return EXIT_NOTHING;
	case PROBE_UNREACHABLE:
	case PROBE_SLOW:
		break;
	}
	if (decided) {
		cli_note(cli, _("%s was not looked at: %s"), probe->url, probe->reason);
		return EXIT_OK;
	}
	cli_say(_("%s is not added: %s; --site or --feed adds it without looking at it"),
	        probe->url, probe->reason);
	return EXIT_NOTHING;
}

static int add_seen(
        Cli *cli, const SiteProbe *probe, const char *word, const SourceOptions *options)
{
	g_autofree char *url = NULL;
	bool is_feed;
	int code;

	if (!decide_source(cli, probe, &url, &is_feed, &code))
		return code;
	if (strcmp(url, word) != 0)
		cli_note(cli, _("%s leads to %s."), word, url);
	const SettingsSource *known = settings_source(cli->settings, url);
	if (known)
		return change_source(cli, known, options);
	SettingsSource source = settings_source_preset(cli->settings, url);
	source_options_apply(cli, options, &source);
	source.is_feed = is_feed;
	if (!source_options_fit(cli, &source))
		return EXIT_USAGE;
	say_source(cli, probe, &source);
	code = write_new_source(cli, &source);
	if (code == EXIT_OK)
		cli_note(cli, _("It is added; \"tarsier remove %s\" removes it."), url);
	return code;
}

int source_add(Cli *cli, const char *word, const SourceOptions *options)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *url = settings_source_url(word, &error);
	const Settings *settings = url ? cli_settings(cli, &error) : NULL;
	const SettingsSource *known = settings ? settings_source(settings, url) : NULL;

	if (!settings)
		return cli_fail(error);
	/* the page of a known site may have a feed, and is none itself */
	if (known && (known->is_feed || !options_has(cli->args, "feed")))
		return change_source(cli, known, options);
	const ProbeWish wish = {.wants_feeds = !options_has(cli->args, "site"),
	        .wants_sitemap = !options_has(cli->args, "feed")};
	cli_note(cli, _("Looking at %s …"), url);
	g_autoptr(SiteProbe) probe = probe_site(cli, url, wish, &error);
	if (!probe)
		return cli_fail(error);
	int code = judge_probe(cli, probe);
	return code == EXIT_OK ? add_seen(cli, probe, url, options) : code;
}
