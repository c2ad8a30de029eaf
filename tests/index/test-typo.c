/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/text/typo.h"

static unsigned cost(const char *typed, const char *meant)
{
	Typo typo;
	typo_init(&typo, typed);
	return typo_cost(&typo, meant);
}

static void test_equal(void)
{
	g_assert_cmpuint(cost("word", "word"), ==, 0);
	g_assert_cmpuint(cost("договор", "договор"), ==, 0);
}

static void test_limits(void)
{
	g_assert_cmpuint(cost("word", "words"), <, TYPO_FAR);
	g_assert_cmpuint(cost("word", "wordes"), ==, TYPO_FAR); /* two edits in four letters */
	g_assert_cmpuint(cost("longer", "lunghr"), <, TYPO_FAR);
	g_assert_cmpuint(cost("longer", "lunghx"), ==, TYPO_FAR);
	g_assert_cmpuint(cost("ab", "abc"), ==, TYPO_FAR); /* too short */
	g_assert_cmpuint(cost("rfc2119", "rfc2118"), ==, TYPO_FAR); /* a number is meant */
	g_assert_cmpuint(cost("東京", "京東"), ==, TYPO_FAR);
	g_assert_cmpuint(cost("word", "wor\xff"), ==, TYPO_FAR);
	g_assert_cmpuint(cost("", "a"), ==, TYPO_FAR);
}

static void test_long_words(void)
{
	g_autofree char *as = g_strnfill(1000, 'a'), *bs = g_strnfill(1000, 'b');
	g_assert_cmpuint(cost(as, as), ==, 0);
	g_assert_cmpuint(cost(as, bs), ==, TYPO_FAR);
	Typo typo;
	typo_init(&typo, as);
	g_assert_cmpuint(typo.n, ==, TOKEN_MAX_BYTES);
	g_assert_cmpuint(typo_cost_of_any(&typo, bs), >, 10 * TYPO_EDIT);
}

/* Each row: what was typed, what was meant, what is less likely. */
static void test_order(void)
{
	static const char *const rows[][3] = {
	        {"shoping", "shopping", "showing"}, /* doubled */
	        {"anual", "annual", "manual"},
	        {"kernle", "kernel", "kernal"}, /* swapped */
	        {"fone", "phone", "gone"}, /* sounds */
	        {"prinr", "print", "prinz"}, /* beside it: r and t */
	        {"yimt", "zimt", "amt"}, /* QWERTZ */
	        {"qppel", "appel", "spiel"}, /* AZERTY */
	        {"молако", "молоко", "мулако"},
	        {"hause", "house", "hanse"},
	        {"abcdef", "abcdeg", "xbcdef"}, /* the first letter is seldom wrong */
	        {"rythm", "rhythm", "ryth"},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		Typo typo;
		typo_init(&typo, rows[i][0]);
		unsigned right = typo_cost_of_any(&typo, rows[i][1]),
		         wrong = typo_cost_of_any(&typo, rows[i][2]);
		if (right >= wrong)
			g_error("%s: %s costs %u, %s costs %u", rows[i][0], rows[i][1], right,
			        rows[i][2], wrong);
	}
}

static bool sounds_like(const char *word, const char *other)
{
	g_autoptr(GPtrArray) sounds = typo_sounds(word, 100);
	return g_ptr_array_find_with_equal_func(sounds, other, g_str_equal, NULL);
}

static void test_sounds(void)
{
	g_assert_true(sounds_like("fone", "phone"));
	g_assert_true(sounds_like("phantasie", "fantasie"));
	g_assert_true(sounds_like("fisch", "fish"));
	g_assert_false(sounds_like("fone", "fone"));
	g_autofree char *many = g_strnfill(60, 'f');
	g_autoptr(GPtrArray) few = typo_sounds(many, 7);
	g_assert_cmpuint(few->len, ==, 7);
}

static unsigned edits(const char *a, const char *b, unsigned max)
{
	glong n, m;
	g_autofree gunichar *x = g_utf8_to_ucs4_fast(a, -1, &n),
	                    *y = g_utf8_to_ucs4_fast(b, -1, &m);
	return typo_edits(x, n, y, m, max);
}

static void test_edits(void)
{
	g_assert_cmpuint(edits("kitten", "sitting", 3), ==, 3);
	g_assert_cmpuint(edits("kitten", "sitting", 2), ==, 3);
	g_assert_cmpuint(edits("ab", "ba", 2), ==, 1);
	g_assert_cmpuint(edits("", "abc", 5), ==, 3);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/index/typo/an-equal-word-costs-nothing", test_equal);
	g_test_add_func("/index/typo/only-a-few-edits-are-allowed", test_limits);
	g_test_add_func("/index/typo/long-words-are-cut", test_long_words);
	g_test_add_func("/index/typo/likely-mistakes-cost-less", test_order);
	g_test_add_func("/index/typo/groups-that-sound-alike-replace-each-other", test_sounds);
	g_test_add_func("/index/typo/edits-are-counted", test_edits);
	return g_test_run();
}
