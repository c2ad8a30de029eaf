/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/query/query.h"
#include "ui-cli/tui/line-edit.h"
#include "ui-cli/app/live.h"
#include "ui-cli/tui/path-fit.h"
#include "ui-cli/tui/preview.h"
#include <string.h>

static void type(EditLine *line, const char *text)
{
	for (; *text; text = g_utf8_next_char(text))
		line_insert(line, g_utf8_get_char(text));
}

static void test_line_is_edited_at_the_cursor(void)
{
	EditLine line;
	line_init(&line, "");
	type(&line, "caf report");
	for (int i = 0; i < 7; i++)
		line_left(&line);
	type(&line, "é");
	g_assert_cmpstr(line.text->str, ==, "café report");
	g_assert_true(line_erase_before(&line));
	g_assert_true(line_erase_behind(&line));
	g_assert_cmpstr(line.text->str, ==, "cafreport");
	line_home(&line);
	g_assert_false(line_erase_before(&line));
	line_end(&line);
	g_assert_false(line_erase_behind(&line));
	g_assert_true(line_erase_all(&line));
	g_assert_cmpuint(line.cursor, ==, 0);
	line_clear(&line);
}

static void test_line_erases_words(void)
{
	EditLine line;
	line_init(&line, "one  two ");
	g_assert_true(line_erase_word(&line));
	g_assert_cmpstr(line.text->str, ==, "one  ");
	g_assert_true(line_erase_word(&line));
	g_assert_cmpstr(line.text->str, ==, "");
	g_assert_false(line_erase_word(&line));
	line_clear(&line);
}

/* For the cursor a letter and its accent are one character. */
static void test_line_keeps_marks_with_their_letter(void)
{
	EditLine line;
	line_init(&line, "xe\u0301");
	g_assert_true(line_erase_before(&line));
	g_assert_cmpstr(line.text->str, ==, "x");
	line_clear(&line);
}

static void test_line_takes_no_controls_and_has_an_end(void)
{
	EditLine line;
	line_init(&line, "");
	g_assert_false(line_insert(&line, '\n'));
	g_assert_false(line_insert(&line, 0x9B));
	g_assert_false(line_insert(&line, 0xD800));
	for (int i = 0; i < QUERY_MAX_BYTES; i++)
		g_assert_true(line_insert(&line, 'x'));
	g_assert_false(line_insert(&line, 'x'));
	line_clear(&line);
}

static void open_ended(const char *text, const char *wanted)
{
	g_autofree char *query = live_open_ended(text);
	g_assert_cmpstr(query, ==, wanted);
	if (!query)
		return;
	QueryFault fault = {0};
	const QueryOptions options = {0};
	g_autoptr(GError) error = NULL;
	g_autoptr(Query) parsed = query_parse(query, &options, &fault, &error);
	g_assert_no_error(error);
	g_assert_nonnull(parsed);
}

static void test_last_word_is_a_prefix(void)
{
	open_ended("bud", "bud OR bud*");
	open_ended("report bud", "report bud OR bud*");
	open_ended("a OR bud", "a OR bud OR bud*");
	open_ended("été", "été OR été*");
}

static void test_what_is_no_open_word_stays(void)
{
	open_ended("", NULL);
	open_ended("bu", NULL);
	open_ended("report ", NULL);
	open_ended("\"quoted words", NULL);
	open_ended("date:2026", NULL);
	open_ended("-word", NULL);
	open_ended("NOT word", NULL);
	open_ended("here NEAR/3 there", NULL);
	open_ended("this AND", NULL);
	open_ended("rep*", NULL);
}

