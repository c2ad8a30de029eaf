/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/client-status.h"
#include "ui-cli/app/counts.h"
#include "ui-cli/app/progress.h"
#include "ui-cli/print/json-writer.h"
#include "common/base/i18n.h"
#include "common/base/text.h"
#include <stdarg.h>
#include <string.h>

static void append_daemon(GString *out, const Status *s)
{
	json_open(out, "daemon", '{');
	json_bool(out, "running", s->running);
	if (s->running)
		json_int(out, "pid", s->pid);
	else
		json_nil(out, "pid");
	json_text(out, "version", s->version);
	json_close(out, '}');
}

static void append_volumes(GString *out, const Status *s, const StatusRoot *root)
{
	json_open(out, "volumes", '[');
	for (guint i = 0; s->volumes && i < s->volumes->len; i++) {
		const VolumeStats *volume = &g_array_index(s->volumes, VolumeStats, i);
		if (!status_root_holds(root, volume))
			continue;
		json_open(out, NULL, '{');
		json_bytes(out, "path", volume->path);
		json_text(out, "state", volume->offline ? "offline" : "mounted");
		json_unsigned(out, "files", volume->files);
		json_close(out, '}');
	}
	json_close(out, ']');
}

static void append_roots(GString *out, const Status *s)
{
	json_open(out, "roots", '[');
	for (guint i = 0; i < s->roots->len; i++) {
		const StatusRoot *root = &g_array_index(s->roots, StatusRoot, i);
		json_open(out, NULL, '{');
		json_bytes(out, "path", root->path);
		json_text(out, "state", root->state);
		json_unsigned(out, "directories", root->directories);
		json_unsigned(out, "watched", root->watched);
		json_unsigned(out, "polled", root->polled);
		json_unsigned(out, "denied", root->denied);
		json_unsigned(out, "files", root->files);
		append_volumes(out, s, root);
		json_close(out, '}');
	}
	json_close(out, ']');
}

static void append_sources(GString *out, const Status *s)
{
	json_open(out, "sources", '[');
	for (guint i = 0; i < s->sources->states->len; i++)
		source_append_json(out, &g_array_index(s->sources->states, SourceState, i));
	json_close(out, ']');
}

static void append_exports(GString *out, const Status *s)
{
	json_open(out, "exports", '[');
	for (guint i = 0; s->exports && i < s->exports->len; i++) {
		const ConsumerStats *export = s->exports->pdata[i];
		json_open(out, NULL, '{');
		json_text(out, "name", export->name);
		json_unsigned(out, "behind", export->behind);
		json_bool(out, "lapsed", export->lapsed);
		json_time(out, "heard", export->heard_s, true);
		if (export->exposure_ms >= 0)
			json_int(out, "exposure_ms", export->exposure_ms);
		else
			json_nil(out, "exposure_ms");
		json_time(out, "failed", export->failed_s, true);
		json_text(out, "failure", export->failure);
		json_close(out, '}');
	}
	json_close(out, ']');
}

static void append_idle_exports(GString *out, const Status *s)
{
	json_open(out, "idle_exports", '[');
	for (guint i = 0; i < s->idle_exports->len; i++)
		json_text(out, NULL, s->idle_exports->pdata[i]);
	json_close(out, ']');
}

static void append_partition(GString *out, const Status *s)
{
	const StatusPartition *p = &s->partition;
	if (!p->shared) {
		json_nil(out, "partition");
		return;
	}
	json_open(out, "partition", '{');
	json_bool(out, "open", p->open);
	json_unsigned(out, "crawlers", p->crawlers);
	json_unsigned(out, "hosts", p->hosts);
	json_unsigned(out, "ours", p->ours);
	json_time(out, "since", p->since, true);
	json_text(out, "error", p->error);
	json_close(out, '}');
}

static void append_watches(GString *out, const Status *s)
{
	json_open(out, "watches", '{');
	json_unsigned(out, "used", s->watches_used);
	json_unsigned(out, "budget", s->watches_budget);
	json_unsigned(out, "limit", s->watches_limit);
	json_close(out, '}');
}

static const char *reason_of(const Status *s)
{
	return s->reason ? s->reason : s->config_error;
}

/* Changes that are not checked yet count as pending, because they may need a conversion. */
static uint64_t pending_of(const Status *s)
{
	return s->running ? MAX(s->pending, s->index.pending) : s->index.pending;
}

static void append_postings(GString *out, const Status *s)
{
	json_open(out, "postings", '{');
	if (s->postings_known)
		json_bool(out, "direct", !s->postings_reason);
	else
		json_nil(out, "direct");
	json_text(out, "reason", s->postings_reason);
	json_close(out, '}');
}

