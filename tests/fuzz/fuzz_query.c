/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_query.c - fuzzes query texts with a small index
 *
 * The first byte chooses options, the rest is the query. SQLite and FTS5 must accept every query
 * that the parser accepts: any error but the time limit is a bug. A fault position outside the text
 * is a bug too. */
#include <config.h>
#include "index/search/search-private.h"
#include "index/search/snippet.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/small-index.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const fuzz_seeds[] = {"tests/fuzz/query/*", NULL};

static void search(Reader *r, Query *query, const SearchOptions *options)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(SearchResult) result = search_run(r, query, options, &error);
	if (!result && !strstr(error->message, "was stopped") &&
	        !strstr(error->message, "more than")) {
		fprintf(stderr, "%s\n", error->message);
		abort();
	}
}

static void ask(Reader *r, Query *query, unsigned choice)
{
	bool large = choice >> 3 & 1; /* as if there were many times as many documents */
	SearchOptions options = {.limit = large ? 1 : 5,
	        .offset = large,
	        .sort = choice >> 4 & 3,
	        .dups = choice >> 6 & 1 ? DUPS_SHOW : DUPS_COLLAPSE,
	        .reverse = choice >> 7 & 1,
	        .uid = geteuid()};
	search_long_pages = large ? 0 : G_MAXUINT;
	search_at_once = search_best_spare = large ? 0 : 1000;
	search(r, query, &options);
	g_autofree char *plan = search_explain(r, query, &options, NULL);
	g_autofree char *reading = query_explain(query);
	g_autoptr(Document) doc = small_index_document("the annual report of a c d e 日本語", "en");
	g_ptr_array_unref(snippet_make(doc, query, 3, 20));
	if (!plan || !reading)
		abort();
	g_autoptr(Query) soft = query_soften(query);
	options.by_words = true;
	if (soft)
		search(r, soft, &options);
}

/* Saved searches have names of one letter. "l" refers to itself, "m" is invalid. */
static char *saved(const char *name, void *data)
{
	static const char *const texts[] = {"r", "report", "o", "alpha OR -beta", "l",
	        "report saved:l", "m", "(", "s", "saved:r saved:o"};
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i += 2)
		if (strcmp(name, texts[i]) == 0)
			return g_strdup(texts[i + 1]);
	return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static Reader *reader;
	if (!reader)
		reader = reader_open(small_index_make(), NULL, NULL);
	if (size == 0)
		return 0;
	const QueryOptions options = {.any = data[0] & 1,
	        .exact = data[0] & 2,
	        .filenames = data[0] & 4,
	        .now = 1779278400,
	        .cwd = "/home",
	        .saved = saved};
	QueryFault fault;
	g_autofree char *text = g_strndup((const char *)data + 1, size - 1);
	g_autoptr(Query) query = query_parse(text, &options, &fault, NULL);
	if (query)
		ask(reader, query, data[0]);
	else if (fault.position > strlen(text) || fault.length > strlen(text) - fault.position)
		abort();
	g_free(fault.hint);
	return 0;
}
