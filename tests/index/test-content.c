/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test-content.c - contents are added, shared, replaced and abandoned */
#include <config.h>
#include "tests/index/index-test.h"
#include <string.h>

static void test_new_version(Fixture *f, gconstpointer data)
{
	Entry root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5));
	Entry file = put(f, root.node, "a", stat_of(f, 2, ENTRY_FILE, 10, 20));
	convert(f, file.inode, "alpha shared");
	commit(f);
	g_assert_cmpint(matches(f, "alpha"), ==, 1);
	convert(f, file.inode, "beta shared");
	commit(f);
	g_assert_cmpint(matches(f, "alpha"), ==, 0);
	g_assert_cmpint(matches(f, "shared"), ==, 1);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM content"), ==, 1);
	g_assert_cmpint(total(f, "text_rows") - total(f, "live_rows"), ==, 1);
	assert_totals(f);
}

static void test_exact_copies(Fixture *f, gconstpointer data)
{
	Entry root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5));
	Entry a = put(f, root.node, "a", stat_of(f, 2, ENTRY_FILE, 10, 20));
	Entry b = put(f, root.node, "b", stat_of(f, 3, ENTRY_FILE, 10, 20));
	int64_t content = convert(f, a.inode, "alpha"), found;
	uint8_t checksum[CHECKSUM_BYTES];

	checksum_of(ZERO_KEY, "alpha", 5, checksum);
	g_assert_cmpint(writer_find_content(f->w, checksum, &found, NULL), ==, 1);
	g_assert_cmpint(found, ==, content);
	OK(writer_link(f->w, b.inode, found, error));
	commit(f);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM text_docsize"), ==, 1);
	g_assert_cmpint(matches(f, "alpha"), ==, 2);
	OK(writer_remove(f->w, a.node, error));
	commit(f);
	g_assert_cmpint(matches(f, "alpha"), ==, 1);
	checksum_of(ZERO_KEY, "beta", 4, checksum);
	g_assert_cmpint(writer_find_content(f->w, checksum, &found, NULL), ==, 0);
	assert_totals(f);
}

static void test_requeue(Fixture *f, gconstpointer data)
{
	Entry root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5)), now;
	Entry a = put(f, root.node, "a", stat_of(f, 2, ENTRY_FILE, 5, 20));
	Entry b = put(f, root.node, "b", stat_of(f, 3, ENTRY_FILE, 5, 20));
	int64_t old = convert(f, a.inode, "alpha"), found;
	unsigned queued;
	uint8_t checksum[CHECKSUM_BYTES];

	OK(writer_link(f->w, b.inode, old, error));
	OK(writer_requeue_outdated(f->w, "text", 1, &queued, error));
	g_assert_cmpuint(queued, ==, 0);
	OK(writer_requeue_outdated(f->w, "text", 2, &queued, error));
	g_assert_cmpuint(queued, ==, 2);
	OK(writer_requeue_outdated(f->w, "text", 2, &queued, error));
	g_assert_cmpuint(queued, ==, 0);
	checksum_of(ZERO_KEY, "alpha", 5, checksum);
	g_assert_cmpint(writer_find_content(f->w, checksum, &found, NULL), ==, 0);
	commit(f);
	g_assert_cmpint(matches(f, "alpha"), ==, 2);

	int64_t new = convert(f, a.inode, "alpha");
	g_assert_cmpint(new, !=, old);
	commit(f);
	g_assert_cmpint(matches(f, "alpha"), ==, 2);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM content"), ==, 1);
	g_assert_cmpint(writer_lookup(f->w, root.node, "b", &now, NULL), ==, 1);
	g_assert_cmpint(now.content, ==, new);
	g_assert_cmpint(now.state, ==, INODE_PENDING);
	g_assert_cmpint(writer_find_content(f->w, checksum, &found, NULL), ==, 1);
	assert_totals(f);
}

