/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ps-dvips.h - the text in PostScript that dvips made of a document of TeX
 *
 * dvips shows pieces of words by operators of one letter, which are defined in its prolog
 * (tex.lpro): "(Ev)n(ery)26 b(ev)n(ening)g(the)h" is "Every evening the". They are read here as
 * that prolog defines them, and a wide step to the right is a space. The fonts have encodings of
 * TeX: OT1, T1 (Cork), TeXBase1 and those of mathematics (S. Rahtz and others, "TeX font
 * encodings"), which the names of fonts tell. Strings of fonts with symbols alone are left out. */
#pragma once
#include "extractors/postscript/ps-page.h"

typedef struct Dvips Dvips;

/* page must outlive it; its text is UTF-8 from now on. */
Dvips *dvips_new(PsPage *page);
void dvips_free(Dvips *dvips);
/* Tokens of the program in their order; a comment without its first two signs. */
void dvips_comment(Dvips *dvips, const char *text, size_t length);
void dvips_literal(Dvips *dvips, const char *text, size_t length);
void dvips_name(Dvips *dvips, const char *text, size_t length);
void dvips_string(Dvips *dvips, const GString *string);
void dvips_number(Dvips *dvips, double number);
/* A name in a procedure: it may be the encoding of the font that is being defined. */
void dvips_inner_name(Dvips *dvips, const char *text, size_t length);
