/* SPDX-License-Identifier: GPL-3.0-or-later */
/* prefixes.c - the posting lists of all terms with a prefix: our scan of the pages beside FTS5
 *
 * prefixes INDEX_DIR PREFIX...: prints for each prefix the postings and the CPU milliseconds, of
 * the best of five runs: of term_scan_postings(), of MATCH with the occurrences in each column,
 * which the rank of a document needs, and of MATCH without. "gate" is the first call of a new
 * reader for a term that is not there, which takes the sample of the gate, "again" the second one.
 */
#include <config.h>
#include "index/fts/term-scan.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { RUNS = 5 };

static void die(const char *what)
{
	fprintf(stderr, "prefixes: %s\n", what);
	exit(1);
}

static double cpu_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

static bool count_posting(void *data, const TermPosting *posting)
{
	++*(uint64_t *)data;
	return true;
}

static uint64_t scan_pages(Reader *r, const char *prefix)
{
	g_autoptr(GError) error = NULL;
	uint64_t n = 0;
	if (!term_scan_postings(r, TERMS_OF_TEXT, prefix, true, count_posting, &n, &error))
		die(error->message);
	return n;
}

static uint64_t run_match(Reader *r, const char *sql, const char *prefix)
{
	g_autofree char *phrase = g_strdup_printf("\"%s\" *", prefix);
	sqlite3_stmt *statement = reader_statement(r, sql, NULL);
	uint64_t n = 0;
	if (!statement)
		die(sqlite3_errmsg(r->db));
	sqlite3_bind_text(statement, 1, phrase, -1, SQLITE_STATIC);
	for (; reader_step(r, statement, NULL) > 0; n++)
		sqlite3_column_blob(statement, 1);
	return n;
}

static uint64_t match_counts(Reader *r, const char *prefix)
{
	return run_match(
	        r, "SELECT rowid, tarsier_counts(text) FROM text WHERE text MATCH ?1", prefix);
}

static uint64_t match_rows(Reader *r, const char *prefix)
{
	return run_match(r, "SELECT rowid, NULL FROM text WHERE text MATCH ?1", prefix);
}

static void measure(Reader *r, const char *prefix, const char *name,
        uint64_t (*f)(Reader *r, const char *prefix))
{
	double best = G_MAXDOUBLE;
	uint64_t n = 0;
	for (int i = 0; i < RUNS; i++) {
		if (!reader_begin(r, 0, NULL))
			die("reader_begin");
		double start = cpu_ms();
		n = f(r, prefix);
		best = MIN(best, cpu_ms() - start);
		reader_end(r);
	}
	printf("  %-14s %9lu rows %9.2f ms\n", name, (unsigned long)n, best);
}

static void measure_gate(const char *index)
{
	double best[2] = {G_MAXDOUBLE, G_MAXDOUBLE};
	for (int i = 0; i < RUNS; i++) {
		g_autoptr(Reader) r = reader_open(index, index, NULL);
		if (!r || !reader_begin(r, 0, NULL))
			die("cannot open the index");
		for (int k = 0; k < 2; k++) {
			double start = cpu_ms();
			scan_pages(r, "zzzzzzzz");
			best[k] = MIN(best[k], cpu_ms() - start);
		}
		reader_end(r);
	}
	printf("gate  %.3f ms, again %.3f ms\n", best[0], best[1]);
}

int main(int argc, char **argv)
{
	g_autoptr(GError) error = NULL;
	if (argc < 3)
		die("usage: prefixes INDEX_DIR PREFIX...");
	measure_gate(argv[1]);
	g_autoptr(Reader) r = reader_open(argv[1], argv[1], &error);
	if (!r)
		die(error->message);
	for (int i = 2; i < argc; i++) {
		printf("%s\n", argv[i]);
		measure(r, argv[i], "pages", scan_pages);
		measure(r, argv[i], "MATCH, counts", match_counts);
		measure(r, argv[i], "MATCH", match_rows);
	}
	return 0;
}
