/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test-meaning.c - models of small collections, and the bounds and checks of their parts */
#include <config.h>
#include "index/meaning/word-matrix.h"
#include "index/meaning/block.h"
#include "index/meaning/stored.h"
#include "index/meaning/train.h"
#include "index/meaning/word-sums.h"
#include "index/read/reader-private.h"
#include "tests/index/search-test.h"
#include <fcntl.h>
#include <glib/gstdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- vectors */

static void test_rounding(void)
{
	float sum[MEANING_DIMENSIONS] = {0};
	MeaningVector a, b;
	g_assert_false(meaning_vector_round(sum, &a));
	sum[3] = NAN;
	g_assert_false(meaning_vector_round(sum, &a));
	sum[3] = INFINITY;
	g_assert_false(meaning_vector_round(sum, &a));
	sum[3] = 2e-5f;
	sum[4] = -1e-5f;
	g_assert_true(meaning_vector_round(sum, &a));
	g_assert_cmpint(a.at[3], ==, 127);
	g_assert_cmpint(a.at[4], ==, -64);
	g_assert_cmpfloat_with_epsilon(a.at[4] * meaning_vector_scale(sum), -1e-5, 1e-7);
	memset(&b, 0, sizeof b);
	g_assert_cmpfloat(meaning_cosine(&a, &b), ==, 0);
	g_assert_cmpfloat_with_epsilon(meaning_cosine(&a, &a), 1, 1e-9);
	b.at[3] = -128;
	g_assert_cmpfloat(meaning_cosine(&a, &b), <, -0.8);
}

static void test_blocks(void)
{
	static const int64_t ids[] = {1, 15, 16, 17, 1 << 20, G_MAXINT64};
	MeaningBlock block = {0}, read;
	MeaningVector packed[BLOCK_DOCUMENTS], first = {.at = {1}}, last = {.at = {2}};
	for (size_t i = 0; i < G_N_ELEMENTS(ids); i++)
		g_assert_cmpint(block_document(block_of(ids[i]), block_place(ids[i])), ==, ids[i]);
	block_put(&block, 15, &last);
	block_put(&block, 0, &first);
	block_put(&block, 7, &first);
	block_remove(&block, 7);
	g_assert_cmpuint(block_pack(&block, packed), ==, 2);
	g_assert_true(block_unpack(&read, block.present, packed, 2 * sizeof *packed));
	g_assert_true(block_has(&read, 0) && !block_has(&read, 7) && block_has(&read, 15));
	g_assert_cmpint(read.vectors[15].at[0], ==, 2);
	g_assert_false(block_unpack(&read, block.present, packed, sizeof *packed));
	g_assert_false(block_unpack(&read, 7, packed, 2 * sizeof *packed));
	g_assert_false(block_unpack(&read, -1, packed, 2 * sizeof *packed));
	g_assert_false(block_unpack(&read, 3LL << 32, packed, 2 * sizeof *packed));
	g_assert_cmpuint(read.present, ==, 0);
	g_assert_true(block_unpack(&read, 0, NULL, 0));
}

/* ---- the words of a model */

static void test_parts(void)
{
	g_autoptr(MeaningModel) model = meaning_model_new();
	const unsigned part = meaning_part_of(0x07000001);
	MeaningWord words[] = {{.hash = 0x07000001, .weight = 2},
	        {.hash = 0x071fffff, .weight = 3}},
	            found;
	words[1].vector.at[0] = 5;
	g_autoptr(GByteArray) bytes = meaning_words_pack(words, 2);
	g_assert_cmpuint(bytes->len, ==, 2 * MEANING_WORD_BYTES);
	g_assert_false(meaning_model_set_part(model, part + 1, bytes->data, bytes->len));
	g_assert_false(meaning_model_set_part(model, MEANING_PARTS, bytes->data, bytes->len));
	g_assert_false(meaning_model_set_part(model, part, bytes->data, bytes->len - 1));
	g_assert_true(meaning_model_set_part(model, part, bytes->data, bytes->len));
	g_assert_true(meaning_model_find(model, 0x071fffff, &found));
	g_assert_cmpuint(found.hash, ==, 0x071fffff);
	g_assert_cmpfloat(found.weight, ==, 3);
	g_assert_cmpint(found.vector.at[0], ==, 5);
	g_assert_false(meaning_model_find(model, 0x07000002, &found));
	g_assert_false(meaning_model_find(model, 0x08000001, &found));
}

static void assert_refused(MeaningWord first, MeaningWord second)
{
	g_autoptr(MeaningModel) model = meaning_model_new();
	const MeaningWord words[] = {first, second};
	g_autoptr(GByteArray) bytes = meaning_words_pack(words, 2);
	g_assert_false(meaning_model_set_part(
	        model, meaning_part_of(0x07000005), bytes->data, bytes->len));
	g_assert_cmpuint(meaning_model_bytes(model), ==, 0);
}

static void test_damaged_parts(void)
{
	const MeaningWord good = {.hash = 0x07000005, .weight = 1};
	assert_refused(good, good);
	assert_refused(good, (MeaningWord){.hash = 0x07000004, .weight = 1});
	assert_refused(good, (MeaningWord){.hash = 0x07000006, .weight = NAN});
	assert_refused(good, (MeaningWord){.hash = 0x07000006, .weight = -1});
	assert_refused(good, (MeaningWord){.hash = 0x07000006, .weight = INFINITY});
	assert_refused(good, (MeaningWord){.hash = 0x07200006, .weight = 1});
	assert_refused(good, (MeaningWord){.hash = 0x07000006, .weight = 2 * MEANING_MOST_WEIGHT});
}

/* ---- counts */

