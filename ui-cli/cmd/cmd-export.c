/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd-export.c - writes all documents of the index as JSON Lines, for another search engine
 *
 * The walk goes from content to content, with a short transaction for each, so that it holds up
 * neither the daemon nor its checkpoints, however long the conversions take. */
#include <config.h>
#include "ui-cli/cmd/commands.h"
#include "common/base/i18n.h"
#include "common/base/paths.h"
#include "index/read/access-tokens.h"
#include "index/read/reader-contents.h"
#include "ui-cli/app/hang-up.h"
#include "ui-cli/app/rate-meter.h"
#include "ui-cli/cmd/export/export-document.h"
#include "ui-cli/cmd/export/export-texts.h"
#include "ui-cli/print/json-writer.h"
#include <unistd.h>

enum { EXPORT_FORMAT = 1, PROGRESS_US = 500000, HOST_BYTES = 256 };

typedef struct {
	uint64_t documents, places, changed, without_text;
} ExportCounts;

typedef struct {
	Cli *cli;
	Visible *visible; /* borrowed */
	AccessTokens *tokens;
	ExportTexts *texts; /* NULL: no texts are wanted */
	char *instance;
	GString *out, *places; /* of the content at hand */
	ExportCounts counts;
	uint64_t total; /* documents of the index at the start */
	RateMeter rate;
	int64_t progress_us;
} Export;

/* ---- progress on a terminal */

static void export_show_progress(Export *export, bool last)
{
	const uint64_t done = export->counts.documents;
	int64_t now_us = g_get_monotonic_time();
	if (export->cli->quiet || !isatty(STDERR_FILENO) ||
	        (!last && now_us - export->progress_us < PROGRESS_US))
		return;
	export->progress_us = now_us;
	rate_meter_add(&export->rate, done, now_us);
	fprintf(stderr, "\r\033[K");
	if (!last)
		fprintf(stderr, _("%lu of %lu documents, %.0f/s"), (unsigned long)done,
		        (unsigned long)MAX(done, export->total),
		        rate_meter_per_second(&export->rate));
	fflush(stderr);
}

/* ---- one content */

/* Notes a place of the content. True if its text can be read there. */
static bool export_add_place(Export *export, const Info *info)
{
	bool stale = false;
	struct stat st;
	g_auto(AccessList) access = {0};
	if (info->inode_state != INODE_DONE || visible_is_away(export->visible, info) ||
	        !visible_entry(export->visible, info, &stale))
		return false;
	bool changed = stale;
	if (path_is_web(info->path))
		access_tokens_of_owner(export->tokens, info->stat.uid, &access);
	else if (!access_tokens_of_file(export->tokens, info->path, &access, &st))
		return false;
	else
		changed |= (uint64_t)st.st_ino != info->stat.ino;
	if (changed) {
		export->counts.changed++;
		return false;
	}
	export->counts.places++;
	export_append_place(export->places, info, &access);
	return true;
}

static void export_write(const Info *info, const Document *doc, void *data)
{
	Export *export = data;
	const ExportLine line = {export->instance, export->places->str, export->texts != NULL};
	export->counts.documents++;
	export->counts.without_text += export->texts && !doc && info->state == STATE_OK;
	export_append_document(export->out, &line, info, doc);
	screen_put(&export->cli->out, export->out);
	export_show_progress(export, false);
}

/* The rows of one file that belong to the content. NULL: the file has another one now, which the
 * walk meets later. */
static GPtrArray *export_rows(Export *export, const Info *place, GError **error)
{
	g_autoptr(GPtrArray) infos = NULL;
	bool found = false;
	if (!reader_info(export->cli->reader, place->path, &infos, error))
		return NULL;
	for (guint i = 0; i < infos->len; i++)
		found |= ((const Info *)infos->pdata[i])->document == place->document;
	return found ? g_steal_pointer(&infos) : NULL;
}

static bool export_documents(Export *export, const Info *place, GError **error)
{
	g_autoptr(GError) lost = NULL;
	g_autoptr(GPtrArray) infos = export_rows(export, place, &lost);
	if (!infos) {
		if (lost)
			g_propagate_error(error, g_steal_pointer(&lost));
		return !*error;
	}
	if (export->texts)
		return export_texts_read(export->texts, infos, export_write, export, error);
	for (guint i = 0; i < infos->len; i++)
		export_write(infos->pdata[i], NULL, export);
	return true;
}

