/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/url/url-name.h"
#include "common/url/url-canonical.h"
#include "common/url/url-origin.h"
#include "common/url/url-idna.h"
#include <string.h>

typedef struct {
	const char *input, *base;
	const char *wanted; /* NULL: no URL */
} UrlCase;

static char *resolved(const char *input, size_t length, const char *base_text)
{
	g_autoptr(Url) base = base_text ? url_parse(base_text, -1, NULL, NULL) : NULL;
	g_autoptr(Url) url = url_parse(input, length, base, NULL);

	g_assert_true(base || !base_text);
	return url ? url_text(url) : NULL;
}

static void check_urls(const UrlCase *cases)
{
	for (; cases->input; cases++) {
		g_autofree char *text = resolved(cases->input, strlen(cases->input), cases->base);
		if (g_strcmp0(text, cases->wanted) != 0)
			g_error("\"%s\" at \"%s\" is \"%s\", not \"%s\"", cases->input, cases->base,
			        text, cases->wanted);
	}
}

static void test_absolute(void)
{
	check_urls((const UrlCase[]){
	        {"HTTP://Example.ORG", NULL, "http://example.org/"},
	        {" \thttps://a.test/x y \n", NULL, "https://a.test/x%20y"},
	        {"ht\ntps://a.t\test/", NULL, "https://a.test/"},
	        {"https:a.test\\b\\..\\c", NULL, "https://a.test/c"},
	        {"https:////a.test", NULL, "https://a.test/"},
	        {"http://u:p@w@a.test:80/", NULL, "http://u:p%40w@a.test/"},
	        {"http://a.test:8080?q'#f\"", NULL, "http://a.test:8080/?q%27#f%22"},
	        {"http://a.test/%2E%2e/x/%2e", NULL, "http://a.test/x/"},
	        {"http://a.test:/", NULL, "http://a.test/"},
	        {"http://a.test:65536/", NULL, NULL},
	        {"http://a.test:8x/", NULL, NULL},
	        {"http://", NULL, NULL},
	        {"http://user@/x", NULL, NULL},
	        {"http://a b/", NULL, NULL},
	        {"http://a%2Fb/", NULL, NULL},
	        {"http://%41.test/", NULL, "http://a.test/"},
	        {"mailto:Someone@Example.org?x", NULL, "mailto:Someone@Example.org?x"},
	        {"data:a  #x", NULL, "data:a %20#x"},
	        {"x://Host/%zz\"", NULL, "x://Host/%zz%22"},
	        {"x:/a/..//b", NULL, "x:/.//b"},
	        {"x://a:1?q", NULL, "x://a:1?q"},
	        {"x://:1", NULL, NULL},
	        {"1x://a", NULL, NULL},
	        {"file:C|/a/../..", NULL, "file:///C:/"},
	        {"file://localhost/a", NULL, "file:///a"},
	        {"file://host/a", NULL, "file://host/a"},
	        {NULL},
	});
}

static void test_relative(void)
{
	check_urls((const UrlCase[]){
	        {"", "http://a.test/b/c?d#e", "http://a.test/b/c?d"},
	        {"x", "http://a.test/b/c?d#e", "http://a.test/b/x"},
	        {"?x", "http://a.test/b/c?d#e", "http://a.test/b/c?x"},
	        {"#x", "http://a.test/b/c?d#e", "http://a.test/b/c?d#x"},
	        {"../../x/.", "http://u@a.test:81/b/c", "http://u@a.test:81/x/"},
	        {"/x", "http://a.test/b/c", "http://a.test/x"},
	        {"//b.test", "https://a.test/b/c", "https://b.test/"},
	        {"http:x", "http://a.test/b/c", "http://a.test/b/x"},
	        {"https:x", "http://a.test/b/c", "https://x/"},
	        {"x", "mailto:someone", NULL},
	        {"#x", "mailto:someone", "mailto:someone#x"},
	        {"x", NULL, NULL},
	        {"../x", "x:/a/b/c", "x:/a/x"},
	        {"/..", "file:///C:/x", "file:///C:/"},
	        {"D:x", "file:///C:/y", "d:x"},
	        {"/x", "file://host/C:/y", "file://host/C:/x"},
	        {NULL},
	});
}

