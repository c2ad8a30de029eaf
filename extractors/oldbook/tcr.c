/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/oldbook/oldbook.h"
#include <glib.h>

enum { SIGNATURE_BYTES = 9, STRINGS = 256 };

typedef struct {
	const uint8_t *bytes;
	size_t length;
} String;

/* Returns where the text begins; 0: the table is cut. */
static size_t read_table(const Input *in, String strings[STRINGS])
{
	size_t at = SIGNATURE_BYTES;
	for (unsigned i = 0; i < STRINGS; i++) {
		if (at >= in->size || in->data[at] > in->size - at - 1)
			return 0;
		strings[i] = (String){in->data + at + 1, in->data[at]};
		at += 1 + strings[i].length;
	}
	return at;
}

ExtractResult tcr_extract(const Input *in, Sink *sink)
{
	String strings[STRINGS];
	size_t at = read_table(in, strings);
	if (at == 0)
		return sink_fail(sink, REASON_DAMAGED, NULL);
	g_autoptr(GByteArray) text = g_byte_array_new();
	for (; at < in->size && text->len < in->limits->text_bytes; at++)
		g_byte_array_append(
		        text, strings[in->data[at]].bytes, strings[in->data[at]].length);
	if (at < in->size)
		sink_truncated(sink, REASON_LIMIT_TEXT, NULL);
	if (text->len == 0 || !sink_unpacked(sink, text->len))
		return EXTRACT_NOTHING;
	sink_inline(sink, "text/plain", NULL, text->data, text->len);
	return EXTRACT_DONE;
}