static bool export_content(Export *export, int64_t document, GError **error)
{
	g_autoptr(GPtrArray) places = NULL;
	const Info *first = NULL;
	if (!reader_info_by_id(export->cli->reader, document, &places, error))
		return false;
	g_string_truncate(export->places, 0);
	for (guint i = 0; i < places->len; i++)
		if (export_add_place(export, places->pdata[i]) && !first)
			first = places->pdata[i];
	return !first || export_documents(export, first, error);
}

/* ---- the stream */

static void export_begin(Export *export, const char *host)
{
	GString *out = export->out;
	json_open(out, NULL, '{');
	json_text(out, "type", "begin");
	json_int(out, "format", EXPORT_FORMAT);
	json_text(out, "instance", export->instance);
	json_text(out, "host", host);
	json_close(out, '}');
	g_string_append_c(out, '\n');
	screen_put(&export->cli->out, out);
}

static void export_end(Export *export, const IndexStats *stats)
{
	GString *out = export->out;
	json_open(out, NULL, '{');
	json_text(out, "type", "end");
	json_unsigned(out, "documents", export->counts.documents);
	json_unsigned(out, "places", export->counts.places);
	json_unsigned(out, "without_text", export->counts.without_text);
	json_unsigned(out, "changed", export->counts.changed);
	json_unsigned(out, "pending", stats->pending);
	json_close(out, '}');
	g_string_append_c(out, '\n');
	screen_put(&export->cli->out, out);
}

static bool export_is_unread(const Export *export)
{
	return ferror(export->cli->out.file) || hang_up_wait(STDOUT_FILENO, 0);
}

static bool export_walk(Export *export, GError **error)
{
	int64_t content = 0, document;
	int found;
	while ((found = reader_next_content(
	                export->cli->reader, content, &content, &document, error)) > 0)
		if (!export_content(export, document, error) || export_is_unread(export))
			return false;
	return found == 0;
}

static int export_run(Export *export, const char *host)
{
	g_autoptr(GError) error = NULL;
	IndexStats stats = {0};
	if (!reader_stats(export->cli->reader, &stats, &error))
		return cli_fail(export->cli, error);
	export->total = stats.documents;
	index_stats_clear(&stats);
	export_begin(export, host);
	bool ok = export_walk(export, &error);
	export_show_progress(export, true);
	if (error)
		return cli_fail(export->cli, error);
	if (!ok)
		return EXIT_PARTIAL; /* nobody reads it */
	if (!reader_stats(export->cli->reader, &stats, &error))
		return cli_fail(export->cli, error);
	export_end(export, &stats);
	index_stats_clear(&stats);
	if (export->counts.changed == 0)
		return EXIT_OK;
	cli_note(export->cli,
	        ngettext("%lu file has changed and was left out. Export again when it is indexed.",
	                "%lu files have changed and were left out. Export again when they are "
	                "indexed.",
	                export->counts.changed),
	        (unsigned long)export->counts.changed);
	return EXIT_PARTIAL;
}

int cmd_export(Cli *cli)
{
	char host[HOST_BYTES] = "localhost";
	g_autoptr(GError) error = NULL;
	const char *target = options_value(cli->args, "to");
	if (g_strcmp0(target, "-") != 0) {
		cli_say(_("export needs \"--to -\", which is standard output; no other target is "
		          "known"));
		return EXIT_USAGE;
	}
	gethostname(host, sizeof host - 1);
	g_autoptr(AccessTokens) tokens = access_tokens_new(host);
	g_autoptr(ExportTexts) texts =
	        options_has(cli->args, "no-text") ? NULL : export_texts_new(cli);
	g_autoptr(GString) out = g_string_new(NULL);
	g_autoptr(GString) places = g_string_new(NULL);
	g_autofree char *instance = reader_identity(cli->reader);
	Export export = {.cli = cli,
	        .visible = cli_visible(cli, &error),
	        .tokens = tokens,
	        .texts = texts,
	        .instance = instance,
	        .out = out,
	        .places = places};
	return export.visible ? export_run(&export, host) : cli_fail(cli, error);
}