static GArray *documents_to(int64_t n)
{
	GArray *documents = g_array_new(FALSE, FALSE, sizeof(int64_t));
	for (int64_t i = 1; i <= n; i++) {
		int64_t id = 3 * i;
		g_array_append_val(documents, id);
	}
	return documents;
}

/* Adds a word to each `every`th of n documents, and to one that is not in the list. */
static void count_word(MeaningCounts *counts, uint32_t hash, int64_t n, int64_t every)
{
	meaning_counts_word(counts, hash);
	for (int64_t i = every; i <= n; i += every)
		meaning_counts_document(counts, 3 * i, 1 + i % 300);
	meaning_counts_document(counts, 1, 1);
}

static void test_rare_and_common_words(void)
{
	g_autoptr(GArray) documents = documents_to(100);
	g_autoptr(MeaningCounts) counts = meaning_counts_new(documents, 1000, 100);
	count_word(counts, 1, 100, 1);
	count_word(counts, 2, 100, 10);
	count_word(counts, 3, 100, 50);
	count_word(counts, 4, 100, 30);
	meaning_counts_end(counts);
	const SvdMatrix *matrix = meaning_counts_matrix(counts);
	g_assert_cmpuint(matrix->n_columns, ==, 2);
	g_assert_cmpuint(matrix->n_rows, ==, 100);
	g_assert_cmpuint(meaning_counts_hash(counts, 0), ==, 2);
	g_assert_cmpuint(meaning_counts_hash(counts, 1), ==, 4);
	g_assert_cmpuint(matrix->begin[1], ==, 10);
	g_assert_cmpuint(matrix->begin[2], ==, 13);
	g_assert_cmpuint(matrix->entries[0], ==, 9 << 8 | 11);
	g_assert_cmpfloat_with_epsilon(matrix->column_scales[0], log(10), 1e-5);
	g_assert_cmpuint(matrix->entries[12], ==, 89 << 8 | 91);
}

/* Of a word that occurs in all orders of documents, none is lost. */
static void test_any_order(void)
{
	g_autoptr(GArray) documents = documents_to(1000);
	g_autoptr(MeaningCounts) counts = meaning_counts_new(documents, 5000, 100);
	meaning_counts_word(counts, 1);
	for (int64_t i = 0; i < 400; i++)
		meaning_counts_document(counts, 3 * (1 + i * 389 % 1000), 1);
	meaning_counts_document(counts, G_MAXINT64, 1);
	meaning_counts_document(counts, G_MININT64, 1);
	meaning_counts_end(counts);
	const SvdMatrix *matrix = meaning_counts_matrix(counts);
	g_assert_cmpuint(matrix->begin[1], ==, 400);
	for (size_t i = 1; i < matrix->begin[1]; i++)
		g_assert_cmpuint(matrix->entries[i], >, matrix->entries[i - 1]);
}

static void test_bounds(void)
{
	enum { MOST_ENTRIES = 500, MOST_WORDS = 20 };
	g_autoptr(GArray) documents = documents_to(1000);
	g_autoptr(MeaningCounts) counts = meaning_counts_new(documents, MOST_ENTRIES, MOST_WORDS);
	for (uint32_t hash = 1; hash <= 100; hash++)
		count_word(counts, hash, 1000, 2 + hash);
	meaning_counts_end(counts);
	const SvdMatrix *matrix = meaning_counts_matrix(counts);
	g_assert_cmpuint(matrix->n_columns, <=, MOST_WORDS);
	g_assert_cmpuint(matrix->n_columns, >, MOST_WORDS / 2);
	g_assert_cmpuint(matrix->n_rows, <, 1000);
	g_assert_cmpuint(matrix->begin[matrix->n_columns], <=, MOST_ENTRIES);
	g_assert_cmpuint(matrix->begin[matrix->n_columns], >, MOST_ENTRIES / 8);
	for (uint32_t c = 0; c < matrix->n_columns; c++)
		g_assert_cmpuint(meaning_counts_hash(counts, c), <=, 2 * MOST_WORDS);
	for (size_t i = 0; i < matrix->begin[matrix->n_columns]; i++)
		g_assert_cmpuint(matrix->entries[i] >> 8, <, matrix->n_rows);
}

/* As only a damaged index has them. The first document is in the sample however small that is. */
static void test_repeated_documents(void)
{
	enum { MOST_ENTRIES = 64 };
	g_autoptr(GArray) documents = documents_to(1000);
	g_autoptr(MeaningCounts) counts = meaning_counts_new(documents, MOST_ENTRIES, 100);
	meaning_counts_word(counts, 1);
	for (unsigned i = 0; i < 4 * MOST_ENTRIES; i++)
		meaning_counts_document(counts, 3, 1);
	for (uint32_t hash = 2; hash <= 3; hash++) {
		meaning_counts_word(counts, hash);
		for (unsigned i = 0; i < 4 * MOST_ENTRIES; i++)
			meaning_counts_document(counts, i % 2 ? 6 : 3, 1);
	}
	meaning_counts_end(counts);
	const SvdMatrix *matrix = meaning_counts_matrix(counts);
	g_assert_cmpuint(matrix->n_columns, ==, 2);
	g_assert_cmpuint(matrix->begin[2], <=, MOST_ENTRIES);
}

/* ---- training */

static MeaningTraining *train(Tree *t)
{
	bool more = true;
	MeaningTraining *training = meaning_training_new(t->r);
	while (more)
		OK(meaning_training_step(training, &more, error));
	return training;
}

