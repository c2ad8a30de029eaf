/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/core/out.h"
#include "common/base/text.h"
#include <string.h>

void out_init(Out *out, bool (*send)(WirePacket *, void *), void *data)
{
	out->send = send;
	out->data = data;
	out->broken = false;
	out->last_text = SIZE_MAX;
	out->packet.used = 0;
}

bool out_flush(Out *out)
{
	out->last_text = SIZE_MAX;
	if (out->packet.used > 0 && !out->broken)
		out->broken = !out->send(&out->packet, out->data);
	out->packet.used = 0;
	return !out->broken;
}

bool out_put(Out *out, WireKind kind, unsigned a, unsigned b, const void *head, size_t head_length,
        const void *tail, size_t tail_length)
{
	out->last_text = SIZE_MAX;
	if (wire_put(&out->packet, kind, a, b, head, head_length, tail, tail_length))
		return !out->broken;
	return out_flush(out) &&
	       wire_put(&out->packet, kind, a, b, head, head_length, tail, tail_length);
}

static bool out_grows(const Out *out, unsigned tag, unsigned flags, size_t length)
{
	return flags == 0 && out->last_text != SIZE_MAX &&
	       out->packet.bytes[out->last_text + 1] == tag &&
	       length <= WIRE_PACKET_BYTES - out->packet.used;
}

static void out_grow(Out *out, const char *text, size_t length)
{
	uint8_t *at = out->packet.bytes + out->last_text + 4;
	uint32_t total;
	memcpy(&total, at, sizeof total);
	total += length;
	memcpy(at, &total, sizeof total);
	memcpy(out->packet.bytes + out->packet.used, text, length);
	out->packet.used += length;
}

bool out_text(Out *out, unsigned tag, unsigned flags, const char *text, size_t length)
{
	if (out_grows(out, tag, flags, length)) {
		out_grow(out, text, length);
		return !out->broken;
	}
	while (length > 0) {
		/* if little room is left, send the packet rather than split the text */
		if (WIRE_PACKET_BYTES - out->packet.used < WIRE_HEADER_BYTES + MIN(length, 4096) &&
		        !out_flush(out))
			return false;
		size_t room = WIRE_PACKET_BYTES - out->packet.used - WIRE_HEADER_BYTES;
		size_t part = text_clip(text, length, room);
		size_t at = out->packet.used;
		if (!out_put(out, WIRE_TEXT, tag, flags, text, part, NULL, 0))
			return false;
		out->last_text = at;
		text += part;
		length -= part;
		flags = 0;
	}
	return !out->broken;
}
