/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd-doctor.c - one line for each check: ok, or what to do */
#include <config.h>
#include "ui-cli/cmd/commands.h"
#include "ui-cli/app/confine-client.h"
#include "ui-cli/app/convert-file.h"
#include "ui-cli/app/client-status.h"
#include "ui-cli/app/word-vectors.h"
#include "ui-cli/cmd/export/export-config.h"
#include "ui-cli/cmd/export/export-credentials.h"
#include "ui-cli/print/json-writer.h"
#include "ui-cli/print/note-fold.h"
#include "common/base/i18n.h"
#include "common/base/install-dirs.h"
#include "index/fts/fts-gate.h"
#include "index/search/search.h"
#include "common/base/text.h"
#include "common/fetch/fetch-host.h"
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WATCHES_LOW = 65536, INSTANCES_LOW = 16, DISK_FREE_MIN = 256 << 20, DOCTOR_INDENT = 4 };

typedef enum {
	CHECK_CONFIGURATION,
	CHECK_SERVICE,
	CHECK_SANDBOX,
	CHECK_FORMATS,
	CHECK_CONFINEMENT,
	CHECK_SOURCES,
	CHECK_EXPORTS,
	CHECK_INOTIFY,
	CHECK_COVERAGE,
	CHECK_INDEX,
	CHECK_POSTINGS,
	CHECK_VECTORS,
	CHECK_PERMISSIONS,
	CHECK_DISK,
	N_CHECKS,
} Check;

static const struct {
	const char *key; /* for scripts, as docs/OUTPUT.md lists them */
	const char *label;
} checks[N_CHECKS] = {
        [CHECK_CONFIGURATION] = {"configuration", N_("configuration")},
        [CHECK_SERVICE] = {"service", N_("service")},
        [CHECK_SANDBOX] = {"sandbox", N_("sandbox")},
        [CHECK_FORMATS] = {"formats", N_("formats")},
        [CHECK_CONFINEMENT] = {"confinement", N_("confinement")},
        [CHECK_SOURCES] = {"sources", N_("sites and feeds")},
        [CHECK_EXPORTS] = {"exports", N_("exports")},
        [CHECK_INOTIFY] = {"inotify", "inotify"},
        [CHECK_COVERAGE] = {"coverage", N_("coverage")},
        [CHECK_INDEX] = {"index", N_("index")},
        [CHECK_POSTINGS] = {"postings", N_("postings")},
        [CHECK_VECTORS] = {"vectors", N_("word vectors")},
        [CHECK_PERMISSIONS] = {"permissions", N_("permissions")},
        [CHECK_DISK] = {"disk", N_("disk")},
};

typedef struct {
	Cli *cli;
	Status *status; /* of the running daemon, as far as there is one */
	unsigned problems;
} Doctor;

static void doctor_append_json(GString *out, bool good, Check check, const char *finding)
{
	json_open(out, NULL, '{');
	json_text(out, "check", checks[check].key);
	json_bool(out, "ok", good);
	json_text(out, "detail", finding);
	json_close(out, '}');
	g_string_append_c(out, '\n');
}

static void doctor_append_line(
        const Screen *screen, GString *out, bool good, Check check, const char *finding)
{
	screen_append(screen, out, good ? STYLE_GOOD : STYLE_BAD, good ? _("ok") : "!!");
	g_string_append(out, "  ");
	g_autofree char *escaped = screen_escaped(finding);
	g_autofree char *text = g_strdup_printf("%s: %s", _(checks[check].label), escaped);
	unsigned width = screen->width > DOCTOR_INDENT ? screen->width - DOCTOR_INDENT : 1;
	note_fold_append(out, text, screen->terminal ? width : 0, DOCTOR_INDENT);
}

static void cmd_doctor_report(Doctor *d, bool good, Check check, const char *format, ...)
        G_GNUC_PRINTF(4, 5);
static void cmd_doctor_report(Doctor *d, bool good, Check check, const char *format, ...)
{
	const Screen *screen = &d->cli->out;
	g_autoptr(GString) out = g_string_new(NULL);
	va_list arguments;

	va_start(arguments, format);
	g_autofree char *finding = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	if (!good)
		d->problems++;
	if (d->cli->quiet)
		return;
	if (d->cli->json)
		doctor_append_json(out, good, check, finding);
	else
		doctor_append_line(screen, out, good, check, finding);
	screen_put(screen, out);
}

