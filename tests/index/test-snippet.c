/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/search/sections.h"
#include "index/search/snippet.h"
#include <string.h>

static void add(Document *doc, DocTag tag, const char *text)
{
	g_assert_true(document_add_text(doc, tag, DOC_RUN_BLOCK, text, strlen(text)));
}

static GPtrArray *make(const Document *doc, const char *text, unsigned n, unsigned max_chars)
{
	static const QueryOptions options = {.cwd = "/"};
	QueryFault fault;
	g_autoptr(GError) error = NULL;
	g_autoptr(Query) query = query_parse(text, &options, &fault, &error);
	g_assert_no_error(error);
	return snippet_make(doc, query, n, max_chars);
}

/* Returns the text with its marks in brackets. */
static char *marked(const Snippet *snippet)
{
	GString *out = g_string_new(snippet->text);
	g_assert_true(g_utf8_validate(snippet->text, -1, NULL));
	for (guint i = snippet->marks->len; i > 0; i--)
		g_string_insert_c(
		        out, g_array_index(snippet->marks, uint32_t, i - 1), i % 2 ? '[' : ']');
	return g_string_free(out, FALSE);
}

#define assert_marked(doc, query, max_chars, expected)                                             \
	G_STMT_START                                                                               \
	{                                                                                          \
		g_autoptr(GPtrArray) list = make(doc, query, 1, max_chars);                        \
		g_assert_cmpuint(list->len, ==, 1);                                                \
		g_autofree char *text = marked(list->pdata[0]);                                    \
		g_assert_cmpstr(text, ==, expected);                                               \
	}                                                                                          \
	G_STMT_END

static void test_marks(void)
{
	g_autoptr(Document) doc = document_new(NULL);
	add(doc, TAG_BODY, "The  quick\n\tbrown f\x01ox, the Caf\xc3\xa9 and the fox.");
	assert_marked(doc, "quick", 100, "The [quick] brown fox, the Caf\xc3\xa9 and the fox.");
	assert_marked(
	        doc, "cafe fox", 100, "The quick brown fox, the [Caf\xc3\xa9] and the [fox].");
	assert_marked(
	        doc, "\"quick brown\"", 100, "The [quick brown] fox, the Caf\xc3\xa9 and the fox.");
	assert_marked(
	        doc, "qui* -absent", 100, "The [quick] brown fox, the Caf\xc3\xa9 and the fox.");
}

static void test_blocks_are_parted(void)
{
	g_autoptr(Document) doc = document_new(NULL);
	add(doc, TAG_BODY, "first");
	add(doc, TAG_BODY, "second");
	add(doc, TAG_BODY, "third");
	assert_marked(doc, "second", 100, "[second] third");
	assert_marked(doc, "\"first second\"", 100, "[first second] third");
}

static void test_inline_tags_do_not_part(void)
{
	g_autoptr(Document) doc = document_new(NULL);
	add(doc, TAG_BODY, "un");
	g_assert_true(document_add_text(doc, TAG_EMPHASIS, 0, "believ", 6));
	g_assert_true(document_add_text(doc, TAG_BODY, 0, "able", 4));
	assert_marked(doc, "unbelievable", 100, "[unbelievable]");
}

static void test_cuts_at_words_and_sentences(void)
{
	g_autoptr(Document) doc = document_new(NULL);
	add(doc, TAG_BODY,
	        "Something long stands at the beginning of it all. Here the needle is found. "
	        "And then a lot more words follow without end or sense.");
	assert_marked(doc, "needle", 40, "Here the [needle] is found.");
	assert_marked(doc, "needle", 60,
	        "Here the [needle] is found. And then a lot more words follow\xe2\x80\xa6");
	assert_marked(doc, "stands", 24,
	        "\xe2\x80\xa6"
	        "long [stands] at the\xe2\x80\xa6");
}

