/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test-real-title.c - titles that nobody chose, and what takes their place */
#include <config.h>
#include "index/text/real-title.h"
#include "index/text/terms.h"
#include <string.h>

static const char *const nothing[] = {"", " \n", "1", "...", "x", "123456", "\u2014", "Untitled",
        "UNTITLED", "untitled-1", "Untitled 2", "Untitled (3)", "Untitled Document", "Unbenannt 1",
        "Unbenanntes Dokument", "Ohne Titel", "Sans titre", "Document sans titre", "Sin título",
        "SIN TITULO 1", "Senza titolo", "Sem título", "Naamloos", "Namnlös", "Bez tytułu",
        "Bez názvu", "Без имени 1", "Безымянный", "Документ1", "無題", "名称未設定 2", "无标题",
        "제목 없음", "Başlıksız", "Document1", "Dokument2", "Book1", "Mappe1", "Slide 1",
        "Folie 12", "Layout 1", "Sheet1", "Page 3", "Track 01", "PowerPoint Presentation",
        "PowerPoint-Präsentation", "Présentation PowerPoint", "Презентация PowerPoint",
        "Microsoft Word - x.doc", "Microsoft Word - Dokument2", "microsoft word - Report",
        "Microsoft PowerPoint - talk.ppt", "LibreOffice Writer", "Normal.dotm", "draft.docx",
        "my long letter.doc", "scan0001.PDF", "/home/build/tmp/out.html", "C:\\Users\\mk\\a.docx",
        "C:/tmp/a b.docx", "\\\\server\\share\\a", "file:///tmp/a b.html", "http://example.org/",
        "www.example.org", "about:blank", "123e4567-e89b-12d3-a456-426614174000",
        "d41d8cd98f00b204e9800998ecf8427e"};
static const char *const titles[] = {"Lease agreement", "1984", "2001", "C++", "R2", "Budget",
        "Inventory", "Untitled goose", "Document management", "The untitled document", "Page",
        "Sheet music", "Slide", "Chapter 3", "Node.js", "ASP.NET", "PowerPoint presentation tips",
        "Microsoft Word shortcuts", "Using Microsoft Word - a course", "How to write a .doc file",
        "About http://example.org/", "and/or", "/etc", "T: the letter", "無題の手紙", "愛",
        "Война и мир", "deadbeef", "2024-01-05 minutes", "Version 1.2"};

static void test_table(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(nothing); i++) {
		g_test_message("%s", nothing[i]);
		g_assert_true(title_says_nothing(nothing[i], "application/pdf"));
		g_assert_true(title_says_nothing(nothing[i], NULL));
	}
	for (size_t i = 0; i < G_N_ELEMENTS(titles); i++) {
		g_test_message("%s", titles[i]);
		g_assert_false(title_says_nothing(titles[i], "application/pdf"));
	}
}

static void test_message(void)
{
	g_assert_false(title_says_nothing("Untitled", "message/rfc822"));
	g_assert_false(title_says_nothing("scan0001.pdf", "message/rfc822"));
}

/* ---- documents */

static Document *document_of(const char *mime, const char *title)
{
	Document *doc = document_new(NULL);
	doc->mime = g_strdup(mime);
	if (title)
		g_assert_true(document_add_fact(doc, FIELD_TITLE, title, strlen(title)));
	return doc;
}

static void add_block(Document *doc, DocTag tag, const char *text)
{
	g_assert_true(document_add_text(doc, tag, DOC_RUN_BLOCK, text, strlen(text)));
}

static void assert_title(const Document *doc, const char *wanted)
{
	g_autofree char *title = real_title_text(doc);
	g_assert_cmpstr(title, ==, wanted);
}

static void test_heading(void)
{
	g_autoptr(Document) doc = document_of("application/pdf", "Untitled");
	assert_title(doc, NULL);
	add_block(doc, TAG_BODY, "Something before.");
	add_block(doc, TAG_HEADING2, "Side bar");
	assert_title(doc, "Side bar");
	add_block(doc, TAG_HEADING1, "Page 1");
	assert_title(doc, "Side bar");
	add_block(doc, TAG_HEADING1, "Harbour\n ");
	g_assert_true(document_add_text(doc, TAG_EMPHASIS, 0, "cranes", strlen("cranes")));
	add_block(doc, TAG_HEADING1, "Another");
	assert_title(doc, "Harbour cranes");
}

