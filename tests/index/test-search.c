/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/read/reader-private.h"
#include "index/read/visible.h"
#include "tests/index/search-test.h"
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>
#include <utime.h>

static void add_fact(Document *doc, DocField field, const char *value)
{
	g_assert_true(document_add_fact(doc, field, value, strlen(value)));
}

static void test_words_by_text_and_name(Tree *t, gconstpointer data)
{
	tree_text(t, "minutes-2023.txt", "the annual report of the club");
	tree_text(t, "report.txt", "nothing of that kind");
	tree_text(t, "other.txt", "annual leave 2023");
	tree_open(t);
	assert_found(t, "report 2023", "minutes-2023.txt");
	assert_found(t, "annual 2023 -report", "other.txt");
	assert_found(t, "body:report", "minutes-2023.txt");
	assert_found(t, "filename:report", "report.txt");
	assert_found(t, "\"annual report\"", "minutes-2023.txt");
	assert_found(t, "\"report annual\"", "");
	assert_found(t, "annu* -leave", "minutes-2023.txt");
	assert_found(t, "report -filename:report", "minutes-2023.txt");
	assert_found(t, "-annual ext:txt", "report.txt");
}

static void test_name_outranks_mention(Tree *t, gconstpointer data)
{
	tree_text(t, "a.txt", "a budget is mentioned once among many other words of this text");
	tree_text(t, "budget.txt", "numbers and what else belongs to the budget of a year");
	tree_open(t);
	assert_found(t, "budget", "budget.txt a.txt");
}

static void test_entries_without_documents(Tree *t, gconstpointer data)
{
	tree_make(t, "project x", NULL);
	tree_make(t, "project-plan.txt", "not converted yet");
	Entry broken = tree_make(t, "project.pdf", "%PDF broken");
	tree_convert(t, &broken, "%PDF broken", NULL);
	Entry shut = tree_make(t, "secret.txt", "of another user");
	OK(writer_set_inode_state(
	        t->index.w, shut.inode, INODE_FAILED, REASON_UNREADABLE, NULL, error));
	tree_open(t);
	g_autoptr(SearchResult) result = search(t, "project", DUPS_COLLAPSE);
	g_assert_cmpuint(result->hits->len, ==, 3);
	g_assert_cmpuint(result->pending, ==, 1);
	g_assert_cmpuint(result->failed, ==, 1); /* others' files are not missed */
	g_autoptr(SearchResult) elsewhere = search(t, "project dir:/elsewhere", DUPS_COLLAPSE);
	g_assert_cmpuint(elsewhere->pending + elsewhere->failed, ==, 0);
	assert_found(t, "project is:dir", "project x");
	assert_found(t, "project is:pending", "project-plan.txt");
	assert_found(t, "project is:failed", "project.pdf");
	assert_found(t, "project type:folder", "project x");
}

static void test_filters_inside_or(Tree *t, gconstpointer data)
{
	tree_text(t, "a.md", "alpha");
	tree_text(t, "b.txt", "beta");
	tree_text(t, "c.pdf", "gamma");
	tree_text(t, "alpha-d.pdf", "delta");
	tree_open(t);
	g_autoptr(SearchResult) either = search(t, "beta OR ext:pdf", DUPS_COLLAPSE);
	g_assert_cmpuint(either->total, ==, 3);
	assert_found(t, "alpha (beta OR ext:pdf)", "alpha-d.pdf");
	assert_found(t, "alpha -ext:pdf", "a.md");
	assert_found(t, "beta OR -ext:pdf,md is:dir", ".");
}

