/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/doc-text.h"
#include <string.h>

static void add(Document *doc, DocTag tag, unsigned flags, const char *text)
{
	g_assert_true(document_add_text(doc, tag, flags, text, strlen(text)));
}

/* A document with two pages, a heading, an inline tag and noise. */
static Document *sample(void)
{
	Document *doc = document_new(NULL);
	doc->mime = g_strdup("text/html");
	document_add_fact(doc, FIELD_TITLE, "A <b>", 5);
	document_add_break(doc, BREAK_PAGE, 1, NULL);
	add(doc, TAG_HEADING1, DOC_RUN_BLOCK, "Head & more");
	add(doc, TAG_BODY, DOC_RUN_BLOCK, "some ");
	add(doc, TAG_EMPHASIS, 0, "strong");
	add(doc, TAG_BODY, 0, " words");
	add(doc, TAG_NOISE, DOC_RUN_BLOCK, "menu");
	document_add_break(doc, BREAK_PAGE, 2, "ii");
	add(doc, TAG_BODY, DOC_RUN_BLOCK,
	        "next \xc2\x9b"
	        "31m");
	return doc;
}

static char *text_of(Document *doc, DocTextForm form)
{
	g_autoptr(GPtrArray) docs = g_ptr_array_new();
	GString *out = g_string_new(NULL);
	g_ptr_array_add(docs, doc);
	doc_text_append(out, docs, &form);
	return g_string_free(out, FALSE);
}

static void test_xml(void)
{
	g_autoptr(Document) doc = sample();
	g_autofree char *text = text_of(doc, (DocTextForm){0});
	g_assert_cmpstr(text, ==,
	        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<documents format=\"1\">\n"
	        "<document mime=\"text/html\" state=\"ok\">\n<meta>\n<title>A "
	        "&lt;b&gt;</title>\n</meta>\n<text>\n"
	        "<page n=\"1\"/>\n<heading1>Head &amp; more</heading1>\n"
	        "<body>some <emphasis>strong</emphasis> words</body>\n<noise>menu</noise>\n"
	        "<page n=\"2\" label=\"ii\"/>\n<body>next \xc2\x9b"
	        "31m</body>\n</text>\n</document>\n</documents>\n");
}

static void test_plain_leaves_noise_out(void)
{
	g_autoptr(Document) doc = sample();
	g_autofree char *main_text = text_of(doc, (DocTextForm){.plain = true});
	g_assert_cmpstr(main_text, ==,
	        "Head & more\nsome strong words\n\nnext \xc2\x9b"
	        "31m\n");
	g_autofree char *all = text_of(doc, (DocTextForm){.plain = true, .noise = true});
	g_assert_nonnull(strstr(all, "menu\n"));
}

static void test_one_page(void)
{
	g_autoptr(Document) doc = sample();
	g_autofree char *second = text_of(doc, (DocTextForm){.plain = true, .page = 2});
	g_assert_cmpstr(second, ==,
	        "next \xc2\x9b"
	        "31m\n");
	g_autofree char *first = text_of(doc, (DocTextForm){.plain = true, .page = 1});
	g_assert_cmpstr(first, ==, "Head & more\nsome strong words\n");
	g_assert_true(doc_has_page(doc, 2));
	g_assert_false(doc_has_page(doc, 3));
}

static void test_terminal_is_escaped(void)
{
	g_autoptr(Document) doc = sample();
	g_autofree char *text =
	        text_of(doc, (DocTextForm){.plain = true, .page = 2, .escape = true});
	g_assert_null(strstr(text, "\xc2\x9b"));
	g_assert_true(g_str_has_suffix(text, "31m\n"));
}

static void test_break_inside_a_run(void)
{
	g_autoptr(Document) doc = document_new(NULL);
	document_add_break(doc, BREAK_SLIDE, 1, NULL);
	add(doc, TAG_BODY, DOC_RUN_BLOCK, "one");
	document_add_break(doc, BREAK_SLIDE, 2, NULL);
	add(doc, TAG_BODY, 0, "two");
	g_assert_cmpuint(doc->runs->len, ==, 1);
	g_autofree char *second = text_of(doc, (DocTextForm){.plain = true, .page = 2});
	g_assert_cmpstr(second, ==, "two\n");
	g_autofree char *xml = text_of(doc, (DocTextForm){0});
	g_assert_nonnull(strstr(xml, "<body>one</body>\n<slide n=\"2\"/>\n<body>two</body>\n"));
}

static void test_meta_only(void)
{
	g_autoptr(Document) doc = sample();
	g_autofree char *text = text_of(doc, (DocTextForm){.plain = true, .meta = true});
	g_assert_cmpstr(text, ==, "title: A <b>\n");
}

static void test_what_xml_forbids(void)
{
	g_autoptr(Document) doc = document_new("a\"<\xff");
	add(doc, TAG_BODY, DOC_RUN_BLOCK, "x\001y\uFFFE");
	g_autofree char *text = text_of(doc, (DocTextForm){0});
	g_assert_nonnull(strstr(text, "member=\"a&quot;&lt;\uFFFD\""));
	g_assert_nonnull(strstr(text, "<body>x\uFFFDy\uFFFD</body>"));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/cli/doc-text/text-becomes-well-formed-xml", test_xml);
	g_test_add_func("/cli/doc-text/plain-leaves-noise-out", test_plain_leaves_noise_out);
	g_test_add_func("/cli/doc-text/one-page-can-be-chosen", test_one_page);
	g_test_add_func("/cli/doc-text/terminal-is-escaped", test_terminal_is_escaped);
	g_test_add_func("/cli/doc-text/a-page-break-splits-a-run", test_break_inside_a_run);
	g_test_add_func("/cli/doc-text/facts-without-text-are-printed", test_meta_only);
	g_test_add_func(
	        "/cli/doc-text/characters-that-xml-forbids-are-replaced", test_what_xml_forbids);
	return g_test_run();
}