static void test_what_is_open_is_closed(void)
{
	static const char *const rows[][2] = {
	        {"\"quick bro", "\"quick bro*\""},
	        {"fox \"quick ", "fox \"quick \""},
	        {"title:\"été", "title:\"été*\""},
	        {"fox \"", "fox"},
	        {"\"", NULL},
	        {"(fox OR dog", "(fox OR dog)"},
	        {"(fox OR", "(fox)"},
	        {"fox (", "fox"},
	        {"a (b (c", "a (b (c))"},
	        {"fox AND", "fox"},
	        {"fox NOT", "fox"},
	        {"fox NEAR/3", "fox"},
	        {"fox author:", "fox"},
	        {"fox -", "fox"},
	        {"\"a AND\" AND", "\"a AND\""},
	        {"author:", NULL},
	        {"AND", NULL},
	        {"fox", NULL},
	        {"\"fox\"", NULL},
	        {"fox \xff\"", NULL},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *closed = live_closed(rows[i][0]);
		g_assert_cmpstr(closed, ==, rows[i][1]);
	}
}

/* Returns the lines of a document with one paragraph, folded for a width. */
static void test_preview_folds_anew_for_another_width(void)
{
	g_autoptr(Document) doc = document_new(NULL);
	DocRun run = {.length = strlen("one two three four five six"),
	        .tag = TAG_BODY,
	        .flags = DOC_RUN_BLOCK};
	Preview preview;

	g_string_assign(doc->text, "one two three four five six");
	g_array_append_val(doc->runs, run);
	preview_init(&preview);
	preview_set_text(&preview, doc, NULL);
	preview_fold(&preview, 40);
	guint wide = preview.lines->len;
	preview_fold(&preview, 10);
	g_assert_cmpuint(preview.lines->len, ==, wide + 2);
	const PreviewLine *line = &g_array_index(preview.lines, PreviewLine, 1);
	g_assert_cmpuint(line->start, ==, strlen("one two "));
	preview_empty(&preview);
	preview_fold(&preview, 10);
	g_assert_cmpuint(preview.lines->len, ==, 0);
	preview_clear(&preview);
}

static void fits(const char *first, const char *second, unsigned cells, const char *wanted)
{
	g_autoptr(GPtrArray) paths = g_ptr_array_new();
	g_ptr_array_add(paths, (char *)first);
	g_ptr_array_add(paths, (char *)second);
	g_autofree char *path = path_fit(paths, 0, cells);
	g_assert_cmpstr(path, ==, wanted);
}

static void test_path_keeps_what_tells_it_apart(void)
{
	fits("/home/ada/a/report.txt", "/home/ada/b/report.txt", 40, "/home/ada/a/report.txt");
	fits("/home/ada/a/report.txt", "/home/ada/b/report.txt", 16, "…/a/report.txt");
	fits("/home/ada/2021/final/report.txt", "/home/ada/2022/final/report.txt", 20,
	        "…/2021/…/report.txt");
	fits("/home/ada/2021/final/report.txt", "/home/ada/2022/final/report.txt", 8, "…/2021");
	fits("/home/ada/one.txt", "/srv/two.txt", 9, "…/one.txt");
	fits("/a/letters/one.txt", "/a/letters/one.txt", 8, "…one.txt");
	fits("/a/b", "/a/c", 0, "…");
	fits("", "/a/c", 0, "");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/cli/line/edited-at-the-cursor", test_line_is_edited_at_the_cursor);
	g_test_add_func("/cli/line/erases-words", test_line_erases_words);
	g_test_add_func(
	        "/line/keeps-marks-with-their-letter", test_line_keeps_marks_with_their_letter);
	g_test_add_func("/cli/line/takes-no-controls-and-has-a-maximum",
	        test_line_takes_no_controls_and_has_an_end);
	g_test_add_func("/cli/live/last-word-is-a-prefix", test_last_word_is_a_prefix);
	g_test_add_func("/cli/live/completed-terms-stay-as-typed", test_what_is_no_open_word_stays);
	g_test_add_func("/cli/live/what-is-open-is-closed", test_what_is_open_is_closed);
	g_test_add_func(
	        "/preview/folds-anew-for-another-width", test_preview_folds_anew_for_another_width);
	g_test_add_func(
	        "/cli/path-fit/keeps-what-tells-apart", test_path_keeps_what_tells_it_apart);
	return g_test_run();
}
