/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fts-sizes.c - the sizes of documents that FTS5 keeps for their ranks: a row of _docsize has the
 * tokens of each column as varints, and row 1 of _data the number of documents and the sums */
#include <config.h>
#include "index/fts/fts-sweep.h"
#include "index/fts/fts-varint.h"
#include "index/fts/fts-writer.h"
#include <string.h>

enum { MAX_COLUMNS = 64 };

typedef struct {
	sqlite3 *db;
	const char *table;
	unsigned columns;
	uint64_t sums[1 + MAX_COLUMNS]; /* documents, then tokens of each column */
} Sizes;

static bool read_numbers(sqlite3_stmt *row, uint64_t *numbers, unsigned n)
{
	const uint8_t *bytes = sqlite3_column_blob(row, 0);
	size_t at = 0, length = sqlite3_column_bytes(row, 0);
	for (unsigned i = 0; i < n; i++)
		if (!bytes || !fts_varint_read(bytes, length, &at, &numbers[i]))
			return false;
	return true;
}

bool fts_size_of_row(
        sqlite3 *db, const char *table, int64_t row, unsigned columns, uint32_t *tokens)
{
	const Sizes sizes = {.db = db, .table = table};
	uint64_t numbers[MAX_COLUMNS];
	g_assert(columns <= MAX_COLUMNS);
	sqlite3_stmt *find =
	        fts_prepare(sizes.db, "SELECT sz FROM %s_docsize WHERE id = ?1", sizes.table);
	sqlite3_bind_int64(find, 1, row);
	bool known =
	        find && sqlite3_step(find) == SQLITE_ROW && read_numbers(find, numbers, columns);
	sqlite3_finalize(find);
	for (unsigned i = 0; known && i < columns; i++)
		tokens[i] = MIN(numbers[i], INT32_MAX);
	return known;
}

static FtsSweepResult sums_read(Sizes *sizes)
{
	sqlite3_stmt *row =
	        fts_prepare(sizes->db, "SELECT block FROM %s_data WHERE id = 1", sizes->table);
	int result = row ? sqlite3_step(row) : SQLITE_ERROR;
	bool good = result == SQLITE_ROW && read_numbers(row, sizes->sums, 1 + sizes->columns);
	sqlite3_finalize(row);
	if (result != SQLITE_ROW && result != SQLITE_DONE)
		return FTS_SWEEP_FAILED;
	return good ? FTS_SWEEP_MORE : FTS_SWEEP_DAMAGED;
}

static FtsSweepResult sums_write(const Sizes *sizes)
{
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	for (unsigned i = 0; i <= sizes->columns; i++)
		fts_varint_append(bytes, sizes->sums[i]);
	sqlite3_stmt *update =
	        fts_prepare(sizes->db, "UPDATE %s_data SET block = ?1 WHERE id = 1", sizes->table);
	sqlite3_bind_blob(update, 1, bytes->data, (int)bytes->len, SQLITE_STATIC);
	int result = update ? sqlite3_step(update) : SQLITE_ERROR;
	sqlite3_finalize(update);
	return result == SQLITE_DONE ? FTS_SWEEP_MORE : FTS_SWEEP_FAILED;
}

static bool sums_subtract(Sizes *sizes, const uint64_t *tokens)
{
	if (sizes->sums[0] == 0)
		return false;
	sizes->sums[0]--;
	for (unsigned i = 0; i < sizes->columns; i++) {
		if (tokens[i] > sizes->sums[1 + i])
			return false;
		sizes->sums[1 + i] -= tokens[i];
	}
	return true;
}

/* Subtracts up to max tombstones past after, and notes them in documents. */
static FtsSweepResult subtract_rows(Sizes *sizes, const FtsTombstones *tombstones, unsigned max,
        int64_t after, GArray *documents)
{
	sqlite3_stmt *row =
	        fts_prepare(sizes->db, "SELECT sz FROM %s_docsize WHERE id = ?1", sizes->table);
	uint64_t tokens[MAX_COLUMNS];
	bool good = true;
	int result = row ? SQLITE_DONE : SQLITE_ERROR;
	while (row && good && documents->len < max &&
	        (after = fts_tombstones_next(tombstones, after)) > 0) {
		sqlite3_reset(row);
		sqlite3_bind_int64(row, 1, after);
		if ((result = sqlite3_step(row)) == SQLITE_DONE)
			continue;
		if (result != SQLITE_ROW)
			break;
		g_array_append_val(documents, after);
		good = read_numbers(row, tokens, sizes->columns) && sums_subtract(sizes, tokens);
	}
	sqlite3_finalize(row);
	if (result != SQLITE_ROW && result != SQLITE_DONE)
		return FTS_SWEEP_FAILED;
	return good ? FTS_SWEEP_MORE : FTS_SWEEP_DAMAGED;
}

static FtsSweepResult delete_documents(const Sizes *sizes, const GArray *documents)
{
	sqlite3_stmt *delete =
	        fts_prepare(sizes->db, "DELETE FROM %s_docsize WHERE id = ?1", sizes->table);
	int result = delete ? SQLITE_DONE : SQLITE_ERROR;
	for (guint i = 0; delete &&i < documents->len && result == SQLITE_DONE; i++) {
		sqlite3_bind_int64(delete, 1, g_array_index(documents, int64_t, i));
		result = sqlite3_step(delete);
		sqlite3_reset(delete);
	}
	sqlite3_finalize(delete);
	return result == SQLITE_DONE ? FTS_SWEEP_MORE : FTS_SWEEP_FAILED;
}

FtsSweepResult fts_sweep_sizes(sqlite3 *db, const char *table, const FtsTombstones *tombstones,
        unsigned columns, unsigned max, int64_t *after, unsigned *n_r)
{
	Sizes sizes = {.db = db, .table = table, .columns = columns};
	g_autoptr(GArray) documents = g_array_new(FALSE, FALSE, sizeof(int64_t));
	g_assert(columns <= MAX_COLUMNS);
	*n_r = 0;
	FtsSweepResult result = sums_read(&sizes);
	if (result == FTS_SWEEP_MORE)
		result = subtract_rows(&sizes, tombstones, max, *after, documents);
	if (result == FTS_SWEEP_MORE && documents->len > 0)
		result = delete_documents(&sizes, documents);
	if (result == FTS_SWEEP_MORE && documents->len > 0)
		result = sums_write(&sizes);
	if (result != FTS_SWEEP_MORE)
		return result;
	*n_r = documents->len;
	if (documents->len == 0)
		return FTS_SWEEP_DONE;
	*after = g_array_index(documents, int64_t, documents->len - 1);
	return FTS_SWEEP_MORE;
}
