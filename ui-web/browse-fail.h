/* SPDX-License-Identifier: GPL-3.0-or-later */
/* browse-fail.h - the answer to a request that failed */
#pragma once
#include "ui-web/browse-worker.h"

/* Answers with a page, or with plain text where the script asked, that says what is wrong. */
void browse_fail(BrowseWorker *worker, unsigned status, const char *message);
/* As browse_fail() for an error of the index, or of a file. */
void browse_fail_error(BrowseWorker *worker, const GError *error);
