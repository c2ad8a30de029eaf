/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/write/writer-private.h"
#include "index/store/db-exec.h"
#include "tests/index/index-test.h"
#include <string.h>

enum { FILES = 300 };

static Document *nth_document(unsigned n)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autofree char *title = g_strdup_printf("Title number%u of %u", n, n % 7);
	Document *doc = document_new(NULL);
	for (unsigned i = 0; i < 50 + n % 100; i++)
		g_string_append_printf(text, "w%u ", (n * 31 + i * i) % 4000);
	document_add_text(doc, TAG_HEADING1, DOC_RUN_BLOCK, "head head again", 15);
	document_add_text(doc, TAG_BODY, DOC_RUN_BLOCK, text->str, text->len);
	document_add_fact(doc, FIELD_TITLE, title, strlen(title));
	return doc;
}

static int64_t add_nth(Fixture *f, int64_t inode, unsigned n)
{
	const ContentEnd end = {.mime = "text/plain", .extractor = "text", .version = 1};
	uint8_t checksum[CHECKSUM_BYTES] = {n, n >> 8};
	g_autoptr(Document) doc = nth_document(n);
	int64_t content;
	OK(writer_begin_content(f->w, checksum, 5, &content, error));
	OK(writer_add_document(f->w, content, doc, false, error));
	OK(writer_end_content(f->w, content, &end, error));
	OK(writer_link(f->w, inode, content, error));
	return content;
}

/* data: not NULL where the purge must not know the format of the text index */
static void fill(Fixture *f, gconstpointer data)
{
	f->w->sweep_refused = data != NULL;
	Entry root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5));
	for (unsigned i = 0; i < FILES; i++) {
		g_autofree char *name = g_strdup_printf("file%u", i);
		Entry file = put(f, root.node, name, stat_of(f, 10 + i, ENTRY_FILE, 1, 1));
		add_nth(f, file.inode, i);
		if (i % 100 == 99)
			commit(f);
	}
	commit(f);
}

static void remove_some(Fixture *f)
{
	Entry root, file;
	g_assert_cmpint(writer_lookup(f->w, 0, "/r", &root, NULL), ==, 1);
	for (unsigned i = 0; i < FILES; i++) {
		g_autofree char *name = g_strdup_printf("file%u", i);
		if (i % 3 == 0)
			continue;
		g_assert_cmpint(writer_lookup(f->w, root.node, name, &file, NULL), ==, 1);
		OK(writer_remove(f->w, file.node, error));
	}
	commit(f);
}

static unsigned purge(Fixture *f, bool always)
{
	bool more = true;
	unsigned steps = 0;
	while (more) {
		OK(writer_purge_step(f->w, always, &more, error));
		steps++;
		g_assert_cmpuint(steps, <, 1000);
	}
	return steps;
}

static void merge(Fixture *f)
{
	bool more = true;
	for (unsigned steps = 0; more; steps++) {
		OK(writer_merge_step(f->w, &more, error));
		g_assert_cmpuint(steps, <, 1000);
	}
}

static int64_t raw(const Fixture *f, const char *sql)
{
	sqlite3_stmt *row;
	g_assert_cmpint(sqlite3_prepare_v2(f->w->db, sql, -1, &row, NULL), ==, SQLITE_OK);
	g_assert_cmpint(sqlite3_step(row), ==, SQLITE_ROW);
	int64_t value = sqlite3_column_int64(row, 0);
	sqlite3_finalize(row);
	return value;
}

static uint64_t varint(const uint8_t **at)
{
	uint64_t value = 0;
	do
		value = value << 7 | (**at & 0x7f);
	while (*(*at)++ & 0x80);
	return value;
}

static void add_varints(sqlite3_stmt *row, uint64_t sums[N_COLUMNS])
{
	const uint8_t *at = sqlite3_column_blob(row, 0);
	for (int i = 0; i < N_COLUMNS; i++)
		sums[i] += varint(&at);
}

