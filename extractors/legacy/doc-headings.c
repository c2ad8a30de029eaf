/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/legacy/doc-headings.h"

enum { PAGE_BYTES = 512, PROPERTY_BYTES = 13, MAX_PAGES = 100000, HEADING_STYLES = 9 };

typedef struct {
	uint32_t from, to;
	uint32_t level;
} HeadingSpan;

struct Paragraphs {
	GArray *spans; /* HeadingSpan of each heading, ordered by from */
};

/* Position of a paragraph's properties in its page; their first word is the style. */
static unsigned style_at(Bytes page, size_t at)
{
	if (at == 0 || at + 4 > page.size)
		return 0;
	return page.data[at] == 0 ? le16(page, at + 2) : le16(page, at + 1);
}

static void read_page(Paragraphs *paragraphs, Bytes page)
{
	if (page.size < PAGE_BYTES)
		return;
	size_t count = page.data[PAGE_BYTES - 1], entries = 4 * (count + 1);
	for (size_t i = 0; i < count; i++) {
		size_t entry = entries + PROPERTY_BYTES * i;
		if (entry >= PAGE_BYTES - 1)
			return;
		HeadingSpan span = {le32(page, 4 * i), le32(page, 4 * (i + 1)),
		        style_at(page, 2 * (size_t)page.data[entry])};
		if (span.level >= 1 && span.level <= HEADING_STYLES && span.from < span.to)
			g_array_append_val(paragraphs->spans, span);
	}
}

static int by_from(gconstpointer a, gconstpointer b)
{
	const HeadingSpan *x = a, *y = b;
	return (x->from > y->from) - (x->from < y->from);
}

Paragraphs *paragraphs_new(Bytes stream, Bytes bins)
{
	Paragraphs *paragraphs = g_new0(Paragraphs, 1);
	size_t count = bins.size >= 12 ? (bins.size - 4) / 8 : 0;
	paragraphs->spans = g_array_new(FALSE, FALSE, sizeof(HeadingSpan));
	for (size_t i = 0; i < MIN(count, (size_t)MAX_PAGES); i++) {
		size_t page = le32(bins, 4 * (count + 1) + 4 * i) & 0x3fffff;
		read_page(paragraphs, bytes_part(stream, page * PAGE_BYTES, PAGE_BYTES));
	}
	g_array_sort(paragraphs->spans, by_from);
	return paragraphs;
}

unsigned paragraphs_heading(const Paragraphs *paragraphs, size_t position)
{
	guint low = 0, high = paragraphs->spans->len;
	while (low < high) {
		guint middle = low + (high - low) / 2;
		const HeadingSpan *span = &g_array_index(paragraphs->spans, HeadingSpan, middle);
		if (position >= span->from && position < span->to)
			return span->level;
		if (position < span->from)
			high = middle;
		else
			low = middle + 1;
	}
	return 0;
}

void paragraphs_free(Paragraphs *paragraphs)
{
	if (!paragraphs)
		return;
	g_array_unref(paragraphs->spans);
	g_free(paragraphs);
}
