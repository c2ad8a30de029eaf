/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests that a text of an older index, which lacks words with signs, gets the same terms at the
 * same positions as one that is indexed now. */
#include <config.h>
#include "index/write/writer-private.h"
#include "index/store/db-exec.h"
#include "tests/index/index-test.h"
#include <string.h>

enum { OLD = 1, NEW = 2 }; /* document ids */

static Document *text_with_signs(const char *first)
{
	Document *doc = document_new(NULL);
	g_autofree char *text = g_strconcat(first,
	        " learns C++ and C# by night, then C++17 at AT&T; the R & D of ASP.NET is next, "
	        "QuarterlyReport2023 too",
	        NULL);
	doc->mime = g_strdup("text/plain");
	document_add_text(doc, TAG_HEADING1, DOC_RUN_BLOCK, "From C to C++", 13);
	document_add_text(doc, TAG_BODY, DOC_RUN_BLOCK, text, strlen(text));
	document_add_fact(doc, FIELD_TITLE, "Notes on F#", 11);
	return doc;
}

static bool is_signed(const uint8_t *term, int length)
{
	for (int i = 0; i < length; i++)
		if (strchr("+#&.", term[i]))
			return true;
	return false;
}

/* Removes the terms that an older tokenizer did not yield. */
static void drop_signs(GByteArray *stream)
{
	for (guint at = 0; at < stream->len;) {
		int length = stream->data[at] & 0x7f;
		if (is_signed(stream->data + at + 1, length))
			g_byte_array_remove_range(stream, at, 1 + length);
		else
			at += 1 + length;
	}
}

static int64_t begin_of(Fixture *f, const char *name, uint8_t n, Entry *file_r)
{
	uint8_t checksum[CHECKSUM_BYTES] = {n};
	Entry root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5));
	int64_t content;
	*file_r = put(f, root.node, name, stat_of(f, 10 + n, ENTRY_FILE, 1, 1));
	OK(writer_begin_content(f->w, checksum, 5, &content, error));
	return content;
}

static void end_of(Fixture *f, int64_t content, const Entry *file)
{
	const ContentEnd stored = {.mime = "text/plain", .extractor = "text", .version = 1};
	OK(writer_end_content(f->w, content, &stored, error));
	OK(writer_link(f->w, file->inode, content, error));
	commit(f);
}

/* Adds the document as an older tokenizer did. */
static int64_t add_old(Fixture *f, const Document *doc, bool cache)
{
	Entry file;
	Terms terms;
	Fingerprint print;
	int64_t id, content = begin_of(f, "old", OLD, &file);
	terms_init(&terms);
	terms_of_document(&terms, doc, &f->w->text_key, &print);
	for (int i = 0; i < N_COLUMNS; i++)
		drop_signs(terms.columns[i]);
	OK(content_add_rows(f->w, content, doc, &terms, &print, &id, error));
	OK(content_write_text(f->w, TEXT_ADD, id, &terms, error));
	content_keep_text(f->w, id, doc, cache);
	terms_clear(&terms);
	end_of(f, content, &file);
	g_assert_cmpint(id, ==, OLD);
	exec_raw(f, "INSERT INTO meta VALUES('signs_last', 1), ('signs_done', 0)");
	return content;
}

static void add_new(Fixture *f, const Document *doc)
{
	Entry file;
	int64_t content = begin_of(f, "new", NEW, &file);
	OK(writer_add_document(f->w, content, doc, false, error));
	end_of(f, content, &file);
}

