/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/client-status.h"
#include "ui-cli/app/daemon-client.h"
#include "common/ipc/control.h"
#include "common/base/i18n.h"
#include "index/fts/fts-gate.h"
#include <stdarg.h>
#include <string.h>

static void root_clear(gpointer item)
{
	StatusRoot *root = item;
	g_free(root->path);
	g_free(root->state);
}

void status_free(Status *status)
{
	if (!status)
		return;
	g_free(status->state);
	g_free(status->reason);
	g_free(status->config_error);
	g_free(status->version);
	g_free(status->sandbox);
	g_free(status->confinement);
	g_free(status->launcher);
	g_free(status->roots_launcher);
	g_free(status->current);
	g_free(status->partition.error);
	g_array_unref(status->roots);
	source_list_free(status->sources);
	g_clear_pointer(&status->volumes, g_array_unref);
	g_clear_pointer(&status->exports, g_ptr_array_unref);
	g_ptr_array_unref(status->idle_exports);
	index_stats_clear(&status->index);
	g_free(status->postings_reason);
	word_vectors_clear(&status->vectors);
	g_free(status);
}

/* A string of the daemon's answer; NULL if it is missing or empty. The caller frees it. */
static char *client_status_text_of(GVariant *values, const char *key)
{
	const char *text = NULL;
	g_variant_lookup(values, key, "&s", &text);
	return text && *text ? g_strdup(text) : NULL;
}

static char *client_status_bytes_of(GVariant *values, const char *key)
{
	g_autoptr(GVariant) value = g_variant_lookup_value(values, key, G_VARIANT_TYPE_BYTESTRING);
	const char *bytes = value ? g_variant_get_bytestring(value) : "";
	return *bytes ? g_strdup(bytes) : NULL;
}

static void take_roots(Status *status, GVariant *values)
{
	g_autoptr(GVariant) roots =
	        g_variant_lookup_value(values, "roots", G_VARIANT_TYPE("aa{sv}"));

	for (gsize i = 0; roots && i < g_variant_n_children(roots); i++) {
		g_autoptr(GVariant) each = g_variant_get_child_value(roots, i);
		StatusRoot root = {.path = client_status_bytes_of(each, "path"),
		        .state = client_status_text_of(each, "state")};
		guint64 value;
		root.watched = g_variant_lookup(each, "watched", "t", &value) ? value : 0;
		root.polled = g_variant_lookup(each, "polled", "t", &value) ? value : 0;
		root.denied = g_variant_lookup(each, "denied", "t", &value) ? value : 0;
		if (root.path)
			g_array_append_val(status->roots, root);
		else
			root_clear(&root);
	}
}

static void take_numbers(Status *status, GVariant *values)
{
	const struct {
		const char *key;
		uint64_t *where;
	} numbers[] = {
	        {"dirty", &status->dirty},
	        {"pending", &status->pending},
	        {"done", &status->done},
	        {"watches_used", &status->watches_used},
	        {"watches_budget", &status->watches_budget},
	        {"watches_limit", &status->watches_limit},
	        {"overflows", &status->overflows},
	        {"extractions", &status->extractions},
	};
	guint64 value;
	gint64 when;
	gboolean full;
	gint32 pid;

	for (size_t i = 0; i < G_N_ELEMENTS(numbers); i++) {
		if (g_variant_lookup(values, numbers[i].key, "t", &value))
			*numbers[i].where = value;
	}
	if (g_variant_lookup(values, "last_reconcile", "x", &when))
		status->last_reconcile = when;
	if (g_variant_lookup(values, "last_compared", "x", &when))
		status->last_compared = when;
	if (g_variant_lookup(values, "paused_until", "x", &when))
		status->paused_until = when;
	if (g_variant_lookup(values, "disk_full", "b", &full))
		status->disk_full = full;
	if (g_variant_lookup(values, "pid", "i", &pid))
		status->pid = pid;
}

