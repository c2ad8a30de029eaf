/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/image/pngtext.h"
#include "extractors/shared/inflate.h"
#include <stdbool.h>
#include <string.h>

enum { SIGNATURE = 8, MAX_KEYWORD = 79, MAX_TEXT = 32 << 10 };

/* Takes a NUL-terminated string; NULL: there is no NUL. */
static const char *pngtext_take_string(Bytes *bytes)
{
	const uint8_t *from = bytes->data;
	const uint8_t *nul = bytes->size > 0 ? memchr(from, '\0', bytes->size) : NULL;
	*bytes = bytes_part(*bytes, nul ? (size_t)(nul + 1 - from) : bytes->size, SIZE_MAX);
	return nul ? (const char *)from : NULL;
}

/* Unpacks a zlib stream, or its beginning. The caller owns the bytes. */
static GByteArray *pngtext_unpack(Bytes packed)
{
	GByteArray *out = g_byte_array_new();
	inflate_append(G_ZLIB_COMPRESSOR_FORMAT_ZLIB, packed, MAX_TEXT, NULL, out);
	return out;
}

static void append_latin1(GString *text, Bytes bytes)
{
	for (size_t i = 0; i < bytes.size && text->len < MAX_TEXT; i++)
		g_string_append_unichar(text, bytes.data[i]);
}

/* Keyword, NUL, text in Latin-1; packed: a method byte precedes the text. */
static bool read_latin1(Bytes chunk, GString *text, bool packed)
{
	if (!packed) {
		append_latin1(text, chunk);
		return true;
	}
	if (chunk.size == 0)
		return false;
	g_autoptr(GByteArray) raw = pngtext_unpack(bytes_part(chunk, 1, SIZE_MAX));
	append_latin1(text, (Bytes){raw->data, raw->len});
	return true;
}

/* Keyword, NUL, compression flag, method, language, NUL, translated keyword, NUL, text in UTF-8 */
static bool read_international(Bytes chunk, GString *text)
{
	if (chunk.size < 2)
		return false;
	bool packed = chunk.data[0] != 0;
	chunk = bytes_part(chunk, 2, SIZE_MAX);
	for (int i = 0; i < 2; i++) /* language and translated keyword */
		if (!pngtext_take_string(&chunk))
			return false;
	if (!packed) {
		g_string_append_len(text, (const char *)chunk.data, MIN(chunk.size, MAX_TEXT));
		return true;
	}
	g_autoptr(GByteArray) raw = pngtext_unpack(chunk);
	g_string_append_len(text, (const char *)raw->data, raw->len);
	return true;
}

static void pngtext_read_chunk(const char *type, Bytes chunk, FactsPut put, void *user)
{
	const char *keyword = pngtext_take_string(&chunk);
	g_autoptr(GString) text = g_string_new(NULL);
	bool good = false;
	if (!keyword || strlen(keyword) > MAX_KEYWORD)
		return;
	if (memcmp(type, "iTXt", 4) == 0)
		good = read_international(chunk, text);
	else
		good = read_latin1(chunk, text, *type == 'z');
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
			pngtext_read_chunk(type, (Bytes){data + at + 8, length}, put, user);
		at += 12 + length;
	}
}