/* FTS5's record of averages (row 1 of its data) equals the sums of the existing rows. */
static void assert_averages(const Fixture *f)
{
	uint64_t sums[N_COLUMNS] = {0}, rows = 0;
	sqlite3_stmt *row;
	sqlite3_prepare_v2(f->w->db, "SELECT sz FROM text_docsize", -1, &row, NULL);
	while (sqlite3_step(row) == SQLITE_ROW) {
		add_varints(row, sums);
		rows++;
	}
	sqlite3_finalize(row);
	sqlite3_prepare_v2(f->w->db, "SELECT block FROM text_data WHERE id = 1", -1, &row, NULL);
	g_assert_cmpint(sqlite3_step(row), ==, SQLITE_ROW);
	const uint8_t *at = sqlite3_column_blob(row, 0);
	g_assert_cmpuint(varint(&at), ==, rows);
	for (int i = 0; i < N_COLUMNS; i++)
		g_assert_cmpuint(varint(&at), ==, sums[i]);
	sqlite3_finalize(row);
}

/* Returns a hash of the text index: term, row, column, position. */
static uint32_t index_hash(const Fixture *f)
{
	uint32_t hash = 0;
	sqlite3_stmt *row;
	g_assert_true(db_exec(f->w->db,
	        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.test_terms USING fts5vocab(main, text, "
	        "instance)",
	        NULL));
	sqlite3_prepare_v2(f->w->db,
	        "SELECT term || '|' || doc || '|' || col || '|' || offset FROM temp.test_terms "
	        "WHERE doc IN (SELECT id FROM document)",
	        -1, &row, NULL);
	while (sqlite3_step(row) == SQLITE_ROW)
		hash = hash * 31 + g_str_hash(sqlite3_column_text(row, 0));
	sqlite3_finalize(row);
	g_assert_true(db_exec(f->w->db, "DROP TABLE temp.test_terms", NULL));
	return hash;
}

static int64_t dead_postings(const Fixture *f)
{
	g_assert_true(db_exec(f->w->db,
	        "CREATE VIRTUAL TABLE temp.all_terms USING fts5vocab(main, text, instance)", NULL));
	int64_t n = raw(f, "SELECT count(*) FROM temp.all_terms WHERE doc NOT IN (SELECT id FROM "
	                   "document)");
	g_assert_true(db_exec(f->w->db, "DROP TABLE temp.all_terms", NULL));
	return n;
}

static void test_purge(Fixture *f, gconstpointer data)
{
	fill(f, data);
	g_assert_cmpuint(purge(f, true), ==, 1); /* nothing to do */
	remove_some(f);
	uint32_t before = index_hash(f);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM text_docsize"), ==, FILES);

	g_assert_cmpuint(purge(f, false), >, 2);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM text_docsize"), ==, FILES / 3);
	g_assert_cmpint(ask(f, "SELECT value FROM meta WHERE key = 'text_rows'"), ==, FILES / 3);
	g_assert_cmpint(ask(f, "SELECT value FROM meta WHERE key = 'live_rows'"), ==, FILES / 3);
	g_assert_cmpint(dead_postings(f), ==, 0);
	g_assert_cmpuint(index_hash(f), ==, before);
	assert_averages(f);
	OK(db_exec(f->w->db, "INSERT INTO text(text) VALUES('integrity-check')", error));
	merge(f);
	g_assert_cmpuint(index_hash(f), ==, before);
	assert_averages(f);
	g_assert_cmpint(matches(f, "number3"), ==, 1);
	g_assert_cmpint(matches(f, "number4"), ==, 0);
}

/* A few tombstones are not worth a walk over the whole vocabulary. */
static void test_few_tombstones(Fixture *f, gconstpointer data)
{
	Entry root, file;
	fill(f, data);
	g_assert_cmpint(writer_lookup(f->w, 0, "/r", &root, NULL), ==, 1);
	g_assert_cmpint(writer_lookup(f->w, root.node, "file7", &file, NULL), ==, 1);
	OK(writer_remove(f->w, file.node, error));
	commit(f);
	g_assert_cmpuint(purge(f, false), ==, 1);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM text_docsize"), ==, FILES);
	purge(f, true);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM text_docsize"), ==, FILES - 1);
	assert_averages(f);
}

/* Changes come between the slices: new documents and deleted ones. */
static void test_changes_meanwhile(Fixture *f, gconstpointer data)
{
	Entry root, file;
	bool more = true;
	fill(f, data);
	remove_some(f);
	g_assert_cmpint(writer_lookup(f->w, 0, "/r", &root, NULL), ==, 1);
	for (unsigned i = 0; more; i++) {
		g_autofree char *name = g_strdup_printf("new%u", i);
		OK(writer_purge_step(f->w, true, &more, error));
		file = put(f, root.node, name, stat_of(f, 5000 + i, ENTRY_FILE, 1, 1));
		add_nth(f, file.inode, 1000 + i);
		if (i < 4) {
			g_autofree char *old = g_strdup_printf("file%u", i * 3);
			g_assert_cmpint(writer_lookup(f->w, root.node, old, &file, NULL), ==, 1);
			OK(writer_remove(f->w, file.node, error));
		}
	}
	commit(f);
	purge(f, true);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM text_docsize"), ==,
	        ask(f, "SELECT count(*) FROM document"));
	g_assert_cmpint(matches(f, "number1001"), ==, 1);
	assert_averages(f);
}

