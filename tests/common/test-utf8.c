/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares the checks with those of GLib, which are slower and surely correct. */
#include <config.h>
#include "common/base/utf8.h"
#include <glib.h>
#include <stdint.h>
#include <string.h>

static void compare(const char *text, size_t length)
{
	const char *end;
	g_utf8_validate_len(text, length, &end);
	g_assert_cmpuint(utf8_valid_prefix(text, length), ==, (size_t)(end - text));
}

/* Tries all sequences of two bytes, and longer ones with the extreme values of the later bytes. */
static void test_sequences(void)
{
	static const uint8_t edges[] = {
	        0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xff};
	for (unsigned first = 0; first < 256; first++) {
		for (unsigned second = 0; second < 256; second++) {
			for (size_t i = 0; i < sizeof edges * sizeof edges; i++) {
				uint8_t bytes[4] = {first, second, edges[i / sizeof edges],
				        edges[i % sizeof edges]};
				for (size_t length = 1; length <= 4; length++)
					compare((const char *)bytes, length);
			}
		}
	}
}

/* Tries every byte at every offset of a word. */
static void test_places(void)
{
	static const char *const pieces[] = {
	        "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\xff", "\0", "\x80", "\x7f"};
	for (size_t piece = 0; piece < G_N_ELEMENTS(pieces); piece++) {
		for (size_t at = 0; at < 24; at++) {
			char text[32];
			size_t length = MAX(strlen(pieces[piece]), 1);
			memset(text, 'a', sizeof text);
			memcpy(text + at, pieces[piece], length);
			for (size_t n = at; n < sizeof text; n++)
				compare(text, n);
		}
	}
}

static void test_controls(void)
{
	for (unsigned byte = 0; byte < 256; byte++) {
		for (size_t at = 0; at < 20; at++) {
			char text[20];
			memset(text, '!', sizeof text);
			text[at] = byte;
			bool control = byte < 0x20 && byte != '\n' && byte != '\t';
			g_assert_cmpint(utf8_has_no_controls(text, sizeof text), ==, !control);
		}
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/common/utf8/validity-agrees-with-glib", test_sequences);
	g_test_add_func("/common/utf8/validity-agrees-at-every-offset", test_places);
	g_test_add_func("/common/utf8/control-characters-are-found", test_controls);
	return g_test_run();
}
