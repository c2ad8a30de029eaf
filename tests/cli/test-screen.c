/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/base/text.h"
#include "ui-cli/app/duration.h"
#include "ui-cli/app/counts.h"
#include "ui-cli/app/progress-estimate.h"
#include "ui-cli/app/progress.h"
#include "ui-cli/app/rate-meter.h"
#include "ui-cli/app/root-kind.h"
#include <unistd.h>
#include "ui-cli/print/note-fold.h"
#include "ui-cli/print/screen.h"
#include "ui-cli/app/search-query.h"
#include <string.h>

static const Screen plain = {.terminal = true, .width = 24};
static const Screen colored = {.terminal = true, .color = true, .width = 24};

static char *folded(
        const Screen *screen, const char *text, uint32_t from, uint32_t to, unsigned max_lines)
{
	GString *out = g_string_new(NULL);
	g_autoptr(GArray) marks = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	g_array_append_val(marks, from);
	g_array_append_val(marks, to);
	screen_append_folded(screen, out, text, to > from ? marks : NULL, 2, max_lines);
	return g_string_free(out, FALSE);
}

static void test_folds_at_blanks(void)
{
	g_autofree char *text = folded(&plain, "one two three four five six", 0, 0, 9);
	g_assert_cmpstr(text, ==, "  one two three four\n  five six\n");
}

static void expect_note(const char *text, unsigned width, const char *wanted)
{
	g_autoptr(GString) out = g_string_new(NULL);
	note_fold_append(out, text, width, 2);
	g_assert_cmpstr(out->str, ==, wanted);
}

static void test_notes_fold_at_blanks(void)
{
	expect_note("one two three four five", 14, "one two three\n  four five\n");
	expect_note("one two three four five", 0, "one two three four five\n");
	expect_note("überlang 漢字漢字 漢字", 13, "überlang\n  漢字漢字 漢字\n");
	expect_note("", 20, "\n");
	expect_note("a /very/long/path/that/fits/nowhere b", 10,
	        "a\n  /very/long/path/that/fits/nowhere\n  b\n");
	expect_note("  an indented line stays", 10, "  an indented line stays\n");
}

static void test_notes_keep_commands_whole(void)
{
	expect_note("now run \"tarsier add DIR\", please", 20,
	        "now run\n  \"tarsier add DIR\",\n  please\n");
	expect_note("dann „tarsier add X“ tun", 17, "dann\n  „tarsier add X“\n  tun\n");
	expect_note("to run it, write: tarsier info a b c", 20,
	        "to run it, write:\n  tarsier info a b c\n");
	expect_note("a lone \" sign in here", 10, "a lone \"\n  sign in\n  here\n");
	expect_note("say \"one two three four\"", 10, "say \"one\n  two three\n  four\"\n");
}

static void test_wide_characters_count_two(void)
{
	g_autofree char *text = folded(&plain, "漢字漢字漢字漢字漢字漢字", 0, 0, 9);
	g_assert_cmpstr(text, ==, "  漢字漢字漢字漢字漢字漢\n  字\n");
}

static void test_the_last_line_is_cut(void)
{
	g_autofree char *text = folded(&plain, "one two three four five six seven", 0, 0, 1);
	g_assert_cmpstr(text, ==, "  one two three four…\n");
}

static void test_marks_go_around_escaped_text(void)
{
	g_autofree char *text = folded(&colored, "a\033[31mb", 1, 6, 9);
	g_assert_nonnull(strstr(text, "\033[1;33m"));
	g_assert_null(strstr(text, "\033[31m"));
	g_assert_true(g_str_has_suffix(text, "\033[0mb\n"));
}

static void test_marks_reach_over_lines(void)
{
	g_autofree char *text = folded(&colored, "one two three four five six", 14, 27, 9);
	g_assert_cmpstr(
	        text, ==, "  one two three \033[1;33mfour\033[0m\n  \033[1;33mfive six\033[0m\n");
}

