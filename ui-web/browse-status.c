/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-web/browse-status.h"
#include "common/base/i18n.h"
#include "common/base/text.h"
#include "ui-cli/app/client-status.h"
#include "ui-cli/app/counts.h"
#include "ui-web/browse-html.h"
#include "ui-web/browse-page.h"

static void status_append_fact(GString *out, const char *label, const char *format, ...)
        G_GNUC_PRINTF(3, 4);
static void status_append_fact(GString *out, const char *label, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	g_autofree char *value = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	g_string_append(out, "<tr>");
	browse_page_append_cell(out, "th scope=\"row\"", label);
	browse_page_append_cell(out, "td", value);
	g_string_append(out, "</tr>\n");
}

static void status_append_problems(GString *out, const Status *status)
{
	g_autoptr(GPtrArray) problems = status_problems(status);
	if (problems->len == 0) {
		browse_page_append_note(out, "gaps complete", _("Nothing is wrong."));
		return;
	}
	g_string_append(out, "<ul class=\"problems\">");
	for (guint i = 0; i < problems->len; i++) {
		g_string_append(out, "<li>");
		html_name(out, problems->pdata[i]);
		g_string_append(out, "</li>");
	}
	g_string_append(out, "</ul>\n");
}

/* ---- the daemon and the index */

static void status_append_daemon(GString *out, const Status *status)
{
	status_append_fact(out, _("State"), "%s%s%s", status_state_text(status->state),
	        status->reason ? ": " : "", status->reason ? status->reason : "");
	if (status->paused_until > 0) {
		g_autofree char *until = screen_time(status->paused_until);
		status_append_fact(out, _("Paused"), _("until %s"), until);
	}
	if (status->running)
		status_append_fact(out, _("Daemon"), _("running, process %d, version %s"),
		        status->pid, status->version ? status->version : "?");
	else
		status_append_fact(out, _("Daemon"), "%s", _("not running"));
	if (status->current) {
		g_autofree char *current = text_to_utf8(status->current, -1);
		status_append_fact(out, _("Working on"), "%s", current);
	}
}

/* How far the conversion of all that is known is. */
static void status_append_progress_bar(GString *out, uint64_t files, uint64_t pending)
{
	if (pending == 0 || files == 0)
		return;
	uint64_t done = files > pending ? files - pending : 0;
	g_string_append(out, "<tr>");
	browse_page_append_cell(out, "th scope=\"row\"", _("Progress"));
	g_string_append_printf(out,
	        "<td><progress max=\"%" G_GUINT64_FORMAT "\" value=\"%" G_GUINT64_FORMAT
	        "\" aria-label=\"",
	        files, done);
	html_text(out, _("Progress"));
	g_string_append_printf(out,
	        "\"></progress> %" G_GUINT64_FORMAT " / %" G_GUINT64_FORMAT "</td></tr>\n", done,
	        files);
}

static void status_append_index(GString *out, const Status *status)
{
	const IndexStats *index = &status->index;
	g_autofree char *files = count_files(index->files);
	g_autofree char *documents = count_documents(index->documents);
	g_autofree char *changes = count_changes(status->dirty);
	g_autofree char *index_size = g_format_size(index->index_bytes);
	g_autofree char *text_size = g_format_size(index->text_bytes);
	uint64_t pending = MAX(status->pending, index->pending);
	status_append_fact(out, _("Indexed"), "%s, %s", files, documents);
	status_append_progress_bar(out, index->files, pending);
	status_append_fact(
	        out, _("Waiting"), _("%lu to convert, %s"), (unsigned long)pending, changes);
	status_append_fact(out, _("Incomplete"), _("%lu failed, %lu offline, %lu read in part"),
	        (unsigned long)index->failed, (unsigned long)index->offline,
	        (unsigned long)index->truncated);
	status_append_fact(out, _("Size"), _("%s for %s of text"), index_size, text_size);
	if (index->rebuilt)
		status_append_fact(out, _("Rebuilt"), "%s", index->rebuilt);
}

/* ---- what is watched */

static void status_append_root(GString *out, const Status *status, const StatusRoot *root)
{
	g_autofree char *files = count_files(root->files);
	g_autofree char *directories = count_directories(root->directories);
	g_autofree char *counts = g_strdup_printf("%s, %s", files, directories);
	g_string_append(out, "<tr><th scope=\"row\">");
	html_name(out, root->path);
	g_string_append(out, "</th>");
	browse_page_append_cell(out, "td", status->running ? status_state_text(root->state) : "");
	browse_page_append_cell(out, "td", counts);
	g_string_append(out, "</tr>\n");
}

static void status_append_volume(GString *out, const VolumeStats *volume)
{
	g_autofree char *files = count_files(volume->files);
	g_string_append(out, "<tr><th scope=\"row\">");
	html_name(out, volume->path);
	g_string_append(out, "</th>");
	browse_page_append_cell(out, "td", volume->offline ? _("offline") : "");
	browse_page_append_cell(out, "td", files);
	g_string_append(out, "</tr>\n");
}

static void status_append_source(GString *out, const SourceState *state)
{
	g_autofree char *text = source_text(state);
	g_string_append(out, "<tr><th scope=\"row\">");
	html_name(out, state->source->url);
	g_string_append(out, "</th>");
	browse_page_append_cell(out, "td", state->source->is_feed ? _("Feed") : _("Site"));
	browse_page_append_cell(out, "td", text);
	g_string_append(out, "</tr>\n");
}

static void status_append_places(GString *out, const Status *status)
{
	g_string_append(out, "<h2>");
	html_text(out, _("Directories and sites"));
	g_string_append(out, "</h2><table><tbody>");
	for (guint i = 0; i < status->roots->len; i++)
		status_append_root(out, status, &g_array_index(status->roots, StatusRoot, i));
	for (guint i = 0; status->volumes && i < status->volumes->len; i++)
		status_append_volume(out, &g_array_index(status->volumes, VolumeStats, i));
	for (guint i = 0; i < status->sources->states->len; i++)
		status_append_source(out, &g_array_index(status->sources->states, SourceState, i));
	g_string_append(out, "</tbody></table>\n");
}

/* An index that is not there, or damaged, is what this page tells. */
void browse_status(BrowseWorker *worker)
{
	GString *out = worker->request->body;
	browse_reader(worker, NULL);
	g_autoptr(Status) status = status_gather(worker->cli);
	browse_page_begin_view(worker, _("Status"));
	status_append_problems(out, status);
	g_string_append(out, "<table class=\"facts\"><tbody>");
	status_append_daemon(out, status);
	if (status->has_index)
		status_append_index(out, status);
	g_string_append(out, "</tbody></table>\n");
	status_append_places(out, status);
	browse_page_end_view(worker);
}
