/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test-web-headers.c - what the headers of an answer say, hostile ones too */
#include <config.h>
#include "common/base/media-type.h"
#include "daemon/web/web-headers.h"
#include "daemon/web/web-wanted.h"
#include <glib.h>
#include <string.h>

static void assert_header(const char *headers, const char *name, const char *wanted)
{
	g_autofree char *value = web_header(headers, name);
	g_assert_cmpstr(value, ==, wanted);
}

static void test_values(void)
{
	static const char headers[] = "HTTP/1.1 200 OK\r\nETag: \"a: b\"\r\netag:second\r\n"
	                              "Empty:\r\nLast: \xe4\r\nNo colon\r\nCut";
	assert_header(headers, "ETag", "\"a: b\", second");
	assert_header(headers, "empty", "");
	assert_header(headers, "Last", "?");
	assert_header(headers, "tag", NULL);
	assert_header(headers, "Cut", NULL);
	assert_header("", "ETag", NULL);
}

static void test_charset(void)
{
	static const char *const cases[][2] = {
	        {"text/html; charset=utf-8", "utf-8"},
	        {"text/html;level=1;Charset=\"KOI8-R\"", "KOI8-R"},
	        {"text/html; charset=", NULL},
	        {"text/html", NULL},
	        {"charset=utf-8", NULL},
	        {"a/b; charset=0123456789012345678901234567890123456789", NULL},
	        {";;;;", NULL},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *charset = media_charset(cases[i][0]);
		g_assert_cmpstr(charset, ==, cases[i][1]);
	}
	g_assert_null(media_charset(NULL));
}

static void test_types(void)
{
	g_assert_true(web_type_is_wanted(NULL));
	g_assert_true(web_type_is_wanted("text/html; charset=utf-8"));
	g_assert_true(web_type_is_wanted("application/pdf"));
	g_assert_false(web_type_is_wanted("Image/PNG"));
	g_assert_false(web_type_is_wanted("application/zip"));
	g_assert_false(web_type_is_wanted("text/css"));
}

static void test_robots_tag(void)
{
	static const struct {
		const char *headers;
		bool wanted;
	} cases[] = {
	        {"X-Robots-Tag: noindex\r\n", true},
	        {"x-robots-tag: nofollow, NOINDEX\r\n", true},
	        {"X-Robots-Tag: none\r\n", true},
	        {"X-Robots-Tag: otherbot: noindex\r\n", false},
	        {"X-Robots-Tag: otherbot: noindex, nofollow\r\n", false},
	        {"X-Robots-Tag: Tarsier: noindex\r\n", true},
	        {"X-Robots-Tag: otherbot: noindex\r\nX-Robots-Tag: noindex\r\n", true},
	        {"X-Robots-Tag: unavailable_after: 25 Jun 2030 15:00:00 GMT\r\n", false},
	        {"X-Robots-Tag: noindexing\r\n", false},
	        {"X-Robots-Tag: max-snippet:-1, noindex\r\n", true},
	        {"X-Robots-Tag: max-image-preview:large , noindex\r\n", true},
	        {"X-Robots-Tag: unavailable_after: 25 Jun 2030 15:00:00 PST, noindex\r\n", true},
	        {"X-Robots-Tag: unavailable_after: Saturday, 25-Jun-30 15:00:00 GMT, none\r\n",
	                true},
	        {"X-Robots-Tag: max-snippet: 20\r\n", false},
	        {"X-Robots-Tag: noindex nofollow\r\n", true},
	        {"X-Robots-Tag: noindex, otherbot: nofollow\r\n", true},
	        {"X-Robots-Tag: otherbot: noindex, Tarsier: noindex\r\n", true},
	        {"X-Robots-Tag: otherbot: nofollow, tarsier : max-snippet:-1, noindex\r\n", true},
	        {"X-Robots-Tag: otherbot: max-snippet: 9, noindex\r\n", false},
	        {"X-Robots-Tag: Tarsier: nofollow, otherbot: noindex\r\n", false},
	        {"X-Robots-Tag: :\r\nX-Robots-Tag: ,,:,\r\n", false},
	        {"X-Robots-Tag:\r\n", false},
	        {"", false},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
		g_assert_cmpint(web_robots_tag(cases[i].headers, "Tarsier", "noindex"), ==,
		        cases[i].wanted);
}

/* Servers declare documents that they do not know as bytes. */
static void test_bytes(void)
{
	static const struct {
		const char *type, *url, *body;
		bool wanted;
	} cases[] = {
	        {"application/octet-stream", "http://h/a.PDF", "x", true},
	        {"application/octet-stream", "http://h/download?id=1", "%PDF-1.4\n", true},
	        {"application/octet-stream", "http://h/download?f=a.pdf", "x", false},
	        {"application/octet-stream", "http://h/get",
	                "PK\3\4..........................mimetypeapplication/vnd.oasis", true},
	        {"application/zip", "http://h/get",
	                "PK\3\4..........................[Content_Types].xml", true},
	        {"application/zip", "http://h/a.zip", "PK\3\4..........................a.txt",
	                false},
	        {"Application/Octet-Stream; x=y", "http://h/notes.md", "x", true},
	        {"application/octet-stream", "http://h/setup.exe", "MZ", false},
	        {"application/octet-stream", "http://h.pdf/", "x", false},
	        {"image/png", "http://h/a.pdf", "x", false},
	        {"text/html", "http://h/", "x", true},
	        {"text/html", "http://h/", NULL, false},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		const char *body = cases[i].body;
		g_autoptr(GBytes) bytes = body ? g_bytes_new_static(body, strlen(body)) : NULL;
		g_assert_cmpint(web_answer_is_wanted(cases[i].type, cases[i].url, bytes), ==,
		        cases[i].wanted);
	}
}

static void test_times(void)
{
	static const char headers[] = "Cache-Control: max-age=60\r\n"
	                              "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT\r\n";
	g_assert_cmpint(web_fresh_s(headers, 1000, 1000), ==, 60);
	g_assert_cmpint(web_modified_s(headers, 1000000000), ==, 784111777);
	g_assert_cmpint(web_modified_s(headers, 1000), ==, 1000); /* not in the future */
	g_assert_cmpint(web_modified_s("Last-Modified: never\r\n", 1000), ==, 0);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/web-headers/values", test_values);
	g_test_add_func("/web-headers/charset", test_charset);
	g_test_add_func("/web-headers/types", test_types);
	g_test_add_func("/web-headers/bytes", test_bytes);
	g_test_add_func("/web-headers/robots-tag", test_robots_tag);
	g_test_add_func("/web-headers/times", test_times);
	return g_test_run();
}