static void test_no_title(void)
{
	g_autoptr(Document) doc = document_of("text/html", NULL);
	add_block(doc, TAG_HEADING3, "Bread");
	assert_title(doc, "Bread");
}

static void test_chosen(void)
{
	g_autoptr(Document) doc = document_of("text/html", "Untitled");
	g_assert_true(document_add_fact(doc, FIELD_TITLE, "Chosen\ttitle ", 13));
	add_block(doc, TAG_HEADING1, "Heading");
	assert_title(doc, "Chosen title");
	g_assert_true(real_title_of(doc).whole_fact);
}

static void test_mail(void)
{
	g_autoptr(Document) mail = document_of("message/rfc822", "Untitled"),
	                    none = document_of("message/rfc822", NULL);
	add_block(mail, TAG_HEADING1, "Heading");
	add_block(none, TAG_HEADING1, "Heading");
	assert_title(mail, "Untitled");
	assert_title(none, NULL);
}

static void test_far_and_long(void)
{
	g_autofree char *far = g_strnfill(20000, 'a'), *wide = g_strnfill(500, 'a');
	g_autoptr(Document) doc = document_of("application/pdf", NULL);
	add_block(doc, TAG_HEADING1, wide);
	add_block(doc, TAG_BODY, far);
	add_block(doc, TAG_HEADING1, "Late");
	assert_title(doc, NULL);
}

static void test_file_name(void)
{
	g_autoptr(Document) doc =
	        document_of("application/pdf", "Microsoft Word - Harbour cranes inspection.doc"),
	                    few = document_of("application/pdf", "Microsoft Word - cranes.doc"),
	                    place = document_of("application/pdf", "/tmp/harbour/cranes/in.doc");
	assert_title(doc, "Harbour cranes inspection");
	assert_title(few, NULL);
	assert_title(place, NULL);
	add_block(doc, TAG_HEADING1, "Cranes");
	assert_title(doc, "Cranes");
}

/* ---- the terms of the title */

static void take_title_term(
        void *data, TextColumn column, const char *term, int length, TermKind kind)
{
	GString **out = data;
	(void)kind;
	if (column == COLUMN_TITLE || column == COLUMN_COMMENT)
		g_string_append_printf(out[column == COLUMN_COMMENT], "%.*s ", length, term);
}

static void test_terms(void)
{
	g_autoptr(GString) title = g_string_new(NULL), comment = g_string_new(NULL);
	GString *out[] = {title, comment};
	g_autoptr(Document) doc = document_of("application/pdf", "Unbenannt 1");
	add_block(doc, TAG_HEADING1, "Harbour cranes");
	terms_each(doc, take_title_term, out);
	g_assert_cmpstr(title->str, ==, "harbour cranes ");
	g_assert_cmpstr(comment->str, ==, "unbenannt 1 ");
}

/* In pieces, no word of it is lost or counted twice. */
static void test_pieces(void)
{
	g_autoptr(Document) doc = document_of("application/pdf", "Unbenannt 1");
	Terms whole, pieces;
	Fingerprint print, same;
	unsigned slices;
	doc->member = g_strdup("some/member.pdf");
	add_block(doc, TAG_HEADING1, "Harbour cranes of the north");
	terms_init(&whole);
	terms_init(&pieces);
	terms_of_document(&whole, doc, NULL, &print);
	TermsWork *work = terms_begin(&pieces, doc, NULL);
	while (terms_continue(work, 1))
		;
	terms_end(work, &same, &slices);
	g_assert_cmpuint(print.words, ==, same.words);
	for (int i = 0; i < N_COLUMNS; i++)
		g_assert_cmpmem(whole.columns[i]->data, whole.columns[i]->len,
		        pieces.columns[i]->data, pieces.columns[i]->len);
	terms_clear(&whole);
	terms_clear(&pieces);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/index/real-title/table", test_table);
	g_test_add_func("/index/real-title/message", test_message);
	g_test_add_func("/index/real-title/heading", test_heading);
	g_test_add_func("/index/real-title/no-title", test_no_title);
	g_test_add_func("/index/real-title/chosen", test_chosen);
	g_test_add_func("/index/real-title/mail", test_mail);
	g_test_add_func("/index/real-title/far-and-long", test_far_and_long);
	g_test_add_func("/index/real-title/file-name", test_file_name);
	g_test_add_func("/index/real-title/terms", test_terms);
	g_test_add_func("/index/real-title/pieces", test_pieces);
	return g_test_run();
}
