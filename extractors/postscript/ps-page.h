/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ps-page.h - joins the strings that a program shows to words and lines */
#pragma once
#include "extractors/shared/extractor.h"

/* What the numbers 1 to 5 stand for in the tables of encodings. */
extern const char *const ps_ligatures[6];

typedef struct {
	Sink *sink;
	GString *text; /* the current block */
	GString *shown; /* the string that the next operator shows */
	bool has_shown, any, full;
	bool composed; /* the text is UTF-8, with accents apart */
	bool in_array; /* strings of an array are shown together */
	bool array_began; /* the array has a string already */
	unsigned moves; /* numbers in the last array */
	double numbers[2]; /* the last operands */
	unsigned n_numbers, pages;
	double y; /* of the last position */
} PsPage;

void ps_page_init(PsPage *page, Sink *sink);
/* Sends pending text and frees the page. */
void ps_page_finish(PsPage *page);
void ps_page_string(PsPage *page, const GString *string);
void ps_page_number(PsPage *page, double number);
void ps_page_array(PsPage *page, bool begins);
/* Handles an operator with the strings and numbers before it. */
void ps_page_operator(PsPage *page, const char *name, size_t length);
void ps_page_break(PsPage *page);
/* The text goes on after a space, or on another line. */
void ps_page_space(PsPage *page);
void ps_page_line(PsPage *page);