static void take_partition(StatusPartition *partition, GVariant *values)
{
	g_autoptr(GVariant) dict =
	        g_variant_lookup_value(values, "partition", G_VARIANT_TYPE_VARDICT);
	gboolean open;
	guint64 value;
	gint64 when;
	partition->shared = dict != NULL;
	if (!dict)
		return;
	partition->open = g_variant_lookup(dict, "open", "b", &open) && open;
	partition->hosts = g_variant_lookup(dict, "hosts", "t", &value) ? value : 0;
	partition->ours = g_variant_lookup(dict, "ours", "t", &value) ? value : 0;
	partition->crawlers = g_variant_lookup(dict, "crawlers", "t", &value) ? value : 0;
	partition->since = g_variant_lookup(dict, "since", "x", &when) ? when : 0;
	partition->error = client_status_text_of(dict, "error");
}

static void take_daemon(Status *status, GVariant *values)
{
	status->running = true;
	status->state = client_status_text_of(values, "state");
	if (!status->state)
		status->state = g_strdup("degraded");
	status->reason = client_status_text_of(values, "reason");
	status->config_error = client_status_text_of(values, "config_error");
	status->version = client_status_text_of(values, "version");
	status->sandbox = client_status_text_of(values, "sandbox");
	status->confinement = client_status_text_of(values, "confinement");
	status->launcher = client_status_text_of(values, "launcher");
	status->roots_launcher = client_status_text_of(values, "roots_launcher");
	status->current = daemon_current(values);
	take_numbers(status, values);
	take_partition(&status->partition, values);
	take_roots(status, values);
}

static void gather_index(Cli *cli, Status *status)
{
	g_autoptr(GError) error = NULL;
	Reader *reader = cli_reader(cli, &error);

	status->has_index = reader && reader_stats(reader, &status->index, &error);
	if (status->has_index) {
		const char *reason = NULL;
		status->postings_known = fts_gate_reason(reader, &reason, NULL);
		status->postings_reason = g_strdup(reason);
		reader_consumers(reader, &status->exports, NULL);
		return;
	}
	status->index_code = cli_index_code(error);
	if (status->reason)
		return;
	status->reason = status->index_code == EXIT_ABSENT ? g_strdup(_("there is no index yet"))
	                                                   : g_strdup(error->message);
}

static void add_configured_roots(Cli *cli, Status *status)
{
	g_autoptr(GError) error = NULL;
	const Settings *settings = cli_settings(cli, &error);

	if (!settings) {
		status->config_error = g_strdup(error->message);
		return;
	}
	for (const char *const *root = settings_roots(settings); *root; root++) {
		StatusRoot item = {.path = g_strdup(*root), .state = g_strdup("stopped")};
		g_array_append_val(status->roots, item);
	}
}

/* Counts what the index has for each root, with or without a daemon. */
static void count_roots(Cli *cli, Status *status)
{
	g_autoptr(GArray) counts = NULL;

	if (!status->has_index || !reader_roots(cli->reader, &counts, NULL))
		return;
	for (guint i = 0; i < status->roots->len; i++) {
		StatusRoot *root = &g_array_index(status->roots, StatusRoot, i);
		for (guint k = 0; k < counts->len; k++) {
			const RootStats *count = &g_array_index(counts, RootStats, k);
			if (strcmp(count->path, root->path) != 0)
				continue;
			root->files = count->files;
			root->directories = count->directories;
		}
	}
}

bool status_root_holds(const StatusRoot *root, const VolumeStats *volume)
{
	size_t length = strlen(root->path);
	if (length == 1) /* "/" */
		return true;
	return strncmp(volume->path, root->path, length) == 0 && volume->path[length] == '/';
}

static bool status_follows(const Status *status, const char *name)
{
	bool found = false;
	for (guint i = 0; status->exports && i < status->exports->len && !found; i++)
		found = strcmp(((const ConsumerStats *)status->exports->pdata[i])->name, name) == 0;
	return found;
}

static void add_idle_exports(Status *status, const Settings *settings)
{
	const char *const *name = settings ? settings_exports(settings) : NULL;
	for (; name && *name; name++)
		if (!status_follows(status, *name))
			g_ptr_array_add(status->idle_exports, g_strdup(*name));
}

