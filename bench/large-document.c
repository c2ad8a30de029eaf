/* SPDX-License-Identifier: GPL-3.0-or-later */
/* large-document.c - the longest steps of adding and purging one large document
 *
 * large-document INDEX_DIR: an empty directory. A document of as many different words as are
 * indexed, one where these recur until the text is as long as a text may be, and one as long of
 * one-letter words, and one of Chinese characters, are added in pieces with a commit after each,
 * removed, and purged by a sweep and by 'delete'. Prints the number of steps, their CPU seconds and
 * the longest one in ms, which a saved file waits for. */
#include <config.h>
#include "index/write/writer-private.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

typedef struct {
	unsigned n;
	double all_s, longest_s;
} Steps;

static double cpu_s(void)
{
	struct rusage usage;
	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec +
	       (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static void need(bool ok, GError *error)
{
	if (ok)
		return;
	fprintf(stderr, "large-document: %s\n", error ? error->message : "failed");
	exit(1);
}

static void steps_note(Steps *steps, double start_s)
{
	double taken_s = cpu_s() - start_s;
	steps->n++;
	steps->all_s += taken_s;
	steps->longest_s = MAX(steps->longest_s, taken_s);
}

static void steps_print(const Steps *steps, const char *text, const char *what)
{
	printf("%-10s %-18s %5u steps %6.2f s, longest %4.0f ms\n", text, what, steps->n,
	        steps->all_s, steps->longest_s * 1e3);
}

/* Words that recur after so many different ones, until the text is full. */
static Document *document_of_words(unsigned different, size_t bytes)
{
	g_autoptr(GString) text = g_string_new(NULL);
	Document *doc = document_new(NULL);
	doc->mime = g_strdup("text/plain");
	for (unsigned i = 0; text->len < bytes; i++)
		g_string_append_printf(text, "%x ", i % different);
	document_add_text(doc, TAG_BODY, DOC_RUN_BLOCK, text->str, text->len);
	return doc;
}

/* Chinese characters without a space, until the text is full. */
static Document *document_of_characters(unsigned different, size_t bytes)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autoptr(GRand) random = g_rand_new_with_seed(1);
	Document *doc = document_new(NULL);
	doc->mime = g_strdup("text/plain");
	while (text->len < bytes)
		g_string_append_unichar(
		        text, 0x4e00 + (gunichar)g_rand_int_range(random, 0, (gint32)different));
	document_add_text(doc, TAG_BODY, DOC_RUN_BLOCK, text->str, text->len);
	return doc;
}

static Entry add_file(Writer *w, int64_t filesystem, unsigned n)
{
	GError *error = NULL;
	EntryStat stat = {.filesystem = filesystem, .ino = 1, .kind = ENTRY_DIR, .mode = 0755};
	Entry root, file;
	need(writer_put(w, 0, "/r", &stat, true, &root, &error), error);
	stat = (EntryStat){.filesystem = filesystem, .ino = 2 + n, .kind = ENTRY_FILE, .size = 1};
	need(writer_put(w, root.node, "large.txt", &stat, true, &file, &error), error);
	return file;
}

static void add(Writer *w, const Entry *file, const Document *doc, const char *text)
{
	static const ContentEnd end = {.mime = "text/plain", .extractor = "text", .version = 1};
	static uint8_t checksum[CHECKSUM_BYTES];
	GError *error = NULL;
	Steps pieces = {0}, commits = {0};
	bool done = false;
	int64_t content;
	checksum[0]++;
	need(writer_begin_content(w, checksum, 1, &content, &error), error);
	while (!done) {
		double start_s = cpu_s();
		need(writer_add_piece(w, content, doc, false, &done, &error), error);
		steps_note(&pieces, start_s);
		start_s = cpu_s();
		need(writer_commit(w, &error), error);
		steps_note(&commits, start_s);
	}
	need(writer_end_content(w, content, &end, &error), error);
	need(writer_link(w, file->inode, content, &error), error);
	need(writer_commit(w, &error), error);
	steps_print(&pieces, text, "adding pieces");
	steps_print(&commits, text, "their commits");
}

static void purge(Writer *w, const Entry *file, const char *text, const char *what)
{
	GError *error = NULL;
	Steps steps = {0};
	bool more = true;
	need(writer_remove(w, file->node, &error) && writer_commit(w, &error), error);
	while (more) {
		double start_s = cpu_s();
		need(writer_purge_step(w, true, &more, &error), error);
		steps_note(&steps, start_s);
	}
	steps_print(&steps, text, what);
}

static void measure(Writer *w, int64_t filesystem, const char *text, const Document *doc)
{
	for (int by_delete = 0; by_delete < 2; by_delete++) {
		Entry file = add_file(w, filesystem, by_delete);
		w->sweep_refused = by_delete;
		add(w, &file, doc, text);
		purge(w, &file, text, by_delete ? "purge by 'delete'" : "purge by a sweep");
	}
}

int main(int argc, char **argv)
{
	enum { FULL_BYTES = 10 << 20 }; /* the preset of limits.text */
	GError *error = NULL;
	int64_t filesystem;
	if (argc != 2) {
		fprintf(stderr, "usage: large-document INDEX_DIR\n");
		return 2;
	}
	Writer *w = writer_open(argv[1], argv[1], &error);
	need(w && writer_filesystem(w, "bench", "bench", &filesystem, &error), error);
	g_autoptr(Document) different = document_of_words(TERMS_MOST_DIFFERENT, 1100 * 1000);
	g_autoptr(Document) recurring = document_of_words(TERMS_MOST_DIFFERENT, FULL_BYTES);
	g_autoptr(Document) letters = document_of_words(16, FULL_BYTES);
	g_autoptr(Document) characters = document_of_characters(3000, FULL_BYTES);
	measure(w, filesystem, "different", different);
	measure(w, filesystem, "recurring", recurring);
	measure(w, filesystem, "letters", letters);
	measure(w, filesystem, "characters", characters);
	writer_close(w);
	return 0;
}
