/* SPDX-License-Identifier: GPL-3.0-or-later */
/* write-meaning.c - the model of latent semantics and the vectors of documents
 *
 * A training reads what is committed and keeps its state in memory. When it is done, one
 * transaction removes the old model with all vectors and writes the new words; then the vectors
 * follow in slices, those of documents that were added since the training began too, and at last
 * the number of documents that were learned from. Until that number is there, nobody uses what is
 * written, and whoever finds it missing trains anew. As soon as the words are there, new documents
 * are folded in when they are added.
 *
 * Directions of words come from the index, or from a file of word vectors (write-vectors.c):
 * another file is a reason to train anew. */
#include <config.h>
#include "index/meaning/block.h"
#include "index/meaning/model.h"
#include "index/meaning/train.h"
#include "index/meaning/word-sums.h"
#include "index/write/writer-private.h"
#include <string.h>

#define LEARNED "meaning"
#define GONE "meaning_gone"

/* It is trained anew after a growth by one in so many. A word is of that many documents at least,
 * so that it may be of deleted documents only if as many were deleted. */
enum { GROWTH_FRACTION = 5, GONE_FEW = 3, STORED_AT_ONCE = 2000 };

struct WriterMeaning {
	MeaningModel *model; /* of the index; NULL: it was not read */
	MeaningTraining *training; /* NULL: there is none */
	bool trained; /* the training is done and is being stored */
	bool follows; /* it is about documents that were added since it began */
	bool purged; /* it began after a purge of all that was deleted before */
	int64_t gone; /* so many documents of the old model had been removed when it began */
	char *vectors; /* the file of word vectors when it began (vectors_identity()) */
	char *refusal; /* why it could not be opened; NULL: it could, or there is none */
	guint learned; /* number of documents of the model */
	guint stored; /* so many of its documents are */
};

static WriterMeaning *meaning_of(Writer *w)
{
	if (!w->meaning)
		w->meaning = g_new0(WriterMeaning, 1);
	return w->meaning;
}

void meaning_rest(Writer *w)
{
	if (w->meaning)
		g_clear_pointer(&w->meaning->model, meaning_model_free);
}

static void meaning_end_training(WriterMeaning *meaning)
{
	g_clear_pointer(&meaning->training, meaning_training_free);
	g_clear_pointer(&meaning->vectors, g_free);
	g_clear_pointer(&meaning->refusal, g_free);
	meaning->trained = meaning->follows = false;
	meaning->stored = 0;
}

void meaning_free(WriterMeaning *meaning)
{
	if (!meaning)
		return;
	meaning_end_training(meaning);
	meaning_model_free(meaning->model);
	g_free(meaning);
}

void meaning_forget(Writer *w)
{
	g_clear_pointer(&w->meaning, meaning_free);
}

/* ---- documents */

/* Damaged parts are left out; the next training replaces them. */
static bool meaning_read_model(Writer *w, WriterMeaning *meaning, GError **error)
{
	sqlite3_stmt *statement = statement_bind(w, MEANING_WORD_LIST, NULL, 0, error);
	int row = SQLITE_ERROR;
	if (!statement)
		return false;
	meaning->model = meaning_model_new();
	while ((row = sqlite3_step(statement)) == SQLITE_ROW)
		meaning_model_set_part(meaning->model,
		        MIN((uint64_t)sqlite3_column_int64(statement, 0), MEANING_PARTS),
		        sqlite3_column_blob(statement, 1), sqlite3_column_bytes(statement, 1));
	if (row != SQLITE_DONE)
		return writer_fail(w, error);
	sqlite3_reset(statement);
	return true;
}

/* A damaged block counts as empty. */
static bool meaning_read_block(Writer *w, int64_t number, MeaningBlock *out, GError **error)
{
	sqlite3_stmt *statement = statement_bind(w, MEANING_BLOCK, VALUES(INT(number)), error);
	int row = statement ? sqlite3_step(statement) : SQLITE_ERROR;
	out->present = 0;
	if (row == SQLITE_ROW)
		block_unpack(out, sqlite3_column_int64(statement, 0),
		        sqlite3_column_blob(statement, 1), sqlite3_column_bytes(statement, 1));
	else if (row != SQLITE_DONE)
		return statement ? writer_fail(w, error) : false;
	sqlite3_reset(statement);
	return true;
}

static bool meaning_write_block(
        Writer *w, int64_t number, const MeaningBlock *block, GError **error)
{
	MeaningVector vectors[BLOCK_DOCUMENTS];
	if (block->present == 0)
		return statement_run(w, MEANING_BLOCK_DELETE, VALUES(INT(number)), error);
	unsigned n = block_pack(block, vectors);
	return statement_run(w, MEANING_BLOCK_SET,
	        VALUES(INT(number), INT(block->present), BLOB(vectors, n * sizeof *vectors)),
	        error);
}

