/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_leaf.c - a page of FTS5, as a damaged index may hold it */
#include <config.h>
#include "index/fts-leaf.h"
#include "tests/fuzz/fuzz.h"
#include <glib.h>

const char *const fuzz_seeds[] = {"tests/fuzz/seeds/leaf/*", NULL};

static bool read_documents(FtsLeaf *leaf)
{
	int64_t document = 0;
	int found;
	while ((found = fts_leaf_document(leaf, &document)) > 0)
		g_assert_true(leaf->documents <= leaf->end && leaf->end <= leaf->content);
	return found == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autofree FtsLeaf *leaf = g_new(FtsLeaf, 1);
	g_autofree uint8_t *exact = g_memdup2(data, size); /* so that a byte behind it is noticed */
	int found;
	if (!fts_leaf_open(leaf, exact, size) || !read_documents(leaf))
		return 0;
	while ((found = fts_leaf_next(leaf)) > 0 && read_documents(leaf))
		g_assert_true(leaf->term_length <= FTS_TERM_MAX && leaf->term[leaf->term_length] == '\0');
	return 0;
}
