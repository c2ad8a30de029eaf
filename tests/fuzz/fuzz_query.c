/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_query.c - fuzzes query texts with a small index
 *
 * The first byte chooses options, the rest is the query. SQLite and FTS5 must accept every query
 * that the parser accepts: any error but the time limit is a bug. A fault position outside the text
 * is a bug too. */
#include <config.h>
#include "index/search/search-private.h"
#include "index/search/snippet.h"
#include "index/write/writer.h"
#include "tests/fuzz/fuzz.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const fuzz_seeds[] = {"tests/fuzz/query/*", NULL};

static char *index_dir;

static void remove_index(void)
{
	g_autoptr(GDir) dir = g_dir_open(index_dir, 0, NULL);
	for (const char *name; dir && (name = g_dir_read_name(dir));) {
		g_autofree char *path = g_build_filename(index_dir, name, NULL);
		unlink(path);
	}
	rmdir(index_dir);
	g_free(index_dir);
}

/* language: NULL: unknown. */
static Document *document_of(const char *text, const char *language)
{
	Document *doc = document_new(NULL);
	doc->mime = g_strdup("text/plain");
	document_add_fact(doc, FIELD_TITLE, "alpha report", 12);
	if (language)
		document_add_fact(doc, FIELD_LANGUAGE, language, strlen(language));
	document_add_text(doc, TAG_HEADING1, DOC_RUN_BLOCK, "beta", 4);
	document_add_text(doc, TAG_BODY, DOC_RUN_BLOCK, text, strlen(text));
	return doc;
}

static void add_file(Writer *w, int64_t parent, const char *name, const char *text,
        const char *language, uint64_t ino)
{
	const EntryStat stat = {
	        .filesystem = 1, .ino = ino, .kind = ENTRY_FILE, .size = ino, .mtime_ns = ino};
	const ContentEnd end = {.mime = "text/plain", .extractor = "text", .version = 1};
	g_autoptr(Document) doc = document_of(text, language);
	uint8_t checksum[CHECKSUM_BYTES];
	int64_t content;
	Entry entry;

	checksum_of(writer_checksum_key(w), text, strlen(text), checksum);
	if (!writer_put(w, parent, name, &stat, true, &entry, NULL) ||
	        !writer_begin_content(w, checksum, ino, &content, NULL) ||
	        !writer_add_document(w, content, doc, false, NULL) ||
	        !writer_end_content(w, content, &end, NULL) ||
	        !writer_link(w, entry.inode, content, NULL))
		abort();
}

static Reader *make_index(void)
{
	const EntryStat dir = {.filesystem = 1, .ino = 1, .kind = ENTRY_DIR};
	Entry root;
	index_dir = g_dir_make_tmp("tarsier-fuzz-XXXXXX", NULL);
	atexit(remove_index);
	g_autoptr(Writer) w = writer_open(index_dir, index_dir, NULL);
	if (!w || !writer_put(w, 0, "/nowhere", &dir, false, &root, NULL))
		abort();
	add_file(w, root.node, "a b.txt", "the annual report of a c d e", "en", 2);
	add_file(w, root.node, "minutes 2023.pdf", "report draft 日本語 東京都", "ja", 3);
	add_file(w, root.node, "gamma", "beta delta any words here", NULL, 4);
	add_file(w, root.node, "tea", "the rapports running words", "fr", 5);
	add_file(w, root.node, "run", "the runs of a report", "en-gb", 6);
	g_clear_pointer(&w, writer_close);
	return reader_open(index_dir, NULL, NULL);
}

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
	SearchOptions options = {.limit = 5,
	        .offset = choice >> 3 & 1,
	        .sort = choice >> 4 & 3,
	        .dups = choice >> 6 & 1 ? DUPS_SHOW : DUPS_COLLAPSE,
	        .reverse = choice >> 7 & 1,
	        .uid = geteuid()};
	search_long_pages = choice & 8 ? 0 : G_MAXUINT;
	search(r, query, &options);
	g_autofree char *plan = search_explain(r, query, &options, NULL);
	g_autofree char *reading = query_explain(query);
	g_autoptr(Document) doc = document_of("the annual report of a c d e 日本語", "en");
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
		reader = make_index();
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