static void test_fields(Tree *t, gconstpointer data)
{
	Entry entry = tree_make(t, "mail.eml", "mail");
	Document *doc = document_of("dear all");
	g_free(doc->mime);
	doc->mime = g_strdup("message/rfc822");
	add_fact(doc, FIELD_TITLE, "Quarterly numbers");
	add_fact(doc, FIELD_AUTHOR, "John Lennon");
	add_fact(doc, FIELD_TO, "Ringo");
	add_fact(doc, FIELD_CC, "Paul");
	add_fact(doc, FIELD_KEYWORD, "finance");
	add_fact(doc, FIELD_LANGUAGE, "en-gb");
	add_fact(doc, FIELD_DATE, "2020-05-06T10:00:00Z");
	add_fact(doc, FIELD_MESSAGE_ID, "2020.abc-17$q@mail.example.org");
	document_add_text(doc, TAG_HEADING1, DOC_RUN_BLOCK, "Overview", 8);
	tree_convert(t, &entry, "mail", doc, NULL);
	tree_text(t, "x.txt", "john numbers ringo");
	tree_open(t);
	static const char *const queries[] = {"title:numbers", "subject:\"quarterly numbers\"",
	        "author:john,lennon", "from:john/ringo", "to:ringo", "cc:paul", "keyword:finance",
	        "heading:overview", "type:message", "mime:message/*", "lang:en", "date:2020",
	        "date<2021", "date:2020-05-06", "title:quart*", "author:(john lennon)",
	        "keyword:finance OR title:nothing", "2020.abc-17$q@mail.example.org",
	        "<2020.abc-17$q@mail.example.org>", "mid:2020.abc-17$q@mail.example.org", "abc-17",
	        "mail.example.org"};
	for (size_t i = 0; i < G_N_ELEMENTS(queries); i++) {
		g_autofree char *paths = found(t, queries[i]);
		if (strcmp(paths, "mail.eml") != 0)
			g_error("\"%s\" finds \"%s\"", queries[i], paths);
	}
	assert_found(t, "author:ringo", "");
	assert_found(t, "lang:de", "");
	assert_found(t, "date:2019", "");
}

static Document *member_of(const char *path, const char *text, int64_t size)
{
	Document *doc = document_new(path);
	doc->mime = g_strdup("text/plain");
	doc->member_size = size;
	document_add_text(doc, TAG_BODY, DOC_RUN_BLOCK, text, strlen(text));
	return doc;
}

static void test_members(Tree *t, gconstpointer data)
{
	Entry zip = tree_make(t, "box.zip", "PK");
	Document *own = document_new(NULL);
	own->mime = g_strdup("application/zip");
	tree_convert(t, &zip, "PK", own, member_of("letters/one.txt", "dear ada", 8),
	        member_of("two.md", "dear bob", 8), NULL);
	tree_open(t);
	assert_found(t, "ada", "box.zip|letters/one.txt");
	assert_found(t, "box ada", "box.zip|letters/one.txt");
	assert_found(t, "filename:one", "box.zip|letters/one.txt");
	assert_found(t, "filename:box", "box.zip");
	assert_found(t, "ext:md", "box.zip|two.md");
	assert_found(t, "dear ext:zip", "");
	assert_found(t, "dear is:member -bob", "box.zip|letters/one.txt");
}

/* written: how many pictures there are when the grams are written */
static void make_names(Tree *t, int written)
{
	tree_text(t, "Report-2023-final.txt", "nothing");
	tree_text(t, "fooBaz.c", "x");
	tree_text(t, "fooBaz.c.bak", "y");
	tree_text(t, "a.txt", "of the report-2023 and foo_bar.c");
	Entry zip = tree_make(t, "box.zip", "PK");
	tree_convert(
	        t, &zip, "PK", document_new(NULL), member_of("in/Port-20.c", "dear ada", 8), NULL);
	for (int i = 0; i < 600; i++) {
		if (i == written)
			write_grams(&t->index);
		g_autofree char *name = g_strdup_printf("DSC0%d.JPG", 1000 + i);
		tree_make(t, name, NULL);
	}
	tree_open(t);
}

static void test_patterns_of_names(Tree *t, gconstpointer data)
{
	make_names(t, GPOINTER_TO_INT(data));
	assert_found(t, "filename:*port-20*", "box.zip|in/Port-20.c Report-2023-final.txt");
	assert_found(t, "*port-20* -is:member", "Report-2023-final.txt a.txt");
	assert_found(t, "*EPORT-20?3", "Report-2023-final.txt a.txt");
	assert_found(t, "filename:*z.c", "fooBaz.c fooBaz.c.bak");
	assert_found(t, "*.c", "box.zip|in/Port-20.c fooBaz.c");
	assert_found(t, "-*.c -*.jpg is:file", "box.zip a.txt fooBaz.c.bak Report-2023-final.txt");
	assert_found(t, "ada *.c", "box.zip|in/Port-20.c");
	assert_found(t, "*SC01599*", "DSC01599.JPG");
	assert_found(t, "dsc0100[01].j*", "DSC01000.JPG DSC01001.JPG");
	assert_found(t, "filename:*C0159[0-1]* OR *.bak", "fooBaz.c.bak DSC01590.JPG DSC01591.JPG");
	assert_found(t, "f*_b?r*", "a.txt");
	assert_found(t, "title:*ort-2?23", "");
	assert_found(t, "*report.qu?x", ""); /* no word is similar to the second one */
	g_autoptr(SearchResult) result = search(t, "filename:*c0*", DUPS_COLLAPSE);
	g_assert_cmpuint(result->total, ==, 600);
}

