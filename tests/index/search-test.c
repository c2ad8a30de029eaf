/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "tests/index/search-test.h"
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *tree_path(const Tree *t, const char *path)
{
	return g_build_filename(t->root, path, NULL);
}

EntryStat tree_stat(const Tree *t, const char *path)
{
	struct stat st;
	g_assert_cmpint(lstat(path, &st), ==, 0);
	return (EntryStat){.filesystem = t->index.filesystem,
	        .ino = st.st_ino,
	        .kind = S_ISDIR(st.st_mode)   ? ENTRY_DIR
	                : S_ISREG(st.st_mode) ? ENTRY_FILE
	                                      : ENTRY_LINK,
	        .size = st.st_size,
	        .mtime_ns = st.st_mtim.tv_sec * G_GINT64_CONSTANT(1000000000) + st.st_mtim.tv_nsec,
	        .ctime_ns = st.st_ctim.tv_sec * G_GINT64_CONSTANT(1000000000) + st.st_ctim.tv_nsec,
	        .uid = st.st_uid,
	        .gid = st.st_gid,
	        .mode = st.st_mode & 07777};
}

void tree_up(Tree *t, gconstpointer data)
{
	fixture_up(&t->index, data);
	t->root = g_build_filename(t->index.dir, "tree", NULL);
	g_assert_cmpint(g_mkdir(t->root, 0755), ==, 0);
	t->node = put(&t->index, 0, t->root, tree_stat(t, t->root)).node;
	t->modified = 0;
	t->r = NULL;
}

void tree_down(Tree *t, gconstpointer data)
{
	reader_close(t->r);
	g_free(t->root);
	fixture_down(&t->index, data);
}

Entry tree_make(Tree *t, const char *path, const char *content)
{
	g_autofree char *full = tree_path(t, path);
	g_autofree char *above = g_path_get_dirname(path);
	g_autofree char *name = g_path_get_basename(path);
	int64_t parent = t->node;
	if (strcmp(above, ".") != 0)
		parent = tree_make(t, above, NULL).node;
	if (content)
		g_assert_true(g_file_set_contents(full, content, -1, NULL));
	else
		g_mkdir(full, 0755);
	const struct timespec times[] = {{t->modified, 0}, {t->modified, 0}};
	if (content && t->modified != 0)
		g_assert_cmpint(utimensat(AT_FDCWD, full, times, 0), ==, 0);
	return put(&t->index, parent, name, tree_stat(t, full));
}

void tree_convert(Tree *t, const Entry *entry, const char *what, Document *first, ...)
{
	const ContentEnd end = {.mime = first ? first->mime : "text/plain",
	        .extractor = "test",
	        .version = 1,
	        .state = first ? STATE_OK : STATE_FAILED,
	        .reason = first ? REASON_NONE : REASON_DAMAGED};
	uint8_t checksum[CHECKSUM_BYTES];
	Writer *w = t->index.w;
	int64_t content;
	va_list documents;

	checksum_of(ZERO_KEY, what, strlen(what), checksum);
	if (writer_find_content(w, checksum, &content, NULL) == 0) {
		OK(writer_begin_content(w, checksum, strlen(what), &content, error));
		va_start(documents, first);
		for (Document *doc = first; doc; doc = va_arg(documents, Document *))
			OK(writer_add_document(w, content, doc, false, error));
		va_end(documents);
		OK(writer_end_content(w, content, &end, error));
	}
	va_start(documents, first);
	for (Document *doc = first; doc; doc = va_arg(documents, Document *))
		document_free(doc);
	va_end(documents);
	OK(writer_link(w, entry->inode, content, error));
}

Entry tree_text(Tree *t, const char *path, const char *text)
{
	Entry entry = tree_make(t, path, text);
	tree_convert(t, &entry, text, document_of(text), NULL);
	return entry;
}

void tree_open(Tree *t)
{
	g_autoptr(GError) error = NULL;
	commit(&t->index);
	reader_close(t->r);
	t->r = reader_open(t->index.dir, t->index.cache, &error);
	g_assert_no_error(error);
}

Query *parse(const char *text, const QueryOptions *options)
{
	static const QueryOptions plain = {.now = 1779278400, .cwd = "/"};
	QueryFault fault;
	g_autoptr(GError) error = NULL;
	Query *query = query_parse(text, options ? options : &plain, &fault, &error);
	g_free(fault.hint);
	if (!query)
		g_error("\"%s\": %s", text, error->message);
	return query;
}

SearchResult *search(Tree *t, const char *text, DupsMode dups)
{
	const SearchOptions options = {.limit = 100000, .dups = dups, .uid = geteuid()};
	g_autoptr(GError) error = NULL;
	g_autoptr(Query) query = parse(text, NULL);
	SearchResult *result = search_run(t->r, query, &options, &error);
	g_assert_no_error(error);
	return result;
}

char *found(Tree *t, const char *text)
{
	g_autoptr(SearchResult) result = search(t, text, DUPS_COLLAPSE);
	GString *out = g_string_new(NULL);
	for (guint i = 0; i < result->hits->len; i++) {
		const Hit *hit = result->hits->pdata[i];
		g_assert_true(g_str_has_prefix(hit->info.path, t->root));
		const char *path = hit->info.path + strlen(t->root);
		g_string_append_printf(out, "%s%s", i > 0 ? " " : "", *path ? path + 1 : ".");
		if (hit->info.member)
			g_string_append_printf(out, "|%s", hit->info.member);
	}
	g_assert_cmpuint(result->total, ==, result->hits->len);
	return g_string_free(out, FALSE);
}
