/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_url.c - fuzzes URLs: the first line is one, a second line is its base
 *
 * The written form of a URL must be read as the same URL, and its canonical form must be its own.
 */
#include <config.h>
#include "common/url/robots-pattern.h"
#include "common/url/robots-rules.h"
#include "common/url/url-canonical.h"
#include "tests/fuzz/fuzz.h"
#include <string.h>

const char *const fuzz_seeds[] = {"tests/fuzz/seeds/url/*", NULL};

static void check_written(const Url *url)
{
	g_autofree char *text = url_text(url);
	for (const char *at = text; *at; at++)
		g_assert_true(*at >= ' ' && *at < 0x7f);
	if (strlen(text) > URL_MAX_BYTES)
		return;
	g_autoptr(Url) again = url_parse(text, -1, NULL, NULL);
	g_assert_nonnull(again);
	g_autofree char *text_again = url_text(again);
	g_assert_cmpstr(text_again, ==, text);
}

static void check_canonical(const char *text, size_t length, const Url *base)
{
	g_autofree char *canonical = url_canonical(text, length, base, NULL);
	if (!canonical || strlen(canonical) > URL_MAX_BYTES)
		return;
	g_autofree char *again = url_canonical(canonical, -1, NULL, NULL);
	g_assert_cmpstr(again, ==, canonical);
}

/* A pattern and a delay in one group; what matches the pattern is denied. */
static void check_rules(const char *pattern, const char *path, size_t length)
{
	g_autoptr(Document) doc = document_new(NULL);

	document_add_link(doc, LINK_AGENT, 0, "*", "0");
	document_add_link(doc, LINK_DISALLOW, 0, pattern, "0");
	document_add_link(doc, LINK_ALLOW, 0, "/allowed", "0");
	document_add_link(doc, LINK_DELAY, 0, pattern, "0");
	g_autoptr(RobotsRules) written = robots_rules_new(doc, "agent", ROBOTS_AS_WRITTEN);
	g_autoptr(RobotsRules) canonical = robots_rules_new(doc, "agent", ROBOTS_CANONICAL);
	if (*pattern && robots_match(pattern, path, length) &&
	        !robots_match("/allowed", path, length))
		g_assert_false(robots_rules_allow(written, path, length));
	robots_rules_allow(canonical, path, length);
	g_assert_true(robots_rules_delay(written) >= -1);
}

static void check_path(const char *text, size_t length)
{
	size_t n;
	bool needs_slash;
	const char *path = robots_url_path(text, length, &n, &needs_slash);
	g_assert_true(n <= MAX(length, 1));
	g_autofree char *pattern = g_strndup(path, n);
	if (!strpbrk(pattern, "*$"))
		g_assert_true(robots_match(pattern, path, n) || memchr(path, 0, n));
	check_rules(pattern, text, length);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = size > 0 ? (const char *)data : "";
	const char *newline = memchr(text, '\n', size);
	size_t length = newline ? (size_t)(newline - text) : size;
	g_autoptr(Url) base =
	        newline ? url_parse(newline + 1, size - length - 1, NULL, NULL) : NULL;
	g_autoptr(Url) url = url_parse(text, length, base, NULL);
	if (base)
		check_written(base);
	if (url)
		check_written(url);
	check_canonical(text, length, base);
	check_path(text, length);
	return 0;
}