/* The direction of the words, as of a query. */
static MeaningVector direction_in(const MeaningModel *model, const char *text)
{
	g_auto(GStrv) words = g_strsplit(text, " ", -1);
	float sum[MEANING_DIMENSIONS] = {0};
	MeaningVector vector;
	for (char **word = words; *word; word++) {
		MeaningWord known;
		if (meaning_model_find(model, meaning_hash(*word, strlen(*word)), &known))
			meaning_vector_add(sum, &known.vector, known.weight);
	}
	g_assert_true(meaning_vector_round(sum, &vector));
	return vector;
}

static MeaningVector direction_of(const MeaningTraining *training, const char *text)
{
	return direction_in(meaning_training_model(training), text);
}

static double likeness(const MeaningTraining *training, const char *text, guint document)
{
	MeaningVector query = direction_of(training, text), vector;
	g_assert_true(meaning_training_vector(training, document, &vector));
	return meaning_cosine(&query, &vector);
}

enum { SUBJECTS = 30, WORDS_OF_SUBJECT = 10, DOCUMENTS = SUBJECTS * WORDS_OF_SUBJECT };

static char *subject_word(unsigned subject, unsigned word)
{
	return g_strdup_printf("x%c%c%c", 'a' + subject / 6, 'a' + subject % 6, 'a' + word);
}

/* Document i is about subject i % SUBJECTS, and has six of its words; word i / SUBJECTS is not one
 * of them. */
static void add_subjects(Tree *t)
{
	for (unsigned i = 0; i < DOCUMENTS; i++) {
		g_autoptr(GString) text = g_string_new(NULL);
		g_autofree char *name = g_strdup_printf("%03u.txt", i);
		for (unsigned k = 0; k < 6; k++) {
			static const unsigned after[6] = {1, 2, 4, 5, 7, 8};
			g_autofree char *word = subject_word(
			        i % SUBJECTS, (i / SUBJECTS + after[k]) % WORDS_OF_SUBJECT);
			g_string_append_printf(text, "the %s ", word);
		}
		g_string_append_printf(text, "page %u", i);
		tree_text(t, name, text->str);
	}
}

/* The word that the document lacks leads to it, and the same word of another subject does not. */
static void assert_subjects_found(const MeaningTraining *training)
{
	for (unsigned i = 0; i < DOCUMENTS; i++) {
		g_autofree char *own = subject_word(i % SUBJECTS, i / SUBJECTS);
		g_autofree char *other = subject_word((i + 7) % SUBJECTS, i / SUBJECTS);
		g_assert_cmpfloat(likeness(training, own, i), >, 0.5);
		g_assert_cmpfloat(likeness(training, other, i), <, 0.2);
	}
}

static void test_finds_subjects_without_the_word(Tree *t, gconstpointer data)
{
	add_subjects(t);
	tree_open(t);
	g_autoptr(MeaningTraining) training = train(t);
	g_assert_cmpuint(meaning_training_documents(training)->len, ==, DOCUMENTS);
	assert_subjects_found(training);
	MeaningWord word;
	g_assert_false(meaning_model_find(
	        meaning_training_model(training), meaning_hash("the", 3), &word));
}

/* Where FTS5's pages are not read, MATCH gives the same vectors. */
static void test_without_pages(Tree *t, gconstpointer data)
{
	add_subjects(t);
	tree_open(t);
	g_autoptr(MeaningTraining) by_pages = train(t);
	g_autofree char *before = g_strdup(g_getenv("TARSIER_FTS_PAGES"));
	g_setenv("TARSIER_FTS_PAGES", "no", TRUE);
	tree_open(t);
	g_autoptr(MeaningTraining) by_match = train(t);
	if (before)
		g_setenv("TARSIER_FTS_PAGES", before, TRUE);
	else
		g_unsetenv("TARSIER_FTS_PAGES");
	for (guint i = 0; i < DOCUMENTS; i++) {
		MeaningVector x, y;
		g_assert_true(meaning_training_vector(by_pages, i, &x));
		g_assert_true(meaning_training_vector(by_match, i, &y));
		g_assert_cmpmem(&x, sizeof x, &y, sizeof y);
	}
}

/* A deleted document has no part in it, though its postings are there until they are purged. */
static void test_deleted_documents(Tree *t, gconstpointer data)
{
	MeaningWord word;
	add_subjects(t);
	for (int i = 0; i < 5; i++) {
		g_autofree char *name = g_strdup_printf("secret%d.txt", i);
		g_autofree char *text = g_strdup_printf("xaaa %s no%d", i < 3 ? "secret" : "", i);
		tree_text(t, name, text);
	}
	commit(&t->index);
	for (int i = 0; i < 2; i++) {
		g_autofree char *name = g_strdup_printf("secret%d.txt", i);
		Entry entry;
		g_assert_cmpint(writer_lookup(t->index.w, t->node, name, &entry, NULL), ==, 1);
		OK(writer_remove(t->index.w, entry.node, error));
	}
	tree_open(t);
	g_autoptr(MeaningTraining) training = train(t);
	g_assert_cmpuint(meaning_training_documents(training)->len, ==, DOCUMENTS + 3);
	g_assert_false(meaning_model_find(
	        meaning_training_model(training), meaning_hash("secret", 6), &word));
	g_assert_true(meaning_model_find(
	        meaning_training_model(training), meaning_hash("xaaa", 4), &word));
}

static void assert_empty(Tree *t, guint documents)
{
	tree_open(t);
	g_autoptr(MeaningTraining) training = train(t);
	g_assert_cmpuint(meaning_training_documents(training)->len, ==, documents);
	g_assert_cmpuint(meaning_model_bytes(meaning_training_model(training)), ==, 0);
	for (guint i = 0; i < documents; i++) {
		MeaningVector vector;
		g_assert_false(meaning_training_vector(training, i, &vector));
	}
}

