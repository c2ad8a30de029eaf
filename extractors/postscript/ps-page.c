/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/postscript/ps-page.h"
#include <math.h>
#include <string.h>

enum {
	ARRAY_MOVES = 50, /* Ghostscript divides longer arrays: the text goes on */
	BLOCK_BYTES = 2000,
	NAME_BYTES = 24,
	GAP_MILLE = 180 /* in thousandths of the font size */
};

/* Operators that take a string and show nothing. */
static const char *const silent[] = {"def", "put", "print", "=", "==", "findfont", "selectfont",
        "eq", "ne", "search", "anchorsearch", "file", "run", "cvn", "cvx", "exec", "length",
        "stringwidth", "get", "getinterval", "putinterval", "token", "readstring", "readhexstring",
        "filter", "deletefile", "status", "begin", "pop", "known", "setpagedevice", "product",
        "pdfmark"};

const char *const ps_ligatures[] = {"", "ff", "fi", "fl", "ffi", "ffl"};

void ps_page_init(PsPage *page, Sink *sink)
{
	*page = (PsPage){
	        .sink = sink, .text = g_string_new(NULL), .shown = g_string_new(NULL), .y = NAN};
}

static bool ends_in_space(const GString *text)
{
	return text->len == 0 || text->str[text->len - 1] == ' ' ||
	       text->str[text->len - 1] == '\n';
}

/* Joins a word that is divided at the end of a line. */
static void ps_join_lines(GString *text)
{
	size_t kept = 0;
	for (size_t i = 0; i < text->len; i++) {
		bool divided = text->str[i] == '-' && i + 2 < text->len &&
		               text->str[i + 1] == '\n' && g_ascii_islower(text->str[i + 2]) &&
		               i > 0 && g_ascii_isalpha(text->str[i - 1]);
		if (divided)
			i++;
		else
			text->str[kept++] = text->str[i] == '\n' ? ' ' : text->str[i];
	}
	g_string_truncate(text, kept);
}

/* The caller frees the result. */
static char *ps_page_text(const PsPage *page)
{
	if (page->composed)
		return g_utf8_normalize(
		        page->text->str, page->text->len, G_NORMALIZE_DEFAULT_COMPOSE);
	return decode_text(
	        (const uint8_t *)page->text->str, page->text->len, "windows-1252", NULL, NULL);
}

static void ps_flush(PsPage *page)
{
	ps_join_lines(page->text);
	g_autofree char *text = page->text->len > 0 && !page->full ? ps_page_text(page) : NULL;
	if (text) {
		page->any = true;
		page->full = !sink_block(page->sink, TAG_BODY) ||
		             !sink_text(page->sink, TAG_BODY, text, strlen(text));
	}
	g_string_truncate(page->text, 0);
}

void ps_page_finish(PsPage *page)
{
	ps_flush(page);
	g_string_free(page->text, TRUE);
	g_string_free(page->shown, TRUE);
}

void ps_page_break(PsPage *page)
{
	ps_flush(page);
	page->y = NAN;
	page->full |= !sink_break(page->sink, BREAK_PAGE, ++page->pages, NULL);
}

void ps_page_string(PsPage *page, const GString *string)
{
	if (!page->in_array || !page->array_began)
		g_string_truncate(page->shown, 0);
	page->array_began = page->in_array;
	g_string_append_len(page->shown, string->str, string->len);
	page->has_shown = true;
}

/* A number between the strings of an array: the distance to move back, in thousandths of the font
 * size. */
void ps_page_number(PsPage *page, double number)
{
	page->numbers[0] = page->numbers[1];
	page->numbers[1] = number;
	page->n_numbers += !page->in_array;
	page->moves += page->in_array;
	const GString *shown = page->shown;
	bool parted = shown->len > 0 && shown->str[shown->len - 1] == ' ';
	if (page->in_array && page->array_began && number <= -GAP_MILLE && !parted)
		g_string_append_c(page->shown, ' ');
}

void ps_page_array(PsPage *page, bool begins)
{
	page->in_array = begins;
	page->moves = begins ? 0 : page->moves;
	page->array_began = false;
}

void ps_page_space(PsPage *page)
{
	if (!ends_in_space(page->text))
		g_string_append_c(page->text, ' ');
}

void ps_page_line(PsPage *page)
{
	if (page->text->len >= BLOCK_BYTES)
		ps_flush(page);
	else if (!ends_in_space(page->text))
		g_string_append_c(page->text, '\n');
}

/* Bytes below the space are ligatures in fonts of TeX, which drivers keep when they print PDF: at
 * three places, in the encodings TeXBase1, OT1 and T1. */
static const uint8_t tex_ligatures[' '] = {[2] = 2,
        [3] = 3,
        [11] = 1,
        [12] = 2,
        [13] = 3,
        [14] = 4,
        [15] = 5,
        [27] = 1,
        [28] = 2,
        [29] = 3,
        [30] = 4,
        [31] = 5};

static void ps_show(PsPage *page)
{
	for (size_t i = 0; i < page->shown->len; i++) {
		uint8_t byte = page->shown->str[i];
		if (byte >= ' ')
			g_string_append_c(page->text, byte);
		else
			g_string_append(page->text, ps_ligatures[tex_ligatures[byte]]);
	}
}

static bool is_silent(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(silent); i++)
		if (strcmp(silent[i], name) == 0)
			return true;
	return false;
}

/* Moves to another position. On the same line a new word begins, else a new line. */
static void move_to(PsPage *page, double y)
{
	if (isnan(page->y) || fabs(y - page->y) > 0.01)
		ps_page_line(page);
	else
		ps_page_space(page);
	page->y = y;
}

/* Some drivers define the operators of PDF. True if the operator moves the position. */
static bool pdf_operator(PsPage *page, const char *name)
{
	if (strcmp(name, "Td") == 0 || strcmp(name, "TD") == 0) {
		if (fabs(page->numbers[1]) > 0.01)
			ps_page_line(page);
		else if (page->moves < ARRAY_MOVES)
			ps_page_space(page);
	} else if (strcmp(name, "T*") == 0 || strcmp(name, "'") == 0) {
		ps_page_line(page);
	} else if (strcmp(name, "Tm") == 0) {
		move_to(page, page->numbers[1]);
	} else if (strcmp(name, "TJm") == 0) {
		if (page->numbers[1] <= -GAP_MILLE)
			ps_page_space(page);
	} else {
		return false;
	}
	return true;
}

void ps_page_operator(PsPage *page, const char *name, size_t length)
{
	char text[NAME_BYTES] = "";
	memcpy(text, name, MIN(length, NAME_BYTES - 1));
	page->in_array = false;
	bool moved = pdf_operator(page, text);
	if (page->has_shown && !is_silent(text))
		ps_show(page);
	bool shown = page->has_shown;
	page->has_shown = false;
	if (moved)
		; /* before the string is shown */
	else if (strcmp(text, "rmoveto") == 0 && fabs(page->numbers[1]) < 0.01)
		ps_page_space(page);
	else if (page->n_numbers == 2 && !shown)
		move_to(page, page->numbers[1]);
	else if (page->n_numbers == 2 && strcmp(text, "widthshow") != 0 &&
	         strcmp(text, "ashow") != 0)
		ps_page_space(page);
	page->n_numbers = 0;
}