static void test_nothing_raw_comes_through(void)
{
	g_autoptr(GString) all = g_string_new(NULL);
	for (int c = 1; c < 256; c++)
		g_string_append_c(all, c);
	g_string_append(all, "\u202e\u2066\u200b\xc2\x85\u061c");
	g_autoptr(GString) out = g_string_new(NULL);
	screen_append(&plain, out, STYLE_PATH, all->str);
	g_assert_true(g_utf8_validate(out->str, out->len, NULL));
	for (const char *p = out->str; *p; p = g_utf8_next_char(p)) {
		gunichar c = g_utf8_get_char(p);
		g_assert_false(c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x202e || c == 0x2066 ||
		               c == 0x200b || c == 0x61c);
	}
}

static void test_links_only_with_color(void)
{
	g_autoptr(GString) out = g_string_new(NULL);
	screen_append_link(&plain, out, STYLE_PATH, "/a", "/a");
	g_assert_cmpstr(out->str, ==, "/a");
	g_string_truncate(out, 0);
	screen_append_link(&colored, out, STYLE_PATH, "/a b", "/a b");
	g_assert_true(g_str_has_prefix(out->str, "\033]8;;file://"));
	g_assert_nonnull(strstr(out->str, "/a%20b\033\\"));
	g_assert_true(g_str_has_suffix(out->str, "\033]8;;\033\\"));
}

static void test_caret_below_the_fault(void)
{
	g_autoptr(GString) out = g_string_new(NULL);
	QueryFault fault = {strlen("漢é "), 3, NULL};
	query_fault_append(out, "漢é foo:x", &fault, 0);
	g_assert_cmpstr(out->str, ==, "  漢é foo:x\n      ^^^\n");
}

static void test_caret_behind_the_end(void)
{
	g_autoptr(GString) out = g_string_new(NULL);
	QueryFault fault = {99, 5, NULL};
	query_fault_append(out, "a OR", &fault, 0);
	g_assert_cmpstr(out->str, ==, "  a OR\n      ^\n");
}

/* Of a long query only the part around the fault is shown, on one line. */
static void test_caret_in_a_narrow_window(void)
{
	static const struct {
		const char *head, *fault, *tail, *shown;
	} cases[] = {
	        {"a", "bc", "d", "  abcd\n   ^^\n"},
	        {"one two three four five six seven ", "foo:", "x",
	                "  … three four five six seven foo:x\n                              "
	                "^^^^\n"},
	        {"", "foo:", "x one two three four five six seven",
	                "  foo:x one two three four five si…\n  ^^^^\n"},
	        {"one two three four five six ", "foo:", "x one two three four five",
	                "  …four five six foo:x one two thr…\n                 ^^^^\n"},
	        {"漢字漢字漢字漢字漢字漢字漢字漢字漢字", "", "",
	                "  …字漢字漢字漢字漢字漢字漢字漢字\n                                 ^\n"},
	        {"a ", "(((((((((((((((((((((((((((((((((((((((((((((", "",
	                "  a (((((((((((((((…\n    ^^^^^^^^^^^^^^^^\n"},
	};
	enum { WIDTH = 36 };
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *text =
		        g_strconcat(cases[i].head, cases[i].fault, cases[i].tail, NULL);
		g_autoptr(GString) out = g_string_new(NULL);
		QueryFault fault = {strlen(cases[i].head), strlen(cases[i].fault), NULL};
		query_fault_append(out, text, &fault, WIDTH);
		g_assert_cmpstr(out->str, ==, cases[i].shown);
		size_t line = strcspn(out->str, "\n");
		g_assert_cmpuint(text_cells(out->str, line), <, WIDTH);
	}
}

static void test_bar_fits(void)
{
	const ProgressState known = {10, 30, 5, 6, 0.25}, unknown = {10, 30, 0, -1, 0.25};
	g_autofree char *whole = progress_bar(&known, "a\nb", 200);
	g_assert_cmpstr(whole, ==,
	        "[######                  ]  25%  10 of 40 files, 5.0/s, 6 s left  a\\nb");
	g_autofree char *narrow = progress_bar(&known, "a\nb", 20);
	g_assert_cmpuint(strlen(narrow), ==, 19);
	g_autofree char *bare = progress_text(&unknown);
	g_assert_cmpstr(bare, ==, "10 of 40 files");
}

