/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/image/pngtext.h"
#include "extractors/shared/inflate.h"
#include <stdbool.h>
#include <string.h>

enum { SIGNATURE = 8, MAX_KEYWORD = 79, MAX_TEXT = 32 << 10 };

typedef struct {
	const char *at, *end;
} PngSpan;

/* Takes a NUL-terminated string; NULL: there is no NUL. */
static const char *pngtext_take_string(PngSpan *bytes)
{
	const char *from = bytes->at, *nul = memchr(from, '\0', bytes->end - from);
	bytes->at = nul ? nul + 1 : bytes->end;
	return nul ? from : NULL;
}

/* Unpacks a zlib stream, or its beginning. */
static void pngtext_unpack(PngSpan packed, GString *text)
{
	g_autoptr(GByteArray) out = g_byte_array_new();
	Bytes bytes = {(const uint8_t *)packed.at, packed.end - packed.at};
	inflate_append(G_ZLIB_COMPRESSOR_FORMAT_ZLIB, bytes, MAX_TEXT, NULL, out);
	g_string_append_len(text, (const char *)out->data, out->len);
}

static void append_latin1(GString *text, PngSpan bytes)
{
	for (; bytes.at < bytes.end && text->len < MAX_TEXT; bytes.at++)
		g_string_append_unichar(text, (uint8_t)*bytes.at);
}

/* Keyword, NUL, text in Latin-1; packed: a method byte precedes the text. */
static bool read_latin1(PngSpan *chunk, GString *text, bool packed)
{
	g_autoptr(GString) raw = g_string_new(NULL);
	if (packed && chunk->at == chunk->end)
		return false;
	if (packed) {
		pngtext_unpack((PngSpan){chunk->at + 1, chunk->end}, raw);
		append_latin1(text, (PngSpan){raw->str, raw->str + raw->len});
	} else {
		append_latin1(text, *chunk);
	}
	return true;
}

/* Keyword, NUL, compression flag, method, language, NUL, translated keyword, NUL, text in UTF-8 */
static bool read_international(PngSpan *chunk, GString *text)
{
	if (chunk->end - chunk->at < 2)
		return false;
	bool packed = *chunk->at != 0;
	chunk->at += 2;
	for (int i = 0; i < 2; i++) /* language and translated keyword */
		if (!pngtext_take_string(chunk))
			return false;
	if (packed)
		pngtext_unpack(*chunk, text);
	else
		g_string_append_len(text, chunk->at, MIN(chunk->end - chunk->at, MAX_TEXT));
	return true;
}

static void pngtext_read_chunk(const char *type, PngSpan chunk, FactsPut put, void *user)
{
	const char *keyword = pngtext_take_string(&chunk);
	g_autoptr(GString) text = g_string_new(NULL);
	bool good = false;
	if (!keyword || strlen(keyword) > MAX_KEYWORD)
		return;
	if (memcmp(type, "iTXt", 4) == 0)
		good = read_international(&chunk, text);
	else
		good = read_latin1(&chunk, text, *type == 'z');
	g_autofree char *key = g_strconcat("Png.", keyword, NULL);
	if (good && text->len > 0)
		put(user, key, text->str, text->len);
}

void png_texts_read(const uint8_t *data, size_t size, FactsPut put, void *user)
{
	size_t at = SIGNATURE;
	while (at <= size && size - at >= 12) {
		size_t length = (size_t)data[at] << 24 | data[at + 1] << 16 | data[at + 2] << 8 |
		                data[at + 3];
		const char *type = (const char *)data + at + 4;
		if (length > size - at - 12)
			return;
		if (memcmp(type + 1, "TXt", 3) == 0 || memcmp(type, "tEXt", 4) == 0)
			pngtext_read_chunk(type, (PngSpan){type + 4, type + 4 + length}, put, user);
		at += 12 + length;
	}
}
