/* SPDX-License-Identifier: GPL-3.0-or-later */
/* purge.c - removes the rows of deleted documents (tombstones) from the text index
 *
 * Where the format of FTS5's pages is known, purge-sweep.c does it. The rest of this file works for
 * any: the terms of a document are not stored, but the tombstones are known: rows of the text index
 * without a document. One walk over the whole vocabulary, in slices, collects their terms, which
 * are then given to FTS5's 'delete'. A run takes as many tombstones as their terms fit into memory,
 * and the next run continues. Documents added meanwhile are never part of a run.
 *
 * A tombstone with many terms is deleted in parts. Each but the last one takes some of its terms,
 * and adds the row again with a TERMS_FILLER in each column, so that it stays a tombstone and
 * FTS5's totals stay right: the next walk finds what is left, whatever happens in between.
 */
#include <config.h>
#include "index/fts/fts-sweep.h"
#include "index/store/db-exec.h"
#include "index/write/writer-private.h"
#include <string.h>

enum {
	PURGE_MIN_ROWS = 200, /* fewer tombstones are not worth the walk */
	PURGE_PERCENT = 20,
	ABANDONED_IDS = 10000, /* contents that a step looks at: about 10 ms */
	RUN_ROWS = 5000,
	RUN_BYTES = 16 << 20, /* of terms */
	SLICE_INSTANCES = 50000, /* a slice of the walk: 8 ms, and 40 ms if all are of tombstones;
	                            more for a very common word, which cannot be split */
	/* a slice of deletion, which is one transaction */
	SLICE_ROWS = 200,
	SLICE_BYTES = 96 << 10 /* of terms; of a row with more, a part is a slice */
};

/* The walk begins here: a document in pieces has a filler at most of its positions, and every part
 * takes the fillers from its row. */
#define AFTER_FILLER "\x1e"

typedef struct {
	int64_t id;
	uint32_t tokens[N_COLUMNS]; /* as FTS5 counts them */
	GByteArray *terms[N_COLUMNS]; /* a stream of distinct terms without TERMS_FILLER; NULL:
	                                 there are none */
} Tombstone;

struct Purge {
	GArray *rows; /* of Tombstone, in ascending order */
	size_t bytes; /* of their terms */
	char *term; /* where the walk continues; NULL: it is done */
	guint deleted; /* number of rows deleted */
	int column; /* of the next row these columns are gone, and so many bytes of the next one */
	guint at;
	Terms left, gone; /* what a part leaves of a row, and what it takes */
};

static void tombstone_clear(gpointer item)
{
	Tombstone *row = item;
	for (int i = 0; i < N_COLUMNS; i++)
		if (row->terms[i])
			g_byte_array_unref(row->terms[i]);
}

void purge_free(Purge *purge)
{
	if (!purge)
		return;
	g_array_unref(purge->rows);
	terms_clear(&purge->left);
	terms_clear(&purge->gone);
	g_free(purge->term);
	g_free(purge);
}

/* Returns the oldest tombstones, as many as a run may take. Where the size of one is unknown, too
 * few tokens are taken from the sums by which FTS5 ranks. */
static GArray *find_tombstones(Writer *w, GError **error)
{
	sqlite3_stmt *statement = statement_bind(w, TEXT_TOMBSTONES, VALUES(INT(0)), error);
	int result = SQLITE_DONE;
	if (!statement)
		return NULL;
	g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(Tombstone));
	g_array_set_clear_func(rows, tombstone_clear);
	while (rows->len < RUN_ROWS && (result = sqlite3_step(statement)) == SQLITE_ROW) {
		Tombstone tombstone = {.id = sqlite3_column_int64(statement, 0)};
		fts_size_of_row(w->db, "text", tombstone.id, N_COLUMNS, tombstone.tokens);
		g_array_append_val(rows, tombstone);
	}
	if (result != SQLITE_DONE && result != SQLITE_ROW) {
		writer_fail(w, error);
		return NULL;
	}
	sqlite3_reset(statement);
	return g_steal_pointer(&rows);
}

