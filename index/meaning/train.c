/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/meaning/train.h"
#include "common/base/compare.h"
#include "index/meaning/brought.h"
#include "index/meaning/word-matrix.h"
#include "index/fts/term-scan.h"
#include "index/read/reader-private.h"
#include "index/store/db-exec.h"
#include "index/text/columns.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A step takes some 10 ms, since saved files wait for it. */
#define SLICE_DOCUMENTS 20000
enum { SLICE_PAGES = 16, SLICE_ENTRIES = 50 * 1000 };
enum { SEED = 1, FEW_WORDS = 1 << 14 };
/* So many documents are folded in during one pass over the posting lists. */
enum { FOLDED_AT_ONCE = 1 << 17 };

typedef enum {
	TRAIN_LIST,
	TRAIN_COUNT,
	TRAIN_DECOMPOSE,
	TRAIN_BRING, /* instead of it: takes the directions of words from a file */
	TRAIN_FOLD,
	TRAIN_FOLLOW, /* lists the documents that were added meanwhile, to fold them in */
	TRAIN_DONE
} TrainStage;

typedef struct {
	float at[MEANING_DIMENSIONS];
} VectorSum;

struct MeaningTraining {
	Reader *r;
	bool own; /* closes the reader */
	TrainStage stage;
	GArray *documents; /* of int64_t, ascending */
	char *after; /* the last term that was read in this pass */
	MeaningCounts *counts;
	const SvdMatrix *matrix; /* of counts */
	Svd *svd;
	int brought_fd; /* -1: no file is brought, or it was taken */
	BroughtVectors *brought; /* NULL: none, or not yet */
	GHashTable *columns; /* of brought: hash to column of the matrix + 1 */
	unsigned brought_words;
	char *refusal; /* NULL: the file was not refused */
	MeaningModel *model;
	GArray *vectors; /* of MeaningVector, for each document; zero: it has none */
	guint folded; /* so many documents have their vector; the next are being folded in */
	GArray *sums; /* of VectorSum, for these */
	MeaningWord word; /* that is being folded in */
};

MeaningTraining *meaning_training_new(Reader *r)
{
	MeaningTraining *training = g_new0(MeaningTraining, 1);
	training->r = r;
	training->brought_fd = -1;
	training->documents = g_array_new(FALSE, FALSE, sizeof(int64_t));
	training->after = g_strdup("");
	training->model = meaning_model_new();
	training->vectors = g_array_new(FALSE, TRUE, sizeof(MeaningVector));
	training->sums = g_array_new(FALSE, TRUE, sizeof(VectorSum));
	return training;
}

MeaningTraining *meaning_training_open(const char *index_dir, GError **error)
{
	g_autoptr(Reader) r = reader_open(index_dir, NULL, error);
	if (!r || !db_exec(r->db, "PRAGMA cache_size = -2048", error))
		return NULL;
	MeaningTraining *training = meaning_training_new(g_steal_pointer(&r));
	training->own = true;
	return training;
}

void meaning_training_free(MeaningTraining *training)
{
	if (!training)
		return;
	if (training->own)
		reader_close(training->r);
	g_array_unref(training->documents);
	g_free(training->after);
	svd_free(training->svd);
	brought_free(training->brought);
	g_clear_pointer(&training->columns, g_hash_table_unref);
	if (training->brought_fd >= 0)
		close(training->brought_fd);
	g_free(training->refusal);
	meaning_counts_free(training->counts);
	meaning_model_free(training->model);
	g_array_unref(training->vectors);
	g_array_unref(training->sums);
	g_free(training);
}

void meaning_training_bring(MeaningTraining *training, int fd)
{
	g_assert(training->stage == TRAIN_LIST && training->brought_fd < 0);
	training->brought_fd = fd;
}

/* ---- the documents */

/* Reads the next ids. Ids are never used again, so what was added since has higher ones. */
static bool train_read_documents(MeaningTraining *training, bool *end_r, GError **error)
{
	static const char sql[] = "SELECT id FROM document WHERE words > 0 AND id > ?1 ORDER BY id "
	                          "LIMIT " G_STRINGIFY(SLICE_DOCUMENTS);
	GArray *documents = training->documents;
	guint before = documents->len;
	int64_t last =
	        documents->len > 0 ? g_array_index(documents, int64_t, documents->len - 1) : 0;
	sqlite3_stmt *statement = reader_statement(training->r, sql, error);
	int row = statement ? 1 : -1;
	if (statement)
		sqlite3_bind_int64(statement, 1, last);
	while (row > 0 && (row = reader_step(training->r, statement, error)) > 0) {
		int64_t id = sqlite3_column_int64(statement, 0);
		g_array_append_val(documents, id);
	}
	*end_r = documents->len - before < SLICE_DOCUMENTS;
	return row == 0;
}

