/* SPDX-License-Identifier: GPL-3.0-or-later */
/* snippets.c - what it costs to find the snippet of a document
 *
 * snippets FILE QUERY...: FILE is what "tarsier extract" prints; the blocks of its first text
 * become a document. Prints the size of the text, and for each query the CPU time of its snippet in
 * µs: the median of 25 calls. "valgrind --tool=callgrind --toggle-collect=snippet_make snippets
 * FILE QUERY once" counts the instructions of one call; it is built the same way in an older tree,
 * to compare. */
#include <config.h>
#include "index/search/snippet.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CALLS = 25 };

static DocTag tag_of(const char *name, size_t length)
{
	for (int tag = 0; tag < N_TAGS; tag++) {
		const char *other = document_tag_name(tag);
		if (strlen(other) == length && memcmp(other, name, length) == 0)
			return tag;
	}
	return N_TAGS;
}

/* Adds "<body>some <code>words</code></body>": the tag of each piece is the innermost one. */
static void add_block(Document *doc, const char *line)
{
	DocTag outer = tag_of(line + 1, strcspn(line + 1, ">")), tag = outer;
	unsigned flags = DOC_RUN_BLOCK;
	if (outer == N_TAGS)
		return;
	for (const char *p = strchr(line, '>') + 1; *p;) {
		size_t length = strcspn(p, "<");
		if (length > 0) {
			document_add_text(doc, tag, flags, p, length);
			flags = 0;
		}
		p += length;
		if (!*p)
			return;
		tag = p[1] == '/' ? outer : tag_of(p + 1, strcspn(p + 1, ">"));
		tag = tag == N_TAGS ? outer : tag;
		p += strcspn(p, ">") + 1;
	}
}

static Document *read_document(const char *path)
{
	g_autofree char *xml = NULL;
	if (!g_file_get_contents(path, &xml, NULL, NULL))
		exit(1);
	g_auto(GStrv) lines = g_strsplit(xml, "\n", -1);
	Document *doc = document_new(NULL);
	char **line = lines;
	while (*line && strcmp(*line, "<text>") != 0)
		line++;
	for (; *line && strcmp(*line, "</text>") != 0; line++)
		if (strncmp(*line, "<page ", 6) == 0)
			document_add_break(doc, BREAK_PAGE, atoi(*line + 9), NULL);
		else if (**line == '<' && strchr(*line, '>'))
			add_block(doc, *line);
	return doc;
}

static double call_us(const Document *doc, const Query *query)
{
	struct timespec before, after;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before);
	g_autoptr(GPtrArray) snippets = snippet_make(doc, query, 1, 240);
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after);
	return (after.tv_sec - before.tv_sec) * 1e6 + (after.tv_nsec - before.tv_nsec) / 1e3;
}

static int compare(const void *one, const void *other)
{
	double a = *(const double *)one, b = *(const double *)other;
	return (a > b) - (a < b);
}

int main(int argc, char **argv)
{
	static const QueryOptions options = {.cwd = "/"};
	bool once = argc > 3 && strcmp(argv[argc - 1], "once") == 0;
	int calls = once ? 1 : CALLS;
	if (argc < 3)
		return 2;
	g_autoptr(Document) doc = read_document(argv[1]);
	printf("%zu bytes of text\n", (size_t)doc->text->len);
	for (int i = 2; i < argc - once; i++) {
		QueryFault fault = {0};
		double us[CALLS];
		g_autoptr(Query) query = query_parse(argv[i], &options, &fault, NULL);
		if (!query)
			return 2;
		for (int k = 0; k < calls; k++)
			us[k] = call_us(doc, query);
		qsort(us, calls, sizeof us[0], compare);
		printf("%-40s %8.0f\n", argv[i], us[calls / 2]);
	}
	return 0;
}
