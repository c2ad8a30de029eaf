/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ps-groff.h - the text in PostScript that groff made
 *
 * Its prolog defines the operators A to T, which show a string after a move: A to D without one, E
 * to H to the right, I to L downwards, M to P by both, Q to T to a place. The last two of each four
 * also spread the letters by the number before the string, so that "2.5(ral)" is "r a l". Fonts
 * have the encoding that groff installs with them (text.enc). */
#pragma once
#include "extractors/postscript/ps-page.h"

typedef struct Groff Groff;

/* page must outlive it; its text is UTF-8 from now on. */
Groff *groff_new(PsPage *page);
void groff_free(Groff *groff);
/* Tokens of the program in their order. */
void groff_literal(Groff *groff, const char *text, size_t length);
void groff_name(Groff *groff, const char *text, size_t length);
void groff_string(Groff *groff, const GString *string);
void groff_number(Groff *groff, double number);