/* Does the daemon watch the directories that the configuration lists? */
static bool daemon_has_roots(const Doctor *d, const Settings *settings)
{
	const char *const *roots = settings_roots(settings);
	guint n = 0;
	for (; roots[n]; n++) {
		bool found = false;
		for (guint i = 0; i < d->status->roots->len && !found; i++)
			found = strcmp(g_array_index(d->status->roots, StatusRoot, i).path,
			                roots[n]) == 0;
		if (!found)
			return false;
	}
	return n == d->status->roots->len;
}

/* A daemon that rejected the files keeps what it read before. */
static void check_daemon_config(Doctor *d, const Settings *settings)
{
	if (!d->status->running)
		return;
	if (d->status->config_error)
		cmd_doctor_report(d, false, CHECK_CONFIGURATION,
		        _("tarsierd keeps an older one: %s"), d->status->config_error);
	else if (settings && !daemon_has_roots(d, settings))
		cmd_doctor_report(d, false, CHECK_CONFIGURATION,
		        _("tarsierd watches other directories than it lists; run: systemctl "
		          "--user reload tarsierd"));
}

static void check_config(Doctor *d)
{
	g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GPtrArray) faults = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(Settings) settings = settings_check(d->cli->config_file, warnings, faults);

	for (guint i = 0; i < faults->len; i++)
		cmd_doctor_report(d, false, CHECK_CONFIGURATION, "%s", (char *)faults->pdata[i]);
	for (guint i = 0; i < warnings->len; i++)
		cmd_doctor_report(d, false, CHECK_CONFIGURATION, "%s", (char *)warnings->pdata[i]);
	if (settings && !settings_roots(settings)[0] && d->status->sources->states->len == 0)
		cmd_doctor_report(d, false, CHECK_CONFIGURATION,
		        _("no directory is watched; run: tarsier add DIR"));
	else if (settings && warnings->len == 0)
		cmd_doctor_report(d, true, CHECK_CONFIGURATION, "%s", d->cli->config_file);
	check_daemon_config(d, settings);
}

static void check_formats(Doctor *d, const ConverterInfo *info)
{
	g_autoptr(GString) missing = g_string_new(NULL);

	for (size_t i = 0; i < info->n_plugins; i++) {
		const ConverterPlugin *plugin = &info->plugins[i];
		if (!plugin->usable && !converter_plugin_is_off(plugin))
			g_string_append_printf(missing, "%s%s (%s)", missing->len > 0 ? ", " : "",
			        plugin->name, plugin->missing ? plugin->missing : "?");
	}
	if (missing->len > 0)
		cmd_doctor_report(d, false, CHECK_FORMATS, _("not usable: %s"), missing->str);
	else
		cmd_doctor_report(d, info->n_plugins > 0, CHECK_FORMATS, _("%lu extractors"),
		        (unsigned long)info->n_plugins);
}

static void report_sandbox(Doctor *d, const char *program, const char *level, bool anyway)
{
	if (strcmp(level, sandbox_level_name(SANDBOX_FULL)) == 0)
		cmd_doctor_report(
		        d, true, CHECK_SANDBOX, "%s: %s", program, status_level_text(level));
	else if (strcmp(level, sandbox_level_name(SANDBOX_SECCOMP)) == 0)
		cmd_doctor_report(d, false, CHECK_SANDBOX,
		        _("%s: seccomp only: some PDFs in Chinese, Japanese or Korean lose text; "
		          "use a kernel with Landlock"),
		        program);
	else if (anyway)
		cmd_doctor_report(d, false, CHECK_SANDBOX,
		        _("%s: none, but files are converted anyway; to stop this: tarsier config "
		          "set daemon.unsandboxed false"),
		        program);
	else
		cmd_doctor_report(d, false, CHECK_SANDBOX,
		        _("%s: none: only plain text is converted; use a kernel with seccomp and "
		          "Landlock"),
		        program);
}

