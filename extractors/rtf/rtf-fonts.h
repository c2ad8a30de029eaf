/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rtf-fonts.h - the charset that each font of an RTF file implies for 8-bit text, and which fonts
 * are Symbol */
#pragma once
#include "extractors/charset/charset.h"

typedef struct Fonts Fonts;

Fonts *fonts_new(void);
void fonts_free(Fonts *fonts);

/* Sets the document's code page: \ansicpg, \mac and the like. */
void fonts_set_page(Fonts *fonts, unsigned page);
/* charset: the number of \fcharset. */
void fonts_add(Fonts *fonts, int font, int charset);
/* Adds a font by its code page (\cpg). */
void fonts_add_page(Fonts *fonts, int font, unsigned page);
/* Adds a letter of the font's name, up to ';'. Names of old fonts imply a charset ("Arial CE"). */
void fonts_letter(Fonts *fonts, int font, char letter);
/* Returns the code page of a charset number (\cchs); 0: none. */
unsigned fonts_page_of(int charset);
/* Returns the charset of a code page; NULL: unknown. */
const Charset *fonts_of_page(unsigned page);
/* Returns the charset of text in this font. Never NULL once the charsets are loaded. */
const Charset *fonts_charset(const Fonts *fonts, int font);
/* True if the font is Symbol. */
bool fonts_is_symbol(const Fonts *fonts, int font);