/* Some letters fold to other letters, and some to several. */
static void test_marks_on_folded_forms(void)
{
	g_autoptr(Document) doc = document_new(NULL);
	add(doc, TAG_BODY,
	        "Die STRA\xc3\x9f"
	        "E, der \xef\xac\x81ne Caf\x65\xcc\x81-B\xc3\xa4r und QuarterlyReport.");
	assert_marked(doc, "strasse", 100,
	        "Die [STRA\xc3\x9f"
	        "E], der \xef\xac\x81ne Caf\x65\xcc\x81-B\xc3\xa4r und QuarterlyReport.");
	assert_marked(doc, "fine bar", 100,
	        "Die STRA\xc3\x9f"
	        "E, der [\xef\xac\x81ne] Caf\x65\xcc\x81-[B\xc3\xa4r] und QuarterlyReport.");
	assert_marked(doc, "cafe-bar", 100,
	        "Die STRA\xc3\x9f"
	        "E, der \xef\xac\x81ne [Caf\x65\xcc\x81-B\xc3\xa4r] und QuarterlyReport.");
}

static void test_marks_joined_words(void)
{
	g_autoptr(Document) doc = document_new(NULL);
	add(doc, TAG_BODY, "A Wi-Fi that fits no wire.");
	assert_marked(doc, "wifi", 100, "A [Wi-Fi] that fits no wire.");
	assert_marked(doc, "wi-fi", 100, "A [Wi-Fi] that fits no wire.");
	assert_marked(doc, "fi", 100, "A Wi-[Fi] that fits no wire.");
}

static void test_closest_window_wins(void)
{
	g_autoptr(Document) doc = document_new(NULL);
	g_autoptr(GString) filler = g_string_new(NULL);
	for (int i = 0; i < 100; i++)
		g_string_append(filler, "filler ");
	add(doc, TAG_BODY, "alpha stands alone");
	add(doc, TAG_BODY, filler->str);
	add(doc, TAG_BODY, "alpha some words then beta");
	add(doc, TAG_BODY, filler->str);
	add(doc, TAG_BODY, "now alpha beta here");
	g_autoptr(GPtrArray) list = make(doc, "alpha beta", 3, 60);
	g_assert_cmpuint(list->len, ==, 3);
	static const char *const expected[] = {"now [alpha] [beta] here",
	        "[alpha] some words then [beta]", "[alpha] stands alone"};
	for (guint i = 0; i < 3; i++) {
		g_autofree char *text = marked(list->pdata[i]);
		g_assert_nonnull(strstr(text, expected[i]));
	}
}

static void test_pages(void)
{
	g_autoptr(Document) doc = document_new(NULL);
	for (unsigned page = 1; page <= 3; page++) {
		g_autofree char *text = g_strdup_printf("word%u", page);
		g_assert_true(document_add_break(doc, BREAK_SLIDE, page, NULL));
		add(doc, TAG_BODY, text);
	}
	g_autoptr(GPtrArray) list = make(doc, "word2", 1, 50);
	const Snippet *snippet = list->pdata[0];
	g_assert_cmpuint(snippet->page, ==, 2);
	g_assert_cmpint(snippet->break_kind, ==, BREAK_SLIDE);
}

static void test_lines(void)
{
	g_autoptr(Document) doc = document_new(NULL);
	doc->extractor = g_strdup("text");
	doc->mime = g_strdup("text/plain");
	add(doc, TAG_BODY, "\none\ntwo\n\n");
	add(doc, TAG_BODY, "five\n");
	g_autoptr(GPtrArray) two = make(doc, "two", 1, 50);
	g_assert_cmpuint(((const Snippet *)two->pdata[0])->line, ==, 3);
	g_autoptr(GPtrArray) five = make(doc, "five", 1, 50);
	g_assert_cmpuint(((const Snippet *)five->pdata[0])->line, ==, 5);
	g_free(doc->mime);
	doc->mime = g_strdup("text/markdown");
	g_autoptr(GPtrArray) none = make(doc, "five", 1, 50);
	g_assert_cmpuint(((const Snippet *)none->pdata[0])->line, ==, 0);
}

/* A manual: the section that the whole query is about, between others that have some of its words.
 */
