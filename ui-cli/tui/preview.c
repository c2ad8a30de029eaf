/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/tui/preview.h"
#include "index/search/snippet-match.h"
#include <string.h>

static void clear_paragraph(gpointer paragraph)
{
	fold_text_clear(paragraph);
}

void preview_init(Preview *preview)
{
	preview->paragraphs = g_array_new(FALSE, FALSE, sizeof(FoldText));
	g_array_set_clear_func(preview->paragraphs, clear_paragraph);
	preview->lines = g_array_new(FALSE, FALSE, sizeof(PreviewLine));
	preview->matches = g_array_new(FALSE, FALSE, sizeof(PreviewMatch));
	preview->match = 0;
	preview->width = 0;
}

void preview_clear(Preview *preview)
{
	g_array_unref(preview->paragraphs);
	g_array_unref(preview->lines);
	g_array_unref(preview->matches);
}

void preview_empty(Preview *preview)
{
	g_array_set_size(preview->paragraphs, 0);
	g_array_set_size(preview->lines, 0);
	g_array_set_size(preview->matches, 0);
	preview->match = 0;
	preview->width = 0;
}

static void preview_add(Preview *preview, const char *text, const GArray *marks)
{
	FoldText paragraph;
	fold_text_init(&paragraph, text, marks);
	g_array_append_val(preview->paragraphs, paragraph);
}

void preview_set_hit(Preview *preview, const Hit *hit, const GPtrArray *snippets)
{
	g_autofree char *path = info_full_path(&hit->info);
	g_autofree char *facts = hit_facts(hit);

	preview_empty(preview);
	preview_add(preview, path, NULL);
	preview_add(preview, facts, NULL);
	for (guint i = 0; snippets && i < snippets->len; i++) {
		g_autoptr(GArray) marks = NULL;
		g_autofree char *text = snippet_line(snippets->pdata[i], &marks);
		preview_add(preview, "", NULL);
		preview_add(preview, text, marks);
	}
}

/* ---- the whole text */

/* The matches in the text, in the order of their beginnings. */
static GArray *preview_find(const Document *doc, const Query *query)
{
	const char *language = NULL;
	for (guint i = 0; i < doc->facts->len; i++) {
		const DocFact *fact = &g_array_index(doc->facts, DocFact, i);
		if (fact->field == FIELD_LANGUAGE)
			language = fact->value;
	}
	g_autoptr(WordFinder) finder = word_finder_new(query, language);
	GArray *matches = word_finder_text(finder, doc);
	word_matches_sort(matches);
	return matches;
}

/* Adds text[start, end) as a paragraph with the matches in it, the first of which is at *next. */
static void preview_add_part(Preview *preview, const Document *doc, size_t start, size_t end,
        const GArray *matches, guint *next)
{
	g_autofree char *text = g_strndup(doc->text->str + start, end - start);
	g_autoptr(GArray) marks = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	const FoldText *added;
	g_strdelimit(text, "\t", ' ');
	for (uint32_t last = 0; matches && *next < matches->len; (*next)++) {
		const WordMatch *match = &g_array_index(matches, WordMatch, *next);
		if (match->start >= end)
			break;
		uint32_t from = MAX(match->start, start) - start, to = MIN(match->end, end) - start;
		if (match->start < start || from < last)
			continue;
		g_array_append_val(marks, from);
		g_array_append_val(marks, to);
		last = to;
	}
	preview_add(preview, text, marks);
	added = &g_array_index(preview->paragraphs, FoldText, preview->paragraphs->len - 1);
	for (guint i = 0; i < added->marks->len; i += 2) {
		PreviewMatch match = {
		        preview->paragraphs->len - 1, g_array_index(added->marks, uint32_t, i)};
		g_array_append_val(preview->matches, match);
	}
}

/* Adds the lines of text[start, end). */
static void preview_add_lines(Preview *preview, const Document *doc, size_t start, size_t end,
        const GArray *matches, guint *next)
{
	const char *text = doc->text->str;
	while (end > start && text[end - 1] == '\n')
		end--;
	for (;;) {
		const char *newline = memchr(text + start, '\n', end - start);
		size_t stop = newline ? (size_t)(newline - text) : end;
		preview_add_part(preview, doc, start, stop, matches, next);
		if (!newline)
			return;
		start = stop + 1;
	}
}

void preview_set_text(Preview *preview, const Document *doc, const Query *query)
{
	g_autoptr(GArray) matches = query ? preview_find(doc, query) : NULL;
	size_t start = 0;
	guint next = 0, next_break = 0;

	preview_empty(preview);
	for (guint i = 1; i <= doc->runs->len; i++) {
		const DocRun *run =
		        i < doc->runs->len ? &g_array_index(doc->runs, DocRun, i) : NULL;
		size_t end = run ? run->offset : doc->text->len;
		if (run && !(run->flags & DOC_RUN_BLOCK))
			continue;
		while (next_break < doc->breaks->len &&
		        g_array_index(doc->breaks, DocBreak, next_break).offset <= start)
			if (next_break++ > 0)
				preview_add(preview, "", NULL);
		preview_add_lines(preview, doc, start, end, matches, &next);
		start = end;
	}
}

guint preview_match_line(const Preview *preview)
{
	if (preview->match >= preview->matches->len)
		return 0;
	const PreviewMatch *match = &g_array_index(preview->matches, PreviewMatch, preview->match);
	for (guint i = 0; i < preview->lines->len; i++) {
		const PreviewLine *line = &g_array_index(preview->lines, PreviewLine, i);
		if (line->paragraph == match->paragraph && match->start < line->end)
			return i;
	}
	return 0;
}

/* ---- folding */

static void fold_paragraph(Preview *preview, guint i)
{
	const GString *text = g_array_index(preview->paragraphs, FoldText, i).text;
	PreviewLine line = {i, 0, 0};
	do {
		line.end = text->len > 0 ? fold_line_end(text, line.start, preview->width) : 0;
		g_array_append_val(preview->lines, line);
		line.start = line.end;
	} while (line.start < text->len);
}

void preview_fold(Preview *preview, unsigned width)
{
	if (preview->width == width)
		return;
	preview->width = width;
	g_array_set_size(preview->lines, 0);
	for (guint i = 0; i < preview->paragraphs->len; i++)
		fold_paragraph(preview, i);
}
