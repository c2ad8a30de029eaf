/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/tui/preview.h"
#include "ui-cli/app/doc-text.h"
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
	preview->width = 0;
}

void preview_clear(Preview *preview)
{
	g_array_unref(preview->paragraphs);
	g_array_unref(preview->lines);
}

void preview_empty(Preview *preview)
{
	g_array_set_size(preview->paragraphs, 0);
	g_array_set_size(preview->lines, 0);
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

void preview_set_text(Preview *preview, const Document *doc)
{
	const DocTextForm form = {.plain = true};
	const gpointer only[] = {(gpointer)doc};
	const GPtrArray docs = {.pdata = (gpointer *)only, .len = 1};
	g_autoptr(GString) text = g_string_new(NULL);

	preview_empty(preview);
	doc_text_append(text, &docs, &form);
	for (char *line = text->str, *end; line; line = end) {
		end = strchr(line, '\n');
		if (end)
			*end++ = '\0';
		for (char *tab = line; (tab = strchr(tab, '\t'));)
			*tab = ' ';
		preview_add(preview, line, NULL);
	}
}

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
