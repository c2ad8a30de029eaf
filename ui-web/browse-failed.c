/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-web/browse-failed.h"
#include "common/base/document-problem.h"
#include "common/base/i18n.h"
#include "common/base/paths.h"
#include "ui-cli/app/counts.h"
#include "ui-web/browse-fail.h"
#include "ui-web/browse-html.h"
#include "ui-web/browse-page.h"
#include "ui-web/browse-target.h"
#include <stdlib.h>
#include <string.h>

enum { SHOWN_OF_EACH = 20, SHOWN_OF_ONE = 1000 };

/* The documents of one reason. */
typedef struct {
	DocReason reason;
	uint64_t documents;
	guint shown;
	GString *rows; /* of those that are shown */
} FailureGroup;

typedef struct {
	BrowseWorker *worker;
	Visible *visible;
	guint most; /* of a reason that are shown */
	FailureGroup groups[N_REASONS];
	bool stopped; /* nobody waits any more */
} FailureList;

static void failure_append_row(GString *out, const Info *info)
{
	g_autofree char *detail = document_detail_text(info->detail);
	g_string_append(out, "<tr><th scope=\"row\">");
	html_name(out, info->path);
	if (info->member) {
		g_string_append(out, "<span class=\"member\">|</span>");
		html_name(out, info->member);
	}
	g_string_append(out, "</th><td>");
	html_text(out, detail ? detail : "");
	g_string_append(out, "</td><td>");
	if (!path_is_web(info->path)) {
		g_string_append(out, "<form class=\"open\" method=\"post\" action=\"/open\">"
		                     "<input type=\"hidden\" name=\"id\" value=\"");
		browse_target_append(out, info);
		g_string_append(out, "\"><button name=\"folder\" value=\"1\">");
		html_text(out, _("Show folder"));
		g_string_append(out, "</button></form>");
	}
	g_string_append(out, "</td></tr>\n");
}

static bool failure_take(const Info *info, void *data)
{
	FailureList *list = data;
	FailureGroup *group = &list->groups[info->reason];
	list->stopped = browse_is_superseded(list->worker);
	if (list->stopped || !visible_failure(list->visible, info))
		return !list->stopped;
	group->documents++;
	if (group->shown == list->most)
		return true;
	if (!group->rows)
		group->rows = g_string_new(NULL);
	group->shown++;
	failure_append_row(group->rows, info);
	return true;
}

static int failure_compare(const void *a, const void *b)
{
	const FailureGroup *x = a, *y = b;
	if (x->documents != y->documents)
		return x->documents < y->documents ? 1 : -1;
	return (int)x->reason - (int)y->reason;
}

static void failure_append_group(GString *out, const FailureGroup *group, bool alone)
{
	g_autofree char *count = count_documents(group->documents);
	g_autofree char *title =
	        g_strdup_printf("%s: %s", document_reason_text(group->reason), count);
	g_string_append(out, "<h2>");
	html_text(out, title);
	g_string_append_printf(out, "</h2><table><tbody>%s</tbody></table>\n", group->rows->str);
	if (group->shown == group->documents)
		return;
	guint left = (guint)MIN(group->documents - group->shown, G_MAXINT32);
	g_autofree char *more = g_strdup_printf(ngettext("%u more", "%u more", left), left);
	g_string_append(out, "<p class=\"note\">");
	if (!alone)
		g_string_append_printf(
		        out, "<a href=\"/failed?reason=%s\">", document_reason_name(group->reason));
	html_text(out, more);
	g_string_append_printf(out, "%s</p>\n", alone ? "" : "</a>");
}

/* only: a reason, or "". */
static void failure_append(GString *out, FailureList *list, const char *only)
{
	bool any = false;
	qsort(list->groups, N_REASONS, sizeof(list->groups[0]), failure_compare);
	for (size_t i = 0; i < N_REASONS; i++) {
		const FailureGroup *group = &list->groups[i];
		bool wanted =
		        *only == '\0' || strcmp(only, document_reason_name(group->reason)) == 0;
		if (group->documents == 0 || !wanted)
			continue;
		failure_append_group(out, group, *only != '\0');
		any = true;
	}
	if (!any)
		browse_page_append_note(out, "summary", _("No conversion has failed."));
}

void browse_failed(BrowseWorker *worker)
{
	g_autoptr(GError) error = NULL;
	const char *only = browse_field(worker->request, "reason");
	Reader *reader = browse_reader(worker, &error);
	g_autofree FailureList *list = g_new0(FailureList, 1);
	list->worker = worker;
	list->most = *only ? SHOWN_OF_ONE : SHOWN_OF_EACH;
	list->visible = reader ? cli_visible(worker->cli, &error) : NULL;
	for (guint i = 0; i < N_REASONS; i++)
		list->groups[i].reason = i;
	if (list->visible && reader_failed(reader, failure_take, list, &error)) {
		browse_page_begin_view(worker, _("Failures"));
		failure_append(worker->request->body, list, only);
		browse_page_end_view(worker);
	} else {
		browse_fail_error(worker, error);
	}
	for (guint i = 0; i < N_REASONS; i++)
		if (list->groups[i].rows)
			g_string_free(list->groups[i].rows, TRUE);
}
