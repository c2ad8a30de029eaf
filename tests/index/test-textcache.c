/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/store/pack.h"
#include "index/write/writer-private.h"
#include "tests/index/index-test.h"
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

static Document *rich_document(void)
{
	Document *doc = document_new("inner/\xff.pdf");
	doc->member_size = 1234;
	doc->member_mtime_ns = -5;
	doc->mime = g_strdup("application/pdf");
	doc->extractor = g_strdup("pdf");
	doc->version = 7;
	doc->truncated = true;
	doc->reason = REASON_LIMIT_TEXT;
	doc->detail = g_strdup("cut");
	document_add_fact(doc, FIELD_TITLE, "Ti\u00e4tel", 7);
	document_add_fact(doc, FIELD_KEYWORD, "", 0);
	document_add_break(doc, BREAK_PAGE, 1, NULL);
	document_add_text(doc, TAG_HEADING2, DOC_RUN_BLOCK, "Head", 4);
	document_add_text(doc, TAG_BODY, DOC_RUN_BLOCK, "The b\u00f6dy ", 10);
	document_add_text(doc, TAG_EMPHASIS, 0, "text", 4);
	document_add_break(doc, BREAK_SHEET, 2, "Sheet");
	document_add_link(doc, LINK_ANCHOR, 0, "http://x/", "link");
	document_add_link(doc, LINK_FEED, DOC_LINK_NOFOLLOW, "http://x/feed", "");
	return doc;
}

static void assert_same(const Document *a, const Document *b)
{
	g_autoptr(GByteArray) x = pack_document(a);
	g_autoptr(GByteArray) y = pack_document(b);
	g_assert_cmpmem(x->data, x->len, y->data, y->len);
	g_assert_cmpstr(a->text->str, ==, b->text->str);
	g_assert_cmpstr(a->member, ==, b->member);
	g_assert_cmpint(a->member_mtime_ns, ==, b->member_mtime_ns);
	g_assert_cmpuint(a->runs->len, ==, b->runs->len);
	g_assert_cmpstr(document_fact(a, FIELD_TITLE), ==, document_fact(b, FIELD_TITLE));
	g_assert_cmpint(a->reason, ==, b->reason);
	g_assert_cmpuint(a->links->len, ==, b->links->len);
	for (guint i = 0; i < a->links->len; i++) {
		const DocLink *of_a = &g_array_index(a->links, DocLink, i);
		const DocLink *of_b = &g_array_index(b->links, DocLink, i);
		g_assert_cmpstr(of_a->href, ==, of_b->href);
		g_assert_cmpint(of_a->kind, ==, of_b->kind);
		g_assert_cmpint(of_a->flags, ==, of_b->flags);
	}
}

static void test_pack(void)
{
	g_autoptr(Document) doc = rich_document();
	g_autoptr(GByteArray) packed = pack_document(doc);
	g_autoptr(Document) again = unpack_document(packed->data, packed->len);
	g_assert_nonnull(again);
	assert_same(doc, again);

	g_autoptr(Document) empty = document_new(NULL);
	g_autoptr(GByteArray) small = pack_document(empty);
	g_autoptr(Document) empty_again = unpack_document(small->data, small->len);
	g_assert_nonnull(empty_again);
	g_assert_null(empty_again->member);
	g_assert_cmpint(empty_again->member_size, ==, -1);
}

/* A pack of version 1 ends its links without kinds and flags, and all are anchors. */
static void test_old_pack(void)
{
	g_autoptr(Document) doc = document_new(NULL);
	document_add_link(doc, LINK_ANCHOR, 0, "http://x/", "link");
	g_autoptr(GByteArray) packed = pack_document(doc);
	packed->data[0] = 1;
	g_assert_null(unpack_document(packed->data, packed->len));
	g_autoptr(Document) again = unpack_document(packed->data, packed->len - 2);
	g_assert_nonnull(again);
	assert_same(doc, again);
}

/* Every truncation is refused. Every changed byte gives nothing, or a document that keeps the
 * promises of document.h. */
