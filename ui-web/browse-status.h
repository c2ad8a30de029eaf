/* SPDX-License-Identifier: GPL-3.0-or-later */
/* browse-status.h - what "tarsier status" says: problems, how far the index is, what is watched */
#pragma once
#include "ui-web/browse-worker.h"

void browse_status(BrowseWorker *worker);
