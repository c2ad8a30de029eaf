/* SPDX-License-Identifier: GPL-3.0-or-later */
/* browse-worker.h - the process that answers requests, and the request it works on */
#pragma once
#include "ui-cli/app/cli.h"
#include "ui-web/browse-server.h"

typedef struct {
	Cli *cli;
	BrowseRequest *request; /* in progress */
	BrowseServer *server; /* borrowed */
	bool can_open; /* there is a desktop that shows what is opened */
	struct BrowsePictures *pictures; /* borrowed */
	unsigned n_away; /* requests that a thread has, and puts back */
	unsigned alive_s; /* how often the script of a page says that it is there */
} BrowseWorker;

/* A fresh reader, which stops when nobody waits for the request any more. NULL with error. */
Reader *browse_reader(BrowseWorker *worker, GError **error);
/* Has the page asked anew? */
bool browse_is_superseded(const BrowseWorker *worker);
