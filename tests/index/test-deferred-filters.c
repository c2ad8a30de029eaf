/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests a page of a search whose words are in thousands of documents and whose filters accept most,
 * few or none of them. */
#include <config.h>
#include "index/search/search-private.h"
#include "tests/index/search-test.h"
#include "common/base/text.h"
#include <glib/gstdio.h>
#include <string.h>

enum {
	ALL = 4600,
	RARE = 100
}; /* more than one batch of a filter; one in RARE documents is
      rare */

static const char *ending_of(int i)
{
	return i % RARE == 0 ? "rare" : "txt";
}

/* Makes file i of a directory ("" or "a/"); it has the same text in each. */
static void make_file(Tree *t, const char *directory, int i, int64_t modified)
{
	g_autofree char *name = g_strdup_printf("f%d.%s", i, ending_of(i));
	g_autofree char *path = g_strconcat(directory, name, NULL);
	g_autoptr(GString) text = g_string_new(name);
	t->modified = modified;
	for (int n = 0; n <= i % 97; n++)
		g_string_append(text, " common");
	tree_text(t, path, text->str);
}

static void make_files(Tree *t)
{
	for (int i = 0; i < ALL; i++)
		make_file(t, "", i, G_GINT64_CONSTANT(1500000000) + i / 3);
	tree_open(t);
}

static SearchResult *page(Tree *t, const char *text, unsigned offset, unsigned limit, bool count)
{
	g_autoptr(Query) query = parse(text, NULL);
	const SearchOptions options = {.limit = limit,
	        .offset = offset,
	        .count = count,
	        .near_separate = true,
	        .uid = geteuid()};
	SearchResult *result;
	OK((result = search_run(t->r, query, &options, error)) != NULL);
	return result;
}

/* The hits are the same as those of a search for everything. */
static void test_page_of_many(Tree *t, gconstpointer data)
{
	enum { OFFSET = 7, LIMIT = 20 };
	make_files(t);
	g_autoptr(SearchResult) all = page(t, "common ext:txt", 0, ALL, false);
	g_autoptr(SearchResult) some = page(t, "common ext:txt", OFFSET, LIMIT, false);
	g_assert_cmpuint(all->hits->len, ==, ALL - ALL / RARE);
	g_assert_true(all->total_exact);
	g_assert_cmpuint(some->hits->len, ==, LIMIT);
	g_assert_false(some->total_exact);
	g_assert_cmpuint(some->total, >=, all->total);
	for (guint i = 0; i < LIMIT; i++) {
		const Hit *a = all->hits->pdata[OFFSET + i], *b = some->hits->pdata[i];
		g_assert_cmpint(a->info.node, ==, b->info.node);
		g_assert_cmpfloat(a->score, ==, b->score);
	}
	g_autoptr(SearchResult) counted = page(t, "common ext:txt", 0, LIMIT, true);
	g_assert_true(counted->total_exact);
	g_assert_cmpuint(counted->total, ==, all->total);
}

static void test_few_pass(Tree *t, gconstpointer data)
{
	make_files(t);
	g_autoptr(SearchResult) rare = page(t, "common ext:rare", 0, 40, false);
	g_autoptr(SearchResult) none = page(t, "common ext:none", 0, 40, false);
	g_assert_cmpuint(rare->hits->len, ==, 40);
	g_assert_cmpuint(rare->total, ==, ALL / RARE);
	g_assert_true(rare->total_exact);
	g_assert_cmpuint(none->hits->len, ==, 0);
	g_assert_cmpuint(none->total, ==, 0);
}

/* A small page of a filter that few match is found without asking about all of them. */
static void test_few_pass_a_small_page(Tree *t, gconstpointer data)
{
	enum { LIMIT = 8 };
	make_files(t);
	g_autoptr(SearchResult) all = page(t, "common ext:rare", 0, ALL, false);
	g_autoptr(SearchResult) some = page(t, "common ext:rare", 0, LIMIT, false);
	g_assert_cmpuint(some->hits->len, ==, LIMIT);
	g_assert_false(some->total_exact);
	for (guint i = 0; i < LIMIT; i++) {
		const Hit *a = all->hits->pdata[i], *b = some->hits->pdata[i];
		g_assert_cmpint(a->info.node, ==, b->info.node);
	}
}

