/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test-search-web.c - searches for the pages of sites and the items of feeds, beside files */
#include <config.h>
#include "common/base/text.h"
#include "index/read/reader-private.h"
#include "index/search/search-private.h"
#include "index/write/writer-web.h"
#include "tests/index/search-test.h"
#include <string.h>
#include <unistd.h>

static void set_type(Document *doc)
{
	g_free(doc->mime);
	doc->mime = g_strdup("text/html");
}

/* Adds a source of that URL. */
static int64_t add_source(Tree *t, const char *url, bool is_feed)
{
	Writer *w = t->index.w;
	const char *path = strchr(strstr(url, "://") + 3, '/');
	g_autofree char *host = g_strndup(url, path - url), *prefix = g_strdup(path);
	WebSourceRow row = {.prefix = prefix, .pages_most = 10, .depth_most = 5};
	int64_t id, node;
	OK(writer_web_host(w, host, &row.host, error));
	OK(writer_web_add_source(w, &row, &id, error));
	OK(writer_web_name_source(w, id, url, is_feed, &node, error));
	return id;
}

/* Adds a page of the source, and takes ownership of its document. what: its bytes. */
static Entry add_page(
        Tree *t, int64_t source, const char *url, int64_t date, const char *what, Document *doc)
{
	WebPageRow row = {.source = source, .url = (char *)url, .place = {1, 300, 20}};
	Entry entry;
	OK(writer_web_put_page(
	        t->index.w, &row, url, url, strlen(what), date, true, &entry, error));
	set_type(doc);
	tree_convert(t, &entry, what, doc, NULL);
	return entry;
}

static Entry add_text(Tree *t, int64_t source, const char *url, const char *text)
{
	return add_page(t, source, url, 1000, text, document_of(text));
}

/* Returns the paths of the hits in their order, or sorted, separated by blanks. */
static char *paths_of(Tree *t, const char *text, bool sorted, DupsMode dups)
{
	g_autoptr(SearchResult) result = search(t, text, dups);
	g_autoptr(GPtrArray) paths = g_ptr_array_new();
	for (guint i = 0; i < result->hits->len; i++) {
		const char *path = ((const Hit *)result->hits->pdata[i])->info.path;
		bool local = g_str_has_prefix(path, t->root);
		g_ptr_array_add(paths, (char *)path + (local ? strlen(t->root) + 1 : 0));
	}
	if (sorted)
		g_ptr_array_sort(paths, text_compare_elements);
	g_ptr_array_add(paths, NULL);
	return g_strjoinv(" ", (char **)paths->pdata);
}

static void assert_paths(Tree *t, const char *text, const char *expected)
{
	g_autofree char *paths = paths_of(t, text, true, DUPS_COLLAPSE);
	if (strcmp(paths, expected) != 0)
		g_error("\"%s\" finds %s, not %s", text, paths, expected);
}

static void assert_order(Tree *t, const char *text, const char *expected)
{
	g_autofree char *paths = paths_of(t, text, false, DUPS_COLLAPSE);
	if (strcmp(paths, expected) != 0)
		g_error("\"%s\" finds in this order %s, not %s", text, paths, expected);
}

/* Two sites, a feed and files. */
static void add_all(Tree *t)
{
	int64_t docs = add_source(t, "https://example.org/docs/", false);
	int64_t wiki = add_source(t, "https://wiki.example.org/", false);
	int64_t feed = add_source(t, "http://news.test:8080/feed.xml", true);
	add_text(t, docs, "https://example.org/docs/", "lantern first");
	add_text(t, docs, "https://example.org/docs/a.html", "lantern second");
	add_text(t, docs, "https://example.org/docs/deep/set-up.pdf?lang=en", "lantern third");
	add_text(t, wiki, "https://wiki.example.org/L%C3%A4mp_Shade", "lantern fourth");
	add_text(t, feed, "http://news.test:8080/2026/item", "lantern fifth");
	add_text(t, feed, "https://elsewhere.test/item", "lantern sixth");
	tree_text(t, "docs/example.org.txt", "lantern seventh");
	tree_text(t, "plain.html", "other words");
	tree_open(t);
}