static int interrupt(void *data)
{
	return data == NULL;
}

/* A step fails, as for want of room on the disk: the purge is not over. */
static void test_failed_step(Fixture *f, gconstpointer data)
{
	bool more = true;
	fill(f, data);
	remove_some(f);
	for (unsigned i = 0; i < 2; i++)
		OK(writer_purge_step(f->w, true, &more, error));
	g_assert_true(more);
	sqlite3_progress_handler(f->w->db, 1, interrupt, NULL);
	g_assert_false(writer_purge_step(f->w, true, &more, NULL));
	sqlite3_progress_handler(f->w->db, 0, NULL, NULL);
	writer_rollback(f->w);
	purge(f, true);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM text_docsize"), ==,
	        ask(f, "SELECT count(*) FROM document"));
	assert_averages(f);
}

static void test_abandoned(Fixture *f, gconstpointer data)
{
	const ContentEnd end = {.mime = "text/plain", .extractor = "text", .version = 1};
	uint8_t checksum[CHECKSUM_BYTES] = {1};
	g_autoptr(Document) doc = nth_document(1);
	int64_t content;
	OK(writer_begin_content(f->w, checksum, 5, &content, error));
	OK(writer_add_document(f->w, content, doc, false, error));
	OK(writer_end_content(f->w, content, &end, error));
	commit(f);
	checksum[0] = 2;
	OK(writer_begin_content(f->w, checksum, 5, &content, error)); /* it is not finished, so it
	                                                                 stays */
	purge(f, true);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM content"), ==, 1);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM text_docsize"), ==, 0);
	OK(writer_end_content(f->w, content, &end, error));
}

/* The writer has lost what it was writing. */
static void test_unfinished(Fixture *f, gconstpointer data)
{
	const ContentEnd end = {.mime = "text/plain", .extractor = "text", .version = 1};
	uint8_t checksum[CHECKSUM_BYTES] = {1};
	g_autoptr(Document) doc = nth_document(1);
	int64_t content;
	OK(writer_begin_content(f->w, checksum, 5, &content, error));
	OK(writer_add_document(f->w, content, doc, false, error));
	commit(f);
	g_array_set_size(f->w->open_contents, 0);
	checksum[0] = 2;
	OK(writer_begin_content(f->w, checksum, 5, &content, error));
	OK(writer_add_document(f->w, content, doc, false, error));
	commit(f);
	purge(f, true);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM content"), ==, 1);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM document"), ==, 1);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM text_docsize"), ==, 1);
	OK(writer_end_content(f->w, content, &end, error));
}

static unsigned segments_of(const Fixture *f, const char *table)
{
	g_autofree char *sql = g_strdup_printf("SELECT count(DISTINCT segid) FROM %s_idx", table);
	return raw(f, sql);
}

static unsigned segments(const Fixture *f)
{
	return segments_of(f, "text");
}

