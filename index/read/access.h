/* SPDX-License-Identifier: GPL-3.0-or-later */
/* access.h - is an entry still there, and may the asking user read it? */
#pragma once
#include "index/store/entry-types.h"
#include <stdbool.h>
#include <stdint.h>

typedef enum { ENTRY_SEEN, ENTRY_GONE } EntryPresence;

/* Looks at the file system, following no link and triggering no automount. *stale_r: size or time
 * differ from stat. Gone is also what is of another kind now, and what uid may not read or reach.
 */
EntryPresence access_check(const char *path, const EntryStat *stat, uint32_t uid, bool *stale_r);
