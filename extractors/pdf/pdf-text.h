/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pdf-text.h - the words of a page in reading order
 *
 * The one C++ part: poppler-cpp lays out a page as pdftotext does, with a blank line between runs
 * of text and with words parted by a line-end hyphen joined. poppler-glib's poppler_page_get_text()
 * glues the last word of a table cell to the first of the next, which loses both. */
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct PdfText PdfText;

/* data must outlive the result. NULL if poppler cannot open it. */
PdfText *pdf_text_open(const uint8_t *data, size_t size);
/* Text of page index (from 0) as UTF-8, lines ended by newlines. NULL if the page cannot be read or
 * memory ran out. Yours (free()). */
char *pdf_text_page(PdfText *text, int index);
void pdf_text_close(PdfText *text);

#ifdef __cplusplus
}
#endif