static void test_addresses(void)
{
	check_urls((const UrlCase[]){
	        {"http://127.1/", NULL, "http://127.0.0.1/"},
	        {"http://0x7f.0.0.010./", NULL, "http://127.0.0.8/"},
	        {"http://4294967295/", NULL, "http://255.255.255.255/"},
	        {"http://4294967296/", NULL, NULL},
	        {"http://1.2.3.256/", NULL, NULL},
	        {"http://1.2.3.4.5/", NULL, NULL},
	        {"http://a.1.2/", NULL, NULL},
	        {"http://1.a/", NULL, "http://1.a/"},
	        {"http://[1:0:0:2::]/", NULL, "http://[1:0:0:2::]/"},
	        {"http://[1:0:0:2:0:0:0:3]/", NULL, "http://[1:0:0:2::3]/"},
	        {"http://[::FFFF:127.0.0.1]/", NULL, "http://[::ffff:7f00:1]/"},
	        {"http://[1:2:3:4:5:6:7::]/", NULL, "http://[1:2:3:4:5:6:7:0]/"},
	        {"http://[1::2:3:4:5:6:7:8]/", NULL, NULL},
	        {"http://[1:::2]/", NULL, NULL},
	        {"http://[1::2::3]/", NULL, NULL},
	        {"http://[1:2:3:4:5:6:7]/", NULL, NULL},
	        {"http://[::1", NULL, NULL},
	        {"http://[::12345]/", NULL, NULL},
	        {"http://[::1.2.3]/", NULL, NULL},
	        {"http://[::01.2.3.4]/", NULL, NULL},
	        {"http://[::1:]/", NULL, NULL},
	        {"http://[]/", NULL, NULL},
	        {"x://[::1]/", NULL, "x://[::1]/"},
	        {NULL},
	});
}

static void test_names(void)
{
	check_urls((const UrlCase[]){
	        {"http://xn--a/", NULL, "http://xn--a/"},
	        {"http://A..b./", NULL, "http://a..b./"},
	        {NULL},
	});
	if (!url_idna_load()) {
		g_test_skip("needs ICU");
		return;
	}
	check_urls((const UrlCase[]){
	        {"http://B\xc3\xbc"
	         "cher.test/",
	                NULL, "http://xn--bcher-kva.test/"},
	        {"http://b%C3%BCcher.test/", NULL, "http://xn--bcher-kva.test/"},
	        {"http://fa\xc3\x9f.test/", NULL, "http://xn--fa-hia.test/"},
	        {"http://fa\xe1\xba\x9e.test/", NULL, "http://xn--fa-hia.test/"},
	        {"http://\xef\xbc\x91.2.3.4/", NULL, "http://1.2.3.4/"},
	        {"http://a\xc2\xad"
	         "b/",
	                NULL, "http://ab/"},
	        {"http://\xc2\xad/", NULL, NULL},
	        {"http://a%ff/", NULL, NULL},
	        {"http://a\xe2\x80\x8d"
	         "b/",
	                NULL, NULL},
	        {"x://\xc3\xbc/", NULL, "x://%C3%BC/"},
	        {NULL},
	});
}

static void test_limits(void)
{
	g_autofree char *longest = g_strnfill(URL_MAX_BYTES, 'a');
	g_autofree char *longer = g_strnfill(URL_MAX_BYTES + 1, 'a');
	const char *reason = NULL;

	memcpy(longest, "http://b/", strlen("http://b/"));
	memcpy(longer, "http://b/", strlen("http://b/"));
	g_autoptr(Url) url = url_parse(longest, -1, NULL, NULL);
	g_assert_nonnull(url);
	g_assert_null(url_parse(longer, -1, NULL, &reason));
	g_assert_nonnull(strstr(reason, "8 KiB"));
	g_assert_null(url_parse("http://a/\xff", -1, NULL, &reason));
	g_assert_nonnull(strstr(reason, "UTF-8"));

	static const char with_nul[] = "http://a/b\0c?\0d";
	g_autofree char *nul = resolved(with_nul, sizeof with_nul - 1, NULL);
	g_assert_cmpstr(nul, ==, "http://a/b%00c?%00d");
}