Status *status_gather(Cli *cli)
{
	Status *status = g_new0(Status, 1);
	g_autoptr(GVariant) values = NULL;
	g_autoptr(GError) error = NULL;

	status->roots = g_array_new(FALSE, FALSE, sizeof(StatusRoot));
	g_array_set_clear_func(status->roots, root_clear);
	status->idle_exports = g_ptr_array_new_with_free_func(g_free);
	if (cli->starter)
		values = starter_daemon_status(cli->starter);
	else if (cli_daemon(cli, NULL) >= 0)
		values = daemon_status(cli, &error);
	status->silent = g_error_matches(error, CONTROL_ERROR, CONTROL_ERROR_TIMEOUT);
	if (status->silent)
		status->reason = g_strdup(error->message);
	if (values)
		take_daemon(status, values);
	gather_index(cli, status);
	status->sources = source_list_new(cli);
	if (!values) {
		status->state = g_strdup(status->silent ? "degraded" : "stopped");
		add_configured_roots(cli, status);
	}
	const Settings *settings = cli_settings(cli, NULL); /* config_error reports a fault in it */
	status->unsandboxed = settings && settings_bool(settings, "daemon", "unsandboxed", NULL);
	add_idle_exports(status, settings);
	word_vectors_look(&status->vectors, settings, status->has_index ? cli->reader : NULL);
	count_roots(cli, status);
	if (status->has_index)
		reader_volumes(cli->reader, &status->volumes, NULL);
	return status;
}

bool status_lacks_fetch(const Status *status)
{
	return status->running && !status->launcher && status->sources->states->len > 0;
}

const char *status_fetch_text(void)
{
#ifdef HAVE_CURL
	return _("tarsierd started without tarsier-fetch, so no site or feed is read; restart it");
#else
	return _("no site or feed is read: Tarsier was built without libcurl");
#endif
}

bool status_other_version(const Status *status)
{
	return status->running && g_strcmp0(status->version, PACKAGE_VERSION) != 0;
}

char *status_partition_text(const Status *status, bool *good_r)
{
	const StatusPartition *p = &status->partition;
	*good_r = !p->error;
	if (p->error && !p->open)
		return g_strdup_printf(_("shared hosts are not read: %s"), p->error);
	if (p->error)
		return g_strdup_printf(_("shared hosts will soon not be read: %s"), p->error);
	return g_strdup_printf(
	        ngettext("%lu crawler; %lu of %lu shared hosts are read here",
	                "%lu crawlers; %lu of %lu shared hosts are read here", p->crawlers),
	        (unsigned long)p->crawlers, (unsigned long)p->ours, (unsigned long)p->hosts);
}

/* Landlock without seccomp does not confine. */
static bool is_unconfined(const Status *status)
{
	return g_strcmp0(status->sandbox, "none") == 0 ||
	       g_strcmp0(status->sandbox, "landlock") == 0;
}

const char *status_state_text(const char *state)
{
	static const char *const states[] = {N_("idle"), N_("scanning"), N_("indexing"),
	        N_("paused"), N_("degraded"), N_("stopped"), N_("watching"), N_("offline"),
	        N_("denied"), N_("stuck"), NULL};
	for (size_t i = 0; state && states[i]; i++)
		if (strcmp(state, states[i]) == 0)
			return _(states[i]);
	return state ? state : "?";
}

const char *status_level_text(const char *level)
{
	static const char *const levels[] = {N_("full"), N_("none"), NULL};
	for (size_t i = 0; levels[i]; i++)
		if (strcmp(level, levels[i]) == 0)
			return _(levels[i]);
	return level; /* the name of a part of the kernel */
}

char *status_sandbox(const Status *status)
{
	if (!status->sandbox)
		return NULL;
	const char *what = NULL;
	if (g_strcmp0(status->sandbox, "seccomp") == 0)
		what = _("without Landlock some PDFs in Chinese, Japanese or Korean lose text");
	else if (is_unconfined(status) && status->unsandboxed)
		what = _("files are converted without a sandbox because the configuration allows "
		         "it");
	else if (is_unconfined(status))
		what = _("only plain text is converted");
	const char *level = status_level_text(status->sandbox);
	return what ? g_strdup_printf("%s: %s", level, what) : g_strdup(level);
}