static SearchResult *by_date(
        Tree *t, const char *text, unsigned offset, unsigned limit, bool reverse)
{
	g_autoptr(Query) query = parse(text, NULL);
	const SearchOptions options = {.limit = limit,
	        .offset = offset,
	        .sort = SORT_DATE,
	        .reverse = reverse,
	        .near_separate = true,
	        .uid = geteuid()};
	SearchResult *result;
	OK((result = search_run(t->r, query, &options, error)) != NULL);
	return result;
}

static void compare_dates(Tree *t, const char *text, bool reverse)
{
	enum { LIMIT = 20 };
	g_autoptr(SearchResult) all = by_date(t, text, 0, ALL, reverse);
	g_autoptr(SearchResult) first = by_date(t, text, 0, LIMIT, reverse);
	g_autoptr(SearchResult) second = by_date(t, text, LIMIT, LIMIT, reverse);
	g_assert_true(all->total_exact);
	g_assert_cmpuint(first->total, >=, all->total);
	for (guint i = 0; i < 2 * LIMIT; i++) {
		const SearchResult *page = i < LIMIT ? first : second;
		g_assert_cmpuint(page->hits->len, ==, LIMIT);
		const Hit *a = all->hits->pdata[i], *b = page->hits->pdata[i % LIMIT];
		g_assert_cmpint(a->info.node, ==, b->info.node);
	}
	for (guint i = 1; i < all->hits->len; i++) {
		const Hit *a = all->hits->pdata[i - 1], *b = all->hits->pdata[i];
		int64_t before = a->info.stat.mtime_ns, after = b->info.stat.mtime_ns;
		g_assert_true(reverse ? before <= after : before >= after);
	}
}

/* The pages of a common word by date are those of a search for everything. */
static void test_pages_by_date(Tree *t, gconstpointer data)
{
	make_files(t);
	compare_dates(t, "common", false);
	compare_dates(t, "common", true);
	compare_dates(t, "common ext:txt", false);
	compare_dates(t, "common OR f77", true);
	g_autoptr(SearchResult) cut = by_date(t, "common", 0, 1, false);
	g_assert_false(cut->total_exact);
	g_autoptr(SearchResult) none = by_date(t, "common ext:none", 0, 20, false);
	g_assert_cmpuint(none->total, ==, 0);
}

static SearchResult *newest_page(Tree *t, const char *text, unsigned offset, bool reverse)
{
	g_autoptr(Query) query = parse(text, NULL);
	const SearchOptions options = {.limit = 20,
	        .offset = offset,
	        .reverse = reverse,
	        .near_separate = true,
	        .uid = geteuid()};
	SearchResult *result;
	OK((result = search_run(t->r, query, &options, error)) != NULL);
	return result;
}

/* The walk finds what reading all entries finds. Returns how many more there may be for it. */
static uint64_t compare_newest(Tree *t, const char *text, unsigned offset, bool reverse)
{
	guint least = newest_least_documents;
	g_autoptr(SearchResult) all = newest_page(t, text, offset, reverse);
	newest_least_documents = 1;
	g_autoptr(SearchResult) walk = newest_page(t, text, offset, reverse);
	newest_least_documents = least;
	g_assert_cmpuint(all->hits->len, ==, 20);
	g_assert_cmpuint(walk->hits->len, ==, 20);
	for (guint i = 0; i < walk->hits->len; i++)
		g_assert_cmpint(((Hit *)walk->hits->pdata[i])->info.node, ==,
		        ((Hit *)all->hits->pdata[i])->info.node);
	g_assert_cmpuint(walk->total, >=, all->total);
	return walk->total - all->total;
}

/* A hit with copies is the newest of them, or the oldest, which gives it its place. */
static void test_copies_by_date(Tree *t, gconstpointer data)
{
	enum { EACH = 7, STEP = 1009 };
	for (int i = 0; i < ALL; i += EACH)
		make_file(t, "copies/", i, G_GINT64_CONSTANT(1500000000) + i * STEP % ALL / 3);
	make_files(t);
	for (int reverse = 0; reverse < 2; reverse++) {
		compare_dates(t, "common", reverse);
		compare_dates(t, "common ext:txt", reverse);
		compare_newest(t, "ext:txt", 0, reverse);
		compare_newest(t, "ext:txt", 60, reverse);
	}
}

/* The newest documents are gone from the disk: the page is filled with others. */
static void test_newest_are_gone(Tree *t, gconstpointer data)
{
	make_files(t);
	g_autoptr(SearchResult) newest = by_date(t, "common", 0, 1000, false);
	for (guint i = 0; i < newest->hits->len; i++)
		g_assert_cmpint(g_unlink(((Hit *)newest->hits->pdata[i])->info.path), ==, 0);
	g_autoptr(SearchResult) rest = by_date(t, "common", 0, 20, false);
	g_assert_cmpuint(rest->hits->len, ==, 20);
}

