/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd-export.c - writes all documents as JSON Lines, or brings another search engine into step */
#include <config.h>
#include "ui-cli/cmd/commands.h"
#include "common/base/i18n.h"
#include "common/base/paths.h"
#include "index/store/change-types.h"
#include "ui-cli/app/confine-client.h"
#include "ui-cli/app/export-consumer.h"
#include "ui-cli/app/hang-up.h"
#include "ui-cli/app/rate-meter.h"
#include "ui-cli/cmd/export/export-config.h"
#include "ui-cli/cmd/export/export-credentials.h"
#include "ui-cli/cmd/export/export-follow.h"
#include "ui-cli/cmd/export/export-module.h"
#include "ui-cli/cmd/export/export-supervisor.h"
#include "ui-cli/cmd/export/export-walk.h"
#include "ui-cli/cmd/export/target-output.h"
#include "ui-cli/print/json-writer.h"
#include <string.h>
#include <unistd.h>

enum { EXPORT_FORMAT = 1, PROGRESS_US = 500000, HOST_BYTES = 256 };

typedef struct {
	Cli *cli;
	ExportWalk *walk;
	const ExportTargetFunctions *functions; /* NULL: standard output */
	ExportTarget *target;
	const char *host;
	ExportConfig config; /* of the section, or of the options */
	char *name; /* of the consumer of changes; NULL: none is followed */
	IndexChanges *changes; /* NULL: this export ends when the target is in step */
	uint64_t total; /* documents, at the start of what is under way */
	bool comparing;
	RateMeter rate;
	int64_t progress_us;
} Export;

/* ---- progress on a terminal */

