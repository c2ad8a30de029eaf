/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_fts_page.c - fuzzes a page of FTS5, as a damaged index may have it */
#include <config.h>
#include "index/fts/fts-page.h"
#include "tests/fuzz/fuzz.h"
#include <glib.h>

const char *const fuzz_seeds[] = {"tests/fuzz/seeds/fts-page/*", NULL};

/* Reads the positions in two pieces, as if they were on two pages. */
static void read_positions(const FtsPage *page)
{
	enum { COLUMNS = 3 };
	unsigned n[COLUMNS] = {0}, parted[COLUMNS] = {0};
	FtsPositions positions = {.in_varint = false}, more = {.in_varint = false};
	g_assert_true(
	        page->positions <= page->positions_end && page->positions_end <= page->length);
	const uint8_t *bytes = page->bytes + page->positions;
	size_t length = page->positions_end - page->positions, half = length / 2;
	fts_positions_count(&positions, bytes, length, n, COLUMNS);
	fts_positions_count(&more, bytes, half, parted, COLUMNS);
	fts_positions_count(&more, bytes + half, length - half, parted, COLUMNS);
	for (int i = 0; i < COLUMNS; i++)
		g_assert_cmpuint(n[i], ==, parted[i]);
}

static bool read_postings(FtsPage *page)
{
	int64_t document = 0;
	int found;
	while ((found = fts_page_posting(page, &document)) > 0) {
		g_assert_true(page->postings <= page->end && page->end <= page->content);
		read_positions(page);
	}
	return found == 0;
}

/* A page that is cut at a term begins with that term and has the postings after it. */
static void cut(const FtsPage *page, GByteArray *bytes)
{
	g_autofree FtsPage *rest = g_new(FtsPage, 1);
	fts_page_cut(page, bytes);
	g_autofree uint8_t *exact = g_memdup2(bytes->data, bytes->len);
	if (bytes->len > UINT16_MAX || !fts_page_open(rest, exact, bytes->len))
		return;
	g_assert_cmpint(fts_page_next(rest), ==, 1);
	g_assert_cmpmem(rest->term, rest->term_length, page->term, page->term_length);
	while (read_postings(rest) && fts_page_next(rest) > 0)
		;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autofree FtsPage *page = g_new(FtsPage, 1);
	g_autofree uint8_t *exact = g_memdup2(data, size); /* detects reading past the end */
	int found;
	if (!fts_page_open(page, exact, size))
		return 0;
	fts_page_continue(page, size / 2);
	read_positions(page);
	if (!read_postings(page))
		return 0;
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	while ((found = fts_page_next(page)) > 0) {
		cut(page, bytes);
		if (!read_postings(page))
			break;
		g_assert_true(
		        page->term_length <= FTS_TERM_MAX && page->term[page->term_length] == '\0');
	}
	return 0;
}