static void test_retry(Fixture *f, gconstpointer data)
{
	Entry root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5)), now;
	Entry bad = put(f, root.node, "bad", stat_of(f, 2, ENTRY_FILE, 5, 20));
	Entry good = put(f, root.node, "good", stat_of(f, 3, ENTRY_FILE, 5, 20));
	const ContentEnd end = {
	        "application/pdf", "pdf", "no xref", 1, STATE_FAILED, REASON_DAMAGED};
	const uint8_t checksum[CHECKSUM_BYTES] = {9};
	int64_t content;
	unsigned queued;

	convert(f, good.inode, "fine");
	OK(writer_begin_content(f->w, checksum, 5, &content, error));
	OK(writer_end_content(f->w, content, &end, error));
	OK(writer_link(f->w, bad.inode, content, error));
	g_assert_cmpint(writer_find_content(f->w, checksum, &content, NULL), ==, 1);
	OK(writer_retry(f->w, good.inode, &queued, error));
	g_assert_cmpuint(queued, ==, 0);
	OK(writer_retry(f->w, 0, &queued, error));
	g_assert_cmpuint(queued, ==, 1);
	g_assert_cmpint(writer_find_content(f->w, checksum, &content, NULL), ==, 0);
	g_assert_cmpint(writer_get(f->w, bad.node, &now, NULL), ==, 1);
	g_assert_cmpint(now.state, ==, INODE_PENDING);
	OK(writer_begin_content(f->w, checksum, 5, &content, error));
	OK(writer_end_content(f->w, content, &end, error));
	OK(writer_link(f->w, bad.inode, content, error));
	commit(f);
	g_assert_cmpint(ask(f, "SELECT tries FROM content WHERE state = 2"), ==, 2);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM content"), ==, 2);
	assert_totals(f);
}

static void test_unsupported(Fixture *f, gconstpointer data)
{
	Entry root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5));
	Entry file = put(f, root.node, "a", stat_of(f, 2, ENTRY_FILE, 5, 20));
	const ContentEnd end = {"image/x", NULL, NULL, 0, STATE_NOTHING, REASON_UNSUPPORTED};
	const uint8_t checksum[CHECKSUM_BYTES] = {9};
	int64_t content;
	unsigned queued;
	OK(writer_begin_content(f->w, checksum, 5, &content, error));
	OK(writer_end_content(f->w, content, &end, error));
	OK(writer_link(f->w, file.inode, content, error));
	OK(writer_requeue_unsupported(f->w, "image/y", &queued, error));
	g_assert_cmpuint(queued, ==, 0);
	OK(writer_requeue_unsupported(f->w, "image/x", &queued, error));
	g_assert_cmpuint(queued, ==, 1);
}

/* A file of unknown type, of 20 bytes. */
static void put_unknown(Fixture *f)
{
	Entry root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5));
	Entry file = put(f, root.node, "a", stat_of(f, 2, ENTRY_FILE, 20, 20));
	const ContentEnd end = {
	        "application/octet-stream", NULL, NULL, 0, STATE_NOTHING, REASON_UNSUPPORTED};
	const uint8_t checksum[CHECKSUM_BYTES] = {9};
	int64_t content;
	OK(writer_begin_content(f->w, checksum, 20, &content, error));
	OK(writer_end_content(f->w, content, &end, error));
	OK(writer_link(f->w, file.inode, content, error));
}

static void test_unknown(Fixture *f, gconstpointer data)
{
	static const struct {
		uint32_t version;
		int64_t bytes;
		unsigned queued;
	} steps[] = {{1, 19, 0}, {1, 20, 0}, {2, 20, 1}, {2, 20, 0}, {3, 20, 0}};
	unsigned queued;
	put_unknown(f);
	for (size_t i = 0; i < G_N_ELEMENTS(steps); i++) {
		OK(writer_requeue_unknown(f->w, steps[i].version, steps[i].bytes, &queued, error));
		g_assert_cmpuint(queued, ==, steps[i].queued);
	}
}

