/* SPDX-License-Identifier: GPL-3.0-or-later */
/* terminal-text.h - what was written for a terminal: logs with colours, typescripts, formatted
 * manuals
 *
 * Control sequences (ECMA-48: CSI, OSC and the short ones) are no text: "\33[1mword" would become
 * the word "1mword". A letter struck over another ("w\bw" bold, "_\bw" underlined) is one letter.
 */
#pragma once
#include <stddef.h>

/* Takes both out of a text, in place; returns its new length. Line ends stay. */
size_t terminal_strip(char *text, size_t length);