/* The service may be confined in another way than this terminal, so both are asked. */
static void check_sandbox(Doctor *d)
{
	g_autoptr(GError) error = NULL;
	const Settings *settings =
	        cli_settings(d->cli, NULL); /* another check reports a fault in it */
	bool anyway = settings && settings_bool(settings, "daemon", "unsandboxed", NULL);
	ConverterOptions options =
	        settings ? convert_options(settings) : (ConverterOptions){.children = 1};
	g_autoptr(Converter) converter = converter_start(&options, &error);

	if (d->status->sandbox)
		report_sandbox(d, "tarsierd", d->status->sandbox, anyway);
	if (!converter) {
		cmd_doctor_report(d, false, CHECK_SANDBOX, "tarsier: %s", error->message);
		return;
	}
	const ConverterInfo *info = converter_info(converter);
	report_sandbox(d, "tarsier", sandbox_level_name(info->level), anyway);
	check_formats(d, info);
}

/* Reads a number below /proc/sys; 0 if that fails. */
static uint64_t cmd_doctor_read_limit(const char *file)
{
	g_autofree char *text = NULL;
	guint64 value = 0;

	if (!g_file_get_contents(file, &text, NULL, NULL))
		return 0;
	g_ascii_string_to_unsigned(g_strstrip(text), 10, 0, G_MAXUINT64, &value, NULL);
	return value;
}

/* The daemon's limit counts: a container or another user name space has its own. */
static void check_inotify(Doctor *d)
{
	const Status *status = d->status;
	uint64_t watches = cmd_doctor_read_limit("/proc/sys/fs/inotify/max_user_watches");
	uint64_t instances = cmd_doctor_read_limit("/proc/sys/fs/inotify/max_user_instances");
	if (status->running && status->watches_limit > 0)
		watches = status->watches_limit;

	if (watches < WATCHES_LOW)
		cmd_doctor_report(d, false, CHECK_INOTIFY,
		        _("only %lu watches; allow more: sysctl "
		          "fs.inotify.max_user_watches=524288"),
		        (unsigned long)watches);
	else if (instances < INSTANCES_LOW)
		cmd_doctor_report(d, false, CHECK_INOTIFY,
		        _("only %lu instances; allow more: sysctl "
		          "fs.inotify.max_user_instances=128"),
		        (unsigned long)instances);
	else if (status->running)
		cmd_doctor_report(d, true, CHECK_INOTIFY,
		        _("%lu watches, %lu instances; tarsierd uses %lu watches"),
		        (unsigned long)watches, (unsigned long)instances,
		        (unsigned long)status->watches_used);
	else
		cmd_doctor_report(d, true, CHECK_INOTIFY, _("%lu watches, %lu instances"),
		        (unsigned long)watches, (unsigned long)instances);
}

static bool is_unavailable(const StatusRoot *root)
{
	static const char *const unwatched[] = {"offline", "denied", "stuck", NULL};
	return root->state && g_strv_contains(unwatched, root->state);
}

/* Roots that the daemon cannot see, or sees only by polling. */
static void check_coverage(Doctor *d)
{
	const Status *status = d->status;
	uint64_t directories = 0, polled = 0;

	for (guint i = 0; status->running && i < status->roots->len; i++) {
		const StatusRoot *root = &g_array_index(status->roots, StatusRoot, i);
		directories += root->directories;
		polled += root->polled;
		if (is_unavailable(root))
			cmd_doctor_report(d, false, CHECK_COVERAGE, "%s: %s", root->path,
			        status_state_text(root->state));
	}
	if (!status->running)
		return;
	/* The daemon of "tarsier index" has no budget, because it watches nothing. */
	bool watches = status->watches_budget > 0 || status->watches_limit == 0;
	if (polled > 0 && watches && status->watches_used >= status->watches_budget)
		cmd_doctor_report(d, false, CHECK_COVERAGE,
		        _("%lu of %lu directories are only polled because watches are missing; "
		          "allow more: sysctl fs.inotify.max_user_watches=%lu"),
		        (unsigned long)polled, (unsigned long)directories,
		        (unsigned long)MAX(524288, 2 * status->watches_limit));
	else
		cmd_doctor_report(d, true, CHECK_COVERAGE, _("%lu directories, %lu of them polled"),
		        (unsigned long)directories, (unsigned long)polled);
}

static void check_index(Doctor *d)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GPtrArray) problems = NULL;
	Reader *reader = cli_reader(d->cli, &error);

	if (!reader && g_error_matches(error, INDEX_ERROR, INDEX_ERROR_NONE_YET))
		cmd_doctor_report(
		        d, false, CHECK_INDEX, _("there is none yet; run: tarsier index"));
	else if (!reader || !reader_check(reader, &problems, &error))
		cmd_doctor_report(d, false, CHECK_INDEX, "%s", error->message);
	else if (problems->len > 0)
		cmd_doctor_report(d, false, CHECK_INDEX, "%s: tarsier check --repair",
		        (char *)problems->pdata[0]);
	else
		cmd_doctor_report(d, true, CHECK_INDEX, "%s", d->cli->index_dir);
}

