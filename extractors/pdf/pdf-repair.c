/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/pdf/pdf-repair.h"
#include "extractors/pdf/pdf-marks.h"
#include "extractors/pdf/pdf-spaced.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_REPAIRS = 512, MAX_TEXT_BYTES = 1 << 18, MAX_VAIN = 3 };

typedef struct {
	char *wrong, *right;
} PdfRepair;

struct PdfRepairs {
	GArray *items; /* PdfRepair */
};

static void repair_clear(gpointer item)
{
	g_free(((PdfRepair *)item)->wrong);
	g_free(((PdfRepair *)item)->right);
}

void pdf_repairs_add(PdfRepairs *repairs, const char *wrong, const char *right)
{
	if (repairs->items->len >= MAX_REPAIRS || strlen(right) > strlen(wrong) ||
	        strcmp(right, wrong) == 0)
		return;
	PdfRepair repair = {g_strdup(wrong), g_strdup(right)};
	g_array_append_val(repairs->items, repair);
}

bool pdf_is_word_character(gunichar c)
{
	return g_unichar_isalnum(c) || g_unichar_ismark(c);
}

static bool is_whole(const char *text, const char *word, const char *end)
{
	const char *before = g_utf8_find_prev_char(text, word);
	return (!before || !pdf_is_word_character(g_utf8_get_char(before))) &&
	       !pdf_is_word_character(g_utf8_get_char(end));
}

static void repair_text(char *text, const PdfRepair *repair)
{
	size_t wrong = strlen(repair->wrong), right = strlen(repair->right);
	char *from = text, *to = text;
	for (char *hit = text; (hit = strstr(hit, repair->wrong)); hit += wrong) {
		if (!is_whole(from, hit, hit + wrong))
			continue;
		memmove(to, from, (size_t)(hit - from));
		to += hit - from;
		memcpy(to, repair->right, right);
		to += right;
		from = hit + wrong;
	}
	memmove(to, from, strlen(from) + 1);
}

typedef void (*PdfFind)(const PdfGlyph *glyphs, size_t n, PdfRepairs *repairs);

/* Counts the page if nothing is found. */
static void repair_glyphs(
        const PdfGlyph *glyphs, size_t n, PdfFind find, char *text, unsigned *vain_r)
{
	PdfRepairs repairs = {g_array_new(FALSE, FALSE, sizeof(PdfRepair))};
	g_array_set_clear_func(repairs.items, repair_clear);
	find(glyphs, n, &repairs);
	for (guint i = 0; i < repairs.items->len; i++)
		repair_text(text, &g_array_index(repairs.items, PdfRepair, i));
	*vain_r = repairs.items->len > 0 ? 0 : *vain_r + 1;
	g_array_unref(repairs.items);
}

void pdf_repair_page(PdfText *words, int index, char *text, PdfVain *vain)
{
	size_t n = 0;
	bool spaced = vain->spaced < MAX_VAIN && pdf_spaced_suspect(text);
	bool marks = vain->marks < MAX_VAIN && pdf_marks_suspect(text);
	if ((!spaced && !marks) || strnlen(text, MAX_TEXT_BYTES) == MAX_TEXT_BYTES)
		return;
	PdfGlyph *glyphs = pdf_text_glyphs(words, index, &n);
	if (spaced)
		repair_glyphs(glyphs, n, pdf_spaced_find, text, &vain->spaced);
	if (marks)
		repair_glyphs(glyphs, n, pdf_marks_find, text, &vain->marks);
	free(glyphs);
}