static void test_unknown_work(void)
{
	g_autofree char *starts = progress_unknown_text(PROGRESS_INDEX, NULL, 0, 3);
	g_assert_cmpstr(starts, ==, "Starting, 3 s");
	g_autofree char *reads = progress_unknown_text(PROGRESS_INDEX, "scanning", 120, 3);
	g_assert_cmpstr(reads, ==, "Reading directories: 120 files so far, 3 s");
	g_autofree char *removes = progress_unknown_text(PROGRESS_REMOVE, "scanning", 1, 70);
	g_assert_cmpstr(removes, ==, "Removing from the index, 70 s");
	g_autofree char *works = progress_unknown_text(PROGRESS_INDEX, "idle", 0, 3);
	g_assert_cmpstr(works, ==, "Working, 3 s");
}

/* Work at a steady rate whose backlog is counted once a second, and wavers by some files. */
static void test_estimate_is_steady(void)
{
	enum { FILES = 10000, PER_STEP = 10, STEP_MS = 250, STEPS_A_COUNT = 4 };
	static const int noise[] = {0, 60, -20, 110, -50};
	ProgressEstimate e = {0};
	ProgressState before = {0};
	uint64_t left = FILES;
	bool told = false;

	for (uint64_t step = 0; step * PER_STEP < FILES; step++) {
		uint64_t done = step * PER_STEP;
		if (step % STEPS_A_COUNT == 0)
			left = FILES - done + noise[step / STEPS_A_COUNT % G_N_ELEMENTS(noise)];
		progress_estimate_add(&e, done, left, (step + 1) * STEP_MS * 1000);
		ProgressState now = progress_estimate_state(&e);
		double true_s = (FILES - done) / (PER_STEP * 1000.0 / STEP_MS);
		g_assert_cmpuint(now.done, >=, before.done);
		g_assert_cmpfloat(now.part, >=, before.part);
		g_assert_cmpuint(now.done + now.left, ==, FILES);
		if (now.left_s >= 0 && now.left > PER_STEP) {
			g_assert_cmpfloat(now.left_s, <, true_s + 5);
			g_assert_cmpfloat(now.left_s, >, true_s - 5);
			told = true;
		}
		before = now;
	}
	g_assert_true(told);
}

static void test_estimate_of_a_slow_start(void)
{
	ProgressEstimate e = {0};
	for (unsigned i = 0; i < 16; i++)
		progress_estimate_add(&e, i / 8, 100000 - i / 8, (i + 1) * G_USEC_PER_SEC / 4);
	g_assert_cmpint(progress_estimate_state(&e).left_s, ==, -1);
	for (unsigned i = 0; i < 8; i++)
		progress_estimate_add(&e, i * 500, 200000, (i + 17) * G_USEC_PER_SEC / 4);
	g_assert_cmpfloat(progress_estimate_state(&e).part, <, 0.02);
	g_assert_cmpuint(
	        progress_estimate_state(&e).done + progress_estimate_state(&e).left, >=, 200000);
}

static void test_estimate_of_found_work(void)
{
	ProgressEstimate e = {0};
	progress_estimate_add(&e, 0, 100, 1000);
	progress_estimate_add(&e, 50, 50, 2000);
	g_assert_cmpfloat(progress_estimate_state(&e).part, ==, 0.5);
	progress_estimate_add(&e, 50, 950, 3000);
	ProgressState more = progress_estimate_state(&e);
	g_assert_cmpuint(more.left, ==, 950);
	g_assert_cmpfloat(more.part, ==, 0.5);
	progress_estimate_add(&e, 990, 0, 4000);
	ProgressState over = progress_estimate_state(&e);
	g_assert_cmpuint(over.left, ==, 0);
	g_assert_cmpfloat(over.part, ==, 1);
}

