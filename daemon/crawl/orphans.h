/* SPDX-License-Identifier: GPL-3.0-or-later */
/* orphans.h - rows whose name is gone, kept until it is clear that the inode does not turn up
 * elsewhere; and those of directories that are not covered any more, until all below is removed
 *
 * They are kept in the order in which their names disappeared, so that each of a million costs no
 * more than a single one. Only the engine uses them. */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct Orphans Orphans;

enum { ORPHAN_FIRST_US = 0 }; /* the time of a node that was put first */

Orphans *orphans_new(void);
void orphans_free(Orphans *orphans);
/* Adds a node. since_us: not earlier than that of the last one added; a node that is already there
 * starts anew. */
void orphans_put(Orphans *orphans, int64_t node, int64_t since_us);
/* Adds a node that nobody expects elsewhere, before all others; or puts it there. */
void orphans_put_first(Orphans *orphans, int64_t node);
void orphans_remove(Orphans *orphans, int64_t node);
void orphans_clear(Orphans *orphans);
bool orphans_has(const Orphans *orphans, int64_t node);
/* Returns the oldest orphan if its name disappeared at before_us or earlier. 0: there is none. */
int64_t orphans_oldest(const Orphans *orphans, int64_t before_us);
/* How many orphans have been removed since orphans_new(). */
uint64_t orphans_left(const Orphans *orphans);
/* Returns when the name of the oldest orphan disappeared; INT64_MAX: there is none. */
int64_t orphans_oldest_us(const Orphans *orphans);