/* The best documents are gone from the disk: the page is filled with others. */
static void test_best_are_gone(Tree *t, gconstpointer data)
{
	make_files(t);
	g_autoptr(SearchResult) best = page(t, "common ext:txt", 0, 1000, false);
	for (guint i = 0; i < best->hits->len; i++)
		g_assert_cmpint(g_unlink(((Hit *)best->hits->pdata[i])->info.path), ==, 0);
	g_autoptr(SearchResult) rest = page(t, "common ext:txt", 0, 20, false);
	g_assert_cmpuint(rest->hits->len, ==, 20);
}

static void compare_page(Tree *t, const char *text, unsigned offset, unsigned limit)
{
	g_autoptr(SearchResult) all = page(t, text, 0, ALL, false);
	g_autoptr(SearchResult) some = page(t, text, offset, limit, false);
	g_assert_cmpuint(some->hits->len, ==, limit);
	g_assert_cmpuint(some->total, ==, ALL);
	for (guint i = 0; i < limit; i++) {
		const Hit *a = all->hits->pdata[offset + i], *b = some->hits->pdata[i];
		g_assert_cmpint(a->info.node, ==, b->info.node);
		g_assert_cmpfloat(a->score, ==, b->score);
	}
}

/* Of the documents with a common word, the best are kept and the others counted. */
static void test_only_the_best_are_kept(Tree *t, gconstpointer data)
{
	enum { SPARE = 300 };
	guint before = search_best_spare;
	make_files(t);
	search_best_spare = SPARE;
	compare_page(t, "common", 0, 20);
	compare_page(t, "common", 7, 20);
	compare_page(t, "comm*", 1000, 50);
	g_autoptr(SearchResult) best = page(t, "common", 0, 1000, false);
	for (guint i = 0; i < best->hits->len; i++)
		g_assert_cmpint(g_unlink(((Hit *)best->hits->pdata[i])->info.path), ==, 0);
	g_autoptr(SearchResult) rest = page(t, "common", 0, 20, false);
	g_assert_cmpuint(rest->hits->len, ==, 20);
	search_best_spare = before;
}

/* A small directory is known before its documents are ranked: the number of hits is exact. */
static void test_small_directory(Tree *t, gconstpointer data)
{
	enum { SMALL = 30, LIMIT = 8 };
	for (int i = 0; i < SMALL; i++) {
		g_autofree char *path = g_strdup_printf("small/%d/sub/g%d.txt", i % 3, i);
		g_autofree char *text = g_strdup_printf("common %d", i);
		tree_text(t, path, text);
	}
	make_files(t);
	g_autofree char *directory = tree_path(t, "small"), *absent = tree_path(t, "absent");
	g_autofree char *below = g_strconcat("common dir:", directory, NULL);
	g_autofree char *none = g_strconcat("common dir:", absent, NULL);
	g_autoptr(SearchResult) all = page(t, below, 0, ALL, false);
	g_autoptr(SearchResult) some = page(t, below, 0, LIMIT, false);
	g_autoptr(SearchResult) named = page(t, "common dir:1/sub", 0, SMALL, false);
	g_autoptr(SearchResult) nothing = page(t, none, 0, LIMIT, false);
	g_assert_cmpuint(all->hits->len, ==, SMALL);
	g_assert_cmpuint(named->hits->len, ==, SMALL / 3);
	g_assert_cmpuint(nothing->total, ==, 0);
	g_assert_cmpuint(some->hits->len, ==, LIMIT);
	g_assert_true(some->total_exact);
	g_assert_cmpuint(some->total, ==, SMALL);
	for (guint i = 0; i < LIMIT; i++) {
		const Hit *a = all->hits->pdata[i], *b = some->hits->pdata[i];
		g_assert_cmpint(a->info.node, ==, b->info.node);
	}
}

/* ---- filters alone, in a large index */