static void test_merge(Fixture *f, gconstpointer data)
{
	bool more;
	fill(f, data);
	g_assert_cmpuint(segments(f), ==, 3);
	merge(f);
	g_assert_cmpuint(segments(f), ==, 1);

	/* a few new documents do not make the whole index be rewritten */
	Entry root, file;
	g_assert_cmpint(writer_lookup(f->w, 0, "/r", &root, NULL), ==, 1);
	file = put(f, root.node, "one", stat_of(f, 9000, ENTRY_FILE, 1, 1));
	add_nth(f, file.inode, 999);
	commit(f);
	OK(writer_merge_step(f->w, &more, error));
	g_assert_false(more);
	g_assert_cmpuint(segments(f), ==, 2);
}

/* Adds a file of new words and commits. */
static void commit_words(Fixture *f, int64_t root, unsigned n, unsigned words)
{
	const ContentEnd end = {.mime = "text/plain", .extractor = "text", .version = 1};
	const uint8_t checksum[CHECKSUM_BYTES] = {n, n >> 8, 7};
	g_autofree char *name = g_strdup_printf("words%u", n);
	g_autoptr(GString) text = g_string_new(NULL);
	g_autoptr(Document) doc = document_new(NULL);
	for (unsigned i = 0; i < words; i++)
		g_string_append_printf(text, "c%uword%x ", n, i);
	document_add_text(doc, TAG_BODY, DOC_RUN_BLOCK, text->str, text->len);
	Entry file = put(f, root, name, stat_of(f, 7000 + n, ENTRY_FILE, 1, 1));
	int64_t content;
	OK(writer_begin_content(f->w, checksum, 5, &content, error));
	OK(writer_add_document(f->w, content, doc, false, error));
	OK(writer_end_content(f->w, content, &end, error));
	OK(writer_link(f->w, file.inode, content, error));
	commit(f);
}

/* A commit writes its own segment only, however many there are: others wait for it. */
static void test_commits_do_not_merge(Fixture *f, gconstpointer data)
{
	enum { COMMITS = 14, WORDS = 12000 };
	Entry root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5));
	for (unsigned i = 0; i < COMMITS; i++)
		commit_words(f, root.node, i, WORDS);
	g_assert_cmpuint(segments(f), ==, COMMITS);
	g_assert_true(writer_merge_is_due(f->w));
	uint32_t before = index_hash(f);
	unsigned steps = 0;
	for (; writer_merge_is_due(f->w); steps++)
		OK(writer_merge_recent(f->w, error));
	g_assert_cmpuint(steps, >, 3);
	g_assert_cmpuint(segments(f), <, COMMITS / 2);
	g_assert_cmpuint(index_hash(f), ==, before);
}

/* One after the other costs little, and too many are never left to FTS5. */
static void test_many_small_commits_are_merged(Fixture *f, gconstpointer data)
{
	enum { COMMITS = 100, FEW = 10, MOST = 24 };
	Entry root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5));
	for (unsigned i = 0; i < COMMITS; i++) {
		commit_words(f, root.node, i, 5);
		g_assert_false(i < FEW && writer_merge_is_due(f->w));
		g_assert_cmpuint(segments(f), <, MOST);
		while (writer_merge_is_due(f->w))
			OK(writer_merge_recent(f->w, error));
	}
}

static void commit_names(Fixture *f, int64_t root, unsigned n, unsigned names)
{
	for (unsigned i = 0; i < names; i++) {
		g_autofree char *name = g_strdup_printf("some name %u of %u", i, n);
		put(f, root, name, stat_of(f, 10000 + n * names + i, ENTRY_FILE, 0, 1));
	}
	commit(f);
}

/* A commit of many names writes their segments only. */
static void test_commits_do_not_merge_names(Fixture *f, gconstpointer data)
{
	enum { COMMITS = 14, NAMES = 2100 };
	Entry root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5));
	for (unsigned i = 0; i < COMMITS; i++)
		commit_names(f, root.node, i, NAMES);
	g_assert_cmpuint(segments_of(f, "name"), ==, COMMITS);
	g_assert_cmpuint(segments_of(f, "gram"), ==, COMMITS);
	g_assert_true(writer_merge_is_due(f->w));
	while (writer_merge_is_due(f->w))
		OK(writer_merge_recent(f->w, error));
	g_assert_cmpuint(segments_of(f, "name"), <, COMMITS / 2);
	g_assert_cmpuint(segments_of(f, "gram"), <, COMMITS / 2);
	g_assert_cmpint(
	        ask(f, "SELECT count(*) FROM name WHERE name MATCH 'name'"), ==, COMMITS * NAMES);
	g_assert_cmpint(
	        ask(f, "SELECT count(*) FROM gram WHERE gram MATCH 'ame'"), ==, COMMITS * NAMES);
}

