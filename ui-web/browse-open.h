/* SPDX-License-Identifier: GPL-3.0-or-later */
/* browse-open.h - opens an entry in the user's viewer, or its directory in the file manager
 *
 * Fields: id (browse-target.h), page, line, q (the query that found it), folder. */
#pragma once
#include "ui-web/browse-answer.h"

void browse_open(BrowseWorker *worker);
