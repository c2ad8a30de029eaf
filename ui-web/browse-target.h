/* SPDX-License-Identifier: GPL-3.0-or-later */
/* browse-target.h - how the page names an entry: by the numbers that the index gives it
 *
 * "NODE-DOCUMENT", both decimal; the document is 0 if there is none. No path comes from the page,
 * so nothing but entries of the index can be asked for. */
#pragma once
#include "ui-web/browse-worker.h"

/* Appends it; it needs no escapes. */
void browse_target_append(GString *out, const Info *info);
/* The entry that the field "id" names, as it is now. NULL: the answer says that there is none, or
 * none that the user may read now, or what else is wrong. */
Info *browse_target(BrowseWorker *worker);
