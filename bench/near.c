/* SPDX-License-Identifier: GPL-3.0-or-later */
/* near.c - the cost of near copies in a large index
 *
 * near INDEX_DIR [N]: fills the empty INDEX_DIR with N (a million) documents that have only a
 * fingerprint. Of a hundred, 70 are unique, ten belong to one crowd that resembles one text, ten
 * are near copies of the document before, and ten of one of a thousand. Then it measures a look-up
 * and the discovery of all groups, with the code that the client runs. Prints one line for each
 * measure. */
#include <config.h>
#include "index/copies/dups-texts.h"
#include "index/search/search.h"
#include "index/store/db.h"
#include "index/write/writer.h"
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

static double cpu_s(void)
{
	struct rusage usage;
	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec +
	       (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static void die(const GError *why)
{
	fprintf(stderr, "near: %s\n", why->message);
	exit(1);
}

/* Peak memory of this process so far, in MB. */
static double peak_mb(void)
{
	struct rusage usage;
	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_maxrss / 1e3;
}

static uint64_t random_bits(void)
{
	return (uint64_t)g_random_int() << 32 | g_random_int();
}

static void flip(NearPrint *print, int simhash_bits, int sketch_bits)
{
	while (simhash_bits-- > 0)
		print->simhash ^= UINT64_C(1) << g_random_int_range(0, 64);
	for (int bit; sketch_bits-- > 0;) {
		bit = g_random_int_range(0, SKETCH_BITS);
		print->sketch.bits[bit / 64] ^= UINT64_C(1) << bit % 64;
	}
}

/* Makes the next print from the ones before it. */
static NearPrint next_print(const NearPrint *prints, uint32_t i)
{
	unsigned dice = g_random_int_range(0, 100);
	NearPrint print = {random_bits(), {{random_bits(), random_bits()}}};
	if (i == 0 || dice < 70)
		return print;
	print = dice < 80   ? prints[0]
	        : dice < 90 ? prints[i - 1]
	                    : prints[g_random_int_range(0, MIN(i, 1000))];
	flip(&print, g_random_int_range(0, 8), g_random_int_range(0, 14));
	return print;
}

static void put(sqlite3 *db, uint32_t n)
{
	g_autofree NearPrint *prints = g_new(NearPrint, n);
	sqlite3_stmt *content, *document, *fact, *fingerprint;
	const char *const sql[] = {
	        "INSERT INTO content(id, checksum, size, state) VALUES(?1, ?2, 1000, 0)",
	        "INSERT INTO document(id, content, words, date) VALUES(?1, ?1, 100, 0)",
	        "INSERT INTO fact(document, mime, state, reason, truncated, text_bytes, "
	        "text_checksum) "
	        "VALUES(?1, 'text/plain', 0, 0, 0, 600, ?2)",
	        "INSERT INTO fingerprint VALUES(?1, ?2)"};
	sqlite3_stmt **const all[] = {&content, &document, &fact, &fingerprint};
	for (unsigned i = 0; i < G_N_ELEMENTS(sql); i++)
		if (sqlite3_prepare_v2(db, sql[i], -1, all[i], NULL) != SQLITE_OK)
			g_error("%s", sqlite3_errmsg(db));
	sqlite3_exec(db, "BEGIN", NULL, NULL, NULL);
	for (uint32_t i = 0; i < n; i++) {
		uint8_t bits[NEAR_PRINT_BYTES];
		uint64_t checksum[2] = {random_bits(), random_bits()};
		prints[i] = next_print(prints, i);
		near_pack(&prints[i], bits);
		sqlite3_bind_blob(content, 2, checksum, sizeof checksum, SQLITE_STATIC);
		sqlite3_bind_blob(fact, 2, checksum, TEXT_CHECKSUM_KEPT, SQLITE_STATIC);
		sqlite3_bind_blob(fingerprint, 2, bits, sizeof bits, SQLITE_STATIC);
		for (unsigned k = 0; k < G_N_ELEMENTS(all); k++) {
			sqlite3_bind_int64(*all[k], 1, i + 1);
			sqlite3_step(*all[k]);
			sqlite3_reset(*all[k]);
		}
	}
	sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
	for (unsigned k = 0; k < G_N_ELEMENTS(all); k++)
		sqlite3_finalize(*all[k]);
}

/* The first look-up reads the file. */
static void measure_lookup(Reader *r)
{
	const SearchOptions options = {.limit = 20, .dups = DUPS_SHOW};
	for (unsigned i = 0; i < 5; i++) {
		g_autoptr(GError) error = NULL;
		NearPrint print = {random_bits(), {{random_bits(), random_bits()}}};
		g_autoptr(Query) query = query_near(&print, -1);
		double before = cpu_s();
		int64_t begin_us = g_get_monotonic_time();
		g_autoptr(SearchResult) result = search_run(r, query, &options, &error);
		int64_t took_us = g_get_monotonic_time() - begin_us;
		if (!result)
			die(error);
		printf("%s lookup %.1f ms, %.1f CPU ms\n", i == 0 ? "first" : "next",
		        took_us / 1000.0, 1e3 * (cpu_s() - before));
	}
	printf("lookup, peak %.0f MB\n", peak_mb());
}

typedef struct {
	uint64_t groups, members, largest;
} Found;

static bool count_group(
        const DupTexts *texts, const uint32_t *members, guint n, void *data, GError **error)
{
	Found *found = data;
	found->groups++;
	found->members += n;
	found->largest = MAX(found->largest, n);
	return true;
}

static void measure_discovery(Reader *r)
{
	g_autoptr(GError) error = NULL;
	double before = cpu_s();
	if (!reader_begin(r, 0, &error))
		die(error);
	g_autoptr(DupTexts) texts = dup_texts_read(r, &error);
	if (!texts)
		die(error);
	printf("read %.2f CPU s, peak %.0f MB\n", cpu_s() - before, peak_mb());
	guint linked = dup_texts_link(texts, NULL, NULL);
	printf("linked %.2f CPU s, %u texts, peak %.0f MB\n", cpu_s() - before, linked, peak_mb());
	Found found = {0};
	dup_texts_groups(texts, count_group, &found, NULL);
	printf("groups %.2f CPU s, %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
	       " texts, the largest of %" G_GUINT64_FORMAT ", peak %.0f MB\n",
	        cpu_s() - before, found.groups, found.members, found.largest, peak_mb());
	reader_end(r);
}

int main(int argc, char **argv)
{
	g_autoptr(GError) error = NULL;
	sqlite3 *db;
	if (argc < 2) {
		fprintf(stderr, "usage: near INDEX_DIR [N]\n");
		return 2;
	}
	g_random_set_seed(1);
	Writer *w = writer_open(argv[1], argv[1], &error);
	if (!w)
		die(error);
	writer_close(w);
	g_autofree char *file = g_build_filename(argv[1], "index.db", NULL);
	if (sqlite3_open(file, &db) != SQLITE_OK)
		g_error("%s", sqlite3_errmsg(db));
	put(db, argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 1000000);
	sqlite3_close(db);
	g_autoptr(Reader) r = reader_open(argv[1], argv[1], &error);
	if (!r)
		die(error);
	measure_lookup(r);
	measure_discovery(r);
	return 0;
}