static Tombstone *find_row(GArray *rows, int64_t id)
{
	guint low = 0, high = rows->len;
	while (low < high) {
		guint middle = (low + high) / 2;
		Tombstone *row = &g_array_index(rows, Tombstone, middle);
		if (row->id == id)
			return row;
		if (row->id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

/* Adds a term once to a column; occurrences of one term and row come in the order of columns.
 * Returns how many bytes were added. */
static size_t purge_add_term(Tombstone *row, int column, const char *term, int length)
{
	uint8_t size = length;
	if (column < 0 || length < 1 || length > 255)
		return 0;
	if (!row->terms[column])
		row->terms[column] = g_byte_array_new();
	GByteArray *terms = row->terms[column];
	if (terms->len > (guint)length && terms->data[terms->len - length - 1] == size &&
	        memcmp(terms->data + terms->len - length, term, length) == 0)
		return 0;
	g_byte_array_append(terms, &size, 1);
	g_byte_array_append(terms, (const uint8_t *)term, length);
	return 1 + length;
}

static size_t purge_row_bytes(const Tombstone *row)
{
	size_t bytes = 0;
	for (int i = 0; i < N_COLUMNS; i++)
		bytes += row->terms[i] ? row->terms[i]->len : 0;
	return bytes;
}

/* Leaves the newest rows of the run to the next one if the terms take too much memory. */
static void purge_limit_memory(Purge *purge)
{
	while (purge->bytes > RUN_BYTES && purge->rows->len > 1) {
		guint last = purge->rows->len - 1;
		purge->bytes -= purge_row_bytes(&g_array_index(purge->rows, Tombstone, last));
		g_array_set_size(purge->rows, last);
	}
}

/* Walks on from purge->term; stops at the first new term after enough instances. */
static bool walk_slice(Writer *w, Purge *purge, GError **error)
{
	sqlite3_stmt *row = statement_bind(w, TEXT_TERMS, VALUES(TEXT(purge->term)), error);
	g_autoptr(GString) current = g_string_new(NULL);
	int result = SQLITE_DONE;

	if (!row)
		return false;
	for (unsigned n = 0; (result = sqlite3_step(row)) == SQLITE_ROW; n++) {
		const char *term = (const char *)sqlite3_column_text(row, 0);
		int length = sqlite3_column_bytes(row, 0);
		if ((size_t)length != current->len || memcmp(term, current->str, length) != 0) {
			g_string_truncate(current, 0);
			g_string_append_len(current, term, length);
			if (n >= SLICE_INSTANCES)
				break;
		}
		Tombstone *tombstone = find_row(purge->rows, sqlite3_column_int64(row, 1));
		if (!tombstone)
			continue;
		purge->bytes += purge_add_term(tombstone,
		        column_of_name((const char *)sqlite3_column_text(row, 2)), term, length);
		purge_limit_memory(purge);
	}
	if (result != SQLITE_ROW && result != SQLITE_DONE)
		return writer_fail(w, error);
	sqlite3_reset(row);
	g_autofree char *before = purge->term;
	purge->term = result == SQLITE_ROW ? g_strdup(current->str) : NULL;
	if (purge->term && strcmp(purge->term, before) <= 0)
		return writer_fail_with(
		        w, INDEX_ERROR_DAMAGED, _("the index terms are not sorted"), error);
	return true;
}

static uint32_t purge_tokens(const Tombstone *row, int column)
{
	return MAX(row->tokens[column], row->terms[column] != NULL);
}

/* Adds the next terms of the row to what is taken from it, as many as fit into a slice that has so
 * many bytes already. Returns how many it has then. */
static size_t purge_take_terms(Purge *purge, const Tombstone *row, size_t bytes)
{
	for (; purge->column < N_COLUMNS; purge->column++, purge->at = 0) {
		const GByteArray *terms = row->terms[purge->column];
		GByteArray *gone = purge->gone.columns[purge->column];
		while (terms && purge->at < terms->len) {
			if (bytes >= SLICE_BYTES)
				return bytes;
			guint size = 1 + terms->data[purge->at];
			g_byte_array_append(gone, terms->data + purge->at, size);
			purge->at += size;
			bytes += size;
		}
	}
	return bytes;
}

/* Makes what is left of a row a filler in each of its columns. */
static void purge_leave_fillers(Purge *purge, const Tombstone *row)
{
	const uint8_t filler[] = {1, *TERMS_FILLER};
	for (int i = 0; i < N_COLUMNS; i++) {
		g_byte_array_set_size(purge->left.columns[i], 0);
		if (purge_tokens(row, i) > 0)
			g_byte_array_append(purge->left.columns[i], filler, sizeof filler);
	}
}

/* After the first part a row has one token in each of its columns. */
static void purge_begin_part(Purge *purge, const Tombstone *row)
{
	bool first = purge->column == 0 && purge->at == 0;
	for (int i = 0; i < N_COLUMNS; i++)
		purge->left.tokens[i] = first ? purge_tokens(row, i) : purge_tokens(row, i) > 0;
	terms_unslice(&purge->left, &purge->gone);
}

/* Deletes the rest of a row, or as much of it as fits into the slice. *done_r: all of it. */
static bool delete_part(
        Writer *w, Purge *purge, const Tombstone *row, size_t *bytes, bool *done_r, GError **error)
{
	purge_begin_part(purge, row);
	*bytes = purge_take_terms(purge, row, *bytes);
	*done_r = purge->column == N_COLUMNS;
	if (!content_write_text(w, TEXT_DELETE, row->id, &purge->gone, error))
		return false;
	if (!*done_r) {
		purge_leave_fillers(purge, row);
		return content_write_text(w, TEXT_ADD, row->id, &purge->left, error);
	}
	purge->column = 0;
	w->totals[TOTAL_TEXT_ROWS]--;
	return true;
}

static bool delete_slice(Writer *w, Purge *purge, GError **error)
{
	guint end = MIN(purge->deleted + SLICE_ROWS, purge->rows->len), next = purge->deleted;
	size_t bytes = 0;
	bool done = true;
	if (!writer_change(w, error))
		return false;
	while (done && next < end && bytes < SLICE_BYTES) {
		const Tombstone *row = &g_array_index(purge->rows, Tombstone, next);
		if (!delete_part(w, purge, row, &bytes, &done, error))
			return false;
		next += done;
	}
	if (!writer_commit(w, error))
		return false;
	purge->deleted = next;
	return true;
}

/* Removes contents without a file: their conversion was finished but never linked, or never
 * finished. A step looks at the next ids. */
static bool remove_abandoned(Writer *w, bool *more_r, GError **error)
{
	int64_t last, end = w->abandoned_to + ABANDONED_IDS;
	if (!content_remove_lost(w, error) ||
	        !statement_int(w, CONTENT_LAST, NULL, 0, 0, &last, error))
		return false;
	g_autoptr(GArray) contents =
	        statement_ints(w, CONTENT_ABANDONED, VALUES(INT(w->abandoned_to), INT(end)), error);
	if (!contents)
		return false;
	for (guint i = 0; i < contents->len; i++)
		if (!writer_change(w, error) ||
		        !content_release(w, g_array_index(contents, int64_t, i), error))
			return false;
	*more_r = end < last;
	w->abandoned_to = *more_r ? end : 0;
	return writer_commit(w, error);
}

static bool is_worth_it(Writer *w, bool always, bool *worth_r, GError **error)
{
	int64_t rows, live;
	if (!writer_total(w, TOTAL_TEXT_ROWS, &rows, error) ||
	        !writer_total(w, TOTAL_LIVE_ROWS, &live, error))
		return false;
	int64_t tombstones = rows - live;
	*worth_r = always ? tombstones > 0
	                  : tombstones >= PURGE_MIN_ROWS && tombstones * 100 > rows * PURGE_PERCENT;
	return true;
}

static bool begin_run(Writer *w, GError **error)
{
	static const char vocabulary[] = "CREATE VIRTUAL TABLE IF NOT EXISTS temp.text_terms "
	                                 "USING fts5vocab(main, text, instance)";
	if (!db_exec(w->db, vocabulary, NULL))
		return writer_fail(w, error);
	GArray *rows = find_tombstones(w, error);
	if (!rows)
		return false;
	w->purge = g_new0(Purge, 1);
	w->purge->rows = rows;
	w->purge->term = g_strdup(AFTER_FILLER);
	terms_init(&w->purge->left);
	terms_init(&w->purge->gone);
	return true;
}

static bool purge_run_step(Writer *w, bool *more_r, GError **error)
{
	Purge *run = w->purge;
	if (run->term ? !walk_slice(w, run, error) : !delete_slice(w, run, error)) {
		g_clear_pointer(&w->purge, purge_free);
		return false;
	}
	*more_r = run->rows->len > 0;
	if (run->deleted == run->rows->len)
		g_clear_pointer(&w->purge, purge_free);
	return true;
}

static bool sweep_step(Writer *w, bool *more_r, GError **error)
{
	PurgeSweepState state = purge_sweep_step(w, w->sweep, error);
	*more_r = state == PURGE_SWEEP_MORE || state == PURGE_SWEEP_OTHER_FORMAT;
	w->sweep_refused = state == PURGE_SWEEP_OTHER_FORMAT;
	if (state != PURGE_SWEEP_MORE)
		g_clear_pointer(&w->sweep, purge_sweep_free);
	if (state == PURGE_SWEEP_ERROR)
		w->purging = false; /* the next step begins anew */
	return state != PURGE_SWEEP_ERROR;
}

/* Words of deleted names, and of rows that were purged by 'delete', are gone only when the index
 * was merged. */
static bool purge_finish(Writer *w, bool always, GError **error)
{
	bool texts = w->purging && w->sweep_refused;
	w->purging = false;
	return (!texts && !always) ||
	       (writer_change(w, error) && maintenance_make_merge_due(w, texts, error) &&
	               writer_commit(w, error));
}

static bool begin_purge(Writer *w, GError **error)
{
	w->purging = true;
	if (w->sweep_refused)
		return begin_run(w, error);
	w->sweep = purge_sweep_new(w, error);
	return w->sweep != NULL;
}

bool writer_purge_step(Writer *w, bool always, bool *more_r, GError **error)
{
	bool worth = true;
	*more_r = false;
	if (!writer_commit(w, error))
		return false;
	if (w->sweep && !sweep_step(w, more_r, error))
		return false;
	if (w->purge && !purge_run_step(w, more_r, error))
		return false;
	if (w->sweep || w->purge)
		return true;
	if (w->purging && !w->sweep_refused) /* what was deleted meanwhile waits for the next one */
		return purge_finish(w, always, error);
	if (!remove_abandoned(w, more_r, error))
		return false;
	if (*more_r)
		return true;
	if (!is_worth_it(w, always || w->purging, &worth, error))
		return false;
	if (!worth)
		return purge_finish(w, always, error);
	*more_r = true;
	return begin_purge(w, error);
}
