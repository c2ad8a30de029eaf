/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/postscript/ps-page.h"
#include <math.h>
#include <string.h>

enum { BLOCK_BYTES = 2000, NAME_BYTES = 24, GAP_MILLE = 180 /* of the size of a font */ };

/* Operators that take a string and show nothing. */
static const char *const silent[] = {"def", "put", "print", "=", "==", "findfont", "selectfont",
        "eq", "ne", "search", "anchorsearch", "file", "run", "cvn", "cvx", "exec", "length",
        "stringwidth", "get", "getinterval", "putinterval", "token", "readstring", "readhexstring",
        "filter", "deletefile", "status", "begin", "pop", "known", "setpagedevice", "product",
        "start", "pdfmark", "bos", "@beginspecial"};

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

/* A word that a line's end divides is made whole. */
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

static void ps_flush(PsPage *page)
{
	ps_join_lines(page->text);
	if (page->text->len > 0 && !page->full) {
		size_t length;
		const char *charset = page->encoding == PS_LATIN ? "windows-1252" : "utf-8";
		g_autofree char *decoded = decode_text(
		        (const uint8_t *)page->text->str, page->text->len, charset, &length, NULL);
		g_autofree char *text = g_utf8_normalize(decoded, length, G_NORMALIZE_NFC);
		page->any = true;
		page->full = !sink_block(page->sink, TAG_BODY) ||
		             !sink_text(page->sink, TAG_BODY, text ? text : decoded, -1);
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
	page->before = page->n_numbers > 0 ? page->numbers[1] : 0;
	g_string_append_len(page->shown, string->str, string->len);
	page->has_shown = true;
}

/* Between strings of an array: how far to go back, in thousandths of the size of the font. */
void ps_page_number(PsPage *page, double number)
{
	page->numbers[0] = page->numbers[1];
	page->numbers[1] = number;
	page->n_numbers += !page->in_array;
	const GString *shown = page->shown;
	bool parted = shown->len > 0 && shown->str[shown->len - 1] == ' ';
	if (page->in_array && page->array_began && number <= -GAP_MILLE && !parted)
		g_string_append_c(page->shown, ' ');
}

void ps_page_array(PsPage *page, bool begins)
{
	page->in_array = begins;
	page->array_began = false;
}

static void ps_space(PsPage *page)
{
	if (!ends_in_space(page->text))
		g_string_append_c(page->text, ' ');
}

static void new_line(PsPage *page)
{
	if (page->text->len >= BLOCK_BYTES)
		ps_flush(page);
	else if (!ends_in_space(page->text))
		g_string_append_c(page->text, '\n');
}

/* What dvips defines before its first page are fonts. */
static void ps_show(PsPage *page)
{
	for (size_t i = 0; i < page->shown->len && (!page->dvips || page->pages > 0); i++)
		ps_append_byte(page->text, page->encoding, page->shown->str[i], &page->accent);
}

static bool is_silent(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(silent); i++)
		if (strcmp(silent[i], name) == 0)
			return true;
	return false;
}

/* To a place: a word on the same line, else a line. */
static void move_to(PsPage *page, double y)
{
	if (isnan(page->y) || fabs(y - page->y) > 0.01)
		new_line(page);
	else
		ps_space(page);
	page->y = y;
}

static void move_by(PsPage *page, double x)
{
	if (x >= page->space)
		ps_space(page);
}

/* The operators of dvips' prolog: a, y move to a place; b to k show and move by the last distance
 * or one near it; l to t by next to nothing; w along the line; x down. */
static void dvips_operator(PsPage *page, char name)
{
	if (name == 'b')
		page->delta = page->numbers[1];
	if (name >= 'c' && name <= 'k')
		page->delta += name - 'g';
	if (name == 'a' || name == 'y')
		move_to(page, page->numbers[1]);
	else if (name >= 'b' && name <= 'k')
		move_by(page, page->delta);
	else if (name == 'w')
		move_by(page, page->numbers[1]);
	else if (name == 'x')
		new_line(page);
}

enum { LEAST_SPACE = 1 /* points */ };

/* Set so wide that a space is between all letters: two short words. */
static void show_spaced(PsPage *page)
{
	g_autoptr(GString) whole = g_string_new_len(page->shown->str, page->shown->len);
	for (size_t i = 0; i < whole->len; i++) {
		if (i > 0)
			ps_space(page);
		g_string_assign(page->shown, "");
		g_string_append_c(page->shown, whole->str[i]);
		ps_show(page);
	}
	page->gap = page->before;
}

/* The operators of groff's prolog move and show: A to D not at all, E to H along the line, I to L
 * down, M to P both, Q to T to a place; the last two of each with another distance of letters. */
static bool groff_operator(PsPage *page, char name)
{
	if (!page->has_shown || name < 'A' || name > 'T')
		return false;
	double moved = name >= 'E' && name <= 'H'   ? page->numbers[1]
	               : name >= 'M' && name <= 'P' ? page->numbers[0]
	                                            : 0;
	if (name >= 'Q')
		move_to(page, page->numbers[1]);
	else if (page->gap + moved >= LEAST_SPACE)
		ps_space(page);
	page->gap = 0;
	if ((name - 'A') % 4 >= 2 && page->before >= LEAST_SPACE)
		show_spaced(page);
	else
		ps_show(page);
	page->has_shown = false;
	page->n_numbers = 0;
	return true;
}

/* Those of PDF, which some drivers define: true if it was one that moves. */
static bool pdf_operator(PsPage *page, const char *name)
{
	if (strcmp(name, "Td") == 0 || strcmp(name, "TD") == 0) {
		if (fabs(page->numbers[1]) > 0.01)
			new_line(page);
		else
			ps_space(page);
	} else if (strcmp(name, "T*") == 0 || strcmp(name, "'") == 0) {
		new_line(page);
	} else if (strcmp(name, "Tm") == 0) {
		move_to(page, page->numbers[1]);
	} else if (strcmp(name, "TJm") == 0) {
		if (page->numbers[1] <= -GAP_MILLE)
			ps_space(page);
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
	if (page->groff && length == 1 && groff_operator(page, *text))
		return;
	bool moved = pdf_operator(page, text);
	if (page->has_shown && !is_silent(text))
		ps_show(page);
	bool shown = page->has_shown;
	page->has_shown = false;
	if (page->dvips && length == 1)
		dvips_operator(page, *text);
	else if (moved)
		; /* before it showed */
	else if (strcmp(text, "rmoveto") == 0 && fabs(page->numbers[1]) < 0.01)
		ps_space(page);
	else if (page->n_numbers == 2 && !shown)
		move_to(page, page->numbers[1]);
	else if (page->n_numbers == 2 && strcmp(text, "widthshow") != 0 &&
	         strcmp(text, "ashow") != 0)
		ps_space(page);
	page->n_numbers = 0;
}