static void test_copies_collapse(Tree *t, gconstpointer data)
{
	tree_text(t, "deep/er/same.txt", "one text");
	tree_text(t, "same.txt", "one text");
	tree_text(t, "text.txt", "one text");
	tree_text(t, "empty1.txt", "");
	tree_text(t, "empty2.txt", "");
	tree_open(t);
	g_autoptr(SearchResult) one = search(t, "one", DUPS_COLLAPSE);
	g_assert_cmpuint(one->total, ==, 1);
	const Hit *hit = one->hits->pdata[0];
	g_autofree char *same = tree_path(t, "same.txt");
	g_autofree char *deep = tree_path(t, "deep/er/same.txt");
	g_autofree char *text = tree_path(t, "text.txt");
	g_assert_cmpstr(hit->info.path, ==, same);
	g_assert_cmpuint(hit->copies->len, ==, 2);
	g_assert_cmpstr(hit->copies->pdata[0], ==, deep);
	g_assert_cmpstr(hit->copies->pdata[1], ==, text);
	/* The best name is shown. */
	g_autoptr(SearchResult) named = search(t, "text", DUPS_COLLAPSE);
	g_assert_cmpuint(named->total, ==, 1);
	g_assert_cmpstr(((const Hit *)named->hits->pdata[0])->info.path, ==, text);
	/* A copy elsewhere does not satisfy a filter. */
	g_autoptr(SearchResult) below = search(t, "one dir:deep", DUPS_COLLAPSE);
	g_assert_cmpstr(((const Hit *)below->hits->pdata[0])->info.path, ==, deep);
	g_autoptr(SearchResult) all = search(t, "one", DUPS_SHOW);
	g_assert_cmpuint(all->total, ==, 3);
	g_autoptr(SearchResult) only = search(t, "ext:txt", DUPS_ONLY);
	g_assert_cmpuint(only->total, ==, 1);
	/* Empty files are not copies of each other. */
	g_autoptr(SearchResult) empty = search(t, "filename:empty*", DUPS_COLLAPSE);
	g_assert_cmpuint(empty->total, ==, 2);
}

static void test_copies_cut(Tree *t, gconstpointer data)
{
	const SearchOptions options = {.limit = 10, .copies = 2, .uid = geteuid()};
	for (int i = 0; i < 5; i++) {
		g_autofree char *path = g_strdup_printf("d%d/same.txt", i);
		tree_text(t, path, "quokka");
	}
	tree_open(t);
	g_autoptr(Query) query = parse("quokka", NULL);
	g_autoptr(SearchResult) result = NULL;
	OK((result = search_run(t->r, query, &options, error)) != NULL);
	const Hit *hit = result->hits->pdata[0];
	g_assert_cmpuint(hit->copies->len, ==, 2);
	g_assert_true(hit->copies_cut);
	g_autoptr(SearchResult) all = search(t, "quokka", DUPS_COLLAPSE);
	hit = all->hits->pdata[0];
	g_assert_cmpuint(hit->copies->len, ==, 4);
	g_assert_false(hit->copies_cut);
}

static void test_pages_fit_together(Tree *t, gconstpointer data)
{
	for (int i = 0; i < 30; i++) {
		g_autofree char *name = g_strdup_printf("f%d.txt", i);
		g_autofree char *text = g_strdup_printf("common words number%d", i);
		tree_text(t, name, text);
	}
	tree_open(t);
	for (int i = 0; i < 30; i += 7) {
		g_autofree char *name = g_strdup_printf("f%d.txt", i);
		g_autofree char *path = tree_path(t, name);
		g_assert_cmpint(g_unlink(path), ==, 0);
	}
	g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_autoptr(Query) query = parse("common", NULL);
	for (unsigned offset = 0; offset < 25; offset += 6) {
		const SearchOptions options = {.limit = 6, .offset = offset, .uid = geteuid()};
		g_autoptr(SearchResult) page = search_run(t->r, query, &options, NULL);
		g_assert_cmpuint(page->hits->len, ==, offset == 24 ? 1 : 6);
		for (guint i = 0; i < page->hits->len; i++)
			g_assert_true(g_hash_table_add(
			        seen, g_strdup(((const Hit *)page->hits->pdata[i])->info.path)));
	}
	g_assert_cmpuint(g_hash_table_size(seen), ==, 25);
}

