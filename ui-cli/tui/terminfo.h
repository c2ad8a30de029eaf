/* SPDX-License-Identifier: GPL-3.0-or-later */
/* terminfo.h - what a terminal can do (TERM, terminfo(5)), and whether it is still there */
#pragma once
#include <stdbool.h>

typedef enum {
	TERMINAL_GOOD,
	TERMINAL_UNKNOWN, /* TERM is not set, or has no entry */
	TERMINAL_DUMB, /* it cannot place the cursor */
} TerminalKind;

TerminalKind terminal_kind(int fd);
/* True if the terminal was closed or hung up. */
bool terminal_is_gone(int fd);