static const struct {
	const char *query, *paths;
} conditions[] = {
        {"site:example.org", "https://example.org/docs/ https://example.org/docs/a.html "
                             "https://example.org/docs/deep/set-up.pdf?lang=en "
                             "https://wiki.example.org/L%C3%A4mp_Shade"},
        {"site:wiki.example.org lantern", "https://wiki.example.org/L%C3%A4mp_Shade"},
        {"site:https://example.org lantern -site:example.org/docs/deep",
                "https://example.org/docs/ https://example.org/docs/a.html"},
        {"site:ample.org", ""},
        {"site:example.org/doc", ""},
        {"site:example.org/docs/a", ""},
        {"site:example.org/docs/a.html", "https://example.org/docs/a.html"},
        {"site:news.test", "http://news.test:8080/2026/item"},
        {"site:news.test:8080 lantern", "http://news.test:8080/2026/item"},
        {"site:news.test:81", ""},
        {"site:elsewhere.test:443", "https://elsewhere.test/item"},
        {"site:elsewhere.test,wiki.example.org",
                "https://elsewhere.test/item https://wiki.example.org/L%C3%A4mp_Shade"},
        {"source:feed", "http://news.test:8080/2026/item https://elsewhere.test/item"},
        {"source:feed lantern", "http://news.test:8080/2026/item https://elsewhere.test/item"},
        {"source:web,feed -site:example.org",
                "http://news.test:8080/2026/item https://elsewhere.test/item"},
        {"source:file lantern", "docs/example.org.txt"},
        {"lantern -source:web -source:feed", "docs/example.org.txt"},
        {"lantern fifth OR source:file", "docs/example.org.txt http://news.test:8080/2026/item"},
        {"(seventh OR source:feed) lantern",
                "docs/example.org.txt http://news.test:8080/2026/item https://elsewhere.test/item"},
        {"url:HTTPS://example.org:443/docs/b/../a.html#top", "https://example.org/docs/a.html"},
        {"url:example.org/docs", ""},
        {"url:example.org/docs/", "https://example.org/docs/"},
        {"inurl:DEEP", "https://example.org/docs/deep/set-up.pdf?lang=en"},
        {"inurl:lang=en second OR third", "https://example.org/docs/deep/set-up.pdf?lang=en"},
        {"inurl:lämp", "https://wiki.example.org/L%C3%A4mp_Shade"},
        {"inurl:%C3%A4", "https://wiki.example.org/L%C3%A4mp_Shade"},
        {"inurl:org*html", "https://example.org/docs/a.html"},
        {"inurl:html*org", ""},
        {"dir:https://example.org/docs/deep", "https://example.org/docs/deep/set-up.pdf?lang=en"},
        {"dir:docs lantern", "docs/example.org.txt https://example.org/docs/a.html "
                             "https://example.org/docs/deep/set-up.pdf?lang=en"},
        {"dir:docs/deep", "https://example.org/docs/deep/set-up.pdf?lang=en"},
        {"ext:pdf", "https://example.org/docs/deep/set-up.pdf?lang=en"},
        {"ext:org", ""},
        {"ext:html lantern", "https://example.org/docs/a.html"},
        {"name:lamp", "https://wiki.example.org/L%C3%A4mp_Shade"},
        {"name:*p_sha*", "https://wiki.example.org/L%C3%A4mp_Shade"},
        {"name:set-up.*", "https://example.org/docs/deep/set-up.pdf?lang=en"},
        {"name:en", ""},
        {"name:test", ""},
        {"example third", ""}, /* the host says the same of all pages */
        {"is:file source:web ext:html", "https://example.org/docs/a.html"},
        {"date:1970 lantern -site:example.org",
                "http://news.test:8080/2026/item https://elsewhere.test/item"},
        {"type:document name:item", "http://news.test:8080/2026/item https://elsewhere.test/item"},
};