static void test_canonical(void)
{
	static const UrlCase cases[] = {
	        {"Http://Example.ORG.:80", NULL, "http://example.org/"},
	        {"example.org/a?", NULL, "http://example.org/a"},
	        {"example.org", NULL, "http://example.org/"},
	        {"word", NULL, NULL},
	        {"a@example.org", NULL, NULL},
	        {"/page", NULL, NULL},
	        {"http://u:p@a.test/#f", NULL, "http://a.test/"},
	        {"http://a.test//b///c/", NULL, "http://a.test/b/c/"},
	        {"http://a.test/b//../c", NULL, "http://a.test/b/c"},
	        {"http://a.test/%7ex%2f%c3%a9%", NULL, "http://a.test/~x%2F%C3%A9%25"},
	        {"http://a.test/[x]|^", NULL, "http://a.test/%5Bx%5D%7C%5E"},
	        {"http://a.test/?b=2&a=2&a=1&&=x&c=", NULL, "http://a.test/?a=2&a=1&b=2&c"},
	        {"http://a.test/?%61=1&=&", NULL, "http://a.test/?a=1"},
	        {"http://a.test/?PHPSESSID=0&x=1", NULL, "http://a.test/?x=1"},
	        {"http://a.test/?JSessionId=0", NULL, "http://a.test/"},
	        {"http://a.test/?sid=1", NULL, "http://a.test/?sid=1"},
	        {"?b&a", "http://a.test/x#y", "http://a.test/x?a&b"},
	        {"http:////", NULL, "http:/"},
	        {"http:////", "http://a.test/", NULL},
	        {"file:/a//b", NULL, "file:/a/b"},
	        {"file:///a/../b", NULL, "file:///b"},
	        {"x://u@h/a#b", NULL, "x://h/a"},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(Url) base =
		        cases[i].base ? url_parse(cases[i].base, -1, NULL, NULL) : NULL;
		g_autofree char *text = url_canonical(cases[i].input, -1, base, NULL);
		g_assert_cmpstr(text, ==, cases[i].wanted);
		g_autofree char *again = text ? url_canonical(text, -1, NULL, NULL) : NULL;
		g_assert_cmpstr(again, ==, text);
	}
}

static void test_origin(void)
{
	static const struct {
		const char *url, *origin, *path, *place;
		bool local;
	} rows[] = {
	        {"https://example.org/", "https://example.org", "/", "example.org:443", false},
	        {"http://example.org:81/a?b", "http://example.org:81", "/a?b", "example.org:81",
	                false},
	        {"http://[::1]:8080/x", "http://[::1]:8080", "/x", "[::1]:8080", true},
	        {"http://127.0.0.1/", "http://127.0.0.1", "/", "127.0.0.1:80", true},
	        {"http://wiki/a", "http://wiki", "/a", "wiki:80", true},
	        {"https://nas.lan/", "https://nas.lan", "/", "nas.lan:443", true},
	        {"https://lan.example/", "https://lan.example", "/", "lan.example:443", false},
	        {"ftp://example.org/", NULL, NULL, NULL, false},
	        {"http:/", NULL, NULL, NULL, false},
	        {"http:///a", NULL, NULL, NULL, false},
	        {"/etc", NULL, NULL, NULL, false},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		const char *path = NULL;
		g_autofree char *origin = url_origin(rows[i].url, &path);
		g_autofree char *place = url_place(rows[i].url);
		g_assert_cmpstr(origin, ==, rows[i].origin);
		g_assert_cmpstr(path, ==, rows[i].path);
		g_assert_cmpstr(place, ==, rows[i].place);
		g_assert_true(url_host_is_local(rows[i].url) == rows[i].local);
	}
}

static void test_site_lengths(void)
{
	static const char *const cases[][2] = {
	        {"/", "/"},
	        {"/docs", "/docs"},
	        {"/docs/", "/docs/"},
	        {"/docs/index.html", "/docs/"},
	        {"/docs/index.html?v=1.2/x", "/docs/"},
	        {"/docs?v=1.2/x", "/docs"},
	        {"/v1.2/docs", "/v1.2/docs"},
	        {"/index.html", "/"},
	        {"https://example.org/", "https://example.org/"},
	        {"https://example.org/docs?a", "https://example.org/docs"},
	        {"https://example.org/a.b", "https://example.org/"},
	        {"", ""},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *site = g_strndup(cases[i][0], url_site_length(cases[i][0]));
		g_assert_cmpstr(site, ==, cases[i][1]);
	}
}