static void test_open_content(Fixture *f, gconstpointer data)
{
	g_autoptr(GError) why = NULL;
	g_autoptr(Document) doc = document_of("alpha");
	const ContentEnd end = {.mime = "application/zip", .extractor = "archive", .version = 1};
	const uint8_t checksum[CHECKSUM_BYTES] = {1};
	Entry root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5));
	Entry file = put(f, root.node, "a.zip", stat_of(f, 2, ENTRY_FILE, 5, 20));
	int64_t content, other;

	/* a commit before the end shows nothing, not even a document */
	OK(writer_begin_content(f->w, checksum, 5, &content, error));
	OK(writer_add_document(f->w, content, doc, false, error));
	commit(f);
	g_assert_cmpint(
	        ask(f, "SELECT count(*) FROM document d JOIN content c ON c.id = d.content"), ==,
	        0);
	OK(writer_add_document(f->w, content, doc, false, error));
	g_assert_false(writer_begin_content(f->w, checksum, 5, &other, &why));
	g_assert_error(why, INDEX_ERROR, INDEX_ERROR_BUSY);
	g_assert_cmpint(writer_find_content(f->w, checksum, &other, NULL), ==, 0);
	OK(writer_end_content(f->w, content, &end, error));
	OK(writer_link(f->w, file.inode, content, error));
	commit(f);
	g_assert_cmpint(matches(f, "alpha"), ==, 2);
	assert_totals(f);
}

static void test_abandon(Fixture *f, gconstpointer data)
{
	g_autoptr(Document) doc = document_of("beta");
	Entry root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5));
	Entry file = put(f, root.node, "a", stat_of(f, 2, ENTRY_FILE, 5, 20));
	int64_t known = convert(f, file.inode, "alpha"), content, found;
	uint8_t checksum[CHECKSUM_BYTES];

	/* if a new conversion of known bytes is abandoned, the old one is unchanged */
	checksum_of(ZERO_KEY, "alpha", 5, checksum);
	OK(writer_begin_content(f->w, checksum, 5, &content, error));
	OK(writer_add_document(f->w, content, doc, false, error));
	commit(f);
	OK(writer_abandon_content(f->w, content, error));
	commit(f);
	g_assert_cmpint(writer_find_content(f->w, checksum, &found, NULL), ==, 1);
	g_assert_cmpint(found, ==, known);
	g_assert_cmpint(matches(f, "alpha"), ==, 1);
	g_assert_cmpint(matches(f, "beta"), ==, 0);
	assert_totals(f);
}

static void test_restart_while_writing(Fixture *f, gconstpointer data)
{
	g_autoptr(Document) doc = document_of("beta");
	Entry root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5));
	Entry file = put(f, root.node, "a", stat_of(f, 2, ENTRY_FILE, 5, 20)), now;
	int64_t content;
	uint8_t checksum[CHECKSUM_BYTES];

	convert(f, file.inode, "alpha");
	checksum_of(ZERO_KEY, "alpha", 5, checksum);
	OK(writer_begin_content(f->w, checksum, 5, &content, error));
	OK(writer_add_document(f->w, content, doc, true, error));
	commit(f);
	OK(writer_add_document(f->w, content, doc, true, error));
	fixture_reopen(f);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM content"), ==, 1);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM document"), ==, 1);
	g_assert_cmpint(matches(f, "alpha"), ==, 1);
	/* the old content had no checksum meanwhile, so the file is read again */
	g_assert_cmpint(writer_lookup(f->w, root.node, "a", &now, NULL), ==, 1);
	g_assert_cmpint(now.state, ==, INODE_PENDING);
	assert_totals(f);
	convert(f, file.inode, "alpha");
	commit(f);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM content"), ==, 1);
	assert_totals(f);
}

