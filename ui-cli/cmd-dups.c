/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/commands.h"
#include "ui-cli/json.h"
#include "ui-cli/target.h"
#include "common/i18n.h"
#include "common/text.h"
#include "index/dups.h"
#include <string.h>
#include <unistd.h>

typedef struct {
	const Cli *cli;
	uint64_t groups, bytes;
} Listing;

/* Paths as text; where one is not UTF-8, "paths_b64" has all of them exactly. */
static void append_paths(GString *out, const DupGroup *group)
{
	bool exact = true;

	json_open(out, "paths", '[');
	for (guint i = 0; i < group->files->len; i++) {
		const Info *info = group->files->pdata[i];
		exact &= g_utf8_validate(info->path, -1, NULL);
		json_text(out, NULL, info->path);
	}
	json_close(out, ']');
	if (exact)
		return;
	json_open(out, "paths_b64", '[');
	for (guint i = 0; i < group->files->len; i++) {
		const Info *info = group->files->pdata[i];
		g_autofree char *coded =
		        g_base64_encode((const guchar *)info->path, strlen(info->path));
		json_text(out, NULL, coded);
	}
	json_close(out, ']');
}

static void append_json(GString *out, const DupGroup *group)
{
	json_open(out, NULL, '{');
	json_text(out, "kind", group->exact ? "exact" : "near");
	json_unsigned(out, "distance", group->distance);
	append_paths(out, group);
	json_unsigned(out, "bytes_reclaimable", group->bytes_reclaimable);
	json_close(out, '}');
	g_string_append_c(out, '\n');
}

/* A path a line or NUL, and an empty one behind each group. */
static void append_plain(GString *out, const DupGroup *group, char end)
{
	for (guint i = 0; i < group->files->len; i++) {
		g_string_append(out, ((const Info *)group->files->pdata[i])->path);
		g_string_append_c(out, end);
	}
	g_string_append_c(out, end);
}

static void append_file(const Screen *screen, GString *out, const Info *info, const char *age)
{
	g_autofree char *date = screen_time(info->stat.mtime_ns / G_GINT64_CONSTANT(1000000000));
	g_autofree char *size = g_format_size(info->stat.size);

	g_string_append(out, "    ");
	screen_append_link(screen, out, STYLE_PATH, info->path, info->path);
	g_string_append_printf(out, "\n      %s%s · %s%s%s%s\n", screen_on(screen, STYLE_DIM), date,
	        size, age ? " · " : "", age ? age : "", screen_off(screen));
}

static void append_block(const Screen *screen, GString *out, const DupGroup *group)
{
	g_autofree char *gain = g_format_size(group->bytes_reclaimable);
	guint n = group->files->len;

	g_string_append(out, screen_on(screen, STYLE_TITLE));
	if (group->exact)
		g_string_append_printf(out, _("%u equal files, %s to gain"), n, gain);
	else
		g_string_append_printf(out, _("%u near copies (%u of 64 bits differ), %s to gain"),
		        n, group->distance, gain);
	g_string_append_printf(out, "%s\n", screen_off(screen));
	for (guint i = 0; i < n; i++)
		append_file(screen, out, group->files->pdata[i],
		        i == 0       ? _("newest")
		        : i + 1 == n ? _("oldest")
		                     : NULL);
	g_string_append_c(out, '\n');
}

static bool print_group(const DupGroup *group, void *data)
{
	Listing *listing = data;
	const Cli *cli = listing->cli;
	g_autoptr(GString) out = g_string_new(NULL);

	listing->groups++;
	listing->bytes += group->bytes_reclaimable;
	if (cli->quiet)
		return false;
	if (cli->json)
		append_json(out, group);
	else if (cli->null || !cli->out.terminal)
		append_plain(out, group, cli->null ? '\0' : '\n');
	else
		append_block(&cli->out, out, group);
	screen_put(&cli->out, out);
	return true;
}

int cmd_dups(Cli *cli)
{
	bool exact = options_has(cli->args, "exact"), near = options_has(cli->args, "near");
	g_autofree char *given = cli_n_words(cli) > 0 ? cli_absolute(cli_word(cli, 0)) : NULL;
	g_autofree char *real = given ? target_real_path(given) : NULL;
	const DupOptions options = {.exact = exact || !near,
	        .near = near || !exact,
	        .dir = real ? real : given,
	        .uid = geteuid()};
	g_autoptr(GError) error = NULL;
	Listing listing = {cli, 0, 0};

	if (!reader_dups(cli->reader, &options, print_group, &listing, &error))
		return cli_fail(cli, error);
	if (listing.groups == 0) {
		cli_note(cli, _("There are no copies."));
		return EXIT_NOTHING;
	}
	g_autofree char *gain = g_format_size(listing.bytes);
	cli_note(cli, ngettext("%lu group, %s to gain", "%lu groups, %s to gain", listing.groups),
	        (unsigned long)listing.groups, gain);
	return EXIT_OK;
}
