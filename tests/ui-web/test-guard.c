/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-web/browse-guard.h"
#include <glib.h>
#include <string.h>

enum { PORT = 4711 };

static BrowseVerdict verdict_of(BrowseGuard *guard, BrowseClaims claims)
{
	claims.method = claims.method ? claims.method : "GET";
	claims.path = claims.path ? claims.path : "/";
	claims.host = claims.host ? claims.host : guard->host;
	return browse_guard_check(guard, &claims);
}

static void test_secrets(void)
{
	BrowseGuard a, b;
	g_assert_true(browse_guard_init(&a, PORT) && browse_guard_init(&b, PORT));
	g_assert_cmpuint(strlen(a.token), ==, 2 * GUARD_SECRET_BYTES);
	g_assert_cmpuint(strlen(a.cookie), ==, 2 * GUARD_SECRET_BYTES);
	g_assert_cmpstr(a.token, !=, b.token);
	g_assert_cmpstr(a.cookie, !=, b.cookie);
	g_assert_cmpstr(a.token, !=, a.cookie);
	g_assert_cmpstr(a.origin, ==, "http://127.0.0.1:4711");
}

static void test_token(void)
{
	BrowseGuard guard;
	char token[sizeof guard.token];
	g_assert_true(browse_guard_init(&guard, PORT));
	g_strlcpy(token, guard.token, sizeof token);
	const BrowseClaims right = {.token = token}, wrong = {.token = guard.cookie};
	const BrowseClaims empty = {.token = ""};
	g_assert_cmpint(verdict_of(&guard, empty), ==, GUARD_TOKEN);
	g_assert_cmpint(verdict_of(&guard, wrong), ==, GUARD_TOKEN);
	g_assert_cmpint(verdict_of(&guard, (BrowseClaims){.token = token, .path = "/hits"}), ==,
	        GUARD_TOKEN);
	g_assert_cmpint(verdict_of(&guard, (BrowseClaims){.token = token, .host = "evil.example"}),
	        ==, GUARD_HOST);
	g_assert_cmpint(verdict_of(&guard, (BrowseClaims){.token = token, .method = "HEAD"}), ==,
	        GUARD_METHOD);
	g_assert_cmpint(verdict_of(&guard, right), ==, GUARD_EXCHANGE);
	g_assert_cmpint(verdict_of(&guard, right), ==, GUARD_TOKEN);
	/* once it is used, the empty text is not right either */
	g_assert_cmpint(verdict_of(&guard, empty), ==, GUARD_TOKEN);
}

typedef struct {
	const char *method, *path, *origin, *site;
	BrowseVerdict wanted;
} Case;

static void test_origins(void)
{
	static const Case cases[] = {
	        {"GET", "/", NULL, NULL, GUARD_OK},
	        {"HEAD", "/", NULL, "none", GUARD_OK},
	        {"GET", "/hits", "http://127.0.0.1:4711", "same-origin", GUARD_OK},
	        {"GET", "/", NULL, "same-site", GUARD_ORIGIN},
	        {"GET", "/", NULL, "cross-site", GUARD_ORIGIN},
	        {"GET", "/", "http://127.0.0.1:4712", NULL, GUARD_ORIGIN},
	        {"GET", "/", "null", NULL, GUARD_ORIGIN},
	        {"POST", "/open", "http://127.0.0.1:4711", NULL, GUARD_OK},
	        {"POST", "/open", "http://127.0.0.1:4711", "same-origin", GUARD_OK},
	        {"POST", "/open", "null", "same-origin", GUARD_OK},
	        {"POST", "/open", "null", NULL, GUARD_ORIGIN},
	        {"POST", "/open", "null", "none", GUARD_ORIGIN},
	        {"POST", "/open", NULL, NULL, GUARD_ORIGIN},
	        {"POST", "/open", NULL, "none", GUARD_ORIGIN},
	        {"POST", "/open", "http://127.0.0.1:4711", "cross-site", GUARD_ORIGIN},
	        {"POST", "/", "http://127.0.0.1:4711", "same-origin", GUARD_METHOD},
	        {"GET", "/open", NULL, "same-origin", GUARD_METHOD},
	        {"HEAD", "/bye", NULL, "same-origin", GUARD_METHOD},
	        {"PUT", "/", NULL, NULL, GUARD_METHOD},
	        {"get", "/", NULL, NULL, GUARD_METHOD},
	};
	BrowseGuard guard;
	g_assert_true(browse_guard_init(&guard, PORT));
	g_autofree char *cookies = g_strdup_printf("tarsier-4711=%s", guard.cookie);
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		const Case *one = &cases[i];
		const BrowseClaims claims = {.method = one->method,
		        .path = one->path,
		        .origin = one->origin,
		        .site = one->site,
		        .cookies = cookies};
		if (verdict_of(&guard, claims) != one->wanted)
			g_error("case %zu: %d", i, verdict_of(&guard, claims));
	}
}

static BrowseVerdict cookie_verdict(BrowseGuard *guard, const char *format, const char *value)
{
	/* %s may stand there several times */
	g_auto(GStrv) parts = format ? g_strsplit(format, "%s", -1) : NULL;
	g_autofree char *header = parts ? g_strjoinv(value, parts) : NULL;
	return verdict_of(guard, (BrowseClaims){.cookies = header});
}

static void test_cookie(void)
{
	static const char *const right[] = {"tarsier-4711=%s", "a=b; tarsier-4711=%s; c=d",
	        "tarsier-4711=x; tarsier-4711=%s", "tarsier-4711=%s;tarsier-4711=x",
	        "tarsier-4711=; a={\"b\": 1};; =; \xff=\xfe; tarsier-4711=%s "};
	static const char *const wrong[] = {NULL, "", "%s", "tarsier-4711=", "tarsier-4711=%s0",
	        "tarsier-4711", "tarsier-4712=%s", "xtarsier-4711=%s", "tarsier-4711 =%s",
	        "a=tarsier-4711=%s", "tarsier-4711=\"%s\"", "tarsier-4711=%s,%s"};
	BrowseGuard guard;
	g_assert_true(browse_guard_init(&guard, PORT));
	for (size_t i = 0; i < G_N_ELEMENTS(right); i++)
		g_assert_cmpint(cookie_verdict(&guard, right[i], guard.cookie), ==, GUARD_OK);
	for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++)
		g_assert_cmpint(cookie_verdict(&guard, wrong[i], guard.cookie), ==, GUARD_COOKIE);
	g_autofree char *other = g_strdup(guard.cookie);
	other[0] = other[0] == '0' ? '1' : '0';
	const char *const values[] = {guard.cookie + 1, guard.token, other};
	for (size_t i = 0; i < G_N_ELEMENTS(values); i++)
		g_assert_cmpint(
		        cookie_verdict(&guard, "tarsier-4711=%s", values[i]), ==, GUARD_COOKIE);
	g_autofree char *cookies = g_strdup_printf("tarsier-4711=%s", guard.cookie);
	g_assert_cmpint(verdict_of(&guard, (BrowseClaims){.cookies = cookies, .repeated = true}),
	        ==, GUARD_HOST);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/ui-web/guard/secrets", test_secrets);
	g_test_add_func("/ui-web/guard/token", test_token);
	g_test_add_func("/ui-web/guard/origins", test_origins);
	g_test_add_func("/ui-web/guard/cookie", test_cookie);
	return g_test_run();
}