/* The mount table tells, and no file system is asked. */
static void test_roots_of_other_kinds(void)
{
	g_autofree char *table = g_build_filename(g_get_tmp_dir(), "mounts-XXXXXX", NULL);
	int fd = g_mkstemp(table);
	g_assert_cmpint(fd, >=, 0);
	close(fd);
	g_assert_true(g_file_set_contents(table,
	        "1 0 8:1 / / rw - ext4 /dev/sda rw\n2 1 0:5 / /proc rw - proc proc rw\n"
	        "3 1 0:6 / /net/share rw - nfs4 server:/ rw\n4 1 0:7 / /dev rw - tmpfs x rw\n"
	        "5 1 0:8 / /mnt/phone rw - fuse.sshfs x rw\n6 4 0:9 / /dev/shm rw - tmpfs x rw\n",
	        -1, NULL));
	g_assert_true(root_kind_refuses("/proc", table));
	g_assert_true(root_kind_refuses("/proc/1/fd", table));
	g_assert_true(root_kind_refuses("/dev", table));
	static const char *const usual[] = {"/home/me", "/srv", "/dev/shm/x", "/process", NULL};
	for (const char *const *dir = usual; *dir; dir++) {
		g_assert_false(root_kind_refuses(*dir, table));
		g_assert_null(root_kind_note(*dir, table));
	}
	static const char *const other[] = {"/", "/net/share", "/net/share/a", "/mnt/phone", NULL};
	for (const char *const *dir = other; *dir; dir++) {
		g_autofree char *note = root_kind_note(*dir, table);
		g_assert_false(root_kind_refuses(*dir, table));
		g_assert_nonnull(strstr(note, dir == other ? "whole system" : "network"));
	}
	unlink(table);
}

static void test_compaction_text(void)
{
	g_autofree char *merge = progress_compaction_text("merge", 130);
	g_assert_cmpstr(merge, ==, "Compacting, step 3 of 6: merging the index, 2 min");
	g_autofree char *other = progress_compaction_text("a step of a newer daemon", 3);
	g_assert_cmpstr(other, ==, "Compacting, 3 s");
}

/* The rate is that of the last seconds, and no time is told before it is known. */
static void test_rate(void)
{
	const int64_t second = 1000000;
	RateMeter meter = {0};
	rate_meter_add(&meter, 5, 0);
	g_assert_cmpint(rate_meter_left_s(&meter, 10), ==, -1);
	rate_meter_add(&meter, 7, second / 2);
	g_assert_cmpint(rate_meter_left_s(&meter, 10), ==, -1);
	for (int i = 1; i <= 200; i++) /* a slow start, then ten a second */
		rate_meter_add(&meter, i <= 100 ? 7 : 7 + (uint64_t)(i - 100) * 10, i * second);
	g_assert_cmpfloat_with_epsilon(rate_meter_per_second(&meter), 10, 0.01);
	g_assert_cmpint(rate_meter_left_s(&meter, 600), ==, 60);
	rate_meter_add(&meter, 0, 201 * second); /* another daemon */
	g_assert_cmpfloat_with_epsilon(rate_meter_per_second(&meter), 0, 0.01);
	for (int i = 202; i < 240; i++)
		rate_meter_add(&meter, 0, i * second); /* nothing is finished */
	g_assert_cmpint(rate_meter_left_s(&meter, 1), ==, -1);
}

static void test_times(void)
{
	static const struct {
		int64_t seconds;
		const char *shown;
	} cases[] = {{0, "0 s"}, {99, "99 s"}, {100, "2 min"}, {3569, "59 min"},
	        {3570, "1 h 0 min"}, {90000, "25 h 0 min"}};
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *shown = count_time(cases[i].seconds);
		g_assert_cmpstr(shown, ==, cases[i].shown);
	}
}

