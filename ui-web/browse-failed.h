/* SPDX-License-Identifier: GPL-3.0-or-later */
/* browse-failed.h - documents that could not be read, or only in part, by reason
 *
 * Fields: reason (its name in OUTPUT.md: more of this one alone). */
#pragma once
#include "ui-web/browse-worker.h"

void browse_failed(BrowseWorker *worker);
