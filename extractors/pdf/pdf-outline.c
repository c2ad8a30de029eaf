/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/pdf/pdf-outline.h"
#include <string.h>

typedef struct {
	PopplerDocument *document;
	Outline *outline;
	int page;
} OutlineReader;

static void entry_clear(gpointer item)
{
	g_free(((OutlineEntry *)item)->title);
	g_free(((OutlineEntry *)item)->key);
}

static const char *skip_number(const char *text, const char *end)
{
	const char *p = text;

	while (p < end && (g_ascii_isdigit(*p) || *p == '.' || *p == ' '))
		p++;
	return p < end ? p : text;
}

char *outline_key(const char *text, size_t length)
{
	const char *end = text + length;
	g_autoptr(GString) key = g_string_sized_new(length);

	for (const char *p = skip_number(text, end); p < end; p = g_utf8_next_char(p)) {
		gunichar c = g_utf8_get_char(p);
		if (g_unichar_isalnum(c))
			g_string_append_unichar(key, g_unichar_tolower(c));
	}
	return g_string_free(g_steal_pointer(&key), FALSE);
}

/* Resolves named destinations. 0: no page. */
static int pdf_page_of(PopplerDocument *document, const PopplerAction *action)
{
	const PopplerDest *dest =
	        action->type == POPPLER_ACTION_GOTO_DEST ? action->goto_dest.dest : NULL;

	if (!dest)
		return 0;
	if (dest->type != POPPLER_DEST_NAMED)
		return dest->page_num;
	PopplerDest *found = poppler_document_find_dest(document, dest->named_dest);
	int page = found ? found->page_num : 0;
	if (found)
		poppler_dest_free(found);
	return page;
}

static OutlineEntry *outline_add(Outline *outline, const char *title, int page, unsigned level)
{
	OutlineEntry entry = {g_strdup(title), outline_key(title, strlen(title)), page, level};
	g_array_append_val(outline->entries, entry);
	return outline_entry(outline, outline->entries->len - 1);
}

static void pdf_add_entry(OutlineReader *reader, PopplerIndexIter *iter, unsigned level)
{
	PopplerAction *action = poppler_index_iter_get_action(iter);

	if (!action)
		return;
	int page = pdf_page_of(reader->document, action);
	if (page > 0)
		reader->page = page;
	if (action->any.title && *action->any.title &&
	        g_utf8_validate(action->any.title, -1, NULL)) {
		outline_add(reader->outline, action->any.title, reader->page, level);
	}
	poppler_action_free(action);
}

static void read_level(OutlineReader *reader, PopplerIndexIter *iter, unsigned level)
{
	do {
		if (reader->outline->entries->len >= OUTLINE_MAX_ENTRIES)
			return;
		pdf_add_entry(reader, iter, level);
		PopplerIndexIter *child =
		        level < OUTLINE_MAX_DEPTH ? poppler_index_iter_get_child(iter) : NULL;
		if (child) {
			read_level(reader, child, level + 1);
			poppler_index_iter_free(child);
		}
	} while (poppler_index_iter_next(iter));
}

static int by_page(gconstpointer a, gconstpointer b)
{
	return ((const OutlineEntry *)a)->page - ((const OutlineEntry *)b)->page;
}

Outline *outline_read(PopplerDocument *document)
{
	Outline *outline = g_new0(Outline, 1);
	OutlineReader reader = {document, outline, 1};

	outline->entries = g_array_new(FALSE, FALSE, sizeof(OutlineEntry));
	g_array_set_clear_func(outline->entries, entry_clear);
	PopplerIndexIter *iter = poppler_index_iter_new(document);
	if (iter) {
		read_level(&reader, iter, 1);
		poppler_index_iter_free(iter);
	}
	g_array_sort(outline->entries, by_page);
	return outline;
}

void outline_guess(Outline *outline, const char *title, int page)
{
	outline_add(outline, title, page, 1)->guessed = true;
}

void outline_free(Outline *outline)
{
	if (!outline)
		return;
	g_array_unref(outline->entries);
	g_free(outline);
}

OutlineEntry *outline_entry(Outline *outline, guint index)
{
	return &g_array_index(outline->entries, OutlineEntry, index);
}

guint outline_page(Outline *outline, int page, guint *end_r)
{
	guint begin = outline->next, end;

	while (begin < outline->entries->len && outline_entry(outline, begin)->page < page)
		begin++;
	for (end = begin; end < outline->entries->len && outline_entry(outline, end)->page == page;)
		end++;
	outline->next = end;
	*end_r = end;
	return begin;
}