static Document *manual(void)
{
	Document *doc = document_new(NULL);
	g_autoptr(GString) filler = g_string_new(NULL);
	for (int i = 0; i < 60; i++)
		g_string_append(filler, "the shell reads the file ");
	g_assert_true(document_add_fact(doc, FIELD_TITLE, "The manual", 10));
	add(doc, TAG_HEADING1, "The manual");
	add(doc, TAG_BODY, filler->str);
	g_assert_true(document_add_break(doc, BREAK_PAGE, 2, NULL));
	add(doc, TAG_HEADING2, "Installing");
	add(doc, TAG_BODY, filler->str);
	add(doc, TAG_BODY, "Here the shell reads the archive file.");
	g_assert_true(document_add_break(doc, BREAK_PAGE, 3, NULL));
	add(doc, TAG_HEADING3, "From \xe2\x80\xae  source\n\x01");
	add(doc, TAG_BODY, filler->str);
	add(doc, TAG_BODY, "Unpack the archive, then the shell reads the file.");
	add(doc, TAG_HEADING2, "Removing");
	add(doc, TAG_BODY, filler->str);
	add(doc, TAG_BODY, "Remove the archive.");
	return doc;
}

static void test_headings_above(void)
{
	g_autoptr(Document) doc = manual();
	g_autoptr(GPtrArray) list = make(doc, "unpack archive", 1, 60);
	const Snippet *snippet = list->pdata[0];
	g_assert_cmpstr(snippet->heading, ==, "Installing \xe2\x80\xba From source");
	g_assert_cmpuint(snippet->page, ==, 3);
	g_autoptr(GPtrArray) first = make(doc, "manual", 1, 60);
	g_assert_null(((const Snippet *)first->pdata[0])->heading);
}

/* "archive" alone is in three sections; the heading above one of them has the other word. Many
 * matches of a frequent word do not hide a rare one after them. */
static void test_whole_query_chooses(void)
{
	g_autoptr(Document) doc = manual();
	g_autoptr(GPtrArray) above = make(doc, "archive installing", 1, 60);
	g_assert_cmpstr(((const Snippet *)above->pdata[0])->heading, ==, "Installing");
	g_autoptr(GPtrArray) rare = make(doc, "the shell removing", 1, 60);
	g_assert_cmpstr(((const Snippet *)rare->pdata[0])->heading, ==, "Removing");
	g_autoptr(GString) flood = g_string_new(NULL);
	for (int i = 0; i < 6000; i++)
		g_string_append(flood, "the shell ");
	g_autoptr(Document) large = document_new(NULL);
	add(large, TAG_BODY, flood->str);
	add(large, TAG_BODY, "the rare one");
	assert_marked(large, "the rare", 40, "[the] [rare] one");
}

/* A heading per word, deep ones first, and one without text. */
static void test_hostile_headings(void)
{
	g_autoptr(Document) doc = document_new(NULL);
	g_autoptr(GString) huge = g_string_new(NULL);
	for (int i = 0; i < 100000; i++)
		g_string_append(huge, "word ");
	add(doc, TAG_HEADING6, "six");
	add(doc, TAG_HEADING1, huge->str);
	add(doc, TAG_HEADING2, "");
	add(doc, TAG_HEADING4, "four");
	for (int i = 0; i < 100000; i++)
		add(doc, TAG_HEADING1 + i % 6, "h");
	add(doc, TAG_BODY, "target");
	g_autoptr(GPtrArray) list = make(doc, "target", 1, 60);
	const Snippet *snippet = list->pdata[0];
	g_assert_cmpuint(g_utf8_strlen(snippet->heading, -1), <=, 6 * (HEADING_MAX_CHARS + 4));
	g_autoptr(GPtrArray) four = make(doc, "four", 1, 60);
	snippet = four->pdata[0];
	g_assert_true(g_str_has_prefix(snippet->heading, "word word"));
	g_assert_true(g_str_has_suffix(snippet->heading, "\xe2\x80\xa6 \xe2\x80\xba four"));
}

static void test_headings_and_noise(void)
{
	g_autoptr(Document) doc = document_new(NULL);
	add(doc, TAG_NOISE, "menu target");
	add(doc, TAG_HEADING2, "target section");
	g_autoptr(GPtrArray) list = make(doc, "target", 1, 12);
	g_assert_cmpstr(((const Snippet *)list->pdata[0])->field, ==, "heading");
	g_autoptr(GPtrArray) body = make(doc, "body:target", 1, 12);
	g_assert_cmpuint(body->len, ==, 0);
	/* As in the index, a phrase does not continue from a heading into the text. */
	g_autoptr(GPtrArray) phrase = make(doc, "\"target target\"", 1, 12);
	g_assert_cmpuint(phrase->len, ==, 0);
}