static void test_nothing_to_learn(Tree *t, gconstpointer data)
{
	assert_empty(t, 0);
	tree_text(t, "one.txt", "word");
	assert_empty(t, 1);
	for (int i = 0; i < 9; i++) {
		g_autofree char *name = g_strdup_printf("%d.txt", i);
		g_autoptr(GString) text = g_string_new(NULL);
		for (int k = 0; k <= i * 100; k++)
			g_string_append(text, "word ");
		tree_text(t, name, text->str);
	}
	assert_empty(t, 10);
}

/* ---- the model in the index */

/* The number of vectors. */
#define VECTORS "SELECT coalesce(sum(length(vectors)) / 32, 0) FROM meaning_vector"

/* Does slices until nothing is left, at most so many. Returns whether it came to the end. */
static bool learn(Tree *t, bool always, unsigned slices)
{
	bool more = true;
	for (unsigned i = 0; i < slices && more; i++)
		OK(writer_meaning_step(t->index.w, always, &more, error));
	return !more;
}

static void learn_all(Tree *t)
{
	g_assert_true(learn(t, false, 10000));
}

static int64_t sum_of_vectors(Tree *t)
{
	return ask(&t->index,
	        "SELECT total(length(vectors)) + total(unicode(hex(vectors)) * block) + "
	        "total(unicode(substr(hex(vectors), 31, 1)) * present) FROM "
	        "meaning_vector");
}

/* By the index's own check. */
static guint count_problems(Tree *t)
{
	g_autoptr(GPtrArray) problems = NULL;
	tree_open(t);
	OK(reader_check(t->r, &problems, error));
	return problems->len;
}

static void remove_document(Tree *t, const char *name)
{
	Entry entry;
	g_assert_cmpint(writer_lookup(t->index.w, t->node, name, &entry, NULL), ==, 1);
	OK(writer_remove(t->index.w, entry.node, error));
	commit(&t->index);
}

static void test_learns_once(Tree *t, gconstpointer data)
{
	add_subjects(t);
	commit(&t->index);
	learn_all(t);
	g_assert_cmpint(ask(&t->index, VECTORS), ==, DOCUMENTS);
	g_assert_cmpint(total(&t->index, "meaning"), ==, DOCUMENTS);
	g_assert_true(learn(t, false, 1));
	for (unsigned i = 0; i < DOCUMENTS / 5; i++) {
		g_autofree char *name = g_strdup_printf("new%u.txt", i);
		g_autofree char *text = g_strdup_printf("xaaa xaab new%u", i);
		tree_text(t, name, text);
	}
	commit(&t->index);
	g_assert_true(learn(t, false, 1));
	tree_text(t, "one.txt", "xaaa xaab one");
	commit(&t->index);
	g_assert_false(learn(t, false, 1));
}

/* The contents of the index. */
static MeaningModel *stored_model(Tree *t)
{
	MeaningModel *model = meaning_model_new();
	sqlite3_stmt *statement;
	g_assert_cmpint(sqlite3_prepare_v2(t->r->db, "SELECT part, words FROM meaning_word", -1,
	                        &statement, NULL),
	        ==, SQLITE_OK);
	while (sqlite3_step(statement) == SQLITE_ROW)
		g_assert_true(meaning_model_set_part(model, sqlite3_column_int(statement, 0),
		        sqlite3_column_blob(statement, 1), sqlite3_column_bytes(statement, 1)));
	sqlite3_finalize(statement);
	return model;
}

static MeaningVector last_vector(Tree *t)
{
	MeaningVector vector;
	bool known;
	OK(reader_begin(t->r, 0, error));
	int64_t last = ask(&t->index, "SELECT max(id) FROM document");
	OK(stored_vector(t->r, last, &vector, &known, error));
	reader_end(t->r);
	g_assert_true(known);
	return vector;
}

/* A new document gets the direction of its subject at once, and a removed one loses its vector. */
static void test_folds_in(Tree *t, gconstpointer data)
{
	add_subjects(t);
	commit(&t->index);
	learn_all(t);
	tree_text(t, "strange.txt", "quite other words");
	tree_text(t, "new.txt", "xabc xabd the xabe and further words");
	tree_open(t);
	g_assert_cmpint(ask(&t->index, VECTORS), ==, DOCUMENTS + 1);
	g_autoptr(MeaningModel) model = stored_model(t);
	MeaningVector vector = last_vector(t), same = direction_in(model, "xabj"),
	              other = direction_in(model, "xcbj");
	g_assert_cmpfloat(meaning_cosine(&vector, &same), >, 0.5);
	g_assert_cmpfloat(meaning_cosine(&vector, &other), <, 0.2);
	remove_document(t, "new.txt");
	g_assert_cmpint(ask(&t->index, VECTORS), ==, DOCUMENTS);
	g_assert_cmpint(total(&t->index, "meaning_gone"), ==, 1);
}

/* Text after the counted words of a long book has no part in the subject. */
static void test_folds_in_enough(Tree *t, gconstpointer data)
{
	g_autoptr(GString) text = g_string_new(NULL);
	add_subjects(t);
	commit(&t->index);
	learn_all(t);
	tree_text(t, "short.txt", "xabc xabd");
	tree_open(t);
	MeaningVector vector = last_vector(t);
	g_string_append(text, "xabc xabd ");
	for (unsigned i = 2; i < WORD_SUMS_MOST; i++)
		g_string_append(text, "q ");
	for (unsigned i = 0; i < 1000; i++)
		g_string_append(text, "xcbj ");
	tree_text(t, "long.txt", text->str);
	tree_open(t);
	MeaningVector same = last_vector(t);
	g_assert_cmpfloat(meaning_cosine(&vector, &same), >, 0.99);
}