static void test_newest_entries(Tree *t, gconstpointer data)
{
	static const char *const filters[] = {
	        "ext:txt", "type:text", "size:>0", "-ext:rare", "type:text,folder", "date:>2000"};
	for (int i = 0; i < 30; i++) {
		g_autofree char *path = g_strdup_printf("dir%d/a.txt", i);
		t->modified = G_GINT64_CONSTANT(1500000000) + i * 50;
		tree_text(t, path, path);
	}
	make_files(t);
	for (size_t i = 0; i < G_N_ELEMENTS(filters); i++)
		for (int reverse = 0; reverse < 2; reverse++) {
			compare_newest(t, filters[i], 0, reverse);
			compare_newest(t, filters[i], 60, reverse);
			compare_newest(t, filters[i], 600, reverse);
		}
	g_assert_cmpuint(compare_newest(t, "ext:txt", 0, false), >, 0);
	g_assert_cmpuint(compare_newest(t, "ext:txt", 600, false), ==, 0); /* too far down */
	for (int i = ALL - 1; i > ALL - 1000; i--) {
		g_autofree char *name = g_strdup_printf("f%d.%s", i, ending_of(i));
		g_autofree char *path = tree_path(t, name);
		g_assert_cmpint(g_unlink(path), ==, 0);
	}
	/* the page is not full, and all entries are read after all */
	g_assert_cmpuint(compare_newest(t, "ext:txt", 0, false), ==, 0);
}

/* ---- any hit will do */

static guint any_of(Tree *t, const char *text)
{
	g_autoptr(Query) query = parse(text, NULL);
	const SearchOptions options = {.limit = 1, .any = true, .uid = geteuid()};
	g_autoptr(SearchResult) result = NULL;
	OK((result = search_run(t->r, query, &options, error)) != NULL);
	return result->hits->len;
}

static void test_any(Tree *t, gconstpointer data)
{
	make_files(t);
	g_assert_cmpuint(any_of(t, "ext:txt"), ==, 1);
	g_assert_cmpuint(any_of(t, "ext:txt common"), ==, 1);
	g_assert_cmpuint(any_of(t, "ext:none"), ==, 0);
	g_assert_cmpuint(any_of(t, "type:text -ext:txt,rare"), ==, 0);
	for (int i = 0; i < ALL - 1; i++) {
		g_autofree char *name = g_strdup_printf("f%d.%s", i, ending_of(i));
		g_autofree char *path = tree_path(t, name);
		g_assert_cmpint(g_unlink(path), ==, 0);
	}
	g_assert_cmpuint(any_of(t, "ext:txt"), ==, 1);
	g_assert_cmpuint(any_of(t, "ext:rare"), ==, 0);
}

/* ---- filters of each kind that few documents match */

static void fact(Document *doc, DocField field, const char *value)
{
	document_add_fact(doc, field, value, strlen(value));
}

/* Makes a file of which each filter below matches something, and similar ones that it does not
 * match. */
static void make_rare(Tree *t, int i)
{
	static const char *const mimes[] = {"application/pdf", "message/rfc822"};
	g_autofree char *path = g_strdup_printf("sub/%s%d.odd", i % 200 == 0 ? "." : "", i);
	g_autofree char *text = g_strdup_printf("common rare %d", i);
	Entry entry = tree_make(t, path, text);
	Document *own = document_of(text), *member = document_of("common member");
	g_free(own->mime);
	own->mime = g_strdup(mimes[i / RARE % 2]);
	fact(own, FIELD_LANGUAGE, "de-at");
	fact(own, FIELD_PAGES, "77");
	fact(own, FIELD_DURATION, "90");
	fact(own, FIELD_DATE, "1999-05-05");
	member->member = g_strdup("inner.mem");
	g_free(member->mime);
	member->mime = g_strdup("image/png");
	member->member_size = 123456;
	own->truncated = i % 300 == 0;
	tree_convert(t, &entry, text, own, member, NULL);
	if (i % 500 != 0)
		return;
	g_autofree char *copy_path = g_strdup_printf("sub/copy-%d.odd", i);
	Entry copy = tree_make(t, copy_path, text);
	tree_convert(t, &copy, text, document_of(text), NULL);
}

static void make_all_kinds(Tree *t)
{
	for (int i = 0; i < RARE * 10; i++) {
		if (i % RARE == 0)
			make_rare(t, i);
	}
	for (int i = 0; i < 5; i++) {
		g_autofree char *pending = g_strdup_printf("pending%d", i);
		g_autofree char *failed = g_strdup_printf("failed%d", i);
		tree_make(t, pending, "never read");
		Entry entry = tree_make(t, failed, failed);
		tree_convert(t, &entry, failed, NULL);
	}
	make_files(t);
}

