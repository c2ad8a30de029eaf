/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any text is answered, or refused with a message in plain words and the place of the
 * fault; and so it is explained, and corrected. */
#include <config.h>
#include "index/search/correct.h"
#include "index/search/suggest.h"
#include "tests/index/search-test.h"
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { RANDOM_QUERIES = 150, MAX_CPU_MS = QUERY_MAX_MS };

/* Sanitizers make the test slow: there it tries a part of the pairs, other ones each time. */
#ifdef __SANITIZE_ADDRESS__
enum { ONE_PAIR_IN = 5 };
#else
enum { ONE_PAIR_IN = 1 };
#endif

static const char signs[] = " !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";

static void assert_plain_words(const char *text, const GError *error)
{
	static const char *const internal[] = {"sql", "fts5", "syntax error", "malformed"};
	g_autofree char *low = g_ascii_strdown(error->message, -1);
	g_assert_cmpuint(strlen(low), >, 0);
	for (size_t i = 0; i < G_N_ELEMENTS(internal); i++)
		if (strstr(low, internal[i]))
			g_error("'%s': %s", text, error->message);
}

static Query *read_again(const char *text, void *data)
{
	QueryFault fault = {0};
	Query *query = query_parse(text, data, &fault, NULL);
	g_free(fault.hint);
	return query;
}

static void assert_refused(const char *text, const QueryFault *fault, const GError *error)
{
	g_assert_nonnull(error);
	g_assert_true(error->domain == QUERY_ERROR);
	assert_plain_words(text, error);
	if (fault->position > strlen(text) || fault->length > strlen(text) - fault->position)
		g_error("'%s': the fault at %zu, %zu bytes, is outside", text, fault->position,
		        fault->length);
}

static void assert_answered(Tree *t, Query *query, QueryOptions *reading)
{
	const SearchOptions options = {.limit = 5, .uid = geteuid()};
	g_autoptr(GError) error = NULL;
	g_autoptr(SearchResult) result = search_run(t->r, query, &options, &error);
	if (!result) {
		assert_plain_words(query->text, error);
		return;
	}
	g_autoptr(GPtrArray) missing = NULL;
	g_autofree char *corrected = NULL, *explained = query_explain(query),
	                *normal = query_normal(query);
	const CorrectionRequest request = {read_again, reading, &options, result->total, NULL};
	if (!reader_missing(t->r, query, MISSING_NEAREST, &missing, &error) ||
	        !reader_correct(t->r, query, &request, &corrected, &error))
		assert_plain_words(query->text, error);
	g_assert_true(!corrected || g_utf8_validate(corrected, -1, NULL));
}

static void try_query(Tree *t, const char *text)
{
	QueryOptions reading = {.now = 1779278400, .cwd = "/"};
	QueryFault fault = {0};
	g_autoptr(GError) error = NULL;
	clock_t begin = clock();
	g_autoptr(Query) query = query_parse(text, &reading, &fault, &error);
	if (query)
		assert_answered(t, query, &reading);
	else
		assert_refused(text, &fault, error);
	g_free(fault.hint);
	int64_t ms = (int64_t)(clock() - begin) * 1000 / CLOCKS_PER_SEC;
	if (ms > MAX_CPU_MS)
		g_error("'%s' took %d ms of CPU", text, (int)ms);
}

static void fill(Tree *t)
{
	tree_text(t, "--limit", "alpha beta gamma delta");
	tree_text(t, "status", "invoices and letters of alpha");
	tree_text(t, "-rf *", "c++ and c# and .net");
	tree_text(t, "http:__example.org_a?b=c#d", "https://example.org/a?b=c#d");
	tree_text(t, "date:2026 OR size>1", "αβγ 東京 שלום سلام é");
	tree_open(t);
}

/* A space counts as a sign too. */
static void test_signs(Tree *t, gconstpointer data)
{
	fill(t);
	for (const char *a = signs; *a; a++) {
		const char one[] = {*a, '\0'};
		try_query(t, one);
		for (const char *b = signs; *b; b++) {
			if (g_test_rand_int_range(0, ONE_PAIR_IN) > 0)
				continue;
			const char two[] = {*a, *b, '\0'};
			g_autofree char *within = g_strdup_printf("alpha%sbeta", two),
			                *before = g_strdup_printf("%salpha", two),
			                *behind = g_strdup_printf("alpha%s", two),
			                *apart = g_strdup_printf("alpha %s beta", two);
			try_query(t, two);
			try_query(t, within);
			try_query(t, before);
			try_query(t, behind);
			try_query(t, apart);
		}
	}
}