/* A training that was cut anywhere is made up for, with the same result. */
static void test_cut(Tree *t, gconstpointer data)
{
	add_subjects(t);
	commit(&t->index);
	learn_all(t);
	int64_t whole = sum_of_vectors(t);
	for (unsigned slices = 1, ended = 0; !ended; slices++) {
		exec_raw(&t->index, "UPDATE meta SET value = 0 WHERE key = 'meaning'");
		fixture_reopen(&t->index);
		ended = learn(t, false, slices);
		fixture_reopen(&t->index);
		learn_all(t);
		g_assert_cmpint(sum_of_vectors(t), ==, whole);
		g_assert_cmpint(total(&t->index, "meaning"), ==, DOCUMENTS);
	}
}

/* Documents that are removed during the training get no vector. */
static void test_removed_meanwhile(Tree *t, gconstpointer data)
{
	add_subjects(t);
	commit(&t->index);
	for (unsigned slices = 1; slices < 6; slices++) {
		g_autofree char *name = g_strdup_printf("00%u.txt", slices);
		exec_raw(&t->index, "UPDATE meta SET value = 0 WHERE key = 'meaning'");
		tree_text(t, "again.txt", name);
		learn(t, false, slices);
		remove_document(t, name);
		learn(t, false, 10000);
		g_assert_cmpuint(count_problems(t), ==, 0);
	}
}

/* Documents that are added during the training get a vector of its model, whenever they come, and
 * none of them stays if it is removed again. */
static void test_added_meanwhile(Tree *t, gconstpointer data)
{
	unsigned added = 0;
	add_subjects(t);
	commit(&t->index);
	for (bool ended = false; !ended;) {
		g_autofree char *name = g_strdup_printf("new%03u.txt", ++added);
		g_autofree char *text = g_strdup_printf("xabc xabd the xabe new%u", added);
		exec_raw(&t->index, "UPDATE meta SET value = 0 WHERE key = 'meaning'");
		ended = learn(t, false, added);
		tree_text(t, "gone.txt", name);
		tree_text(t, name, text);
		commit(&t->index);
		learn(t, false, 1);
		remove_document(t, "gone.txt");
		learn_all(t);
		tree_open(t);
		g_assert_cmpint(ask(&t->index, VECTORS), ==, DOCUMENTS + added);
		g_autoptr(MeaningModel) model = stored_model(t);
		MeaningVector vector = last_vector(t), same = direction_in(model, "xabc xabd xabe"),
		              other = direction_in(model, "xcbj");
		g_assert_cmpfloat(meaning_cosine(&vector, &same), >, 0.95);
		g_assert_cmpfloat(meaning_cosine(&vector, &other), <, 0.2);
	}
	g_assert_cmpuint(added, >, 6);
}

/* Words that only deleted documents had leave the model, and the model leaves a small index. */
static void test_words_leave(Tree *t, gconstpointer data)
{
	add_subjects(t);
	for (int i = 0; i < 4; i++) {
		g_autofree char *name = g_strdup_printf("secret%d.txt", i);
		g_autofree char *text = g_strdup_printf("xaaa secret no%d", i);
		tree_text(t, name, text);
	}
	commit(&t->index);
	learn_all(t);
	int64_t before = ask(&t->index, "SELECT sum(length(words)) FROM meaning_word");
	for (int i = 0; i < 4; i++) {
		g_autofree char *name = g_strdup_printf("secret%d.txt", i);
		remove_document(t, name);
	}
	g_assert_true(learn(t, false, 1));
	g_assert_true(learn(t, true, 10000));
	g_assert_cmpint(ask(&t->index, "SELECT sum(length(words)) FROM meaning_word"), ==,
	        before - MEANING_WORD_BYTES);
	remove_document(t, "000.txt");
	learn(t, true, 10000);
	g_assert_cmpint(ask(&t->index, "SELECT count(*) FROM meaning_word"), ==, 0);
	g_assert_cmpint(ask(&t->index, VECTORS), ==, 0);
}

/* Words of documents that are removed during a training are not left by the next purge, whatever
 * the training had done. */
static void test_words_leave_meanwhile(Tree *t, gconstpointer data)
{
	bool ended = false;
	add_subjects(t);
	for (unsigned slices = 1; !ended; slices++) {
		for (int i = 0; i < 3; i++) {
			g_autofree char *name = g_strdup_printf("secret%d.txt", i);
			g_autofree char *text = g_strdup_printf("xaaa secret no%u-%d", slices, i);
			tree_text(t, name, text);
		}
		commit(&t->index);
		exec_raw(&t->index, "UPDATE meta SET value = 0 WHERE key = 'meaning'");
		ended = learn(t, false, slices);
		for (int i = 0; i < 3; i++) {
			g_autofree char *name = g_strdup_printf("secret%d.txt", i);
			remove_document(t, name);
		}
		g_assert_true(learn(t, true, 10000));
		tree_open(t);
		g_autoptr(MeaningModel) model = stored_model(t);
		MeaningWord word;
		g_assert_false(meaning_model_find(model, meaning_hash("secret", 6), &word));
		g_assert_true(meaning_model_find(model, meaning_hash("xaaa", 4), &word));
		g_assert_cmpuint(count_problems(t), ==, 0);
	}
}

/* ---- vectors that somebody brings */

static int open_plainly(const char *path)
{
	return open(path, O_RDONLY | O_CLOEXEC);
}

/* Writes vectors in which the words of a subject have the direction of the next one too: `apart` of
 * their numbers tell them apart. The last word of each subject is left out. */
