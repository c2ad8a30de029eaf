/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/base/text.h"
#include "common/base/time-ns.h"
#include <string.h>

#define FFFD "\357\277\275"

static void assert_escaped(const char *bytes, gssize length, const char *expected)
{
	g_autoptr(GString) out = g_string_new(NULL);
	text_append_escaped(out, bytes, length);
	g_assert_cmpstr(out->str, ==, expected);
}

static void test_controls_are_escaped(void)
{
	assert_escaped("plain", -1, "plain");
	assert_escaped("a\nb\tc\rd", -1, "a\\nb\\tc\\x0dd");
	assert_escaped("\033[31mred\007", -1, "\\x1b[31mred\\x07");
	assert_escaped("a\0b", 3, "a\\x00b");
	assert_escaped("\177", -1, "\\x7f");
	assert_escaped("\302\205\302\237", -1, "\\u{85}\\u{9f}");
	assert_escaped("\233"
	               "31m",
	        -1, "\\x9b31m"); /* a raw C1 byte */
}

static void test_direction_and_invisible_are_escaped(void)
{
	assert_escaped("gpj.\342\200\256exe", -1, "gpj.\\u{202e}exe");
	assert_escaped("\342\201\246x\342\201\251", -1, "\\u{2066}x\\u{2069}");
	assert_escaped("\330\234", -1, "\\u{61c}");
	assert_escaped("a\342\200\213b\357\273\277", -1, "a\\u{200b}b\\u{feff}");
	assert_escaped("\342\200\250\342\200\251", -1, "\\u{2028}\\u{2029}");
	assert_escaped("\363\240\201\201", -1, "\\u{e0041}");
}

static void test_good_text_is_left_alone(void)
{
	const char *good = "Größe 日本語 עברית 👍 \\x";
	assert_escaped(good, -1, good);
}

static void test_bad_bytes_are_escaped(void)
{
	assert_escaped("\377\376", -1, "\\xff\\xfe");
	assert_escaped("\303", -1, "\\xc3"); /* truncated */
	assert_escaped("\303\251", 1, "\\xc3");
	assert_escaped("\300\257", -1, "\\xc0\\xaf"); /* overlong slash */
	assert_escaped("\355\240\200", -1, "\\xed\\xa0\\x80"); /* surrogate */
}

static void test_every_byte_pair_becomes_valid(void)
{
	for (int i = 0; i < 0x10000; i++) {
		char bytes[2] = {i >> 8, i & 0xff};
		g_autoptr(GString) out = g_string_new(NULL);
		text_append_escaped(out, bytes, 2);
		text_append_json(out, bytes, 2);
		g_assert_true(g_utf8_validate(out->str, out->len, NULL));
		for (size_t k = 0; k < out->len; k++)
			g_assert_false(g_ascii_iscntrl(out->str[k]));
	}
}

static void test_to_utf8(void)
{
	g_autofree char *cut = text_to_utf8("a\377b\0c", 5);
	g_assert_cmpstr(cut, ==, "a" FFFD "b" FFFD "c");
	g_autofree char *whole = text_to_utf8("Größe", -1);
	g_assert_cmpstr(whole, ==, "Größe");
}

static void test_visible(void)
{
	g_autoptr(GString) out = g_string_new(NULL);
	text_append_visible(
	        out, "a\n\tb\rc\033[1m\342\200\256\342\200\213\363\240\201\201d\377\0e", 24);
	text_append_visible(out, "Größe 日本語 👍\357\270\217x\363\240\204\200y", -1);
	g_assert_cmpstr(out->str, ==, "a\n\tbc[1md" FFFD "eGröße 日本語 👍xy");
}

static void assert_json(const char *bytes, gssize length, const char *expected)
{
	g_autoptr(GString) out = g_string_new(NULL);
	text_append_json(out, bytes, length);
	g_assert_cmpstr(out->str, ==, expected);
}

static void test_json(void)
{
	assert_json("", -1, "\"\"");
	assert_json("a\"b\\c/", -1, "\"a\\\"b\\\\c/\"");
	assert_json("\b\f\n\r\t\001", -1, "\"\\b\\f\\n\\r\\t\\u0001\"");
	assert_json("x\0y", 3, "\"x\\u0000y\"");
	assert_json("\342\200\250\302\205", -1, "\"\\u2028\\u0085\"");
	assert_json("\363\240\201\201", -1, "\"\\udb40\\udc41\"");
	assert_json("ü\377👍", -1, "\"ü" FFFD "👍\"");
}

static void test_cells(void)
{
	g_assert_cmpuint(text_cells("abc", 3), ==, 3);
	g_assert_cmpuint(text_cells("日本", 6), ==, 4);
	g_assert_cmpuint(text_cells("e\314\201", 3), ==, 1);
	g_assert_cmpuint(text_cells("", 0), ==, 0);
}

static void test_clip_keeps_characters_whole(void)
{
	g_assert_cmpuint(text_clip("abc", 3, 5), ==, 3);
	g_assert_cmpuint(text_clip("abc", 3, 2), ==, 2);
	g_assert_cmpuint(text_clip("aé", 3, 2), ==, 1);
	g_assert_cmpuint(text_clip("👍", 4, 3), ==, 0);
	g_assert_cmpuint(text_clip("日本", 6, 3), ==, 3);
}

static void test_hex(void)
{
	g_autoptr(GString) out = g_string_new("x");
	text_append_hex(out, "\0\377\012", 3);
	g_assert_cmpstr(out->str, ==, "x00ff0a");
}

static void test_time_ns(void)
{
	g_assert_cmpint(time_ns(1, 5), ==, 1000000005);
	g_assert_cmpint(time_ns(-1, 5), ==, -999999995);
	g_assert_cmpint(time_ns(9223372036, 854775807), ==, G_MAXINT64);
	g_assert_cmpint(time_ns(9223372036, 854775808), ==, G_MAXINT64);
	g_assert_cmpint(time_ns(15021244800, 0), ==, G_MAXINT64);
	g_assert_cmpint(time_ns(-15021244800, 0), ==, G_MININT64);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/common/text/controls-are-escaped", test_controls_are_escaped);
	g_test_add_func("/common/text/direction-and-invisible-are-escaped",
	        test_direction_and_invisible_are_escaped);
	g_test_add_func("/common/text/good-text-is-left-alone", test_good_text_is_left_alone);
	g_test_add_func("/common/text/bad-bytes-are-escaped", test_bad_bytes_are_escaped);
	g_test_add_func(
	        "/common/text/every-byte-pair-becomes-valid", test_every_byte_pair_becomes_valid);
	g_test_add_func("/common/text/any-bytes-become-valid-utf8", test_to_utf8);
	g_test_add_func("/common/text/what-controls-or-hides-is-left-out", test_visible);
	g_test_add_func("/common/text/json-strings-are-escaped", test_json);
	g_test_add_func("/common/text/cells-count-the-columns-of-a-terminal", test_cells);
	g_test_add_func(
	        "/common/text/clip-keeps-characters-whole", test_clip_keeps_characters_whole);
	g_test_add_func("/common/text/bytes-as-hexadecimal-digits", test_hex);
	g_test_add_func("/common/text/times-beyond-nanoseconds-keep-their-side", test_time_ns);
	return g_test_run();
}
