/* SPDX-License-Identifier: GPL-3.0-or-later */
/* terminal-text.h - cleans text written for a terminal or a chat: logs with colours, typescripts,
 * formatted manuals
 *
 * Control sequences (ECMA-48: CSI, OSC and the short ones) are not text: "\33[1mword" would be
 * indexed as "1mword". A letter printed over another one ("w\bw" is bold, "_\bw" underlined) is one
 * letter. Nor are the numbers of colours of IRC text ("\3" "04,01red", modern.ircdocs.horse). */
#pragma once
#include <stddef.h>

/* Removes control sequences, colours and overprinting from a text in place; returns its new length.
 * Line ends are kept. */
size_t terminal_strip(char *text, size_t length);
