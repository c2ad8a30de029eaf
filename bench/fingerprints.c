/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fingerprints.c - how well fingerprints tell near copies from other texts
 *
 * fingerprints DIR [PAIRS]: the regular files below DIR are texts in UTF-8. PAIRS has lines "a TAB
 * b TAB
 * ... TAB label" with paths below DIR and the label near or far; other labels do not count, and the
 * first line is skipped. Without PAIRS all pairs of the first 4,000 files by path are judged: near
 * if they share .7 of their word triples (Jaccard), far below .3. Prints precision and recall of
 * simhashes by size, features and allowed distance, and of sketches by size and estimate, alone and
 * after the simhash; then the cost of one fingerprint. Files in other formats must be converted
 * first (tarsier extract --plain). */
#include <config.h>
#include "index/text/fingerprint.h"
#include "index/text/terms.h"
#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <xxhash.h>

static const ChecksumKey zero_key;

enum { MAX_FILES = 4000, MAX_BYTES = 4 << 20, BITS = 64, DISTANCES = BITS + 1 };

/* Simhashes of the same text. */
typedef enum { WORDS_16, WORDS_32, WORDS, TRIPLES, BOTH_16, BOTH_32, BOTH, N_VARIANTS } Variant;
static const char *const variant_names[] = {"words, 16 bits", "words, 32 bits", "words, 64 bits",
        "triples, 64 bits", "words and triples, 16 bits", "words and triples, 32 bits",
        "words and triples, 64 bits"};

typedef struct {
	char *path; /* relative to the directory */
	char *text;
	uint64_t *triples; /* ascending, without duplicates */
	uint32_t n_triples;
	uint64_t simhash[N_VARIANTS];
	Sketch sketch;
} Text;

typedef struct {
	uint64_t near[DISTANCES], far[DISTANCES];
} Counts;

static struct {
	const char *dir;
	GPtrArray *texts; /* of Text */
	Counts simhash[N_VARIANTS];
	uint64_t near[DISTANCES][SKETCH_BITS + 1],
	        far[DISTANCES][SKETCH_BITS + 1]; /* by the distance of both */
	uint64_t all_near, all_far;
} bench;

/* ---- texts */

typedef struct {
	GArray *words, *triples; /* of uint64_t */
	uint64_t before[2];
} Collect;

static uint64_t joined(uint64_t left, uint64_t right)
{
	const uint64_t both[] = {left, right};
	return XXH3_64bits(both, sizeof both);
}

static void add_term(void *data, TextColumn column, const char *term, int length, TermKind kind)
{
	Collect *collect = data;
	if (kind != TERM_IS_WORD || column != COLUMN_BODY)
		return;
	uint64_t hash = XXH3_64bits(term, length);
	uint64_t triple = joined(collect->before[1], joined(collect->before[0], hash));
	g_array_append_val(collect->words, hash);
	if (collect->before[1] != 0)
		g_array_append_val(collect->triples, triple);
	collect->before[1] = collect->before[0];
	collect->before[0] = hash;
}

