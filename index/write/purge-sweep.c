/* SPDX-License-Identifier: GPL-3.0-or-later */
/* purge-sweep.c - the purge in one pass over the text index (index/fts/fts-sweep.h)
 *
 * First the tombstones are collected, then the segments are swept, at last the rows of sizes are
 * removed, by which tombstones are known: an interrupted purge begins again and finds them all.
 * Documents that are deleted meanwhile are left to the next purge. Each step is a transaction. */
#include <config.h>
#include "index/write/writer-private.h"
#include "index/fts/fts-sweep.h"
#include "common/base/i18n.h"

enum {
	COLLECT_IDS = 10000, /* ids that a step looks at: about 10 ms */
	SIZE_ROWS = 5000, /* rows of sizes that a step removes */
};

struct PurgeSweep {
	FtsTombstones *tombstones;
	FtsSweep *sweep; /* NULL: tombstones are being collected */
	int64_t collected, last; /* the last id that was looked at, and the greatest one */
	bool swept; /* all segments are done */
	int64_t sized; /* the last row of sizes that was removed */
};

void purge_sweep_free(PurgeSweep *sweep)
{
	if (!sweep)
		return;
	fts_sweep_free(sweep->sweep);
	fts_tombstones_free(sweep->tombstones);
	g_free(sweep);
}

PurgeSweep *purge_sweep_new(Writer *w, GError **error)
{
	int64_t last;
	if (!statement_int(w, TEXT_LAST, NULL, 0, 0, &last, error))
		return NULL;
	PurgeSweep *sweep = g_new0(PurgeSweep, 1);
	sweep->tombstones = fts_tombstones_new();
	sweep->last = MIN(last, FTS_TOMBSTONES_MAX);
	return sweep;
}

static bool collect_step(Writer *w, PurgeSweep *sweep, GError **error)
{
	int64_t end = MIN(sweep->collected + COLLECT_IDS, sweep->last);
	g_autoptr(GArray) ids = statement_ints(
	        w, TEXT_TOMBSTONES_BETWEEN, VALUES(INT(sweep->collected), INT(end)), error);
	if (!ids)
		return false;
	for (guint i = 0; i < ids->len; i++)
		fts_tombstones_add(sweep->tombstones, g_array_index(ids, int64_t, i));
	sweep->collected = end;
	if (end == sweep->last)
		sweep->sweep = fts_sweep_new(w->db, "text", sweep->tombstones);
	return true;
}

static bool sizes_step(Writer *w, PurgeSweep *sweep, FtsSweepResult *result_r)
{
	unsigned n;
	*result_r = fts_sweep_sizes(
	        w->db, "text", sweep->tombstones, N_COLUMNS, SIZE_ROWS, &sweep->sized, &n);
	w->totals[TOTAL_TEXT_ROWS] -= n;
	return *result_r == FTS_SWEEP_MORE;
}

/* Reports an error of the pages. */
static bool sweep_fail(Writer *w, FtsSweepResult result, GError **error)
{
	if (result == FTS_SWEEP_FAILED)
		return writer_fail(w, error);
	return writer_fail_with(
	        w, INDEX_ERROR_DAMAGED, _("a page of the text index is damaged"), error);
}

/* The pages of FTS5's tables can be changed only here: SQLite protects them otherwise. */
static FtsSweepResult write_pages(Writer *w, PurgeSweep *sweep)
{
	FtsSweepResult result;
	sqlite3_db_config(w->db, SQLITE_DBCONFIG_DEFENSIVE, 0, NULL);
	if (sweep->swept) {
		sizes_step(w, sweep, &result);
	} else {
		result = fts_sweep_step(sweep->sweep);
		sweep->swept = result == FTS_SWEEP_DONE;
		if (sweep->swept)
			result = FTS_SWEEP_MORE;
	}
	sqlite3_db_config(w->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	return result;
}

PurgeSweepState purge_sweep_step(Writer *w, PurgeSweep *sweep, GError **error)
{
	if (!sweep->sweep)
		return collect_step(w, sweep, error) ? PURGE_SWEEP_MORE : PURGE_SWEEP_ERROR;
	if (!writer_change(w, error))
		return PURGE_SWEEP_ERROR;
	FtsSweepResult result = write_pages(w, sweep);
	if (result == FTS_SWEEP_DAMAGED || result == FTS_SWEEP_FAILED) {
		sweep_fail(w, result, error);
		return PURGE_SWEEP_ERROR;
	}
	if (!writer_commit(w, error))
		return PURGE_SWEEP_ERROR;
	writer_forget_tables(w);
	return result == FTS_SWEEP_OTHER_FORMAT ? PURGE_SWEEP_OTHER_FORMAT
	       : result == FTS_SWEEP_DONE       ? PURGE_SWEEP_DONE
	                                        : PURGE_SWEEP_MORE;
}
