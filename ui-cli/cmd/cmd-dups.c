/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/commands.h"
#include "ui-cli/cmd/dups-rules.h"
#include "ui-cli/print/json-writer.h"
#include "ui-cli/app/progress-part.h"
#include "ui-cli/app/target.h"
#include "ui-cli/app/why-not.h"
#include "common/base/i18n.h"
#include "common/base/text.h"
#include "index/copies/dups.h"
#include <string.h>
#include <unistd.h>

static const int64_t NS = 1000000000;

typedef struct {
	const Cli *cli;
	ProgressPart *progress;
	unsigned limit;
	uint64_t groups, bytes;
	bool more; /* than the limit */
} DupsListing;

static const DupFile *file_of(const DupGroup *group, guint i)
{
	return &g_array_index(group->files, DupFile, i);
}

/* Appends the paths as text. If one of them is not UTF-8, "paths_b64" has the exact bytes of
 * all. */
static void append_paths(GString *out, const DupGroup *group)
{
	bool exact = true;

	json_open(out, "paths", '[');
	for (guint i = 0; i < group->files->len; i++) {
		exact &= g_utf8_validate(file_of(group, i)->path, -1, NULL);
		json_text(out, NULL, file_of(group, i)->path);
	}
	json_close(out, ']');
	if (exact)
		return;
	json_open(out, "paths_b64", '[');
	for (guint i = 0; i < group->files->len; i++) {
		const char *path = file_of(group, i)->path;
		g_autofree char *coded = g_base64_encode((const guchar *)path, strlen(path));
		json_text(out, NULL, coded);
	}
	json_close(out, ']');
}

static void append_sizes(GString *out, const DupGroup *group)
{
	json_open(out, "sizes", '[');
	for (guint i = 0; i < group->files->len; i++)
		json_unsigned(out, NULL, file_of(group, i)->size);
	json_close(out, ']');
	json_open(out, "mtimes", '[');
	for (guint i = 0; i < group->files->len; i++)
		json_time(out, NULL, file_of(group, i)->mtime_ns / NS, false);
	json_close(out, ']');
}

static void cmd_dups_append_json(GString *out, const DupGroup *group)
{
	json_open(out, NULL, '{');
	json_text(out, "kind", group->kind == DUP_EXACT ? "exact" : "near");
	json_unsigned(out, "distance", group->distance);
	if (group->kind != DUP_EXACT)
		json_bool(out, "same_text", group->kind == DUP_TEXT);
	append_paths(out, group);
	append_sizes(out, group);
	json_unsigned(out, "bytes_reclaimable", group->bytes_reclaimable);
	json_close(out, '}');
	g_string_append_c(out, '\n');
}

/* Appends each path with a newline or NUL, and an empty one after the group. */
static void cmd_dups_append_plain(GString *out, const DupGroup *group, char end)
{
	for (guint i = 0; i < group->files->len; i++) {
		g_string_append(out, file_of(group, i)->path);
		g_string_append_c(out, end);
	}
	g_string_append_c(out, end);
}

static void append_file(const Screen *screen, GString *out, const DupFile *file, const char *age)
{
	g_autofree char *date = screen_time(file->mtime_ns / NS);
	g_autofree char *size = g_format_size(file->size);
	g_autofree char *facts = g_strjoin(" · ", date, size, age, NULL);

	screen_append_path(screen, out, file->path, file->path, 4);
	screen_append_styled(screen, out, STYLE_DIM, facts, 6);
}

/* In a large group on a terminal: show the newest and the oldest. */
enum { SHOWN = 20 };

static void cmd_dups_append_files(const Screen *screen, GString *out, const DupGroup *group)
{
	guint n = group->files->len, left = n > SHOWN ? n - SHOWN : 0;
	for (guint i = 0; i < n; i++) {
		if (left > 0 && i == SHOWN - 1) {
			g_string_append_printf(out,
			        ngettext("    and %u more (--json lists all)\n",
			                "    and %u more (--json lists all)\n", left),
			        left);
			i += left;
		}
		append_file(screen, out, file_of(group, i),
		        i == 0       ? _("newest")
		        : i + 1 == n ? _("oldest")
		                     : NULL);
	}
}