static void test_vanished_and_changed(Tree *t, gconstpointer data)
{
	tree_text(t, "gone.txt", "searched word");
	tree_text(t, "changed.txt", "searched term");
	tree_text(t, "replaced.txt", "searched name");
	tree_text(t, "kept.txt", "searched thing");
	tree_open(t);
	g_autofree char *gone = tree_path(t, "gone.txt");
	g_autofree char *changed = tree_path(t, "changed.txt");
	g_autofree char *replaced = tree_path(t, "replaced.txt");
	g_unlink(gone);
	g_assert_true(g_file_set_contents(changed, "quite another length", -1, NULL));
	g_unlink(replaced);
	g_mkdir(replaced, 0755);
	g_autoptr(SearchResult) result = search(t, "searched", DUPS_COLLAPSE);
	g_assert_cmpuint(result->total, ==, 2);
	for (guint i = 0; i < 2; i++) {
		const Hit *hit = result->hits->pdata[i];
		g_assert_cmpint(
		        hit->info.stale, ==, g_str_has_suffix(hit->info.path, "changed.txt"));
	}
}

static void test_unreadable_is_hidden(Tree *t, gconstpointer data)
{
	tree_text(t, "open.txt", "public word");
	tree_text(t, "closed.txt", "secret word");
	tree_text(t, "shut/in.txt", "inner word");
	tree_open(t);
	g_autofree char *closed = tree_path(t, "closed.txt");
	g_autofree char *shut = tree_path(t, "shut");
	g_chmod(t->index.dir, 0755);
	g_chmod(closed, 0600);
	g_chmod(shut, 0700);
	/* For another user the mode bits decide, even if the tests run as root. */
	const SearchOptions options = {.limit = 10, .uid = 65533};
	g_autoptr(Query) query = parse("word", NULL);
	g_autoptr(SearchResult) result = search_run(t->r, query, &options, NULL);
	g_assert_cmpuint(result->hits->len, ==, 1);
	g_assert_true(
	        g_str_has_suffix(((const Hit *)result->hits->pdata[0])->info.path, "open.txt"));
}

static void test_offline_root(Tree *t, gconstpointer data)
{
	tree_text(t, "a.txt", "word");
	tree_open(t);
	g_autofree char *away = g_strconcat(t->root, ".away", NULL);
	g_assert_cmpint(g_rename(t->root, away), ==, 0);
	g_autoptr(SearchResult) result = search(t, "word", DUPS_COLLAPSE);
	g_assert_cmpuint(result->hits->len, ==, 0);
	g_assert_cmpuint(result->offline, ==, 1);
	g_assert_cmpint(g_rename(away, t->root), ==, 0);
}

static void touch(Tree *t, const char *name, time_t when)
{
	g_autofree char *path = tree_path(t, name);
	const struct utimbuf times = {when, when};
	g_assert_cmpint(utime(path, &times), ==, 0);
	tree_make(t, name, NULL);
}

static char *found_sorted(Tree *t, const char *text, SortOrder sort, bool reverse)
{
	const SearchOptions options = {
	        .limit = 10, .sort = sort, .reverse = reverse, .uid = geteuid()};
	g_autoptr(Query) query = parse(text, NULL);
	g_autoptr(SearchResult) result = search_run(t->r, query, &options, NULL);
	GString *out = g_string_new(NULL);
	for (guint i = 0; i < result->hits->len; i++) {
		g_autofree char *name =
		        g_path_get_basename(((const Hit *)result->hits->pdata[i])->info.path);
		g_string_append_printf(out, "%s%s", i > 0 ? " " : "", name);
	}
	return g_string_free(out, FALSE);
}

static void test_orders(Tree *t, gconstpointer data)
{
	tree_text(t, "z/a.txt", "word 1 long enough");
	tree_text(t, "B.txt", "word 22");
	tree_text(t, "c.txt", "word 3 long");
	touch(t, "z/a.txt", 2000);
	touch(t, "B.txt", 3000);
	touch(t, "c.txt", 1000);
	tree_open(t);
	static const struct {
		SortOrder sort;
		bool reverse;
		const char *expected;
	} orders[] = {
	        {SORT_DATE, false, "B.txt a.txt c.txt"},
	        {SORT_DATE, true, "c.txt a.txt B.txt"},
	        {SORT_SIZE, false, "a.txt c.txt B.txt"},
	        {SORT_SIZE, true, "B.txt c.txt a.txt"},
	        {SORT_NAME, false, "a.txt B.txt c.txt"},
	        {SORT_NAME, true, "c.txt B.txt a.txt"},
	        {SORT_PATH, false, "B.txt c.txt a.txt"},
	        {SORT_PATH, true, "a.txt c.txt B.txt"},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(orders); i++) {
		g_autofree char *words = found_sorted(t, "word", orders[i].sort, orders[i].reverse);
		g_assert_cmpstr(words, ==, orders[i].expected);
	}
	g_autofree char *filters = found_sorted(t, "ext:txt", SORT_RELEVANCE, false);
	g_assert_cmpstr(filters, ==, "B.txt a.txt c.txt");
}

