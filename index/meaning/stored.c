/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/meaning/stored.h"
#include "index/meaning/block.h"
#include "index/meaning/word-sums.h"
#include "index/read/reader-private.h"
#include <string.h>

static const char learned_sql[] = "SELECT value FROM meta WHERE key = 'meaning'";
static const char words_sql[] = "SELECT words FROM meaning_word WHERE part = ?1";
static const char block_sql[] =
        "SELECT block, present, vectors FROM meaning_vector WHERE block = ?1";
static const char blocks_sql[] =
        "SELECT block, present, vectors FROM meaning_vector ORDER BY block";

bool stored_is_learned(Reader *r, bool *learned_r, GError **error)
{
	uint64_t learned;
	if (!reader_count(r, learned_sql, &learned, error))
		return false;
	*learned_r = learned > 0;
	return true;
}

bool stored_read_part(Reader *r, MeaningModel *model, unsigned part, GError **error)
{
	sqlite3_stmt *statement = reader_statement(r, words_sql, error);
	if (model->parts[part] || !statement)
		return statement != NULL;
	sqlite3_bind_int(statement, 1, part);
	int row = reader_step(r, statement, error);
	if (row > 0)
		meaning_model_set_part(model, part, sqlite3_column_blob(statement, 0),
		        sqlite3_column_bytes(statement, 0));
	sqlite3_reset(statement);
	return row >= 0;
}

static int stored_note_part(void *data, int flags, const char *term, int length, int start, int end)
{
	bool *wanted = data;
	(void)flags, (void)start, (void)end;
	wanted[meaning_part_of(meaning_hash(term, length))] = true;
	return 0;
}

bool stored_fold_in(Reader *r, GBytes *stream, MeaningVector *out, bool *known_r, GError **error)
{
	g_autoptr(MeaningModel) model = meaning_model_new();
	bool wanted[MEANING_PARTS] = {false};
	size_t length;
	const void *bytes = g_bytes_get_data(stream, &length);
	terms_replay(bytes, length, wanted, stored_note_part);
	for (unsigned i = 0; i < MEANING_PARTS; i++)
		if (wanted[i] && !stored_read_part(r, model, i, error))
			return false;
	*known_r = meaning_fold_in_stream(model, bytes, length, out);
	return true;
}

static void stored_take_block(sqlite3_stmt *row, MeaningBlock *out)
{
	block_unpack(out, sqlite3_column_int64(row, 1), sqlite3_column_blob(row, 2),
	        sqlite3_column_bytes(row, 2));
}

bool stored_vector(Reader *r, int64_t document, MeaningVector *out, bool *known_r, GError **error)
{
	sqlite3_stmt *statement = reader_statement(r, block_sql, error);
	MeaningBlock block;
	unsigned place = block_place(document);
	*known_r = false;
	if (!statement)
		return false;
	sqlite3_bind_int64(statement, 1, block_of(document));
	int row = reader_step(r, statement, error);
	if (row > 0) {
		stored_take_block(statement, &block);
		*known_r = block_has(&block, place) && meaning_vector_is_set(&block.vectors[place]);
	}
	if (*known_r)
		*out = block.vectors[place];
	sqlite3_reset(statement);
	return row >= 0;
}

/* ---- neighbours */

static int stored_compare_likeness(const void *a, const void *b)
{
	const MeaningNeighbour *x = a, *y = b;
	if (x->likeness != y->likeness)
		return x->likeness > y->likeness ? -1 : 1;
	return x->document < y->document ? -1 : x->document > y->document;
}

static int stored_compare_documents(const void *a, const void *b)
{
	const MeaningNeighbour *x = a, *y = b;
	return x->document < y->document ? -1 : x->document > y->document;
}

static void stored_keep_nearest(GArray *list)
{
	if (list->len <= STORED_MOST_NEIGHBOURS)
		return;
	g_array_sort(list, stored_compare_likeness);
	g_array_set_size(list, STORED_MOST_NEIGHBOURS);
}

static void stored_compare_block(int64_t number, const MeaningBlock *block, const MeaningVector *to,
        double least, GArray *out)
{
	for (unsigned i = 0; i < BLOCK_DOCUMENTS; i++) {
		if (!block_has(block, i))
			continue;
		const MeaningNeighbour one = {
		        block_document(number, i), meaning_cosine(&block->vectors[i], to)};
		if (one.likeness >= least)
			g_array_append_val(out, one);
	}
}

bool stored_neighbours(
        Reader *r, const MeaningVector *to, double least, GArray *out, GError **error)
{
	sqlite3_stmt *statement = reader_statement(r, blocks_sql, error);
	int row = statement ? 1 : -1;
	while (row > 0 && (row = reader_step(r, statement, error)) > 0) {
		MeaningBlock block;
		stored_take_block(statement, &block);
		stored_compare_block(sqlite3_column_int64(statement, 0), &block, to, least, out);
		if (out->len >= 2 * STORED_MOST_NEIGHBOURS)
			stored_keep_nearest(out);
	}
	stored_keep_nearest(out);
	g_array_sort(out, stored_compare_documents);
	return row == 0;
}