static void bring_vectors(Tree *t, unsigned dimensions, bool apart)
{
	g_autofree char *path = in_dir(&t->index, "words.vec");
	g_autoptr(GString) text = g_string_new(NULL);
	for (unsigned s = 0; s < SUBJECTS; s++)
		for (unsigned i = 0; i + 1 < WORDS_OF_SUBJECT; i++) {
			g_autofree char *word = subject_word(s, i);
			g_string_append(text, word);
			for (unsigned k = 0; k < dimensions; k++)
				g_string_append_printf(text, " %.3f",
				        apart && k == s / 2 % dimensions ? 2.5 : 0.1);
			g_string_append_c(text, '\n');
		}
	g_assert_true(g_file_set_contents(path, text->str, text->len, NULL));
	writer_set_word_vectors(t->index.w, path, open_plainly);
}

static void test_brought(Tree *t, gconstpointer data)
{
	static const unsigned dimensions[] = {15, 33, 512};
	add_subjects(t);
	commit(&t->index);
	for (size_t i = 0; i < G_N_ELEMENTS(dimensions); i++) {
		g_auto(ReaderVectors) used = {0};
		bring_vectors(t, dimensions[i], true);
		learn_all(t);
		tree_open(t);
		OK(reader_word_vectors(t->r, &used, error));
		g_assert_cmpuint(used.words, ==, SUBJECTS * (WORDS_OF_SUBJECT - 1));
		g_assert_cmpstr(used.refusal, ==, "");
		g_autoptr(MeaningModel) model = stored_model(t);
		MeaningVector a = direction_in(model, "xaaa"), same = direction_in(model, "xabb"),
		              lacking = direction_in(model, "xaaj"),
		              other = direction_in(model, "xaca");
		g_assert_cmpfloat(meaning_cosine(&a, &same), >, 0.99);
		g_assert_cmpfloat(meaning_cosine(&a, &lacking), >, 0.9);
		g_assert_cmpfloat(meaning_cosine(&a, &other), <, 0.2);
		g_assert_true(learn(t, false, 1)); /* the same file is no reason to train again */
	}
}

/* Vectors that tell no words apart give no direction, and the index is learned from. */
static void test_brought_equal(Tree *t, gconstpointer data)
{
	g_auto(ReaderVectors) used = {0};
	add_subjects(t);
	commit(&t->index);
	bring_vectors(t, 2, false);
	g_test_expect_message(
	        "tarsier-index", G_LOG_LEVEL_MESSAGE, "the word vectors are not used*");
	learn_all(t);
	g_test_assert_expected_messages();
	tree_open(t);
	OK(reader_word_vectors(t->r, &used, error));
	g_assert_cmpuint(used.words, ==, 0);
	g_assert_cmpstr(used.refusal, !=, "");
	g_assert_cmpint(ask(&t->index, VECTORS), ==, DOCUMENTS);
}

/* ---- in the order of hits */

/* Texts with "lamp" and a word of a subject: ten that have both often and are about the subject,
 * then short ones that are not, then longer ones that are. */
static void add_ambiguous(Tree *t)
{
	add_subjects(t);
	for (unsigned i = 0; i < 60; i++) {
		bool first = i < 10, other = i >= 10 && i < 35;
		g_autofree char *name = g_strdup_printf("%s%02u.txt", other ? "other" : "ship", i);
		g_autofree char *text = g_strdup_printf(
		        first   ? "lamp xaaa lamp xaaa lamp xaaa xaab xaac xaad page%u"
		        : other ? "lamp xaaa in another text page%u"
		                : "lamp xaaa xaab xaac xaad xaae xaaf xaag page%u",
		        i);
		tree_text(t, name, text);
	}
	tree_open(t);
}

static char *first_names(Tree *t, const char *text, bool no_meaning, bool any)
{
	const QueryOptions reading = {.any = any};
	const SearchOptions options = {
	        .limit = 30, .dups = DUPS_SHOW, .no_meaning = no_meaning, .uid = geteuid()};
	g_autoptr(Query) query = parse(text, &reading);
	g_autoptr(GError) error = NULL;
	g_autoptr(SearchResult) result = search_run(t->r, query, &options, &error);
	g_assert_no_error(error);
	GString *names = g_string_new(NULL);
	for (guint i = 0; i < result->hits->len; i++) {
		g_autofree char *name =
		        g_path_get_basename(((Hit *)result->hits->pdata[i])->info.path);
		g_string_append_printf(names, "%s ", name);
	}
	g_string_append_printf(names, "of %u", (unsigned)result->total);
	return g_string_free(names, FALSE);
}

static unsigned count_ships(const char *names)
{
	unsigned n = 0;
	for (const char *at = names; (at = strstr(at, "ship")); at++)
		n++;
	return n;
}

static void test_subject_first(Tree *t, gconstpointer data)
{
	add_ambiguous(t);
	g_autofree char *before = first_names(t, "lamp xaaa", false, false);
	learn_all(t);
	tree_open(t);
	g_autofree char *after = first_names(t, "lamp xaaa", false, false),
	                *off = first_names(t, "lamp xaaa", true, false);
	g_assert_cmpstr(off, ==, before);
	g_assert_true(g_str_has_suffix(before, "of 60") && g_str_has_suffix(after, "of 60"));
	g_assert_cmpuint(count_ships(after), >, count_ships(before));
}

/* Quoted words, fields, patterns and other orders are as they were. */
static void test_exact_queries_unchanged(Tree *t, gconstpointer data)
{
	static const char *const texts[] = {"\"lamp\" xaaa", "\"xaaa xaab\" lamp", "lamp",
	        "lamp xaa*", "title:lamp xaaa", "=lamp xaaa"};
	g_autoptr(GPtrArray) before = g_ptr_array_new_with_free_func(g_free);
	add_ambiguous(t);
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
		g_ptr_array_add(before, first_names(t, texts[i], false, false));
	learn_all(t);
	tree_open(t);
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		g_autofree char *after = first_names(t, texts[i], false, false);
		g_assert_cmpstr(after, ==, before->pdata[i]);
	}
}