static void test_unicode(Tree *t, gconstpointer data)
{
	static const char *const texts[] = {"", " ", "\t\r\n", "\u202ealpha\u202c", "\u2066a\u2069",
	        "\u200f\u200e", "al\u00adpha", "al\u200dpha", "a\u0301\u0302\u0303lpha",
	        "\u0301\u0302", "\u0301alpha", "\"\u0301\"", "date\u202e:2026", "a\u0301:b",
	        "alpha\u2028beta", "\ufeffalpha", "\ufffe", "\uffff", "\U0010ffff", "\u1680alpha",
	        "「東京」", "東", "🇩🇪", "👩‍👩‍👧", "*😀*", "😀😀*", "ß", "ẞ*", "İ", "ﬀ~",
	        "ǆ", "ﷺ", "a\u0345", "ΑΣ", "१२३", "①②", "x\u0300*y", "[\u0300a]b", "[a-\u0300]x"};
	fill(t);
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
		try_query(t, texts[i]);
	g_autofree char *marks = g_strnfill(1, 'a');
	g_autoptr(GString) many = g_string_new("a");
	while (many->len + 2 <= QUERY_MAX_BYTES)
		g_string_append(many, "\u0301");
	try_query(t, many->str);
	try_query(t, marks);
}

/* Every cut of a text between the bytes of its characters, and bytes that are none. */
static void test_halves(Tree *t, gconstpointer data)
{
	static const char whole[] = "alpha é 東京 😀 \"é\" title:é é*";
	fill(t);
	for (size_t end = 0; end < sizeof whole; end++)
		for (size_t begin = 0; begin <= end && begin < 8; begin++) {
			g_autofree char *part = g_strndup(whole + end - begin, begin);
			g_autofree char *head = g_strndup(whole, end);
			try_query(t, part);
			try_query(t, head);
		}
	for (int byte = 0x80; byte < 0x100; byte++) {
		const char one[] = {(char)byte, '\0'}, two[] = {(char)byte, 'a', '\0'},
		           three[] = {'a', (char)byte, '\0'};
		try_query(t, one);
		try_query(t, two);
		try_query(t, three);
	}
}

/* ---- random text */

static gunichar random_char(GRand *rand)
{
	static const gunichar ranges[][2] = {{0x20, 0x7f}, {0xa0, 0x250}, {0x300, 0x370},
	        {0x370, 0x530}, {0x590, 0x700}, {0xe00, 0xe80}, {0x2000, 0x2070}, {0x3040, 0x3100},
	        {0x4e00, 0x9fff}, {0xac00, 0xd7a4}, {0xfb00, 0xfffe}, {0x1f300, 0x1f700},
	        {0x1, 0xd800}, {0xe000, 0x110000}};
	guint range = g_rand_int_range(rand, 0, G_N_ELEMENTS(ranges));
	return g_rand_int_range(rand, ranges[range][0], ranges[range][1]);
}

static void append_random(GString *out, GRand *rand, int kind)
{
	static const char *const words[] = {" ", " OR ", " AND ", " NOT ", " -", "(", ")", "\"",
	        "title:", "date:", "size>", "*", "?", "[", "]", "~", " NEAR/3 ", "..", "alpha",
	        "beta", ":", "=", "\\"};
	if (kind == 0 || g_rand_int_range(rand, 0, 4) == 0)
		g_string_append_unichar(out, random_char(rand));
	else if (kind == 1)
		g_string_append(out, words[g_rand_int_range(rand, 0, G_N_ELEMENTS(words))]);
	else
		g_string_append_c(out, signs[g_rand_int_range(rand, 0, sizeof signs - 1)]);
}

static void test_random(Tree *t, gconstpointer data)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(20261123);
	fill(t);
	for (int i = 0; i < RANDOM_QUERIES; i++) {
		g_autoptr(GString) text = g_string_new(NULL);
		size_t length = i % 5 == 0 ? 40 : i % 5 == 1 ? 400 : QUERY_MAX_BYTES;
		while (text->len + 8 < length)
			append_random(text, rand, i % 3);
		try_query(t, text->str);
	}
}

#define ADD(name, function)                                                                        \
	g_test_add("/index/hostile-queries/" name, Tree, NULL, tree_up, function, tree_down)

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	ADD("signs-alone-and-in-pairs-are-answered", test_signs);
	ADD("marks-and-controls-are-answered", test_unicode);
	ADD("parts-of-characters-are-refused", test_halves);
	ADD("random-text-is-answered", test_random);
	return g_test_run();
}
