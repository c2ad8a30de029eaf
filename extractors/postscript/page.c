/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/postscript/page.h"
#include <math.h>
#include <string.h>

enum { BLOCK_BYTES = 2000, NAME_BYTES = 24 };

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
static void join_lines(GString *text)
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

/* Of TeX's fonts, which lie where others have controls. */
static const char *ligature(uint8_t byte)
{
	static const char *const ligatures[] = {"ff", "fi", "fl", "ffi", "ffl"};
	return byte >= 11 && byte <= 15 ? ligatures[byte - 11] : NULL;
}

static void flush(PsPage *page)
{
	join_lines(page->text);
	if (page->text->len > 0 && !page->full) {
		size_t length;
		g_autofree char *text = decode_text((const uint8_t *)page->text->str,
		        page->text->len, "windows-1252", &length, NULL);
		page->any = true;
		page->full = !sink_block(page->sink, TAG_BODY) ||
		             !sink_text(page->sink, TAG_BODY, text, length);
	}
	g_string_truncate(page->text, 0);
}

void ps_page_finish(PsPage *page)
{
	flush(page);
	g_string_free(page->text, TRUE);
	g_string_free(page->shown, TRUE);
}

void ps_page_break(PsPage *page)
{
	flush(page);
	page->y = NAN;
	page->full |= !sink_break(page->sink, BREAK_PAGE, ++page->pages, NULL);
}

void ps_page_string(PsPage *page, const GString *string)
{
	g_string_truncate(page->shown, 0);
	g_string_append_len(page->shown, string->str, string->len);
	page->has_shown = true;
}

void ps_page_number(PsPage *page, double number)
{
	page->numbers[0] = page->numbers[1];
	page->numbers[1] = number;
	page->n_numbers++;
}

static void space(PsPage *page)
{
	if (!ends_in_space(page->text))
		g_string_append_c(page->text, ' ');
}

static void new_line(PsPage *page)
{
	if (page->text->len >= BLOCK_BYTES)
		flush(page);
	else if (!ends_in_space(page->text))
		g_string_append_c(page->text, '\n');
}

static void show(PsPage *page)
{
	for (size_t i = 0; i < page->shown->len; i++) {
		uint8_t byte = page->shown->str[i];
		const char *letters = page->dvips ? ligature(byte) : NULL;
		if (letters)
			g_string_append(page->text, letters);
		else if (byte >= ' ')
			g_string_append_c(page->text, byte);
	}
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
		space(page);
	page->y = y;
}

static void move_by(PsPage *page, double x)
{
	if (x >= page->space)
		space(page);
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

void ps_page_operator(PsPage *page, const char *name, size_t length)
{
	char text[NAME_BYTES] = "";
	memcpy(text, name, MIN(length, NAME_BYTES - 1));
	if (page->has_shown && !is_silent(text))
		show(page);
	bool shown = page->has_shown;
	page->has_shown = false;
	if (page->dvips && length == 1)
		dvips_operator(page, *text);
	else if (strcmp(text, "rmoveto") == 0 && fabs(page->numbers[1]) < 0.01)
		space(page);
	else if (page->n_numbers == 2 && !shown)
		move_to(page, page->numbers[1]);
	else if (page->n_numbers == 2 && strcmp(text, "widthshow") != 0 &&
	         strcmp(text, "ashow") != 0)
		space(page);
	page->n_numbers = 0;
}
