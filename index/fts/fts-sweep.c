/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/fts/fts-sweep.h"
#include "index/fts/fts-page.h"
#include "index/fts/fts-structure.h"
#include "index/fts/fts-varint.h"
#include "index/fts/fts-writer.h"
#include <string.h>

enum { SLICE_PAGES = 64, STRUCTURE_ROW = 10 };

struct FtsSweep {
	sqlite3 *db;
	const char *table;
	const FtsTombstones *tombstones;
	size_t page_bytes; /* 0: not known yet */
	GArray *swept; /* of FtsSegment: they have no posting of a deleted document */
	/* As the last slice left them: the segment in progress, and the one that replaces it; id 0:
	 * none. */
	FtsSegment from, to;
};

/* The state of a slice. */
typedef struct {
	FtsSweep *sweep;
	FtsSegment from; /* the part of the segment that is left */
	FtsWriter *writer;
	sqlite3_stmt *read;
	FtsPage page;
	GByteArray *bytes; /* of the page */
	uint32_t number; /* of the page */
	int64_t document; /* of the last posting on the page */
	bool keeps; /* the last posting is kept */
	uint64_t left; /* bytes of its position list on later pages */
} SweepSlice;

FtsSweep *fts_sweep_new(sqlite3 *db, const char *table, const FtsTombstones *tombstones)
{
	FtsSweep *sweep = g_new0(FtsSweep, 1);
	sweep->db = db;
	sweep->table = table;
	sweep->tombstones = tombstones;
	sweep->swept = g_array_new(FALSE, FALSE, sizeof(FtsSegment));
	return sweep;
}

void fts_sweep_free(FtsSweep *sweep)
{
	if (!sweep)
		return;
	g_array_unref(sweep->swept);
	g_free(sweep);
}

static bool sweep_done(sqlite3_stmt *statement)
{
	int result = statement ? sqlite3_step(statement) : SQLITE_ERROR;
	return sqlite3_finalize(statement) == SQLITE_OK && result == SQLITE_DONE;
}

/* ---- rows of the table's own tables */

/* The bytes of a row of _data; NULL: there is none. */
static GByteArray *read_row(sqlite3 *db, const char *table, int64_t id)
{
	sqlite3_stmt *statement = fts_prepare(db, "SELECT block FROM %s_data WHERE id = ?1", table);
	GByteArray *bytes = NULL;
	sqlite3_bind_int64(statement, 1, id);
	if (statement && sqlite3_step(statement) == SQLITE_ROW) {
		bytes = g_byte_array_new();
		const uint8_t *block = sqlite3_column_blob(statement, 0);
		g_byte_array_append(bytes, block, block ? sqlite3_column_bytes(statement, 0) : 0);
	}
	sqlite3_finalize(statement);
	return bytes;
}

static bool write_row(sqlite3 *db, const char *table, int64_t id, const GByteArray *bytes)
{
	sqlite3_stmt *statement =
	        fts_prepare(db, "UPDATE %s_data SET block = ?2 WHERE id = ?1", table);
	sqlite3_bind_int64(statement, 1, id);
	sqlite3_bind_blob(statement, 2, bytes->data, (int)bytes->len, SQLITE_STATIC);
	return sweep_done(statement) && sqlite3_changes(db) == 1;
}

static int64_t page_row(uint32_t segment, uint32_t page)
{
	return ((int64_t)segment << FTS_SEGMENT_SHIFT) + page;
}

static bool delete_rows(sqlite3 *db, const char *table, int64_t from, int64_t end)
{
	sqlite3_stmt *statement =
	        fts_prepare(db, "DELETE FROM %s_data WHERE id >= ?1 AND id < ?2", table);
	sqlite3_bind_int64(statement, 1, from);
	sqlite3_bind_int64(statement, 2, end);
	return sweep_done(statement);
}