/* Scans are found by their names alone as long as OCR is off, and nothing else tells so. */
static void check_scans(Doctor *d)
{
	const Settings *settings = cli_settings(d->cli, NULL);
	Reader *reader = cli_reader(d->cli, NULL);
	uint64_t files = 0;
	bool off = settings && !*settings_string(settings, "daemon", "ocr", NULL);
	if (off && reader && reader_count_textless_pdf(reader, &files, NULL) && files > 0)
		cmd_doctor_report(d, true, CHECK_FORMATS,
		        ngettext("%lu PDF file has no text; if it is a scan: tarsier config set "
		                 "daemon.ocr eng",
		                "%lu PDF files have no text; if they are scans: tarsier config set "
		                "daemon.ocr eng",
		                files),
		        (unsigned long)files);
}

/* The conditions that an export needs before it can connect. */
static bool doctor_check_export(Doctor *d, const char *name, GError **error)
{
	g_auto(ExportConfig) config = {0};
	ExportCredentials credentials = {0};
	if (!export_config_read(d->cli, name, &config, error))
		return false;
	if (config.credentials && !export_credentials_read(config.credentials, &credentials, error))
		return false;
	export_credentials_clear(&credentials);
	return true;
}

static void check_configured_exports(Doctor *d)
{
	const Settings *settings = cli_settings(d->cli, NULL);
	const char *const *name = settings ? settings_exports(settings) : NULL;
	for (; name && *name; name++) {
		g_autoptr(GError) error = NULL;
		if (!doctor_check_export(d, *name, &error))
			cmd_doctor_report(d, false, CHECK_EXPORTS, "%s: %s", *name, error->message);
		else if (g_ptr_array_find_with_equal_func(
		                 d->status->idle_exports, *name, g_str_equal, NULL))
			cmd_doctor_report(d, true, CHECK_EXPORTS,
			        _("%s: follows no changes; to start it: systemctl --user enable "
			          "--now tarsier-export@%s"),
			        *name, *name);
	}
}

static void check_exports(Doctor *d)
{
	const GPtrArray *exports = d->status->exports;
	for (guint i = 0; exports && i < exports->len; i++) {
		const ConsumerStats *export = exports->pdata[i];
		bool good;
		g_autofree char *text = status_export_text(export, &good);
		cmd_doctor_report(d, good, CHECK_EXPORTS, "%s: %s", export->name, text);
	}
}

/* Both ways give the same answers, so neither is a problem. */
static void check_postings(Doctor *d)
{
	const char *reason;
	Reader *reader = cli_reader(d->cli, NULL);

	if (!reader || !fts_gate_reason(reader, &reason, NULL))
		return; /* told by check_index() */
	if (reason)
		cmd_doctor_report(d, true, CHECK_POSTINGS,
		        _("read through SQLite, which is slower: %s"), reason);
	else
		cmd_doctor_report(d, true, CHECK_POSTINGS, _("read directly from the index"));
}

/* Silent if no file of word vectors is named or in use. */
static void check_vectors(Doctor *d)
{
	g_auto(WordVectors) vectors = {0};
	g_autoptr(Reader) reader = reader_open(d->cli->index_dir, NULL, NULL);
	word_vectors_look(&vectors, cli_settings(d->cli, NULL), reader);
	if (!vectors.state)
		return;
	word_vectors_check(&vectors);
	g_autofree char *text = word_vectors_text(&vectors);
	cmd_doctor_report(d, !vectors.reason, CHECK_VECTORS, "%s", text);
}

/* The directory is ours, is not a link, and is closed to others. A missing one will be created
 * so. */
static void check_dir(Doctor *d, const char *dir)
{
	struct stat st;

	if (lstat(dir, &st) != 0)
		return;
	if (!S_ISDIR(st.st_mode))
		cmd_doctor_report(d, false, CHECK_PERMISSIONS, _("%s is not a directory"), dir);
	else if (st.st_uid != geteuid())
		cmd_doctor_report(
		        d, false, CHECK_PERMISSIONS, _("%s belongs to another user"), dir);
	else if (st.st_mode & 077)
		cmd_doctor_report(d, false, CHECK_PERMISSIONS,
		        _("%s is open to other users; set its mode to 700"), dir);
	else
		cmd_doctor_report(d, true, CHECK_PERMISSIONS, "%s", dir);
}