static int64_t value_of(const Fixture *f, const char *sql)
{
	sqlite3_stmt *row;
	OK(db_exec(f->w->db,
	        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.signs_terms USING fts5vocab(main, text, "
	        "instance)",
	        error));
	g_assert_cmpint(sqlite3_prepare_v2(f->w->db, sql, -1, &row, NULL), ==, SQLITE_OK);
	g_assert_cmpint(sqlite3_step(row), ==, SQLITE_ROW);
	int64_t result = sqlite3_column_int64(row, 0);
	sqlite3_finalize(row);
	return result;
}

/* Number of places of terms that one document has and the other one lacks. */
static int64_t differences(const Fixture *f, int one, int other)
{
	g_autofree char *sql = g_strdup_printf(
	        "SELECT count(*) FROM (SELECT term, col, offset FROM temp.signs_terms WHERE doc = "
	        "%d EXCEPT SELECT term, col, offset FROM temp.signs_terms WHERE doc = %d)",
	        one, other);
	return value_of(f, sql);
}

static void assert_same_terms(const Fixture *f)
{
	g_assert_cmpint(differences(f, OLD, NEW), ==, 0);
	g_assert_cmpint(differences(f, NEW, OLD), ==, 0);
	OK(db_exec(f->w->db, "INSERT INTO text(text) VALUES('integrity-check')", error));
	assert_totals(f);
}

static void assert_over(Fixture *f)
{
	int64_t content;
	g_assert_cmpint(writer_next_signs(f->w, 0, &content, NULL), ==, 0);
	commit(f);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM meta WHERE key LIKE 'signs%'"), ==, 0);
}

static void test_from_the_cache(Fixture *f, gconstpointer data)
{
	g_autoptr(Document) doc = text_with_signs("somebody");
	int64_t content, old = add_old(f, doc, true);
	int64_t after = 0;
	CachedSigns state;
	add_new(f, doc);
	g_assert_cmpint(differences(f, OLD, NEW), ==, 0);
	g_assert_cmpint(differences(f, NEW, OLD), ==, 8);
	g_assert_cmpint(matches(f, "\"c++\""), ==, 1);

	g_assert_cmpint(writer_next_signs(f->w, 0, &content, NULL), ==, 1);
	g_assert_cmpint(content, ==, old);
	OK(writer_add_cached_signs(f->w, content, &after, &state, error));
	g_assert_cmpint(state, ==, SIGNS_ALL);
	OK(writer_end_signs(f->w, content, false, error));
	commit(f);
	g_assert_cmpint(matches(f, "\"c++\""), ==, 2);
	g_assert_cmpint(matches(f, "\"learns c++ and\""), ==, 2);
	g_assert_cmpint(matches(f, "\"at&t t the r&d d\""), ==, 2);
	g_assert_cmpint(matches(f, "title: \"f#\""), ==, 2);
	assert_same_terms(f);
	assert_over(f);
}

static void test_by_conversion_and_twice(Fixture *f, gconstpointer data)
{
	g_autoptr(Document) doc = text_with_signs("somebody"), other = text_with_signs("nobody");
	int64_t content = add_old(f, doc, false);
	int64_t after = 0;
	CachedSigns state;
	bool fit;
	add_new(f, doc);
	OK(writer_add_cached_signs(f->w, content, &after, &state, error));
	g_assert_cmpint(state, ==, SIGNS_UNCACHED);
	OK(writer_add_signs(f->w, content, &(int64_t){0}, other, &fit, error));
	g_assert_false(fit); /* another text, of which nothing is added */
	OK(writer_add_signs(f->w, content, &(int64_t){OLD}, doc, &fit, error));
	g_assert_false(fit); /* the content has one document */
	g_assert_cmpint(differences(f, NEW, OLD), ==, 8);
	for (int i = 0; i < 2; i++) {
		OK(writer_add_signs(f->w, content, &(int64_t){0}, doc, &fit, error));
		g_assert_true(fit);
		commit(f);
		assert_same_terms(f);
	}
	OK(db_exec(f->w->db, "INSERT INTO text(text) VALUES('optimize')", error));
	assert_same_terms(f);
	OK(writer_end_signs(f->w, content, false, error));
	assert_over(f);
}

/* A checksum from before checksums had a key tells nothing. */
static void test_unkeyed_checksum(Fixture *f, gconstpointer data)
{
	g_autoptr(Document) doc = text_with_signs("somebody"), other = text_with_signs("nobody");
	int64_t content = add_old(f, doc, false);
	bool fit;
	exec_raw(f, "UPDATE fact SET text_checksum = x'0011223344556677'");
	add_new(f, doc);
	OK(writer_add_signs(f->w, content, &(int64_t){0}, other, &fit, error));
	g_assert_false(fit);
	OK(writer_add_signs(f->w, content, &(int64_t){0}, doc, &fit, error));
	g_assert_true(fit);
	commit(f);
	assert_same_terms(f);
}

/* The words of an old text are not new to the directory whose file was added last. */
static void test_old_words_do_not_count(Fixture *f, gconstpointer data)
{
	g_autoptr(Document) doc = text_with_signs("somebody"), other = document_of("others");
	int64_t content = add_old(f, doc, false);
	WordCount count = {0};
	bool fit;
	writer_count_words(f->w, &count);
	add_new(f, other);
	writer_count_words(f->w, NULL);
	g_assert_cmpuint(count.used, ==, 1);
	OK(writer_add_signs(f->w, content, &(int64_t){0}, doc, &fit, error));
	g_assert_true(fit);
	g_assert_cmpuint(count.used, ==, 1);
	commit(f);
}

static void test_another_text_is_queued(Fixture *f, gconstpointer data)
{
	g_autoptr(Document) doc = text_with_signs("somebody");
	int64_t content = add_old(f, doc, false);
	OK(writer_end_signs(f->w, content, true, error));
	commit(f);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM inode WHERE state = 1"), ==, 1);
	g_assert_cmpint(matches(f, "somebody"), ==, 1); /* the old text stays until then */
	assert_over(f);
}

static void test_purged_like_others(Fixture *f, gconstpointer data)
{
	g_autoptr(Document) doc = text_with_signs("somebody");
	int64_t content = add_old(f, doc, false);
	bool fit, more = true;
	add_new(f, doc);
	OK(writer_add_signs(f->w, content, &(int64_t){0}, doc, &fit, error));
	commit(f);
	Entry root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5)), file;
	g_assert_cmpint(writer_lookup(f->w, root.node, "old", &file, NULL), ==, 1);
	OK(writer_remove(f->w, file.node, error));
	while (more)
		OK(writer_purge_step(f->w, true, &more, error));
	g_assert_cmpint(value_of(f, "SELECT count(*) FROM temp.signs_terms WHERE doc = 1"), ==, 0);
	g_assert_cmpint(value_of(f, "SELECT count(*) FROM temp.signs_terms WHERE doc = 2"), >, 30);
	OK(db_exec(f->w->db, "INSERT INTO text(text) VALUES('integrity-check')", error));
	assert_totals(f);
}