static void test_site_ends(void)
{
	g_assert_true(url_site_has("/docs", "/docs"));
	g_assert_true(url_site_has("/docs", "/docs/a"));
	g_assert_true(url_site_has("/docs", "/docs?b"));
	g_assert_true(url_site_has("/", "/docs2"));
	g_assert_false(url_site_has("/docs", "/docs2"));
	g_assert_false(url_site_has("/docs", "/docs.html"));
	g_assert_false(url_site_has("/docs/", "/docs"));
}

static void test_page_names(void)
{
	static const struct {
		const char *url, *name;
	} cases[] = {
	        {"https://example.org/a/b.html", "b.html"},
	        {"https://example.org/a/b.html?c=/d#e/f", "b.html"},
	        {"https://example.org/a/b/", "b"},
	        {"https://example.org/", "example.org"},
	        {"https://example.org:8080", "example.org:8080"},
	        {"https://example.org/L%C3%A4mp%20one", "L\xc3\xa4mp one"},
	        {"https://example.org/a%2Fb", "a%2Fb"},
	        {"https://example.org/%00%FF", "%00%FF"},
	        {"https://example.org/?a", "example.org"},
	        {"://", ""},
	        {"", ""},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *name = url_name(cases[i].url);
		g_assert_cmpstr(name, ==, cases[i].name);
	}
	g_autofree char *file = url_or_path_name("/a/b c"), *page = url_or_path_name("http://a/b");
	g_assert_cmpstr(file, ==, "b c");
	g_assert_cmpstr(page, ==, "b");
}

static void test_sites(void)
{
	static const struct {
		const char *url, *site;
		bool same;
	} cases[] = {
	        {"https://example.org/a", "example.org", true},
	        {"https://www.example.org/a", "example.org", true},
	        {"https://wexample.org/a", "example.org", false},
	        {"https://example.org.evil.test/", "example.org", false},
	        {"https://evil.test/example.org", "example.org", false},
	        {"https://evil.test/?://example.org/", "example.org", false},
	        {"https://example.org/docs", "example.org/docs", true},
	        {"https://example.org/docs/a", "example.org/docs", true},
	        {"https://example.org/docs?a", "example.org/docs", true},
	        {"https://example.org/docs2", "example.org/docs", false},
	        {"https://example.org/a/docs", "example.org/docs", false},
	        {"https://example.org:8080/", "example.org", true},
	        {"https://example.org:8080/", "example.org:8080", true},
	        {"https://example.org:8080/", "example.org:80", false},
	        {"https://example.org/", "example.org:443", true},
	        {"http://example.org/", "example.org:443", false},
	        {"https://[2001:db8::1]:8080/a", "[2001:db8::1]", true},
	        {"https://[2001:db8::1]/a", "[2001:db8::2]", false},
	        {"https://example.org/a", "https://example.org", true},
	        {"http://example.org/a", "https://example.org", false},
	        {"https://www.example.org/a", "https://example.org", false},
	        {"https://example.org:8080/a", "https://example.org", false},
	        {"https://example.org/a", "https://example.org/a", true},
	        {"/home/example.org", "example.org", false},
	        {"https://example.org/", "", false},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
		if (url_is_of_site(cases[i].url, cases[i].site) != cases[i].same)
			g_error("%s, %s", cases[i].url, cases[i].site);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/url/absolute", test_absolute);
	g_test_add_func("/url/relative", test_relative);
	g_test_add_func("/url/addresses", test_addresses);
	g_test_add_func("/url/names", test_names);
	g_test_add_func("/url/limits", test_limits);
	g_test_add_func("/url/canonical", test_canonical);
	g_test_add_func("/url/origin-and-place", test_origin);
	g_test_add_func("/url/site-begins-like-its-url", test_site_lengths);
	g_test_add_func("/url/site-ends-with-a-name", test_site_ends);
	g_test_add_func("/url/name-is-last-segment", test_page_names);
	g_test_add_func("/url/site-is-host-and-path", test_sites);
	return g_test_run();
}