static int compare_hashes(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

/* Features with the weight 1 + floor(log2 n), or 1. Sorts hashes. The caller owns the result. */
static GArray *features_of(GArray *hashes, bool weighted)
{
	GArray *features = g_array_new(FALSE, FALSE, sizeof(Feature));
	g_array_sort(hashes, compare_hashes);
	for (guint i = 0, end; i < hashes->len; i = end) {
		uint64_t hash = g_array_index(hashes, uint64_t, i);
		for (end = i + 1;
		        end < hashes->len && g_array_index(hashes, uint64_t, end) == hash;)
			end++;
		Feature feature = {hash, weighted ? g_bit_storage(end - i) : 1};
		g_array_append_val(features, feature);
	}
	return features;
}

static uint64_t simhash(const GArray *features, unsigned bits)
{
	return fingerprint_simhash((const Feature *)(void *)features->data, features->len, bits);
}

static void fill_simhashes(Text *text, const GArray *words, const GArray *triples)
{
	g_autoptr(GArray) both = g_array_copy((GArray *)words);
	g_array_append_vals(both, triples->data, triples->len);
	text->simhash[WORDS_16] = simhash(words, 16);
	text->simhash[WORDS_32] = simhash(words, 32);
	text->simhash[WORDS] = simhash(words, 64);
	text->simhash[TRIPLES] = simhash(triples, 64);
	text->simhash[BOTH_16] = simhash(both, 16);
	text->simhash[BOTH_32] = simhash(both, 32);
	text->simhash[BOTH] = simhash(both, 64);
}

static Document *document_of(const char *text)
{
	Document *doc = document_new(NULL);
	document_add_text(doc, TAG_BODY, DOC_RUN_BLOCK, text, strlen(text));
	return doc;
}

static void read_features(Text *text, const Document *doc)
{
	Collect collect = {g_array_new(FALSE, FALSE, sizeof(uint64_t)),
	        g_array_new(FALSE, FALSE, sizeof(uint64_t)), {0}};
	terms_each(doc, add_term, &collect);
	g_autoptr(GArray) words = features_of(collect.words, true);
	g_autoptr(GArray) triples = features_of(collect.triples, false);
	fill_simhashes(text, words, triples);
	text->n_triples = triples->len;
	text->triples = g_new(uint64_t, triples->len + 1);
	for (guint i = 0; i < triples->len; i++)
		text->triples[i] = g_array_index(triples, Feature, i).hash;
	g_array_unref(collect.words);
	g_array_unref(collect.triples);
}

static int take(const char *path, const struct stat *st, int type, struct FTW *place)
{
	g_autofree char *bytes = NULL;
	gsize length;
	if (type != FTW_F || st->st_size > MAX_BYTES ||
	        !g_file_get_contents(path, &bytes, &length, NULL) ||
	        !g_utf8_validate(bytes, (gssize)length, NULL))
		return 0;
	Text *text = g_new0(Text, 1);
	text->path = g_strdup(path + strlen(bench.dir) + 1);
	text->text = g_steal_pointer(&bytes);
	g_ptr_array_add(bench.texts, text);
	return 0;
}

static int compare_paths(const void *a, const void *b)
{
	return strcmp((*(Text *const *)a)->path, (*(Text *const *)b)->path);
}

/* A text with too few words has no fingerprint. */
static void read_texts(bool all)
{
	nftw(bench.dir, take, 32, FTW_PHYS);
	g_ptr_array_sort(bench.texts, compare_paths);
	guint kept = 0;
	for (guint i = 0; i < bench.texts->len && (all || kept < MAX_FILES); i++) {
		Text *text = bench.texts->pdata[i];
		g_autoptr(Document) doc = document_of(text->text);
		Fingerprint print;
		fingerprint_document(doc, &zero_key, &print);
		if (!print.has_near)
			continue;
		read_features(text, doc);
		text->sketch = print.near.sketch;
		text->simhash[BOTH] = print.near.simhash; /* as in the index */
		bench.texts->pdata[kept++] = text;
	}
	bench.texts->len = kept;
}

/* ---- pairs */

static double jaccard(const Text *a, const Text *b)
{
	uint32_t i = 0, k = 0, common = 0;
	while (i < a->n_triples && k < b->n_triples) {
		uint64_t x = a->triples[i], y = b->triples[k];
		common += x == y;
		i += x <= y;
		k += y <= x;
	}
	uint32_t all = a->n_triples + b->n_triples - common;
	return all > 0 ? (double)common / all : 0;
}

static void count_pair(const Text *a, const Text *b, bool near)
{
	unsigned apart = sketch_distance(&a->sketch, &b->sketch);
	for (unsigned i = 0; i < N_VARIANTS; i++) {
		unsigned bits = __builtin_popcountll(a->simhash[i] ^ b->simhash[i]);
		++*(near ? &bench.simhash[i].near[bits] : &bench.simhash[i].far[bits]);
	}
	unsigned bits = __builtin_popcountll(a->simhash[BOTH] ^ b->simhash[BOTH]);
	++*(near ? &bench.near[bits][apart] : &bench.far[bits][apart]);
	++*(near ? &bench.all_near : &bench.all_far);
}

static void judge_all(void)
{
	for (guint i = 0; i < bench.texts->len; i++)
		for (guint k = i + 1; k < bench.texts->len; k++) {
			double j = jaccard(bench.texts->pdata[i], bench.texts->pdata[k]);
			if (j >= .7 || j < .3)
				count_pair(bench.texts->pdata[i], bench.texts->pdata[k], j >= .7);
		}
}

static const Text *find(const char *path)
{
	const Text wanted = {.path = (char *)path}, *key = &wanted;
	Text **found =
	        bsearch(&key, bench.texts->pdata, bench.texts->len, sizeof(void *), compare_paths);
	return found ? *found : NULL;
}

static void judge_pairs(const char *file)
{
	g_autofree char *bytes = NULL;
	if (!g_file_get_contents(file, &bytes, NULL, NULL))
		g_error("cannot read %s", file);
	g_auto(GStrv) lines = g_strsplit(bytes, "\n", -1);
	for (char **line = lines + (*lines != NULL); *line; line++) {
		g_auto(GStrv) cells = g_strsplit(*line, "\t", -1);
		guint n = g_strv_length(cells);
		const Text *a = n > 2 ? find(cells[0]) : NULL, *b = n > 2 ? find(cells[1]) : NULL;
		if (a && b &&
		        (strcmp(cells[n - 1], "near") == 0 || strcmp(cells[n - 1], "far") == 0))
			count_pair(a, b, strcmp(cells[n - 1], "near") == 0);
	}
}

/* ---- tables */

static void print_row(const char *what, unsigned bits, double estimate, uint64_t near, uint64_t far)
{
	printf("| %s | %u | ", what, bits);
	if (estimate >= 0)
		printf("%.2f", estimate);
	printf(" | %.4f | %.4f | %" G_GUINT64_FORMAT " |\n",
	        near + far ? (double)near / (near + far) : 1,
	        bench.all_near ? (double)near / bench.all_near : 1, far);
}

/* Prints the distances at which recall and precision change. */
static void print_variant(Variant variant)
{
	uint64_t near = 0, far = 0;
	for (unsigned bits = 0; bits < DISTANCES && near < .99 * bench.all_near; bits++) {
		near += bench.simhash[variant].near[bits];
		far += bench.simhash[variant].far[bits];
		if (near >= .7 * bench.all_near && far <= near)
			print_row(variant_names[variant], bits, -1, near, far);
	}
}

static void print_sketch(const char *what, unsigned bits, unsigned apart)
{
	uint64_t near = 0, far = 0;
	for (unsigned i = 0; i <= bits; i++)
		for (unsigned k = 0; k <= apart; k++) {
			near += bench.near[i][k];
			far += bench.far[i][k];
		}
	print_row(what, bits, 1 - 2.0 * apart / SKETCH_BITS, near, far);
}

static void print_tables(void)
{
	printf("%u texts, %" G_GUINT64_FORMAT " near pairs, %" G_GUINT64_FORMAT " far ones\n\n",
	        bench.texts->len, bench.all_near, bench.all_far);
	printf("| fingerprint | bits that may differ | estimate from | precision | recall | false "
	       "pairs |\n"
	       "|---|---:|---:|---:|---:|---:|\n");
	for (Variant variant = 0; variant < N_VARIANTS; variant++)
		print_variant(variant);
	for (unsigned apart = 24; apart <= 32; apart += 4)
		print_sketch("sketch alone", BITS, apart);
	for (unsigned bits = 11; bits <= 18; bits++)
		for (unsigned apart = 24; apart <= 32; apart += 4)
			print_sketch("simhash and sketch", bits, apart);
}

static double cpu_s(void)
{
	return (double)clock() / CLOCKS_PER_SEC;
}

static void nothing(void *data, TextColumn column, const char *term, int length, TermKind kind)
{
}

/* The cost of the fingerprint beside the tokenising that the text index needs anyway. */
static void print_cost(void)
{
	double tokens = 0, both = 0;
	uint64_t bytes = 0;
	for (guint i = 0; i < bench.texts->len; i++) {
		const Text *text = bench.texts->pdata[i];
		g_autoptr(Document) doc = document_of(text->text);
		Fingerprint print;
		double begin = cpu_s();
		terms_each(doc, nothing, NULL);
		double middle = cpu_s();
		fingerprint_document(doc, &zero_key, &print);
		tokens += middle - begin;
		both += cpu_s() - middle;
		bytes += strlen(text->text);
	}
	printf("\ntokenising %.1f ns a byte of text, fingerprint %.1f ns\n", tokens / bytes * 1e9,
	        (both - tokens) / bytes * 1e9);
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		fprintf(stderr, "usage: fingerprints DIR [PAIRS]\n");
		return 2;
	}
	bench.dir = argv[1];
	bench.texts = g_ptr_array_new();
	read_texts(argc > 2);
	if (argc > 2)
		judge_pairs(argv[2]);
	else
		judge_all();
	print_tables();
	print_cost();
	return 0;
}