static void test_many_small_commits_of_names_are_merged(Fixture *f, gconstpointer data)
{
	enum { COMMITS = 100, MOST = 24 };
	Entry root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5));
	for (unsigned i = 0; i < COMMITS; i++) {
		commit_names(f, root.node, i, 3);
		g_assert_cmpuint(segments_of(f, "name"), <, MOST);
		while (writer_merge_is_due(f->w))
			OK(writer_merge_recent(f->w, error));
	}
}

static void test_checkpoint(Fixture *f, gconstpointer data)
{
	g_autofree char *wal = g_build_filename(f->dir, "index.db-wal", NULL);
	g_autofree char *text = NULL;
	gsize length;
	fill(f, data);
	OK(writer_checkpoint(f->w, error));
	g_assert_true(g_file_get_contents(wal, &text, &length, NULL));
	g_assert_cmpuint(length, ==, 0);
	/* the writer still works afterwards */
	remove_some(f);
	purge(f, true);
	g_assert_cmpint(matches(f, "number3"), ==, 1);
}

static void test_vacuum(Fixture *f, gconstpointer data)
{
	bool more = true;
	fill(f, data);
	OK(writer_remove(f->w, 1, error));
	purge(f, true);
	merge(f);
	int64_t pages = raw(f, "PRAGMA page_count");
	while (more)
		OK(writer_vacuum_step(f->w, true, &more, error));
	g_assert_cmpint(raw(f, "PRAGMA page_count"), <, pages * 3 / 4);
	g_assert_cmpint(raw(f, "PRAGMA freelist_count"), ==, 0);
}

/* The next saved file needs some of them. */
static void test_few_free_pages_stay(Fixture *f, gconstpointer data)
{
	bool more;
	fill(f, data);
	exec_raw(f, "CREATE TABLE page(bytes); INSERT INTO page VALUES(zeroblob(8000)); "
	            "DROP TABLE page");
	int64_t pages = raw(f, "PRAGMA freelist_count");
	g_assert_cmpint(pages, >, 0);
	OK(writer_vacuum_step(f->w, false, &more, error));
	g_assert_false(more);
	g_assert_cmpint(raw(f, "PRAGMA freelist_count"), ==, pages);
	exec_raw(f, "CREATE TABLE page(bytes); INSERT INTO page VALUES(zeroblob(8000000)); "
	            "DROP TABLE page");
	for (more = true; more;)
		OK(writer_vacuum_step(f->w, false, &more, error));
	g_assert_cmpint(raw(f, "PRAGMA freelist_count"), ==, 0);
}

static void test_a_long_log_is_told(Fixture *f, gconstpointer data)
{
	OK(writer_checkpoint(f->w, error));
	g_assert_false(writer_log_is_long(f->w));
	Entry root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5));
	for (unsigned i = 0; i < 1000 && !writer_log_is_long(f->w); i++) {
		g_autofree char *name = g_strdup_printf("a%u", i);
		put(f, root.node, name, stat_of(f, 10 + i, ENTRY_FILE, 10, 20));
		commit(f);
	}
	g_assert_true(writer_log_is_long(f->w));
	OK(writer_checkpoint(f->w, error));
	g_assert_false(writer_log_is_long(f->w));
}

static unsigned count_in_files(const Fixture *f, const char *word)
{
	static const char *const files[] = {
	        "index.db", "index.db-wal", "index.db-shm", "cache/text.db", "cache/text.db-wal"};
	unsigned n = 0;
	for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
		g_autofree char *path = g_build_filename(f->dir, files[i], NULL);
		g_autofree char *bytes = NULL;
		gsize length;
		if (!g_file_get_contents(path, &bytes, &length, NULL))
			continue;
		for (char *at = bytes; (at = memmem(at, bytes + length - at, word, strlen(word)));
		        at++)
			n++;
	}
	return n;
}