/* ---- by subject */

/* Runs a query and frees it. The caller owns the result. */
static SearchResult *run_as(Tree *t, Query *query, uint32_t uid)
{
	const SearchOptions options = {
	        .limit = 1000, .dups = DUPS_SHOW, .sort = SORT_NEAREST, .uid = uid};
	g_autoptr(GError) error = NULL;
	SearchResult *result = search_run(t->r, query, &options, &error);
	g_assert_no_error(error);
	query_free(query);
	return result;
}

/* Documents about the words that do not have them all. */
static SearchResult *by_meaning(Tree *t, const char *text, uint32_t uid)
{
	const QueryOptions reading = {0};
	g_autoptr(Query) query = parse(text, &reading);
	Query *other = query_by_meaning(query);
	g_assert_nonnull(other);
	return run_as(t, other, uid);
}

static bool subject_of_first(
        const char *file, int64_t *document_r, GBytes **terms_r, void *data, GError **error)
{
	*document_r = *(const int64_t *)data;
	return true;
}

static SearchResult *related_to(Tree *t, int64_t document)
{
	const QueryOptions reading = {0};
	const QueryFiles files = {.subject = subject_of_first, .data = &document};
	Query *query = parse("related:x", &reading);
	OK(query_resolve_files(query, &files, error));
	return run_as(t, query, geteuid());
}

static void assert_about_subject(const SearchResult *result, unsigned subject, guint n)
{
	g_assert_cmpuint(result->hits->len, ==, n);
	for (guint i = 0; i < result->hits->len; i++) {
		const Hit *hit = result->hits->pdata[i];
		g_autofree char *name = g_path_get_basename(hit->info.path);
		g_assert_cmpuint(strtoul(name, NULL, 10) % SUBJECTS, ==, subject);
		g_assert_cmpfloat(hit->likeness, >=, 0.5);
	}
}

static void test_by_subject(Tree *t, gconstpointer data)
{
	enum { WITH_WORD = 6 };
	add_subjects(t);
	tree_open(t);
	g_autoptr(SearchResult) early = by_meaning(t, "xaba", geteuid());
	g_assert_cmpuint(early->hits->len, ==, 0);
	learn_all(t);
	tree_open(t);
	g_autoptr(SearchResult)
	        without = by_meaning(t, "xaba", geteuid()),
	        excluded = by_meaning(t, "xaba NOT xabd", geteuid()),
	        filtered = by_meaning(t, "xaba ext:pdf", geteuid()),
	        unknown = by_meaning(t, "elsewhere", geteuid()),
	        related = related_to(t, ((Hit *)without->hits->pdata[0])->info.document),
	        nothing = related_to(t, G_MAXINT64);
	assert_about_subject(without, 1, WORDS_OF_SUBJECT - WITH_WORD);
	assert_about_subject(excluded, 1, 3);
	assert_about_subject(related, 1, WORDS_OF_SUBJECT);
	g_assert_cmpuint(filtered->hits->len + unknown->hits->len + nothing->hits->len, ==, 0);
}

static void test_needs_words(void)
{
	static const char *const texts[] = {"ext:pdf", "filename:lamp", "lam*", "NOT lamp", "*.c"};
	const QueryOptions reading = {0};
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		g_autoptr(Query) query = parse(texts[i], &reading);
		g_assert_null(query_by_meaning(query));
	}
}

/* A word that only closed texts have does not lead to what they are about. */
static void test_closed_words(Tree *t, gconstpointer data)
{
	enum { SOMEBODY = 65533 };
	g_chmod(t->index.dir, 0755);
	g_chmod(t->root, 0755);
	add_subjects(t);
	for (unsigned i = 0; i < 3; i++) {
		g_autofree char *name = g_strdup_printf("closed%u.txt", i);
		g_autofree char *text = g_strdup_printf(
		        "secret xaba xabb xabc xabd xabe xabf xabg xabh xabi xabj no%u", i);
		g_autofree char *path = tree_path(t, name);
		tree_text(t, name, text);
		g_assert_cmpint(g_chmod(path, 0600), ==, 0);
	}
	commit(&t->index);
	learn_all(t);
	tree_open(t);
	g_autoptr(SearchResult) mine = by_meaning(t, "secret", geteuid()),
	                        theirs = by_meaning(t, "secret", SOMEBODY),
	                        open = by_meaning(t, "xaba", SOMEBODY);
	assert_about_subject(mine, 1, WORDS_OF_SUBJECT);
	g_assert_cmpuint(theirs->hits->len, ==, 0);
	assert_about_subject(open, 1, 4);
}

/* A collection of equal texts has nothing to learn, and is trained once; one text of a million
 * equal words among others changes nothing but its own vector. */
static void test_equal_texts(Tree *t, gconstpointer data)
{
	for (unsigned i = 0; i < DOCUMENTS; i++) {
		g_autofree char *name = g_strdup_printf("equal%u.txt", i);
		g_autofree char *text = g_strdup_printf("xaaa xaab xaac%*s", (int)i, "");
		tree_text(t, name, text);
	}
	commit(&t->index);
	g_assert_cmpint(ask(&t->index, "SELECT count(*) FROM document"), ==, DOCUMENTS);
	learn_all(t);
	g_assert_true(learn(t, false, 1));
	g_assert_cmpint(ask(&t->index, "SELECT count(*) FROM meaning_word"), ==, 0);
	g_assert_cmpint(ask(&t->index, VECTORS), ==, 0);
	tree_open(t);
	g_autoptr(SearchResult) nothing = by_meaning(t, "xaaa", geteuid());
	g_assert_cmpuint(nothing->hits->len, ==, 0);
}