/* The nearest parent directory that exists. The caller frees it. */
static char *existing_parent(const char *path)
{
	char *dir = g_strdup(path);
	while (!g_file_test(dir, G_FILE_TEST_IS_DIR) && strcmp(dir, "/") != 0) {
		char *parent = g_path_get_dirname(dir);
		g_free(dir);
		dir = parent;
	}
	return dir;
}

static void cmd_doctor_check_disk(Doctor *d)
{
	g_autofree char *dir = existing_parent(d->cli->index_dir);
	struct statvfs fs;

	if (statvfs(dir, &fs) != 0)
		return;
	uint64_t bytes = (uint64_t)fs.f_bavail * fs.f_frsize;
	g_autofree char *size = g_format_size(bytes);
	if (bytes < DISK_FREE_MIN)
		cmd_doctor_report(
		        d, false, CHECK_DISK, _("only %s free on the disk of the index"), size);
	else
		cmd_doctor_report(d, true, CHECK_DISK, _("%s free"), size);
}

/* One word of systemctl's answer; NULL without systemctl, without a user manager or without the
 * unit, of which systemd says "not-found" since version 253. The caller frees it. */
static char *ask_systemd(const char *what)
{
	const char *argv[] = {"systemctl", "--user", what, "tarsierd.service", NULL};
	char *answer = NULL;

	if (!g_spawn_sync(NULL, (char **)argv, NULL,
	            G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, &answer, NULL,
	            NULL, NULL))
		return NULL;
	g_strstrip(answer);
	if (!*answer || strcmp(answer, "not-found") == 0)
		g_clear_pointer(&answer, g_free);
	return answer;
}

static void check_service(Doctor *d)
{
	g_autofree char *active = ask_systemd("is-active");
	g_autofree char *enabled = ask_systemd("is-enabled");
	const Status *status = d->status;
	bool answers = status->running;

	if (status_other_version(status))
		cmd_doctor_report(d, false, CHECK_SERVICE,
		        _("tarsierd has version %s, this program has %s; run: systemctl --user "
		          "restart tarsierd"),
		        status->version ? status->version : "?", PACKAGE_VERSION);
	else if (answers && enabled && strcmp(enabled, "enabled") != 0)
		cmd_doctor_report(d, false, CHECK_SERVICE,
		        _("running, but not started at login; run: systemctl --user enable "
		          "tarsierd"));
	else if (answers)
		cmd_doctor_report(d, true, CHECK_SERVICE, _("tarsierd answers"));
	else if (active && strcmp(active, "active") == 0)
		cmd_doctor_report(d, false, CHECK_SERVICE,
		        _("active, but not responding; run: systemctl --user restart tarsierd"));
	else if (active && enabled)
		cmd_doctor_report(d, false, CHECK_SERVICE,
		        _("not running; run: systemctl --user enable --now tarsierd"));
	else
		cmd_doctor_report(d, false, CHECK_SERVICE,
		        _("not running; there is no systemd user session, so start tarsierd "
		          "yourself"));
}

static void report_confinement(Doctor *d, const char *program, const char *level)
{
	if (g_strcmp0(level, sandbox_level_name(SANDBOX_FULL)) == 0)
		cmd_doctor_report(
		        d, true, CHECK_CONFINEMENT, "%s: %s", program, status_level_text(level));
	else
		cmd_doctor_report(d, false, CHECK_CONFINEMENT,
		        _("%s: %s; use a kernel with seccomp and Landlock"), program,
		        status_level_text(level));
}

/* The confinement of search, show and others, tried in a process that ends at once. */
static SandboxLevel client_confinement(Cli *cli)
{
	int status = 0;
	pid_t pid = fork();
	if (pid == 0)
		_exit(confine_client(cli, false));
	bool ended = pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status);
	return ended && WEXITSTATUS(status) < N_SANDBOX_LEVELS ? (SandboxLevel)WEXITSTATUS(status)
	                                                       : SANDBOX_NONE;
}

