/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/commands.h"
#include "ui-cli/print/entry.h"
#include "ui-cli/print/json-writer.h"
#include "ui-cli/print/printer.h"
#include "ui-cli/app/target.h"
#include "ui-cli/app/why-not.h"
#include "common/base/i18n.h"
#include "common/base/text.h"
#include <string.h>

enum { FLUSH_BYTES = 64 << 10, STATE_CELLS = 9 };

typedef struct {
	const Cli *cli;
	Visible *visible;
	GString *out;
	const char *member; /* only this member of the container, and those inside it; NULL: all */
	bool found;
} FileListing;

/* "drwxr-xr-x" */
static void append_mode(GString *out, const Info *info)
{
	static const char kinds[] = {
	        [ENTRY_FILE] = '-', [ENTRY_DIR] = 'd', [ENTRY_LINK] = 'l', [ENTRY_OTHER] = '?'};
	static const char letters[] = "rwxrwxrwx";

	g_string_append_c(out, info->member ? '|' : kinds[info->stat.kind]);
	for (int i = 0; i < 9; i++)
		g_string_append_c(out, info->stat.mode & (0400 >> i) ? letters[i] : '-');
}

static void cmd_list_append_row(const Screen *screen, GString *out, const Info *info)
{
	g_autofree char *path = info_full_path(info);
	g_autofree char *date = screen_time(info_mtime(info));
	g_autofree char *size =
	        info_size(info) >= 0 ? g_format_size(info_size(info)) : g_strdup("?");

	g_string_append(out, screen_on(screen, STYLE_DIM));
	append_mode(out, info);
	const char *state = entry_state_text(info);
	int blanks = STATE_CELLS - (int)text_cells(state, strlen(state));
	g_string_append_printf(out, " %9s  %s  %s%*s", size, date, state, MAX(blanks, 0), "");
	g_string_append_printf(out, "%s ", screen_off(screen));
	screen_append_link(screen, out, STYLE_PATH, path, info->path);
	g_string_append_c(out, '\n');
}

static void cmd_list_append_path(GString *out, const Info *info, char end)
{
	g_autofree char *path = info_full_path(info);
	g_string_append(out, path);
	g_string_append_c(out, end);
}

static bool print_entry(const Info *info, void *data)
{
	FileListing *listing = data;
	const Cli *cli = listing->cli;
	GString *out = listing->out;
	Info told = *info;

	if (!target_is_inside(info->member, listing->member) ||
	        !visible_entry(listing->visible, info, NULL))
		return true;
	told.offline = visible_is_away(listing->visible, info);
	listing->found = true;
	if (cli->quiet)
		return false;
	if (cli->json) {
		json_open(out, NULL, '{');
		entry_json(out, &told);
		json_close(out, '}');
		g_string_append_c(out, '\n');
	} else if (cli->null || !cli->out.terminal) {
		cmd_list_append_path(out, info, cli->null ? '\0' : '\n');
	} else {
		cmd_list_append_row(&cli->out, out, &told);
	}
	if (out->len > FLUSH_BYTES)
		screen_put(&cli->out, out);
	return true;
}

/* Lists the entries below dir or, if there are none, below its real path. dir NULL: everything. */
static bool cmd_list_list(Cli *cli, const char *dir, FileListing *listing, GError **error)
{
	g_autofree char *real = dir ? target_real_path(dir) : NULL;

	if (!reader_list(cli->reader, dir, print_entry, listing, error))
		return false;
	if (listing->found || !real || strcmp(real, dir) == 0)
		return true;
	return reader_list(cli->reader, real, print_entry, listing, error);
}

int cmd_list(Cli *cli)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GString) out = g_string_new(NULL);
	g_autofree char *member = NULL;
	g_autofree char *dir = target_place(cli, cli_word(cli, 0), &member);
	FileListing listing = {cli, cli_visible(cli, &error), out, member, false};

	if (!listing.visible || !cmd_list_list(cli, dir, &listing, &error))
		return cli_fail(error);
	screen_put(&cli->out, out);
	if (listing.found)
		return EXIT_OK;
	if (!dir || !why_not_note_empty(cli, dir))
		cli_note(cli, _("The index has no entries there."));
	return EXIT_NOTHING;
}