/* Returns each hit by entry and member, sorted. */
static char *set_of(const SearchResult *result)
{
	g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; i < result->hits->len; i++) {
		const Hit *hit = result->hits->pdata[i];
		g_ptr_array_add(lines, g_strdup_printf("%" G_GINT64_FORMAT "|%s", hit->info.node,
		                               hit->info.member ? hit->info.member : ""));
	}
	g_ptr_array_sort(lines, text_compare_elements);
	g_ptr_array_add(lines, NULL);
	return g_strjoinv("\n", (char **)lines->pdata);
}

static char *set_found(
        Tree *t, const char *before, const char *filter, const char *behind, DupsMode dups)
{
	g_autofree char *text = g_strconcat(before, filter, behind, NULL);
	g_autoptr(Query) query = parse(text, NULL);
	const SearchOptions options = {
	        .limit = ALL, .dups = dups, .near_separate = true, .uid = geteuid()};
	g_autoptr(SearchResult) result = NULL;
	OK((result = search_run(t->r, query, &options, error)) != NULL);
	return set_of(result);
}

static guint count_lines(const char *text)
{
	guint n = *text != '\0';
	for (; *text; text++)
		n += *text == '\n';
	return n;
}

/* Reading single tables gives the same as joining all of them, which is what happens under an
 * OR. */
static void test_scans(Tree *t, gconstpointer data)
{
	static const struct {
		const char *filter;
		guint hits; /* entries and members */
	} cases[] = {{"ext:odd", 12}, {"ext:mem", 12}, {"ext:none", 0}, {"mime:application/pdf", 6},
	        {"mime:image/*", 12}, {"type:image", 12}, {"type:message", 6}, {"type:folder", 2},
	        {"type:message,image", 18}, {"lang:de", 12}, {"lang:xx", 0}, {"dir:sub", 24},
	        {"date:1999", 12}, {"date:1998", 0}, {"size:123456", 12}, {"pages:77", 12},
	        {"duration:90", 12}, {"sent:1999", 6}, {"is:dir", 2}, {"is:hidden", 10},
	        {"is:pending", 5}, {"is:failed", 5}, {"is:truncated", 5}, {"is:duplicate", 8},
	        {"is:pending,failed", 10}, {"ext:odd lang:de", 12}, {"owner:4000000", 0},
	        {"perm:7777", 0}, {"has:attachment", 6}, {"is:member", 12}};
	make_all_kinds(t);
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		const char *filter = cases[i].filter;
		g_autofree char *scanned = set_found(t, "", filter, "", DUPS_SHOW);
		g_autofree char *joined = set_found(t, "(", filter, ") OR absent", DUPS_SHOW);
		g_autofree char *late = set_found(t, "common ", filter, "", DUPS_COLLAPSE);
		g_autofree char *whole =
		        set_found(t, "common ((", filter, ") OR absent)", DUPS_COLLAPSE);
		g_assert_cmpstr(scanned, ==, joined);
		g_assert_cmpstr(late, ==, whole);
		g_test_message("%s: %u", filter, count_lines(scanned));
		g_assert_cmpuint(count_lines(scanned), ==, cases[i].hits);
	}
}

/* A hostile index. */
static void test_nameless_root(Tree *t, gconstpointer data)
{
	static const char *const queries[] = {"dir:sub", "dir:/sub", "dir:sub alpha"};
	tree_text(t, "sub/a.txt", "alpha");
	tree_open(t);
	assert_found(t, "dir:sub", "sub/a.txt");
	exec_raw(&t->index, "UPDATE node SET name = x'' WHERE parent = 0");
	tree_open(t);
	for (size_t i = 0; i < G_N_ELEMENTS(queries); i++)
		assert_found(t, queries[i], "");
}

#define ADD(name, function)                                                                        \
	g_test_add("/index/deferred-filters/" name, Tree, NULL, tree_up, function, tree_down)

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	ADD("most-documents-pass", test_page_of_many);
	ADD("few-documents-pass", test_few_pass);
	ADD("few-documents-pass-a-small-page", test_few_pass_a_small_page);
	ADD("pages-by-date", test_pages_by_date);
	ADD("copies-by-date", test_copies_by_date);
	ADD("the-newest-documents-are-gone", test_newest_are_gone);
	ADD("the-best-documents-are-gone", test_best_are_gone);
	ADD("only-the-best-are-kept", test_only_the_best_are_kept);
	ADD("a-small-directory", test_small_directory);
	ADD("newest-entries", test_newest_entries);
	ADD("any-hit", test_any);
	ADD("scans-agree-with-joins", test_scans);
	ADD("a-root-without-a-name", test_nameless_root);
	return g_test_run();
}