static void test_pauses(void)
{
	static const struct {
		int64_t ms;
		const char *shown;
	} cases[] = {{1000, "1 s"}, {1530, "1.53 s"}, {99900, "99.9 s"}, {99999, "100 s"},
	        {100000, "2 min"}, {3600000, "1 h 0 min"}};
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *shown = count_pause(cases[i].ms);
		g_assert_cmpstr(shown, ==, cases[i].shown);
	}
}

static void test_durations(void)
{
	int64_t seconds;
	g_assert_true(duration_parse("90s", &seconds));
	g_assert_cmpint(seconds, ==, 90);
	g_assert_true(duration_parse("10min", &seconds));
	g_assert_cmpint(seconds, ==, 600);
	g_assert_true(duration_parse("2d", &seconds));
	g_assert_cmpint(seconds, ==, 172800);
	g_assert_true(duration_parse("10 minutes", &seconds));
	g_assert_cmpint(seconds, ==, 600);
	g_assert_true(duration_parse("2 Stunden ", &seconds));
	g_assert_cmpint(seconds, ==, 7200);
	g_assert_false(duration_parse("2 h d", &seconds));
	g_assert_false(duration_parse("2 sec secs", &seconds));
	g_assert_false(duration_parse("2 ", &seconds));
	g_assert_false(duration_parse("", &seconds));
	g_assert_false(duration_parse("h", &seconds));
	g_assert_false(duration_parse("5", &seconds));
	g_assert_false(duration_parse("5m", &seconds));
	g_assert_false(duration_parse("0s", &seconds));
	g_assert_false(duration_parse("-1h", &seconds));
	g_assert_false(duration_parse("99999999999999999999s", &seconds));
	g_assert_false(duration_parse("99999999w", &seconds));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/cli/screen/folds-at-blanks", test_folds_at_blanks);
	g_test_add_func("/cli/screen/notes-fold-at-blanks", test_notes_fold_at_blanks);
	g_test_add_func("/cli/screen/notes-keep-commands-whole", test_notes_keep_commands_whole);
	g_test_add_func("/cli/screen/wide-characters-count-two", test_wide_characters_count_two);
	g_test_add_func("/cli/screen/the-last-line-is-cut", test_the_last_line_is_cut);
	g_test_add_func(
	        "/cli/screen/marks-go-around-escaped-text", test_marks_go_around_escaped_text);
	g_test_add_func("/cli/screen/marks-reach-over-lines", test_marks_reach_over_lines);
	g_test_add_func(
	        "/cli/screen/control-characters-are-escaped", test_nothing_raw_comes_through);
	g_test_add_func("/cli/screen/links-only-with-color", test_links_only_with_color);
	g_test_add_func("/cli/search-query/caret-below-the-fault", test_caret_below_the_fault);
	g_test_add_func("/cli/search-query/caret-behind-the-end", test_caret_behind_the_end);
	g_test_add_func(
	        "/cli/search-query/caret-in-a-narrow-window", test_caret_in_a_narrow_window);
	g_test_add_func("/cli/progress/bar-fits-the-terminal", test_bar_fits);
	g_test_add_func("/cli/progress/steps-of-a-compaction", test_compaction_text);
	g_test_add_func("/cli/roots/of-other-kinds", test_roots_of_other_kinds);
	g_test_add_func("/cli/progress/unknown-work", test_unknown_work);
	g_test_add_func("/cli/progress/estimate-is-steady", test_estimate_is_steady);
	g_test_add_func("/cli/progress/estimate-of-a-slow-start", test_estimate_of_a_slow_start);
	g_test_add_func("/cli/progress/estimate-of-found-work", test_estimate_of_found_work);
	g_test_add_func("/cli/progress/rate-of-the-last-seconds", test_rate);
	g_test_add_func("/cli/progress/times-are-rounded", test_times);
	g_test_add_func("/cli/progress/pauses-have-fractions", test_pauses);
	g_test_add_func("/cli/duration/units-are-read", test_durations);
	return g_test_run();
}
