/* SPDX-License-Identifier: GPL-3.0-or-later */
/* meaning.c - the cost of latent semantics (index/meaning): training, index growth, folding in,
 * queries
 *
 * meaning INDEX_DIR FILE...: INDEX_DIR is an index of `collection`; texts of 250 words and the
 * words of queries are taken from the files. Prints a line for each measure; times are of the CPU.
 * The index is trained unless it is already, so the second run measures queries alone. */
#include <config.h>
#include "index/meaning/stored.h"
#include "index/meaning/word-sums.h"
#include "index/read/reader-private.h"
#include "index/search/search.h"
#include "index/write/writer.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { WORDS = 250, TEXTS = 200, QUERIES = 40, RUNS = 9 };

static double cpu_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

static void check(bool ok, const GError *error)
{
	if (ok)
		return;
	fprintf(stderr, "meaning: %s\n", error ? error->message : "failed");
	exit(1);
}

static int compare_ms(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return x < y ? -1 : x > y;
}

static double median(double *ms, unsigned n)
{
	qsort(ms, n, sizeof *ms, compare_ms);
	return ms[n / 2];
}

/* Bytes that the index takes: in use, without free pages. */
static double index_mb(const char *index)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(Reader) r = reader_open(index, NULL, &error);
	uint64_t pages = 0, spare = 0, bytes = 0;
	check(r != NULL, error);
	check(reader_begin(r, 0, &error) && reader_count(r, "PRAGMA page_count", &pages, &error) &&
	                reader_count(r, "PRAGMA freelist_count", &spare, &error) &&
	                reader_count(r, "PRAGMA page_size", &bytes, &error),
	        error);
	reader_end(r);
	return (pages - spare) * bytes / 1e6;
}

static void measure_training(const char *index)
{
	g_autoptr(GError) error = NULL;
	double start, most = 0;
	struct rusage before, after;
	g_autoptr(Writer) w = writer_open(index, index, &error);
	check(w != NULL, error); /* which upgrades an older index */
	double mb = index_mb(index);
	getrusage(RUSAGE_SELF, &before);
	start = cpu_ms();
	unsigned slices = 0;
	for (bool more = true; more; slices++) {
		double begin = cpu_ms();
		check(writer_meaning_step(w, false, &more, &error), error);
		most = MAX(most, cpu_ms() - begin);
	}
	getrusage(RUSAGE_SELF, &after);
	double cpu = cpu_ms() - start;
	g_clear_pointer(&w, writer_close);
	double grown = index_mb(index) - mb;
	printf("training %.1f s in %u slices of at most %.0f ms, %.0f MB more memory\n", cpu / 1e3,
	        slices, most, (after.ru_maxrss - before.ru_maxrss) / 1e3);
	printf("index %.1f MB and %.2f MB more, %.1f %%\n", mb, grown, 100 * grown / mb);
}

/* ---- texts */

static GPtrArray *words_of_files(char **files)
{
	GPtrArray *words = g_ptr_array_new_with_free_func(g_free);
	for (; *files; files++) {
		g_autofree char *text = NULL;
		gsize length;
		if (!g_file_get_contents(*files, &text, &length, NULL) ||
		        !g_utf8_validate(text, length, NULL))
			continue;
		g_auto(GStrv) parts = g_strsplit_set(text, " \n\t.,;:()\"'", -1);
		for (char **part = parts; *part; part++)
			if (strlen(*part) > 3 && g_ascii_isalpha(**part))
				g_ptr_array_add(words, g_ascii_strdown(*part, -1));
	}
	check(words->len > WORDS, NULL);
	return words;
}

static const char *any_word(const GPtrArray *words, GRand *random)
{
	return words->pdata[g_rand_int_range(random, 0, words->len)];
}

static Terms *terms_of_any(const GPtrArray *words, GRand *random)
{
	Terms *terms = g_new0(Terms, 1);
	Fingerprint fingerprint;
	g_autoptr(GString) text = g_string_new(NULL);
	g_autoptr(Document) doc = document_new(NULL);
	for (unsigned i = 0; i < WORDS; i++)
		g_string_append_printf(text, "%s ", any_word(words, random));
	document_add_text(doc, TAG_BODY, DOC_RUN_BLOCK, text->str, text->len);
	terms_init(terms);
	terms_of_document(terms, doc, NULL, &fingerprint);
	return terms;
}