bool meaning_add(Writer *w, int64_t id, const Terms *terms, GError **error)
{
	WriterMeaning *meaning = meaning_of(w);
	MeaningVector vector;
	MeaningBlock block;
	if (!meaning->model && !meaning_read_model(w, meaning, error))
		return false;
	if (meaning_model_bytes(meaning->model) == 0 ||
	        !meaning_fold_in(meaning->model, terms, &vector))
		return true;
	if (!meaning_read_block(w, block_of(id), &block, error))
		return false;
	block_put(&block, block_place(id), &vector);
	return meaning_write_block(w, block_of(id), &block, error);
}

bool meaning_remove(Writer *w, int64_t id, GError **error)
{
	MeaningBlock block;
	if (!meaning_read_block(w, block_of(id), &block, error))
		return false;
	bool has_vector = block_has(&block, block_place(id));
	if (has_vector) {
		block_remove(&block, block_place(id));
		if (!meaning_write_block(w, block_of(id), &block, error))
			return false;
	}
	bool may_be_learned = has_vector || (w->meaning && w->meaning->training);
	return !may_be_learned || statement_run(w, META_ADD, VALUES(TEXT(GONE), INT(1)), error);
}

/* ---- training */

static bool meaning_is_due(Writer *w, bool always, bool *due_r, GError **error)
{
	int64_t documents, learned, gone;
	bool changed;
	if (!writer_total(w, TOTAL_LIVE_ROWS, &documents, error) ||
	        !writer_get_meta_int(w, LEARNED, 0, &learned, error) ||
	        !writer_get_meta_int(w, GONE, 0, &gone, error) ||
	        !vectors_changed(w, &changed, error))
		return false;
	bool enough = documents >= MEANING_LEAST_DOCUMENTS;
	bool grown = documents - learned > learned / GROWTH_FRACTION;
	*due_r = enough ? grown || changed || (always && gone >= GONE_FEW) : learned > 0;
	return true;
}

static bool meaning_set(Writer *w, const char *key, int64_t value, GError **error)
{
	return statement_run(w, META_SET, VALUES(TEXT(key), INT(value)), error);
}

/* Removes the old model and all vectors. Documents that were removed since the training began, when
 * n were, may be part of the new model. */
static bool meaning_clear(Writer *w, int64_t gone_before, GError **error)
{
	int64_t gone;
	meaning_rest(w);
	return writer_get_meta_int(w, GONE, 0, &gone, error) && writer_change(w, error) &&
	       meaning_set(w, LEARNED, 0, error) &&
	       meaning_set(w, GONE, MAX(gone - gone_before, 0), error) &&
	       statement_run(w, MEANING_WORD_CLEAR, NULL, 0, error) &&
	       statement_run(w, MEANING_CLEAR, NULL, 0, error);
}

static bool meaning_store_words(Writer *w, const MeaningModel *model, GError **error)
{
	for (unsigned i = 0; i < MEANING_PARTS; i++) {
		size_t length;
		const void *bytes =
		        model->parts[i] ? g_bytes_get_data(model->parts[i], &length) : NULL;
		if (bytes && !statement_run(w, MEANING_WORD_ADD,
		                     VALUES(INT(i), BLOB(bytes, (int)length)), error))
			return false;
	}
	return true;
}

/* A document may have been deleted meanwhile. */
static bool meaning_take_vector(
        Writer *w, WriterMeaning *meaning, guint i, MeaningBlock *block, GError **error)
{
	int64_t id = g_array_index(meaning_training_documents(meaning->training), int64_t, i);
	int64_t found;
	MeaningVector vector;
	if (block_has(block, block_place(id)) ||
	        !meaning_training_vector(meaning->training, i, &vector))
		return true;
	if (!statement_int(w, MEANING_OF_DOCUMENT, VALUES(INT(id)), 0, &found, error))
		return false;
	if (found != 0)
		block_put(block, block_place(id), &vector);
	return true;
}

/* Stores the vectors of the documents of one block, from the next one on. */
static bool meaning_store_block(Writer *w, WriterMeaning *meaning, GError **error)
{
	const GArray *documents = meaning_training_documents(meaning->training);
	int64_t number = block_of(g_array_index(documents, int64_t, meaning->stored));
	MeaningBlock block;
	if (!meaning_read_block(w, number, &block, error))
		return false;
	const unsigned before = block.present;
	for (; meaning->stored < documents->len &&
	        block_of(g_array_index(documents, int64_t, meaning->stored)) == number;
	        meaning->stored++)
		if (!meaning_take_vector(w, meaning, meaning->stored, &block, error))
			return false;
	return block.present == before || meaning_write_block(w, number, &block, error);
}

