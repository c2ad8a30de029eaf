/* SPDX-License-Identifier: GPL-3.0-or-later */
/* browse-open.h - opens an entry in the user's viewer, or its directory in the file manager
 *
 * Fields: id (browse-target.h), page, line, q (the query that found it), folder.
 *
 * A viewer may take seconds until it is known to run. A thread waits for it and puts the request
 * back (browse_server_put_back()); then the main thread answers it. */
#pragma once
#include "ui-web/browse-worker.h"

/* Opens the entry that the request names, or its directory. Sets request->opening if a viewer is
 * being started; else the request has been answered. */
void browse_open(BrowseWorker *worker);
/* Answers a request that was put back. */
void browse_open_end(BrowseWorker *worker);
