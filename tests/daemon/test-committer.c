/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests daemon/engine/committer.h: when a commit is due or held back, and its expected cost. */
#include <config.h>
#include "daemon/engine/committer.h"
#include <signal.h>
#include <sys/resource.h>

enum { NOW_US = 1000 * 1000 };

typedef struct {
	Committer *committer;
	CommitFacts facts;
} Case;

static void setup(Case *c, const void *data)
{
	c->committer = committer_new();
	c->facts = (CommitFacts){.changes = 1};
}

static void teardown(Case *c, const void *data)
{
	committer_free(c->committer);
}

static int64_t pause_us(Case *c)
{
	committer_is_due(c->committer, &c->facts, NOW_US);
	return committer_due_us(c->committer, &c->facts) - NOW_US;
}

static void test_nothing_changed_nothing_is_due(Case *c, const void *data)
{
	c->facts.changes = 0;
	g_assert_false(committer_is_due(c->committer, &c->facts, NOW_US));
	g_assert_cmpint(committer_due_us(c->committer, &c->facts), ==, INT64_MAX);
}

static void test_a_change_alone_is_committed_at_once(Case *c, const void *data)
{
	g_assert_true(committer_is_due(c->committer, &c->facts, NOW_US));
}

static void test_the_pause_grows_with_the_work(Case *c, const void *data)
{
	c->facts.counts.converting = 1;
	int64_t few_us = pause_us(c);
	c->facts.counts.urgent = 20;
	int64_t some_us = pause_us(c);
	c->facts.counts.urgent = 200;
	int64_t many_us = pause_us(c);
	g_assert_cmpint(0, <, few_us);
	g_assert_cmpint(few_us, <, some_us);
	g_assert_cmpint(some_us, <, many_us);
	g_assert_cmpint(many_us, <=, G_USEC_PER_SEC);
}

static void test_a_full_transaction_is_due_at_once(Case *c, const void *data)
{
	c->facts.counts.converting = 1;
	c->facts.counts.text_bytes = 64 << 20;
	g_assert_false(committer_has_room(c->committer, c->facts.counts.text_bytes, false));
	g_assert_true(committer_is_due(c->committer, &c->facts, NOW_US));
}

static void test_names_are_committed_in_small_parts(Case *c, const void *data)
{
	c->facts.scanning = true;
	c->facts.changes = 1000;
	g_assert_cmpint(pause_us(c), >, 0);
	c->facts.changes = 3000;
	g_assert_true(committer_is_due(c->committer, &c->facts, NOW_US));
}

static void test_under_a_cpu_limit_transactions_are_smaller(Case *c, const void *data)
{
	g_assert_true(committer_has_room(c->committer, 4 << 20, false));
	g_assert_false(committer_has_room(c->committer, 4 << 20, true));
}

static void test_a_throttled_commit_waits(Case *c, const void *data)
{
	c->facts.limited = c->facts.throttled = true;
	g_assert_false(committer_is_due(c->committer, &c->facts, NOW_US));
	g_assert_true(committer_is_held_back(c->committer, &c->facts, NOW_US));
}

static void test_a_saved_file_does_not_wait_for_the_cpu_limit(Case *c, const void *data)
{
	c->facts.limited = c->facts.throttled = true;
	c->facts.counts.saved = 1;
	g_assert_true(committer_is_due(c->committer, &c->facts, NOW_US));
}

static void test_an_awaited_commit_does_not_wait_for_the_cpu_limit(Case *c, const void *data)
{
	c->facts.limited = c->facts.throttled = c->facts.awaited = true;
	g_assert_true(committer_is_due(c->committer, &c->facts, NOW_US));
}

/* Its result may need the room of a full transaction. */
static void test_a_file_in_work_does_not_wait_for_the_cpu_limit(Case *c, const void *data)
{
	c->facts.limited = c->facts.throttled = c->facts.urgent = true;
	g_assert_true(committer_is_due(c->committer, &c->facts, NOW_US));
}