/* A fetching program that cannot be confined does not run. */
static void check_fetching(Doctor *d)
{
#ifdef HAVE_CURL
	g_autoptr(GError) error = NULL;
	g_autoptr(FetchHost) host = fetch_host_start(NULL, &error);
	if (host && status_lacks_fetch(d->status))
		cmd_doctor_report(d, false, CHECK_SOURCES, "%s", status_fetch_text());
	else if (host && fetch_host_wait(host, &error))
		report_confinement(d, "tarsier-fetch", sandbox_level_name(SANDBOX_FULL));
	else
		cmd_doctor_report(d, false, CHECK_SOURCES, "%s", error->message);
#else
	cmd_doctor_report(d, true, CHECK_SOURCES, _("not built: libcurl was missing"));
#endif
}

/* Sites and feeds that could not be asked. */
static void check_sources(Doctor *d)
{
	const GArray *states = d->status->sources->states;
	unsigned bad = 0;

	for (guint i = 0; i < states->len; i++) {
		const SourceState *state = &g_array_index(states, SourceState, i);
		g_autofree char *problem = source_problem(state);
		if (!problem)
			continue;
		cmd_doctor_report(d, false, CHECK_SOURCES, "%s: %s", state->source->url, problem);
		bad++;
	}
	if (bad == 0 && states->len > 0)
		cmd_doctor_report(d, true, CHECK_SOURCES,
		        ngettext("%u is read", "%u are read", states->len), states->len);
}

static void check_partition(Doctor *d)
{
	bool good;
	if (!d->status->partition.shared)
		return;
	g_autofree char *text = status_partition_text(d->status, &good);
	cmd_doctor_report(d, good, CHECK_SOURCES, "%s", text);
}

/* The level that a program beside tarsier-extract tells of itself; NULL if it tells none. The
 * caller frees it. */
static char *program_confinement(const Cli *cli, const char *program)
{
	const char *argv[] = {program, "--config", cli->config_file, "--index", cli->index_dir,
	        "--confinement", NULL};
	char *answer = NULL;
	if (!g_spawn_sync(NULL, (char **)argv, NULL, G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL,
	            &answer, NULL, NULL, NULL))
		return NULL;
	return g_strstrip(answer);
}

static void check_program(Doctor *d, const char *name, const char *variable)
{
	const char *own = g_getenv(variable);
	g_autofree char *program =
	        own && *own ? g_strdup(own) : g_build_filename(PKGLIBEXECDIR, name, NULL);
	g_autofree char *level = program_confinement(d->cli, program);
	if (level)
		report_confinement(d, name, *level ? level : sandbox_level_name(SANDBOX_NONE));
	else
		cmd_doctor_report(d, true, CHECK_CONFINEMENT, _("%s: not installed"), name);
}

static void check_confinement(Doctor *d)
{
	if (d->status->confinement)
		report_confinement(d, "tarsierd", d->status->confinement);
	if (d->status->launcher)
		report_confinement(d, _("launcher of tarsier-fetch"), d->status->launcher);
	if (d->status->roots_launcher)
		report_confinement(
		        d, _("launcher of readers of later roots"), d->status->roots_launcher);
	report_confinement(d, "tarsier", sandbox_level_name(client_confinement(d->cli)));
	check_program(d, "tarsier-bus", "TARSIER_BUS");
	check_program(d, "tarsier-browse", "TARSIER_BROWSE");
}

int cmd_doctor(Cli *cli)
{
	g_autoptr(Status) status = status_gather(cli);
	Doctor d = {cli, status, 0};
	g_autofree char *config_dir = g_path_get_dirname(cli->config_file);
	g_autofree char *socket_dir = g_path_get_dirname(cli->socket_path);

	check_config(&d);
	check_service(&d);
	check_sandbox(&d);
	check_confinement(&d);
	check_fetching(&d);
	check_sources(&d);
	check_partition(&d);
	check_exports(&d);
	check_configured_exports(&d);
	check_inotify(&d);
	check_coverage(&d);
	check_index(&d);
	check_scans(&d);
	check_postings(&d);
	check_vectors(&d);
	check_dir(&d, config_dir);
	check_dir(&d, cli->index_dir);
	if (strcmp(socket_dir, cli->index_dir) != 0)
		check_dir(&d, socket_dir);
	cmd_doctor_check_disk(&d);
	return d.problems > 0 ? EXIT_PARTIAL : EXIT_OK;
}
