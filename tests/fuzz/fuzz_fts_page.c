/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_fts_page.c - a page of FTS5, as a damaged index may hold it */
#include <config.h>
#include "index/fts/fts-page.h"
#include "tests/fuzz/fuzz.h"
#include <glib.h>

const char *const fuzz_seeds[] = {"tests/fuzz/seeds/leaf/*", NULL};

/* In two pieces, too, as pages part them. */
static void read_places(const FtsPage *leaf)
{
	enum { COLUMNS = 3 };
	unsigned n[COLUMNS] = {0}, parted[COLUMNS] = {0};
	FtsPositions positions = {.begun = false}, more = {.begun = false};
	g_assert_true(
	        leaf->positions <= leaf->positions_end && leaf->positions_end <= leaf->length);
	const uint8_t *bytes = leaf->bytes + leaf->positions;
	size_t length = leaf->positions_end - leaf->positions, half = length / 2;
	fts_positions_count(&positions, bytes, length, n, COLUMNS);
	fts_positions_count(&more, bytes, half, parted, COLUMNS);
	fts_positions_count(&more, bytes + half, length - half, parted, COLUMNS);
	for (int i = 0; i < COLUMNS; i++)
		g_assert_cmpuint(n[i], ==, parted[i]);
}

static void read_totals(const uint8_t *data, size_t size)
{
	uint64_t documents, tokens;
	fts_totals(data, size, &documents, &tokens);
}

static bool read_documents(FtsPage *leaf)
{
	int64_t document = 0;
	int found;
	while ((found = fts_page_document(leaf, &document)) > 0) {
		g_assert_true(leaf->documents <= leaf->end && leaf->end <= leaf->content);
		read_places(leaf);
	}
	return found == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autofree FtsPage *leaf = g_new(FtsPage, 1);
	g_autofree uint8_t *exact = g_memdup2(data, size); /* so that a byte behind it is noticed */
	int found;
	read_totals(exact, size);
	if (!fts_page_open(leaf, exact, size))
		return 0;
	fts_page_go_on(leaf, size / 2);
	read_places(leaf);
	if (!read_documents(leaf))
		return 0;
	while ((found = fts_page_next(leaf)) > 0 && read_documents(leaf))
		g_assert_true(
		        leaf->term_length <= FTS_TERM_MAX && leaf->term[leaf->term_length] == '\0');
	return 0;
}
