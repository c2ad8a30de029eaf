/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/fts/term-scan.h"
#include "index/fts/fts-private.h"
#include "index/text/terms.h"
#include <stdint.h>
#include <string.h>

typedef struct {
	TermScanFunc function;
	void *data;
} ScanOfWords;

static bool term_scan_pass(void *data, const char *term)
{
	const ScanOfWords *scan = data;
	return *term == *TERMS_FILLER || scan->function(scan->data, term);
}

bool term_scan(
        Reader *r, TermTable table, const char *start, TermScanFunc f, void *data, GError **error)
{
	int open = fts_gate_is_open(r, table, error);
	ScanOfWords scan = {f, data};
	return open > 0    ? pages_scan(r, table, start, term_scan_pass, &scan, error)
	       : open == 0 ? match_scan(r, table, start, term_scan_pass, &scan, error)
	                   : false;
}

bool term_scan_postings(Reader *r, TermTable table, const char *term, bool prefix,
        TermPostingFunc f, void *data, GError **error)
{
	int open = fts_gate_is_open(r, table, error);
	return open > 0    ? pages_postings(r, table, term, prefix, NULL, f, data, error)
	       : open == 0 ? match_postings(r, table, term, prefix, f, data, error)
	                   : false;
}

bool term_scan_documents(
        Reader *r, TermTable table, const char *term, TermPostingFunc f, void *data, GError **error)
{
	int open = fts_gate_is_open(r, table, error);
	return open > 0    ? pages_add_documents(r, table, &term, 1, false, f, data, error)
	       : open == 0 ? match_postings(r, table, term, false, f, data, error)
	                   : false;
}

bool terms_postings(Reader *r, TermTable table, const char *const *terms, size_t n,
        TermPostingFunc f, void *data, GError **error)
{
	int open = fts_gate_is_open(r, table, error);
	if (open > 0)
		return pages_add_documents(r, table, terms, n, true, f, data, error);
	bool ok = open == 0;
	for (size_t i = 0; ok && i < n; i++)
		ok = match_postings(r, table, terms[i], false, f, data, error);
	return ok;
}

bool terms_walk(Reader *r, TermTable table, const char *after, unsigned pages,
        const TermWalkFuncs *f, void *data, char **last_r, GError **error)
{
	int open = fts_gate_is_open(r, table, error);
	const char *first = strcmp(after, TERMS_FILLER) < 0 ? TERMS_FILLER : after;
	*last_r = NULL;
	return open > 0    ? pages_walk(r, table, first, pages, f, data, last_r, error)
	       : open == 0 ? match_walk(r, table, first, pages, f, data, last_r, error)
	                   : false;
}

uint64_t terms_pages(Reader *r, TermTable table, const char *start)
{
	return fts_gate_is_open(r, table, NULL) > 0 ? pages_count(r, table, start) : 0;
}

bool terms_totals(
        Reader *r, TermTable table, uint64_t *documents_r, uint64_t *tokens_r, GError **error)
{
	int open = fts_gate_is_open(r, table, error); /* registers what match_totals() calls */
	return open >= 0 && match_totals(r, table, documents_r, tokens_r, error);
}

bool terms_exist(Reader *r, TermTable table, const char *const *terms, size_t n, bool *exists,
        GError **error)
{
	int open = fts_gate_is_open(r, table, error);
	return open > 0    ? pages_exist(r, table, terms, n, exists, error)
	       : open == 0 ? match_exist(r, table, terms, n, exists, error)
	                   : false;
}

/* ---- documents of terms */

/* A bit for each document number; numbers that are this far apart count as one. Chunks without a
 * bit have no memory: most calls count a few documents. */
enum { MATCHED_BITS = 1 << 24, CHUNK_BITS = 1 << 12 };

typedef struct {
	uint8_t *chunks[MATCHED_BITS / CHUNK_BITS];
	uint64_t n, most; /* documents counted so far, and the number at which counting stops */
} MatchedDocuments;

static void matched_free(MatchedDocuments *matched)
{
	for (size_t i = 0; i < G_N_ELEMENTS(matched->chunks); i++)
		g_free(matched->chunks[i]);
	g_free(matched);
}

static bool term_scan_count_document(void *data, const TermPosting *posting)
{
	MatchedDocuments *matched = data;
	size_t bit = (uint64_t)posting->document % MATCHED_BITS;
	uint8_t **chunk = &matched->chunks[bit / CHUNK_BITS];
	if (!*chunk)
		*chunk = g_malloc0(CHUNK_BITS / 8);
	uint8_t *byte = *chunk + bit % CHUNK_BITS / 8;
	matched->n += !(*byte >> bit % 8 & 1);
	*byte |= 1 << bit % 8;
	return matched->n < matched->most;
}

bool terms_count_documents(Reader *r, TermTable table, const char *const *terms, size_t n,
        uint64_t most, uint64_t *count_r, GError **error)
{
	MatchedDocuments *matched = g_new0(MatchedDocuments, 1);
	matched->most = most;
	int open = fts_gate_is_open(r, table, error);
	bool ok = open >= 0;
	if (open > 0)
		ok = pages_add_documents(
		        r, table, terms, n, false, term_scan_count_document, matched, error);
	for (size_t i = 0; open == 0 && ok && i < n && matched->n < most; i++)
		ok = match_postings(
		        r, table, terms[i], false, term_scan_count_document, matched, error);
	*count_r = matched->n;
	matched_free(matched);
	return ok;
}
