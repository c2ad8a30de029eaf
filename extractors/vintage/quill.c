/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/vintage/quill.h"
#include "extractors/charset/charset.h"
#include "extractors/shared/olefile.h"
#include <string.h>

enum {
	TABLE_AT = 0x20,
	ENTRY_BYTES = 24,
	MAX_ENTRIES = 20,
	ENTRY_MARK = 0x18,
	TEXT_BYTES = 16 << 20
};

static void quill_put_text(Sink *sink, Bytes text)
{
	g_autoptr(GString) out = g_string_new(NULL);
	charset_decode(charset_find("utf-16le"), text.data, text.size & ~(size_t)1, out);
	for (char *c = out->str; *c; c++)
		*c = *c == '\r' || *c == '\v' ? '\n' : *c;
	sink_inline(sink, "text/plain", "utf-8", (const uint8_t *)out->str, out->len);
}

static bool quill_read_pieces(Bytes stream, Sink *sink)
{
	bool any = false;
	for (size_t i = 0; i < MAX_ENTRIES; i++) {
		Bytes entry = bytes_part(stream, TABLE_AT + i * ENTRY_BYTES, ENTRY_BYTES);
		if (entry.size < ENTRY_BYTES || le16(entry, 0) != ENTRY_MARK ||
		        memcmp(entry.data + 12, "TEXT", 4) != 0)
			continue;
		Bytes text = bytes_part(
		        stream, le32(entry, 16), MIN(le32(entry, 20), (uint32_t)TEXT_BYTES));
		any = any || text.size >= 2;
		quill_put_text(sink, text);
	}
	return any;
}

bool quill_read(const Input *in, Sink *sink)
{
	GsfInfile *root = ole_is(in) ? ole_open(in, NULL) : NULL;
	GsfInfile *outer = root ? ole_storage(root, "Quill") : NULL;
	GsfInfile *inner = outer ? ole_storage(outer, "QuillSub") : NULL;
	Bytes stream = inner ? ole_stream(inner, "CONTENTS") : (Bytes){NULL, 0};
	bool any = quill_read_pieces(stream, sink);
	g_free((void *)stream.data);
	g_clear_object(&inner);
	g_clear_object(&outer);
	g_clear_object(&root);
	return any;
}
