/* SPDX-License-Identifier: GPL-3.0-or-later */
/* doc-symbol.h - characters that a person inserted from a font of symbols (MS-DOC 2.6.1
 * "sprmCSymbol")
 *
 * The text has a bracket in their place. */
#pragma once
#include "extractors/legacy/legacy.h"

/* fonts: the table of fonts (MS-DOC 2.9.286 "SttbfFfn"); symbol: the number of the font, and the
 * code of the character above it. Returns a space if the font is not Symbol. */
gunichar doc_symbol_char(Bytes fonts, uint32_t symbol);
/* font: its number plus 1; 0: none. */
bool doc_is_symbol_font(Bytes fonts, uint32_t font);