static void test_costly_documents_fill_a_transaction(Case *c, const void *data)
{
	committer_note_work(c->committer, 1000);
	g_assert_true(committer_has_room(c->committer, 0, false));
	committer_note_work(c->committer, 100 * 1000);
	g_assert_false(committer_has_room(c->committer, 0, false));
	c->facts.counts.converting = 1;
	g_assert_true(committer_is_due(c->committer, &c->facts, NOW_US));
}

static void test_work_without_changes_fills_no_transaction(Case *c, const void *data)
{
	c->facts.changes = 0;
	committer_note_work(c->committer, 100 * 1000);
	g_assert_false(committer_is_due(c->committer, &c->facts, NOW_US));
	g_assert_true(committer_has_room(c->committer, 0, false));
}

static void test_work_of_a_millisecond_fills_no_transaction(Case *c, const void *data)
{
	for (unsigned i = 0; i < 1000; i++)
		committer_note_work(c->committer, 1);
	g_assert_true(committer_has_room(c->committer, 0, false));
}

static void test_text_that_others_committed_fills_no_transaction(Case *c, const void *data)
{
	c->facts.counts.text_bytes = 64 << 20;
	c->facts.changes = 0;
	g_assert_false(committer_has_room(c->committer, 64 << 20, false));
	committer_is_due(c->committer, &c->facts, NOW_US);
	g_assert_true(committer_has_room(c->committer, 64 << 20, false));
}

static void test_a_saved_file_among_few_others_is_committed_soon(Case *c, const void *data)
{
	c->facts.counts.backlog = true;
	int64_t others_us = pause_us(c);
	c->facts.counts.saved = 1;
	g_assert_cmpint(pause_us(c), <, others_us / 10);
	c->facts.counts.saved_in_work = 200;
	g_assert_cmpint(pause_us(c), ==, others_us);
}

/* Until it is called again, writing to any file fails. */
static void let_writing_fail(struct rlimit *usual)
{
	g_assert_cmpint(getrlimit(RLIMIT_FSIZE, usual), ==, 0);
	signal(SIGXFSZ, SIG_IGN);
	g_assert_cmpint(setrlimit(RLIMIT_FSIZE, &(struct rlimit){0, usual->rlim_max}), ==, 0);
}

static bool choose_bulk(Case *c, Writer *writer, bool much, GError **error)
{
	const WriterCounts much_to_do = {.files = 1000, .pending = 1000}, nothing = {.files = 1000};
	return committer_choose_bulk(
	        c->committer, writer, much ? &much_to_do : &nothing, !much, error);
}

/* The steps of the engine after the error, when writing is possible again. */
static void recover(Case *c, Writer *writer, const struct rlimit *usual)
{
	g_assert_cmpint(setrlimit(RLIMIT_FSIZE, usual), ==, 0);
	committer_forget(c->committer);
	writer_rollback(writer);
}

/* Otherwise nothing would be synced until the next start. */
static void test_bulk_mode_ends_after_it_failed_to(Case *c, const void *data)
{
	g_autofree char *dir = g_dir_make_tmp("tarsier-XXXXXX", NULL);
	g_autofree char *mark = g_build_filename(dir, "bulk", NULL);
	g_autofree char *cache = g_build_filename(dir, "cache", NULL);
	for (int failing_begin = 0; failing_begin < 2; failing_begin++) {
		g_autoptr(GError) error = NULL;
		struct rlimit usual;
		g_autoptr(Writer) writer = writer_open(dir, cache, &error);
		g_assert_no_error(error);
		g_assert_true(failing_begin || choose_bulk(c, writer, true, &error));
		let_writing_fail(&usual);
		g_assert_false(choose_bulk(c, writer, failing_begin, &error));
		recover(c, writer, &usual);
		g_clear_error(&error);
		g_assert_true(choose_bulk(c, writer, false, &error));
		g_assert_false(writer_is_bulk(writer));
		g_assert_false(committer_is_bulk(c->committer));
		g_assert_false(g_file_test(mark, G_FILE_TEST_EXISTS));
	}
}

