/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/base/doctype.h"
#include <glib.h>

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
	return g_test_run();
}
