/* SPDX-License-Identifier: GPL-3.0-or-later */
/* browse-answer.h - answers requests from the index, one after the other */
#pragma once
#include "ui-web/browse-worker.h"

/* Fills in the answer of a request. While browse_is_away() it has none yet, and
 * browse_server_next() will return it again. The process must be confined, and must have no reader
 * in a transaction. */
void browse_answer(BrowseWorker *worker, BrowseRequest *request);

/* A thread has the request, and will put it back. */
bool browse_is_away(const BrowseRequest *request);
