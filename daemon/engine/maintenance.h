/* SPDX-License-Identifier: GPL-3.0-or-later */
/* maintenance.h - work on the index while there is nothing else to do
 *
 * After many changes the segments of the text index are merged, deleted rows purged, pages and the
 * log given back, all in slices between which new hints are served. After a few changes only memory
 * is given back, so that the next change costs no more.
 *
 * Once a day, and on request (compaction), every deleted row is purged, so that the words of
 * deleted documents leave the disk; a scrub empties the logs as well. The daily purge waits while
 * the machine runs on a battery. */
#pragma once
#include "daemon/engine/answer.h"
#include "index/write/writer.h"

typedef struct Maintenance Maintenance;

/* daily: purge once a day. */
Maintenance *maintenance_new(bool daily);
void maintenance_free(Maintenance *maintenance);
/* An index was opened: the next daily purge is due a day after the last one, whoever made it. */
bool maintenance_plan(Maintenance *maintenance, Writer *writer, int64_t now_us, GError **error);

/* Rows were changed (0: everything was only compared). bulk: a first index, which is merged as soon
 * as it is complete. */
void maintenance_note(Maintenance *maintenance, unsigned changes, bool bulk, int64_t now_us);
/* From now on all deleted rows are purged. scrub: no word of what was deleted is left on the disk.
 * reply: may be NULL; n is 1, or 0 if a reader held a log for too long. */
void maintenance_compact(Maintenance *maintenance, bool scrub, EngineReply reply, void *data);

/* Is the work due that follows many changes? */
bool maintenance_is_due(const Maintenance *maintenance, int64_t now_us);
/* When there is something to do next; INT64_MAX: never. */
int64_t maintenance_next_us(const Maintenance *maintenance);
/* A slice of work, if there is some. *more_r: there is more to do now. */
bool maintenance_run(
        Maintenance *maintenance, Writer *writer, int64_t now_us, bool *more_r, GError **error);