static bool train_list(MeaningTraining *training, GError **error)
{
	bool end;
	if (!train_read_documents(training, &end, error))
		return false;
	if (!end)
		return true;
	/* So the words take less room than the vectors of many documents. */
	unsigned words = CLAMP(training->documents->len / 2, FEW_WORDS, MEANING_MOST_WORDS);
	training->counts = meaning_counts_new(training->documents, MEANING_MOST_ENTRIES, words);
	training->stage = TRAIN_COUNT;
	return true;
}

/* ---- the matrix */

/* Navigation, licence notices and signatures say nothing about a text. */
static unsigned train_frequency(const TermPosting *posting)
{
	unsigned frequency = 0;
	for (unsigned i = 0; i < posting->columns; i++)
		frequency += i == COLUMN_NOISE ? 0 : posting->counts[i];
	return frequency;
}

static bool train_count_term(void *data, const char *term)
{
	MeaningTraining *training = data;
	meaning_counts_word(training->counts, meaning_hash(term, strlen(term)));
	return true;
}

static bool train_count_posting(void *data, const TermPosting *posting)
{
	MeaningTraining *training = data;
	meaning_counts_document(training->counts, posting->document, train_frequency(posting));
	return true;
}

/* Reads the next terms. *end_r: there are no more; the next pass begins anew. */
static bool train_walk(
        MeaningTraining *training, const TermWalkFuncs *f, bool *end_r, GError **error)
{
	char *last;
	if (!terms_walk(training->r, TERMS_OF_TEXT, training->after, SLICE_PAGES, f, training,
	            &last, error))
		return false;
	*end_r = !last;
	g_free(training->after);
	training->after = last ? last : g_strdup("");
	return true;
}

static void train_begin_decompose(MeaningTraining *training)
{
	training->svd = svd_new(training->matrix, MEANING_DIMENSIONS, SEED);
	training->stage = TRAIN_DECOMPOSE;
}

static int64_t train_column(void *data, uint32_t hash)
{
	const MeaningTraining *training = data;
	return (int64_t)GPOINTER_TO_UINT(
	               g_hash_table_lookup(training->columns, GUINT_TO_POINTER(hash))) -
	       1;
}

static void train_begin_bring(MeaningTraining *training)
{
	training->columns = g_hash_table_new(NULL, NULL);
	for (uint32_t i = 0; i < training->matrix->n_columns; i++)
		g_hash_table_insert(training->columns,
		        GUINT_TO_POINTER(meaning_counts_hash(training->counts, i)),
		        GUINT_TO_POINTER(i + 1));
	training->brought =
	        brought_new(training->brought_fd, training->matrix, train_column, training);
	training->brought_fd = -1;
	training->stage = TRAIN_BRING;
}

static bool train_count(MeaningTraining *training, GError **error)
{
	static const TermWalkFuncs f = {train_count_term, train_count_posting};
	bool end;
	if (!train_walk(training, &f, &end, error))
		return false;
	if (end) {
		meaning_counts_end(training->counts);
		training->matrix = meaning_counts_matrix(training->counts);
		if (training->brought_fd >= 0)
			train_begin_bring(training);
		else
			train_begin_decompose(training);
	}
	return true;
}

/* ---- the words */

static int train_compare_words(const void *a, const void *b)
{
	const MeaningWord *x = a, *y = b;
	return x->hash < y->hash ? -1 : x->hash > y->hash;
}

/* The vector of a word has its own scale, which goes into the weight. */
static GArray *train_words(const MeaningTraining *training)
{
	unsigned stride = MEANING_DIMENSIONS;
	const float *vectors = training->brought ? brought_vectors(training->brought)
	                                         : svd_vectors(training->svd, &stride);
	const SvdMatrix *matrix = training->matrix;
	GArray *words = g_array_new(FALSE, FALSE, sizeof(MeaningWord));
	for (uint32_t i = 0; i < matrix->n_columns; i++) {
		const float *vector = vectors + (size_t)i * stride;
		MeaningWord word = {.hash = meaning_counts_hash(training->counts, i)};
		if (!meaning_vector_round(vector, &word.vector))
			continue;
		word.weight = matrix->column_scales[i] * meaning_vector_scale(vector);
		g_array_append_val(words, word);
	}
	g_array_sort(words, train_compare_words);
	return words;
}

/* Of two words with one hash, the model has the first. */
static void train_drop_repetitions(GArray *words)
{
	guint kept = 0;
	for (guint i = 0; i < words->len; i++) {
		MeaningWord word = g_array_index(words, MeaningWord, i);
		if (kept == 0 || g_array_index(words, MeaningWord, kept - 1).hash != word.hash)
			g_array_index(words, MeaningWord, kept++) = word;
	}
	g_array_set_size(words, kept);
}

static void train_make_model(MeaningTraining *training)
{
	g_autoptr(GArray) words = train_words(training);
	train_drop_repetitions(words);
	for (guint from = 0, to; from < words->len; from = to) {
		const MeaningWord *first = &g_array_index(words, MeaningWord, from);
		unsigned part = meaning_part_of(first->hash);
		for (to = from + 1; to < words->len; to++)
			if (meaning_part_of(g_array_index(words, MeaningWord, to).hash) != part)
				break;
		g_autoptr(GByteArray) bytes = meaning_words_pack(first, to - from);
		meaning_model_set_part(training->model, part, bytes->data, bytes->len);
	}
}