static void append_vectors(GString *out, const WordVectors *vectors)
{
	if (!vectors->state) {
		json_nil(out, "vectors");
		return;
	}
	json_open(out, "vectors", '{');
	json_bytes(out, "path", vectors->path);
	json_text(out, "state", vectors->state);
	json_unsigned(out, "words", vectors->words);
	json_text(out, "reason", vectors->reason);
	json_close(out, '}');
}

void status_append_json(GString *out, const Status *s)
{
	json_open(out, NULL, '{');
	json_text(out, "state", s->state);
	json_text(out, "reason", reason_of(s));
	json_time(out, "paused_until", s->paused_until, true);
	append_daemon(out, s);
	append_roots(out, s);
	append_sources(out, s);
	append_partition(out, s);
	append_exports(out, s);
	append_idle_exports(out, s);
	json_unsigned(out, "files", s->index.files);
	json_unsigned(out, "documents", s->index.documents);
	json_unsigned(out, "pending", pending_of(s));
	json_unsigned(out, "failed", s->index.failed);
	json_unsigned(out, "day_limited", s->index.day_limited);
	json_unsigned(out, "offline", s->index.offline);
	json_unsigned(out, "truncated", s->index.truncated);
	json_unsigned(out, "signs_left", s->index.signs_left);
	json_unsigned(out, "index_bytes", s->index.index_bytes);
	json_unsigned(out, "text_bytes", s->index.text_bytes);
	append_postings(out, s);
	append_vectors(out, &s->vectors);
	append_watches(out, s);
	json_unsigned(out, "overflows", s->overflows);
	json_unsigned(out, "extractions", s->extractions);
	json_text(out, "sandbox", s->sandbox);
	json_text(out, "confinement", s->confinement);
	json_text(out, "launcher", s->launcher);
	json_text(out, "roots_launcher", s->roots_launcher);
	json_time(out, "last_reconcile", s->last_reconcile, true);
	json_time(out, "last_compared", s->last_compared, true);
	json_close(out, '}');
	g_string_append_c(out, '\n');
}

/* ---- for the user */
enum { LABEL_CELLS = 12, VALUE_LINES = 6 };

static void append_label(const Screen *screen, GString *out, const char *label)
{
	size_t cells = text_cells(label, strlen(label));
	g_string_append_printf(out, "%s%s%s%*s", screen_on(screen, STYLE_TITLE), label,
	        screen_off(screen), (int)(cells < LABEL_CELLS ? LABEL_CELLS - cells : 1), "");
}

/* Appends the value and ends the line. On a narrow terminal it is folded. */
static void print_status_append_value(const Screen *screen, GString *out, const char *value)
{
	if (screen->terminal && text_cells(value, strlen(value)) + LABEL_CELLS > screen->width) {
		g_autoptr(GString) folded = g_string_new(NULL);
		screen_append_folded(screen, folded, value, NULL, LABEL_CELLS, VALUE_LINES);
		g_string_append(out, folded->str + LABEL_CELLS);
	} else {
		text_append_escaped(out, value, -1);
		g_string_append_c(out, '\n');
	}
}

static void print_status_append_row(const Screen *screen, GString *out, const char *label,
        const char *format, ...) G_GNUC_PRINTF(4, 5);
static void print_status_append_row(
        const Screen *screen, GString *out, const char *label, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	g_autofree char *value = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	append_label(screen, out, label);
	print_status_append_value(screen, out, value);
}

static void print_status_append_state(const Screen *screen, GString *out, const Status *s)
{
	print_status_append_row(screen, out, _("State"), "%s%s%s", status_state_text(s->state),
	        s->reason ? ": " : "", s->reason ? s->reason : "");
	if (s->paused_until > 0) {
		g_autofree char *until = screen_time(s->paused_until);
		print_status_append_row(screen, out, _("Paused"), _("until %s"), until);
	}
	if (s->running)
		print_status_append_row(screen, out, _("Daemon"),
		        status_other_version(s) ? _("running, process %d, version %s; restart it")
		                                : _("running, process %d, version %s"),
		        s->pid, s->version ? s->version : "?");
	else
		print_status_append_row(screen, out, _("Daemon"), "%s",
		        s->silent ? _("does not answer") : _("not running"));
	if (s->current)
		print_status_append_row(screen, out, _("Working on"), "%s", s->current);
	if (s->config_error)
		print_status_append_row(screen, out, _("Config"), "%s", s->config_error);
	if (s->index.rebuilt)
		print_status_append_row(screen, out, _("Rebuilt"), "%s", s->index.rebuilt);
	if (s->disk_full)
		print_status_append_row(
		        screen, out, _("Disk"), _("full; indexing waits for free space"));
}

