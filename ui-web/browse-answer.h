/* SPDX-License-Identifier: GPL-3.0-or-later */
/* browse-answer.h - answers requests from the index, one after the other */
#pragma once
#include "ui-cli/app/cli.h"
#include "ui-web/browse-server.h"

typedef struct {
	Cli *cli;
	BrowseRequest *request; /* in work */
	BrowseServer *server; /* borrowed */
	bool can_open; /* there is a desktop that shows what is opened */
	struct BrowsePictures *pictures; /* borrowed */
	unsigned n_away; /* requests that a thread has, and puts back */
	unsigned alive_s; /* how often the script of a page says that it is there */
} BrowseWorker;

/* Fills in the answer of a request. While browse_is_away() it has none yet, and
 * browse_server_next() will return it again. The process must be confined, and must have no reader
 * in a transaction. */
void browse_answer(BrowseWorker *worker, BrowseRequest *request);

/* A thread has the request, and will put it back. */
bool browse_is_away(const BrowseRequest *request);

/* ---- for those who answer */

/* A fresh reader, which stops when nobody waits for the request any more. NULL with error. */
Reader *browse_reader(BrowseWorker *worker, GError **error);
/* Has the page asked anew? */
bool browse_is_superseded(const BrowseWorker *worker);
/* Answers with a page, or with plain text where the script asked, that says what is wrong. */
void browse_fail(BrowseWorker *worker, unsigned status, const char *message);
/* As browse_fail() for an error of the index, or of a file. */
void browse_fail_error(BrowseWorker *worker, const GError *error);