/* Documents that were added before the words were stored were folded into the old model, or into
 * none. */
static void meaning_follow(WriterMeaning *meaning)
{
	meaning_training_follow(meaning->training);
	meaning->follows = true;
	meaning->trained = false;
}

static bool meaning_note_vectors(Writer *w, const WriterMeaning *meaning, GError **error)
{
	const char *why =
	        meaning->refusal ? meaning->refusal : meaning_training_refusal(meaning->training);
	if (why)
		g_message("the word vectors are not used: %s", why);
	return vectors_note(
	        w, meaning->vectors, meaning_training_brought(meaning->training), why, error);
}

static bool meaning_store(Writer *w, WriterMeaning *meaning, bool *more_r, GError **error)
{
	const GArray *documents = meaning_training_documents(meaning->training);
	guint end = MIN(meaning->stored + STORED_AT_ONCE, documents->len);
	if (!writer_change(w, error))
		return false;
	while (meaning->stored < end)
		if (!meaning_store_block(w, meaning, error))
			return false;
	bool all = meaning->stored == documents->len;
	*more_r = !all || !meaning->follows;
	if (!*more_r && !(meaning_set(w, LEARNED, MAX(meaning->learned, 1), error) &&
	                        meaning_note_vectors(w, meaning, error)))
		return false;
	if (!writer_commit(w, error))
		return false;
	if (!*more_r)
		meaning_end_training(meaning);
	else if (all)
		meaning_follow(meaning);
	return true;
}

/* An error of reading loses no transaction; a search meets it too, and says so. */
static bool meaning_give_up(WriterMeaning *meaning, const GError *why, bool *more_r)
{
	g_message("no latent semantics are learned now: %s", why->message);
	meaning_end_training(meaning);
	*more_r = false;
	return true;
}

static bool meaning_train(Writer *w, WriterMeaning *meaning, bool *more_r, GError **error)
{
	bool more;
	g_autoptr(GError) why = NULL;
	statements_reset(w);
	*more_r = true;
	if (!meaning_training_step(meaning->training, &more, &why))
		return meaning_give_up(meaning, why, more_r);
	meaning->trained = !more;
	if (more || meaning->follows)
		return true;
	meaning->learned = meaning_training_documents(meaning->training)->len;
	return meaning_clear(w, meaning->gone, error) &&
	       meaning_store_words(w, meaning_training_model(meaning->training), error) &&
	       writer_commit(w, error);
}

/* Too few documents. */
static bool meaning_abandon(Writer *w, GError **error)
{
	return meaning_clear(w, G_MAXINT64, error) && vectors_note(w, "", 0, NULL, error) &&
	       writer_commit(w, error);
}

static void meaning_bring_vectors(const Writer *w, WriterMeaning *meaning)
{
	meaning->vectors = vectors_identity(w);
	int fd = vectors_open(w, &meaning->refusal);
	if (fd >= 0)
		meaning_training_bring(meaning->training, fd);
}

static bool meaning_begin(Writer *w, bool always, bool *more_r, GError **error)
{
	int64_t documents;
	bool due;
	if (!meaning_is_due(w, always, &due, error))
		return false;
	if (!due)
		return true;
	if (!writer_total(w, TOTAL_LIVE_ROWS, &documents, error))
		return false;
	if (documents < MEANING_LEAST_DOCUMENTS)
		return meaning_abandon(w, error);
	if (!writer_get_meta_int(w, GONE, 0, &meaning_of(w)->gone, error))
		return false;
	w->meaning->purged = always;
	g_autoptr(GError) why = NULL;
	w->meaning->training = meaning_training_open(w->index_dir, &why);
	*more_r = w->meaning->training != NULL;
	if (!*more_r)
		return meaning_give_up(w->meaning, why, more_r);
	meaning_bring_vectors(w, w->meaning);
	return true;
}

/* A purge lets words of deleted documents leave, also those that came into a model whose training
 * had begun before it: the next step looks whether another training is due. */
static bool meaning_begin_again(const WriterMeaning *meaning, bool always, bool *more_r)
{
	if (!meaning->training)
		*more_r = always && !meaning->purged;
	return true;
}

bool writer_meaning_step(Writer *w, bool always, bool *more_r, GError **error)
{
	WriterMeaning *meaning = meaning_of(w);
	*more_r = false;
	if (!writer_commit(w, error))
		return false;
	if (!meaning->training)
		return meaning_begin(w, always, more_r, error);
	if (meaning->trained)
		return meaning_store(w, meaning, more_r, error) &&
		       meaning_begin_again(meaning, always, more_r);
	return meaning_train(w, meaning, more_r, error);
}
