/* SPDX-License-Identifier: GPL-3.0-or-later */
/* view.h - the screen of "tarsier tui": query, status, hits, preview, keys */
#pragma once
#include "ui-cli/tui/line-edit.h"
#include "ui-cli/app/live.h"
#include "ui-cli/tui/preview.h"
#include <stdio.h>

typedef struct {
	EditLine line;
	Live live;
	Preview preview;
	guint selected, first_hit; /* indices of hits; first_hit is the first one on the screen */
	bool whole; /* the preview shows the whole text on the whole screen */
	guint first_line; /* the preview's first line on the screen */
	bool help; /* the keys are explained on the whole screen */
	int help_row, help_rows; /* the first row of them on the screen, and how many there are */
	bool chooses; /* Enter prints the choice instead of opening it */
	char *note; /* replaces the status line; may be NULL */
} View;

/* Takes over the terminal that both files are. color: use its palette. ascii: draw nothing else,
 * because the locale's charset is not UTF-8. False if the terminal is not supported. */
bool view_begin(FILE *in, FILE *out, bool color, bool ascii);
/* Restores the terminal. May be called twice. */
void view_end(void);
/* Gives the terminal to another program, and takes it back. */
void view_leave(void);
void view_return(void);
/* The keys that a terminal sends around pasted text: a paste is not keystrokes, so what is in it
 * opens nothing (bracketed paste of xterm, "XTerm Control Sequences"). */
enum { VIEW_KEY_PASTE = 0x7001, VIEW_KEY_PASTE_END };
void view_draw(View *view);
/* Goes on to the keys that did not fit on the screen; false, and back to the first ones, if all
 * have been shown. */
bool view_more_help(View *view);
/* Moves the whole text to the match that comes so many after the current one, around its ends. */
void view_go_to_match(View *view, int step);
/* Stops the program until the shell continues it. */
void view_suspend(void);
/* The number of hits, or of lines of the whole text, on one screen. */
guint view_page(const View *view);
