/* SPDX-License-Identifier: GPL-3.0-or-later */
/* opml.c - lists of subscriptions, OPML 2.0 (opml.org/spec2.opml) */
#include <config.h>
#include "ui-cli/cmd/sources.h"
#include "common/base/i18n.h"
#include "ui-cli/app/convert-file.h"
#include <string.h>

/* The feeds that a document lists and that are not a source yet, without doubles: SettingsSource
 * whose URLs are in urls. *bad_r: entries that are not a URL of http or https. */
static GArray *listed_feeds(Cli *cli, const Document *doc, const SourceOptions *options,
        GHashTable *urls, unsigned *bad_r)
{
	GArray *sources = g_array_new(FALSE, FALSE, sizeof(SettingsSource));

	for (guint i = 0; i < doc->links->len; i++) {
		const DocLink *link = &g_array_index(doc->links, DocLink, i);
		if (link->kind != LINK_FEED)
			continue;
		g_autofree char *url = settings_source_url(link->href, NULL);
		*bad_r += !url;
		if (!url || settings_source(cli->settings, url) || g_hash_table_contains(urls, url))
			continue;
		SettingsSource source = settings_source_preset(cli->settings, url);
		g_hash_table_add(urls, g_steal_pointer(&url));
		source_options_apply(cli, options, &source);
		source.is_feed = true;
		g_array_append_val(sources, source);
	}
	return sources;
}

int source_add_opml(Cli *cli, const char *file, const SourceOptions *options)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GHashTable) urls = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	unsigned bad = 0;

	if (!cli_settings(cli, &error))
		return cli_fail(error);
	g_autoptr(GPtrArray) docs = convert_fetched(cli, file, JOB_FEED, NULL, &error);
	if (!docs)
		return cli_fail(error);
	const Document *doc = docs->pdata[0];
	const char *kind = document_fact(doc, FIELD_KIND);
	if (!kind || !g_str_has_prefix(kind, "opml")) {
		cli_say(_("%s is not a list of feeds in OPML"), file);
		return EXIT_USAGE;
	}
	g_autoptr(GArray) sources = listed_feeds(cli, doc, options, urls, &bad);
	if (bad > 0)
		cli_note(cli,
		        ngettext("%s: %u feed has no URL of http or https and is left out.",
		                "%s: %u feeds have no URL of http or https and are left out.", bad),
		        file, bad);
	if (doc->reason != REASON_NONE)
		cli_note(cli, "%s: %s", file, document_reason_text(doc->reason));
	if (!settings_add_sources(cli->config_file, (const SettingsSource *)(void *)sources->data,
	            sources->len, &error))
		return cli_fail(error);
	cli_note(cli, ngettext("%u feed is added.", "%u feeds are added.", sources->len),
	        sources->len);
	return doc->reason != REASON_NONE ? EXIT_PARTIAL : EXIT_OK;
}

int source_print_opml(Cli *cli)
{
	g_autoptr(GString) out = g_string_new("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	                                      "<opml version=\"2.0\">\n"
	                                      "<head><title>Tarsier</title></head>\n<body>\n");
	unsigned n, feeds = 0;
	const SettingsSource *sources = settings_sources(cli->settings, &n);

	for (unsigned i = 0; i < n; i++) {
		if (!sources[i].is_feed)
			continue;
		g_autofree char *url = g_markup_escape_text(sources[i].url, -1);
		g_string_append_printf(
		        out, "<outline type=\"rss\" text=\"%s\" xmlUrl=\"%s\"/>\n", url, url);
		feeds++;
	}
	g_string_append(out, "</body>\n</opml>\n");
	if (!cli->quiet)
		screen_put(&cli->out, out);
	return feeds > 0 ? EXIT_OK : EXIT_NOTHING;
}
