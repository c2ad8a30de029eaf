/* SPDX-License-Identifier: GPL-3.0-or-later */
/* train.h - makes a model of an index, and the vectors of its documents
 *
 * The posting lists are read twice: for the matrix of words and documents, whose right singular
 * vectors are those of the words, and to add up the vectors of the words of each document ("folding
 * in"). Both happen in slices of some ten milliseconds, each in a snapshot of its own. Documents
 * that are added meanwhile are not part of the model; those that are deleted meanwhile are. So much
 * memory is used: 4 bytes for each of at most MEANING_MOST_ENTRIES entries, 320 bytes for each word
 * and each document of the sample, and 40 bytes for each document. */
#pragma once
#include "index/meaning/model.h"
#include "index/read/reader.h"

typedef struct MeaningTraining MeaningTraining;

/* The reader must live as long, and be used by nobody else during a step. */
MeaningTraining *meaning_training_new(Reader *r);
/* The same with a reader of its own, which keeps little in memory. NULL with error. */
MeaningTraining *meaning_training_open(const char *index_dir, GError **error);
/* Before the first step: the words get their directions from a file of word vectors (brought.h),
 * and not from the index. fd is taken. If the file is refused, the index is learned from. */
void meaning_training_bring(MeaningTraining *training, int fd);
void meaning_training_free(MeaningTraining *training); /* NULL is allowed */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MeaningTraining, meaning_training_free)
/* Does a slice. *more_r: it is not done. After an error the training can only be freed. */
bool meaning_training_step(MeaningTraining *training, bool *more_r, GError **error);

/* Once it is done and the model is stored, so that whoever adds a document folds it in: makes the
 * vectors of the documents that were added between the beginning and now, which follow the others.
 * Call meaning_training_step() again until that is done. */
void meaning_training_follow(MeaningTraining *training);

/* The result, once it is done; it belongs to the training. A collection without words that are
 * in at least three documents, and in at most half of them, gives an empty model and no vectors. */
const MeaningModel *meaning_training_model(const MeaningTraining *training);
/* How many words have their direction by the file of meaning_training_bring(); 0 without one. */
unsigned meaning_training_brought(const MeaningTraining *training);
/* Why the file was refused, a clause; NULL: it was not. It belongs to the training. */
const char *meaning_training_refusal(const MeaningTraining *training);
/* The documents with words, int64_t, ascending. */
const GArray *meaning_training_documents(const MeaningTraining *training);
/* Returns false if no word of the document is in the model. */
bool meaning_training_vector(const MeaningTraining *training, guint document, MeaningVector *out);
