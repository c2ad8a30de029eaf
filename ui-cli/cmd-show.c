/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/commands.h"
#include "ui-cli/convert-file.h"
#include "ui-cli/doc-text.h"
#include "ui-cli/target.h"
#include "common/i18n.h"

/* The text of this document from the cache, or from its file. NULL with error, or without: the file
 * has it no more. */
static Document *text_of(Cli *cli, const Info *info, GError **error)
{
	Document *doc =
	        info->document ? reader_cached_text(cli->reader, info->document, error) : NULL;
	g_autoptr(GPtrArray) docs = NULL;

	if (doc || *error)
		return doc;
	docs = convert_file(cli, info->path, error);
	for (guint i = 0; docs && i < docs->len; i++) {
		const Document *each = docs->pdata[i];
		if (g_strcmp0(each->member, info->member) == 0)
			return g_ptr_array_steal_index(docs, i);
	}
	return NULL;
}

static int print(const Cli *cli, Document *doc, const DocTextForm *form)
{
	g_autoptr(GPtrArray) docs = g_ptr_array_new_with_free_func((GDestroyNotify)document_free);
	g_autoptr(GString) out = g_string_new(NULL);

	g_ptr_array_add(docs, doc);
	if (form->page > 0 && !doc_has_page(doc, form->page)) {
		cli_note(cli, _("There is no page %u."), form->page);
		return EXIT_NOTHING;
	}
	doc_text_append(out, docs, form);
	if (!cli->quiet)
		screen_put(&cli->out, out);
	if (doc->state != STATE_FAILED)
		return EXIT_OK;
	cli_note(cli, "%s: %s", cli_word(cli, 0), document_reason_text(doc->reason));
	return doc->text->len > 0 ? EXIT_PARTIAL : EXIT_NOTHING;
}

int cmd_show(Cli *cli)
{
	DocTextForm form = {
	        .plain = options_has(cli->args, "plain"),
	        .noise = options_has(cli->args, "all"),
	        .meta = options_has(cli->args, "meta"),
	        .page = options_number(cli->args, "page", 0),
	        .escape = cli->out.terminal,
	};
	g_autoptr(GError) error = NULL;
	g_autoptr(Info) info = NULL;
	Document *doc;

	info = target_info(cli, cli_word(cli, 0), true, &error);
	if (error)
		return cli_fail(cli, error);
	if (!info || info->stat.kind != ENTRY_FILE) {
		cli_note(cli,
		        _("%s is not in the index; \"tarsier info\" says why, \"tarsier extract\" "
		          "converts it."),
		        cli_word(cli, 0));
		return EXIT_NOTHING;
	}
	doc = text_of(cli, info, &error);
	if (error)
		return cli_fail(cli, error);
	if (!doc) {
		cli_note(
		        cli, _("%s has changed: that document is not in it any more."), info->path);
		return EXIT_NOTHING;
	}
	return print(cli, doc, &form);
}