static void train_begin_fold(MeaningTraining *training)
{
	guint left = training->documents->len - training->folded;
	g_array_set_size(training->sums, 0);
	g_array_set_size(training->sums, MIN(left, FOLDED_AT_ONCE));
	training->stage = left > 0 ? TRAIN_FOLD : TRAIN_DONE;
}

static void train_end_words(MeaningTraining *training)
{
	train_make_model(training);
	g_clear_pointer(&training->svd, svd_free);
	g_clear_pointer(&training->brought, brought_free);
	g_clear_pointer(&training->columns, g_hash_table_unref);
	g_clear_pointer(&training->counts, meaning_counts_free);
	g_array_set_size(training->vectors, training->documents->len);
	train_begin_fold(training);
}

static void train_decompose(MeaningTraining *training)
{
	if (!svd_step(training->svd, SLICE_ENTRIES))
		train_end_words(training);
}

static void train_bring(MeaningTraining *training)
{
	bool more;
	g_autoptr(GError) error = NULL;
	if (!brought_step(training->brought, &more, &error)) {
		training->refusal = g_strdup(error->message);
		g_clear_pointer(&training->brought, brought_free);
		train_begin_decompose(training);
		return;
	}
	if (more)
		return;
	training->brought_words = brought_words(training->brought);
	train_end_words(training);
}

/* ---- folding in */

static bool train_fold_term(void *data, const char *term)
{
	MeaningTraining *training = data;
	return meaning_model_find(
	        training->model, meaning_hash(term, strlen(term)), &training->word);
}

static bool train_fold_posting(void *data, const TermPosting *posting)
{
	MeaningTraining *training = data;
	const int64_t *first = &g_array_index(training->documents, int64_t, training->folded);
	const int64_t *found = bsearch(
	        &posting->document, first, training->sums->len, sizeof *first, compare_int64);
	unsigned frequency = MIN(train_frequency(posting), 255);
	float weight = svd_frequency_weight(frequency) * training->word.weight;
	if (found)
		meaning_vector_add(g_array_index(training->sums, VectorSum, found - first).at,
		        &training->word.vector, weight);
	return true;
}

static void train_end_fold(MeaningTraining *training)
{
	for (guint i = 0; i < training->sums->len; i++)
		meaning_vector_round(g_array_index(training->sums, VectorSum, i).at,
		        &g_array_index(training->vectors, MeaningVector, training->folded + i));
	training->folded += training->sums->len;
	train_begin_fold(training);
}

static bool train_fold(MeaningTraining *training, GError **error)
{
	static const TermWalkFuncs f = {train_fold_term, train_fold_posting};
	bool end;
	if (!train_walk(training, &f, &end, error))
		return false;
	if (end)
		train_end_fold(training);
	return true;
}

static bool train_follow(MeaningTraining *training, GError **error)
{
	bool end;
	if (!train_read_documents(training, &end, error))
		return false;
	if (!end)
		return true;
	g_array_set_size(training->vectors, training->documents->len);
	train_begin_fold(training);
	return true;
}

static bool train_slice(MeaningTraining *training, GError **error)
{
	switch (training->stage) {
	case TRAIN_LIST:
		return train_list(training, error);
	case TRAIN_COUNT:
		return train_count(training, error);
	case TRAIN_DECOMPOSE:
		train_decompose(training);
		return true;
	case TRAIN_BRING:
		train_bring(training);
		return true;
	case TRAIN_FOLD:
		return train_fold(training, error);
	case TRAIN_FOLLOW:
		return train_follow(training, error);
	default:
		return true;
	}
}

bool meaning_training_step(MeaningTraining *training, bool *more_r, GError **error)
{
	*more_r = false;
	if (!reader_begin(training->r, 0, error))
		return false;
	bool ok = train_slice(training, error);
	reader_end(training->r);
	*more_r = ok && training->stage != TRAIN_DONE;
	return ok;
}

void meaning_training_follow(MeaningTraining *training)
{
	g_assert(training->stage == TRAIN_DONE);
	training->stage = TRAIN_FOLLOW;
}

const MeaningModel *meaning_training_model(const MeaningTraining *training)
{
	return training->model;
}

unsigned meaning_training_brought(const MeaningTraining *training)
{
	return training->brought_words;
}

const char *meaning_training_refusal(const MeaningTraining *training)
{
	return training->refusal;
}

const GArray *meaning_training_documents(const MeaningTraining *training)
{
	return training->documents;
}

bool meaning_training_vector(const MeaningTraining *training, guint document, MeaningVector *out)
{
	*out = g_array_index(training->vectors, MeaningVector, document);
	return meaning_vector_is_set(out);
}