static void append_day_limit(const Screen *screen, GString *out, uint64_t files)
{
	if (files > 0)
		print_status_append_row(screen, out, _("Tomorrow"),
		        ngettext(
		                "%lu file, because its directory has reached the limit of new text "
		                "for a day",
		                "%lu files, because their directories have reached the limit of "
		                "new "
		                "text for a day",
		                files),
		        (unsigned long)files);
}

static void append_coverage(const Screen *screen, GString *out, const Status *s)
{
	g_autofree char *index_size = g_format_size(s->index.index_bytes);
	g_autofree char *text_size = g_format_size(s->index.text_bytes);
	g_autofree char *files = count_files(s->index.files);
	g_autofree char *documents = count_documents(s->index.documents);

	print_status_append_row(screen, out, _("Indexed"), "%s, %s", files, documents);
	g_autofree char *changes = count_changes(s->dirty);
	print_status_append_row(screen, out, _("Waiting"), _("%lu to convert, %s"),
	        (unsigned long)pending_of(s), changes);
	print_status_append_row(screen, out, _("Incomplete"),
	        _("%lu failed, %lu offline, %lu read in part"), (unsigned long)s->index.failed,
	        (unsigned long)s->index.offline, (unsigned long)s->index.truncated);
	append_day_limit(screen, out, s->index.day_limited);
	print_status_append_row(
	        screen, out, _("Size"), _("%s for %s of text"), index_size, text_size);
	if (s->index.signs_left > 0)
		print_status_append_row(screen, out, _("Upgrade"),
		        _("%lu older texts are still to be read for words like C++ and AT&T"),
		        (unsigned long)s->index.signs_left);
	if (s->postings_reason)
		print_status_append_row(screen, out, _("Postings"),
		        _("read through SQLite, which is slower: %s"), s->postings_reason);
	g_autofree char *vectors = s->vectors.state ? word_vectors_text(&s->vectors) : NULL;
	if (vectors)
		print_status_append_row(screen, out, _("Vectors"), "%s", vectors);
}

static void append_root_volumes(
        const Screen *screen, GString *out, const Status *s, const StatusRoot *root)
{
	for (guint i = 0; s->volumes && i < s->volumes->len; i++) {
		const VolumeStats *volume = &g_array_index(s->volumes, VolumeStats, i);
		if (!status_root_holds(root, volume))
			continue;
		g_autofree char *files = count_files(volume->files);
		g_autofree char *facts =
		        volume->offline
		                ? g_strdup_printf(
		                          _("offline; the entries of %s are kept but hidden"),
		                          files)
		                : g_strdup_printf(_("mounted, %s"), files);
		append_label(screen, out, _("Volume"));
		text_append_escaped(out, volume->path, -1);
		g_string_append_printf(out, "\n%*s", LABEL_CELLS, "");
		print_status_append_value(screen, out, facts);
	}
}

/* Without a daemon the first line tells that nothing is watched. A daemon without a budget, as that
 * of "tarsier index", watches nothing on purpose. */
static void append_root(const Screen *screen, GString *out, const Status *s, const StatusRoot *root)
{
	bool stopped = g_strcmp0(root->state, "stopped") == 0 ||
	               (g_strcmp0(root->state, "watching") == 0 && s->watches_budget == 0);
	g_autoptr(GString) facts = g_string_new(NULL);
	g_autofree char *files = count_files(root->files);
	g_autofree char *directories = count_directories(root->directories);

	append_label(screen, out, _("Root"));
	text_append_escaped(out, root->path, -1);
	g_string_append_printf(out, "\n%*s", LABEL_CELLS, "");
	if (!stopped)
		g_string_append_printf(facts, "%s, ", status_state_text(root->state));
	g_string_append_printf(facts, "%s, %s", files, directories);
	if (root->polled >= root->directories && root->watched > 0)
		g_string_append(facts, _(", polled, as not all changes are reported"));
	else if (root->polled > 0 && s->watches_budget > 0)
		g_string_append_printf(
		        facts, _(", %lu watched, the others polled"), (unsigned long)root->watched);
	if (root->denied > 0)
		g_string_append_printf(facts, _(", %lu not readable"), (unsigned long)root->denied);
	print_status_append_value(screen, out, facts->str);
}