/* The caller frees it. */
static char *cmd_dups_head(const DupGroup *group)
{
	g_autofree char *gain = g_format_size(group->bytes_reclaimable);
	guint n = group->files->len;

	if (group->kind == DUP_EXACT)
		return g_strdup_printf(_("%u equal files, %s reclaimable"), n, gain);
	if (group->kind == DUP_TEXT)
		return g_strdup_printf(_("%u files with the same text, %s reclaimable"), n, gain);
	if (group->bytes_reclaimable == 0)
		return g_strdup_printf(
		        _("%u near copies (%u of 64 bits differ), whose texts differ"), n,
		        group->distance);
	return g_strdup_printf(_("%u near copies (%u of 64 bits differ), %s of the same texts "
	                         "reclaimable"),
	        n, group->distance, gain);
}

static void cmd_dups_append_block(const Screen *screen, GString *out, const DupGroup *group)
{
	g_autofree char *head = cmd_dups_head(group);

	screen_append_styled(screen, out, STYLE_TITLE, head, 0);
	cmd_dups_append_files(screen, out, group);
	g_string_append_c(out, '\n');
}

static bool print_group(const DupGroup *group, void *data)
{
	DupsListing *listing = data;
	const Cli *cli = listing->cli;
	g_autoptr(GString) out = g_string_new(NULL);

	g_clear_pointer(&listing->progress, progress_part_free);
	listing->more = listing->groups == listing->limit;
	if (listing->more)
		return false;
	listing->groups++;
	listing->bytes += group->within ? 0 : group->bytes_reclaimable;
	if (cli->quiet)
		return false;
	if (cli->json)
		cmd_dups_append_json(out, group);
	else if (cli->null || !cli->out.terminal)
		cmd_dups_append_plain(out, group, cli->null ? '\0' : '\n');
	else
		cmd_dups_append_block(&cli->out, out, group);
	screen_put(&cli->out, out);
	return true;
}

static void cmd_dups_note_differ(const char *one, const char *other, void *cli)
{
	cli_note(cli,
	        _("The index takes %s and %s for equal, but they differ; \"tarsier check "
	          "--repair\" "
	          "mends it."),
	        one, other);
}

static bool is_indexed(const Cli *cli, const char *path)
{
	g_autoptr(GPtrArray) infos = NULL;
	return reader_info(cli->reader, path, &infos, NULL) && infos->len > 0;
}

static int list_groups(Cli *cli, const char *dir)
{
	bool exact = options_has(cli->args, "exact"), near = options_has(cli->args, "near");
	DupsListing listing = {.cli = cli,
	        .progress = progress_part_new(cli, _("Looking for copies")),
	        .limit = options_number(cli->args, "limit", G_MAXUINT)};
	const DupOptions options = {.exact = exact || !near,
	        .near = near || !exact,
	        .dir = dir,
	        .uid = geteuid(),
	        .differ = cmd_dups_note_differ,
	        .differ_data = cli,
	        .progress = progress_part_show,
	        .progress_data = listing.progress};
	g_autoptr(GError) error = NULL;
	bool ok = reader_dups(cli->reader, &options, print_group, &listing, &error);

	progress_part_free(listing.progress);
	if (!ok)
		return cli_fail(error);
	if (listing.groups == 0 && !listing.more) {
		bool empty = dir && !is_indexed(cli, dir);
		if (!empty)
			cli_note(cli, _("There are no copies."));
		else if (!why_not_note_empty(cli, dir))
			cli_note(cli, _("The index has no entries there."));
		return EXIT_NOTHING;
	}
	g_autofree char *gain = g_format_size(listing.bytes);
	cli_note(cli,
	        ngettext("%lu group, %s reclaimable", "%lu groups, %s reclaimable", listing.groups),
	        (unsigned long)listing.groups, gain);
	if (listing.more)
		cli_note(cli, _("There are more groups; a larger -n shows them."));
	return EXIT_OK;
}

int cmd_dups(Cli *cli)
{
	g_autofree char *given = cli_n_words(cli) > 0 ? target_dir(cli, cli_word(cli, 0)) : NULL;
	g_autofree char *real = given ? target_real_path(given) : NULL;
	const char *dir = real ? real : given;

	return options_has(cli->args, "rules") ? dups_rules(cli, dir) : list_groups(cli, dir);
}
