/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "tests/fuzz/small-index.h"
#include "index/write/writer.h"
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *index_dir;

static void remove_files(const char *directory)
{
	g_autoptr(GDir) dir = g_dir_open(directory, 0, NULL);
	for (const char *name; dir && (name = g_dir_read_name(dir));) {
		g_autofree char *path = g_build_filename(directory, name, NULL);
		unlink(path);
	}
	rmdir(directory);
}

static void remove_index(void)
{
	g_autofree char *files = g_build_filename(index_dir, "files", NULL);
	remove_files(files);
	remove_files(index_dir);
	g_free(index_dir);
}

Document *small_index_document(const char *text, const char *language)
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
	g_autoptr(Document) doc = small_index_document(text, language);
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

/* Only files that exist, and pages, become hits. */
static void add_real_file(Writer *w, int64_t parent, const char *name, const char *text)
{
	g_autofree char *path = g_build_filename(index_dir, "files", name, NULL);
	struct stat info;
	if (!g_file_set_contents(path, text, -1, NULL) || stat(path, &info) != 0)
		abort();
	add_file(w, parent, name, text, "en", info.st_ino);
}

static void add_real_root(Writer *w)
{
	const EntryStat dir = {.filesystem = 1, .ino = 7, .kind = ENTRY_DIR};
	g_autofree char *files = g_build_filename(index_dir, "files", NULL);
	Entry root;
	if (g_mkdir(files, 0700) != 0 || !writer_put(w, 0, files, &dir, false, &root, NULL))
		abort();
	add_real_file(
	        w, root.node, "report.txt", "the annual report, C++ and 1.2.3, foo_bar, x->y");
	add_real_file(
	        w, root.node, "copy of report.txt", "the annual report, C++ and 1.2.3, foo_bar");
	add_real_file(w, root.node, "words", "any words here, running words of a c d e, C#");
	add_real_file(
	        w, root.node, "last.md", "beta delta gamma, a report of 2023 and its minutes");
}

static void add_page_root(Writer *w)
{
	const EntryStat dir = {.filesystem = 1, .ino = 8, .kind = ENTRY_DIR};
	Entry root;
	if (!writer_put(w, 0, "https://a.org/x/", &dir, false, &root, NULL))
		abort();
	add_file(w, root.node, "report", "a page with a report of alpha", "en", 9);
	add_file(w, root.node, "b?c=d", "another page, with words", "en", 10);
}

const char *small_index_make(void)
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
	add_real_root(w);
	add_page_root(w);
	g_clear_pointer(&w, writer_close);
	return index_dir;
}
