/* SPDX-License-Identifier: GPL-3.0-or-later */
/* suite-driver.c - answers what public suites ask of parsers that have no verb of their own
 *
 *	suite-driver url           lines of hex TAB hex (URL, base or nothing) -> parts, or
 *"failure" suite-driver path          a URL as it is written -> what robots.txt compares
 *	suite-driver fresh NOW     a block of headers -> seconds for which the answer is fresh
 *	suite-driver verdict AGENT URL  a robots.txt -> "allow" or "deny", as a crawl judges it
 *	suite-driver robots AGENT  a robots.txt -> "delay SECONDS", and all that it says, a line
 *each */
#include <config.h>
#include "common/url/robots-rules.h"
#include "common/url/url-canonical.h"
#include "common/url/url.h"
#include "daemon/web/web-headers.h"
#include "tests/extractors/converter-test.h"
#include <stdio.h>
#include <string.h>

static GString *read_input(void)
{
	GString *input = g_string_new(NULL);
	char bytes[4096];
	for (size_t n; (n = fread(bytes, 1, sizeof bytes, stdin)) > 0;)
		g_string_append_len(input, bytes, (gssize)n);
	return input;
}

static GString *decode_hex(const char *hex)
{
	GString *text = g_string_new(NULL);
	for (; g_ascii_isxdigit(hex[0]) && g_ascii_isxdigit(hex[1]); hex += 2)
		g_string_append_c(text,
		        (char)(g_ascii_xdigit_value(hex[0]) << 4 | g_ascii_xdigit_value(hex[1])));
	return text;
}

static void print_part(const char *before, const char *part)
{
	printf("\t%s%s", part && *part ? before : "", part ? part : "");
}

static void print_url(const Url *url)
{
	g_autofree char *text = url_text(url);
	printf("%s\t%s:", text, url->scheme);
	print_part("", url->username);
	print_part("", url->password);
	print_part("", url->host);
	if (url->port == URL_NO_PORT)
		printf("\t");
	else
		printf("\t%d", url->port);
	print_part("", url->path);
	print_part("?", url->query);
	print_part("#", url->fragment);
	printf("\n");
}

static void answer_url(const char *line)
{
	g_auto(GStrv) parts = g_strsplit(line, "\t", 2);
	g_autoptr(GString) text = decode_hex(parts[0]);
	g_autoptr(GString) base_text = decode_hex(parts[0] && parts[1] ? parts[1] : "");
	g_autoptr(Url) base =
	        base_text->len > 0 ? url_parse(base_text->str, (gssize)base_text->len, NULL, NULL)
	                           : NULL;
	g_autoptr(Url) url = base_text->len > 0 && !base
	                             ? NULL
	                             : url_parse(text->str, (gssize)text->len, base, NULL);
	if (url)
		print_url(url);
	else
		printf("failure\n");
}

static void answer_urls(void)
{
	g_autoptr(GString) input = read_input();
	g_auto(GStrv) lines = g_strsplit(input->str, "\n", -1);
	for (char **line = lines; *line && (line[1] || **line); line++)
		answer_url(*line);
}

static void answer_path(void)
{
	size_t length;
	bool needs_slash;
	g_autoptr(GString) url = read_input();
	const char *path = robots_url_path(url->str, url->len, &length, &needs_slash);
	printf("%s%.*s", needs_slash ? "/" : "", (int)length, path);
}

static void answer_fresh(int64_t now_s)
{
	g_autoptr(GString) headers = read_input();
	printf("%" G_GINT64_FORMAT "\n", web_fresh_s(headers->str, now_s, now_s));
}

/* The rules of the robots.txt of the standard input. */
static RobotsRules *read_rules(const char *agent, RobotsSpelling spelling, Document **doc_r)
{
	Fixture f;
	g_autoptr(GString) input = read_input();
	ConvertRequest request = request_of_bytes(input->str, input->len, "robots.txt");
	request.purpose = JOB_ROBOTS;
	fixture_up(&f, NULL);
	g_autoptr(Document) doc = converter_run(f.converter, &request, NULL);
	RobotsRules *rules = robots_rules_new(doc, agent, spelling);
	fixture_down(&f, NULL);
	*doc_r = g_steal_pointer(&doc);
	return rules;
}

/* As the crawl judges it: in canonical form. */
static void answer_verdict(const char *agent, const char *text)
{
	g_autoptr(Document) doc = NULL;
	g_autoptr(RobotsRules) rules = read_rules(agent, ROBOTS_CANONICAL, &doc);
	g_autofree char *url = url_canonical(text, -1, NULL, NULL); /* NULL: no crawl asks it */
	size_t length;
	bool needs_slash;
	const char *path =
	        robots_url_path(url ? url : text, strlen(url ? url : text), &length, &needs_slash);
	g_autofree char *whole =
	        g_strdup_printf("%s%.*s", needs_slash ? "/" : "", (int)length, path);
	printf("%s\n", robots_rules_allow(rules, whole, strlen(whole)) ? "allow" : "deny");
}

static void answer_robots(const char *agent)
{
	g_autoptr(Document) doc = NULL;
	g_autoptr(RobotsRules) rules = read_rules(agent, ROBOTS_AS_WRITTEN, &doc);
	printf("delay %g\n", robots_rules_delay(rules));
	for (guint i = 0; i < doc->links->len; i++) {
		const DocLink *link = &g_array_index(doc->links, DocLink, i);
		printf("%s %s\n", document_link_name(link->kind), link->href);
	}
}

int main(int argc, char **argv)
{
	const char *verb = argc > 1 ? argv[1] : "";
	if (strcmp(verb, "url") == 0)
		answer_urls();
	else if (strcmp(verb, "path") == 0)
		answer_path();
	else if (strcmp(verb, "fresh") == 0 && argc == 3)
		answer_fresh(g_ascii_strtoll(argv[2], NULL, 10));
	else if (strcmp(verb, "verdict") == 0 && argc == 4)
		answer_verdict(argv[2], argv[3]);
	else if (strcmp(verb, "robots") == 0 && argc == 3)
		answer_robots(argv[2]);
	else
		return 2;
	return 0;
}