/* The words are so long that the index does not split them between terms with a common prefix. */
static void test_scrub(Fixture *f, gconstpointer data)
{
	bool more = true;
	fill(f, data);
	Entry secret = put(f, 1, "zzcanaryname", stat_of(f, 9000, ENTRY_FILE, 1, 1));
	convert(f, secret.inode, "zzcanarytext");
	commit(f);
	g_assert_cmpuint(count_in_files(f, "canaryname"), >, 0);
	g_assert_cmpuint(count_in_files(f, "canarytext"), >, 0);
	OK(writer_remove(f->w, secret.node, error));
	purge(f, true);
	merge(f);
	while (more)
		OK(writer_vacuum_step(f->w, true, &more, error));
	OK(writer_checkpoint(f->w, error));
	g_assert_cmpuint(count_in_files(f, "canaryname"), ==, 0);
	g_assert_cmpuint(count_in_files(f, "canarytext"), ==, 0);
	g_assert_cmpint(matches(f, "number3"), ==, 1);
}

/* ---- tombstones of so many terms that they are deleted in parts */

/* Words of a skewed frequency, in the text, in the title and as noise. */
static Document *large_random(GRand *random)
{
	static const DocTag tags[] = {TAG_BODY, TAG_HEADING1, TAG_NOISE};
	Document *doc = document_new(NULL);
	doc->mime = g_strdup(g_rand_boolean(random) ? "text/x-csrc" : "text/plain");
	for (unsigned part = 0; part < G_N_ELEMENTS(tags); part++) {
		g_autoptr(GString) text = g_string_new(NULL);
		unsigned words =
		        g_rand_int_range(random, 0, 2) * g_rand_int_range(random, 1, 60000);
		for (unsigned i = 0; i < words; i++) {
			unsigned n = g_rand_int(random) >> g_rand_int_range(random, 0, 30);
			g_string_append_printf(text, "part%xOf%u ", n, n % 10);
		}
		document_add_text(doc, tags[part], DOC_RUN_BLOCK, text->str, text->len);
	}
	document_add_fact(doc, FIELD_TITLE, "Title of a large text", 21);
	return doc;
}

/* Some are added in pieces, and some of these not to their end. */
static void add_large(Fixture *f, GRand *random, unsigned n)
{
	const ContentEnd end = {.mime = "text/plain", .extractor = "text", .version = 1};
	const uint8_t checksum[CHECKSUM_BYTES] = {n, 0, 9};
	g_autoptr(Document) doc = large_random(random);
	int pieces = g_rand_int_range(random, 0, 20);
	bool done = false;
	int64_t content;
	OK(writer_begin_content(f->w, checksum, 5, &content, error));
	for (int i = 0; i < pieces && !done; i++) {
		OK(writer_add_piece(f->w, content, doc, false, &done, error));
		commit(f);
	}
	if (pieces == 0)
		OK(writer_add_document(f->w, content, doc, false, error));
	if (pieces > 0 && !done)
		OK(writer_abandon_content(f->w, content, error));
	else
		OK(writer_end_content(f->w, content, &end, error));
	commit(f); /* without a file it is abandoned: the purge removes it */
}

/* Purges until there is no more, in steps; some fail, and at some the process ends. */
static void purge_with_faults(Fixture *f, GRand *random)
{
	unsigned steps = 0;
	for (bool more = true; more; steps++) {
		int fault = g_rand_int_range(random, 0, 12);
		if (fault == 0) {
			fixture_reopen(f);
			f->w->sweep_refused = true;
		} else if (fault == 1) {
			sqlite3_progress_handler(f->w->db, 100, interrupt, NULL);
			bool failed = !writer_purge_step(f->w, true, &more, NULL);
			sqlite3_progress_handler(f->w->db, 0, NULL, NULL);
			if (failed)
				writer_rollback(f->w);
		}
		OK(writer_purge_step(f->w, true, &more, error));
		assert_averages(f);
		g_assert_cmpuint(steps, <, 1000);
	}
}

