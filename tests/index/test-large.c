/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests writer_add_piece(): a document that is added in pieces is indexed like one that is added at
 * once. */
#include <config.h>
#include "index/write/writer-private.h"
#include "index/store/db-exec.h"
#include "tests/index/index-test.h"
#include <string.h>

enum { WORDS = 70 * 1000 };

/* Identifiers, whose parts are terms too, and words of one to four letters that recur. */
static Document *large_document(const char *first)
{
	g_autoptr(GString) text = g_string_new(first);
	Document *doc = document_new(NULL);
	doc->mime = g_strdup("text/x-csrc");
	for (unsigned i = 0; i < WORDS; i++) {
		g_string_append_printf(text, " readPart%xOf%u a%u", i, i % 100, i % 1000);
		if (i % 10000 == 0)
			g_string_append(text, " \xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e ");
	}
	document_add_text(doc, TAG_HEADING1, DOC_RUN_BLOCK, "head readPart7Of7", 17);
	document_add_text(doc, TAG_BODY, DOC_RUN_BLOCK, text->str, text->len);
	document_add_text(doc, TAG_NOISE, DOC_RUN_BLOCK, "menu a7", 7);
	document_add_fact(doc, FIELD_TITLE, "The a9 title", 12);
	return doc;
}

static Entry large_file(Fixture *f, unsigned n)
{
	g_autofree char *name = g_strdup_printf("large%u", n);
	Entry root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5));
	return put(f, root.node, name, stat_of(f, 10 + n, ENTRY_FILE, 1, 1));
}

static int64_t begin(Fixture *f, uint8_t n)
{
	uint8_t checksum[CHECKSUM_BYTES] = {n};
	int64_t content;
	OK(writer_begin_content(f->w, checksum, 5, &content, error));
	return content;
}

static void end(Fixture *f, int64_t inode, int64_t content)
{
	const ContentEnd stored = {.mime = "text/x-csrc", .extractor = "text", .version = 1};
	OK(writer_end_content(f->w, content, &stored, error));
	OK(writer_link(f->w, inode, content, error));
	commit(f);
}

/* Returns whether the document is done. */
static bool add_piece(Fixture *f, int64_t content, const Document *doc)
{
	bool done;
	OK(writer_add_piece(f->w, content, doc, true, &done, error));
	return done;
}

static void add_pieces(Fixture *f, int64_t content, const Document *doc)
{
	unsigned pieces = 1;
	for (; !add_piece(f, content, doc); pieces++)
		commit(f);
	g_assert_cmpuint(pieces, >, 10);
}

static int64_t value(const Fixture *f, const char *sql)
{
	sqlite3_stmt *row;
	g_assert_cmpint(sqlite3_prepare_v2(f->w->db, sql, -1, &row, NULL), ==, SQLITE_OK);
	g_assert_cmpint(sqlite3_step(row), ==, SQLITE_ROW);
	int64_t result = sqlite3_column_int64(row, 0);
	sqlite3_finalize(row);
	return result;
}

static void vocabulary(const Fixture *f)
{
	OK(db_exec(f->w->db,
	        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.large_terms USING fts5vocab(main, text, "
	        "instance)",
	        error));
}

/* Counts the places of terms that the one document has and the other one lacks. */
static int64_t lacking(const Fixture *f, int64_t one, int64_t other)
{
	g_autofree char *sql = g_strdup_printf(
	        "SELECT count(*) FROM (SELECT term, col, offset FROM temp.large_terms "
	        "WHERE doc = %" G_GINT64_FORMAT " AND term <> char(29) EXCEPT "
	        "SELECT term, col, offset FROM temp.large_terms WHERE doc = %" G_GINT64_FORMAT ")",
	        one, other);
	return value(f, sql);
}

static void assert_sound(const Fixture *f)
{
	OK(db_exec(f->w->db, "INSERT INTO text(text) VALUES('integrity-check')", error));
}

/* Document 1 is added in pieces, 2 at once. */
static void add_both(Fixture *f, const Document *doc)
{
	Entry pieces = large_file(f, 1), whole = large_file(f, 2);
	int64_t content = begin(f, 1);
	add_pieces(f, content, doc);
	end(f, pieces.inode, content);
	content = begin(f, 2);
	OK(writer_add_document(f->w, content, doc, true, error));
	end(f, whole.inode, content);
}

static void test_pieces_are_indexed_like_the_whole(Fixture *f, gconstpointer data)
{
	g_autoptr(Document) doc = large_document("first");
	add_both(f, doc);
	vocabulary(f);
	g_assert_cmpint(value(f, "SELECT count(*) FROM temp.large_terms WHERE doc = 2"), >, WORDS);
	g_assert_cmpint(lacking(f, 1, 2), ==, 0);
	g_assert_cmpint(lacking(f, 2, 1), ==, 0);
	g_assert_cmpint(matches(f, "\"a3 readpart4of4 a4\""), ==, 2);
	g_assert_cmpint(matches(f, "\"a3 readpart4of4 a5\""), ==, 0);
	g_assert_cmpint(value(f, "SELECT count(DISTINCT words) FROM document"), ==, 1);
	g_assert_cmpint(value(f, "SELECT count(DISTINCT text_checksum) FROM fact"), ==, 1);
	g_assert_cmpint(value(f, "SELECT count(DISTINCT bits) FROM fingerprint"), ==, 1);
	g_assert_cmpint(value(f, "SELECT count(DISTINCT sz) FROM text_docsize"), ==, 1);
	assert_sound(f);
	assert_totals(f);
}

static void test_pieces_are_merged_and_purged(Fixture *f, gconstpointer data)
{
	g_autoptr(Document) doc = large_document("first");
	bool more = true;
	add_both(f, doc);
	OK(db_exec(f->w->db, "INSERT INTO text(text) VALUES('optimize')", error));
	vocabulary(f);
	g_assert_cmpint(lacking(f, 1, 2), ==, 0);
	g_assert_cmpint(lacking(f, 2, 1), ==, 0);

	Entry root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5)), file;
	g_assert_cmpint(writer_lookup(f->w, root.node, "large1", &file, NULL), ==, 1);
	OK(writer_remove(f->w, file.node, error));
	while (more)
		OK(writer_purge_step(f->w, true, &more, error));
	g_assert_cmpint(value(f, "SELECT count(*) FROM temp.large_terms WHERE doc = 1"), ==, 0);
	assert_sound(f);
	assert_totals(f);
}

