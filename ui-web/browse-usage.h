/* SPDX-License-Identifier: GPL-3.0-or-later */
/* browse-usage.h - disk use by directory and type, and the share of it that lies elsewhere too
 *
 * Fields: node (of the directory, as the index numbers it; none: all roots). */
#pragma once
#include "ui-web/browse-worker.h"

void browse_usage(BrowseWorker *worker);
