/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/web.h"
#include "common/base/i18n.h"
#include "common/url/url.h"
#include "ui-cli/app/convert-file.h"
#include "ui-cli/app/doc-text.h"
#include "ui-cli/print/json-writer.h"
#include <string.h>

static void json_joined(GString *out, const char *key, const Document *doc, DocField field)
{
	g_autofree char *joined = document_facts_joined(doc, field, ", ");
	json_text(out, key, joined);
}

/* The kind of a feed and its version are words of one fact. */
static void json_feed(GString *out, const Document *doc)
{
	const char *kind = document_fact(doc, FIELD_KIND);
	const char *space = kind ? strchr(kind, ' ') : NULL;
	g_autofree char *name = space ? g_strndup(kind, space - kind) : g_strdup(kind);

	json_open(out, NULL, '{');
	json_text(out, "title", document_fact(doc, FIELD_TITLE));
	json_text(out, "link", document_fact(doc, FIELD_URL));
	json_text(out, "kind", name);
	json_text(out, "version", space ? space + 1 : NULL);
	json_close(out, '}');
	g_string_append_c(out, '\n');
}

/* The text without noise, lines of blocks apart; null if there is none. */
static void json_plain(GString *out, const char *key, const Document *doc)
{
	const DocTextForm form = {.plain = true};
	g_autoptr(GPtrArray) one = g_ptr_array_new();
	g_autoptr(GString) text = g_string_new(NULL);

	g_ptr_array_add(one, (gpointer)doc);
	doc_text_append(text, one, &form);
	g_strchomp(text->str);
	json_text(out, key, *text->str ? text->str : NULL);
}

static void json_enclosures(GString *out, const Document *doc)
{
	json_open(out, "enclosures", '[');
	for (guint i = 0; i < doc->links->len; i++) {
		const DocLink *link = &g_array_index(doc->links, DocLink, i);
		if (link->kind != LINK_ENCLOSURE)
			continue;
		g_auto(GStrv) parts = g_strsplit(link->text, "\t", 2);
		guint n = g_strv_length(parts);
		json_open(out, NULL, '{');
		json_text(out, "url", link->href);
		json_text(out, "type", n > 0 && *parts[0] ? parts[0] : NULL);
		json_text(out, "length", n > 1 && *parts[1] ? parts[1] : NULL);
		json_close(out, '}');
	}
	json_close(out, ']');
}

static void json_item(GString *out, const Document *doc)
{
	json_open(out, NULL, '{');
	json_text(out, "id", document_fact(doc, FIELD_IDENTIFIER));
	json_text(out, "link", document_fact(doc, FIELD_URL));
	json_text(out, "title", document_fact(doc, FIELD_TITLE));
	json_joined(out, "author", doc, FIELD_AUTHOR);
	json_text(out, "date", document_fact(doc, FIELD_DATE));
	json_text(out, "updated", document_fact(doc, FIELD_UPDATED));
	json_plain(out, "text", doc);
	json_enclosures(out, doc);
	json_close(out, '}');
	g_string_append_c(out, '\n');
}

int web_feed(Cli *cli)
{
	const char *base = options_value(cli->args, "base"), *reason = NULL;
	g_autoptr(Url) url = base ? url_parse(base, -1, NULL, &reason) : NULL;
	g_autofree char *absolute = url ? url_text(url) : NULL;
	g_autoptr(GError) error = NULL;
	g_autoptr(GString) out = g_string_new(NULL);
	g_autoptr(GPtrArray) docs = NULL;

	if (base && !url) {
		cli_say(_("--base: \"%s\" is not a URL: %s"), base, _(reason));
		return EXIT_USAGE;
	}
	docs = convert_fetched(cli, cli_word(cli, 1), JOB_FEED, absolute, &error);
	if (!docs)
		return cli_fail(error);
	const Document *feed = docs->pdata[0];
	bool known = document_fact(feed, FIELD_KIND) != NULL;
	if (known)
		json_feed(out, feed);
	for (guint i = 1; i < docs->len; i++)
		json_item(out, docs->pdata[i]);
	if (!cli->quiet)
		screen_put(&cli->out, out);
	return web_report(cli, feed, known || docs->len > 1);
}
