/* SPDX-License-Identifier: GPL-3.0-or-later */
/* access.h - does an entry still exist, and may the asking user read it? */
#pragma once
#include "index/store/entry-types.h"
#include <stdbool.h>
#include <stdint.h>

typedef enum { ENTRY_SEEN, ENTRY_GONE } EntryPresence;

/* Checks the file system without following a link or triggering an automount. An entry of another
 * kind, or one that uid may not read or reach, counts as gone. *stale_r: size or time differ from
 * stat. Documents of sites and feeds are on no file system: their owner alone may read them, in all
 * three functions. */
EntryPresence access_check(const char *path, const EntryStat *stat, uint32_t uid, bool *stale_r);
/* For counts and lists: may uid read and reach the entry? One system call, if uid is the process's
 * own; another kind of entry in its place is not noticed. */
bool access_allows(const char *path, EntryKind kind, uint32_t uid);
/* Is the entry there, and does its directory show its name to uid? The entry itself may be
 * closed. */
bool access_lists(const char *path, uint32_t uid);