static void test_conditions(Tree *t, gconstpointer data)
{
	add_all(t);
	for (size_t i = 0; i < G_N_ELEMENTS(conditions); i++)
		assert_paths(t, conditions[i].query, conditions[i].paths);
}

/* All plans find the same. */
static void test_plans(Tree *t, gconstpointer data)
{
	const SearchOptions options = {.limit = 100, .uid = geteuid()};
	add_all(t);
	for (size_t i = 0; i < G_N_ELEMENTS(conditions); i++) {
		g_autoptr(GError) error = NULL;
		g_autoptr(Query) query = parse(conditions[i].query, NULL);
		g_autoptr(SearchResult) fast = search_run(t->r, query, &options, &error);
		g_assert_no_error(error);
		g_autoptr(SearchResult) plain =
		        search_run_planned(t->r, query, &options, PLAN_PLAIN, &error);
		g_assert_no_error(error);
		if (fast->total != plain->total)
			g_error("\"%s\": %u and %u hits", conditions[i].query,
			        (unsigned)fast->total, (unsigned)plain->total);
	}
}

/* The rows of the disk are not looked at: there may be a million. */
static void test_scan(Tree *t, gconstpointer data)
{
	static const char *const queries[] = {"site:example.org", "source:feed,web", "inurl:deep",
	        "url:https://example.org/docs/", "source:web size>0 is:file"};
	const SearchOptions options = {.limit = 100, .uid = geteuid()};
	int64_t source = add_source(t, "https://example.org/docs/", false);
	for (unsigned i = 0; i < 2500; i++) {
		g_autofree char *url = g_strdup_printf("https://example.org/docs/deep/%u", i);
		WebPageRow row = {.source = source, .url = url};
		Entry entry;
		OK(writer_web_put_page(t->index.w, &row, url, url, 1, 1, true, &entry, error));
	}
	tree_open(t);
	for (size_t i = 0; i < G_N_ELEMENTS(queries); i++) {
		g_autoptr(Query) query = parse(queries[i], NULL);
		g_autoptr(GArray) inodes = NULL;
		QueryPlan plan;
		search_plan(&plan, t->r, query, &options, PLAN_FAST);
		OK(reader_begin(t->r, 0, error));
		g_autoptr(GError) error = NULL;
		SearchState *state = search_attach(t->r, &error);
		g_assert_no_error(error);
		Search s = {.r = t->r, .state = state, .options = &options, .plan = &plan};
		state->search = &s;
		g_assert_cmpint(search_scan(&s, &inodes, NULL), ==, 1);
		g_assert_cmpuint(inodes->len, ==, i == 1 || i == 4 || i == 0 || i == 2 ? 2500 : 0);
		state->search = NULL;
		reader_end(t->r);
		search_plan_clear(&plan);
	}
}

/* ---- a pasted URL */

static void test_pasted(Tree *t, gconstpointer data)
{
	int64_t source = add_source(t, "https://example.org/docs/", false);
	add_text(t, source, "https://example.org/docs/a.html?x=1", "quite other words");
	add_text(t, source, "https://example.org/docs/index.html",
	        "see https://example.org/docs/a.html?x=1 and http example org docs a html x 1");
	tree_text(t, "a.html", "https example org docs a html x 1");
	tree_open(t);
	static const char *const pasted[] = {"https://example.org/docs/a.html?x=1",
	        "\"https://example.org/docs/a.html?x=1\"",
	        "HTTPS://EXAMPLE.org/docs/./a.html?x=1#top", "http://example.org/docs/a.html?x=1"};
	for (size_t i = 0; i < G_N_ELEMENTS(pasted); i++) {
		g_autoptr(SearchResult) result = search(t, pasted[i], DUPS_COLLAPSE);
		g_assert_cmpuint(result->hits->len, >=, 1);
		g_assert_cmpstr(((const Hit *)result->hits->pdata[0])->info.path, ==,
		        "https://example.org/docs/a.html?x=1");
	}
	assert_order(t, "example.org/docs/index.html", "https://example.org/docs/index.html");
}

