/* SPDX-License-Identifier: GPL-3.0-or-later */
/* word-count.c - what the count of new words of a day costs, and how many words directories have
 *
 * word-count DIR...: the files in UTF-8 below each DIR, of at most 10 MiB, are texts. Prints for
 * each DIR its texts, their size and their different words as the daily limit counts them
 * (index/text/word-count.h), and the CPU time of tokenising all of them with the count, as a part
 * of that without it: the median of 9 rounds, which take turns. */
#include <config.h>
#include "index/text/terms.h"
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

enum { FILE_MAX = 10 << 20, ROUNDS = 9 };

static const ChecksumKey zero_key;
static GPtrArray *texts; /* of Document */
static uint64_t bytes;

static int take(const char *path, const struct stat *st, int type, struct FTW *place)
{
	g_autofree char *text = NULL;
	gsize length;
	if (type != FTW_F || st->st_size == 0 || st->st_size > FILE_MAX ||
	        !g_file_get_contents(path, &text, &length, NULL) ||
	        !g_utf8_validate(text, length, NULL))
		return 0;
	Document *doc = document_new(NULL);
	document_add_text(doc, TAG_BODY, DOC_RUN_BLOCK, text, length);
	g_ptr_array_add(texts, doc);
	bytes += length;
	return 0;
}

static double tokenise_s(Terms *terms, WordCount *count)
{
	struct timespec before, after;
	Fingerprint print;
	terms->count = count;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before);
	for (guint i = 0; i < texts->len; i++)
		terms_of_document(terms, texts->pdata[i], &zero_key, &print);
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after);
	return after.tv_sec - before.tv_sec + (after.tv_nsec - before.tv_nsec) / 1e9;
}

static int word_count_compare(const void *one, const void *other)
{
	double a = *(const double *)one, b = *(const double *)other;
	return (a > b) - (a < b);
}

static void report(const char *dir)
{
	Terms terms;
	WordCount count = {0};
	double ratios[ROUNDS];
	terms_init(&terms);
	tokenise_s(&terms, &count);
	for (unsigned i = 0; i < ROUNDS; i++) {
		WordCount again = {0};
		double without_s = tokenise_s(&terms, NULL);
		ratios[i] = tokenise_s(&terms, &again) / without_s;
	}
	qsort(ratios, ROUNDS, sizeof *ratios, word_count_compare);
	uint64_t words = word_count_estimate(&count);
	printf("%s: %u texts, %.1f MiB, %" G_GUINT64_FORMAT " different words, %.0f for each MiB; "
	       "CPU %.3f (%.3f to %.3f)\n",
	        dir, texts->len, bytes / 1048576.0, words, words / (bytes / 1048576.0),
	        ratios[ROUNDS / 2], ratios[0], ratios[ROUNDS - 1]);
	terms_clear(&terms);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		texts = g_ptr_array_new_with_free_func((GDestroyNotify)document_free);
		bytes = 0;
		nftw(argv[i], take, 16, FTW_PHYS);
		if (texts->len > 0)
			report(argv[i]);
		g_ptr_array_unref(texts);
	}
	return 0;
}
