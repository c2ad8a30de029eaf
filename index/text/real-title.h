/* SPDX-License-Identifier: GPL-3.0-or-later */
/* real-title.h - the title of a document, if the one in its metadata says anything
 *
 * Programs write titles that nobody chose. Such a title is none:
 *
 *   - nothing but signs, one letter, or digits other than a year ("1", "...")
 *   - what programs write into new files, with a number or without, in the languages that people
 *     have ("Untitled", "Unbenannt 1", "Document1", "PowerPoint Presentation", "無題"), and a part
 *     with its number ("Slide 1", "Layout 1")
 *   - the name of a program ("LibreOffice Writer"), also before a file name ("Microsoft Word - x")
 *   - the name of a file of text or a picture ("draft.docx"), a path, a URL, an identifier in
 *     hexadecimal digits
 *
 * The first heading of the highest level near the beginning takes its place, also where there is no
 * title at all; then a file name of at least three words, without the program and the ending.
 * Otherwise the document has no title and is shown by its name. The subject of a message is what a
 * person typed or left out: it stays as it is.
 *
 * Documents that were indexed before this rule keep the words of such titles until they are
 * converted again; the reader shows none of these titles (index/read/reader-info.c). */
#pragma once
#include "common/base/document.h"

/* Says a title of a document of this MIME type nothing? title: UTF-8; mime may be NULL. */
bool title_says_nothing(const char *title, const char *mime);

/* Bytes of a fact or of the text of the document, UTF-8, possibly with line ends. length 0: the
 * document has no title. */
typedef struct {
	const char *text;
	size_t length;
	bool whole_fact; /* it is the first title that says something, as the metadata has it */
} RealTitle;
RealTitle real_title_of(const Document *doc);
/* The same with single blanks for all white space. The caller owns it. NULL: there is no title. */
char *real_title_text(const Document *doc);
