/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pdf-title.h - the title of a PDF without an outline, by its size */
#pragma once
#include <glib.h>
#include <poppler.h>

/* Returns what stands largest on the page, in one line, if it is larger than the rest by a quarter
 * and as short as a title: at most 256 characters. text: of the page, UTF-8. If the title in the
 * metadata stands there, nobody has to look for another one, which takes as long as the text of the
 * page: NULL, as if there is nothing. The caller frees it. */
char *pdf_title_guess(PopplerDocument *document, PopplerPage *page, const char *text);
