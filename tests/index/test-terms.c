/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests index/text/terms.h: the limits of the words of a document. */
#include <config.h>
#include "index/text/terms.h"
#include <string.h>

typedef struct {
	Terms terms;
	Fingerprint print;
	Document *doc;
} Case;

static void setup(Case *c, const void *data)
{
	terms_init(&c->terms);
	c->doc = document_new(NULL);
}

static void teardown(Case *c, const void *data)
{
	terms_clear(&c->terms);
	document_free(c->doc);
}

static void add_different(Case *c, unsigned n)
{
	g_autoptr(GString) text = g_string_new(NULL);
	for (unsigned i = 0; i < n; i++)
		g_string_append_printf(text, "word%u ", i);
	g_assert_true(document_add_text(c->doc, TAG_BODY, DOC_RUN_BLOCK, text->str, text->len));
}

static void add_text(Case *c, const char *text)
{
	g_assert_true(document_add_text(c->doc, TAG_BODY, DOC_RUN_BLOCK, text, strlen(text)));
}

static void collect(Case *c)
{
	terms_of_document(&c->terms, c->doc, NULL, &c->print);
}

typedef struct {
	const char *term;
	unsigned n;
} Wanted;

static int count_term(void *data, int flags, const char *term, int length, int start, int end)
{
	Wanted *wanted = data;
	wanted->n +=
	        (size_t)length == strlen(wanted->term) && memcmp(term, wanted->term, length) == 0;
	return 0;
}

/* How often the column has the term. */
static unsigned occurrences(const Case *c, TextColumn column, const char *term)
{
	const GByteArray *stream = c->terms.columns[column];
	Wanted wanted = {term, 0};
	g_assert_cmpint(
	        terms_replay((const char *)stream->data, stream->len, &wanted, count_term), ==, 0);
	return wanted.n;
}

static void test_new_words_after_the_limit_are_left_out(Case *c, const void *data)
{
	add_different(c, TERMS_MOST_DIFFERENT);
	add_text(c, "zebra word7 zebra");
	collect(c);
	g_assert_cmpuint(occurrences(c, COLUMN_BODY, "word7"), ==, 2);
	g_assert_cmpuint(occurrences(c, COLUMN_BODY, "zebra"), ==, 0);
	g_assert_cmpuint(c->terms.left_out, ==, 2);
	g_assert_cmpuint(c->print.words, ==, TERMS_MOST_DIFFERENT + 3);
}

static void test_words_up_to_the_limit_are_kept(Case *c, const void *data)
{
	add_different(c, TERMS_MOST_DIFFERENT);
	collect(c);
	g_assert_cmpuint(occurrences(c, COLUMN_BODY, "word199999"), ==, 1);
	g_assert_cmpuint(c->terms.left_out, ==, 0);
}

static void test_a_title_is_kept_behind_a_long_text(Case *c, const void *data)
{
	add_different(c, TERMS_MOST_DIFFERENT + 1);
	document_add_fact(c->doc, FIELD_TITLE, "zebra", 5);
	collect(c);
	g_assert_cmpuint(occurrences(c, COLUMN_TITLE, "zebra"), ==, 1);
	g_assert_cmpuint(c->terms.left_out, ==, 1);
}

static void test_facts_have_a_limit_too(Case *c, const void *data)
{
	g_autoptr(GString) words = g_string_new(NULL);
	for (unsigned i = 0; i < TERMS_MOST_OF_FACTS / 10; i++)
		g_string_append_printf(words, "key%u ", i);
	for (unsigned i = 0; i < 11; i++)
		g_assert_true(document_add_fact(c->doc, FIELD_KEYWORD, words->str, words->len));
	collect(c);
	g_assert_cmpuint(occurrences(c, COLUMN_KEYWORD, "key0"), ==, 10);
	g_assert_cmpuint(c->terms.left_out, ==, TERMS_MOST_OF_FACTS / 10);
}

static void test_the_next_document_begins_anew(Case *c, const void *data)
{
	add_different(c, TERMS_MOST_DIFFERENT + 1);
	collect(c);
	document_free(c->doc);
	c->doc = document_new(NULL);
	add_text(c, "zebra");
	collect(c);
	g_assert_cmpuint(occurrences(c, COLUMN_BODY, "zebra"), ==, 1);
	g_assert_cmpuint(c->terms.left_out, ==, 0);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *path;
		void (*run)(Case *c, const void *data);
	} tests[] = {
	        {"words-up-to-the-limit-are-kept", test_words_up_to_the_limit_are_kept},
	        {"new-words-after-the-limit-are-left-out",
	                test_new_words_after_the_limit_are_left_out},
	        {"a-title-is-kept-behind-a-long-text", test_a_title_is_kept_behind_a_long_text},
	        {"facts-have-a-limit-too", test_facts_have_a_limit_too},
	        {"the-next-document-begins-anew", test_the_next_document_begins_anew},
	};
	g_test_init(&argc, &argv, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(tests); i++) {
		g_autofree char *path = g_strdup_printf("/index/terms/%s", tests[i].path);
		g_test_add(path, Case, NULL, setup, tests[i].run, teardown);
	}
	return g_test_run();
}
