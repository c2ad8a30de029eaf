/* SPDX-License-Identifier: GPL-3.0-or-later */
/* markup.h - reading text that people mark up by hand, line by line
 *
 * Each format has a reader that takes lines until the text or the document's limit ends. What it
 * gathers with markup_add() becomes one block at the next empty line, heading or flush. */
#pragma once
#include "extractors/shared/extractor.h"
#include <glib.h>

typedef struct {
	Sink *sink;
	const char *at, *end; /* what is still to be read; UTF-8 */
	GString *block; /* gathered */
	DocTag tag; /* of the block */
	bool titled, full; /* full: stop reading */
} Markup;

/* The next line without its end; false when there is none or the document is full. */
bool markup_line(Markup *m, const char **line, size_t *length);
/* The line after those read so far, not taken; 0 at the end. */
size_t markup_peek(const Markup *m, const char **line);
void markup_add(Markup *m, const char *text, size_t length);
/* Ends the block; the next has this tag. */
void markup_flush(Markup *m, DocTag next);
/* level from 1; the first heading is the title if nothing said so before. */
void markup_heading(Markup *m, unsigned level, const char *text, size_t length);
/* A fact; white space around it goes. */
void markup_fact(Markup *m, DocField field, const char *text, size_t length);
bool markup_is_blank(const char *line, size_t length);

void org_read(Markup *m);
void rst_read(Markup *m);
void roff_read(Markup *m);
void latex_read(Markup *m);
void subtitles_read(Markup *m);
void dialogue_read(Markup *m);
void po_read(Markup *m);
void texinfo_read(Markup *m);
void asciidoc_read(Markup *m);
void wiki_read(Markup *m);
void info_read(Markup *m);
void json_read(Markup *m);
