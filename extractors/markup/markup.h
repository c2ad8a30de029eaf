/* SPDX-License-Identifier: GPL-3.0-or-later */
/* markup.h - reads text markup line by line
 *
 * Each format has a reader that takes lines until the text or the document's limit ends. Text added
 * with markup_add() becomes one block at the next empty line, heading or flush. */
#pragma once
#include "extractors/shared/extractor.h"
#include <glib.h>

typedef struct {
	Sink *sink;
	const char *at, *end; /* the unread text; UTF-8 */
	GString *block; /* text of the current block */
	DocTag tag; /* tag of the current block */
	bool titled, full; /* full: stop reading */
} Markup;

/* The braces around arguments. The words of some arguments stand apart from their neighbours. */
typedef struct {
	unsigned depth; /* number of open braces */
	uint64_t apart; /* bit n: the group at this depth stands apart; deeper ones never do */
} MarkupGroups;

void groups_open(MarkupGroups *groups, bool apart);
/* Adds a gap if the group stands apart from a word that follows; next: the byte after it. */
void groups_close(MarkupGroups *groups, char next, GString *out);
/* Adds a space, unless the text ends with white space. */
void markup_add_gap(GString *out);

/* Takes the next line, without its line end; false at the end or when the document is full. */
bool markup_line(Markup *m, const char **line, size_t *length);
/* Returns the length of the next line without taking it; 0 at the end. */
size_t markup_peek(const Markup *m, const char **line);
/* Sends the address of a link whose text alone is added. */
void markup_address(Markup *m, const char *address, size_t length);
void markup_add(Markup *m, const char *text, size_t length);
/* Sends the current block; next is the tag of the one that follows. */
void markup_flush(Markup *m, DocTag next);
/* Sends a heading; level from 1. The first heading becomes the title if no title was sent. */
void markup_heading(Markup *m, unsigned level, const char *text, size_t length);
/* Sends a fact, without white space around it. */
void markup_fact(Markup *m, DocField field, const char *text, size_t length);
/* "&ouml;", "&#246;", "&#xf6;": appends the character. Returns the length; 0: no entity. */
size_t markup_add_entity(GString *out, const char *at, const char *end);
/* Length of a tag of HTML; 0: none. */
size_t markup_tag_length(const char *at, const char *end);
/* Is it a tag that does not separate words? "<br>" and others do. */
bool markup_is_inner_tag(const char *tag);

/* Takes out each pair of signs that stands within a word: "un**believ**able". spaces: the text
 * between them may have some. Addresses of links stay as they are. */
void markup_join_word(GString *text, const char *open, const char *close, bool spaces);
/* Is there a word right before at, or from at on? Signs of markup between them do not count. */
bool markup_word_before(const char *begin, const char *at);
bool markup_word_after(const char *at, const char *end);

/* Adds LaTeX without its commands and braces, accents as letters. */
void latex_add_plain(GString *out, const char *text, size_t length);

void org_read(Markup *m);
void rst_read(Markup *m);
void roff_read(Markup *m);
void latex_read(Markup *m);
void bibtex_read(Markup *m);
void subtitles_read(Markup *m);
void dialogue_read(Markup *m);
void po_read(Markup *m);
void texinfo_read(Markup *m);
void asciidoc_read(Markup *m);
void wiki_read(Markup *m);
void info_read(Markup *m);
void json_read(Markup *m);
void notebook_read(Markup *m);
void mind_map_read(Markup *m);
