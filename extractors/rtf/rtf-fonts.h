/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rtf-fonts.h - the charset that each font of an RTF file implies for 8-bit text */
#pragma once
#include "extractors/charset/charset.h"

typedef struct Fonts Fonts;

Fonts *fonts_new(void);
void fonts_free(Fonts *fonts);

/* page: \ansicpg, \mac and the like. */
void fonts_set_page(Fonts *fonts, unsigned page);
/* charset: the number that \fcharset gives. */
void fonts_add(Fonts *fonts, int font, int charset);
/* By the code page itself (\cpg). */
void fonts_add_page(Fonts *fonts, int font, unsigned page);
/* A letter of its name as the table of fonts writes it, until ';': old ones tell by it ("Arial
 * CE"). */
void fonts_letter(Fonts *fonts, int font, char letter);
/* The code page of a charset's number (\cchs), 0: it says nothing. */
unsigned fonts_page_of(int charset);
/* The charset of a code page; NULL: unknown. */
const Charset *fonts_of_page(unsigned page);
/* The charset of text in this font. Never NULL once the charsets are loaded. */
const Charset *fonts_charset(const Fonts *fonts, int font);