static void assert_sound(const Document *doc)
{
	uint32_t at = 0;
	g_assert_true(g_utf8_validate(doc->text->str, doc->text->len, NULL));
	for (guint i = 0; i < doc->runs->len; i++) {
		const DocRun *run = &g_array_index(doc->runs, DocRun, i);
		g_assert_cmpuint(run->offset, ==, at);
		g_assert_cmpuint(run->tag, <, N_TAGS);
		g_assert_true(g_utf8_validate(doc->text->str + at, run->length, NULL));
		at += run->length;
	}
	g_assert_cmpuint(at, ==, doc->text->len);
	g_assert_cmpuint(doc->state, <, N_STATES);
	g_assert_cmpuint(doc->reason, <, N_REASONS);
}

static void test_pack_damage(void)
{
	g_autoptr(Document) doc = rich_document();
	g_autoptr(GByteArray) packed = pack_document(doc);
	for (guint cut = 0; cut < packed->len; cut++) {
		g_autofree uint8_t *part = g_memdup2(packed->data, cut);
		g_assert_null(unpack_document(part, cut));
	}
	for (guint i = 0; i < packed->len * 8; i++) {
		g_autofree uint8_t *bad = g_memdup2(packed->data, packed->len);
		bad[i / 8] ^= 1 << i % 8;
		g_autoptr(Document) read = unpack_document(bad, packed->len);
		if (read)
			assert_sound(read);
	}
}

typedef struct {
	char *dir;
} Dir;

static void dir_up(Dir *d, gconstpointer data)
{
	d->dir = g_dir_make_tmp("tarsier-cache-XXXXXX", NULL);
	g_assert_nonnull(d->dir);
}

static void dir_down(Dir *d, gconstpointer data)
{
	static const char *const names[] = {"text.db", "text.db-wal", "text.db-shm"};
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *path = g_build_filename(d->dir, names[i], NULL);
		g_unlink(path);
	}
	g_rmdir(d->dir);
	g_free(d->dir);
}

static TextCache *open_cache(const Dir *d, const char *identity, uint64_t budget)
{
	g_autoptr(GError) error = NULL;
	TextCache *cache = textcache_open(d->dir, identity, budget, &error);
	g_assert_no_error(error);
	return cache;
}

static bool has(const Dir *d, const char *identity, int64_t id)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(TextCache) cache = textcache_open_reader(d->dir, identity, &error);
	g_assert_no_error(error);
	g_autoptr(Document) doc = cache ? textcache_get(cache, id) : NULL;
	return doc != NULL;
}

static void test_cache(Dir *d, gconstpointer data)
{
	g_autoptr(Document) doc = rich_document();
	g_autoptr(TextCache) cache = open_cache(d, "one", 1 << 20);
	struct stat st;

	g_assert_false(has(d, "one", 5));
	textcache_put(cache, 5, doc);
	g_assert_false(has(d, "one", 5));
	textcache_commit(cache);
	g_assert_true(has(d, "one", 5));
	g_assert_false(has(d, "two", 5));
	g_autoptr(Document) again = textcache_get(cache, 5);
	assert_same(doc, again);
	textcache_remove(cache, 5);
	textcache_rollback(cache);
	g_assert_true(has(d, "one", 5));
	textcache_remove(cache, 5);
	textcache_commit(cache);
	g_assert_false(has(d, "one", 5));
	g_autofree char *path = g_build_filename(d->dir, "text.db", NULL);
	g_assert_cmpint(stat(path, &st), ==, 0);
	g_assert_cmpint(st.st_mode & 0777, ==, 0600);
}

static void test_cache_budget(Dir *d, gconstpointer data)
{
	g_autoptr(TextCache) cache = open_cache(d, "one", 40000);
	for (int id = 1; id <= 50; id++) {
		g_autoptr(GString) text = g_string_new(NULL);
		for (unsigned i = 0; i < 500; i++) /* does not compress well */
			g_string_append_printf(text, "%08x ", (unsigned)g_test_rand_int());
		g_autoptr(Document) doc = document_of(text->str);
		textcache_put(cache, id, doc);
	}
	textcache_commit(cache);
	g_assert_false(has(d, "one", 1));
	g_assert_true(has(d, "one", 50));
	textcache_close(g_steal_pointer(&cache));

	/* the total size is remembered */
	cache = open_cache(d, "one", 1000);
	g_autoptr(Document) doc = document_of("short");
	textcache_put(cache, 51, doc);
	textcache_commit(cache);
	g_assert_false(has(d, "one", 50));
	g_assert_true(has(d, "one", 51));
}

