/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/base/doctype.h"
#include "common/base/media-type.h"
#include <glib.h>
#include <string.h>

static void test_exact_wins_over_family(void)
{
	g_assert_cmpstr(doctype_of("text/html"), ==, "document");
	g_assert_cmpstr(doctype_of("text/x-c"), ==, "code");
	g_assert_cmpstr(doctype_of("text/plain"), ==, "text");
}

static void test_what_converters_know(void)
{
	g_assert_cmpstr(doctype_of("application/x-tcr-ebook"), ==, "document");
	g_assert_cmpstr(doctype_of("application/x-chm"), ==, "document");
	g_assert_cmpstr(doctype_of("application/dbf"), ==, "spreadsheet");
	g_assert_cmpstr(doctype_of("application/x-lzop"), ==, "archive");
	g_assert_cmpstr(doctype_of("application/pkcs7-mime"), ==, "message");
	g_assert_cmpstr(doctype_of("application/cdfv2-encrypted"), ==, "document");
	g_assert_cmpstr(
	        doctype_of("application/vnd.oasis.opendocument.chart-template"), ==, "document");
	g_assert_cmpstr(doctype_of("application/vnd.oasis.opendocument.base"), ==, "spreadsheet");
	g_assert_cmpstr(doctype_of("application/vnd.google-earth.kml+xml"), ==, "text");
	g_assert_cmpstr(doctype_of("application/x-brotli"), ==, "archive");
}

static void test_parameters_and_case(void)
{
	g_assert_cmpstr(doctype_of("Text/HTML; charset=utf-8"), ==, "document");
}

static void test_prefix_is_no_match(void)
{
	g_assert_cmpstr(doctype_of("application/pd"), ==, "other");
	g_assert_cmpstr(doctype_of("application/pdfx"), ==, "other");
}

static void test_unknown_is_other(void)
{
	g_assert_cmpstr(doctype_of(NULL), ==, "other");
	g_assert_cmpstr(doctype_of(""), ==, "other");
	g_assert_cmpstr(doctype_of("application/octet-stream"), ==, "other");
}

static void test_valid_media_types(void)
{
	static const char *const valid[] = {"text/plain", "Text/HTML", "application/atom+xml",
	        "application/vnd.ms-word.document.12", "x/y", "a!#$&-^_.+/b", NULL};
	static const char *const invalid[] = {"", "text", "/plain", "text/", "a/b/c", "text plain",
	        "application/*", "%CT%/%ST%", "image/x'y", "text/x{y}", "text/gr\xc3\xbcn",
	        "text/html; charset=utf-8", "text/a\nb", NULL};
	for (const char *const *type = valid; *type; type++)
		g_assert_true(media_type_is_valid(*type));
	for (const char *const *type = invalid; *type; type++)
		g_assert_false(media_type_is_valid(*type));
	g_assert_false(media_type_is_valid(NULL));
}

static void test_length_of_media_types(void)
{
	char type[MEDIA_TYPE_BYTES + 2] = "text/";
	memset(type + 5, 'x', MEDIA_TYPE_BYTES - 5);
	g_assert_true(media_type_is_valid(type));
	type[MEDIA_TYPE_BYTES] = 'x';
	g_assert_false(media_type_is_valid(type));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/common/doctype/exact-wins-over-family", test_exact_wins_over_family);
	g_test_add_func(
	        "/common/doctype/types-of-extractors-have-a-kind", test_what_converters_know);
	g_test_add_func(
	        "/common/doctype/parameters-and-case-are-ignored", test_parameters_and_case);
	g_test_add_func("/common/doctype/prefix-is-no-match", test_prefix_is_no_match);
	g_test_add_func("/common/doctype/unknown-is-other", test_unknown_is_other);
	g_test_add_func("/common/media-type/characters-are-checked", test_valid_media_types);
	g_test_add_func("/common/media-type/length-is-checked", test_length_of_media_types);
	return g_test_run();
}