static bool yields(Case *c, bool expected, int64_t now_us)
{
	int64_t until_us;
	return committer_yields(c->committer, &c->facts, expected, now_us, &until_us);
}

static void test_other_documents_wait_for_saved_files(Case *c, const void *data)
{
	committer_note_others(c->committer, NOW_US);
	g_assert_false(yields(c, false, NOW_US));
	g_assert_true(yields(c, true, NOW_US));
	c->facts.counts.saved = c->facts.counts.saved_single = 1;
	g_assert_true(yields(c, false, NOW_US));
	c->facts.counts.saved_in_work = 200;
	g_assert_false(yields(c, true, NOW_US));
}

static void test_other_documents_pass_a_long_stream(Case *c, const void *data)
{
	committer_note_others(c->committer, NOW_US);
	c->facts.counts.saved = 1;
	g_assert_false(yields(c, false, NOW_US));
}

static void save(Case *c, bool single)
{
	c->facts.counts.saved++;
	c->facts.counts.saved_single += single;
}

/* Commits changes that come every 5 ms as soon as they are due, as often as is said. Returns when
 * the last of them is committed. */
static int64_t commit_stream(Case *c, Writer *writer, unsigned times, bool single)
{
	int64_t now_us = NOW_US;
	for (unsigned i = 0; i < times; i++) {
		save(c, single);
		for (now_us += 5000; !committer_is_due(c->committer, &c->facts, now_us);)
			now_us += 5000;
		g_assert_true(committer_commit(c->committer, writer, &c->facts, now_us, NULL));
	}
	return now_us;
}

typedef struct {
	char *dir;
	Writer *writer;
} CommitterIndex;

static CommitterIndex committer_index_open(void)
{
	CommitterIndex index = {.dir = g_dir_make_tmp("tarsier-XXXXXX", NULL)};
	g_autofree char *cache = g_build_filename(index.dir, "cache", NULL);
	index.writer = writer_open(index.dir, cache, NULL);
	g_assert_nonnull(index.writer);
	return index;
}

static void committer_index_close(CommitterIndex *index)
{
	writer_close(index->writer);
	g_free(index->dir);
}

static void test_commits_of_a_stream_keep_a_distance(Case *c, const void *data)
{
	CommitterIndex index = committer_index_open();
	int64_t few_us = commit_stream(c, index.writer, 3, true) - NOW_US;
	g_assert_cmpint(few_us, <=, 3 * 5000);
	int64_t many_us = commit_stream(c, index.writer, 103, true) - NOW_US;
	g_assert_cmpint(many_us, >=, 100 * 100 * 1000);
	g_assert_cmpint(many_us, <=, 104 * 105 * 1000);
	committer_index_close(&index);
}

static void test_after_a_pause_a_save_is_committed_at_once(Case *c, const void *data)
{
	CommitterIndex index = committer_index_open();
	int64_t now_us = commit_stream(c, index.writer, 20, true);
	save(c, true);
	g_assert_false(committer_is_due(c->committer, &c->facts, now_us + 1));
	g_assert_true(committer_is_due(c->committer, &c->facts, now_us + 100 * 1000));
	committer_index_close(&index);
}

/* They come as fast as a large document is written, and the save after them is not a stream. */
static void test_full_transactions_delay_no_save(Case *c, const void *data)
{
	CommitterIndex index = committer_index_open();
	for (unsigned i = 1; i <= 20; i++) {
		committer_note_work(c->committer, 100 * 1000);
		g_assert_true(committer_is_due(c->committer, &c->facts, NOW_US + i));
		g_assert_true(
		        committer_commit(c->committer, index.writer, &c->facts, NOW_US + i, NULL));
	}
	save(c, true);
	g_assert_true(committer_is_due(c->committer, &c->facts, NOW_US + 30));
	committer_index_close(&index);
}