/* ---- links */

static Document *linking(const char *text, const char *href, const char *words)
{
	Document *doc = document_of(text);
	document_add_link(doc, LINK_ANCHOR, 0, href, words);
	document_add_text(doc, TAG_LINK, DOC_RUN_BLOCK, words, strlen(words));
	return doc;
}

static void test_anchors(Tree *t, gconstpointer data)
{
	int64_t one = add_source(t, "https://one.test/", false);
	int64_t two = add_source(t, "https://two.test/feed", true);
	add_text(t, one, "https://one.test/target", "plain");
	add_text(t, two, "https://two.test/item", "simple");
	add_page(t, one, "https://one.test/a", 1, "1",
	        linking("alpha", "HTTPS://one.test:443/b/../target#top", "crimson lighthouse"));
	add_page(t, one, "https://one.test/b", 1, "2",
	        linking("beta", "https://two.test/item", "green harbour"));
	add_page(t, two, "https://two.test/c", 1, "3",
	        linking("gamma", "https://one.test/target", "blue boat"));
	/* a page that was converted as the local file with the same bytes */
	Document *relative = linking("delta", "target", "yellow oar");
	add_page(t, one, "https://one.test/d", 1, "4", relative);
	/* nothing that a page says leads to a file */
	g_autofree char *local = tree_path(t, "private.txt");
	g_autofree char *file_url = g_strconcat("file://", local, NULL);
	tree_text(t, "private.txt", "secret");
	add_page(t, one, "https://one.test/e", 1, "5", linking("eps", file_url, "grey sail"));
	add_page(t, one, "https://one.test/f", 1, "6",
	        linking("zeta", "https://nobody.test/x", "white foam"));
	/* bookmarks */
	Entry notes = tree_make(t, "notes.html", "7");
	Document *marks = linking("eta", "https://two.test/item", "my pier");
	set_type(marks);
	tree_convert(t, &notes, "7", marks, NULL);
	tree_open(t);
	assert_paths(t, "anchor:lighthouse", "https://one.test/target");
	assert_paths(t, "anchor:\"green harbour\"", "https://two.test/item");
	assert_paths(t, "anchor:boat", "https://one.test/target");
	assert_paths(t, "anchor:oar", "https://one.test/target");
	assert_paths(t, "anchor:sail", "");
	assert_paths(t, "anchor:foam", "");
	assert_paths(t, "anchor:pier", "https://two.test/item");
	g_assert_cmpint(
	        ask(&t->index,
	                "SELECT count(*) FROM document d JOIN link l USING(content) WHERE "
	                "d.content = (SELECT content FROM inode WHERE id = (SELECT inode FROM "
	                "node WHERE name = CAST('https://one.test/f' AS BLOB)))"),
	        ==, 0); /* what leads nowhere is not kept */
}

/* ---- copies */

static char *long_text(const char *first, const char *last)
{
	GString *text = g_string_new(first);
	for (unsigned i = 0; i < 120; i++)
		g_string_append_printf(text, " word%u other%u", i, i * 7);
	g_string_append_printf(text, " %s", last);
	return g_string_free(text, FALSE);
}

static Document *naming(const char *text, const char *canonical)
{
	Document *doc = document_of(text);
	document_add_link(doc, LINK_CANONICAL, 0, canonical, "");
	return doc;
}

/* Equal bytes are one hit: a file in use before a page, a page before a backup, and of pages the
 * one that they name. */
