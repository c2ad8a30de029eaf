/* SPDX-License-Identifier: GPL-3.0-or-later */
/* maintenance.h - work on the index while there is nothing else to do
 *
 * After many changes the segments of the text index are merged, deleted rows are purged, and free
 * pages and the log are given back. This is done in slices; new hints are served between them.
 * After a few changes only memory is freed, so that the next change does not cost more.
 *
 * Once a day, and on request (compaction), every deleted row is purged, so that the words of
 * deleted documents leave the disk; and the stores of pages are compacted. A scrub empties the logs
 * as well, and drops every dead record of the stores. The daily purge waits while the machine runs
 * on battery. */
#pragma once
#include "daemon/engine/answer.h"
#include "index/write/writer.h"

typedef struct Maintenance Maintenance;

/* daily: purge once a day. root: prefix of /sys and /proc, "" for those of this machine, whose load
 * puts work off; not copied. */
Maintenance *maintenance_new(bool daily, const char *root);
void maintenance_free(Maintenance *maintenance);
/* Says what compacts the stores of pages, in slices (web_crawl_compact()). */
typedef bool (*MaintenanceStores)(
        void *data, bool all, bool *more_r, bool *whole_r, GError **error);
void maintenance_set_stores(Maintenance *maintenance, MaintenanceStores stores, void *data);
/* There is something for the next daily purge. */
void maintenance_note_dead(Maintenance *maintenance);
/* Plans the next daily purge after an index was opened: it is due a day after the last one,
 * whichever process made it. */
bool maintenance_plan(Maintenance *maintenance, Writer *writer, int64_t now_us, GError **error);

/* Notes that rows changed (changes 0: everything was compared without a change). bulk: it is a
 * first index, which is merged as soon as it is complete. */
void maintenance_note(Maintenance *maintenance, unsigned changes, bool bulk, int64_t now_us);
/* Begins to purge all deleted rows. scrub: no deleted word is left on the disk. reply: may be NULL;
 * n is 1, or 0 if a reader held a log for too long, or a store could not be compacted. */
void maintenance_compact(Maintenance *maintenance, bool scrub, EngineReply reply, void *data);

/* The step of a compaction that is being done or comes next: "stores", "purge", "merge", "learn",
 * "vacuum" or "logs", in this order; NULL: there is no compaction. */
const char *maintenance_compaction_step(const Maintenance *maintenance);

/* Is the maintenance due that follows many changes? */
bool maintenance_is_due(const Maintenance *maintenance, int64_t now_us);
/* Returns when there is something to do; INT64_MAX: never. */
int64_t maintenance_next_us(const Maintenance *maintenance);
/* Does a slice of work if there is any. *more_r: more can be done now. */
bool maintenance_run(
        Maintenance *maintenance, Writer *writer, int64_t now_us, bool *more_r, GError **error);
