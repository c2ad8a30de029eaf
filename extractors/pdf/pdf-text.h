/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pdf-text.h - the words of a page in reading order
 *
 * The only C++ file of this plugin. poppler-cpp lays out a page as pdftotext does: a blank line
 * separates runs of text, and words split by a line-end hyphen are joined. poppler-glib's
 * poppler_page_get_text() joins the last word of a table cell to the first word of the next, and
 * both words are lost. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct PdfText PdfText;

/* data must outlive the result. NULL if poppler cannot open it. */
PdfText *pdf_text_open(const uint8_t *data, size_t size);
/* Returns the text of a page (index from 0) as UTF-8 with newlines. NULL if the page cannot be read
 * or memory is short. Free it with free(). */
char *pdf_text_page(PdfText *text, int index);
/* A visible character of a page; its box is in points from the top left corner, and contains the
 * gap to the next character of the word. */
typedef struct {
	uint32_t c;
	float left, right, top, bottom;
	bool begins; /* a word */
	bool space; /* the text has a space after this character */
} PdfGlyph;

/* Returns the upright characters of a page in the order of its text, except that those of a line
 * from right to left are in the order on the page. This takes three times as long as
 * pdf_text_page(). NULL if there are none or memory is short. Free it with free(). */
PdfGlyph *pdf_text_glyphs(PdfText *text, int index, size_t *n_r);
/* Returns a value of the information dictionary that is in UTF-8 (PDF 2.0), which poppler takes for
 * PDFDocEncoding. NULL: it is not, or there is none. Free it with free(). */
char *pdf_text_utf8_fact(PdfText *text, const char *key);
void pdf_text_close(PdfText *text);

#ifdef __cplusplus
}
#endif