/* Removes a segment with its doclist indexes, which lie between its pages and the next segment. */
static bool delete_segment(sqlite3 *db, const char *table, uint32_t id)
{
	sqlite3_stmt *statement = fts_prepare(db, "DELETE FROM %s_idx WHERE segid = ?1", table);
	sqlite3_bind_int64(statement, 1, id);
	return sweep_done(statement) &&
	       delete_rows(db, table, page_row(id, 0), page_row(id + 1, 0));
}

/* Reads a number from the table's _config; -1: it has none. */
static int64_t read_setting(sqlite3 *db, const char *table, const char *name)
{
	sqlite3_stmt *statement = fts_prepare(db, "SELECT v FROM %s_config WHERE k = ?1", table);
	sqlite3_bind_text(statement, 1, name, -1, SQLITE_STATIC);
	int64_t value = statement && sqlite3_step(statement) == SQLITE_ROW
	                        ? sqlite3_column_int64(statement, 0)
	                        : -1;
	sqlite3_finalize(statement);
	return value;
}

/* ---- a slice */

static bool slice_open_page(SweepSlice *slice)
{
	sqlite3_bind_int64(slice->read, 1, page_row(slice->from.id, slice->number));
	bool found = slice->read && sqlite3_step(slice->read) == SQLITE_ROW;
	if (found) {
		const uint8_t *block = sqlite3_column_blob(slice->read, 0);
		g_byte_array_set_size(slice->bytes, 0);
		g_byte_array_append(
		        slice->bytes, block, block ? sqlite3_column_bytes(slice->read, 0) : 0);
	}
	sqlite3_reset(slice->read);
	slice->document = 0;
	return found && fts_page_open(&slice->page, slice->bytes->data, slice->bytes->len);
}

static bool slice_copy_positions(SweepSlice *slice)
{
	const FtsPage *page = &slice->page;
	slice->left = page->positions_left;
	return !slice->keeps || fts_writer_positions(slice->writer, page->bytes + page->positions,
	                                page->positions_end - page->positions);
}

/* Copies the postings of the last term that are on this page. */
static FtsSweepResult slice_copy_postings(SweepSlice *slice)
{
	FtsPage *page = &slice->page;
	int found;
	while ((found = fts_page_posting(page, &slice->document)) > 0) {
		slice->keeps = !fts_tombstones_has(slice->sweep->tombstones, slice->document);
		uint64_t size = page->positions_end - page->positions + page->positions_left;
		if (slice->keeps &&
		        !fts_writer_posting(slice->writer, slice->document, page->deleted, size))
			return FTS_SWEEP_FAILED;
		if (!slice_copy_positions(slice))
			return FTS_SWEEP_FAILED;
	}
	return found < 0 ? FTS_SWEEP_DAMAGED : FTS_SWEEP_MORE;
}

/* The part of the page before its first term: the rest of a list that began before. */
static FtsSweepResult slice_copy_rest(SweepSlice *slice)
{
	if (slice->left > 0) {
		fts_page_continue(&slice->page, slice->left);
		if (!slice_copy_positions(slice))
			return FTS_SWEEP_FAILED;
		if (slice->left > 0 && (fts_page_has_terms(&slice->page) ||
		                               slice->page.postings < slice->page.end))
			return FTS_SWEEP_DAMAGED;
	}
	return slice_copy_postings(slice);
}

/* Copies a page. *cut_r: it was left at a term, because the slice is large enough. */
static FtsSweepResult slice_copy_page(SweepSlice *slice, bool *cut_r)
{
	bool is_large = slice->number - slice->from.first >= SLICE_PAGES;
	if (!slice_open_page(slice))
		return FTS_SWEEP_DAMAGED;
	FtsSweepResult result = slice_copy_rest(slice);
	int found = 1;
	while (result == FTS_SWEEP_MORE && (found = fts_page_next(&slice->page)) > 0) {
		if (slice->left > 0)
			return FTS_SWEEP_DAMAGED;
		*cut_r = is_large;
		if (is_large)
			return FTS_SWEEP_MORE;
		slice->document = 0;
		fts_writer_term(slice->writer, slice->page.term, slice->page.term_length);
		result = slice_copy_postings(slice);
	}
	return found < 0 ? FTS_SWEEP_DAMAGED : result;
}

