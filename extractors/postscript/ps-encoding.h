/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ps-encoding.h - what the bytes of a driver's own fonts stand for */
#pragma once
#include <glib.h>
#include <stdint.h>

typedef enum {
	PS_LATIN, /* of no driver that we know: taken for windows-1252 when the text is whole */
	PS_GROFF, /* devps/text.enc */
	PS_TEX, /* OT1, Knuth's own */
	PS_TEX_CORK, /* T1, by 256 letters */
} PsEncoding;

/* Appends UTF-8. accent: one that stands before its letter, 0: none; the caller keeps it between
 * calls. */
void ps_append_byte(GString *text, PsEncoding encoding, uint8_t byte, gunichar *accent);