/* As they come while many files are removed, one part after the other. */
static void test_other_changes_delay_no_save(Case *c, const void *data)
{
	CommitterIndex index = committer_index_open();
	int64_t now_us = NOW_US;
	for (unsigned i = 0; i < 20; i++) {
		for (now_us += 5000; !committer_is_due(c->committer, &c->facts, now_us);)
			now_us += 5000;
		g_assert_true(
		        committer_commit(c->committer, index.writer, &c->facts, now_us, NULL));
	}
	g_assert_cmpint(now_us - NOW_US, >=, 17 * 100 * 1000);
	g_assert_false(committer_is_due(c->committer, &c->facts, now_us + 1));
	save(c, true);
	g_assert_true(committer_is_due(c->committer, &c->facts, now_us + 1));
	committer_index_close(&index);
}

static void test_a_long_stream_is_committed_in_larger_parts(Case *c, const void *data)
{
	CommitterIndex index = committer_index_open();
	c->facts.counts.stream_us = 1200 * 1000;
	int64_t now_us = commit_stream(c, index.writer, 1, false);
	save(c, false);
	g_assert_false(committer_is_due(c->committer, &c->facts, now_us + 299 * 1000));
	g_assert_true(committer_is_due(c->committer, &c->facts, now_us + 300 * 1000));
	c->facts.counts.stream_us = INT64_MAX;
	g_assert_true(committer_is_due(c->committer, &c->facts, now_us + 500 * 1000));
	committer_index_close(&index);
}

static void test_a_single_save_passes_a_long_stream(Case *c, const void *data)
{
	CommitterIndex index = committer_index_open();
	c->facts.counts.stream_us = INT64_MAX;
	int64_t now_us = commit_stream(c, index.writer, 1, false);
	save(c, false);
	g_assert_false(committer_is_due(c->committer, &c->facts, now_us + 1));
	save(c, true);
	g_assert_true(committer_is_due(c->committer, &c->facts, now_us + 1));
	committer_index_close(&index);
}

static void test_an_awaited_commit_does_not_wait_for_a_stream(Case *c, const void *data)
{
	CommitterIndex index = committer_index_open();
	c->facts.counts.stream_us = INT64_MAX;
	int64_t now_us = commit_stream(c, index.writer, 20, false);
	save(c, false);
	g_assert_false(committer_is_due(c->committer, &c->facts, now_us + 1));
	c->facts.awaited = true;
	g_assert_true(committer_is_due(c->committer, &c->facts, now_us + 1));
	committer_index_close(&index);
}

static void test_under_a_cpu_limit_a_stream_shares_its_commits(Case *c, const void *data)
{
	CommitterIndex index = committer_index_open();
	c->facts.counts.stream_us = INT64_MAX;
	int64_t now_us = commit_stream(c, index.writer, 20, false);
	save(c, false);
	c->facts.limited = c->facts.throttled = c->facts.urgent = true;
	g_assert_false(committer_is_due(c->committer, &c->facts, now_us + 1));
	g_assert_true(committer_is_due(c->committer, &c->facts, now_us + 500 * 1000));
	committer_index_close(&index);
}

static void test_a_stream_of_saved_files_does_not_stop_others(Case *c, const void *data)
{
	int64_t until_us;
	committer_note_others(c->committer, NOW_US);
	g_assert_true(committer_yields(c->committer, &c->facts, true, NOW_US, &until_us));
	g_assert_cmpint(until_us - NOW_US, <=, G_USEC_PER_SEC / 10);
	g_assert_false(yields(c, true, until_us));
}

static void test_announced_text_is_expected_to_cost(Case *c, const void *data)
{
	int64_t before_us = committer_expected_us(c->committer, 1 << 20);
	committer_announce(c->committer, 4 << 20);
	int64_t announced_us = committer_expected_us(c->committer, 1 << 20);
	committer_note_cost(c->committer, 4 << 20, 4 * G_USEC_PER_SEC);
	g_assert_cmpint(before_us, <, announced_us);
	g_assert_cmpint(announced_us, <, committer_expected_us(c->committer, 1 << 20));
}