static void test_directories(Tree *t, gconstpointer data)
{
	tree_text(t, "a/b/one.txt", "word");
	tree_text(t, "a/two.txt", "words and word");
	tree_text(t, "ab/three.txt", "word too");
	tree_open(t);
	g_autofree char *below = g_strdup_printf("one* OR word dir:%s/a", t->root);
	g_autofree char *in = g_strdup_printf("word in:%s/a", t->root);
	g_autoptr(SearchResult) result = search(t, below, DUPS_COLLAPSE);
	g_assert_cmpuint(result->total, ==, 2);
	assert_found(t, in, "a/two.txt");
	assert_found(t, "word dir:a/b", "a/b/one.txt");
	assert_found(t, "word dir:b", "a/b/one.txt");
	assert_found(t, "word dir:tree/ab", "ab/three.txt");
}

/* ---- lists */

static bool append_path(const Info *info, void *data)
{
	g_string_append_printf(data, "%s%s%s\n", info->path, info->member ? "|" : "",
	        info->member ? info->member : "");
	return true;
}

static void test_list_in_path_order(Tree *t, gconstpointer data)
{
	tree_text(t, "b/x.txt", "1");
	Entry zip = tree_make(t, "a.zip", "PK");
	Document *own = document_new(NULL);
	own->mime = g_strdup("application/zip");
	tree_convert(t, &zip, "PK", own, member_of("z", "1", 1), member_of("a", "2", 1), NULL);
	tree_text(t, "b.txt", "2");
	tree_text(t, "b/a", "3");
	tree_open(t);
	g_autoptr(GString) paths = g_string_new(NULL);
	OK(reader_list(t->r, NULL, append_path, paths, error));
	g_autofree char *expected =
	        g_strdup_printf("%1$s\n%1$s/a.zip\n%1$s/a.zip|a\n%1$s/a.zip|z\n%1$s/b\n"
	                        "%1$s/b/a\n%1$s/b/x.txt\n%1$s/b.txt\n",
	                t->root);
	g_assert_cmpstr(paths->str, ==, expected);
	g_autofree char *b = tree_path(t, "b");
	g_string_truncate(paths, 0);
	OK(reader_list(t->r, b, append_path, paths, error));
	g_autofree char *below = g_strdup_printf("%1$s/b\n%1$s/b/a\n%1$s/b/x.txt\n", t->root);
	g_assert_cmpstr(paths->str, ==, below);
}

static void test_info(Tree *t, gconstpointer data)
{
	tree_text(t, "d/one.txt", "one");
	tree_open(t);
	g_autofree char *path = tree_path(t, "d/one.txt");
	g_autoptr(GPtrArray) infos = NULL;
	OK(reader_info(t->r, path, &infos, error));
	g_assert_cmpuint(infos->len, ==, 1);
	const Info *info = infos->pdata[0];
	g_assert_cmpstr(info->path, ==, path);
	g_assert_cmpstr(info->mime, ==, "text/plain");
	g_assert_cmpstr(info_state_name(info), ==, "ok");
	g_assert_true(info->has_checksum);
	g_autoptr(GPtrArray) by_id = NULL;
	OK(reader_info_by_id(t->r, info->document, &by_id, error));
	g_assert_cmpuint(by_id->len, ==, 1);
	g_assert_cmpstr(((const Info *)by_id->pdata[0])->path, ==, path);
	g_autofree char *none = tree_path(t, "d/two.txt");
	g_autoptr(GPtrArray) nothing = NULL;
	OK(reader_info(t->r, none, &nothing, error));
	g_assert_cmpuint(nothing->len, ==, 0);
}

