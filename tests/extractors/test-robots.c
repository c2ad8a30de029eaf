/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test-robots.c - what the extractor of robots.txt sends, through the sandbox */
#include <config.h>
#include "tests/extractors/converter-test.h"
#include <string.h>

/* The links of the file, a line each: kind, href, text. The caller frees it. */
static char *links_of(Fixture *f, const char *text)
{
	GString *out = g_string_new(NULL);
	ConvertRequest request = request_of(text, "robots.txt");

	request.purpose = JOB_ROBOTS;
	g_autoptr(Document) doc = converter_run(f->converter, &request, NULL);
	g_assert_cmpint(doc->state, ==, STATE_OK);
	g_assert_cmpstr(doc->extractor, ==, "robots");
	for (guint i = 0; i < doc->links->len; i++) {
		const DocLink *link = &g_array_index(doc->links, DocLink, i);
		g_string_append_printf(
		        out, "%s %s %s\n", document_link_name(link->kind), link->href, link->text);
	}
	return g_string_free(out, FALSE);
}

static void assert_links(Fixture *f, const char *text, const char *wanted)
{
	g_autofree char *links = links_of(f, text);

	g_assert_cmpstr(links, ==, wanted);
}

static void test_groups(Fixture *f, gconstpointer data)
{
	assert_links(f,
	        "disallow: /before\nUser-Agent: A\nuser-agent: *\ndisallow: /x\n"
	        "user-agent: B2 words\nallow: /y\n",
	        "agent a 0\nagent * 0\ndisallow /x 0\nagent b 1\nagent b2 1\nallow /y 1\n");
	/* only rules end a list of agents, and empty ones do too */
	assert_links(f,
	        "user-agent: a\nsitemap: /s\ncrawl-delay: 1\nxyzzy: 1\nuser-agent: b\n"
	        "disallow:\nuser-agent: c\n",
	        "agent a 0\nsitemap /s \nagent a 1\ndelay 1.000 1\nagent b 0\nagent c 2\n");
	assert_links(f, "user-agent: *x\nuser-agent: * x\nuser-agent: \xc3\xbc\nallow: /\n",
	        "agent * 0\nallow / 0\n");
}

static void test_delays(Fixture *f, gconstpointer data)
{
	assert_links(f,
	        "crawl-delay: 9\nuser-agent: a\ncrawl-delay: 2.5 s\nCrawl-Delay: -1\n"
	        "crawl-delay: inf\ncrawl-delay: 1e9\ncrawl-delay:\n",
	        "agent a 0\nagent a 1\ndelay 2.500 1\n");
	/* a delay is for the agents right above it, and their rules are one group */
	assert_links(f,
	        "user-agent: a\nuser-agent: b\ncrawl-delay: 60\nuser-agent: *\ndisallow: /x\n"
	        "crawl-delay: 1\ncrawl-delay: 2\n",
	        "agent a 0\nagent b 0\nagent a 1\nagent b 1\ndelay 60.000 1\nagent * 0\n"
	        "disallow /x 0\nagent * 2\ndelay 1.000 2\ndelay 2.000 2\n");
}

static void test_patterns(Fixture *f, gconstpointer data)
{
	assert_links(f,
	        "user-agent: a\nallow: /i/index.html # words\nallow: /index.htm\n"
	        "allow: /index.htm/x\ndisallow: /index.html\n",
	        "agent a 0\nallow /i/index.html 0\nallow /i/$ 0\nallow /index.htm 0\nallow /$ 0\n"
	        "allow /index.htm/x 0\ndisallow /index.html 0\n");
	assert_links(f, "user-agent: a\ndisallow: /%c3\xc3%zz\nallow /a b\nallow\t/c\n",
	        "agent a 0\ndisallow /%C3%C3%zz 0\nallow /c 0\n");
}

static void test_long_lines(Fixture *f, gconstpointer data)
{
	g_autofree char *path = g_strnfill(20000, 'a');
	g_autofree char *text = g_strdup_printf("user-agent: a\nallow:%s\nallow: /b", path);
	g_autofree char *links = links_of(f, text);
	g_autofree char *wanted = g_strdup_printf("agent a 0\nallow %.*s 0\nallow /b 0\n",
	        2083 * 8 - 1 - (int)strlen("allow:"), path);

	g_assert_cmpstr(links, ==, wanted);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add("/robots/groups", Fixture, NULL, fixture_up, test_groups, fixture_down);
	g_test_add("/robots/delays", Fixture, NULL, fixture_up, test_delays, fixture_down);
	g_test_add("/robots/patterns", Fixture, NULL, fixture_up, test_patterns, fixture_down);
	g_test_add("/robots/long-lines", Fixture, NULL, fixture_up, test_long_lines, fixture_down);
	return g_test_run();
}
