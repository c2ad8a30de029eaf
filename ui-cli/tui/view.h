/* SPDX-License-Identifier: GPL-3.0-or-later */
/* view.h - the screen of "tarsier tui": query, state, hits, preview, keys */
#pragma once
#include "ui-cli/tui/line-edit.h"
#include "ui-cli/tui/live.h"
#include "ui-cli/tui/preview.h"

typedef struct {
	Line line;
	Live live;
	Preview preview;
	guint selected, first_hit; /* of the hits; the first one on the screen */
	bool whole; /* the preview is the whole text, over the whole screen */
	guint first_line; /* of the preview, on the screen */
	char *note; /* instead of the state; or NULL */
} View;

/* Takes the terminal over; false: it cannot be driven. color: styles of the terminal's palette. */
bool view_begin(bool color);
/* Gives it back; may be called twice. */
void view_end(void);
void view_draw(View *view);
/* Lines of hits, or of the whole text, that one screen has. */
guint view_page(const View *view);
