/* SPDX-License-Identifier: GPL-3.0-or-later */
/* write-maintenance.c - work for idle times: merging segments of the text index, checkpoints */
#include <config.h>
#include "index/write/writer-private.h"

/* The next step reuses the pages that this one frees, so larger steps make a larger file. */
enum { MERGE_PAGES = 25 };

/* One step of merging; *moved_r: it wrote something. "merge" with a negative number starts to bring
 * all segments together on a deep level, and positive numbers continue (sqlite.org/fts5.html, "The
 * 'merge' Command"). */
static bool write_maintenance_merge(
        Writer *w, Statement id, int pages, bool *moved_r, GError **error)
{
	int64_t before = sqlite3_total_changes64(w->db);
	if (!statement_run(w, id, VALUES(INT(pages)), error))
		return false;
	*moved_r = sqlite3_total_changes64(w->db) - before >= 2;
	return true;
}

/* Merging all segments rewrites the whole index, so it is worth it only when a good part of it is
 * new. */
enum { MERGE_FRACTION = 2 };

static const struct {
	Statement merge, last;
	Total rows[2];
	const char *mark; /* meta key: the last row at the end of the last merge */
} indexes[N_MERGED] = {
        {TEXT_MERGE, TEXT_LAST, {TOTAL_TEXT_ROWS, TOTAL_TEXT_ROWS}, "text_merged"},
        {NAME_MERGE, NAME_LAST, {TOTAL_FILES, TOTAL_DIRECTORIES}, "names_merged"},
        {GRAM_MERGE, NAME_LAST, {TOTAL_FILES, TOTAL_DIRECTORIES}, "grams_merged"},
};

bool maintenance_make_merge_due(Writer *w, bool texts, GError **error)
{
	for (int i = texts ? 0 : MERGED_TEXT + 1; i < N_MERGED; i++)
		if (!statement_run(w, META_SET, VALUES(TEXT(indexes[i].mark), INT(0)), error))
			return false;
	return true;
}

static bool is_due(Writer *w, int i, int64_t last, bool *due_r, GError **error)
{
	int64_t merged, rows, more;
	if (!statement_int(w, META_GET, VALUES(TEXT(indexes[i].mark)), 0, &merged, error) ||
	        !writer_total(w, indexes[i].rows[0], &rows, error) ||
	        !writer_total(w, indexes[i].rows[1], &more, error))
		return false;
	if (indexes[i].rows[0] != indexes[i].rows[1])
		rows += more;
	*due_r = last > merged && (last - merged) * MERGE_FRACTION > rows;
	return true;
}

static bool merge_index(Writer *w, int i, bool *more_r, GError **error)
{
	int64_t last;
	bool due = true;
	if (!statement_int(w, indexes[i].last, NULL, 0, 0, &last, error) ||
	        (!w->merge_began[i] && !is_due(w, i, last, &due, error)))
		return false;
	if (!due)
		return true;
	if (!write_maintenance_merge(w, indexes[i].merge,
	            w->merge_began[i] ? MERGE_PAGES : -MERGE_PAGES, more_r, error))
		return false;
	w->merge_began[i] = *more_r;
	return *more_r ||
	       statement_run(w, META_SET, VALUES(TEXT(indexes[i].mark), INT(last)), error);
}

/* A step is a transaction of its own. While rows are purged, merging would start anew after each of
 * them. */
bool writer_merge_step(Writer *w, bool *more_r, GError **error)
{
	*more_r = false;
	if (!writer_commit(w, error))
		return false;
	if (w->purging)
		return true;
	for (int i = 0; i < N_MERGED; i++) {
		bool more = false;
		if (!merge_index(w, i, &more, error))
			return false;
		*more_r |= more;
	}
	return true;
}

/* Resetting the schema disconnects virtual tables. */
void writer_forget_tables(Writer *w)
{
	statements_finalize(w);
	sqlite3_exec(w->db, "PRAGMA writable_schema = RESET", NULL, NULL, NULL);
}

/* Frees what an idle writer does not need: pages, statements, the buffers of the last large
 * document, and FTS5's hash table of collected terms, which never shrinks (4 MB after a bulk load)
 * and is freed only with the virtual table. */
void writer_rest(Writer *w)
{
	if (w->in_transaction)
		return;
	terms_clear(&w->terms);
	terms_init(&w->terms);
	meaning_rest(w);
	writer_forget_tables(w);
	sqlite3_db_release_memory(w->db);
	if (w->cache)
		textcache_release_memory(w->cache);
}

/* It never waits for readers: what they still read stays in the WAL until the next checkpoint. */
bool writer_checkpoint(Writer *w, GError **error)
{
	if (!writer_commit(w, error))
		return false;
	statements_reset(w);
	int result = writer_empty_log(w);
	if (result != SQLITE_OK && result != SQLITE_BUSY && result != SQLITE_LOCKED)
		return writer_fail(w, error);
	w->log_pages = 0; /* if a reader kept it long, the next commit says so */
	writer_rest(w);
	return true;
}

bool writer_scrub_end(Writer *w, bool *done_r, GError **error)
{
	*done_r = false;
	if (!writer_commit(w, error))
		return false;
	statements_reset(w);
	int result = sqlite3_wal_checkpoint_v2(w->db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
	if (result != SQLITE_OK && result != SQLITE_BUSY && result != SQLITE_LOCKED)
		return writer_fail(w, error);
	*done_r = result == SQLITE_OK && (!w->cache || textcache_empty_log(w->cache));
	db_remove_damaged(w->index_dir);
	return true;
}

/* To give pages back, others are written once more, and what is saved next needs free pages. So it
 * begins when they are many, and then gives back all. */
static bool is_vacuum_due(Writer *w, bool *due_r, GError **error)
{
	enum { FREE_FRACTION = 4, MOST_FREE_PAGES = 8192 };
	int64_t free_pages, pages;
	if (!statement_int(w, FREE_PAGES, NULL, 0, 0, &free_pages, error) ||
	        !statement_int(w, ALL_PAGES, NULL, 0, 0, &pages, error))
		return false;
	*due_r =
	        w->bulk || w->vacuuming || free_pages > MIN(pages / FREE_FRACTION, MOST_FREE_PAGES);
	return true;
}

bool writer_vacuum_step(Writer *w, bool always, bool *more_r, GError **error)
{
	sqlite3_stmt *statement = NULL;
	int64_t free_pages;
	bool due = true;
	*more_r = false;
	if (!writer_commit(w, error) || (!always && !is_vacuum_due(w, &due, error)))
		return false;
	if (!due)
		return true;
	if (sqlite3_prepare_v2(w->db, "PRAGMA incremental_vacuum(400)", -1, &statement, NULL) !=
	        SQLITE_OK)
		return writer_fail(w, error);
	int result;
	while ((result = sqlite3_step(statement)) == SQLITE_ROW)
		;
	sqlite3_finalize(statement);
	if (result != SQLITE_DONE)
		return writer_fail(w, error);
	if (!statement_int(w, FREE_PAGES, NULL, 0, 0, &free_pages, error))
		return false;
	*more_r = w->vacuuming = free_pages > 0;
	return true;
}