static void test_failed_and_stats(Tree *t, gconstpointer data)
{
	Entry broken = tree_make(t, "broken.pdf", "%PDF");
	tree_convert(t, &broken, "%PDF", NULL);
	Entry denied = tree_make(t, "denied.txt", "x");
	OK(writer_set_inode_state(
	        t->index.w, denied.inode, INODE_FAILED, REASON_UNREADABLE, "no", error));
	Entry zip = tree_make(t, "a.zip", "PK");
	Document *own = document_new(NULL), *member = document_new("m.pdf");
	own->mime = g_strdup("application/zip");
	member->mime = g_strdup("application/pdf");
	member->state = STATE_FAILED;
	member->reason = REASON_ENCRYPTED;
	tree_convert(t, &zip, "PK", own, member, NULL);
	tree_make(t, "waiting.txt", "y");
	tree_open(t);
	g_autoptr(GString) paths = g_string_new(NULL);
	OK(reader_failed(t->r, append_path, paths, error));
	g_autofree char *expected =
	        g_strdup_printf("%1$s/denied.txt\n%1$s/broken.pdf\n%1$s/a.zip|m.pdf\n", t->root);
	g_assert_cmpstr(paths->str, ==, expected);
	IndexStats stats;
	OK(reader_stats(t->r, &stats, error));
	g_assert_cmpuint(stats.files, ==, 4);
	g_assert_cmpuint(stats.directories, ==, 1);
	g_assert_cmpuint(stats.failed, ==, 3);
	g_assert_cmpuint(stats.pending, ==, 1);
	g_assert_cmpuint(stats.documents, ==, 2);
	g_assert_cmpuint(stats.index_bytes, >, 0);
	index_stats_clear(&stats);
	g_autoptr(GArray) roots = NULL;
	OK(reader_roots(t->r, &roots, error));
	g_assert_cmpstr(g_array_index(roots, RootStats, 0).path, ==, t->root);
	g_assert_cmpuint(g_array_index(roots, RootStats, 0).files, ==, 4);
	g_autoptr(GPtrArray) root_paths = NULL;
	OK(reader_root_paths(t->r, &root_paths, error));
	g_assert_cmpuint(root_paths->len, ==, 1);
	g_assert_cmpstr(root_paths->pdata[0], ==, t->root);
	g_autoptr(GPtrArray) problems = NULL;
	OK(reader_check(t->r, &problems, error));
	g_assert_cmpuint(problems->len, ==, 0);
}

static void remove_dir(Tree *t, const Entry *dir)
{
	OK(writer_set_inode_state(t->index.w, dir->inode, INODE_ORPHAN, REASON_NONE, NULL, error));
}

/* Rows below an excluded directory go one by one, but nothing of it is found from the start. */
static void test_removed_dir(Tree *t, gconstpointer data)
{
	tree_text(t, "a/x.txt", "word one");
	tree_text(t, "a/b/y.txt", "word two");
	tree_text(t, "ab/z.txt", "word three");
	Entry dir = tree_make(t, "a", NULL);
	remove_dir(t, &dir);
	tree_open(t);
	assert_found(t, "word", "ab/z.txt");
	g_autofree char *inside = tree_path(t, "a/b");
	put(&t->index, 0, inside, tree_stat(t, inside)); /* its files come later */
	tree_open(t);
	assert_found(t, "two", "a/b/y.txt");
	assert_found(t, "one", "");
	g_autoptr(GPtrArray) infos = NULL;
	g_autofree char *removed = tree_path(t, "a/x.txt");
	Visible *visible = visible_new(t->r, getuid(), NULL);
	OK(reader_info(t->r, removed, &infos, error));
	g_assert_false(visible_entry(visible, infos->pdata[0], NULL));
	visible_free(visible);
}

static void test_removed_root(Tree *t, gconstpointer data)
{
	tree_text(t, "a/x.txt", "word one");
	Entry root;
	OK(writer_must_get(t->index.w, t->node, &root, error));
	remove_dir(t, &root);
	tree_open(t);
	assert_found(t, "word", "");
	g_autoptr(GPtrArray) roots = NULL;
	OK(reader_root_paths(t->r, &roots, error));
	g_assert_cmpuint(roots->len, ==, 0);
	g_autofree char *outside = g_path_get_dirname(t->root);
	put(&t->index, 0, outside, tree_stat(t, outside)); /* the root is a directory of it now */
	tree_open(t);
	assert_found(t, "word", "a/x.txt");
}

/* Files of a root that is being removed are not those of the only other one. */
static void test_removed_root_is_not_counted(Tree *t, gconstpointer data)
{
	tree_text(t, "a/x.txt", "word one");
	Entry root;
	OK(writer_must_get(t->index.w, t->node, &root, error));
	remove_dir(t, &root);
	g_autofree char *other = g_strconcat(t->root, "-other", NULL);
	g_assert_no_errno(g_mkdir(other, 0700));
	put(&t->index, 0, other, tree_stat(t, other));
	tree_open(t);
	g_autoptr(GArray) roots = NULL;
	OK(reader_roots(t->r, &roots, error));
	g_assert_cmpuint(roots->len, ==, 1);
	g_assert_cmpstr(g_array_index(roots, RootStats, 0).path, ==, other);
	g_assert_cmpuint(g_array_index(roots, RootStats, 0).files, ==, 0);
	g_assert_cmpuint(g_array_index(roots, RootStats, 0).directories, ==, 1);
	g_assert_no_errno(g_rmdir(other));
}

