/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/pdf/pdf-marks.h"
#include <string.h>

enum {
	LEAST_MARKED_LETTERS = 3, /* of the word: fewer are mostly units, as in "cm2" */
	MOST_MARK_DIGITS = 3,
	NUMBERS = 1000
};

/* Reads a number of few digits; -1: there is none, or it has more. */
static int read_mark(const char *p)
{
	int value = 0, digits = 0;
	for (; g_ascii_isdigit(p[digits]) && digits < MOST_MARK_DIGITS; digits++)
		value = value * 10 + p[digits] - '0';
	return digits > 0 && !g_ascii_isdigit(p[digits]) ? value : -1;
}

/* The numbers with which lines begin. */
static void find_note_lines(const char *text, bool notes[NUMBERS])
{
	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += strspn(line, "\n\f ");
		int value = read_mark(line);
		if (value >= 0)
			notes[value] = true;
	}
}

/* A word of letters and a number with which a line of the page begins too, as notes and addresses
 * of authors do. */
bool pdf_marks_suspect(const char *text)
{
	bool notes[NUMBERS] = {false};
	unsigned letters = 0;
	find_note_lines(text, notes);
	for (const char *p = text; *p; p = g_utf8_next_char(p)) {
		int value = letters >= LEAST_MARKED_LETTERS ? read_mark(p) : -1;
		if (value >= 0 && notes[value] &&
		        !pdf_is_word_character(g_utf8_get_char(p + strspn(p, "0123456789"))))
			return true;
		gunichar c = g_utf8_get_char(p);
		letters = g_unichar_isalpha(c) || g_unichar_ismark(c) ? letters + 1 : 0;
	}
	return false;
}

/* Smaller than the letter, and above its foot. */
static bool is_raised(const PdfGlyph *glyph, const PdfGlyph *letter)
{
	float height = letter->bottom - letter->top;
	return glyph->bottom - glyph->top < height * .85f &&
	       glyph->bottom < letter->bottom - height * .1f;
}

static bool is_letter_glyph(const PdfGlyph *glyph)
{
	return g_unichar_isalpha(glyph->c) || g_unichar_ismark(glyph->c);
}

/* Where the letters before a place begin that no space divides. */
static size_t marked_begin(const PdfGlyph *glyphs, size_t at)
{
	size_t begin = at;
	while (begin > 0 && is_letter_glyph(&glyphs[begin - 1]) && !glyphs[begin - 1].space)
		begin--;
	return begin;
}

/* Raised digits, or several numbers with commas: where they end; at: there are none. */
static size_t mark_end(const PdfGlyph *glyphs, size_t at, size_t n)
{
	size_t end = at;
	for (size_t i = at; i < n && is_raised(&glyphs[i], &glyphs[at - 1]); i++) {
		if (glyphs[i].c >= '0' && glyphs[i].c <= '9')
			end = i + 1;
		else if (glyphs[i].c != ',')
			break;
		if (glyphs[i].space)
			return end;
	}
	return end < n && pdf_is_word_character(glyphs[end].c) && !glyphs[end].begins ? at : end;
}

static void append_glyphs(GString *text, const PdfGlyph *glyphs, size_t n)
{
	for (size_t i = 0; i < n; i++)
		g_string_append_unichar(text, glyphs[i].c);
}

/* poppler calls the mark a word of its own, and writes no space before it. */
void pdf_marks_find(const PdfGlyph *glyphs, size_t n, PdfRepairs *repairs)
{
	g_autoptr(GString) right = g_string_new(NULL), wrong = g_string_new(NULL);
	for (size_t at = 1; at < n; at++) {
		if (!glyphs[at].begins || glyphs[at - 1].space)
			continue;
		size_t begin = marked_begin(glyphs, at), end = mark_end(glyphs, at, n);
		if (at - begin < LEAST_MARKED_LETTERS || end == at)
			continue;
		g_string_truncate(right, 0);
		append_glyphs(right, glyphs + begin, at - begin);
		g_string_assign(wrong, right->str);
		append_glyphs(wrong, glyphs + at, end - at);
		pdf_repairs_add(repairs, wrong->str, right->str);
	}
}
