/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/pdf/pdf-title.h"
#include "extractors/pdf/pdf-outline.h"
#include <string.h>

/* A capital that begins a chapter is larger than the title, so a few letters are none. */
enum { LETTERS_LEAST = 4, CHARS_MOST = 256, TRIES = 3 };

/* A run of characters of one size. */
typedef struct {
	double size; /* points */
	glong letters;
	char *text; /* in the text of the page */
	size_t length;
} PdfRun;

static glong count_letters(const char *text, size_t length)
{
	glong n = 0;
	for (const char *p = text; p < text + length; p = g_utf8_next_char(p))
		n += g_unichar_isalpha(g_utf8_get_char(p));
	return n;
}

static bool is_same_size(double a, double b)
{
	return a > b * 0.98 && a < b * 1.02;
}

/* Lines of one size are one run. */
static void append_run(GArray *runs, const PdfRun *run)
{
	PdfRun *last = runs->len > 0 ? &g_array_index(runs, PdfRun, runs->len - 1) : NULL;
	if (!last || !is_same_size(last->size, run->size)) {
		g_array_append_val(runs, *run);
		return;
	}
	last->letters += run->letters;
	last->length = run->text + run->length - last->text;
}

/* The indices of poppler count characters, and a run includes its last one. */
static GArray *read_runs(char *text, const GList *attributes)
{
	GArray *runs = g_array_new(FALSE, FALSE, sizeof(PdfRun));
	glong at = 0;
	for (char *p = text; attributes; attributes = attributes->next) {
		const PopplerTextAttributes *each = attributes->data;
		while (*p && at < each->start_index) {
			p = g_utf8_next_char(p);
			at++;
		}
		PdfRun run = {.size = each->font_size, .text = p};
		while (*p && at <= each->end_index) {
			p = g_utf8_next_char(p);
			at++;
		}
		run.length = p - run.text;
		run.letters = count_letters(run.text, run.length);
		append_run(runs, &run);
	}
	return runs;
}

/* The size of most letters. */
static double commonest_size(const GArray *runs)
{
	double commonest = 0;
	glong most = 0;
	for (guint i = 0; i < runs->len; i++) {
		double size = g_array_index(runs, PdfRun, i).size;
		glong letters = 0;
		for (guint k = 0; k < runs->len; k++)
			if (is_same_size(g_array_index(runs, PdfRun, k).size, size))
				letters += g_array_index(runs, PdfRun, k).letters;
		if (letters > most) {
			most = letters;
			commonest = size;
		}
	}
	return commonest;
}

static const PdfRun *largest_below(const GArray *runs, double below)
{
	const PdfRun *largest = NULL;
	for (guint i = 0; i < runs->len; i++) {
		const PdfRun *run = &g_array_index(runs, PdfRun, i);
		if (run->size < below && (!largest || run->size > largest->size * 1.02))
			largest = run;
	}
	return largest;
}

static char *title_of_runs(const GArray *runs)
{
	double text = commonest_size(runs), below = G_MAXDOUBLE;
	for (unsigned i = 0; i < TRIES; i++) {
		const PdfRun *run = largest_below(runs, below);
		if (!run || run->size < text * 1.25)
			return NULL;
		if (run->letters >= LETTERS_LEAST)
			return g_utf8_strlen(run->text, run->length) <= CHARS_MOST
			               ? g_strndup(run->text, run->length)
			               : NULL;
		below = run->size;
	}
	return NULL;
}

/* Does the page have the title of the metadata? */
static bool has_own_title(PopplerDocument *document, const char *text)
{
	g_autofree char *title = poppler_document_get_title(document);
	if (!title || !g_utf8_validate(title, -1, NULL))
		return false;
	g_autofree char *key = outline_key(title, strlen(title));
	g_autofree char *page = outline_key(text, strlen(text));
	return *key && strstr(page, key);
}

char *pdf_title_guess(PopplerDocument *document, PopplerPage *page, const char *text)
{
	enum { RUNS_MOST = 1000 }; /* commonest_size() compares each with each */
	if (!*text || has_own_title(document, text))
		return NULL;
	GList *attributes = poppler_page_get_text_attributes(page);
	g_autofree char *plain = attributes ? poppler_page_get_text(page) : NULL;
	g_autoptr(GArray) runs =
	        plain && g_utf8_validate(plain, -1, NULL) ? read_runs(plain, attributes) : NULL;
	poppler_page_free_text_attributes(attributes);
	return runs && runs->len <= RUNS_MOST ? title_of_runs(runs) : NULL;
}
