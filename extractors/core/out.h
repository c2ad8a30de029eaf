/* SPDX-License-Identifier: GPL-3.0-or-later */
/* out.h - frames on their way out of a child, gathered into packets */
#pragma once
#include "common/ipc/wire.h"

typedef struct {
	/* Takes the packet and empties it; false: nobody listens any more. */
	bool (*send)(WirePacket *packet, void *data);
	void *data;
	bool broken; /* a send failed; everything after it is dropped */
	size_t last_text; /* offset of the last frame if it is a text that can grow, else SIZE_MAX
	                   */
	WirePacket packet;
} Out;

void out_init(Out *out, bool (*send)(WirePacket *, void *), void *data);
/* Appends a frame, which must fit into an empty packet; sends what waits when it would not fit. */
bool out_put(Out *out, WireKind kind, unsigned a, unsigned b, const void *head, size_t head_length,
        const void *tail, size_t tail_length);
/* Appends valid UTF-8 of any length as TEXT frames; glues it to the last one where it only goes on.
 */
bool out_text(Out *out, unsigned tag, unsigned flags, const char *text, size_t length);
bool out_flush(Out *out);
