/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-web/browse-target.h"
#include "common/base/i18n.h"
#include "ui-web/browse-fail.h"
#include <microhttpd.h>
#include <string.h>

void browse_target_append(GString *out, const Info *info)
{
	g_string_append_printf(
	        out, "%" G_GINT64_FORMAT "-%" G_GINT64_FORMAT, info->node, info->document);
}

static bool target_parse(const char *id, gint64 *node_r, gint64 *document_r)
{
	g_auto(GStrv) parts = g_strsplit(id, "-", 2);
	return g_strv_length(parts) == 2 &&
	       g_ascii_string_to_signed(parts[0], 10, 1, G_MAXINT64, node_r, NULL) &&
	       g_ascii_string_to_signed(parts[1], 10, 0, G_MAXINT64, document_r, NULL);
}

static Info *target_by_numbers(BrowseWorker *worker, gint64 node, gint64 document, GError **error)
{
	g_autoptr(GPtrArray) infos = NULL;
	Reader *reader = browse_reader(worker, error);
	if (!reader || !reader_info_by_node(reader, node, &infos, error))
		return NULL;
	Visible *visible = cli_visible(worker->cli, error);
	for (guint i = 0; visible && i < infos->len; i++) {
		Info *info = infos->pdata[i];
		if (info->document == document && visible_entry(visible, info, &info->stale))
			return g_ptr_array_steal_index(infos, i);
	}
	return NULL;
}

Info *browse_target(BrowseWorker *worker)
{
	gint64 node, document;
	g_autoptr(GError) error = NULL;
	Info *info = target_parse(browse_field(worker->request, "id"), &node, &document)
	                     ? target_by_numbers(worker, node, document, &error)
	                     : NULL;
	if (error)
		browse_fail_error(worker, error);
	else if (!info)
		browse_fail(worker, MHD_HTTP_NOT_FOUND,
		        _("This document is no longer there; search again."));
	return info;
}