static void test_columns(Fixture *f, gconstpointer data)
{
	g_autoptr(Document) doc = document_new("inner/Résumé.txt");
	const ContentEnd end = {.mime = "application/zip", .extractor = "archive", .version = 1};
	const uint8_t checksum[CHECKSUM_BYTES] = {1};
	Entry root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5));
	Entry file = put(f, root.node, "a.zip", stat_of(f, 2, ENTRY_FILE, 5, 20));
	int64_t content;
	static const struct {
		DocTag tag;
		unsigned flags;
		const char *text;
	} runs[] = {{TAG_HEADING1, DOC_RUN_BLOCK, "chapter one"},
	        {TAG_BODY, DOC_RUN_BLOCK, "plain wo"}, {TAG_EMPHASIS, 0, "rd inside"},
	        {TAG_BODY, DOC_RUN_BLOCK, "next"}, {TAG_LINK, 0, "anchor"},
	        {TAG_TABLE, DOC_RUN_BLOCK, "cell"}, {TAG_NOISE, DOC_RUN_BLOCK, "menu"}};
	for (size_t i = 0; i < G_N_ELEMENTS(runs); i++)
		document_add_text(
		        doc, runs[i].tag, runs[i].flags, runs[i].text, strlen(runs[i].text));
	document_add_fact(doc, FIELD_TITLE, "The Title", 9);
	document_add_fact(doc, FIELD_AUTHOR, "Ann", 3);
	document_add_fact(doc, FIELD_AUTHOR, "Bob", 3);
	document_add_fact(doc, FIELD_TO, "carl", 4);
	document_add_fact(doc, FIELD_CC, "dora", 4);
	document_add_fact(doc, FIELD_KEYWORD, "topic", 5);
	document_add_fact(doc, FIELD_COMMENT, "remark", 6);
	document_add_fact(doc, FIELD_DATE, "2026-03-01", 10);
	document_add_fact(doc, FIELD_PAGES, "12", 2);
	document_add_fact(doc, FIELD_LANGUAGE, "en", 2);
	OK(writer_begin_content(f->w, checksum, 5, &content, error));
	OK(writer_add_document(f->w, content, doc, false, error));
	OK(writer_end_content(f->w, content, &end, error));
	OK(writer_link(f->w, file.inode, content, error));
	commit(f);

	static const char *const hits[] = {"heading:chapter", "body:word", "body:\"word inside\"",
	        "body:nextanchor", "body:cell", "noise:menu", "title:title", "author:ann",
	        "author:bob", "recipient:carl", "cc:dora", "keyword:topic", "comment:remark",
	        "member:resume"};
	for (size_t i = 0; i < G_N_ELEMENTS(hits); i++) {
		g_test_message("%s", hits[i]);
		g_assert_cmpint(matches(f, hits[i]), ==, 1);
	}
	static const char *const misses[] = {
	        "body:chapter", "body:menu", "body:title", "12", "2026", "wo"};
	for (size_t i = 0; i < G_N_ELEMENTS(misses); i++) {
		g_test_message("%s", misses[i]);
		g_assert_cmpint(matches(f, misses[i]), ==, 0);
	}
	g_assert_cmpint(ask(f, "SELECT date FROM document"), ==, 1772323200);
	g_assert_cmpint(ask(f, "SELECT pages FROM fact"), ==, 12);
	g_assert_cmpint(ask(f, "SELECT author = 'Ann, Bob' AND lang = 'en' FROM fact"), ==, 1);
	g_assert_cmpint(ask(f, "SELECT words FROM document"), ==, 19);
	assert_totals(f);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	CHECKED_TEST("/index/content/new-version", test_new_version);
	CHECKED_TEST("/index/content/exact-copies", test_exact_copies);
	CHECKED_TEST("/index/content/requeue", test_requeue);
	CHECKED_TEST("/index/content/retry", test_retry);
	CHECKED_TEST("/index/content/unsupported", test_unsupported);
	CHECKED_TEST("/index/content/unknown", test_unknown);
	CHECKED_TEST("/index/content/open-content", test_open_content);
	CHECKED_TEST("/index/content/abandon", test_abandon);
	CHECKED_TEST("/index/content/restart-while-writing", test_restart_while_writing);
	CHECKED_TEST("/index/content/columns", test_columns);
	return g_test_run();
}