static void add_problem(GPtrArray *problems, const char *format, ...) G_GNUC_PRINTF(2, 3);
static void add_problem(GPtrArray *problems, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	g_ptr_array_add(problems, g_strdup_vprintf(format, arguments));
	va_end(arguments);
}

char *status_export_text(const ConsumerStats *export, bool *good_r)
{
	*good_r = !export->lapsed && !export->failure;
	if (export->lapsed)
		return g_strdup(_("was away for too many changes; it compares everything when it "
		                  "starts again"));
	if (export->failure) {
		g_autofree char *since = screen_time(export->failed_s);
		return g_strdup_printf(_("fails since %s: %s"), since, export->failure);
	}
	g_autofree char *heard = screen_time(export->heard_s);
	g_autofree char *behind = g_strdup_printf(
	        ngettext("%lu change behind", "%lu changes behind", (unsigned long)export->behind),
	        (unsigned long)export->behind);
	if (export->exposure_ms < 0)
		return g_strdup_printf(_("%s, as of %s"), behind, heard);
	return g_strdup_printf(_("%s, as of %s; 95 %% of new permissions within %.2f s"), behind,
	        heard, export->exposure_ms / 1000.0);
}

static void add_export_problems(GPtrArray *problems, const GPtrArray *exports)
{
	for (guint i = 0; exports && i < exports->len; i++) {
		const ConsumerStats *export = exports->pdata[i];
		bool good;
		g_autofree char *text = status_export_text(export, &good);
		if (!good)
			add_problem(problems, _("export %s: %s"), export->name, text);
	}
}

static void add_partition_problem(GPtrArray *problems, const Status *status)
{
	bool good;
	g_autofree char *text = status_partition_text(status, &good);
	if (status->partition.shared && !good)
		add_problem(problems, "%s", text);
}

GPtrArray *status_problems(const Status *status)
{
	GPtrArray *problems = g_ptr_array_new_with_free_func(g_free);

	if (!status->running)
		add_problem(problems, status->silent ? _("tarsierd does not answer")
		                                     : _("tarsierd is not running"));
	if (!status->has_index)
		add_problem(problems, "%s", status->reason);
	else if ((strcmp(status->state, "degraded") == 0 && !status->silent) ||
	         strcmp(status->state, "paused") == 0)
		add_problem(problems, "%s%s%s", status_state_text(status->state),
		        status->reason ? ": " : "", status->reason ? status->reason : "");
	if (status->config_error)
		add_problem(
		        problems, _("the configuration has an error: %s"), status->config_error);
	if (status->disk_full)
		add_problem(problems, _("the disk is full"));
	add_partition_problem(problems, status);
	if (status_other_version(status))
		add_problem(problems,
		        _("the daemon has version %s, this program has %s; restart the daemon"),
		        status->version ? status->version : "?", PACKAGE_VERSION);
	if (is_unconfined(status)) {
		g_autofree char *sandbox = status_sandbox(status);
		add_problem(problems, _("no sandbox: %s"), sandbox);
	}
	if (status->running && status->roots->len == 0 && status->sources->states->len == 0)
		add_problem(problems, _("no directory is watched"));
	if (status_lacks_fetch(status))
		add_problem(problems, "%s", status_fetch_text());
	for (guint i = 0; i < status->roots->len; i++) {
		const StatusRoot *root = &g_array_index(status->roots, StatusRoot, i);
		if (g_strcmp0(root->state, "offline") == 0 ||
		        g_strcmp0(root->state, "denied") == 0 ||
		        g_strcmp0(root->state, "stuck") == 0)
			add_problem(problems, "%s: %s", root->path, status_state_text(root->state));
	}
	for (guint i = 0; status->volumes && i < status->volumes->len; i++) {
		const VolumeStats *volume = &g_array_index(status->volumes, VolumeStats, i);
		if (volume->offline)
			add_problem(problems, "%s: %s", volume->path, _("offline"));
	}
	add_export_problems(problems, status->exports);
	return problems;
}
