/* SPDX-License-Identifier: GPL-3.0-or-later */
/* out.h - collects the frames that a child sends into packets */
#pragma once
#include "common/ipc/wire.h"

typedef struct {
	/* Sends the packet and empties it. False: the receiver is gone. */
	bool (*send)(WirePacket *packet, void *data);
	void *data;
	bool broken; /* a send failed; all later frames are dropped */
	/* offset of the last frame if it is a TEXT frame that can be extended, else SIZE_MAX */
	size_t last_text;
	WirePacket packet;
} Out;

void out_init(Out *out, bool (*send)(WirePacket *, void *), void *data);
/* Appends a frame. Sends the packet first if the frame does not fit; a frame must fit into an empty
 * packet. False once a send has failed, as for all functions here. */
bool out_put(Out *out, WireKind kind, unsigned a, unsigned b, const void *head, size_t head_length,
        const void *tail, size_t tail_length);
/* Appends valid UTF-8 of any length as TEXT frames. Extends the last TEXT frame if tag is the same
 * and flags is 0. */
bool out_text(Out *out, unsigned tag, unsigned flags, const char *text, size_t length);
bool out_flush(Out *out);
