/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fonts.h - the charset that each font of an RTF file implies for 8-bit text */
#pragma once
#include "extractors/charset.h"

typedef struct Fonts Fonts;

Fonts *fonts_new(void);
void fonts_free(Fonts *fonts);

/* page: \ansicpg, \mac and the like. */
void fonts_set_page(Fonts *fonts, unsigned page);
/* charset: the number that \fcharset gives. */
void fonts_add(Fonts *fonts, int font, int charset);
/* By the code page itself (\cpg). */
void fonts_add_page(Fonts *fonts, int font, unsigned page);
/* The charset of text in this font. Never NULL once the charsets are loaded. */
const Charset *fonts_charset(const Fonts *fonts, int font);
