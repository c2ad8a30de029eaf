/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/commands.h"
#include "ui-cli/app/confine-client.h"
#include "ui-cli/app/convert-file.h"
#include "ui-cli/app/doc-page.h"
#include "ui-cli/app/doc-text.h"
#include "ui-cli/app/pager.h"
#include "ui-cli/app/target.h"
#include "common/base/i18n.h"

/* Is it in the index by its name alone: a link, a pipe, a device? */
static bool cmd_show_is_name(Cli *cli, const char *word)
{
	g_autoptr(Info) info = target_info(cli, word, false, NULL);
	return info && (info->stat.kind == ENTRY_LINK || info->stat.kind == ENTRY_OTHER);
}

/* "tarsier extract" reads files alone. */
static bool cmd_show_is_member(const char *word)
{
	g_autofree char *path = NULL, *member = NULL;
	target_split(word, &path, &member);
	return member != NULL;
}

static int cmd_show_absent(Cli *cli)
{
	const char *word = cli_word(cli, 0);
	uint64_t id;
	if (target_is_number(word, &id) || target_is_id(word, &id))
		cli_note(cli,
		        _("There is no document with the number %lu; a file of this name is "
		          "written ./%s, a hit of the last search is opened by \"tarsier open\"."),
		        (unsigned long)id, word);
	else if (cmd_show_is_name(cli, word))
		cli_note(cli, _("%s has no text."), word);
	else if (target_has_no_text(cli, word))
		return EXIT_NOTHING;
	else if (cmd_show_is_member(word))
		cli_note(cli, _("%s is not in the index; \"tarsier info\" tells why"), word);
	else
		cli_note(cli,
		        _("%s is not in the index; \"tarsier info\" tells why, \"tarsier extract\" "
		          "shows its text."),
		        word);
	return EXIT_NOTHING;
}

/* A number that stands alone is a hit for "tarsier open". */
static void cmd_show_note_number(const Cli *cli, const Info *info)
{
	uint64_t id;
	if (cli->out.terminal && target_is_number(cli_word(cli, 0), &id))
		cli_note(cli,
		        _("%lu is the number of the document %s, as info tells it; the hits of the "
		          "last search are counted for \"tarsier open\" only."),
		        (unsigned long)id, info->path);
}

/* XML is for programs, and metadata alone are lines in either form. */
static bool cmd_show_reads_as_text(const Cli *cli)
{
	return !options_has(cli->args, "xml") && !options_has(cli->args, "plain") &&
	       !options_has(cli->args, "meta");
}

static int cmd_show_print(const Cli *cli, Document *doc, const DocTextForm *form, Pager *pager)
{
	g_autoptr(GPtrArray) docs = g_ptr_array_new_with_free_func((GDestroyNotify)document_free);
	g_autoptr(GString) out = g_string_new(NULL);

	g_ptr_array_add(docs, doc);
	if (form->page > 0 && !doc_has_page(doc, form->page)) {
		cli_note(cli, _("There is no page %u."), form->page);
		return EXIT_NOTHING;
	}
	if (cmd_show_reads_as_text(cli))
		doc_page_append(&cli->out, out, doc, form->page);
	else
		doc_text_append(out, docs, form);
	bool empty = out->len == 0;
	if (!cli->quiet)
		pager_print(pager, &cli->out, out);
	if (doc->state != STATE_FAILED) {
		if (empty)
			cli_note(cli, _("%s has no text."), cli_word(cli, 0));
		return EXIT_OK;
	}
	cli_note(cli, "%s: %s", cli_word(cli, 0), document_reason_text(doc->reason));
	return doc->text->len > 0 ? EXIT_PARTIAL : EXIT_NOTHING;
}

static bool cmd_show_check_page(const Cli *cli)
{
	bool none = options_has(cli->args, "page") && options_number(cli->args, "page", 1) == 0;
	if (none)
		cli_say(_("pages are counted from 1"));
	return !none;
}

int cmd_show(Cli *cli)
{
	DocTextForm form = {
	        .plain = !options_has(cli->args, "xml"),
	        .noise = options_has(cli->args, "all"),
	        .meta = options_has(cli->args, "meta"),
	        .page = options_number(cli->args, "page", 0),
	        .escape = cli->out.terminal,
	};
	g_autoptr(GError) error = NULL;
	g_autoptr(Info) info = NULL;
	Document *doc;
	bool pages = cli->out.terminal && !cli->quiet && !options_has(cli->args, "no-pager");
	g_autoptr(Pager) pager = pages ? pager_prepare(&cli->out) : NULL;

	if (!cmd_show_check_page(cli))
		return EXIT_USAGE;
	confine_client(cli, false);
	info = target_info(cli, cli_word(cli, 0), true, &error);
	if (error)
		return cli_fail(error);
	if (!info || info->stat.kind != ENTRY_FILE)
		return cmd_show_absent(cli);
	cmd_show_note_number(cli, info);
	doc = convert_entry(cli, info, &error);
	if (g_error_matches(error, G_FILE_ERROR, G_FILE_ERROR_AGAIN)) {
		cli_note(cli, "%s", error->message);
		return EXIT_NOTHING;
	}
	if (error)
		return cli_fail_file(error);
	if (!doc) {
		cli_note(cli, _("%s has changed: the document is no longer in it."), info->path);
		return EXIT_NOTHING;
	}
	return cmd_show_print(cli, doc, &form, pager);
}