/* Is the last print of the content that of the document, as computed by itself? */
static void assert_print(Fixture *f, int64_t content, const Document *doc)
{
	uint8_t known[NEAR_PRINT_BYTES], expected[NEAR_PRINT_BYTES];
	const Fingerprint *print = writer_last_print(f->w, content);
	Fingerprint own;
	fingerprint_document(doc, NULL, &own);
	g_assert_true(print->has_near && own.has_near);
	near_pack(&print->near, known);
	near_pack(&own.near, expected);
	g_assert_cmpmem(known, sizeof known, expected, sizeof expected);
}

static void test_others_are_added_between_the_pieces(Fixture *f, gconstpointer data)
{
	g_autoptr(Document) one = large_document("one"), two = large_document("two");
	Entry first = large_file(f, 1), second = large_file(f, 2), small = large_file(f, 3);
	int64_t content_of_one = begin(f, 1), content_of_two = begin(f, 2);
	bool one_done = false, two_done = false;
	for (unsigned i = 0; !one_done || !two_done; i++) {
		one_done = one_done || add_piece(f, content_of_one, one);
		two_done = two_done || add_piece(f, content_of_two, two);
		if (i == 12)
			convert(f, small.inode, "saved meanwhile");
		commit(f);
		g_assert_cmpint(matches(f, "readpart4of4"), ==, 0); /* nobody sees a part */
		g_assert_cmpint(matches(f, "meanwhile"), ==, i >= 12);
	}
	assert_print(f, content_of_one, one);
	assert_print(f, content_of_two, two);
	end(f, first.inode, content_of_one);
	end(f, second.inode, content_of_two);
	g_assert_cmpint(matches(f, "one AND readpart4of4"), ==, 1);
	g_assert_cmpint(matches(f, "two AND readpart4of4"), ==, 1);
	g_assert_cmpint(matches(f, "readpart4of4"), ==, 2);
	assert_totals(f);
}

static void test_pieces_end_with_the_content_or_the_process(Fixture *f, gconstpointer data)
{
	g_autoptr(Document) doc = large_document("first");
	Entry file = large_file(f, 1);
	bool more = true;
	int64_t content = begin(f, 1);
	for (int i = 0; i < 12; i++)
		add_piece(f, content, doc);
	OK(writer_abandon_content(f->w, content, error));
	commit(f);
	content = begin(f, 1);
	for (int i = 0; i < 12; i++) {
		add_piece(f, content, doc);
		commit(f);
	}
	fixture_reopen(f);
	g_assert_cmpint(value(f, "SELECT count(*) FROM document"), ==, 0);
	g_assert_cmpint(value(f, "SELECT count(*) FROM text_docsize"), ==, 2);
	assert_totals(f);
	while (more)
		OK(writer_purge_step(f->w, true, &more, error));
	vocabulary(f);
	g_assert_cmpint(value(f, "SELECT count(*) FROM temp.large_terms"), ==, 0);
	assert_sound(f);
	content = begin(f, 1);
	add_pieces(f, content, doc);
	end(f, file.inode, content);
	g_assert_cmpint(matches(f, "readpart4of4"), ==, 1);
	assert_totals(f);
}