static void test_cache_shrinks_at_once(Dir *d, gconstpointer data)
{
	g_autoptr(Document) doc = document_of("words");
	g_autoptr(TextCache) cache = open_cache(d, "one", 1 << 20);
	textcache_put(cache, 5, doc);
	textcache_commit(cache);
	textcache_set_budget(cache, 1 << 19);
	g_assert_true(has(d, "one", 5));
	textcache_set_budget(cache, 0);
	g_assert_false(has(d, "one", 5));
	textcache_put(cache, 6, doc);
	textcache_commit(cache);
	g_assert_false(has(d, "one", 6));
}

static void test_cache_of_other_index(Dir *d, gconstpointer data)
{
	g_autoptr(Document) doc = document_of("words");
	g_autoptr(TextCache) cache = open_cache(d, "one", 1 << 20);
	textcache_put(cache, 5, doc);
	textcache_commit(cache);
	textcache_close(g_steal_pointer(&cache));
	cache = open_cache(d, "two", 1 << 20);
	g_assert_null(textcache_get(cache, 5));
}

static void test_cache_damaged(Dir *d, gconstpointer data)
{
	g_autofree char *path = g_build_filename(d->dir, "text.db", NULL);
	g_assert_true(g_file_set_contents(
	        path, "this is not a database at all, but long enough", -1, NULL));
	g_assert_cmpint(g_chmod(path, 0600), ==, 0);
	g_autoptr(GError) error = NULL;
	g_autoptr(TextCache) reader = textcache_open_reader(d->dir, "one", &error);
	g_assert_null(reader);
	g_autoptr(TextCache) cache = open_cache(d, "one", 1 << 20);
	g_autoptr(Document) doc = document_of("words");
	textcache_put(cache, 5, doc);
	textcache_commit(cache);
	g_assert_true(has(d, "one", 5));
}

/* A table of the same name may compute its values, and a view take its place. */
static void test_cache_schema(Dir *d, gconstpointer data)
{
	static const char *const schemas[] = {"CREATE TABLE trap(a)",
	        "CREATE VIEW trap AS SELECT 1",
	        "DROP TABLE entry; CREATE TABLE entry(document INTEGER PRIMARY KEY, packed AS "
	        "(zeroblob(100000000)))",
	        "CREATE TRIGGER trap AFTER DELETE ON entry BEGIN DELETE FROM entry; END",
	        "CREATE INDEX trap ON entry(hex(packed))"};
	g_autofree char *path = g_build_filename(d->dir, "text.db", NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(schemas); i++) {
		g_autoptr(Document) doc = document_of("words");
		g_autoptr(TextCache) cache = open_cache(d, "one", 1 << 20);
		textcache_put(cache, 5, doc);
		textcache_commit(cache);
		g_assert_true(has(d, "one", 5));
		textcache_close(g_steal_pointer(&cache));
		sqlite3 *db;
		g_assert_cmpint(sqlite3_open(path, &db), ==, SQLITE_OK);
		g_assert_cmpint(sqlite3_exec(db, schemas[i], NULL, NULL, NULL), ==, SQLITE_OK);
		sqlite3_close(db);
		g_test_message("%s", schemas[i]);
		g_autoptr(TextCache) reader = textcache_open_reader(d->dir, "one", NULL);
		g_assert_null(reader);
		cache = open_cache(d, "one", 1 << 20); /* made anew */
		g_assert_null(textcache_get(cache, 5));
	}
}

/* ---- with the writer */

static bool cached(const Fixture *f, int64_t id)
{
	g_autoptr(Document) doc = textcache_get(f->w->cache, id);
	return doc != NULL;
}