/* Writes the segment's first page anew, from the term that was read last, and drops those before.
 */
static bool slice_cut(SweepSlice *slice)
{
	FtsSweep *sweep = slice->sweep;
	g_autoptr(GByteArray) page = g_byte_array_new();
	fts_page_cut(&slice->page, page);
	return write_row(sweep->db, sweep->table, page_row(slice->from.id, slice->number), page) &&
	       delete_rows(sweep->db, sweep->table, page_row(slice->from.id, 1),
	               page_row(slice->from.id, slice->number));
}

/* Copies pages until the slice is large enough or the segment ends. A segment that FTS5 has merged
 * into another one, but not yet removed, has first page 0. */
static FtsSweepResult slice_copy(SweepSlice *slice, bool *cut_r)
{
	FtsSweepResult result = FTS_SWEEP_MORE;
	if (slice->from.first == 0)
		return FTS_SWEEP_MORE;
	for (slice->number = slice->from.first;
	        result == FTS_SWEEP_MORE && slice->number <= slice->from.last; slice->number++) {
		result = slice_copy_page(slice, cut_r);
		if (*cut_r)
			break;
	}
	if (result == FTS_SWEEP_MORE && !*cut_r && slice->left > 0)
		return FTS_SWEEP_DAMAGED;
	if (result == FTS_SWEEP_MORE && !fts_writer_flush(slice->writer))
		return FTS_SWEEP_FAILED;
	return result;
}

/* ---- the structure */

static FtsLevel *structure_level(const FtsStructure *structure, guint level)
{
	return &g_array_index(structure->levels, FtsLevel, level);
}

static void structure_insert(
        FtsStructure *structure, guint level, guint place, const FtsSegment *segment)
{
	FtsLevel *into = structure_level(structure, level);
	g_array_insert_val(into->segments, place, *segment);
	into->merging += place < into->merging;
}

/* Removes a segment. If FTS5 was merging the level before into it, and nothing replaces it, that
 * merge is over. */
static void structure_remove(FtsStructure *structure, uint32_t id, bool replaced)
{
	guint level, place;
	if (!fts_structure_find(structure, id, &level, &place))
		return;
	FtsLevel *from = structure_level(structure, level);
	if (level > 0 && !replaced && place + 1 == from->segments->len)
		structure_level(structure, level - 1)->merging = 0;
	g_array_remove_index(from->segments, place);
	from->merging -= place < from->merging;
}

/* Puts the new segment, if it has pages, right before the one in progress, and takes the moved
 * pages from that. */
static void structure_advance(
        FtsSweep *sweep, FtsStructure *structure, const SweepSlice *slice, bool cut)
{
	guint level, place;
	const FtsSegment to = {sweep->to.id, 1, fts_writer_last_page(slice->writer)};
	if (to.last > 0 && fts_structure_find(structure, to.id, &level, &place))
		*fts_structure_segment(structure, level, place) = to;
	else if (to.last > 0 && fts_structure_find(structure, slice->from.id, &level, &place))
		structure_insert(structure, level, place, &to);
	structure->writes += fts_writer_pages(slice->writer);
	if (cut) {
		fts_structure_find(structure, slice->from.id, &level, &place);
		fts_structure_segment(structure, level, place)->first = slice->number;
		sweep->from.first = slice->number;
		sweep->to = to;
		return;
	}
	structure_remove(structure, slice->from.id, to.last > 0);
	sweep->from = sweep->to = (FtsSegment){0};
	if (to.last > 0)
		g_array_append_val(sweep->swept, to);
}

static bool is_same_segment(const FtsSegment *a, const FtsSegment *b)
{
	return a->id == b->id && a->first == b->first && a->last == b->last;
}

