/* SPDX-License-Identifier: GPL-3.0-or-later */
/* view.h - the screen of "tarsier tui": query, status, hits, preview, keys */
#pragma once
#include "ui-cli/tui/line-edit.h"
#include "ui-cli/tui/live.h"
#include "ui-cli/tui/preview.h"

typedef struct {
	EditLine line;
	Live live;
	Preview preview;
	guint selected, first_hit; /* indices of hits; first_hit is the first one on the screen */
	bool whole; /* the preview shows the whole text on the whole screen */
	guint first_line; /* the preview's first line on the screen */
	char *note; /* replaces the status line; may be NULL */
} View;

/* Takes over the terminal; false if it is not supported. color: use the terminal's palette. */
bool view_begin(bool color);
/* Restores the terminal. May be called twice. */
void view_end(void);
void view_draw(View *view);
/* The number of hits, or of lines of the whole text, on one screen. */
guint view_page(const View *view);