static void append_source_row(const Screen *screen, GString *out, const SourceState *state)
{
	g_autofree char *facts = source_text(state);

	append_label(screen, out, state->source->is_feed ? _("Feed") : _("Site"));
	g_string_append_printf(out, "%s\n%*s", state->source->url, LABEL_CELLS, "");
	print_status_append_value(screen, out, facts);
}

static void append_export_row(const Screen *screen, GString *out, const ConsumerStats *export)
{
	bool good;
	g_autofree char *text = status_export_text(export, &good);
	print_status_append_row(screen, out, _("Export"), "%s: %s", export->name, text);
}

static void append_partition_row(const Screen *screen, GString *out, const Status *s)
{
	bool good;
	g_autofree char *text = status_partition_text(s, &good);
	if (s->partition.shared)
		print_status_append_row(screen, out, _("Sharing"), "%s", text);
}

/* Changes that raised no event are found at the next scan. */
static void append_compared(const Screen *screen, GString *out, const Status *s)
{
	g_autofree char *when = s->last_compared > 0 ? screen_time(s->last_compared) : NULL;
	print_status_append_row(screen, out, _("Checked"),
	        _("%s; changes that raised no event are found at the next scan"),
	        when ? when : "-");
}

static void append_watching(const Screen *screen, GString *out, const Status *s)
{
	if (s->watches_budget > 0)
		print_status_append_row(screen, out, _("Watches"),
		        _("%lu used of %lu; the system allows %lu"), (unsigned long)s->watches_used,
		        (unsigned long)s->watches_budget, (unsigned long)s->watches_limit);
	g_autofree char *sandbox = status_sandbox(s);
	print_status_append_row(screen, out, _("Sandbox"), "%s", sandbox ? sandbox : "?");
	g_autofree char *conversions = count_conversions(s->extractions);
	g_autofree char *overflows = count_overflows(s->overflows);
	print_status_append_row(screen, out, _("Since start"), "%s, %s", conversions, overflows);
}

void status_append_human(const Screen *screen, GString *out, const Status *s)
{
	print_status_append_state(screen, out, s);
	for (guint i = 0; i < s->roots->len; i++) {
		append_root(screen, out, s, &g_array_index(s->roots, StatusRoot, i));
		append_root_volumes(screen, out, s, &g_array_index(s->roots, StatusRoot, i));
	}
	for (guint i = 0; i < s->sources->states->len; i++)
		append_source_row(screen, out, &g_array_index(s->sources->states, SourceState, i));
	append_partition_row(screen, out, s);
	if (s->has_index)
		append_coverage(screen, out, s);
	if (s->running) {
		append_watching(screen, out, s);
		append_compared(screen, out, s);
	}
	for (guint i = 0; s->exports && i < s->exports->len; i++)
		append_export_row(screen, out, s->exports->pdata[i]);
	for (guint i = 0; i < s->idle_exports->len; i++)
		print_status_append_row(screen, out, _("Export"), _("%s: follows no changes"),
		        (char *)s->idle_exports->pdata[i]);
}

/* Each file that waits is one of the index, so all files are the whole. While directories are still
 * read, the number of all files grows: no time can be told. */
static ProgressState status_progress(const Status *s, const RateMeter *meter)
{
	uint64_t waiting = MIN(pending_of(s), s->index.files);
	ProgressState state = {
	        s->index.files - waiting, waiting, rate_meter_per_second(meter), -1, 0};
	if (g_strcmp0(s->state, "indexing") == 0)
		state.left_s = rate_meter_left_s(meter, waiting);
	return state;
}

/* "40 % of the index: 12 of 30 files, 5/s"; NULL if no file waits. The caller frees it. */
static char *status_progress_text(const Status *s, const RateMeter *meter)
{
	ProgressState state = status_progress(s, meter);
	if (state.left == 0)
		return NULL;
	g_autofree char *text = progress_text(&state);
	return g_strdup_printf(_("%lu %% of the index: %s"),
	        (unsigned long)(100 * state.done / (state.done + state.left)), text);
}

void status_append_progress(
        const Screen *screen, GString *out, const Status *s, const RateMeter *meter)
{
	g_autofree char *text = status_progress_text(s, meter);
	if (text)
		print_status_append_row(screen, out, _("Progress"), "%s", text);
}

void status_append_line(GString *out, const Status *s, const RateMeter *meter)
{
	const char *reason = reason_of(s);
	g_autofree char *progress = status_progress_text(s, meter);
	g_autofree char *files = count_files(s->index.files);
	g_autofree char *line = g_strdup_printf("%s%s%s, %s", status_state_text(s->state),
	        reason ? ": " : "", reason ? reason : "", progress ? progress : files);
	text_append_escaped(out, line, -1);
	g_string_append_c(out, '\n');
}