static void test_after_awaited_commits_a_save_waits_no_longer(Case *c, const void *data)
{
	CommitterIndex index = committer_index_open();
	c->facts.awaited = true;
	int64_t now_us = commit_stream(c, index.writer, 100, true);
	c->facts.awaited = false;
	save(c, true);
	g_assert_true(committer_is_due(c->committer, &c->facts, now_us + 100 * 1000));
	committer_index_close(&index);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *path;
		void (*run)(Case *c, const void *data);
	} tests[] = {
	        {"nothing changed, nothing is due", test_nothing_changed_nothing_is_due},
	        {"a change alone is committed at once", test_a_change_alone_is_committed_at_once},
	        {"the pause grows with the work", test_the_pause_grows_with_the_work},
	        {"a full transaction is due at once", test_a_full_transaction_is_due_at_once},
	        {"names are committed in small parts", test_names_are_committed_in_small_parts},
	        {"under a CPU limit transactions are smaller",
	                test_under_a_cpu_limit_transactions_are_smaller},
	        {"a throttled commit waits", test_a_throttled_commit_waits},
	        {"a saved file does not wait for the CPU limit",
	                test_a_saved_file_does_not_wait_for_the_cpu_limit},
	        {"an awaited commit does not wait for the CPU limit",
	                test_an_awaited_commit_does_not_wait_for_the_cpu_limit},
	        {"costly documents fill a transaction", test_costly_documents_fill_a_transaction},
	        {"work without changes fills no transaction",
	                test_work_without_changes_fills_no_transaction},
	        {"work of a millisecond fills no transaction",
	                test_work_of_a_millisecond_fills_no_transaction},
	        {"text that others committed fills no transaction",
	                test_text_that_others_committed_fills_no_transaction},
	        {"a saved file among few others is committed soon",
	                test_a_saved_file_among_few_others_is_committed_soon},
	        {"/daemon/committer/bulk-mode-ends-after-it-failed-to",
	                test_bulk_mode_ends_after_it_failed_to},
	        {"other documents wait for saved files", test_other_documents_wait_for_saved_files},
	        {"a stream of saved files does not stop others",
	                test_a_stream_of_saved_files_does_not_stop_others},
	        {"other documents pass a long stream", test_other_documents_pass_a_long_stream},
	        {"commits of a stream keep a distance", test_commits_of_a_stream_keep_a_distance},
	        {"after a pause a save is committed at once",
	                test_after_a_pause_a_save_is_committed_at_once},
	        {"other changes delay no save", test_other_changes_delay_no_save},
	        {"a long stream is committed in larger parts",
	                test_a_long_stream_is_committed_in_larger_parts},
	        {"a single save passes a long stream", test_a_single_save_passes_a_long_stream},
	        {"a file in work does not wait for the CPU limit",
	                test_a_file_in_work_does_not_wait_for_the_cpu_limit},
	        {"under a CPU limit a stream shares its commits",
	                test_under_a_cpu_limit_a_stream_shares_its_commits},
	        {"an awaited commit does not wait for a stream",
	                test_an_awaited_commit_does_not_wait_for_a_stream},
	        {"after awaited commits a save waits no longer",
	                test_after_awaited_commits_a_save_waits_no_longer},
	        {"full transactions delay no save", test_full_transactions_delay_no_save},
	        {"announced text is expected to cost", test_announced_text_is_expected_to_cost},
	};
	g_test_init(&argc, &argv, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(tests); i++) {
		g_autofree char *path = g_strdup_printf("/committer/%s", tests[i].path);
		g_test_add(path, Case, NULL, setup, tests[i].run, teardown);
	}
	return g_test_run();
}