static void test_fields_when_the_text_has_none(void)
{
	g_autoptr(Document) doc = document_new(NULL);
	g_assert_true(document_add_fact(doc, FIELD_TITLE, "Annual report", 13));
	g_assert_true(document_add_fact(doc, FIELD_AUTHOR, "Ada", 3));
	add(doc, TAG_BODY, "text without it");
	g_autoptr(GPtrArray) list = make(doc, "report", 2, 100);
	g_assert_cmpuint(list->len, ==, 1);
	const Snippet *snippet = list->pdata[0];
	g_assert_cmpstr(snippet->field, ==, "title");
	g_autofree char *text = marked(snippet);
	g_assert_cmpstr(text, ==, "Annual [report]");
	g_autoptr(GPtrArray) none = make(doc, "author:report", 2, 100);
	g_assert_cmpuint(none->len, ==, 0);
}

static void test_unspaced_script(void)
{
	g_autoptr(Document) doc = document_new(NULL);
	add(doc, TAG_BODY, "東京都は日本の首都です。");
	assert_marked(doc, "日本", 100, "東京都は[日本]の首都です。");
	assert_marked(doc, "東京都", 100, "[東京都]は日本の首都です。");
	assert_marked(doc, "首", 100, "東京都は日本の[首]都です。");
	assert_marked(doc, "都", 100, "東京[都]は日本の首[都]です。");
}

static void test_nothing_to_show(void)
{
	g_autoptr(Document) doc = document_new(NULL);
	g_autoptr(GPtrArray) empty = make(doc, "word", 3, 100);
	g_assert_cmpuint(empty->len, ==, 0);
	add(doc, TAG_BODY, "text");
	g_autoptr(GPtrArray) filters = make(doc, "ext:pdf -text", 3, 100);
	g_assert_cmpuint(filters->len, ==, 0);
}

/* Many matches cost no more than a bounded number of windows. */
static void test_flood(void)
{
	g_autoptr(Document) doc = document_new(NULL);
	g_autoptr(GString) text = g_string_new(NULL);
	for (int i = 0; i < 200000; i++)
		g_string_append(text, "a ");
	add(doc, TAG_BODY, text->str);
	g_autoptr(GPtrArray) list = make(doc, "a \"a a a a\" a*", 3, 100);
	g_assert_cmpuint(list->len, ==, 3);
	const Snippet *snippet = list->pdata[0];
	g_assert_cmpuint(g_utf8_strlen(snippet->text, -1), <=, 102);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/index/snippet/words-are-marked", test_marks);
	g_test_add_func("/index/snippet/blocks-are-parted", test_blocks_are_parted);
	g_test_add_func("/index/snippet/inline-tags-do-not-part", test_inline_tags_do_not_part);
	g_test_add_func(
	        "/index/snippet/cuts-at-words-and-sentences", test_cuts_at_words_and_sentences);
	g_test_add_func("/index/snippet/marks-on-folded-forms", test_marks_on_folded_forms);
	g_test_add_func("/index/snippet/marks-joined-words", test_marks_joined_words);
	g_test_add_func("/index/snippet/closest-window-wins", test_closest_window_wins);
	g_test_add_func("/index/snippet/page-numbers-are-told", test_pages);
	g_test_add_func("/index/snippet/line-numbers-are-told", test_lines);
	g_test_add_func("/index/snippet/headings-above-are-told", test_headings_above);
	g_test_add_func("/index/snippet/whole-query-chooses", test_whole_query_chooses);
	g_test_add_func("/index/snippet/hostile-headings-are-cut", test_hostile_headings);
	g_test_add_func(
	        "/index/snippet/headings-match-and-noise-does-not", test_headings_and_noise);
	g_test_add_func(
	        "/index/snippet/fields-when-the-text-has-none", test_fields_when_the_text_has_none);
	g_test_add_func("/index/snippet/scripts-without-spaces-are-marked", test_unspaced_script);
	g_test_add_func("/index/snippet/no-match-gives-no-snippet", test_nothing_to_show);
	g_test_add_func("/index/snippet/many-matches-end-in-time", test_flood);
	return g_test_run();
}