/* The rest holds up no other content, and is found again until it is done. */
static void test_left_for_later(Fixture *f, gconstpointer data)
{
	g_autoptr(Document) doc = text_with_signs("somebody");
	int64_t next, content = add_old(f, doc, false);
	add_new(f, doc);
	exec_raw(f, "UPDATE meta SET value = 2 WHERE key = 'signs_last'");
	OK(writer_leave_signs(f->w, content, error));
	g_assert_cmpint(writer_next_signs(f->w, 0, &next, NULL), ==, 1);
	g_assert_cmpint(next, !=, content);
	OK(writer_end_signs(f->w, next, false, error));
	commit(f);
	g_assert_cmpint(writer_next_signs(f->w, 0, &next, NULL), ==, 1);
	g_assert_cmpint(next, ==, content);
	OK(writer_leave_signs(f->w, content, error));
	g_assert_cmpint(writer_next_signs(f->w, content, &next, NULL), ==, 0);
	commit(f);
	g_assert_cmpint(ask(f, "SELECT value FROM meta WHERE key = 'signs_done'"), ==, 2);
	OK(writer_end_signs(f->w, content, false, error));
	assert_over(f);
}

/* The texts of an archive are taken in portions. */
static void test_many_cached(Fixture *f, gconstpointer data)
{
	enum { MEMBERS = 40 };
	Entry file;
	g_autoptr(Document) doc = text_with_signs("somebody");
	int64_t after = 0, content = begin_of(f, "box", NEW, &file);
	CachedSigns state = SIGNS_CUT;
	unsigned calls = 0;
	for (int i = 0; i < MEMBERS; i++)
		OK(writer_add_document(f->w, content, doc, true, error));
	end_of(f, content, &file);
	for (; state == SIGNS_CUT; calls++)
		OK(writer_add_cached_signs(f->w, content, &after, &state, error));
	g_assert_cmpint(state, ==, SIGNS_ALL);
	g_assert_cmpint(after, ==, MEMBERS);
	g_assert_cmpuint(calls, ==, 3);
	commit(f);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	FIXTURE_TEST("/index/signs/texts-of-the-cache-get-them", test_from_the_cache);
	FIXTURE_TEST("/index/signs/converted-texts-get-them-once", test_by_conversion_and_twice);
	FIXTURE_TEST("/index/signs/an-unkeyed-checksum-does-not-count", test_unkeyed_checksum);
	FIXTURE_TEST("/index/signs/old-words-do-not-count", test_old_words_do_not_count);
	FIXTURE_TEST("/index/signs/another-text-is-queued", test_another_text_is_queued);
	FIXTURE_TEST("/index/signs/what-is-left-comes-later", test_left_for_later);
	FIXTURE_TEST("/index/signs/many-texts-are-taken-in-portions", test_many_cached);
	FIXTURE_TEST("/index/signs/a-purge-removes-them", test_purged_like_others);
	return g_test_run();
}
