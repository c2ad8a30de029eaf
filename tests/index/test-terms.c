/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests index/text/terms.h: the limits of the words of a document. */
#include <config.h>
#include "index/text/terms.h"
#include "index/text/tokenizer.h"
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
	int start, end; /* of the last word */
} Wanted;

static int count_term(void *data, int flags, const char *term, int length, int start, int end)
{
	Wanted *wanted = data;
	wanted->n +=
	        (size_t)length == strlen(wanted->term) && memcmp(term, wanted->term, length) == 0;
	return 0;
}

/* Counts words, not their parts. */
static int count_word(void *data, const char *token, int length, int start, int end)
{
	Wanted *wanted = data;
	wanted->n += start != wanted->start || end != wanted->end;
	wanted->start = start;
	wanted->end = end;
	return 0;
}

/* How often the column has the term. */
static unsigned occurrences(const Case *c, TextColumn column, const char *term)
{
	const GByteArray *stream = c->terms.columns[column];
	Wanted wanted = {.term = term};
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

/* Adds a picture in the address of a link, as web pages have them. */
static void add_base64(Case *c, unsigned n)
{
	g_autoptr(GRand) random = g_rand_new_with_seed(1);
	g_autofree guint32 *bytes = g_new(guint32, n);
	for (unsigned i = 0; i < n; i++)
		bytes[i] = g_rand_int(random);
	g_autofree char *encoded = g_base64_encode((guchar *)bytes, n * sizeof *bytes);
	g_autofree char *text = g_strdup_printf("before data:image/png;base64,%s behind", encoded);
	add_text(c, text);
}

static unsigned body_tokens(Case *c)
{
	collect(c);
	return c->terms.tokens[COLUMN_BODY];
}

static void test_words_of_encoded_data_are_left_out(Case *c, const void *data)
{
	add_base64(c, 10000);
	g_assert_cmpuint(body_tokens(c), <, 6 + 8); /* those before the first long word */
	g_assert_cmpuint(occurrences(c, COLUMN_BODY, "png"), ==, 1);
	g_assert_cmpuint(occurrences(c, COLUMN_BODY, "behind"), ==, 1);
	g_assert_cmpuint(c->terms.left_out, ==, 0);
}

static void test_encoded_data_is_left_out_in_pieces_too(Case *c, const void *data)
{
	add_base64(c, 10000);
	unsigned whole = body_tokens(c), slices;
	TermsWork *work = terms_begin(&c->terms, c->doc, NULL);
	while (terms_continue(work, 3))
		;
	terms_end(work, &c->print, &slices);
	g_assert_cmpuint(c->terms.tokens[COLUMN_BODY], ==, whole);
}

static void test_long_encoded_runs_are_left_out(Case *c, const void *data)
{
	add_text(c, "integrity \"sha512-"
	            "4fG7yxV0yzl2gH3qO8DqMh5Zk3ZbM1c6vJpXr9uTQeWnAaLs7d0BiYtRmEoHwUkPqS2fGx8CjNvIz"
	            "D5K1lZbTa==\" sha512sum "
	            "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
	            "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e data:");
	collect(c);
	g_assert_cmpuint(occurrences(c, COLUMN_BODY, "integrity"), ==, 1);
	g_assert_cmpuint(occurrences(c, COLUMN_BODY, "sha512sum"), ==, 1);
	g_assert_cmpuint(occurrences(c, COLUMN_BODY, "data"), ==, 1);
	g_assert_cmpuint(body_tokens(c), <=, 4);
}

/* Texts that people paste into a search. */
static void test_what_people_search_is_kept(Case *c, const void *data)
{
	static const char *const kept[] = {"f1858cdb9dbc70592dba7b7091a7c6130d1856ea", "f1858cd",
	        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
	        "550e8400-e29b-41d4-a716-446655440000", "DE89370400440532013000",
	        "CAHk-=wh5YU_x1Zd8nRtQ0kLmB7v9GfTj3sXyWcEoKpNaVuIzA@mail.gmail.com",
	        "XJ4K9-22QWE-7HHTR-PL0OK-MNB56", "LM317T/NOPB-3.3V", "AKIAIOSFODNN7EXAMPLE",
	        "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
	        "SHA256:uNiVztksCsDhcc0u9e8BgrJXVGDOhMcGr3yKfQb4Hf8",
	        "/usr/lib/x86_64-linux-gnu/qt5/plugins/imageformats/very/long/path/of/directories/"
	        "without/an/end",
	        "Rindfleischetikettierungsueberwachungsaufgabenuebertragungsgesetzdurchfuehrungsver"
	        "ordnung",
	        "AbstractSingletonProxyFactoryBeanDefinitionParsingInterceptorRegistrationHandlerAd"
	        "apterService",
	        "31415926535897932384626433832795028841971693993751058209749445923078164062862089"
	        "9"};
	for (size_t i = 0; i < G_N_ELEMENTS(kept); i++) {
		document_free(c->doc);
		c->doc = document_new(NULL);
		add_text(c, kept[i]);
		g_test_message("%s", kept[i]);
		Wanted all = {.start = -1};
		tokenize(kept[i], strlen(kept[i]), count_word, &all);
		g_assert_cmpuint(body_tokens(c), ==, all.n);
	}
}

static void test_texts_with_other_encoded_data_are_not_the_same(Case *c, const void *data)
{
	const ChecksumKey key = {0};
	Fingerprint one;
	add_base64(c, 100);
	fingerprint_document(c->doc, &key, &one);
	document_free(c->doc);
	c->doc = document_new(NULL);
	add_base64(c, 101);
	fingerprint_document(c->doc, &key, &c->print);
	g_assert_cmpint(memcmp(one.text_checksum, c->print.text_checksum, CHECKSUM_BYTES), !=, 0);
}

/* The hashes are seeded anew in each process, and two words may meet in one register. */
static void expect_about(const WordCount *count, uint64_t words)
{
	g_assert_cmpuint(word_count_estimate(count), <=, words);
	g_assert_cmpuint(word_count_estimate(count) + 1, >=, words);
}

/* Words that are left out do not count, and parts of words do. */
static void test_words_are_counted(Case *c, const void *data)
{
	WordCount count = {0};
	c->terms.count = &count;
	add_text(c, "one two one three two");
	g_assert_true(document_add_fact(c->doc, FIELD_TITLE, "four one", 8));
	collect(c);
	expect_about(&count, 4);
	collect(c);
	expect_about(&count, 4);
	g_assert_true(document_add_fact(c->doc, FIELD_TITLE, "firstSecond", 11));
	collect(c);
	expect_about(&count, 7);
	count = (WordCount){0};
	add_different(c, TERMS_MOST_DIFFERENT + 50000);
	collect(c);
	g_assert_cmpuint(word_count_estimate(&count), <, 1.08 * TERMS_MOST_DIFFERENT);
}

/* They are no words of their own, and a minus in code joins nothing. */
static void test_hyphens_join_words_of_prose(Case *c, const void *data)
{
	Case split = {.doc = document_new(NULL)}, code = {.doc = document_new(NULL)};
	terms_init(&split.terms);
	terms_init(&code.terms);
	add_text(c, "the Wi-Fi is off");
	add_text(&split, "the Wi Fi is off");
	code.doc->mime = g_strdup("text/x-csrc");
	add_text(&code, "the Wi-Fi is off");
	collect(c);
	collect(&split);
	collect(&code);
	g_assert_cmpuint(occurrences(c, COLUMN_BODY, "wifi"), ==, 1);
	g_assert_cmpuint(occurrences(c, COLUMN_BODY, "fi"), ==, 1);
	g_assert_cmpuint(c->terms.tokens[COLUMN_BODY], ==, split.terms.tokens[COLUMN_BODY]);
	g_assert_cmpmem(c->print.text_checksum, sizeof c->print.text_checksum,
	        split.print.text_checksum, sizeof split.print.text_checksum);
	g_assert_cmpuint(occurrences(&code, COLUMN_BODY, "wifi"), ==, 0);
	g_assert_cmpuint(occurrences(&code, COLUMN_BODY, "wi"), ==, 1);
	teardown(&split, NULL);
	teardown(&code, NULL);
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
	        {"words-of-encoded-data-are-left-out", test_words_of_encoded_data_are_left_out},
	        {"encoded-data-is-left-out-in-pieces-too",
	                test_encoded_data_is_left_out_in_pieces_too},
	        {"long-encoded-runs-are-left-out", test_long_encoded_runs_are_left_out},
	        {"what-people-search-is-kept", test_what_people_search_is_kept},
	        {"texts-with-other-encoded-data-are-not-the-same",
	                test_texts_with_other_encoded_data_are_not_the_same},
	        {"words-are-counted", test_words_are_counted},
	        {"hyphens-join-words-of-prose", test_hyphens_join_words_of_prose},
	        {"the-next-document-begins-anew", test_the_next_document_begins_anew},
	};
	g_test_init(&argc, &argv, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(tests); i++) {
		g_autofree char *path = g_strdup_printf("/index/terms/%s", tests[i].path);
		g_test_add(path, Case, NULL, setup, tests[i].run, teardown);
	}
	return g_test_run();
}