static void test_check_finds_orphans(Tree *t, gconstpointer data)
{
	tree_text(t, "a.txt", "one");
	commit(&t->index);
	g_autofree char *file = g_build_filename(t->index.dir, "index.db", NULL);
	sqlite3 *db;
	sqlite3_open(file, &db);
	g_assert_cmpint(sqlite3_exec(db, "DELETE FROM fact", NULL, NULL, NULL), ==, SQLITE_OK);
	sqlite3_close(db);
	tree_open(t);
	g_autoptr(GPtrArray) problems = NULL;
	OK(reader_check(t->r, &problems, error));
	g_assert_cmpuint(problems->len, ==, 1);
	g_assert_nonnull(strstr(problems->pdata[0], "metadata"));
}

/* Rows that our writer never makes cause no crash, and the entry is not shown. */
static void test_hostile_rows(Tree *t, gconstpointer data)
{
	tree_text(t, "a/b.txt", "word");
	commit(&t->index);
	g_autofree char *file = g_build_filename(t->index.dir, "index.db", NULL);
	static const char *const damages[] = {
	        "UPDATE node SET parent = id WHERE name = CAST('a' AS BLOB)",
	        "UPDATE node SET name = CAST('x/y' AS BLOB) WHERE name = CAST('b.txt' AS BLOB)",
	        "UPDATE inode SET kind = 99, state = -5, reason = 1000, size = -1, mtime_ns = "
	        "9223372036854775807",
	        "UPDATE fact SET state = 77, title = x'ff00fe', lang = 5, member = ''",
	        "UPDATE content SET checksum = 'short', mime = x'ff', state = 44",
	        "UPDATE document SET words = -9, date = 'soon'",
	};
	for (size_t i = 0; i < G_N_ELEMENTS(damages); i++) {
		sqlite3 *db;
		sqlite3_open(file, &db);
		g_assert_cmpint(sqlite3_exec(db, damages[i], NULL, NULL, NULL), ==, SQLITE_OK);
		sqlite3_close(db);
		tree_open(t);
		g_autoptr(SearchResult) words = search(t, "word", DUPS_COLLAPSE);
		g_autoptr(SearchResult) all = search(t, "-nothing size<9 OR date<2000", DUPS_SHOW);
		g_assert_cmpuint(words->hits->len, ==, 0);
		g_autoptr(GString) paths = g_string_new(NULL);
		OK(reader_list(t->r, NULL, append_path, paths, error));
		OK(reader_failed(t->r, append_path, paths, error));
	}
}

static void test_plan_names_bound_values(Tree *t, gconstpointer data)
{
	tree_open(t);
	g_autoptr(Query) query = parse("alpha beta ext:pdf", NULL);
	const SearchOptions options = {.limit = 1};
	g_autofree char *plan = search_explain(t->r, query, &options, NULL);
	g_assert_nonnull(strstr(plan, "\"alpha"));
	g_assert_nonnull(strstr(plan, "'pdf'"));
	g_assert_null(strstr(plan, "tarsier_ext(pdf"));
	g_autoptr(Query) word = parse("alpha", NULL);
	g_autofree char *alone = search_explain(t->r, word, &options, NULL);
	g_assert_nonnull(strstr(alone, "pages of table text"));
}

#define ADD(name, function)                                                                        \
	g_test_add("/index/search/" name, Tree, NULL, tree_up, function, tree_down)

static bool stop_search(void *calls)
{
	++*(unsigned *)calls;
	return true;
}

/* A pattern without three letters in a row is compared with all names, so that the search takes
 * many steps. */
static void test_search_is_stopped(Tree *t, gconstpointer data)
{
	const SearchOptions options = {.limit = 10, .uid = geteuid()};
	g_autoptr(GError) error = NULL;
	g_autoptr(Query) query = parse("name:*a7*", NULL);
	unsigned calls = 0;
	for (unsigned i = 0; i < 8000; i++) {
		g_autofree char *name = g_strdup_printf("a%u", i);
		tree_make(t, name, "");
	}
	tree_open(t);
	reader_set_stop(t->r, stop_search, &calls);
	g_assert_null(search_run(t->r, query, &options, &error));
	g_assert_error(error, INDEX_ERROR, INDEX_ERROR_STOPPED);
	g_assert_cmpuint(calls, >, 0);
	reader_set_stop(t->r, NULL, NULL);
	query_drop_forms(query);
	g_autoptr(SearchResult) result = search_run(t->r, query, &options, NULL);
	g_assert_nonnull(result);
	g_assert_cmpuint(result->total, ==, 1111); /* a7, a70 to a79, and so on to a7999 */
}