static void test_writer(Fixture *f, gconstpointer data)
{
	const ContentEnd end = {.mime = "text/plain", .extractor = "text", .version = 1};
	const uint8_t checksum[CHECKSUM_BYTES] = {1};
	g_autoptr(Document) doc = document_of("costly words");
	Entry root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5));
	Entry file = put(f, root.node, "a", stat_of(f, 2, ENTRY_FILE, 5, 20));
	int64_t content;

	OK(writer_begin_content(f->w, checksum, 5, &content, error));
	OK(writer_add_document(f->w, content, doc, true, error));
	OK(writer_add_document(f->w, content, doc, false, error));
	OK(writer_end_content(f->w, content, &end, error));
	OK(writer_link(f->w, file.inode, content, error));
	commit(f);
	g_assert_true(cached(f, 1));
	g_assert_false(cached(f, 2));
	writer_set_cache_budget(f->w, 0);
	g_assert_false(cached(f, 1));
}

static void test_removed_with_document(Fixture *f, gconstpointer data)
{
	const ContentEnd end = {.mime = "text/plain", .extractor = "text", .version = 1};
	const uint8_t checksum[CHECKSUM_BYTES] = {1};
	g_autoptr(Document) doc = document_of("costly words");
	Entry root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5));
	Entry file = put(f, root.node, "a", stat_of(f, 2, ENTRY_FILE, 5, 20));
	int64_t content;

	OK(writer_begin_content(f->w, checksum, 5, &content, error));
	OK(writer_add_document(f->w, content, doc, true, error));
	OK(writer_end_content(f->w, content, &end, error));
	OK(writer_link(f->w, file.inode, content, error));
	commit(f);
	g_assert_true(cached(f, 1));
	OK(writer_remove(f->w, root.node, error));
	commit(f);
	g_assert_false(cached(f, 1));
}

/* If a transaction fails, its row number is used again: the text of the document that was never
 * stored must not stay. */
static void test_number_used_again(Fixture *f, gconstpointer data)
{
	g_autoptr(Document) doc = document_of("costly words");
	Entry root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5));
	Entry file = put(f, root.node, "a", stat_of(f, 2, ENTRY_FILE, 5, 20));
	commit(f);
	textcache_put(f->w->cache, 1, doc); /* as after a crash between the two commits */
	textcache_commit(f->w->cache);
	convert(f, file.inode, "other words");
	commit(f);
	g_assert_cmpint(ask(f, "SELECT max(id) FROM document"), ==, 1);
	g_assert_false(cached(f, 1));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/index/textcache/packs-are-read-as-written", test_pack);
	g_test_add_func("/index/textcache/old-packs-have-anchors-alone", test_old_pack);
	g_test_add_func("/index/textcache/damaged-packs-are-refused", test_pack_damage);
	g_test_add("/index/textcache/texts-are-kept", Dir, NULL, dir_up, test_cache, dir_down);
	g_test_add(
	        "/index/textcache/budget-is-kept", Dir, NULL, dir_up, test_cache_budget, dir_down);
	g_test_add("/index/textcache/a-smaller-budget-applies-at-once", Dir, NULL, dir_up,
	        test_cache_shrinks_at_once, dir_down);
	g_test_add("/index/textcache/texts-of-another-index-are-removed", Dir, NULL, dir_up,
	        test_cache_of_other_index, dir_down);
	g_test_add("/index/textcache/damaged-texts-are-missing", Dir, NULL, dir_up,
	        test_cache_damaged, dir_down);
	g_test_add("/index/textcache/a-foreign-schema-makes-it-anew", Dir, NULL, dir_up,
	        test_cache_schema, dir_down);
	g_test_add("/index/textcache/the-writer-adds-texts", Fixture, NULL, fixture_up, test_writer,
	        fixture_down);
	g_test_add("/index/textcache/a-text-goes-with-its-document", Fixture, NULL, fixture_up,
	        test_removed_with_document, fixture_down);
	g_test_add("/index/textcache/a-document-number-used-again-has-its-own-text", Fixture, NULL,
	        fixture_up, test_number_used_again, fixture_down);
	return g_test_run();
}