static void export_show_progress(Export *export, bool last)
{
	const ExportCounts *counts = export_walk_counts(export->walk);
	const uint64_t done = export->comparing ? counts->appended : counts->documents;
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

static bool export_read_stats(Export *export, IndexStats *stats, GError **error)
{
	*stats = (IndexStats){0};
	bool ok = reader_stats(export->cli->reader, stats, error);
	export->total = stats->documents;
	index_stats_clear(stats);
	return ok;
}

/* The answer is partial if something was left out. */
static int export_result(const Export *export)
{
	const ExportCounts *counts = export_walk_counts(export->walk);
	unsigned long changed = counts->changed, offline = counts->offline;
	unsigned long refused = export->target ? export->functions->refused(export->target) : 0;
	unsigned long without_text = export->target ? counts->without_text : 0;
	if (changed > 0)
		cli_note(export->cli,
		        ngettext("%lu file has changed and was left out. Export again when it is "
		                 "indexed.",
		                "%lu files have changed and were left out. Export again when they "
		                "are indexed.",
		                changed),
		        changed);
	if (offline > 0)
		cli_note(export->cli,
		        ngettext("%lu file was left out, because its disk is away.",
		                "%lu files were left out, because their disks are away.", offline),
		        offline);
	if (refused > 0)
		cli_note(export->cli,
		        ngettext("%lu document was left out, because the target cannot hold it.",
		                "%lu documents were left out, because the target cannot hold "
		                "them.",
		                refused),
		        refused);
	if (without_text > 0)
		cli_note(export->cli,
		        ngettext("%lu document was sent without its text, which could not be read "
		                 "again.",
		                "%lu documents were sent without their texts, which could not be "
		                "read again.",
		                without_text),
		        without_text);
	return changed + offline + refused > 0 ? EXIT_PARTIAL : EXIT_OK;
}

/* ---- standard output */

static void export_begin(Export *export)
{
	g_autoptr(GString) out = g_string_new(NULL);
	json_open(out, NULL, '{');
	json_text(out, "type", "begin");
	json_int(out, "format", EXPORT_FORMAT);
	json_text(out, "instance", export_walk_instance(export->walk));
	json_text(out, "host", export->host);
	json_close(out, '}');
	g_string_append_c(out, '\n');
	screen_put_now(&export->cli->out, out);
}

static void export_end(Export *export, const IndexStats *stats)
{
	const ExportCounts *counts = export_walk_counts(export->walk);
	g_autoptr(GString) out = g_string_new(NULL);
	json_open(out, NULL, '{');
	json_text(out, "type", "end");
	json_unsigned(out, "documents", counts->documents);
	json_unsigned(out, "places", counts->places);
	json_unsigned(out, "without_text", counts->without_text);
	json_unsigned(out, "changed", counts->changed);
	json_unsigned(out, "offline", counts->offline);
	json_unsigned(out, "pending", stats->pending);
	json_close(out, '}');
	g_string_append_c(out, '\n');
	screen_put(&export->cli->out, out);
}

static bool export_print_line(int64_t document, GString *line, void *data, GError **error)
{
	Export *export = data;
	screen_put(&export->cli->out, line);
	export_show_progress(export, false);
	return true;
}

static bool export_is_unread(const Export *export)
{
	return ferror(export->cli->out.file) || hang_up_wait(STDOUT_FILENO, 0);
}

static int export_to_output(Export *export)
{
	g_autoptr(GError) error = NULL;
	IndexStats stats;
	int found = export_read_stats(export, &stats, &error) ? 1 : -1;
	export->cli->out.exact = true;
	if (found > 0)
		export_begin(export);
	while (found > 0 && (found = export_walk_next(export->walk, &error)) > 0) {
		if (export_walk_has_place(export->walk) &&
		        !export_walk_documents(export->walk, export_print_line, export, &error))
			found = -1;
		else if (export_is_unread(export))
			return EXIT_PARTIAL;
	}
	if (found == 0 && !export_walk_flush(export->walk, &error))
		found = -1;
	export_show_progress(export, true);
	if (found < 0 || !export_read_stats(export, &stats, &error))
		return export_fail(error);
	export_end(export, &stats);
	return export_result(export);
}

/* ---- a target */

static bool export_see_all(Export *export, GError **error)
{
	g_autoptr(GString) line = g_string_new(NULL);
	int found;
	export->comparing = true;
	while ((found = export_walk_next(export->walk, error)) > 0) {
		export_show_progress(export, false);
		g_string_truncate(line, 0);
		if (!export_walk_append_content(export->walk, line, error) ||
		        !export->functions->see(export->target, line->str, error))
			return false;
	}
	return found == 0;
}

static bool export_put_line(int64_t document, GString *line, void *data, GError **error)
{
	Export *export = data;
	export_show_progress(export, false);
	return export->functions->put(export->target, document, line->str, error);
}

static bool export_put_missing(Export *export, GError **error)
{
	int64_t content;
	int found;
	export->comparing = false;
	while ((found = export->functions->next_missing(export->target, &content, error)) > 0) {
		int there = export_walk_find(export->walk, content, error);
		if (there < 0 || (there > 0 && !export_walk_documents(export->walk, export_put_line,
		                                       export, error)))
			return false;
	}
	return found == 0 && export_walk_flush(export->walk, error) &&
	       export->functions->end(export->target, -1, error);
}

static void export_print_differences(Export *export, const ExportDifferences *found)
{
	g_autoptr(GString) out = g_string_new(NULL);
	export_show_progress(export, true);
	if (export->cli->json) {
		json_open(out, NULL, '{');
		json_unsigned(out, "documents_missing", found->documents_missing);
		json_unsigned(out, "documents_gone", found->documents_gone);
		json_unsigned(out, "places_come", found->places_come);
		json_unsigned(out, "places_gone", found->places_gone);
		json_close(out, '}');
		g_string_append_c(out, '\n');
	} else {
		g_string_printf(out,
		        _("documents: %lu missing, %lu gone; places: %lu new, %lu gone\n"),
		        (unsigned long)found->documents_missing,
		        (unsigned long)found->documents_gone, (unsigned long)found->places_come,
		        (unsigned long)found->places_gone);
	}
	if (!export->cli->quiet)
		screen_put(&export->cli->out, out);
}

static bool is_in_step(const ExportDifferences *found)
{
	return found->documents_missing + found->documents_gone + found->places_come +
	               found->places_gone ==
	       0;
}

/* Is nothing of the index there? */
static bool export_begin_first(const Export *export, bool *empty_r, GError **error)
{
	*empty_r = false;
	return !export->functions->begin_first || options_has(export->cli->args, "verify") ||
	       export->functions->begin_first(export->target, empty_r, error);
}

/* Sends everything to a target that has nothing, in one pass. */
static bool export_put_all(Export *export, ExportDifferences *found, GError **error)
{
	const ExportCounts *counts = export_walk_counts(export->walk);
	int more;
	while ((more = export_walk_next(export->walk, error)) > 0)
		if (export_walk_has_place(export->walk) &&
		        !export_walk_documents(export->walk, export_put_line, export, error))
			return false;
	if (more < 0 || !export_walk_flush(export->walk, error) ||
	        !export->functions->end(export->target, -1, error))
		return false;
	found->documents_missing = counts->documents;
	found->places_come = counts->places;
	export_print_differences(export, found);
	return true;
}

/* Sends permissions first, then the texts that the target lacks. */
static bool export_put_differences(Export *export, ExportDifferences *found, GError **error)
{
	if (!export_see_all(export, error) ||
	        !export->functions->compare(export->target, found, error))
		return false;
	export_print_differences(export, found);
	export->total = found->documents_missing;
	return options_has(export->cli->args, "verify") || export_put_missing(export, error);
}

/* Brings the target into step. */
static int export_to_target(Export *export)
{
	g_autoptr(GError) error = NULL;
	ExportDifferences found = {0};
	IndexStats stats;
	bool first;
	bool ok = export_read_stats(export, &stats, &error) &&
	          export_begin_first(export, &first, &error) &&
	          (first ? export_put_all(export, &found, &error)
	                 : export_put_differences(export, &found, &error));
	export_show_progress(export, true);
	if (!ok)
		return export_fail(error);
	if (options_has(export->cli->args, "verify") && !is_in_step(&found))
		return EXIT_NOTHING;
	return export_result(export);
}

/* ---- following the changes */

static int export_follow_changes(Export *export, int64_t seq)
{
	g_autoptr(GError) error = NULL;
	const ExportFollowOptions options = {.cli = export->cli,
	        .walk = export->walk,
	        .functions = export->functions,
	        .target = export->target,
	        .name = export->name,
	        .seq = seq,
	        .rereads = export->functions == &export_output,
	        .changes = export->changes};
	switch (export_follow(&options, &error)) {
	case EXPORT_FOLLOW_DONE:
		return EXIT_OK;
	case EXPORT_FOLLOW_INTERRUPTED:
		return EXIT_INTERRUPTED;
	case EXPORT_FOLLOW_AGAIN:
		cli_say(_("the index was replaced, or no longer has all changes: everything is "
		          "compared when the export starts again"));
		return EXIT_BUSY;
	case EXPORT_FOLLOW_ERROR:
		break;
	}
	export_consumer_fails(export->cli, export->name, error->message);
	int code = export_fail(error);
	/* what was there once may come back */
	return code == EXIT_ABSENT || code == EXIT_DAMAGED ? EXIT_BUSY : code;
}

/* Where the index is, as a name that tells nothing else. NULL: this machine has no name of its own.
 */
static char *export_origin(const Cli *cli)
{
	g_autofree char *machine = NULL;
	if (!g_file_get_contents("/etc/machine-id", &machine, NULL, NULL) || machine[0] == '\0')
		return NULL;
	g_autofree char *place = g_strconcat("tarsier-export\n", machine, cli->index_dir, NULL);
	return g_compute_checksum_for_string(G_CHECKSUM_SHA256, place, -1);
}

static int export_run(Export *export)
{
	g_autoptr(GError) error = NULL;
	bool text = !options_has(export->cli->args, "no-text");
	g_autofree char *origin = export_origin(export->cli);
	g_autoptr(ExportWalk) walk = export_walk_new(export->cli, export->host, text, &error);
	int64_t seq;
	export->walk = walk;
	if (walk && !export->functions)
		return export_to_output(export);
	if (!walk)
		return export_fail(error);
	if (export->functions->wants_words)
		export_walk_add_words(walk);
	const ExportSource source = {.instance = export_walk_instance(walk),
	        .host = export->host,
	        .origin = origin,
	        .verify = options_has(export->cli->args, "verify")};
	export->cli->out.exact = true;
	if (export->functions == &export_output)
		export_begin(export);
	if (!export->functions->begin(export->target, &source, &seq, &error))
		return export_fail(error);
	return export->name ? export_follow_changes(export, seq) : export_to_target(export);
}

/* The number of --since; -1: the reader of the output has nothing yet. */
static bool export_read_since(const Cli *cli, int64_t *seq_r, GError **error)
{
	const char *since = options_value(cli->args, "since");
	char *end = NULL;
	*seq_r = since ? g_ascii_strtoll(since, &end, 10) : -1;
	if (!since || (g_ascii_isdigit(since[0]) && *end == '\0'))
		return true;
	g_set_error(error, EXPORT_ERROR, EXPORT_ERROR_REFUSED,
	        _("--since needs the number of a change, as the line \"reached\" tells it"));
	return false;
}

static bool export_open_output(Export *export, GError **error)
{
	int64_t since;
	if (!export->name)
		return true;
	if (!export_read_since(export->cli, &since, error))
		return false;
	export->functions = &export_output;
	export->target = export_output_new(export->cli, since);
	return true;
}

/* Loads the module of a target and connects to it, before this process is confined. */
static bool export_open(Export *export, GError **error)
{
	const char *target = export->config.to, *file = export->config.credentials;
	ExportCredentials credentials = {0};
	if (strcmp(target, "-") == 0)
		return export_open_output(export, error);
	if (file && !export_credentials_read(file, &credentials, error))
		return false;
	export->functions = export_module_load(target, error);
	if (export->functions)
		export->target = export_module_open(export->functions, target, &credentials,
		        options_has(export->cli->args, "setup") ? EXPORT_TO_SET_UP : EXPORT_TO_SEND,
		        error);
	export_credentials_clear(&credentials);
	return export->target != NULL;
}

/* The daemon keeps the changes for the export, and is told how far it has come. */
static bool export_open_changes(Export *export, GError **error)
{
	Cli *cli = export->cli;
	if (!export->name)
		return true;
	if (cli_daemon(cli, error) < 0)
		return false;
	if (options_has(cli->args, "follow"))
		export->changes = index_changes_new(cli->index_dir, error);
	return export->changes || !options_has(cli->args, "follow");
}

static void export_clear(Export *export)
{
	if (export->target)
		export->functions->close(export->target);
	index_changes_free(export->changes);
	g_clear_pointer(&export->name, g_free);
}

/* From the connection to the end. */
static int export_session(void *data)
{
	Export *export = data;
	g_autoptr(GError) error = NULL;
	int code;
	if (export_open(export, &error) && export_open_changes(export, &error)) {
		confine_client(export->cli, false);
		code = export_run(export);
	} else {
		if (export->name && !export->target)
			export_consumer_fails(export->cli, export->name, error->message);
		code = export_fail(error);
	}
	export_clear(export);
	return code;
}

/* A target has a name of its own, so that two exports do not take each other's changes. */
static char *export_name(const Cli *cli, const char *target)
{
	const char *section = cli_word(cli, 0);
	const char *name = section ? section : options_value(cli->args, "name");
	if (!options_has(cli->args, "follow") && !options_has(cli->args, "since"))
		return NULL;
	if (name)
		return g_strdup(name);
	if (strcmp(target, "-") == 0)
		return g_strdup("output");
	g_autofree char *sum = g_compute_checksum_for_string(G_CHECKSUM_SHA256, target, -1);
	return g_strdup_printf("target-%.8s", sum);
}

static int export_forget(Cli *cli, const char *name)
{
	g_autoptr(GError) error = NULL;
	bool known;
	if (!export_consumer_forget(cli, name, &known, &error))
		return cli_fail(error);
	if (known)
		return EXIT_OK;
	cli_say(_("there is no export \"%s\""), name);
	return EXIT_NOTHING;
}

/* NULL: the options fit together. */
static const char *export_misuse(const Cli *cli, const char *target)
{
	const char *name = options_value(cli->args, "name");
	bool follow = options_has(cli->args, "follow"), since = options_has(cli->args, "since");
	if (since && strcmp(target, "-") != 0)
		return _("--since is for \"--to -\": other targets know what they have");
	if (strcmp(target, "-") == 0 &&
	        (options_has(cli->args, "verify") || options_has(cli->args, "setup")))
		return _("--setup and --verify need a target that keeps documents; \"-\" is "
		         "standard "
		         "output");
	if (strcmp(target, "-") == 0 && options_has(cli->args, "credentials"))
		return _("--credentials is for a target that asks for them; \"-\" is standard "
		         "output");
	if (strcmp(target, "-") == 0 && cli->quiet)
		return _("\"--to -\" prints the documents, and --quiet nothing");
	if (name && !consumer_name_is_valid(name))
		return _("an export needs a name of letters, digits, \"-\", \"_\" and \".\"");
	if (name && !follow && !since)
		return _("--name needs --follow or --since");
	if (options_has(cli->args, "verify") && (follow || since))
		return _("--verify only compares, and follows nothing");
	return NULL;
}

/* A path on the command line may be relative. NULL: none is given. The caller frees it. */
static char *export_given_credentials(const char *file)
{
	char *path = file && *file ? paths_expand(file) : NULL;
	return path || !file || !*file ? path : cli_absolute(file);
}

/* Where to, as the section of the configuration or the options tell it. */
static bool export_configure(Cli *cli, ExportConfig *out, GError **error)
{
	const char *section = cli_word(cli, 0), *to = options_value(cli->args, "to"),
	           *credentials = options_value(cli->args, "credentials");
	if (section && (to || credentials || options_has(cli->args, "name")))
		g_set_error(error, EXPORT_ERROR, EXPORT_ERROR_REFUSED,
		        _("the section [export %s] tells target, credentials and name; leave out "
		          "--to, --credentials and --name"),
		        section);
	else if (section)
		return export_config_read(cli, section, out, error);
	else if (!to)
		g_set_error(error, EXPORT_ERROR, EXPORT_ERROR_REFUSED,
		        _("export needs a target: \"--to -\" is standard output, \"--to "
		          "postgresql://HOST/DATABASE\" a database, \"--to "
		          "https://HOST:PORT/INDEX\" "
		          "OpenSearch or Elasticsearch, NAME a section [export NAME] of the "
		          "configuration"));
	else {
		out->to = g_strdup(to);
		out->credentials = export_given_credentials(credentials);
		return true;
	}
	return false;
}

int cmd_export(Cli *cli)
{
	char host[HOST_BYTES] = "localhost";
	Export export = {.cli = cli, .host = host};
	g_autoptr(GError) error = NULL;
	const char *forget = options_value(cli->args, "forget");
	if (forget && cli_n_words(cli) > 0) {
		cli_say(_("--forget takes the name of one export, and no other argument"));
		return EXIT_USAGE;
	}
	if (forget)
		return export_forget(cli, forget);
	g_auto(ExportConfig) config = {0};
	if (!export_configure(cli, &config, &error))
		return cli_fail(error);
	export.config = config;
	const char *target = config.to, *misuse = export_misuse(cli, target);
	if (misuse) {
		cli_say("%s", misuse);
		return EXIT_USAGE;
	}
	gethostname(host, sizeof host - 1);
	export.name = export_name(cli, target);
	if (!options_has(cli->args, "follow") || strcmp(target, "-") == 0)
		return export_session(&export);
	int code = export_supervise(export_session, &export);
	g_free(export.name);
	return code;
}