static bool stop_after(void *calls_left)
{
	return (*(unsigned *)calls_left)-- == 0;
}

static int64_t count_to(Reader *r, GError **error)
{
	uint64_t n;
	bool ok = reader_count(r,
	        "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 100000) "
	        "SELECT max(n) FROM t",
	        &n, error);
	return ok ? (int64_t)n : -1;
}

/* A search that has to read all entries has more time. */
static void test_more_time(Tree *t, gconstpointer data)
{
	enum { MORE_MS = 600000 };
	int64_t begun_us = g_get_monotonic_time();
	g_autoptr(GError) why = NULL;
	tree_open(t);
	OK(reader_begin(t->r, 1, error));
	while (g_get_monotonic_time() < begun_us + 20000)
		continue;
	g_assert_cmpint(count_to(t->r, &why), ==, -1);
	g_assert_error(why, INDEX_ERROR, INDEX_ERROR_BUSY);
	reader_allow_more(t->r, MORE_MS);
	OK(count_to(t->r, error) == 100000);
	reader_end(t->r);
}

/* Wherever a search is stopped, it says so and loses no memory, which the sanitizer sees. */
static void stop_everywhere(Tree *t, const char *text, SortOrder sort)
{
	const SearchOptions options = {.limit = 10, .sort = sort, .uid = geteuid()};
	g_autoptr(SearchResult) result = NULL;
	unsigned stopped = 0;
	for (; !result; stopped++) {
		g_autoptr(GError) error = NULL;
		g_autoptr(Query) query = parse(text, NULL);
		unsigned calls_left = stopped;
		reader_set_stop(t->r, stop_after, &calls_left);
		result = search_run(t->r, query, &options, &error);
		if (!result)
			g_assert_error(error, INDEX_ERROR, INDEX_ERROR_STOPPED);
	}
	reader_set_stop(t->r, NULL, NULL);
	g_assert_cmpuint(stopped, >, 3);
}

static void test_search_is_stopped_anywhere(Tree *t, gconstpointer data)
{
	for (unsigned i = 0; i < 1500; i++) {
		g_autofree char *name = g_strdup_printf("%u/same.txt", i);
		tree_text(t, name, "quokka and other animals");
	}
	tree_open(t);
	stop_everywhere(t, "quokka", SORT_RELEVANCE);
	stop_everywhere(t, "quokka", SORT_NAME);
	stop_everywhere(t, "name:same", SORT_RELEVANCE);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	ADD("words-by-text-and-name", test_words_by_text_and_name);
	ADD("more-time", test_more_time);
	ADD("name-outranks-mention", test_name_outranks_mention);
	ADD("entries-without-documents", test_entries_without_documents);
	ADD("filters-inside-or", test_filters_inside_or);
	ADD("fields-restrict-words", test_fields);
	ADD("members-are-found-with-their-container", test_members);
	g_test_add("/index/search/patterns-match-new-names", Tree, GINT_TO_POINTER(600), tree_up,
	        test_patterns_of_names, tree_down);
	g_test_add("/index/search/patterns-match-names", Tree, GINT_TO_POINTER(592), tree_up,
	        test_patterns_of_names, tree_down);
	ADD("copies-collapse", test_copies_collapse);
	ADD("many-copies-are-cut", test_copies_cut);
	ADD("pages-fit-together", test_pages_fit_together);
	ADD("stopped-anywhere", test_search_is_stopped_anywhere);
	ADD("vanished-and-changed-files-are-not-shown", test_vanished_and_changed);
	ADD("unreadable-is-hidden", test_unreadable_is_hidden);
	ADD("offline-roots-are-hidden", test_offline_root);
	ADD("removed-directories-are-hidden", test_removed_dir);
	ADD("removed-roots-are-hidden", test_removed_root);
	ADD("removed-roots-are-not-counted", test_removed_root_is_not_counted);
	ADD("every-order-sorts", test_orders);
	ADD("directories-are-found", test_directories);
	ADD("list-in-path-order", test_list_in_path_order);
	ADD("info-tells-the-facts", test_info);
	ADD("failures-are-listed-and-counted", test_failed_and_stats);
	ADD("check-finds-orphans", test_check_finds_orphans);
	ADD("hostile-rows-are-refused", test_hostile_rows);
	ADD("plan-names-bound-values", test_plan_names_bound_values);
	ADD("a-search-is-stopped", test_search_is_stopped);
	return g_test_run();
}
