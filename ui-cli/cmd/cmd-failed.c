/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd-failed.c - the verbs failed and retry */
#include <config.h>
#include "ui-cli/cmd/commands.h"
#include "ui-cli/app/daemon-client.h"
#include "ui-cli/print/entry.h"
#include "ui-cli/print/json-writer.h"
#include "ui-cli/print/printer.h"
#include "common/base/i18n.h"
#include "common/base/text.h"

typedef struct {
	const Cli *cli;
	Visible *visible;
	GString *out;
	bool found;
} FailedListing;

static void cmd_failed_append_json(GString *out, const Info *info)
{
	json_open(out, NULL, '{');
	json_path(out, info->path);
	json_bytes(out, "member", info->member);
	json_text(out, "mime", info->mime);
	json_text(out, "reason", document_reason_name(info->reason));
	json_text(out, "detail", info->detail);
	json_unsigned(out, "tries", info->tries);
	json_text(out, "extractor", info->extractor);
	json_unsigned(out, "version", info->version);
	json_close(out, '}');
	g_string_append_c(out, '\n');
}

static void cmd_failed_append_block(const Screen *screen, GString *out, const Info *info)
{
	g_autofree char *path = info_full_path(info);
	g_autofree char *problem = entry_problem(info);

	screen_append_link(screen, out, STYLE_PATH, path, info->path);
	g_string_append_c(out, '\n');
	screen_append_folded(screen, out, problem ? problem : "?", NULL, 4, 3);
}

/* A file whose only fault is its permission is named where "ls" would name it: the index knows no
 * more of it. */
static bool cmd_failed_may_name(Visible *visible, const Info *info)
{
	bool denied = info->inode_state == INODE_FAILED && info->reason == REASON_UNREADABLE;
	return visible_entry(visible, info, NULL) || (denied && visible_name(visible, info));
}

static bool print_failed(const Info *info, void *data)
{
	FailedListing *listing = data;
	const Cli *cli = listing->cli;
	g_autofree char *path = info_full_path(info);

	if (!cmd_failed_may_name(listing->visible, info))
		return true;
	listing->found = true;
	if (cli->quiet)
		return false;
	if (cli->json) {
		cmd_failed_append_json(listing->out, info);
	} else if (cli->null || !cli->out.terminal) {
		g_string_append(listing->out, path);
		g_string_append_c(listing->out, cli->null ? '\0' : '\n');
	} else {
		cmd_failed_append_block(&cli->out, listing->out, info);
	}
	return true;
}

int cmd_failed(Cli *cli)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GString) out = g_string_new(NULL);
	FailedListing listing = {cli, cli_visible(cli, &error), out, false};

	if (!listing.visible || !reader_failed(cli->reader, print_failed, &listing, &error))
		return cli_fail(cli, error);
	screen_put(&cli->out, out);
	if (listing.found)
		return EXIT_OK;
	cli_note(cli, _("No conversion has failed."));
	return EXIT_NOTHING;
}

int cmd_retry(Cli *cli)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GVariant) answer = daemon_call_paths(cli, "retry", &error);
	gint64 queued = 0;

	if (!answer)
		return cli_fail(cli, error);
	g_variant_lookup(answer, "queued", "x", &queued);
	cli_note(cli, ngettext("%ld file is queued again.", "%ld files are queued again.", queued),
	        (long)queued);
	return queued > 0 ? EXIT_OK : EXIT_NOTHING;
}
