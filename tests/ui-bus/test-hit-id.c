/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test-hit-id.c - names of hits: any path and member comes back, and nothing else is taken */
#include <config.h>
#include "ui-bus/hit-id.h"

static void assert_comes_back(const char *path, const char *member)
{
	g_autofree char *id = hit_id_new(path, member), *path_back = NULL, *member_back = NULL;
	g_assert_true(g_str_is_ascii(id));
	g_assert_true(hit_id_parse(id, &path_back, &member_back));
	g_assert_cmpstr(path_back, ==, path);
	g_assert_cmpstr(member_back, ==, member);
}

static void test_round_trip(void)
{
	assert_comes_back("/", NULL);
	assert_comes_back("/a b/c|d%41\n\xff", NULL);
	assert_comes_back("/box.zip", "in|ner/..//%");
	assert_comes_back("https://example.org/a?b=c#d", NULL);
	for (unsigned i = 0; i < 2000; i++) {
		char path[64] = "/", member[64] = "";
		for (int k = g_test_rand_int_range(1, 60); k > 0; k--)
			path[k] = g_test_rand_int_range(1, 256);
		for (int k = g_test_rand_int_range(0, 60); k >= 0; k--)
			member[k] = g_test_rand_int_range(1, 256);
		assert_comes_back(path, i % 2 ? member : NULL);
	}
}

static void test_what_is_none(void)
{
	g_autofree char *long_id = g_strnfill(HIT_ID_BYTES + 1, 'x');
	*long_id = '/';
	const char *const none[] = {"", "|", "a", "a|b", "./a", "|/a", "/a|", "/a%", "/a%0",
	        "/a%00", "/a%zz", "/a|b%00", "%00", "file:", long_id};
	for (size_t i = 0; i < G_N_ELEMENTS(none); i++) {
		char *path = NULL, *member = NULL;
		g_assert_false(hit_id_parse(none[i], &path, &member));
		g_assert_null(path);
		g_assert_null(member);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/hit-id/any path and member comes back", test_round_trip);
	g_test_add_func("/hit-id/what is none is refused", test_what_is_none);
	return g_test_run();
}
