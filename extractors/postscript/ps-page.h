/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ps-page.h - strings as a program shows them, put together to words and lines */
#pragma once
#include "extractors/shared/extractor.h"

typedef struct {
	Sink *sink;
	GString *text; /* bytes of the block that grows */
	GString *shown; /* the string that the next operator shows */
	bool has_shown, any, full;
	bool facts_only; /* strings are left out */
	bool left_out; /* one was */
	bool in_array; /* strings of one are shown together */
	bool array_began; /* with a string */
	double numbers[2]; /* operands, the last ones */
	unsigned n_numbers, pages;
	double y; /* of the last movement to a place */
} PsPage;

void ps_page_init(PsPage *page, Sink *sink);
/* Sends what is left and frees. */
void ps_page_finish(PsPage *page);
void ps_page_string(PsPage *page, const GString *string);
void ps_page_number(PsPage *page, double number);
void ps_page_array(PsPage *page, bool begins);
/* An operator with the strings and numbers before it. */
void ps_page_operator(PsPage *page, const char *name, size_t length);
void ps_page_break(PsPage *page);