static bool is_swept(const FtsSweep *sweep, const FtsSegment *segment)
{
	for (guint i = 0; i < sweep->swept->len; i++)
		if (is_same_segment(&g_array_index(sweep->swept, FtsSegment, i), segment))
			return true;
	return false;
}

/* Finds the oldest segment that is not swept. False: there is none. */
static bool find_unswept(
        const FtsSweep *sweep, const FtsStructure *structure, FtsSegment *segment_r)
{
	for (guint i = structure->levels->len; i-- > 0;) {
		const FtsLevel *level = structure_level(structure, i);
		for (guint j = 0; j < level->segments->len; j++) {
			*segment_r = g_array_index(level->segments, FtsSegment, j);
			if (!is_swept(sweep, segment_r))
				return true;
		}
	}
	return false;
}

static bool has_segment(const FtsStructure *structure, const FtsSegment *segment)
{
	guint level, place;
	return segment->id > 0 && fts_structure_find(structure, segment->id, &level, &place) &&
	       is_same_segment(fts_structure_segment(structure, level, place), segment);
}

/* Goes on with the segment in progress if FTS5 has left it alone, else begins the next one. False:
 * there is none. */
static bool choose_segment(FtsSweep *sweep, const FtsStructure *structure)
{
	bool goes_on = has_segment(structure, &sweep->from) &&
	               (sweep->to.last == 0 || has_segment(structure, &sweep->to));
	if (!goes_on && !find_unswept(sweep, structure, &sweep->from))
		return false;
	if (!goes_on || sweep->to.last == 0)
		sweep->to = (FtsSegment){.id = fts_structure_free_id(structure)};
	return true;
}

static FtsSweepResult sweep_slice(FtsSweep *sweep, FtsStructure *structure)
{
	g_autoptr(FtsWriter) writer = fts_writer_new(
	        sweep->db, sweep->table, sweep->to.id, sweep->to.last + 1, sweep->page_bytes);
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	g_autofree SweepSlice *slice = g_new0(SweepSlice, 1);
	bool cut = false;
	slice->sweep = sweep;
	slice->from = sweep->from;
	slice->writer = writer;
	slice->bytes = bytes;
	slice->read =
	        fts_prepare(sweep->db, "SELECT block FROM %s_data WHERE id = ?1", sweep->table);
	FtsSweepResult result = slice_copy(slice, &cut);
	sqlite3_finalize(slice->read);
	if (result != FTS_SWEEP_MORE)
		return result;
	if (cut ? !slice_cut(slice) : !delete_segment(sweep->db, sweep->table, slice->from.id))
		return FTS_SWEEP_FAILED;
	structure_advance(sweep, structure, slice, cut);
	g_autoptr(GByteArray) record = fts_structure_write(structure);
	return write_row(sweep->db, sweep->table, STRUCTURE_ROW, record) ? FTS_SWEEP_MORE
	                                                                 : FTS_SWEEP_FAILED;
}

FtsSweepResult fts_sweep_step(FtsSweep *sweep)
{
	g_autoptr(GByteArray) record = read_row(sweep->db, sweep->table, STRUCTURE_ROW);
	g_autoptr(FtsStructure) structure =
	        record ? fts_structure_parse(record->data, record->len) : NULL;
	if (sweep->page_bytes == 0)
		sweep->page_bytes = MAX(read_setting(sweep->db, sweep->table, "pgsz"), 0);
	if (!structure || sweep->page_bytes < 32 || sweep->page_bytes > (32 << 10) ||
	        read_setting(sweep->db, sweep->table, "version") != FTS_VERSION)
		return FTS_SWEEP_OTHER_FORMAT;
	if (!choose_segment(sweep, structure))
		return FTS_SWEEP_DONE;
	return sweep->to.id == 0 ? FTS_SWEEP_OTHER_FORMAT : sweep_slice(sweep, structure);
}
