/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-web/browse-worker.h"

bool browse_is_superseded(const BrowseWorker *worker)
{
	return g_atomic_int_get(&worker->request->superseded) != 0;
}

static bool answer_is_unwanted(void *data)
{
	return browse_is_superseded(data);
}

Reader *browse_reader(BrowseWorker *worker, GError **error)
{
	Reader *reader = cli_fresh_reader(worker->cli, error);
	/* the roots are read before a transaction begins */
	if (!reader || !cli_roots(worker->cli, error))
		return NULL;
	reader_set_stop(reader, answer_is_unwanted, worker);
	return reader;
}