static void test_equal(Tree *t, gconstpointer data)
{
	int64_t one = add_source(t, "https://one.test/", false);
	static const char text[] = "walnut", second[] = "cherry";
	add_page(t, one, "https://one.test/p", 1, text,
	        naming(text, "https://one.test/very/long/name"));
	add_page(t, one, "https://one.test/very/long/name", 1, text,
	        naming(text, "https://one.test/very/long/name"));
	add_page(t, one, "https://one.test/q/cherry", 1, second,
	        naming(second, "https://one.test/absent"));
	add_page(t, one, "https://one.test/cherry", 1, second, document_of(second));
	tree_open(t);
	assert_order(t, "walnut", "https://one.test/very/long/name");
	assert_order(t, "cherry source:web", "https://one.test/cherry");
	g_autoptr(SearchResult) result = search(t, "walnut", DUPS_COLLAPSE);
	const Hit *hit = result->hits->pdata[0];
	g_assert_cmpuint(hit->copies->len, ==, 1);
	g_assert_cmpstr(hit->copies->pdata[0], ==, "https://one.test/p");
}

static void test_near(Tree *t, gconstpointer data)
{
	int64_t one = add_source(t, "https://one.test/", false);
	g_autofree char *first = long_text("walnut walnut walnut", "end");
	g_autofree char *second = long_text("walnut", "ending");
	add_page(t, one, "https://one.test/print", 1, first,
	        naming(first, "https://one.test/story"));
	add_page(t, one, "https://one.test/story", 1, second, document_of(second));
	tree_open(t);
	assert_order(t, "walnut", "https://one.test/story");
	g_autoptr(SearchResult) result = search(t, "walnut", DUPS_COLLAPSE);
	const Hit *hit = result->hits->pdata[0];
	g_assert_cmpuint(hit->copies->len, ==, 1);
	g_assert_cmpstr(hit->copies->pdata[0], ==, "https://one.test/print");
	g_autofree char *all = paths_of(t, "walnut", false, DUPS_SHOW);
	g_assert_cmpstr(all, ==, "https://one.test/print https://one.test/story");
}

/* ---- facts */

static void test_source_of_info(Tree *t, gconstpointer data)
{
	static const struct {
		const char *query, *source;
	} cases[] = {{"fifth", "feed"}, {"fourth", "web"}, {"seventh", "file"}};
	add_all(t);
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(SearchResult) result = search(t, cases[i].query, DUPS_COLLAPSE);
		const Hit *hit = result->hits->pdata[0];
		g_assert_cmpstr(entry_source_name(hit->info.source), ==, cases[i].source);
	}
}

static void test_others_see_nothing(Tree *t, gconstpointer data)
{
	const SearchOptions options = {.limit = 10, .uid = geteuid() + 1};
	g_autoptr(GError) error = NULL;
	g_autoptr(Query) query = parse("site:example.org", NULL);
	add_all(t);
	g_autoptr(SearchResult) result = search_run(t->r, query, &options, &error);
	g_assert_no_error(error);
	g_assert_cmpuint(result->hits->len, ==, 0);
	g_assert_cmpuint(result->total, ==, 0);
}

#define TREE_TEST(path, test) g_test_add(path, Tree, NULL, tree_up, test, tree_down)

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	TREE_TEST("/index/search-web/conditions", test_conditions);
	TREE_TEST("/index/search-web/plans-find-the-same", test_plans);
	TREE_TEST("/index/search-web/pages-alone-are-scanned", test_scan);
	TREE_TEST("/index/search-web/pasted-url-finds-its-page", test_pasted);
	TREE_TEST("/index/search-web/texts-of-links-count", test_anchors);
	TREE_TEST("/index/search-web/equal-pages-are-one-hit", test_equal);
	TREE_TEST("/index/search-web/near-copies-show-the-canonical-page", test_near);
	TREE_TEST("/index/search-web/source-is-known", test_source_of_info);
	TREE_TEST("/index/search-web/others-see-nothing", test_others_see_nothing);
	return g_test_run();
}
