/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rocket.c - Rocket eBook: a list of pages with a name of 32 bytes, then length, offset and flags
 * of each (u32, little-endian). A packed page is a number of blocks, its total length, the length
 * of each block, and the blocks. */
#include <config.h>
#include "extractors/oldbook/oldbook.h"
#include "extractors/shared/inflate.h"
#include <string.h>

enum {
	LIST_AT = 0x18, /* position of the list's offset in the header */
	NAME_BYTES = 32,
	ENTRY_BYTES = NAME_BYTES + 12,
	MAX_PAGES = 10000,
	FLAG_ENCRYPTED = 1,
	FLAG_INFO = 2,
	FLAG_PACKED = 8,
};

typedef struct {
	const Input *in;
	Sink *sink;
	unsigned pages, encrypted;
	bool damaged;
} RocketBook;

/* ---- pages */

static void unpack_page(RocketBook *book, Bytes packed, GByteArray *page)
{
	size_t n = le32(packed, 0), at = 8;
	if (packed.size < 8 || n > (packed.size - 8) / 4) {
		book->damaged = true;
		return;
	}
	at += 4 * n;
	for (size_t i = 0; i < n; i++) {
		Bytes block = bytes_part(packed, at, le32(packed, 8 + 4 * i));
		if (!inflate_append(
		            G_ZLIB_COMPRESSOR_FORMAT_ZLIB, block, SIZE_MAX, book->sink, page)) {
			book->damaged = true;
			return;
		}
		at += block.size;
	}
}

static bool rocket_put_page(RocketBook *book, Bytes bytes, unsigned flags)
{
	g_autoptr(GByteArray) page = g_byte_array_new();
	book->pages++;
	if (flags & FLAG_ENCRYPTED) {
		book->encrypted++;
		return true;
	}
	if (flags & FLAG_PACKED)
		unpack_page(book, bytes, page);
	else
		g_byte_array_append(page, bytes.data, bytes.size);
	return page->len == 0 || sink_inline(book->sink, "text/html", NULL, page->data, page->len);
}

/* ---- facts: lines of KEY=value */

static void rocket_put_facts(RocketBook *book, Bytes bytes)
{
	static const struct {
		const char *key;
		DocField field;
	} facts[] = {{"TITLE=", FIELD_TITLE}, {"AUTHOR=", FIELD_AUTHOR},
	        {"GENERATOR=", FIELD_GENERATOR}, {"COMMENT=", FIELD_COMMENT}};
	g_autofree char *text = decode_text(bytes.data, bytes.size, NULL, NULL, NULL);
	g_auto(GStrv) lines = g_strsplit(text, "\n", 256);
	for (char **line = lines; *line; line++)
		for (size_t i = 0; i < G_N_ELEMENTS(facts); i++)
			if (g_str_has_prefix(*line, facts[i].key))
				sink_field(book->sink, facts[i].field, *line + strlen(facts[i].key),
				        -1);
}

static bool is_html(const uint8_t *name)
{
	g_autofree char *copy = g_strndup((const char *)name, NAME_BYTES);
	g_autofree char *lower = g_ascii_strdown(copy, -1);
	return g_str_has_suffix(lower, ".html") || g_str_has_suffix(lower, ".htm");
}

ExtractResult rocket_extract(const Input *in, Sink *sink)
{
	RocketBook book = {.in = in, .sink = sink};
	Bytes file = {in->data, in->size};
	size_t list = le32(file, LIST_AT);
	size_t n = le32(file, list);
	Bytes entries = bytes_part(file, list + 4, SIZE_MAX);
	bool more = true;
	if (n == 0 || n > MAX_PAGES || entries.size / ENTRY_BYTES < n)
		return sink_fail(sink, REASON_DAMAGED, NULL);
	for (size_t i = 0; i < n && more; i++) {
		Bytes entry = bytes_part(entries, i * ENTRY_BYTES, ENTRY_BYTES);
		unsigned flags = le32(entry, NAME_BYTES + 8);
		Bytes bytes =
		        bytes_part(file, le32(entry, NAME_BYTES + 4), le32(entry, NAME_BYTES));
		if (flags & FLAG_INFO)
			rocket_put_facts(&book, bytes);
		else if (is_html(entry.data))
			more = rocket_put_page(&book, bytes, flags);
	}
	if (book.pages > 0 && book.encrypted == book.pages)
		return sink_fail(sink, REASON_ENCRYPTED, NULL);
	if (more && book.damaged)
		sink_truncated(sink, REASON_DAMAGED, NULL);
	return book.pages > 0 ? EXTRACT_DONE : EXTRACT_NOTHING;
}
