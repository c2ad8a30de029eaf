/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/legacy/hyperlink.h"
#include "extractors/legacy/legacy.h"
#include <string.h>

enum {
	HAS_MONIKER = 1 << 0,
	HAS_PLACE = 1 << 3,
	HAS_SHOWN = 1 << 4,
	HAS_FRAME = 1 << 7,
	MONIKER_IS_STRING = 1 << 8,
	GUID_BYTES = 16,
};

/* Takes size bytes off the front. */
static Bytes hyperlink_take(Bytes *rest, size_t size)
{
	Bytes taken = bytes_part(*rest, 0, size);
	*rest = bytes_part(*rest, size, SIZE_MAX);
	return taken;
}

/* Takes size bytes of UTF-16 and returns the text up to its NUL; NULL if it is empty or cut. */
static char *take_utf16(Bytes *rest, size_t size)
{
	Bytes text = hyperlink_take(rest, size);
	size_t used = 0;
	if (text.size < size)
		return NULL;
	while (used + 2 <= text.size && le16(text, used) != 0)
		used += 2;
	if (used == 0)
		return NULL;
	GString *out = g_string_new(NULL);
	put_utf16(out, bytes_part(text, 0, used));
	return g_string_free(out, FALSE);
}

/* The length is in characters. */
static char *hyperlink_take_string(Bytes *rest)
{
	uint32_t length = le32(hyperlink_take(rest, 4), 0);
	return take_utf16(rest, (size_t)length * 2);
}

/* A path: first in the system's charset, then perhaps in UTF-16 (2.3.7.8). */
static char *take_path(Bytes *rest)
{
	enum { LEVELS_BYTES = 2, RESERVED_BYTES = 24, KEY_BYTES = 2 };
	hyperlink_take(rest, LEVELS_BYTES);
	uint32_t length = le32(hyperlink_take(rest, 4), 0);
	Bytes narrow = hyperlink_take(rest, length);
	hyperlink_take(rest, RESERVED_BYTES);
	uint32_t wide = le32(hyperlink_take(rest, 4), 0);
	if (wide > 0) {
		uint32_t size = le32(hyperlink_take(rest, 4), 0);
		hyperlink_take(rest, KEY_BYTES);
		return take_utf16(rest, size);
	}
	GString *out = g_string_new(NULL);
	const uint8_t *nul = narrow.size > 0 ? memchr(narrow.data, 0, narrow.size) : NULL;
	narrow.size = nul ? (size_t)(nul - narrow.data) : narrow.size;
	put_encoded(out, narrow, code_page(1252));
	return g_string_free(out, FALSE);
}

/* An address or a path. After any other kind the rest cannot be read. */
static char *take_moniker(Bytes *rest)
{
	static const uint8_t address[GUID_BYTES] = {0xe0, 0xc9, 0xea, 0x79, 0xf9, 0xba, 0xce, 0x11,
	        0x8c, 0x82, 0x00, 0xaa, 0x00, 0x4b, 0xa9, 0x0b};
	static const uint8_t path[GUID_BYTES] = {
	        0x03, 0x03, 0, 0, 0, 0, 0, 0, 0xc0, 0, 0, 0, 0, 0, 0, 0x46};
	Bytes guid = hyperlink_take(rest, GUID_BYTES);
	if (guid.size == GUID_BYTES && memcmp(guid.data, address, GUID_BYTES) == 0) {
		uint32_t size = le32(hyperlink_take(rest, 4), 0);
		return take_utf16(rest, size);
	}
	if (guid.size == GUID_BYTES && memcmp(guid.data, path, GUID_BYTES) == 0)
		return take_path(rest);
	*rest = (Bytes){NULL, 0};
	return NULL;
}

Hyperlink hyperlink_read(Bytes object)
{
	enum { LINK_VERSION = 2, HEAD_BYTES = 8 };
	Hyperlink link = {NULL, NULL};
	uint32_t flags = le32(object, 4);
	Bytes rest = bytes_part(object, HEAD_BYTES, SIZE_MAX);
	if (le32(object, 0) != LINK_VERSION)
		return link;
	if (flags & HAS_SHOWN)
		link.shown = hyperlink_take_string(&rest);
	if (flags & HAS_FRAME)
		g_free(hyperlink_take_string(&rest));
	if (flags & HAS_MONIKER)
		link.target = flags & MONIKER_IS_STRING ? hyperlink_take_string(&rest)
		                                        : take_moniker(&rest);
	g_autofree char *place = flags & HAS_PLACE ? hyperlink_take_string(&rest) : NULL;
	if (link.target && place) {
		char *whole = g_strconcat(link.target, "#", place, NULL);
		g_free(link.target);
		link.target = whole;
	}
	return link;
}