static void test_large_tombstones(Fixture *f, gconstpointer data)
{
	enum { ROUNDS = 2, LARGE = 4 };
	g_autoptr(GRand) random = g_rand_new_with_seed(g_test_rand_int());
	fill(f, "");
	uint32_t before = index_hash(f);
	for (unsigned round = 0; round < ROUNDS; round++) {
		for (unsigned n = 0; n < LARGE; n++)
			add_large(f, random, n);
		purge_with_faults(f, random);
		g_assert_cmpint(ask(f, "SELECT count(*) FROM text_docsize"), ==, FILES);
		g_assert_cmpint(
		        ask(f, "SELECT value FROM meta WHERE key = 'text_rows'"), ==, FILES);
		g_assert_cmpint(dead_postings(f), ==, 0);
		g_assert_cmpuint(index_hash(f), ==, before);
		assert_averages(f);
		OK(db_exec(f->w->db, "INSERT INTO text(text) VALUES('integrity-check')", error));
	}
}

/* A tombstone as large as they come is deleted in as many steps as its terms need, each of which
 * writes little. */
static void test_a_huge_tombstone_is_sliced(Fixture *f, gconstpointer data)
{
	enum { WORDS = TERMS_MOST_DIFFERENT, PARTS = WORDS * 8 / (96 << 10) };
	f->w->sweep_refused = true;
	Entry root = put(f, 0, "/r", stat_of(f, 1, ENTRY_DIR, 0, 5));
	commit_words(f, root.node, 1, WORDS);
	merge(f);
	OK(writer_remove(f->w, root.node, error));
	commit(f);
	int64_t all = raw(f, "SELECT sum(length(block)) FROM text_data"), most = 0;
	bool more = true;
	unsigned steps = 0;
	for (; more; steps++) {
		int64_t last = raw(f, "SELECT max(id) FROM text_data");
		OK(writer_purge_step(f->w, true, &more, error));
		g_autofree char *sql = g_strdup_printf("SELECT ifnull(sum(length(block)), 0) FROM "
		                                       "text_data WHERE id > %" G_GINT64_FORMAT,
		        last);
		most = MAX(most, raw(f, sql));
	}
	g_assert_cmpuint(steps, >, PARTS);
	g_assert_cmpint(most, <, all / 5);
	g_assert_cmpint(ask(f, "SELECT count(*) FROM text_docsize"), ==, 0);
	g_assert_cmpint(dead_postings(f), ==, 0);
	assert_averages(f);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	FIXTURE_TEST("/index/purge/abandoned", test_abandoned);
	FIXTURE_TEST("/index/purge/unfinished", test_unfinished);
	FIXTURE_TEST("/index/purge/merge", test_merge);
	FIXTURE_TEST("/index/purge/commits-do-not-merge", test_commits_do_not_merge);
	FIXTURE_TEST("/index/purge/many-small-commits", test_many_small_commits_are_merged);
	FIXTURE_TEST("/index/purge/commits-do-not-merge-names", test_commits_do_not_merge_names);
	FIXTURE_TEST("/index/purge/many-small-commits-of-names",
	        test_many_small_commits_of_names_are_merged);
	FIXTURE_TEST("/index/purge/checkpoint", test_checkpoint);
	FIXTURE_TEST("/index/purge/vacuum", test_vacuum);
	FIXTURE_TEST("/index/purge/few-free-pages-stay", test_few_free_pages_stay);
	FIXTURE_TEST("/index/purge/a-long-log-is-told", test_a_long_log_is_told);
	FIXTURE_TEST("/index/purge/delete/large-tombstones", test_large_tombstones);
	FIXTURE_TEST("/index/purge/delete/huge-tombstone", test_a_huge_tombstone_is_sliced);
#define BOTH_WAYS(name, f)                                                                         \
	FIXTURE_TEST("/index/purge/sweep/" name, f);                                               \
	g_test_add("/index/purge/delete/" name, Fixture, "", fixture_up, f, fixture_down)
	BOTH_WAYS("purge", test_purge);
	BOTH_WAYS("few-dead", test_few_tombstones);
	BOTH_WAYS("changes-meanwhile", test_changes_meanwhile);
	BOTH_WAYS("failed-step", test_failed_step);
	BOTH_WAYS("scrub", test_scrub);
#undef BOTH_WAYS
	return g_test_run();
}
