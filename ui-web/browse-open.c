/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-web/browse-open.h"
#include "common/base/i18n.h"
#include "common/base/paths.h"
#include "ui-cli/app/choices.h"
#include "ui-cli/app/open-hit.h"
#include "ui-web/browse-target.h"
#include <microhttpd.h>

enum { PLACES = 1 << 24 };

static bool open_entry(BrowseWorker *worker, const Info *info, GError **error)
{
	const BrowseRequest *request = worker->request;
	const LastHit hit = {info->path, info->member, info->mime,
	        {browse_number(request, "page", 0, PLACES),
	                browse_number(request, "line", 0, PLACES)}};
	g_autofree char *key = choices_key(browse_field(request, "q"));
	if (!open_hit(worker->cli, &hit, error))
		return false;
	if (*key)
		choices_note(worker->cli, key, hit.path, hit.member);
	return true;
}

static bool open_folder(BrowseWorker *worker, const Info *info, GError **error)
{
	g_autofree char *folder = g_path_get_dirname(info->path);
	const LastHit hit = {.path = folder, .mime = (char *)"inode/directory"};
	return open_hit(worker->cli, &hit, error);
}

void browse_open(BrowseWorker *worker)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(Info) info = browse_target(worker);
	if (!info)
		return;
	bool folder = browse_has_field(worker->request, "folder") && !path_is_web(info->path);
	browse_wait_for_browser(worker);
	if (!worker->can_open)
		browse_fail(worker, MHD_HTTP_SERVICE_UNAVAILABLE,
		        _("Nothing can be opened: this program was not started in a desktop."));
	else if (folder ? open_folder(worker, info, &error) : open_entry(worker, info, &error))
		worker->request->status = MHD_HTTP_NO_CONTENT;
	else
		browse_fail(worker, MHD_HTTP_INTERNAL_SERVER_ERROR, error->message);
}
