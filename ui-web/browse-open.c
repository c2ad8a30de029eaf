/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-web/browse-open.h"
#include "common/base/i18n.h"
#include "common/base/paths.h"
#include "ui-cli/app/choices.h"
#include "ui-cli/app/open-hit.h"
#include "ui-web/browse-fail.h"
#include "ui-web/browse-target.h"
#include <microhttpd.h>

enum { PLACES = 1 << 24 };

struct BrowseOpening {
	BrowseServer *server; /* borrowed, as are the next two */
	BrowseRequest *request;
	const Starter *starter;
	char *path, *mime; /* what is opened */
	ViewerPlace place;
	char *key, *chosen, *member; /* what is noted as chosen; key NULL: nothing */
	GThread *thread;
	bool ok; /* the viewer runs */
	GError *error;
};

static void opening_free(struct BrowseOpening *opening)
{
	g_free(opening->path);
	g_free(opening->mime);
	g_free(opening->key);
	g_free(opening->chosen);
	g_free(opening->member);
	g_clear_error(&opening->error);
	g_free(opening);
}

static gpointer opening_run(gpointer data)
{
	struct BrowseOpening *opening = data;
	opening->ok = starter_open_apart(
	        opening->starter, opening->path, opening->mime, opening->place, &opening->error);
	browse_server_put_back(opening->server, opening->request);
	return NULL;
}

/* ---- what is opened */

static struct BrowseOpening *opening_of_folder(const Info *info)
{
	struct BrowseOpening *opening = g_new0(struct BrowseOpening, 1);
	opening->path = g_path_get_dirname(info->path);
	opening->mime = g_strdup("inode/directory");
	return opening;
}

/* NULL with error. */
static struct BrowseOpening *opening_of_entry(
        BrowseWorker *worker, const Info *info, GError **error)
{
	const BrowseRequest *request = worker->request;
	const LastHit hit = {.path = info->path, .member = info->member};
	const char *words = browse_field(request, "q");
	char *path = open_hit_path(worker->cli, &hit, error);
	if (!path)
		return NULL;
	struct BrowseOpening *opening = g_new0(struct BrowseOpening, 1);
	opening->path = path;
	opening->mime = g_strdup(info->mime);
	opening->place = (ViewerPlace){browse_number(request, "page", 0, PLACES),
	        browse_number(request, "line", 0, PLACES)};
	opening->key = *words ? choices_key(words) : NULL;
	opening->chosen = g_strdup(info->path);
	opening->member = g_strdup(info->member);
	return opening;
}

/* Takes ownership of the opening. */
static bool opening_start(BrowseWorker *worker, struct BrowseOpening *opening, GError **error)
{
	opening->server = worker->server;
	opening->request = worker->request;
	opening->starter = worker->cli->starter;
	opening->thread = g_thread_try_new("opening", opening_run, opening, error);
	if (!opening->thread) {
		opening_free(opening);
		return false;
	}
	worker->request->opening = opening;
	worker->n_away++;
	return true;
}

void browse_open(BrowseWorker *worker)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(Info) info = browse_target(worker);
	if (!info)
		return;
	if (!worker->can_open) {
		browse_fail(worker, MHD_HTTP_SERVICE_UNAVAILABLE,
		        _("Nothing can be opened: this program was not started in a desktop."));
		return;
	}
	bool folder = browse_has_field(worker->request, "folder") && !path_is_web(info->path);
	struct BrowseOpening *opening =
	        folder ? opening_of_folder(info) : opening_of_entry(worker, info, &error);
	if (!opening || !opening_start(worker, opening, &error))
		browse_fail(worker, MHD_HTTP_INTERNAL_SERVER_ERROR, error->message);
}

void browse_open_end(BrowseWorker *worker)
{
	struct BrowseOpening *opening = g_steal_pointer(&worker->request->opening);
	g_thread_join(opening->thread);
	worker->n_away--;
	if (opening->ok) {
		worker->request->status = MHD_HTTP_NO_CONTENT;
		if (opening->key)
			choices_note(worker->cli, opening->key, opening->chosen, opening->member);
	} else {
		browse_fail(worker, MHD_HTTP_INTERNAL_SERVER_ERROR, opening->error->message);
	}
	opening_free(opening);
}