static void test_the_cached_text_is_whole(Fixture *f, gconstpointer data)
{
	g_autoptr(Document) doc = large_document("first");
	add_both(f, doc);
	for (int64_t id = 1; id <= 2; id++) {
		g_autoptr(Document) cached = textcache_get(f->w->cache, id);
		g_assert_nonnull(cached);
		g_assert_cmpstr(cached->text->str, ==, doc->text->str);
	}
}

static Document *member_of(unsigned n, unsigned words)
{
	g_autofree char *name = g_strdup_printf("member%u.txt", n);
	g_autoptr(GString) text = g_string_new("common ");
	Document *doc = document_new(name);
	for (unsigned i = 0; i < words; i++)
		g_string_append_printf(text, "m%ux%x ", n, i);
	document_add_text(doc, TAG_BODY, DOC_RUN_BLOCK, text->str, text->len);
	return doc;
}

/* Uses up the words of a container, without writing them. */
static void exhaust(TermBudget *budget)
{
	enum { MEMBER_WORDS = 190 * 1000, MEMBERS = 15 };
	Terms terms;
	Fingerprint print;
	terms_init(&terms);
	terms.budget = budget;
	for (unsigned n = 100; n < 100 + MEMBERS; n++) {
		g_autoptr(Document) doc = member_of(n, MEMBER_WORDS);
		terms_of_document(&terms, doc, NULL, &print);
		g_assert_cmpuint(terms.left_out > 0, ==, n > 110);
	}
	terms_clear(&terms);
}

static void test_a_container_has_a_limit_of_words(Fixture *f, gconstpointer data)
{
	Entry file = large_file(f, 1);
	int64_t content = begin(f, 1);
	OpenContent *open = content_get_open(f->w, content, NULL);
	g_autoptr(Document) first = member_of(0, 1200 * 1000), known = member_of(1, 10);
	g_autoptr(Document) again = member_of(1, 10), late = member_of(2, 100);
	OK(writer_add_document(f->w, content, first, false, error));
	g_assert_null(open->budget); /* a container with so few words needs none */
	OK(writer_add_document(f->w, content, known, false, error));
	exhaust(open->budget);
	OK(writer_add_document(f->w, content, again, false, error));
	OK(writer_add_document(f->w, content, late, false, error));
	end(f, file.inode, content);
	g_autofree char *cut = g_strdup_printf(
	        "SELECT document FROM fact WHERE document > 1 AND truncated AND reason = %d",
	        REASON_LIMIT_WORDS);
	g_assert_cmpint(ask(f, cut), ==, 4);
	g_assert_cmpint(ask(f, "SELECT sum(truncated) FROM fact WHERE document > 1"), ==, 1);
	g_assert_cmpint(matches(f, "m1x7"), ==, 2);
	unsigned found = 0; /* of words that were new after the limit; the hash takes one in eight
	                       for a known one */
	for (unsigned i = 0; i < 100; i++) {
		g_autofree char *word = g_strdup_printf("m2x%x", i);
		found += matches(f, word);
	}
	g_assert_cmpuint(found, <, 50);
	g_assert_cmpint(matches(f, "common"), ==, 4);
	g_assert_cmpint(matches(f, "member:member2"), ==, 1);
	assert_totals(f);
}

static void test_the_limit_of_words_begins_anew(Fixture *f, gconstpointer data)
{
	for (unsigned n = 0; n < 2; n++) {
		Entry file = large_file(f, n);
		int64_t content = begin(f, 1 + n);
		for (unsigned k = 0; k < 2; k++) {
			g_autoptr(Document) doc = member_of(2 * n + k, 100);
			OK(writer_add_document(f->w, content, doc, false, error));
		}
		end(f, file.inode, content);
	}
	g_assert_cmpint(ask(f, "SELECT count(*) FROM fact WHERE truncated"), ==, 0);
	g_assert_cmpint(matches(f, "m3x63"), ==, 1);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	CHECKED_TEST("/index/large/like-the-whole", test_pieces_are_indexed_like_the_whole);
	CHECKED_TEST("/index/large/merged-and-purged", test_pieces_are_merged_and_purged);
	CHECKED_TEST("/index/large/others-between", test_others_are_added_between_the_pieces);
	CHECKED_TEST("/index/large/ended", test_pieces_end_with_the_content_or_the_process);
	CHECKED_TEST("/index/large/cached-text", test_the_cached_text_is_whole);
	CHECKED_TEST("/index/large/container", test_a_container_has_a_limit_of_words);
	CHECKED_TEST("/index/large/next-container", test_the_limit_of_words_begins_anew);
	return g_test_run();
}
