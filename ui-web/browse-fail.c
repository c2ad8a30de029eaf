/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-web/browse-fail.h"
#include "common/base/i18n.h"
#include "ui-web/browse-html.h"
#include "ui-web/browse-page.h"
#include <microhttpd.h>

void browse_fail(BrowseWorker *worker, unsigned status, const char *message)
{
	BrowseRequest *request = worker->request;
	request->status = status;
	g_string_truncate(request->body, 0);
	if (browse_has_field(request, "fragment")) {
		request->type = "text/plain; charset=utf-8";
		g_string_append(request->body, message);
		return;
	}
	BrowseSearch search;
	browse_search_init(&search, request);
	browse_page_begin(worker, &search, _("Tarsier"));
	g_string_append(request->body, "<div id=\"answer\"><p class=\"fault\" role=\"alert\">");
	html_text(request->body, message);
	g_string_append(request->body, "</p></div>");
	browse_page_end(worker);
	browse_search_clear(&search);
}

void browse_fail_error(BrowseWorker *worker, const GError *error)
{
	g_autofree char *text = cli_error_text(error);
	if (g_error_matches(error, INDEX_ERROR, INDEX_ERROR_STOPPED))
		worker->request->status = MHD_HTTP_NO_CONTENT; /* nobody waits */
	else
		browse_fail(worker, MHD_HTTP_SERVICE_UNAVAILABLE, text);
}
