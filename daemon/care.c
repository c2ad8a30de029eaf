/* SPDX-License-Identifier: GPL-3.0-or-later */
/* care.c - tidying up when there is nothing else to do
 *
 * After a bulk of changes the segments of the text index are merged, dead rows purged, pages and
 * the log given back, all in slices between which new hints are served. After a few changes only
 * memory is given back: the next change should cost no more for it. */
#include <config.h>
#include "daemon/engine-private.h"
#include <malloc.h>

enum { BULK_ROWS = 2000, SOON_US = 1000 * 1000, LATER_US = 3000 * 1000 };

void care_note(Engine *engine, unsigned changes, int64_t now_us)
{
	engine->untidy += changes;
	engine->care_us = now_us + (engine->untidy >= BULK_ROWS ? SOON_US : LATER_US);
}

static bool tidy_index(Engine *engine, bool *more_r, GError **error)
{
	Writer *writer = engine->writer;
	if (!writer_merge_step(writer, more_r, error))
		return false;
	if (!*more_r && !writer_purge_step(writer, false, more_r, error))
		return false;
	if (!*more_r && !writer_vacuum_step(writer, more_r, error))
		return false;
	return *more_r || writer_checkpoint(writer, error);
}

bool care_run(Engine *engine, int64_t now_us, bool *more_r, GError **error)
{
	*more_r = false;
	if (now_us < engine->care_us)
		return true;
	if (engine->untidy >= BULK_ROWS && !tidy_index(engine, more_r, error))
		return false;
	if (*more_r)
		return true;
	engine->untidy = engine->untidy >= BULK_ROWS ? 0 : engine->untidy;
	engine->care_us = INT64_MAX;
	writer_rest(engine->writer);
	malloc_trim(0);
	return true;
}
