/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/legacy/lzfu.h"

enum { HEADER_BYTES = 16, RING = 4096, MIN_MATCH = 2 };

/* Initial content of the ring buffer (MS-OXRTFCP 2.1.2.1). */
static const char preset[] =
        "{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss "
        "\\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier"
        "{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx";

typedef struct {
	uint8_t ring[RING];
	size_t at; /* position of the next byte in the ring buffer */
	GByteArray *out;
} LzfuUnpacker;

static void lzfu_put(LzfuUnpacker *u, uint8_t byte)
{
	u->ring[u->at++ % RING] = byte;
	g_byte_array_append(u->out, &byte, 1);
}

static bool put_match(LzfuUnpacker *u, unsigned word)
{
	size_t offset = word >> 4, length = (word & 0xf) + MIN_MATCH;
	if (offset == u->at % RING)
		return false; /* end mark */
	for (size_t i = 0; i < length; i++)
		lzfu_put(u, u->ring[(offset + i) % RING]);
	return true;
}

static void lzfu_unpack_stream(LzfuUnpacker *u, Bytes in)
{
	for (size_t at = 0; at < in.size;) {
		unsigned control = in.data[at++];
		for (unsigned bit = 0; bit < 8 && at < in.size; bit++) {
			if (!(control >> bit & 1)) {
				lzfu_put(u, in.data[at++]);
				continue;
			}
			if (at + 2 > in.size || !put_match(u, in.data[at] << 8 | in.data[at + 1]))
				return;
			at += 2;
		}
	}
}

GByteArray *lzfu_unpack(Bytes packed)
{
	LzfuUnpacker unpacker = {.at = sizeof preset - 1};
	if (packed.size < HEADER_BYTES)
		return NULL;
	Bytes body = bytes_part(packed, HEADER_BYTES, SIZE_MAX);
	uint32_t kind = le32(packed, 8);
	if (kind != 0x75465a4c && kind != 0x414c454d)
		return NULL;
	unpacker.out = g_byte_array_new();
	memcpy(unpacker.ring, preset, sizeof preset - 1);
	if (kind == 0x414c454d)
		g_byte_array_append(unpacker.out, body.data, body.size);
	else
		lzfu_unpack_stream(&unpacker, body);
	return unpacker.out;
}