static void test_million_equal_words(Tree *t, gconstpointer data)
{
	enum { MILLION = 1000 * 1000 };
	add_subjects(t);
	g_autoptr(GString) text = g_string_sized_new(5 * MILLION + 1);
	for (unsigned i = 0; i < MILLION; i++)
		g_string_append(text, "xaba ");
	tree_text(t, "million.txt", text->str);
	commit(&t->index);
	learn_all(t);
	tree_text(t, "another.txt", text->str + 5);
	tree_open(t);
	g_autoptr(MeaningModel) model = stored_model(t);
	MeaningVector vector = last_vector(t), word = direction_in(model, "xaba");
	g_assert_cmpfloat(meaning_cosine(&vector, &word), >, 0.99);
	g_assert_cmpuint(count_problems(t), ==, 0);
}

/* Damaged rows cost the part that they have in the order, and nothing else. */
static void test_damaged_rows(Tree *t, gconstpointer data)
{
	static const char *const damages[] = {
	        "UPDATE meaning_vector SET vectors = zeroblob(length(vectors)) WHERE block % 2",
	        "UPDATE meaning_vector SET vectors = x'00' WHERE block % 3 = 0",
	        "UPDATE meaning_vector SET present = -1 WHERE block % 3 = 1",
	        "UPDATE meaning_vector SET present = 1 << 40 WHERE block % 3 = 2",
	        "UPDATE meaning_vector SET vectors = 'text of some thirty-two bytes here'",
	        "UPDATE meaning_word SET words = zeroblob(40)",
	        "UPDATE meaning_word SET words = x'0102'",
	        "UPDATE meaning_word SET part = part + 1000000 WHERE part > 5",
	        "UPDATE meta SET value = 'x' WHERE key = 'meaning'"};
	add_ambiguous(t);
	learn_all(t);
	for (size_t i = 0; i < G_N_ELEMENTS(damages); i++) {
		exec_raw(&t->index, damages[i]);
		fixture_reopen(&t->index);
		tree_open(t);
		if (i > 0 && i < 5)
			g_assert_cmpuint(count_problems(t), >, 0);
		g_autofree char *some = first_names(t, "lamp xaaa", false, true);
		g_assert_true(strstr(some, "of "));
		g_autoptr(SearchResult) about = by_meaning(t, "xaba", geteuid());
		g_assert_cmpuint(about->hits->len, <=, DOCUMENTS);
		tree_text(t, "more.txt", damages[i]);
		tree_open(t);
	}
}

/* Pages that cannot be read end the training, and not the writer. */
static void test_damaged_pages(Tree *t, gconstpointer data)
{
	add_subjects(t);
	commit(&t->index);
	g_test_expect_message("tarsier-index", G_LOG_LEVEL_MESSAGE, "no latent semantics*");
	for (unsigned slices = 0; slices < 2; slices++)
		learn(t, false, 1);
	exec_raw(&t->index, "UPDATE text_data SET block = zeroblob(length(block)) WHERE id > 1000");
	g_assert_true(learn(t, false, 10000));
	g_test_assert_expected_messages();
	g_assert_cmpint(ask(&t->index, "SELECT count(*) FROM meaning_word"), ==, 0);
	OK(writer_check(t->index.w, error));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/meaning/rounding", test_rounding);
	g_test_add_func("/meaning/blocks", test_blocks);
	g_test_add_func("/meaning/parts", test_parts);
	g_test_add_func("/meaning/damaged-parts", test_damaged_parts);
	g_test_add_func("/meaning/rare-and-common-words", test_rare_and_common_words);
	g_test_add_func("/meaning/any-order", test_any_order);
	g_test_add_func("/meaning/bounds", test_bounds);
	g_test_add_func("/meaning/repeated-documents", test_repeated_documents);
#define TREE_TEST(path, test) g_test_add(path, Tree, NULL, tree_up, test, tree_down)
	TREE_TEST("/meaning/subjects", test_finds_subjects_without_the_word);
	TREE_TEST("/meaning/without-pages", test_without_pages);
	TREE_TEST("/meaning/deleted", test_deleted_documents);
	TREE_TEST("/meaning/nothing", test_nothing_to_learn);
	TREE_TEST("/meaning/learns-once", test_learns_once);
	TREE_TEST("/meaning/folds-in", test_folds_in);
	TREE_TEST("/meaning/folds-in-enough", test_folds_in_enough);
	TREE_TEST("/meaning/cut", test_cut);
	TREE_TEST("/meaning/removed-meanwhile", test_removed_meanwhile);
	TREE_TEST("/meaning/added-meanwhile", test_added_meanwhile);
	TREE_TEST("/meaning/words-leave", test_words_leave);
	TREE_TEST("/meaning/words-leave-meanwhile", test_words_leave_meanwhile);
	TREE_TEST("/meaning/brought", test_brought);
	TREE_TEST("/meaning/brought-equal", test_brought_equal);
	TREE_TEST("/meaning/equal-texts", test_equal_texts);
	TREE_TEST("/meaning/million-equal-words", test_million_equal_words);
	TREE_TEST("/meaning/subject-first", test_subject_first);
	TREE_TEST("/meaning/exact-queries", test_exact_queries_unchanged);
	g_test_add_func("/meaning/needs-words", test_needs_words);
	TREE_TEST("/meaning/by-subject", test_by_subject);
	TREE_TEST("/meaning/closed-words", test_closed_words);
	TREE_TEST("/meaning/damaged-pages", test_damaged_pages);
	TREE_TEST("/meaning/damaged-rows", test_damaged_rows);
	return g_test_run();
}