static MeaningModel *whole_model(Reader *r)
{
	g_autoptr(GError) error = NULL;
	MeaningModel *model = meaning_model_new();
	check(reader_begin(r, 0, &error), error);
	sqlite3_stmt *row = reader_statement(r, "SELECT part, words FROM meaning_word", &error);
	check(row != NULL, error);
	while (reader_step(r, row, &error) > 0)
		check(meaning_model_set_part(model, sqlite3_column_int(row, 0),
		              sqlite3_column_blob(row, 1), sqlite3_column_bytes(row, 1)),
		        NULL);
	reader_end(r);
	return model;
}

static void measure_folding(Reader *r, const GPtrArray *words, GRand *random)
{
	double read[RUNS], fold[RUNS];
	Terms *texts[TEXTS];
	g_autoptr(MeaningModel) model = NULL;
	for (unsigned i = 0; i < TEXTS; i++)
		texts[i] = terms_of_any(words, random);
	for (unsigned run = 0; run < RUNS; run++) {
		MeaningVector vector;
		double start = cpu_ms();
		g_clear_pointer(&model, meaning_model_free);
		model = whole_model(r);
		read[run] = cpu_ms() - start;
		start = cpu_ms();
		for (unsigned i = 0; i < TEXTS; i++)
			meaning_fold_in(model, texts[i], &vector);
		fold[run] = (cpu_ms() - start) / TEXTS;
	}
	printf("folding in a text of %d words %.4f ms; reading the model (%.2f MB) %.2f ms\n",
	        WORDS, median(fold, RUNS), meaning_model_bytes(model) / 1e6, median(read, RUNS));
	for (unsigned i = 0; i < TEXTS; i++) {
		terms_clear(texts[i]);
		g_free(texts[i]);
	}
}

/* ---- queries */

static double query_ms(Reader *r, const char *text, bool any, const SearchOptions *options)
{
	const QueryOptions reading = {.any = any};
	g_autoptr(GError) error = NULL;
	QueryFault fault = {0};
	g_autoptr(Query) query = query_parse(text, &reading, &fault, &error);
	check(query != NULL, error);
	double start = cpu_ms();
	g_autoptr(SearchResult) result = search_run(r, query, options, &error);
	check(result != NULL, error);
	return cpu_ms() - start;
}

static double by_meaning_ms(Reader *r, const char *text, const SearchOptions *options)
{
	const QueryOptions reading = {0};
	g_autoptr(GError) error = NULL;
	QueryFault fault = {0};
	g_autoptr(Query) query = query_parse(text, &reading, &fault, &error);
	g_autoptr(Query) other = query ? query_by_meaning(query) : NULL;
	check(other != NULL, error);
	double start = cpu_ms();
	g_autoptr(SearchResult) result = search_run(r, other, options, &error);
	check(result != NULL, error);
	return cpu_ms() - start;
}

static void measure_queries(Reader *r, const GPtrArray *words, GRand *random)
{
	const SearchOptions with = {.limit = 20, .dups = DUPS_COLLAPSE, .uid = geteuid()};
	SearchOptions without = with, nearest = with;
	double plain[QUERIES], more[QUERIES], found[QUERIES];
	without.no_meaning = true;
	nearest.sort = SORT_NEAREST;
	for (unsigned i = 0; i < QUERIES; i++) {
		g_autofree char *text = g_strdup_printf("%s %s %s %s", any_word(words, random),
		        any_word(words, random), any_word(words, random), any_word(words, random));
		double off[RUNS], on[RUNS], subject[RUNS];
		for (unsigned run = 0; run < RUNS; run++) {
			off[run] = query_ms(r, text, true, &without);
			on[run] = query_ms(r, text, true, &with);
			subject[run] = by_meaning_ms(r, text, &nearest);
		}
		plain[i] = median(off, RUNS);
		more[i] = median(on, RUNS) - plain[i];
		found[i] = median(subject, RUNS);
	}
	double usual = median(plain, QUERIES), usual_more = median(more, QUERIES),
	       usual_found = median(found, QUERIES);
	printf("%d queries of four words by OR: %.1f ms", QUERIES, usual);
	printf(", with latent semantics %.2f ms more, at most %.2f\n", usual_more,
	        more[QUERIES - 1]);
	printf("what --meaning adds: %.1f ms, at most %.1f\n", usual_found, found[QUERIES - 1]);
}

int main(int argc, char **argv)
{
	g_autoptr(GError) error = NULL;
	if (argc < 3) {
		fprintf(stderr, "meaning INDEX_DIR FILE...\n");
		return 2;
	}
	g_autoptr(GPtrArray) words = words_of_files(argv + 2);
	GRand *random = g_rand_new_with_seed(1);
	measure_training(argv[1]);
	g_autoptr(Reader) r = reader_open(argv[1], NULL, &error);
	check(r != NULL, error);
	measure_folding(r, words, random);
	measure_queries(r, words, random);
	g_rand_free(random);
	return 0;
}
