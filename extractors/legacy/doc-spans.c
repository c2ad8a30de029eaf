/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/legacy/doc-spans.h"

enum {
	PAGE_BYTES = 512,
	MAX_PAGES = 100000,
	MAX_SPANS = 1 << 20,
	PARAGRAPH_ENTRY_BYTES = 13,
	RUN_ENTRY_BYTES = 1,
	HEADING_STYLES = 9,
	SPRM_DELETED = 0x0800, /* sprmCFRMarkDel */
	SPRM_LOCATION = 0x6a03, /* sprmCPicLocation */
	SPRM_SYMBOL = 0x6a09, /* sprmCSymbol */
	SPRM_FONT = 0x4a4f, /* sprmCRgFtc0 */
};

typedef struct {
	uint32_t from, to;
	uint32_t value;
} DocSpan;

struct DocSpans {
	GArray *spans; /* DocSpan of each value other than 0, ordered by from */
};

/* Returns the value of the properties at this position in their page. */
typedef unsigned (*DocValueFunc)(Bytes page, size_t at);

/* The first word of a paragraph's properties is the style. */
static unsigned heading_level_at(Bytes page, size_t at)
{
	if (at == 0 || at + 4 > page.size)
		return 0;
	unsigned style = page.data[at] == 0 ? le16(page, at + 2) : le16(page, at + 1);
	return style <= HEADING_STYLES ? style : 0;
}

/* Bytes of the operand of a property (MS-DOC 2.6.1 "Sprm"). */
static size_t operand_bytes(Bytes properties, size_t operand, unsigned sprm)
{
	static const uint8_t bytes[] = {1, 1, 2, 4, 2, 2, 0, 3};
	size_t size = bytes[sprm >> 13];
	return size > 0 ? size : 1 + (le16(properties, operand) & 0xff);
}

/* The properties of a run are a list of changes, after the length of the list. Returns the operand
 * of a property; empty: the run has no such property. */
static Bytes run_property(Bytes page, size_t at, unsigned wanted)
{
	Bytes properties = at > 0 && at < page.size ? bytes_part(page, at + 1, page.data[at])
	                                            : (Bytes){NULL, 0};
	for (size_t i = 0; i + 3 <= properties.size;) {
		unsigned sprm = le16(properties, i);
		size_t size = operand_bytes(properties, i + 2, sprm);
		if (sprm == wanted)
			return bytes_part(properties, i + 2, size);
		i += 2 + size;
	}
	return (Bytes){NULL, 0};
}

static unsigned is_deleted_at(Bytes page, size_t at)
{
	Bytes operand = run_property(page, at, SPRM_DELETED);
	return operand.size > 0 && operand.data[0] == 1;
}

static unsigned object_place_at(Bytes page, size_t at)
{
	Bytes operand = run_property(page, at, SPRM_LOCATION);
	return operand.size == 4 ? le32(operand, 0) + 1 : 0;
}

static unsigned symbol_at(Bytes page, size_t at)
{
	Bytes operand = run_property(page, at, SPRM_SYMBOL);
	return operand.size == 4 ? le32(operand, 0) : 0;
}

static unsigned font_at(Bytes page, size_t at)
{
	Bytes operand = run_property(page, at, SPRM_FONT);
	return operand.size == 2 ? le16(operand, 0) + 1u : 0;
}

static void doc_spans_read_page(
        DocSpans *spans, Bytes page, size_t entry_bytes, DocValueFunc value_at)
{
	if (page.size < PAGE_BYTES)
		return;
	size_t count = page.data[PAGE_BYTES - 1], entries = 4 * (count + 1);
	for (size_t i = 0; i < count && spans->spans->len < MAX_SPANS; i++) {
		size_t entry = entries + entry_bytes * i;
		if (entry >= PAGE_BYTES - 1)
			return;
		DocSpan span = {le32(page, 4 * i), le32(page, 4 * (i + 1)),
		        value_at(page, 2 * (size_t)page.data[entry])};
		if (span.value > 0 && span.from < span.to)
			g_array_append_val(spans->spans, span);
	}
}

static int by_from(gconstpointer a, gconstpointer b)
{
	const DocSpan *x = a, *y = b;
	return (x->from > y->from) - (x->from < y->from);
}

static DocSpans *doc_spans_read(Bytes stream, Bytes bins, size_t entry_bytes, DocValueFunc value_at)
{
	DocSpans *spans = g_new0(DocSpans, 1);
	size_t count = bins.size >= 12 ? (bins.size - 4) / 8 : 0;
	spans->spans = g_array_new(FALSE, FALSE, sizeof(DocSpan));
	for (size_t i = 0; i < MIN(count, (size_t)MAX_PAGES); i++) {
		size_t page = le32(bins, 4 * (count + 1) + 4 * i) & 0x3fffff;
		doc_spans_read_page(spans, bytes_part(stream, page * PAGE_BYTES, PAGE_BYTES),
		        entry_bytes, value_at);
	}
	g_array_sort(spans->spans, by_from);
	return spans;
}

DocSpans *doc_headings_read(Bytes stream, Bytes bins)
{
	return doc_spans_read(stream, bins, PARAGRAPH_ENTRY_BYTES, heading_level_at);
}

DocSpans *doc_deletions_read(Bytes stream, Bytes bins)
{
	return doc_spans_read(stream, bins, RUN_ENTRY_BYTES, is_deleted_at);
}

DocSpans *doc_objects_read(Bytes stream, Bytes bins)
{
	return doc_spans_read(stream, bins, RUN_ENTRY_BYTES, object_place_at);
}

DocSpans *doc_symbols_read(Bytes stream, Bytes bins)
{
	return doc_spans_read(stream, bins, RUN_ENTRY_BYTES, symbol_at);
}

DocSpans *doc_fonts_read(Bytes stream, Bytes bins)
{
	return doc_spans_read(stream, bins, RUN_ENTRY_BYTES, font_at);
}

unsigned doc_spans_at(const DocSpans *spans, size_t position, size_t *until)
{
	guint low = 0, high = spans ? spans->spans->len : 0, count = high;
	while (low < high) {
		guint middle = low + (high - low) / 2;
		const DocSpan *span = &g_array_index(spans->spans, DocSpan, middle);
		if (position >= span->from && position < span->to) {
			if (until)
				*until = span->to;
			return span->value;
		}
		if (position < span->from)
			high = middle;
		else
			low = middle + 1;
	}
	if (until)
		*until = low < count ? g_array_index(spans->spans, DocSpan, low).from : SIZE_MAX;
	return 0;
}

void doc_spans_free(DocSpans *spans)
{
	if (!spans)
		return;
	g_array_unref(spans->spans);
	g_free(spans);
}
