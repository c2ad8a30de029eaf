/* SPDX-License-Identifier: GPL-3.0-or-later */
/* html-tiddlers.h - the notes of a TiddlyWiki
 *
 * A TiddlyWiki is a page that holds its notes ("tiddlers") and the program to edit them. Since
 * version 5.2 the notes are JSON in a <script>: a list of objects, whose members are the fields of
 * a note (https://tiddlywiki.com/dev/, "Tiddler Files and Tiddler Store"). Older versions have a
 * <div> for each note, which is text like others. */
#pragma once
#include "extractors/html/html-token.h"
#include "extractors/html/html-writer.h"

/* True if the text of this element is a list of notes. */
bool tiddlers_follow(const Token *token);
/* Writes the notes: the title of each is a heading, its tags are noise. Those of the program, and
 * pictures, are left out. A list that is damaged ends where it is. */
void tiddlers_write(HtmlWriter *writer, HtmlSpan list);
